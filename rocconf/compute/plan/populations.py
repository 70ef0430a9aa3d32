r"""Where the cases of a plan come from: two binormal models, or the cases of a pilot, drawn again and again.

Binormal: within each class the scores of the two models are normal with variance 1 and a correlation, and the positives
lie higher by :math:`\mu = \sqrt2\,\Phi^{-1}(A)`. The placement of a positive with the score x is then :math:`\Phi(x)` and
that of a negative :math:`\Phi(\mu - x)`, which have the same distribution. Of a pilot, cases are drawn with replacement
within each class, so its areas and the ties of its scores stay as they are.
"""

from __future__ import annotations

from functools import cached_property
from math import ceil, sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.normal import normal_deviate, quadrant
from rocconf.dataclass import dataclass

if TYPE_CHECKING:
    from numpy.random import Generator

    from rocconf.records import Flags, Floats

NODES = 80
"""The nodes of the quadrature of placements, whose error is below 1e-6 up to areas of 0.999."""

MOST_OF_A_CLASS = 1000
"""The cases of a class of a pilot that are paired with those of the other class."""


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
        square = away * away
        powers = square, square * away, square * square
        return cls(mean, *(float(np.average(power, weights=weights)) for power in powers))


@dataclass(frozen=True, eq=False)
class Binormal:
    """One or two binormal models."""

    areas: tuple[float, ...]
    correlation: float = 0.0

    @property
    def shifts(self) -> list[float]:
        """How much higher the positives are."""
        return [sqrt(2) * normal_deviate(area) for area in self.areas]

    @cached_property
    def moments(self) -> tuple[Moments, Moments]:
        """Those of both classes, which are the same."""
        nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
        weights /= weights.sum()
        if len(self.areas) > 1:
            nodes = np.array([np.repeat(nodes, NODES), np.tile(nodes, NODES)])
            weights = np.outer(weights, weights).ravel()
        found = Moments.of(self._placed(self._correlated(np.atleast_2d(nodes))), weights)
        return found, found

    @property
    def pair_variance(self) -> float:
        """The variance over pairs of a positive and a negative of which is higher, or of its difference."""
        if len(self.areas) == 1:
            return self.areas[0] * (1 - self.areas[0])
        new, old = self.areas
        return new + old - 2 * quadrant(new, old, self.correlation) - (new - old) ** 2

    def placements(self, rng: Generator, runs: int, size: int, *, positive: bool) -> Floats:  # noqa: ARG002  # they are alike
        """Return placements of one class among all cases of the other, or their differences."""
        return self._placed(self._correlated(rng.standard_normal((len(self.areas), runs, size))))

    def scores(self, rng: Generator, runs: int, p: int, q: int) -> list[Floats]:
        """Return the scores of each model, positives first."""
        drawn = self._correlated(rng.standard_normal((len(self.areas), runs, p + q)))
        for each, shift in zip(drawn, self.shifts, strict=True):
            each[:, :p] += shift
        return list(drawn)

    def _correlated(self, noise: Floats) -> Floats:
        if len(noise) > 1:
            noise[1] = self.correlation * noise[0] + sqrt(1 - self.correlation**2) * noise[1]
        return noise

    def _placed(self, noise: Floats) -> Floats:
        from scipy.special import ndtr

        return difference([ndtr(shift + each) for shift, each in zip(self.shifts, noise, strict=True)])


@dataclass(frozen=True, eq=False)
class Pilot:
    """The cases of a pilot: scores of the positives and of the negatives, a row a model."""

    positives: Floats
    negatives: Floats

    @cached_property
    def _placed(self) -> list[tuple[Floats, Floats]]:
        return [
            (_share_below(own, other), 1 - _share_below(other, own))
            for own, other in zip(self.positives, self.negatives, strict=True)
        ]

    @cached_property
    def areas(self) -> tuple[float, ...]:
        """The areas of the pilot."""
        return tuple(float(own.mean()) for own, _ in self._placed)

    @cached_property
    def of_cases(self) -> tuple[Floats, Floats]:
        """The placements of its positives and negatives, or their differences."""
        own, other = zip(*self._placed, strict=True)
        return difference(own), difference(other)

    @cached_property
    def moments(self) -> tuple[Moments, Moments]:
        """Those of both classes."""
        positives, negatives = self.of_cases
        return Moments.of(positives), Moments.of(negatives)

    @cached_property
    def pair_variance(self) -> float:
        """The variance over pairs, of at most `MOST_OF_A_CLASS` cases of each class, evenly taken."""
        own, other = (
            scores[:, :: ceil(scores.shape[1] / MOST_OF_A_CLASS)] for scores in (self.positives, self.negatives)
        )
        won = [(a[:, None] > b) + (a[:, None] == b) / 2 for a, b in zip(own, other, strict=True)]
        return float(difference(won).var())

    def placements(self, rng: Generator, runs: int, size: int, *, positive: bool) -> Floats:
        """Return placements of one class in the pilot, or their differences."""
        of_class = self.of_cases[0 if positive else 1]
        return of_class[rng.integers(len(of_class), size=(runs, size))]

    def scores(self, rng: Generator, runs: int, p: int, q: int) -> list[Floats]:
        """Return the scores of each model, positives first."""
        classes = (self.positives, p), (self.negatives, q)
        drawn = [(of, rng.integers(of.shape[1], size=(runs, size))) for of, size in classes]
        return [np.hstack([of[model][cases] for of, cases in drawn]) for model in range(len(self.positives))]


Population = Binormal | Pilot
"""Where cases come from: one model, or a model and its baseline."""


def difference(of_models: list[Floats] | tuple[Floats, ...]) -> Floats:
    """Return what is of one model, or that of a model minus that of its baseline."""
    first, *others = of_models
    return first - others[0] if others else first


def placements_in_samples(scores: Floats, p: int) -> tuple[Floats, Floats]:
    """Return the placements in samples, a row each, whose positives come first; ties count half."""
    n = scores.shape[1]
    order = np.argsort(scores, axis=1)
    positive = order < p
    counted = np.cumsum(positive, axis=1).ravel()
    starts = np.flatnonzero(_is_first(np.take_along_axis(scores, order, axis=1)))
    ends = np.append(starts[1:], scores.size) - 1
    # below and half of those that are equal: the mean of the counts before and after these
    cases = (starts % n + ends % n + 1) / 2
    positives = (counted[starts] - positive.ravel()[starts] + counted[ends]) / 2
    tied = np.repeat(np.arange(len(starts)), ends - starts + 1).reshape(scores.shape)
    placed = np.empty(scores.shape)
    found = np.where(positive, ((cases - positives) / (n - p))[tied], (1 - positives / p)[tied])
    np.put_along_axis(placed, order, found, axis=1)
    return placed[:, :p], placed[:, p:]


def _is_first(ordered: Floats) -> Flags:
    """Return whether a score is the first of those equal to it."""
    first = np.ones(ordered.shape, dtype=np.bool_)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=first[:, 1:])
    return first


def _share_below(own: Floats, other: Floats) -> Floats:
    """Return the share of other scores below each, ties half."""
    ordered = np.sort(other)
    return (np.searchsorted(ordered, own, "left") + np.searchsorted(ordered, own, "right")) / (2 * len(ordered))
