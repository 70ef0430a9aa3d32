"""What one who types at a prompt meets: short answers, forgiving rules, and what to do with predictions."""

import numpy as np
import pytest

import rocconf

LABELS = np.array([True, False] * 500)
SCORES = np.arange(1000) / 1000
PREDICTIONS = rocconf.Predictions(LABELS, {"m": SCORES})
COUNTS = rocconf.count(PREDICTIONS)
ANALYSES = [rocconf.sweep, rocconf.tango, rocconf.chi2_contours, rocconf.sensibility]


def test_one_rule_needs_no_brackets():
    alone, listed = (rocconf.sweep(COUNTS, at=at).points for at in ("youden", ["youden"]))
    assert alone == listed
    (point,) = listed
    assert rocconf.sweep(COUNTS, at=point.rule).points == alone
    chart = rocconf.chi2_contours(COUNTS, at="youden", permutations=9).table("operating_points")
    assert list(chart["rule"]) == ["chi2", "youden"]


@pytest.mark.parametrize("analyse", ANALYSES)
def test_predictions_of_several_models_are_to_be_chosen_from(analyse):
    assert analyse(PREDICTIONS).counts == COUNTS
    two = rocconf.Predictions(LABELS, {"a": SCORES, "b": SCORES})
    with pytest.raises(rocconf.UsageError, match=r"name one of them, as in rocconf\.count\(predictions, 'a'\)"):
        analyse(two)
    with pytest.raises(rocconf.UsageError, match=r"ndarray .* pass the scores too, as in rocconf.sweep\(y, scores\)"):
        analyse(SCORES)


def test_a_test_of_drift_takes_counts():
    with pytest.raises(rocconf.UsageError, match=r"takes counts: rocconf\.count\(predictions\)$"):
        rocconf.drift(COUNTS, PREDICTIONS)
    two = rocconf.Predictions(LABELS, {"a": SCORES, "b": SCORES})
    with pytest.raises(rocconf.UsageError, match=r"rocconf\.count_each\(predictions\)$"):
        rocconf.drift(COUNTS, two)


@pytest.mark.parametrize("analyse", ANALYSES)
def test_a_result_is_told_in_a_line(analyse):
    name = type(analyse(COUNTS)).__name__
    told = repr(analyse(COUNTS))
    assert told.startswith(f"{name}(model='m', n=1000, positives=500, negatives=500, auc=0.49")
    assert len(told) < 100


def test_records_are_told_in_a_line():
    assert repr(PREDICTIONS) == "Predictions(n=1000, positives=500, models=('m',))"
    assert repr(COUNTS) == "ScoreCounts(model='m', p=500, q=500, scores=1000)"
    assert repr(rocconf.sweep(COUNTS).curve) == "Curve(p=500, q=500, thresholds=1001)"


def test_class_totals_without_scores_are_told_by_what_is_known():
    told = repr(rocconf.chi2_contours(rocconf.ClassTotals(5, 55)))
    assert told == "Chi2Contours(model='class totals', n=60, positives=5, negatives=55)"
