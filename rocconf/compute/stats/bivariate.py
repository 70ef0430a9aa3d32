r"""The bivariate normal distribution: the probability of a quadrant, by Plackett's integral over the correlation [1]_.

.. math:: \Phi_2(h, k; \rho) = \Phi(h)\Phi(k) + \frac{1}{2\pi}\int_0^{\arcsin\rho}
   \exp\left(-\frac{h^2+k^2-2hk\sin\theta}{2\cos^2\theta}\right) d\theta

References
----------
.. [1] R. L. Plackett (1954), Biometrika 41, 351-360.
"""

from __future__ import annotations

from math import asin, cos, exp, pi, sin

import numpy as np

from rocconf.compute.stats.normal import normal_deviate

NODES = 96
"""The nodes of the quadrature."""


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
