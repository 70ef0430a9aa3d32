r"""The AUCs of several models on the same cases, their covariances and their differences.

The placement of a positive is the share of negatives below it, ties half; of a negative, the share of positives above.
The areas are the means of the placements, and DeLong's covariance of the areas of models r and s is

.. math:: \frac{1}{P}\,\mathrm{cov}_{+}(V_r, V_s) + \frac{1}{Q}\,\mathrm{cov}_{-}(V_r, V_s)

with the sample covariances of the placements over the positives and over the negatives [1]_, computed with one sort a
model [2]_. Twice a placement times the size of the other class is a whole number, so sums and sums of products are kept
in whole numbers: the order of the cases does not change a digit, and a variance of 0 is exactly 0.

The variance of a difference is :math:`v_r + v_s - 2c_{rs}`, and its third cumulant, of the placement differences D of
the positives and E of the negatives, :math:`\overline{(D-\bar D)^3}/P^2 + \overline{(E-\bar E)^3}/Q^2`. Their intervals
are those of `rocconf.compute.stats.auc_difference`. Two models that put the cases in the same order differ by exactly
0, with the interval [0, 0]. Where cases are clustered, variances and cumulants are those of
`rocconf.compute.stats.clusters`.

References
----------
.. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), Biometrics 44, 837-845.
.. [2] X. Sun, W. Xu (2014), IEEE Signal Processing Letters 21, 1389-1393.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.ordering import ordering, same_order
from rocconf.compute.stats.auc_difference import difference_without_variance, normal_difference, robust_difference
from rocconf.compute.stats.auc_intervals import DelongVariance, auc_of
from rocconf.compute.stats.clusters import cluster_means
from rocconf.compute.stats.difference import Difference
from rocconf.compute.stats.placements import Placements, variance_of
from rocconf.dataclass import dataclass
from rocconf.errors import UndefinedError
from rocconf.records import CHUNK, ROBUST, Interval, slices
from rocconf.threads import mapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rocconf.compute.stats.auc_intervals import Auc
    from rocconf.compute.stats.clusters import ClusterMeans
    from rocconf.records import Counts, Flags, Floats, IntervalKind, Predictions


FLOAT_BITS = 53
"""The bits of the whole numbers that a float64 holds."""

PIECE = 1 << 12
"""The cases of a class whose products are added up at a time."""

LEAST_WIDTH = 9
"""The bits of a digit below which pairs of models are added up one by one; the squares pass 2^63 soon after."""

MANY = 3
"""The models of which all pairs are added up at once."""

MOST_TO_CUBE = 1 << 31
"""The size of numbers from which the rounding error of a chunk's sum of cubes could pass 2^63."""


@dataclass(frozen=True, slots=True, eq=False)
class PairedAucs:
    """The areas of several models on the same cases, with DeLong's covariances."""

    positives: Placements
    negatives: Placements
    are_in_same_order: Callable[[int, int], bool]
    """Whether two models put the cases in the same order."""
    clusters: tuple[ClusterMeans, ...] = ()
    """What each cluster adds to the area of each model, if cases are clustered."""

    @property
    def values(self) -> tuple[float, ...]:
        """The areas."""
        pairs = 2 * self.positives.size * self.negatives.size
        return tuple(total / pairs for total in self.positives.sums)

    @property
    def covariance(self) -> Floats:
        """The covariance matrix of the areas."""
        models, classes = range(len(self.values)), (self.positives, self.negatives)
        if self.clusters:
            return np.array([[one.covariance(other) for other in self.clusters] for one in self.clusters])
        return np.array([[sum(part.covariance(r, s) for part in classes) for s in models] for r in models])

    def alone(self, model: int, *, level: float = 0.95, interval: IntervalKind = ROBUST) -> Auc:
        """Return the area of one model with its interval."""
        variance = (
            self.clusters[model].variance if self.clusters else variance_of(self.positives, self.negatives, model)
        )
        return auc_of(self.values[model], variance, level=level, kind=interval)

    def difference(
        self, first: int, second: int, *, level: float = 0.95, interval: IntervalKind = ROBUST
    ) -> Difference:
        """Return the difference of two models: the area of the first less that of the second."""
        difference = self.values[first] - self.values[second]
        variance, third_cumulant = self._moments_of_difference(first, second)
        if not variance.value and self.are_in_same_order(first, second):
            return Difference(0.0, Interval(0.0, 0.0), 1.0, interval, interval)
        if interval == ROBUST:
            return robust_difference(difference, variance, third_cumulant, level=level)
        if variance.value:
            return normal_difference(difference, variance.value, level)
        return difference_without_variance(
            *(self.alone(model, level=level, interval=interval) for model in (first, second))
        )

    def _moments_of_difference(self, first: int, second: int) -> tuple[DelongVariance, float]:
        """Return the variance and the third cumulant of a difference."""
        if self.clusters:
            means = self.clusters[first].less(self.clusters[second])
            return means.variance, means.third_cumulant
        variance = self._variance(part.variance_of_difference(first, second) for part in self._classes)
        return variance, sum(part.third_cumulant(first, second) for part in self._classes)

    @property
    def _classes(self) -> tuple[Placements, Placements]:
        return self.positives, self.negatives

    def _variance(self, parts: Iterable[float]) -> DelongVariance:
        of_positives, of_negatives = parts
        return DelongVariance(of_positives, of_negatives, self.positives.size, self.negatives.size)


def paired_aucs(predictions: Predictions) -> PairedAucs:
    """Return the areas of all models of the predictions, and their covariances."""
    p = int(np.count_nonzero(predictions.labels))
    q = len(predictions) - p
    if not (p and q):
        raise UndefinedError("curve-one-class", model=", ".join(predictions.models), positives=p, negatives=q)
    columns = tuple(predictions.scores.values())
    turned = [-scores if predictions.lower_is_positive else scores for scores in columns]
    placed = list(mapped(partial(placements, predictions.labels), turned, together=1))
    positives = class_placements(placed, predictions.labels, p, q)
    clusters: tuple[ClusterMeans, ...] = ()
    if predictions.clusters is not None:
        found = predictions.clusters.used()
        clusters = tuple(cluster_means(each, predictions.labels, found.places, len(found.names)) for each in placed)
    negatives = class_placements(placed, ~predictions.labels, q, p)
    return PairedAucs(positives, negatives, lambda first, second: same_order(columns[first], columns[second]), clusters)


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
        more = int(np.count_nonzero(positive))
        negatives_below, positives_below = negatives_below + len(piece) - more, positives_below + more
    return twice


def _pieces(ends: Flags) -> Iterator[slice]:
    """Yield slices of the ordered cases that fit the cache and end where a run of equal scores does."""
    start = 0
    while start < len(ends):
        stop = min(start + CHUNK, len(ends))
        stop += int(ends[stop - 1 :].argmax())
        yield slice(start, stop)
        start = stop


def _counted_twice(positive: Flags, ends: Flags) -> tuple[Counts, Counts]:
    """Return twice the negatives and twice the positives up to each ordered case, those of its score counting half."""
    last = np.flatnonzero(ends)
    through = np.concatenate([[0], np.cumsum(positive, dtype=np.int64)[last]])
    run_ends = np.concatenate([[0], last + 1])
    positives = through[:-1] + through[1:]
    negatives = run_ends[:-1] + run_ends[1:] - positives
    if len(last) == len(ends):
        return negatives, positives
    lengths = np.diff(run_ends)
    return np.repeat(negatives, lengths), np.repeat(positives, lengths)


def class_placements(of_models: Sequence[Counts], of_class: Flags, size: int, other: int) -> Placements:
    """Return the sums of one class.

    Products and cubes of all pairs of models are products of two matrices. One holds the placements, the other the
    digits of the placements and of their squares, which are so few bits that a float64 holds every sum of a piece: the
    sums are exact in whatever order a processor adds them up.
    """
    bits = (2 * other).bit_length()
    width = FLOAT_BITS - PIECE.bit_length() - bits
    if width < LEAST_WIDTH or len(of_models) < MANY:
        return placements_one_by_one(of_models, of_class, size, other)
    digits = [(power, first) for power in (1, 2) for first in range(0, power * bits, width)]
    models, places = len(of_models), np.flatnonzero(of_class)
    sums = np.zeros(models, dtype=object)
    found = np.zeros((len(digits), models, models), dtype=object)

    def added(start: int) -> tuple[Counts, Counts]:
        rows = places[start : start + PIECE]
        whole = np.array([twice[rows] for twice in of_models], dtype=np.int64)
        of_digits = np.array([whole**power >> first & (1 << width) - 1 for power, first in digits], dtype=np.float64)
        return whole.sum(axis=1), (of_digits @ whole.T.astype(np.float64)).astype(np.int64)

    for of_piece, products_of_piece in mapped(added, range(0, len(places), PIECE)):
        sums += of_piece
        found += products_of_piece
    products, squares = (
        np.sum([part << first for part, (power, first) in zip(found, digits, strict=True) if power == wanted], axis=0)
        for wanted in (1, 2)
    )
    third = np.diagonal(squares)  # squares[r, s] adds up the squares of r times s
    cubes = third[:, None] - 3 * squares + 3 * squares.T - third
    return Placements(size, other, tuple(sums), tuple(map(tuple, products)), tuple(map(tuple, cubes)))


def placements_one_by_one(of_models: Sequence[Counts], of_class: Flags, size: int, other: int) -> Placements:
    """Return the sums of one class, one pair of models after the other: of few models, or of very many cases."""
    models = range(len(of_models))
    pairs = [(r, s) for r in models for s in range(r, len(of_models))]
    sums, remainders, rough = [0] * len(of_models), [0] * len(pairs), [0.0] * len(pairs)
    cubes = [[0] * len(of_models) for _ in models]
    for part in slices(len(of_class)):
        cases = of_class[part]
        whole = [twice[part][cases].astype(np.int64) for twice in of_models]
        floats = [twice.astype(np.float64) for twice in whole]
        for at in models:
            sums[at] += int(whole[at].sum())
        for at, (r, s) in enumerate(pairs):
            remainders[at] += int(whole[r] @ whole[s])
            rough[at] += float((floats[r] * floats[s]).sum())  # `@` would start threads, which is slower
            if r < s:
                cubes[r][s] += sum_of_cubes(whole[r] - whole[s])
    products = [[0] * len(of_models) for _ in models]
    for (r, s), remainder, about in zip(pairs, remainders, rough, strict=True):
        products[r][s] = products[s][r] = _whole(remainder, about)
    for r, s in pairs:
        cubes[s][r] = -cubes[r][s]
    return Placements(size, other, tuple(sums), tuple(map(tuple, products)), tuple(map(tuple, cubes)))


def sum_of_cubes(numbers: Counts) -> int:
    """Return the exact sum of the cubes of a chunk of numbers below 2^31, or of any numbers, more slowly."""
    if not len(numbers):
        return 0
    most = int(np.abs(numbers).max())
    if most >= MOST_TO_CUBE:
        return sum(number**3 for number in numbers.tolist())
    floats = numbers.astype(np.float64)
    return _whole(int((numbers * numbers * numbers).sum()), float((floats * floats * floats).sum()))


def _whole(remainder: int, rough: float) -> int:
    """Return the whole number near a float that has this remainder modulo 2^64, as int64 sums wrap around."""
    return remainder + (round((rough - remainder) / 2**64) << 64)
