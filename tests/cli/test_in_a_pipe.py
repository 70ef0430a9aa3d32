"""In a pipe standard output has the rows, and standard error the answer in a sentence, the summary and the verdict."""

import csv

import pytest
from conftest import SAMPLE_DATA

FILE = SAMPLE_DATA / "spectf_cv80.csv"
RULE = ("--require", "delta_auc >= -0.5")


@pytest.fixture
def two(tmp_path):
    """A file of two models."""
    rows = [f"{at % 2},{(at * 7 % 83) / 83 + at % 2 / 3:.3f},{(at * 11 % 83) / 83:.3f}" for at in range(80)]
    (tmp_path / "two.csv").write_text("\n".join(["label,new,old", *rows, ""]), encoding="utf-8")
    return ["compare", "two.csv", "--score", "old", "--score", "new", "--baseline", "old"]


@pytest.mark.parametrize("form", ["tsv", "csv", "ndjson"])
def test_a_comparison_has_its_difference_its_test_and_its_conclusion(rocconf, two, form):
    ran = rocconf(*two, "--format", form)
    (pair,) = (line for line in ran.err.splitlines() if " metric=auc " in line)
    assert pair.startswith("model=new baseline=old metric=auc difference=0.")
    assert {"difference_lower", "difference_upper", "p", "test"} <= {word.partition("=")[0] for word in pair.split()}
    assert "rocconf: new ranks better than old: AUC +0." in ran.err
    assert "new ranks" not in ran.out


@pytest.mark.parametrize(
    ("command", "conclusion"),
    [("sweep", "new: AUC 0."), ("sensibility", "new: "), ("chi2-contours", "new does better than chance")],
)
@pytest.mark.usefixtures("two")
def test_every_answer_in_a_pipe_has_its_sentence(rocconf, command, conclusion):
    more = ["--rescale"] if command == "sensibility" else []
    assert f"rocconf: {conclusion}" in rocconf(command, "two.csv", "--score", "new", *more).err
    assert "rocconf: " not in rocconf(command, "two.csv", "--score", "new", *more, "-q").err


@pytest.mark.parametrize("form", ["tsv", "json", "md"])
def test_a_rule_that_passes_is_said_to(rocconf, two, form):
    ran = rocconf(*two, *RULE, "--format", form)
    assert ran.status == 0
    *_, gate, verdict = ran.err.splitlines()
    assert gate.startswith("rocconf: gate passed: delta_auc >= -0.5: new less old: delta_auc is 0.")
    assert verdict == "rocconf: verdict: passed (status 0): the evidence meets every rule"
    assert rocconf(*two, *RULE, "--format", form, "-q").err == ""


def test_a_rule_that_only_warns_is_not_said_to_be_met(rocconf, two, tmp_path):
    (tmp_path / "rocconf.toml").write_text(
        '[[gate]]\ncommand = "compare"\nmetric = "auc"\nop = ">="\nvalue = 0.999\nseverity = "warn"\n', encoding="utf-8"
    )
    ran = rocconf(*two, *RULE)
    assert ran.status == 0
    assert ran.err.endswith("verdict: passed (status 0): the evidence meets every rule but those that only warn\n")


def test_the_rows_are_the_same_with_and_without_a_verdict(rocconf, two):
    assert rocconf(*two).out == rocconf(*two, *RULE).out
    assert [row["model"] for row in csv.DictReader(rocconf(*two).out.splitlines(), delimiter="\t")] == ["old", "new"]
