r"""The distances of two sets of cases, as they are and with their pooled cases assigned to them at random.

All are the largest absolute value, over a run of distinct scores of one class, of

.. math:: w_A x_i - w_B y_i - d

with :math:`x_i` cases of the first set and :math:`y_i` of the second among the i most positive scores of the class. For
the curves of sensibility and capability this holds because above both midpoints sensibility depends on the positives
alone and below both on the negatives alone, and capability the other way round; between the midpoints the difference of
the two curves is monotone, so its extremes are at the ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.curve import rows_at
from rocconf.compute.sensibility.midpoint import Midpoint, Totals
from rocconf.compute.stats.permutation import cell_starts, draw
from rocconf.dataclass import dataclass
from rocconf.errors import UndefinedError
from rocconf.records import ScoreCounts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocconf.records import Counts, Floats

MOST_REDRAWN = 10_000
"""The most relabellings to redraw for each that is kept."""


@dataclass(frozen=True, slots=True, eq=False)
class PooledClass:
    """One class of two sets: the rows of the pool with its cases, their probabilities, and the cases of both and the first."""

    rows: NDArray[np.intp]
    probabilities: Floats
    cases: Counts
    first: Counts

    def divided(self, first: Counts) -> Division:
        """Return the class with these cases in the first set, a row for each division."""
        cumulated = np.zeros((2, len(first), len(self.cases) + 1), dtype=np.int64)
        np.cumsum(first, axis=1, out=cumulated[0, :, 1:])
        np.subtract(np.append(0, np.cumsum(self.cases)), cumulated[0], out=cumulated[1])
        sums = np.einsum("ij,j->i", first, self.probabilities)
        return Division(self.rows, cumulated, np.stack([sums, np.einsum("i,i", self.cases, self.probabilities) - sums]))

    def drawn(self, sizes: Counts, rng: np.random.Generator) -> Division:
        """Return the class with this many random cases in the first set."""
        return self.divided(draw(self.cases, sizes, rng))


@dataclass(frozen=True, slots=True, eq=False)
class Division:
    """One class divided between two sets in several ways: arrays of sets x ways (x scores)."""

    rows: NDArray[np.intp]
    cumulated: Counts
    """The cases among the first scores, from none to all."""
    probability_sums: Floats

    @property
    def sizes(self) -> Counts:
        """The cases of each set."""
        return self.cumulated[:, :, -1]

    def furthest(
        self, weights: Floats, offset: Floats | float = 0.0, *, first: Counts | None = None, last: Counts | None = None
    ) -> Floats:
        """Return the largest |w_A x - w_B y - offset| from one number of scores to another."""
        distances = weights[0, :, None] * self.cumulated[0]
        distances -= weights[1, :, None] * self.cumulated[1]
        distances -= np.asarray(offset)[..., None]
        np.abs(distances, out=distances)
        scores = np.arange(distances.shape[1])
        if first is not None:
            distances[scores < first[:, None]] = 0
        if last is not None:
            distances[scores > last[:, None]] = 0
        return np.asarray(distances.max(axis=1))

    def ks(self) -> Floats:
        """Return the Kolmogorov-Smirnov distance of the sets."""
        return self.furthest(1 / self.sizes)


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The cases of two sets together."""

    counts: ScoreCounts
    positives: PooledClass
    negatives: PooledClass
    midpoint: Midpoint

    @classmethod
    def of(cls, first: ScoreCounts, second: ScoreCounts, midpoint: Midpoint) -> Pool:
        """Return the pool of two sets."""
        pool = first + second
        at = rows_at(first, pool.thresholds)

        def pooled(cases: Counts, cumulated: Counts) -> PooledClass:
            rows = np.flatnonzero(cases)
            scores = pool.scores[rows]
            probabilities = 1 - scores if pool.lower_is_positive else scores
            return PooledClass(rows, probabilities, cases[rows], np.diff(cumulated[at])[rows])

        return cls(pool, pooled(pool.positives, first.tp), pooled(pool.negatives, first.fp), midpoint)

    def in_cells(self) -> Pool:
        """Return the pool with the scores of each class in cells, each cell at the score in its middle."""
        sets = np.zeros((2, 2, len(self.counts)), dtype=np.int64)  # the positives and negatives of both sets
        for at, whole in enumerate((self.positives, self.negatives)):
            starts = cell_starts(whole.cases)
            middles = (starts + np.append(starts[1:], len(whole.rows)) - 1) // 2
            first, both = (np.add.reduceat(cases, starts) for cases in (whole.first, whole.cases))
            sets[:, at, whole.rows[middles]] = first, both - first
        rows = np.flatnonzero(sets.any(axis=(0, 1)))

        def counted(cases: Counts) -> ScoreCounts:
            p, q = cases[:, rows]
            return ScoreCounts.of(self.counts.scores[rows], p, q, lower_is_positive=self.counts.lower_is_positive)

        return Pool.of(counted(sets[0]), counted(sets[1]), self.midpoint)

    def observed(self) -> tuple[Division, Division]:
        """Return how the positives and the negatives are divided."""
        return self.positives.divided(self.positives.first[None]), self.negatives.divided(self.negatives.first[None])

    def draw_positives(self, relabellings: int, rng: np.random.Generator) -> tuple[Counts, int]:
        """Return the number of positives in each relabelled first set, and of draws that left a set without a class."""
        p, q = self.counts.p, self.counts.q
        first = int(self.positives.first.sum() + self.negatives.first.sum())
        kept, redrawn = np.empty(0, dtype=np.int64), 0
        while len(kept) < relabellings:
            drawn = rng.hypergeometric(p, q, first, size=relabellings - len(kept))
            usable = drawn[(drawn > 0) & (drawn < p) & (drawn < first) & (drawn > first - q)]
            kept, redrawn = np.concatenate([kept, usable]), redrawn + len(drawn) - len(usable)
            if redrawn > MOST_REDRAWN * relabellings:
                raise UndefinedError("drift-too-few", most=MOST_REDRAWN, positives=p, negatives=q, first=first)
        return kept, redrawn

    def distances(self, positives: Division, negatives: Division) -> dict[str, Floats]:
        """Return the distances of the two sets for each way in which they are divided."""
        p, q = positives.sizes, negatives.sizes
        n = p + q
        sums = (p, q, positives.probability_sums, negatives.probability_sums)
        totals = Totals(*(each.ravel().astype(np.float64) for each in sums))
        rows = rows_at(self.counts, self.midpoint.of(totals, self.counts)).reshape(p.shape)
        at_p, at_q = (np.searchsorted(each.rows, rows) for each in (positives, negatives))
        tp, fp = (
            np.take_along_axis(of_class.cumulated, at[:, :, None], axis=2)[:, :, 0]
            for of_class, at in ((positives, at_p), (negatives, at_q))
        )
        # where nothing is (non-)sensible, an undefined curve counts as 0 everywhere
        sensible, non_sensible = (1 / np.maximum(size, 1) for size in (tp + q - fp, fp + p - tp))
        return {
            "joint": np.maximum(
                positives.furthest(1 / n, _difference(p / n)), negatives.furthest(1 / n, _difference(q / n))
            ),
            "sensibility": np.maximum(
                positives.furthest(sensible, _difference((fp - q) * sensible), last=at_p.min(axis=0)),
                negatives.furthest(sensible, _difference((tp + q) * sensible), first=at_q.max(axis=0)),
            ),
            "capability": np.maximum(
                positives.furthest(non_sensible, _difference(tp * non_sensible), first=at_p.max(axis=0)),
                negatives.furthest(non_sensible, _difference(fp * non_sensible), last=at_q.min(axis=0)),
            ),
            "prevalence": np.abs(_difference(p / n)),
        }


def within_distance(positives: Division, negatives: Division) -> Floats:
    """Return the larger of the Kolmogorov-Smirnov distances of the classes, each in units of its own spread."""
    apart = (each.ks() / np.sqrt((1 / each.sizes).sum(axis=0)) for each in (positives, negatives))
    return np.asarray(np.maximum(*apart))


def _difference(values: Floats) -> Floats:
    """Return the values of the first set minus those of the second."""
    return np.asarray(values[0] - values[1])
