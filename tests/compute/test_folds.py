"""The folds of a cross-validation: their mean AUC with its intervals, against references and the definition."""

import json
from math import isclose, sqrt

import numpy as np
import pytest
from conftest import REFERENCE

import rocconf
from rocconf.errors import UsageError
from rocconf.records import Grouping, Predictions

LEDELL = json.loads((REFERENCE / "folds.json").read_text(encoding="utf-8"))
ESTIMATES = json.loads((REFERENCE / "estimates.json").read_text(encoding="utf-8"))
MEAN = ("cv_auc", "cv_auc_se", "cv_auc_lower", "cv_auc_upper")


def cases_of(labels, scores, folds):
    return Predictions(
        np.array(labels, dtype=np.bool_),
        {"s": np.array(scores, dtype=np.float64)},
        groups=(Grouping.of("fold", folds),),
    )


@pytest.mark.parametrize("scores", ["s", "tied"])
def test_reference_values(scores):
    expected = LEDELL["values"][scores]
    swept = rocconf.sweep_folds(cases_of(LEDELL["label"], LEDELL[scores], LEDELL["fold"]), interval="delong")
    found = swept.summary()
    assert np.allclose(swept.table("folds")["auc"], expected["fold_auc"], rtol=0, atol=1e-14)
    for key, name in {
        "cv_auc": "cv_auc",
        "cv_auc_se": "se",
        "cv_auc_lower": "lower",
        "cv_auc_upper": "upper",
        "cv_auc_sd": "sd_of_folds",
        "auc": "pooled_auc",
    }.items():
        assert isclose(found[key], expected[name], abs_tol=1e-12), key


@pytest.fixture(scope="module")
def of_reference():
    """Two models on the same cases in folds, with the values of 40-digit arithmetic."""
    expected = ESTIMATES["folds"]
    data = ESTIMATES["data"][expected["data"]]
    scores = {model: np.array(data[model], dtype=np.float64) for model in ("new", "old")}
    labels = np.array(data["label"]) > 0
    folds = Grouping.of("fold", np.arange(len(labels)) % 4)
    return Predictions(labels, scores, groups=(folds,)), expected


def test_reference_values_of_the_robust_interval(of_reference):
    cases, expected = of_reference
    swept, found = rocconf.sweep_folds(cases, "new"), expected["mean"]
    assert np.allclose(swept.table("folds")["auc"], expected["fold_auc"], rtol=0, atol=1e-14)
    values = found["value"], sqrt(found["variance"]), found["lower"], found["upper"]
    assert [swept.summary()[key] for key in MEAN] == pytest.approx(values, rel=1e-9)
    sums = swept.folds.mean.estimate.sums
    assert sums.squares[::-1] == pytest.approx(found["squares"], rel=1e-9)
    assert (sums.third, sums.df) == pytest.approx((found["total_cubes"], found["df"]), rel=1e-9)


def test_reference_values_of_the_difference_of_two_models(of_reference):
    cases, expected = of_reference
    found = rocconf.compare(cases.with_folds(), baseline="old")
    (pair,) = (each for each in found.pairs if each.metric == "cv_auc")
    names = "value", "lower", "upper", "p"
    values = pair.difference.value, *pair.difference.interval.ends, pair.difference.p
    assert values == pytest.approx([expected["difference"][name] for name in names], rel=1e-9)
    assert pair.difference.estimate.pseudo == pytest.approx(expected["difference"]["pseudo_variance"], rel=1e-9)


def test_models_of_one_order_in_each_fold_do_not_differ(of_reference):
    cases, _ = of_reference
    shifted = cases.scores["new"] + np.arange(len(cases)) % 4
    found = rocconf.compare(
        Predictions(cases.labels, {**cases.scores, "new": shifted}, groups=cases.groups).with_folds()
    )
    same = rocconf.compare(
        Predictions(cases.labels, {"a": cases.scores["new"], "b": shifted}, groups=cases.groups).with_folds()
    )
    (pair,) = (each for each in same.pairs if each.metric == "cv_auc")
    assert (pair.difference.value, *pair.difference.interval.ends, pair.difference.p) == (0, 0, 0, 1)
    assert found.models[0].sweep.summary()["cv_auc"] == pytest.approx(
        rocconf.sweep_folds(cases, "new").summary()["cv_auc"]
    )


def test_rules_judge_the_mean_of_the_folds(of_reference):
    cases, expected = of_reference
    (verdict,) = rocconf.judge(rocconf.sweep_folds(cases, "new"), "cv_auc >= 0.69")
    assert (verdict.outcome, verdict.measure.interval.lower) == ("pass", pytest.approx(expected["mean"]["lower"]))
    with pytest.raises(UsageError, match="fold"):
        rocconf.judge(rocconf.sweep(rocconf.count(cases, "new")), "cv_auc >= 0.7")


def test_folds_without_variance_have_the_robust_interval_for_want_of_another():
    cases = cases_of([1, 0] * 6, [1, 0] * 6, "aaaabbbbcccc")
    found, robust = (rocconf.sweep_folds(cases, interval=kind).summary() for kind in ("delong", "robust"))
    assert {key: found[key] for key in MEAN} == {key: robust[key] for key in MEAN}


def test_a_fold_is_what_where_gives():
    cases = cases_of(LEDELL["label"], LEDELL["s"], LEDELL["fold"])
    rows = rocconf.sweep_folds(cases).table("folds").records()
    for row in rows:
        alone = rocconf.sweep(rocconf.count(cases.where(np.array(list(map(str, LEDELL["fold"]))) == row["fold"])))
        shared = ("n", "positives", "negatives", "prevalence", "auc", "auc_lower", "auc_upper")
        assert [row[key] for key in shared] == [alone.summary()[key] for key in shared]


def test_a_fold_of_one_class_leaves_no_mean():
    swept = rocconf.sweep_folds(cases_of([1, 0, 1, 0, 0, 0, 1, 0], [3, 1, 2, 0, 1, 2, 3, 1], "aabbccdd"))
    found = swept.summary()
    assert [found[key] for key in ("folds", "cv_auc", "cv_auc_sd", "cv_auc_se")] == [4, None, None, None]
    (told,) = (str(caveat) for caveat in swept.caveats if caveat.code == "folds-of-one-class")
    assert "c (0 positive and 2 negative)" in told
    assert "at most 3 can have both" in told
    assert [row["auc"] for row in swept.table("folds").records()] == [1.0, 1.0, None, 1.0]
    assert not any(each.code == "answer-folds" for each in swept.conclusions)


def test_folds_are_two_or_more_of_one_column():
    with pytest.raises(UsageError, match="all cases are of one fold, fold=a"):
        rocconf.sweep_folds(cases_of([1, 0], [1, 0], "aa"))
    cases = cases_of([1, 0, 1, 0], [1, 0, 1, 0], "aabb")
    two = Predictions(cases.labels, cases.scores, groups=(*cases.groups, Grouping.of("region", "xyxy")))
    with pytest.raises(UsageError, match="found: fold, region"):
        rocconf.sweep_folds(two)
    assert rocconf.sweep_folds(two, fold="fold").options["fold"] == "fold"
