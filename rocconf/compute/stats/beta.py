r"""The regularized incomplete beta function :math:`I_x(a, b)` and its quantiles, by a continued fraction [1]_ (Lentz).

Loading scipy for it would double the time a command takes to start. The number of terms grows with the root of the
smaller parameter.

References
----------
.. [1] NIST Digital Library of Mathematical Functions, 8.17.22 and 3.10(iii).
"""

from __future__ import annotations

from math import exp, lgamma, log

STEPS = 10_000
"""The most terms of the fraction; far fewer are enough for parameters up to a million."""

PRECISION = 1e-15

MANY = 100_000
"""The parameters from which loading scipy takes less time than the terms of a continued fraction, which lose digits there."""
BISECTIONS = 200
"""The most bisections to a quantile; about 60 are enough."""


def beta_quantile(share: float, a: float, b: float) -> float:
    """Return the x with I_x(a, b) = share, for parameters above 0."""
    if a + b >= MANY:
        from scipy.special import betaincinv

        return float(betaincinv(a, b, share))
    low, high = 0.0, 1.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if incomplete_beta(middle, 1 - middle, a, b) < share else (low, middle)
    return low


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
