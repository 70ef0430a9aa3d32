r"""The areas under several ROC curves of the same cases, how they vary together, and their differences.

The placement of a positive is its share of negatives below it, ties half; of a negative, its share of positives
above. The areas are the means of the placements, and DeLong's covariance of the areas of models r and s is

.. math:: \frac{1}{P}\,\mathrm{cov}_{+}(V_r, V_s) + \frac{1}{Q}\,\mathrm{cov}_{-}(V_r, V_s)

with the sample covariances of the placements over the positives and over the negatives [1]_, found with one sort a
model [2]_. Twice a placement times the size of the other class is a whole number, so sums and sums of products are
too, and they are kept whole: the order of the cases cannot change a digit, and a variance is 0 exactly where it is.

The variance of a difference is :math:`v_r + v_s - 2c_{rs}`. A model and another one that puts the cases in the same
order differ by exactly 0. Where the variance of the difference is 0 otherwise (two different perfect models, a perfect
one against all scores tied), or undefined, there is no test, and the limits are the square-and-add of the two models'
own (see `rocconf.compute.stats.auc_intervals`).

References
----------
.. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), Biometrics 44, 837-845.
.. [2] X. Sun, W. Xu (2014), IEEE Signal Processing Letters 21, 1389-1393.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.ordering import ordering, same_order
from rocconf.compute.stats.auc_intervals import DELONG, auc_of, difference_without_variance, normal_difference
from rocconf.compute.stats.difference import Difference
from rocconf.errors import UndefinedError
from rocconf.records import CHUNK, Interval, slices

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocconf.compute.stats.auc_intervals import Auc
    from rocconf.records import Counts, Flags, Floats, Predictions


@dataclass(frozen=True, slots=True)
class Placements:
    """Sums over one class of the models' placements, and of their products: twice the placement times `other`."""

    size: int
    other: int
    sums: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]

    def covariance(self, first: int, second: int) -> float:
        """Return the class's part of the covariance of two areas; NaN with fewer than two cases."""
        return self._over(self._spread(first, second))

    def variance_of_difference(self, first: int, second: int) -> float:
        """Return the class's part of the variance of a difference: exactly 0 where the placements go together."""
        spread = self._spread
        return self._over(spread(first, first) + spread(second, second) - 2 * spread(first, second))

    def _spread(self, first: int, second: int) -> int:
        return self.size * self.products[first][second] - self.sums[first] * self.sums[second]

    def _over(self, spread: int) -> float:
        return spread / (self.size**2 * (self.size - 1) * (2 * self.other) ** 2) if self.size > 1 else nan


@dataclass(frozen=True, slots=True, eq=False)
class PairedAucs:
    """The areas of several models on the same cases, with DeLong's covariances."""

    predictions: Predictions
    positives: Placements
    negatives: Placements

    @property
    def values(self) -> tuple[float, ...]:
        """The areas."""
        pairs = 2 * self.positives.size * self.negatives.size
        return tuple(total / pairs for total in self.positives.sums)

    @property
    def covariance(self) -> Floats:
        """The covariance matrix of the areas."""
        at = range(len(self.values))
        of = (self.positives, self.negatives)
        return np.array([[sum(part.covariance(r, s) for part in of) for s in at] for r in at])

    def alone(self, model: int, *, level: float = 0.95) -> Auc:
        """Return one model's area with its own interval."""
        variance = sum(part.covariance(model, model) for part in (self.positives, self.negatives))
        return auc_of(self.values[model], variance, self.positives.size, self.negatives.size, level=level)

    def difference(self, first: int, second: int, *, level: float = 0.95) -> Difference:
        """Compare two models: the area of the first less that of the second."""
        variance = sum(part.variance_of_difference(first, second) for part in (self.positives, self.negatives))
        if variance > 0:
            return normal_difference(self.values[first] - self.values[second], variance, level)
        models = tuple(self.predictions.scores.values())
        if same_order(models[first], models[second]):
            return Difference(0.0, Interval(0.0, 0.0), 1.0, DELONG)
        return difference_without_variance(self.alone(first, level=level), self.alone(second, level=level))


def paired_aucs(predictions: Predictions) -> PairedAucs:
    """Return the areas of all models of the predictions, and their covariances."""
    p = int(np.count_nonzero(predictions.labels))
    q = len(predictions) - p
    if not (p and q):
        raise UndefinedError(f"a ROC curve needs both classes (found {p} positives and {q} negatives)")
    models = predictions.scores.values()
    found = [placements(predictions.labels, -scores if predictions.lower_is_positive else scores) for scores in models]
    return PairedAucs(predictions, *_sums(predictions.labels, found))


def placements(labels: Flags, scores: Floats) -> Counts:
    """Return, for each positive, twice the number of negatives below it; for each negative, of positives above it.

    Ties count half, so that these are whole numbers.
    """
    cases, ends = ordering(scores)
    p = int(np.count_nonzero(labels))
    twice: Counts = np.empty(len(cases), dtype=np.int32 if len(cases) < 1 << 30 else np.int64)
    negatives_below = positives_below = 0
    for part in _pieces(ends):
        piece = cases[part]
        positive = labels[piece]
        negatives, positives = _counted_twice(positive, ends[part])
        twice[piece] = np.where(positive, negatives + 2 * negatives_below, 2 * (p - positives_below) - positives)
        found = int(np.count_nonzero(positive))
        negatives_below, positives_below = negatives_below + len(piece) - found, positives_below + found
    return twice


def _pieces(ends: Flags) -> Iterator[slice]:
    """Cut the cases, in order, into pieces that fit the cache; none cuts equal scores in two."""
    start = 0
    while start < len(ends):
        stop = min(start + CHUNK, len(ends))
        stop += int(ends[stop - 1 :].argmax())
        yield slice(start, stop)
        start = stop


def _counted_twice(positive: Flags, ends: Flags) -> tuple[Counts, Counts]:
    """Return twice the negatives, and twice the positives, up to each case in order, those of its score half."""
    last = np.flatnonzero(ends)
    through = np.concatenate([[0], np.cumsum(positive, dtype=np.int64)[last]])
    run_ends = np.concatenate([[0], last + 1])
    positives = through[:-1] + through[1:]
    negatives = run_ends[:-1] + run_ends[1:] - positives
    if len(last) == len(ends):
        return negatives, positives
    lengths = np.diff(run_ends)
    return np.repeat(negatives, lengths), np.repeat(positives, lengths)


def _sums(labels: Flags, of_models: Sequence[Counts]) -> tuple[Placements, Placements]:
    """Add up the placements of the positives, and of the negatives, and their products."""
    p = int(np.count_nonzero(labels))
    q = len(labels) - p
    return _class_sums(of_models, labels, p, q), _class_sums(of_models, ~labels, q, p)


def _class_sums(of_models: Sequence[Counts], of_class: Flags, size: int, other: int) -> Placements:
    """Add up a class's placements and their products, a cacheful at a time."""
    models = range(len(of_models))
    pairs = [(r, s) for r in models for s in range(r, len(of_models))]
    sums, remainders, rough = [0] * len(of_models), [0] * len(pairs), [0.0] * len(pairs)
    for part in slices(len(of_class)):
        mine = of_class[part]
        whole = [twice[part][mine].astype(np.int64) for twice in of_models]
        floats = [twice.astype(np.float64) for twice in whole]
        for at in models:
            sums[at] += int(whole[at].sum())
        for at, (r, s) in enumerate(pairs):
            remainders[at] += int(whole[r] @ whole[s])
            rough[at] += float((floats[r] * floats[s]).sum())  # `@` would start threads, and be the slower for it
    products = [[0] * len(of_models) for _ in models]
    for (r, s), remainder, about in zip(pairs, remainders, rough, strict=True):
        products[r][s] = products[s][r] = _whole(remainder, about)
    return Placements(size, other, tuple(sums), tuple(map(tuple, products)))


def _whole(remainder: int, rough: float) -> int:
    """Return the whole number that is near a float and has this remainder by 2^64: int64 sums wrap around."""
    return remainder + (round((rough - remainder) / 2**64) << 64)
