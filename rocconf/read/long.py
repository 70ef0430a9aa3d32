"""Collects a long table, which has a row for each case and model: the cases of all models, or the counts of each.

Models that are compared case by case are paired by id: each case has one row of every model, and one label. A case of
which a row is dropped is dropped for all models.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import chain, repeat
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocconf.errors import SPELLED_OUT, InputError, TooFewCasesError
from rocconf.examples import example
from rocconf.messages import message
from rocconf.read.candidates import listed
from rocconf.read.cases import Cases, joined
from rocconf.read.cells import quoted
from rocconf.read.formats import collect
from rocconf.read.layout import lay_out
from rocconf.read.unnamed import shown
from rocconf.records import Predictions, ScoreCounts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from rocconf.read.formats import OpenTable
    from rocconf.read.layout import Wanted
    from rocconf.records import Flags, Floats

    Positions = NDArray[np.int64]

MOST_NAMES = 6
"""How many models a message lists."""


def collect_long(table: OpenTable, wanted: Wanted) -> Predictions | tuple[ScoreCounts, ...]:
    """Return the cases of all models, or the counts of each model if they need not be paired."""
    layout = lay_out(table, wanted)
    return collect(table, layout.kinds, lambda: LongCases(table, layout, wanted))


class _Rows(NamedTuple):
    """The models and ids of a table, and the position among them of those of every row."""

    names: list[str]
    models: Positions
    ids: list[str]
    cases: Positions

    def id(self, row: int) -> str:
        """Return the id of a row as messages quote it."""
        return str(example(quoted(self.ids[self.cases[row]])))


class LongCases(Cases):
    """The rows of a long table as they are read, piece by piece."""

    def finish(self) -> Predictions | tuple[ScoreCounts, ...]:  # type: ignore[override]  # models may have other cases
        """Return the cases, or the counts of each model, or raise all faults."""
        self._require_a_positive_label()
        self._require_a_known_class()
        self._ids.require_exact()
        names, models = _numbered([cell for column in self._model_columns for cell in column.texts()])
        self._note_blank(names, models, self._layout.name(self._layout.model or 0))
        if not len(models):
            self.faults.raise_if_any()
            self._require_both_classes()
        labels, scores = joined(self._labels), joined(self._scores[0])
        has_ids = self._layout.id is not None
        ids, cases = _numbered(self._ids.texts)
        rows = _Rows(names, models, ids, cases)
        if has_ids:
            self._note_blank(ids, cases, "the id")
            self._note_pairs(rows)
            self._note_labels(rows, labels)
        self.faults.raise_if_any()
        if has_ids and self._wanted.pairing != "none":
            return self._paired(rows, labels, scores)
        if len(names) > 1 and self._wanted.pairing == "required":
            listing = listed(map(shown, names), MOST_NAMES)
            raise InputError(self._table.name, [message("long-without-ids", models=len(names), names=listing)])
        if len(names) == 1:
            self._require_both_classes()
            return self._predictions(labels, {names[0]: scores}, None)
        return tuple(self._counts(name, labels[models == at], scores[models == at]) for at, name in enumerate(names))

    def _paired(self, rows: _Rows, labels: Flags, scores: Floats) -> Predictions:
        """Return the cases of which no row was dropped; each must have a row of every model."""
        names, ids = rows.names, rows.ids
        dropped = set(self._ids.dropped)
        if "" in dropped:
            raise InputError(self._table.name, [message("dropped-without-id")])
        self._ids.dropped, self._n_dropped = sorted(dropped), len(dropped)
        kept = np.array([name not in dropped for name in ids], dtype=np.bool_)
        table = np.full((len(names), len(ids)), np.nan)
        table[rows.models, rows.cases] = scores
        self._require_pairs(np.isnan(table) & kept, ids, names)
        of_case = np.zeros(len(ids), dtype=np.bool_)
        of_case[rows.cases] = labels
        self._labels = [of_case[kept]]
        self._require_both_classes()
        columns = {name: np.ascontiguousarray(row[kept]) for name, row in zip(names, table, strict=True)}
        named = np.array(ids, dtype=object)[kept] if self._wanted.keep_ids else None
        return self._predictions(self._labels[0], columns, named)

    def _predictions(self, labels: Flags, scores: dict[str, Floats], ids: NDArray[Any] | None) -> Predictions:
        return Predictions(labels, scores, ids, self._wanted.lower_is_positive, (self._source(labels),))

    def _counts(self, name: str, labels: Flags, scores: Floats) -> ScoreCounts:
        positives = int(np.count_nonzero(labels))
        if positives in (0, len(labels)):
            negatives = len(labels) - positives
            fault = message("one-class-counts", model=name, positives=positives, negatives=negatives)
            raise TooFewCasesError(self._table.name, [fault])
        self._n_dropped = Counter(self._dropped_models)[name]
        return ScoreCounts.of(
            scores,
            labels.astype(np.int64),
            (~labels).astype(np.int64),
            model=name,
            lower_is_positive=self._wanted.lower_is_positive,
            sources=(self._source(labels),),
        )

    @cached_property
    def _places(self) -> Sequence[int]:
        """The line or row of every row that is kept."""
        return self._id_places[0] if len(self._id_places) == 1 else list(chain.from_iterable(self._id_places))

    def _note_blank(self, names: Sequence[str], found: Positions, column: str) -> None:
        if "" in names:
            places = self._places
            blank = [places[row] for row in np.flatnonzero(found == names.index("")).tolist()]
            self.faults.add_all(blank, repeat(message("no-value", column=column)))

    def _note_pairs(self, rows: _Rows) -> None:
        """Add a fault for each row whose case has an earlier row of the model."""
        _, first, row_of = np.unique(rows.cases * len(rows.names) + rows.models, return_index=True, return_inverse=True)
        earlier = first[row_of]
        for row in np.flatnonzero(earlier != np.arange(len(earlier))).tolist():
            self._note(row, earlier[row], "pair-twice", id=rows.id(row), model=quoted(rows.names[rows.models[row]]))

    def _note_labels(self, rows: _Rows, labels: Flags) -> None:
        """Add a fault for each row whose label is not that of the first row of its case."""
        _, first = np.unique(rows.cases, return_index=True)
        earlier = first[rows.cases]
        for row in np.flatnonzero(labels != labels[earlier]).tolist():
            found, other = ("positive", "negative") if labels[row] else ("negative", "positive")
            self._note(row, earlier[row], "case-labels-differ", id=rows.id(row), found=found, other=other)

    def _note(self, row: int, earlier: int, code: str, **values: str) -> None:
        """Add a fault of a row that an earlier row contradicts."""
        first = f"{self.faults.unit} {self._places[earlier]}"
        self.faults.add(self._places[row], message(code, first=first, **values))

    def _require_pairs(self, missing: Flags, ids: Sequence[str], names: Sequence[str]) -> None:
        """Refuse cases without a row of a model."""
        total = int(np.count_nonzero(missing))
        if total:
            found = [divmod(at, len(names)) for at in np.flatnonzero(missing.T)[:SPELLED_OUT].tolist()]
            faults = [
                message("pair-missing", id=example(quoted(ids[case])), model=quoted(names[at])) for case, at in found
            ]
            raise InputError(self._table.name, faults, total=total, hints=[message("pairs-needed")])


def _numbered(cells: Sequence[str]) -> tuple[list[str], Positions]:
    """Return the distinct cells in the order in which they first occur, and the position of every cell among them."""
    numbers: dict[str, int] = {}
    found = np.fromiter((numbers.setdefault(cell, len(numbers)) for cell in cells), dtype=np.int64, count=len(cells))
    return list(numbers), found
