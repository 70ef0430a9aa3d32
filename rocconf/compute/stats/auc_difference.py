r"""The difference of two areas under ROC curves, from the areas and DeLong's variance of their difference.

`robust`: on the same cases, DeLong's variance v [1]_ gets three quarters of a pseudo-case at +-1 in either class [2]_,
which keeps a slice that the sample hardly shows from being overlooked; t is Student's at the Satterthwaite degrees of
freedom of v; and the side to which the distribution is skewed becomes longer [3]_. With the third cumulant
:math:`\kappa_3` of d and :math:`V = v + \frac34(1/P^2 + 1/Q^2)` the limits are

.. math:: d - s_- - \sqrt{s_-^2 + t^2 V} \quad\text{and}\quad d + s_+ + \sqrt{s_+^2 + t^2 V}, \quad
   s_\pm = \frac{t^2}{2}\max\left(\pm\frac{\kappa_3}{V}, 0\right)

Zero is a limit at :math:`t^2 = d^2/(V + |d|\max(\mp\kappa_3/V, 0))`, of which p is the probability of the tails: it is 1
less the largest level at which the interval excludes 0. On different cases the limits are the square-and-add of the
two areas' intervals, and p is found by bisection.

`delong` is the classical interval :math:`d \pm z\sqrt{v}`; on different cases the variances of the two areas add up.
Where there is no variance the limits are the square-and-add of the two areas' intervals, and there is no test.

References
----------
.. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), Biometrics 44, 837-845.
.. [2] A. Agresti, Y. Min (2005), Statistics in Medicine 24, 729-740, who add pseudo-cases to paired proportions.
.. [3] N. J. Johnson (1978), J. Amer. Stat. Assoc. 73, 536-544; P. Hall (1992), J. R. Stat. Soc. B 54, 221-228.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import TYPE_CHECKING, Protocol

from rocconf.compute.stats.difference import Difference, square_and_add
from rocconf.compute.stats.normal import normal_quantile, two_sided_p
from rocconf.compute.stats.student import student_quantile, student_tails
from rocconf.records import DELONG, ROBUST, UNKNOWN, Interval

if TYPE_CHECKING:
    from rocconf.compute.stats.auc_intervals import Auc, DelongVariance

SQUARE_AND_ADD = "square-and-add"

PSEUDO_CASES = 0.75
"""The pseudo-cases of a class: with half of one the interval misses a slice that the new model cannot see too often."""

LEAST_P = 1e-100
"""The least p-value that is searched for: a smaller one is given as this."""

NEAREST, STEPS = 1e-14, 60
"""How near the root of the logarithm of a p-value is found, and the most steps; ten are usual."""


def robust_difference(
    difference: float,
    variance: DelongVariance,
    third_cumulant: float,
    *,
    level: float = 0.95,
    negatives: float | None = None,
) -> Difference:
    """Return a difference of areas on the same cases with its interval and p-value.

    Parameters
    ----------
    difference, variance, third_cumulant
        The difference, and the variance and third cumulant of its distribution.
    level
        The level of the interval.
    negatives
        The number of negatives that the areas are about, by default all.
    """
    v, df = variance.value, variance.df
    if v is None or df is None:  # with a single case of a class the spread of that class is unknown
        return Difference(difference, Interval(-1.0, 1.0), 1.0, ROBUST, ROBUST)
    pseudo = pseudo_variance(variance.p, negatives or variance.q)
    return difference_of_spread(difference, v, df, third_cumulant, pseudo, level=level)


def difference_of_spread(
    difference: float, variance: float, df: float, third_cumulant: float, pseudo: float, *, level: float
) -> Difference:
    """Return a difference on the same cases from the parts of its spread; `pseudo` is the variance of pseudo-cases."""
    v = variance + pseudo
    longer_above = third_cumulant / v
    square = student_quantile(level, df) ** 2
    down, up = (square / 2 * max(turned, 0.0) for turned in (-longer_above, longer_above))
    lower = difference - down - sqrt(down**2 + square * v)
    upper = difference + up + sqrt(up**2 + square * v)
    towards_0 = max(-longer_above if difference > 0 else longer_above, 0.0)
    p = student_tails(difference / sqrt(v + abs(difference) * towards_0), df)
    return Difference(difference, Interval(max(lower, -1.0), min(upper, 1.0)), p, ROBUST, ROBUST)


def pseudo_variance(p: float, q: float) -> float:
    """Return the variance that the pseudo-cases add, below which that of a difference never falls."""
    return PSEUDO_CASES * (1 / p**2 + 1 / q**2)


class Estimate(Protocol):
    """An area whose interval is known at every level."""

    @property
    def value(self) -> float:
        """The area."""

    def limits(self, tails: float) -> Interval:
        """Return the interval of level 1 - tails."""


def unpaired_robust_difference(first: Estimate, second: Estimate, *, level: float) -> Difference:
    """Return the difference of two areas on different cases, from their robust intervals."""
    around = first.limits(1 - level), second.limits(1 - level)
    if UNKNOWN in around:
        return Difference(first.value - second.value, UNKNOWN, None, ROBUST, ROBUST)
    limits = square_and_add(first.value, around[0], second.value, around[1])
    return Difference(first.value - second.value, limits, _unpaired_p(first, second), ROBUST, ROBUST)


def unpaired_auc_difference(first: Auc, second: Auc) -> Difference:
    """Return the difference of the areas of two models on different cases."""
    if first.kind == ROBUST:
        limits = square_and_add(first.value, first.interval, second.value, second.interval)
        return Difference(first.value - second.value, limits, _unpaired_p(first, second), ROBUST, ROBUST)
    if first.se is None or second.se is None:
        return difference_without_variance(first, second)
    return normal_difference(first.value - second.value, first.se**2 + second.se**2, first.level)


def normal_difference(difference: float, variance: float, level: float) -> Difference:
    """Return a difference of areas with DeLong's interval and p-value, from its variance."""
    reach = normal_quantile(level) * sqrt(variance)
    limits = Interval(max(difference - reach, -1.0), min(difference + reach, 1.0))
    return Difference(difference, limits, two_sided_p(difference / sqrt(variance)), DELONG, DELONG)


def difference_without_variance(first: Auc, second: Auc) -> Difference:
    """Return a difference of areas without a variance: the square-and-add of the two intervals, and no test."""
    limits = square_and_add(first.value, first.interval, second.value, second.interval)
    return Difference(first.value - second.value, limits, None, SQUARE_AND_ADD, DELONG)


def _unpaired_p(first: Estimate, second: Estimate) -> float:
    """Return 1 less the largest level at which the square-and-add of two intervals excludes 0."""
    if first.value == second.value:
        return 1.0

    def beyond(reach: float) -> float:
        """Return how far the limit next to 0 is from it, on the side of the difference, at tails of exp(-reach^2)."""
        tails = exp(-reach * reach)
        limits = square_and_add(first.value, first.limits(tails), second.value, second.limits(tails))
        return limits.lower if first.value > second.value else -limits.upper

    # nearly linear in the reach, so false position is fast; an end that stays twice is weighed half (Illinois)
    near, far = 0.0, sqrt(-log(LEAST_P))
    above, below, stayed = abs(first.value - second.value), beyond(far), 0
    if below > 0:
        return LEAST_P
    for _ in range(STEPS):
        middle = near + above * (far - near) / (above - below)
        if not near < middle < far:
            break
        found = beyond(middle)
        if found > 0:
            below *= 0.5 if stayed > 0 else 1.0
            near, above, stayed = middle, found, 1
        else:
            above *= 0.5 if stayed < 0 else 1.0
            far, below, stayed = middle, found, -1
        if far - near < NEAREST or not found:
            break
    return exp(-near * near) if above < -below else exp(-far * far)
