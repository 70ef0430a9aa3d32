"""Text from files and options cannot act on what shows it: terminals, CI runners, spreadsheets, markdown and XML."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET

import numpy as np
import polars as pl
import pytest

import rocconf
from rocconf.answer import Answer
from rocconf.cli import app
from rocconf.errors import InputError, RocconfError
from rocconf.gate import judge_results, parse_gate_rule
from rocconf.messages import message
from rocconf.plot import Canvas, draw
from rocconf.report import machine, place_of, save, write, write_annotations
from rocconf.report.junit import write_junit
from rocconf.visible import visible, visible_lines

LABELS = np.array([True, False, True, False, True, False])
SCORES = np.array([0.9, 0.2, 0.7, 0.6, 0.4, 0.1])
HOSTILE = [
    "::error file=a::hacked",
    "  ::warning::blank",
    "a\n::error::second line",
    "a\r::stop-commands::x",
    "##[error]any place",
    "red \x1b[31m",
    "bell \x07 null \x00",
    "C1 \x9b31m",
    "turned \u202eround",
    "line\u2028end",
    "lone \udcff",
    "a | b `c` <script> *d*",
    "=1+2",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
]
ACTING = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]|##\[")
ROUNDABOUT = "x " * 12
"""Long enough to be folded."""


def answer_of(name, *, message_of_gate=""):
    result = rocconf.compare(rocconf.Predictions(LABELS, {name: SCORES, f"{name} ": SCORES[::-1].copy()}))
    rule = parse_gate_rule("auc >= 0.99")
    gates = tuple(each.to_dict() | {"name": f"{name} >= 1"} for each in judge_results([rule], [result], choose_on={}))
    gates = tuple(gate | {"message": message_of_gate or gate["message"]} for gate in gates)
    return Answer((result,), gates, "fail", 1, "shell")


def written(name, form, **options):
    stream = io.StringIO()
    if form == "annotations":
        write_annotations(answer_of(name), stream)
    elif form == "junit":
        write_junit(answer_of(name, message_of_gate=f"{name} {ROUNDABOUT}"), stream)
    else:
        write(answer_of(name, message_of_gate=f"{ROUNDABOUT * 3}{name}"), form, stream, **options)
    return stream.getvalue()


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "ndjson", "md", "junit", "annotations"])
@pytest.mark.parametrize("name", HOSTILE)
def test_no_output_has_text_that_acts(form, name):
    text = written(name, form)
    assert text.encode()  # is UTF-8
    if form in ("json", "ndjson"):
        text = text.replace("##[", "")  # a runner looks for it in lines of logs, and JSON keeps text
    if form in ("csv", "tsv"):
        text = text.replace("\t", "")
    assert not ACTING.search(text), ACTING.search(text)
    commands = [line for line in text.split("\n") if line.lstrip().startswith("::")]
    assert all(line.startswith("::error title=") for line in commands)
    assert bool(commands) == (form == "annotations")


@pytest.mark.parametrize("name", HOSTILE)
def test_json_and_parquet_keep_names_as_they_are(tmp_path, name):
    assert json.loads(written(name, "json"))["rows"][0]["model"] == name
    if "\udcff" not in name:  # parquet has UTF-8
        save(answer_of(name), place_of(str(tmp_path / "rows.parquet"), ()))
        assert pl.read_parquet(tmp_path / "rows.parquet")["model"][0] == name


@pytest.mark.parametrize("name", HOSTILE)
def test_markdown_tables_keep_their_columns_and_xml_is_well_formed(name):
    for block in written(name, "md").split("\n\n"):
        rows = [line for line in block.split("\n") if line.startswith("|")]
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) <= 1
    root = ET.fromstring(written(name, "junit"))  # noqa: S314  # ours
    assert len(root.findall(".//testcase")) == 1


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=1+2", "'=1+2"),
        ("+1", "'+1"),
        ("-x", "'-x"),
        ("-1+2", "'-1+2"),
        ("-12345678901234567890", "-12345678901234567890"),
        ("@a", "'@a"),
        ("\uff1d1", "'\uff1d1"),
        ("\t=1", r"\t=1"),
        ("\r=1", r"\r=1"),
        ("a=b", "a=b"),
        ("'=1", "'=1"),
        ("::a", "'::a"),
    ],
)
def test_names_that_a_spreadsheet_would_compute_are_escaped(monkeypatch, name, cell, many):
    monkeypatch.setattr(machine, "MANY_ROWS", 0 if many else machine.MANY_ROWS)  # which polars writes
    rows = list(csv.DictReader(io.StringIO(written(name, "csv"))))
    assert rows[0]["model"] == cell
    assert float(rows[0]["aved"]) <= 0  # a number stays one
    assert not rows[0]["aved"].startswith("'")
    plain = list(csv.DictReader(io.StringIO(written(name, "tsv", escape_formulas=False)), delimiter="\t"))
    assert plain[0]["model"] == ("'::a" if name == "::a" else visible(name))


def test_text_without_anything_to_hide_stays_as_it_is():
    for text in ("", "München", "模型 A", "a\u00a0b", "👩\u200d🔬", "100% [x] = 1\\2", "## heading", "a::b"):
        assert visible(text) == text
        assert visible_lines(text) == text
    assert visible_lines("first\n  second") == "first\n  second"


@pytest.mark.parametrize(("letter", "shown"), [("\x1b", r"\x1b"), ("\n", r"\n"), ("\u202e", r"\u202e")])
def test_messages_show_what_text_hides(letter, shown):
    assert str(RocconfError("file-not-written", path=f"a{letter}b", reason="r")).startswith(f"a{shown}b: ")
    assert f"'a{shown}b'" in str(message("no-column", name=f"a{letter}b", found="x", meant=""))
    assert str(InputError(f"a{letter}.csv", [message("no-rows")])).startswith(f"a{shown}.csv: ")


@pytest.mark.thorough
@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_figures_of_hostile_names_are_drawn_and_well_formed(tmp_path, form):
    result = rocconf.sweep(rocconf.count(rocconf.Predictions(LABELS, {"a\x1b\x00\ufffe\udcff<&": SCORES})))
    draw([result], "roc", tmp_path / f"a.{form}", Canvas(title="title \x07\x0b"))
    draw([result], "roc", tmp_path / f"b.{form}")
    if form == "svg":
        for name in ("a.svg", "b.svg"):
            ET.parse(tmp_path / name)  # noqa: S314  # ours


def test_a_log_of_a_hostile_file_has_no_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a\n::error::b.csv").write_text("label,::error::x\n1,0.5\n0,0.25\n", encoding="utf-8")
    app(["sweep", "a\n::error::b.csv", "--isolated", "--github", "--format", "csv"], standalone_mode=False)
    said = capsys.readouterr()
    lines = (said.out + said.err).split("\n")
    assert [line for line in lines if line.lstrip().startswith("::")] == ["::warning title=rocconf::no rule was judged"]
