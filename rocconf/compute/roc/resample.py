"""The stratified bootstrap from counts: as many positives and as many negatives, drawn with replacement.

A replicate is drawn as counts at some rows of a curve, with exactly the distribution that drawing cases gives them.
Between two rows lies a cell of cases of each class: where cells are large, the numbers of cases in them are drawn (a
multinomial), and where they are small, cases are drawn and counted. So the cost of a replicate grows with its rows, not
with the cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.independent import require_independent
from rocconf.dataclass import dataclass
from rocconf.errors import UndefinedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.random import Generator
    from numpy.typing import NDArray

    from rocconf.compute.roc.curve import Curve
    from rocconf.records import Counts
    from rocconf.table import Rows

    Indices = NDArray[np.intp]
    Progress = Callable[[int], None]
    """Called with the number of replicates finished since the last call."""

BATCH = 1 << 18
"""The number of counts drawn at a time, over several replicates."""

MOST_CASES = 2**43
"""The most cases of a class to draw: a multinomial rounds the share of a cell, here to a thousandth of a case."""

CASES_PER_CELL = 8
"""The cases per cell from which drawing their number costs less than drawing cases."""


@dataclass(frozen=True, slots=True, eq=False)
class Replicates:
    """Cumulated true and false positives at some rows of a curve, one replicate a line."""

    tp: Counts
    fp: Counts

    def __len__(self) -> int:
        return len(self.tp)

    @property
    def width(self) -> int:
        """The number of rows."""
        return int(self.tp.shape[1])

    def at(self, lines: Indices, columns: Indices) -> tuple[Counts, Counts]:
        """Return the true and the false positives of some replicates, each at a row."""
        return self.tp[lines, columns], self.fp[lines, columns]

    def whole(self) -> Replicates:
        """Return the counts at all rows: these."""
        return self


def require_drawable(roc: Curve) -> None:
    """Reject curves of clustered cases, and of too many."""
    require_independent(roc, "clusters-bootstrap")
    if max(roc.p, roc.q) > MOST_CASES:
        raise UndefinedError("resample-too-many", most=MOST_CASES, positives=roc.p, negatives=roc.q)


def batches(
    roc: Curve, rows: Rows, count: int, rng: Generator, progress: Progress | None = None
) -> Iterator[Replicates]:
    """Yield replicates of a curve at some of its rows, which ascend, as many at a time as a batch holds.

    `progress` is called with the size of a batch when the next one is requested.
    """
    require_drawable(roc)
    tp = _Class(roc.tp[rows], roc.p)
    fp = _Class(roc.fp[rows], roc.q)
    at_once = max(1, BATCH // len(tp.cells))
    for done in range(0, count, at_once):
        wanted = min(at_once, count - done)
        yield Replicates(tp.draw(wanted, rng), fp.draw(wanted, rng))
        if progress:
            progress(wanted)


class _Class:
    """One class in cells: before the first row, from row to row, and after the last."""

    def __init__(self, cumulated: Counts, total: int) -> None:
        self.total = total
        self.cells = np.diff(cumulated, prepend=0, append=total)

    def draw(self, count: int, rng: Generator) -> Counts:
        """Return the cumulated counts at the rows of replicates of the class."""
        drawn = _draw(self.cells, np.full(count, self.total), rng)
        return np.cumsum(drawn[:, :-1], axis=1)


def _draw(cells: Counts, totals: Counts, rng: Generator) -> Counts:
    """Return how many of the cases drawn for each replicate fall in each cell, one replicate a line."""
    cases = int(cells.sum())
    if cases >= CASES_PER_CELL * len(cells):
        return np.asarray(rng.multinomial(totals, cells / cases))
    replicates, width = len(totals), len(cells)
    if not cases:
        return np.zeros((replicates, width), dtype=np.int64)
    where = np.repeat(np.arange(width), cells)[rng.integers(cases, size=int(totals.sum()))]
    where += np.repeat(np.arange(replicates) * width, totals)
    return np.bincount(where, minlength=replicates * width).reshape(replicates, width)
