"""Reproducible random numbers, and how many replicates a bootstrap draws.

The commands show the defaults in their help without loading numpy.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from rocconf.errors import UsageError

if TYPE_CHECKING:
    import numpy as np

SEED = 1

REPLICATES = 2000
"""The number of replicates of an interval that only a rule needs."""

BAND_REPLICATES = 1000
"""The number of curves of a bootstrapped band."""

ROUNDING = 1e-9
"""The rounding error of a rank: 2000 replicates at 0.9 leave out 100 on either side, not 99.99."""


def generator(seed: int) -> np.random.Generator:
    """Return a random number generator."""
    import numpy as np

    if seed < 0:
        raise UsageError("seed-range", seed=seed)
    return np.random.default_rng(seed)


def least_replicates(level: float) -> int:
    """Return the least number of replicates for an interval of this level."""
    return ceil(2 / (1 - level) - 1 - ROUNDING)
