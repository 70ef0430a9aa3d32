"""The normal distribution: quantiles, and two-sided p-values from its tail, as 1 - cdf would lose the small ones."""

from __future__ import annotations

from functools import cache
from math import erf, erfc, sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocconf.errors import UsageError

if TYPE_CHECKING:
    from rocconf.records import Floats

STEPS = 100
"""How many halvings find a quantile: more than a float has digits."""

WORTH_LOADING = 1_000_000
"""From how many p-values on loading scipy (a fifth of a second) is faster than a loop over math.erfc."""


@cache  # a run asks for few levels, and often
def normal_quantile(level: float) -> float:
    """Return z with P(-z < normal < z) = level."""
    if not 0 < level < 1:
        raise UsageError(f"a level must be between 0 and 1, not {level:g}")
    # bisection on the tail (on the middle, where that is the smaller), which keeps its digits at every level; the
    # statistics module has this number too, but takes 2 ms to load
    low, high = 0.0, 40.0
    for _ in range(STEPS):
        z = (low + high) / 2
        short = erf(z / sqrt(2)) < level if level < 0.5 else erfc(z / sqrt(2)) > 1 - level
        low, high = (z, high) if short else (low, z)
    return high


def two_sided_p(z: float) -> float:
    """Return P(|normal| >= |z|)."""
    return erfc(abs(z) / sqrt(2))


def two_sided_ps(z: Floats, *, of: int | None = None) -> Floats:
    """Return P(|normal| >= |z|) for each z; a missing z has a missing p.

    Parameters
    ----------
    z
        The statistics.
    of
        How many are wanted in all, where these are a part: it decides how they are computed, so that all parts
        are computed alike.
    """
    scaled = np.abs(z) / sqrt(2)
    if (len(z) if of is None else of) < WORTH_LOADING:
        return np.fromiter(map(erfc, scaled.tolist()), dtype=np.float64, count=len(scaled))
    from scipy.special import erfc as erfc_of_each

    return np.asarray(erfc_of_each(scaled))
