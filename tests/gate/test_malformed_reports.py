"""A report with values of other types, keys that are missing or twice, or text that is not JSON ends with one message.

The schema that is published is the one that the code makes, and genuine reports of every command are valid by it.
"""

import copy
import io
import json
import random
from itertools import islice

import pytest
from conftest import ROOT, SAMPLE_DATA
from jsonschema import Draft202012Validator
from test_edited_reports import RUNS, result_of, text_of

import rocconf
from rocconf.answer import Answer
from rocconf.cli import app
from rocconf.cli.schema import report_schema
from rocconf.errors import InputError, RocconfError
from rocconf.gate import judge_reports
from rocconf.gate.consistency import require_consistent
from rocconf.read import Input, read_report
from rocconf.read.schema import REPORTS, breaches, schema_of_reports
from rocconf.report import write

ODD = [None, True, 0, -1, 1.5, 10**400, "", "x", "inf", [], {}, [[]], [None], {"a": {}}, 2**70, ["x"], "\udcff"]
PEER = Draft202012Validator(schema_of_reports())


def report_of(text):
    return read_report(Input("a.json", None, text.encode("utf-8", "surrogatepass")), newest=2)


def refusal(text):
    with pytest.raises(RocconfError) as raised:
        report_of(text)
    return str(raised.value)


def use(command, text):
    """Do with a report what `gate` does with it, and write the answer."""
    kind = type(result_of(command)[0])
    report = report_of(text)
    require_consistent(report, kind)
    answer = Answer((judge_reports([report], [()], [kind], allow_in_sample=True, asked={}),))
    for form in ("json", "table", "tsv"):
        write(answer, form, io.StringIO())


def places(record, path=()):
    """Give the path of every value, of two items of each list."""
    if path:
        yield path
    items = record.items() if isinstance(record, dict) else enumerate(record[:2]) if isinstance(record, list) else ()
    for key, value in items:
        yield from places(value, (*path, key))


def changed(record, path, value):
    again = copy.deepcopy(record)
    inner = again
    for key in path[:-1]:
        inner = inner[key]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return again


def test_the_published_schema_is_that_of_the_code():
    assert json.loads(REPORTS.read_text(encoding="utf-8")) == report_schema()
    Draft202012Validator.check_schema(schema_of_reports())
    assert f"../{REPORTS.relative_to(ROOT).as_posix()}" in (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", RUNS)
def test_reports_of_every_command_are_valid(command):
    whole = result_of(command)[0].to_dict(rows=True)
    for record in (json.loads(text_of(command)), json.loads(json.dumps(whole))):
        assert list(PEER.iter_errors(record)) == []
        assert list(breaches(record, schema_of_reports())) == []
        known = schema_of_reports()["properties"]
        assert set(record) <= set(known)
        assert set(record["options"]) <= set(known["options"]["properties"])
        for name, rows in record["tables"].items():
            columns = known["tables"]["properties"][name]["items"]["properties"]
            assert all(set(row) <= set(columns) for row in rows)


def test_a_report_of_gate_and_one_of_totals_are_valid(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.json").write_text(text_of("sweep"), encoding="utf-8")
    app(["gate", "a.json", "--exit-zero", "-q", "-o", "b.json", "--isolated"], standalone_mode=False)
    assert list(PEER.iter_errors(json.loads((tmp_path / "b.json").read_text(encoding="utf-8")))) == []
    assert list(PEER.iter_errors(rocconf.chi2_contours(rocconf.ClassTotals(5, 9)).to_dict())) == []


@pytest.mark.parametrize("step", [13, pytest.param(1, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("command", RUNS)
def test_no_value_of_a_report_is_an_internal_error(command, step):
    """Odd values in every place, a different choice of them for each command; ours and the peer agree on types."""
    record, draw = json.loads(text_of(command)), random.Random(command)
    for at, path in enumerate(islice(places(record), 0, None, step)):
        value = draw.choice([*ODD, ...])
        odd = changed(record, path, value)
        try:
            use(command, json.dumps(odd))
        except RocconfError as error:
            assert str(error).startswith("a.json: ")  # noqa: PT017  # what is raised is not always
        if at % 10 == 0 and path != ("schema",):  # whose pattern the reader checks
            assert PEER.is_valid(odd) == (not list(breaches(odd, schema_of_reports()))), (path, value)


@pytest.mark.parametrize(
    ("command", "path", "value", "said"),
    [
        ("compare", ("rows",), "x", "rows must be a list, not 'x'"),
        ("compare", ("rows", 0, "model"), ["F"], "rows[0].model must be text or null, not ['F']"),
        (
            "compare",
            ("tables", "pairs", 0, "paired"),
            "yes",
            "tables.pairs[0].paired must be true, false or null, not 'yes'",
        ),
        ("sensibility", ("tables", "drift"), {}, "tables.drift must be a list, not {}"),
        (
            "sensibility",
            ("tables", "drift", 0, "p"),
            "0.1",
            "tables.drift[0].p must be a finite number, null, or the text inf",
        ),
        ("sweep", ("tables", "models", 0, "level"), "x", "models[0]: level must be a number, not 'x'"),
        ("sweep", ("undefined", 0, "reason"), ..., "undefined[0]: no field 'reason'"),
        ("sweep", ("tables",), ..., "report: no field 'tables'"),
        ("sweep", ("exit_code",), 1.5, "exit_code must be an exit status, not 1.5"),
        (
            "sweep",
            ("summary", "auc"),
            10**400,
            "summary.auc must be a finite number, null, or the text inf or -inf, not 1000",
        ),
        ("tango", ("tables", "models", 0, "cauc"), "0.3", "tables.models[0].cauc must be a finite number"),
    ],
)
def test_one_message_names_the_key(command, path, value, said):
    record = json.loads(text_of(command))
    text = refusal(json.dumps(changed(record, path, value)))
    assert text.startswith(f"a.json: {said}")
    assert "\n" not in text


def test_text_that_is_no_report_is_told():
    text = text_of("sweep")
    assert "the key 'schema' stands there twice" in refusal(text.replace("{", '{"schema": "rocconf/sweep/2", ', 1))
    assert "not valid JSON" in refusal("[" * 100_000)
    assert "not valid JSON" in refusal(text.replace('"model": "F"', '"model": "\\ud800"', 1))
    assert "not valid JSON" in refusal(text.replace("0.95", "1" + "0" * 5000, 1))
    assert "level must be a finite number, not inf" in refusal(text.replace('"level": 0.95', '"level": 1e999', 1))


def test_every_wrong_value_is_told_at_once():
    record = json.loads(text_of("compare"))
    for row in record["tables"]["pairs"]:
        row["paired"] = 3
    with pytest.raises(InputError) as raised:
        report_of(json.dumps(record))
    assert raised.value.total == len(record["tables"]["pairs"])


def test_reports_may_have_keys_of_other_versions_and_lack_optional_ones():
    record = json.loads(text_of("sweep")) | {"later": {"key": [1]}}
    record["tables"]["models"][0]["later"] = record["tables"]["later"] = [{"a": 1}]
    for key in ("summary", "inputs", "undefined", "caveats", "gates", "verdict", "exit_code", "tool"):
        without = {name: value for name, value in record.items() if name != key}
        assert list(breaches(without, schema_of_reports())) == []
    assert report_of(json.dumps(record)).models


def test_a_baseline_that_is_malformed_ends_with_the_message(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    record = json.loads(text_of("sweep"))
    record["summary"]["auc"] = {"a": 1}
    (tmp_path / "a.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.json: summary\.auc must be a finite number"):
        app(["compare", str(SAMPLE_DATA / "dis.csv"), "--score", "S", "--baseline", "a.json"], standalone_mode=False)


OTHER_BLOCK = '<script id="report" type="application/json">{}</script>'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<!--", "-->"),
        (OTHER_BLOCK, ""),
        ("", OTHER_BLOCK),
        ("", "<SCRIPT\nid = report >"),
        (OTHER_BLOCK.replace("<script", '<script data-note="a > b"'), ""),
        ("<div hidden id='report'>{}</div>", ""),
        (OTHER_BLOCK.replace("report", "&#114;eport"), ""),
    ],
)
def test_a_page_whose_report_a_reader_may_take_for_another_is_refused(rocconf, tmp_path, before, after):
    cases = SAMPLE_DATA / "dis.csv"
    assert rocconf("sweep", cases, "--score", "F", "--require", "auc >= 0.5", "-o", "a.html", "-q").status == 0
    assert rocconf("gate", "a.html", "-q").status == 0
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    start = page.index('<script type="application/json" id="report">')
    end = page.index("</script>", start) + len("</script>")
    (tmp_path / "b.html").write_text(f"{page[:start]}{before}{page[start:end]}{after}{page[end:]}", encoding="utf-8")
    ran = rocconf("gate", "b.html")
    assert (ran.status, ran.out) == (2, ""), ran.err
    assert "reports, not one" in ran.err
