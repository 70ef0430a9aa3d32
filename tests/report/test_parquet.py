import numpy as np
import polars as pl

from rocconf.records import CHUNK
from rocconf.report.machine import write_parquet
from rocconf.table import Block, Column, Table

COLUMNS = (
    Column("model", "text"),
    Column("tp", "count"),
    Column("share", "share"),
    Column("sure", "flag"),
    Column("tied", "list"),
)
SCHEMA = {"model": pl.String, "tp": pl.Int64, "share": pl.Float64, "sure": pl.Boolean, "tied": pl.List(pl.Float64)}


def test_a_table_keeps_its_types_and_what_is_missing(tmp_path):
    rows = [
        {"model": "a", "tp": 1, "share": 0.5, "sure": None, "tied": [0.1, 0.2]},
        {"model": "b", "tp": 2, "share": None, "sure": None, "tied": []},
    ]
    write_parquet(Table.of("rows", COLUMNS, rows), tmp_path / "rows.parquet")
    frame = pl.read_parquet(tmp_path / "rows.parquet")
    assert dict(frame.schema) == SCHEMA
    assert frame.to_dicts() == rows


def test_a_table_without_rows_keeps_its_types(tmp_path):
    write_parquet(Table.of("rows", COLUMNS[:3], []), tmp_path / "rows.parquet")
    frame = pl.read_parquet(tmp_path / "rows.parquet")
    assert dict(frame.schema) == dict(list(SCHEMA.items())[:3])
    assert len(frame) == 0


def test_rows_are_in_order_whatever_their_number_and_never_held(tmp_path):
    length, asked = 2 * CHUNK + 5, []

    def values(_, rows):
        asked.append(rows.stop - rows.start)
        return np.arange(rows.start, rows.stop)

    write_parquet(Table("rows", (Column("tp", "count"),), (Block(length, values),)), tmp_path / "rows.parquet")
    frame = pl.read_parquet(tmp_path / "rows.parquet")
    assert frame["tp"].to_list() == list(range(length))
    assert max(asked) <= CHUNK
