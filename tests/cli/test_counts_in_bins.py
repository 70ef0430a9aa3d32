"""Counts in bins from the shell: what is exact is that of the cases, what is not is bounded or refused, live and saved."""

import json

import numpy as np
import polars as pl
import pytest

COMMANDS = ("sweep", "tango", "chi2-contours", "sensibility")
QUICK = {"tango": ("--bootstrap", "0"), "chi2-contours": ("--permutations", "19"), "sensibility": ("--bootstrap", "0")}


def cases_of(seed, n=600):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < 0.3
    scores = 1 / (1 + np.exp(2 - rng.standard_normal(n) - 1.4 * labels))
    return pl.DataFrame({"label": labels.astype(int), "score": scores, "y": scores.round(3)})


@pytest.fixture(autouse=True)
def files(tmp_path, rocconf):
    for name, seed in (("a", 1), ("other", 2)):
        cases_of(seed).drop("y").write_csv(tmp_path / f"{name}.csv")
    for name in ("a", "other"):
        ran = rocconf("count", f"{name}.csv", "--resolution", "3", "-o", f"{name}.parquet", "-q")
        assert ran.status == 0, ran.err
    assert rocconf("count", "a.parquet", "-o", "a3.csv", "-q").status == 0


def report(ran):
    assert ran.out, ran.err
    return json.loads(ran.out)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_analysis_says_what_bins_leave_unknown(command, rocconf):
    of_cases, of_bins = (
        report(rocconf(command, file, *QUICK.get(command, ()), "--format", "json"))["summary"]
        for file in ("a.csv", "a.parquet")
    )
    assert of_bins["binned"] is True
    assert of_bins["auc_bin_lower"] <= of_cases["auc"] <= of_bins["auc_bin_upper"]
    assert of_bins["auc_lower"] <= of_cases["auc_lower"] < of_cases["auc_upper"] <= of_bins["auc_upper"]
    ran = rocconf(command, "a.parquet", *QUICK.get(command, ()))
    assert "[binned]" in ran.err
    lower = f"AUC lies in [{of_bins['auc_bin_lower']:.6f}"
    assert lower in ran.err


def test_matrices_at_edges_are_those_of_the_cases(rocconf):
    rows = report(rocconf("sweep", "a.parquet", "--format", "json", "--all"))["rows"]
    cases = cases_of(1)
    for row in rows[1:]:
        flagged = cases.filter(pl.col("score") >= row["threshold"])["label"]
        assert (row["tp"], row["fp"]) == (flagged.sum(), len(flagged) - flagged.sum())
    for row in (rows[5], rows[9]):
        of_cases = report(rocconf("sweep", "a.csv", "--at", f"threshold={row['threshold']!r}", "--format", "json"))[
            "tables"
        ]["operating_points"][0]
        assert {key: row[key] for key in ("tp", "fp", "tpr", "precision", "mcc")} == {
            key: of_cases[key] for key in ("tp", "fp", "tpr", "precision", "mcc")
        }


def test_calibration_drift_and_costs_are_refused_too(rocconf):
    assert rocconf("sweep", "a.parquet", "--calibration").status == 2
    assert rocconf("sweep", "a.parquet", "--rescale").status == 2
    for rule in ("average_precision >= 0.1", "partial_auc.point >= 0.01", "partial_auc_standardized <= 0.9"):
        ran = rocconf("sweep", "a.parquet", "--max-fpr", "0.2", "--require", rule)
        assert (ran.status, "depends on the scores within bins" in ran.err) == (2, True), ran.err
    ran = rocconf(
        "sensibility",
        "a.parquet",
        "--reference",
        "other.parquet",
        "--permutations",
        "99",
        "--require",
        "drift_p >= 0.05",
    )
    assert (ran.status, "depends on the scores within bins" in ran.err) == (2, True)


def test_a_threshold_within_a_bin_is_refused_and_edges_are_named(rocconf):
    ran = rocconf("sweep", "a.parquet", "--require", "tpr@threshold=0.2 >= 0.1")
    assert (ran.status, ran.out) == (2, "")
    assert "the threshold 0.2 divides a bin" in ran.err
    assert "0.1875 and 0.203125" in ran.err
    of_cases, of_bins = (
        rocconf("sweep", file, "--require", "tpr@threshold=0.1875 >= 0.1", "--format", "json")
        for file in ("a.csv", "a.parquet")
    )
    gates = [report(ran)["gates"][0] for ran in (of_cases, of_bins)]
    assert {key: gates[0][key] for key in ("value", "lower", "upper")} == {
        key: gates[1][key] for key in ("value", "lower", "upper")
    }
    for option in ("grid:0.1", "0.2,0.5"):
        assert rocconf("sweep", "a.parquet", "--thresholds", option).status == 2
    assert rocconf("sweep", "a.parquet", "--thresholds", "quantiles:5").status == 0
    assert rocconf("sweep", "a.parquet", "--thresholds", "0.1875,0.5").status == 0


@pytest.mark.parametrize(
    ("judged", "choice"), [("a.csv", "other.parquet"), ("a.parquet", "other.parquet"), ("a3.csv", "other.parquet")]
)
def test_thresholds_are_chosen_at_edges(judged, choice, rocconf):
    """With bins on either side; the matrix is that of the cases at the threshold that was chosen."""
    for at in ("youden", "fpr<=0.1", "tpr>=0.9", "precision>=0.6"):
        ran = rocconf("sweep", judged, "--choose-on", choice, "--at", at, "--format", "json")
        (point,) = report(ran)["tables"]["operating_points"]
        other, cases = cases_of(2), cases_of(1)
        flagged = cases.filter(pl.col("score") >= point["threshold"])["label"]
        assert (point["tp"], point["fp"]) == (flagged.sum(), len(flagged) - flagged.sum())
        if at == "fpr<=0.1":
            negatives = other.filter(pl.col("label") == 0)
            assert len(negatives.filter(pl.col("score") >= point["threshold"])) <= 0.1 * len(negatives)


def test_a_threshold_chosen_on_scores_that_divides_a_bin_is_refused(rocconf):
    ran = rocconf("sweep", "a.parquet", "--choose-on", "other.csv", "--at", "youden")
    assert (ran.status, ran.out) == (2, ""), ran.err
    assert "divides a bin" in ran.err or "models" in ran.err


@pytest.mark.parametrize(
    ("judged", "choice", "said"),
    [
        ("a.parquet", "a.csv", "these are the cases that are judged"),
        ("a.csv", "a.parquet", "these are the cases that are judged"),
        ("a3.csv", "a.csv", "in another order or another file"),
        ("a.csv", "a3.csv", "in another order or another file"),
        ("a.parquet", "both.parquet", "these are the cases that are judged"),
    ],
)
def test_thresholds_are_not_chosen_on_the_cases_judged_in_another_form(judged, choice, said, rocconf):
    rocconf("count", "a.csv", "other.csv", "--resolution", "3", "-o", "both.parquet", "-q")
    ran = rocconf("sweep", judged, "--choose-on", choice, "--require", "tpr@youden >= 0.1")
    assert (ran.status, ran.out) == (2, ""), ran.err
    assert said in ran.err, ran.err


def test_scores_and_bins_are_compared_in_the_same_bins(rocconf):
    """The bins of the same cases show no drift."""
    rocconf("count", "a.csv", "-o", "exact.csv", "-q")
    ran = rocconf("sensibility", "a3.csv", "--reference", "exact.csv", "--permutations", "19", "--format", "json")
    found = {each["statistic"]: each for each in report(ran)["tables"]["drift"]}
    assert (found["D_joint"]["value"], found["within_class_ks"]["value"]) == (0, 0)
    assert "same-scores" in {each["code"] for each in report(ran)["caveats"]}


@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", "a.parquet", "other.parquet", "--unpaired"),
        ("sensibility", "t.csv"),
        ("compare", "a.csv", "--baseline", "r.json"),
        ("compare", "other.parquet", "--baseline", "r.json"),
        ("plan", "auc >= 0.6", "a.parquet"),
        ("sensibility", "a.parquet", "--reference", "other.parquet", "--unlabelled"),
        ("sensibility", "a.csv", "--score", "score", "--reference", "other.parquet", "--unlabelled"),
    ],
)
def test_what_needs_scores_says_so(arguments, rocconf):
    rocconf("count", "a.csv", "--thresholds", "0.1,0.5", "-o", "t.csv", "-q")
    rocconf("sweep", "a.parquet", "-o", "r.json", "-q")
    ran = rocconf(*arguments)
    assert (ran.status, ran.out) == (2, ""), ran.out


def test_a_report_of_bins_is_no_baseline(rocconf):
    rocconf("sweep", "a.parquet", "-o", "r.json", "-q")
    ran = rocconf("compare", "other.csv", "--baseline", "r.json", "--require", "delta_auc >= -0.5")
    assert (ran.status, "needs the scores" in ran.err) == (2, True), ran.err


def test_a_file_that_lost_its_upper_edges_is_refused(rocconf, tmp_path):
    frame, metadata = pl.read_parquet(tmp_path / "a.parquet"), pl.read_parquet_metadata(tmp_path / "a.parquet")
    frame.drop("upper").write_parquet(tmp_path / "lost.parquet", metadata={"rocconf": metadata["rocconf"]})
    ran = rocconf("sweep", "lost.parquet", "--require", "auc >= 0.1")
    assert (ran.status, "no column upper" in ran.err) == (2, True)


def test_a_file_of_bins_that_became_scores_is_refused(rocconf, tmp_path):
    frame, metadata = pl.read_parquet(tmp_path / "a.parquet"), pl.read_parquet_metadata(tmp_path / "a.parquet")
    scores = frame.with_columns(upper=pl.col("score"))
    scores.write_parquet(tmp_path / "scores.parquet", metadata={"rocconf": metadata["rocconf"]})
    ran = rocconf("sweep", "scores.parquet", "--require", "auc >= 0.1")
    assert (ran.status, "upper is score in every row" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("upper", "said"),
    [("0.01", "is below score"), ("0.99", "bins that overlap"), ("", "bins that overlap"), ("x", "is not a number")],
)
def test_edited_upper_edges_are_refused(upper, said, rocconf, tmp_path):
    lines = (tmp_path / "a3.csv").read_text().splitlines()
    model, score, _, *rest = lines[8].split(",")
    lines[8] = ",".join([model, score, upper, *rest])
    (tmp_path / "edited.csv").write_text("\n".join(lines) + "\n")
    ran = rocconf("sweep", "edited.csv", "--require", "auc >= 0.1")
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_an_exact_model_beside_one_in_bins_stays_exact(rocconf, tmp_path):
    cases_of(1).write_csv(tmp_path / "a.csv")
    ran = rocconf(
        *("count", "a.csv", "--label", "label", "--score", "score", "--score", "y"),
        *("--max-scores", "550", "-o", "two.parquet", "--format", "csv"),
    )
    assert ran.status == 0, ran.err
    assert "[scores-over-budget]" in ran.err
    for name, binned in (("score", True), ("y", False)):
        (row,) = report(rocconf("sweep", "two.parquet", "--score", name, "--format", "json"))["tables"]["models"]
        (alone,) = report(rocconf("sweep", "a.csv", "--label", "label", "--score", name, "--format", "json"))["tables"][
            "models"
        ]
        assert row.get("binned", False) is binned
        assert (row["auc"] == alone["auc"]) is not binned
    both = report(
        rocconf("sweep", "two.parquet", "--score", "score", "--score", "y", "--format", "json", "-o", "r.json")
    )
    assert [row["binned"] for row in both["tables"]["models"]] == [True, False]
    assert [row["auc_bin_lower"] is None for row in both["tables"]["models"]] == [False, True]
    assert rocconf("gate", "r.json", "--require", "auc >= 0.1").status == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("--resolution", "0"),
        ("--resolution", "53"),
        ("--resolution", "4", "--max-scores", "9"),
        ("--thresholds", "a"),
        ("--thresholds", "inf"),
        ("--thresholds", ""),
        ("--max-scores", "0"),
    ],
)
def test_impossible_bins_are_refused(arguments, rocconf, tmp_path):
    ran = rocconf("count", "a.csv", *arguments, "-o", "c.parquet")
    assert (ran.status, ran.out) == (2, "")
    assert not (tmp_path / "c.parquet").exists()


def test_bins_are_said_in_the_summary_and_in_the_metadata(rocconf, tmp_path):
    ran = rocconf("count", "a.csv", "--thresholds", "0.1,0.5", "-o", "t.parquet", "--format", "csv")
    header, row = (line.split(",") for line in ran.out.splitlines()[:2])
    summary = dict(zip(header, row, strict=True))
    assert (summary["binned_by"], summary["resolution"], summary["scores"]) == ("thresholds", "", "3")
    for name, expected in (("t.parquet", ("thresholds", None)), ("a.parquet", ("dyadic", 3))):
        metadata = json.loads(pl.read_parquet_metadata(tmp_path / name)["rocconf"])
        assert (metadata["binned_by"], metadata["resolution"]) == expected
    frame = pl.read_parquet(tmp_path / "t.parquet")
    assert frame["score"].to_list() == [0.5, 0.1, -np.inf]
    assert frame["upper"].to_list() == [np.inf, 0.5, 0.1]
