"""Read parquet: only the columns that are needed, with their types."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NoReturn

from rocconf.errors import InputError
from rocconf.messages import message
from rocconf.read.bounds import most_unpacked, shown_size
from rocconf.read.candidates import SAMPLE
from rocconf.read.formats import Piece
from rocconf.read.parquet_footer import DamagedError, read_footer
from rocconf.read.series import cells_of
from rocconf.read.source import DAMAGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    import polars as pl

    from rocconf.read.columns import CellKind, Cells
    from rocconf.read.formats import OpenTable
    from rocconf.read.source import Input


class ParquetTable:
    """A parquet file; its rows are numbered from 1."""

    unit = "row"
    not_this_form = "not-parquet"

    def __init__(self, source: Input) -> None:
        self._source, self.name, self.digest = source, source.name, source.digest()
        self._most = most_unpacked(source.size)
        self._check()
        schema = self._schema()
        self.header, self._types = list(schema), list(schema.values())

    def head(self, positions: Sequence[int]) -> dict[int, Cells]:
        """Return the cells of some columns in the first rows."""
        frame = self._columns([self.header[at] for at in positions], most=SAMPLE)
        return {at: cells_of(frame[self.header[at]]) for at in positions}

    def is_nested(self, at: int) -> bool:
        """Whether the cells of a column are lists or structs."""
        return self._types[at].is_nested()

    def readings(self, kinds: Mapping[int, CellKind]) -> Iterator[list[Piece]]:
        """Read some columns."""
        frame = self._columns([self.header[at] for at in sorted(kinds)])
        yield [Piece(range(1, len(frame) + 1), {at: cells_of(frame[self.header[at]]) for at in kinds})]

    @cached_property
    def _content(self) -> bytes | Path:
        return self._source.unpacked()

    def _check(self) -> None:
        """Refuse a file on which polars would fail."""
        try:
            self._footer = read_footer(self._content)
        except (*DAMAGE, DamagedError) as error:
            self._refuse(self.not_this_form, error)

    def _decoded_size(self, names: Sequence[str]) -> int:
        """Return how many bytes the values of some columns have, as the file says."""
        return self._footer.decoded_size(names)

    def _schema(self) -> dict[str, pl.DataType]:
        import polars as pl

        try:
            return dict(self._scan().collect_schema())
        except (*DAMAGE, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            self._refuse(self.not_this_form, error)

    def _columns(self, names: list[str], *, most: int | None = None) -> pl.DataFrame:
        import polars as pl

        try:
            self._require_at_most(self._decoded_size(names))
            frame = self._scan(most).select(names).collect()
        except (*DAMAGE, DamagedError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            self._refuse("file-damaged", error)
        texts = (column for column in frame if column.dtype in (pl.String, pl.Categorical, pl.Enum, pl.Binary))
        self._require_at_most(sum(map(_text_size, texts)))
        return frame

    def _require_at_most(self, size: int) -> None:
        """Refuse columns whose few bytes stand for very many values, or for very long ones."""
        if size > self._most:
            sizes = {"size": shown_size(size), "most": shown_size(self._most)}
            raise InputError(self.name, [message("columns-too-large", **sizes)])

    def _scan(self, most: int | None = None) -> pl.LazyFrame:
        import polars as pl

        return pl.scan_parquet(self._content, n_rows=most, glob=False, hive_partitioning=False)

    def _refuse(self, code: str, error: BaseException) -> NoReturn:
        reason = str(error).strip().partition("\n")[0]
        raise InputError(self.name, [message(code, reason=reason)]) from None


def _text_size(texts: pl.Series) -> int:
    """Return how many bytes the texts of a column have, counting equal ones each time."""
    import polars as pl

    if texts.dtype == pl.Binary:
        return int(texts.bin.size().sum())
    return int(texts.cast(pl.String).str.len_bytes().cast(pl.UInt64).sum())


def open_table(source: Input, delimiter: str | None) -> OpenTable:  # noqa: ARG001  # parquet has no delimiter
    """Open a parquet file."""
    return ParquetTable(source)
