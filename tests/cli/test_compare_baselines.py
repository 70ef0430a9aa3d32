"""Baselines of `rocconf compare`: a model, a file of the same cases, or a report."""

import json

import pytest
from compared import DIS, pairs_of, write, write_two_files
from conftest import SAMPLE_DATA


@pytest.fixture
def two_files(tmp_path):
    """The ten cases with a model in either file, the second in another order."""
    return write_two_files(tmp_path)


@pytest.mark.usefixtures("two_files")
def test_a_file_cannot_be_its_own_baseline(rocconf):
    ran = rocconf("compare", "new.csv", "--baseline", "new.csv")
    assert (ran.status, ran.out, ran.err) == (2, "", "rocconf: new.csv: given twice\n")


@pytest.mark.usefixtures("two_files")
def test_a_baseline_can_be_a_file_of_the_same_cases(rocconf):
    ran = rocconf("compare", "new.csv", "--baseline", "old.csv", "--format", "json")
    pair = pairs_of(ran)["new", "auc", None]
    assert pair["baseline"] == "old"
    assert pair["difference"] == pytest.approx(-0.04)
    assert pair["paired"]
    assert [source["role"] for source in json.loads(ran.out)["inputs"]] == ["data", "baseline"]


def test_a_baseline_of_other_cases_is_refused(rocconf, two_files):
    write(two_files, "other.csv", [("x", 1, 0.7), ("y", 0, 0.2)])
    ran = rocconf("compare", "new.csv", "--baseline", "other.csv")
    assert (ran.status, ran.out) == (2, "")
    assert "12 faults" in ran.err


def test_a_baseline_that_is_the_data_is_compared_with_itself(rocconf, two_files):
    (two_files / "copy.csv").write_bytes((two_files / "old.csv").read_bytes())
    ran = rocconf("compare", "old.csv", "--baseline", "copy.csv", "--format", "json")
    pair = pairs_of(ran)["old", "auc", None]
    assert (pair["difference"], pair["difference_lower"], pair["difference_upper"], pair["p"]) == (0, 0, 0, 1)
    assert "it is compared with itself" in ran.err


@pytest.mark.parametrize(
    ("baseline", "said"),
    [
        ("X", "--baseline X is neither a model (found: S, T, F, B) nor a file"),
        ("f", "nor a file; did you mean 'F'?"),
        ("", "--baseline '' is neither a model"),
        (".", "--baseline . is neither a model"),
        ("S", "--baseline S is both a model and a file; ./S is the file"),
        ("hypothyroid.csv", "hypothyroid.csv has several models (hypothyroid:S, "),
    ],
)
def test_a_baseline_that_is_none_is_refused(rocconf, tmp_path, baseline, said):
    (tmp_path / "hypothyroid.csv").write_bytes((SAMPLE_DATA / "hypothyroid.csv").read_bytes())
    if baseline == "S":
        write(tmp_path, "S", [("a", 1, 0.9), ("b", 0, 0.1)])
    ran = rocconf("compare", DIS, "--baseline", baseline)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_a_folder_named_like_a_model_is_no_file(rocconf, tmp_path):
    (tmp_path / "F").mkdir()
    ran = rocconf("compare", DIS, "--baseline", "F", "--format", "json")
    assert json.loads(ran.out)["options"]["baseline"] == "F"


@pytest.mark.parametrize("options", [(), ("--unpaired",)])
def test_a_baseline_that_is_a_file_and_the_model_of_another_is_refused(rocconf, two_files, options):
    (two_files / "old").write_bytes((two_files / "old.csv").read_bytes())
    ran = rocconf("compare", "new.csv", "old.csv", "--baseline", "old", *options)
    assert ran.status == 2
    assert "--baseline old is both a model and a file; ./old is the file" in ran.err


@pytest.mark.usefixtures("report")
def test_a_rule_of_a_report_is_found_however_it_is_written(rocconf):
    ran = rocconf("compare", "new.csv", "--baseline", "report.json", "--at", "fpr <= .20", "--format", "json")
    assert pairs_of(ran)["score", "tpr", "fpr <= .20"]["test"] == "miettinen-nurminen-cc"
    assert rocconf("compare", "new.csv", "--baseline", "report.json", "--by-row").status == 2


@pytest.fixture
def report(rocconf, two_files):
    """A report of the first file's model, at two operating points."""
    rocconf("sweep", "old.csv", "--at", "fpr<=0.2", "--at", "youden", "-o", "report.json", "-q")
    return two_files / "report.json"


@pytest.mark.usefixtures("report")
def test_a_baseline_can_be_a_report(rocconf):
    ran = rocconf("compare", "new.csv", "--baseline", "report.json", "--at", "fpr<=0.2", "--format", "json")
    assert ran.status == 0
    pairs = pairs_of(ran)
    assert pairs["score", "auc", None]["baseline"] == "report:score"
    assert {pair["paired"] for pair in pairs.values()} == {False}
    assert "as if on different cases" in ran.err
    assert [(source["role"], source["n"]) for source in json.loads(ran.out)["inputs"]] == [
        ("data", 10),
        ("baseline", 10),
    ]


RULE = ("--require", "delta_auc >= -0.9")


def told_of(rocconf, *arguments):
    """Give the codes of the verdict, after a look at every place where the caveats must stand."""
    ran = rocconf("compare", *arguments, *RULE, "--format", "json", "-o", "a.junit.xml", "-o", "a.md", "-o", "a.json")
    assert ran.status in (0, 3), ran.err
    answer = json.loads(ran.out)
    (gate,) = answer["gates"]
    messages = {caveat["code"]: caveat["message"] for caveat in answer["caveats"]}
    assert all(gate["message"].count(messages[code]) == 1 for code in gate["codes"])
    assert gate["message"].endswith(messages[gate["codes"][-1]])
    again = rocconf("gate", "a.json", "--format", "json", "--isolated")
    assert json.loads(again.out)["gates"] == [gate]
    return {code: messages[code] for code in gate["codes"]}


@pytest.mark.usefixtures("report")
def test_the_verdict_on_a_report_names_other_cases_and_the_same_ones(rocconf, two_files):
    text = (two_files / "new.csv").read_text(encoding="utf-8")
    (two_files / "more.csv").write_text(text + "k,1,0.5\nl,0,0.4\n", encoding="utf-8")
    told = told_of(rocconf, "more.csv", "--baseline", "report.json")
    assert told.pop("sealed-without-key").startswith("report.json: sealed without a key")
    assert told == {
        "baseline-other-cases": "report.json is about other cases: old.csv (10 cases, prevalence 0.5), "
        "and here more.csv (12 cases, prevalence 0.5)"
    }
    junit = (two_files / "a.junit.xml").read_text(encoding="utf-8")
    page = (two_files / "a.md").read_text(encoding="utf-8")
    assert "old.csv (10 cases, prevalence 0.5)" in junit
    assert "old.csv (10 cases, prevalence 0.5)" in page
    assert list(told_of(rocconf, "old.csv", "--baseline", "report.json")) == [
        "sealed-without-key",
        "baseline-same-cases",
        "compared-with-itself",
    ]
    github = rocconf("compare", "more.csv", "--baseline", "report.json", "--require", "delta_auc >= 0.9", "--github")
    assert "::error" in github.err
    assert "report.json is about other cases" in next(line for line in github.err.splitlines() if "::error" in line)


def test_a_report_about_another_positive_class_is_no_baseline(rocconf, two_files):
    rows = [("a", "yes", 0.9), ("b", "no", 0.1), ("c", "yes", 0.4), ("d", "no", 0.5)]
    write(two_files, "words.csv", rows)
    rocconf("sweep", "words.csv", "--positive", "no", "-o", "no.json", "-q")
    ran = rocconf("compare", "words.csv", "--positive", "yes", "--baseline", "no.json", *RULE)
    assert (ran.status, ran.out) == (2, "")
    assert "no.json is about the positive class 'no', and these cases about 'yes'" in ran.err


@pytest.mark.usefixtures("two_files")
def test_a_report_of_turned_or_rescaled_scores_is_named(rocconf):
    rocconf("sweep", "old.csv", "--lower-is-positive", "-o", "low.json", "-q")
    told = told_of(rocconf, "new.csv", "--baseline", "low.json")
    assert list(told) == ["sealed-without-key", "baseline-direction", "baseline-other-cases"]
    rocconf("sweep", "old.csv", "--rescale", "-o", "scaled.json", "-q")
    told = told_of(rocconf, "new.csv", "--baseline", "scaled.json")
    assert told["baseline-rescaled"] == "the scores of scaled.json are rescaled to [0, 1], and these are not"


@pytest.mark.usefixtures("report")
@pytest.mark.parametrize("choice", ["pass", "fail", "inconclusive"])
def test_what_a_report_cannot_be_compared_in_does_not_pass_as_undefined(rocconf, two_files, choice):
    rule = f'command = "compare"\nmetric = "delta_cauc"\nop = ">="\nvalue = 0\non_undefined = "{choice}"\n'
    (two_files / "rocconf.toml").write_text(f"[[gate]]\n{rule}", encoding="utf-8")
    ran = rocconf("compare", "new.csv", "--score", "score", "--baseline", "report.json")
    assert (ran.status, ran.out) == (2, "")
    assert "delta_cauc is drawn from the cases, which a baseline that is a report does not have" in ran.err


def test_a_report_that_was_changed_is_no_baseline(rocconf, report):
    record = json.loads(report.read_text(encoding="utf-8"))
    record["tables"]["models"][0]["auc_se"] = record["summary"]["auc_se"] = 0.05
    report.write_text(json.dumps(record), encoding="utf-8")
    ran = rocconf("compare", "new.csv", "--baseline", "report.json", *RULE)
    assert (ran.status, ran.out) == (2, "")
    assert "report.json: changed since it was written: run rocconf sweep again" in ran.err


@pytest.mark.parametrize(
    ("change", "options", "said"),
    [
        ({}, ("--at", "closest"), "report.json has no operating point 'closest' (found: fpr<=0.2, youden)"),
        (
            {},
            ("--interval", "delong"),
            "report.json is a report of the interval robust, not delong: set --interval robust",
        ),
        ({"schema": "rocconf/sweep/2"}, (), "written by another version: run rocconf sweep again"),
        ({"schema": "other/1"}, (), "not a rocconf report"),
        ({"tables": {}}, (), "changed since it was written"),
    ],
)
def test_a_report_that_cannot_be_compared_with_is_refused(rocconf, report, change, options, said):
    report.write_text(json.dumps(json.loads(report.read_text(encoding="utf-8")) | change), encoding="utf-8")
    ran = rocconf("compare", "new.csv", "--baseline", "report.json", *options)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.usefixtures("report")
def test_a_report_is_a_baseline_at_any_level(rocconf):
    limits = []
    for level in ("0.8", "0.95", "0.99"):
        ran = rocconf(
            "compare", "new.csv", "--baseline", "report.json", "--level", level, "--at", "fpr<=0.2", "--format", "json"
        )
        limits.append(pairs_of(ran)["score", "auc", None]["difference_lower"])
    assert limits == sorted(limits, reverse=True)
    rocconf("sweep", "old.csv", "--level", "0.8", "--at", "fpr<=0.2", "-o", "narrow.json", "-q")
    ran = rocconf(
        "compare", "new.csv", "--baseline", "narrow.json", "--level", "0.99", "--at", "fpr<=0.2", "--format", "json"
    )
    assert pairs_of(ran)["score", "auc", None]["difference_lower"] == limits[-1]


def test_a_report_that_is_no_json_is_refused(rocconf, report):
    report.write_text("{", encoding="utf-8")
    ran = rocconf("compare", "new.csv", "--baseline", "report.json")
    assert ran.status == 2
    assert "report.json: not valid JSON" in ran.err


@pytest.mark.parametrize("scores", ["F", "F T"])
def test_a_report_of_several_models_is_no_baseline_whatever_the_names(rocconf, scores):
    rocconf("compare", DIS, "-o", "last.json", "-q")
    named = [word for score in scores.split() for word in ("--score", score)]
    ran = rocconf("compare", DIS, *named, "--baseline", "last.json")
    assert (ran.status, ran.out) == (2, "")
    assert "reports 4 models (S, T, F, B), but a baseline is one model" in ran.err


@pytest.mark.parametrize(
    ("reported", "asked", "metric", "says"),
    [
        ("--max-fpr 0.1", "--max-fpr 0.9", "delta_partial_auc", "set --max-fpr 0.1"),
        ("--cost 10:1:0.4 --at cost=1:1:0.4", "--cost 1:1:0.4", "delta_cost@fpr<=0.2", "set --cost 10:1:0.4"),
    ],
)
def test_a_report_of_other_options_is_no_baseline(rocconf, tmp_path, reported, asked, metric, says):
    write_two_files(tmp_path)
    rocconf("sweep", "old.csv", *reported.split(), "--at", "fpr<=0.2", "-o", "o.json", "-q")
    line = ["--baseline", "o.json", *asked.split(), "--at", "fpr<=0.2", "--allow-in-sample"]
    ran = rocconf("compare", "new.csv", *line, "--require", f"{metric} <= 0.5")
    assert (ran.status, says in ran.err) == (2, True), ran.err


def test_a_net_benefit_has_no_difference_from_a_report_at_another_threshold(rocconf, tmp_path):
    cases = [(f"c{at}", at % 2, round((at * 37 % 100 + 40 * (at % 2)) / 150, 4)) for at in range(100)]
    write(tmp_path, "old.csv", cases)
    write(tmp_path, "new.csv", [(name, label, round(score**3, 6)) for name, label, score in cases])
    point = ["--calibration", "--at", "tpr>=0.8"]
    rocconf("sweep", "old.csv", *point, "-o", "o.json", "-q")
    rule = ["--allow-in-sample", "--require", "delta_net_benefit@tpr>=0.8 >= -0.9"]
    ran = rocconf("compare", "new.csv", "--baseline", "o.json", *point, *rule)
    assert (ran.status, "does not exist for one of the models" in ran.err) == (3, True)
    write(tmp_path, "like.csv", [(name, label, score + 1e-9) for name, label, score in cases[1:]])
    point = ["--calibration", "--at", "threshold=0.5"]
    rocconf("sweep", "old.csv", *point, "-o", "o.json", "-q")
    line = [
        "compare",
        "like.csv",
        "--baseline",
        "o.json",
        *point,
        "--require",
        "delta_net_benefit@threshold=0.5 >= -0.9",
    ]
    assert rocconf(*line).status == 0
