r"""Tables for programs: csv, tsv, json, ndjson and parquet, unrounded; a missing value is empty or null.

Text in csv and tsv, like the name of a model, is escaped where a spreadsheet would compute it, a CI runner obey it or
a terminal act on it: an apostrophe comes before = + - @ and ::, and control characters are shown as \n or \x1b.
JSON escapes characters as JSON does, and parquet has text as it is.
"""

from __future__ import annotations

import csv
import json
import re
from functools import cache, lru_cache
from io import BytesIO, TextIOWrapper
from itertools import chain
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from rocconf.answer import json_rows, json_values
from rocconf.errors import UsageError
from rocconf.examples import example
from rocconf.table import is_repeated, plain_values
from rocconf.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    import polars as pl

    from rocconf.answer import Answer
    from rocconf.table import Column, Table, Values

    TextCell = Callable[[str], str]

_ENCODE = json.JSONEncoder(allow_nan=False, ensure_ascii=False).encode
"""Strict JSON; `json.dumps` would make an encoder for every row."""

_NOT_IN_JSON = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""What JSON may hold but a terminal acts on, a line may end at, or UTF-8 cannot encode."""

_FORMULA = re.compile("[=+@\uff0b\uff0d\uff1d\uff20]|-(?![0-9]+$)")
"""How a text begins that a spreadsheet takes for a formula; a tab or a carriage return is visible there.

A sum of more than 64 bits is text, and stays a number.
"""

MANY_ROWS = 20_000
"""The number of rows from which on importing polars is worth its time."""

PIECE, FRAME = 1 << 13, 1 << 16
"""The rows of which JSON is held at a time, and those of a frame that is written as csv."""

PLAIN_FROM = 1e-4
"""Python writes smaller numbers with an exponent of two digits, polars does not."""


def write_json(answer: Answer, stream: IO[str]) -> None:
    """Write everything, with a line for each key and, where the answer has them, each row of the main table."""
    head = answer.head()
    before = ("schema", "tool", "inputs", "options", "summary")
    stream.write("{\n")
    for key in before:
        stream.write(f" {json_text(key)}: {json_text(head.pop(key))},\n")
    if answer.has_rows:
        stream.write(' "rows": [')
        for at, lines in enumerate(_json_lines(answer.table(), ",\n  ")):
            stream.write(f"{',' * (at > 0)}\n  {lines}")
        stream.write("\n ],\n")
    stream.write(",\n".join(f" {json_text(key)}: {json_text(value)}" for key, value in head.items()))
    stream.write("\n}\n")


def write_table_json(table: Table, stream: IO[str]) -> None:
    """Write the rows of one table as a list."""
    stream.write("[")
    for at, rows in enumerate(_json_lines(table, ", ")):
        stream.write(", " * (at > 0) + rows)
    stream.write("]\n")


def write_ndjson(table: Table, stream: IO[str]) -> None:
    """Write a row on each line."""
    for lines in _json_lines(table, "\n"):
        stream.write(lines + "\n")


def _json_lines(table: Table, between: str) -> Iterator[str]:
    """Return the rows as JSON, a chunk at a time; many are written a column at a time, with the same bytes."""
    chunks = table.chunks()
    if len(table) < MANY_ROWS:
        return (between.join(map(json_text, json_rows(chunk))) for chunk in chunks)
    return (_json_of_columns(piece).str.join(between).item() for chunk in chunks for piece in _pieces(chunk, PIECE))


def _pieces(chunk: dict[str, Values], rows: int) -> Iterator[dict[str, Values]]:
    """Yield some rows at a time: their texts take many times the memory of the numbers."""
    for start in range(0, len(next(iter(chunk.values()))), rows):
        yield {name: values[start : start + rows] for name, values in chunk.items()}


def _json_of_columns(chunk: dict[str, Values]) -> pl.Series:
    import polars as pl

    parts: list[pl.Expr | pl.Series] = []
    for name, values in chunk.items():
        parts += [pl.lit(f"{', ' if parts else '{'}{json_text(name)}: "), _json_cells(values)]
    return pl.select(pl.concat_str(*parts, pl.lit("}"))).to_series()


def _json_cells(values: Values) -> pl.Series:
    """Return the cells as JSON has them."""
    import polars as pl

    if is_repeated(values):
        return _json_cells(values[:1].copy()).new_from_index(0, len(values))
    if values.dtype.kind != "f":
        if values.dtype.kind in "iu":
            return pl.Series(values).cast(pl.String)
        plain = json_values(values)
        as_text = json_text if list in set(map(type, plain)) else cache(json_text)  # of few models, or of truths
        return pl.Series([as_text(value) for value in plain], dtype=pl.String)
    cells = pl.Series(values).cast(pl.String)
    others = np.flatnonzero(~((np.abs(values) >= PLAIN_FROM) & np.isfinite(values) | (values == 0)))
    return cells.scatter(others, [json_text(value) for value in json_values(values[others])]) if len(others) else cells


def write_csv(table: Table, stream: IO[str], *, escape_formulas: bool = True) -> None:
    """Write a header and the rows, separated by commas."""
    _write_delimited(table, stream, ",", escape_formulas=escape_formulas)


def write_tsv(table: Table, stream: IO[str], *, escape_formulas: bool = True) -> None:
    """Write a header and the rows, separated by tabs."""
    _write_delimited(table, stream, "\t", escape_formulas=escape_formulas)


def _write_delimited(table: Table, stream: IO[str], delimiter: str, *, escape_formulas: bool) -> None:
    text_cell = lru_cache(_text_or_formula if escape_formulas else _text_cell)  # a model's name is in every row
    if table.is_read_back:
        _refuse_alike(table, text_cell)
    csv.writer(stream, delimiter=delimiter, lineterminator="\n").writerow(table.names)
    if len(table) >= MANY_ROWS:
        for frame in _frames_of(table, text_cell):
            _write_utf8(stream, lambda out: frame.write_csv(out, include_header=False, separator=delimiter))  # noqa: B023  # called at once
        return
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    for chunk in table.chunks():
        writer.writerows(zip(*(_cells(values, text_cell) for values in chunk.values()), strict=True))


def _write_utf8(stream: IO[str], write: Callable[[BytesIO], object]) -> None:
    """Write bytes of UTF-8 text to a stream of text, past its encoder if it has the same encoding."""
    write(out := BytesIO())
    if not isinstance(stream, TextIOWrapper) or stream.encoding.lower() not in ("utf-8", "utf8"):
        stream.write(out.getvalue().decode())
        return
    stream.flush()
    stream.buffer.write(out.getbuffer())


def _refuse_alike(table: Table, text_cell: TextCell) -> None:
    """Refuse counts of which two models or groups would be one when they are read."""
    for column in table.columns:
        if column.kind == "text":
            seen: dict[str, str] = {}
            for text in chain.from_iterable(set(piece.tolist()) for piece in table.pieces(column.name)):
                if isinstance(text, str) and seen.setdefault(text_cell(text), text) != text:
                    raise UsageError("cells-alike", column=column.name, cell=example(text_cell(text)))


def write_parquet(table: Table, path: Path, metadata: Mapping[str, str]) -> None:
    """Write one table with its types, a cacheful of rows at a time: no table is held in memory."""
    from polars.io.plugins import register_io_source

    no_rows = {name: table.blocks[0].values(name, slice(0, 0)) for name in table.names}
    schema = _frame(table, no_rows, None).schema
    register_io_source(lambda *_: _frames_of(table), schema=schema).sink_parquet(path, metadata=dict(metadata))


def _frames_of(table: Table, text_cell: TextCell | None = None) -> Iterator[pl.DataFrame]:
    """Return the rows as polars frames, some thousand each, of text cells and lists if they are not to be text."""
    return (_frame(table, piece, text_cell) for chunk in table.chunks() for piece in _pieces(chunk, FRAME))


def json_text(value: Any) -> str:
    """Return a value as strict JSON."""
    text = _ENCODE(value)
    return text if text.isascii() and "\x7f" not in text else _NOT_IN_JSON.sub(_as_json, text)


def _as_json(letter: re.Match[str]) -> str:
    return f"\\u{ord(letter[0]):04x}"


def _text_cell(value: str) -> str:
    """Return text that is on one line, which no CI runner obeys."""
    text = visible(value)
    return f"'{text}" if text.lstrip().startswith("::") else text


def _text_or_formula(value: str) -> str:
    """Return text that no spreadsheet computes either."""
    text = _text_cell(value)
    return f"'{text}" if _FORMULA.match(text) else text


def _frame(table: Table, chunk: dict[str, Values], text_cell: TextCell | None) -> pl.DataFrame:
    """Return a frame; NaN is a missing value."""
    import polars as pl

    return pl.DataFrame([_series(column, chunk[column.name], text_cell) for column in table.columns])


def _series(column: Column, values: Values, text_cell: TextCell | None) -> pl.Series:
    import polars as pl

    if values.dtype.kind == "f":
        return _numbers(column.name, values, as_text=text_cell is not None)
    if values.dtype != object:
        return pl.Series(column.name, values)
    if is_repeated(values):
        return _series(column, values[:1].copy(), text_cell).new_from_index(0, len(values))
    if column.kind in ("flag", "count"):
        return pl.Series(column.name, values.tolist(), dtype=pl.Boolean if column.kind == "flag" else pl.Int64)
    if column.kind == "list" and text_cell is None:
        return pl.Series(column.name, values.tolist(), dtype=pl.List(pl.Float64))
    return pl.Series(column.name, _cells(values, text_cell or str), dtype=pl.String)


def _numbers(name: str, values: Values, *, as_text: bool) -> pl.Series:
    """Return numbers, or as texts a column with some that polars would write in another way."""
    import polars as pl

    numbers = pl.Series(name, values).fill_nan(None)
    small = np.flatnonzero((np.abs(values) < PLAIN_FROM) & (values != 0)) if as_text else np.zeros(0, dtype=np.intp)
    return numbers.cast(pl.String).scatter(small, list(map(repr, values[small].tolist()))) if len(small) else numbers


def _cells(values: Values, text_cell: TextCell) -> list[Any]:
    """Return cells as the csv module writes them: None is empty, a float its shortest exact text, lists have semicolons."""
    if values.dtype.kind == "b":
        return ["true" if value else "false" for value in values.tolist()]
    if values.dtype == object:
        return [_object_cell(value, text_cell) for value in values]
    return plain_values(values)


def _object_cell(value: Any, text_cell: TextCell) -> Any:
    if isinstance(value, str):
        return text_cell(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ";".join("" if item is None else str(item) for item in value)
    return value
