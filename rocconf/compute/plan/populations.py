r"""Where the cases of a plan come from: two binormal models, or the cases of a pilot, drawn again and again.

Binormal: within each class the scores of the two models are normal with variance 1 and a correlation, and the positives
lie higher by :math:`\mu = \sqrt2\,\Phi^{-1}(A)`. The placement of a positive with the score x is then :math:`\Phi(x)` and
that of a negative :math:`\Phi(\mu - x)`, which have the same distribution. Of a pilot, cases are drawn with replacement
within each class, so its areas and the ties of its scores stay as they are.

A sample enters as the areas' placements do in DeLong's variance: their mean, its variance and its third cumulant in
either class.
"""

from __future__ import annotations

from functools import cache, cached_property
from math import ceil, sqrt
from typing import TYPE_CHECKING, Protocol

import numpy as np

from rocconf.compute.stats.bivariate import quadrant
from rocconf.compute.stats.normal import normal_deviate
from rocconf.dataclass import dataclass

if TYPE_CHECKING:
    from numpy.random import Generator

    from rocconf.records import Counts, Floats

NODES = 80
"""The nodes of the quadrature of placements, whose error is below 1e-6 up to areas of 0.999."""

MOST_OF_A_CLASS = 1000
"""The cases of a class of a pilot that are paired with those of the other class."""

CHUNK = 1 << 20
"""The scores that are drawn at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Of one class in many samples: the mean of its placements, the variance of the mean, and its third cumulant."""

    mean: Floats
    variance: Floats
    third: Floats

    @classmethod
    def of(cls, placements: Floats) -> Part:
        """Return that of placements, a row a sample."""
        size = placements.shape[1]
        mean = placements.mean(axis=1)
        away = placements - mean[:, None]
        square = away * away
        variance = square.sum(axis=1) / ((size - 1) * size) if size > 1 else np.full(len(mean), np.nan)
        return cls(mean, variance, (square * away).mean(axis=1) / size**2)

    @classmethod
    def stacked(cls, parts: list[Part]) -> Part:
        """Return those of all samples."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__))


@dataclass(frozen=True, slots=True)
class Moments:
    """The mean and the central moments of the placements of a class."""

    mean: float
    second: float
    third: float
    fourth: float

    @classmethod
    def of(cls, values: Floats, weights: Floats | None = None) -> Moments:
        """Return those of values, which may have weights that add up to 1."""
        mean = float(np.average(values, weights=weights))
        away = values - mean
        return cls(mean, *(float(np.average(away**power, weights=weights)) for power in (2, 3, 4)))

    def part(self, rng: Generator, runs: int, size: int) -> Part:
        """Return the parts of large samples: mean and variance are jointly normal, the third moment is that of all."""
        first, other = rng.standard_normal((2, runs))
        spread = sqrt(self.second)
        skewed = self.third / spread if spread else 0.0
        rest = sqrt(max(self.fourth - self.second**2 - skewed**2, 0.0))
        mean = self.mean + spread * first / sqrt(size)
        variance = self.second + (skewed * first + rest * other) / sqrt(size)
        return Part(mean, np.maximum(variance, 0.0) / size, np.full(runs, self.third / size**2))


class Population(Protocol):
    """Where cases come from: one model, or a model and its baseline."""

    @property
    def areas(self) -> tuple[float, ...]:
        """The true areas: of the model, and of its baseline if there is one."""

    @property
    def moments(self) -> tuple[Moments, Moments]:
        """Those of the positives' and of the negatives' placements, or of their differences."""

    @property
    def pair_variance(self) -> float:
        """The variance of a pair of a positive and a negative: of which is higher, or in which model it is."""

    def sample(self, rng: Generator, runs: int, size: int, *, positive: bool) -> Floats:
        """Return placements of one class among all cases of the other, or their differences, a row a sample."""

    def whole(self, rng: Generator, runs: int, p: int, q: int) -> tuple[Floats, Floats]:
        """Return the placements of positives and negatives of the same samples."""


@dataclass(frozen=True, slots=True)
class Binormal:
    """One or two binormal models."""

    areas: tuple[float, ...]
    correlation: float = 0.0

    @property
    def shifts(self) -> tuple[float, ...]:
        """How much higher the positives are."""
        return tuple(sqrt(2) * normal_deviate(area) for area in self.areas)

    @property
    def moments(self) -> tuple[Moments, Moments]:
        """Those of both classes, which are the same."""
        found = _binormal_moments(self.areas, self.correlation)
        return found, found

    @property
    def pair_variance(self) -> float:
        """The variance of a pair."""
        if len(self.areas) == 1:
            return self.areas[0] * (1 - self.areas[0])
        new, old = self.areas
        return new + old - 2 * quadrant(new, old, self.correlation) - (new - old) ** 2

    def sample(self, rng: Generator, runs: int, size: int, *, positive: bool) -> Floats:  # noqa: ARG002  # they are alike
        """Return placements of one class among all cases of the other, or their differences."""
        from scipy.special import ndtr

        first, *others = (
            ndtr(shift + noise) for shift, noise in zip(self.shifts, self._noise(rng, runs, size), strict=True)
        )
        return np.asarray(first - others[0] if others else first)

    def whole(self, rng: Generator, runs: int, p: int, q: int) -> tuple[Floats, Floats]:
        """Return the placements of positives and negatives of the same samples."""
        positive = np.arange(p + q) < p
        found = [
            _placements(noise + shift * positive, p)
            for shift, noise in zip(self.shifts, self._noise(rng, runs, p + q), strict=True)
        ]
        return _difference(found)

    def _noise(self, rng: Generator, runs: int, size: int) -> list[Floats]:
        drawn = rng.standard_normal((len(self.areas), runs, size))
        if len(drawn) == 1:
            return [drawn[0]]
        drawn[1] *= sqrt(1 - self.correlation**2)
        drawn[1] += self.correlation * drawn[0]
        return list(drawn)


@cache
def _binormal_moments(areas: tuple[float, ...], correlation: float) -> Moments:
    """Return the moments of the placements of a class, or of their differences."""
    from scipy.special import ndtr

    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    weights /= weights.sum()
    shifts = Binormal(areas).shifts
    if len(areas) == 1:
        return Moments.of(ndtr(shifts[0] + nodes), weights)
    new, old = shifts
    other = correlation * nodes[:, None] + sqrt(1 - correlation**2) * nodes
    values = ndtr(new + np.broadcast_to(nodes[:, None], other.shape)) - ndtr(old + other)
    return Moments.of(values.ravel(), np.outer(weights, weights).ravel())


@dataclass(frozen=True, eq=False)
class Pilot:
    """The cases of a pilot: scores of the positives and of the negatives, a row a model."""

    positives: Floats
    negatives: Floats

    @cached_property
    def areas(self) -> tuple[float, ...]:
        """The areas of the pilot."""
        return tuple(
            float(_placed(own, other).mean()) for own, other in zip(self.positives, self.negatives, strict=True)
        )

    @cached_property
    def placements(self) -> tuple[Floats, Floats]:
        """Those of its positives and negatives, or their differences."""
        models = list(zip(self.positives, self.negatives, strict=True))
        return _difference([(_placed(own, other), 1 - _placed(other, own)) for own, other in models])

    @cached_property
    def moments(self) -> tuple[Moments, Moments]:
        """Those of both classes."""
        positives, negatives = self.placements
        return Moments.of(positives), Moments.of(negatives)

    @cached_property
    def pair_variance(self) -> float:
        """The variance of a pair, of at most `MOST_OF_A_CLASS` cases of each class, evenly taken."""
        p, q = self.positives.shape[1], self.negatives.shape[1]
        own = self.positives[:, :: ceil(p / MOST_OF_A_CLASS)]
        other = self.negatives[:, :: ceil(q / MOST_OF_A_CLASS)]
        won = [(a[:, None] > b) + (a[:, None] == b) / 2 for a, b in zip(own, other, strict=True)]
        return float((won[0] if len(won) == 1 else won[0] - won[1]).var())

    def sample(self, rng: Generator, runs: int, size: int, *, positive: bool) -> Floats:
        """Return placements of one class in the pilot, or their differences."""
        of_class = self.placements[0 if positive else 1]
        return of_class[rng.integers(len(of_class), size=(runs, size))]

    def whole(self, rng: Generator, runs: int, p: int, q: int) -> tuple[Floats, Floats]:
        """Return the placements of positives and negatives of the same samples."""
        drawn = [
            rng.integers(of.shape[1], size=(runs, size)) for of, size in ((self.positives, p), (self.negatives, q))
        ]
        found = []
        for own, other in zip(self.positives, self.negatives, strict=True):
            codes = np.unique(np.concatenate([own, other]), return_inverse=True)[1]
            scores = np.concatenate([codes[: len(own)][drawn[0]], codes[len(own) :][drawn[1]]], axis=1)
            found.append(_placements_of_codes(scores, p, int(codes.max()) + 1))
        return _difference(found)


def samples_of(population: Population, rng: Generator, runs: int, p: int, q: int) -> tuple[Part, Part]:
    """Return the parts of whole samples, a chunk at a time."""
    step = max(CHUNK // (p + q), 1)
    parts = [
        tuple(map(Part.of, population.whole(rng, min(step, runs - start), p, q))) for start in range(0, runs, step)
    ]
    positives, negatives = zip(*parts, strict=True)
    return Part.stacked(list(positives)), Part.stacked(list(negatives))


def class_part(population: Population, rng: Generator, runs: int, size: int, *, positive: bool) -> Part:
    """Return the part of one class, drawn a chunk at a time."""
    step = max(CHUNK // size, 1)
    return Part.stacked(
        [
            Part.of(population.sample(rng, min(step, runs - start), size, positive=positive))
            for start in range(0, runs, step)
        ]
    )


def _difference(found: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Return the placements of one model, or those of a model less those of its baseline."""
    if len(found) == 1:
        return found[0]
    new, old = found
    return new[0] - old[0], new[1] - old[1]


def _placements(scores: Floats, p: int) -> tuple[Floats, Floats]:
    """Return the placements of samples without ties whose positives come first."""
    runs, n = scores.shape
    order = np.argsort(scores, axis=1)
    positive = order < p
    up_to = np.cumsum(positive, axis=1)
    q = n - p
    share = np.where(positive, (np.arange(1, n + 1) - up_to) / q, 1 - up_to / p)
    placed = np.empty((runs, n))
    np.put_along_axis(placed, order, share, axis=1)
    return placed[:, :p], placed[:, p:]


def _placements_of_codes(codes: Counts, p: int, count: int) -> tuple[Floats, Floats]:
    """Return the placements of samples of ranked scores whose positives come first; ties count half."""
    runs, n = codes.shape
    offset = np.arange(runs)[:, None] * count
    found = []
    for own, other, size in ((codes[:, :p], codes[:, p:], n - p), (codes[:, p:], codes[:, :p], p)):
        counts = np.bincount((other + offset).ravel(), minlength=runs * count).reshape(runs, count)
        below = (np.cumsum(counts, axis=1) - counts / 2) / size
        found.append(np.take_along_axis(below, own, axis=1))
    return found[0], 1 - found[1]


def _placed(own: Floats, other: Floats) -> Floats:
    """Return the share of other scores below each, ties half."""
    ordered = np.sort(other)
    return (np.searchsorted(ordered, own, "left") + np.searchsorted(ordered, own, "right")) / (2 * len(ordered))
