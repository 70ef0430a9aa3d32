"""What a rule judges: the number a command prints, with an interval that few cases cannot make narrow."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf.compute.chi2_contours import Chi2Contours
from rocconf.compute.compare import Comparison
from rocconf.compute.compare.pairs import DIFFERENCES
from rocconf.compute.evidence import Unavailable, evidence_of, metrics_of
from rocconf.compute.roc.cells import CellCases
from rocconf.compute.roc.counts import count
from rocconf.compute.roc.metrics import AT_A_POINT, RATES
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.compute.sensibility import Sensibility
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.score_tests import tango_interval
from rocconf.compute.stats.shares import PairedShares, Share
from rocconf.compute.sweep import Sweep, sweep
from rocconf.compute.tango import ConfidentSegment, tango
from rocconf.metric import DELTA
from rocconf.records import Predictions, ScoreCounts

KINDS = ("robust", "delong")
CELLS = st.tuples(st.integers(1, 40), st.integers(1, 40)).flatmap(
    lambda totals: st.tuples(st.integers(0, totals[0]), st.integers(0, totals[1])).map(lambda hits: (*hits, *totals))
)
PERFECT = ScoreCounts.of([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1], [1, 1, 0, 0])


def matrix(tp, fp, p, q):
    return Confusion(np.array([tp]), np.array([fp]), p, q)


def measure(result, name, at=None, level=None):
    (evidence,) = evidence_of(result)
    return evidence.evidence(name, None if at is None else parse_point_rule(at), level)


def limits(result, name, **more):
    interval = measure(result, name, **more).interval
    return interval.lower, interval.upper


@given(CELLS, st.sampled_from(sorted(RATES)), st.sampled_from(KINDS))
def test_every_rate_lies_in_an_interval_that_has_a_width(cells, name, kind):
    tp, fp, p, q = cells
    counts = ScoreCounts.of([2.0, 1.0], [tp, p - tp], [fp, q - fp])
    found = measure(sweep(counts, interval=kind), name, at="threshold=2")
    expected = float(RATES[name].of(matrix(*cells))[0])
    if math.isnan(expected):
        assert isinstance(found, Unavailable)
        assert found.reason
        return
    assert found.value == pytest.approx(expected, abs=1e-15)
    assert found.interval.lower <= found.value <= found.interval.upper
    assert found.interval.lower < found.interval.upper


def rate_of(name, *cells, kind="robust", level=0.95):
    return AT_A_POINT[name].estimate(CellCases.counted(*cells), kind).interval(level)


def test_a_rate_of_one_in_two_cases_proves_little():
    for name in ("f1", "mcc", "lift"):
        assert rate_of(name, 2, 0, 2, 2).lower < 0.7
    assert rate_of("mcc", 1, 0, 10, 10).lower < 0.229


def test_the_error_difference_has_tango_s_interval():
    lower, upper = tango_interval([10], [10], [972], 0.9)
    found = rate_of("diff", 3, 10, 13, 959, kind="delong", level=0.9)
    assert (found.lower, found.upper) == (lower[0], upper[0])
    assert rate_of("diff", 3, 10, 13, 959, level=0.9) == PairedShares(10, 10, 972).interval(0.9)


@given(CELLS)
def test_balanced_accuracy_and_youden_tell_one_story(cells):
    tp, fp, p, q = cells
    youden, balanced = (rate_of(name, *cells) for name in ("youden_j", "balanced_accuracy"))
    assert balanced.lower == pytest.approx((1 + youden.lower) / 2)
    assert balanced.upper == pytest.approx((1 + youden.upper) / 2)
    # Newcombe (1998), method 10: the lower limit takes the lower one of tpr and the upper one of fpr
    one, other, j = Share(tp, p).interval(0.95), Share(fp, q).interval(0.95), tp / p - fp / q
    assert youden.lower == pytest.approx(max(j - math.hypot(tp / p - one.lower, other.upper - fp / q), -1))


@pytest.mark.parametrize("few", ["positives", "negatives"])
def test_a_single_case_of_a_class_is_drawn_every_time_and_tells_nothing(few):
    one, many = np.arange(30) == 4, np.arange(30) != 4
    counts = ScoreCounts.of(np.arange(30.0), *((one, many) if few == "positives" else (many, one)))
    names = ("average_precision", "partial_auc", "cauc", "aved_abs")
    for name, result in zip(names, [sweep(counts, max_fpr=0.5)] * 2 + [tango(counts, bootstrap=200)] * 2, strict=True):
        found = measure(result, name)
        assert (found.interval.lower, found.interval.upper) == (-math.inf, math.inf), name


def test_a_segment_that_is_the_same_in_all_replicates_is_not_known():
    # of two scores, only the one that tells all cases apart is confident, in the data and in whatever is drawn of them
    result = tango(ScoreCounts.of([1, 0], [10, 0], [0, 10]), bootstrap=200)
    assert (result.summary()["aved_abs_lower"], result.summary()["aved_abs_upper"]) == (None, None)
    found = measure(result, "aved_abs")
    assert (found.value, found.interval.lower, found.interval.upper) == (0, -math.inf, math.inf)


def test_a_segment_is_bootstrapped_for_a_rule_where_the_run_did_not():
    counts = ScoreCounts.of(np.arange(40.0), np.arange(40) % 2, 1 - np.arange(40) % 2)
    lower, upper = limits(tango(counts), "cauc")
    assert math.isfinite(lower)
    assert lower < measure(tango(counts), "cauc").value < upper


def test_numbers_of_the_whole_curve_are_those_of_the_summary():
    random = np.random.default_rng(5)
    labels = np.arange(120) % 3 == 0
    counts = count(Predictions(labels, {"m": random.normal(size=120) + labels}))
    result = sweep(counts, max_fpr=0.5)
    summary = result.summary()
    for name in ("n", "positives", "negatives", "prevalence", "auc", "average_precision", "partial_auc", "thresholds"):
        assert measure(result, name).value == summary[name]
    found = measure(result, "auc")
    assert (found.interval.lower, found.interval.upper) == (summary["auc_lower"], summary["auc_upper"])
    for name in ("average_precision", "partial_auc"):
        found = measure(result, name)
        assert found.interval.lower < found.value < found.interval.upper
    missing = measure(sweep(counts), "partial_auc")
    assert (missing.reason, missing.n, missing.positives) == ("no largest false positive rate was given", 120, 40)


def test_bootstrapped_numbers_have_the_interval_of_their_summary():
    counts = ScoreCounts.of(np.arange(40.0), np.arange(40) % 2, 1 - np.arange(40) % 2)
    result = tango(counts, bootstrap=200)
    assert isinstance(result, ConfidentSegment)
    found, summary = measure(result, "cauc"), result.summary()
    assert (found.interval.lower, found.interval.upper) == (summary["cauc_lower"], summary["cauc_upper"])


def test_a_point_s_numbers_are_those_of_its_rule():
    assert measure(sweep(PERFECT), "tp", at="threshold=3").value == 2
    assert measure(sweep(PERFECT), "threshold", at="threshold=3").value == 3


def test_a_rule_at_another_level_has_the_interval_of_that_level():
    counts = ScoreCounts.of(np.arange(40.0), np.arange(40) % 2, 1 - np.arange(40) % 2)
    assert limits(sweep(counts, level=0.95), "auc", level=0.8) == limits(sweep(counts, level=0.8), "auc")
    wide, narrow = (limits(sweep(counts), "average_precision", level=level) for level in (0.95, 0.5))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_only_counts_thresholds_p_values_and_known_numbers_are_judged_without_an_interval():
    """A number that can have an interval must declare where it comes from, or a rule would judge the bare value."""
    kinds = (Sweep, ConfidentSegment, Chi2Contours, Sensibility, Comparison)
    declared = {metric for kind in kinds for metric in metrics_of(kind, at_point=False).values()}
    bare = {metric.name for metric in declared if not metric.has_interval and not metric.name.startswith(DELTA)}
    assert bare == {metric.name for metric in declared if metric.kind in ("count", "score", "p")} | {"null_point"}


def test_a_difference_of_which_less_is_better_is_judged_so_in_every_measure():
    better = {name for name, metric in DIFFERENCES.items() if metric.lower_is_better}
    assert better == {"aved_abs", "cost", "brier", "log_loss", "mcb", "fpr"}
