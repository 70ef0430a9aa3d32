"""The stratified bootstrap from counts: as many positives and as many negatives again, drawn with replacement.

A replicate is drawn as counts at some rows of a curve, with exactly the distribution that drawing cases would give
them. Between two rows lies a cell of cases of each class: where cells are large, the numbers of cases in them are
drawn (a multinomial), and where they are small, cases are drawn and counted. So a replicate costs what is looked at
of it, not the number of cases; and a stretch that turns out to matter can be drawn in detail afterwards, given all
that was drawn of it before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.random import Generator
    from numpy.typing import NDArray

    from rocconf.compute.roc.curve import Curve
    from rocconf.records import Counts
    from rocconf.table import Rows

    Indices = NDArray[np.intp]
    Progress = Callable[[int], None]
    """Is told how many replicates were finished since it was last told."""

BATCH = 1 << 18
"""How many counts are drawn at a time, so that replicates of few rows are drawn many at once."""

CASES_PER_CELL = 8
"""From how many cases a cell on drawing their number costs less than drawing them."""


@dataclass(frozen=True, slots=True, eq=False)
class Replicates:
    """Cumulated true and false positives at some rows of a curve; one line is one replicate."""

    tp: Counts
    fp: Counts

    def __len__(self) -> int:
        return len(self.tp)

    def only(self, replicate: int, columns: slice) -> Replicates:
        """Return some columns of one replicate."""
        return Replicates(self.tp[replicate : replicate + 1, columns], self.fp[replicate : replicate + 1, columns])


def batches(
    roc: Curve, rows: Rows, count: int, rng: Generator, progress: Progress | None = None
) -> Iterator[Replicates]:
    """Draw replicates of a curve at some of its rows, as many at a time as a batch holds.

    The rows ascend. `progress` is told of each batch when its reader is done with it.
    """
    tp = _Class(roc.tp[rows], roc.p)
    fp = _Class(roc.fp[rows], roc.q)
    at_once = max(1, BATCH // len(tp.cells))
    for done in range(0, count, at_once):
        wanted = min(at_once, count - done)
        yield Replicates(tp.anew(wanted, rng), fp.anew(wanted, rng))
        if progress:
            progress(wanted)


def in_detail(roc: Curve, rows: Indices, at: Replicates, rng: Generator) -> Replicates:
    """Draw one replicate at all rows from the first to the last of some, given what it has at each of them."""
    return Replicates(_filled(roc.tp, rows, at.tp[0], rng)[None], _filled(roc.fp, rows, at.fp[0], rng)[None])


class _Class:
    """One class, cut into the cells before the first row, from row to row, and after the last."""

    def __init__(self, cumulated: Counts, total: int) -> None:
        self.total = total
        self.cells = np.diff(cumulated, prepend=0, append=total)

    def anew(self, count: int, rng: Generator) -> Counts:
        """Draw replicates of the whole class; return their cumulated counts at the rows."""
        drawn = _draw(self.cells, np.full(count, self.total), rng)
        return np.cumsum(drawn[:, :-1], axis=1)


def _draw(cells: Counts, totals: Counts, rng: Generator) -> Counts:
    """Draw so many cases for each replicate; return how many fall in each cell, one line a replicate."""
    held = int(cells.sum())
    if held >= CASES_PER_CELL * len(cells):
        return np.asarray(rng.multinomial(totals, cells / held))
    replicates, width = len(totals), len(cells)
    if not held:
        return np.zeros((replicates, width), dtype=np.int64)
    where = np.repeat(np.arange(width), cells)[rng.integers(held, size=int(totals.sum()))]
    where += np.repeat(np.arange(replicates) * width, totals)
    return np.bincount(where, minlength=replicates * width).reshape(replicates, width)


def _filled(cumulated: Counts, rows: Indices, drawn: Counts, rng: Generator) -> Counts:
    """Draw what lies between the rows: cases of the class keep to the gap of rows they were drawn in."""
    cells = np.diff(cumulated[rows[0] : rows[-1] + 1])
    ends, wanted = cumulated[rows], np.diff(drawn)
    if ends[-1] - ends[0] >= CASES_PER_CELL * len(cells):
        gaps = np.split(cells, rows[1:-1] - rows[0])
        counts = np.concatenate([_draw(gap, of[None], rng)[0] for gap, of in zip(gaps, wanted, strict=True)])
    else:
        cases = rng.integers(np.repeat(ends[:-1], wanted), np.repeat(ends[1:], wanted)) - ends[0]
        counts = np.bincount(np.repeat(np.arange(len(cells)), cells)[cases], minlength=len(cells))
    filled: Counts = drawn[0] + np.concatenate([[0], np.cumsum(counts)])
    return filled
