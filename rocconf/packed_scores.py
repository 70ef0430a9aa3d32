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

LEAST_BLOCK, BLOCK = 1 << 13, 1 << 22
"""The cases of which memory is taken at a time: as many as there are, at most so much that it is given back at once."""

ONE = np.uint64(1)
MAGNITUDE, SIGN = (1 << 63) - 1, 1 << 63
"""The bits of a float64 number without its sign, and the sign."""


class PackedScores:
    """The labels and scores of one model's cases, added some at a time."""

    def __init__(self, *, descending: bool, expected: int = LEAST_BLOCK) -> None:
        self._descending = descending
        self._above = _Side(descending=descending, sign=0, expected=expected)
        self._below = _Side(descending=not descending, sign=SIGN, expected=LEAST_BLOCK)

    @property
    def n(self) -> int:
        """The number of cases."""
        return self._above.n + self._below.n

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

    def __init__(self, *, descending: bool, sign: int, expected: int) -> None:
        self._turned = np.uint64(MAGNITUDE if descending else 0)
        self._sign = np.uint64(sign)
        self.blocks: list[Packed] = []
        self.n = self._left = 0
        self._expected = expected

    def add(self, labels: Flags, scores: Floats) -> None:
        """Pack some cases."""
        done = 0
        while done < len(scores):
            if not self._left:
                self._left = min(self.n, BLOCK) or self._expected
                self.blocks.append(np.empty(self._left + 1, dtype=np.uint64))
            some = slice(done, min(done + self._left, len(scores)))
            begin = len(self.blocks[-1]) - self._left
            packed = self.blocks[-1][begin : begin + some.stop - done]
            np.bitwise_xor(scores[some].view(np.uint64), self._turned, out=packed)
            packed <<= ONE  # without the sign
            packed |= labels[some]
            self._left -= len(packed)
            self.n += len(packed)
            done = some.stop

    def unpacked(self, packed: Packed) -> Packed:
        """Return the bits of the scores."""
        bits = packed >> ONE
        bits ^= self._turned
        bits |= self._sign
        return bits


def _joined(sides: Sequence[_Side]) -> Packed:
    """Return the cases of the sides behind one unused number, which forget them."""
    n = sum(side.n for side in sides)
    blocks = [block for side in sides for block in side.blocks]
    if len(blocks) == 1:
        return blocks[0][: n + 1]
    del blocks
    room, end = np.empty(n + 1, dtype=np.uint64), 1
    for side in sides:
        last = end + side.n
        side.blocks.reverse()
        while side.blocks:
            block = side.blocks.pop()  # frees the one before
            size = min(len(block) - 1, last - end)
            room[end : end + size] = block[1 : size + 1]
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
