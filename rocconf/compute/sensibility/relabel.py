r"""Relabel the cases of two sets, and measure how far apart the two sets are.

All statistics are extremes, over a run of distinct scores of one class, of one bridge: with :math:`x_i` of the first
set's cases and :math:`c_i` of both sets' cases among the i most positive scores of the class,

.. math:: x_i - s\,c_i

for a share s, since any difference :math:`w_A x_i - w_B (c_i - x_i)` is :math:`(w_A + w_B)(x_i - s\,c_i)` with
:math:`s = w_B/(w_A + w_B)`. So each costs one pass over its class.

For the curves of sensibility and capability this is so because above both midpoints sensibility follows the positives
alone and below both the negatives alone, capability the other way round; between the midpoints the difference of the
two curves only rises or only falls, so its extremes are at the ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.curve import rows_at
from rocconf.compute.sensibility.midpoint import Midpoint, Totals
from rocconf.errors import UndefinedError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocconf.records import Counts, Floats, ScoreCounts

CROWDED = 20
"""From so many cases a distinct score on, drawing how many of each score is faster than drawing cases."""

MOST_CASES = 10**9
"""More cases than numpy draws without replacement."""

MOST_REDRAWN = 10_000
"""How many relabellings may be redrawn for each that is kept."""


@dataclass(frozen=True, slots=True)
class Distances:
    """How far two sets are apart in everything that pooling and relabelling their cases would change."""

    joint: float
    sensibility: float
    capability: float
    prevalence: float


@dataclass(frozen=True, slots=True, eq=False)
class PooledClass:
    """One class of both sets: its distinct scores in the order of the decision, with the cases at each."""

    rows: NDArray[np.intp]
    probabilities: Floats
    cases: Counts
    cumulated: Floats
    probability_sum: float

    @classmethod
    def of(cls, pool: ScoreCounts, cases: Counts) -> PooledClass:
        """Pick the scores that have cases of the class."""
        rows = np.flatnonzero(cases)
        probabilities = 1 - pool.scores[rows] if pool.lower_is_positive else pool.scores[rows]
        total = _weighed(cases[rows].astype(np.float64), probabilities)
        return cls(rows, probabilities, cases[rows], _cumulated(cases[rows]), total)

    @property
    def n(self) -> int:
        """The cases of this class in both sets."""
        return int(self.cumulated[-1])

    def draw(self, size: int, rng: np.random.Generator) -> Part:
        """Draw the first set's cases without replacement."""
        if self.n > CROWDED * len(self.cases):
            return self.part(rng.multivariate_hypergeometric(self.cases, size).astype(np.float64))
        chosen = _subset(self.n, size, rng)
        if self.n > len(self.cases):
            chosen = np.add.reduceat(chosen, self.cumulated[:-1].astype(np.intp))
        return self.part(chosen)

    def part(self, cases: Floats) -> Part:
        """Say how many of the cases at each score are in the first set."""
        return Part(self, _cumulated(cases), _weighed(cases, self.probabilities))


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The first set's part in one class; the second set has the rest."""

    whole: PooledClass
    cumulated: Floats
    probability_sum: float

    @property
    def sizes(self) -> Floats:
        """The cases in either set."""
        mine = self.cumulated[-1]
        return np.array([mine, self.whole.cumulated[-1] - mine])

    @property
    def probability_sums(self) -> Floats:
        """The sum of the probabilities in either set."""
        mine = self.probability_sum
        return np.array([mine, self.whole.probability_sum - mine])

    def ends(self, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return how many of the class's scores are among the first scores of the pool."""
        return np.searchsorted(self.whole.rows, rows)

    def above(self, ends: NDArray[np.intp]) -> Floats:
        """Return each set's cases above its own midpoint, given where that cuts the class."""
        first, second = ends
        return np.array([self.cumulated[first], self.whole.cumulated[second] - self.cumulated[second]])

    def furthest(self, weights: Floats, *, less: float = 0.0, run: slice = slice(None)) -> float:
        """Return the largest |w_A x - w_B (c - x) - less| over a run: x of c cumulated cases are the first set's."""
        scale = float(weights.sum())
        bridge = self.whole.cumulated[run] * (-float(weights[1]) / scale)
        bridge += self.cumulated[run]
        return max(scale * float(bridge.max()) - less, less - scale * float(bridge.min()))


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Two sets of cases put together, to be told apart or relabelled."""

    counts: ScoreCounts
    positives: PooledClass
    negatives: PooledClass
    midpoint: Midpoint
    first: int

    @classmethod
    def of(cls, first: ScoreCounts, second: ScoreCounts, midpoint: Midpoint) -> Pool:
        """Put two sets together."""
        pool = first + second
        if pool.n >= MOST_CASES:
            raise UndefinedError(f"relabelling takes fewer than {MOST_CASES:,} cases in both sets (found {pool.n:,})")
        positives, negatives = (PooledClass.of(pool, cases) for cases in (pool.positives, pool.negatives))
        return cls(pool, positives, negatives, midpoint, first.n)

    def parts(self, first: ScoreCounts) -> tuple[Part, Part]:
        """Say which of the cases the first set has, the positives and the negatives."""
        rows = rows_at(first, self.counts.thresholds)
        positives, negatives = (np.diff(cumulated[rows]) for cumulated in (first.tp, first.fp))
        return (
            self.positives.part(positives[self.positives.rows].astype(np.float64)),
            self.negatives.part(negatives[self.negatives.rows].astype(np.float64)),
        )

    def relabelled(self, positives: int, rng: np.random.Generator) -> tuple[Part, Part]:
        """Draw the first set anew, with a given number of positives."""
        return self.positives.draw(positives, rng), self.negatives.draw(self.first - positives, rng)

    def draw_positives(self, relabellings: int, rng: np.random.Generator) -> tuple[Counts, int]:
        """Draw how many positives relabelled first sets have; say how many draws left a set without a class."""
        p, q = self.positives.n, self.negatives.n
        kept, redrawn = np.empty(0, dtype=np.int64), 0
        while len(kept) < relabellings:
            drawn = rng.hypergeometric(p, q, self.first, size=relabellings - len(kept))
            usable = drawn[(drawn > 0) & (drawn < p) & (drawn < self.first) & (drawn > self.first - q)]
            kept, redrawn = np.concatenate([kept, usable]), redrawn + len(drawn) - len(usable)
            if redrawn > MOST_REDRAWN * relabellings:
                raise UndefinedError(
                    f"fewer than one relabelling in {MOST_REDRAWN:,} leaves both sets with both classes: there are too few "
                    f"cases ({p:,} positive and {q:,} negative, {self.first:,} of them in the first set) for the test"
                )
        return kept, redrawn

    def distances(self, positives: Part, negatives: Part) -> Distances:
        """Measure how far the sets are apart."""
        p, q = positives.sizes, negatives.sizes
        n = p + q
        totals = Totals(p, q, positives.probability_sums, negatives.probability_sums)
        rows = rows_at(self.counts, self.midpoint.of(totals, self.counts))
        at_p, at_q = positives.ends(rows), negatives.ends(rows)
        tp, fp = positives.above(at_p), negatives.above(at_q)
        sensible, non_sensible = _inverse(tp + q - fp), _inverse(fp + p - tp)
        above_p, above_q = slice(0, at_p.min() + 1), slice(0, at_q.min() + 1)
        below_p, below_q = slice(at_p.max(), None), slice(at_q.max(), None)
        return Distances(
            joint=max(
                positives.furthest(1 / n, less=_less(p / n)),
                negatives.furthest(1 / n, less=_less(q / n)),
            ),
            sensibility=max(
                positives.furthest(sensible, run=above_p, less=_less((fp - q) * sensible)),
                negatives.furthest(sensible, run=below_q, less=_less((tp + q) * sensible)),
            ),
            capability=max(
                positives.furthest(non_sensible, run=below_p, less=_less(tp * non_sensible)),
                negatives.furthest(non_sensible, run=above_q, less=_less(fp * non_sensible)),
            ),
            prevalence=abs(_less(p / n)),
        )


def within_distance(positives: Part, negatives: Part) -> float:
    """Return the larger of the classes' Kolmogorov-Smirnov distances, each in units of its own spread."""
    return max(
        part.furthest(1 / part.sizes) * sqrt(part.sizes.prod() / part.whole.n) for part in (positives, negatives)
    )


def _less(values: Floats) -> float:
    """Return the first set's value less the second's."""
    return float(values[0] - values[1])


def _inverse(sizes: Floats) -> Floats:
    """Return 1/size; 1 for nothing, of which an undefined curve counts 0 everywhere."""
    return 1 / np.maximum(sizes, 1)


def _weighed(cases: Floats, probabilities: Floats) -> float:
    """Return the sum of products; einsum, since a threaded `@` would wait for its threads a thousand times."""
    return float(np.einsum("i,i", cases, probabilities))


def _cumulated(cases: Floats | Counts) -> Floats:
    cumulated = np.zeros(len(cases) + 1)
    np.cumsum(cases, out=cumulated[1:])
    return cumulated


def _subset(n: int, size: int, rng: np.random.Generator) -> Floats:
    """Mark `size` of n cases with 1, every choice being as likely as any other.

    Each case is marked by a coin, and then cases are marked or unmarked at random until there are `size`: no step
    prefers a case, so the choice is fair, and for many cases it takes a fifth of a shuffle's time.
    """
    marked = rng.integers(0, 1 << 16, n, dtype=np.uint16) < round((1 << 16) * size / n)
    surplus = int(np.count_nonzero(marked)) - size
    if surplus:
        changed = rng.choice(np.flatnonzero(marked == (surplus > 0)), abs(surplus), replace=False, shuffle=False)
        marked[changed] = surplus < 0
    return marked.astype(np.float64)
