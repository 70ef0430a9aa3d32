r"""The regularized incomplete beta function :math:`I_x(a, b)` and its quantiles, by a continued fraction [1]_ (Lentz).

Loading scipy for it would double the time a command takes to start. The number of terms grows with the root of the
smaller parameter.

scipy's quantiles of more than `MANY` are right for parameters of one size up to `MOST`. Where one is far larger than the
other, :math:`-(b + (a-1)/2)\log(1-X)` has the gamma distribution of a, but for a relative error of :math:`a^2/24b^2`
[2]_; where both are larger, X is normal but for its skewness.

References
----------
.. [1] NIST Digital Library of Mathematical Functions, 8.17.22 and 3.10(iii).
.. [2] M. E. Wise (1950), Biometrika 37, 208-218.
"""

from __future__ import annotations

from math import exp, expm1, lgamma, log, sqrt

STEPS = 10_000
"""The most terms of the fraction; far fewer are enough for parameters up to a million."""

PRECISION = 1e-15

MANY = 100_000
"""The parameters from which loading scipy takes less time than the terms of a continued fraction, which lose digits there."""
FAR = 1e-6
"""The ratio of the parameters below which the smaller one decides."""
MOST = 1e12
"""The sum of the parameters from which scipy's quantiles can be NaN."""
BISECTIONS = 200
"""The most bisections to a quantile; about 60 are enough."""


def beta_quantile(share: float, a: float, b: float) -> float:
    """Return the x with I_x(a, b) = share, for parameters above 0."""
    if a + b >= MANY:
        return _quantile_of_many(share, a, b)
    low, high = 0.0, 1.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if incomplete_beta(middle, 1 - middle, a, b) < share else (low, middle)
    return low


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
    for step in range(1, STEPS):
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
