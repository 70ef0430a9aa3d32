"""Simulated areas: their intervals are the gate's, their shares those of generated cases, their sizes have the power."""

from dataclasses import replace
from itertools import pairwise
from math import asin, pi, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from scipy.special import ndtr

from rocconf import Predictions, compare, count, judge, plan, sweep
from rocconf.compute.plan import Binormal, Condition, Pilot
from rocconf.compute.plan.populations import placements_in_samples
from rocconf.compute.plan.search import _probit_root, least_size, simulated_size
from rocconf.compute.plan.simulated import Part, draw, expected_spread, limits_of, samples
from rocconf.compute.roc.influence import AUC
from rocconf.compute.roc.observed import Observed, OnSameCases
from rocconf.compute.stats.normal import normal_deviate, quadrant
from rocconf.records import Grouping

KINDS = ("robust", "delong")
TWO = Binormal((0.87, 0.85), 0.8)


def shares_of(population, p, q, *, limit, runs=1000, seed=1, kind="robust"):
    """Return how often a rule passes and fails."""
    drawn = samples(population, p, q, runs=runs, seed=seed, level=0.95, kind=kind)
    condition = Condition("", "", ">=", limit, 0.95, kind)
    return [float(each.mean()) for each in condition.met(drawn)]


def scores_of(rng, p, q, *, ties):
    """Return the scores of two models, the positives first."""
    scores = rng.normal(size=(2, p + q))
    scores[:, :p] += 1.2
    scores[1] += scores[0]
    return np.round(scores) if ties else scores


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("p", "q", "ties"), [(2, 3, False), (9, 40, False), (40, 9, True), (25, 25, True)])
def test_intervals_are_those_of_the_library_one_by_one(kind, p, q, ties):
    rng = np.random.default_rng(p)
    for _ in range(5):
        scores = scores_of(rng, p, q, ties=ties)
        cases = Predictions(np.arange(p + q) < p, {"new": scores[0], "old": scores[1]})
        models = tuple(Observed(count(cases, name), kind) for name in ("new", "old"))
        pair = OnSameCases(cases, models).pair(0, 1)
        for estimate, of in ((AUC.estimate(models[0]), scores[:1]), (AUC.paired(pair), scores)):
            placements = Pilot(of[:, :p], of[:, p:]).of_cases
            parts, value = [Part.of(each[None, :]) for each in placements], np.array([estimate.value])
            found = limits_of(value, parts, (p, q), is_paired=len(of) > 1, level=0.9, kind=kind)
            wanted = estimate.interval(0.9)
            if wanted.lower < wanted.upper:
                assert [found.lower[0], found.upper[0]] == pytest.approx(wanted.ends, abs=1e-9)


@pytest.mark.parametrize("ties", [False, True])
def test_samples_have_the_placements_of_their_scores(ties):
    p, q = 7, 12
    scores = np.vstack([scores_of(np.random.default_rng(seed), p, q, ties=ties) for seed in range(3)])
    found = placements_in_samples(scores, p)
    wins = (scores[:, :p, None] > scores[:, None, p:]) + (scores[:, :p, None] == scores[:, None, p:]) / 2
    assert found[0] == pytest.approx(wins.mean(axis=2), abs=1e-12)
    assert found[1] == pytest.approx(wins.mean(axis=1), abs=1e-12)


def test_the_moments_of_placements_are_those_of_the_binormal_model():
    found, other = Binormal((0.85,)).moments
    assert found == other
    assert found.mean == pytest.approx(0.85, abs=1e-9)
    shared = quadrant(0.85, 0.85, 0.5) - 0.85**2  # two negatives share a positive
    assert found.second == pytest.approx(shared, abs=1e-9)
    assert expected_spread(Binormal((0.85,)), 50, 200) == pytest.approx(sqrt(found.second * (1 / 50 + 1 / 200)))
    both = Binormal((0.9, 0.8), 0.6).moments[0]
    parts = [Binormal((area,)).moments[0].second for area in (0.9, 0.8)]
    covariance = quadrant(0.9, 0.8, 0.3) - 0.9 * 0.8
    assert both.second == pytest.approx(sum(parts) - 2 * covariance, abs=1e-9)
    assert both.mean == pytest.approx(0.1, abs=1e-9)


@pytest.mark.parametrize("correlation", [-0.9, 0.0, 0.99])
def test_a_quadrant_has_the_probability_of_the_bivariate_normal_distribution(correlation):
    assert quadrant(0.5, 0.5, correlation) == pytest.approx(0.25 + asin(correlation) / (2 * pi), abs=1e-9)
    x = np.linspace(-9, normal_deviate(0.9), 20_001)
    below = ndtr((normal_deviate(0.7) - correlation * x) / sqrt(1 - correlation**2))
    slow = np.trapezoid(np.exp(-x * x / 2) / sqrt(2 * pi) * below, x)
    assert quadrant(0.9, 0.7, correlation) == pytest.approx(slow, abs=1e-6)
    assert quadrant(0.9, 1.0, correlation) == 0.9
    assert quadrant(0.9, 0.0, correlation) == 0.0


def binormal_cases(rng, population, p, q):
    """Return generated cases, as a user would have them."""
    noise = rng.standard_normal((2, p + q))
    new = noise[0]
    old = population.correlation * noise[0] + sqrt(1 - population.correlation**2) * noise[1]
    labels = np.arange(p + q) < p
    shifts = [sqrt(2) * normal_deviate(area) for area in population.areas]
    return Predictions(labels, {"new": new + shifts[0] * labels, "old": old + shifts[1] * labels})


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("p", "q"), [(40, 60), (60, 1200)])
def test_shares_are_those_of_the_gate_on_generated_cases(kind, p, q):
    rng, runs = np.random.default_rng(9), 300
    rules = ("delta_auc >= -0.03", "auc[new] >= 0.8")
    passed = np.zeros(2)
    for _ in range(runs):
        result = compare(binormal_cases(rng, TWO, p, q), baseline="old", interval=kind)
        passed += [verdict.outcome == "pass" for verdict in judge(result, rules)]
    planned = [
        shares_of(TWO, p, q, limit=-0.03, runs=4000, kind=kind)[0],
        shares_of(Binormal((0.87,)), p, q, limit=0.8, runs=4000, kind=kind)[0],
    ]
    for found, wanted in zip(passed / runs, planned, strict=True):
        assert found == pytest.approx(wanted, abs=4 * sqrt(wanted * (1 - wanted) * (1 / runs + 1 / 4000)) + 1e-9)
        assert 0.05 < wanted < 0.95


@pytest.mark.thorough
@pytest.mark.parametrize("population", [TWO, Binormal((0.87,))], ids=["two", "one"])
def test_large_samples_have_the_shares_of_whole_ones(population, monkeypatch):
    limit = -0.01 if len(population.areas) > 1 else 0.83
    whole = shares_of(population, 150, 440, limit=limit)[0]
    monkeypatch.setattr("rocconf.compute.plan.simulated.WHOLE", 0)
    drawn = shares_of(population, 150, 440, limit=limit, runs=4000)[0]
    monkeypatch.setattr("rocconf.compute.plan.simulated.DRAWN", 100)
    by_moments = shares_of(population, 150, 440, limit=limit, runs=4000)[0]
    assert 0.2 < whole < 0.8
    assert drawn == pytest.approx(whole, abs=0.06)
    assert by_moments == pytest.approx(drawn, abs=0.04)


@pytest.mark.parametrize("whole", [10**6, 0], ids=["whole", "by class"])
def test_values_and_their_variances_spread_as_those_of_whole_samples(whole, monkeypatch):
    monkeypatch.setattr("rocconf.compute.plan.simulated.WHOLE", whole)
    p, q = 6, 9
    population = Binormal((0.75, 0.6), 0.5)
    values, parts = draw(population, p, q, runs=20_000, seed=1)
    positives, negatives = (each.second for each in population.moments)
    pair = 0.75 + 0.6 - 2 * quadrant(0.75, 0.6, 0.5) - 0.15**2
    # the variance of Mann and Whitney's statistic
    wanted = (pair + (q - 1) * positives + (p - 1) * negatives) / (p * q)
    assert values.mean() == pytest.approx(0.15, abs=0.005)
    assert values.var() == pytest.approx(wanted, rel=0.04)
    found = sum(part.variance.mean() for part in parts)
    rest = pair - positives - negatives
    assert found == pytest.approx(positives / p + negatives / q + 2 * rest / (p * q), rel=0.05)


def test_a_model_at_its_limit_passes_no_more_than_it_should():
    for p, q in ((30, 120), (100, 1000), (2000, 20_000)):
        assert shares_of(Binormal((0.85, 0.87), 0.8), p, q, limit=-0.02, runs=2000)[0] <= 0.04
        assert shares_of(Binormal((0.85,)), p, q, limit=0.85, runs=2000)[0] <= 0.04


@pytest.fixture(scope="module")
def planned():
    """A plan not to be worse by 0.03."""
    return plan(margin=0.03, auc=0.85, correlation=0.8, prevalence=0.1, runs=1000)


def test_the_size_has_the_power_that_was_asked(planned):
    row = planned.table().records()[0]
    assert (row["rule"], row["verdict"]) == ("delta_auc > -0.03", "pass")
    assert row["cases"] == 10 * row["positives"] == row["positives"] + row["negatives"]
    passes, _ = shares_of(
        Binormal((0.85, 0.85), 0.8), row["positives"], row["negatives"], limit=-0.03, runs=4000, seed=77
    )
    spread = sqrt(0.8 * 0.2 * (1 / 4000 + 1 / 1000))
    assert passes == pytest.approx(0.8, abs=4 * spread)
    assert row["reached"] == pytest.approx(0.8, abs=4 * sqrt(0.8 * 0.2 / 1000))
    assert row["reached_error"] == pytest.approx(sqrt(row["reached"] * (1 - row["reached"]) / 1000))
    assert 0.002 < row["cases_error"] < 0.06


def test_the_share_that_passes_rises_with_the_size(planned):
    rows = planned.table("power").records()
    assert len(rows) == 7
    assert [row["cases"] for row in rows] == sorted(row["cases"] for row in rows)
    for before, after in pairwise(rows):
        assert after["pass"] >= before["pass"] - 3 * (before["error"] + after["error"])
    assert rows[0]["pass"] < 0.4
    assert rows[-1]["pass"] > 0.95
    assert [row["needed"] for row in rows] == [False] * 3 + [True] + [False] * 3
    assert all(row["pass"] + row["fail"] + row["inconclusive"] == pytest.approx(1) for row in rows)


def test_the_same_seed_has_the_same_digits_and_another_seed_others():
    options = {"auc": 0.9, "prevalence": 0.3, "runs": 200}
    one, again = (plan("auc >= 0.75", **options).to_dict(rows=True) for _ in range(2))
    other = plan("auc >= 0.75", **options, seed=2).to_dict(rows=True)
    assert one == again
    assert one["tables"]["power"] != other["tables"]["power"]


def test_a_failing_model_is_planned_for_too():
    result = plan("auc >= 0.8", auc=0.7, prevalence=0.2, runs=400)
    passing, failing = result.table().records()
    assert passing["cases"] is None
    assert passing["reason"] == "the value does not meet the rule"
    assert failing["reached"] == pytest.approx(0.8, abs=0.08)
    assert result.summary()["verdict"] == "fail"
    mirrored = plan("auc <= 0.8", auc=0.7, prevalence=0.2, runs=400).table().records()
    assert mirrored[0]["cases"] == failing["cases"]
    assert "passes with no number of cases" in str(result.conclusions[0])


def test_a_half_width_is_reached_with_the_power():
    result = plan(half_width=0.05, auc=0.85, prevalence=0.2, power=0.9, runs=500)
    row = result.table().records()[0]
    assert (row["rule"], row["verdict"]) == ("auc within 0.05", "narrow")
    assert row["reached"] == pytest.approx(0.9, abs=0.08)
    p, q = row["positives"], row["negatives"]
    drawn = samples(Binormal((0.85,)), p, q, runs=2000, seed=5, level=0.95, kind="robust")
    assert np.quantile((drawn.upper - drawn.lower) / 2, 0.9) == pytest.approx(0.05, rel=0.03)
    difference = plan(half_width=0.05, auc=0.85, correlation=0.8, prevalence=0.2, runs=300).table().records()[0]
    assert difference["rule"] == "delta_auc within 0.05"


def test_the_power_of_given_cases_is_that_of_their_size():
    result = plan("auc >= 0.75", auc=0.85, prevalence=0.25, cases=200, runs=300)
    rows = result.table("power").records()
    assert (50, 150) in [(row["positives"], row["negatives"]) for row in rows]
    by_class = plan("auc >= 0.75", auc=0.85, positives=50, negatives=150, runs=300)
    assert by_class.table("power").records() == rows
    assert str(by_class.conclusions[1]).startswith("50 positives in 200 cases: auc >= 0.75 passes")
    for other in ({"level": 0.8}, {"interval": "delong"}):
        found = plan("auc >= 0.75", auc=0.85, positives=50, negatives=150, runs=300, **other).table("power").records()
        passes = [row["pass"] for each in (found, rows) for row in each if row["positives"] == 50]
        assert passes[0] > passes[1], "narrower intervals pass more often"
    mostly_positive = plan("auc >= 0.75", auc=0.85, prevalence=0.75, runs=300).table().records()[0]
    assert mostly_positive["positives"] == 3 * mostly_positive["negatives"]


def test_a_pilot_is_resampled():
    rng = np.random.default_rng(6)
    cases = binormal_cases(rng, TWO, 150, 300)
    models = tuple(Observed(count(cases, name)) for name in ("new", "old"))
    areas = [model.ranks.area for model in models]
    result = plan("delta_auc >= -0.05", pilot=cases, baseline="old", runs=400)
    row = result.table().records()[0]
    assert row["value"] == pytest.approx(areas[0] - areas[1], abs=1e-12)
    assert row["negatives"] == 2 * row["positives"]
    variance = AUC.paired(OnSameCases(cases, models).pair(0, 1)).sums.variance
    needed = ((1.96 + 0.8416) / (row["value"] + 0.05)) ** 2 * variance * 450
    assert row["classical_cases"] == pytest.approx(needed, rel=0.03)
    assert 1 < row["cases"] / needed < 2
    wald = plan("delta_auc >= -0.05", pilot=cases, baseline="old", runs=400, interval="delong").table().records()[0]
    assert wald["cases"] == pytest.approx(needed, rel=0.15)
    alone = plan("auc >= 0.8", pilot=count(cases, "new"), runs=400).table().records()[0]
    assert (alone["model"], alone["value"]) == ("new", pytest.approx(areas[0], abs=1e-12))
    reversed_ = Predictions(cases.labels, {k: -v for k, v in cases.scores.items()}, lower_is_positive=True)
    again = plan("delta_auc >= -0.05", pilot=reversed_, baseline="old", runs=400).table().records()[0]
    assert again == row


def test_a_rule_on_the_baseline_of_a_pilot_is_planned_with_its_scores():
    cases = binormal_cases(np.random.default_rng(6), TWO, 60, 90)
    rules = ("auc[old] >= 0.6", "tpr[old]@threshold=1 >= 0.3", "f1[old]@threshold=1 >= 0.3", "auc >= 0.6")
    rows = plan(rules, pilot=cases, baseline="old", runs=100).table("models").records()
    old = count(cases, "old")
    found = sweep(old, at="threshold=1").table("operating_points").records()[0]
    assert [row["model"] for row in rows] == ["old", "old", "old", "new"]
    assert [row["value"] for row in rows[:3]] == pytest.approx([Observed(old).ranks.area, found["tpr"], found["f1"]])


def test_the_formula_of_more_cases_agrees_with_simulated_samples():
    """Clusters of one case are planned by formula, which takes the reach of pseudo-cases for spread where power is above 0.5."""
    cases = binormal_cases(np.random.default_rng(3), TWO, 60, 180)
    alone = replace(cases, clusters=Grouping.of("patient", range(240)))
    options = {"baseline": "old", "runs": 2000}
    for rule, power in (
        ("auc >= 0.8", 0.8),
        ("auc >= 0.8", 0.5),
        ("delta_auc >= -0.05", 0.8),
        ("delta_auc <= 0.1", 0.9),
    ):
        rows = [plan(rule, pilot=each, power=power, **options).table().records()[0] for each in (cases, alone)]
        assert [row["method"] for row in rows] == ["simulation", "formula"]
        assert 0.94 < rows[1]["cases"] / rows[0]["cases"] < 1.16, rule


def test_the_probit_line_finds_the_size_of_a_known_curve():
    def share_of(size):
        return float(0.5 + 0.5 * np.tanh(0.8 * (sqrt(size) - 20) / 3))

    found = simulated_size(share_of, 0.8, start=150, runs=10**6)
    assert found.size == pytest.approx(least_size(share_of, 0.8), rel=0.02)
    assert least_size(share_of, 0.5) == 400
    assert least_size(lambda _: 0.1, 0.5) is None


def test_the_error_of_a_size_is_that_of_repeated_plans():
    rng, sizes = np.random.default_rng(8), (80, 100, 125)
    truth = {size: NormalDist().cdf(sqrt(size) / 3 - 2.5) for size in sizes}
    roots = [
        _probit_root({size: rng.binomial(1000, share) / 1000 for size, share in truth.items()}, 0.8, 1000)
        for _ in range(300)
    ]
    wanted = (3 * (normal_deviate(0.8) + 2.5)) ** 2
    found = np.array([root for root, _ in roots])
    assert found.mean() == pytest.approx(wanted, rel=0.01)
    assert found.std() / wanted == pytest.approx(np.mean([error for _, error in roots]), rel=0.15)
