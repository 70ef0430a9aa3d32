"""Read large text with polars, which uses all cores and holds only the columns that are needed.

This reader finds no faults. If it cannot prove that a file means the same to all readers it returns None, and the
careful one decides. It proves that

- every quote opens or closes a whole cell on one line or stands doubled within one, and no carriage return stands alone;
- every row has as many cells as the header, though polars drops the end of a row that is too long and fills up one
  that is too short: if it fills nothing and reads all columns, counting the delimiters is enough, otherwise every line
  is counted;
- every number that is not finite is spelled so, and no other is so large that a float may not hold it.

Polars itself refuses what is not UTF-8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.read.bounds import LONGEST_LINE
from rocconf.read.cells import are_exact
from rocconf.read.formats import OtherReadingError, Piece
from rocconf.read.series import SeriesCells
from rocconf.read.source import DAMAGE, open_unpacked, whole_lines
from rocconf.records import MOST_CASES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from io import BufferedIOBase
    from pathlib import Path

    import polars as pl
    from numpy.typing import NDArray

    from rocconf.read.columns import CellKind
    from rocconf.read.source import Input


BATCH = 1 << 25
"""The bytes of a batch of lines."""

NOT_FINITE = r"(?i)^\s*(nan|[+-]?inf(inity)?)\s*$"
LONG_WHOLE = r"^\s*[+-]?[0-9]{16,}(\.0*)?\s*$"


def columns_of(
    source: Input, delimiter: str, kinds: Mapping[int, CellKind], header: Sequence[str]
) -> dict[int, SeriesCells] | None:
    """Return some columns of a file that means the same to all readers, None of any other."""
    try:
        text = source.unpacked()
    except DAMAGE:
        return None
    return _columns_of_text(text, delimiter, kinds, header)


def pieces_of(source: Input, delimiter: str, kinds: Mapping[int, CellKind], header: Sequence[str]) -> Iterator[Piece]:
    """Yield some columns of a file that means the same to all readers, some lines at a time."""
    start = 0
    try:
        with source.open() as stream:
            names = stream.readline(LONGEST_LINE)
            for lines in _batches(stream):
                columns = _columns_of_text(names + lines, delimiter, kinds, header)
                if columns is None:
                    raise OtherReadingError
                n = len(next(iter(columns.values())))
                yield Piece(range(start, start + n), columns)
                start += n
    except DAMAGE:
        raise OtherReadingError from None


def _batches(stream: BufferedIOBase) -> Iterator[bytes]:
    """Yield many whole lines at a time."""
    while lines := stream.read(BATCH):
        yield lines + stream.readline(LONGEST_LINE)


def _columns_of_text(
    text: bytes | Path, delimiter: str, kinds: Mapping[int, CellKind], header: Sequence[str]
) -> dict[int, SeriesCells] | None:
    """Return some columns of a header and lines that mean the same to all readers, None of any other."""
    delimiters = _count_delimiters(text, delimiter) if delimiter.isascii() else None
    if delimiters is None:
        return None
    frame = _parsed(text, delimiter, header, kinds)
    if frame is None:
        return None
    none_too_short = len(kinds) == len(header) and not sum(frame.null_count().row(0))
    none_too_long = delimiters == len(frame) * (len(header) - 1)
    if not (none_too_short and none_too_long) and not _is_even(text, delimiter, len(header)):
        return None
    if not all(_is_exact(text, delimiter, frame[header[at]]) for at in kinds if kinds[at] == "number"):
        return None
    return {at: SeriesCells(frame[header[at]]) for at in kinds}


def _parsed(
    text: bytes | Path, delimiter: str, header: Sequence[str], kinds: Mapping[int, CellKind]
) -> pl.DataFrame | None:
    """Return the columns as polars reads them, labels as small integers if they are."""
    import polars as pl

    for label in (pl.Int8, pl.String) if "label" in kinds.values() else (pl.String,):
        types = {"number": pl.Float64, "label": label}
        schema = {header[at]: types.get(kinds[at], pl.String) for at in sorted(kinds)}
        try:
            lines = pl.scan_csv(text, separator=delimiter, infer_schema=False, schema_overrides=schema, glob=False)
            if lines.collect_schema().names() != list(header):
                return None
            return lines.select(list(schema)).collect()
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
            continue
    return None


def _is_exact(text: bytes | Path, delimiter: str, numbers: pl.Series) -> bool:
    """Whether every number that is not finite is spelled so, and none is a whole number that a float may not hold."""
    import polars as pl

    if are_exact(numbers.drop_nulls().to_numpy()):
        return True
    cell = pl.col(numbers.name)
    number = cell.str.strip_chars().cast(pl.Float64, strict=False)
    finite, large = (found.fill_null(value=False) for found in (number.is_finite(), number.abs() >= MOST_CASES))
    doubtful = (~finite & ~cell.str.contains(NOT_FINITE)) | (finite & large & cell.str.contains(LONG_WHOLE))
    cells = pl.scan_csv(text, separator=delimiter, infer_schema=False, glob=False).select(numbers.name)
    return cells.filter(doubtful).collect().is_empty()


def _count_delimiters(text: bytes | Path, delimiter: str) -> int | None:
    """Return the number of delimiters if quotes enclose whole cells and no carriage return stands alone, else None."""
    count = 0
    with open_unpacked(text) as stream:
        stream.readline(LONGEST_LINE)
        for piece in whole_lines(stream):
            if len(piece) > LONGEST_LINE or (b"\r" in piece and piece.count(b"\r") != piece.count(b"\r\n")):
                return None
            outside = _outside_quotes(piece, delimiter)
            if outside is None:
                return None
            count += int(np.count_nonzero(outside == ord(delimiter)))
    return count


def _is_even(text: bytes | Path, delimiter: str, width: int) -> bool:
    """Whether every line has this many cells: of the ends of cells, every width-th and no other ends a line."""
    with open_unpacked(text) as stream:
        stream.readline(LONGEST_LINE)
        return all(_is_piece_even(piece, delimiter, width) for piece in whole_lines(stream))


def _is_piece_even(piece: bytes, delimiter: str, width: int) -> bool:
    outside = _outside_quotes(piece if piece.endswith(b"\n") else piece + b"\n", delimiter)
    if outside is None:
        return False
    ends = outside == ord("\n")
    ends = ends[ends | (outside == ord(delimiter))]
    return (
        not len(ends) % width
        and int(np.count_nonzero(ends)) == len(ends) // width
        and bool(ends[width - 1 :: width].all())
    )


def _outside_quotes(piece: bytes, delimiter: str) -> NDArray[np.uint8] | None:
    """Return the characters outside of quoted cells, None if a quote does not open or close a cell of one line."""
    characters = np.frombuffer(piece, dtype=np.uint8)
    if b'"' not in piece:
        return characters
    is_quote = characters == ord('"')
    quotes = np.flatnonzero(is_quote)
    framed = np.frombuffer(b"\n%b\n" % piece, dtype=np.uint8)
    edges = [ord(delimiter), ord("\n"), ord('"')]  # one that closes before one that opens is a quote of the cell
    before, after = framed[quotes[::2]], framed[quotes[1::2] + 2]
    if len(quotes) % 2 or not np.isin(before, edges).all() or not np.isin(after, [*edges, ord("\r")]).all():
        return None
    inside = (np.cumsum(is_quote, dtype=np.uint8) & 1).view(np.bool_)
    return None if (characters[inside] == ord("\n")).any() else characters[~inside]
