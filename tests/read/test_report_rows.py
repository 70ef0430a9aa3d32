"""Rows that are left out of a report change nothing: the same reports are refused, in the same words."""

import gzip
import json
from io import StringIO
from unittest import mock

import pytest
from conftest import SAMPLE_DATA
from hypothesis import example, given
from hypothesis import strategies as st

import rocconf
from rocconf.answer import Answer
from rocconf.errors import InputError
from rocconf.read import Input, find_input, json_report, read_report, source
from rocconf.read.report_rows import BEFORE, without_rows
from rocconf.report.machine import write_json
from rocconf.seal import EMBEDDED

FLU, OTHER = (
    rocconf.count(rocconf.read_predictions(SAMPLE_DATA / f"{name}.csv")) for name in ("flu", "flu_population")
)
RESULTS = {
    "sweep": rocconf.sweep(FLU, intervals=True),
    "tango": rocconf.tango(FLU, bootstrap=20),
    "chi2-contours": rocconf.chi2_contours(FLU),
    "sensibility": rocconf.sensibility(FLU, reference=OTHER, permutations=19),
}
ROWS = 6
"""The rows of the report that is edited."""

PIECES = (
    *(b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\n", b" ", b"<", b"\x00", b"\xff", "é".encode()),
    *(
        b"0",
        b"00",
        b"-",
        b".",
        b"1.",
        b"e",
        b"e5",
        b"e-400",
        b"e+99",
        b"e+400",
        b"0.5e+400",
        b"E5",
        b"9" * 17,
        b"9" * 18,
        b"9" * 400,
    ),
    *(b"null", b"true", b"NaN", b"inf", b'"inf"', b'"-inf"', b'"x"', b"[]", b"{}"),
    *(b' "x": 1,', b' "tp": 1,', b' "fp"', b"},\n  {", b"}\n ],", b'],\n "gates": [', b"  ", b"\r\n", b"\\ud800"),
)


def text_of(result, rows=None):
    stream = StringIO()
    write_json(Answer((result,), (), None, 0, all_rows=True), stream)
    lines = stream.getvalue().encode().splitlines(keepends=True)
    at = lines.index(BEFORE) + 1
    end = lines.index(b" ],\n")
    return b"".join([*lines[: at + rows if rows else end - 1], *lines[end - 1 :]])


TEXTS = {name: text_of(result) for name, result in RESULTS.items()}
SHORT = text_of(RESULTS["sweep"], ROWS)
BEGIN, END = SHORT.index(BEFORE) + len(BEFORE), SHORT.index(b"\n ],\n")


def found_in(text):
    """Return what is read of a report without its rows, or why it is refused."""
    try:
        saved = read_report(Input("a.json", None, text))
    except InputError as error:
        return str(error)
    return saved.command, saved.options, saved.models, saved.gates, saved.evidence, saved.source.n


def read_whole(text):
    with mock.patch.object(json_report, "without_rows", lambda source: (source.data, False)):
        return found_in(text)


@pytest.mark.parametrize("command", TEXTS)
def test_the_rows_of_thresholds_are_left_out(command):
    text = TEXTS[command]
    shorter, is_left_out = without_rows(Input("a.json", None, text))
    first, *others = json.loads(shorter)["rows"]
    rows = json.loads(text)["rows"]
    assert is_left_out
    assert len(rows) > 3
    assert (first, others) == (rows[0], [rows[-1]])
    assert {**json.loads(text), "rows": 0} == {**json.loads(shorter), "rows": 0}
    assert found_in(text) == read_whole(text)
    assert not isinstance(found_in(text), str)


@given(st.integers(BEGIN - 20, END + 8), st.integers(0, 12), st.sampled_from((b"", *PIECES)))
@example(SHORT.index(b'"tp"', BEGIN + 900) + 1, 2, b"fp")  # a key twice
@example(SHORT.index(b'"tp": ', BEGIN + 900) + 6, 1, b"9" * 19)
@example(SHORT.index(b'"tp": ', BEGIN + 900) + 6, 1, b"0.5")
@example(SHORT.index(b'"tpr": 0', BEGIN + 900) + 7, 1, b"00")
@example(SHORT.index(b'"tpr": 0', BEGIN + 900) + 7, 0, b"e+400, ")
@example(SHORT.index(b'"model": "', BEGIN + 900) + 10, 1, b"\xff")
def test_an_edited_report_is_refused_or_read_as_if_the_rows_were_there(place, size, piece):
    text = SHORT[:place] + piece + SHORT[place + size :]
    assert found_in(text) == read_whole(text)


@pytest.mark.parametrize("value", PIECES, ids=repr)
def test_a_value_of_another_kind_is_refused_where_it_stands(value):
    for text, key in ((SHORT, "model"), (SHORT, "tp"), (SHORT, "tpr"), (TEXTS["tango"], "confident")):
        row = text.index(BEFORE) + len(BEFORE) + 900
        place = text.index(f'"{key}": '.encode(), row) + len(key) + 4
        edited = text[:place] + value + text[text.index(b",", place) :]
        assert found_in(edited) == read_whole(edited)
        quoted = text[:place] + b'"' + value + b'"' + text[text.index(b",", place) :]
        assert found_in(quoted) == read_whole(quoted)


def test_commas_of_the_first_and_the_last_row_are_looked_at():
    first = SHORT.index(b"},\n", BEGIN)
    for edited in (
        SHORT[:END] + b"," + SHORT[END:],
        SHORT[: first + 1] + SHORT[first + 2 :],
        SHORT[: first + 1] + SHORT[first + 2 : END] + b"," + SHORT[END:],
    ):
        assert found_in(edited) == read_whole(edited)
        assert "not valid JSON" in found_in(edited)


def of_points(text):
    """Return a report of which the eighth line begins a table of operating points, a row a line like rows of thresholds."""
    report = json.loads(text)
    (point,) = report["tables"]["operating_points"]
    keys = [key for key in point if key in report["rows"][0]]
    others = [
        {**dict.fromkeys(keys), **{key: point[key] for key in keys}, "model": name} for name in ("flu", "nobody", "flu")
    ]
    lines = ",\n".join(f"  {json.dumps(row)}" for row in (point, *others))
    head = {key: report[key] for key in ("schema", "tool", "inputs", "options", "summary")}
    begin = "".join(f" {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items())
    rest = {key: value for key, value in report.items() if key not in (*head, "tables", "rows")}
    models = json.dumps(report["tables"]["models"])
    return f'{{\n{begin} "tables": {{"models": {models},\n "operating_points": [\n{lines}\n ]}},{json.dumps(rest)[1:]}'.encode()


def test_rows_of_other_tables_are_kept():
    text = of_points(SHORT)
    assert json.loads(text)["tables"]["operating_points"][2]["model"] == "nobody"
    named = text.replace(b' "operating_points": [', b' "rows": [')
    nested = SHORT.replace(BEFORE, b' "tables": {\n' + BEFORE)
    other = SHORT.replace(BEFORE, b'\n "gates": [\n')  # its eighth line
    for each in (text, named, nested, other):
        assert found_in(each) == read_whole(each)


def test_rows_of_other_commands_are_sealed():
    text = SHORT.replace(b"rocconf/sweep/3", b"rocconf/compare/3")
    assert found_in(text) == read_whole(text) == "a.json: changed since it was written: run rocconf compare again"
    deep = SHORT[:BEGIN] + b"[" * 100_000
    assert found_in(deep) == read_whole(deep)
    others = SHORT.replace(b'"threshold"', b'"lower"')
    assert without_rows(Input("a.json", None, others)) == (others, False)


def test_a_wrong_row_far_behind_the_others_is_found(monkeypatch):
    monkeypatch.setattr(source, "PIECE", 1)
    lines = TEXTS["tango"].splitlines(keepends=True)
    row = lines.index(b" ],\n") - 3
    lines[row] = lines[row].replace(b'"tp"', b'"fp"')
    text = b"".join(lines)
    assert without_rows(Input("a.json", None, text))[1]
    assert found_in(text) == read_whole(text) == "a.json: not valid JSON (the key 'fp' stands there twice)"


def test_a_report_whose_compressed_file_is_cut_short_is_refused(tmp_path):
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(SHORT)[:-20])
    with pytest.raises(InputError, match="not valid JSON"):
        read_report(find_input(str(tmp_path / "a.json.gz")))


def test_rows_in_a_page_do_not_hide_its_end():
    text = TEXTS["sweep"]
    place = text.index(b'"model": "', text.index(BEFORE) + 900) + 10
    for edited in (text, text[:place] + b"</script>" + text[place:]):
        page = f"<!doctype html>\n{EMBEDDED}".encode() + edited + b"</script>"
        assert found_in(page) == read_whole(page)
