"""`--by` and `--fold` on the command line: slices are those of `--where`, rules read their column, and the rest is refused in words."""

import json

import pytest
from conftest import SAMPLE_DATA

FILE = SAMPLE_DATA / "readmission.csv"
ONE, BOTH = ("--score", "new"), ("--score", "old", "--score", "new", "--baseline", "old")


def report(rocconf, *line):
    ran = rocconf(*line, "--format", "json", "--isolated", "-q")
    assert ran.status in (0, 1, 3), ran.err
    return json.loads(ran.out)


@pytest.mark.parametrize("value", ["south", "islands", ""])
def test_a_slice_has_every_digit_of_where(rocconf, value):
    options = ("--at", "0.4", "--cost", "1:20", "--max-fpr", "0.2")
    whole = report(rocconf, "sweep", FILE, *ONE, "--by", "region", *options)
    alone = report(rocconf, "sweep", FILE, *ONE, "--where", f"region={value}", *options)
    (row,) = (row for row in whole["tables"]["slices"] if row["slice"] == value)
    assert {key: row[key] for key in alone["summary"]} == alone["summary"]
    (point,) = (row for row in whole["tables"]["slice_points"] if (row["slice"], row["rule"]) == (value, "0.4"))
    expected = alone["tables"]["operating_points"][0]
    assert {key: point[key] for key in expected if key in point} == {
        key: expected[key] for key in expected if key in point
    }
    assert {"tpr", "fpr", "cost", "tp"} <= expected.keys() & point.keys()


def test_a_pair_in_a_slice_has_every_digit_of_where(rocconf):
    whole = report(rocconf, "compare", FILE, *BOTH, "--by", "region", "--at", "0.4")
    alone = report(rocconf, "compare", FILE, *BOTH, "--where", "region=south", "--at", "0.4")
    found = [row for row in whole["tables"]["slice_pairs"] if row["slice"] == "south"]
    for row, expected in zip(found, alone["tables"]["pairs"], strict=True):
        assert {key: row[key] for key in expected if key != "p_adjusted"} == {
            key: expected[key] for key in expected if key != "p_adjusted"
        }


def test_a_rule_reads_its_column(rocconf, tmp_path):
    found = report(rocconf, "sweep", FILE, *ONE, "--require", "auc by region >= 0.6")
    assert found["options"]["by"] == ["region"]
    assert {gate["slice"]: gate["verdict"] for gate in found["gates"]}["islands"] == "inconclusive"
    assert (found["verdict"], found["exit_code"]) == ("inconclusive", 3)
    (tmp_path / "rocconf.toml").write_text(
        '[data]\nscore = "new"\n[[gate]]\ncommand = "sweep"\nmetric = "auc"\nby = "region"\nop = ">="\nvalue = 0.85\n'
    )
    ran = rocconf("sweep", FILE, "-o", "a.junit.xml", "-o", "a.json", "-q")
    assert ran.status == 1
    assert "auc by region &gt;= 0.85 (region=south)" in (tmp_path / "a.junit.xml").read_text()
    assert rocconf("gate", "a.json", "--isolated", "-q").status == 1
    assert rocconf("check").status == 0


def test_the_worst_slice_decides_live_and_from_a_report(rocconf):
    rule = ("--require", "delta_auc by region >= -0.05")
    assert rocconf("compare", FILE, *BOTH, *rule, "-o", "a.json", "-q", "--isolated").status == 3
    assert rocconf("gate", "a.json", "-q", "--isolated").status == 3
    assert rocconf("gate", "a.json", "--require", "delta_auc by fold >= -0.05", "-q", "--isolated").status == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("sweep", FILE, *ONE, "--by", "regoin"), "did you mean 'region'?"),
        (("sweep", FILE, *ONE, "--by", "id"), "'id' has more than 500 values"),
        (("sweep", FILE, *ONE, "--by", "new"), "cannot be groups of cases"),
        (("sweep", FILE, *ONE, "--by", "region", "--rescale"), "--by cannot be combined with --rescale"),
        (("sweep", FILE, *ONE, "--min-cases", "5"), "name their column with --by"),
        (("sweep", FILE, *ONE, "-o", "slices:a.csv"), "-o slices:a.csv needs --by"),
        (("sweep", FILE, *ONE, "--plot", "slices:a.png"), "--plot slices:a.png needs --by"),
        (("tango", FILE, *ONE, "--require", "auc by region >= 0.8"), "tango has no slices"),
        (("sweep", FILE, *ONE, "--require", "tpr@youden by region >= 0.5"), "--allow-in-sample"),
        (
            (
                "sweep",
                FILE,
                *ONE,
                "--at",
                "fpr<=0.1",
                "--assurance",
                "0.99",
                "--require",
                "fpr@fpr<=0.1 by region <= 0.1",
            ),
            "--choose-on",
        ),
        (("sweep", FILE, "--one-vs-rest", "--fold", "fold"), "--fold"),
        (("sweep", FILE, *ONE, "--by", "region", "--model", "fold"), "a file with one row for each case"),
    ],
)
def test_what_slices_cannot_be_is_refused(rocconf, line, said):
    ran = rocconf(*line, "--isolated")
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_a_file_of_counts_has_no_slices(rocconf, tmp_path):
    (tmp_path / "counts.csv").write_text("score,positives,negatives\n0.9,20,3\n0.1,4,30\n")
    ran = rocconf("sweep", "counts.csv", "--by", "region", "--isolated")
    assert (ran.status, ran.out) == (2, "")
    assert "these counts are not divided by 'region' (columns: score, positives, negatives)" in ran.err


def test_a_report_as_the_baseline_has_no_slices(rocconf):
    rocconf("sweep", FILE, "--score", "old", "-o", "old.json", "-q", "--isolated")
    ran = rocconf(
        "compare", FILE, *ONE, "--baseline", "old.json", "--require", "delta_auc by region >= -0.9", "--isolated"
    )
    assert (ran.status, ran.out) == (2, "")
    assert "--by cannot be combined with --baseline old.json" in ran.err


def test_the_slices_of_several_files_must_agree(rocconf, tmp_path):
    (tmp_path / "a.csv").write_text("id,label,a,where\n1,1,0.9,x\n2,0,0.1,y\n")
    (tmp_path / "b.csv").write_text("id,label,b,where\n1,1,0.8,x\n2,0,0.2,x\n")
    ran = rocconf("compare", "a.csv", "b.csv", "--by", "where", "--isolated")
    assert (ran.status, ran.out) == (2, "")
    assert "id '2' has where 'y' in a.csv and 'x' in b.csv" in ran.err


def test_a_fold_has_every_digit_of_where(rocconf):
    whole = report(rocconf, "sweep", FILE, *ONE, "--fold", "fold")
    rows = whole["tables"]["folds"]
    assert [row["fold"] for row in rows] == list("12345")
    alone = report(rocconf, "sweep", FILE, *ONE, "--where", "fold=3")["summary"]
    assert {key: rows[2][key] for key in rows[2] if key in alone} == {
        key: alone[key] for key in rows[2] if key in alone
    }
    assert whole["options"]["fold"] == "fold"
    assert whole["summary"]["cv_auc"] == pytest.approx(sum(row["auc"] for row in rows) / 5, abs=1e-15)
    plain = report(rocconf, "sweep", FILE, *ONE)
    assert (plain["tables"]["folds"], plain["options"]["fold"]) == ([], None)
    assert "cv_auc" not in plain["summary"]


def test_the_mean_of_the_folds_is_told_and_judged(rocconf, tmp_path):
    line = ("sweep", FILE, *ONE, "--fold", "fold", "--isolated")
    ran = rocconf(*line, "-o", "folds:folds.csv")
    assert ran.status == 0
    assert "new: mean AUC of 5 folds (fold) 0.879 [0.860, 0.895] (robust, 95%), from 0.858 to 0.896" in ran.err
    assert len((tmp_path / "folds.csv").read_text().splitlines()) == 6
    classical = rocconf(*line, "--interval", "delong", "-q", "--require", "cv_auc >= 0.861")
    assert (classical.status, rocconf(*line, "-q", "--require", "cv_auc >= 0.861").status) == (0, 3)
    assert "[0.862, 0.896] (LeDell, 95%)" in rocconf(*line, "--interval", "delong").err
    refused = rocconf("sweep", FILE, *ONE, "--require", "cv_auc >= 0.5")
    assert (refused.status, "cv_auc needs --fold COLUMN" in refused.err) == (2, True), refused.err


def test_folds_and_slices_go_together(rocconf):
    whole = report(rocconf, "sweep", FILE, *ONE, "--fold", "fold", "--by", "region")
    alone = report(rocconf, "sweep", FILE, *ONE, "--fold", "fold", "--where", "region=south")["summary"]
    (row,) = (row for row in whole["tables"]["slices"] if row["slice"] == "south")
    assert {key: row[key] for key in alone} == alone


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--fold", "fold", "--rescale"), "--fold cannot be combined with --rescale"),
        (("--fold", "fold", "--where", "fold=1"), "all cases are of one fold, fold=1"),
        (("--fold", "id"), "more than 500 values"),
        (("--fold", "folds"), "no column 'folds'"),
        (("-o", "folds:x.csv"), "-o folds:x.csv needs --fold"),
    ],
)
def test_folds_that_mean_nothing_are_refused(options, said, rocconf):
    ran = rocconf("sweep", FILE, *ONE, *options)
    assert (ran.status, ran.out) == (2, ""), ran.err
    assert said in ran.err
