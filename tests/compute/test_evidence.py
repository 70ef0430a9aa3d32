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
from rocconf.compute.stats.shares import PairedShares
from rocconf.compute.sweep import Sweep, sweep
from rocconf.compute.tango import ConfidentSegment, tango
from rocconf.metric import DELTA
from rocconf.records import Predictions, ScoreCounts

CELLS = st.tuples(st.integers(1, 40), st.integers(1, 40)).flatmap(
    lambda totals: st.tuples(st.integers(0, totals[0]), st.integers(0, totals[1])).map(lambda hits: (*hits, *totals))
)
ALTERNATING = ScoreCounts.of(np.arange(40.0), np.arange(40) % 2, 1 - np.arange(40) % 2)
OPEN = (-math.inf, math.inf)


def measure(result, name, at=None):
    (evidence,) = evidence_of(result)
    return evidence.evidence(name, None if at is None else parse_point_rule(at))


def limits(found):
    return found.interval.lower, found.interval.upper


@given(CELLS, st.sampled_from(sorted(RATES)), st.sampled_from(("robust", "delong")))
def test_every_rate_lies_in_an_interval_that_has_a_width(cells, name, kind):
    tp, fp, p, q = cells
    counts = ScoreCounts.of([2.0, 1.0], [tp, p - tp], [fp, q - fp])
    found = measure(sweep(counts, interval=kind), name, at="threshold=2")
    expected = float(RATES[name].of(Confusion(np.array([tp]), np.array([fp]), p, q))[0])
    if math.isnan(expected):
        assert isinstance(found, Unavailable)
        assert found.reason
        return
    assert found.value == pytest.approx(expected, abs=1e-15)
    assert found.interval.lower <= found.value <= found.interval.upper
    assert found.interval.lower < found.interval.upper


def test_the_error_difference_has_tango_s_interval():
    wanted = tango_interval([10], [10], [972], 0.9)
    cells = CellCases.counted(3, 10, 13, 959)
    classical, robust = (AT_A_POINT["diff"].estimate(cells, kind).interval(0.9) for kind in ("delong", "robust"))
    assert (classical.lower, classical.upper) == (wanted.lower[0], wanted.upper[0])
    assert robust == PairedShares(10, 10, 972).interval(0.9)


@pytest.mark.parametrize("few", ["positives", "negatives"])
def test_a_single_case_of_a_class_is_drawn_every_time_and_tells_nothing(few):
    one = np.arange(30) == 4
    counts = ScoreCounts.of(np.arange(30.0), *((one, ~one) if few == "positives" else (~one, one)))
    assert [limits(measure(tango(counts, bootstrap=200), name)) for name in ("cauc", "aved_abs")] == [OPEN, OPEN]


def test_a_segment_that_is_the_same_in_all_replicates_is_not_known():
    # of two scores, only the one that tells all cases apart is confident, in the data and in whatever is drawn of them
    result = tango(ScoreCounts.of([1, 0], [10, 0], [0, 10]), bootstrap=200)
    assert (result.summary()["aved_abs_lower"], result.summary()["aved_abs_upper"]) == (None, None)
    found = measure(result, "aved_abs")
    assert (found.value, *limits(found)) == (0, *OPEN)


def test_a_segment_is_bootstrapped_for_a_rule_also_where_the_run_did_not():
    result = tango(ALTERNATING, bootstrap=200)
    summary = result.summary()
    assert limits(measure(result, "cauc")) == (summary["cauc_lower"], summary["cauc_upper"])
    found = measure(tango(ALTERNATING), "cauc")
    assert -math.inf < found.interval.lower < found.value < found.interval.upper


def test_numbers_are_those_of_the_summary_and_of_the_operating_points():
    random, labels = np.random.default_rng(5), np.arange(120) % 3 == 0
    counts = count(Predictions(labels, {"m": random.normal(size=120) + labels}))
    result = sweep(counts, max_fpr=0.5, at="youden")
    summary, point = result.summary(), result.table("operating_points").records()[0]
    for name in ("n", "positives", "negatives", "prevalence", "auc", "average_precision", "partial_auc", "thresholds"):
        assert measure(result, name).value == summary[name]
    assert limits(measure(result, "auc")) == (summary["auc_lower"], summary["auc_upper"])
    for name in ("threshold", "tp", "fn", *RATES):
        assert measure(result, name, at="youden").value == pytest.approx(point[name])
    missing = measure(sweep(counts), "partial_auc")
    assert (missing.reason, missing.n, missing.positives) == ("no largest false positive rate was given", 120, 40)


def test_a_rule_at_another_level_has_the_interval_of_that_level():
    (evidence,) = evidence_of(sweep(ALTERNATING))
    for name in ("auc", "average_precision", "prevalence"):
        assert limits(evidence.evidence(name, level=0.8)) == limits(measure(sweep(ALTERNATING, level=0.8), name))


def test_only_counts_thresholds_p_values_and_known_numbers_are_judged_without_an_interval():
    """A number that can have an interval must declare where it comes from, or a rule would judge the bare value."""
    kinds = (Sweep, ConfidentSegment, Chi2Contours, Sensibility, Comparison)
    declared = {metric for kind in kinds for metric in metrics_of(kind, at_point=False).values()}
    bare = {metric.name for metric in declared if not metric.has_interval and not metric.name.startswith(DELTA)}
    assert bare == {metric.name for metric in declared if metric.kind in ("count", "score", "p")} | {"null_point"}


def test_a_difference_of_which_less_is_better_is_judged_so_in_every_measure():
    better = {name for name, metric in DIFFERENCES.items() if metric.lower_is_better}
    assert better == {"aved_abs", "cost", "brier", "log_loss", "mcb", "fpr"}
