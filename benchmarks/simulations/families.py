"""Families of cases: the scores of a new and an old model on the same cases, many samples at a time.

Each family draws standard scores of a class, which are the same for each seed; `truth` takes the areas of a very large
sample as the true ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr, ndtri

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.random import Generator
    from numpy.typing import NDArray

    Scores = NDArray[np.float64]

TRUTH_CASES = 1_000_000
"""The cases of each class whose areas count as true: their standard error is below 0.0003."""

WORSE = 0.03
"""How much smaller the area of the new model is."""


@dataclass(frozen=True)
class Family:
    """A family at an area of the old model, and the correlation of the two models' scores within a class."""

    name: str
    auc: float
    correlation: float = 0.8

    def __str__(self) -> str:
        return f"{self.name}, AUC {self.auc:g}, correlation {self.correlation:g}"

    def draw(self, rng: Generator, runs: int, p: int, q: int) -> tuple[Scores, Scores]:
        """Return the scores of the new and the old model: a row a run, the positives first."""
        positive = np.arange(p + q) < p
        return FAMILIES[self.name](self, rng, np.broadcast_to(positive, (runs, p + q)))

    @property
    def areas(self) -> tuple[float, float]:
        """The true areas of the new and the old model."""
        new, old = _truth(self)
        return new.area, old.area

    def average_precisions(self, p: int, q: int) -> tuple[float, float]:
        """Return the true average precisions of both models at a prevalence."""
        new, old = _truth(self)
        return new.average_precision(p, q), old.average_precision(p, q)

    def partial_areas(self, max_fpr: float) -> tuple[float, float]:
        """Return the true areas of both models up to a false positive rate, over it."""
        new, old = _truth(self)
        return new.partial_area(max_fpr), old.partial_area(max_fpr)


@dataclass(frozen=True)
class Truth:
    """A very large sample of one model: at each positive the share of each class with at least its score."""

    tpr: Scores
    fpr: Scores
    above: Scores
    """The share of negatives with a greater score."""

    @classmethod
    def of(cls, scores: Scores) -> Truth:
        """Return the shares at the positives, which come first."""
        positives, negatives = np.sort(scores[:TRUTH_CASES]), np.sort(scores[TRUTH_CASES:])
        tpr, fpr = (1 - np.searchsorted(of, positives, "left") / TRUTH_CASES for of in (positives, negatives))
        return cls(tpr, fpr, 1 - np.searchsorted(negatives, positives, "right") / TRUTH_CASES)

    @property
    def area(self) -> float:
        """The area under the curve."""
        return float(1 - (self.fpr + self.above).mean() / 2)

    def average_precision(self, p: int, q: int) -> float:
        """Return the average precision at a prevalence."""
        return float((p * self.tpr / (p * self.tpr + q * self.fpr)).mean())

    def partial_area(self, max_fpr: float) -> float:
        """Return the area up to a false positive rate, over it; a tie is a straight line."""
        width = self.fpr - self.above
        inside = np.clip(max_fpr - self.above, 0, width)
        share = np.divide(inside, width, out=(self.above < max_fpr).astype(float), where=width > 0)
        return float((share * (max_fpr - self.above - inside / 2)).mean()) / max_fpr


@cache
def _truth(family: Family) -> tuple[Truth, Truth]:
    new, old = family.draw(np.random.default_rng(1), 1, TRUTH_CASES, TRUTH_CASES)
    return Truth.of(new[0]), Truth.of(old[0])


def _normals(family: Family, rng: Generator, positive: NDArray[np.bool_]) -> tuple[Scores, Scores]:
    """Return correlated standard normal numbers."""
    shared, own = rng.standard_normal((2, *positive.shape))
    return family.correlation * shared + sqrt(1 - family.correlation**2) * own, shared


def _binormal(
    family: Family, rng: Generator, positive: NDArray[np.bool_], spread: float = 1.0
) -> tuple[Scores, Scores]:
    new, old = _normals(family, rng, positive)
    scale, far = np.where(positive, spread, 1.0), sqrt(1 + spread**2)
    of_new, of_old = (far * float(ndtri(auc)) for auc in (family.auc - WORSE, family.auc))
    return new * scale + of_new * positive, old * scale + of_old * positive


def _unequal(family: Family, rng: Generator, positive: NDArray[np.bool_]) -> tuple[Scores, Scores]:
    return _binormal(family, rng, positive, spread=2.0)


def _exponential(family: Family, rng: Generator, positive: NDArray[np.bool_]) -> tuple[Scores, Scores]:
    """Draw a long tail of positives upwards: with a mean of m times that of the negatives, the AUC is m / (1 + m)."""
    means = [auc / (1 - auc) for auc in (family.auc - WORSE, family.auc)]
    exponential = (-np.log(_upper_tail(scores)) for scores in _normals(family, rng, positive))
    new, old = (scores * np.where(positive, mean, 1.0) for scores, mean in zip(exponential, means, strict=True))
    return new, old


def _downwards(family: Family, rng: Generator, positive: NDArray[np.bool_]) -> tuple[Scores, Scores]:
    """Draw a long tail of negatives downwards."""
    new, old = _exponential(family, rng, ~positive)
    return -new, -old


def _upper_tail(normals: Scores) -> Scores:
    return np.asarray(ndtr(-normals))


def _levels(count: int) -> Callable[[Family, Generator, NDArray[np.bool_]], tuple[Scores, Scores]]:
    def draw(family: Family, rng: Generator, positive: NDArray[np.bool_]) -> tuple[Scores, Scores]:
        middle, step = float(ndtri(family.auc)) / sqrt(2), 5 / count
        new, old = (np.round((scores - middle) / step) for scores in _binormal(family, rng, positive))
        most = count / 2
        return np.clip(new, -most, most), np.clip(old, -most, most)

    return draw


def _ratings(family: Family, rng: Generator, positive: NDArray[np.bool_]) -> tuple[Scores, Scores]:
    """Draw five ratings, of which most negatives have the least."""
    edges = [0.5, 1.0, 1.5, 2.5]
    new, old = (np.searchsorted(edges, scores).astype(float) for scores in _binormal(family, rng, positive))
    return new, old


def _hard_tenth(family: Family, rng: Generator, positive: NDArray[np.bool_]) -> tuple[Scores, Scores]:
    """Draw a tenth of the positives like negatives in both models."""
    hard = positive & (rng.random(positive.shape) < 0.1)
    return _binormal(family, rng, positive & ~hard)


def _unseen_slice(family: Family, rng: Generator, positive: NDArray[np.bool_]) -> tuple[Scores, Scores]:
    """Draw 7% of the positives like negatives in the new model, which sees all others as the old one does."""
    unseen = positive & (rng.random(positive.shape) < 0.07)
    new, old = _normals(family, rng, positive)
    far = sqrt(2) * float(ndtri(family.auc))
    return new + far * (positive & ~unseen), old + far * positive


def _refit(family: Family, rng: Generator, positive: NDArray[np.bool_]) -> tuple[Scores, Scores]:
    """Draw a model trained again, which changes little, and makes the area smaller by 0.01."""
    shared, own = rng.standard_normal((2, *positive.shape))
    new, old = (sqrt(2) * float(ndtri(auc)) for auc in (family.auc - 0.01, family.auc))
    return 0.98 * shared + sqrt(1 - 0.98**2) * own + new * positive, shared + old * positive


def _cascade(family: Family, rng: Generator, positive: NDArray[np.bool_]) -> tuple[Scores, Scores]:
    """Draw one floor score for most negatives of the new model, as a first stage gives it."""
    new, old = _binormal(family, rng, positive)
    return np.maximum(new, 0.5), old


def _heavy_tails(family: Family, rng: Generator, positive: NDArray[np.bool_]) -> tuple[Scores, Scores]:
    """Draw scores with the tails of Student's t with two degrees of freedom."""
    new, old = _normals(family, rng, positive)
    wide = 1 / np.sqrt(-np.log(rng.random(positive.shape)))
    far = (2.1 * sqrt(2) * float(ndtri(auc)) for auc in (family.auc - WORSE, family.auc))
    return new * wide + next(far) * positive, old * wide + next(far) * positive


FAMILIES = {
    "binormal": _binormal,
    "unequal variances": _unequal,
    "exponential": _exponential,
    "exponential downwards": _downwards,
    "ties of 5 levels": _levels(5),
    "ties of 10 levels": _levels(10),
    "ratings": _ratings,
    "hard tenth": _hard_tenth,
    "unseen slice": _unseen_slice,
    "refit": _refit,
    "cascade": _cascade,
    "heavy tails": _heavy_tails,
}
