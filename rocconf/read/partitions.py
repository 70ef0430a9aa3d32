"""Columns that the path of a file has in place of its rows: `day=2026-11-01/part-0.parquet`, as lakes are divided.

Such a column is there only if it is named, so that no path is ever taken for a label or a score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

import numpy as np

from rocconf.errors import InputError
from rocconf.examples import example
from rocconf.messages import message
from rocconf.read.cells import CellError, holds, parse_number, quoted
from rocconf.read.columns import Cells
from rocconf.read.formats import Piece, open_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rocconf.conditions import Condition
    from rocconf.read.columns import CellKind, Codes, Note
    from rocconf.read.formats import OpenTable
    from rocconf.read.layout import Wanted
    from rocconf.read.source import Input
    from rocconf.records import Counts, Flags, Floats

MISSING = "__HIVE_DEFAULT_PARTITION__"
"""What a path has where the column has no value."""


def partitions_of(name: str) -> dict[str, str]:
    """Return the columns in the folders of a path, and their values."""
    parts = (part.partition("=") for part in name.replace("\\", "/").split("/")[:-1])
    found = {unquote(column): unquote(value) for column, is_equal, value in parts if column and is_equal}
    return {column: "" if value == MISSING else value for column, value in found.items()}


def may_have_cases(name: str, where: Sequence[Condition]) -> bool:
    """Whether the path of a file meets all conditions on its columns: a file that does not need not be read."""
    known = partitions_of(name)
    try:
        return all(holds(each, known[each.column]) is not False for each in where if each.column in known)
    except CellError:
        return True  # reading it says what is wrong


def open_with_partitions(source: Input, wanted: Wanted) -> OpenTable:
    """Open an input, with those columns of its path that are named in what is wanted."""
    table = open_table(source, wanted.character)
    known = partitions_of(table.name)
    chosen = {name: value for name, value in known.items() if name in _named(wanted)}
    return Partitioned(table, chosen) if chosen else table


def _named(wanted: Wanted) -> set[str | None]:
    """Return the columns that choose cases, or divide them."""
    return {
        *(condition.column for condition in wanted.where),
        *wanted.groups,
        wanted.model,
        wanted.cluster,
        wanted.time,
    }


class Partitioned:
    """A table and columns that have one value in all its rows; a column of its own must have that value, too."""

    def __init__(self, table: OpenTable, values: Mapping[str, str]) -> None:
        self._table, self.name, self.unit = table, table.name, table.unit
        own = [name.strip() for name in table.header]
        self._values = {name: value for name, value in values.items() if name not in own}
        self._checked = {at: values[name] for at, name in enumerate(own) if name in values}
        self.header: Sequence[str] = [*table.header, *self._values]

    @property
    def digest(self) -> Callable[[], str] | None:
        """Computes the SHA-256 of the input, if it is a file."""
        return self._table.digest

    @property
    def metadata(self) -> Mapping[bytes, bytes]:
        """What the writer of the file says of it."""
        found: Mapping[bytes, bytes] = getattr(self._table, "metadata", {})
        return found

    def head(self, positions: Sequence[int]) -> Mapping[int, Cells]:
        """Return the cells of some columns in the first rows."""
        own = [at for at in positions if at < self._width]
        cells = dict(self._table.head(own)) if own else {}
        return cells | self._constant(positions, max(map(len, cells.values()), default=1))

    def is_nested(self, at: int) -> bool:
        """Whether the cells of a column hold others."""
        return at < self._width and self._table.is_nested(at)

    def readings(self, kinds: Mapping[int, CellKind]) -> Iterator[Iterable[Piece]]:
        """Read some columns, in one way or several."""
        return (self._pieces(pieces, kinds) for pieces in self._table.readings(self._own(kinds)))

    def batches(self, kinds: Mapping[int, CellKind]) -> Iterator[Iterable[Piece]]:
        """Read some columns, a batch of rows at a time."""
        return (self._pieces(pieces, kinds) for pieces in self._table.batches(self._own(kinds)))

    @property
    def _width(self) -> int:
        return len(self.header) - len(self._values)

    def _own(self, kinds: Mapping[int, CellKind]) -> dict[int, CellKind]:
        return {at: kind for at, kind in kinds.items() if at < self._width}

    def _constant(self, positions: Iterable[int], rows: int) -> dict[int, Cells]:
        values = [*self._values.values()]
        return {at: SameCells(values[at - self._width], rows) for at in positions if at >= self._width}

    def _pieces(self, pieces: Iterable[Piece], kinds: Mapping[int, CellKind]) -> Iterator[Piece]:
        for places, columns, faults in pieces:
            for at in kinds.keys() & self._checked.keys():
                self._require_same(at, columns[at].distinct() if len(places) else [])
            yield Piece(places, {**columns, **self._constant(kinds, len(places))}, faults)

    def _require_same(self, at: int, found: Sequence[str]) -> None:
        """Refuse a column whose cells differ from the path."""
        other = next((cell for cell in found if cell.strip() != self._checked[at]), None)
        if other is not None:
            values = {"path": quoted(self._checked[at]), "found": example(quoted(other))}
            raise InputError(self.name, [message("partition-differs", column=self.header[at].strip(), **values)])


class SameCells(Cells):
    """Cells that are all equal."""

    def __init__(self, cell: str, rows: int) -> None:
        self._cell, self._rows = cell, rows

    def __len__(self) -> int:
        return self._rows

    def distinct(self) -> list[str]:
        """Return the cell."""
        return [self._cell] if self._rows else []

    def coded(self, codes: Mapping[str, int]) -> Codes:
        """Return the code of every cell."""
        return np.full(self._rows, codes[self._cell] if self._rows else 0, dtype=np.int8)

    def places(self) -> tuple[list[str], Counts]:
        """Return the distinct cells, and the place of every cell among them."""
        return self.distinct(), np.zeros(self._rows, dtype=np.int64)

    def numbers(self, note: Note) -> Floats:
        """Return every cell as a number."""
        try:
            return np.full(self._rows, parse_number(self._cell))
        except CellError as error:
            for row in range(self._rows):
                note(row, error.fault)
            return np.zeros(self._rows)

    def texts(self) -> list[str]:
        """Return every cell."""
        return [self._cell] * self._rows

    def where(self, keep: Flags) -> SameCells:
        """Return the cells of some of the rows."""
        return SameCells(self._cell, int(np.count_nonzero(keep)))
