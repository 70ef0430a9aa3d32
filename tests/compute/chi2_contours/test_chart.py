"""Bradley's chart: contours for class totals, and a model's thresholds beside them."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from rocconf.answer import Answer
from rocconf.compute.chi2_contours import ClassTotals, chi2_contours, contour_levels
from rocconf.compute.roc.counts import count
from rocconf.errors import UndefinedError, UsageError
from rocconf.records import Predictions, ScoreCounts, Source

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "bradley_1996.json").read_text())["bradley"]

ROWS = [
    "model", "threshold", "tp", "fp", "fn", "tn", "tpr", "fpr", "chi2", "p", "p_method", "accuracy",
]  # fmt: skip
SUMMARY = [
    "model", "n", "positives", "negatives", "prevalence", "auc", "auc_lower", "auc_upper", "auc_se", "auc_df", "level", "interval",
    "thresholds", "null_point", "max_chi2", "max_chi2_threshold", "max_chi2_p",
]  # fmt: skip
POINTS = ["model", "rule", "threshold", "in_sample", "tied", *ROWS[2:]]

TOTALS = ClassTotals(5, 55)


def example(seed=2, n=60, share=0.3, skill=1.0):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < share
    labels[:2] = True, False
    return count(Predictions(labels, {"score": np.round(rng.normal(size=n) + skill * labels, 1)}))


@st.composite
def score_counts(draw):
    sizes = draw(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=25))
    positives, negatives = map(np.array, zip(*sizes, strict=True))
    positives[0] += 1
    negatives[-1] += 1
    return ScoreCounts.of(np.arange(len(sizes)), positives, negatives)


def codes(result):
    return [caveat.code for caveat in result.caveats]


@pytest.mark.parametrize("result", [chi2_contours(example()), chi2_contours(TOTALS)], ids=["scores", "totals"])
def test_tables_have_stable_names_and_keys(result):
    assert result.table_names == ("rows", "models", "contours", "operating_points", "points")
    assert [result.table(name).name for name in result.table_names] == list(result.table_names)
    assert list(result.table().names) == ROWS
    assert list(result.table("models").names) == SUMMARY
    assert list(result.table("contours").names) == ["model", "chi2", "branch", "fpr", "tpr"]
    assert list(result.table("operating_points").names) == POINTS
    assert result.to_dict()["schema"] == "rocconf/chi2-contours/3"


@given(score_counts())
def test_rows_match_their_definition(counts):
    table = chi2_contours(counts, permutations=1).table()
    assert len(table) == len(counts) + 1
    for row, threshold in zip(table.records(), counts.thresholds, strict=True):
        taken = counts.scores >= threshold
        assert (row["tp"], row["fp"]) == (counts.positives[taken].sum(), counts.negatives[taken].sum())
        assert (row["tp"] + row["fn"], row["fp"] + row["tn"]) == (counts.p, counts.q)
        assert row["accuracy"] == pytest.approx((row["tp"] + row["tn"]) / counts.n)


@given(score_counts())
def test_the_maximum_is_the_largest_chi2_of_the_rows_on_or_above_the_diagonal(counts):
    result = chi2_contours(counts, permutations=1)
    above = [row for row in result.table().records() if row["tp"] * counts.q >= row["fp"] * counts.p]
    best = max(above, key=lambda row: exact_chi2(row, counts))
    summary = result.summary()
    assert summary["max_chi2"] == pytest.approx(best["chi2"], rel=1e-12)
    assert exact_chi2(best, counts) == exact_chi2(at_threshold(above, summary["max_chi2_threshold"]), counts)


def exact_chi2(row, counts):
    flagged, over = row["tp"] + row["fp"], row["tp"] * counts.q - row["fp"] * counts.p
    return Fraction(over * over, flagged * (counts.n - flagged)) if 0 < flagged < counts.n else Fraction(0)


def at_threshold(rows, threshold):
    return next(row for row in rows if row["threshold"] == threshold)


def test_a_threshold_worse_than_chance_is_never_the_maximum():
    worse = chi2_contours(ScoreCounts.of([3, 2, 1], [0, 1, 9], [9, 1, 0]))
    assert worse.table()["chi2"].max() > 10
    assert worse.summary()["max_chi2"] == 0
    assert worse.summary()["max_chi2_threshold"] is None
    reasons = {gap["key"]: gap["reason"] for gap in worse.to_dict()["undefined"] if gap["table"] == "models"}
    assert reasons["max_chi2_threshold"] == "nothing is predicted positive"


def test_the_first_row_predicts_nothing_positive():
    first = chi2_contours(example()).table().records()[0]
    assert (first["threshold"], first["tp"], first["fp"]) == (None, 0, 0)
    assert (first["chi2"], first["p"], first["p_method"]) == (0, 1, "fisher")


def test_every_row_names_the_test_of_its_p():
    methods = set(chi2_contours(example(n=200)).table()["p_method"])
    assert methods == {"chi2", "fisher"}


def test_thresholds_affect_the_rows_but_not_the_maximum():
    counts = example()
    few, all_ = chi2_contours(counts, thresholds="quantiles:3"), chi2_contours(counts)
    assert len(few.table()) == few.summary()["thresholds"] == 4
    for key in ("max_chi2", "max_chi2_threshold", "max_chi2_p", "auc"):
        assert few.summary()[key] == all_.summary()[key]


@examples(20)
@given(score_counts())
def test_lower_is_positive_equals_negated_scores(counts):
    turned = ScoreCounts.of(-counts.scores, counts.positives, counts.negatives, lower_is_positive=True)
    ours, theirs = (chi2_contours(each, permutations=19).table() for each in (counts, turned))
    for key in ("tp", "fp", "chi2", "p"):
        np.testing.assert_array_equal(ours[key], theirs[key])
    np.testing.assert_array_equal(ours["threshold"], -theirs["threshold"])


def test_default_levels_are_those_of_the_paper():
    expected = [REFERENCE["critical_values"][key] for key in ("0.05", "0.01", "0.005")]
    assert chi2_contours(TOTALS).levels == pytest.approx(expected, rel=1e-12)
    assert chi2_contours(TOTALS, significance=[0.01]).levels == pytest.approx(expected[1:2], rel=1e-12)


def test_contours_hold_both_branches_of_every_level_in_ascending_order():
    table = chi2_contours(TOTALS, levels=[20, 3.84, 20]).table("contours")
    kinds = list(dict.fromkeys(zip(table["chi2"].tolist(), table["branch"], strict=True)))
    assert kinds == [(3.84, "upper"), (3.84, "lower"), (20, "upper"), (20, "lower")]
    assert set(table["model"]) == {"class totals"}


def test_contours_of_scores_are_those_of_their_class_totals():
    counts = example()
    alone, with_scores = chi2_contours(ClassTotals(counts.p, counts.q)), chi2_contours(counts)
    for key in ("chi2", "fpr", "tpr"):
        np.testing.assert_array_equal(alone.table("contours")[key], with_scores.table("contours")[key])


def test_class_totals_alone_have_no_rows_and_a_reason_for_what_is_missing():
    result = chi2_contours(TOTALS)
    assert len(result.table()) == 0
    summary = result.summary()
    assert (summary["n"], summary["positives"], summary["negatives"], summary["thresholds"]) == (60, 5, 55, 0)
    assert summary["null_point"] == summary["prevalence"] == 5 / 60
    missing = {key for key, value in summary.items() if value is None}
    answer = result.to_dict(rows=True)
    reasons = {gap["key"]: gap["reason"] for gap in answer["undefined"]}
    assert reasons.keys() == missing
    assert set(reasons.values()) == {"class totals alone have no scores"}
    assert (answer["rows"], answer["inputs"]) == ([], [])
    assert answer["options"]["positives"] == 5
    json.dumps(answer, allow_nan=False)


def test_class_totals_alone_have_no_thresholds_to_choose_from():
    with pytest.raises(UsageError, match="class totals alone"):
        chi2_contours(TOTALS, at=["fpr<=0.1"])
    with pytest.raises(UsageError, match="class totals alone"):
        chi2_contours(TOTALS, choose_on=example())


def test_class_totals_alone_have_no_counts_to_judge():
    with pytest.raises(UsageError, match="class totals alone have no scores"):
        _ = chi2_contours(TOTALS).counts


def test_all_p_values_of_a_result_are_computed_alike(monkeypatch):
    monkeypatch.setattr("rocconf.compute.stats.normal.WORTH_LOADING", 5)
    result = chi2_contours(example(n=400), at=[f"fpr<={k / 40}" for k in range(1, 40)])
    rows = {row["threshold"]: row["p"] for row in result.table().records()}
    points = result.table("operating_points").records()
    assert [point["p"] for point in points] == [rows[point["threshold"]] for point in points]


def test_levels_above_n_have_a_warning_and_the_others_a_contour():
    result = chi2_contours(ClassTotals(3, 3))
    assert set(result.table("contours")["chi2"]) == {result.levels[0]}
    [caveat] = [caveat for caveat in result.caveats if caveat.code == "no-contour"]
    assert "6.635, 7.879" in caveat.text()
    assert "none exceeds n = 6" in caveat.text()


def test_class_totals_without_a_single_contour_are_an_error():
    with pytest.raises(UndefinedError, match="no contour for a chi2 of 60, as none exceeds n = 60"):
        chi2_contours(TOTALS, levels=[60])


def test_scores_without_a_single_contour_still_have_a_result():
    result = chi2_contours(example(n=60), levels=[60, 1000])
    assert len(result.table("contours")) == 0
    assert len(result.table()) > 1
    assert "no-contour" in codes(result)


@pytest.mark.parametrize("levels", [[0], [-1.0], [float("nan")], [float("inf")], [3.84, 0]])
def test_levels_that_are_not_positive_are_rejected(levels):
    with pytest.raises(UsageError, match="positive and finite"):
        chi2_contours(TOTALS, levels=levels)


def test_an_empty_list_of_levels_is_rejected():
    for nothing in ({"levels": []}, {"significance": []}):
        with pytest.raises(UsageError, match="at least one level"):
            chi2_contours(TOTALS, **nothing)


def test_levels_and_significance_exclude_each_other():
    with pytest.raises(UsageError, match="levels and significance contradict"):
        contour_levels([4], [0.05])


def test_one_class_has_no_chart():
    with pytest.raises(UndefinedError, match="at least one case of each class"):
        chi2_contours(ScoreCounts.of([0.5, 0.2], [3, 1], [0, 0]))


def test_small_classes_have_a_warning_that_contours_show_no_significance():
    assert "small-expected" in codes(chi2_contours(TOTALS))
    assert "small-expected" in codes(chi2_contours(ClassTotals(9, 10**6)))
    assert "small-expected" not in codes(chi2_contours(ClassTotals(10, 10)))  # 10 of 20 positive: 5 expected
    assert "small-expected" in codes(chi2_contours(ClassTotals(10, 11)))  # n odd: 10/21 of 10 at best


def test_the_caveat_of_small_expected_counts_is_true():
    for p, q in [(5, 55), (9, 400), (10, 10), (10, 11), (11, 11), (11, 12)]:
        counts = ScoreCounts.of(np.arange(p + q), [1] * p + [0] * q, [0] * p + [1] * q)
        result = chi2_contours(counts, permutations=1)
        assert ("small-expected" in codes(result)) == (set(result.table()["p_method"]) == {"fisher"})


def test_the_largest_of_many_is_distinguished_from_a_single_test():
    result = chi2_contours(example())
    [caveat] = [caveat for caveat in result.caveats if caveat.code == "largest-of-many"]
    assert "does not test it" in caveat.text()
    assert caveat.text().endswith(f"max_chi2_p, {result.summary()['max_chi2_p']:.3g}")
    assert "in-sample" in codes(result)


def test_a_p_too_small_for_a_float_is_not_called_0():
    perfect = chi2_contours(ScoreCounts.of([1, 0], [5000, 0], [0, 5000]))
    assert any("its own p, below 1e-307, does" in caveat.text() for caveat in perfect.caveats)
    ordinary = chi2_contours(ScoreCounts.of([2, 1, 0], [9, 3, 1], [2, 4, 8]), permutations=9)
    (row,) = (row for row in ordinary.table("operating_points").records() if row["rule"] == "chi2")
    assert any(f"its own p, {row['p']:.3g}, does" in caveat.text() for caveat in ordinary.caveats)


def test_the_largest_chi2_is_the_first_operating_point_and_rules_are_not_repeated():
    rules = ["fpr<=0.1", "chi2", "cost=1:10", "fpr<=0.10"]
    result = chi2_contours(example(), at=rules)
    points = result.table("operating_points").records()
    assert [point["rule"] for point in points] == ["chi2", "fpr<=0.1", "cost=1:10"]
    assert points[0]["chi2"] == result.summary()["max_chi2"]
    assert points[0]["threshold"] == result.summary()["max_chi2_threshold"]
    assert all(point["in_sample"] for point in points)


def test_operating_points_are_rows_of_the_table():
    result = chi2_contours(example(), at=["fpr<=0.2", "cost=1:3"])
    rows = {row["threshold"]: row for row in result.table().records()}
    for point in result.table("operating_points").records():
        assert {key: point[key] for key in ROWS} == rows[point["threshold"]]


def test_operating_points_chosen_on_other_cases_are_not_in_sample():
    result = chi2_contours(example(seed=3), at=["fpr<=0.2"], choose_on=example(seed=4))
    assert not any(point["in_sample"] for point in result.table("operating_points").records())
    assert "in-sample" not in codes(result)
    assert result.summary()["max_chi2"] == chi2_contours(example(seed=3)).summary()["max_chi2"]


def test_the_significance_of_a_level_is_its_p_at_one_threshold():
    assert chi2_contours(TOTALS).significance == pytest.approx([0.05, 0.01, 0.005])
    assert len(chi2_contours(TOTALS, levels=[20, 100]).significance) == 1


def test_options_reproduce_the_permutation_p():
    counts = example(skill=0.2)
    asked = chi2_contours(counts, permutations=199, seed=11)
    assert (asked.options["permutations"], asked.options["seed"]) == (199, 11)
    p = asked.summary()["max_chi2_p"]
    assert chi2_contours(counts, permutations=199, seed=11).summary()["max_chi2_p"] == p
    others = {chi2_contours(counts, permutations=199, seed=seed).summary()["max_chi2_p"] for seed in range(5)}
    assert others != {p}


def test_progress_counts_every_permutation():
    told = []
    chi2_contours(example(), permutations=300, progress=told.append)
    assert sum(told) == 300


def test_the_level_is_that_of_the_auc_interval():
    narrow, wide = (chi2_contours(example(), level=level).summary() for level in (0.8, 0.99))
    assert (narrow["level"], wide["level"]) == (0.8, 0.99)
    assert wide["auc_lower"] < narrow["auc_lower"] < narrow["auc_upper"] < wide["auc_upper"]


def test_a_p_that_cannot_be_permuted_is_missing_with_a_reason():
    huge = ScoreCounts.of([2, 1], [10**9, 10], [10, 10**9])
    result = chi2_contours(huge)
    assert result.summary()["max_chi2_p"] is None
    reasons = {gap["key"]: gap["reason"] for gap in result.to_dict()["undefined"] if gap["table"] == "models"}
    assert "too many cases" in reasons["max_chi2_p"]
    assert "max_chi2_p" not in result.caveats[-1].text()


def test_cases_to_choose_on_are_named_among_the_sources():
    there, here = (Source(name, 60, 20, 40, "1") for name in ("there", "here"))
    result = chi2_contours(replace(example(), sources=(here,)), choose_on=replace(example(seed=3), sources=(there,)))
    assert result.sources == (here, replace(there, role="choose_on"))


def test_two_models_stack():
    one, other = chi2_contours(example()), chi2_contours(example(skill=0.2))
    answer = Answer((one, other))
    assert len(answer.table("models")) == 2
    assert len(answer.table("contours")) == 2 * len(one.table("contours"))


def test_without_scores_the_contours_are_shown_from_edge_to_edge():
    result = chi2_contours(TOTALS)
    assert result.shown == ("contours",)
    branches = result.table("contours").to_frame().groupby(["chi2", "branch"])[["fpr", "tpr"]]
    ends = pd.concat([branches.head(1), branches.tail(1)])
    assert len(ends) == 12
    assert (ends.isin([0.0, 1.0]).sum(axis=1) == 1).all()
    assert chi2_contours(example()).shown == ("operating_points",)
