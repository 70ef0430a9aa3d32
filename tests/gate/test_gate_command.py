"""The exit status is a contract: each state through a real process, with its word, its files and its streams."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from conftest import ROOT, environment
from examples import make_folder

from rocconf.cli.commands import ANALYSES
from rocconf.gate import read_config

SWEEP = ("sweep", "cases.csv", "--format", "json")


@pytest.fixture
def cases(tmp_path):
    """Two hundred cases of a good model: AUC about .9."""
    random = np.random.default_rng(3)
    labels = np.arange(200) % 2
    scores = random.normal(size=200) + 1.8 * labels
    site = np.where(np.arange(200) % 4 < 2, "A", "B")
    lines = [f"{label},{score},{where}" for label, score, where in zip(labels, scores, site, strict=True)]
    (tmp_path / "cases.csv").write_text("label,score,site\n" + "\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "other.csv").write_text("label,score\n1,2\n1,1\n0,1.5\n0,0\n", encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("cases")
@pytest.mark.parametrize(
    ("arguments", "status", "verdict"),
    [
        ([], 0, None),
        (["--require", "auc >= 0.7"], 0, "pass"),
        (["--require", "auc >= 0.99"], 1, "fail"),
        (["--require", "auc >= 0.9"], 3, "inconclusive"),
        (["--require", "auc.point >= 0.85"], 0, "pass"),
        (["--require", "auc[score] >= 0.7"], 0, "pass"),
        (["--require", "auc >= 0.7", "--require", "n == 200", "--require", "positives >= 100"], 0, "pass"),
        (["--require", "auc >= 0.7", "--require", "n == 201"], 1, "fail"),
        (["--require", "auc >= 0.9", "--require", "n == 201"], 1, "fail"),
        (["--require", "precision@threshold=99 >= 0.5"], 3, "inconclusive"),
        (["--require", "tpr@threshold=0 >= 0.8"], 0, "pass"),
        (["--require", "tpr@youden >= 0.1", "--allow-in-sample"], 0, "pass"),
        (["--require", "tpr@youden >= 0.1", "--choose-on", "other.csv"], 0, "pass"),
        (["--require", "auc >= 0.9", "--inconclusive", "pass"], 0, "inconclusive"),
        (["--require", "auc >= 0.99", "--exit-zero"], 0, "fail"),
        (["--require", "auc >= 0.9", "--exit-zero"], 0, "inconclusive"),
        (["--require", "mcc@threshold=1 >= 0.2"], 0, "pass"),
        (["--require", "f1@threshold=1 >= 0.99"], 1, "fail"),
        (["--require", "average_precision >= 0.6"], 0, "pass"),
        (["--require", "precision@threshold=99 < 0.6"], 3, "inconclusive"),
        (["--require", "balanced_accuracy@threshold=1 >= 0.6"], 0, "pass"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_the_status_is_the_verdict(rocconf, arguments, status, verdict):
    ran = rocconf(*SWEEP, *arguments)
    assert ran.status == status, ran.err
    answer = json.loads(ran.out)
    assert (answer["verdict"], answer["exit_code"]) == (verdict, status)


@pytest.mark.usefixtures("cases")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--require", "auk >= 1"], "did you mean 'auc'"),
        (["--require", "tpr >= 1"], "tpr needs an operating point: tpr@RULE"),
        (["--require", "auc@closest >= 1"], "auc is a metric of the whole curve"),
        (["--require", "tpr@closest >= 1"], "--choose-on FILE"),
        (["--require", "tpr@best >= 1"], "no rule 'best'"),
        (["--require", "auc[F] >= 0.5"], "no model 'F' (found: score)"),
        (["--require", "auc == 0.5"], "== is for counts"),
        (["--require", "delta_auc >= 0"], "has no metric 'delta_auc'"),
        (["--inconclusive", "maybe"], "--inconclusive takes fail or pass"),
        (["--config", "none.toml"], "none.toml"),
        (["--isolated", "--config", "none.toml"], "contradict"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_judged_is_no_verdict(rocconf, arguments, message):
    ran = rocconf(*SWEEP, *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err


@pytest.mark.parametrize(
    "content", ["", "label,score\n", "label,points\n1,1\n", "label,score\n1,1\n1,2\n", "label,score\n1,x\n0,1\n"]
)
def test_bad_input_is_no_verdict(rocconf, tmp_path, content):
    (tmp_path / "cases.csv").write_text(content, encoding="utf-8")
    ran = rocconf(*SWEEP, "--require", "auc >= 0.5", "--score", "score")
    assert (ran.status, ran.out) == (2, "")


@pytest.mark.usefixtures("cases")
def test_a_crash_while_judging_is_no_verdict(rocconf):
    code = (
        "import sys, rocconf.gate\n"
        "def crash(*a, **k): raise ZeroDivisionError('planted')\n"
        "rocconf.gate.judge_results = crash\n"
        "from rocconf.__main__ import main; main()"
    )
    ran = rocconf(*SWEEP, "--require", "auc >= 0.5", code=code)
    assert (ran.status, ran.out) == (2, "")


def test_a_failing_gate_still_writes_everything(rocconf, cases):
    ran = rocconf(
        *SWEEP[:2],
        *("--require", "auc >= 0.99", "-o", "a.json", "-o", "gates:g.csv", "-o", "a.md", "-o", "a.junit.xml"),
        *("--plot", "a.png", "-q"),
    )
    assert ran.status == 1
    assert len(ran.out.splitlines()) == 202
    assert json.loads((cases / "a.json").read_text(encoding="utf-8"))["exit_code"] == 1
    assert "verdict: fail" in (cases / "a.md").read_text(encoding="utf-8").splitlines()[2]
    assert (cases / "g.csv").read_text(encoding="utf-8").splitlines()[1].startswith("score,auc >= 0.99,fail,0.8988,")
    assert (cases / "a.png").stat().st_size > 1000
    assert "gate not passed: auc >= 0.99: score: auc is 0.899 [" in ran.err


def test_junit_tells_evidence_against_from_no_evidence(rocconf, cases):
    (cases / "rocconf.toml").write_text(
        '[[gate]]\ncommand="sweep"\nmetric="auc"\nop=">="\nvalue=0.999\nseverity="warn"\nname="odd <&\\"> name"\n',
        encoding="utf-8",
    )
    rules = ("auc >= 0.7", "auc >= 0.9", "auc >= 0.99")
    rocconf(*SWEEP, "-o", "a.junit.xml", *(part for rule in rules for part in ("--require", rule)))
    root = ET.parse(cases / "a.junit.xml").getroot()  # noqa: S314  # we wrote it ourselves
    (suite,) = root
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "4",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
    }
    outcomes = {case.get("name"): [child.tag for child in case] for case in suite.iter("testcase")}
    assert outcomes == {
        'odd <&"> name': ["skipped"],
        "auc >= 0.7": [],
        "auc >= 0.9": ["error"],
        "auc >= 0.99": ["failure"],
    }


def test_rules_and_defaults_stand_in_a_file(rocconf, cases):
    (cases / "rocconf.toml").write_text(
        '[data]\nlabel = "site"\npositive = "A"\n\n'
        '[[gate]]\ncommand = "sweep"\nmetric = "auc"\nop = ">="\nvalue = 0.9\n\n'
        '[[gate]]\ncommand = "tango"\nmetric = "auc"\nop = ">="\nvalue = 1\n',
        encoding="utf-8",
    )
    ran = rocconf(*SWEEP)
    answer = json.loads(ran.out)
    assert ran.status == 1
    assert len(answer["gates"]) == 1
    assert answer["inputs"][0]["positive"] == "A"
    assert f"configuration: {cases / 'rocconf.toml'}" in ran.err
    assert json.loads(rocconf(*SWEEP, "--label", "label", "--positive", "1").out)["summary"]["auc"] > 0.85
    assert rocconf(*SWEEP, "--isolated").status == 0


def test_a_rule_may_be_about_a_slice(rocconf, cases):
    (cases / "rocconf.toml").write_text(
        '[[gate]]\ncommand = "sweep"\nmetric = "n"\nop = "=="\nvalue = 100\nwhere = {site = "A"}\n', encoding="utf-8"
    )
    answer = json.loads(rocconf(*SWEEP).out)
    assert answer["summary"]["n"] == 200
    assert [gate["value"] for gate in answer["gates"]] == [100]
    sliced = rocconf("sweep", "-", "--format", "json", stdin=(cases / "cases.csv").read_text(encoding="utf-8"))
    assert json.loads(sliced.out)["gates"][0]["value"] == 100


def test_a_level_of_a_rule_is_its_own(rocconf, cases):
    (cases / "rocconf.toml").write_text(
        '[[gate]]\ncommand = "sweep"\nmetric = "auc"\nop = ">="\nvalue = 0.5\nlevel = 0.5\n', encoding="utf-8"
    )
    answer = json.loads(rocconf(*SWEEP, "--require", "auc >= 0.5").out)
    narrow, wide = answer["gates"]
    assert (narrow["level"], wide["level"]) == (0.5, 0.95)
    assert narrow["upper"] - narrow["lower"] < wide["upper"] - wide["lower"]


def test_only_warnings_leave_the_status_alone(rocconf, cases):
    (cases / "rocconf.toml").write_text(
        '[[gate]]\ncommand = "sweep"\nmetric = "auc"\nop = ">="\nvalue = 0.99\nseverity = "warn"\n', encoding="utf-8"
    )
    ran = rocconf(*SWEEP)
    assert (ran.status, json.loads(ran.out)["verdict"]) == (0, "pass")
    assert "warning: gate not passed" in ran.err


@pytest.mark.usefixtures("cases")
def test_the_table_puts_the_verdict_last(rocconf):
    lines = rocconf("sweep", "cases.csv", "--format", "table", "-q", "--require", "auc >= 0.9").out.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("verdict: not enough evidence (status 3)"))
    assert [line[:16] for line in lines if line.startswith("  ? ")] == ["  ? auc >= 0.9  "]
    assert not any("verdict" in line or "threshold" in line for line in lines[at + 1 :])


def test_github_gets_annotations_and_a_summary(rocconf, cases):
    rules = [f"auc >= 0.99{digit}" for digit in range(10)] + ["n == 100"]
    summary = cases / "summary.md"
    ran = rocconf(
        *SWEEP,
        *("--github", "-q"),
        *(part for rule in rules for part in ("--require", rule)),
        env={"GITHUB_STEP_SUMMARY": str(summary)},
    )
    annotations = [line for line in ran.err.splitlines() if line.startswith("::")]
    assert len(annotations) == 10
    assert annotations[0].startswith("::error title=fail%3A auc >= 0.990::score: auc is 0.899 [")
    assert annotations[-1] == "::warning title=rocconf::2 more rules did not pass"
    assert summary.read_text(encoding="utf-8").startswith("# rocconf sweep")


@pytest.mark.usefixtures("cases")
def test_a_closed_pipe_does_not_change_the_verdict(tmp_path):
    command = f"({sys.executable} -m rocconf sweep cases.csv --require 'auc >= 0.99' -q; echo $? >&2) | head -1"
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines()[-1] == "1"


@pytest.mark.usefixtures("cases")
@pytest.mark.skipif(not os.access("/dev/full", os.W_OK), reason="needs a device that is always full")
def test_a_full_disk_beats_a_verdict(tmp_path):
    command = f"{sys.executable} -m rocconf sweep cases.csv --require 'auc >= 0.99' > /dev/full"
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2


@pytest.mark.usefixtures("cases")
def test_tango_bootstraps_what_a_rule_judges(rocconf):
    answer = json.loads(rocconf("tango", "cases.csv", "--format", "json", "--require", "cauc >= 0.001").out)
    (gate,) = answer["gates"]
    assert gate["lower"] < gate["value"] < gate["upper"]


def test_compare_bootstraps_what_a_rule_judges(rocconf):
    dis = ROOT / "sample_data" / "dis.csv"
    arguments = ("--score", "F", "--score", "T", "--format", "json", "-q", "--require", "cauc >= 0.001")
    (gate,) = json.loads(rocconf("compare", dis, *arguments).out)["gates"]
    assert gate["lower"] <= gate["value"] <= gate["upper"]
    assert gate["lower"] < gate["upper"]


CI = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


def blocks(text, kind):
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("document", ["docs/gates.md", "docs/ci.md"])
def test_the_documents_configurations_are_read(tmp_path, document):
    for block in blocks((ROOT / document).read_text(encoding="utf-8"), "toml"):
        (tmp_path / "rocconf.toml").write_text(block, encoding="utf-8")
        assert read_config(tmp_path / "rocconf.toml", ANALYSES).rules("sweep")


@pytest.mark.thorough
def test_the_recipe_for_make_judges_a_report_again_without_the_data(cases, tmp_path):
    (tmp_path / "predictions.csv").write_bytes((cases / "cases.csv").read_bytes())
    (config,) = blocks(CI, "toml")
    (tmp_path / "Makefile").write_text(blocks(CI, "make")[1], encoding="utf-8")
    make_folder(tmp_path)
    surroundings = environment(PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    made = []
    for limit, status in (("0.99", 2), ("0.7", 0)):
        (tmp_path / "rocconf.toml").write_text(config.replace("0.85", limit).replace("0.80", "0.5"), encoding="utf-8")
        done = subprocess.run(
            ["make", "release.ok"], cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stderr
        made.append((tmp_path / "report.json").stat().st_mtime_ns)
    assert made[0] == made[1]
    assert (tmp_path / "release.ok").exists()


@pytest.mark.usefixtures("cases")
def test_choosing_on_what_is_judged_is_refused_by_any_name(rocconf, tmp_path):
    (tmp_path / "copy.csv").write_bytes((tmp_path / "cases.csv").read_bytes())
    for file in ("cases.csv", "./cases.csv", "copy.csv"):
        ran = rocconf(*SWEEP, "--choose-on", file, "--require", "tpr@youden >= 0.1")
        assert (ran.status, ran.out) == (2, "")
        assert "these are the cases that are judged" in ran.err


@pytest.mark.usefixtures("cases")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--prevalence", "0.01", "--require", "precision@threshold=1 >= 0.1"], "--prevalence restates the metric"),
        (["--rescale", "--choose-on", "other.csv"], "--rescale and --choose-on contradict each other"),
    ],
)
def test_what_a_rule_would_judge_otherwise_than_shown_is_refused(rocconf, arguments, message):
    ran = rocconf(*SWEEP, *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err


@pytest.mark.usefixtures("cases")
@pytest.mark.parametrize(("rule", "status"), [("drift_p >= 0.01", 2), ("drift_p > 0.01", 0), ("drift_p >= 0.02", 0)])
def test_a_rule_about_p_must_be_able_to_fail(rocconf, tmp_path, rule, status):
    cases = (tmp_path / "flu_same.csv", tmp_path / "flu.csv")
    for path in cases:
        path.write_bytes((ROOT / "sample_data" / path.name).read_bytes())
    ran = rocconf("sensibility", cases[0], "--reference", cases[1], "--permutations", "99", "--require", rule, "-q")
    assert ran.status == status, ran.err


@pytest.mark.usefixtures("cases")
def test_drift_since_the_same_scores_is_no_evidence(rocconf, tmp_path):
    (tmp_path / "p.csv").write_bytes((ROOT / "sample_data" / "flu.csv").read_bytes())
    ran = rocconf("sensibility", "p.csv", "--reference", "p.csv", "--require", "drift_p >= 0.1", "-q")
    assert ran.status == 3
    assert "cannot be told from the reference" in ran.err


def test_an_infinite_number_judges_and_is_written(rocconf, tmp_path):
    (tmp_path / "inf.csv").write_text("label,score\n1,inf\n1,2\n0,1\n0,0\n", encoding="utf-8")
    rule = "threshold@fpr<=0 >= 0"
    ran = rocconf("sweep", "inf.csv", "--format", "json", "--allow-in-sample", "--require", rule)
    assert (ran.status, json.loads(ran.out)["gates"][0]["value"]) == (0, 2.0)
    (tmp_path / "first.csv").write_text("label,score\n1,inf\n0,2\n1,1\n0,0\n", encoding="utf-8")
    ran = rocconf("sweep", "first.csv", "--format", "json", "--allow-in-sample", "--require", rule)
    assert (ran.status, json.loads(ran.out)["gates"][0]["value"]) == (0, "inf")
    assert "threshold inf, chosen in-sample" in json.loads(ran.out)["gates"][0]["message"]


def test_a_slice_is_judged_at_the_threshold_of_the_whole(rocconf, cases):
    gate = '[[gate]]\ncommand = "sweep"\nmetric = "threshold"\nat = "youden"\nop = ">="\nvalue = -9\n'
    (cases / "rocconf.toml").write_text(gate + gate + 'where = {site = "A"}\n', encoding="utf-8")
    whole, part = json.loads(rocconf(*SWEEP, "--allow-in-sample").out)["gates"]
    assert whole["value"] == part["value"]
    assert part["n"] == 100
    assert part["name"] == "threshold@youden >= -9, site=A"
    assert ", site=A" in part["message"]


def test_a_slice_is_compared_at_the_thresholds_of_the_whole(rocconf, tmp_path):
    lines = (ROOT / "sample_data" / "dis.csv").read_text(encoding="utf-8").splitlines()
    cases = [f"{line},{'ab'[at % 2]}" for at, line in enumerate(lines[1:])]
    (tmp_path / "dis.csv").write_text("\n".join([lines[0] + ",half", *cases]), encoding="utf-8")
    gate = (
        '[[gate]]\ncommand = "compare"\nmetric = "METRIC"\nat = "youden"\nop = "<"\nvalue = 0.9\nwhere = {half = "a"}\n'
    )
    gates = "".join(gate.replace("METRIC", metric) for metric in ("accuracy[F]", "accuracy[B]", "delta_accuracy[B]"))
    (tmp_path / "rocconf.toml").write_text(gates, encoding="utf-8")
    models = ("--score", "F", "--score", "B", "--baseline", "F")
    ran = rocconf("compare", "dis.csv", *models, "--format", "json", "--allow-in-sample")
    first, second, difference = json.loads(ran.out)["gates"]
    assert difference["value"] == pytest.approx(second["value"] - first["value"])
    assert second["in_sample"] is True
    whole = rocconf(
        "compare", "dis.csv", "--score", "F", "--score", "B", "--at", "youden", "--format", "json", "--isolated"
    )
    points = {point["model"]: point["threshold"] for point in json.loads(whole.out)["tables"]["operating_points"]}
    assert {gate["model"]: gate["threshold"] for gate in (first, second)} == points


@pytest.mark.parametrize(("severity", "status"), [("warn", 0), ("error", 3)])
def test_a_slice_without_cases_does_not_decide(rocconf, cases, severity, status):
    (cases / "rocconf.toml").write_text(
        f'[[gate]]\ncommand = "sweep"\nmetric = "auc"\nop = ">="\nvalue = 0.5\nwhere = {{site = "C"}}\nseverity = "{severity}"\n',
        encoding="utf-8",
    )
    ran = rocconf(*SWEEP)
    assert ran.status == status
    (gate,) = json.loads(ran.out)["gates"]
    assert (gate["verdict"], gate["value"]) == ("inconclusive", None)
    assert "no row with site=C" in gate["message"]


def test_a_slice_by_a_column_that_is_not_there_cannot_run(rocconf, cases):
    (cases / "rocconf.toml").write_text(
        '[[gate]]\ncommand = "sweep"\nmetric = "auc"\nop = ">="\nvalue = 0.5\nwhere = {place = "C"}\n', encoding="utf-8"
    )
    assert rocconf(*SWEEP).status == 2


def test_what_is_typed_comes_before_what_the_file_says(rocconf, cases):
    (cases / "rocconf.toml").write_text('[data]\nna = "drop"\n', encoding="utf-8")
    with (cases / "cases.csv").open("a", encoding="utf-8") as file:
        file.write("1,,A\n")
    assert json.loads(rocconf(*SWEEP).out)["inputs"][0]["dropped"] == 1
    assert rocconf(*SWEEP, "--na", "error").status == 2


@pytest.mark.parametrize(
    "head", ["[tool.rocconf]", "[tool . rocconf]", '["tool"."rocconf"]', "[tool]\nrocconf.x = 1\n"]
)
def test_no_spelling_of_a_configuration_is_overlooked(rocconf, cases, head):
    (cases / "pyproject.toml").write_text(head + "\nnonsense = 1\n", encoding="utf-8")
    assert rocconf(*SWEEP).status == 2


def test_a_misspelt_rule_of_another_command_is_told(rocconf, cases):
    (cases / "rocconf.toml").write_text(
        '[[gate]]\ncommand = "tango"\nmetric = "caucc"\nop = ">="\nvalue = 0.1\n', encoding="utf-8"
    )
    ran = rocconf(*SWEEP)
    assert ran.status == 2
    assert "did you mean 'cauc'" in ran.err


@pytest.mark.usefixtures("cases")
def test_rescaled_scores_are_said_to_be(rocconf):
    answer = json.loads(rocconf(*SWEEP, "--rescale", "--thresholds", "grid:0.1").out)
    assert "scores-rescaled" in {caveat["code"] for caveat in answer["caveats"]}


@pytest.mark.usefixtures("cases")
def test_rescaled_scores_are_never_judged_or_drawn_as_probabilities(rocconf):
    refused = rocconf(*SWEEP, "--rescale", "--calibration", "--require", "brier <= 0.9")
    assert refused.status == 2
    assert "--rescale makes no probabilities of scores, so --calibration would measure nothing" in refused.err
    drawn = rocconf(*SWEEP, "--rescale", "--plot", "calibration:figure.png")
    assert drawn.status == 2
    assert "rescaling makes none" in drawn.err


@pytest.mark.usefixtures("cases")
def test_the_miscalibration_of_squares_is_not_taken_for_an_error_in_shares(rocconf):
    assert rocconf(*SWEEP, "--calibration", "--require", "ece <= 0.05").status == 2
