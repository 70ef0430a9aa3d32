"""Scores as probabilities: reference values, scikit-learn, and the recalibration by the slow and obvious way."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from conftest import REFERENCE, SAMPLE_DATA
from hypothesis import given
from hypothesis import strategies as st
from strategies import tied_cases

import rocconf
from rocconf.compute.roc import calibration as module
from rocconf.compute.roc.calibration import (
    BRIER,
    LOG_LOSS,
    basic_interval,
    calibration,
    calibration_interval,
    calibration_p,
    consistency_band,
    drawn_parts,
    mean_loss,
    parts_of,
    probabilities,
    recalibrated,
    redrawn,
    values_of,
)
from rocconf.compute.roc.curve import curve
from rocconf.records import Predictions, ScoreCounts

FOUND = json.loads((REFERENCE / "costs.json").read_text(encoding="utf-8"))["corp"]["values"]


def counted(scores, labels, **more):
    return rocconf.count(Predictions(np.array(labels, dtype=bool), {"s": np.array(scores, dtype=float)}, **more))


def counts_of(file, column):
    return rocconf.count(rocconf.read_predictions(SAMPLE_DATA / file, score=[column]))


@pytest.mark.parametrize("row", FOUND, ids=lambda row: f"{row['file']}-{row['column']}")
def test_the_brier_score_has_the_parts_of_an_exact_recalibration(row):
    counts = counts_of(row["file"], row["column"])
    parts = parts_of(counts)
    assert values_of(counts)["brier"] == pytest.approx(row["brier"], abs=1e-15)
    assert (parts.mcb, parts.dsc, parts.unc) == pytest.approx((row["mcb"], row["dsc"], row["unc"]), abs=1e-15)


def isotonic(scores, labels):
    """Return the isotonic fit by its definition, the largest of the least means of neighbours (min-max formula)."""
    ranked = sorted(set(scores))
    totals = [(sum(s == at for s in scores), sum(y for s, y in zip(scores, labels, strict=True) if s == at)) for at in ranked]  # fmt: skip

    def mean(first, last):
        return Fraction(sum(y for _, y in totals[first : last + 1]), sum(n for n, _ in totals[first : last + 1]))

    return {
        at: max(min(mean(low, high) for high in range(k, len(ranked))) for low in range(k + 1))
        for k, at in enumerate(ranked)
    }


@given(tied_cases(max_size=14))
def test_the_hull_is_the_isotonic_fit(cases):
    scores, labels = (each.tolist() for each in cases)
    fit, counts = isotonic(scores, labels), counted(scores, labels)
    found = dict(zip(counts.scores.tolist(), recalibrated(curve(counts)).tolist(), strict=True))
    assert found == {at: pytest.approx(float(value), abs=1e-15) for at, value in fit.items()}
    n, pi = len(labels), Fraction(sum(labels), len(labels))
    brier = sum((Fraction(s) - y) ** 2 for s, y in zip(scores, labels, strict=True)) / n
    least = sum((fit[s] - y) ** 2 for s, y in zip(scores, labels, strict=True)) / n
    parts = parts_of(counts)
    expected = tuple(map(float, (brier - least, pi * (1 - pi) - least, pi * (1 - pi))))
    assert (parts.mcb, parts.dsc, parts.unc) == pytest.approx(expected, abs=1e-14)


@given(tied_cases())
def test_the_losses_are_those_of_scikit_learn(cases):
    from sklearn.metrics import brier_score_loss, log_loss

    scores, labels = (np.clip(cases[0], 0.01, 0.99), cases[1])
    found = values_of(counted(scores, labels))
    assert found["brier"] == pytest.approx(brier_score_loss(labels, scores), rel=1e-12)
    assert found["log_loss"] == pytest.approx(log_loss(labels, scores, labels=[False, True]), rel=1e-12)


@given(tied_cases())
def test_the_probability_of_the_other_class_has_the_same_losses(cases):
    scores, labels = cases
    one, other = values_of(counted(scores, labels)), values_of(counted(1 - scores, labels, lower_is_positive=True))
    assert one == {name: value if value is None else pytest.approx(value, abs=1e-14) for name, value in other.items()}


@pytest.mark.parametrize(("score", "has_value"), [(1 + 1e-10, True), (-1e-10, True), (1.01, False), (-0.01, False), (math.inf, False)])  # fmt: skip
def test_scores_that_are_not_probabilities_have_no_value_and_a_reason(score, has_value):
    counts = counted([score, 0.2, 0.4, 0.5], [1, 0, 1, 0])
    assert (probabilities(counts) is not None) == has_value
    result = rocconf.sweep(counts, at="threshold=0.5", calibrated=True)
    told = result.to_dict()
    undefined = {(each["table"], each["key"]) for each in told["undefined"]}
    for key in ("brier", "mcb", "dsc", "unc", "mcb_p"):
        assert (result.summary()[key] is not None) == has_value
        assert (("models", key) in undefined) == (not has_value)
    assert (("operating_points", "net_benefit") in undefined) == (not has_value)
    (verdict,) = rocconf.judge(result, "brier <= 0.9")
    assert verdict.outcome == ("pass" if has_value and verdict.measure.interval.upper <= 0.9 else "inconclusive")


@pytest.mark.parametrize(("score", "label"), [(0.0, 1), (1.0, 0), (-1e-10, 1), (1 + 1e-10, 0)])
def test_an_infinite_log_loss_is_undefined_and_never_passes(score, label):
    counts = counted([score, 0.2, 0.6, 0.5, 0.7], [label, 0, 1, 0, 1])
    assert mean_loss(counts, LOG_LOSS) is None
    assert mean_loss(counts, BRIER) is not None
    (verdict,) = rocconf.judge(rocconf.sweep(counts, calibrated=True), "log_loss <= 100")
    assert (verdict.outcome, verdict.is_without_value) == ("inconclusive", True)


def test_a_sure_score_leaves_the_upper_limit_of_the_log_loss_unknown():
    """Were one of its cases of the other class, the loss would be infinite: no sample shows that none is."""
    counts = ScoreCounts.of([1.0, 0.3, 0.0], [400, 3, 0], [0, 9, 400])
    interval = calibration_interval(counts, "log_loss", level=0.95, kind="robust")
    assert 0 <= interval.lower < values_of(counts)["log_loss"]
    assert interval.upper == math.inf
    (verdict,) = rocconf.judge(rocconf.sweep(counts, calibrated=True), "log_loss <= 5")
    assert verdict.outcome == "inconclusive"


def test_a_perfect_brier_score_in_few_cases_proves_little():
    counts = ScoreCounts.of([1.0, 0.0], [10, 0], [0, 10])
    interval = calibration_interval(counts, "brier", level=0.95, kind="robust")
    assert interval.lower == 0
    assert interval.upper > 0.15  # none of 20 cases: 3.7 of 20 are possible


@given(tied_cases())
def test_every_limit_lies_in_the_range_of_its_measure(cases):
    counts = counted(*cases)
    for kind in ("robust", "delong"):
        for name in ("brier", "log_loss"):
            interval, value = calibration_interval(counts, name, level=0.95, kind=kind), values_of(counts)[name]
            if value is not None and len(cases[0]) > 1:
                assert 0 <= interval.lower <= value + 1e-12
                assert value - 1e-12 <= interval.upper <= (1 if name == "brier" else math.inf)


def test_a_basic_interval_mirrors_the_replicates(monkeypatch):
    drawn = np.arange(1, 100) / 100
    interval = basic_interval(0.4, drawn, 0.9)
    assert (interval.lower, interval.upper) == pytest.approx((0.8 - 0.95, 0.8 - 0.05))
    counts = ScoreCounts.of(np.arange(40) / 40, np.arange(40) % 3 == 0, np.arange(40) % 3 > 0)
    monkeypatch.setattr(module, "REPLICATES", 99)
    monkeypatch.setattr(module, "drawn_parts", lambda _: {"mcb": 0.5 * drawn, "dsc": 0.25 * drawn})
    parts = parts_of(counts)
    found = calibration_interval(counts, "mcb", level=0.9, kind="robust")
    assert found.upper == pytest.approx(min(max(2 * parts.mcb - 0.025, 0), 1))
    assert found.lower == pytest.approx(max(2 * parts.mcb - 0.475, 0))


def test_the_robust_limit_of_discrimination_holds_whatever_recalibration_gains():
    counts = counts_of("spect.csv", "B")
    brier = calibration_interval(counts, "brier", level=0.95, kind="robust")
    robust, plain = (calibration_interval(counts, "dsc", level=0.95, kind=kind) for kind in ("robust", "delong"))
    assert robust.lower == max(0.0, min(plain.lower, parts_of(counts).unc - brier.upper))
    assert robust.upper == plain.upper


def test_replicates_are_those_of_the_cases():
    drawn = drawn_parts(counts_of("table1.csv", "score"), 30)
    assert all(len(each) == 30 and (each >= 0).all() for each in drawn.values())
    assert all((drawn[name] == drawn_parts(counts_of("table1.csv", "score"), 30)[name]).all() for name in drawn)


def test_labels_are_redrawn_from_the_scores():
    counts = ScoreCounts.of([1.0, 0.5, 0.0], [100, 900, 100], [100, 100, 100])
    for roc in redrawn(counts, 20):
        assert (roc.tp[1], roc.fp[1]) == (200, 0)
        assert 420 < roc.tp[2] - roc.tp[1] < 580
        assert roc.tp[3] == roc.tp[2]
    assert calibration_p(counts) < 0.01


def test_calibrated_scores_are_seldom_found_miscalibrated():
    random, rejected = np.random.default_rng(4), 0
    for _ in range(40):
        scores = random.integers(1, 10, 120) / 10
        p = calibration_p(counted(scores, random.random(120) < scores))
        rejected += p <= 0.05
    assert rejected <= 6  # of 40 at a level of 5%


def test_the_band_holds_the_recalibration_of_calibrated_scores():
    scores = np.repeat(np.arange(1, 10) / 10, 200)
    labels = np.concatenate([np.arange(200) < 20 * k for k in range(1, 10)])
    counts = counted(scores, labels)
    band = consistency_band(counts, np.arange(9), level=0.95)
    fit = recalibrated(curve(counts))
    assert ((band.lower <= fit) & (fit <= band.upper)).all()
    assert (band.upper - band.lower < 0.2).all()


def test_the_conclusion_follows_from_the_test():
    counts = counts_of("hypothyroid.csv", "B")
    found = calibration(counts, level=0.95, kind="robust")
    assert found.mcb_p < 0.05
    assert found.conclusion("B", 0.95).code == "answer-miscalibrated"
    assert calibration(counted([3.0, 1.0], [1, 0]), level=0.95, kind="robust").conclusion("s", 0.95).code == (
        "answer-no-probabilities"
    )


@given(st.integers(2, 60), st.integers(1, 59))
def test_a_constant_score_at_the_prevalence_has_no_part_but_the_uncertainty(n, positives):
    p = min(positives, n - 1)
    parts = parts_of(ScoreCounts.of([p / n], [p], [n - p]))
    assert (parts.mcb, parts.dsc) == pytest.approx((0, 0), abs=1e-15)
