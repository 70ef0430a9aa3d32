"""Two-sided p-values of normal statistics, from the survival function: 1 - cdf would lose the small ones."""

from __future__ import annotations

from math import erfc, sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from rocconf.records import Floats

WORTH_LOADING = 1_000_000
"""From how many p-values on loading scipy (a fifth of a second) is faster than a loop over math.erfc."""


def two_sided_p(z: Floats, *, of: int | None = None) -> Floats:
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
