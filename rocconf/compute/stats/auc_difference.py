r"""The difference of two areas under ROC curves, from the areas and the variance of their difference.

The interval is :math:`d \pm z\sqrt{v}`, v being DeLong's variance of the difference [1]_; on different cases the
variances of the two areas add up. Where there is no variance the limits are the square-and-add of the two areas'
intervals, and there is no test.

References
----------
.. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), Biometrics 44, 837-845.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from rocconf.compute.stats.difference import Difference, square_and_add
from rocconf.compute.stats.normal import normal_quantile, two_sided_p
from rocconf.records import Interval

if TYPE_CHECKING:
    from rocconf.compute.stats.auc_intervals import Auc

DELONG = "delong"
SQUARE_AND_ADD = "square-and-add"


def unpaired_auc_difference(first: Auc, second: Auc, *, level: float = 0.95) -> Difference:
    """Return the difference of the areas of two models on different cases: DeLong's variances add up."""
    if first.se is None or second.se is None:
        return difference_without_variance(first, second)
    return normal_difference(first.value - second.value, first.se**2 + second.se**2, level)


def normal_difference(difference: float, variance: float, level: float) -> Difference:
    """Return a difference of areas with its interval and p-value, from its variance."""
    reach = normal_quantile(level) * sqrt(variance)
    limits = Interval(max(difference - reach, -1.0), min(difference + reach, 1.0))
    return Difference(difference, limits, two_sided_p(difference / sqrt(variance)), DELONG, "delong")


def difference_without_variance(first: Auc, second: Auc) -> Difference:
    """Return a difference of areas without a variance: the square-and-add of the two intervals, and no test."""
    limits = square_and_add(first.value, first.interval, second.value, second.interval)
    return Difference(first.value - second.value, limits, None, SQUARE_AND_ADD, first.kind)
