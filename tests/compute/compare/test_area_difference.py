"""Differences of areas by influences: those of the AUC up to a rate of 1, symmetries, and models of one order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rocconf.compute.compare.paired_auc import paired_aucs

from rocconf import Predictions, compare, count


def made(seed, p=9, q=14, decimals=1):
    rng = np.random.default_rng(seed)
    labels = np.arange(p + q) < p
    base = rng.normal(size=p + q) + labels
    return Predictions(labels, {name: (base + rng.normal(size=p + q)).round(decimals) for name in "ab"})


def pairs_of(cases, **options):
    pairs = compare(cases, bootstrap=1, **options).pairs
    return {pair.metric: pair.difference for pair in pairs if pair.at is None}


@pytest.mark.thorough
@given(st.integers(0, 200))
@settings(max_examples=30)
def test_up_to_a_rate_of_1_the_difference_is_that_of_the_aucs(seed):
    cases = made(seed)
    found, expected = pairs_of(cases, max_fpr=1.0)["partial_auc"], paired_aucs(cases).difference(1, 0)
    assert found.value == pytest.approx(expected.value, abs=1e-12)
    assert found.p == pytest.approx(expected.p, rel=1e-9)
    limits = [(each.interval.lower, each.interval.upper) for each in (found, expected)]
    assert limits[0] == pytest.approx(limits[1], abs=1e-12)
    apart = [count(cases, name) for name in "ab"]
    found = pairs_of(apart, max_fpr=1.0)["partial_auc"]
    assert found.value == pytest.approx(expected.value, abs=1e-12)
    assert found.kind == "robust"


@given(st.integers(0, 200), st.sampled_from([0.1, 0.3, 1.0]))
@settings(max_examples=25)
def test_exchanging_the_models_mirrors_every_difference(seed, max_fpr):
    cases = made(seed)
    turned = Predictions(cases.labels, dict(reversed(cases.scores.items())))
    here, there = pairs_of(cases, max_fpr=max_fpr), pairs_of(turned, max_fpr=max_fpr)
    for name in ("partial_auc", "average_precision"):
        assert here[name].value == pytest.approx(-there[name].value, abs=1e-15)
        assert here[name].interval.lower == pytest.approx(-there[name].interval.upper, abs=1e-12)
        assert here[name].p == pytest.approx(there[name].p, rel=1e-9)


@given(st.integers(0, 100), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_the_order_of_the_rows_changes_no_digit(seed, random):
    cases = made(seed)
    order = list(range(len(cases)))
    random.shuffle(order)
    shuffled = Predictions(cases.labels[order], {name: of[order] for name, of in cases.scores.items()})
    assert pairs_of(cases, max_fpr=0.3) == pairs_of(shuffled, max_fpr=0.3)


def test_turned_scores_have_the_same_differences():
    cases = made(3)
    turned = Predictions(cases.labels, {name: -of for name, of in cases.scores.items()}, lower_is_positive=True)
    assert pairs_of(cases, max_fpr=0.3) == pairs_of(turned, max_fpr=0.3)


def test_models_of_one_order_do_not_differ():
    cases = made(5)
    cases = Predictions(cases.labels, {"a": cases.scores["a"], "b": cases.scores["a"] * 2 + 1})
    found = pairs_of(cases, max_fpr=0.3)
    for name in ("partial_auc", "average_precision"):
        assert (found[name].value, found[name].interval.lower, found[name].interval.upper, found[name].p) == (
            0,
            0,
            0,
            1,
        )


def test_on_different_cases_the_difference_is_the_square_and_add_of_both():
    first, second = (count(made(seed), "a") for seed in (1, 2))
    second = type(second)(**{**{f: getattr(second, f) for f in second.__dataclass_fields__}, "model": "b"})
    pairs = compare([first, second], bootstrap=1, max_fpr=1.0).pairs
    found = {pair.metric: pair.difference for pair in pairs}
    area = found["partial_auc"]
    assert area.value == pytest.approx(found["auc"].value)
    assert area.interval.lower <= found["auc"].interval.lower + 1e-12  # a negative more ranked first
    assert found["auc"].test == area.test == "robust"
