"""What a saved report says, and which reports are refused."""

import json
import subprocess
import sys
from math import inf

import pytest
from conftest import REFERENCE, environment

from rocconf.conditions import parse_conditions
from rocconf.errors import InputError
from rocconf.read import Input, baseline_of, read_report
from rocconf.records import Interval

MODEL = {
    "model": "F",
    "n": 7,
    "positives": 3,
    "negatives": 4,
    "auc": 0.8,
    "auc_se": 0.1,
    "auc_lower": 0.6,
    "auc_upper": 0.9,
    "level": 0.95,
    "interval": "delong",
}
POINT = {"model": "F", "rule": "youden", "threshold": "inf", "in_sample": True, "tp": 2, "fn": 1, "fp": 1, "tn": 3}
PAIR = {
    "model": "F",
    "metric": "auc",
    "at": None,
    "difference": 0.1,
    "test": "delong",
    "difference_lower": 0,
    "difference_upper": None,
    "interval": "delong",
}
GATE = {
    "name": "auc",
    "model": "F",
    "metric": "auc",
    "at": None,
    "op": ">=",
    "limit": 0.5,
    "level": 0.95,
    "interval": "delong",
    "where": ["site=A"],
    "severity": "error",
    "on_undefined": "pass",
    "verdict": "pass",
    "value": 0.8,
    "lower": 0.6,
    "upper": None,
    "judged_on": "interval",
    "n": 7,
    "positives": 3,
    "threshold": None,
    "in_sample": None,
    "reason": None,
}


def report(*, models=(MODEL,), points=(POINT,), pairs=(PAIR,), gates=(GATE,), **more):
    tables = {"models": list(models), "operating_points": list(points), "pairs": list(pairs)}
    record = {"schema": "rocconf/sweep/2", "options": {"level": 0.95}, "tables": tables, "gates": list(gates), **more}
    return Input("a.json", None, json.dumps(record).encode())


def read_baseline(source, *, newest, model=None):
    return baseline_of(read_report(source, newest=newest, role="baseline"), model)


def refused(source, read=read_report):
    with pytest.raises(InputError) as caught:
        read(source, newest=2)
    return str(caught.value)


def test_a_report_is_read_with_its_points_pairs_and_gates():
    saved = read_report(report(), newest=2)
    assert (saved.command, saved.level, list(saved.models)) == ("sweep", 0.95, ["F"])
    assert [(point.rule, point.threshold, point.tp, point.fp) for point in saved.points] == [("youden", inf, 2, 1)]
    assert [(gate.metric, gate.where) for gate in saved.gates] == [("auc", parse_conditions({"site": "A"}, "where"))]
    assert (saved.source.n, saved.source.schema, saved.source.role) == (7, "rocconf/sweep/2", "report")


def test_a_limit_that_is_null_is_infinite():
    saved = read_report(report(), newest=2)
    assert saved.pairs[0].interval == Interval(0, inf)
    assert saved.gates[0].interval == Interval(0.6, inf)
    open_below = {**PAIR, "difference_lower": None, "difference_upper": 0.2}
    assert read_report(report(pairs=[open_below]), newest=2).pairs[0].interval == Interval(-inf, 0.2)


def test_a_gate_on_a_value_alone_has_no_interval():
    value_alone = {**GATE, "judged_on": "value", "lower": None}
    assert read_report(report(gates=[value_alone]), newest=2).gates[0].interval is None


def test_caveats_keep_their_code_kind_and_text():
    caveats = [{"code": "ties", "message": "many ties"}, {"code": "seed", "message": "seed 1", "kind": "note"}]
    saved = read_report(report(caveats=caveats), newest=2)
    assert [(each.code, each.kind, each.text()) for each in saved.caveats] == [
        ("ties", "warning", "many ties"),
        ("seed", "note", "seed 1"),
    ]


def test_reasons_are_those_of_a_row_or_of_all():
    undefined = [
        {"table": "models", "row": None, "key": "auc", "reason": "no scores"},
        {"table": "models", "row": 1, "key": "cauc", "reason": "no segment"},
        {"table": "rows", "row": 0, "key": "tpr", "reason": "no positives"},
    ]
    other = {**MODEL, "model": "G"}
    assert read_report(report(models=[MODEL, other], undefined=undefined), newest=2).reasons == {
        ("F", "auc"): "no scores",
        ("G", "auc"): "no scores",
        ("G", "cauc"): "no segment",
    }


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (report(models=[]), "the report has no model"),
        (report(models=[MODEL, MODEL]), "the report has two models of one name"),
        (report(models=[3]), "models[0] must be an object, not 3"),
        (report(models=[{**MODEL, "n": 8}]), "models[0]: n is 8, but positives + negatives is 7"),
        (report(models=[{**MODEL, "auc": 1.5}]), "models[0]: auc must be in [0, 1], not 1.5"),
        (report(models=[{**MODEL, "auc_se": 0}]), "models[0]: auc_se must be above 0, not 0"),
        (report(points=[{**POINT, "model": "G"}]), "operating_points[0]: the report has no model 'G'"),
        (
            report(points=[POINT, {**POINT, "fn": 2}]),
            "operating_points[1]: tp, fp, fn and tn do not add up to the positives and negatives of the model",
        ),
        (
            report(points=[{**POINT, "in_sample": None}]),
            "operating_points[0]: in_sample must be true or false, not null",
        ),
        (report(pairs=[{**PAIR, "difference_upper": -1}]), "pairs[0]: lower limit 0 > upper limit -1"),
        (report(pairs=[{**PAIR, "metric": 3}]), "pairs[0]: metric must be a string, not 3"),
        (report(gates=[{**GATE, "model": "G"}]), "gates[0]: the report has no model 'G'"),
        (report(gates=[{**GATE, "op": "!="}]), "gates[0]: op must be one of >=, >, <=, <, ==, not '!='"),
        (
            report(gates=[{**GATE, "where": ["site"]}]),
            "gates[0]: where takes COLUMN=VALUE (or !=, and <, <=, >, >= for numbers), not 'site'",
        ),
        (report(gates=[{**GATE, "where": [3]}]), "gates[0]: where must be a list of strings, not [3]"),
        (report(gates=[{**GATE, "value": None}]), "gates[0]: neither a value nor a reason"),
        (
            report(models=[{**MODEL, "interval": "exact"}]),
            "models[0]: interval must be one of robust, delong, not 'exact'",
        ),
        (report(models=[{**MODEL, "interval": None}]), "models[0]: interval must be a string, not null"),
        (
            report(pairs=[{**PAIR, "metric": "tpr", "interval": "wald"}]),
            "pairs[0]: interval must be one of robust, delong, not 'wald'",
        ),
        (report(gates=[{**GATE, "interval": None}]), "gates[0]: interval must be a string, not null"),
        (report(options={"level": 95}), "options: level must be a number between 0 and 1, not 95"),
        (report(options=[]), "report: options must be an object, not []"),
        (report(options="x" * 100), f"report: options must be an object, not '{'x' * 59}…"),
        (report(schema="rocconf/sweep/3"), "has the schema rocconf/sweep/3, but this rocconf reads versions up to 2"),
        (report(schema="other/sweep/1"), "not a rocconf report (no schema)"),
    ],
)
def test_a_report_that_contradicts_itself_is_refused(source, message):
    assert refused(source) == f"a.json: {message}"


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b'{"n": NaN}', b"[" * 100_000, b"9" * 5000])
def test_what_is_not_json_is_refused(content):
    assert refused(Input("a.json", None, content)).startswith("a.json: not valid JSON (")


def test_only_reports_of_the_wanted_commands_are_read():
    assert read_report(report(), newest=2, commands=["sweep", "tango"]).command == "sweep"
    with pytest.raises(InputError) as caught:
        read_report(report(), newest=2, commands=["tango"])
    assert str(caught.value) == "a.json: is a report of rocconf sweep, which has no numbers (needed: one of tango)"


@pytest.mark.parametrize(("command", "delong"), [("sweep", [True, True, False]), ("compare", [True, True, True])])
def test_a_report_of_schema_1_has_delongs_interval(command, delong):
    content = (REFERENCE / "schema1" / f"{command}.json").read_bytes()
    saved = read_report(Input("old.json", None, content), newest=2)
    assert {model["interval"] for model in saved.models.values()} == {"delong"}
    assert {pair.kind for pair in saved.pairs if pair.metric == "auc"} <= {"delong"}
    assert {pair.kind for pair in saved.pairs if pair.at is not None} <= {"delong"}
    kinds = {gate.name.split(" ")[0]: gate.kind for gate in saved.gates}
    assert [kind == "delong" for kind in kinds.values()] == delong
    (caveat,) = saved.source.caveats
    schema = f"rocconf/{command}/1"
    assert (caveat.code, caveat.kind) == ("older-report", "warning")
    assert str(caveat) == f"old.json has the schema {schema}: the interval of its AUC is of the kind delong"


def test_a_baseline_is_the_only_model_or_the_one_of_a_name():
    baseline = read_baseline(report(), newest=2)
    assert (baseline.model, baseline.p, baseline.q, baseline.auc) == ("F", 3, 4, 0.8)
    assert (baseline.auc_interval, baseline.points) == (Interval(0.6, 0.9), {"youden": (2, 1)})
    assert baseline.source.role == "baseline"
    several = report(models=[MODEL, {**MODEL, "model": "G", "n": 4, "positives": 2, "negatives": 2}])
    named = read_baseline(several, newest=2, model="G")
    assert (named.model, named.source.n, named.source.positives) == ("G", 4, 2)
    assert refused(several, read_baseline) == "a.json: reports 2 models (F, G), but a baseline is one model"


def test_a_baseline_needs_an_auc():
    source = report(models=[{**MODEL, "auc": None, "interval": None}])
    assert refused(source, read_baseline) == "a.json: baseline 'F': auc must be a number, not null"


def test_reading_a_table_loads_nothing_that_reads_reports(tmp_path):
    (tmp_path / "a.csv").write_text("label,score\n1,0.9\n0,0.1\n")
    code = "import sys, rocconf; rocconf.read_predictions('a.csv'); sys.exit('rocconf.read.json_report' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment(), check=False)
    assert ran.returncode == 0
