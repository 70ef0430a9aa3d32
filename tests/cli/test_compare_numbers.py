"""`rocconf compare` of whole numbers: the digits of the cases, the rules that need the cases, and edited files."""

import csv
import json

import polars as pl
import pytest
from conftest import SAMPLE_DATA, assert_close
from strategies import whole_numbers_of

from rocconf import read_predictions

DIS = SAMPLE_DATA / "dis.csv"
MODELS = ("S", "T", "F", "B")
NAMED = tuple(word for model in MODELS for word in ("--score", model))
RECORDS = [each.record() for each in whole_numbers_of(read_predictions(DIS, score=MODELS))]


def write(path, records):
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, records[0])
        writer.writeheader()
        writer.writerows(records)


@pytest.fixture(autouse=True)
def pairs(tmp_path):
    """The whole numbers of the pairs of models, as a query returns them."""
    write(tmp_path / "pairs.csv", RECORDS)
    return "pairs.csv"


def of_auc(report):
    """Return what two reports of a comparison have in common if only one of them has the cases."""
    keys = ("model", "n", "positives", "negatives", "auc", "auc_lower", "auc_upper", "auc_se", "auc_df", "interval")
    models = {row["model"]: [row[key] for key in keys] for row in report["tables"]["models"]}
    pairs = [row for row in report["tables"]["pairs"] if row["metric"] == "auc"]
    gates = [{**gate, "command": None, "evidence": None} for gate in report["gates"]]
    return models, pairs, gates, report["verdict"], report["exit_code"]


@pytest.mark.parametrize("more", [(), ("--interval", "delong", "--level", "0.9"), ("--lower-is-positive",)], ids=str)
@pytest.mark.parametrize("limit", ["-0.7", "-0.2", "0.2"])
def test_numbers_give_the_areas_tests_and_verdicts_of_the_cases(rocconf, tmp_path, pairs, more, limit):
    asked = (
        "--baseline",
        "S",
        "--margin",
        "0.3",
        "--require",
        f"delta_auc >= {limit}",
        "--require",
        "auc >= 0.3",
        *more,
    )
    of_cases = rocconf("compare", DIS, *NAMED, *asked, "-o", "cases.json")
    of_numbers = rocconf("compare", pairs, *asked, "-o", "numbers.json")
    assert of_numbers.status == of_cases.status, of_numbers.err
    reports = [json.loads((tmp_path / f"{name}.json").read_text()) for name in ("cases", "numbers")]
    assert_close(of_auc(reports[1]), of_auc(reports[0]))
    assert rocconf("gate", "numbers.json").status == of_numbers.status


def test_a_rule_at_another_level_is_judged_at_it(rocconf, tmp_path, pairs):
    (tmp_path / "rocconf.toml").write_text(
        '[[gate]]\ncommand = "compare"\nmetric = "delta_auc[F]"\nop = ">="\nvalue = -0.15\nlevel = 0.5\n'
    )
    assert rocconf("compare", pairs, "--baseline", "S").status == 0
    assert rocconf("compare", pairs, "--baseline", "S", "--isolated", "--require", "delta_auc[F] >= -0.15").status == 3


NEED_CASES = [
    ("--require", "tpr@threshold=0.5 >= 0.2"),
    ("--require", "delta_tpr@threshold=0.5 >= -0.2"),
    ("--require", "average_precision >= 0.1"),
    ("--require", "delta_cauc >= -0.5"),
    ("--at", "youden"),
    ("--where", "S>0.5"),
    ("--bootstrap", "100"),
    ("--positive", "1"),
    ("--unpaired",),
    ("--cluster", "model"),
]


@pytest.mark.parametrize("asked", NEED_CASES, ids=str)
def test_what_needs_the_cases_is_refused(rocconf, pairs, asked):
    ran = rocconf("compare", pairs, "--baseline", "S", *asked)
    assert (ran.status, ran.out) == (2, "")
    assert "needs the cases" in ran.err


def test_a_condition_of_the_configuration_is_refused_too(rocconf, tmp_path, pairs):
    (tmp_path / "rocconf.toml").write_text('[data]\nwhere = ["S>0.5"]\n')
    ran = rocconf("compare", pairs, "--baseline", "S")
    assert ran.status == 2
    assert "--where S>0.5 needs the cases" in ran.err


def test_a_rule_needs_a_named_baseline(rocconf, pairs):
    ran = rocconf("compare", pairs, "--require", "delta_auc >= -0.9")
    assert ran.status == 2
    assert "which model is the baseline" in ran.err


def test_models_are_chosen_by_score(rocconf, pairs):
    ran = rocconf("compare", pairs, "--score", "F", "--score", "T", "--baseline", "T", "--format", "json")
    assert [row["model"] for row in json.loads(ran.out)["tables"]["pairs"]] == ["F"]
    assert rocconf("compare", pairs, "--score", "F", "--score", "X").status == 2


def edited(folder, change):
    write(folder / "pairs.csv", [record | (change if record["model"] == "F" else {}) for record in RECORDS])


DAMAGED = {
    "a swapped sum": ({"pos_v": RECORDS[1]["pos_u"]}, "neg_v"),
    "a float": ({"pos_vv": "3.4842532e7"}, "in digits"),
    "other cases": ({"positives": 14, "negatives": 958}, "positives 14 and 13"),
    "a flag": ({"same_order": True}, "pos_vu"),
    "scores that are not the same": ({"same_scores": True}, "same_order"),
    "a better model": ({"pos_v": RECORDS[1]["pos_v"] + 2, "neg_v": RECORDS[1]["neg_v"] + 2}, "must be"),
    "names exchanged": ({"model": RECORDS[1]["baseline"], "baseline": RECORDS[1]["model"]}, "other whole numbers"),
    "no baseline": ({"baseline": ""}, "name of a model"),
    "no number": ({"neg_ddd": ""}, "in digits"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_an_edited_file_has_no_verdict(rocconf, tmp_path, pairs, name):
    change, words = DAMAGED[name]
    edited(tmp_path, change)
    ran = rocconf("compare", pairs, "--baseline", "S", "--require", "delta_auc[F] >= -0.9")
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err


@pytest.mark.parametrize(
    ("column", "na", "status"),
    [
        ("missing_labels", (), 2),
        ("missing_scores", (), 2),
        ("other_labels", (), 2),
        ("missing_labels", ("--na", "drop"), 0),
        ("missing_scores", ("--na", "drop"), 0),
        ("other_labels", ("--na", "drop"), 2),
    ],
)
def test_rows_that_a_query_left_out_are_an_error_unless_they_are_dropped(rocconf, tmp_path, pairs, column, na, status):
    left_out = dict.fromkeys(("missing_labels", "other_labels", "missing_scores"), 0) | {column: 3}
    write(tmp_path / pairs, [record | left_out for record in RECORDS])
    asked = ("compare", pairs, "--baseline", "S", "--require", "delta_auc[F] >= -0.5", "-o", "a.json", *na)
    ran = rocconf(*asked)
    assert ran.status == status, ran.err
    if status:
        assert f"3 rows ({column})" in ran.err
    else:
        assert json.loads((tmp_path / "a.json").read_text())["inputs"][0]["dropped"] == 3


def test_a_model_with_the_scores_of_its_baseline_is_compared_with_itself(rocconf, tmp_path, pairs):
    itself = {
        f"{name}_{key}": RECORDS[0][f"{name}_uu" if len(key) == 2 else f"{name}_u"]
        for name in ("pos", "neg")
        for key in ("v", "vv", "vu", "u", "uu")
    }
    flags = {"pos_ddd": 0, "neg_ddd": 0, "same_order": True, "same_scores": True}
    write(tmp_path / pairs, [RECORDS[0] | itself | flags])
    asked = ("compare", pairs, "--baseline", "S", "--require", "delta_auc >= -0.1")
    ran = rocconf(*asked, "-o", "a.json")
    assert ran.status == 3
    assert "compared-with-itself" in ran.err
    assert rocconf("gate", "a.json").status == 3
    assert rocconf(*asked, "--allow-identical").status == 0
    write(tmp_path / pairs, [RECORDS[0] | itself | flags | {"same_scores": False}])
    assert rocconf(*asked).status == 0  # the same order with other scores


def test_sums_in_floats_are_refused(rocconf, tmp_path):
    sums = [name for name in RECORDS[0] if name.startswith(("pos_", "neg_"))]
    large = [{key: value * 10**12 if key in sums else value for key, value in record.items()} for record in RECORDS]
    pl.DataFrame(large).with_columns(pl.col(sums).cast(pl.Float64)).write_parquet(tmp_path / "floats.parquet")
    ran = rocconf("compare", "floats.parquet", "--baseline", "S")
    assert ran.status == 2
    assert "is a column of floats" in ran.err


def test_sums_may_have_types_of_38_digits(rocconf, tmp_path, pairs):
    sums = [name for name in RECORDS[0] if name.startswith(("pos_", "neg_"))]
    typed = pl.read_csv(tmp_path / pairs).with_columns(pl.col(sums).cast(pl.Decimal(38, 0)))
    typed.write_parquet(tmp_path / "typed.parquet")
    answers = [
        json.loads(rocconf("compare", file, "--baseline", "S", "--format", "json", "-q").out)["tables"]
        for file in (pairs, "typed.parquet")
    ]
    assert answers[0] == answers[1]
