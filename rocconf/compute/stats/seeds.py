"""Reproducible random numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.errors import UsageError

if TYPE_CHECKING:
    import numpy as np

SEED = 1
"""The default seed; the help of the commands shows it without loading numpy."""


def generator(seed: int) -> np.random.Generator:
    """Return a random number generator."""
    import numpy as np

    if seed < 0:
        raise UsageError("seed-range", seed=seed)
    return np.random.default_rng(seed)
