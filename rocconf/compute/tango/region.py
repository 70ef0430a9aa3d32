r"""The confident region of ROC space: where a point is confident, for any model.

With P positives and Q negatives, a point has :math:`b=P(1-y)` misses and :math:`c=Qx` false alarms. For Tango's test
the region is

.. math:: |P(1-y) - Qx| \le z\sqrt{P(1-y) + Qx}

around the line on which both kinds of error are equally many, from (0, 1) to where all positives or all negatives are wrong. The
other tests have regions of the same shape; all are found by bisection on b as a real number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.confusion import Confusion
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.messages import message

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.compute.stats.paired_tests import PairedTest
    from rocconf.records import Flags, Floats

COLUMNS = 401
"""The number of false positive rates."""
STEPS = 60
"""The number of bisections."""


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """The true positive rates between which a point is confident, at some false positive rates."""

    fpr: Floats
    lower: Floats
    upper: Floats


def confident_region(p: int, q: int, test: PairedTest, *, level: float = 0.95) -> Region:
    """Return the confident region of p positives and q negatives."""
    if not test.is_one_run:  # clusters, whose errors are more than two numbers
        raise UsageError("clusters-cannot", what=message("clusters-region"))

    def towards(sign: int, b: Floats, c: Floats) -> Flags:
        m = Confusion(p - b, c, p, q)  # type: ignore[arg-type]  # real numbers
        return test.differs(m, level) & (sign * (b - c) > 0)

    # with all positives missed, there are too many false positives from some c on
    last = _switch(lambda c: ~towards(-1, np.full_like(c, p), c), np.zeros(1), np.full(1, float(q)))
    c = np.linspace(0, last[0], COLUMNS)
    fewest = _switch(lambda b: towards(-1, b, c), np.zeros(COLUMNS), np.minimum(c, p))
    most = _switch(lambda b: ~towards(+1, b, c), np.minimum(c, p), np.full(COLUMNS, float(p)))
    return Region(c / q, 1 - most / p, 1 - fewest / p)


def _switch(holds: Callable[[Floats], Flags], low: Floats, high: Floats) -> Floats:
    """Return where a condition stops holding, which may be at either end."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        still = holds(middle)
        low, high = np.where(still, middle, low), np.where(still, high, middle)
    return high
