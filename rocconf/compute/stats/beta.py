r"""The regularized incomplete beta function :math:`I_x(a, b)` and its quantiles, and Student's t, which it gives.

Loading scipy for them would double the time a command takes to start. The function is a continued fraction [1]_ (Lentz),
whose number of terms grows with the root of the smaller parameter.

scipy's quantiles of more than `MANY` are right for parameters of one size up to `MOST`. Where one is far larger than the
other, :math:`-(b + (a-1)/2)\log(1-X)` has the gamma distribution of a, but for a relative error of :math:`a^2/24b^2`
[2]_; where both are larger, X is normal but for its skewness.

With :math:`x = \nu/(\nu+t^2)` the tails of Student's t are :math:`I_x(\nu/2, 1/2)`. With many degrees of freedom, where
the fraction converges slowly, Hill's expansion [3]_ gives the normal deviate of the same tails.

References
----------
.. [1] NIST Digital Library of Mathematical Functions, 8.17.22 and 3.10(iii).
.. [2] M. E. Wise (1950), Biometrika 37, 208-218.
.. [3] G. W. Hill (1970), Algorithm 395: Student's t-distribution, Comm. ACM 13, 617-619.
"""

from __future__ import annotations

from math import erfc, exp, expm1, inf, isclose, isinf, lgamma, log, log1p, pi, sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.normal import normal_quantile_of_tails, two_sided_p
from rocconf.compute.stats.roots import bisect

if TYPE_CHECKING:
    from rocconf.records import Floats

TERMS = 10_000
"""The most terms of the fraction; far fewer are enough for parameters up to a million."""
PRECISION = 1e-15

MANY = 100_000
"""The parameters from which loading scipy takes less time than the terms of a continued fraction, which lose digits there."""
FAR = 1e-6
"""The ratio of the parameters below which the smaller one decides."""
MOST = 1e12
"""The sum of the parameters from which scipy's quantiles can be NaN."""

MANY_DEGREES = 500
"""The degrees of freedom from which Hill's expansion is used: its relative error is below 1e-13 up to t = 10."""
STEPS = 100
"""The most steps to a quantile of Student's t; far fewer are enough."""
NEAR = 1e-9
"""A relative step of Newton's method, which squares the error, after which all digits are right."""


def beta_quantile(share: float, a: float, b: float) -> float:
    """Return the x with I_x(a, b) = share, for parameters above 0."""
    if a + b >= MANY:
        return _quantile_of_many(share, a, b)
    return bisect(1.0, 0.0, lambda x: incomplete_beta(x, 1 - x, a, b) < share)[1]


def _quantile_of_many(share: float, a: float, b: float) -> float:
    from scipy.special import betaincinv, gammainccinv, gammaincinv, ndtri

    if a < FAR * b:
        return -expm1(-float(gammaincinv(a, share)) / (b + (a - 1) / 2))
    if b < FAR * a:
        return exp(-float(gammainccinv(b, share)) / (a + (b - 1) / 2))
    if a + b < MOST:
        return float(betaincinv(a, b, share))
    total, z = a + b, float(ndtri(share))
    mean, deviation = a / total, sqrt(a / total * (b / total) / (total + 1))
    skewness = 2 * (b - a) / total / (sqrt(a / total) * sqrt(b / total) * sqrt(total))
    return mean + deviation * (z + (z * z - 1) * skewness / 6)


def incomplete_beta(x: float, rest: float, a: float, b: float) -> float:
    """Return I_x(a, b) for x in [0, 1]; `rest` is 1 - x, which keeps its digits where x is near 1."""
    if not (x and rest):
        return float(rest == 0)
    if x < (a + 1) / (a + b + 2):
        return _by_fraction(x, rest, a, b)
    return 1 - _by_fraction(rest, x, b, a)


def _by_fraction(x: float, rest: float, a: float, b: float) -> float:
    """Return I_x(a, b), for x below (a + 1) / (a + b + 2), where the fraction converges."""
    log_factor = a * log(x) + b * log(rest) + lgamma(a + b) - lgamma(a) - lgamma(b) - log(a)
    above, below, fraction = 1.0, 0.0, 1.0
    for step in range(1, TERMS):
        m = step // 2
        if step % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        below = 1 / (1 + term * below)
        above = 1 + term / above
        fraction *= above * below
        if abs(above * below - 1) < PRECISION:
            break
    return exp(log_factor) / fraction


def student_tails(t: float, df: float) -> float:
    """Return P(|T| >= |t|); the degrees of freedom need not be a whole number, and can be infinite."""
    if isinf(df):
        return two_sided_p(t)
    ratio = t * t / df
    half, x = df / 2, 1 / (1 + ratio)
    if ratio in {0, inf}:
        return x
    if df >= MANY_DEGREES:
        return erfc(_normal_deviate(ratio, df) / sqrt(2))
    rest = ratio * x
    return incomplete_beta(x, rest, half, 0.5)


def student_quantile_of_tails(tails: float, df: float) -> float:
    """Return t with P(|T| >= t) = tails, which can be as small as 1e-100."""
    if isinf(df):
        return normal_quantile_of_tails(tails)
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
    growth = log(half) / 2 - 1 / (8 * half) if df >= MANY_DEGREES else lgamma(half + 0.5) - lgamma(half)
    return exp(growth - log(df * pi) / 2 - (half + 0.5) * log1p(t * t / df))


def _normal_deviate(ratio: float, df: float) -> float:
    a, b = df - 0.5, 48 * (df - 0.5) ** 2
    y = a * log1p(ratio)
    last = (((-0.4 * y - 3.3) * y - 24) * y - 85.5) / (0.8 * y * y + 100 + b)
    return ((last + y + 3) / b + 1) * sqrt(y)
