"""Tables of unrounded values, with the kind of each column and why a value can be missing.

A table of ten million rows is never held in memory: its blocks compute the rows that are asked for.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocconf.dataclass import dataclass
from rocconf.errors import RocconfError
from rocconf.records import slices

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    Rows = slice | NDArray[np.intp]
    Values = NDArray[Any]

ColumnKind = Literal["text", "count", "score", "share", "number", "p", "flag", "list"]
"""The kind of a cell, which decides how it is formatted. In a float column NaN is a missing value."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Column:
    """A column: its key in every form of output, the kind of its cells and why one can be missing.

    A `spare` column is omitted from the formats for people where there is no room for all.
    """

    name: str
    kind: ColumnKind
    undefined: str = ""
    spare: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Block:
    """The rows of one model: how many, how to compute them, and which to keep when there is no room for all."""

    length: int
    values: Callable[[str, Rows], Values]
    keep: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Table:
    """Named columns over one block of rows per model."""

    name: str
    columns: tuple[Column, ...]
    blocks: tuple[Block, ...]
    is_read_back: bool = False
    """Whether the rows are read again as counts, so that two names must not become one where they are escaped."""

    @classmethod
    def of(
        cls, name: str, columns: Sequence[Column], records: Sequence[Mapping[str, Any]], *, is_read_back: bool = False
    ) -> Table:
        """Return a table of records; None is a missing value."""
        arrays = {column.name: _array(column, [record[column.name] for record in records]) for column in columns}
        return cls(name, tuple(columns), (Block(len(records), lambda key, rows: arrays[key][rows]),), is_read_back)

    @property
    def names(self) -> tuple[str, ...]:
        """The keys of the columns."""
        return tuple(column.name for column in self.columns)

    def __len__(self) -> int:
        return sum(block.length for block in self.blocks)

    def chunks(self) -> Iterator[dict[str, Values]]:
        """Yield the columns of all rows in order, a chunk that fits the cache at a time."""
        for block in self.blocks:
            for rows in slices(block.length):
                yield {name: block.values(name, rows) for name in self.names}

    def pieces(self, name: str) -> Iterator[Values]:
        """Yield the values of a column in order, a chunk that fits the cache at a time."""
        return (block.values(name, rows) for block in self.blocks for rows in slices(block.length))

    def __getitem__(self, name: str) -> Values:
        """Return one whole column."""
        if name not in self.names:
            raise KeyError(f"no column {name!r} (found: {', '.join(self.names)})")
        return np.concatenate([block.values(name, slice(0, block.length)) for block in self.blocks])

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries of plain Python values, None where a value is missing."""
        rows: list[dict[str, Any]] = []
        for chunk in self.chunks():
            plain = [plain_values(values) for values in chunk.values()]
            rows.extend(dict(zip(chunk, row, strict=True)) for row in zip(*plain, strict=True))
        return rows

    def records_at(self, places: Sequence[int]) -> list[dict[str, Any]]:
        """Return the rows at some places as dictionaries, without those between them."""
        found: dict[int, dict[str, Any]] = {}
        begin = 0
        for block in self.blocks:
            own = [place for place in places if begin <= place < begin + block.length]
            rows = np.array(own, dtype=np.intp) - begin
            cells = zip(*(plain_values(block.values(name, rows)) for name in self.names), strict=True)
            found |= {place: dict(zip(self.names, row, strict=True)) for place, row in zip(own, cells, strict=True)}
            begin += block.length
        return [found[place] for place in places]

    def to_frame(self) -> pd.DataFrame:
        """Return the table as a pandas data frame."""
        import pandas as pd

        return pd.DataFrame({name: self[name] for name in self.names})


def record_of(columns: Iterable[Column], values: Iterable[Any]) -> dict[str, Any]:
    """Return a row of a table, from its values in the order of the columns."""
    return {column.name: value for column, value in zip(columns, values, strict=True)}


def stack(tables: Iterable[Table]) -> Table:
    """Return one table with the rows of several, which must have the same columns."""
    first, *others = tables
    if any(other.names != first.names for other in others):
        raise RocconfError("tables-differ", name=first.name)
    return replace(first, blocks=first.blocks + tuple(block for other in others for block in other.blocks))


def repeated(text: str | None, n: int) -> Values:
    """Return a column of one text, which takes the memory of one; `np.full` would drop a NUL at its end."""
    column = np.empty(1, dtype=object)
    column[0] = text
    return np.broadcast_to(column, n)


def is_repeated(values: Values) -> bool:
    """Whether all values of a column are surely one."""
    return values.strides == (0,) and len(values) > 0


def plain_values(values: Values) -> list[Any]:
    """Return Python values, None for a missing one; an infinite score stays infinite."""
    plain: list[Any] = values.tolist()
    if values.dtype.kind == "f" and np.isnan(values).any():
        return [None if value != value else value for value in plain]  # noqa: PLR0124  # NaN is not itself
    return plain


def _array(column: Column, values: list[Any]) -> Values:
    if column.kind in ("text", "list"):
        array = np.empty(len(values), dtype=object)
        for row, value in enumerate(values):
            array[row] = value
        return array
    if column.kind == "flag":
        return np.array(values, dtype=np.bool_ if None not in values else object)
    if column.kind == "count":
        return np.array(values, dtype=np.int64 if None not in values else object)
    return np.array(values, dtype=np.float64)  # None becomes NaN
