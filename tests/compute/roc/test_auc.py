"""The area: pairs counted one by one, DeLong by its definition and by pROC, and an interval that never degenerates."""

import csv
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from conftest import REFERENCE, SAMPLE_DATA
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import counted, exact_area, exact_delong, tied_cases

from rocconf.compute.roc.auc import auc, require_max_fpr
from rocconf.compute.roc.counts import count
from rocconf.compute.roc.influence import AUC, AVERAGE_PRECISION, PARTIAL_AUC, PARTIAL_AUC_STANDARDIZED
from rocconf.compute.roc.observed import Observed
from rocconf.compute.stats.estimate import newcombe_limits
from rocconf.compute.stats.normal import normal_quantile
from rocconf.errors import UsageError
from rocconf.records import Predictions, ScoreCounts

PUBLISHED = list(csv.DictReader((REFERENCE / "auc_elazmeh_2006.csv").read_text(encoding="utf-8").splitlines()))


def area_under(counts):
    return AUC.value(Observed(counts))


def variance_of(counts):
    return AUC.estimate(Observed(counts)).variance


def average_precision(counts):
    return AVERAGE_PRECISION.value(Observed(counts))


def partial_auc(counts, max_fpr, metric=PARTIAL_AUC):
    return metric.value(Observed(counts, max_fpr=max_fpr))


def standardized(counts, max_fpr):
    return partial_auc(counts, max_fpr, PARTIAL_AUC_STANDARDIZED)


@given(tied_cases())
def test_agrees_with_scikit_learn(cases):
    from sklearn import metrics as sk

    scores, labels = cases
    counts = counted(scores, labels)
    assert area_under(counts) == pytest.approx(sk.roc_auc_score(labels, scores), abs=1e-12)
    assert average_precision(counts) == pytest.approx(sk.average_precision_score(labels, scores), abs=1e-12)


@given(tied_cases(), st.floats(0.001, 1))
def test_standardized_partial_areas_agree_with_scikit_learn(cases, max_fpr):
    from sklearn import metrics as sk

    scores, labels = cases
    found = standardized(counted(scores, labels), max_fpr)
    assert found == pytest.approx(sk.roc_auc_score(labels, scores, max_fpr=max_fpr), abs=1e-9)


@pytest.mark.parametrize("max_fpr", [0, -0.1, 1.1, math.nan])
def test_an_invalid_largest_false_positive_rate_is_rejected(max_fpr):
    with pytest.raises(UsageError, match=r"max_fpr must be in \(0, 1\]"):
        require_max_fpr(max_fpr)


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: row["data"])
def test_sample_data_has_the_published_areas(row):
    cases = list(csv.DictReader((SAMPLE_DATA / f"{row['data']}.csv").read_text(encoding="utf-8").splitlines()))
    labels = np.array([case["label"] == "1" for case in cases])
    scores = {model: np.array([float(case[model]) for case in cases]) for model in "STFB"}
    predictions = Predictions(labels, scores)
    found = {model: area_under(count(predictions, model)) for model in "STFB"}
    assert found == pytest.approx({model: float(row[model]) for model in "STFB"}, abs=0.0005 + 1e-12)


@given(tied_cases(), st.floats(0.5, 0.999))
def test_the_interval_is_taken_on_the_logit_scale(cases, level):
    counts = counted(*cases)
    area = auc(counts, level=level, interval="delong")
    assume(area.se is not None)
    variance = exact_delong(counts)
    with mpmath.workdps(30):
        a, se = mpmath.mpf(area.value), mpmath.sqrt(mpmath.mpf(variance.numerator) / variance.denominator)
        z = mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(level))
        limits = [1 / (1 + mpmath.exp(-(mpmath.log(a / (1 - a)) + side * z * se / (a * (1 - a))))) for side in (-1, 1)]
    assert area.interval.lower == pytest.approx(float(limits[0]), rel=1e-9, abs=0)
    assert area.interval.upper == pytest.approx(float(limits[1]), rel=1e-9, abs=0)
    assert 0 < area.interval.lower < area.value < area.interval.upper < 1


@given(tied_cases(), st.floats(0.5, 0.999))
def test_exchanging_the_classes_mirrors_area_and_interval(cases, level):
    scores, labels = cases
    here, there = auc(counted(scores, labels), level=level), auc(counted(scores, ~labels), level=level)
    assert here.value == pytest.approx(1 - there.value, abs=1e-15)
    assert here.interval.lower == pytest.approx(1 - there.interval.upper, abs=1e-9)
    assert here.interval.upper == pytest.approx(1 - there.interval.lower, abs=1e-9)
    assert (here.se is None) == (there.se is None)


DEGENERATE = {
    "perfect": ([3, 2, 1], [2, 3, 0], [0, 0, 4], 1.0),
    "reversed": ([3, 2, 1], [0, 0, 4], [2, 3, 0], 0.0),
    "all tied": ([1], [5], [4], 0.5),
    "one positive": ([3, 2, 1], [0, 1, 0], [2, 0, 3], 0.6),
    "one negative": ([3, 2, 1], [2, 0, 3], [0, 1, 0], 0.4),
    "one of each": ([2, 1], [1, 0], [0, 1], 1.0),
    "one of each, tied": ([1], [1], [1], 0.5),
}


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_without_a_variance_the_interval_is_newcombes(name, level):
    *columns, value = DEGENERATE[name]
    counts = ScoreCounts.of(*columns)
    area = auc(counts, level=level, interval="delong")
    assert (area.value, area.se) == (value, None)
    assert area.interval == newcombe_limits(value, counts.p, counts.q, normal_quantile(level))
    assert 0 <= area.interval.lower <= value <= area.interval.upper <= 1
    assert area.interval.upper - area.interval.lower > 0.01


HUGE = st.lists(st.tuples(st.integers(0, 3 * 10**9), st.integers(0, 3 * 10**9)), min_size=2, max_size=6)


@given(HUGE)
def test_counts_near_3e9_do_not_overflow(columns):
    positives, negatives = zip(*columns, strict=True)
    assume(sum(positives) > 1 and sum(negatives) > 1)
    counts = ScoreCounts.of(range(len(columns)), positives, negatives)
    area = area_under(counts)
    assert area == float(exact_area(counts))
    assert variance_of(counts) == pytest.approx(float(exact_delong(counts)), rel=1e-9, abs=1e-26)
    rows = zip(counts.positives.tolist(), counts.tp[1:], counts.fp[1:], strict=True)
    expected = sum(Fraction(x * int(tp), int(tp + fp)) for x, tp, fp in rows)
    assert average_precision(counts) == pytest.approx(float(expected / counts.p), rel=1e-13, abs=0)


@pytest.mark.parametrize("size", [2 * 10**8, 3 * 10**9])
def test_an_area_that_rounds_to_1_still_has_an_interval(size):
    """One pair in PQ is in the wrong order; 1 - 1/(PQ) is 1 in floats, and the logit of 1 is infinite."""
    almost = auc(ScoreCounts.of([4, 3, 2, 1], [size - 1, 0, 1, 0], [0, 1, 0, size - 1]))
    assert almost.value == 1
    assert 1 - 1e-7 < almost.interval.lower < almost.interval.upper == 1
    turned = auc(ScoreCounts.of([4, 3, 2, 1], [0, 1, 0, size - 1], [size - 1, 0, 1, 0]))
    assert turned.value == pytest.approx(0, abs=1e-15)
    assert 0 <= turned.interval.lower < turned.interval.upper < 1e-7


def test_scores_beyond_one_chunk_are_computed_alike():
    rng = np.random.default_rng(3)
    n = 200_000
    labels = rng.random(n) < 0.2
    scores = rng.random(n) + 0.3 * labels
    counts = count(Predictions(labels, {"s": scores}))
    found = auc(counts)
    whole = [counts.tp.astype(float), counts.fp.astype(float)]
    tp, fp = whole
    area = ((fp[1:] - fp[:-1]) * (tp[1:] + tp[:-1])).sum() / (2 * counts.p * counts.q)
    below = 1 - (fp[1:] + fp[:-1]) / (2 * counts.q) - area
    above = (tp[1:] + tp[:-1]) / (2 * counts.p) - area
    variance = np.repeat(below, counts.positives).var(ddof=1) / counts.p
    variance += np.repeat(above, counts.negatives).var(ddof=1) / counts.q
    assert found.value == pytest.approx(area, rel=1e-12, abs=0)
    assert found.se == pytest.approx(math.sqrt(variance), rel=1e-6, abs=0)  # the means of the placements are the area
