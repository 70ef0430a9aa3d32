r"""Student's t distribution: the probability of both tails, and the quantile of a level.

With :math:`x = \nu/(\nu+t^2)` the tails are the regularized incomplete beta function :math:`I_x(\nu/2, 1/2)`. With many
degrees of freedom, where its continued fraction converges slowly, Hill's expansion [1]_ gives the normal deviate of the
same tails.

References
----------
.. [1] G. W. Hill (1970), Algorithm 395: Student's t-distribution, Comm. ACM 13, 617-619.
"""

from __future__ import annotations

from math import erfc, exp, inf, isclose, lgamma, log, log1p, pi, sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.beta import incomplete_beta

if TYPE_CHECKING:
    from rocconf.records import Floats

MANY = 500
"""The degrees of freedom from which Hill's expansion is used: its relative error is below 1e-13 up to t = 10."""

STEPS = 100
"""The most steps to a quantile; far fewer are enough."""

NEAR = 1e-9
"""A relative step of Newton's method, which squares the error, after which all digits are right."""


def student_tails(t: float, df: float) -> float:
    """Return P(|T| >= |t|); the degrees of freedom need not be a whole number."""
    ratio = t * t / df
    half, x = df / 2, 1 / (1 + ratio)
    if ratio in {0, inf}:
        return x
    if df >= MANY:
        return erfc(_normal_deviate(ratio, df) / sqrt(2))
    rest = ratio * x
    return incomplete_beta(x, rest, half, 0.5)


def student_quantile_of_tails(tails: float, df: float) -> float:
    """Return t with P(|T| >= t) = tails, which can be as small as 1e-100."""
    # Newton's method for log(tails) as a function of log(t), which is concave: it converges from the right
    wanted = log(tails)
    if not wanted:
        return 0.0
    t = sqrt(-2 * wanted)
    for _ in range(STEPS):
        reached = student_tails(t, df)
        following = t * exp((log(reached) - wanted) * reached / (2 * t * _density(t, df)))
        if isclose(following, t, rel_tol=NEAR):
            return following
        t = following
    return t


def student_quantiles(tails: float, df: Floats) -> Floats:
    """Return t with P(|T| >= t) = tails for each number of degrees of freedom."""
    from scipy.special import stdtrit  # 70 ms, worth it for arrays

    return np.asarray(stdtrit(df, 1 - tails / 2))


def _density(t: float, df: float) -> float:
    half = df / 2
    # of Gamma((df + 1) / 2) / Gamma(df / 2), whose difference loses its digits where both are large
    growth = log(half) / 2 - 1 / (8 * half) if df >= MANY else lgamma(half + 0.5) - lgamma(half)
    return exp(growth - log(df * pi) / 2 - (half + 0.5) * log1p(t * t / df))


def _normal_deviate(ratio: float, df: float) -> float:
    a, b = df - 0.5, 48 * (df - 0.5) ** 2
    y = a * log1p(ratio)
    last = (((-0.4 * y - 3.3) * y - 24) * y - 85.5) / (0.8 * y * y + 100 + b)
    return ((last + y + 3) / b + 1) * sqrt(y)
