r"""Bins of scores: those that every engine makes alike, and sets of bins that are added up.

A bin is a pair of the least and the greatest score that it may hold, both inclusive; a single score is a bin whose ends
are equal. The bins of a set do not overlap.

Dyadic bins of resolution m have the exponent and m bits of the mantissa of a score or, for scores in [1/2, 1), of its
distance from 1, which a float holds exactly. So probabilities are resolved alike near 0 and near 1. Below
:math:`2^{-64}` and beyond :math:`2^{64}` there is one bin on each side, and 0 has a bin of its own. A bin is a union of
bins of any finer resolution, so counts of different resolutions add up at the coarsest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from rocconf.dataclass import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]

LEAST, MOST = 2.0**-64, 2.0**64
"""The magnitudes between which bins are resolved."""

SMALLEST = float(np.nextafter(0, 1))
"""The smallest number above 0."""

FINEST = 52
"""The bits of the mantissa of a float."""

USUAL = 11
"""The resolution that is taken where none is asked for: some 20,000 bins of probabilities."""


class Ends(NamedTuple):
    """The least and the greatest scores of bins, both inclusive, in ascending order."""

    least: Floats
    most: Floats

    @property
    def are_wide(self) -> NDArray[np.bool_]:
        """Whether each bin may hold more than one score."""
        return self.least < self.most


class Binning(Protocol):
    """A partition of all scores into bins."""

    def least(self, scores: Floats) -> Floats:
        """Return the least score of the bin of each score."""

    def ends(self, scores: Floats) -> Ends:
        """Return the bin of each score."""


@dataclass(frozen=True, slots=True)
class Dyadic:
    """Dyadic bins of a resolution."""

    resolution: int

    def least(self, scores: Floats) -> Floats:
        """Return the least score of the bin of each score, by the bits of its magnitude: there may be very many."""
        s = scores + 0.0
        near_one = (s >= 0.5) & (s < 1)
        rounds_up = near_one | (s < 0)
        magnitude = np.where(near_one, 1 - s, np.abs(s))
        dropped = np.uint64((1 << (FINEST - self.resolution)) - 1)
        bits = magnitude.view(np.uint64)
        kept = ((bits + np.where(rounds_up, dropped, np.uint64(0))) & ~dropped).view(np.float64)
        found = np.where(near_one, 1 - kept, np.where(s < 0, -kept, kept))
        is_resolved = (magnitude >= LEAST) & (magnitude < MOST) & (s != -LEAST) & (s != -MOST)
        odd = np.flatnonzero(~is_resolved)
        found[odd] = self.ends(s[odd]).least
        return found

    def ends(self, scores: Floats) -> Ends:
        """Return the bin of each score."""
        s = scores + 0.0
        base = ((s >= 0.5) & (s < 1)).astype(np.float64)
        y = s - base
        is_resolved = (np.abs(y) >= LEAST) & (y != -LEAST) & (y < MOST) & (y >= -MOST)
        y = np.where(is_resolved, y, 1.5)
        mantissa, exponent = np.frexp(y)
        # an octave has its lower end: [2^e, 2^(e+1)) above 0, [-2^(e+1), -2^e) below
        octave = exponent - 1 - (mantissa == -0.5)
        scale = self.resolution - octave
        scale = np.where(base == 1, np.minimum(scale, 53), scale)
        place = np.floor(np.ldexp(y, scale))
        least, upper = base + np.ldexp(place, -scale), base + np.ldexp(place + 1, -scale)
        ends = Ends(np.where(is_resolved, least, s), np.where(is_resolved, np.nextafter(upper, -np.inf), s))
        return _with_edges(ends, s)


def _with_edges(ends: Ends, s: Floats) -> Ends:
    """Return the ends of bins with those of the scores that are not resolved."""
    least, most = ends
    for chosen, low, high in (
        ((s > 0) & (s < LEAST), SMALLEST, np.nextafter(LEAST, 0)),
        ((s < 0) & (s >= -LEAST), -LEAST, -SMALLEST),
        (s >= MOST, MOST, np.inf),
        (s < -MOST, -np.inf, np.nextafter(-MOST, -np.inf)),
    ):
        least[chosen], most[chosen] = low, high
    return Ends(least, most)


@dataclass(frozen=True, slots=True, eq=False)
class Thresholds:
    """Bins between thresholds in ascending order: below the first, from each to the next, and from the last on."""

    edges: Floats

    def least(self, scores: Floats) -> Floats:
        """Return the least score of the bin of each score."""
        return self.ends(scores).least

    def ends(self, scores: Floats) -> Ends:
        """Return the bin of each score."""
        at = np.searchsorted(self.edges, scores, side="right")
        least = np.concatenate([[-np.inf], self.edges])
        most = np.concatenate([np.nextafter(self.edges, -np.inf), [np.inf]])
        return Ends(least[at], most[at])


def edges_of(ends: Ends) -> tuple[Floats, Floats]:
    """Return the edges of bins as a table has them: those of a score are equal, and the dyadic bin above 0 begins at 0."""
    wide, upper = ends.are_wide, uppers(ends)
    is_lowest = wide & (ends.least == SMALLEST) & (upper == LEAST)
    return np.where(is_lowest, 0.0, ends.least), np.where(wide, upper, ends.most)


def uppers(ends: Ends) -> Floats:
    """Return the least score above each bin, infinite where there is none."""
    with np.errstate(over="ignore"):
        return np.nextafter(ends.most, np.inf)


def ends_of(least: Floats, upper: Floats) -> Ends | None:
    """Return the ends of rows of a lower edge and an upper one in ascending order, None where rows overlap.

    A row whose edges are equal is a single score; a bin that begins where a single score stands begins above it. A row
    with an infinite upper edge has infinite scores too, unless these are a row.
    """
    single = least == upper
    with np.errstate(over="ignore"):
        most = np.where(single, least, np.nextafter(upper, -np.inf))
    order = np.lexsort((~single, least))
    least, most, single = least[order], most[order], single[order]
    after = np.flatnonzero((least[1:] == least[:-1]) & single[:-1] & ~single[1:]) + 1
    least = least.copy()
    least[after] = np.nextafter(least[after], np.inf)
    has_infinite = bool(len(least)) and least[-1] == np.inf
    if not has_infinite:
        most[np.isposinf(upper[order]) & ~single] = np.inf
    back = np.empty(len(order), dtype=np.int64)
    back[order] = np.arange(len(order))
    is_empty = (least > most).any()
    overlaps = (least[1:] <= most[:-1]).any()
    return None if is_empty or overlaps else Ends(least[back], most[back])


def united(*sets: Ends) -> Ends | None:
    """Return the bins that hold all bins of some sets; None if two overlap and neither holds the other."""
    least, most = (np.concatenate(column) for column in zip(*sets, strict=True))
    order = np.lexsort((-most, least))
    least, most = least[order], most[order]
    reached = np.maximum.accumulate(most)
    begins = np.append(True, least[1:] > reached[:-1])[: len(least)]
    if (most > most[begins][np.cumsum(begins) - 1]).any():
        return None
    return Ends(least[begins], most[begins])


def joined(*sets: Ends) -> Ends:
    """Return the bins that are left where those of some sets that overlap become one."""
    least, most = (np.concatenate(column) for column in zip(*sets, strict=True))
    order = np.lexsort((-most, least))
    least, most = least[order], np.maximum.accumulate(most[order])
    begins = np.flatnonzero(np.append(True, least[1:] > most[:-1])[: len(least)])
    return Ends(least[begins], most[np.append(begins[1:], len(most)) - 1])


def bin_of(scores: Floats, ends: Ends) -> Counts:
    """Return the index of the bin that holds each score; each has one."""
    return np.searchsorted(ends.least, scores, side="right") - 1


def above_zero(ends: Ends) -> Ends:
    """Return bins of which the lowest above 0, whose edge is 0 in a table, does not hold 0: that of dyadic bins."""
    is_lowest = ends.are_wide & (ends.least == 0) & (uppers(ends) == LEAST)
    return Ends(np.where(is_lowest, SMALLEST, ends.least), ends.most)


def resolution_of(ends: Ends) -> int | None:
    """Return the resolution whose dyadic bins the wide bins are; None if there is none."""
    wide = ends.are_wide
    some = above_zero(Ends(ends.least[wide], ends.most[wide]))
    for resolution in range(FINEST, 0, -1):
        found = Dyadic(resolution).ends(some.least)
        if np.array_equal(found.least, some.least) and np.array_equal(uppers(found), uppers(some)):
            return resolution
    return None


def binning_of(ends: Ends) -> Binning | None:
    """Return bins of all scores that include these, None of single scores."""
    if not ends.are_wide.any():
        return None
    resolution = resolution_of(ends)
    if resolution is not None:
        return Dyadic(resolution)
    edges = np.union1d(ends.least, uppers(ends))
    return Thresholds(edges[np.isfinite(edges)])


def holds(binning: Binning, ends: Ends) -> bool:
    """Whether no bin is divided."""
    return np.array_equal(binning.least(ends.least), binning.least(ends.most))


def common(one: Binning | None, other: Binning | None) -> Binning | None:
    """Return bins in which those of two sets may add up, None if there are none; of single scores those of the other."""
    if one is None or other is None:
        return one or other
    if isinstance(one, Dyadic) and isinstance(other, Dyadic):
        return min(one, other, key=lambda each: each.resolution)
    if isinstance(one, Thresholds) and isinstance(other, Thresholds):
        return Thresholds(np.union1d(one.edges, other.edges))
    return None
