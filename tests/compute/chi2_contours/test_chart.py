"""Bradley's chart: contours for class totals, and a model's thresholds beside them."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf.compute.chi2_contours import ClassTotals, chi2_contours
from rocconf.compute.roc.counts import count
from rocconf.errors import UndefinedError, UsageError
from rocconf.records import Predictions, ScoreCounts, Source

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "bradley_1996.json").read_text())["bradley"]

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


@given(score_counts(), st.booleans())
def test_rows_match_their_definition(counts, lower_is_positive):
    sign = -1 if lower_is_positive else 1
    turned = ScoreCounts.of(
        sign * counts.scores, counts.positives, counts.negatives, lower_is_positive=lower_is_positive
    )
    rows = chi2_contours(turned, permutations=1).table().records()
    first = {"threshold": None, "tp": 0, "fp": 0, "chi2": 0, "p": 1, "p_method": "fisher"}
    assert {key: rows[0][key] for key in first} == first
    for row, threshold in zip(rows, counts.thresholds, strict=True):
        taken = counts.scores >= threshold
        assert row["threshold"] == (None if threshold == np.inf else sign * threshold)
        assert (row["tp"], row["fp"]) == (counts.positives[taken].sum(), counts.negatives[taken].sum())
        assert (row["tp"] + row["fn"], row["fp"] + row["tn"]) == (counts.p, counts.q)
        assert row["chi2"] == pytest.approx(float(exact_chi2(row, counts) * Fraction(counts.n, counts.p * counts.q)))
        assert row["accuracy"] == pytest.approx((row["tp"] + row["tn"]) / counts.n)


@given(score_counts())
@hypothesis.example(ScoreCounts.of([3, 2, 1], [0, 1, 9], [9, 1, 0]))  # worse than chance throughout
def test_the_maximum_is_the_largest_chi2_of_the_rows_on_or_above_the_diagonal(counts):
    result = chi2_contours(counts, permutations=1)
    above = [row for row in result.table().records() if row["tp"] * counts.q >= row["fp"] * counts.p]
    best, summary = max(above, key=lambda row: exact_chi2(row, counts)), result.summary()
    assert summary["max_chi2"] == pytest.approx(best["chi2"], rel=1e-12)
    chosen = next(row for row in above if row["threshold"] == summary["max_chi2_threshold"])
    assert exact_chi2(best, counts) == exact_chi2(chosen, counts)
    if summary["max_chi2_threshold"] is None:
        reasons = {gap["key"]: gap["reason"] for gap in result.to_dict()["undefined"] if gap["table"] == "models"}
        assert reasons["max_chi2_threshold"] == "nothing is predicted positive"


def exact_chi2(row, counts):
    flagged, over = row["tp"] + row["fp"], row["tp"] * counts.q - row["fp"] * counts.p
    return Fraction(over * over, flagged * (counts.n - flagged)) if 0 < flagged < counts.n else Fraction(0)


def test_thresholds_affect_the_rows_only_and_the_level_the_interval():
    few, all_ = chi2_contours(example(), thresholds="quantiles:3"), chi2_contours(example())
    assert few.summary() == all_.summary() | {"thresholds": len(few.table())} == all_.summary() | {"thresholds": 4}
    narrow, wide = (chi2_contours(example(), level=level).summary() for level in (0.8, 0.99))
    assert wide["auc_lower"] < narrow["auc_lower"] < narrow["auc_upper"] < wide["auc_upper"]


def test_default_levels_are_those_of_the_paper():
    expected = [REFERENCE["critical_values"][key] for key in ("0.05", "0.01", "0.005")]
    assert chi2_contours(TOTALS).levels == pytest.approx(expected, rel=1e-12)
    assert chi2_contours(TOTALS).significance == pytest.approx([0.05, 0.01, 0.005])
    assert chi2_contours(TOTALS, significance=[0.01]).levels == pytest.approx(expected[1:2], rel=1e-12)


def test_contours_hold_both_branches_of_every_level_in_ascending_order():
    counts = ScoreCounts.of([2, 1], [4, 1], [5, 50])
    for cases, model in ((TOTALS, "class totals"), (counts, "score")):
        table = chi2_contours(cases, levels=[20, 3.84, 20]).table("contours")
        kinds = list(dict.fromkeys(zip(table["chi2"].tolist(), table["branch"], strict=True)))
        assert kinds == [(3.84, "upper"), (3.84, "lower"), (20, "upper"), (20, "lower")]
        assert set(table["model"]) == {model}


def test_class_totals_alone_have_no_rows_and_a_reason_for_what_is_missing():
    result = chi2_contours(TOTALS)
    assert (len(result.table()), result.shown, chi2_contours(example()).shown) == (
        0,
        ("contours",),
        ("operating_points",),
    )
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


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"at": ["fpr<=0.1"]}, "class totals alone"),
        ({"choose_on": example()}, "class totals alone"),
        ({"levels": [60]}, "no contour for a chi2 of 60, as none exceeds n = 60"),
        ({"levels": []}, "at least one level"),
        ({"significance": []}, "at least one level"),
        ({"levels": [4], "significance": [0.05]}, "levels and significance contradict"),
        *(({"levels": [3.84, level]}, "positive and finite") for level in (0, -1.0, float("nan"), float("inf"))),
    ],
)
def test_what_class_totals_alone_cannot_have_is_refused(options, said):
    with pytest.raises((UsageError, UndefinedError), match=said):
        chi2_contours(TOTALS, **options)
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
    scored = chi2_contours(example(n=60), levels=[60, 1000])
    assert (len(scored.table("contours")), "no-contour" in codes(scored)) == (0, True)


def test_small_classes_have_a_warning_that_contours_show_no_significance():
    assert "small-expected" in codes(chi2_contours(ClassTotals(9, 10**6)))
    for p, q in [(5, 55), (9, 400), (10, 10), (10, 11), (11, 11), (11, 12)]:
        counts = ScoreCounts.of(np.arange(p + q), [1] * p + [0] * q, [0] * p + [1] * q)
        result = chi2_contours(counts, permutations=1)
        is_small = set(result.table()["p_method"]) == {"fisher"}
        assert (
            ("small-expected" in codes(result))
            == ("small-expected" in codes(chi2_contours(ClassTotals(p, q))))
            == is_small
        )


def test_the_largest_of_many_is_distinguished_from_a_single_test():
    def told(counts):
        result = chi2_contours(counts, permutations=9)
        (caveat,) = (caveat for caveat in result.caveats if caveat.code == "largest-of-many")
        (row,) = result.table("operating_points").records()
        return caveat.text(), result.summary()["max_chi2_p"], row["p"]

    text, corrected, p = told(example())
    assert f"its own p, {p:.3g}, does not test it" in text
    assert text.endswith(f"max_chi2_p, {corrected:.3g}")
    perfect, _, _ = told(ScoreCounts.of([1, 0], [5000, 0], [0, 5000]))
    assert "its own p, below 1e-307, does" in perfect  # too small for a float


def test_operating_points_are_rows_the_largest_chi2_first_and_rules_are_not_repeated():
    result = chi2_contours(example(), at=["fpr<=0.1", "chi2", "cost=1:10", "fpr<=0.10"])
    points, summary = result.table("operating_points").records(), result.summary()
    assert [point["rule"] for point in points] == ["chi2", "fpr<=0.1", "cost=1:10"]
    assert (points[0]["chi2"], points[0]["threshold"]) == (summary["max_chi2"], summary["max_chi2_threshold"])
    rows = {row["threshold"]: row for row in result.table().records()}
    for point in points:
        assert point["in_sample"]
        row = rows[point["threshold"]]
        assert {key: point[key] for key in row} == row


def test_operating_points_chosen_on_other_cases_are_not_in_sample():
    there, here = (Source(name, 60, 20, 40, "1") for name in ("there", "here"))
    counts, others = replace(example(seed=3), sources=(here,)), replace(example(seed=4), sources=(there,))
    result = chi2_contours(counts, at=["fpr<=0.2"], choose_on=others)
    assert not any(point["in_sample"] for point in result.table("operating_points").records())
    assert ("in-sample" in codes(result), "in-sample" in codes(chi2_contours(counts))) == (False, True)
    assert result.summary()["max_chi2"] == chi2_contours(counts).summary()["max_chi2"]
    assert result.sources == (here, replace(there, role="choose_on"))


def test_options_reproduce_the_permutation_p():
    counts, finished = example(skill=0.2), []
    found = [chi2_contours(counts, permutations=199, seed=seed, progress=finished.append) for seed in (11, 11, 1, 2)]
    assert (found[0].options["permutations"], found[0].options["seed"], sum(finished)) == (199, 11, 4 * 199)
    first, again, *others = (result.summary()["max_chi2_p"] for result in found)
    assert first == again
    assert {first} != {*others}


def test_a_p_that_cannot_be_permuted_is_missing_with_a_reason():
    huge = ScoreCounts.of([2, 1], [10**9, 10], [10, 10**9])
    result = chi2_contours(huge)
    assert result.summary()["max_chi2_p"] is None
    reasons = {gap["key"]: gap["reason"] for gap in result.to_dict()["undefined"] if gap["table"] == "models"}
    assert "too many cases" in reasons["max_chi2_p"]
    assert "max_chi2_p" not in result.caveats[-1].text()
