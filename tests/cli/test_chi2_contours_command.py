"""`rocconf chi2-contours`, as a process: scores, class totals alone, the contract of its keys, and bad input."""

import csv
import html
import io
import json

import pytest
from conftest import SAMPLE_DATA

ROW = ["tp", "fp", "fn", "tn", "tpr", "fpr", "chi2", "p", "p_method", "accuracy"]
HYPOTHYROID = [SAMPLE_DATA / "hypothyroid.csv", "--score", "F"]
TOTALS = ["--positives", "5", "--negatives", "55"]


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_keys_are_the_contract(rocconf, table1):
    answer = json.loads(rocconf("chi2-contours", table1, "--format", "json", "--all").out)
    assert answer["schema"] == "rocconf/chi2-contours/3"
    assert list(answer["rows"][0]) == ["model", "threshold", *ROW]
    assert list(answer["tables"]) == ["models", "contours", "operating_points", "points"]
    assert list(answer["tables"]["contours"][0]) == ["model", "chi2", "branch", "fpr", "tpr"]
    assert list(answer["tables"]["operating_points"][0]) == ["model", "rule", "threshold", "in_sample", "tied", *ROW]
    assert list(answer["summary"]) == [
        *("model", "n", "positives", "negatives", "prevalence"),
        *("auc", "auc_lower", "auc_upper", "auc_se", "auc_df", "level", "interval"),
        *("thresholds", "null_point", "max_chi2", "max_chi2_threshold", "max_chi2_p"),
    ]
    assert answer["options"]["permutations"] == 999
    assert answer["options"]["seed"] == 1


def test_csv_in_a_pipe_is_the_rows(rocconf, table1):
    ran = rocconf("chi2-contours", table1, "--format", "csv")
    rows = rows_of(ran.out)
    assert ran.out.splitlines()[0].split(",") == ["model", "threshold", *ROW]
    assert len(rows) == 11
    assert rows[0]["threshold"] == ""
    best = max(rows, key=lambda row: float(row["chi2"]))
    # tp 5, fp 2 of 5 and 5: 10 * (5*5 - 2*5)^2 / (5*5*7*3); Fisher 1/12
    assert float(best["chi2"]) == pytest.approx(10 * 225 / 525)
    assert float(best["p"]) == pytest.approx(1 / 6)
    assert "max_chi2_p=" in ran.err


def test_the_largest_chi2_is_told_apart_from_a_single_test(rocconf):
    ran = rocconf("chi2-contours", *HYPOTHYROID, "--format", "json", "--all")
    answer = json.loads(ran.out)
    assert answer["summary"]["max_chi2_p"] == 0.001
    assert "does not test it" in ran.err
    assert {caveat["code"] for caveat in answer["caveats"]} == {"in-sample", "largest-of-many"}


def test_the_seed_decides_the_p(rocconf):
    arguments = [SAMPLE_DATA / "spect.csv", "--score", "S", "--permutations", "99", "--format", "json", "--all"]
    ps = [
        json.loads(rocconf("chi2-contours", *arguments, "--seed", seed).out)["summary"]["max_chi2_p"]
        for seed in ("3", "3", "4", "5")
    ]
    assert ps[0] == ps[1]
    assert all(1 / 100 <= p <= 1 for p in ps)


def test_class_totals_alone_give_the_contours(rocconf, tmp_path):
    ran = rocconf("chi2-contours", *TOTALS, "--format", "csv", "-o", "contours:c.csv")
    assert ran.status == 0
    assert rows_of(ran.out) == []
    assert "-o contours:FILE.csv" in ran.err
    contours = rows_of((tmp_path / "c.csv").read_text(encoding="utf-8"))
    assert len(contours) == 3 * 2 * 201
    first = contours[0]
    assert (first["branch"], first["fpr"]) == ("upper", "0.0")
    assert float(first["tpr"]) == pytest.approx(0.069441, abs=1e-6)


def test_people_see_where_the_contours_of_class_totals_lie(rocconf):
    out = rocconf("chi2-contours", *TOTALS, "--format", "table", "--all").out
    assert "null point  0.0833" in out
    assert "0.5492  1.0000" in out
    short = rocconf("chi2-contours", *TOTALS, "--format", "table")
    assert short.out.startswith("contours for 5 positives and 55 negatives: chi2 3.841 (p 0.05)")
    assert "-o contours:FILE.csv" in short.err


def test_every_missing_value_has_its_reason(rocconf, table1):
    for arguments in (TOTALS, [table1]):
        answer = json.loads(rocconf("chi2-contours", *arguments, "--format", "json", "--all").out)
        tables = {**answer["tables"], "rows": answer["rows"]}
        missing = {
            (name, row, key)
            for name, rows in tables.items()
            for row, record in enumerate(rows)
            for key, value in record.items()
            if value is None
        }
        assert missing == {(gap["table"], gap["row"], gap["key"]) for gap in answer["undefined"] if gap["reason"]}


def test_levels_are_given_as_chi2_or_as_significance(rocconf, tmp_path):
    for arguments, levels in (
        (["--levels", "20,3.84"], [3.84, 20.0]),
        (["--significance", "0.05"], [pytest.approx(3.841458820694124)]),
    ):
        rocconf("chi2-contours", *TOTALS, "-q", *arguments, "-o", "contours:c.json")
        contours = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
        assert list(dict.fromkeys(row["chi2"] for row in contours)) == levels


def test_costs_add_the_cheapest_operating_point(rocconf):
    ran = rocconf(
        "chi2-contours", *HYPOTHYROID, "--cost", "1:10", "--at", "fpr<=0.01", "--format", "json", "--all", "-q"
    )
    points = json.loads(ran.out)["tables"]["operating_points"]
    assert [point["rule"] for point in points] == ["chi2", "fpr<=0.01", "cost=1:10"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "arguments",
    [
        [*TOTALS, "--accuracy-contours"],
        [*TOTALS, "--accuracy-contours", "0.5,0.6,0.7,0.8,0.9"],
        ["--accuracy-contours", *TOTALS],
    ],
    ids=["bare", "listed", "before another option"],
)
def test_accuracies_need_no_list(rocconf, tmp_path, arguments):
    ran = rocconf("chi2-contours", *arguments, "-q", "--plot", "c.svg")
    assert (ran.status, ran.err) == (0, "")
    assert '"accuracy_contours": [0.5, 0.6, 0.7, 0.8, 0.9]' in unescaped(tmp_path / "c.svg")


def test_accuracies_do_not_take_a_file_for_their_list(rocconf, tmp_path):
    ran = rocconf(
        *("chi2-contours", "--accuracy-contours", *HYPOTHYROID, "--score", "B", "--cost", "1:10"),
        *("--at", "fpr<=0.01", "--levels", "20", "-q", "--plot", "c.svg"),
    )
    assert (ran.status, ran.err) == (0, "")
    described = unescaped(tmp_path / "c.svg")
    assert '"accuracy_contours": [0.5, 0.6, 0.7, 0.8, 0.9], "cost": "1:10"' in described
    assert '"at": ["chi2", "fpr<=0.01", "cost=1:10"]' in described


def unescaped(path):
    return html.unescape(path.read_text(encoding="utf-8"))


def test_a_threshold_is_chosen_on_another_file(rocconf, tmp_path, table1):
    (tmp_path / "held.csv").write_text("label,score\n1,0.75\n1,0.72\n0,0.7\n0,0.2\n", encoding="utf-8")
    answer = json.loads(rocconf("chi2-contours", table1, "--choose-on", "held.csv", "--format", "json", "--all").out)
    (point,) = answer["tables"]["operating_points"]
    assert (point["threshold"], point["in_sample"]) == (0.72, False)
    assert [source["role"] for source in answer["inputs"]] == ["data", "choose_on"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give a FILE, or the class totals alone"),
        (["--positives", "5"], "give a FILE, or the class totals alone"),
        (["--positives", "0", "--negatives", "55"], "at least one case of each class (found 0 positives)"),
        (["--positives", "-1", "--negatives", "55"], "at least one case of each class (found -1 positives)"),
        (["--positives", "5.5", "--negatives", "55"], "5.5"),
        ([*TOTALS, "--levels", "60"], "no contour for a chi2 of 60, as none exceeds n = 60"),
        ([*TOTALS, "--levels", "0"], "a level of chi2 must be positive and finite, not 0"),
        ([*TOTALS, "--levels", "-3"], "a level of chi2 must be positive and finite, not -3"),
        ([*TOTALS, "--levels", "nan"], "a level of chi2 must be positive and finite, not nan"),
        ([*TOTALS, "--levels", "many"], "--levels takes numbers like 0.5,0.9, not 'many'"),
        ([*TOTALS, "--significance", "5"], "a significance must be between 0 and 1, not 5"),
        ([*TOTALS, "--levels", "4", "--significance", "0.05"], "contradict each other"),
        ([*TOTALS, "--cost", "1"], "FP:FN"),
        ([*TOTALS, "--cost", "1:20"], "--cost is for a figure that --plot does not request"),
        ([*TOTALS, "--accuracy-contours"], "--accuracy-contours is for a figure that --plot does not request"),
        ([*TOTALS, "--accuracy-contours", "90", "--plot", "a.png"], "must be between 0 and 1, not 90"),
        ([*TOTALS, "--at", "fpr<=0.1"], "--at needs scores: give a FILE"),
        ([*TOTALS, "--permutations", "9"], "--permutations needs scores: give a FILE"),
        ([*TOTALS, "--score", "F"], "--score needs scores: give a FILE"),
        ([*TOTALS, "--lower-is-positive"], "--lower-is-positive needs scores: give a FILE"),
        ([SAMPLE_DATA / "table1.csv", *TOTALS], "give either a FILE or --positives and --negatives"),
        ([SAMPLE_DATA / "table1.csv", "--permutations", "0"], "'--permutations': 0 is not in the range"),
        ([SAMPLE_DATA / "table1.csv", "--seed", "-1"], "'--seed': -1 is not in the range"),
        ([SAMPLE_DATA / "table1.csv", "--at", "best"], "no rule 'best'"),
        ([SAMPLE_DATA / "hypothyroid.csv"], "--score"),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else "",
)
def test_a_meaningless_request_is_told_and_ends_with_2(rocconf, tmp_path, arguments, message):
    ran = rocconf("chi2-contours", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("rocconf: ")
    assert message in ran.err
    assert list(tmp_path.iterdir()) == []


def test_one_class_has_no_chart(rocconf, tmp_path):
    (tmp_path / "ones.csv").write_text("label,score\n1,0.9\n1,0.8\n", encoding="utf-8")
    ran = rocconf("chi2-contours", "ones.csv")
    assert (ran.status, ran.out) == (2, "")
    assert "both classes are needed" in ran.err


def test_files_of_different_class_totals_share_a_table_but_no_chart(rocconf, tmp_path, table1):
    (tmp_path / "other.csv").write_text("label,score\n1,0.9\n0,0.8\n1,0.7\n0,0.1\n", encoding="utf-8")
    assert rocconf("chi2-contours", table1, "other.csv").status == 0
    ran = rocconf("chi2-contours", table1, "other.csv", "-o", "a.csv", "--plot", "a.png")
    assert (ran.status, ran.out) == (2, "")
    assert "found: 5 and 5, 2 and 2" in ran.err
    assert not (tmp_path / "a.csv").exists()


def test_help_is_enough_to_use_it(rocconf):
    out = rocconf("chi2-contours", "--help").out
    for said in ("--positives", "--significance", "--accuracy-contours", "[LIST]", "FP:FN", "3.84 is no limit"):
        assert said in out


@pytest.mark.parametrize(
    ("rule", "status"),
    [
        ("max_chi2_p <= 0.01", 0),
        ("max_chi2_p > 0.01", 1),
        ("max_chi2 >= 3.84", 2),
        ("auc >= 0.97", 3),
        ("tpr@threshold=0.3 >= 0.8", 0),
    ],
)
def test_a_rule_is_judged(rocconf, rule, status):
    ran = rocconf("chi2-contours", *HYPOTHYROID, "--require", rule, "--format", "json", "--all")
    assert ran.status == status
    if status == 2:  # the largest of many is no statistic to hold against a limit
        assert "did you mean 'max_chi2_p'" in ran.err
        return
    (gate,) = json.loads(ran.out)["gates"]
    assert gate["command"] == "chi2-contours"


def test_a_rule_below_what_permutations_reach_is_refused(rocconf):
    ran = rocconf("chi2-contours", *HYPOTHYROID, "--require", "max_chi2_p <= 0.001", "--permutations", "99")
    assert (ran.status, ran.out) == (2, "")
    assert "the least p of 99 permutations is 1/100" in ran.err


def test_class_totals_alone_cannot_be_judged(rocconf, tmp_path):
    ran = rocconf("chi2-contours", *TOTALS, "--require", "max_chi2_p <= 0.05")
    assert (ran.status, ran.out) == (2, "")
    assert "rules need scores: give a FILE" in ran.err
    gate = '[[gate]]\ncommand = "chi2-contours"\nmetric = "max_chi2_p"\nop = "<="\nvalue = 0.05\n'
    (tmp_path / "rocconf.toml").write_text(f'[data]\nlabel = "y"\n{gate}', encoding="utf-8")
    assert rocconf("chi2-contours", *TOTALS).status == 2
    assert rocconf("chi2-contours", *TOTALS, "--isolated").status == 0


def test_rows_and_intervals_are_those_asked_for(rocconf, table1):
    arguments = ["--thresholds", "0.5", "--level", "0.8", "--permutations", "99", "--seed", "7"]
    answer = json.loads(rocconf("chi2-contours", table1, *arguments, "--format", "json", "--all").out)
    assert [row["threshold"] for row in answer["rows"]] == [None, 0.5]
    assert (answer["summary"]["thresholds"], answer["summary"]["level"]) == (2, 0.8)
    assert (answer["options"]["permutations"], answer["options"]["seed"]) == (99, 7)
    assert answer["summary"]["max_chi2_p"] * 100 == pytest.approx(round(answer["summary"]["max_chi2_p"] * 100))
