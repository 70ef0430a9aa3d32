"""Counts cases as they are read: their distinct scores, not their rows, are held in memory.

The cases of any number of files are added up. A file that has been counted already is added too.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from rocconf.bins import USUAL, Dyadic, Ends, Thresholds, above_zero, binning_of, common, holds
from rocconf.conditions import are_exclusive
from rocconf.dataclass import dataclass
from rocconf.errors import InputError, UsageError
from rocconf.examples import example
from rocconf.messages import message
from rocconf.read.cases import Cases
from rocconf.read.cells import Labels, meaning, quoted
from rocconf.read.counts_file import read_counted
from rocconf.read.formats import collect_in_batches, failures_as_errors
from rocconf.read.groups import Division, rows_of_groups
from rocconf.read.layout import is_of_counts, lay_out, other_columns, refuse_as_groups
from rocconf.read.numbered import FEWEST, numbered_in
from rocconf.read.partitions import may_have_cases, open_with_partitions, partitions_of
from rocconf.read.provenance import provenance_of
from rocconf.read.source import Watch
from rocconf.read.spilled import Pile, Rows
from rocconf.records import GroupedCounts, ScoreCounts, are_no_chance

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rocconf.bins import Binning
    from rocconf.messages import Message
    from rocconf.read.columns import Cells
    from rocconf.read.digests import Digests
    from rocconf.read.formats import OpenTable
    from rocconf.read.layout import Layout, Wanted
    from rocconf.read.source import Input
    from rocconf.records import Counts, Flags, Floats, Source

SCORE = "score"
"""The name of the model of a counts file that names none."""

MOST_SCORES = 10_000_000
"""The most distinct scores of a model by default, those of both classes counted twice: a few hundred MB."""

FEW_PATHS = 10
"""How many values of paths are named where none is the wanted one."""

MOST_PENDING = 1 << 20
"""The scores that may wait to be merged, at least."""


class Tally:
    """The numbers of positives and negatives at each distinct score of a model, or in each bin, added up a batch at a time."""

    def __init__(self, binning: Binning | None = None, *, is_one_of_many: bool = False) -> None:
        self._classes, self._ranges = (_Class(), _Class()), _Ranges()
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
        for of_class, chosen in zip(self._classes, (labels, ~labels), strict=True):
            values = scores[chosen]
            values += 0.0
            values.sort()
            of_class.add(*_distinct(self._keys(Ends(values, values)), np.arange(1, len(values) + 1)))

    def add_counts(self, ends: Ends, positives: Counts, negatives: Counts) -> None:
        """Add cases that have been counted, in ascending bins that no bin here divides."""
        keys = self._keys(ends)
        for of_class, counts in zip(self._classes, (positives, negatives), strict=True):
            of_class.add(*_distinct(keys[counts > 0], np.cumsum(counts[counts > 0])))  # several may have one bin

    def add(self, other: Tally) -> None:
        """Add what another has counted, in bins that these hold."""
        self.is_over |= other.is_over
        self.add_counts(*other.finish())

    def put_into_bins(self, binning: Binning) -> None:
        """Count in bins from now on, which hold all bins there are."""
        tally = Tally(binning)
        tally.add(self)
        self._classes, self._ranges, self.binning = tally._classes, tally._ranges, binning  # its own kind
        self._numbered = None if self._numbered is None else numbered_in(binning)

    def finish(self) -> tuple[Ends, Counts, Counts]:
        """Return bins, or scores, in ascending order with their positives and negatives."""
        (gained, positives), (lost, negatives) = self._merged()
        keys = np.union1d(gained, lost)
        totals = np.zeros((2, len(keys)), dtype=np.int64)
        totals[0, np.searchsorted(keys, gained)] = positives
        totals[1, np.searchsorted(keys, lost)] = negatives
        return self._ends(keys), *totals

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
        return sum(len(scores) for scores, _ in self._merged())

    def columns(self) -> tuple[Floats | Counts, ...]:
        """Return the least and the greatest score of each bin, and its positives and negatives."""
        ends, positives, negatives = self.finish()
        return *ends, positives, negatives

    def in_coarse_bins(self) -> tuple[Counts, ...]:
        """Return the positives and negatives between some thresholds, which coarse bins do not divide."""
        edges = _coarse_edges()
        merged = self._merged()
        return tuple(
            np.bincount(np.searchsorted(edges, scores, side="right"), counts, minlength=len(edges) + 1).astype(np.int64)
            for scores, counts in merged
        )

    def __len__(self) -> int:
        """Return how many distinct scores there are at most, those of both classes counted twice."""
        return sum(map(len, self._classes)) + (self._numbered.span if self._numbered else 0)

    def _merged(self) -> list[tuple[Floats, Counts]]:
        """Return the distinct scores, or bins, of each class and their counts."""
        if self._numbered is not None and self._numbered.span:
            self.add_counts(*self._numbered.take())
        return [of_class.merged() for of_class in self._classes]


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


class _Class:
    """The number of cases of a class at each distinct score; parts wait until merging them is worth the time."""

    def __init__(self) -> None:
        self._parts: list[tuple[Floats, Counts]] = []
        self._pending = self._merged = 0

    def add(self, scores: Floats, counts: Counts) -> None:
        self._parts.append((scores, counts))
        self._pending += len(scores)
        if self._pending > max(MOST_PENDING, self._merged):
            self.merged()

    def merged(self) -> tuple[Floats, Counts]:
        """Return the distinct scores and their counts."""
        if len(self._parts) != 1:
            scores = np.concatenate([np.empty(0), *(scores for scores, _ in self._parts)])
            counts = np.concatenate([np.empty(0, dtype=np.int64), *(counts for _, counts in self._parts)])
            order = np.argsort(scores, kind="stable")  # a stable sort merges runs that are in order already
            self._parts = [_distinct(scores[order], np.cumsum(counts[order]))]
        self._pending, self._merged = 0, len(self)
        return self._parts[0]

    def __len__(self) -> int:
        return sum(len(scores) for scores, _ in self._parts)


def _distinct(scores: Floats, total: Counts) -> tuple[Floats, Counts]:
    """Return the distinct scores of some in order, and the number of cases at each, given the cumulated number."""
    ends = np.flatnonzero(np.append(scores[1:] != scores[:-1], len(scores) > 0))
    return scores[ends], np.diff(total[ends], prepend=0)


class Kept:
    """The cases that are kept beside their counts; those of a file that is read once more are begun again."""

    def __init__(self) -> None:
        self._before = self.pile = Pile(0)

    def begin(self) -> None:
        """Begin to read a file."""
        self.pile = self._before.copy()

    def add(self, labels: Flags, scores: Sequence[Floats]) -> None:
        """Add some cases."""
        self.pile.add(Rows(labels, tuple(column + 0.0 for column in scores)))

    def end(self) -> None:
        """Keep the cases of the file."""
        self._before = self.pile


class CountedCases(Cases):
    """Cases as they are read and counted: a file may lack a class, which others may have."""

    def __init__(  # noqa: PLR0917  # what is counted, and how
        self,
        table: OpenTable,
        layout: Layout,
        wanted: Wanted,
        classes: Labels,
        bins: Bins,
        kept: Kept | None = None,
    ) -> None:
        super().__init__(table, layout, wanted)
        self._classes, self._bins, self._kept = classes, bins, kept
        self._groups = {}  # each piece is counted by its groups at once
        self._division = Division(table.name, wanted.groups)
        self._places = np.zeros(0, dtype=np.int64)
        if kept is not None:
            kept.begin()
        self._tallies = [Groups(bins.asked) for _ in layout.scores]

    def finish(self) -> tuple[dict[str, Groups], Source]:  # type: ignore[override]  # cases are not kept
        """Return the tally of each model and the source, or raise all faults."""
        self._require_a_known_class()
        self._raise_faults()
        self._require_cases(self._n_kept)
        tallies = dict(zip(map(self._layout.name, self._layout.scores), self._tallies, strict=True))
        source = self._source_of(self._n_kept, self._n_positive)
        return tallies, replace(source, where=tuple(condition.text for condition in self._wanted.where))

    @property
    def _caveats_of_clusters(self) -> tuple[Message, ...]:
        """A warning that counts forget which cases belong together."""
        found = (dict(each.values)["column"] for each in super()._caveats_of_clusters)
        return tuple(message("counted-clusters", file=self._table.name, column=column) for column in found)

    def _keep_groups(self, columns: Mapping[int, Cells], complete: Flags) -> None:
        own = [columns[at].where(complete) for at in self._layout.groups]
        self._places = self._division.add(own, int(np.count_nonzero(complete)))

    def _keep_dropped(self, columns: Mapping[int, Cells], dropped: Flags) -> None:
        super()._keep_dropped(columns, dropped)
        own = [columns[at].where(dropped) for at in self._layout.groups]
        self._division.add(own, int(np.count_nonzero(dropped)))  # a group may have no other case

    def _keep(self, labels: Flags, scores: Sequence[Floats]) -> None:
        if self._kept is not None:
            self._kept.add(labels, scores)
        for tally, column in zip(self._tallies, scores, strict=True):
            tally.add_cases(labels, column, self._division.names, self._places)
            self._bins.limit(tally)


@dataclass(frozen=True, slots=True)
class Bins:
    """Whether scores are counted in bins: in those asked for or, without any, in dyadic ones from too many scores on."""

    asked: Binning | None = None
    most: int = MOST_SCORES
    """The most distinct scores, those of both classes counted twice."""

    def limit(self, tally: Groups) -> None:
        """Put the scores into bins if they are too many."""
        if tally.binning is None and len(tally) > self.most and tally.distinct() > self.most:
            tally.put_into_bins(Dyadic(USUAL))
            tally.is_over = True

    def add(self, tally: Groups, other: Groups, file: str) -> None:
        """Add what was counted of a file, in bins that hold those of both."""
        binning = self.asked if isinstance(self.asked, Thresholds) else common(tally.binning, other.binning)
        for each in (tally, other):
            if each.binning is not None and not (binning and holds(binning, each.whole().finish()[0])):
                raise InputError(file, [message("bins-divided")])
        if binning is not None and binning != tally.binning:
            tally.put_into_bins(binning)
        tally.add(other)
        self.limit(tally)


def count_files(
    files: Sequence[Input],
    wanted: Wanted,
    *,
    bins: Bins | None = None,
    progress: Callable[[int], object] = lambda _: None,
    kept: Kept | None = None,
    digests: Digests | None = None,
) -> tuple[GroupedCounts, ...]:
    """Return the counts of each model over all files, which must have the same models.

    `progress` is called with the number of bytes read since the last call, `kept` takes the cases, and `digests` computes
    those of the files meanwhile, if they are needed.
    """
    bins = bins or Bins()
    tallies: dict[str, Groups] = {}
    sources: list[Source] = []
    seen: dict[bytes, Input] = {}
    positives: dict[float | str, Source] = {}
    classes = Labels(wanted.positive, rest=wanted.rest)
    for file in _chosen(files, wanted, progress):
        watch = Watch(file.share, progress)
        compute = file.digest()
        digest = digests.begin(compute) if digests and compute else None
        with failures_as_errors(file.name):
            found, source, named = _count_file(replace(file, watch=watch), wanted, classes, bins, kept)
        for each in named:
            other = positives.setdefault(meaning(each.positive), each)
            if len(positives) > 1:
                first, *_ = positives.values()
                texts = {"found": quoted(other.positive), "expected": quoted(first.positive), "file": first.name}
                raise InputError(file.name, [message("count-other-positive", **texts)])
        if tallies and found.keys() != tallies.keys():
            here, there = (", ".join(names) for names in (found, tallies))
            raise InputError(file.name, [message("count-other-models", found=here, expected=there, file=files[0].name)])
        _refuse_copy(file, found, seen, files=len(files))
        for name, tally in found.items():
            bins.add(tallies.setdefault(name, Groups(bins.asked)), tally, file.name)
        sources.append(replace(source, digest=digest) if digest else source)
        watch.reach(1.0)
    _require_positives(files, classes)
    _refuse_counted_twice(sources)
    return tuple(_grouped(name, tally, sources, bins, wanted.groups) for name, tally in tallies.items())


def _chosen(files: Sequence[Input], wanted: Wanted, progress: Callable[[int], object]) -> list[Input]:
    """Return the files whose paths meet the conditions on the columns that they have."""
    chosen = []
    for file in files:
        if may_have_cases(file.name, wanted.where):
            chosen.append(file)
        else:
            progress(file.share)
    if not chosen:
        wheres = " and ".join(condition.text for condition in wanted.where)
        columns = {column for file in files for column in partitions_of(file.name).items()}
        found = example(", ".join(f"{column}={value}" for column, value in sorted(columns)[:FEW_PATHS]))
        raise InputError(files[0].name, [message("slice-empty", wanted=wheres, found=found)])
    return chosen


def _grouped(
    name: str, tally: Groups, sources: Sequence[Source], bins: Bins, columns: tuple[str, ...]
) -> GroupedCounts:
    """Return the counts of a model and of its groups, in the bins of all cases."""
    whole = _counts_of(name, tally, sources, bins)
    if not columns:
        return GroupedCounts.of(whole, (), {(): whole})
    parts = {group: ScoreCounts.of_bins(*own.finish(), model=name) for group, own in tally.parts.items()}
    if tally.binning is not None:  # a bin may be a single score in one group, and not in another
        parts = {group: own.within(whole.ends) for group, own in parts.items()}
    return GroupedCounts.of(whole, columns, parts)


def _counts_of(name: str, tally: Groups, sources: Sequence[Source], bins: Bins) -> ScoreCounts:
    """Return the counts of a model, with a warning if its scores were too many, or their bins are coarser than asked."""
    if tally.is_over:
        over = message("scores-over-budget", model=name, most=bins.most, resolution=USUAL)
        sources = [replace(sources[0], caveats=(*sources[0].caveats, over)), *sources[1:]]
    if isinstance(bins.asked, Dyadic) and isinstance(tally.binning, Dyadic) and tally.binning != bins.asked:
        coarser = message("bins-coarser", model=name, asked=bins.asked.resolution, found=tally.binning.resolution)
        sources = [replace(sources[0], caveats=(*sources[0].caveats, coarser)), *sources[1:]]
    return ScoreCounts.of_bins(*tally.whole().finish(), model=name, sources=tuple(sources))


def _refuse_copy(file: Input, found: Mapping[str, Groups], seen: dict[bytes, Input], *, files: int) -> None:
    """Refuse a file whose counts are those of another: the same cases in another form, which would count twice.

    Of scores and of bins, the counts in coarse bins are compared.
    """
    models = sorted((name, groups.whole()) for name, groups in found.items())
    for columns_of in (Tally.columns, Tally.in_coarse_bins):
        columns = [columns_of(tally) for _, tally in models]
        if not any(are_no_chance(*each[-2:], sets=files) for each in columns):
            continue
        digest = sha256(repr([name for name, _ in models]).encode())
        for column in chain.from_iterable(columns):
            digest.update(column.tobytes())
        other = seen.setdefault(digest.digest(), file)
        if other is not file:
            raise UsageError("file-copied", one=other.name, other=file.name)


@cache
def _coarse_edges() -> Floats:
    """Return the edges of coarse bins, which are edges of all finer ones."""
    steps = np.ldexp(np.arange(4.0, 8.0), -2)
    octaves = np.ldexp(steps[None, :], np.arange(-64, 64)[:, None]).ravel()
    below_one = 1 - octaves[(octaves <= 0.5) & (octaves >= 2.0**-53)]
    edges = np.concatenate([-octaves, [0.0, 1.0], octaves[(octaves < 0.5) | (octaves > 1)], below_one])
    return np.unique(edges)


def _refuse_counted_twice(sources: Sequence[Source]) -> None:
    """Refuse cases that are in two sources, as counts files name what was counted; parts of a file may differ."""
    if not any(source.counted for source in sources):
        return
    seen: dict[str, list[tuple[Source, Source]]] = {}
    for source in sources:
        for each in source.of_cases:
            if each.identity is None:
                continue
            before = seen.setdefault(each.identity, [])
            for other, within in before:
                if within is not source and not are_exclusive(other.where, each.where):
                    raise UsageError("counted-twice", file=each.name, one=within.name, other=source.name)
            before.append((each, source))


def _require_positives(files: Sequence[Input], classes: Labels) -> None:
    """Refuse a positive label that no file has, or that means nothing as all were counted; one file may lack it."""
    if classes.positive is not None and not classes.found and not classes.has_positive:
        raise InputError(files[0].name, [message("positive-of-counts", positive=classes.positive)])
    if classes.positive is not None and classes.found and not classes.has_positive:
        found = example(", ".join(map(quoted, classes.found)))
        raise InputError(files[0].name, [message("no-positive-label", positive=quoted(classes.positive), found=found)])


def _count_file(
    file: Input, wanted: Wanted, classes: Labels, bins: Bins, kept: Kept | None
) -> tuple[dict[str, Groups], Source, tuple[Source, ...]]:
    """Return the tally of each model, the source, and the files whose labels were read, now or before."""
    refuse_as_groups(wanted.groups)
    table = open_with_partitions(file, wanted)
    if is_of_counts(table.header) and wanted.label not in {name.strip() for name in table.header}:
        if kept is not None:
            raise InputError(file.name, [message("exact-needs-cases")])
        of_counts = replace(wanted, positive=None, rest=False)  # the others may have labels
        models = read_counted(table, of_counts, model=SCORE, may_lack_class=True)
        tallies = {}
        for model in models:
            whole = model.whole
            tallies[whole.model] = tally = Groups(binning_of(whole.ends))
            for group, part in model.parts.items():
                ends = above_zero(part.ends) if isinstance(tally.binning, Dyadic) else part.ends
                tally.part(group).add_counts(ends, part.positives[::-1], part.negatives[::-1])
            bins.limit(tally)
        source = models[0].whole.sources[0]
        others = [column for column in other_columns(table.header) if column not in wanted.groups]
        if others:
            added = message("groups-added-up", file=file.name, columns=", ".join(others))
            source = replace(source, caveats=(*source.caveats, added))
        said = provenance_of(table)
        if said.numbers or said.pairs:
            source = replace(source, caveats=(*source.caveats, message("numbers-dropped", file=file.name)))
        return tallies, source, source.counted
    layout = lay_out(table, wanted)._replace(id=None)  # ids would have to be kept to find one twice
    tallies, source = collect_in_batches(
        table, layout.kinds, lambda: CountedCases(table, layout, wanted, classes, bins, kept)
    )
    if kept is not None:
        kept.end()
    return tallies, source, (source,)
