"""Read Arrow's files, also called Feather, and its streams: only the columns that are needed, with their types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.read.parquet import ParquetTable
from rocconf.read.source import open_unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from rocconf.read.formats import OpenTable
    from rocconf.read.source import Input

FILE = b"ARROW1"
"""How a file begins; a stream begins otherwise."""


class ArrowTable(ParquetTable):
    """An Arrow file; its rows are numbered from 1."""

    not_this_form = "not-arrow"

    def _check(self) -> None:
        """Leave the check to polars, which refuses what it cannot read."""

    def _decoded_size(self, names: Sequence[str]) -> int:  # noqa: ARG002  # as that of parquet
        """Return 0: the file does not say it, and the texts are counted when they are read."""
        return 0

    def _scan(self, most: int | None = None) -> pl.LazyFrame:
        import polars as pl

        with open_unpacked(self._content) as stream:
            is_file = stream.read(len(FILE)) == FILE
        if is_file:
            return pl.scan_ipc(self._content, n_rows=most, glob=False)
        return pl.read_ipc_stream(self._content, n_rows=most).lazy()


def open_table(source: Input, delimiter: str | None) -> OpenTable:  # noqa: ARG001  # Arrow has no delimiter
    """Open an Arrow file."""
    return ArrowTable(source)
