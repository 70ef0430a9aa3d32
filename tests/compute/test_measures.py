"""What a rule judges: the number a command prints, with an interval that few cases cannot make narrow."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from rocconf.compute.measures import AT_A_POINT, _percentiles, at_point, measure, of_summary
from rocconf.compute.roc.counts import count
from rocconf.compute.roc.metrics import METRICS
from rocconf.compute.roc.operating import operating_point, parse_point_rule
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.proportion import wilson
from rocconf.compute.stats.tango_interval import tango_interval
from rocconf.compute.sweep import sweep
from rocconf.compute.tango import ConfidentSegment, tango
from rocconf.records import Predictions, ScoreCounts

CELLS = st.tuples(st.integers(1, 40), st.integers(1, 40)).flatmap(
    lambda totals: st.tuples(st.integers(0, totals[0]), st.integers(0, totals[1])).map(lambda hits: (*hits, *totals))
)
PERFECT = ScoreCounts.of([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1], [1, 1, 0, 0])


def matrix(tp, fp, p, q):
    return Confusion(np.array([tp]), np.array([fp]), p, q)


@given(CELLS, st.sampled_from([name for name in AT_A_POINT if name in METRICS]))
def test_every_rate_lies_in_an_interval_that_has_a_width(cells, name):
    found = at_point(matrix(*cells), name, 0.95, 0.5)
    expected = float(METRICS[name][1](matrix(*cells))[0])
    if math.isnan(expected):
        assert found.value is None
        assert found.reason
        return
    assert found.value == expected
    assert found.interval.lower <= expected <= found.interval.upper
    assert found.interval.lower < found.interval.upper


def test_a_rate_of_one_in_two_cases_proves_little():
    for name in ("f1", "mcc"):
        assert at_point(matrix(2, 0, 2, 2), name, 0.95, 0.5).interval.lower < 0.7
    assert at_point(matrix(2, 0, 2, 2), "lift", 0.95, 0.5).interval.lower == pytest.approx(2 * wilson(2, 2).lower)


def test_one_hit_is_no_proof_of_a_correlation():
    assert at_point(matrix(1, 0, 10, 10), "mcc", 0.95, 0.5).interval.lower < 0.229


def test_the_interval_of_f1_is_that_of_its_rates():
    """With the false alarms known to be none, f1 = 2t/(t + 1) for the rate t: quantiles go through it."""
    found = at_point(matrix(300, 0, 400, 10**9), "f1", 0.95, 0.5)
    taken = 0.5 / 1  # mean of Beta(0.5, 1e9) times 1e9: half a case
    for limit, share in ((found.interval.lower, 0.025), (found.interval.upper, 0.975)):
        t = beta(300.5, 100.5).ppf(share)
        assert limit == pytest.approx(2 * 400 * t / (400 * t + 400 + taken), abs=0.004)


def test_the_error_difference_has_tango_s_interval():
    found = at_point(matrix(3, 10, 13, 959), "diff", 0.9, 0.1)
    lower, upper = tango_interval([10], [10], [972], 0.9)
    assert (found.value, found.interval.lower, found.interval.upper) == (0.0, lower[0], upper[0])


@given(CELLS)
def test_balanced_accuracy_and_youden_tell_one_story(cells):
    youden, balanced = (at_point(matrix(*cells), name, 0.95, 0.5) for name in ("youden_j", "balanced_accuracy"))
    assert balanced.value == pytest.approx((1 + youden.value) / 2)
    assert balanced.interval.lower == pytest.approx((1 + youden.interval.lower) / 2)
    assert balanced.interval.upper == pytest.approx((1 + youden.interval.upper) / 2)


def test_what_resampling_cannot_vary_is_not_known():
    found = measure(sweep(PERFECT), "average_precision", level=0.95)
    assert found.value == 1
    assert (found.interval.lower, found.interval.upper) == (-math.inf, math.inf)


def test_a_value_is_in_its_interval_though_ties_move_all_replicates():
    # seven positives in turn below three negatives: whatever is drawn twice is a tie, and has a higher precision
    reversed_model = ScoreCounts.of(np.arange(10.0), np.arange(10) < 7, np.arange(10) >= 7)
    found = measure(sweep(reversed_model), "average_precision", level=0.95)
    assert found.value == pytest.approx(sum(k / (k + 3) for k in range(1, 8)) / 7)
    assert found.interval.lower <= found.value < found.interval.upper


@pytest.mark.parametrize("few", ["positives", "negatives"])
def test_a_single_case_of_a_class_is_drawn_every_time_and_tells_nothing(few):
    one, many = np.arange(30) == 4, np.arange(30) != 4
    counts = ScoreCounts.of(np.arange(30.0), *((one, many) if few == "positives" else (many, one)))
    names = ("average_precision", "partial_auc", "cauc", "aved_abs")
    for name, result in zip(names, [sweep(counts, max_fpr=0.5)] * 2 + [tango(counts, bootstrap=200)] * 2, strict=True):
        found = measure(result, name, level=0.95)
        assert (found.interval.lower, found.interval.upper) == (-math.inf, math.inf), name


def test_a_segment_that_is_the_same_in_all_replicates_is_not_known():
    # of two scores, only the one that tells all cases apart is confident, in the data and in whatever is drawn of them
    result = tango(ScoreCounts.of([1, 0], [10, 0], [0, 10]), bootstrap=200)
    assert (result.summary()["aved_abs_lower"], result.summary()["aved_abs_upper"]) == (0, 0)
    found = measure(result, "aved_abs", level=0.95)
    assert (found.value, found.interval.lower, found.interval.upper) == (0, -math.inf, math.inf)


def test_a_replicate_without_a_value_counts_against_both_sides():
    drawn = np.array([math.nan] * 10 + [1.0] * 80 + [2.0] * 10)
    found = _percentiles(drawn, 0.9)
    assert (found.lower, found.upper) == (-math.inf, math.inf)
    assert _percentiles(np.arange(1000.0), 0.9).lower == 50


def test_a_limit_that_is_missing_lies_anywhere():
    summary = {"n": 5, "positives": 2, "level": 0.95, "ratio": 4.0, "ratio_lower": 1.0, "ratio_upper": None}
    assert of_summary(summary, "ratio", 0.95, "").interval.upper == math.inf
    assert of_summary({**summary, "ratio_lower": None}, "ratio", 0.95, "").interval.lower == -math.inf


def test_numbers_of_the_whole_curve_are_those_of_the_summary():
    random = np.random.default_rng(5)
    labels = np.arange(120) % 3 == 0
    counts = count(Predictions(labels, {"m": random.normal(size=120) + labels}))
    result = sweep(counts, max_fpr=0.5)
    summary = result.summary()
    for name in ("n", "positives", "negatives", "prevalence", "auc", "average_precision", "partial_auc", "thresholds"):
        assert measure(result, name, level=0.95).value == summary[name]
    found = measure(result, "auc", level=0.95)
    assert (found.interval.lower, found.interval.upper) == (summary["auc_lower"], summary["auc_upper"])
    for name in ("average_precision", "partial_auc"):
        found = measure(result, name, level=0.95)
        assert found.interval.lower < found.value < found.interval.upper
    assert measure(sweep(counts), "partial_auc", level=0.95).value is None


def test_bootstrapped_numbers_have_the_interval_of_their_summary():
    counts = ScoreCounts.of(np.arange(40.0), np.arange(40) % 2, 1 - np.arange(40) % 2)
    result = tango(counts, bootstrap=200)
    assert isinstance(result, ConfidentSegment)
    found, summary = measure(result, "cauc", level=0.95), result.summary()
    assert (found.interval.lower, found.interval.upper) == (summary["cauc_lower"], summary["cauc_upper"])


def test_a_point_s_numbers_are_those_of_its_rule():
    point = operating_point(PERFECT, parse_point_rule("threshold=3"))
    assert measure(sweep(PERFECT), "tp", level=0.95, point=point).value == 2
    assert measure(sweep(PERFECT), "threshold", level=0.95, point=point).value == 3
