"""Tables for programs: csv, tsv, json, ndjson and parquet, unrounded; a missing value is empty or null."""

from __future__ import annotations

import csv
import json
from typing import IO, TYPE_CHECKING, Any

from rocconf.answer import json_records, json_rows
from rocconf.table import plain_values

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import polars as pl

    from rocconf.answer import Answer
    from rocconf.table import Column, Table, Values

_ENCODE = json.JSONEncoder(allow_nan=False, ensure_ascii=False).encode
"""Strict JSON; `json.dumps` would make an encoder for every row."""

MANY_ROWS = 200_000
"""The number of rows from which on importing polars is worth its time."""


def write_json(answer: Answer, stream: IO[str]) -> None:
    """Write everything, with a line for each key and, where the answer has them, each row of the main table."""
    head = answer.head()
    before = ("schema", "tool", "inputs", "options", "summary")
    stream.write("{\n")
    for key in before:
        stream.write(f" {json_text(key)}: {json_text(head.pop(key))},\n")
    if answer.has_rows:
        stream.write(' "rows": [')
        for at, row in enumerate(row for chunk in answer.table().chunks() for row in json_rows(chunk)):
            stream.write(f"{',' * (at > 0)}\n  {json_text(row)}")
        stream.write("\n ],\n")
    stream.write(",\n".join(f" {json_text(key)}: {json_text(value)}" for key, value in head.items()))
    stream.write("\n}\n")


def write_table_json(table: Table, stream: IO[str]) -> None:
    """Write the rows of one table as a list."""
    stream.write(json_text(json_records(table)) + "\n")


def write_ndjson(table: Table, stream: IO[str]) -> None:
    """Write a row on each line."""
    for chunk in table.chunks():
        stream.writelines(json_text(row) + "\n" for row in json_rows(chunk))


def write_csv(table: Table, stream: IO[str]) -> None:
    """Write a header and the rows, separated by commas."""
    _write_delimited(table, stream, ",")


def write_tsv(table: Table, stream: IO[str]) -> None:
    """Write a header and the rows, separated by tabs."""
    _write_delimited(table, stream, "\t")


def _write_delimited(table: Table, stream: IO[str], delimiter: str) -> None:
    csv.writer(stream, delimiter=delimiter, lineterminator="\n").writerow(table.names)
    if len(table) >= MANY_ROWS:
        for frame in frames_of(table):
            stream.write(frame.write_csv(include_header=False, separator=delimiter))
        return
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    for chunk in table.chunks():
        writer.writerows(zip(*map(_cells, chunk.values()), strict=True))


def write_parquet(table: Table, path: Path) -> None:
    """Write one table with its types, a cacheful of rows at a time: no table is held in memory."""
    from polars.io.plugins import register_io_source

    no_rows = {name: table.blocks[0].values(name, slice(0, 0)) for name in table.names}
    schema = _frame(table, no_rows, lists=True).schema
    register_io_source(lambda *_: frames_of(table, lists=True), schema=schema).sink_parquet(path)


def frames_of(table: Table, *, lists: bool = False) -> Iterator[pl.DataFrame]:
    """Return the rows as polars frames, a cacheful each; NaN is a missing value."""
    return (_frame(table, chunk, lists=lists) for chunk in table.chunks())


def json_text(value: Any) -> str:
    """Return a value as strict JSON."""
    return _ENCODE(value)


def _frame(table: Table, chunk: dict[str, Values], *, lists: bool) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(
        [
            _series(column, chunk[column.name], lists=lists).fill_nan(None)
            if chunk[column.name].dtype.kind == "f"
            else _series(column, chunk[column.name], lists=lists)
            for column in table.columns
        ]
    )


def _series(column: Column, values: Values, *, lists: bool) -> pl.Series:
    import polars as pl

    if values.dtype != object:
        return pl.Series(column.name, values)
    if column.kind == "flag":
        return pl.Series(column.name, values.tolist(), dtype=pl.Boolean)
    if column.kind == "list" and lists:
        return pl.Series(column.name, values.tolist(), dtype=pl.List(pl.Float64))
    return pl.Series(column.name, _cells(values), dtype=pl.String)


def _cells(values: Values) -> list[Any]:
    """Return cells as the csv module writes them: None is empty, a float its shortest exact text, lists have semicolons."""
    if values.dtype.kind == "b":
        return ["true" if value else "false" for value in values.tolist()]
    if values.dtype == object:
        return [_object_cell(value) for value in values]
    return plain_values(values)


def _object_cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ";".join("" if item is None else str(item) for item in value)
    return value
