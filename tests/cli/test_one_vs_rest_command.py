"""`--one-vs-rest` of sweep and compare."""

import json
import shlex
import shutil

import pytest
from conftest import SAMPLE_DATA

WINE = ("wine.csv", "--label", "cultivar", "--one-vs-rest")
BAYES = ("sweep", *WINE, "--score", "bayes")
BOTH = ("compare", *WINE, "--baseline", "tree")


@pytest.fixture
def wine(tmp_path):
    """The wines, in one file, and a file for each model."""
    shutil.copy(SAMPLE_DATA / "wine.csv", tmp_path)
    rows = [line.split(",") for line in (tmp_path / "wine.csv").read_text(encoding="utf-8").splitlines()]
    for name, columns in {"tree": (0, 1, 2, 3, 4), "bayes": (0, 1, 5, 6, 7)}.items():
        lines = [",".join(row[at] for at in columns) for row in rows]
        lines = lines if name == "tree" else [lines[0], *reversed(lines[1:])]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def report_of(ran):
    assert ran.status in (0, 1, 3), ran.err
    return json.loads(ran.out)


@pytest.mark.usefixtures("wine")
def test_sweep_has_a_row_for_each_class_and_each_average(rocconf):
    ran = rocconf(*BAYES, "--format", "csv")
    header, *rows = [line.split(",") for line in ran.out.splitlines()]
    assert header[:8] == ["model", "scores", "class", "metric", "value", "lower", "upper", "se"]
    assert [row[:4] for row in rows] == [
        *(["class_0", "bayes", "class_0", "auc"], ["class_1", "bayes", "class_1", "auc"]),
        *(["class_2", "bayes", "class_2", "auc"], ["bayes", "bayes", "", "macro_auc"]),
        *(["bayes", "bayes", "", "weighted_auc"], ["bayes", "bayes", "", "hand_till"]),
        ["bayes", "bayes", "", "hand_till_weighted"],
    ]


@pytest.mark.usefixtures("wine")
def test_a_class_against_the_rest_is_that_class_with_rest(rocconf):
    report = report_of(rocconf(*BAYES, "--format", "json"))
    alone = ("--positive", "class_1", "--rest", "--score", "bayes_class_1")
    summary = report_of(rocconf("sweep", *WINE[:3], *alone, "--format", "json"))["summary"]
    of_class = report["tables"]["models"][1]
    assert {key: of_class[key] for key in summary if key in of_class and key != "model"} == {
        key: value for key, value in summary.items() if key in of_class and key != "model"
    }
    assert report["schema"] == "rocconf/one-vs-rest/3"


@pytest.mark.usefixtures("wine")
def test_compare_has_the_same_answer_from_one_file_and_from_two(rocconf):
    one = report_of(rocconf(*BOTH, "--format", "json"))
    two = report_of(
        rocconf(
            "compare", "bayes.csv", "--label", "cultivar", "--one-vs-rest", "--baseline", "tree.csv", "--format", "json"
        )
    )
    for first, second in zip(one["tables"]["pairs"], two["tables"]["pairs"], strict=True):
        for key, value in first.items():
            assert second[key] == (pytest.approx(value, abs=1e-12) if isinstance(value, float) else value), key
    assert [(row["model"], row["metric"]) for row in one["tables"]["pairs"]] == [
        *((f"bayes:class_{at}", "auc") for at in range(3)),
        *(("bayes", name) for name in ("macro_auc", "weighted_auc", "hand_till", "hand_till_weighted")),
    ]
    assert [each["role"] for each in two["inputs"]] == ["data", "baseline"]


RULES = {
    "macro_auc >= 0.85": 0,
    "hand_till >= 0.99": 1,
    "weighted_auc >= 0.915": 3,
    "auc >= 0.75": 0,
    "auc >= 0.85": 3,
    "auc[class_0] >= 0.85": 0,
    "auc[class_2] >= 0.95": 1,
    "hand_till_weighted.point >= 0.9": 0,
    "positives >= 48": 0,
}


@pytest.mark.usefixtures("wine")
@pytest.mark.parametrize(("rule", "status"), RULES.items(), ids=RULES)
def test_a_rule_has_the_same_verdict_on_the_run_and_on_its_report(rocconf, rule, status):
    assert rocconf(*BAYES, "--require", rule, "-o", "a.json", "-q").status == status
    for again in (("gate", "a.json"), ("gate", "a.json", "--require", rule)):
        assert rocconf(*again, "-q").status == status
    rocconf(*BAYES, "-o", "plain.json", "-q")
    assert rocconf("gate", "plain.json", "--require", rule, "-q").status == status


@pytest.mark.usefixtures("wine")
@pytest.mark.parametrize(
    ("rule", "status"),
    [
        ("delta_macro_auc >= -0.01", 0),
        ("delta_auc >= -0.02", 0),
        ("delta_auc >= 0", 3),
        ("delta_auc[bayes:class_1] >= 0.01", 0),
        ("delta_hand_till >= 0.2", 1),
    ],
)
def test_a_rule_on_a_difference_has_the_same_verdict_on_the_run_and_on_its_report(rocconf, rule, status):
    assert rocconf(*BOTH, "--require", rule, "-o", "a.json", "-q").status == status
    assert rocconf("gate", "a.json", "--require", rule, "-q").status == status


@pytest.mark.usefixtures("wine")
def test_the_rules_of_a_configuration_are_those_of_the_command_and_of_several_classes(rocconf, tmp_path):
    gate = '[[gate]]\ncommand = "{}"\nmetric = "{}"\nop = ">="\nvalue = {}\n'
    rules = gate.format("one-vs-rest", "macro_auc", 0.8) + gate.format("sweep", "auc", 0.75)
    rules += gate.format("compare", "auc", 0.99)
    (tmp_path / "rocconf.toml").write_text(rules, encoding="utf-8")
    report = report_of(rocconf(*BAYES, "--format", "json", "-o", "a.json", "-q"))
    assert [(each["model"], each["metric"]) for each in report["gates"]] == [
        ("bayes", "macro_auc"),
        *((f"class_{at}", "auc") for at in range(3)),
    ]
    assert rocconf("gate", "a.json", "-q").status == 0
    assert rocconf(*BOTH, "-q").status == 1
    checked = rocconf("check")
    assert (checked.status, "one-vs-rest: 1 rule" in checked.out) == (0, True)


@pytest.mark.usefixtures("wine")
def test_a_rule_of_two_classes_that_cannot_be_judged_ends_the_run(rocconf, tmp_path):
    rule = '[[gate]]\ncommand = "sweep"\nmetric = "tpr@threshold=0.5"\nop = ">="\nvalue = 0.5\n'
    (tmp_path / "rocconf.toml").write_text(rule, encoding="utf-8")
    ran = rocconf(*BAYES)
    assert (ran.status, "one-vs-rest has no operating points" in ran.err) == (2, True)


@pytest.mark.parametrize("rule", ["macro_auc >= 0.01", "auc >= 0.01", "hand_till >= 0.01"])
def test_a_class_without_cases_leaves_a_rule_open(rocconf, tmp_path, rule):
    text = "label,p_cat,p_dog,p_bird\n" + "".join(
        f"{name},.{at + shift},.{9 - at},.3\n" for at in range(8) for name, shift in (("cat", 1), ("dog", 0))
    )
    (tmp_path / "pets.csv").write_text(text, encoding="utf-8")
    ran = rocconf("sweep", "pets.csv", "--one-vs-rest", "--require", rule, "-o", "a.json")
    assert (ran.status, "class bird has a column of scores and no case" in ran.err) == (3, True)
    assert rocconf("gate", "a.json", "-q").status == 3
    assert rocconf("gate", "a.json", "--require", rule, "-q").status == 3
    two = ("--class", "cat=p_cat", "--class", "dog=p_dog")
    assert rocconf("sweep", "pets.csv", "--one-vs-rest", *two, "--require", rule, "-q").status == 0


@pytest.mark.usefixtures("wine")
def test_a_rule_on_a_slice_that_lacks_a_class_stays_open(rocconf, tmp_path):
    rule = '[[gate]]\ncommand = "one-vs-rest"\nmetric = "macro_auc"\nop = ">="\nvalue = 0.1\nwhere = ["id<100"]\n'
    (tmp_path / "rocconf.toml").write_text(rule, encoding="utf-8")
    ran = rocconf(*BAYES, "-o", "a.json", "-q")
    assert (ran.status, "a class has no cases" in ran.err) == (3, True)
    (tmp_path / "rocconf.toml").unlink()
    assert rocconf("gate", "a.json", "-q").status == 3


@pytest.mark.usefixtures("wine")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("sweep wine.csv --label cultivar --one-vs-rest", "--score tree"),
        ("sweep wine.csv --one-vs-rest --score bayes", "--label cultivar"),
        ("sweep wine.csv --label cultivar --one-vs-rest --score bayes --positive class_0", "--positive is about two"),
        ("sweep wine.csv --label cultivar --one-vs-rest --score bayes --at youden", "--at is about two classes"),
        ("sweep tree.csv bayes.csv --label cultivar --one-vs-rest", "takes one file, not 2"),
        ("sweep tree.csv --label cultivar --class class_0=tree_class_0 --score tree_class_0", "add it"),
        ("sweep tree.csv --label cultivar --one-vs-rest --class class_0", "takes NAME=COLUMN"),
        ("sweep tree.csv --label cultivar --one-vs-rest --require 'delta_auc >= 0'", "compare --one-vs-rest"),
        ("sweep tree.csv --label cultivar --one-vs-rest -o pairs:a.csv", "pairs"),
        ("compare tree.csv --label cultivar --one-vs-rest", "needs two models"),
        ("compare wine.csv --label cultivar --one-vs-rest --require 'delta_auc >= 0'", "--baseline tree"),
        ("compare wine.csv --label cultivar --one-vs-rest --unpaired", "--unpaired is about two classes"),
        ("compare wine.csv --label cultivar --one-vs-rest --baseline old", "no model 'old'"),
        (
            "sweep wine.csv --label cultivar --score bayes_class_0 --positive class_0 --require 'macro_auc >= 0.5'",
            "several",
        ),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_refused_with_what_can(rocconf, line, said):
    ran = rocconf(*shlex.split(line))
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.usefixtures("wine")
def test_labels_that_differ_between_the_files_are_told(rocconf, tmp_path):
    path = tmp_path / "tree.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("\n1,class_0", "\n1,class_2"), encoding="utf-8")
    ran = rocconf("compare", "bayes.csv", "tree.csv", "--label", "cultivar", "--one-vs-rest")
    assert (ran.status, "id '1' is class_0 in bayes.csv and class_2 in tree.csv" in ran.err) == (2, True)
    path.write_text(path.read_text(encoding="utf-8").replace("class_2,", "other,"), encoding="utf-8")
    ran = rocconf("compare", "bayes.csv", "tree.csv", "--label", "cultivar", "--one-vs-rest")
    assert ran.status == 2


@pytest.mark.usefixtures("wine")
def test_rows_that_one_file_drops_are_left_out_of_both(rocconf, tmp_path):
    path = tmp_path / "tree.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([lines[0], lines[1].rpartition(",")[0] + ",", *lines[2:]]) + "\n", encoding="utf-8")
    ran = rocconf(
        *(
            "compare",
            "bayes.csv",
            "tree.csv",
            "--label",
            "cultivar",
            "--one-vs-rest",
            "--na",
            "drop",
            "--format",
            "json",
        )
    )
    report = report_of(ran)
    assert [(each["n"], each["dropped"]) for each in report["inputs"]] == [(177, 1), (177, 1)]
    assert rocconf("compare", "bayes.csv", "tree.csv", "--label", "cultivar", "--one-vs-rest", "--by-row").status == 2


def test_standard_input_has_classes_too(rocconf):
    text = (SAMPLE_DATA / "wine.csv").read_text(encoding="utf-8")
    ran = rocconf("sweep", "-", *BAYES[2:], "--format", "csv", stdin=text)
    assert (ran.status, len(ran.out.splitlines())) == (0, 8)


@pytest.mark.usefixtures("wine")
def test_the_answer_fits_a_screen(rocconf):
    for line in (BAYES, BOTH):
        ran = rocconf(*line, "--format", "table", "--require", "macro_auc >= 0.8")
        lines = ran.out.splitlines()
        assert len(lines) <= 23
        assert max(map(len, lines)) <= 80
    assert "bayes ranks better than tree: macro AUC +0.079 [" in ran.out


@pytest.mark.thorough
@pytest.mark.usefixtures("wine")
@pytest.mark.parametrize("kind", ["roc", "forest"])
@pytest.mark.parametrize("line", [BAYES, BOTH], ids=["one model", "two models"])
def test_the_figures_name_every_class_with_its_interval(rocconf, tmp_path, line, kind):
    assert rocconf(*line, "--plot", f"{kind}:a.svg", "-q").status == 0
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    report = report_of(rocconf(*line, "--format", "json"))
    shown = report["rows"][:3] if line is BAYES or kind == "roc" else []
    for row in shown:
        assert f"{row['value']:.3f} [{row['lower']:.3f}, {row['upper']:.3f}]" in drawn
    if line is BOTH and kind == "forest":
        assert "+0.079 [+0.024, +0.139]" in drawn
    assert "class_2" in drawn
