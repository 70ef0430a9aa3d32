"""The order of cases by score, found with one sort of plain integers.

The order-preserving bits of a score and the number of its case are packed into one 64-bit integer, score above
number. Plain integers are sorted several times as fast as an index is, and what stands below the score afterwards is
the index. Where the two do not fit into 64 bits the score loses its last bits, and the few neighbours that only
those tell apart are put in order afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocconf.records import slices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocconf.records import Flags, Floats

    Indices = NDArray[np.int64]
    Bits = NDArray[np.uint64]

SIGN = np.uint64(1 << 63)
SIGN_PLACE = np.uint64(63)
ONE = np.uint64(1)


class Ordering(NamedTuple):
    """Cases from the lowest score to the highest, and at which of them a run of equal scores ends."""

    cases: Indices
    ends: Flags


def ordering(scores: Floats) -> Ordering:
    """Order cases by score, none of which is NaN; cases of one score stand in any order."""
    packed = ordered_bits(scores)
    packed -= packed.min()
    number = np.uint64((len(packed) - 1).bit_length())
    lost = np.uint64(max(int(packed.max()).bit_length() + int(number) - 64, 0))
    for part in slices(len(packed)):
        piece = packed[part]
        piece >>= lost
        piece <<= number
        piece |= np.arange(part.start, part.stop, dtype=np.uint64)
    packed.sort()
    ends = np.ones(len(packed), dtype=np.bool_)
    for part in slices(len(packed) - 1):
        score = packed[part.start : part.stop + 1] >> number
        np.not_equal(score[1:], score[:-1], out=ends[part])
    packed &= (ONE << number) - ONE
    cases = packed.view(np.int64)
    if lost:
        _put_in_order(scores, cases, ends)
    return Ordering(cases, ends)


def same_order(first: Floats, second: Floats) -> bool:
    """Whether two scores put the cases in the same order, ties included."""
    cases, ends = ordering(first)
    following = second[cases]
    rises, falls = following[1:] > following[:-1], following[1:] < following[:-1]
    return bool((rises == ends[:-1]).all()) and not falls.any()


def ordered_bits(scores: Floats) -> Bits:
    """Return whole numbers with the order of the scores; -0.0 is 0.0."""
    bits = (scores + 0.0).view(np.uint64)
    if (scores < 0).any():
        for part in slices(len(bits)):
            piece = bits[part]
            negative = piece >> SIGN_PLACE
            piece ^= np.negative(negative) | SIGN  # all bits of a negative number, the sign of any other
    return bits


def _put_in_order(scores: Floats, cases: Indices, ends: Flags) -> None:
    """Order the runs whose scores were alike in the bits that were sorted, and see where they really end."""
    of_a_run = ~ends
    of_a_run[1:] |= ~ends[:-1]
    places = np.flatnonzero(of_a_run)
    found = scores[cases[places]]
    if (found[1:] < found[:-1]).any():  # runs follow each other in order, so that sorting them together keeps them
        moved = np.argsort(found, kind="stable")
        cases[places], found = cases[places][moved], found[moved]
    differs = np.ones(len(places), dtype=np.bool_)
    np.not_equal(found[1:], found[:-1], out=differs[:-1])
    ends[places] = differs
