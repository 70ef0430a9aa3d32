"""Read delimited text: csv, tsv and the like.

The careful reader parses every row and finds every fault. The plain and the quick one are faster, and leave a file that
they are not sure of to the careful one, so that a file means the same to all.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from rocconf.read.columns import TextCells
from rocconf.read.delimited import careful
from rocconf.read.formats import Piece

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rocconf.read.columns import CellKind, Cells
    from rocconf.read.formats import OpenTable
    from rocconf.read.source import Input

TABS = (".tsv", ".tab")

PLAIN_BELOW = 1 << 25
"""The size below which numpy, which is loaded already, is faster than an engine that uses all cores."""

QUICK_FROM = 4_000_000
"""The size from which importing polars pays: that takes 0.1 s, about as long as the careful reader for this size."""

PACKED = 4
"""How many times its size a compressed file is taken for."""


class DelimitedTable:
    """A text file; its lines are numbered from 1."""

    unit = "line"

    def __init__(self, source: Input, delimiter: str) -> None:
        self._source, self._delimiter = source, delimiter
        self.name, self.digest = source.name, source.digest()
        self.header = careful.read_header(source, delimiter)

    @cached_property
    def _sample(self) -> list[list[str]]:
        """The first rows: most files are understood without them."""
        return careful.read_sample(self._source, self._delimiter)

    def head(self, positions: Sequence[int]) -> dict[int, Cells]:
        """Return the cells of some columns in the first rows."""
        return {at: TextCells([row[at] if at < len(row) else "" for row in self._sample]) for at in positions}

    def is_nested(self, at: int) -> bool:  # noqa: ARG002  # text has no cells within cells
        """Return False: every cell is text."""
        return False

    def readings(self, kinds: Mapping[int, CellKind]) -> Iterator[Iterable[Piece]]:
        """Read some columns with each reader that may be the fastest, then with care."""
        for columns in self._fast_readings(kinds):
            if columns is not None:
                yield [Piece(range(len(next(iter(columns.values())))), columns)]
        yield careful.pieces_of(self._source, self._delimiter, kinds, len(self.header))

    def batches(self, kinds: Mapping[int, CellKind]) -> Iterator[Iterable[Piece]]:
        """Read some columns quickly, then with care, some lines at a time."""
        if self._source.size >= QUICK_FROM:
            from rocconf.read.delimited import quick

            yield quick.pieces_of(self._source, self._delimiter, kinds, self.header)
        yield careful.pieces_of(self._source, self._delimiter, kinds, len(self.header))

    def _fast_readings(self, kinds: Mapping[int, CellKind]) -> Iterator[Mapping[int, Cells] | None]:
        size = self._source.size * (PACKED if self._source.suffixes[1] else 1)
        if size < PLAIN_BELOW and "text" not in kinds.values():
            from rocconf.read.delimited import plain

            yield plain.columns_of(self._source, self._delimiter, kinds, len(self.header))
        if size >= QUICK_FROM:
            from rocconf.read.delimited import quick

            yield quick.columns_of(self._source, self._delimiter, kinds, self.header)


def open_table(source: Input, delimiter: str | None) -> OpenTable:
    """Open a text file; without a delimiter the suffix determines it."""
    return DelimitedTable(source, delimiter or ("\t" if source.suffixes[0] in TABS else ","))
