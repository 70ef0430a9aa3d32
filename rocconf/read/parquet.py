"""Read parquet: only the columns that are needed, with their types."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING, NoReturn, Protocol

from rocconf.errors import InputError
from rocconf.messages import message
from rocconf.read.bounds import most_unpacked, shown_size
from rocconf.read.candidates import SAMPLE
from rocconf.read.columns import spelled
from rocconf.read.formats import Piece, first_line
from rocconf.read.parquet_footer import read_footer
from rocconf.read.series import cells_of
from rocconf.read.source import DAMAGE, STORES, DamagedError
from rocconf.threads import ahead

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import polars as pl

    from rocconf.read.columns import CellKind, Cells
    from rocconf.read.formats import OpenTable
    from rocconf.read.source import Input


BATCH, BATCH_SIZE = 1 << 21, 1 << 25
"""The most rows that are decoded at once, and the bytes of their columns."""

PIECE, LEAST_PIECE = 1 << 17, 1 << 15
"""The rows of a piece of a batch: most, which fit the cache, and least, below which pieces are made of several chunks."""


class Description(Protocol):
    """The content of the headers of a file."""

    @property
    def rows(self) -> int:
        """How many rows it has."""

    @property
    def metadata(self) -> Mapping[bytes, bytes]:
        """What the writer of the file says of it."""

    def decoded_size(self, name: str, /) -> int:
        """Return the bytes of a column when it is decoded, after a check of all of it."""


class ParquetTable:
    """A parquet file; its rows are numbered from 1."""

    unit = "row"
    not_this_form = "not-parquet"

    def __init__(self, source: Input) -> None:
        self._source, self.name, self.digest = source, source.name, source.digest()
        self._most: float = most_unpacked(source.size)
        self._sizes: dict[str, int] = {}
        self._check()
        schema = self._schema()
        self.header, self._nested = list(schema), list(schema.values())

    @property
    def metadata(self) -> Mapping[bytes, bytes]:
        """What the writer of the file says of it."""
        return self._description.metadata

    def head(self, positions: Sequence[int]) -> dict[int, Cells]:
        """Return the cells of some columns in the first rows."""
        frame = self._columns([self.header[at] for at in positions], most=SAMPLE)
        return {at: cells_of(frame[self.header[at]]) for at in positions}

    def is_nested(self, at: int) -> bool:
        """Whether the cells of a column are lists or structs."""
        return self._nested[at]

    def readings(self, kinds: Mapping[int, CellKind]) -> Iterator[Iterable[Piece]]:
        """Read some columns."""
        yield self._whole(kinds)
        yield self._whole(spelled(kinds))

    def batches(self, kinds: Mapping[int, CellKind]) -> Iterator[Iterable[Piece]]:
        """Read some columns, a batch of rows at a time; ids that must be kept all at once."""
        yield self._pieces(kinds)
        yield self._whole(spelled(kinds))

    def _whole(self, kinds: Mapping[int, CellKind]) -> Iterator[Piece]:
        frame = self._columns([self.header[at] for at in sorted(kinds)])
        yield Piece(range(1, len(frame) + 1), {at: cells_of(frame[self.header[at]], kinds[at]) for at in kinds})

    def _pieces(self, kinds: Mapping[int, CellKind]) -> Iterator[Piece]:
        """Yield the rows of batches, of which the next one is decoded while the last one is used."""
        for pieces in ahead(self._batches(kinds)):
            yield from pieces
            if self._source.watch and pieces:
                self._source.watch.reach(pieces[-1].places[-1] / self._description.rows)

    def _batches(self, kinds: Mapping[int, CellKind]) -> Iterator[Callable[[], list[Piece]]]:
        """Yield what reads a batch of rows."""
        names, rows = [self.header[at] for at in sorted(kinds)], self._description.rows
        with self._failures_as_damage():
            size = self._decoded_size(names)
            self._require_at_most(size)
            table = self._scan(names).select(names)
        step = max(1, min(BATCH, BATCH_SIZE * rows // max(size, 1)))
        for start in range(0, rows, step):
            yield partial(self._batch, table, kinds, start, min(step, rows - start))

    def _batch(self, table: pl.LazyFrame, kinds: Mapping[int, CellKind], start: int, rows: int) -> list[Piece]:
        with self._failures_as_damage():
            frame = table.slice(start, rows).collect()
            self._require_rows(len(frame), rows)
            return self._pieces_of(frame, kinds, start)

    def _pieces_of(self, frame: pl.DataFrame, kinds: Mapping[int, CellKind], start: int) -> list[Piece]:
        """Return the pieces of some rows, whose ids are hashed on the thread that calls this."""
        self._require_short_texts(frame)
        pieces = []
        for some in _parts(frame):
            cells = {at: cells_of(some[self.header[at]], kinds[at]) for at in kinds}
            for each in cells.values():
                each.hashes()
            pieces.append(Piece(range(start + 1, start + len(some) + 1), cells))
            start += len(some)
        return pieces

    @cached_property
    def _content(self) -> bytes | Path:
        return self._source.unpacked()

    def _check(self) -> None:
        """Refuse a file on which polars would fail."""
        try:
            self._description = self._describe()
        except DAMAGE as error:
            self._refuse(self.not_this_form, error)

    def _describe(self) -> Description:
        return read_footer(self._content)

    def _decoded_size(self, names: Iterable[str]) -> int:
        """Return how many bytes the values of some columns have, as the file says."""
        for name in names:
            if name not in self._sizes:
                self._sizes[name] = self._description.decoded_size(name)
        return sum(map(self._sizes.__getitem__, names))

    def _schema(self) -> dict[str, bool]:
        """Return the names of the columns, and whether each is nested."""
        import polars as pl

        try:
            return {name: kind.is_nested() for name, kind in self._scan().collect_schema().items()}
        except (*DAMAGE, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            self._refuse(self.not_this_form, error)

    @contextmanager
    def _failures_as_damage(self) -> Iterator[None]:
        import polars as pl

        try:
            yield
        except (*DAMAGE, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            self._refuse("file-damaged", error)

    def _require_rows(self, found: int, expected: int) -> None:
        if found != expected:
            raise DamagedError(f"{found} rows were read, but it says that it has {expected}")

    def _columns(self, names: list[str], *, most: int | None = None) -> pl.DataFrame:
        with self._failures_as_damage():
            self._require_at_most(self._decoded_size(names))
            frame = self._scan(names, most=most).select(names).collect()
            if most is None:
                self._require_rows(len(frame), self._description.rows)
        self._require_short_texts(frame)
        return frame

    def _require_short_texts(self, frame: pl.DataFrame) -> None:
        """Refuse rows of which few bytes stand for very many of text."""
        import polars as pl

        texts = (column for column in frame if column.dtype in (pl.String, pl.Categorical, pl.Enum, pl.Binary))
        self._require_at_most(sum(map(_text_size, texts)))

    def _require_at_most(self, size: int) -> None:
        """Refuse columns whose few bytes stand for very many values, or for very long ones."""
        if size > self._most:
            sizes = {"size": shown_size(size), "most": shown_size(int(self._most))}
            raise InputError(self.name, [message("columns-too-large", **sizes)])

    def _scan(self, names: list[str] | None = None, *, most: int | None = None) -> pl.LazyFrame:  # noqa: ARG002  # of arrow
        import polars as pl

        return pl.scan_parquet(self._content, n_rows=most, glob=False, hive_partitioning=False)

    def _refuse(self, code: str, error: BaseException) -> NoReturn:
        raise InputError(self.name, [message(code, reason=first_line(error))]) from None


def _parts(frame: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Yield rows that fit the cache: if they can be, those that lie together, which need not be copied."""
    lengths, start = frame.to_series().chunk_lengths(), 0
    for length in lengths if min(lengths[:-1], default=PIECE) >= LEAST_PIECE else [len(frame)]:
        for place in range(start, start + length, PIECE):
            yield frame.slice(place, min(PIECE, start + length - place))
        start += length


def _text_size(texts: pl.Series) -> int:
    """Return how many bytes the texts of a column have, counting equal ones each time."""
    import polars as pl

    if texts.dtype == pl.Binary:
        return int(texts.bin.size().sum())
    return int(texts.cast(pl.String).str.len_bytes().cast(pl.UInt64).sum())


def open_table(source: Input, delimiter: str | None) -> OpenTable:  # noqa: ARG001  # parquet has no delimiter
    """Open a parquet file."""
    if source.name.startswith(STORES):
        from rocconf.read.objects import ObjectTable

        return ObjectTable(source)
    return ParquetTable(source)
