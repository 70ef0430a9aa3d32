"""Read Arrow's files, also called Feather, and its streams: only the columns that are needed, with their types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.read.arrow_headers import FILE, read_headers
from rocconf.read.parquet import ParquetTable
from rocconf.read.source import DamagedError, open_unpacked

if TYPE_CHECKING:
    import polars as pl

    from rocconf.read.formats import OpenTable
    from rocconf.read.parquet import Description
    from rocconf.read.source import Input


class ArrowTable(ParquetTable):
    """An Arrow file; its rows are numbered from 1."""

    not_this_form = "not-arrow"

    def _describe(self) -> Description:
        self._headers = read_headers(self._content)
        return self._headers

    def _schema(self) -> dict[str, bool]:
        """Return the names of the columns, and whether each is nested; polars would read a stream for them."""
        schema = {column.name: bool(column.children) for column in self._headers.columns}
        if len(schema) < len(self._headers.columns):
            self._refuse(self.not_this_form, DamagedError("two columns have the same name"))
        return schema

    def _scan(self, names: list[str] | None = None, *, most: int | None = None) -> pl.LazyFrame:
        import polars as pl

        with open_unpacked(self._content) as stream:
            if stream.read(len(FILE)) == FILE:
                stream.seek(0)
                return pl.scan_ipc(stream, n_rows=most)  # not the path, in which polars would take * for a pattern
        return pl.read_ipc_stream(self._content, columns=names, n_rows=most).lazy()


def open_table(source: Input, delimiter: str | None) -> OpenTable:  # noqa: ARG001  # Arrow has no delimiter
    """Open an Arrow file."""
    return ArrowTable(source)
