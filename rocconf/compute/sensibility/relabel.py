r"""The distances of two sets of cases, as they are and with their pooled cases assigned to them at random.

All are the largest absolute value, over a run of distinct scores of one class, of

.. math:: w_A x_i - w_B y_i - d

with :math:`x_i` cases of the first set and :math:`y_i` of the second among the i most positive scores of the class. For
the curves of sensibility and capability this holds because above both midpoints sensibility depends on the positives
alone and below both on the negatives alone, and capability the other way round; between the midpoints the difference of
the two curves is monotone, so its extremes are at the ends.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.curve import rows_at
from rocconf.compute.sensibility.midpoint import Midpoint, Totals
from rocconf.compute.stats.permutation import Pool, draw, draw_positives, p_values, permuted
from rocconf.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocconf.records import Counts, Floats, ScoreCounts


@dataclass(frozen=True, slots=True, eq=False)
class Division:
    """One class divided between two sets in several ways: arrays of sets x ways (x scores)."""

    places: NDArray[np.intp]
    cumulated: Counts
    """The cases among the first scores, from none to all."""
    probability_sums: Floats

    @classmethod
    def of(cls, pool: Pool, first: Counts, probabilities: Floats) -> Division:
        """Return a class with these cases in the first set, a row for each division."""
        cumulated = np.zeros((2, len(first), len(pool.cases) + 1), dtype=np.int64)
        np.cumsum(first, axis=1, out=cumulated[0, :, 1:])
        np.subtract(np.append(0, np.cumsum(pool.cases)), cumulated[0], out=cumulated[1])
        own = probabilities[pool.places]
        sums = np.einsum("ij,j->i", first, own)
        return cls(pool.places, cumulated, np.stack([sums, np.einsum("i,i", pool.cases, own) - sums]))

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


Divided = tuple[Division, Division]
"""The positives and the negatives of two sets."""


@dataclass(frozen=True, slots=True, eq=False)
class TwoSets:
    """The cases of two sets together, of which the first is the sample."""

    counts: ScoreCounts
    probabilities: Floats
    positives: Pool
    negatives: Pool
    midpoint: Midpoint

    @classmethod
    def of(cls, first: ScoreCounts, second: ScoreCounts, midpoint: Midpoint) -> TwoSets:
        """Pool two sets."""
        both = first + second
        at = rows_at(first, both.thresholds)
        probabilities = 1 - both.scores if both.lower_is_positive else both.scores
        positives = Pool.of(both.positives, np.diff(first.tp[at]))
        return cls(both, probabilities, positives, Pool.of(both.negatives, np.diff(first.fp[at])), midpoint)

    def in_cells(self) -> TwoSets:
        """Return the sets with the scores of each class in cells."""
        return replace(self, positives=self.positives.in_cells(), negatives=self.negatives.in_cells())

    def observed(self) -> Divided:
        """Return the sets as they are."""
        return self._divided(self.positives.sample[None], self.negatives.sample[None])

    def drawn(self, positives: Counts, negatives: Counts, rng: np.random.Generator) -> Divided:
        """Return the sets with this many random cases of each class in the first."""
        return self._divided(draw(self.positives.cases, positives, rng), draw(self.negatives.cases, negatives, rng))

    def _divided(self, positives: Counts, negatives: Counts) -> Divided:
        classes = ((self.positives, positives), (self.negatives, negatives))
        first, second = (Division.of(pool, own, self.probabilities) for pool, own in classes)
        return first, second

    def p_values(
        self, permutations: int, rng: np.random.Generator, progress: Callable[[int], None] | None
    ) -> tuple[dict[str, float], int]:
        """Return the p-value of every distance, and how many relabellings were redrawn."""
        p, q = int(self.positives.sample.sum()), int(self.negatives.sample.sum())
        divided = self.observed()
        observed = self.distances(divided, divided)

        def relabelled(positives: Counts) -> Floats:
            anew = self.drawn(positives, p + q - positives, rng)
            within = self.drawn(np.full_like(positives, p), np.full_like(positives, q), rng)
            return np.column_stack([*self.distances(anew, within).values()])

        positives, redrawn = draw_positives(self.counts.p, self.counts.q, p + q, permutations, rng)
        found = p_values(np.concatenate([*observed.values()]), permuted(relabelled, positives, progress))
        return dict(zip(observed, found.tolist(), strict=True)), redrawn

    def distances(self, divided: Divided, within: Divided) -> dict[str, Floats]:
        """Return the distances of the sets for each way in which they are divided, and divided within the classes."""
        positives, negatives = divided
        p, q = positives.sizes, negatives.sizes
        n = p + q
        sums = (p, q, positives.probability_sums, negatives.probability_sums)
        totals = Totals(*(each.ravel().astype(np.float64) for each in sums))
        rows = rows_at(self.counts, self.midpoint.of(totals, self.counts)).reshape(p.shape)
        at_p, at_q = (np.searchsorted(each.places, rows) for each in divided)
        tp, fp = (
            np.take_along_axis(of_class.cumulated, at[:, :, None], axis=2)[:, :, 0]
            for of_class, at in ((positives, at_p), (negatives, at_q))
        )
        # where nothing is (non-)sensible, an undefined curve counts as 0 everywhere
        sensible, non_sensible = (1 / np.maximum(size, 1) for size in (tp + q - fp, fp + p - tp))
        # each class's Kolmogorov-Smirnov distance in units of its own spread
        apart = (each.ks() / np.sqrt((1 / each.sizes).sum(axis=0)) for each in within)
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
            "within": np.maximum(*apart),
        }


def _difference(values: Floats) -> Floats:
    """Return the values of the first set minus those of the second."""
    return np.asarray(values[0] - values[1])
