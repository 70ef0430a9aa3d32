r"""A ROC curve at given false positive rates, and its stratified bootstrap there.

At the false positive rate f, the curve of Q negatives passes the score of its r-th highest negative, r = floor(fQ) + 1.
Of a bootstrapped curve only these scores matter, and they are drawn directly: the gaps between ordered uniform numbers
are gamma numbers over their sum. The number of drawn positives above such a score, and of either class tied with it,
follows from binomial numbers. So a draw has the distribution of resampling all cases, and its cost does not depend on n.

Where the curve is vertical, its highest point counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.bootstrap import percentile_limits
from rocconf.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator
    from numpy.typing import NDArray

    from rocconf.compute.roc.curve import Curve
    from rocconf.records import Floats

GRID = np.arange(101) / 100
GRID.setflags(write=False)


def tpr_at(roc: Curve, fpr: Floats) -> Floats:
    """Return the true positive rate of the curve at false positive rates."""
    return np.where(fpr >= 1, 1.0, np.interp(fpr, roc.fpr, roc.tpr))


def pointwise_limits(roc: Curve, *, level: float, replicates: int, rng: Generator) -> tuple[Floats, Floats]:
    """Return percentiles of the true positive rates of bootstrapped curves at each rate of `GRID`."""
    drawn = np.column_stack(list(bootstrapped(roc, replicates, rng)))
    return percentile_limits(drawn, level)


def bootstrapped(roc: Curve, replicates: int, rng: Generator) -> Iterator[Floats]:
    """Yield the true positive rates of bootstrapped curves at each rate of `GRID`."""
    tp, share = np.zeros(replicates, dtype=np.int64), np.zeros(replicates)
    for percent, (rank, place) in enumerate(_places(roc.q, replicates, rng)):
        # the row of the negative at this place, counted from the highest
        row = np.searchsorted(roc.fp, np.minimum((place * roc.q).astype(np.int64), roc.q - 1), side="right")
        before = roc.tp[row - 1] / roc.p
        tp = tp + rng.binomial(roc.p - tp, np.clip((before - share) / np.maximum(1 - share, 1e-300), 0, 1))
        share = before
        found = tp / roc.p
        tied = np.flatnonzero(roc.tp[row] > roc.tp[row - 1])
        if len(tied):
            crossing = _Crossing(roc, row[tied], place[tied], rank)
            found[tied] += crossing.share(percent * roc.q / 100, rng) * crossing.rise(tp[tied], rng)
        yield found
    yield np.ones(replicates)


def _places(q: int, replicates: int, rng: Generator) -> Iterator[tuple[int, Floats]]:
    """Yield, for each rate below 1, the rank and the uniform number of the negative that the curve passes."""
    ranks = np.array([percent * q // 100 + 1 for percent in range(len(GRID) - 1)])
    steps = rng.standard_gamma(np.diff(ranks, prepend=0), size=(replicates, len(ranks)))
    places = np.cumsum(steps, axis=1)
    places /= (places[:, -1] + rng.standard_gamma(q + 1 - ranks[-1], size=replicates))[:, None]
    yield from zip(ranks.tolist(), places.T, strict=True)


@dataclass(frozen=True, slots=True, eq=False)
class _Crossing:
    """Draws whose rate is among positives and negatives of one score, where the curve is slanted."""

    roc: Curve
    row: NDArray[np.intp]
    place: Floats
    rank: int

    def share(self, at: float, rng: Generator) -> Floats:
        """Return the share of the drawn negatives of the score that are up to the rate."""
        start, end = self.roc.fpr[self.row - 1], self.roc.fpr[self.row]
        before = rng.binomial(self.rank - 1, np.minimum(start / self.place, 1))
        after = np.clip((end - self.place) / (1 - self.place), 0, 1)
        through = self.rank + rng.binomial(self.roc.q - self.rank, after)
        return np.asarray((at - before) / (through - before))

    def rise(self, tp: NDArray[np.int64], rng: Generator) -> Floats:
        """Return the share of the drawn positives that have the score, given those above it."""
        above, through = self.roc.tp[self.row - 1], self.roc.tp[self.row]
        return np.asarray(rng.binomial(self.roc.p - tp, (through - above) / (self.roc.p - above)) / self.roc.p)
