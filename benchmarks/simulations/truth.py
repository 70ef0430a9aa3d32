"""Cases with a known truth: the scores of two models, normal in each class and correlated between the models.

Negatives have mean 0 and positives mean d, both with variance 1, so that the AUC is Phi(d / sqrt(2)), and the curve
is tpr = Phi(d + Phi^-1(fpr)).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from rocconf import Predictions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator
    from numpy.typing import NDArray

NORMAL = NormalDist()
CORRELATION = 0.8
THRESHOLD = 1.25
"""The threshold at which rates are compared: a tenth of the negatives lie above it."""

NEW, OLD = "new", "old"


def distance(auc: float) -> float:
    """Return the distance of the class means that gives an AUC."""
    return sqrt(2) * NORMAL.inv_cdf(auc)


def rate_above(d: float) -> float:
    """Return the share of positives above the threshold."""
    return NORMAL.cdf(d - THRESHOLD)


@dataclass(frozen=True)
class Models:
    """A new and an old model on the same cases; `worse` and `worse_tpr` are how much lower the new AUC or tpr is."""

    positives: int
    negatives: int
    auc: float = 0.85
    worse: float = 0.0
    worse_tpr: float = 0.0

    @property
    def size(self) -> str:
        """The numbers of positives and negatives, as tables show them."""
        return f"{self.positives} + {self.negatives}"

    @property
    def distances(self) -> tuple[float, float]:
        """The distances of the class means in the new and the old model."""
        old = distance(self.auc)
        if self.worse_tpr:
            return THRESHOLD + NORMAL.inv_cdf(rate_above(old) - self.worse_tpr), old
        return distance(self.auc - self.worse), old

    @property
    def differences(self) -> dict[str, float]:
        """The true differences, new less old."""
        new, old = self.distances
        tpr = rate_above(new) - rate_above(old)
        share = self.positives / (self.positives + self.negatives)
        auc = NORMAL.cdf(new / sqrt(2)) - NORMAL.cdf(old / sqrt(2))
        return {"auc": auc, "tpr": tpr, "specificity": 0.0, "accuracy": share * tpr}

    def draw(self, rng: Generator, runs: int) -> Iterator[Predictions]:
        """Yield new cases with the scores of both models, one set per run."""
        labels = np.arange(self.positives + self.negatives) < self.positives
        new, old = self.distances
        shared, own = rng.standard_normal((2, runs, len(labels)))
        own *= sqrt(1 - CORRELATION**2)
        own += CORRELATION * shared
        own += new * labels
        shared += old * labels
        for of_new, of_old in zip(own, shared, strict=True):
            yield Predictions(labels.copy(), {OLD: of_old, NEW: of_new})


@dataclass(frozen=True)
class Binormal:
    """One model: tpr = Phi(a + b Phi^-1(fpr))."""

    positives: int
    negatives: int
    a: float
    b: float

    @property
    def size(self) -> str:
        """The numbers of positives and negatives, as tables show them."""
        return f"{self.positives} + {self.negatives}"

    @property
    def auc(self) -> float:
        """The area under the curve."""
        return NORMAL.cdf(self.a / sqrt(1 + self.b**2))

    def tpr(self, fpr: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the true curve."""
        rates = [NORMAL.cdf(self.a + self.b * NORMAL.inv_cdf(rate)) if 0 < rate < 1 else rate for rate in fpr.tolist()]
        return np.array(rates)

    def draw(self, rng: Generator, runs: int) -> Iterator[Predictions]:
        """Yield new cases with their scores, one set per run."""
        labels = np.arange(self.positives + self.negatives) < self.positives
        scores = rng.standard_normal((runs, len(labels)))
        scores[:, labels] = (scores[:, labels] + self.a) / self.b
        for drawn in scores:
            yield Predictions(labels.copy(), {"model": drawn})
