"""Plans for rates: the sizes equal those found by trying each one, and a plan that no size can meet says so."""

from statistics import NormalDist

import numpy as np
import pytest

from rocconf import Predictions, UsageError, count, plan
from rocconf.compute.stats.normal import quadrant
from rocconf.compute.stats.plan import paired_reaches, rate_reaches

KINDS = ("robust", "delong")


def passing(*rules, **options):
    """Return the row of the first verdict, to pass."""
    return plan(*rules, **options).table().records()[0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("rule", "options", "rate", "limit"),
    [
        ("tpr >= 0.8", {"tpr": 0.9}, 0.9, 0.8),
        ("tpr@fpr<=0.1 > 0.7", {"tpr": 0.78}, 0.78, 0.7),
        ("fpr <= 0.05", {"fpr": 0.02}, 0.98, 0.95),
        ("specificity >= 0.9", {"fpr": 0.04}, 0.96, 0.9),
        ("tpr <= 0.5", {"tpr": 0.2}, 0.8, 0.5),
    ],
)
def test_from_the_size_on_every_size_has_the_power_and_one_less_lacks_it(rule, options, rate, limit, kind):
    power = 0.3 if limit == 0.7 else 0.8
    row = passing(rule, **options, power=power, interval=kind)
    size = row["positives"] or row["negatives"]
    shares = rate_reaches(np.arange(1, 3 * size + 200), rate, limit, level=0.95, kind=kind)
    lacking = np.flatnonzero(shares < power)[-1] + 1
    assert size == lacking + 1
    assert row["reached"] == pytest.approx(shares[size - 1], abs=1e-12)
    assert row["reached_error"] is None
    assert row["method"] == "enumeration"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("margin", "more", "less"), [(0.1, 0.05, 0.05), (0.05, 0.1, 0.03)])
def test_the_size_of_a_paired_rate_has_the_power_and_one_less_lacks_it(margin, more, less, kind):
    row = passing(f"delta_tpr > -{margin}", disagree=f"{more}:{less}", interval=kind)

    def share(n):
        return paired_reaches(n, more, less, -margin, level=0.95, kind=kind)

    assert share(row["positives"] - 1) < 0.8
    assert all(share(row["positives"] + more) >= 0.8 for more in range(60))
    assert row["value"] == pytest.approx(more - less)
    mirrored = passing(f"delta_tpr < {margin}", disagree=f"{less}:{more}", interval=kind)
    assert mirrored["positives"] == row["positives"]


def test_the_classical_size_of_a_rate_is_that_of_the_normal_distribution():
    row = passing("tpr >= 0.8", tpr=0.9, prevalence=0.5)
    z, power = NormalDist().inv_cdf(0.975), NormalDist().inv_cdf(0.8)
    wanted = ((z * 0.16**0.5 + power * 0.09**0.5) / 0.1) ** 2
    assert row["classical_cases"] == 2 * np.ceil(wanted)


def test_the_rates_of_two_models_disagree_as_their_scores_do():
    both = quadrant(0.9, 0.85, 0.7)
    by_rates = plan("delta_tpr >= -0.05", tpr=0.9, baseline_tpr=0.85, correlation=0.7)
    by_shares = plan("delta_tpr >= -0.05", disagree=f"{0.9 - both!r}:{0.85 - both!r}")
    assert by_rates.table("power").records() == by_shares.table("power").records()
    right = quadrant(0.97, 0.95, 0.7)
    of_negatives = passing("delta_specificity >= -0.02", fpr=0.03, baseline_fpr=0.05, correlation=0.7)
    assert of_negatives["value"] == pytest.approx(0.02)
    same = passing("delta_specificity >= -0.02", disagree=f"{0.97 - right!r}:{0.95 - right!r}")
    assert (same["negatives"], same["positives"]) == (of_negatives["negatives"], None)


def test_the_prevalence_says_how_many_cases_have_so_many_positives():
    alone, mixed = passing("tpr >= 0.8", tpr=0.9), passing("tpr >= 0.8", tpr=0.9, prevalence=0.07)
    assert (alone["negatives"], alone["cases"]) == (None, None)
    assert mixed["positives"] == alone["positives"]
    assert mixed["positives"] / mixed["cases"] == pytest.approx(0.07, abs=1e-4)
    negatives = passing("fpr <= 0.1", fpr=0.05, prevalence=0.2)
    assert negatives["positives"] / negatives["cases"] == pytest.approx(0.2, abs=0.005)


def test_more_cases_pass_and_fewer_fail():
    rows = plan("tpr >= 0.8", tpr=0.9).table("power").records()
    assert [row["pass"] for row in rows] == sorted(row["pass"] for row in rows)
    assert [row["fail"] for row in rows] == sorted((row["fail"] for row in rows), reverse=True)


@pytest.mark.parametrize(
    ("rule", "options", "reasons"),
    [
        ("tpr >= 0.8", {"tpr": 0.8}, ["the value is the limit"] * 2),
        ("tpr >= 0.8", {"tpr": 0.7}, ["the value does not meet the rule", None]),
        ("fpr <= 0.1", {"fpr": 0.2}, ["the value does not meet the rule", None]),
        ("delta_tpr > -0.02", {"disagree": "0.01:0.05"}, ["the value does not meet the rule", None]),
        ("tpr >= 0.8", {"tpr": 0.9}, [None, "the value meets the rule"]),
        ("tpr >= 1", {"tpr": 1.0}, ["the value is the limit"] * 2),
        ("tpr >= 0.8", {"tpr": 0.80001}, ["more than 10,000,000 cases of a class", "the value meets the rule"]),
    ],
)
def test_each_verdict_has_its_cases_or_a_reason(rule, options, reasons):
    rows = plan(rule, **options).table().records()
    assert [row["reason"] for row in rows] == reasons
    for row in rows:
        assert (row["positives"] is None and row["negatives"] is None) == (row["reason"] is not None)


def test_a_rate_of_a_pilot_is_that_at_the_operating_point():
    rng = np.random.default_rng(5)
    labels = np.arange(400) < 100
    old = rng.normal(size=400) + 1.5 * labels
    cases = Predictions(labels, {"new": old + 0.5 * rng.normal(size=400), "old": old})
    row = passing("tpr@threshold=0.5 >= 0.7", pilot=count(cases, "old"))
    tpr = float((old[:100] >= 0.5).mean())
    assert row["value"] == tpr
    assert row["positives"] == passing("tpr >= 0.7", tpr=tpr)["positives"]
    assert row["cases"] == 4 * row["positives"]
    new = cases.scores["new"][:100] >= 0.5
    more, less = (new & (old[:100] < 0.5)).mean(), (~new & (old[:100] >= 0.5)).mean()
    paired = passing("delta_tpr@threshold=0.5 >= -0.2", pilot=cases, baseline="old")
    assert paired["positives"] == passing("delta_tpr >= -0.2", disagree=f"{more}:{less}")["positives"]
    right = cases.scores["new"][100:] < 0.5, old[100:] < 0.5
    of_negatives = passing("delta_specificity@threshold=0.5 >= -0.2", pilot=cases, baseline="old")
    assert of_negatives["value"] == pytest.approx((right[0].mean() - right[1].mean()), abs=1e-12)
    turned = Predictions(labels, {name: -scores for name, scores in cases.scores.items()}, lower_is_positive=True)
    again = passing("delta_tpr@threshold=-0.5 >= -0.2", pilot=turned, baseline="old")
    assert again["positives"] == paired["positives"]


@pytest.mark.parametrize(
    ("rules", "options", "words"),
    [
        ("auc >= 0.8", {}, "give auc, prevalence, or a pilot"),
        ("tpr >= 0.8", {"prevalence": 0.9}, "give tpr"),
        ((), {"auc": 0.8}, "what is to be shown?"),
        ("f1@threshold=0.5 >= 0.8", {}, "cannot be planned from numbers"),
        ("auc.point >= 0.8", {"auc": 0.9, "prevalence": 0.1}, "without an interval"),
        ("auc >= 8", {"auc": 0.9, "prevalence": 0.1}, "auc lies in"),
        ("auc >= 0.8", {"auc": 1.0, "prevalence": 0.1}, "auc 1 is not in (0, 1)"),
        ("auc >= 0.8", {"auc": 0.9, "prevalence": 0.0}, "prevalence 0 is not in (0, 1)"),
        ("auc >= 0.8", {"auc": 0.9, "prevalence": 0.1, "power": 1.0}, "no number of cases has 1"),
        ("delta_auc >= 0", {"auc": 0.9, "correlation": 1.0, "prevalence": 0.1}, "between -1 and 1"),
        ("tpr >= 0.8", {"tpr": 1.2}, "tpr 1.2 is not in [0, 1]"),
        ("delta_tpr >= 0", {"disagree": "0.1"}, "is not NEW:OLD"),
        ("delta_tpr >= 0", {"disagree": "0.9:0.2"}, "add up to at most 1"),
        ((), {"half_width": 0.0, "auc": 0.9, "prevalence": 0.1}, "a half-width must be between"),
        ((), {"half_width": 0.1, "tpr": 0.9}, "for areas"),
        ((), {"margin": 1.5, "auc": 0.9, "prevalence": 0.1, "correlation": 0.1}, "margin"),
        ("tpr >= 0.8", {"tpr": 0.9, "positives": 0}, "positives must be at least 1"),
        ("tpr >= 0.8", {"tpr": 0.9, "cases": 100}, "needs the prevalence"),
        ("tpr >= 0.8", {"tpr": 0.9, "cases": 100, "positives": 3}, "or the positives"),
        ("auc >= 0.8", {"auc": 0.9, "prevalence": 0.1, "baseline_auc": 0.8}, "no rule rests on baseline_auc"),
        ("fpr <= 0.1", {"fpr": 0.05, "positives": 30}, "depends on the negatives"),
        ("tpr >= 0.8", {"tpr": 0.9, "negatives": 30}, "depends on the positives"),
        ("auc >= 0.8", {"auc": 0.9, "prevalence": 0.1, "power": 0.01, "runs": 499}, "it takes 500"),
        ("auc >= 0.8", {"auc": 0.9, "prevalence": 0.1, "runs": 1}, "runs must be from 100"),
        ("auc >= 0.8", {"auc": 0.9, "prevalence": 0.1, "level": 1.0}, "level"),
        ("auc >= 0.8", {"auc": 0.9, "prevalence": 0.1, "interval": "wald"}, "wald"),
    ],
)
def test_what_cannot_be_planned_is_refused_with_what_is_needed(rules, options, words):
    with pytest.raises(UsageError) as refused:
        plan(rules, **options)
    assert words in str(refused.value)


def test_a_pilot_must_have_two_cases_of_each_class_and_its_own_numbers():
    few = count(Predictions(np.array([True, False, False]), {"s": np.array([3.0, 1.0, 2.0])}))
    with pytest.raises(UsageError, match="at least 2 cases of each class"):
        plan("auc >= 0.5", pilot=few)
    scores = {name: np.array([3.0, 1.0, 2.0, 0.0]) for name in "abc"}
    three = Predictions(np.array([True, True, False, False]), scores)
    with pytest.raises(UsageError, match="name two of them"):
        plan("delta_auc >= -0.1", pilot=three)
    pair = Predictions(three.labels, {"a": scores["a"], "b": np.array([2.0, 3.0, 1.0, 0.0])})
    with pytest.raises(UsageError, match="the same scores"):
        plan("delta_auc >= -0.1", pilot=Predictions(three.labels, {n: scores[n] for n in "ab"}), baseline="a")
    small = plan("delta_auc >= -0.1", pilot=pair, baseline="a", runs=100)
    assert "plan-small-pilot" in [caveat.code for caveat in small.caveats]


def test_a_plan_is_shown_by_its_rules_and_cases():
    assert repr(plan("tpr >= 0.8", tpr=0.9, prevalence=0.5)) == "Plan('tpr >= 0.8': 226)"
