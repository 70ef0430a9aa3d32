"""`rocconf sensibility --unlabelled`: what it reads, says and refuses."""

import csv
import json

import pytest
from conftest import SAMPLE_DATA

FLU, OTHER = SAMPLE_DATA / "flu.csv", SAMPLE_DATA / "flu_population.csv"
FEW = ("--permutations", "99")


@pytest.fixture
def month(tmp_path):
    """The patients of another population, without their labels."""
    with OTHER.open(encoding="utf-8", newline="") as stream:
        rows = [(row["id"], row["score"]) for row in csv.DictReader(stream)]
    lines = [",".join(row) for row in (("id", "score"), *rows)]
    (tmp_path / "month.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return "month.csv"


@pytest.fixture
def run(rocconf, month):
    """Compare the month, or another file, with the reference."""
    return lambda *more, file=month, reference=FLU: rocconf(
        "sensibility", file, "--unlabelled", "--reference", reference, *FEW, *more
    )


def test_the_answer_says_first_that_only_the_scores_were_seen(run):
    ran = run("--format", "table")
    lines = ran.out.splitlines()
    assert ran.status == 0, ran.err
    first = " ".join(line.strip() for line in lines[: lines.index("")])
    assert first.startswith("score: the scores have moved since the reference (KS 0.272, p 0.01; PSI 0.528, p 0.01)")
    assert first.endswith("only the scores were seen, no labels: a change of the classes' ranking cannot show")
    assert len(lines) <= 23


def test_labels_do_not_count(run):
    """Also those that no other command would take."""
    without, beside = run("--format", "csv"), run("--format", "csv", file=OTHER)
    assert without.out == beside.out


def test_labels_may_be_empty(run, tmp_path, month):
    lines = (tmp_path / month).read_text(encoding="utf-8").splitlines()
    text = "\n".join(f"{line},{'' if at else 'label'}" for at, line in enumerate(lines)) + "\n"
    (tmp_path / "open.csv").write_text(text, encoding="utf-8")
    assert run("--format", "csv", file="open.csv").out == run("--format", "csv").out


def test_labels_are_no_scores(run, tmp_path):
    """Also where they look like the only ones that may be."""
    (tmp_path / "soft.csv").write_text("y_true,size\n0.2,3\n0.9,4\n", encoding="utf-8")
    ran = run(file="soft.csv")
    assert (ran.status, ran.out) == (2, "")
    assert "which column is the score" in ran.err


def test_every_form_has_the_same_numbers(run, tmp_path):
    ran = run("--format", "json", "-o", "all.json", "-o", "rows.csv", "-o", "models:m.csv", "-o", "a.md")
    report = json.loads(ran.out)
    assert report["schema"] == "rocconf/unlabelled/3"
    assert json.loads((tmp_path / "all.json").read_text("utf-8")) == report
    assert [list(each) for each in report["inputs"]] == [
        ["role", "name", "sha256", "n", "dropped", "rescaled", "guessed"]
    ] * 2
    rows = list(csv.DictReader((tmp_path / "rows.csv").read_text("utf-8").splitlines()))
    assert [(row["statistic"], float(row["value"]), float(row["p"])) for row in rows] == [
        (row["statistic"], row["value"], row["p"]) for row in report["rows"]
    ]
    summary = report["summary"]
    assert {key: summary[key] for key in ("n", "n_reference", "psi_cells")} == {
        "n": 1000,
        "n_reference": 1000,
        "psi_cells": 10,
    }
    assert [summary["ks"], summary["psi"]] == [row["value"] for row in report["rows"]]
    assert "only the scores were seen" in (tmp_path / "a.md").read_text("utf-8")


def test_counts_files_are_taken(run, tmp_path):
    for name, file in {"new": OTHER, "old": FLU}.items():
        with file.open(encoding="utf-8", newline="") as stream:
            rows = [f"{row['score']},{row['label']},{1 - int(row['label'])}" for row in csv.DictReader(stream)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["score,positives,negatives", *rows]) + "\n", encoding="utf-8")
    counted = json.loads(run("--format", "json", file="new.csv", reference="old.csv").out)["rows"]
    cases = json.loads(run("--format", "json").out)["rows"]
    assert [row["value"] for row in counted] == pytest.approx([row["value"] for row in cases])


def test_a_saved_report_is_no_evidence(run, rocconf):
    run("-o", "all.json", "-q")
    for arguments in (
        ("gate", "all.json", "--require", "auc >= 0.5"),
        ("gate", "all.json"),
        ("sensibility", FLU, "--baseline", "all.json"),
        ("compare", FLU, "--baseline", "all.json"),
    ):
        ran = rocconf(*arguments)
        assert (ran.status, ran.out) == (2, ""), arguments


@pytest.mark.thorough
def test_the_scores_are_drawn(run, tmp_path):
    assert run("--plot", "a.png", "-q").status == 0
    assert run("--plot", "distributions:b.png", "-q").status == 0
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_the_figure_is_one_of_cases_without_labels(rocconf):
    ran = rocconf("sensibility", OTHER, "--reference", FLU, "--plot", "distributions:a.png")
    assert (ran.status, ran.out) == (2, "")
    assert "which is one of sensibility --unlabelled --reference FILE (figures of sensibility: sens" in ran.err


REFUSED = {
    ("--midpoint", "fixed"): "--midpoint",
    ("--time", "day"): "--time",
    ("--every", "day"): "--every",
    ("--thresholds", "0.5"): "--thresholds",
    ("--rescale",): "--rescale",
    ("--bootstrap", "0"): "--bootstrap",
    ("--interval", "delong"): "--interval",
    ("--label", "label"): "--label",
    ("--positive", "1"): "--positive",
    ("--rest",): "--rest",
    ("--lower-is-positive",): "--lower-is-positive",
    ("--model", "id"): "--model",
    ("--plot", "drift:a.png"): "figures of unlabelled: distributions",
    ("-o", "drift:a.csv"): "drift",
    ("--permutations", "0"): "permutations",
    ("--require", "drift_p >= 0.01"): "no verdict may rest on it",
    ("--require", "auc >= 0.5", "--exit-zero"): "no verdict may rest on it",
}


@pytest.mark.parametrize("more", REFUSED, ids=" ".join)
def test_what_has_no_meaning_is_refused(run, more):
    ran = run(*more)
    assert (ran.status, ran.out) == (2, "")
    assert REFUSED[more] in ran.err


def test_rules_of_the_configuration_are_refused(run, tmp_path):
    rule = '[[gate]]\ncommand = "sensibility"\nmetric = "auc"\nop = ">="\nvalue = 0.5\n'
    (tmp_path / "rocconf.toml").write_text(rule, encoding="utf-8")
    ran = run()
    assert (ran.status, ran.out) == (2, "")
    assert "no verdict may rest on it" in ran.err
    assert run("--isolated").status == 0


def test_labels_of_the_configuration_are_passed_over(run, tmp_path):
    (tmp_path / "rocconf.toml").write_text('[data]\nlabel = "sick"\npositive = "yes"\n', encoding="utf-8")
    assert run("-q").status == 0


def test_it_needs_a_reference_and_one_file(rocconf, month):
    assert "--unlabelled needs --reference FILE" in rocconf("sensibility", month, "--unlabelled").err
    ran = rocconf("sensibility", month, FLU, "--unlabelled", "--reference", OTHER)
    assert (ran.status, "--unlabelled takes one file, not 2" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("score\n0.5\nnone\n", "line 3"),
        ("score\n", "no rows"),
        ("other\n3\n4\n", "which column is the score"),
        ("id,score\n1,0.5\n1,0.7\n", "line 3"),
        ("score\n0.5\n\n", ""),
    ],
)
def test_faults_are_named(run, tmp_path, text, said):
    (tmp_path / "bad.csv").write_text(text, encoding="utf-8")
    ran = run(file="bad.csv")
    assert (ran.status == 2) == bool(said), ran.err
    assert said in ran.err


def test_rows_without_a_score_are_dropped_and_counted(run, tmp_path):
    (tmp_path / "gaps.csv").write_text("score\n0.5\nNA\n0.25\n", encoding="utf-8")
    assert run(file="gaps.csv").status == 2
    report = json.loads(run("--na", "drop", "--format", "json", file="gaps.csv").out)
    assert [(each["n"], each["dropped"]) for each in report["inputs"]] == [(2, 1), (1000, 0)]


def test_the_reference_needs_the_column_of_the_month(run, tmp_path, month):
    text = (tmp_path / month).read_text(encoding="utf-8").replace("score", "p_new", 1)
    (tmp_path / "renamed.csv").write_text(text, encoding="utf-8")
    ran = run(file="renamed.csv")
    assert (ran.status, "p_new" in ran.err) == (2, True)
