"""`rocconf sweep`, as a process: the answers of the issue's worked example and the contract of its keys."""

import csv
import io
import json
import re

import pytest
from conftest import SAMPLE_DATA

RATES = [
    *("tp", "fp", "fn", "tn", "tpr", "fpr", "specificity", "precision", "npv", "accuracy", "balanced_accuracy"),
    *("f1", "mcc", "youden_j", "lift", "predicted_positive_rate"),
]
PUBLISHED_AUCS = {  # Elazmeh, Japkowicz and Matwin (2006), Table 3
    "dis": {"S": 0.752, "T": 0.541, "F": 0.805, "B": 0.516},
    "hypothyroid": {"S": 0.949, "T": 0.936, "F": 0.978, "B": 0.972},
    "sick": {"S": 0.952, "T": 0.956, "F": 0.997, "B": 0.946},
    "sick-euthyroid": {"S": 0.931, "T": 0.930, "F": 0.978, "B": 0.922},
    "spect": {"S": 0.730, "T": 0.745, "F": 0.833, "B": 0.835},
    "spectf_cv80": {"S": 0.674, "T": 0.690, "F": 0.893, "B": 0.858},
}


def rows_of(text, delimiter=","):
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


def test_the_ten_cases_give_their_worked_numbers(rocconf, table1):
    rules = ("closest", "youden", "chi2", "fpr<=0.1", "tpr>=1")
    ran = rocconf("sweep", table1, "--format", "json", "--all", *(part for rule in rules for part in ("--at", rule)))
    answer = json.loads(ran.out)
    assert ran.status == 0
    assert answer["summary"]["auc"] == 0.84
    assert answer["summary"]["auc_se"] == pytest.approx(0.138564, abs=5e-7)
    points = {point["rule"]: point for point in answer["tables"]["operating_points"]}
    assert {rule: point["threshold"] for rule, point in points.items()} == {
        "closest": 0.6,
        "youden": 0.6,
        "chi2": 0.4,
        "fpr<=0.1": 0.9,
        "tpr>=1": 0.4,
    }
    assert points["youden"]["tied"] == [0.4]
    assert all(point["in_sample"] for point in points.values())


@pytest.mark.parametrize("name", PUBLISHED_AUCS)
def test_the_areas_are_those_the_paper_prints(rocconf, name):
    columns = [part for model in PUBLISHED_AUCS[name] for part in ("--score", model)]
    ran = rocconf("sweep", SAMPLE_DATA / f"{name}.csv", *columns, "--format", "json", "--all")
    models = json.loads(ran.out)["tables"]["models"]
    assert {model["model"]: model["auc"] for model in models} == pytest.approx(PUBLISHED_AUCS[name], abs=0.0005 + 1e-12)


def test_the_keys_of_the_rows_are_the_contract(rocconf, table1):
    ran = rocconf("sweep", table1, "--format", "csv")
    assert ran.out.splitlines()[0].split(",") == ["model", "threshold", *RATES]
    assert len(rows_of(ran.out)) == 11


def test_the_keys_of_the_other_tables_are_the_contract(rocconf, table1):
    answer = json.loads(rocconf("sweep", table1, "--format", "json", "--all", "--max-fpr", "0.4").out)
    assert list(answer) == [
        *("schema", "tool", "inputs", "options", "summary", "rows", "tables"),
        *("undefined", "caveats", "evidence", "gates", "verdict", "exit_code", "unsealed", "digest"),
    ]
    assert answer["schema"] == "rocconf/sweep/3"
    assert list(answer["tables"]) == [
        *("models", "operating_points", "hull", "concavities"),
        *("effective_sizes", "slices", "slice_points", "folds"),
    ]
    point = answer["tables"]["operating_points"][0]
    honest = [f"{rate}_honest{end}" for rate in ("tpr", "fpr", "precision") for end in ("", "_lower", "_upper")]
    assert list(point) == ["model", "rule", "threshold", "in_sample", "tied", *RATES, *honest]
    assert list(answer["tables"]["hull"][0]) == ["model", "threshold", *RATES]
    assert list(answer["summary"]) == [
        *("model", "n", "positives", "negatives", "prevalence"),
        *("auc", "auc_lower", "auc_upper", "auc_se", "auc_df", "level", "interval"),
        *("thresholds", "average_precision", "max_fpr", "partial_auc", "partial_auc_standardized"),
    ]
    assert list(answer["inputs"][0]) == [
        *("role", "name", "sha256", "n", "positives", "negatives", "positive", "dropped", "rescaled", "guessed"),
    ]


def test_every_missing_value_has_its_reason(rocconf, table1):
    answer = json.loads(rocconf("sweep", table1, "--format", "json", "--all").out)
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
    assert ("rows", 0, "precision") in missing


def test_intervals_stand_behind_their_rates(rocconf, table1):
    header = rocconf("sweep", table1, "--format", "csv", "--intervals").out.splitlines()[0].split(",")
    assert header[6:9] == ["tpr", "tpr_lower", "tpr_upper"]
    assert "f1_lower" not in header


def test_a_grid_is_counted_at_its_own_thresholds(rocconf, table1):
    rows = rows_of(rocconf("sweep", table1, "--format", "csv", "--thresholds", "grid:0.01").out)
    assert len(rows) == 102
    assert [row["threshold"] for row in rows[:4]] == ["", "1.0", "0.99", "0.98"]
    assert {row["threshold"]: row["tp"] for row in rows}["0.6"] == "4"


def test_a_threshold_is_chosen_on_another_file(rocconf, tmp_path, table1):
    (tmp_path / "held.csv").write_text("label,score\n1,0.75\n1,0.72\n0,0.7\n0,0.2\n", encoding="utf-8")
    answer = json.loads(rocconf("sweep", table1, "--choose-on", "held.csv", "--format", "json", "--all").out)
    (point,) = answer["tables"]["operating_points"]
    assert (point["threshold"], point["in_sample"], point["tp"], point["fp"]) == (0.72, False, 2, 1)
    assert [source["role"] for source in answer["inputs"]] == ["data", "choose_on"]
    assert not [caveat for caveat in answer["caveats"] if caveat["code"] == "in-sample"]


def test_several_files_are_models_named_by_their_stems(rocconf, tmp_path, table1):
    header, *lines = table1.read_text(encoding="utf-8").splitlines()
    (tmp_path / "other.csv").write_text("\n".join([header, *lines[::-1]]), encoding="utf-8")
    rows = rows_of(rocconf("sweep", table1, "other.csv", "--format", "csv").out)
    assert {row["model"] for row in rows} == {"table1", "other"}


def test_files_of_the_same_content_are_refused(rocconf, tmp_path, table1):
    (tmp_path / "copy.csv").write_bytes(table1.read_bytes())
    ran = rocconf("sweep", table1, "copy.csv")
    assert (ran.status, ran.out) == (2, "")
    assert "copy.csv have the same content" in ran.err


def test_a_file_given_twice_is_refused_before_anything_is_read(rocconf):
    ran = rocconf("sweep", "none.csv", "none.csv")
    assert (ran.status, ran.out, ran.err) == (2, "", "rocconf: none.csv: given twice\n")


def test_low_scores_can_mean_positive(rocconf, tmp_path):
    (tmp_path / "low.csv").write_text("label,score\n1,1\n1,2\n0,2\n0,3\n", encoding="utf-8")
    ran = rocconf("sweep", "low.csv", "--lower-is-positive", "--format", "csv")
    assert [(row["threshold"], row["tp"], row["fp"]) for row in rows_of(ran.out)] == [
        ("", "0", "0"),
        ("1.0", "1", "0"),
        ("2.0", "2", "1"),
        ("3.0", "2", "2"),
    ]


def test_an_area_below_a_half_is_a_loud_warning_and_no_flip(rocconf, tmp_path):
    (tmp_path / "wrong.csv").write_text("label,score\n1,0.1\n1,0.3\n0,0.2\n0,0.9\n", encoding="utf-8")
    ran = rocconf("sweep", "wrong.csv", "--format", "json", "--all")
    assert json.loads(ran.out)["summary"]["auc"] == 0.25
    assert "--lower-is-positive" in ran.err


def test_a_counts_file_gives_what_its_cases_give(rocconf, tmp_path, table1):
    counts = "score,positives,negatives\n" + "".join(
        f"{row['score']},{row['label']},{1 - int(row['label'])}\n"
        for row in rows_of(table1.read_text(encoding="utf-8"))
    )
    (tmp_path / "counts.csv").write_text(counts, encoding="utf-8")
    mine = rocconf("sweep", "counts.csv", "--format", "csv").out
    assert mine.replace("counts,", "score,") == rocconf("sweep", table1, "--format", "csv").out


def test_an_infinite_score_is_a_text_in_json(rocconf, tmp_path):
    (tmp_path / "inf.csv").write_text("label,score\n1,inf\n1,0.5\n0,0.5\n0,-inf\n", encoding="utf-8")
    ran = rocconf("sweep", "inf.csv", "--format", "json", "--all")
    assert [row["threshold"] for row in json.loads(ran.out)["rows"]] == [None, "inf", 0.5, "-inf"]
    assert "infinite" in ran.err


def test_json_has_a_row_for_each_threshold_only_if_it_is_asked_for(rocconf, table1, tmp_path):
    ran = rocconf("sweep", table1, "--format", "json", "-q", "-o", "report.json", "-o", "rows:rows.json")
    answer, saved, rows = (json.loads(text) for text in (ran.out, *texts(tmp_path, "report.json", "rows.json")))
    assert answer == saved
    assert "rows" not in answer
    assert "rows" not in {gap["table"] for gap in answer["undefined"]}
    every = json.loads(rocconf("sweep", table1, "--format", "json", "-q", "--all", "-o", "report.json").out)
    assert json.loads(*texts(tmp_path, "report.json")) == answer
    assert every["rows"] == rows
    assert len(rows) == 11
    same = set(answer) - {"undefined", "digest"}
    assert {key: every[key] for key in same} == {key: answer[key] for key in same}


@pytest.mark.parametrize("form", ["csv", "tsv", "ndjson"])
def test_forms_of_rows_always_have_every_row(rocconf, table1, form):
    one, other = (rocconf("sweep", table1, "--format", form, "-q", *asked).out for asked in ((), ("--all",)))
    assert one == other
    assert len(one.splitlines()) == 11 + (form != "ndjson")


@pytest.mark.parametrize("form", ["table", "md"])
def test_people_are_shown_every_row_if_they_ask(rocconf, form):
    arguments = ("sweep", SAMPLE_DATA / "dis.csv", "--score", "F", "--format", form, "-q")
    some, every = (rocconf(*arguments, *asked).out for asked in ((), ("--all",)))
    assert len(some.splitlines()) < 30
    assert len([line for line in every.splitlines() if re.match(r"[| ]*-?\d[\d.e-]* +(\| )?\d+ ", line)]) == 119


def texts(folder, *names):
    return [(folder / name).read_text(encoding="utf-8") for name in names]


def test_a_screen_of_costs_has_the_honest_rates_of_the_cheapest_threshold(rocconf, table1):
    """The cheapest threshold is not the one that a run takes that names none."""
    ran = rocconf("sweep", table1, "--cost", "1:5", "--format", "table")
    assert ran.status == 0
    assert "* cost=1:5, chosen on these cases: honest tpr" in " ".join(ran.out.split())


ASSURED_RULES = [
    ("0.975", "fpr@fpr<=0.1 <= 0.1", 0),
    ("0.975", "fpr@fpr<=0.1 <= 0.09", 2),
    ("0.97", "fpr@fpr<=0.1 <= 0.1", 2),
    (None, "fpr@fpr<=0.1 <= 0.1", 2),
    ("0.975", "tpr@fpr<=0.1 >= 0.1", 0),
    ("0.975", "precision@fpr<=0.1 >= 0.1", 2),
    ("0.975", "tpr@threshold=0.9 >= 0.1", 0),
    ("0.975", "tpr@youden >= 0.1", 2),
]


@pytest.mark.parametrize(("assurance", "rule", "status"), ASSURED_RULES)
def test_the_assurance_of_a_run_is_that_of_its_rules(assurance, rule, status, rocconf):
    promised = ["--assurance", assurance] if assurance else []
    ran = rocconf(
        "sweep", SAMPLE_DATA / "flu_year.csv", "--at", "fpr<=0.1", *promised, "--require", rule, "-o", "r.json"
    )
    assert ran.status == status, ran.err
    if status == 0:
        assert rocconf("gate", "r.json").status == 0
