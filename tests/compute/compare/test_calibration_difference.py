"""The differences of two models as probabilities, on the same cases and on different ones."""

from itertools import product

import numpy as np
import pytest
from conftest import SAMPLE_DATA
from rocconf.compute.compare.calibration_difference import paired_calibration, unpaired_calibration
from rocconf.compute.stats.mean_interval import MeanLoss

import rocconf
from rocconf.compute.compare import CROSS_FITTED
from rocconf.compute.roc.calibration import calibration_interval, squared_losses, values_of
from rocconf.records import UNKNOWN

CASES = rocconf.read_predictions(SAMPLE_DATA / "spect.csv", score=["S", "B"])
S, B = rocconf.count_each(CASES)
KINDS = ("robust", "delong")


@pytest.fixture(scope="module")
def paired():
    return {kind: dict(paired_calibration(CASES, B, S, level=0.95, kind=kind)) for kind in KINDS}


def test_a_difference_is_that_of_the_two_values(paired):
    one, other = values_of(B), values_of(S)
    for found in (*paired.values(), dict(unpaired_calibration(B, S, level=0.95, kind="robust"))):
        assert list(found) == ["brier", "log_loss", "mcb", "dsc"]
        for name, difference in found.items():
            assert difference.value == pytest.approx(one[name] - other[name], abs=1e-14)


def test_the_classical_interval_of_paired_losses_is_that_of_the_mean(paired):
    losses = [(CASES.scores[name] - CASES.labels) ** 2 for name in ("B", "S")]
    of_cases = losses[0] - losses[1]
    reach = 1.959963984540054 * of_cases.std(ddof=1) / len(of_cases) ** 0.5
    found = paired["delong"]["brier"].interval
    assert (found.lower, found.upper) == pytest.approx((of_cases.mean() - reach, of_cases.mean() + reach))
    robust = paired["robust"]["brier"].interval
    assert robust.lower < found.lower < found.upper < robust.upper


def test_the_parts_take_each_recalibration_for_the_worse(paired):
    """The lower limit is that of a mean in which B gains by a fit to other cases, and S by the best one of its own."""
    labels, own, other = CASES.labels, {}, {}
    for counts in (B, S):
        losses, at = squared_losses(counts), {score: k for k, score in enumerate(counts.scores.tolist())}
        rows = [at[score] for score in CASES.scores[counts.model].tolist()]
        own[counts.model], other[counts.model] = (
            np.where(labels, of[0][rows], of[1][rows]) for of in (losses.fitted, losses.crossed)
        )
    raw = (CASES.scores["B"] - labels) ** 2 - (CASES.scores["S"] - labels) ** 2
    ends = {
        "mcb": (raw - other["B"] + own["S"], raw - own["B"] + other["S"]),
        "dsc": (own["S"] - other["B"], other["S"] - own["B"]),
    }
    for kind, (name, (low, high)) in product(KINDS, ends.items()):
        found = paired[kind][name]
        assert found.test == CROSS_FITTED
        limits = [MeanLoss.of(each, reach=1.0).interval(0.95, kind) for each in (low, high)]
        assert (found.interval.lower, found.interval.upper) == pytest.approx((limits[0].lower, limits[1].upper))
        assert found.interval.lower < found.value < found.interval.upper
        assert (found.p < 0.05) == (not found.interval.lower <= 0 <= found.interval.upper)


def test_p_of_a_part_is_1_less_the_largest_level_that_excludes_0():
    random = np.random.default_rng(2)
    scores = random.beta(0.5, 1, 500)
    labels = random.random(500) < scores
    cases = rocconf.Predictions(labels, {"good": scores, "bad": scores**3})
    bad, good = (rocconf.count(cases, name) for name in ("bad", "good"))
    for first, second, sign in ((bad, good, 1), (good, bad, -1)):
        found = dict(paired_calibration(cases, first, second, level=0.95, kind="robust"))["mcb"]
        assert found.p < 0.05
        assert sign * found.value > 0
        for level, excludes in ((1 - 1.01 * found.p, True), (1 - 0.99 * found.p, False)):
            interval = dict(paired_calibration(cases, first, second, level=level, kind="robust"))["mcb"].interval
            assert (interval.lower > 0 or interval.upper < 0) is excludes


def test_the_order_of_the_rows_changes_nothing(paired):
    order = np.random.default_rng(3).permutation(len(CASES))
    shuffled = rocconf.Predictions(CASES.labels[order], {name: each[order] for name, each in CASES.scores.items()})
    again = dict(paired_calibration(shuffled, B, S, level=0.95, kind="robust"))
    for name, difference in paired["robust"].items():
        expected = (difference.interval.lower, difference.interval.upper)
        assert (again[name].interval.lower, again[name].interval.upper) == pytest.approx(expected, rel=1e-9)


def test_on_different_cases_the_reaches_are_added_in_squares():
    found = dict(unpaired_calibration(B, S, level=0.9, kind="robust"))["brier"]
    around = [calibration_interval(counts, "brier", level=0.9, kind="robust") for counts in (B, S)]
    values = [values_of(counts)["brier"] for counts in (B, S)]
    below = np.hypot(values[0] - around[0].lower, around[1].upper - values[1])
    assert found.interval.lower == pytest.approx(found.value - below)


def test_scores_that_are_no_probabilities_have_no_difference():
    cases = rocconf.Predictions(CASES.labels, {"S": CASES.scores["S"], "B": 100 * CASES.scores["B"]})
    one, other = rocconf.count_each(cases)
    assert set(dict(paired_calibration(cases, one, other, level=0.95, kind="robust")).values()) == {None}
    assert set(dict(unpaired_calibration(one, other, level=0.95, kind="robust")).values()) == {None}


def test_a_sure_score_leaves_the_difference_of_log_losses_unknown():
    labels = np.arange(60) % 2 == 0
    scores = {"a": np.where(labels, 0.8, 0.3), "b": np.where(labels, 1.0, 0.2)}
    cases = rocconf.Predictions(labels, scores)
    result = rocconf.compare(cases, baseline="a", calibrated=True)
    found = dict(paired_calibration(cases, *reversed(rocconf.count_each(cases)), level=0.95, kind="robust"))
    assert found["log_loss"].interval == UNKNOWN
    (verdict,) = rocconf.judge(result, "delta_log_loss <= 0.1")
    assert verdict.outcome == "inconclusive"
