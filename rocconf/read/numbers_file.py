"""Reads the whole numbers of models and of pairs of models: from tables, like the results of queries, and from records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rocconf.errors import InputError, RocconfError
from rocconf.messages import message
from rocconf.read.counts_file import collect_counts
from rocconf.read.faults import Faults
from rocconf.read.formats import collect, failures_as_errors, open_table
from rocconf.read.layout import MODEL, is_of_counts
from rocconf.read.provenance import provenance_of
from rocconf.whole_numbers import NUMBERS, PAIRS, PairNumbers, WholeNumbers, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rocconf.read.columns import CellKind, Cells
    from rocconf.read.formats import OpenTable
    from rocconf.read.source import Input
    from rocconf.records import ScoreCounts

Made = TypeVar("Made")

SCORE = "score"
"""The name of a model of counts that have none."""


def is_of_numbers(header: Iterable[str]) -> bool:
    """Whether the columns are those of the whole numbers of models."""
    return {name.strip() for name in header}.issuperset(NUMBERS)


def is_of_pairs(header: Iterable[str]) -> bool:
    """Whether the columns are those of the whole numbers of pairs of models."""
    return {name.strip() for name in header}.issuperset(PAIRS)


MISSING, OTHER = ("missing_labels", "missing_scores"), "other_labels"
"""The columns in which queries say how many rows they left out; a table may lack them."""


def has_pairs(source: Input, delimiter: str | None, *, alone: bool) -> bool:
    """Whether a file has the whole numbers of pairs of models, and no counts if `alone`."""
    table = open_table(source, delimiter)
    if is_of_pairs(table.header):
        return True
    return not alone and is_of_counts(table.header) and bool(provenance_of(table).pairs)


def pair_numbers(
    source: Input, delimiter: str | None, *, na: str
) -> tuple[tuple[PairNumbers, ...], int, tuple[ScoreCounts, ...]]:
    """Return the pairs of models in a file, how many rows were left out, and the counts beside them, if there are any."""
    table = open_table(source, delimiter)
    if is_of_pairs(table.header):
        return *pairs_in(table, na=na), ()
    counts = collect_counts(table, model=SCORE, lower_is_positive=False)
    return pairs_of_records(table.name, provenance_of(table).pairs), 0, counts


def is_of_whole_numbers(source: Input, delimiter: str | None) -> bool:
    """Whether a file is a table of whole numbers, of models or of pairs."""
    with failures_as_errors(source.name):
        header = open_table(source, delimiter).header
    return is_of_numbers(header) or is_of_pairs(header)


def whole_numbers_in(
    source: Input, delimiter: str | None, *, na: str
) -> tuple[dict[str, WholeNumbers], tuple[PairNumbers, ...]]:
    """Return the whole numbers of models, or of pairs, in a file."""
    table = open_table(source, delimiter)
    return ({}, pairs_in(table, na=na)[0]) if is_of_pairs(table.header) else (numbers_in(table, SCORE, na=na), ())


def numbers_in(table: OpenTable, model: str, *, na: str) -> dict[str, WholeNumbers]:
    """Return the numbers of the models of a table; `model` is the name of one that has none."""
    has_names = MODEL in {name.strip() for name in table.header}
    columns = (MODEL, *NUMBERS) if has_names else NUMBERS

    def made(record: Mapping[str, str]) -> tuple[str, WholeNumbers]:
        return record.get(MODEL, model), WholeNumbers.of(record)

    found, _ = _rows(table, columns, made, na=na)
    return _of_models(table.name, found)


def pairs_in(table: OpenTable, *, na: str) -> tuple[tuple[PairNumbers, ...], int]:
    """Return the numbers of the pairs of a table, and how many rows were left out of them."""
    found, dropped = _rows(table, PAIRS, PairNumbers.of, na=na)
    return tuple(found), dropped


def numbers_of_records(file: str, records: Iterable[Mapping[str, Any]]) -> dict[str, WholeNumbers]:
    """Return the numbers of models that the metadata of a file has."""
    found = [(str(record.get(MODEL)), _of_record(file, record, WholeNumbers.of)) for record in records]
    return _of_models(file, found)


def _of_models(file: str, found: Sequence[tuple[str, WholeNumbers]]) -> dict[str, WholeNumbers]:
    models = dict(found)
    if len(models) < len(found):
        raise InputError(file, [message("numbers-twice")])
    return models


def pairs_of_records(file: str, records: Iterable[Mapping[str, Any]]) -> tuple[PairNumbers, ...]:
    """Return the numbers of pairs that the metadata of a file has."""
    return tuple(_of_record(file, record, PairNumbers.of) for record in records)


def _of_record(file: str, record: Mapping[str, Any], made: Callable[[Mapping[str, Any]], Made]) -> Made:
    try:
        return made(record)
    except RocconfError as error:
        raise InputError(file, [error.message]) from None


def _rows(
    table: OpenTable, columns: Sequence[str], made: Callable[[Mapping[str, str]], Made], *, na: str
) -> tuple[list[Made], int]:
    header = [name.strip() for name in table.header]
    columns = (*columns, *(name for name in (*MISSING, OTHER) if name in header))
    twice = [name for name in columns if header.count(name) > 1]
    if twice:
        n, name = header.count(twice[0]), twice[0]
        raise InputError(table.name, [message("columns-of-one-name", n=n, name=name)])
    at = {name: header.index(name) for name in columns}
    kinds: dict[int, CellKind] = dict.fromkeys(at.values(), "text")
    return collect(table, kinds, lambda: _Rows(table, at, made, na=na))


class _Rows(Generic[Made]):
    """The rows of a table, each of which makes one record."""

    def __init__(
        self, table: OpenTable, at: Mapping[str, int], made: Callable[[Mapping[str, str]], Made], *, na: str
    ) -> None:
        self._table, self._at, self._made, self._na = table, at, made, na
        self._dropped = 0
        self.faults = Faults(table.name, table.unit)
        self._found: list[Made] = []

    def add(self, places: Sequence[int], columns: Mapping[int, Cells]) -> None:
        """Add some rows."""
        rounded = [name for name, at in self._at.items() if columns[at].are_rounded()]
        if rounded:
            self.faults.add(places[0], message("numbers-row", fault=message("numbers-rounded", name=rounded[0])))
            return
        cells = {name: columns[at].texts() for name, at in self._at.items()}
        for row, place in enumerate(places):
            try:
                record = {name: column[row] for name, column in cells.items()}
                self._require_all_rows(record)
                self._found.append(self._made(record))
            except RocconfError as error:
                self.faults.add(place, message("numbers-row", fault=error.message))

    def _require_all_rows(self, record: Mapping[str, str]) -> None:
        """Reject sums that left rows out, but for missing values that are to be dropped."""
        out = {name: whole_number(name, record[name] or "0") for name in (*MISSING, OTHER) if name in record}
        for name, rows in out.items():
            if rows and (self._na != "drop" or name == OTHER):
                raise RocconfError("numbers-left-out", rows=rows, name=name)
        self._dropped = max(self._dropped, sum(out.values()))

    def finish(self) -> tuple[list[Made], int]:
        """Return the records and the number of rows that were left out of them, or raise all faults."""
        self.faults.raise_if_any()
        if not self._found:
            raise InputError(self._table.name, [message("no-rows")])
        return self._found, self._dropped
