"""Scores as probabilities: reference values, scikit-learn, and the recalibration by the slow and obvious way."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from conftest import REFERENCE, SAMPLE_DATA
from hypothesis import given
from hypothesis import strategies as st
from strategies import counted, tied_cases

import rocconf
from rocconf.compute.roc.calibration import (
    CALIBRATION,
    _crossed,
    _fit,
    calibration,
    calibration_p,
    consistency_band,
    parts_of,
    recalibrated,
    redrawn,
)
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.observed import Observed, probabilities
from rocconf.records import UNKNOWN, ScoreCounts

FOUND = json.loads((REFERENCE / "costs.json").read_text(encoding="utf-8"))["corp"]["values"]


def estimate_of(counts, name):
    return CALIBRATION[name].estimate(Observed(counts))


def values_of(counts):
    found = {name: estimate_of(counts, name) for name in CALIBRATION}
    return {name: each and each.value for name, each in found.items()}


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
    assert estimate_of(counts, "log_loss") is None
    assert estimate_of(counts, "brier") is not None
    (verdict,) = rocconf.judge(rocconf.sweep(counts, calibrated=True), "log_loss <= 100")
    assert (verdict.outcome, verdict.is_without_value) == ("inconclusive", True)


def test_a_sure_score_leaves_the_interval_of_the_log_loss_unknown():
    """Were one of its cases of the other class, the loss would be infinite: no sample shows that none is."""
    counts = ScoreCounts.of([1.0, 0.3, 0.0], [400, 3, 0], [0, 9, 400])
    assert estimate_of(counts, "log_loss").interval(0.95) == UNKNOWN
    (verdict,) = rocconf.judge(rocconf.sweep(counts, calibrated=True), "log_loss <= 5")
    assert verdict.outcome == "inconclusive"


def test_a_perfect_brier_score_in_few_cases_proves_little():
    counts = ScoreCounts.of([1.0, 0.0], [10, 0], [0, 10])
    interval = estimate_of(counts, "brier").interval(0.95)
    assert interval.lower == 0
    assert interval.upper > 0.15  # none of 20 cases: 3.7 of 20 are possible


def test_the_parts_lie_between_the_gains_of_two_recalibrations():
    """One mean is of the best gain on these cases, the other of the gain of fits to other cases."""
    counts = counts_of("spect.csv", "B")
    parts, pi, scores = parts_of(counts), counts.p / counts.n, counts.scores
    fit = recalibrated(curve(counts))
    unfitted = {
        "mcb": ((1 - scores) ** 2, scores**2),
        "dsc": [np.full(len(counts), loss) for loss in ((1 - pi) ** 2, pi**2)],
    }
    for name, losses in unfitted.items():
        found, cases = estimate_of(counts, name), (counts.positives, counts.negatives)
        for end, fitted in ((found.low, _crossed(counts)), (found.high, ((1 - fit) ** 2, fit**2))):
            gains = [(one - other, of) for one, other, of in zip(losses, fitted, cases, strict=True)]
            mean = sum(of @ gain for gain, of in gains) / counts.n
            spread = sum(of @ (gain - mean) ** 2 for gain, of in gains) / counts.n**2
            assert end.value == pytest.approx(mean, abs=1e-14)
            assert end.sums.second == pytest.approx(spread, rel=1e-12)
        assert found.high.value == pytest.approx(getattr(parts, name), abs=1e-14)
        assert found.low.value < found.high.value
        assert CALIBRATION[name].unpaired(found, found).p is None  # on other cases there is no test


@given(tied_cases(max_size=30), st.integers(0, 5))
def test_a_fit_to_some_cases_is_isotonic_and_known_at_every_score(cases, seed):
    scores, labels = cases
    counts, random = counted(scores, labels), np.random.default_rng(seed)
    some = [random.binomial(of_class, 0.5) for of_class in (counts.positives, counts.negatives)]
    fit = _fit(*some)
    assert len(fit) == len(counts)
    assert (np.diff(fit) <= 1e-15).all()  # from the highest score down
    pairs = list(zip(counts.scores.tolist(), *(each.tolist() for each in some), strict=True))
    held = [(score, label) for score, p, q in pairs for label in (1,) * p + (0,) * q]
    wanted = isotonic(*map(list, zip(*held, strict=True))) if held else {}
    found = dict(zip(counts.scores.tolist(), fit.tolist(), strict=True))
    assert {at: found[at] for at in wanted} == {at: pytest.approx(float(value)) for at, value in wanted.items()}


def test_no_case_is_recalibrated_by_its_own_label():
    """Where scores say nothing, a fit to the same labels seems to gain, and a fit to others loses."""
    random, fitted, crossed = np.random.default_rng(8), 0.0, 0.0
    for _ in range(20):
        counts = counted(random.random(120), random.random(120) < 0.5)
        of_cases, fit = np.concatenate([counts.positives, counts.negatives]), recalibrated(curve(counts))
        fitted += of_cases @ np.concatenate([(1 - fit) ** 2, fit**2]) / 120 / 20
        crossed += of_cases @ np.concatenate(_crossed(counts)) / 120 / 20
    assert fitted < 0.244
    assert crossed > 0.252


def test_a_single_case_of_a_class_leaves_the_parts_unknown():
    counts = ScoreCounts.of([0.9, 0.4, 0.2], [1, 0, 0], [0, 5, 9])
    assert {name: estimate_of(counts, name).interval(0.95) for name in ("mcb", "dsc")} == {
        "mcb": UNKNOWN,
        "dsc": UNKNOWN,
    }


def test_labels_are_redrawn_from_the_scores():
    counts = ScoreCounts.of([1.0, 0.5, 0.0], [100, 900, 100], [100, 100, 100])
    for roc in redrawn(counts, 20):
        assert (roc.tp[1], roc.fp[1]) == (200, 0)
        assert 420 < roc.tp[2] - roc.tp[1] < 580
        assert roc.tp[3] == roc.tp[2]
    assert calibration_p(counts) == 1 / 501


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
    found = calibration(Observed(counts), level=0.95)
    assert found.mcb_p < 0.05
    assert found.conclusion("B", 0.95).code == "answer-miscalibrated"
    assert calibration(Observed(counted([3.0, 1.0], [1, 0])), level=0.95).conclusion("s", 0.95).code == (
        "answer-no-probabilities"
    )
