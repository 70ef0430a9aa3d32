r"""Intervals for an area under the ROC curve, and for the difference of two, from the areas and their standard errors.

The interval of one area is taken on the logit scale, which keeps it inside (0, 1). Where the variance is 0 or
undefined it is the score-type interval of Newcombe's method 5 [1]_, whose width is positive there: all
:math:`\theta` with :math:`|A-\theta| \le z\sqrt{V(\theta)}` and, with :math:`N = (P+Q)/2 - 1`,

.. math:: V(\theta) = \frac{\theta(1-\theta)}{PQ}\left[1 + N\frac{1-\theta}{2-\theta} + N\frac{\theta}{1+\theta}\right]

The interval of a difference is :math:`d \pm z\sqrt{v}`, v being DeLong's variance of the difference [2]_; on different
cases the two variances add up. Where there is no variance the limits are those of square-and-add, without a test.

References
----------
.. [1] R. G. Newcombe (2006), Statistics in Medicine 25, 559-573.
.. [2] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), Biometrics 44, 837-845.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log, sqrt

from rocconf.compute.stats.difference import Difference, square_and_add
from rocconf.compute.stats.quantiles import normal_quantile, two_sided_p
from rocconf.records import Interval

DELONG = "delong"
SQUARE_AND_ADD = "square-and-add"


@dataclass(frozen=True, slots=True)
class Auc:
    """An area under the curve; `se` is None where the variance is 0 or undefined."""

    value: float
    se: float | None
    interval: Interval
    level: float


def auc_of(area: float, variance: float, p: int, q: int, *, level: float = 0.95) -> Auc:
    """Return an area with its standard error and interval, from its variance, which may be 0 or undefined."""
    has_error = variance > 0 and 0 < area < 1  # an area can round to 1 without being 1
    return auc_from(area, sqrt(variance) if has_error else None, p, q, level=level)


def auc_from(area: float, se: float | None, p: int, q: int, *, level: float = 0.95) -> Auc:
    """Return an area with its interval, from its standard error, None where it has none."""
    interval = newcombe_interval(area, p, q, level=level) if se is None else _logit_interval(area, se, level)
    return Auc(area, se, interval, level)


def newcombe_interval(area: float, p: int, q: int, *, level: float = 0.95) -> Interval:
    """Return the interval of Newcombe's method 5, whose width is positive even at an area of 0 or 1."""
    z, extra = normal_quantile(level), (p + q) / 2 - 1

    def excess(theta: float) -> float:
        """Return a number that is negative inside the interval."""
        spread = theta * (1 - theta) / (p * q)
        spread *= 1 + extra * (1 - theta) / (2 - theta) + extra * theta / (1 + theta)
        return (area - theta) ** 2 - z * z * spread

    def limit(inside: float, outside: float) -> float:
        for _ in range(200):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if excess(middle) <= 0 else (inside, middle)
        return inside

    return Interval(limit(area, 0.0) if area > 0 else 0.0, limit(area, 1.0) if area < 1 else 1.0)


def unpaired_auc_difference(first: Auc, second: Auc, *, level: float = 0.95) -> Difference:
    """Return the difference of the areas of two models on different cases: DeLong's variances add up."""
    if first.se is None or second.se is None:
        return difference_without_variance(first, second)
    return normal_difference(first.value - second.value, first.se**2 + second.se**2, level)


def normal_difference(difference: float, variance: float, level: float) -> Difference:
    """Return a difference of areas with its interval and p-value, from its variance."""
    reach = normal_quantile(level) * sqrt(variance)
    limits = Interval(max(difference - reach, -1.0), min(difference + reach, 1.0))
    return Difference(difference, limits, two_sided_p(difference / sqrt(variance)), DELONG)


def difference_without_variance(first: Auc, second: Auc) -> Difference:
    """Return a difference of areas without a variance: the square-and-add of the two intervals, and no test."""
    limits = square_and_add(first.value, first.interval, second.value, second.interval)
    return Difference(first.value - second.value, limits, None, SQUARE_AND_ADD)


def _logit_interval(area: float, se: float, level: float) -> Interval:
    middle = log(area / (1 - area)) if 0 < area < 1 else inf
    reach = normal_quantile(level) * se / (area * (1 - area))
    return Interval(_expit(middle - reach), _expit(middle + reach))


def _expit(x: float) -> float:
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))
