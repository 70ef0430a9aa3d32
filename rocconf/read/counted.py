"""Counts cases as they are read: their distinct scores, not their rows, are held in memory.

The cases of any number of files are added up. A file that has been counted already is added too.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from rocconf.errors import InputError, UsageError
from rocconf.examples import example
from rocconf.messages import message
from rocconf.read.cases import Cases
from rocconf.read.cells import Labels, quoted
from rocconf.read.counts_file import read_counted
from rocconf.read.formats import collect_in_batches, failures_as_errors, open_table
from rocconf.read.layout import is_of_counts, lay_out
from rocconf.read.provenance import provenance_of
from rocconf.read.spilled import Pile, Rows
from rocconf.records import ScoreCounts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rocconf.messages import Message
    from rocconf.read.formats import OpenTable
    from rocconf.read.layout import Layout, Wanted
    from rocconf.read.source import Input
    from rocconf.records import Counts, Flags, Floats, Source

SCORE = "score"
"""The name of the model of a counts file that names none."""

MOST_SCORES = 50_000_000
"""The most distinct scores of a model, those of both classes counted twice: a few GB while they are added up."""

MANY_SCORES = 20
"""No two files have the same counts at so many scores by chance."""

MOST_PENDING = 1 << 22
"""The scores that may wait to be merged, at least."""


class Tally:
    """The numbers of positives and negatives at each distinct score of a model, added up a batch at a time."""

    def __init__(self) -> None:
        self._classes = (_Class(), _Class())

    def add_cases(self, labels: Flags, scores: Floats) -> None:
        """Add some cases."""
        for of_class, chosen in zip(self._classes, (labels, ~labels), strict=True):
            values = np.sort(scores[chosen] + 0.0)
            of_class.add(*_distinct(values, np.arange(1, len(values) + 1)))

    def add_counts(self, scores: Floats, positives: Counts, negatives: Counts) -> None:
        """Add cases that have been counted."""
        for of_class, counts in zip(self._classes, (positives, negatives), strict=True):
            of_class.add(scores[counts > 0] + 0.0, counts[counts > 0])

    def add(self, other: Tally) -> None:
        """Add what another has counted."""
        for mine, theirs in zip(self._classes, other._classes, strict=True):
            mine.add(*theirs.merged())

    def finish(self) -> tuple[Floats, Counts, Counts]:
        """Return scores with their positives and negatives; a score of both classes occurs twice."""
        (gained, positives), (lost, negatives) = (of_class.merged() for of_class in self._classes)
        return (
            np.concatenate([gained, lost]),
            np.concatenate([positives, np.zeros(len(lost), dtype=np.int64)]),
            np.concatenate([np.zeros(len(gained), dtype=np.int64), negatives]),
        )

    def __len__(self) -> int:
        """Return how many distinct scores there are, those of both classes counted twice."""
        return sum(map(len, self._classes))


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

    def __init__(
        self, table: OpenTable, layout: Layout, wanted: Wanted, classes: Labels, kept: Kept | None = None
    ) -> None:
        super().__init__(table, layout, wanted)
        self._classes, self._kept = classes, kept
        if kept is not None:
            kept.begin()
        self._tallies = [Tally() for _ in layout.scores]
        self._n_kept = self._n_positive = 0

    def finish(self) -> tuple[dict[str, Tally], Source]:  # type: ignore[override]  # cases are not kept
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

    def _keep(self, labels: Flags, scores: Sequence[Floats]) -> None:
        self._n_kept += len(labels)
        self._n_positive += int(np.count_nonzero(labels))
        if self._kept is not None:
            self._kept.add(labels, scores)
        for tally, column in zip(self._tallies, scores, strict=True):
            tally.add_cases(labels, column)


def count_files(
    files: Sequence[Input],
    wanted: Wanted,
    *,
    progress: Callable[[int], object] = lambda _: None,
    kept: Kept | None = None,
) -> tuple[ScoreCounts, ...]:
    """Return the counts of each model over all files, which must have the same models.

    `progress` is called with 1 after each file, and `kept` takes the cases.
    """
    tallies: dict[str, Tally] = {}
    sources: list[Source] = []
    seen: dict[bytes, Input] = {}
    classes = Labels(wanted.positive, rest=wanted.rest)
    for file in files:
        with failures_as_errors(file.name):
            found, source = _count_file(file, wanted, classes, kept)
        if tallies and found.keys() != tallies.keys():
            here, there = (", ".join(names) for names in (found, tallies))
            raise InputError(file.name, [message("count-other-models", found=here, expected=there, file=files[0].name)])
        _refuse_copy(file, found, seen)
        for name, tally in found.items():
            tallies.setdefault(name, Tally()).add(tally)
            if len(tallies[name]) > MOST_SCORES:
                raise InputError(file.name, [message("count-too-many-scores", model=name, most=MOST_SCORES)])
        sources.append(source)
        progress(1)
    _require_positives(files, classes)
    _refuse_counted_twice(sources)
    return tuple(ScoreCounts.of(*tally.finish(), model=name, sources=tuple(sources)) for name, tally in tallies.items())


def _refuse_copy(file: Input, found: Mapping[str, Tally], seen: dict[bytes, Input]) -> None:
    """Refuse a file whose counts are those of another: the same cases in another form, which would count twice."""
    if min(map(len, found.values())) < MANY_SCORES:
        return
    digest = sha256()
    for name, tally in sorted(found.items()):
        digest.update(name.encode())
        for column in tally.finish():
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
        for each in source.counted or (source,):
            if each.digest is None:
                continue
            before = seen.setdefault(each.digest(), [])
            for other, within in before:
                if within is not source and (other.where == each.where or not (other.where and each.where)):
                    raise UsageError("counted-twice", file=each.name, one=within.name, other=source.name)
            before.append((each, source))


def _require_positives(files: Sequence[Input], classes: Labels) -> None:
    """Refuse a positive label that no file has, or that means nothing as all were counted; one file may lack it."""
    if classes.positive is not None and not classes.found and not classes.has_positive:
        raise InputError(files[0].name, [message("positive-of-counts", positive=classes.positive)])
    if classes.positive is not None and classes.found and not classes.has_positive:
        found = example(", ".join(map(quoted, classes.found)))
        raise InputError(files[0].name, [message("no-positive-label", positive=quoted(classes.positive), found=found)])


def _count_file(file: Input, wanted: Wanted, classes: Labels, kept: Kept | None) -> tuple[dict[str, Tally], Source]:
    table = open_table(file, wanted.character)
    if is_of_counts(table.header) and wanted.label not in {name.strip() for name in table.header}:
        if kept is not None:
            raise InputError(file.name, [message("exact-needs-cases")])
        of_counts = replace(wanted, positive=None, rest=False)  # the others may have labels
        models = read_counted(table, of_counts, model=SCORE, may_lack_class=True)
        tallies = {}
        for model in models:
            tallies[model.model] = tally = Tally()
            tally.add_counts(model.scores, np.diff(model.tp), np.diff(model.fp))
        source = models[0].sources[0]
        said = provenance_of(table)
        if said.numbers or said.pairs:
            source = replace(source, caveats=(*source.caveats, message("numbers-dropped", file=file.name)))
        return tallies, source
    layout = lay_out(table, wanted)._replace(id=None)  # ids would have to be kept to find one twice
    found = collect_in_batches(table, layout.kinds, lambda: CountedCases(table, layout, wanted, classes, kept))
    if kept is not None:
        kept.end()
    return found
