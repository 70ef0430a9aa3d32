"""`rocconf sensibility`, as a process: the paper's Table 1, the flu story, and the contract of its keys."""

import csv
import io
import json

import pytest
from conftest import SAMPLE_DATA

FLU, DEFINITION = SAMPLE_DATA / "flu.csv", SAMPLE_DATA / "flu_definition.csv"
FEW = ("--permutations", "49", "--bootstrap", "0")


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("midpoint", ["0.56", "half", "fixed"])
def test_the_papers_table_1_gives_its_printed_numbers(rocconf, table1, midpoint):
    ran = rocconf("sensibility", table1, "--midpoint", midpoint, "--thresholds", "0.35", "--format", "json", "--all")
    answer = json.loads(ran.out)
    assert ran.status == 0
    assert (answer["summary"]["sensible"], answer["summary"]["non_sensible"]) == (8, 2)
    assert answer["summary"]["struggle_ratio"] == 0.25
    assert answer["rows"][-1] == {
        "model": "score",
        "threshold": 0.35,
        "sensibility": 0.875,
        "capability": 0.5,
        "accuracy": 0.8,
    }


def test_the_keys_are_the_contract(rocconf, table1):
    ran = rocconf("sensibility", table1, "--format", "csv")
    assert ran.out.splitlines()[0] == "model,threshold,sensibility,capability,accuracy"
    assert len(rows_of(ran.out)) == 11
    answer = json.loads(rocconf("sensibility", table1, "--reference", FLU, *FEW, "--format", "json", "--all").out)
    assert answer["schema"] == "rocconf/sensibility/3"
    assert list(answer["tables"]) == ["models", "drift", "windows", "martingales"]
    assert list(answer["summary"]) == [
        *("model", "n", "positives", "negatives", "prevalence"),
        *("auc", "auc_lower", "auc_upper", "auc_se", "auc_df", "level", "interval"),
        *("thresholds", "midpoint", "midpoint_method", "sensible", "non_sensible"),
        *("struggle_ratio", "struggle_ratio_lower", "struggle_ratio_upper"),
        *("drift_p", "drift_within_p", "drift_statistic", "drift_conclusion", "drift_alarm"),
    ]
    assert list(answer["tables"]["drift"][0]) == ["model", "statistic", "value", "p", "p_adjusted", "meaning"]
    assert [row["statistic"] for row in answer["tables"]["drift"]] == [
        *("D_joint", "D_sens", "D_cap", "prevalence", "within_class_ks", "auc")
    ]


def test_every_missing_value_has_its_reason(rocconf, tmp_path, table1):
    (tmp_path / "perfect.csv").write_text("label,score\n1,0.9\n0,0.1\n", encoding="utf-8")
    for arguments in ([table1], ["perfect.csv"], ["perfect.csv", "--reference", table1, *FEW]):
        answer = json.loads(rocconf("sensibility", *arguments, "--format", "json", "--all").out)
        tables = {**answer["tables"], "rows": answer["rows"]}
        missing = {
            (name, row, key)
            for name, rows in tables.items()
            for row, record in enumerate(rows)
            for key, value in record.items()
            if value is None
        }
        # a column without a value says why once, for the row null
        assert missing == {
            (each["table"], row, each["key"])
            for each in answer["undefined"]
            for row in (range(len(tables[each["table"]])) if each["row"] is None else [each["row"]])
            if each["reason"]
        }


def test_a_new_definition_of_the_class_is_found_where_the_area_shows_nothing(rocconf):
    answer = json.loads(rocconf("sensibility", DEFINITION, "--reference", FLU, "--format", "json", "--all").out)
    assert answer["summary"]["drift_conclusion"] == "prevalence changed, scores within the classes changed"
    assert answer["summary"]["drift_p"] == 0.001
    found = {row["statistic"]: row for row in answer["tables"]["drift"]}
    assert found["D_sens"]["p_adjusted"] <= 0.01
    assert found["auc"]["p"] > 0.5
    assert [(source["role"], source["name"]) for source in answer["inputs"]] == [
        ("data", str(DEFINITION)),
        ("reference", str(FLU)),
    ]


def test_the_same_domain_shows_no_change(rocconf):
    ran = rocconf("sensibility", SAMPLE_DATA / "flu_same.csv", "--reference", FLU, "--format", "json", "--all")
    assert json.loads(ran.out)["summary"]["drift_conclusion"] == "no evidence of change"


def test_a_file_compared_with_itself_is_a_warning(rocconf):
    ran = rocconf("sensibility", FLU, "--reference", FLU, *FEW)
    assert ran.status == 0
    assert "warning: score: the reference has the same scores" in ran.err


def test_models_find_their_reference_by_name(rocconf, tmp_path):
    for name in ("old.csv", "new.csv"):
        (tmp_path / name).write_text("label,a,b\n1,.9,.8\n0,.2,.4\n1,.4,.7\n0,.6,.1\n", encoding="utf-8")
    (tmp_path / "other.csv").write_text("label,a,c\n1,.9,.8\n0,.2,.4\n", encoding="utf-8")
    two = ("sensibility", "new.csv", "--score", "a", "--score", "b", *FEW)
    answer = json.loads(rocconf(*two, "--reference", "old.csv", "--format", "json", "--all").out)
    assert [model["model"] for model in answer["tables"]["models"]] == ["a", "b"]
    assert len(answer["tables"]["drift"]) == 12
    lacking = rocconf(*two, "--reference", "other.csv")
    assert (lacking.status, lacking.out) == (2, "")
    assert "other.csv: no column 'b'" in lacking.err


def test_scores_outside_0_and_1_are_refused_by_naming_rescale(rocconf, tmp_path):
    (tmp_path / "logits.csv").write_text("label,score\n1,3\n0,-2\n1,0.5\n0,1\n", encoding="utf-8")
    refused = rocconf("sensibility", "logits.csv")
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == (
        "rocconf: score: sensibility needs scores in [0, 1] (found -2 to 3); --rescale rescales them\n"
    )
    stretched = rocconf("sensibility", "logits.csv", "--rescale", "--format", "json", "--all")
    assert [row["threshold"] for row in json.loads(stretched.out)["rows"]] == [None, 1, 0.6, 0.5, 0]
    assert "scores from -2 to 3 were rescaled to [0, 1]" in stretched.err


def test_a_midpoint_outside_the_scores_is_warned_about(rocconf):
    ran = rocconf("sensibility", SAMPLE_DATA / "dis.csv", "--score", "B", "--format", "json", "--all")
    assert json.loads(ran.out)["summary"]["midpoint"] == pytest.approx(2.67, abs=0.005)
    assert "(2.411e-87 to 0.9842): try --midpoint fixed" in ran.err
    ran = rocconf("sensibility", SAMPLE_DATA / "dis.csv", "--score", "B", "--midpoint", "fixed")
    assert "lies outside the scores" not in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--midpoint", "middle"], "no midpoint 'middle' (a midpoint is half, fixed, class-mean, overall-mean or a"),
        (["--bootstrap", "-1"], "'--bootstrap': -1 is not in the range x>=0"),
        (["--seed", "-1"], "'--seed': -1 is not in the range x>=0"),
        (["--permutations", "0", "--reference", "x.csv"], "'--permutations': 0 is not in the range x>=1"),
        (["--permutations", "99"], "--permutations needs --reference"),
        (["--plot", "drift:a.png"], "--plot drift:a.png needs --reference"),
        (["-o", "drift:a.csv"], "-o drift:a.csv needs --reference"),
        (["--reference", "missing.csv"], "missing.csv"),
        (["--plot", "roc:a.png.x"], "--plot: sensibility has no figure 'roc', which is one of sweep, compare"),
        (["--level", "95"], "a level must be between 0 and 1"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_meaningless_option_is_told_and_ends_with_2(rocconf, tmp_path, table1, arguments, message):
    ran = rocconf("sensibility", table1, *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err
    assert list(tmp_path.iterdir()) == []


def test_the_reference_is_never_overwritten(rocconf, tmp_path):
    (tmp_path / "old.csv").write_bytes(FLU.read_bytes())
    ran = rocconf("sensibility", DEFINITION, "--reference", "old.csv", "-o", "old.csv")
    assert (ran.status, ran.out) == (2, "")
    assert "would overwrite" in ran.err
    assert (tmp_path / "old.csv").read_bytes() == FLU.read_bytes()


@pytest.mark.thorough
def test_the_same_seed_gives_the_same_bytes_and_another_does_not(rocconf, tmp_path):
    names = ("a.json", "a.png", "b.svg")
    arguments = ("sensibility", DEFINITION, "--reference", FLU, "--permutations", "49", "--bootstrap", "20", "-q")
    outputs = ("-o", "a.json", "--plot", "a.png", "--plot", "drift:b.svg")
    made = []
    for seed in ("1", "1", "2"):
        rocconf(*arguments, *outputs, "--seed", seed)
        made.append([(tmp_path / name).read_bytes() for name in names])
    assert made[0] == made[1]
    assert made[0][0] != made[2][0]


def test_a_table_can_be_written_to_its_own_file(rocconf, tmp_path):
    rocconf("sensibility", DEFINITION, "--reference", FLU, *FEW, "-o", "drift:drift.csv", "-o", "summary:sum.csv")
    (auc,) = [row for row in rows_of((tmp_path / "drift.csv").read_text(encoding="utf-8")) if row["statistic"] == "auc"]
    assert auc["p_adjusted"] == ""
    assert auc["meaning"].startswith("no evidence that the ranking moved: AUC 0.806 here, 0.803 in the reference")
    (summary,) = rows_of((tmp_path / "sum.csv").read_text(encoding="utf-8"))
    assert summary["drift_conclusion"].startswith("prevalence changed")


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_a_table_fits_its_terminal_and_keeps_the_meaning_if_it_can(rocconf, width):
    ran = rocconf(
        *("sensibility", DEFINITION, "--reference", FLU, *FEW, "--format", "table", "--all", "-q"),
        env={"COLUMNS": str(width)},
    )
    assert max(len(line) for line in ran.out.splitlines()) <= width
    assert ("in the reference" in " ".join(ran.out.split())) == (width > 60)
    assert ("-o drift:FILE.csv" in ran.out) == (width == 60)


def test_help_says_that_the_reference_must_be_held_out(rocconf):
    text = " ".join(rocconf("sensibility", "--help").out.split())
    assert "must be held out" in text
    assert "independent" in text
