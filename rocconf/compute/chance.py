"""Chance that can be had again: random numbers from a seed."""

from __future__ import annotations

import numpy as np

from rocconf.errors import UsageError


def generator(seed: int) -> np.random.Generator:
    """Return a generator of random numbers; the same seed gives the same ones."""
    if seed < 0:
        raise UsageError(f"a seed is a whole number of at least 0, not {seed}")
    return np.random.default_rng(seed)
