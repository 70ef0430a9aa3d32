"""`rocconf gate`: the verdict on a saved report, and reports that get none."""

import gzip
import json
import subprocess
import sys

import pytest
from conftest import SAMPLE_DATA, environment

DIS, FLU, SAME = (SAMPLE_DATA / name for name in ("dis.csv", "flu.csv", "flu_same.csv"))
NAMED = ("--score", "S", "--score", "T", "--score", "F", "--score", "B")


@pytest.fixture
def report(rocconf, tmp_path):
    """A report of a sweep without rules; its AUC is .81 [.60, .92]."""
    rocconf(
        "sweep",
        DIS,
        "--score",
        "F",
        "--max-fpr",
        "0.2",
        "--at",
        "youden",
        "--at",
        "threshold=0.2",
        "-o",
        "a.json",
        "-q",
    )
    return tmp_path / "a.json"


@pytest.mark.usefixtures("report")
@pytest.mark.parametrize(
    ("arguments", "status", "verdict"),
    [
        (["--require", "auc >= 0.5"], 0, "pass"),
        (["--require", "auc >= 0.99"], 1, "fail"),
        (["--require", "auc >= 0.8"], 3, "inconclusive"),
        (["--require", "auc >= 0.8", "--require", "auc >= 0.99"], 1, "fail"),
        ([], 3, "inconclusive"),
        (["--require", "auc >= 0.8", "--inconclusive", "pass"], 0, "inconclusive"),
        (["--inconclusive", "pass"], 3, "inconclusive"),  # no rule is no evidence
        (["--require", "auc >= 0.99", "--exit-zero"], 0, "fail"),
        (["--require", "tp@youden >= 1", "--allow-in-sample"], 0, "pass"),
        (["--require", "tp @ threshold = 0.20 == 3"], 0, "pass"),
        (["--require", "average_precision.point >= 0.01"], 0, "pass"),
        (["--require", "auc[F] >= 0.5"], 0, "pass"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_the_status_is_the_verdict_on_the_report(rocconf, arguments, status, verdict):
    ran = rocconf("gate", "a.json", *arguments, "--format", "json")
    assert ran.status == status, ran.err
    answer = json.loads(ran.out)
    assert (answer["schema"], answer["verdict"], answer["exit_code"]) == ("rocconf/gate/3", verdict, status)


@pytest.mark.usefixtures("report")
@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("tpr@fpr<=0.01 >= 0.8", "run rocconf sweep FILE --at 'fpr<=0.01' --choose-on OTHER -o a.json"),
        ("fpr@threshold=0.3 <= 0.1", "run rocconf sweep FILE --at threshold=0.3 -o a.json"),
        ("tpr@youden >= 0.1", "or set --allow-in-sample"),
        ("auc[G] >= 0.1", "no model 'G' (found: F)"),
        ("cauc >= 0.1", "sweep has no metric 'cauc'"),
        ("auk >= 0.1", "did you mean 'auc'"),
        ("auc == 0.5", "== is for counts"),
    ],
)
def test_what_a_report_cannot_tell_is_no_verdict(rocconf, rule, said):
    ran = rocconf("gate", "a.json", "--require", "auc >= 0.1", "--require", rule, "--inconclusive", "pass")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("rocconf: a.json: ")
    assert said in ran.err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": "rocconf/sweep/2"}, "written by another version: run rocconf sweep again"),
        ({"schema": "rocconf/sweep/²"}, "written by another version"),
        ({"schema": "other/sweep/1"}, "not a rocconf report"),
        ({"schema": "rocconf/gate/3"}, "changed since it was written"),
        ({"schema": 1}, "not a rocconf report"),
        ({"tables": {}}, "changed since it was written: run rocconf sweep again"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_report_that_is_none_is_no_verdict(rocconf, report, change, said):
    report.write_text(json.dumps(json.loads(report.read_text(encoding="utf-8")) | change), encoding="utf-8")
    ran = rocconf("gate", "a.json", "--require", "n >= 3")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("rocconf: a.json: ")
    assert said in ran.err


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[1]", b"\xff\xfe\xfd", b"label,score\n1,2\n", b'{"n": NaN}', b"[" * 100_000, b"9" * 5000]
)
def test_what_is_not_json_is_no_verdict(rocconf, tmp_path, content):
    (tmp_path / "a.json").write_bytes(content)
    ran = rocconf("gate", "a.json")
    assert (ran.status, ran.out) == (2, "")
    assert "a.json: not " in ran.err


def test_half_a_report_is_no_verdict(rocconf, report, tmp_path):
    whole = report.read_bytes()
    (tmp_path / "half.json").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "half.json.gz").write_bytes(gzip.compress(whole)[:-100])
    for name in ("half.json", "half.json.gz", "none.json"):
        ran = rocconf("gate", name, "--require", "n >= 3")
        assert (ran.status, ran.out) == (2, "")
        assert f"{name}: " in ran.err


def configured(command, metric, **more):
    lines = "".join(f"{key} = {value}\n" for key, value in more.items())
    return f'[[gate]]\ncommand = "{command}"\nmetric = "{metric}"\nop = ">="\nvalue = 0.5\n{lines}'


def test_the_rules_of_a_configuration_are_those_of_the_reports_command(rocconf, report):
    (report.parent / "rocconf.toml").write_text(
        configured("sweep", "auc", level=0.5) + configured("tango", "auc"), encoding="utf-8"
    )
    (gate,) = json.loads(rocconf("gate", "a.json", "--format", "json").out)["gates"]
    (run,) = json.loads(rocconf("sweep", DIS, "--score", "F", "--format", "json").out)["gates"]
    assert gate == run
    assert gate["level"] == 0.5
    assert rocconf("gate", "a.json", "--isolated").status == 3


def test_no_rule_of_a_configuration_is_of_gate(rocconf, report):
    (report.parent / "rocconf.toml").write_text(configured("gate", "auc"), encoding="utf-8")
    ran = rocconf("gate", "a.json")
    assert (ran.status, ran.out) == (2, "")
    assert "unknown command 'gate'" in ran.err


def test_of_a_slice_that_has_no_curve_no_threshold_is_told(rocconf, tmp_path):
    cases = ["label,score,half", "1,3,a", "0,2,b", "1,1,a", "0,0,b"]
    (tmp_path / "halves.csv").write_text("\n".join(cases), encoding="utf-8")
    rule = configured("sweep", "accuracy", at='"youden"', where="{half = 'a'}")
    (tmp_path / "rocconf.toml").write_text(rule, encoding="utf-8")
    ran = rocconf("sweep", "halves.csv", "--allow-in-sample", "-o", "a.json", "--format", "json", "-q")
    again = rocconf("gate", "a.json", "--isolated", "--format", "json")
    (gate,) = json.loads(again.out)["gates"]
    assert [gate] == json.loads(ran.out)["gates"]
    assert (gate["value"], gate["threshold"], gate["in_sample"]) == (None, None, None)
    assert again.status == ran.status == 3


def test_a_difference_on_a_slice_without_a_curve_is_still_of_two_models(rocconf, tmp_path):
    cases = ["label,a,b,half", "1,3,1,a", "0,2,0,b", "1,1,2,a", "0,0,1,b"]
    (tmp_path / "halves.csv").write_text("\n".join(cases), encoding="utf-8")
    rule = configured("compare", "delta_auc", where="{half = 'a'}")
    (tmp_path / "rocconf.toml").write_text(rule, encoding="utf-8")
    score = ("--score", "a", "--score", "b", "--baseline", "a")
    ran = rocconf("compare", "halves.csv", *score, "-o", "a.json", "--format", "json", "-q")
    (gate,) = json.loads(ran.out)["gates"]
    assert gate["message"].startswith("b less a: delta_auc, half=a is undefined")
    assert json.loads(rocconf("gate", "a.json", "--isolated", "--format", "json").out)["gates"] == [gate]


def test_a_rule_of_one_model_is_told_again_in_the_same_words(rocconf):
    ran = rocconf("tango", DIS, *NAMED, "--require", "threshold_low[S] > 0", "-o", "a.json", "--format", "json", "-q")
    again = rocconf("gate", "a.json", "--format", "json")
    assert json.loads(ran.out)["gates"][0]["value"] is None  # of S no point is confident
    assert json.loads(again.out)["gates"] == json.loads(ran.out)["gates"]


def test_a_slice_is_held_only_if_it_was_judged(rocconf, tmp_path):
    lines = DIS.read_text(encoding="utf-8").splitlines()
    cases = [f"{line},{'ab'[at % 2]}" for at, line in enumerate(lines[1:])]
    (tmp_path / "dis.csv").write_text("\n".join([lines[0] + ",half", *cases]), encoding="utf-8")
    rule = configured("sweep", "accuracy", at='"youden"', where="{half = 'a'}")
    (tmp_path / "rocconf.toml").write_text(rule, encoding="utf-8")
    ran = rocconf("sweep", "dis.csv", "--score", "F", "--allow-in-sample", "-o", "a.json", "--format", "json", "-q")
    for isolated in ([], ["--isolated"]):
        again = rocconf("gate", "a.json", "--allow-in-sample", "--format", "json", *isolated)
        assert json.loads(again.out)["gates"] == json.loads(ran.out)["gates"]
        assert rocconf("gate", "a.json", *isolated).status == 2  # its threshold was chosen in-sample
    (tmp_path / "rocconf.toml").write_text(rule.replace("'a'", "'b'"), encoding="utf-8")
    other = rocconf("gate", "a.json", "--allow-in-sample")
    assert (other.status, other.out) == (2, "")
    assert "it has no verdict on the rows with half=b" in other.err


@pytest.mark.parametrize(
    ("where", "others", "n"),
    [
        ("age>=65", ("age>65", "age>=065", "age!=65", "age=65"), 40),
        ("ward!=7", ("ward=7", "ward!=07", "ward>7"), 80),
        ("ward=007", ("ward=7", "ward=7.0", "ward!=007"), 20),
        ("key>9007199254740992", ("key>9007199254740993", "key>=9007199254740992"), 20),
    ],
)
def test_a_slice_by_any_operator_is_held_as_it_was_judged(rocconf, tmp_path, where, others, n):
    keys = ["64.9,7,9007199254740992", "65,007,9007199254740993", "65.0,7.0,0", "1,8,0", "-3,x,1"]
    rows = [f"{at // 5 % 2},{at % 13},{keys[at % 5]}\n" for at in range(100)]
    (tmp_path / "wards.csv").write_text("label,score,age,ward,key\n" + "".join(rows), encoding="utf-8")
    rule = configured("sweep", "auc", where=f"'{where}'")
    (tmp_path / "rocconf.toml").write_text(rule, encoding="utf-8")
    ran = rocconf("sweep", "wards.csv", "--score", "score", "-o", "a.json", "--format", "json", "-q")
    (gate,) = json.loads(ran.out)["gates"]
    assert (gate["n"], gate["where"], gate["name"].endswith(f", {where}")) == (n, [where], True)
    cut = rocconf("sweep", "wards.csv", "--score", "score", "--where", where, "--format", "json", "-q", "--isolated")
    assert json.loads(cut.out)["summary"]["auc"] == gate["value"]
    again = rocconf("gate", "a.json", "--format", "json")
    assert json.loads(again.out)["gates"] == [gate]
    for other in others:
        (tmp_path / "rocconf.toml").write_text(rule.replace(where, other), encoding="utf-8")
        ran = rocconf("gate", "a.json")
        assert (ran.status, ran.out) == (2, "")
        assert f"it has no verdict on the rows with {other}" in ran.err


def test_another_level_is_held_where_it_can_be_computed(rocconf, tmp_path):
    rocconf("tango", DIS, "--score", "F", "--bootstrap", "50", "-o", "a.json", "-q")
    (tmp_path / "rocconf.toml").write_text(configured("tango", "prevalence", level=0.5), encoding="utf-8")
    assert rocconf("gate", "a.json").status == 1
    (tmp_path / "rocconf.toml").write_text(configured("tango", "confident_points", level=0.5), encoding="utf-8")
    ran = rocconf("gate", "a.json")
    assert (ran.status, ran.out) == (2, "")
    assert "run rocconf tango FILE --level 0.5 -o a.json" in ran.err


def test_an_unknown_interval_decides_nothing_again(rocconf, tmp_path):
    (tmp_path / "perfect.csv").write_text("label,score\n1,4\n1,3\n0,2\n0,1\n", encoding="utf-8")
    ran = rocconf("sweep", "perfect.csv", "--require", "average_precision >= 0.9", "-o", "a.json", "-q")
    assert (ran.status, rocconf("gate", "a.json").status) == (3, 3)
    assert rocconf("gate", "a.json", "--require", "average_precision >= 0.9").status == 3


def test_an_unknown_interval_of_a_difference_decides_nothing_again_and_hinders_no_other_rule(rocconf, tmp_path):
    rows = ["1,4,3", "1,3,4", "0,2,1", "0,1,2"]
    (tmp_path / "perfect.csv").write_text("\n".join(["label,a,b", *rows]), encoding="utf-8")
    rule = ("--require", "delta_average_precision >= -0.5")
    named = ("--score", "a", "--score", "b", "--baseline", "a")
    run = rocconf("compare", "perfect.csv", *named, "--bootstrap", "50", *rule, "-o", "a.json", "-q")
    assert run.status == 3
    assert rocconf("gate", "a.json", *rule).status == 3
    rocconf("compare", "perfect.csv", "--bootstrap", "50", "-o", "a.json", "-q")
    assert rocconf("gate", "a.json", *rule).status == 3
    assert rocconf("gate", "a.json", "--require", "delta_average_precision.point >= -0.5").status == 0
    assert rocconf("gate", "a.json", "--require", "n >= 3").status == 0


def test_several_reports_are_judged_and_the_worst_verdict_wins(rocconf, report):
    rocconf("tango", DIS, "--score", "F", "--require", "auc >= 0.99", "-o", "b.json", "-q")
    rocconf("sweep", DIS, "--score", "B", "--require", "auc >= 0.1", "-o", "c.json", "-q")
    ran = rocconf("gate", "b.json", "c.json", "--format", "json")
    answer = json.loads(ran.out)
    assert (ran.status, [gate["model"] for gate in answer["gates"]]) == (1, ["F", "B"])
    assert rocconf("gate", "c.json").status == 0
    assert rocconf("gate", "c.json", report).status == 3  # no rule is about one of them
    both = json.loads(rocconf("gate", "a.json", "b.json", "--require", "auc >= 0.5", "--format", "json").out)
    assert [gate["model"] for gate in both["gates"]] == ["a:F", "b:F"]
    assert rocconf("gate", "a.json", "a.json").status == 2


def test_reports_that_are_judged_together_must_be_about_one_class_and_what_differs_is_named(rocconf, tmp_path):
    (tmp_path / "a.csv").write_text("label,score\nyes,0.9\nno,0.2\nyes,0.4\nno,0.5\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("label,score\nyes,0.7\nno,0.2\nyes,0.4\nno,0.5\n", encoding="utf-8")
    rocconf("sweep", "a.csv", "--positive", "yes", "-o", "a.json", "-q")
    rocconf("sweep", "b.csv", "--positive", "yes", "--rescale", "--lower-is-positive", "-o", "b.json", "-q")
    rocconf("sweep", "a.csv", "--positive", "no", "-o", "no.json", "-q")
    rocconf("tango", "a.csv", "--positive", "yes", "-o", "same.json", "-q")
    rule = ("--require", "n >= 3", "--format", "json")
    codes = {}
    for name in ("b", "same"):
        ran = rocconf("gate", "a.json", f"{name}.json", *rule)
        assert ran.status == 0, ran.err
        found = {caveat["code"] for caveat in json.loads(ran.out)["caveats"]}
        codes[name] = {code for code in found if code.startswith("reports-")}
    assert codes == {"b": {"reports-direction", "reports-rescaled", "reports-other-cases"}, "same": set()}
    refused = rocconf("gate", "a.json", "no.json", *rule)
    assert (refused.status, refused.out) == (2, "")
    assert "no.json is about the positive class 'no', and a.json about 'yes': judge them one by one" in refused.err


def test_standard_input_and_packed_reports_are_read(rocconf, report):
    text = report.read_text(encoding="utf-8")
    (report.parent / "p.json.gz").write_bytes(gzip.compress(text.encode()))
    assert rocconf("gate", "-", "--require", "auc >= 0.5", stdin=text).status == 0
    assert rocconf("gate", "p.json.gz", "--require", "auc >= 0.5").status == 0


def test_the_reports_of_a_verdict_are_named(rocconf, report):
    ran = rocconf(
        "gate",
        "a.json",
        "--require",
        "auc >= 0.5",
        "--format",
        "json",
        "-o",
        "v.junit.xml",
        "-o",
        "v.md",
        "-o",
        "v.parquet",
    )
    answer = json.loads(ran.out)
    (source,) = answer["inputs"]
    assert (source["role"], source["command"], source["schema"]) == ("report", "sweep", "rocconf/sweep/3")
    assert len(source["sha256"]) == 64
    assert answer["summary"]["report"] == "a.json"
    assert "in-sample" in {caveat["code"] for caveat in answer["caveats"]}
    assert 'name="rocconf gate" tests="1"' in (report.parent / "v.junit.xml").read_text(encoding="utf-8")
    assert "verdict: pass" in (report.parent / "v.md").read_text(encoding="utf-8")
    assert (report.parent / "v.parquet").exists()


@pytest.mark.usefixtures("report")
def test_a_report_that_no_rule_is_about_says_so_also_when_quiet(rocconf):
    for quiet in ([], ["-q"]):
        assert rocconf("gate", "a.json", *quiet).err.count("no rule was judged") == 1


@pytest.mark.usefixtures("report")
def test_there_is_no_option_for_what_a_report_cannot_draw(rocconf):
    assert rocconf("gate", "a.json", "--plot", "a.png").status == 2
    assert "--plot" not in rocconf("gate", "--help").out


def test_a_report_is_not_overwritten(rocconf, report):
    before = report.read_bytes()
    ran = rocconf("gate", "a.json", "--require", "n >= 3", "-o", "a.json")
    assert (ran.status, report.read_bytes()) == (2, before)


def test_class_totals_decide_nothing(rocconf):
    rocconf("chi2-contours", "--positives", "5", "--negatives", "55", "-o", "a.json", "-q")
    assert rocconf("gate", "a.json").status == 3
    assert rocconf("gate", "a.json", "--require", "n >= 3").status == 2


@pytest.mark.parametrize(
    ("arguments", "rule", "said"),
    [
        (
            ("sweep", DIS, "--score", "F", "--prevalence", "0.1", "--at", "threshold=0.2"),
            "precision@threshold=0.2 >= 0.1",
            "--prevalence restates the metric",
        ),
        (
            ("chi2-contours", DIS, "--score", "F", "--permutations", "9"),
            "max_chi2_p <= 0.05",
            "has the same verdict on all data",
        ),
        (("compare", DIS, *NAMED, "--all-pairs"), "delta_auc >= 0", "--all-pairs does not have"),
        (("compare", DIS, *NAMED, "--baseline", "S"), "delta_cauc >= 0", "--require 'delta_cauc >= 0'"),
        (("compare", DIS, *NAMED), "cauc >= 0.1", "--require 'cauc >= 0.1'"),
        (("tango", DIS, *NAMED), "tpr@threshold=0.2 >= 0.1", "--require 'tpr@threshold=0.2 >= 0.1'"),
    ],
)
def test_what_a_run_refuses_or_lacks_is_refused_of_its_report(rocconf, arguments, rule, said):
    rocconf(*arguments, "-o", "a.json", "-q")
    ran = rocconf("gate", "a.json", "--require", rule)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_drift_since_the_same_scores_is_no_evidence_in_a_report_either(rocconf):
    rocconf("sensibility", FLU, "--reference", FLU, "--permutations", "99", "--bootstrap", "0", "-o", "a.json", "-q")
    ran = rocconf("gate", "a.json", "--require", "drift_p >= 0.1")
    assert ran.status == 3
    assert "cannot be told from the reference" in ran.err


@pytest.mark.usefixtures("report")
def test_a_closed_pipe_does_not_change_the_verdict_on_a_report(tmp_path):
    command = f"({sys.executable} -m rocconf gate a.json --require 'auc >= 0.99' -q; echo $? >&2) | head -0"
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines()[-1] == "1"
