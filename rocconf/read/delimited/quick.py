"""Read large text with polars, which uses all cores and holds only the columns that are needed.

This reader finds no faults. If it cannot prove that a file means the same to all readers it returns None, and the
careful one decides. It proves that

- every quote opens or closes a whole cell on one line or stands doubled within one, and no carriage return stands alone;
- every line has as many cells as the header, though polars drops the end of a row that is too long and fills up one
  that is too short;
- every number that is not finite is spelled so, and no other is so large that a float may not hold it.

Polars itself refuses what is not UTF-8.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from rocconf.bits import bits_of, odd_so_far, set_before, set_before_words
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

    from rocconf.bits import Places
    from rocconf.read.columns import CellKind
    from rocconf.read.source import Input


BATCH = 1 << 25
"""The bytes of a batch of lines."""

QUOTE, NEW_LINE, RETURN = b'"\n\r'

BLANK = re.compile(rb"(^|\n)\r?\n")
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
    lines = _number_of_lines(text, delimiter, len(header)) if delimiter.isascii() else None
    frame = None if lines is None else _parsed(text, delimiter, header, kinds)
    if frame is None or len(frame) != lines:
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


def _number_of_lines(text: bytes | Path, delimiter: str, width: int) -> int | None:
    """Return the number of lines below the header if their form is proven: all have this many cells; else None."""
    count = 0
    with open_unpacked(text) as stream:
        stream.readline(LONGEST_LINE)
        for piece in whole_lines(stream):
            if len(piece) > LONGEST_LINE or (b"\r" in piece and piece.count(b"\r") != piece.count(b"\r\n")):
                return None
            lines = _even_lines(piece if piece.endswith(b"\n") else piece + b"\n", ord(delimiter), width)
            if lines is None:
                return None
            count += lines
    return count


def _even_lines(piece: bytes, delimiter: int, width: int) -> int | None:
    """Return the number of lines, None if one has not as many cells or a quote does not open or close a cell of one line."""
    if width == 1 and BLANK.search(piece):  # which the engine takes for a cell
        return None
    characters = np.frombuffer(piece, dtype=np.uint8)
    ends, delimiters = np.flatnonzero(characters == NEW_LINE), bits_of(characters == delimiter)
    if b'"' in piece:
        is_quote = characters == QUOTE
        if not _are_edges(characters, np.flatnonzero(is_quote), delimiter):
            return None
        delimiters &= ~odd_so_far(bits_of(is_quote))
    cells = np.diff(set_before(ends, delimiters, set_before_words(delimiters)), prepend=0) + 1
    return len(ends) if (cells == width).all() else None


def _are_edges(characters: NDArray[np.uint8], quotes: Places, delimiter: int) -> bool:
    """Whether quotes open and close whole cells in turn; one that closes just before one that opens is a quote of the cell."""
    if len(quotes) % 2:
        return False
    before, after = (
        characters[quotes[::2] - 1],
        characters[quotes[1::2] + 1],
    )  # before the first character is the end of a line
    at_both = (delimiter, NEW_LINE, QUOTE)
    return all(
        np.logical_or.reduce([found == edge for edge in edges]).all()
        for found, edges in ((before, at_both), (after, (*at_both, RETURN)))
    )
