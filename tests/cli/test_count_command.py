"""`rocconf count`: its files, its words, and that what is read from counts is what is read from the cases."""

import json

import polars as pl
import pytest
from conftest import SAMPLE_DATA

FLU = SAMPLE_DATA / "flu.csv"
NAMED = ("--label", "label", "--score", "score")
ANALYSES = {
    "sweep": ("--at", "youden", "--at", "fpr<=0.1", "--cost", "1:10", "--all"),
    "tango": ("--bootstrap", "50", "--all"),
    "chi2-contours": ("--permutations", "99", "--all"),
    "sensibility": ("--all",),
}


@pytest.fixture(autouse=True)
def days(tmp_path):
    """The cases of flu.csv in three files of three forms, in a folder."""
    folder = tmp_path / "days"
    folder.mkdir()
    flu = pl.read_csv(FLU)
    flu[:100].write_csv(folder / "a.csv")
    flu[100:250].write_parquet(folder / "b.parquet")
    flu[250:].write_ndjson(folder / "c.jsonl")
    return folder


@pytest.fixture
def counts(rocconf):
    """The counts of all cases."""
    ran = rocconf("count", "days", *NAMED, "-o", "counts.parquet")
    assert ran.status == 0, ran.err
    return "counts.parquet"


def answer(ran):
    """Return a report without its inputs, which say where it came from."""
    report = json.loads(ran.out)
    del report["inputs"], report["digest"]
    return report


@pytest.mark.parametrize("command", ANALYSES)
def test_counts_give_the_report_of_the_cases(command, rocconf, counts):
    rules = ("--require", "auc >= 0.5", "--format", "json", "--isolated", "-q")
    of_cases = rocconf(command, FLU, *NAMED, *ANALYSES[command], *rules)
    of_counts = rocconf(command, counts, *ANALYSES[command], *rules)
    assert (of_cases.status, of_counts.status) == (0, 0), of_counts.err
    assert answer(of_counts) == answer(of_cases)


@pytest.mark.parametrize("form", ["csv", "tsv", "ndjson", "csv.gz"])
def test_counts_are_written_and_read_in_every_form(form, rocconf, counts, tmp_path):
    assert rocconf("count", counts, "-o", f"again.{form}", "-q").status == 0
    assert rocconf("count", f"again.{form}", "-o", "back.parquet", "-q").status == 0
    assert pl.read_parquet(tmp_path / "back.parquet").equals(pl.read_parquet(tmp_path / counts))


def test_a_file_is_written_and_its_summary_printed(rocconf):
    ran = rocconf("count", "days", *NAMED, "-o", "counts.parquet")
    header, row = (line.split("\t") for line in ran.out.splitlines())
    summary = dict(zip(header, row, strict=True))
    assert (summary["n"], summary["files"], summary["dropped"]) == (str(len(pl.read_csv(FLU))), "3", "0")
    assert f"score: {len(pl.read_csv(FLU)):,} cases" in ran.err
    assert "of 3 files" in ran.err
    rows = rocconf("count", "days", *NAMED)
    assert rows.out.splitlines()[0] == "model\tscore\tpositives\tnegatives"
    assert "rocconf sweep" not in rows.err


def test_the_inputs_are_told_with_what_was_dropped(rocconf, days, tmp_path):
    (days / "d.csv").write_text("label,score\n1,0.5\n,0.4\n0,\n")
    assert rocconf("count", "days", *NAMED).status == 2
    ran = rocconf("count", "days", *NAMED, "--na", "drop", "-o", "run.json")
    assert ran.status == 0
    report = json.loads((tmp_path / "run.json").read_text())
    assert [each["dropped"] for each in report["inputs"]] == [0, 0, 0, 2]
    assert report["schema"] == "rocconf/count/3"
    assert "days/d.csv: 2 rows without a value were left out" in ran.err


def test_one_class_is_counted_with_a_warning_and_not_analysed(rocconf, tmp_path):
    (tmp_path / "monday.csv").write_text("label,score\n0,0.5\n0,0.4\n")
    (tmp_path / "tuesday.csv").write_text("label,score\n1,0.5\n0,0.4\n")
    ran = rocconf("count", "monday.csv", "-o", "monday.parquet")
    assert ran.status == 0
    assert "[counted-one-class]" in ran.err
    assert rocconf("sweep", "monday.parquet").status == 2
    ran = rocconf("count", "monday.parquet", "tuesday.csv", "-o", "both.parquet")
    assert (ran.status, "counted-one-class" in ran.err) == (0, False)
    assert rocconf("sweep", "both.parquet").status == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing",), "no such file"),
        (("days/*.pq",), "there is no table"),
        (("days", "--score", "other"), "days/a.csv: no column 'other'"),
        (("days", "--score", "score", "-o", "days/a.csv"), "days/a.csv"),
        (("days", "days/a.csv", *NAMED), "days/a.csv: given twice"),
        (("days", "copy.csv", *NAMED), "days/a.csv and copy.csv have the same content"),
        (("days/a.csv", "again.parquet", *NAMED), "days/a.csv and again.parquet have the same content"),
        (("days", *NAMED, "--require", "auc >= 0.5"), "--require"),
        (("days", *NAMED, "--lower-is-positive"), "--lower-is-positive"),
    ],
)
def test_bad_input_ends_with_2_and_writes_nothing(arguments, said, rocconf, days, tmp_path):
    (tmp_path / "copy.csv").write_bytes((days / "a.csv").read_bytes())
    pl.read_csv(days / "a.csv").write_parquet(tmp_path / "again.parquet")
    before = sorted(tmp_path.rglob("*"))
    ran = rocconf("count", *arguments, *(() if "-o" in arguments else ("-o", "counts.parquet")))
    assert (ran.status, ran.out) == (2, ""), ran.err
    assert said in ran.err
    assert sorted(tmp_path.rglob("*")) == before


def test_columns_are_never_guessed(rocconf, tmp_path):
    """A rule may be judged on the counts, so what it rests on must have been named."""
    (tmp_path / "m.csv").write_text("churned,p_churn\n1,0.5\n0,0.4\n")
    ran = rocconf("count", "m.csv", "-o", "counts.parquet")
    assert ran.status == 2
    (line,) = (line for line in ran.err.splitlines() if "try:" in line)
    assert line.strip() == "try: rocconf count m.csv -o counts.parquet --label churned --score p_churn"


def test_a_report_of_counts_is_no_evidence(rocconf):
    assert rocconf("count", "days", *NAMED, "-o", "run.json").status == 0
    ran = rocconf("gate", "run.json", "--require", "n >= 1")
    assert ran.status == 2
    assert "count" in ran.err
    assert rocconf("compare", FLU, *NAMED, "--baseline", "run.json").status == 2


@pytest.mark.parametrize("command", ["sweep", "tango", "chi2-contours", "sensibility", "count"])
@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--where", "region=bad"), "no rows of cases to choose, so region=bad means nothing"),
        (("--positive", "0"), "no label '0'"),
        (("--score", "weak"), "a counts file without model weak (found: score)"),
    ],
)
def test_what_chooses_cases_or_classes_is_refused_of_counts(command, option, said, rocconf, counts):
    ran = rocconf(command, counts, *option)
    assert (ran.status, ran.out) == (2, ""), ran.err
    assert said in ran.err


@pytest.mark.parametrize(
    "text",
    [
        '[data]\nwhere = ["region=bad"]\n',
        '[data]\npositive = "0"\n',
        '[[gate]]\ncommand = "sweep"\nmetric = "auc"\nwhere = "region=bad"\nop = ">="\nvalue = 0.1\n',
    ],
)
def test_a_configuration_chooses_no_cases_of_counts_either(text, rocconf, counts, tmp_path):
    (tmp_path / "c.toml").write_text(text)
    ran = rocconf("sweep", counts, "--config", "c.toml", "--require", "auc >= 0.5")
    assert (ran.status, ran.out) == (2, ""), ran.err


def test_labels_are_those_of_cases_and_counts_may_stand_beside_them(rocconf, counts):
    ran = rocconf("sweep", counts, "--label", "label")
    assert (ran.status, "is a counts file, which has no labels" in ran.err) == (2, True), ran.err
    named = ("--label", "label", "--positive", "1")
    assert rocconf("count", counts, *named).status == 2
    ran = rocconf("count", counts, SAMPLE_DATA / "flu_year.csv", *named, "-o", "more.parquet")
    assert ran.status == 0, ran.err


def test_models_of_counts_are_chosen_by_name(rocconf, tmp_path):
    (tmp_path / "m.csv").write_text("label,a,b\n" + "".join(f"{at % 2},{at % 2},{1 - at % 2}\n" for at in range(40)))
    assert rocconf("count", "m.csv", "--score", "a", "--score", "b", "-o", "both.csv").status == 0
    for name, status in (("a", 0), ("b", 1)):
        assert rocconf("sweep", "both.csv", "--score", name, "--require", "auc >= 0.5").status == status
    (tmp_path / "bare.csv").write_text(
        "score,positives,negatives\n" + "".join(f"{at / 40},{at},{40 - at}\n" for at in range(40))
    )
    ran = rocconf("sweep", "m.csv", "--score", "a", "--choose-on", "bare.csv", "--require", "tpr@youden >= 0.1")
    assert ran.status == 0, ran.err


def test_counts_of_patients_are_warned_of(rocconf, tmp_path):
    rows = "".join(f"p{at // 4},{at % 2},0.{at}\n" for at in range(1, 40))
    (tmp_path / "p.csv").write_text(f"patient,label,score\n{rows}")
    ran = rocconf("count", "p.csv", "-o", "counts.csv")
    assert ran.status == 0
    assert "[counted-clusters]" in ran.err
    assert "--cluster" not in ran.err
