"""The differences of two models as probabilities, beside the laws of all metrics."""

import numpy as np
import pytest
from conftest import SAMPLE_DATA

import rocconf
from rocconf.compute.roc.calibration import CALIBRATION, _crossed, recalibrated
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.observed import Observed, OnSameCases

CASES = rocconf.read_predictions(SAMPLE_DATA / "spect.csv", score=["S", "B"])
S, B = rocconf.count_each(CASES)


def differences(cases):
    """Return the paired difference of each measure."""
    pair = OnSameCases(cases, tuple(map(Observed, rocconf.count_each(cases)))).pair(1, 0)
    return {name: of.paired(pair) for name, of in CALIBRATION.items()}


def test_the_parts_take_each_recalibration_for_the_worse():
    """The lower limit is that of a mean in which B gains by a fit to other cases, and S by the best one of its own."""
    labels, raw, own, other = CASES.labels, {}, {}, {}
    for counts in (B, S):
        at = {score: k for k, score in enumerate(counts.scores.tolist())}
        rows = [at[score] for score in CASES.scores[counts.model].tolist()]
        fit, share = recalibrated(curve(counts)), np.full(len(counts), counts.p / counts.n)
        raw[counts.model], own[counts.model], other[counts.model] = (
            np.where(labels, of[0][rows], of[1][rows])
            for of in (((1 - share) ** 2, share**2), ((1 - fit) ** 2, fit**2), _crossed(counts))
        )
    loss = (CASES.scores["B"] - labels) ** 2 - (CASES.scores["S"] - labels) ** 2
    prevalence = raw["B"] - raw["S"]
    found = differences(CASES)
    for name, gained in (("mcb", loss), ("dsc", prevalence)):
        between = found[name]
        ends = (between.low, gained - other["B"] + own["S"]), (between.high, gained - own["B"] + other["S"])
        for end, of_cases in ends:
            assert end.value == pytest.approx(of_cases.mean(), abs=1e-14)
            assert end.sums.variance == pytest.approx(of_cases.var(ddof=1) / len(of_cases), rel=1e-9)
        assert between.low.value < between.value < between.high.value


def test_scores_that_are_no_probabilities_have_no_difference():
    found = differences(rocconf.Predictions(CASES.labels, {"S": CASES.scores["S"], "B": 100 * CASES.scores["B"]}))
    assert set(found.values()) == {None}


def test_a_sure_score_leaves_the_difference_of_log_losses_unknown():
    labels = np.arange(60) % 2 == 0
    cases = rocconf.Predictions(labels, {"a": np.where(labels, 0.8, 0.3), "b": np.where(labels, 1.0, 0.2)})
    (verdict,) = rocconf.judge(rocconf.compare(cases, baseline="a", calibrated=True), "delta_log_loss <= 0.1")
    assert verdict.outcome == "inconclusive"
