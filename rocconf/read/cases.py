"""Collects cases from pieces of a file, and all that is wrong with them, and makes Predictions of them."""

from __future__ import annotations

from bisect import insort
from functools import cached_property
from itertools import chain, compress, repeat
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from rocconf.errors import SPELLED_OUT, InputError, TooFewCasesError
from rocconf.read.cells import CellError, Labels, meaning, shown
from rocconf.records import Caveat, Predictions, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from rocconf.read.columns import Codes, Column
    from rocconf.read.header import Layout, Wanted
    from rocconf.records import Flags, Floats

    Anything = TypeVar("Anything", bound=np.generic)

BAD, NO_LABEL = -2, -1
ELSEWHERE = 10
"""So many of the values that a column has are named where the wanted one is not among them."""

LABEL_HINT = "if these are the names of the classes, --positive NAME says which one is positive"
MISSING_HINT = "--na drop leaves out the rows without a value, and counts them"
DUPLICATE_HINT = "every case must have an id of its own: cases are taken as independent"


class Faults:
    """What is wrong with a file: the first few spelled out, the rest counted."""

    def __init__(self, file: str, place: str) -> None:
        self.file, self.place, self.total = file, place, 0
        self._first: list[tuple[int, int, str]] = []
        self._hints: dict[str, None] = {}

    def add(self, place: int, fault: str, *, hint: str = "") -> None:
        """Note one fault, and perhaps how such faults are mended."""
        self.total += 1
        if hint:
            self._hints[hint] = None
        insort(self._first, (place, self.total, fault))
        del self._first[SPELLED_OUT:]

    def add_all(self, places: Sequence[int], faults: Iterable[str], *, hint: str = "") -> None:
        """Note a fault of every place, of which only those that are spelled out are asked for their words."""
        for place, fault in zip(places[:SPELLED_OUT], faults, strict=False):
            self.add(place, fault, hint=hint)
        self.total += max(len(places) - SPELLED_OUT, 0)

    def raise_if_any(self) -> None:
        """Raise all faults as one error."""
        if self.total:
            spelled = [f"{self.place} {place}: {fault}" for place, _, fault in self._first]
            raise InputError(self.file, spelled, total=self.total, hint="; ".join(self._hints))


class Cases:
    """Cases as they are read, piece by piece."""

    def __init__(self, file: str, layout: Layout, wanted: Wanted, *, place: str = "line") -> None:
        self.file, self.layout, self.wanted = file, layout, wanted
        self.faults = Faults(file, place)
        self.dropped = self._rows = 0
        self._classes = Labels(wanted.positive)
        self._labels: list[Flags] = []
        self._scores: list[list[Floats]] = [[] for _ in layout.scores]
        self._id_columns: list[Column] = []
        self._dropped_ids: list[str] = []
        self._id_places: list[Sequence[int]] = []
        self._elsewhere: dict[int, dict[str, None]] = {at: {} for at, _ in layout.where}

    def add(self, places: Sequence[int], columns: Mapping[int, Column]) -> None:
        """Take a piece: the lines of its rows, and the columns that matter."""
        self._rows += len(places)
        keep = self._filter(columns)
        if keep is not None:
            places = _chosen(places, keep)
            columns = {at: column.where(keep) for at, column in columns.items()}
        codes = self._read_labels(places, columns[self.layout.label])
        scores = [self._read_scores(places, columns[at], at) for at in self.layout.scores]
        whole = codes >= 0
        for column in scores:
            whole &= ~np.isnan(column)
        if not whole.all():
            self._note_missing(places, codes, scores, whole)
            if self.layout.id is not None:
                self._dropped_ids += columns[self.layout.id].where(~whole).texts()
            codes, scores = codes[whole], [column[whole] for column in scores]
        if self.layout.id is not None:
            self._id_places.append(_chosen(places, whole))
            self._id_columns.append(columns[self.layout.id].where(whole))
        self._labels.append(codes.view(np.bool_))
        for pieces, column in zip(self._scores, scores, strict=True):
            pieces.append(column)

    def finish(self, digest: Callable[[], str] | None = None) -> Predictions:
        """Make Predictions of all pieces, or say all that is wrong with them."""
        self._require_a_positive_label()
        self._require_a_name_for_one_of_two_classes()
        self._note_ids_that_recur()
        self.faults.raise_if_any()
        self._require_both_classes()
        columns = zip(self.layout.scores, self._scores, strict=True)
        scores = {self.layout.name(at): _joined(pieces) for at, pieces in columns}
        labels = _joined(self._labels)
        positives = int(np.count_nonzero(labels))
        source = Source(
            name=self.file,
            n=len(labels),
            positives=positives,
            negatives=len(labels) - positives,
            positive=self.wanted.positive or "1",
            dropped=self.dropped,
            caveats=self._caveats(len(labels)),
            digest=digest,
            dropped_ids=tuple(self._dropped_ids),
        )
        ids = np.array(self._ids, dtype=object) if self.layout.id is not None and self.wanted.keep_ids else None
        return Predictions(labels, scores, ids, self.wanted.lower_is_positive, (source,))

    def _require_a_positive_label(self) -> None:
        if self.wanted.positive is not None and self._classes.found and not self._classes.positive_found:
            found = ", ".join(map(shown, self._classes.found))
            raise InputError(self.file, [f"no label is {shown(self.wanted.positive)} (--positive; found: {found})"])

    def _require_a_name_for_one_of_two_classes(self) -> None:
        """Say once, not of every row, that the labels are two words of which none is known to be positive."""
        found = list(self._classes.found)
        meanings = {meaning(cell) for cell in found}
        complete = len(found) < SPELLED_OUT
        if self.wanted.positive is None and complete and len(meanings) == 2 and meanings.isdisjoint({0.0, 1.0}):
            one, other = found[0], next(cell for cell in found if meaning(cell) != meaning(found[0]))
            raise InputError(
                self.file,
                [f"the labels are {shown(one)} and {shown(other)}: --positive NAME says which one is positive"],
            )

    def _require_both_classes(self) -> None:
        kept = sum(map(len, self._labels))
        positives = sum(int(np.count_nonzero(piece)) for piece in self._labels)
        if not self._rows:
            raise TooFewCasesError(self.file, ["no rows below the header"])
        if not kept and not self.dropped:
            raise TooFewCasesError(self.file, [self._nothing_there()])
        if not kept:
            raise TooFewCasesError(self.file, [f"all {self.dropped} rows lack a value"])
        if positives in (0, kept):
            named = f"--positive {self.wanted.positive}" if self.wanted.positive else "label 1"
            found = f"{positives} of {kept} cases are positive ({named})"
            raise TooFewCasesError(self.file, [f"only one class: {found}, and both classes are needed"])

    def _nothing_there(self) -> str:
        wanted = " and ".join(f"{self.layout.name(at)}={value}" for at, value in self.layout.where)
        found = "; ".join(
            f"{self.layout.name(at)}: {', '.join(list(cells)[:ELSEWHERE])}" for at, cells in self._elsewhere.items()
        )
        return f"no row with {wanted} (found {found})"

    def _caveats(self, kept: int) -> tuple[Caveat, ...]:
        if not self.dropped:
            return ()
        left_out = "1 row without a value was" if self.dropped == 1 else f"{self.dropped} rows without a value were"
        return (Caveat("dropped", f"{self.file}: {left_out} left out, {kept} are left"),)

    def _filter(self, columns: Mapping[int, Column]) -> Flags | None:
        keep: Flags | None = None
        for at, value in self.layout.where:
            distinct = columns[at].distinct()
            self._elsewhere[at].update(dict.fromkeys(distinct[:ELSEWHERE]))
            matches = columns[at].coded({cell: meaning(cell) == meaning(value) for cell in distinct}).astype(np.bool_)
            keep = matches if keep is None else keep & matches
        return keep

    def _read_labels(self, places: Sequence[int], cells: Column) -> Codes:
        codes: dict[str, int] = {}
        faults: dict[str, str] = {}
        for cell in cells.distinct():
            try:
                code = self._classes.code(cell)
                codes[cell] = NO_LABEL if code is None else code
            except CellError as fault:
                codes[cell], faults[cell] = BAD, str(fault)
        coded = cells.coded(codes)
        if faults:
            bad = coded == BAD
            bad_cells = cells.where(bad & (np.cumsum(bad) <= SPELLED_OUT)).texts()
            hint = "" if self.wanted.positive else LABEL_HINT
            self.faults.add_all(_chosen(places, bad), map(faults.__getitem__, bad_cells), hint=hint)
        return coded

    def _read_scores(self, places: Sequence[int], cells: Column, at: int) -> Floats:
        return cells.numbers(lambda row, fault: self.faults.add(places[row], f"{self.layout.name(at)} {fault}"))

    def _note_missing(self, places: Sequence[int], codes: Codes, scores: Sequence[Floats], whole: Flags) -> None:
        if self.wanted.na == "drop":
            self.dropped += int(np.count_nonzero((codes != BAD) & ~whole))
            return
        columns = [(self.layout.label, codes == NO_LABEL)]
        columns += [(at, np.isnan(column)) for at, column in zip(self.layout.scores, scores, strict=True)]
        for at, empty in columns:
            self.faults.add_all(
                _chosen(places, empty), repeat(f"{self.layout.name(at)} has no value"), hint=MISSING_HINT
            )

    @cached_property
    def _ids(self) -> list[str]:
        """The ids as text, which takes longer than all else where they are many."""
        return [cell for column in self._id_columns for cell in column.texts()]

    def _note_ids_that_recur(self) -> None:
        if not self._dropped_ids and len(self._id_columns) == 1 and self._id_columns[0].surely_differ():
            return
        distinct, dropped = set(self._ids), set(self._dropped_ids)
        if len(distinct) == len(self._ids) and "" not in distinct and distinct.isdisjoint(dropped):
            return
        first: dict[str, int] = {}
        for place, cell in zip(chain.from_iterable(self._id_places), self._ids, strict=True):
            if not cell:
                self.faults.add(place, "the id has no value")
            elif first.setdefault(cell, place) != place:
                already = f"id {shown(cell)} stands on {self.faults.place} {first[cell]} already"
                self.faults.add(place, already, hint=DUPLICATE_HINT)
            elif cell in dropped:
                self.faults.add(place, f"id {shown(cell)} has a row without a value too", hint=DUPLICATE_HINT)


def _chosen(places: Sequence[int], chosen: Flags) -> Sequence[int]:
    """Return some of the places, all of them for nothing."""
    if chosen.all():
        return places
    if isinstance(places, list):
        return list(compress(places, chosen.tolist()))
    if isinstance(places, range):
        return cast("Sequence[int]", np.flatnonzero(chosen) + places.start)
    return cast("Sequence[int]", np.asarray(places)[chosen])


def _joined(pieces: list[NDArray[Anything]]) -> NDArray[Anything]:
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
