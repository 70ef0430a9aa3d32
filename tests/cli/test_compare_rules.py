"""Rules on `rocconf compare`: on differences from the baseline, at levels and points of their own, and on slices."""

import json

import pytest
from compared import DIS, NAMED, rows_of, write


@pytest.mark.parametrize(
    ("rule", "status"),
    [
        ("delta_auc[B] < 0.05", 0),  # 17 positives show no less
        ("delta_auc[B] < 0", 3),
        ("delta_auc[B] >= -0.01", 3),
        ("delta_auc[B] >= 0.03", 1),
        ("delta_auc >= -0.9", 0),
        ("delta_auc[T] >= -0.2", 3),
        ("delta_specificity[T]@threshold=0.3 >= -0.05", 0),
        ("delta_specificity[B]@threshold=0.3 >= -0.05", 1),
        ("delta_auc.point[B] < -0.28", 0),
        ("delta_average_precision >= -0.9", 0),
        ("auc[F] >= 0.5", 0),
        ("auc >= 0.99", 1),
        ("positives >= 10", 0),
    ],
)
def test_a_release_is_gated_on_differences(rocconf, rule, status):
    ran = rocconf("compare", DIS, *NAMED, "--baseline", "F", "--require", rule, "-q")
    assert ran.status == status, ran.err


def test_two_perfect_models_of_few_cases_decide_nothing(rocconf, tmp_path):
    rows = [(k, int(k < 5), k < 5, 1 - k / 10 + (k < 5)) for k in range(10)]
    write(tmp_path, "perfect.csv", [(k, label, float(a), b) for k, label, a, b in rows], "id,label,a,b")
    named = ("--score", "a", "--score", "b", "--baseline", "a", "--interval", "delong")
    ran = rocconf("compare", "perfect.csv", *named, "--require", "delta_average_precision >= -0.5", "--format", "json")
    (gate,) = json.loads(ran.out)["gates"]
    assert (ran.status, gate["verdict"], gate["value"]) == (3, "inconclusive", 0)
    assert gate["lower"] < -0.5


def test_a_rule_without_a_model_is_about_all_but_the_baseline(rocconf):
    ran = rocconf("compare", DIS, *NAMED, "--baseline", "F", "--require", "delta_auc >= -0.9", "--format", "json")
    assert [gate["model"] for gate in json.loads(ran.out)["gates"]] == ["S", "T", "B"]


def test_a_rule_gives_its_own_level_and_operating_point(rocconf):
    answers = [
        json.loads(
            rocconf("compare", DIS, *NAMED[4:6], *NAMED[:2], "--baseline", "F", *options, "--format", "json").out
        )
        for options in (
            ("--require", "delta_tpr@threshold=0.2 >= -0.9"),
            ("--at", "threshold=0.2"),
        )
    ]
    (gate,), (pair,) = answers[0]["gates"], [p for p in answers[1]["tables"]["pairs"] if p["metric"] == "tpr"]
    assert (gate["value"], gate["lower"]) == (pair["difference"], pair["difference_lower"])


SLICE = """
[[gate]]
command = "compare"
metric = "{metric}"
at = "fpr<=0.05"
op = ">="
value = {limit}
where = {{odd = {odd}}}
"""


@pytest.fixture
def halves(tmp_path):
    """Cases in two halves, and their rows."""
    lines = DIS.read_text(encoding="utf-8").splitlines()
    rows = [(*line.split(","), at % 2) for at, line in enumerate(lines[1:])]
    write(tmp_path, "halves.csv", rows, lines[0] + ",odd")
    return rows_of((tmp_path / "halves.csv").read_text(encoding="utf-8"))


def test_a_slice_is_judged_at_every_models_threshold_of_the_whole(rocconf, tmp_path, halves):
    (tmp_path / "rocconf.toml").write_text(
        "".join(SLICE.format(metric=metric, odd=1, limit=0.01) for metric in ("tpr", "delta_tpr")), encoding="utf-8"
    )
    options = (*NAMED[2:], "--baseline", "F", "--at", "fpr<=0.05", "--allow-in-sample")
    answer = json.loads(rocconf("compare", "halves.csv", *options, "--format", "json").out)
    points = {point["model"]: point["threshold"] for point in answer["tables"]["operating_points"]}
    sick = [row for row in halves if row["odd"] == row["label"] == "1"]
    tpr = {model: sum(float(row[model]) >= points[model] for row in sick) / len(sick) for model in "FTB"}
    found = {(gate["metric"], gate["model"]): gate["value"] for gate in answer["gates"]}
    assert found == pytest.approx(
        {("tpr", "T"): tpr["T"], ("tpr", "B"): tpr["B"]}
        | {("delta_tpr", model): tpr[model] - tpr["F"] for model in "TB"}
    )


def test_the_models_are_named_once_also_where_a_slice_is_judged(rocconf, tmp_path, halves):
    for model in "FB":
        rows = [(row["id"], row["label"], row[model], row["odd"]) for row in halves]
        write(tmp_path, f"{model}.csv", rows, "id,label,score,odd")
    (tmp_path / "rocconf.toml").write_text(SLICE.format(metric="tpr", odd=1, limit=0.01), encoding="utf-8")
    ran = rocconf("compare", "F.csv", "B.csv", "--allow-in-sample")
    assert ran.status == 0, ran.err
    assert ran.err.count("rocconf: models: F, B\n") == 1


@pytest.mark.usefixtures("halves")
def test_a_slice_without_cases_decides_nothing_of_any_model_but_the_baseline(rocconf, tmp_path):
    (tmp_path / "rocconf.toml").write_text(SLICE.format(metric="delta_tpr", odd=7, limit=-0.9), encoding="utf-8")
    ran = rocconf("compare", "halves.csv", *NAMED[2:], "--baseline", "F", "--allow-in-sample", "-q")
    assert ran.status == 3
    assert ran.err.count("no row with odd=7") == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--require", "delta_auc[F] >= 0"), "F is the baseline"),
        (("--all-pairs", "--require", "delta_auc >= 0"), "--all-pairs"),
        (("--require", "delta_tpr@youden >= 0"), "--choose-on FILE"),
        (("--require", "delta_tpr >= 0"), "delta_tpr needs an operating point"),
        (("--require", "delta_aucs >= 0"), "did you mean 'delta_auc'?"),
    ],
)
def test_a_rule_that_cannot_be_judged_is_refused(rocconf, options, said):
    baseline = () if "--all-pairs" in options else ("--baseline", "F")
    ran = rocconf("compare", DIS, *NAMED, *baseline, *options)
    assert ran.status == 2
    assert said in ran.err
