"""Rates: the definition case by case, scikit-learn, exact fractions at sizes where int64 ends, and Bayes' rule."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import counted, examples, matrix_at, tied_cases

from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.metrics import AT_A_POINT, RATES, mcc, npv_at, precision_at
from rocconf.compute.stats.confusion import Confusion, ratio
from rocconf.records import ScoreCounts

sizes = st.integers(1, 10**10)


def share(part, whole):
    return part / whole if whole else math.nan


def by_definition(scores, labels, threshold):
    """Every rate as a textbook has it, from the cases."""
    tp, fp = matrix_at(scores, labels, threshold)
    fn, tn = int(sum(labels)) - tp, int(len(labels) - sum(labels)) - fp
    n, margins = tp + fp + fn + tn, (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    sensitivity, specificity, precision = share(tp, tp + fn), share(tn, tn + fp), share(tp, tp + fp)
    return {
        "tpr": sensitivity,
        "fpr": share(fp, fp + tn),
        "specificity": specificity,
        "precision": precision,
        "npv": share(tn, tn + fn),
        "accuracy": share(tp + tn, n),
        "balanced_accuracy": (sensitivity + specificity) / 2,
        "f1": share(2 * tp, 2 * tp + fp + fn),
        "mcc": (tp * tn - fp * fn) / math.sqrt(margins) if margins else math.nan,
        "youden_j": sensitivity + specificity - 1,
        "lift": precision / ((tp + fn) / n),
        "predicted_positive_rate": share(tp + fp, n),
    }


def computed(roc):
    matrix = roc.confusion(slice(0, len(roc)))
    return {name: rate.of(matrix) for name, rate in RATES.items()}


@given(tied_cases())
def test_every_rate_matches_its_definition(cases):
    roc = curve(counted(*cases))
    expected = [by_definition(*cases, threshold) for threshold in roc.thresholds]
    found = computed(roc)
    assert set(found) == set(expected[0])
    for name, values in found.items():
        np.testing.assert_allclose(values, [row[name] for row in expected], rtol=1e-14, atol=1e-15, err_msg=name)


@given(tied_cases())
@examples(20)
def test_agrees_with_scikit_learn_at_every_threshold(cases):
    from sklearn import metrics as sk

    scores, labels = cases
    roc = curve(counted(scores, labels))
    found = computed(roc)
    peers = {"accuracy": sk.accuracy_score, "balanced_accuracy": sk.balanced_accuracy_score, "f1": sk.f1_score, "mcc": sk.matthews_corrcoef}  # fmt: skip
    for row, threshold in enumerate(roc.thresholds):
        for name, peer in peers.items():
            if not math.isnan(found[name][row]):  # where 0/0 is undefined here, scikit-learn says 0
                assert found[name][row] == pytest.approx(peer(labels, scores >= threshold), abs=1e-12), name


@given(tied_cases())
def test_the_curves_agree_with_scikit_learn(cases):
    from sklearn import metrics as sk

    scores, labels = cases
    roc = curve(counted(scores, labels))
    fpr, tpr, thresholds = sk.roc_curve(labels, scores, drop_intermediate=False)
    np.testing.assert_allclose(roc.fpr, fpr, atol=1e-15)
    np.testing.assert_allclose(roc.tpr, tpr, atol=1e-15)
    np.testing.assert_array_equal(roc.thresholds, thresholds)
    points = dict(zip(roc.thresholds.tolist(), zip(roc.fpr, 1 - roc.tpr, strict=True), strict=True))
    for false_positive, missed, threshold in zip(*sk.det_curve(labels, scores), strict=True):
        assert points[threshold] == pytest.approx((false_positive, missed), abs=1e-12)
    precision, recall, thresholds = sk.precision_recall_curve(labels, scores)
    np.testing.assert_allclose(computed(roc)["precision"][:0:-1], precision[:-1], atol=1e-15)
    np.testing.assert_allclose(roc.tpr[:0:-1], recall[:-1], atol=1e-15)


def test_a_rate_with_denominator_0_is_undefined():
    rates = computed(curve(ScoreCounts.of([1], [2], [3])))
    assert {name for name, values in rates.items() if math.isnan(values[0])} == {"precision", "mcc", "lift"}
    assert {name for name, values in rates.items() if math.isnan(values[1])} == {"npv", "mcc"}
    assert {name for name, rate in RATES.items() if rate.undefined} == {"precision", "npv", "mcc", "lift"}
    assert math.isnan(ratio(np.array([0]), 0)[0])


@given(sizes, sizes, st.data())
def test_correlations_are_accurate_past_int64(p, q, data):
    tp, fp = data.draw(st.integers(0, p)), data.draw(st.integers(0, q))
    found = float(mcc(Confusion(np.array([tp]), np.array([fp]), p, q))[0])
    flagged, n = tp + fp, p + q
    if flagged in (0, n):
        assert math.isnan(found)
        return
    square = Fraction((tp * q - fp * p) ** 2, p * q * flagged * (n - flagged))
    assert found**2 == pytest.approx(float(square), rel=1e-9, abs=1e-15)
    assert found * (tp * q - fp * p) >= 0
    assert abs(found) <= 1


@given(sizes, sizes)
@example(1457506076, 2668463502)  # sqrt(p * q * p * q) is less than p * q here
def test_a_perfect_prediction_correlates_at_exactly_1_and_a_reversed_one_at_minus_1(p, q):
    assert mcc(Confusion(np.array([p, 0]), np.array([0, q]), p, q)).tolist() == [1.0, -1.0]


@pytest.mark.parametrize("tp", [3_000_000_000, 2_999_999_999, 1_500_000_001, 1])
def test_counts_near_3e9_do_not_overflow(tp):
    p, q, fp = 3_000_000_000, 3_100_000_000, 3_099_999_999
    matrix = Confusion(np.array([tp]), np.array([fp]), p, q)
    assert RATES["f1"].of(matrix)[0] == pytest.approx(float(Fraction(2 * tp, p + tp + fp)), rel=1e-15, abs=0)
    assert RATES["accuracy"].of(matrix)[0] == pytest.approx(float(Fraction(tp + q - fp, p + q)), rel=1e-15, abs=0)
    assert RATES["lift"].of(matrix)[0] == pytest.approx(float(Fraction(tp * (p + q), (tp + fp) * p)), rel=1e-15, abs=0)


@given(tied_cases(), st.integers(1, 30), st.integers(1, 30))
def test_restated_rates_equal_those_of_cases_with_that_prevalence(cases, a, b):
    """Repeat every positive a*Q times and every negative b*P times: the prevalence is then a/(a+b)."""
    here = curve(counted(*cases))
    there = Confusion(here.tp * a * here.q, here.fp * b * here.p, here.p * a * here.q, here.q * b * here.p)
    mine = here.confusion(slice(0, len(here)))
    for name, restated in (("precision", precision_at), ("npv", npv_at)):
        np.testing.assert_allclose(restated(mine, a / (a + b)), RATES[name].of(there), rtol=1e-12)


@pytest.mark.parametrize("name", sorted(AT_A_POINT))
def test_a_declared_range_is_reached_at_its_ends_and_never_left(name):
    """Over all matrices of up to 5 positives and 5 negatives; lift has no largest value."""
    rate, values = AT_A_POINT[name], []
    for p, q in ((1, 5), (5, 1), (5, 5)):
        tp, fp = (grid.ravel() for grid in np.meshgrid(np.arange(p + 1), np.arange(q + 1)))
        values.append(rate.of(Confusion(tp, fp, p, q)))
    reached = np.concatenate(values)
    assert np.nanmin(reached) >= rate.least - 1e-12
    assert np.nanmax(reached) <= rate.most + 1e-12
    if name != "diff":  # which needs nothing but errors of one class, and no cases of the other
        assert np.nanmin(reached) == pytest.approx(rate.least)
        assert np.nanmax(reached) == pytest.approx(rate.most) or rate.most == math.inf
