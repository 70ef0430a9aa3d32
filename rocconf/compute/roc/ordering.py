"""The order of cases by score, with one sort of plain integers.

The order-preserving bits of a score and the index of its case are packed into one 64-bit integer, score above index:
integers sort several times as fast as argsort. If the two do not fit into 64 bits, the score loses its last bits, and
the few neighbours that differ only in those are sorted afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocconf.records import CHUNK, slices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocconf.records import Counts, Flags, Floats

    Indices = NDArray[np.int64]
    Bits = NDArray[np.uint64]

SIGN = np.uint64(1 << 63)
SIGN_PLACE = np.uint64(63)
ONE = np.uint64(1)


class Ordering(NamedTuple):
    """Cases from the least score to the greatest, and whether each ends a run of equal scores."""

    cases: Indices
    ends: Flags


def ordering(scores: Floats) -> Ordering:
    """Return cases ordered by score, which is never NaN; cases of equal scores are in any order."""
    packed = ordered_bits(scores)
    packed -= packed.min()
    width = np.uint64((len(packed) - 1).bit_length())
    lost = np.uint64(max(int(packed.max()).bit_length() + int(width) - 64, 0))
    for part in slices(len(packed)):
        piece = packed[part]
        piece >>= lost
        piece <<= width
        piece |= np.arange(part.start, part.stop, dtype=np.uint64)
    packed.sort()
    ends = np.ones(len(packed), dtype=np.bool_)
    for part in slices(len(packed) - 1):
        score = packed[part.start : part.stop + 1] >> width
        np.not_equal(score[1:], score[:-1], out=ends[part])
    packed &= (ONE << width) - ONE
    cases = packed.view(np.int64)
    if lost:
        _sort_runs(scores, cases, ends)
    return Ordering(cases, ends)


def same_order(first: Floats, second: Floats) -> bool:
    """Return whether two models put the cases in the same order, with the same ties."""
    cases, ends = ordering(first)
    following = second[cases]
    rises, falls = following[1:] > following[:-1], following[1:] < following[:-1]
    return bool((rises == ends[:-1]).all()) and not falls.any()


def ordered_bits(scores: Floats) -> Bits:
    """Return integers with the order of the scores; -0.0 equals 0.0."""
    bits = (scores + 0.0).view(np.uint64)
    if (scores < 0).any():
        for part in slices(len(bits)):
            piece = bits[part]
            negative = piece >> SIGN_PLACE
            piece ^= np.negative(negative) | SIGN  # all bits of a negative number, the sign of any other
    return bits


def _sort_runs(scores: Floats, cases: Indices, ends: Flags) -> None:
    """Sort the runs that are equal in the bits kept, by the whole score, and correct their ends."""
    in_run = ~ends
    in_run[1:] |= ~ends[:-1]
    places = np.flatnonzero(in_run)
    whole = scores[cases[places]]
    if (whole[1:] < whole[:-1]).any():  # runs are in order among themselves, so one sort does for all
        order = np.argsort(whole, kind="stable")
        cases[places], whole = cases[places][order], whole[order]
    differs = np.ones(len(places), dtype=np.bool_)
    np.not_equal(whole[1:], whole[:-1], out=differs[:-1])
    ends[places] = differs


def placements(labels: Flags, scores: Floats) -> Counts:
    """Return, for each positive, twice the number of negatives below it; for each negative, of positives above it.

    Ties count half, so that these are whole numbers.
    """
    cases, ends = ordering(scores)
    p = int(np.count_nonzero(labels))
    twice: Counts = np.empty(len(cases), dtype=np.int32 if len(cases) < 1 << 30 else np.int64)
    negatives_below = positives_below = 0
    for part in _pieces(ends):
        piece = cases[part]
        positive = labels[piece]
        negatives, positives = _counted_twice(positive, ends[part])
        twice[piece] = np.where(positive, negatives + 2 * negatives_below, 2 * (p - positives_below) - positives)
        more = int(np.count_nonzero(positive))
        negatives_below, positives_below = negatives_below + len(piece) - more, positives_below + more
    return twice


def _pieces(ends: Flags) -> Iterator[slice]:
    """Yield slices of the ordered cases that fit the cache and end where a run of equal scores does."""
    start = 0
    while start < len(ends):
        stop = min(start + CHUNK, len(ends))
        stop += int(ends[stop - 1 :].argmax())
        yield slice(start, stop)
        start = stop


def _counted_twice(positive: Flags, ends: Flags) -> tuple[Counts, Counts]:
    """Return twice the negatives and twice the positives up to each ordered case, those of its score counting half."""
    last = np.flatnonzero(ends)
    through = np.concatenate([[0], np.cumsum(positive, dtype=np.int64)[last]])
    run_ends = np.concatenate([[0], last + 1])
    positives = through[:-1] + through[1:]
    negatives = run_ends[:-1] + run_ends[1:] - positives
    if len(last) == len(ends):
        return negatives, positives
    lengths = np.diff(run_ends)
    return np.repeat(negatives, lengths), np.repeat(positives, lengths)
