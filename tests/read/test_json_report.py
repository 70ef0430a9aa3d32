"""What is read of a saved report, and of a model of it as a baseline."""

import json
import subprocess
import sys

import pytest
from conftest import REFERENCE, environment

import rocconf
from rocconf.answer import Answer
from rocconf.compute.evidence import evidence_of
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.errors import InputError
from rocconf.gate import judge_results, parse_gate_rule
from rocconf.read import Input, baseline_of, read_report
from rocconf.records import ScoreCounts

F = ScoreCounts.of([0.9, 0.7, 0.5, 0.3], [2, 3, 1, 1], [0, 2, 3, 4], model="F")
G = ScoreCounts.of([0.9, 0.7, 0.5, 0.3], [1, 2, 1, 1], [0, 2, 3, 1], model="G")
YOUDEN = parse_point_rule("youden")


def report(*counts, **options):
    results = tuple(rocconf.sweep(each, at=["youden", "threshold=0.5"], **options) for each in counts or (F,))
    verdicts = judge_results([parse_gate_rule("auc >= 0.2")], results, choose_on={})
    record = Answer(results, tuple(each.to_dict() for each in verdicts), "pass", 0).to_dict()
    return Input("a.json", None, json.dumps(record).encode())


def read_baseline(source):
    return baseline_of(read_report(source, role="baseline"))


def refused(source, read=read_report):
    with pytest.raises(InputError) as caught:
        read(source)
    return str(caught.value)


def test_a_report_is_read_with_its_models_evidence_and_gates():
    saved = read_report(report(F, G))
    assert (saved.command, saved.level, list(saved.models), list(saved.evidence)) == ("sweep", 0.95, *[["F", "G"]] * 2)
    assert next((gate["metric"], gate["model"], gate["verdict"]) for gate in saved.gates) == ("auc", "F", "pass")
    assert (saved.source.n, saved.source.schema, saved.source.role) == (16, "rocconf/sweep/3", "report")
    assert (saved.baseline, saved.data) == (None, ())


def test_caveats_keep_their_code_kind_and_text():
    result = rocconf.sweep(F)
    saved = read_report(report())
    assert {(each.code, each.kind, each.text()) for each in saved.caveats} >= {
        (each.code, each.kind, each.text()) for each in result.caveats if each.code != "in-sample"
    }


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b'{"n": NaN}', b"[" * 100_000, b"9" * 5000])
def test_what_is_not_json_is_refused(content):
    assert refused(Input("a.json", None, content)).startswith("a.json: not valid JSON (")


def test_only_reports_of_the_wanted_commands_are_read():
    assert read_report(report(), commands=["sweep", "tango"]).command == "sweep"
    with pytest.raises(InputError) as caught:
        read_report(report(), commands=["tango"])
    assert str(caught.value) == "a.json: is a report of rocconf sweep, which has no numbers (needed: one of tango)"


@pytest.mark.parametrize("command", ["sweep", "compare"])
def test_a_report_of_schema_1_is_to_be_written_again(command):
    content = (REFERENCE / "schema1" / f"{command}.json").read_bytes()
    said = refused(Input("old.json", None, content))
    assert said == f"old.json: written by another version: run rocconf {command} again"


def test_a_baseline_is_the_only_model():
    baseline = read_baseline(report())
    assert (baseline.model, baseline.auc, baseline.interval_kind) == ("F", rocconf.sweep(F).auc.value, "robust")
    assert (baseline.source.role, baseline.source.n, baseline.points) == ("baseline", 16, ["youden", "threshold=0.5"])
    assert refused(report(F, G), read_baseline) == "a.json: reports 2 models (F, G), but a baseline is one model"


def test_the_estimates_of_a_baseline_are_those_of_its_run():
    (live,) = evidence_of(rocconf.sweep(F))
    baseline = read_baseline(report())
    for metric, at in (("auc", None), ("average_precision", None), ("tpr", YOUDEN), ("f1", YOUDEN)):
        assert baseline.has(metric, at)
        for level in (0.5, 0.95, 0.999):
            there, here = (
                each.interval(level) for each in (baseline.estimate(metric, at), live.entry(metric, at).estimate)
            )
            assert there == here
    assert not baseline.has("cauc", None)
    assert not baseline.has_point(parse_point_rule("threshold=0.4"))
    assert baseline.has_point(parse_point_rule("threshold = 0.50"))


def test_a_baseline_is_recognized_by_its_cases_and_its_area():
    baseline = read_baseline(report())
    for counts, is_same in ((F, True), (G, False)):
        assert baseline.is_of(counts, rocconf.sweep(counts).auc.estimate) is is_same


def test_a_baseline_whose_cases_are_not_named_says_so():
    """Nothing tells whether they are those of the model."""
    baseline = read_baseline(report())
    assert baseline.data is None
    codes = [each.code for each in rocconf.compare([G], reported=baseline).about_baseline]
    assert codes == ["sealed-without-key", "baseline-unnamed-cases"]


def test_class_totals_are_no_baseline():
    record = Answer((rocconf.chi2_contours(rocconf.ClassTotals(5, 9)),)).to_dict()
    source = Input("a.json", None, json.dumps(record).encode())
    assert refused(source, read_baseline) == "a.json: rules need scores, and the report has class totals only"


def test_reading_a_table_loads_nothing_that_reads_reports(tmp_path):
    (tmp_path / "a.csv").write_text("label,score\n1,0.9\n0,0.1\n")
    code = "import sys, rocconf; rocconf.read_predictions('a.csv'); sys.exit('rocconf.read.json_report' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment(), check=False)
    assert ran.returncode == 0
