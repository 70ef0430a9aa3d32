"""The normal distribution: quantiles, and two-sided p-values from its tail, as 1 - cdf would lose small ones."""

from __future__ import annotations

from functools import cache
from math import erf, erfc, sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.records import Floats

STEPS = 100
"""The number of bisections that find a quantile, more than a float has bits."""

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
    # on the middle where that is smaller, which keeps its digits at every level
    return _solve(lambda z: erf(z / sqrt(2)) < level) if level < 0.5 else normal_quantile_of_tails(1 - level)


def normal_deviate(share: float) -> float:
    """Return z with P(normal < z) = share."""
    if share == 0.5:
        return 0.0
    return normal_quantile(2 * share - 1) if share > 0.5 else -normal_quantile(1 - 2 * share)


def normal_quantile_of_tails(tails: float) -> float:
    """Return z with P(|normal| >= z) = tails, also where 1 - tails would be 1."""
    return _solve(lambda z: erfc(z / sqrt(2)) > tails)


def _solve(is_below: Callable[[float], bool]) -> float:
    """Return the least z that is not below a quantile; the statistics module has quantiles, but takes 2 ms to load."""
    low, high = 0.0, 40.0
    for _ in range(STEPS):
        z = (low + high) / 2
        low, high = (z, high) if is_below(z) else (low, z)
    return high


def two_sided_p(z: float) -> float:
    """Return P(|normal| >= |z|)."""
    return erfc(abs(z) / sqrt(2))


def two_sided_ps(z: Floats, *, of: int | None = None) -> Floats:
    """Return P(|normal| >= |z|) for each z, NaN for NaN.

    Parameters
    ----------
    z
        The statistics.
    of
        The number of statistics in all, where these are a part: it decides how p is computed, so that all parts are
        computed alike.
    """
    scaled = np.abs(z) / sqrt(2)
    if (len(z) if of is None else of) < WORTH_LOADING:
        return np.fromiter(map(erfc, scaled.tolist()), dtype=np.float64, count=len(scaled))
    from scipy.special import erfc as erfc_of_each

    return np.asarray(erfc_of_each(scaled))
