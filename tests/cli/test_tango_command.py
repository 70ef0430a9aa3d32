"""`rocconf tango`, as a process: the worked table, the contract of its keys, and what it says of bad input."""

import csv
import io
import json

import pytest
from conftest import SAMPLE_DATA

KEYS = [
    *("model", "threshold", "tp", "fp", "fn", "tn", "tpr", "fpr", "diff", "lower", "upper", "z", "p"),
    *("confident", "equivalent"),
]
TESTS = ("tango", "mcnemar-cc", "exact", "mid-p", "wald", "newcombe", "bonett-price", "agresti-min")


def rows_of(text, delimiter=","):
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


def test_the_worked_table_gives_its_segment(rocconf, table1):
    ran = rocconf("tango", table1, "--format", "json", "--all")
    answer = json.loads(ran.out)
    summary = answer["summary"]
    assert ran.status == 0
    assert answer["schema"] == "rocconf/tango/3"
    assert (summary["confident_points"], summary["threshold_low"], summary["threshold_high"]) == (7, 0.3, 0.9)
    assert [summary[key] for key in ("cauc", "cauc_tp", "cauc_fp", "cauc_roc", "aved")] == [0.6, 0.44, 0.16, 0.68, 0]
    assert summary["aved_abs"] == pytest.approx(0.171429, abs=5e-7)
    assert [row["confident"] for row in answer["rows"]] == [False] * 2 + [True] * 7 + [False] * 2


def test_the_keys_are_the_contract(rocconf, table1):
    answer = json.loads(rocconf("tango", table1, "--format", "json", "--all").out)
    assert list(answer["rows"][0]) == KEYS
    assert list(answer["tables"]) == ["models", "restated"]
    assert list(answer["summary"]) == [
        *("model", "n", "positives", "negatives", "prevalence"),
        *("auc", "auc_lower", "auc_upper", "auc_se", "auc_df", "level", "interval"),
        *("test", "margin", "thresholds", "confident_points", "threshold_low", "threshold_high"),
        *("cauc", "cauc_tp", "cauc_fp", "cauc_roc", "aved", "aved_abs"),
        *("equivalent_points", "equivalent_threshold_low", "equivalent_threshold_high"),
    ]
    assert rocconf("tango", table1, "--format", "csv").out.splitlines()[0].split(",") == KEYS


def test_every_missing_value_has_its_reason(rocconf, table1):
    answer = json.loads(rocconf("tango", table1, "--format", "json", "--all", "--test", "exact").out)
    tables = {**answer["tables"], "rows": answer["rows"]}
    missing = {
        (name, row, key)
        for name, rows in tables.items()
        for row, record in enumerate(rows)
        for key, value in record.items()
        if value is None
    }
    explained = {
        (entry["table"], row, entry["key"])
        for entry in answer["undefined"]
        if entry["reason"]
        for row in (range(len(tables[entry["table"]])) if entry["row"] is None else [entry["row"]])
    }
    assert missing == explained
    whole = {entry["key"]: entry["reason"] for entry in answer["undefined"] if entry["row"] is None}
    assert set(whole) == {"lower", "upper", "z", "equivalent"}
    assert whole["lower"] == "this test has no interval for the difference"


def test_all_numeric_columns_are_models_and_it_is_said_which(rocconf):
    ran = rocconf("tango", SAMPLE_DATA / "dis.csv", "--format", "json", "--all")
    models = {model["model"]: model for model in json.loads(ran.out)["tables"]["models"]}
    assert "rocconf: models: S, T, F, B\n" in ran.err
    assert [models[name]["confident_points"] for name in "STFB"] == [0, 3, 9, 18]
    assert json.loads(ran.out)["summary"] is None
    chosen = rocconf("tango", SAMPLE_DATA / "dis.csv", "--score", "T", "--score", "F")
    assert {row["model"] for row in rows_of(chosen.out, "\t")} == {"T", "F"}
    assert "models:" not in chosen.err
    assert "models:" not in rocconf("tango", SAMPLE_DATA / "dis.csv", "-q").err


def test_what_to_beware_of_stands_in_every_form(rocconf, table1, tmp_path):
    ran = rocconf("tango", table1, "--format", "json", "--all", "-o", "answer.md")
    codes = [caveat["code"] for caveat in json.loads(ran.out)["caveats"]]
    assert codes == ["cauc", "cauc-inferred", "aved", "few-errors"]
    words = "compare models on the same cases only"
    assert words in ran.err
    assert words in (tmp_path / "answer.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TESTS)
def test_the_test_is_one_of_choice(rocconf, table1, name):
    ran = rocconf("tango", table1, "--test", name, "--format", "json", "--all")
    answer = json.loads(ran.out)
    assert answer["summary"]["test"] == answer["options"]["test"] == name
    assert answer["summary"]["confident_points"] == sum(row["confident"] for row in answer["rows"])


def test_a_margin_gives_the_equivalent_segment(rocconf, table1):
    answer = json.loads(rocconf("tango", table1, "--margin", "0.6", "--format", "json", "--all").out)
    assert answer["summary"]["equivalent_points"] == 5
    inside = [row["threshold"] for row in answer["rows"] if row["equivalent"]]
    assert inside == [0.8, 0.7, 0.6, 0.5, 0.4]
    assert all(row["lower"] > -0.6 and row["upper"] < 0.6 for row in answer["rows"] if row["equivalent"])


def test_a_bootstrap_is_seeded_and_says_so(rocconf, table1):
    arguments = ("tango", table1, "--bootstrap", "200", "--format", "json", "--all")
    first, again, other = rocconf(*arguments), rocconf(*arguments), rocconf(*arguments, "--seed", "2")
    assert first.out == again.out != other.out
    summary = json.loads(first.out)["summary"]
    assert summary["cauc_lower"] <= summary["cauc"] <= summary["cauc_upper"]
    assert "at this n" in first.err
    assert json.loads(first.out)["options"]["seed"] == 1


def test_thresholds_can_be_listed(rocconf, table1):
    rows = rows_of(rocconf("tango", table1, "--thresholds", "grid:0.5", "--format", "csv").out)
    assert [row["threshold"] for row in rows] == ["", "1.0", "0.5", "0.0"]


def test_a_counts_file_gives_what_its_cases_give(rocconf, table1, tmp_path):
    counts = "score,positives,negatives\n" + "".join(
        f"{row['score']},{row['label']},{1 - int(row['label'])}\n"
        for row in rows_of(table1.read_text(encoding="utf-8"))
    )
    (tmp_path / "counts.csv").write_text(counts, encoding="utf-8")
    mine = rocconf("tango", "counts.csv", "--format", "csv").out
    assert mine.replace("counts,", "score,") == rocconf("tango", table1, "--format", "csv").out


def test_without_a_confident_point_the_answer_stands_and_says_so(rocconf):
    ran = rocconf("tango", SAMPLE_DATA / "dis.csv", "--score", "S", "--format", "json", "--all")
    summary = json.loads(ran.out)["summary"]
    assert ran.status == 0
    assert (summary["cauc"], summary["aved"], summary["threshold_low"]) == (0, None, None)
    assert "S: no threshold is confident" in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--test", "z"), "no test 'z' (a test is tango, mcnemar-cc"),
        (("--margin", "0"), "a margin must be between 0 and 1, not 0"),
        (("--margin", "0.1", "--test", "wald"), "leave out --test wald"),
        (("--level", "95"), "a level must be between 0 and 1, not 95"),
        (("--bootstrap", "-1"), "-1 is not in the range x>=0"),
        (("--bootstrap", "5", "--seed", "-1"), "'--seed': -1 is not in the range x>=0"),
        (("--thresholds", "few"), "--thresholds 'few' is not distinct, grid:STEP"),
        (("--only-confident",), "--only-confident is for a figure that --plot does not request"),
    ],
)
def test_a_meaningless_option_is_told_and_ends_with_2(rocconf, table1, arguments, message):
    ran = rocconf("tango", table1, *arguments)
    assert ran.status == 2
    assert ran.out == ""
    assert message in ran.err


def test_options_are_looked_at_before_the_file(rocconf):
    assert "no test 'z'" in rocconf("tango", "missing.csv", "--test", "z").err
    assert "a margin must be" in rocconf("tango", "missing.csv", "--margin", "2").err


def test_one_class_is_an_error(rocconf, tmp_path):
    (tmp_path / "one.csv").write_text("label,score\n1,0.1\n1,0.2\n", encoding="utf-8")
    ran = rocconf("tango", "one.csv")
    assert ran.status == 2
    assert ran.out == ""


@pytest.mark.thorough
def test_figures_of_all_kinds_are_drawn(rocconf, tmp_path):
    ran = rocconf(
        *("tango", SAMPLE_DATA / "dis.csv", "-q", "--margin", "0.02", "--plot", "one.png"),
        *("--plot", "intervals:two.svg", "--plot", "region:three.pdf", "--only-confident", "--dpi", "50"),
    )
    assert ran.status == 0
    for name, head in (("one.png", b"\x89PNG"), ("two.svg", b"<?xml"), ("three.pdf", b"%PDF")):
        assert (tmp_path / name).read_bytes().startswith(head)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_table_fits_its_terminal_and_says_what_is_confident(rocconf, width):
    ran = rocconf("tango", SAMPLE_DATA / "dis.csv", "--format", "table", env={"COLUMNS": str(width)})
    assert max(map(len, ran.out.splitlines())) <= width
    assert "F: misses and false alarms do not differ beyond chance at thresholds " in " ".join(ran.out.split())
    assert "cauc" not in ran.out


def test_parquet_keeps_the_type_of_a_flag_without_a_value(rocconf, table1, tmp_path):
    pl = pytest.importorskip("polars")
    rocconf("tango", table1, "-q", "-o", "rows.parquet")
    frame = pl.read_parquet(tmp_path / "rows.parquet")
    assert frame.schema["confident"] == frame.schema["equivalent"] == pl.Boolean
    assert frame["equivalent"].null_count() == len(frame) == 11
