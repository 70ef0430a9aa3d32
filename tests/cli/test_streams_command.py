"""`rocconf sensibility --time`: what it says, what it refuses, and its verdicts."""

import json

import pytest
from conftest import SAMPLE_DATA

YEAR, FLU, SAME = SAMPLE_DATA / "flu_year.csv", SAMPLE_DATA / "flu.csv", SAMPLE_DATA / "flu_same.csv"
FEW = ("--permutations", "19", "--bootstrap", "0")
RULE = ("--require", "drift_alarm == 0")


@pytest.fixture
def follow(rocconf):
    """Follow the patients of a year, or of another file."""
    return lambda *more, file=YEAR, reference=FLU: rocconf(
        "sensibility", file, "--time", "day", "--reference", reference, *FEW, *more
    )


@pytest.fixture
def write(tmp_path):
    """Write a file with these rows below the header."""

    def write(name, rows, header="day,label,score"):
        (tmp_path / name).write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
        return name

    return write


def stable(days, *, first=0):
    """Return rows of a domain that does not change: 20 a day."""
    return [
        f"{first + day},{int(k < 6)},{((k * 37 + day * 11) % 97 + 20 * (k < 6)) / 120}"
        for day in range(days)
        for k in range(20)
    ]


def test_the_screen_has_the_alarms_first_and_a_row_for_each_month(follow):
    ran = follow("--format", "table", *RULE)
    lines = ran.out.splitlines()
    assert len(lines) <= 23
    assert lines[0].startswith("score: alarm: scores of positives from 2025-10-")
    assert "labels from 2025-08-" in " ".join(lines[:2])
    assert [line[:7] for line in lines if line.startswith("2025")] == [f"2025-{month:02}" for month in range(1, 13)]
    assert lines[-2] == "verdict: failed (status 1): the evidence is against a rule, do not release on it"
    assert ran.status == 1


def test_the_tables_have_their_keys(follow, tmp_path):
    ran = follow("-o", "windows:w.csv", "-o", "martingales:m.csv", "-o", "all.json", "-q")
    assert ran.status == 0
    windows, martingales = ((tmp_path / name).read_text("utf-8").splitlines() for name in ("w.csv", "m.csv"))
    assert windows[0].startswith(
        "model,window,start,end,n,positives,negatives,midpoint,sensible,non_sensible,struggle_ratio"
    )
    assert len(windows) == 13
    assert martingales[0] == "model,stream,n,log10_peak,log10_alarm,can_alarm,alarm,alarm_window,alarm_at,meaning"
    report = json.loads((tmp_path / "all.json").read_text("utf-8"))
    assert report["options"]["time"] == "day"
    assert report["options"]["every"] == "month"
    assert report["summary"]["drift_alarm"] == 3
    assert {row["code"] for row in report["caveats"]} >= {"every-chosen"}


def test_counts_that_a_window_lacks_stay_counts_in_every_form(follow, tmp_path):
    import polars as pl

    assert follow("--every", "1", "-o", "windows:w.parquet", "-o", "windows:w.csv", "-o", "all.json", "-q").status == 0
    table = pl.read_parquet(tmp_path / "w.parquet")
    assert table.schema["sensible"] == pl.Int64
    assert table["sensible"].null_count() > 0
    assert pl.read_csv(tmp_path / "w.csv")["sensible"].to_list() == table["sensible"].to_list()
    report = json.loads((tmp_path / "all.json").read_text("utf-8"))
    assert [row["sensible"] for row in report["tables"]["windows"]] == table["sensible"].to_list()
    assert {type(row["sensible"]) for row in report["tables"]["windows"]} == {int, type(None)}


def test_a_saved_report_gets_the_verdict_of_the_run(follow, rocconf):
    assert follow(*RULE, "-o", "a.json").status == 1
    assert rocconf("gate", "a.json", *RULE).status == 1
    assert rocconf("gate", "a.json", "--require", "drift_alarm <= 2").status == 1
    assert rocconf("gate", "a.json", *RULE, "--config", "x.toml", "--isolated").status == 2


def test_a_domain_that_does_not_change_passes(rocconf, write):
    write("earlier.csv", stable(20))
    write("later.csv", stable(40, first=20))
    ran = rocconf(
        "sensibility", "later.csv", "--time", "day", "--reference", "earlier.csv", *FEW, *RULE, "-o", "a.json"
    )
    assert ran.status == 0
    assert rocconf("gate", "a.json", *RULE).status == 0


def test_too_few_cases_are_undecided_and_never_pass(rocconf, write):
    write("earlier.csv", stable(20))
    write("later.csv", stable(2, first=20))
    later = ("sensibility", "later.csv", "--time", "day", "--reference", "earlier.csv", *FEW, *RULE)
    ran = rocconf(*later, "-o", "a.json")
    assert ran.status == 3
    assert "too few cases" in ran.err
    assert rocconf("gate", "a.json", *RULE).status == 3
    assert rocconf(*later[:-2], "--require", "drift_alarm <= 2").status == 3


def test_a_stream_that_is_its_own_reference_is_undecided(follow):
    assert follow(*RULE, reference=YEAR).status == 3


def test_a_reference_of_the_same_cases_is_refused(rocconf, write):
    year = YEAR.read_text("utf-8").splitlines()
    write("first.csv", year[1:400], header=year[0])
    ran = rocconf("sensibility", YEAR, "--time", "day", "--reference", "first.csv", *FEW, *RULE)
    assert ran.status == 2
    assert "among those of the stream" in ran.err


def test_a_reference_that_is_not_earlier_is_told(rocconf, write):
    write("earlier.csv", stable(20))
    write("later.csv", [row.replace(",0.", ",0.0") for row in stable(40, first=10)])
    ran = rocconf("sensibility", "later.csv", "--time", "day", "--reference", "earlier.csv", *FEW)
    assert "earlier.csv: 200 of its 400 cases are not earlier than the first case of the stream (10)" in ran.err


def test_a_slice_is_followed_by_itself(follow, tmp_path):
    (tmp_path / "rocconf.toml").write_text(
        '[[gate]]\ncommand = "sensibility"\nmetric = "drift_alarm"\nop = "=="\nvalue = 0\nwhere = ["id<=700"]\n',
        "utf-8",
    )
    ran = follow("--format", "json")
    (gate,) = json.loads(ran.out)["gates"]
    assert (ran.status, gate["n"], gate["value"]) == (0, 700, 0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--time", "day"], "--time needs --reference"),
        (["--every", "month"], "--every needs --time"),
        (["--reference", FLU, "-o", "windows:a.csv"], "-o windows:a.csv needs --time"),
        (["--reference", FLU, "--plot", "time:a.png"], "--plot time:a.png needs --time"),
        (["--reference", FLU, *RULE], "drift_alarm needs --time"),
        (["--reference", FLU, "--time", "day", "--every", "year"], "--every is month, week, day or a whole number"),
        (["--reference", FLU, "--time", "when"], "no column 'when'"),
        (["--reference", FLU, "--time", "score"], "'score' cannot be the times"),
        (["--reference", FLU, "--time", "day", "--require", "drift_alarm == 0.5"], "drift_alarm == 0.5"),
        (["--reference", FLU, "--time", "day", "--require", "drift_alarm <= 3"], "drift_alarm <= 3"),
        (["--reference", FLU, "--time", "day", "--model", "id"], "--time takes a file with one row for each case"),
    ],
)
def test_what_cannot_be_followed_is_refused_before_anything_is_written(rocconf, arguments, said):
    ran = rocconf("sensibility", YEAR, *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_a_counts_file_has_no_times(rocconf, write):
    write("counts.csv", ["0.5,3,4", "0.2,1,9"], header="score,positives,negatives")
    ran = rocconf("sensibility", "counts.csv", "--time", "day", "--reference", FLU)
    assert ran.status == 2
    assert "a counts file has no times" in ran.err


def test_times_of_two_forms_are_not_compared(rocconf, write):
    write("earlier.csv", stable(20))
    ran = rocconf("sensibility", YEAR, "--time", "day", "--reference", "earlier.csv", *FEW)
    assert ran.status == 2
    assert "write both in one form" in ran.err
