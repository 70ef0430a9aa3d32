r"""A difference between two models: how large, within which limits, and how likely by chance.

Where two estimates are independent, or the variance of their difference is unknown, the limits are those of
Newcombe's square-and-add [1]_: with the limits :math:`l_1, u_1` and :math:`l_2, u_2` of the two estimates,

.. math:: d - \sqrt{(\hat\theta_1-l_1)^2 + (u_2-\hat\theta_2)^2}
   \quad\text{and}\quad d + \sqrt{(u_1-\hat\theta_1)^2 + (\hat\theta_2-l_2)^2}

References
----------
.. [1] R. G. Newcombe (1998), Statistics in Medicine 17, 873-890 (method 10).
"""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.records import Interval

if TYPE_CHECKING:
    from rocconf.compute.stats.clusters import DiscordantClusters
    from rocconf.records import IntervalKind


ITSELF = "itself"
"""In place of a test, where the baseline is the model itself under another name."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A model's value less its baseline's; `p` is None where no test can be made."""

    value: float
    interval: Interval
    p: float | None
    test: str
    kind: IntervalKind | None = None
    """The kind of the interval of a difference of two AUCs; None for any other."""
    clustered: DiscordantClusters | None = None
    """What a difference of rates on clustered cases was computed from."""

    @property
    def is_from_itself(self) -> bool:
        """Whether the baseline is the model itself under another name."""
        return self.test == ITSELF


@dataclass(frozen=True, slots=True)
class Margin:
    """How much worse is still good enough."""

    size: float

    def __post_init__(self) -> None:
        if not 0 < self.size < 1:
            raise UsageError("margin-range", margin=self.size)

    def non_inferior(self, of: Interval, *, lower_is_better: bool = False) -> bool:
        """Whether the whole interval is on the good side of the margin."""
        return of.upper < self.size if lower_is_better else of.lower > -self.size

    def equivalent(self, of: Interval) -> bool:
        """Whether the whole interval is within the margin on both sides."""
        return -self.size < of.lower and of.upper < self.size


def square_and_add(first: float, around_first: Interval, second: float, around_second: Interval) -> Interval:
    """Return limits for the difference of two independent shares from the limits of each."""
    difference = first - second
    down = hypot(first - around_first.lower, around_second.upper - second)
    up = hypot(around_first.upper - first, second - around_second.lower)
    return Interval(max(difference - down, -1.0), min(difference + up, 1.0))
