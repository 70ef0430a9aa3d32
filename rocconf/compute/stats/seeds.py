"""Chance that can be had again: random numbers from a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.errors import UsageError

if TYPE_CHECKING:
    import numpy as np

SEED = 1
"""The seed where none is given. The command line says so in its help, for which numpy is not loaded."""


def generator(seed: int) -> np.random.Generator:
    """Return a generator of random numbers; the same seed gives the same ones."""
    import numpy as np

    if seed < 0:
        raise UsageError(f"a seed is a whole number of at least 0, not {seed}")
    return np.random.default_rng(seed)
