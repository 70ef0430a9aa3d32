"""Adds up the positives and negatives at each distinct score of a model, or in each bin, a batch of cases at a time."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocconf.bins import Dyadic, Ends
from rocconf.packed_scores import PackedScores
from rocconf.read.groups import rows_of_groups
from rocconf.read.numbered import FEWEST, numbered_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.bins import Binning
    from rocconf.records import Counts, Flags, Floats

MOST_PENDING = 1 << 22
"""The cases, or scores, that may wait to be merged, at least."""


class Tally:
    """The numbers of positives and negatives at each distinct score of a model, or in each bin, added up a batch at a time."""

    def __init__(self, binning: Binning | None = None, *, is_one_of_many: bool = False) -> None:
        self._scores, self._ranges = _Scores(), _Ranges()
        self._numbered = None if is_one_of_many else numbered_in(binning)  # whose table takes memory
        self.binning = binning
        self.is_over = False
        """Whether there were too many scores."""

    def add_cases(self, labels: Flags, scores: Floats) -> None:
        """Add some cases."""
        if len(scores) >= FEWEST and self._numbered is not None:
            done = self._numbered.add(labels, scores)
            labels, scores = labels[done:], scores[done:]
            if not len(scores):
                return
        if self.binning is not None:
            order = np.argsort(scores)
            labels, scores = labels[order], scores[order] + 0.0
            scores = self._keys(Ends(scores, scores))
        self._scores.add_cases(labels, scores)

    def add_counts(self, ends: Ends, positives: Counts, negatives: Counts) -> None:
        """Add cases that have been counted, in ascending bins that no bin here divides."""
        keys = self._keys(ends)
        is_last = np.append(keys[1:] != keys[:-1], True)[: len(keys)]  # several may have one bin
        totals = (np.diff(np.cumsum(column)[is_last], prepend=0) for column in (positives, negatives))
        self._scores.add_counts(keys[is_last], *totals)

    def add(self, other: Tally) -> None:
        """Add what another has counted, in bins that these hold."""
        self.is_over |= other.is_over
        self.add_counts(*other.finish())

    def put_into_bins(self, binning: Binning) -> None:
        """Count in bins from now on, which hold all bins there are."""
        tally = Tally(binning)
        tally.add(self)
        self._scores, self._ranges, self.binning = tally._scores, tally._ranges, binning  # its own kind
        self._numbered = None if self._numbered is None else numbered_in(binning)

    def finish(self) -> tuple[Ends, Counts, Counts]:
        """Return bins, or scores, in ascending order with their positives and negatives."""
        keys, positives, negatives, _ = self._merged()
        return self._ends(keys), positives, negatives

    def _keys(self, ends: Ends) -> Floats:
        """Return the scores or, of each bin here, the least score that it may hold; the scores it was found to hold are noted."""
        if self.binning is None:
            return ends.least
        keys = self.binning.least(ends.least)
        self._ranges.add(keys, ends)
        return keys

    def _ends(self, keys: Floats) -> Ends:
        """Return the ends of bins; a dyadic bin that was found to hold one score is that score."""
        if self.binning is None:
            return Ends(keys, keys)
        ends = self.binning.ends(keys)
        if not isinstance(self.binning, Dyadic):
            return ends
        known, found = self._ranges.merged()
        found = Ends(*(column[np.searchsorted(known, keys)] for column in found))
        return Ends(np.where(found.are_wide, ends.least, found.least), np.where(found.are_wide, ends.most, found.most))

    def distinct(self) -> int:
        """Return how many distinct scores there are, those of both classes counted twice."""
        return self._merged().distinct

    def columns(self) -> tuple[Floats | Counts, ...]:
        """Return the least and the greatest score of each bin, and its positives and negatives."""
        ends, positives, negatives = self.finish()
        return *ends, positives, negatives

    def in_coarse_bins(self) -> tuple[Counts, ...]:
        """Return the positives and negatives between some thresholds, which coarse bins do not divide."""
        edges = _coarse_edges()
        scores, *of_classes, _ = self._merged()
        at = np.searchsorted(edges, scores, side="right")
        return tuple(np.bincount(at, counts, minlength=len(edges) + 1).astype(np.int64) for counts in of_classes)

    def __len__(self) -> int:
        """Return how many distinct scores there are at most, those of both classes counted twice."""
        return len(self._scores) + (self._numbered.span if self._numbered else 0)

    def _merged(self) -> _Counted:
        """Return the distinct scores, or bins, and their counts."""
        if self._numbered is not None and self._numbered.span:
            self.add_counts(*self._numbered.take())
        return self._scores.merged()


class Groups:
    """The tallies of a model in each group of the cases; without columns of groups all cases are one."""

    def __init__(self, binning: Binning | None = None) -> None:
        self.binning = binning
        self.parts: dict[tuple[str, ...], Tally] = {}
        self.is_over = False
        """Whether there were too many scores."""
        self._merged = 0

    def part(self, group: tuple[str, ...]) -> Tally:
        """Return the tally of a group, which may be new."""
        return self.parts.setdefault(group, Tally(self.binning, is_one_of_many=bool(group)))

    def add_cases(self, labels: Flags, scores: Floats, names: Sequence[tuple[str, ...]], places: Counts) -> None:
        """Add some cases, given the groups that were found and which of them each case is in."""
        for name in names:
            self.part(name)
        if not len(labels):
            return
        if len(names) == 1:
            self.part(names[0]).add_cases(labels, scores)
            return
        for name, own in zip(names, rows_of_groups(places, len(names)), strict=True):
            if len(own):
                self.part(name).add_cases(labels[own], scores[own])
        if len(self) > max(MOST_PENDING, 2 * self._merged):
            self._merged = self.distinct()

    def add(self, other: Groups) -> None:
        """Add what another has counted, in bins that these hold."""
        self.is_over |= other.is_over
        for group, tally in other.parts.items():
            self.part(group).add(tally)

    def put_into_bins(self, binning: Binning) -> None:
        """Count in bins from now on, which hold all bins there are."""
        for tally in self.parts.values():
            tally.put_into_bins(binning)
        self.binning = binning

    def whole(self) -> Tally:
        """Return the tally of all groups."""
        if len(self.parts) == 1:
            (tally,) = self.parts.values()
            return tally
        whole = Tally(self.binning)
        for tally in self.parts.values():
            whole.add(tally)
        return whole

    def exceeds(self, most: int, *, now: bool) -> bool:
        """Whether there are more distinct scores, those of both classes counted twice; unless now, some may wait."""
        return len(self) > most + (0 if now else MOST_PENDING) and self.distinct() > most

    def distinct(self) -> int:
        """Return how many distinct scores the groups have, those of both classes counted twice."""
        return sum(tally.distinct() for tally in self.parts.values())

    def __len__(self) -> int:
        """Return how many distinct scores the groups have at most, those of both classes counted twice."""
        return sum(map(len, self.parts.values()))


class _Ranges:
    """The least and the greatest score that was found in each bin."""

    def __init__(self) -> None:
        self._parts: list[tuple[Floats, Ends]] = []
        self._pending = self._merged = 0

    def add(self, keys: Floats, ends: Ends) -> None:
        """Add scores or bins in ascending order, with the bins they are in."""
        if not len(keys):
            return
        self._parts.append(_reached(keys, ends))
        self._pending += len(self._parts[-1][0])
        if self._pending > max(MOST_PENDING, self._merged):
            self.merged()

    def merged(self) -> tuple[Floats, Ends]:
        """Return the bins, and the least and the greatest score in each."""
        if len(self._parts) != 1:
            keys = np.concatenate([np.empty(0), *(keys for keys, _ in self._parts)])
            found = [np.concatenate([np.empty(0), *(ends[at] for _, ends in self._parts)]) for at in (0, 1)]
            order = np.argsort(keys, kind="stable")
            self._parts = [_reached(keys[order], Ends(*(column[order] for column in found)))]
        self._pending, self._merged = 0, len(self._parts[0][0])
        return self._parts[0]


def _reached(keys: Floats, ends: Ends) -> tuple[Floats, Ends]:
    """Return the distinct keys of some in order, and the least and the greatest end of each."""
    if not len(keys):
        return keys, ends
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))  # the first is one
    return keys[starts], Ends(np.minimum.reduceat(ends.least, starts), np.maximum.reduceat(ends.most, starts))


class _Counted(NamedTuple):
    """Distinct scores in ascending order with their positives and negatives."""

    scores: Floats
    positives: Counts
    negatives: Counts
    distinct: int
    """The scores of the positives and those of the negatives."""

    @classmethod
    def of(cls, scores: Floats, positives: Counts, negatives: Counts) -> _Counted:
        """Count the distinct scores of both classes."""
        return cls(scores, positives, negatives, int(np.count_nonzero(positives) + np.count_nonzero(negatives)))

    def with_more(self, more: _Counted) -> _Counted:
        """Return the sums of these counts and of fewer others."""
        at = np.searchsorted(self.scores, more.scores)
        is_new = self.scores[np.minimum(at, len(self.scores) - 1)] != more.scores
        at += np.cumsum(is_new) - is_new  # the new ones before take places
        is_old = np.ones(len(self.scores) + np.count_nonzero(is_new), dtype=np.bool_)
        is_old[at[is_new]] = False
        scores = np.empty(len(is_old))
        scores[is_old], scores[at] = self.scores, more.scores
        totals = np.zeros((2, len(is_old)), dtype=np.int64)
        for total, own, further in zip(totals, self[1:3], more[1:3], strict=True):
            total[is_old] = own
            total[at] += further
        return _Counted.of(scores, *totals)


class _Scores:
    """The positives and negatives at each distinct score; cases and counts wait until merging them is worth the time."""

    def __init__(self) -> None:
        self._packed = PackedScores(descending=False)
        self._waiting: list[_Counted] = []
        nothing = np.zeros(0, dtype=np.int64)
        self._merged = _Counted(np.empty(0), nothing, nothing, 0)

    def add_cases(self, labels: Flags, scores: Floats) -> None:
        """Add some cases."""
        self._packed.add(labels, scores)
        self._merge_many()

    def add_counts(self, scores: Floats, positives: Counts, negatives: Counts) -> None:
        """Add counts at distinct scores in ascending order."""
        self._waiting.append(_Counted.of(scores, positives, negatives))
        self._merge_many()

    def _merge_many(self) -> None:
        if len(self) - self._merged.distinct > max(MOST_PENDING, self._merged.distinct):
            self.merged()

    def merged(self) -> _Counted:
        """Return all counts."""
        if self._packed.n:
            scores, tp, fp = self._packed.cumulated()
            self._packed = PackedScores(descending=False)
            self._waiting.append(_Counted.of(scores[1:], np.diff(tp), np.diff(fp)))
        parts = [part for part in (self._merged, *self._waiting) if len(part.scores)]
        while len(parts) > 1:  # the shortest two at a time, so that no score is merged often
            parts.sort(key=lambda part: len(part.scores))
            parts[:2] = [parts[1].with_more(parts[0])]
        self._waiting, self._merged = [], parts[0] if parts else self._merged
        return self._merged

    def __len__(self) -> int:
        """Return how many distinct scores there are at most, those of both classes counted twice."""
        return self._packed.n + self._merged.distinct + sum(part.distinct for part in self._waiting)


@cache
def _coarse_edges() -> Floats:
    """Return the edges of coarse bins, which are edges of all finer ones."""
    steps = np.ldexp(np.arange(4.0, 8.0), -2)
    octaves = np.ldexp(steps[None, :], np.arange(-64, 64)[:, None]).ravel()
    below_one = 1 - octaves[(octaves <= 0.5) & (octaves >= 2.0**-53)]
    edges = np.concatenate([-octaves, [0.0, 1.0], octaves[(octaves < 0.5) | (octaves > 1)], below_one])
    return np.unique(edges)
