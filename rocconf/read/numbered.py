"""Counts scores by small whole numbers in place of sorting them: rounded scores, and those in dyadic bins.

Both ways are exact. A score is rounded to d decimals if it equals k / 10^d, bit for bit, for a whole number k: the quotient
of two whole numbers is the float nearest to the decimal. A cell of dyadic bins is all scores whose magnitude or, from 1/2 on,
distance from 1 has the same leading bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from rocconf.bins import FINEST, LEAST, Dyadic, Ends

if TYPE_CHECKING:
    from rocconf.bins import Binning
    from rocconf.records import Counts, Flags, Floats

FEWEST = 1 << 13
"""The fewest cases at once for which a table of all numbers is worth its memory."""

CHUNK = 1 << 15
"""The cases of which all intermediate results fit the cache."""

SAMPLE = 1 << 8
"""The scores that are looked at first: mostly they show that scores are not rounded."""

MOST_DECIMALS = 6
LARGEST = 1 << 20
"""What the numbers of rounded scores stay below in magnitude."""

FINEST_TABLE = 14
"""The finest resolution that has a table, of which only the part that is used takes memory."""

HALF_STEP = 2.0**-54
"""Half the distance of two floats in [1/2, 1)."""


class Numbered(Protocol):
    """Cases at scores that have numbers."""

    @property
    def span(self) -> int:
        """How many scores of both classes there are at most."""

    def add(self, labels: Flags, scores: Floats) -> int:
        """Add cases up to one whose score has no number, or to one a little before it, and return how many."""

    def take(self) -> tuple[Ends, Counts, Counts]:
        """Return the scores, or the range of those found in each cell, in ascending order with their cases, and forget them."""


def numbered_in(binning: Binning | None) -> Numbered | None:
    """Return what counts scores, or those in bins; None if these have no table."""
    if binning is None:
        return Rounded()
    if isinstance(binning, Dyadic) and binning.resolution <= FINEST_TABLE:
        return Cells(binning.resolution)
    return None


class Rounded:
    """Cases at scores of a few decimals."""

    def __init__(self) -> None:
        self._decimals, self._largest = 0, 0.0
        self._totals = np.zeros(0, dtype=np.int64)
        """The negatives and the positives at each number from -LARGEST on, in turn."""

    def add(self, labels: Flags, scores: Floats) -> int:
        """Add cases as long as their scores are rounded."""
        largest = max(self._largest, float(scores.max()), -float(scores.min()))
        if _decimals_of(scores[:SAMPLE], self._decimals, largest) is None:
            return 0
        self._largest, buffers = largest, _Buffers()
        if not len(self._totals):
            self._rescale(self._decimals)
        for start in range(0, len(scores), CHUNK):
            some = scores[start : start + CHUNK]
            if not _are_rounded(some, self._decimals, buffers):
                decimals = _decimals_of(some, self._decimals, largest)
                if decimals is None:
                    return start
                self._rescale(decimals)
                _are_rounded(some, decimals, buffers)
            places = buffers.numbers[: len(some)]
            np.add(buffers.floats[: len(some)], LARGEST, out=places, casting="unsafe")
            places <<= 1
            places |= labels[start : start + CHUNK].view(np.int8)
            np.add.at(self._totals, places, 1)
        return len(scores)

    @property
    def span(self) -> int:
        """How many scores of both classes there are at most."""
        return 2 * (2 * self._reached + 1) if len(self._totals) else 0

    def take(self) -> tuple[Ends, Counts, Counts]:
        """Return the scores in ascending order with their cases, and forget them."""
        numbers, totals = self._found()
        scores = numbers / 10.0**self._decimals
        self._totals, self._largest = np.zeros(0, dtype=np.int64), 0.0
        return Ends(scores, scores), totals[:, 1], totals[:, 0]

    @property
    def _reached(self) -> int:
        """The largest magnitude of a number, at most."""
        return round(self._largest * 10.0**self._decimals)

    def _found(self) -> tuple[Counts, Counts]:
        """Return the numbers that cases have, and the totals of each."""
        totals = self._totals.reshape(-1, 2)[LARGEST - self._reached : LARGEST + self._reached + 1]
        found = np.flatnonzero(totals.any(axis=1))
        return found - self._reached, totals[found]

    def _rescale(self, decimals: int) -> None:
        """Count by the numbers of more decimals from now on."""
        numbers, totals = self._found()
        self._totals = np.zeros(4 * LARGEST, dtype=np.int64)
        self._totals.reshape(-1, 2)[LARGEST + numbers * 10 ** (decimals - self._decimals)] = totals
        self._decimals = decimals


def _decimals_of(scores: Floats, at_least: int, largest: float) -> int | None:
    """Return the fewest decimals that some scores are rounded to; None if these are too many."""
    for decimals in range(at_least, MOST_DECIMALS + 1):
        scale = 10.0**decimals
        if largest * scale >= LARGEST - 1:
            break
        if (np.rint(scores * scale) / scale == scores).all():
            return decimals
    return None


def _are_rounded(scores: Floats, decimals: int, buffers: _Buffers) -> bool:
    """Whether all scores are rounded to some decimals; the first of the buffers has their numbers then."""
    nearest, again, scale = buffers.floats[: len(scores)], buffers.others[: len(scores)], 10.0**decimals
    np.rint(np.multiply(scores, scale, out=nearest), out=nearest)
    return bool((np.divide(nearest, scale, out=again) == scores).all())


class _Buffers:
    """Room for the intermediate results of a chunk."""

    def __init__(self) -> None:
        self.floats, self.others, self.numbers = np.empty(CHUNK), np.empty(CHUNK), np.empty(CHUNK, dtype=np.int64)


class Cells:
    """Cases with scores in [0, 1] in the cells of dyadic bins."""

    def __init__(self, resolution: int) -> None:
        self._shift = FINEST - resolution
        self._before = (int(np.float64(LEAST).view(np.int64)) >> self._shift) - 1
        """The number of the cell before the first: cell 0 is that of the scores 0 and 1."""
        self._n = 4 * ((int(np.float64(1).view(np.int64)) >> self._shift) - self._before)
        """The number of cells on both sides of 1/2, those of each class apart."""
        self._totals: Counts | None = None

    def add(self, labels: Flags, scores: Floats) -> int:
        """Add all cases if their scores are in [0, 1] and not next to 0, otherwise none."""
        lowest = float(scores.min())
        if lowest < 0 or float(scores.max()) > 1 or (lowest < LEAST and bool(((scores > 0) & (scores < LEAST)).any())):
            return 0
        totals = self._totals
        if totals is None:
            self._totals = totals = np.zeros(self._n, dtype=np.int64)
            self._one, self._other = np.zeros(self._n), np.zeros(self._n)
            self._are_wide = np.zeros(self._n, dtype=np.bool_)
        buffers = _Buffers()
        for start in range(0, len(scores), CHUNK):
            some = scores[start : start + CHUNK]
            cells = self._cells(labels[start : start + CHUNK], some, buffers)
            self._note_scores(totals, cells, some)
            np.add.at(totals, cells, 1)
        return len(scores)

    @property
    def span(self) -> int:
        """How many cells of both classes there are at most."""
        return 0 if self._totals is None else self._n

    def take(self) -> tuple[Ends, Counts, Counts]:
        """Return the range of the scores that were found in each cell of each class in ascending order, and forget them."""
        if self._totals is None:
            return Ends(np.zeros(0), np.zeros(0)), *np.zeros((2, 0), dtype=np.int64)
        found = np.flatnonzero(self._totals)
        one = self._one[found] + 0.0
        other = np.where(self._are_wide[found], self._other[found], one)
        order = np.argsort(np.minimum(one, other), kind="stable")
        found, one, other = found[order], one[order], other[order]
        totals, is_positive = self._totals[found], found & 1
        self._totals = None
        return Ends(np.minimum(one, other), np.maximum(one, other)), totals * is_positive, totals * (1 - is_positive)

    def _cells(self, labels: Flags, scores: Floats, buffers: _Buffers) -> Counts:
        """Return the cell of each case: that of the lesser of the score and its distance from 1, its side, and its class.

        A bin above 1/2 holds the distances above one number up to the next: half a step less is above the number, too.
        """
        lesser, cells = buffers.floats[: len(scores)], buffers.numbers[: len(scores)]
        np.subtract(1.0, scores, out=lesser)
        lesser -= HALF_STEP
        np.minimum(lesser, scores, out=lesser)
        np.right_shift(lesser.view(np.int64), self._shift, out=cells)
        cells -= self._before
        np.maximum(cells, 0, out=cells)  # 0 on its side, 1 on the other
        side = (scores >= 0.5).view(np.int8)
        side <<= 1
        side |= labels.view(np.int8)
        cells <<= 2
        cells |= side
        return cells

    def _note_scores(self, totals: Counts, cells: Counts, scores: Floats) -> None:
        """Note one score in each cell, and another if there is one: more need not be known."""
        narrow = np.flatnonzero(~self._are_wide[cells])
        cells, scores = cells[narrow], scores[narrow]
        new = totals[cells] == 0
        self._one[cells[new]] = scores[new]
        differ = scores != self._one[cells]
        self._other[cells[differ]] = scores[differ]
        self._are_wide[cells[differ]] = True
