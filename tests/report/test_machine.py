"""Tables for programs lose nothing: what is written is read back to the last digit."""

import csv
import io
import json

import numpy as np
import polars as pl
import pytest
from conftest import SAMPLE_DATA
from hypothesis import example, given
from hypothesis import strategies as st

import rocconf
from rocconf import Predictions, count, records, sweep
from rocconf.answer import Answer, json_records
from rocconf.gate import judge_reports, parse_gate_rule
from rocconf.read import Input, read_report
from rocconf.records import CHUNK
from rocconf.report import machine, place_of, save, write
from rocconf.report.html.embedded import embedded_report
from rocconf.table import Block, Column, Table, stack

COLUMNS = (Column("model", "text"), Column("value", "number", "why not"), Column("hits", "count"), Column("ok", "flag"))
FLOATS = st.floats(allow_nan=True, allow_infinity=True)


def table_of(values):
    columns = {
        "model": np.array(["a,b"] * len(values), dtype=object),
        "value": np.array(values, dtype=np.float64),
        "hits": np.arange(len(values)),
        "ok": np.arange(len(values)) % 2 == 0,
    }
    return Table("rows", COLUMNS, (Block(len(values), lambda key, rows: columns[key][rows]),))


def delimited(table, write=machine.write_csv):
    stream = io.StringIO()
    write(table, stream)
    return stream.getvalue()


@given(st.lists(FLOATS, max_size=20))
def test_a_float_is_read_back_as_it_was(values):
    rows = list(csv.DictReader(io.StringIO(delimited(table_of(values)))))
    back = [float(row["value"]) if row["value"] else np.nan for row in rows]
    np.testing.assert_array_equal(back, values)
    assert {row["model"] for row in rows} <= {"a,b"}


@given(st.lists(FLOATS, min_size=1, max_size=20))
def test_both_writers_of_text_write_the_same(values):
    table = table_of(values)
    ours = list(csv.DictReader(io.StringIO(delimited(table))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(machine, "MANY_ROWS", 0)
        theirs = list(csv.DictReader(io.StringIO(delimited(table))))
    assert [row.keys() for row in ours] == [row.keys() for row in theirs]
    for mine, other in zip(ours, theirs, strict=True):
        assert {**mine, "value": ""} == {**other, "value": ""}
        np.testing.assert_array_equal(float(mine["value"] or "nan"), float(other["value"] or "nan"))


def test_a_list_in_a_cell_is_joined_by_semicolons():
    columns = (Column("model", "text"), Column("tied", "list"))
    table = Table.of("points", columns, [{"model": "m", "tied": [0.4, None]}, {"model": "m", "tied": []}])
    assert delimited(table, machine.write_tsv) == "model\ttied\nm\t0.4;\nm\t\n"


def result():
    labels = np.array([1, 0, 1, 0], dtype=np.bool_)
    return sweep(count(Predictions(labels, {"s": np.array([0.9, np.inf, 0.5, 0.5])})), at=["youden", "fpr<=0"])


def test_json_is_strict_and_equals_to_dict():
    answer, stream = Answer((result(),), all_rows=True), io.StringIO()
    machine.write_json(answer, stream)

    def refuse(constant):
        raise AssertionError(constant)

    assert json.loads(stream.getvalue(), parse_constant=refuse) == result().to_dict(rows=True)


def test_json_has_a_row_a_line():
    stream = io.StringIO()
    machine.write_json(Answer((result(),), all_rows=True), stream)
    assert sum(line.startswith('  {"model"') for line in stream.getvalue().splitlines()) == 4


def test_ndjson_rows_are_the_rows_of_json():
    stream = io.StringIO()
    machine.write_ndjson(result().table(), stream)
    assert [json.loads(line) for line in stream.getvalue().splitlines()] == result().to_dict(rows=True)["rows"]


@example([1e-5, 2.5e-5, 9.999e-5, 1e-4, 1e16, 1e22, -0.0, 5e-324, -1e-9, 0.1])
@given(st.lists(FLOATS, min_size=1, max_size=20))
def test_many_rows_of_json_have_the_bytes_of_few(values):
    odd = [
        {"model": 'a"\n\u2028', "tied": [0.4, None, np.inf], "hits": None},
        {"model": None, "tied": None, "hits": 2**53},
    ]
    columns = (Column("model", "text"), Column("tied", "list"), Column("hits", "count"))
    for table in (table_of(values), Table.of("points", columns, odd)):
        written = []
        for many in (10**9, 0):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(machine, "MANY_ROWS", many)
                machine.write_ndjson(table, stream := io.StringIO())
            written.append(stream.getvalue())
        assert written[0] == written[1]


@pytest.mark.parametrize("write", [machine.write_csv, machine.write_tsv])
@given(st.lists(st.floats() | st.sampled_from([5.5e-5, -1e-5, 1e-7, 9.9e-6, 1e-4, 5e-324]), max_size=6))
def test_many_rows_of_csv_have_the_bytes_of_few(write, values):
    written = []
    for many in (10**9, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(machine, "MANY_ROWS", many)
            write(table_of(values), stream := io.StringIO())
        written.append(stream.getvalue())
    assert written[0] == written[1]


@pytest.mark.parametrize("many", [0, 10**9])
@pytest.mark.parametrize("tables", [[[]], [[1.0]], [[1.0, np.nan, 1e-7, -0.0, 2.5], [], [np.inf]]])
def test_a_table_in_json_is_the_list_of_its_rows_in_as_many_chunks_as_it_takes(monkeypatch, tables, many):
    monkeypatch.setattr(records, "CHUNK", 2)
    monkeypatch.setattr(machine, "MANY_ROWS", many)
    table, stream = stack(list(map(table_of, tables))), io.StringIO()
    machine.write_table_json(table, stream)
    assert stream.getvalue() == machine.json_text(json_records(table)) + "\n"


def test_parquet_keeps_types_and_leaves_missing_values_null(tmp_path):
    answer = Answer((result(),))
    save(answer, place_of(str(tmp_path / "rows.parquet"), answer.table_names))
    save(answer, place_of(f"operating_points:{tmp_path / 'points.parquet'}", answer.table_names))
    rows, points = pl.read_parquet(tmp_path / "rows.parquet"), pl.read_parquet(tmp_path / "points.parquet")
    assert rows["tp"].dtype == pl.Int64
    assert rows["threshold"].to_list() == [None, np.inf, 0.9, 0.5]
    assert points["tied"].dtype == pl.List(pl.Float64)
    assert points["in_sample"].to_list() == [True, True]


def test_models_stand_under_one_head():
    table = stack([table_of([1.0]), table_of([2.0, np.nan])])
    assert delimited(table).splitlines() == [
        "model,value,hits,ok",
        '"a,b",1.0,0,true',
        '"a,b",2.0,0,true',
        '"a,b",,1,false',
    ]


def test_a_table_without_rows_keeps_its_columns_in_every_form(tmp_path):
    machine.write_parquet(table_of([]), tmp_path / "empty.parquet", {})
    empty = pl.read_parquet(tmp_path / "empty.parquet")
    assert len(empty) == 0
    assert dict(empty.schema) == {"model": pl.String, "value": pl.Float64, "hits": pl.Int64, "ok": pl.Boolean}
    assert delimited(table_of([])) == "model,value,hits,ok\n"
    assert (len(table_of([])["value"]), table_of([]).records()) == (0, [])
    stream = io.StringIO()
    machine.write_ndjson(table_of([]), stream)
    assert stream.getvalue() == ""


TYPED_COLUMNS = (
    Column("model", "text"),
    Column("tp", "count"),
    Column("share", "share"),
    Column("sure", "flag"),
    Column("tied", "list"),
)
TYPES = {"model": pl.String, "tp": pl.Int64, "share": pl.Float64, "sure": pl.Boolean, "tied": pl.List(pl.Float64)}


def test_parquet_keeps_lists_and_missing_flags(tmp_path):
    rows = [
        {"model": "a", "tp": 1, "share": 0.5, "sure": None, "tied": [0.1, 0.2]},
        {"model": "b", "tp": 2, "share": None, "sure": None, "tied": []},
    ]
    machine.write_parquet(Table.of("rows", TYPED_COLUMNS, rows), tmp_path / "rows.parquet", {})
    frame = pl.read_parquet(tmp_path / "rows.parquet")
    assert dict(frame.schema) == TYPES
    assert frame.to_dicts() == rows


def test_parquet_without_rows_keeps_its_types(tmp_path):
    machine.write_parquet(Table.of("rows", TYPED_COLUMNS[:3], []), tmp_path / "rows.parquet", {})
    frame = pl.read_parquet(tmp_path / "rows.parquet")
    assert dict(frame.schema) == dict(list(TYPES.items())[:3])
    assert len(frame) == 0


def test_parquet_is_written_in_order_a_chunk_at_a_time(tmp_path):
    length, lengths = 2 * CHUNK + 5, []

    def values(_, rows):
        lengths.append(rows.stop - rows.start)
        return np.arange(rows.start, rows.stop)

    machine.write_parquet(
        Table("rows", (Column("tp", "count"),), (Block(length, values),)), tmp_path / "rows.parquet", {}
    )
    frame = pl.read_parquet(tmp_path / "rows.parquet")
    assert frame["tp"].to_list() == list(range(length))
    assert max(lengths) <= CHUNK


def test_evidence_is_computed_for_reports_alone(monkeypatch):
    """A table or a figure needs none."""
    from rocconf.compute import evidence

    answer = Answer((rocconf.sweep(rocconf.count(rocconf.read_predictions(SAMPLE_DATA / "flu.csv"))),))
    monkeypatch.delattr(evidence, "evidence_records")
    for form in ("table", "tsv", "csv", "ndjson", "md"):
        write(answer, form, io.StringIO())
    with pytest.raises(AttributeError):
        write(answer, "json", io.StringIO())


def test_a_page_without_room_for_slices_is_still_a_report():
    cases = rocconf.read_predictions(SAMPLE_DATA / "readmission.csv", score="new", by="region")
    answer = Answer((rocconf.sweep_slices(cases, "new"),))
    embedded, left_out = embedded_report(answer, most=1000)
    assert left_out[-1] == "evidence of slices"
    saved = read_report(Input("a.html", None, f"<!doctype html>{embedded}".encode()))
    (unit,) = saved.evidence.values()
    assert unit["entries"]
    assert not any(each["evidence"] and each["evidence"]["entries"] for each in unit["slices"])
    rules = [parse_gate_rule("auc by region >= 0.1")]
    with pytest.raises(rocconf.InputError, match="it has no auc: run rocconf sweep FILE --by region"):
        judge_reports([saved], [rules], [rocconf.Sweep], allow_in_sample=False, asked={})
