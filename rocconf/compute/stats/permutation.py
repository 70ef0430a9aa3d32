r"""Permutation tests from counts: p-values of any statistic of which cases of a pool are in a sample.

Where nothing tells the cases of a pool apart, every sample of a size is equally likely: the positives among all cases if
scores have no skill, a set among two sets if nothing changed. So :math:`p = (1 + \#\{D^* \ge D\})/(B + 1)` over B samples
drawn at random [1]_.

A sample is drawn as its number of cases in each of at most `CELLS` cells of neighbouring distinct scores, with about
equally many cases of the pool in each. Up to `CELLS` distinct scores each has a cell of its own. Beyond, D and D* both
are the statistic of the cells, so p is exact; what is shown is the statistic of all scores.

References
----------
.. [1] B. Phipson, G. K. Smyth (2010), Permutation p-values should never be zero, Statistical Applications in
   Genetics and Molecular Biology 9, 39.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.dataclass import dataclass
from rocconf.errors import UndefinedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocconf.records import Counts, Floats

CELLS = 4096
"""The most cells."""

MOST_CASES = 10**9
"""numpy draws without replacement from fewer cases than this."""
BATCH = 32
"""The number of permutations whose statistics are computed together."""
SHUFFLED = 20
"""Up to this many cases per cell it is faster to draw cases than numbers of cases."""
MOST_REDRAWN = 10_000
"""The most samples without a class to redraw for each that is kept."""
ROUNDING = 1e-12
"""Permutations can tie with the data, and rounding must not break the tie."""


def rejection_at(level: float) -> float:
    """Return the largest p-value at which a test rejects; 1 - 0.9 is a little less than 0.1 in floats."""
    from fractions import Fraction

    return float(1 - Fraction(repr(float(level))))


def require_permutations(permutations: int) -> None:
    """Reject a test without permutations."""
    if permutations < 1:
        raise UsageError("permutations-range", permutations=permutations)


def require_relabelling(n: int) -> None:
    """Reject a pool that is too large to draw from."""
    if n >= MOST_CASES:
        raise UndefinedError("drift-too-many", most=MOST_CASES, n=n)


def cell_starts(cases: Counts) -> NDArray[np.intp]:
    """Return the first of the distinct scores of each cell."""
    if len(cases) <= CELLS:
        return np.arange(len(cases))
    cumulated = np.cumsum(cases)
    wanted = np.arange(CELLS) * (float(cumulated[-1]) / CELLS)
    return np.unique(np.searchsorted(cumulated, wanted, side="right"))


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The cases of a pool, and those of them in a sample, at each score in their order."""

    places: NDArray[np.intp]
    """The places of these scores among others."""
    cases: Counts
    sample: Counts

    @classmethod
    def of(cls, cases: Counts, sample: Counts) -> Pool:
        """Return the pool at those scores that have cases."""
        places = np.flatnonzero(cases)
        return cls(places, cases[places], sample[places])

    def in_cells(self) -> Pool:
        """Return the pool with its scores in cells, each at the score in its middle."""
        starts = cell_starts(self.cases)
        middles = (starts + np.append(starts[1:], len(self.cases)) - 1) // 2
        cases, sample = (np.add.reduceat(of, starts) for of in (self.cases, self.sample))
        return Pool(self.places[middles], cases, sample)


def draw(cells: Counts, sizes: Counts, rng: np.random.Generator) -> Counts:
    """Return a row for each size: how many cases of each cell are in a sample of that size."""
    few = cells.sum() <= SHUFFLED * len(cells)
    return np.array(
        [rng.multivariate_hypergeometric(cells, n, method="count" if few else "marginals") for n in sizes.tolist()]
    )


def draw_positives(p: int, q: int, size: int, samples: int, rng: np.random.Generator) -> tuple[Counts, int]:
    """Return the positives in samples that leave both classes on either side, and how many draws did not.

    The pool has p positives and q negatives.
    """
    kept, redrawn = np.empty(0, dtype=np.int64), 0
    while len(kept) < samples:
        drawn = rng.hypergeometric(p, q, size, size=samples - len(kept))
        usable = drawn[(drawn > 0) & (drawn < p) & (drawn < size) & (drawn > size - q)]
        kept, redrawn = np.concatenate([kept, usable]), redrawn + len(drawn) - len(usable)
        if redrawn > MOST_REDRAWN * samples:
            raise UndefinedError("drift-too-few", most=MOST_REDRAWN, positives=p, negatives=q, first=size)
    return kept, redrawn


def permuted(
    statistics: Callable[[Counts], Floats], sizes: Counts, progress: Callable[[int], None] | None = None
) -> Floats:
    """Return the statistics of a permutation for each size, computed for some sizes at a time."""
    found = []
    for start in range(0, len(sizes), BATCH):
        found.append(statistics(sizes[start : start + BATCH]))
        if progress:
            progress(len(found[-1]))
    return np.concatenate(found)


def p_values(observed: Floats | float, drawn: Floats) -> Floats:
    """Return the p-value of each statistic, from a row of statistics for each permutation."""
    least = observed - ROUNDING * np.maximum(1, np.abs(observed))
    return np.asarray((1 + (drawn >= least).sum(axis=0)) / (len(drawn) + 1))
