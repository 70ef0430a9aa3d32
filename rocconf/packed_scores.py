"""Cases as one number each, the score above the label: one sort orders the scores and brings their ties together.

Nonnegative float64 numbers have the order of their bits, and their sign bit is free, so there is room for the label.
Negative scores are kept apart, by their magnitude. Infinities and subnormals keep their order, and -0.0 equals 0.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from rocconf.records import slices
from rocconf.threads import sort

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocconf.records import Counts, Flags, Floats

    Packed = NDArray[np.uint64]
    Anything = TypeVar("Anything", bound=np.generic)

BLOCK = 1 << 22
"""The cases of which memory is taken at a time: so much is given back to the system as soon as it is not needed."""

ONE = np.uint64(1)
MAGNITUDE, SIGN = (1 << 63) - 1, 1 << 63
"""The bits of a float64 number without its sign, and the sign."""


class PackedScores:
    """The labels and scores of one model's cases, added some at a time."""

    def __init__(self, *, descending: bool) -> None:
        self._descending = descending
        self._above, self._below = _Side(descending=descending, sign=0), _Side(descending=not descending, sign=SIGN)

    def add(self, labels: Flags, scores: Floats) -> None:
        """Add some cases; no score is NaN."""
        for part in slices(len(scores)):
            self._add(labels[part], scores[part])

    def _add(self, labels: Flags, scores: Floats) -> None:
        is_below = scores < 0
        if is_below.any():
            self._below.add(labels[is_below], scores[is_below])
            np.logical_not(is_below, out=is_below)
            labels, scores = labels[is_below], scores[is_below]
        self._above.add(labels, scores)

    def cumulated(self) -> tuple[Floats, Counts, Counts]:
        """Return the distinct scores, and how many positives and negatives have them or come before; forget the cases.

        The first row has no case, and an infinite score. The scores take the place of the cases: allocating memory takes
        most of the time of many.
        """
        sides = (self._above, self._below) if self._descending else (self._below, self._above)
        room = _joined(sides)
        tp, fp = (np.empty(len(room), dtype=np.int64) for _ in range(2))  # a page that is not written takes no memory
        tp[0] = fp[0] = positives = 0
        begin = done = 1
        for side in sides:
            packed = room[begin : begin + side.n]
            sort(packed)
            for part in slices(len(packed)):
                piece = packed[part]
                is_last = _are_last(packed, part)
                so_far = np.cumsum(piece & ONE, dtype=np.int64)
                so_far += positives
                positives = int(so_far[-1])
                rank = np.arange(begin + part.start, begin + part.stop)
                scores = side.unpacked(piece)
                if not is_last.all():
                    so_far, rank, scores = so_far[is_last], rank[is_last], scores[is_last]
                rows = slice(done, done + len(rank))
                tp[rows] = so_far
                np.subtract(rank, so_far, out=fp[rows])
                room[rows] = scores  # never ahead of what is still to be read
                done = rows.stop
            begin += side.n
        thresholds = _fitted(room, done).view(np.float64)
        thresholds[0] = np.inf if self._descending else -np.inf
        return thresholds, _fitted(tp, done), _fitted(fp, done)


class _Side:
    """The cases with scores of one sign, packed; a block begins with an unused number."""

    def __init__(self, *, descending: bool, sign: int) -> None:
        self._turned = np.uint64(MAGNITUDE if descending else 0)
        self._sign = np.uint64(sign)
        self._used = BLOCK + 1
        self.blocks: list[Packed] = []
        self.n = 0

    def add(self, labels: Flags, scores: Floats) -> None:
        """Pack some cases."""
        done = 0
        while done < len(scores):
            if self._used > BLOCK:
                self.blocks.append(np.empty(BLOCK + 1, dtype=np.uint64))
                self._used = 1
            some = slice(done, min(done + BLOCK + 1 - self._used, len(scores)))
            packed = self.blocks[-1][self._used : self._used + some.stop - done]
            np.bitwise_xor(scores[some].view(np.uint64), self._turned, out=packed)
            packed <<= ONE  # without the sign
            packed |= labels[some]
            self._used += len(packed)
            done = some.stop
        self.n += len(scores)

    def unpacked(self, packed: Packed) -> Packed:
        """Return the bits of the scores."""
        bits = packed >> ONE
        bits ^= self._turned
        bits |= self._sign
        return bits


def _joined(sides: Sequence[_Side]) -> Packed:
    """Return the cases of the sides behind one unused number, which forget them."""
    blocks = [(side, at) for side in sides for at in range(len(side.blocks))]
    if len(blocks) == 1:
        ((side, _),) = blocks
        return side.blocks.pop()[: side.n + 1]
    room = np.empty(sum(side.n for side in sides) + 1, dtype=np.uint64)
    end = 1
    for side, at in blocks:
        size = min(side.n - at * BLOCK, BLOCK)
        room[end : end + size] = side.blocks[at][1 : size + 1]
        side.blocks[at] = room[:0]  # frees it
        end += size
    return room


def _are_last(packed: Packed, part: slice) -> Flags:
    """Return which cases of a part are the last ones with their score."""
    is_last = np.ones(part.stop - part.start, dtype=np.bool_)
    after = packed[part.start + 1 : part.stop + 1]
    np.greater(packed[part.start : part.start + len(after)] ^ after, ONE, out=is_last[: len(after)])
    return is_last


def _fitted(column: NDArray[Anything], length: int) -> NDArray[Anything]:
    """Return the first values of a column; few of many as a copy, which lets the others be freed."""
    return column[:length] if 2 * length > len(column) else column[:length].copy()
