"""The formats of tables: the module of each suffix, and what such a module provides.

A new format is a module with `open_table(source, delimiter)`, which returns an OpenTable, and a line in FORMATS.
"""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from rocconf.errors import InputError
from rocconf.messages import message
from rocconf.read.bounds import require_header

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rocconf.read.columns import CellKind, Cells
    from rocconf.read.faults import Fault, Faults
    from rocconf.read.source import Input

FORMATS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".feather": "arrow",
    ".arrow": "arrow",
    ".ipc": "arrow",
    ".jsonl": "json_lines",
    ".ndjson": "json_lines",
    ".json": "json_lines",
}
"""The module that opens files of a suffix; files of any other suffix are delimited text."""

TEXT = "delimited"

ENGINE_FAILURES = frozenset({"PolarsError", "PanicException"})
"""The exceptions of polars, by name: it is imported only where it is used."""

Made = TypeVar("Made")
Made_co = TypeVar("Made_co", covariant=True)


class Piece(NamedTuple):
    """Some rows of a table: the places of the rows, their cells in each column, and the faults of other rows."""

    places: Sequence[int]
    columns: Mapping[int, Cells]
    faults: Sequence[Fault] = ()


class OpenTable(Protocol):
    """An input of which the header has been read."""

    @property
    def name(self) -> str:
        """The name of the input in messages."""

    @property
    def unit(self) -> str:
        """The word for the place of a row in messages: line or row."""

    @property
    def header(self) -> Sequence[str]:
        """The names of the columns."""

    @property
    def digest(self) -> Callable[[], str] | None:
        """Computes the SHA-256 of the input, if it is a file."""

    def head(self, positions: Sequence[int]) -> Mapping[int, Cells]:
        """Return the cells of some columns in the first rows, which say what the columns may be."""

    def is_nested(self, at: int) -> bool:
        """Whether the cells of a column hold others, which no reading understands."""

    def readings(self, kinds: Mapping[int, CellKind]) -> Iterator[Iterable[Piece]]:
        """Read some columns, in one way or several: the first that does not raise OtherReadingError decides."""

    def batches(self, kinds: Mapping[int, CellKind]) -> Iterator[Iterable[Piece]]:
        """Read some columns as `readings` does, but with a bounded number of rows in memory, whatever the table has."""


class OtherReadingError(Exception):
    """A table that is not as this reading needs it to be: the next one, which is slower, decides what it means."""


class Collector(Protocol[Made_co]):
    """Makes a record of the pieces of a table."""

    faults: Faults

    def add(self, places: Sequence[int], columns: Mapping[int, Cells]) -> None:
        """Add some rows."""

    def finish(self) -> Made_co:
        """Return the record, or raise all faults."""


def open_table(source: Input, delimiter: str | None = None) -> OpenTable:
    """Open an input and read its header."""
    module = import_module(f"rocconf.read.{FORMATS.get(source.suffixes[0], TEXT)}")
    table: OpenTable = module.open_table(source, delimiter)
    require_header(table.name, table.header)
    return table


@contextmanager
def failures_as_errors(name: str) -> Iterator[None]:
    """Raise failures of the engine as damage to the file, which it may notice only where cells are compared."""
    try:
        yield
    except BaseException as error:
        if ENGINE_FAILURES.isdisjoint(kind.__name__ for kind in type(error).__mro__):
            raise
        raise InputError(name, [message("file-damaged", reason=first_line(error))]) from None


def first_line(error: BaseException) -> str:
    """Return the first line of an error of an engine: the rest is about the engine."""
    return str(error).strip().partition("\n")[0]


def collect(table: OpenTable, kinds: Mapping[int, CellKind], new_collector: Callable[[], Collector[Made]]) -> Made:
    """Return the record that a collector makes of some columns, or raise all faults."""
    return _first_possible(table.readings(kinds), new_collector)


def collect_in_batches(
    table: OpenTable, kinds: Mapping[int, CellKind], new_collector: Callable[[], Collector[Made]]
) -> Made:
    """Return what `collect` does, of a collector that keeps no rows: the memory does not grow with the table."""
    return _first_possible(table.batches(kinds), new_collector)


def _first_possible(readings: Iterable[Iterable[Piece]], new_collector: Callable[[], Collector[Made]]) -> Made:
    for pieces in readings:
        collector = new_collector()
        try:
            _add_all(collector, pieces)
            return collector.finish()
        except OtherReadingError:
            continue
    raise AssertionError("the last reading decides")


def _add_all(collector: Collector[Made], pieces: Iterable[Piece]) -> None:
    for places, columns, faults in pieces:
        for place, fault in faults:
            collector.faults.add(place, fault)
        if len(places):
            collector.add(places, columns)
