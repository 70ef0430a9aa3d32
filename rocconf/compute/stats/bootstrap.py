"""How many replicates a bootstrap draws, and how many an interval needs (see `rocconf.compute.stats.resampling`)."""

from __future__ import annotations

from math import ceil

REPLICATES = 2000
"""The number of replicates of an interval that only a rule needs."""

BAND_REPLICATES = 1000
"""The number of curves of a bootstrapped band."""

ROUNDING = 1e-9
"""The rounding error of a rank: 2000 replicates at 0.9 leave out 100 on either side, not 99.99."""


def least_replicates(level: float) -> int:
    """Return the least number of replicates for an interval of this level."""
    return ceil(2 / (1 - level) - 1 - ROUNDING)
