r"""The largest chi-square over all thresholds, and its permutation p-value.

The maximum of many chi-squares does not have the distribution of one: scores without any skill exceed 3.84 in a quarter
to nearly half of all samples. Its p-value comes from permuting the labels among the scores,

.. math:: p = \frac{1 + \#\{\text{permutations whose maximum reaches the observed one}\}}{B + 1}

Only thresholds with tpr >= fpr take part, in the observed maximum and in the permuted ones.

Permuting labels makes the positives among the first scores a hypergeometric walk with fixed ends. It is not drawn step
by step: the positives of a stretch of scores are split between its halves, which is exact, and a stretch is
dropped once even its best possible point, all its positives before all its negatives, stays below the observed maximum.
(Chi-square rises with tp and falls with fp where tpr >= fpr, so that point bounds the stretch.) That leaves some sqrt(n)
draws for a permutation without skill, and a handful with it.

References
----------
.. [1] R. Miller, D. Siegmund (1982), Maximally selected chi square statistics, Biometrics 38, 1011-1016.
.. [2] B. Phipson, G. K. Smyth (2010), Permutation p-values should never be zero, Statistical Applications in
   Genetics and Molecular Biology 9, 39.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.chi2 import chi2
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocconf.compute.roc.curve import Curve
    from rocconf.records import Counts, Flags

BATCH = 128
"""The number of permutations drawn at a time."""
MOST_DRAWN = 10**9
"""numpy draws hypergeometric numbers from fewer cases of either kind than this."""


@dataclass(frozen=True, slots=True, eq=False)
class _Stretches:
    """Stretches of distinct scores in several permutations, with the tp drawn at their ends."""

    permutation: NDArray[np.intp]
    start: NDArray[np.intp]
    end: NDArray[np.intp]
    tp_start: Counts
    tp_end: Counts

    def keep(self, which: Flags) -> _Stretches:
        """Return some of the stretches."""
        return _Stretches(*(column[which] for column in self._columns()))

    def __add__(self, others: _Stretches) -> _Stretches:
        pairs = zip(self._columns(), others._columns(), strict=True)
        return _Stretches(*(np.concatenate(pair) for pair in pairs))

    def _columns(self) -> tuple[NDArray[np.int64], ...]:
        return self.permutation, self.start, self.end, self.tp_start, self.tp_end


def permutation_p(
    roc: Curve,
    observed: float,
    *,
    permutations: int = 999,
    seed: int = SEED,
    progress: Callable[[int], None] | None = None,
) -> float | None:
    """Return the p-value of the largest chi-square of a curve of all distinct scores.

    It is None where a class is too large to draw from. `progress` is called with the number of permutations finished
    since the last call.
    """
    if permutations < 1:
        raise UsageError("permutations-range", permutations=permutations)
    rng = generator(seed)
    if max(roc.p, roc.q) >= MOST_DRAWN:
        return None
    if observed <= 0:
        return 1.0  # every maximum is at least 0, that of predicting nothing positive
    reached = 0
    for done in range(0, permutations, BATCH):
        size = min(BATCH, permutations - done)
        reached += _count_reaching(roc, observed, size, rng)
        if progress is not None:
            progress(size)
    return (1 + reached) / (permutations + 1)


def _count_reaching(roc: Curve, bar: float, permutations: int, rng: np.random.Generator) -> int:
    """Return how many permutations drawn have a chi-square of at least the bar."""
    cases = roc.tp + roc.fp
    reached = np.zeros(permutations, dtype=np.bool_)
    zeros = np.zeros(permutations, dtype=np.int64)
    whole = _Stretches(np.arange(permutations), zeros, zeros + len(roc) - 1, zeros, zeros + roc.p)
    open_ = whole.keep(whole.end - whole.start > 1)
    while len(open_.start):
        middle = (open_.start + open_.end) // 2
        before = cases[middle] - cases[open_.start]
        good = open_.tp_end - open_.tp_start
        bad = cases[open_.end] - cases[open_.start] - good
        tp = open_.tp_start + rng.hypergeometric(good, bad, before)
        hit = _chi2_above_diagonal(roc, tp, cases[middle] - tp) >= bar
        reached[open_.permutation[hit]] = True
        left = _Stretches(open_.permutation, open_.start, middle, open_.tp_start, tp)
        right = _Stretches(open_.permutation, middle, open_.end, tp, open_.tp_end)
        halves = left + right
        open_ = halves.keep(~reached[halves.permutation] & _may_reach(roc, cases, halves, bar))
    return int(reached.sum())


def _may_reach(roc: Curve, cases: Counts, stretches: _Stretches, bar: float) -> Flags:
    """Return whether each stretch has thresholds inside that could reach the bar."""
    inside = stretches.end - stretches.start > 1
    best = _chi2_above_diagonal(roc, stretches.tp_end, cases[stretches.start] - stretches.tp_start)
    return np.asarray(inside & (best >= bar))


def _chi2_above_diagonal(roc: Curve, tp: Counts, fp: Counts) -> NDArray[np.float64]:
    """Return chi-square where tpr >= fpr, and 0 elsewhere."""
    m = Confusion(tp, fp, roc.p, roc.q)
    return np.where(m.association >= 0, chi2(m), 0.0)
