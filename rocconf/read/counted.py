"""Counts cases as they are read: their distinct scores, not their rows, are held in memory.

The cases of any number of files are added up. A file that has been counted already is added too.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from rocconf.bins import USUAL, Dyadic, Thresholds, above_zero, binning_of, common, holds
from rocconf.conditions import are_exclusive
from rocconf.dataclass import dataclass
from rocconf.errors import InputError, UsageError
from rocconf.examples import example
from rocconf.messages import message
from rocconf.read.cases import Cases
from rocconf.read.cells import Labels, meaning, quoted
from rocconf.read.counts_file import read_counted
from rocconf.read.formats import collect_in_batches, failures_as_errors
from rocconf.read.groups import Division
from rocconf.read.layout import is_of_counts, lay_out, other_columns, refuse_as_groups
from rocconf.read.partitions import may_have_cases, open_with_partitions, partitions_of
from rocconf.read.provenance import provenance_of
from rocconf.read.source import Watch
from rocconf.read.spilled import Pile, Rows
from rocconf.read.tally import Groups, Tally
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
    from rocconf.records import Flags, Floats, Source

SCORE = "score"
"""The name of the model of a counts file that names none."""

MOST_SCORES = 10_000_000
"""The most distinct scores of a model by default, those of both classes counted twice: a few hundred MB."""

FEW_PATHS = 10
"""How many values of paths are named where none is the wanted one."""


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
        return tallies, source

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
            self._bins.limit(tally, now=False)


@dataclass(frozen=True, slots=True)
class Bins:
    """Whether scores are counted in bins: in those asked for or, without any, in dyadic ones from too many scores on."""

    asked: Binning | None = None
    most: int = MOST_SCORES
    """The most distinct scores, those of both classes counted twice."""

    def limit(self, tally: Groups, *, now: bool = True) -> None:
        """Put the scores into bins if they are too many; unless now, some may wait to be looked at."""
        if tally.binning is None and tally.exceeds(self.most, now=now):
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
        if len(files) > 1:
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
