"""Collects cases from the pieces of a table, and all faults of their cells, and makes Predictions of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import repeat
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rocconf.errors import SPELLED_OUT, InputError, TooFewCasesError
from rocconf.examples import example
from rocconf.messages import message
from rocconf.packed_scores import PackedScores
from rocconf.read.bounds import shortened
from rocconf.read.candidates import label_candidate, outside
from rocconf.read.cells import MISSING as MISSING_CELLS
from rocconf.read.cells import CellError, Labels, holds, meaning, quoted
from rocconf.read.columns import TextCells
from rocconf.read.faults import Faults, completed, select
from rocconf.read.formats import collect, collect_in_batches
from rocconf.read.groups import CLUSTERS, ClusterColumn, GroupColumn, caveats_of
from rocconf.read.ids import Ids
from rocconf.read.layout import MODEL, about_positive, lay_out
from rocconf.read.times import TimeColumn
from rocconf.read.unnamed import UnnamedError
from rocconf.records import CountsOfCases, Predictions, ScoreCounts, Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from rocconf.conditions import Condition
    from rocconf.messages import Message
    from rocconf.packed_texts import PackedTexts
    from rocconf.read.columns import Cells, Codes
    from rocconf.read.formats import OpenTable
    from rocconf.read.layout import Layout, Wanted
    from rocconf.records import Flags, Floats, Grouping

    Anything = TypeVar("Anything", bound=np.generic)

BAD, MISSING, NO, YES = -2, -1, 0, 1
HOW_TO_WRITE = {"decimal-comma": "decimal-commas", "percentage": "percentages"}
"""The hints on numbers that are written for people."""

VALUES_SHOWN = 10
"""How many values of a column are listed where the wanted one is not among them."""


def collect_cases(table: OpenTable, wanted: Wanted) -> Predictions | CountsOfCases:
    """Return the cases of a table, or only their counts if these are enough."""
    layout = lay_out(table, wanted)
    if wanted.keeps_cases:
        return collect(table, layout.kinds, lambda: Cases(table, layout, wanted))
    return collect_in_batches(table, layout.kinds, lambda: PackedCases(table, layout, wanted))


class Cases:
    """Cases as they are read, piece by piece."""

    def __init__(self, table: OpenTable, layout: Layout, wanted: Wanted) -> None:
        self._table, self._layout, self._wanted = table, layout, wanted
        self.faults = Faults(table.name, table.unit)
        self._n_rows = self._n_dropped = self._n_kept = self._n_positive = 0
        self._classes = Labels(wanted.positive, rest=wanted.rest)
        self._labels: list[Flags] = []
        self._scores: list[list[Floats]] = [[] for _ in layout.scores]
        self._ids = Ids(table.name, keep=bool(wanted.keep_ids) or layout.model is not None)
        self._model_columns: list[Cells] = []
        self._id_places: list[Sequence[int]] = []
        self._dropped_models: list[str] = []
        self._times = None if layout.time is None else TimeColumn(layout.name(layout.time))
        self._groups = {at: GroupColumn(table.name, layout.name(at)) for at in layout.groups}
        self._clusters = None if layout.cluster is None else ClusterColumn(table.name, layout.name(layout.cluster))
        self._are_independent = True
        self._filter_values: dict[int, dict[str, None]] = {at: {} for at, _ in layout.where}

    def add(self, places: Sequence[int], columns: Mapping[int, Cells]) -> None:
        """Add some rows."""
        self._n_rows += len(places)
        if self._layout.where:
            keep = self._filter(places, columns)
            places = select(places, keep)
            columns = {at: cells.where(keep) for at, cells in columns.items()}
        codes = self._codes(places, columns)
        scores = [self._read_scores(places, columns[at], at) for at in self._layout.scores]
        complete = codes >= 0
        for column in scores:
            complete &= ~np.isnan(column)
        complete &= self._have_time_and_cluster(places, columns, complete)
        if not complete.all():
            self._note_missing(places, codes, scores, complete)
            self._keep_dropped(columns, ~complete)
            codes, scores = codes[complete], [column[complete] for column in scores]
        self._keep_groups(columns, complete)
        if self._layout.model is not None:
            self._model_columns.append(columns[self._layout.model].where(complete).alone())
        if self._layout.id is not None or self._layout.model is not None:
            self._id_places.append(select(places, complete))
        if self._layout.id is not None:
            self._ids.add(columns[self._layout.id].where(complete))
        labels = self._labels_of(codes)
        self._n_kept += len(labels)
        self._n_positive += int(np.count_nonzero(labels))
        self._keep(labels, scores)

    def _keep(self, labels: Flags, scores: Sequence[Floats]) -> None:
        self._labels.append(labels)
        for pieces, column in zip(self._scores, scores, strict=True):
            pieces.append(column)

    def _have_time_and_cluster(self, places: Sequence[int], columns: Mapping[int, Cells], complete: Flags) -> Flags:
        """Return which cases have a time and a cluster, where these are asked for, and keep the times."""
        known = np.ones(len(places), dtype=np.bool_)
        if self._clusters is not None and self._layout.cluster is not None:
            known &= ~self._clusters.missing(columns[self._layout.cluster])
            self._note_unvalued(places, ~known, self._layout.cluster)
        if self._times is not None and self._layout.time is not None:
            times, timeless, faults = self._times.read(columns[self._layout.time])
            for row, fault in faults:
                self.faults.add(places[row], fault, hint="time-forms")
            self._times.keep(times[complete & known & ~timeless])
            self._note_unvalued(places, timeless, self._layout.time)
            known &= ~timeless
        return known

    def _keep_groups(self, columns: Mapping[int, Cells], complete: Flags) -> None:
        for at, group in self._groups.items():
            group.add(columns[at].where(complete))
        if self._clusters is not None and self._layout.cluster is not None:
            self._clusters.add(columns[self._layout.cluster].where(complete))

    def _require_cases_of_both_classes(self) -> None:
        """Raise all faults."""
        self._require_a_positive_label()
        self._require_a_known_class()
        self._ids.require_exact()
        self._note_repeated_ids()
        self._raise_faults()
        self._require_both_classes()

    def finish(self) -> Predictions:
        """Return the Predictions of all pieces, or raise all faults."""
        self._require_cases_of_both_classes()
        columns = zip(self._layout.scores, self._scores, strict=True)
        scores = {self._layout.name(at): joined(pieces) for at, pieces in columns}
        labels = joined(self._labels)
        ids = self._kept_ids()
        times = None if self._times is None else self._times.finish()
        groups, clusters = self._groupings()
        sources = (self._source(labels, clusters),)
        return Predictions(labels, scores, ids, self._wanted.lower_is_positive, sources, times, groups, clusters)

    def _groupings(self) -> tuple[tuple[Grouping, ...], Grouping | None]:
        """Return the columns of groups, and that of clusters."""
        groups = tuple(group.finish() for group in self._groups.values())
        clusters = None if self._clusters is None else self._clusters.finish()
        self._are_independent = clusters is None or len(clusters.names) == len(clusters)
        return groups, clusters

    def _source(self, labels: Flags, clusters: Grouping | None = None) -> Source:
        return of_clusters(self._source_of(len(labels), int(np.count_nonzero(labels))), clusters)

    def _source_of(self, kept: int, positives: int) -> Source:
        return Source(
            name=self._table.name,
            n=kept,
            positives=positives,
            negatives=kept - positives,
            positive=self._positive,
            dropped=self._n_dropped,
            caveats=self._caveats(kept),
            digest=self._table.digest,
            where=tuple(condition.text for condition in self._wanted.where),
            dropped_ids=tuple(self._ids.dropped),
            guessed=tuple(map(self._layout.name, self._layout.guessed.scores)) if self._layout.guessed else (),
        )

    @property
    def _positive(self) -> str:
        return self._wanted.positive or "1"

    def _require_a_positive_label(self) -> None:
        if self._wanted.positive is not None and self._classes.found and not self._classes.has_positive:
            found = ", ".join(map(quoted, self._classes.found))
            positive = quoted(self._wanted.positive)
            raise InputError(self._table.name, [message("no-positive-label", positive=positive, found=example(found))])

    def _require_a_known_class(self) -> None:
        """Raise one error, not one for every row, if the labels are two words and no option names the positive one."""
        found = list(self._classes.found)
        meanings = {meaning(cell) for cell in found}
        complete = len(found) < SPELLED_OUT
        if self._wanted.positive is None and complete and len(meanings) == 2 and meanings.isdisjoint({0.0, 1.0}):
            label = label_candidate(self._layout.label, TextCells(found))
            if questions := about_positive(self._layout.name(self._layout.label), label):
                raise UnnamedError(self._table.name, questions)

    def _raise_faults(self) -> None:
        """Raise all faults; where labels are the reason, with the label that is likely to be the positive one."""
        try:
            self.faults.raise_if_any()
        except InputError as error:
            if any(fault.code == "label-unknown" for fault in error.faults):
                found = label_candidate(self._layout.label, TextCells(list(self._classes.found))).values
                error.likely_positive = self._wanted.positive or next(iter(found), None)
            raise

    def _require_both_classes(self) -> None:
        self._require_cases(self._n_kept)
        if self._n_positive in (0, self._n_kept):
            fault = message("one-class", positives=self._n_positive, n=self._n_kept, label=self._positive)
            raise TooFewCasesError(self._table.name, [fault])

    def _require_cases(self, kept: int) -> None:
        if kept:
            return
        if not self._n_rows:
            fault = message("no-rows")
        elif not self._n_dropped:
            fault = self._slice_empty()
        else:
            fault = message("all-missing", dropped=self._n_dropped)
        raise TooFewCasesError(self._table.name, [fault])

    def _slice_empty(self) -> Message:
        name = self._layout.name
        wanted = " and ".join(condition.text for _, condition in self._layout.where)
        found = (f"{name(at)}: {', '.join([*cells][:VALUES_SHOWN])}" for at, cells in self._filter_values.items())
        return message("slice-empty", wanted=wanted, found=example("; ".join(found)))

    def _caveats(self, kept: int) -> tuple[Message, ...]:
        n = self._n_dropped
        rows = "1 row without a value was" if n == 1 else f"{n} rows without a value were"
        dropped = (message("dropped", file=self._table.name, rows=rows, kept=kept),) if n else ()
        return (*self._caveats_of_models, *self._caveats_of_clusters, *dropped)

    @property
    def _caveats_of_clusters(self) -> tuple[Message, ...]:
        """A warning if a column looks like one of patients or users with several cases each."""
        if not self._are_independent or self._layout.model is not None:
            return ()
        names = [name.strip() for name in self._table.header]
        named = [
            at
            for at, name in enumerate(names)
            if CLUSTERS.fullmatch(name) and at not in self._layout.kinds and not self._table.is_nested(at)
        ]
        heads = self._table.head(named) if named else {}
        found = [names[at] for at in named if _repeats(heads[at].texts())]
        return (message("clusters-suspected", file=self._table.name, column=found[0]),) if found else ()

    @property
    def _caveats_of_models(self) -> tuple[Message, ...]:
        """A warning if this looks like a long file read without a column of models, which are then taken for one."""
        names = [name.strip() for name in self._table.header]
        if self._layout.model is not None or self._layout.id is not None or names.count(MODEL) != 1:
            return ()
        at = names.index(MODEL)
        if at in self._layout.kinds or self._table.is_nested(at):
            return ()
        models = set(self._table.head([at])[at].distinct())
        return (message("models-in-one", file=self._table.name, models=len(models)),) if len(models) > 1 else ()

    def _filter(self, places: Sequence[int], columns: Mapping[int, Cells]) -> Flags:
        """Return the rows of the slice; a cell that is not a number is an error only where the other conditions hold."""
        of_conditions = [self._compare(columns[at], at, condition) for at, condition in self._layout.where]
        possible = np.logical_and.reduce([codes != NO for codes, _ in of_conditions])
        unknown = np.zeros(len(places), dtype=np.bool_)
        for (at, _), (codes, faults) in zip(self._layout.where, of_conditions, strict=True):
            self._note_bad(places, columns[at], possible & (codes == BAD), faults)
            missing = possible & (codes == MISSING)
            unknown |= missing
            if missing.any() and self._wanted.na != "drop":
                fault = message("no-value", column=self._layout.name(at))
                self.faults.add_all(select(places, missing), repeat(fault), hint="drop-missing")
        if self._wanted.na == "drop" and unknown.any():
            self._n_dropped += int(np.count_nonzero(unknown))
            self._keep_dropped(columns, unknown)
        met: Flags = np.logical_and.reduce([codes == YES for codes, _ in of_conditions])
        return met

    def _keep_dropped(self, columns: Mapping[int, Cells], dropped: Flags) -> None:
        """Keep the ids, models and groups of rows that are left out."""
        if self._layout.id is not None:
            self._ids.add_dropped(columns[self._layout.id].where(dropped))
        if self._layout.model is not None:
            self._dropped_models += columns[self._layout.model].where(dropped).texts()
        for at, group in self._groups.items():
            group.add_dropped(columns[at].where(dropped))

    def _compare(self, cells: Cells, at: int, condition: Condition) -> tuple[Codes, dict[str, Message]]:
        """Return for each cell whether it meets a condition, and the faults of cells that are not numbers."""
        distinct = cells.distinct()
        self._filter_values[at].update(dict.fromkeys(map(shortened, distinct[:VALUES_SHOWN])))
        codes: dict[str, int] = {}
        faults: dict[str, Message] = {}
        for cell in distinct:
            try:
                found = holds(condition, cell)
                codes[cell] = MISSING if found is None else int(found)
            except CellError as error:
                codes[cell], faults[cell] = BAD, completed(error.fault, column=self._layout.name(at))
        return cells.coded(codes), faults

    def _codes(self, places: Sequence[int], columns: Mapping[int, Cells]) -> Codes:
        return self._read_labels(places, columns[self._layout.label])

    def _labels_of(self, codes: Codes) -> Flags:
        return codes.view(np.bool_)

    def _read_labels(self, places: Sequence[int], cells: Cells) -> Codes:
        hint = "third-label" if self._wanted.positive else "name-the-positive"
        coded = self._coded_labels(places, cells, hint=hint)
        if hint != "third-label" and len({meaning(cell) for cell in self._classes.found}) > 2:
            self.faults.hint("third-label", beside=hint)
        return coded

    def _coded_labels(self, places: Sequence[int], cells: Cells, *, hint: str) -> Codes:
        codes: dict[str, int] = {}
        faults: dict[str, Message] = {}
        for cell in cells.distinct():
            try:
                code = self._classes.code(cell)
                codes[cell] = MISSING if code is None else code
            except CellError as error:
                codes[cell], faults[cell] = BAD, error.fault
        coded = cells.coded(codes)
        self._note_bad(places, cells, coded == BAD, faults, hint=hint)
        return coded

    def _note_bad(  # what is bad, where
        self, places: Sequence[int], cells: Cells, bad: Flags, faults: Mapping[str, Message], *, hint: str = ""
    ) -> None:
        if bad.any():
            bad_cells = cells.where(bad & (np.cumsum(bad) <= SPELLED_OUT)).texts()
            self.faults.add_all(select(places, bad), map(faults.__getitem__, bad_cells), hint=hint)

    def _read_scores(self, places: Sequence[int], cells: Cells, at: int) -> Floats:
        column, guessed = self._layout.name(at), self._layout.guessed

        def note(row: int, fault: Message) -> None:
            self.faults.add(places[row], completed(fault, column=column), hint=HOW_TO_WRITE.get(fault.code, ""))

        scores = cells.numbers(note)
        if guessed and guessed.kind == "fraction" and (is_outside := outside(scores)).any():
            faults = (
                message("not-a-fraction", column=column, value=example(value)) for value in scores[is_outside].tolist()
            )
            self.faults.add_all(select(places, is_outside), faults, hint="taken-for-fractions")
        return scores

    def _note_missing(self, places: Sequence[int], codes: Codes, scores: Sequence[Floats], complete: Flags) -> None:
        if self._wanted.na == "drop":
            self._n_dropped += int(np.count_nonzero((codes != BAD) & ~complete))
            return
        columns = [(self._layout.label, codes == MISSING)]
        columns += [(at, np.isnan(column)) for at, column in zip(self._layout.scores, scores, strict=True)]
        for at, missing in columns:
            fault = message("no-value", column=self._layout.name(at))
            self.faults.add_all(select(places, missing), repeat(fault), hint="drop-missing")

    def _note_unvalued(self, places: Sequence[int], missing: Flags, at: int) -> None:
        if missing.any() and self._wanted.na != "drop":
            fault = message("no-value", column=self._layout.name(at))
            self.faults.add_all(select(places, missing), repeat(fault), hint="drop-missing")

    def _kept_ids(self) -> NDArray[Any] | PackedTexts | None:
        if self._layout.id is None or not self._wanted.keep_ids:
            return None
        return self._ids.packed() if self._wanted.keep_ids == "packed" else np.array(self._ids.texts, dtype=object)

    def _note_repeated_ids(self) -> None:
        if self._layout.id is not None:
            self._ids.note_repeats(self.faults, self._id_places)


class PackedCases(Cases):
    """Cases as they are read, of which only the counts are wanted: they are packed, and sorted at the end."""

    def __init__(self, table: OpenTable, layout: Layout, wanted: Wanted) -> None:
        super().__init__(table, layout, wanted)
        self._packed = [PackedScores(descending=not wanted.lower_is_positive) for _ in layout.scores]

    def _keep(self, labels: Flags, scores: Sequence[Floats]) -> None:
        for packed, column in zip(self._packed, scores, strict=True):
            packed.add(labels, column)

    def finish(self) -> CountsOfCases:  # type: ignore[override]  # cases are not kept
        """Return the counts of each model, or raise all faults."""
        self._require_cases_of_both_classes()
        sources = (self._source_of(self._n_kept, self._n_positive),)
        lower_is_positive = self._wanted.lower_is_positive
        models = zip(map(self._layout.name, self._layout.scores), self._packed, strict=True)
        return CountsOfCases(
            tuple(
                ScoreCounts(*packed.cumulated(), model=name, lower_is_positive=lower_is_positive, sources=sources)
                for name, packed in models
            )
        )


def _repeats(cells: Sequence[str]) -> bool:
    """Whether a value occurs twice, missing ones aside."""
    present = [cell.strip() for cell in cells if cell.strip().lower() not in MISSING_CELLS]
    return len(set(present)) < len(present)


def of_clusters(source: Source, clusters: Grouping | None) -> Source:
    """Return a source with what is known of its clusters."""
    if clusters is None:
        return source
    caveats = (*source.caveats, *caveats_of(clusters, source.name))
    return replace(source, cluster=clusters.column, clusters=len(clusters.names), caveats=caveats)


def joined(pieces: Sequence[NDArray[Anything]]) -> NDArray[Anything]:
    """Return pieces as one array, without a copy if there is one."""
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
