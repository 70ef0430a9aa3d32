r"""The interval of a weighted sum of estimates, from the interval of each.

The limits are those of the method of variance estimates recovery [1]_, Newcombe's square-and-add for any weights: for
two estimates with the limits :math:`l_i, u_i` and positive weights,

.. math:: \sum w_i\hat\theta_i - \sqrt{\sum w_i^2(\hat\theta_i-l_i)^2}
   \quad\text{and}\quad \sum w_i\hat\theta_i + \sqrt{\sum w_i^2(u_i-\hat\theta_i)^2}

With a negative weight the other limit of its estimate is taken; a correlation r of two estimates adds
:math:`2r w_1 w_2 d_1 d_2` under the root, with d the distances of the limits.

Of few events of each kind the lower limit is too high. As Fay and Feuer do for rates [2]_, :math:`\sum w_i x_i` events are
therefore taken as k equal ones of the weight s, which have the same value and variance,

.. math:: s=\frac{\sum w_i^2x_i}{\sum w_ix_i}, \quad k=\frac{\sum w_ix_i}{s}, \quad
   N=\frac{(\sum w_ix_i)^2}{\sum w_i^2x_i^2/n_i}

(N is n where all are counted among the same n cases), and s N times the lower limit of Clopper and Pearson for k of N
is a second limit: the lower of the two holds.

References
----------
.. [1] G. Y. Zou, A. Donner (2008), Statistics in Medicine 27, 1693-1702.
.. [2] M. P. Fay, E. J. Feuer (1997), Statistics in Medicine 16, 791-801.
"""

from __future__ import annotations

from math import exp, fsum, log, sqrt
from typing import TYPE_CHECKING

from rocconf.compute.stats.difference import Difference
from rocconf.compute.stats.proportion import exact_lower
from rocconf.dataclass import dataclass
from rocconf.records import Interval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocconf.records import IntervalKind

MOVER = "mover"
"""The test of a weighted sum: whether its interval excludes 0."""

LEAST_P = 1e-12
"""The least p-value that is searched for: a smaller one is given as this."""

STEPS = 50
"""The number of bisections that find a p-value, which leave an error of 1e-13 in its logarithm."""


@dataclass(frozen=True, slots=True)
class Part:
    """An estimate with its interval, and its weight in a sum."""

    weight: float
    value: float
    interval: Interval


def sum_interval(first: Part, second: Part, *, correlation: float = 0.0) -> Interval:
    """Return the interval of the weighted sum of two estimates."""
    total = first.weight * first.value + second.weight * second.value
    signed = correlation if (first.weight > 0) == (second.weight > 0) else -correlation

    def reach(downwards: bool) -> float:  # noqa: FBT001  # a function of one question
        one, other = (_reach(part, downwards=downwards) for part in (first, second))
        return sqrt(max(fsum((one * one, other * other, 2 * signed * one * other)), 0.0))

    return Interval(total - reach(True), total + reach(False))


@dataclass(frozen=True, slots=True)
class Events:
    """A number of events of one kind among some cases, and the weight of each in a sum."""

    weight: float
    count: int
    cases: int


def lower_of_events(kinds: Sequence[Events], *, of_same_cases: bool, level: float) -> float:
    """Return the lower limit of a weighted sum of events, taken as so many equal ones; the weights are above 0."""
    total = fsum(each.weight * each.count for each in kinds)
    if not total:
        return 0.0
    weight = fsum(each.weight**2 * each.count for each in kinds) / total
    squares = fsum((each.weight * each.count) ** 2 / each.cases for each in kinds)
    cases = float(kinds[0].cases) if of_same_cases else total**2 / squares
    return weight * cases * exact_lower(min(total / weight, cases), cases, level=level)


def _reach(part: Part, *, downwards: bool) -> float:
    below, above = part.value - part.interval.lower, part.interval.upper - part.value
    return abs(part.weight) * (below if (part.weight > 0) == downwards else above)


def difference_of(
    value: float, interval_at: Callable[[float], Interval], *, level: float, kind: IntervalKind
) -> Difference:
    """Return a difference whose interval is known at every level, with the p-value that agrees with it."""
    return Difference(value, interval_at(level), inverted_p(value, interval_at), MOVER, kind)


def inverted_p(value: float, interval_at: Callable[[float], Interval]) -> float:
    """Return 1 less the largest level at which an interval excludes 0."""
    if value == 0:
        return 1.0
    inside, outside = log(LEAST_P), 0.0
    for _ in range(STEPS):
        middle = (inside + outside) / 2
        limits = interval_at(1 - exp(middle))
        inside, outside = (middle, outside) if limits.lower <= 0 <= limits.upper else (inside, middle)
    return exp(outside)
