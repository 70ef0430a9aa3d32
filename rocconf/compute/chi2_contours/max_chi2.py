"""The largest chi-square over all thresholds, and its permutation p-value.

The maximum of many chi-squares does not have the distribution of one: scores without any skill exceed 3.84 in a quarter
to nearly half of all samples. Its p-value comes from permuting the labels among the scores (see
`rocconf.compute.stats.permutation`). Only thresholds with tpr >= fpr take part, in the observed maximum and in the
permuted ones.

References
----------
.. [1] R. Miller, D. Siegmund (1982), Maximally selected chi square statistics, Biometrics 38, 1011-1016.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.chi2 import chi2
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.permutation import (
    MOST_CASES,
    cell_starts,
    draw,
    p_values,
    permuted,
    require_permutations,
)
from rocconf.compute.stats.seeds import SEED, generator

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.records import Counts, Floats, ScoreCounts


def max_chi2_p(
    counts: ScoreCounts,
    *,
    permutations: int = 999,
    seed: int = SEED,
    progress: Callable[[int], None] | None = None,
) -> float | None:
    """Return the p-value of the largest chi-square of a model; None if there are too many cases to permute.

    `progress` is called with the number of permutations finished since the last call.
    """
    require_permutations(permutations)
    rng = generator(seed)
    if counts.n >= MOST_CASES:
        return None
    cases = counts.positives + counts.negatives
    starts = cell_starts(cases)
    cells = np.add.reduceat(cases, starts)
    observed = largest_chi2(np.add.reduceat(counts.positives, starts), cells)
    sizes = np.full(permutations, counts.p)
    drawn = permuted(lambda sizes: largest_chi2(draw(cells, sizes, rng), cells), sizes, progress)
    return float(p_values(observed, drawn))


def largest_chi2(positives: Counts, cells: Counts) -> Floats:
    """Return the largest chi-square with tpr >= fpr, 0 without one, from the positives of each cell of cases."""
    tp, cases = np.cumsum(positives, axis=-1), np.cumsum(cells)
    p, n = int(positives.sum(axis=-1).flat[0]), int(cases[-1])
    m = Confusion(tp, cases - tp, p, n - p)
    return np.asarray(np.where(m.association > 0, chi2(m), 0.0).max(axis=-1))
