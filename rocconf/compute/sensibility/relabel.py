r"""Relabel the cases of two sets, and measure the distances of the sets.

All statistics are extremes, over a run of distinct scores of one class, of one bridge: with :math:`x_i` cases of the
first set and :math:`c_i` cases of both sets among the i most positive scores of the class,

.. math:: x_i - s\,c_i

for a share s, since any difference :math:`w_A x_i - w_B (c_i - x_i)` is :math:`(w_A + w_B)(x_i - s\,c_i)` with
:math:`s = w_B/(w_A + w_B)`. So each takes one pass over its class.

For the curves of sensibility and capability this holds because above both midpoints sensibility depends on the positives
alone and below both on the negatives alone, and capability the other way round; between the midpoints the difference of
the two curves is monotone, so its extremes are at the ends.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocconf.compute.roc.curve import rows_at
from rocconf.compute.sensibility.marked import BitClass, MarkedPart
from rocconf.compute.sensibility.midpoint import Midpoint, Totals
from rocconf.dataclass import dataclass
from rocconf.errors import UndefinedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rocconf.records import Counts, Floats, ScoreCounts

CROWDED = 20
"""The cases per distinct score from which drawing their number is faster than drawing cases."""

MANY_CASES = 1 << 15
"""The cases of a class from which on they are drawn as bits."""

MOST_CASES = 10**9
"""numpy draws without replacement from fewer cases than this."""

MOST_REDRAWN = 10_000
"""The most relabellings to redraw for each that is kept."""


class Run(NamedTuple):
    """What a bridge is multiplied by, what is subtracted from it, and on which scores it is looked at."""

    weights: Floats
    less: float
    scores: slice = slice(None)


@dataclass(frozen=True, slots=True)
class Distances:
    """The distances of two sets that are tested by relabelling their pooled cases."""

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
    bits: BitClass | None

    @classmethod
    def of(cls, pool: ScoreCounts, cases: Counts) -> PooledClass:
        """Return the class of pooled counts."""
        rows = np.flatnonzero(cases)
        probabilities = 1 - pool.scores[rows] if pool.lower_is_positive else pool.scores[rows]
        total = _weighed(cases[rows].astype(np.float64), probabilities)
        cumulated = _cumulated(cases[rows])
        is_in_bits = MANY_CASES <= cumulated[-1] <= CROWDED * len(rows)
        bits = BitClass.of(cumulated, probabilities) if is_in_bits else None
        return cls(rows, probabilities, cases[rows], cumulated, total, bits)

    @property
    def n(self) -> int:
        """The cases of this class in both sets."""
        return int(self.cumulated[-1])

    def ends(self, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the number of scores of the class among the first scores of the pool."""
        return np.searchsorted(self.rows, rows)

    def draw(self, size: int, rng: np.random.Generator) -> AnyPart:
        """Return a part of this size, drawn without replacement."""
        if self.bits is not None:
            return self.bits.draw(size, rng)
        if self.n > CROWDED * len(self.cases):
            return self.part(rng.multivariate_hypergeometric(self.cases, size).astype(np.float64))
        chosen = subset(self.n, size, rng)
        if self.n > len(self.cases):
            chosen = np.add.reduceat(chosen, self.cumulated[:-1].astype(np.intp))
        return self.part(chosen)

    def part(self, cases: Floats) -> Part:
        """Return the part with these cases of each score."""
        return Part(self, _cumulated(cases), _weighed(cases, self.probabilities))


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The cases of one class in the first set; the second set has the rest."""

    whole: PooledClass
    cumulated: Floats
    probability_sum: float

    @property
    def sizes(self) -> Floats:
        """The numbers of cases of the two sets."""
        first = self.cumulated[-1]
        return np.array([first, self.whole.cumulated[-1] - first])

    @property
    def probability_sums(self) -> Floats:
        """The sums of the probabilities of the two sets."""
        first = self.probability_sum
        return np.array([first, self.whole.probability_sum - first])

    def above(self, ends: NDArray[np.intp]) -> Floats:
        """Return the cases of each set above the midpoint of the set, given the index at which it cuts the class."""
        first, second = ends
        return np.array([self.cumulated[first], self.whole.cumulated[second] - self.cumulated[second]])

    def furthest(self, weights: Floats, less: float = 0.0, run: slice = slice(None)) -> float:
        """Return the largest |w_A x - w_B (c - x) - less| over a run, where x of c cumulated cases are in the first set."""
        scale = float(weights.sum())
        bridge = self.whole.cumulated[run] * (-float(weights[1]) / scale)
        bridge += self.cumulated[run]
        return max(scale * float(bridge.max()) - less, less - scale * float(bridge.min()))

    def reaches(self, least: float, weights: Floats, less: float = 0.0, run: slice = slice(None)) -> bool:
        """Whether it is as far as a distance."""
        return self.furthest(weights, less, run) >= least


AnyPart = Part | MarkedPart


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The cases of two sets together, to be relabelled."""

    counts: ScoreCounts
    positives: PooledClass
    negatives: PooledClass
    midpoint: Midpoint
    first: int

    @classmethod
    def of(cls, first: ScoreCounts, second: ScoreCounts, midpoint: Midpoint) -> Pool:
        """Return the pool of two sets."""
        pool = first + second
        if pool.n >= MOST_CASES:
            raise UndefinedError("drift-too-many", most=MOST_CASES, n=pool.n)
        positives, negatives = (PooledClass.of(pool, cases) for cases in (pool.positives, pool.negatives))
        return cls(pool, positives, negatives, midpoint, first.n)

    def parts(self, first: ScoreCounts) -> tuple[Part, Part]:
        """Return the positives and the negatives of the first set."""
        rows = rows_at(first, self.counts.thresholds)
        positives, negatives = (np.diff(cumulated[rows]) for cumulated in (first.tp, first.fp))
        return (
            self.positives.part(positives[self.positives.rows].astype(np.float64)),
            self.negatives.part(negatives[self.negatives.rows].astype(np.float64)),
        )

    def relabelled(self, positives: int, rng: np.random.Generator) -> tuple[AnyPart, AnyPart]:
        """Return a first set drawn anew, with this number of positives."""
        return self.positives.draw(positives, rng), self.negatives.draw(self.first - positives, rng)

    def draw_positives(self, relabellings: int, rng: np.random.Generator) -> tuple[Counts, int]:
        """Return the number of positives in each relabelled first set, and of draws that left a set without a class."""
        p, q = self.positives.n, self.negatives.n
        kept, redrawn = np.empty(0, dtype=np.int64), 0
        while len(kept) < relabellings:
            drawn = rng.hypergeometric(p, q, self.first, size=relabellings - len(kept))
            usable = drawn[(drawn > 0) & (drawn < p) & (drawn < self.first) & (drawn > self.first - q)]
            kept, redrawn = np.concatenate([kept, usable]), redrawn + len(drawn) - len(usable)
            if redrawn > MOST_REDRAWN * relabellings:
                raise UndefinedError("drift-too-few", most=MOST_REDRAWN, positives=p, negatives=q, first=self.first)
        return kept, redrawn

    def distances(self, positives: Part, negatives: Part) -> Distances:
        """Return the distances of the two sets."""
        found = {
            name: max(positives.furthest(*one), negatives.furthest(*other))
            for name, (one, other) in self._runs(positives, negatives).items()
        }
        return Distances(prevalence=_prevalence(positives, negatives), **found)

    def reached(self, least: Mapping[str, float], positives: AnyPart, negatives: AnyPart) -> dict[str, bool]:
        """Return whether each distance of the two sets is at least another."""
        found = {
            name: positives.reaches(least[name], *one) or negatives.reaches(least[name], *other)
            for name, (one, other) in self._runs(positives, negatives).items()
        }
        return {**found, "prevalence": _prevalence(positives, negatives) >= least["prevalence"]}

    def _runs(self, positives: AnyPart, negatives: AnyPart) -> dict[str, tuple[Run, Run]]:
        """Return where the bridges of the positives and of the negatives are as far as each distance."""
        p, q = positives.sizes, negatives.sizes
        n = p + q
        totals = Totals(p, q, positives.probability_sums, negatives.probability_sums)
        rows = rows_at(self.counts, self.midpoint.of(totals, self.counts))
        at_p, at_q = self.positives.ends(rows), self.negatives.ends(rows)
        tp, fp = positives.above(at_p), negatives.above(at_q)
        sensible, non_sensible = _inverse(tp + q - fp), _inverse(fp + p - tp)
        above_p, above_q = slice(0, at_p.min() + 1), slice(0, at_q.min() + 1)
        below_p, below_q = slice(at_p.max(), None), slice(at_q.max(), None)
        return {
            "joint": (Run(1 / n, _less(p / n)), Run(1 / n, _less(q / n))),
            "sensibility": (
                Run(sensible, _less((fp - q) * sensible), above_p),
                Run(sensible, _less((tp + q) * sensible), below_q),
            ),
            "capability": (
                Run(non_sensible, _less(tp * non_sensible), below_p),
                Run(non_sensible, _less(fp * non_sensible), above_q),
            ),
        }


def within_distance(positives: Part, negatives: Part) -> float:
    """Return the larger of the Kolmogorov-Smirnov distances of the classes, each in units of its own spread."""
    return max(part.furthest(1 / part.sizes) * _spread(part) for part in (positives, negatives))


def within_reached(least: float, positives: AnyPart, negatives: AnyPart) -> bool:
    """Whether the larger of the distances of the classes is at least another."""
    return any(part.reaches(least / _spread(part), 1 / part.sizes) for part in (positives, negatives))


def _spread(part: AnyPart) -> float:
    return sqrt(part.sizes.prod() / part.whole.n)


def _prevalence(positives: AnyPart, negatives: AnyPart) -> float:
    p, q = positives.sizes, negatives.sizes
    return abs(_less(p / (p + q)))


def _less(values: Floats) -> float:
    """Return the value of the first set less that of the second."""
    return float(values[0] - values[1])


def _inverse(sizes: Floats) -> Floats:
    """Return 1/size, 1 for a size of 0, where an undefined curve counts as 0 everywhere."""
    return 1 / np.maximum(sizes, 1)


def _weighed(cases: Floats, probabilities: Floats) -> float:
    """Return the sum of products, with einsum: a threaded `@` would wait for its threads a thousand times."""
    return float(np.einsum("i,i", cases, probabilities))


def _cumulated(cases: Floats | Counts) -> Floats:
    cumulated = np.zeros(len(cases) + 1)
    np.cumsum(cases, out=cumulated[1:])
    return cumulated


def subset(n: int, size: int, rng: np.random.Generator) -> Floats:
    """Return n cases of which `size` are marked with 1, all choices equally likely.

    Each case is marked with a fixed probability, and then cases are marked or unmarked at random until there are `size`.
    No step prefers a case, so the choice is fair, and for many cases it takes a fifth of the time of a shuffle.
    """
    marked = rng.integers(0, 1 << 16, n, dtype=np.uint16) < round((1 << 16) * size / n)
    surplus = int(np.count_nonzero(marked)) - size
    if surplus:
        changed = rng.choice(np.flatnonzero(marked == (surplus > 0)), abs(surplus), replace=False, shuffle=False)
        marked[changed] = surplus < 0
    return marked.astype(np.float64)
