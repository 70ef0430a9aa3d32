r"""The areas under several ROC curves of the same cases, how they vary together, and their differences.

The placement of a positive is its share of negatives below it, ties half; of a negative, its share of positives
above. The areas are the means of the placements, and DeLong's covariance of the areas of models r and s is

.. math:: \frac{1}{P}\,\mathrm{cov}_{+}(V_r, V_s) + \frac{1}{Q}\,\mathrm{cov}_{-}(V_r, V_s)

with the sample covariances of the placements over the positives and over the negatives [1]_, found with one sort a
model [2]_. Twice a placement times the size of the other class is a whole number, so sums and sums of products are
too, and they are kept whole: the order of the cases cannot change a digit, and a variance is 0 exactly where it is.

The interval of a difference is :math:`d \pm z\sqrt{v_r + v_s - 2c_{rs}}`. A model and another one that puts the cases
in the same order differ by 0, surely. Where the variance of the difference is 0 otherwise (two different perfect
models, a perfect one against all scores tied), or undefined, there is no test, and the limits are the square-and-add
of the two models' own.

References
----------
.. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), Biometrics 44, 837-845.
.. [2] X. Sun, W. Xu (2014), IEEE Signal Processing Letters 21, 1389-1393.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.auc import auc_of
from rocconf.compute.difference import Difference, square_and_add, two_sided
from rocconf.compute.intervals import normal_quantile
from rocconf.compute.ordering import ordering, same_order
from rocconf.errors import UndefinedError
from rocconf.records import Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocconf.compute.auc import Auc
    from rocconf.records import Counts, Flags, Floats, Predictions

DELONG = "delong"
SQUARE_AND_ADD = "square-and-add"


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
            return _normal(self.values[first] - self.values[second], variance, level)
        models = tuple(self.predictions.scores.values())
        if same_order(models[first], models[second]):
            return Difference(0.0, Interval(0.0, 0.0), 1.0, DELONG)
        return _without_variance(self.alone(first, level=level), self.alone(second, level=level))


def paired_aucs(predictions: Predictions) -> PairedAucs:
    """Return the areas of all models of the predictions, and their covariances."""
    p = int(np.count_nonzero(predictions.labels))
    q = len(predictions) - p
    if not (p and q):
        raise UndefinedError(f"a ROC curve needs both classes (found {p} positives and {q} negatives)")
    sign = -1.0 if predictions.lower_is_positive else 1.0
    found = [placements(predictions.labels, sign * scores) for scores in predictions.scores.values()]
    of_positives, of_negatives = zip(*found, strict=True)
    return PairedAucs(predictions, _sums(of_positives, q), _sums(of_negatives, p))


def unpaired_auc_difference(first: Auc, second: Auc, *, level: float = 0.95) -> Difference:
    """Compare the areas of two models on different cases: DeLong's variances add up."""
    if first.se is None or second.se is None:
        return _without_variance(first, second)
    return _normal(first.value - second.value, first.se**2 + second.se**2, level)


def placements(labels: Flags, scores: Floats) -> tuple[Counts, Counts]:
    """Return twice the number of negatives below each positive, and of positives above each negative, ties half."""
    cases, ends = ordering(scores)
    positive = labels[cases]
    last = np.flatnonzero(ends)
    if len(last) == len(cases):
        through = np.cumsum(positive, dtype=np.int64)
        twice = 2 * np.where(positive, np.arange(1, len(cases) + 1) - through, through[-1] - through)
    else:
        twice = _twice_with_ties(positive, last)
    of_cases = np.empty_like(twice)
    of_cases[cases] = twice
    return of_cases[labels], of_cases[~labels]


def _twice_with_ties(positive: Flags, last: NDArray[np.intp]) -> Counts:
    """Count from both ends of each run of equal scores."""
    tp = np.cumsum(positive, dtype=np.int64)
    through = np.concatenate([[0], tp[last]])
    run_ends = np.concatenate([[-1], last])
    lengths = np.diff(run_ends)
    positives = through[:-1] + through[1:]
    cases = run_ends[:-1] + run_ends[1:] + 2
    below, above = np.repeat(cases - positives, lengths), np.repeat(2 * tp[-1] - positives, lengths)
    return np.where(positive, below, above)


def _sums(of_models: Sequence[Counts], other: int) -> Placements:
    floats = [twice.astype(np.float64) for twice in of_models]
    models = range(len(of_models))
    products = [[0] * len(of_models) for _ in models]
    for r in models:
        for s in range(r, len(of_models)):
            products[r][s] = products[s][r] = _whole(int(of_models[r] @ of_models[s]), float(floats[r] @ floats[s]))
    sums = tuple(int(twice.sum()) for twice in of_models)
    return Placements(len(of_models[0]), other, sums, tuple(map(tuple, products)))


def _whole(remainder: int, rough: float) -> int:
    """Return the whole number that is near a float and has this remainder by 2^64: int64 sums wrap around."""
    return remainder + (round((rough - remainder) / 2**64) << 64)


def _normal(difference: float, variance: float, level: float) -> Difference:
    reach = normal_quantile(level) * sqrt(variance)
    limits = Interval(max(difference - reach, -1.0), min(difference + reach, 1.0))
    return Difference(difference, limits, two_sided(difference / sqrt(variance)), DELONG)


def _without_variance(first: Auc, second: Auc) -> Difference:
    limits = square_and_add(first.value, first.interval, second.value, second.interval)
    return Difference(first.value - second.value, limits, None, SQUARE_AND_ADD)
