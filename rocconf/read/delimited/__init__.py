"""Read delimited text: csv, tsv and the like.

The careful reader parses every row and finds every fault. The quick one is twenty times as fast, and leaves a file whose
form it cannot prove to the careful one, so that a file means the same to both.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from rocconf.read.columns import TextCells
from rocconf.read.delimited import careful, quick

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rocconf.read.columns import CellKind, Cells
    from rocconf.read.formats import OpenTable, Piece
    from rocconf.read.source import Input

TABS = (".tsv", ".tab")


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
        """Read some columns quickly, then with care."""
        yield quick.pieces_of(self._source, self._delimiter, kinds, self.header)
        yield careful.pieces_of(self._source, self._delimiter, kinds, len(self.header))

    batches = readings


def open_table(source: Input, delimiter: str | None) -> OpenTable:
    """Open a text file; without a delimiter the suffix determines it."""
    return DelimitedTable(source, delimiter or ("\t" if source.suffixes[0] in TABS else ","))
