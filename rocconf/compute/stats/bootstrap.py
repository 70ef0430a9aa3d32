r"""The percentile bootstrap: limits are order statistics of the replicates.

Of B replicates, in order, the limits are the k-th from below and the k-th from above, :math:`k = \lfloor (B+1)(1 -
level)/2 \rfloor`, and the p-value is twice the smaller share of replicates on either side of 0, the observed sample
counted as one of them [1]_: it is below 1 - level exactly where 0 lies outside the limits. A replicate without a value may lie on
either side. The limits are unknown with too few replicates for the level, and where replicates cannot vary as
samples do: with a single case of a class, which is drawn every time, or where all replicates are equal.

References
----------
.. [1] A. C. Davison, D. V. Hinkley (1997), Bootstrap Methods and their Application, Cambridge, sections 4.2 and 5.3.
"""

from __future__ import annotations

from math import ceil, inf
from typing import TYPE_CHECKING

import numpy as np

from rocconf.errors import UndefinedError, UsageError
from rocconf.records import UNKNOWN, Interval

if TYPE_CHECKING:
    from rocconf.records import Floats

REPLICATES = 2000
"""The number of replicates of an interval that only a rule needs."""

BAND_REPLICATES = 1000
"""The number of curves of a bootstrapped band."""

ROUNDING = 1e-9
"""The rounding error of a rank: 2000 replicates at 0.9 leave out 100 on either side, not 99.99."""


def percentile_interval(drawn: Floats, level: float, *, fewest: int = 2) -> Interval:
    """Return the percentile interval of replicates drawn from `fewest` cases of the rarer class."""
    if fewest < 2:
        return UNKNOWN
    lower, upper = percentile_limits(drawn, level)
    return Interval(float(lower), float(upper)) if lower < upper else UNKNOWN


def percentile_limits(drawn: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the limits of each column of replicates, infinite where there are too few of them."""
    rank = _rank(len(drawn), level)
    if rank == 0:
        unknown = np.full(drawn.shape[1:], inf)
        return -unknown, unknown
    below, above = (np.sort(np.where(np.isnan(drawn), missing, drawn), axis=0) for missing in (-inf, inf))
    return below[rank - 1], above[-rank]


def percentile_p(drawn: Floats) -> float:
    """Return the p-value of no difference: 1 less the largest level at which the interval excludes 0."""
    beyond = (int((~(drawn > 0)).sum()), int((~(drawn < 0)).sum()))  # a missing value counts on both sides
    return min(1.0, 2 * (1 + min(beyond)) / (len(drawn) + 1))


def upper_percentile(drawn: Floats, level: float) -> float:
    """Return the value that a new draw exceeds with a probability of at most 1 - level."""
    rank = ceil((len(drawn) + 1) * level - ROUNDING)
    if rank > len(drawn):
        raise UndefinedError("few-draws", drawn=len(drawn), level=level, needed=ceil(level / (1 - level) - ROUNDING))
    return float(np.sort(drawn)[rank - 1])


def least_replicates(level: float) -> int:
    """Return the least number of replicates for an interval of this level."""
    return ceil(2 / (1 - level) - 1 - ROUNDING)


def require_replicates(level: float) -> None:
    """Reject a level that needs more replicates than a rule draws."""
    if least_replicates(level) > REPLICATES:
        raise UsageError("level-beyond-replicates", replicates=REPLICATES, most=1 - 2 / (REPLICATES + 1), level=level)


def varies(drawn: Floats) -> bool:
    """Whether the replicates differ, missing values aside."""
    known = drawn[~np.isnan(drawn)]
    return len(known) > 0 and bool((known != known[0]).any())


def _rank(replicates: int, level: float) -> int:
    """Return the rank, from either end, of the replicate that is the limit; 0 where there are too few."""
    return int((replicates + 1) * (1 - level) / 2 + ROUNDING)
