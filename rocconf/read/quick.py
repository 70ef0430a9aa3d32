"""Read large text with polars, which uses all cores and holds only the columns that matter.

This reader never says that a file is wrong. Where it cannot prove that a file means the same to all readers it gives
None, and the careful one decides. It proves that

- every quote opens or closes a whole cell on one line, and no carriage return stands alone;
- every row has as many cells as the header, though polars passes over the end of a row too long and fills up one too
  short: if it fills nothing and reads all columns, counting the delimiters is enough, otherwise every line is counted;
- every score that is not finite is spelled so, and is no number too large for a float.

What is not UTF-8 polars refuses itself.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Literal

import numpy as np

from rocconf.errors import InputError
from rocconf.read.cases import Cases
from rocconf.read.columns import SeriesColumn
from rocconf.read.source import DAMAGE, opened, whole_lines
from rocconf.read.text import LONGEST_CELL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import polars as pl
    from numpy.typing import NDArray

    from rocconf.read.header import Layout, Wanted
    from rocconf.read.source import Input
    from rocconf.records import Predictions

    Kind = Literal["number", "text", "label"]

FROM_BYTES = 4_000_000
"""Where importing polars begins to pay: it costs 0.1 s, about what the careful reader needs for this size."""

PACKED_FROM_BYTES = FROM_BYTES // 4

NOT_FINITE = r"(?i)^\s*(nan|[+-]?inf(inity)?)\s*$"


def is_worth_it(source: Input) -> bool:
    """Whether a file is so large that this reader is the faster one."""
    return source.size >= (PACKED_FROM_BYTES if source.suffixes[1] else FROM_BYTES)


def read_quickly(source: Input, delimiter: str, layout: Layout, wanted: Wanted) -> Predictions | None:
    """Return the cases of a file without faults, None of any other."""
    kinds: dict[int, Kind] = dict.fromkeys(layout.scores, "number")
    kinds[layout.label] = "label"
    texts = {at for at, _ in layout.where} | ({layout.id} if layout.id is not None else set())
    if not texts.isdisjoint(kinds):
        return None
    columns = columns_quickly(source, delimiter, layout.header, kinds | dict.fromkeys(texts, "text"))
    if columns is None:
        return None
    cases = Cases(source.name, layout, wanted)
    cases.add(range(len(columns[layout.label])), columns)
    with suppress(InputError):
        return cases.finish(source.digest())
    return None


def columns_quickly(
    source: Input, delimiter: str, header: Sequence[str], kinds: Mapping[int, Kind]
) -> dict[int, SeriesColumn] | None:
    """Return some columns of a file that means the same to all readers, None of any other."""
    try:
        text = source.unpacked()
    except DAMAGE:
        return None
    delimiters = _count_delimiters(text, delimiter) if delimiter.isascii() else None
    if delimiters is None:
        return None
    positions = sorted(kinds)
    frame = _parsed(text, delimiter, header, {at: kinds[at] for at in positions})
    if frame is None:
        return None
    none_too_short = len(kinds) == len(header) and not sum(frame.null_count().row(0))
    none_too_long = delimiters == len(frame) * (len(header) - 1)
    if not (none_too_short and none_too_long) and not _is_even(text, delimiter, len(header)):
        return None
    if not all(_is_spelled_out(text, delimiter, frame[header[at]]) for at in kinds if kinds[at] == "number"):
        return None
    return {at: SeriesColumn(frame[header[at]]) for at in positions}


def _parsed(
    text: bytes | Path, delimiter: str, header: Sequence[str], kinds: Mapping[int, Kind]
) -> pl.DataFrame | None:
    """Let polars read the columns, labels as small integers if they are."""
    import polars as pl

    for label in (pl.Int8, pl.String) if "label" in kinds.values() else (pl.String,):
        types = {"number": pl.Float64, "text": pl.String, "label": label}
        schema = {header[at]: types[kind] for at, kind in kinds.items()}
        try:
            lines = pl.scan_csv(text, separator=delimiter, infer_schema=False, schema_overrides=schema, glob=False)
            if lines.collect_schema().names() != list(header):
                return None
            return lines.select(list(schema)).collect()
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
            continue
    return None


def _is_spelled_out(text: bytes | Path, delimiter: str, scores: pl.Series) -> bool:
    """Whether every score that is not finite is written as such, rather than too large for a float."""
    import polars as pl

    if scores.is_finite().all():
        return True
    cell = pl.col(scores.name)
    finite = cell.str.strip_chars().cast(pl.Float64, strict=False).is_finite().fill_null(value=False)
    cells = pl.scan_csv(text, separator=delimiter, infer_schema=False, glob=False).select(scores.name)
    return cells.filter(~finite, ~cell.str.contains(NOT_FINITE)).collect().is_empty()


def _count_delimiters(text: bytes | Path, delimiter: str) -> int | None:
    """Count the delimiters if quotes enclose whole cells and no carriage return stands alone."""
    count = 0
    with opened(text) as stream:
        stream.readline()
        for piece in whole_lines(stream):
            if len(piece) > LONGEST_CELL or (b"\r" in piece and piece.count(b"\r") != piece.count(b"\r\n")):
                return None
            outside = _outside_quotes(piece, delimiter)
            if outside is None:
                return None
            count += int(np.count_nonzero(outside == ord(delimiter)))
    return count


def _is_even(text: bytes | Path, delimiter: str, width: int) -> bool:
    """Whether every line has so many cells: of all ends of cells each so-manieth is the end of a line, and no other."""
    with opened(text) as stream:
        stream.readline()
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
    edges = [ord(delimiter), ord("\n")]
    before, after = framed[quotes[::2]], framed[quotes[1::2] + 2]
    if len(quotes) % 2 or not np.isin(before, edges).all() or not np.isin(after, [*edges, ord("\r")]).all():
        return None
    inside = (np.cumsum(is_quote, dtype=np.uint8) & 1).view(np.bool_)
    return None if (characters[inside] == ord("\n")).any() else characters[~inside]
