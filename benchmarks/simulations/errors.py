"""How often an interval misses the truth, and when that is more than chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scipy.special import betaincinv

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from simulations.many_samples import Limits

    Floats = NDArray[np.float64]

ROBUST, DELONG = "robust", "delong"
ALLOWED, BROKEN, CONFIDENCE = 0.025, 0.03, 0.99
NOISE = 1e-9
"""The rounding error of a limit."""


@dataclass(frozen=True)
class Error:
    """How often each side of the interval of a rule misses the truth, in a cell."""

    rule: str
    cell: str
    positives: int
    below: float
    """The share of samples whose lower limit is above the truth: a rule `>=` passes a model at its limit."""
    above: float
    runs: int | None = None
    """The number of samples; None of an exact share."""

    @property
    def worst(self) -> float:
        """The error of the worse side."""
        return max(self.below, self.above)

    @property
    def surely(self) -> float:
        """The lower confidence limit of the worst error, by Clopper and Pearson."""
        if self.runs is None or not self.worst:
            return self.worst
        hits = round(self.worst * self.runs)
        return float(betaincinv(hits, self.runs - hits + 1, 1 - CONFIDENCE))

    @property
    def is_broken(self) -> bool:
        """Whether the error is surely too large."""
        return self.surely > BROKEN


def exact_error(rule: str, cell: str, n: int, limits: Limits, *, truth: float, probability: Floats) -> Error:
    """Return the error of limits whose outcomes have these probabilities."""
    below, above = probability[limits[0] > truth + NOISE].sum(), probability[limits[1] < truth - NOISE].sum()
    return Error(rule, cell, n, float(below), float(above))
