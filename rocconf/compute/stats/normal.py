r"""The normal distribution: quantiles, two-sided p-values from its tail, and quadrants of two correlated numbers.

A quadrant is Plackett's integral over the correlation [1]_:

.. math:: \Phi_2(h, k; \rho) = \Phi(h)\Phi(k) + \frac{1}{2\pi}\int_0^{\arcsin\rho}
   \exp\left(-\frac{h^2+k^2-2hk\sin\theta}{2\cos^2\theta}\right) d\theta

References
----------
.. [1] R. L. Plackett (1954), Biometrika 41, 351-360.
"""

from __future__ import annotations

from functools import cache
from math import asin, cos, erf, erfc, exp, pi, sin, sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.roots import bisect
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from rocconf.records import Floats

FAR = 40.0
"""Beyond all quantiles of floats."""

NODES = 96
"""The nodes of the quadrature."""

WORTH_LOADING = 1_000_000
"""The number of p-values from which loading scipy (0.2 s) is faster than a loop over math.erfc."""


def require_level(level: float) -> None:
    """Reject a level outside (0, 1)."""
    if not 0 < level < 1:
        raise UsageError("level-range", level=level)


@cache  # a run uses few levels, many times
def normal_quantile(level: float) -> float:
    """Return z with P(-z < normal < z) = level."""
    require_level(level)
    if level >= 0.5:
        return normal_quantile_of_tails(1 - level)
    return bisect(FAR, 0.0, lambda z: erf(z / sqrt(2)) < level)[0]  # of the middle, which keeps its digits


def normal_deviate(share: float) -> float:
    """Return z with P(normal < z) = share."""
    if share == 0.5:
        return 0.0
    return normal_quantile(2 * share - 1) if share > 0.5 else -normal_quantile(1 - 2 * share)


def normal_quantile_of_tails(tails: float) -> float:
    """Return the least z with P(|normal| >= z) <= tails; the statistics module has quantiles, but takes 2 ms to load."""
    return bisect(FAR, 0.0, lambda z: erfc(z / sqrt(2)) > tails)[0]


def two_sided_p(z: float) -> float:
    """Return P(|normal| >= |z|)."""
    return erfc(abs(z) / sqrt(2))


def two_sided_ps(z: Floats, *, of: int | None = None) -> Floats:
    """Return P(|normal| >= |z|) for each z, NaN for NaN.

    `of` is the number of statistics in all, where these are a part, so that all parts are computed alike.
    """
    scaled = np.abs(z) / sqrt(2)
    if (len(z) if of is None else of) < WORTH_LOADING:
        return np.fromiter(map(erfc, scaled.tolist()), dtype=np.float64, count=len(scaled))
    from scipy.special import erfc as erfc_of_each

    return np.asarray(erfc_of_each(scaled))


def quadrant(first: float, second: float, correlation: float) -> float:
    """Return how often two normal numbers with a correlation are both below their quantiles of these shares."""
    least, most = sorted((first, second))
    if least <= 0 or most >= 1:
        return max(least, 0.0) if most >= 1 else 0.0
    h, k = normal_deviate(first), normal_deviate(second)
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    half = asin(correlation) / 2
    total = sum(
        weight * exp(-(h * h + k * k - 2 * h * k * sin(angle)) / (2 * cos(angle) ** 2))
        for weight, angle in zip(weights.tolist(), (half * (nodes + 1)).tolist(), strict=True)
    )
    return first * second + half * total / (2 * pi)
