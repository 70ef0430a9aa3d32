"""Tails of the binomial distribution: the published orders, sums of whole numbers, and scipy's."""

import json
from fractions import Fraction
from math import comb

import pytest
from conftest import REFERENCE
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from rocconf.compute.stats import binomial
from rocconf.compute.stats.binomial import binomial_tail, is_tail_within, least_trials, least_within

ORDERS = json.loads((REFERENCE / "assured.json").read_text(encoding="utf-8"))["orders"]

shares = st.fractions(0, 1, max_denominator=40)


def exact_tail(k, n, p):
    return sum(comb(n, hits) * p**hits * (1 - p) ** (n - hits) for hits in range(max(k, 0), n + 1))


@pytest.mark.parametrize("row", ORDERS, ids=lambda row: f"{row['x']} {row['D']} {row['n']}")
def test_the_orders_are_those_of_the_reference(row):
    limit, error = Fraction(row["x"]), 1 - Fraction(row["D"])
    assert least_within(row["n"], 1 - limit, error) == row["k"]
    assert least_trials(1 - limit, error) == row["least_n"]


@given(st.integers(0, 45), st.integers(1, 40), shares)
def test_a_tail_is_the_sum_of_its_terms(k, n, p):
    assert binomial_tail(k, n, p) == pytest.approx(float(exact_tail(k, n, p)), rel=1e-11, abs=1e-300)


@given(st.integers(0, 30), st.integers(1, 30), shares)
def test_a_tail_equal_to_the_bound_is_within_it_and_the_least_more_is_not(k, n, p):
    tail = exact_tail(k, n, p)
    if tail > 0:
        assert is_tail_within(k, n, p, tail)
        assert not is_tail_within(k, n, p, tail - Fraction(1, 10**60))


@given(st.integers(1, 30), shares, st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50))
def test_the_least_order_is_found(n, p, bound):
    within = [k for k in range(1, n + 1) if exact_tail(k, n, p) <= bound]
    assert least_within(n, p, bound) == (within[0] if within else None)


@pytest.mark.parametrize("n", [10**5, 10**6, 5 * 10**7])
@pytest.mark.parametrize("p", ["0.9", "0.01", "0.999"])
def test_many_trials_have_scipys_order(n, p):
    order = least_within(n, Fraction(p), Fraction(1, 20))
    assert binom.sf(order - 1, n, float(p)) <= 0.05 < binom.sf(order - 2, n, float(p))


def test_more_trials_than_the_fraction_takes_are_bounded():
    n, p = binomial.MANY, Fraction(1, 100)
    order = least_within(n, p, Fraction(1, 20))
    least = binom.isf(0.05, n, 0.01) + 1
    assert least <= order <= least + 0.02 * n * 0.01


def test_a_tie_of_too_many_trials_to_sum_counts_as_too_large(monkeypatch):
    half = Fraction(1, 2)
    assert is_tail_within(2, 2, half, Fraction(1, 4))
    monkeypatch.setattr(binomial, "MOST_EXACT", 1)
    assert not is_tail_within(2, 2, half, Fraction(1, 4))


@pytest.mark.parametrize("p", ["0.9", "0.99", "0.999", "0.9999999"])
def test_so_many_trials_are_enough_and_one_less_is_not(p):
    needed = least_trials(Fraction(p), Fraction(1, 20))
    assert is_tail_within(needed, needed, Fraction(p), Fraction(1, 20))
    if needed < binomial.MOST_EXACT:
        assert not is_tail_within(needed - 1, needed - 1, Fraction(p), Fraction(1, 20))


def test_a_rate_of_one_is_never_within_and_of_0_always():
    assert least_trials(Fraction(1), Fraction(1, 20)) is None
    assert least_within(1000, Fraction(1), Fraction(1, 20)) is None
    assert least_trials(Fraction(0), Fraction(1, 20)) == 1
    assert least_within(1000, Fraction(0), Fraction(1, 20)) == 1
    assert least_within(0, Fraction(1, 2), Fraction(1, 20)) is None
