"""A saved report has the verdicts of the run that wrote it."""

import json

import pytest
from conftest import REFERENCE, SAMPLE_DATA

DIS, FLU, SAME = (SAMPLE_DATA / name for name in ("dis.csv", "flu.csv", "flu_same.csv"))
NAMED = ("--score", "S", "--score", "T", "--score", "F", "--score", "B")
AT_A_POINT = (
    *("tp", "fp", "fn", "tn", "threshold", "diff", "tpr", "fpr", "specificity", "precision", "npv", "accuracy"),
    *("balanced_accuracy", "f1", "mcc", "youden_j", "lift", "predicted_positive_rate"),
)
EVERYWHERE = ("n >= 100", "positives == 13", "prevalence <= 0.02", "auc >= 0.6", "auc > 0.9", "auc.point >= 0.7")
AREAS = ("average_precision >= 0.1", "partial_auc >= 0.01", "partial_auc_standardized.point >= 0.5")
SEGMENT = ("cauc >= 0.001", "cauc_roc.point >= 0.0001", "aved_abs <= 0.5", "aved <= 0", "confident_points >= 1")
DELTAS = ("delta_auc >= -0.5", "delta_auc[B] >= 0.5", "delta_partial_auc >= -0.19", "delta_cauc >= -0.9")
RUNS = {
    "sweep": (
        (
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
            "--at",
            "threshold=9",
        ),
        (*EVERYWHERE, *AREAS, "thresholds >= 3", "tpr@tpr>=0.9 >= 0.5"),
    ),
    "tango": (
        ("tango", DIS, *NAMED, "--margin", "0.1"),
        (*EVERYWHERE, *SEGMENT, "equivalent_points >= 1", "threshold_low < 1"),
    ),
    "chi2-contours": (
        ("chi2-contours", DIS, "--score", "B", "--at", "threshold = 0.20", "--permutations", "99"),
        (*EVERYWHERE, "max_chi2_p <= 0.05", "max_chi2_threshold >= 0", "null_point <= 0.5"),
    ),
    "sensibility": (
        ("sensibility", SAME, "--reference", FLU, "--permutations", "99", "--bootstrap", "50"),
        (
            "auc >= 0.6",
            "drift_p > 0.02",
            "drift_within_p > 0.5",
            "struggle_ratio <= 0.5",
            "midpoint >= 0.1",
            "sensible >= 1",
        ),
    ),
    "compare": (
        (
            "compare",
            DIS,
            *NAMED,
            *("--baseline", "S", "--max-fpr", "0.2", "--at", "youden", "--at", "threshold=0.2", "--bootstrap", "50"),
        ),
        (*EVERYWHERE, *AREAS, *SEGMENT, *DELTAS, "delta_tpr@youden >= -0.5", "delta_accuracy@threshold=0.2 >= -0.001"),
    ),
}

SOME = [pytest.param(name, marks=[] if name in ("sweep", "compare") else pytest.mark.thorough) for name in RUNS]


def required(rules):
    return [part for rule in rules for part in ("--require", rule)]


def rules_of(command):
    """Give the rules of a command, and one of every number at a point that is given and at one that is chosen."""
    points = [f"{metric}@{at} >= 0.3" for metric in AT_A_POINT for at in ("threshold=0.2", "youden")]
    return [*RUNS[command][1], *points]


@pytest.fixture(params=SOME)
def judged(request, rocconf):
    """A run with all its rules."""
    rules = rules_of(request.param)
    ran = rocconf(*RUNS[request.param][0], *required(rules), "--allow-in-sample", "-o", "report.json", "-q")
    assert ran.status in (1, 3), ran.err
    return ran, rules


def test_a_report_with_open_limits_says_the_same_again(rocconf, tmp_path):
    cases = ["label,a,b", *(f"{int(case == 0)},{case % 3},{case % 5}" for case in range(12))]
    (tmp_path / "one_positive.csv").write_text("\n".join(cases), encoding="utf-8")
    rules = required(["delta_cauc >= -0.5", "delta_cauc.point >= -0.9", "delta_auc >= -0.99"])
    # 30 replicates have no limit at 95%
    named = ("--score", "a", "--score", "b", "--baseline", "a", "--interval", "delong")
    run = ("compare", "one_positive.csv", *named, "--bootstrap", "30", "-q", "-o", "report.json")
    for carried, asked in ((rules, ()), ((), rules)):
        ran = rocconf(*run, *carried)
        pairs = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["tables"]["pairs"]
        assert [pair["difference_lower"] for pair in pairs if pair["metric"] == "cauc"] == [None]
        again = rocconf("gate", "report.json", *asked, "--format", "json")
        assert again.status == 3, again.err
        assert ran.status == (3 if carried else 0)
        assert [gate["verdict"] for gate in json.loads(again.out)["gates"]] == ["inconclusive", "pass", "pass"]


def test_the_same_rules_say_the_same_again(rocconf, tmp_path, judged):
    ran, rules = judged
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    for asked in ([], required(rules)):
        again = rocconf("gate", "report.json", *asked, "--allow-in-sample", "--format", "json")
        answer = json.loads(again.out)
        assert [gate["verdict"] for gate in answer["gates"]] == [gate["verdict"] for gate in report["gates"]]
        assert sorted(map(str, answer["gates"])) == sorted(map(str, report["gates"]))
        assert (again.status, answer["verdict"], answer["exit_code"]) == (ran.status, report["verdict"], ran.status)


@pytest.mark.parametrize("command", SOME)
def test_rules_that_come_later_say_what_a_run_with_them_would(rocconf, tmp_path, command):
    arguments = [*RUNS[command][0]]
    if "--bootstrap" in arguments or command == "tango":
        arguments += ["--bootstrap", "2000"]  # as many as a rule has drawn
    rocconf(*arguments, "-o", "report.json", "-q")
    tables = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["tables"]
    held = [point["rule"].replace(" ", "") for point in tables.get("operating_points", [])]
    rules = [rule for rule in rules_of(command) if "@" not in rule or is_at(rule, held)]
    later = rocconf("gate", "report.json", *required(rules), "--allow-in-sample", "--format", "json")
    run = rocconf(*arguments, *required(rules), "--allow-in-sample", "--format", "json")
    assert later.status == run.status, later.err
    assert [told(gate) for gate in json.loads(later.out)["gates"]] == [
        told(gate) for gate in json.loads(run.out)["gates"]
    ]


def is_at(rule, held):
    return any(f"@{at} " in rule for at in held)


def told(gate):
    """Return the verdict without the interval where the rule judges the value alone: a report need not have it."""
    aside = ("lower", "upper") if gate["metric"].endswith(".point") else ()
    return {key: value for key, value in gate.items() if key not in aside}


@pytest.mark.parametrize("command", ["sweep", "compare"])
def test_a_report_of_another_version_is_to_be_written_again(rocconf, command):
    path = REFERENCE / "schema1" / f"{command}.json"
    for run in (("gate", path), ("compare", SAMPLE_DATA / "flu_population.csv", "--baseline", path)):
        ran = rocconf(*run, "--isolated")
        assert (ran.status, ran.out) == (2, "")
        assert f"written by another version: run rocconf {command} again" in ran.err
