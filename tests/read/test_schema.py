"""Rows are checked a key at a time, with the faults that each row by itself has."""

from math import inf, nan
from unittest import mock

from hypothesis import example, given
from hypothesis import strategies as st

from rocconf.read import schema
from rocconf.read.schema import breaches, schema_of_reports

KEYS = ["n", "auc", "role", "name", "positives", "in_sample", "threshold", "unknown", "tied"]
CELLS = st.sampled_from([0, 1, -1, 2**63, 0.5, inf, -inf, nan, True, None, "inf", "data", "x", [], [0.5], ["x"], {}])
ROWS = st.lists(st.dictionaries(st.sampled_from(KEYS), CELLS) | st.just("x"), max_size=5)
SCHEMAS = {
    name: {"type": "object", "properties": {name: found}} for name, found in schema_of_reports()["$defs"].items()
}


def of_inputs(rows):
    return list(breaches({"inputs": rows}, schema_of_reports(), "report"))


def one_by_one(check, rows):
    with mock.patch.object(schema, "_all_fit", return_value=False):
        return check(rows)


@given(ROWS)
@example([{"n": 1, "name": "x"}] * 2)
def test_rows_of_a_report_have_the_faults_of_each(rows):
    for check in (of_inputs, of_rows):
        assert repr(check(rows)) == repr(one_by_one(check, rows))


def of_rows(rows):
    return list(breaches({"rows": rows, "tables": {"operating_points": rows}}, schema_of_reports()))


@given(st.sampled_from(sorted(SCHEMAS)), st.lists(CELLS, min_size=1, max_size=4))
@example("number", [0.5, inf])
@example("number", [0.5, nan, 0.5])
@example("count", [1, 2**63])
@example("count", [1, -1])
def test_values_of_every_kind_have_the_faults_of_each(name, cells):
    def check(rows):
        wanted = {"type": "array", "items": SCHEMAS[name], "description": "rows"}
        return list(breaches(rows, {**wanted, "$defs": schema_of_reports()["$defs"]}))

    rows = [{name: cell} for cell in cells]
    assert repr(check(rows)) == repr(one_by_one(check, rows))


def test_a_fault_in_a_late_row_is_named_with_its_place(monkeypatch):
    monkeypatch.setattr(schema, "PIECE", 2)
    rows = [{"tp": 1}, {"tp": 2}, {"tp": 3}, {"tp": -4}, {"tp": 5}]
    assert [(one.path, one.found) for one in of_rows(rows) if one.path.startswith("rows")] == [("rows[3].tp", "-4")]


def test_a_key_that_one_row_lacks_is_missing():
    items = {"type": "object", "required": ["a"], "properties": {}, "description": "an object"}
    found = breaches([{"a": 1}, {}], {"type": "array", "items": items, "description": "rows"}, "rows")
    assert [(one.path, one.found) for one in found] == [("rows[1].a", "missing")]


def test_rows_without_faults_are_not_looked_at_one_by_one():
    rows = [
        {"model": "m", "threshold": "inf", "tp": 0, "tpr": 0.0},
        {"model": "m", "threshold": 0.5, "tp": 9, "tpr": None},
    ]
    assert schema._all_fit(rows, schema_of_reports()["properties"]["rows"]["items"], schema_of_reports())  # noqa: SLF001
