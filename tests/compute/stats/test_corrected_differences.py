"""Corrected score intervals: the tests they invert, written out, their symmetries, and how often they miss."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import binom, chi2, chi2_contingency, multinomial, norm

from rocconf.compute.stats.shares import OtherCases, PairedShares, Share
from rocconf.compute.stats.tango_interval import tango_interval

LEVELS = st.sampled_from([0.8, 0.95, 0.99])


def ends(found, level=0.95):
    around = found.interval(level)
    return around.lower, around.upper


def unpaired(hits, n, others, m):
    return OtherCases(Share(hits, n), Share(others, m))


def likeliest(log_likelihood, low, high):
    found = minimize_scalar(
        lambda x: -log_likelihood(x), bounds=(low, high), method="bounded", options={"xatol": 1e-13}
    )
    return float(found.x)


def times_log(count, share):
    return count * log(max(share, 1e-300)) if count else 0.0


@given(st.integers(0, 9), st.integers(0, 9), st.integers(1, 9), LEVELS)
@settings(max_examples=40)
def test_a_paired_limit_is_where_the_corrected_test_just_rejects(b, c, rest, level):
    n, z = b + c + rest, norm.isf((1 - level) / 2)
    for limit in ends(PairedShares(b, c, n), level):
        assume(-1 < limit < 1)

        def log_likelihood(of_c, limit=limit):
            of_b = of_c + limit
            return times_log(b, of_b) + times_log(c, of_c) + times_log(rest, 1 - of_b - of_c)

        of_c = likeliest(log_likelihood, max(0, -limit), (1 - limit) / 2)
        variance = n * (2 * of_c + limit - limit**2)
        assert abs(b - c - n * limit) - 1 == pytest.approx(z * sqrt(variance), rel=1e-4)


@given(st.integers(1, 12), st.integers(1, 12), st.data(), LEVELS)
@settings(max_examples=40)
def test_an_unpaired_limit_is_where_the_corrected_test_just_rejects(n, m, data, level):
    hits, others = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))
    z = norm.isf((1 - level) / 2)
    for limit in ends(unpaired(hits, n, others, m), level):
        assume(-1 < limit < 1)

        def log_likelihood(rate, limit=limit):
            first = rate + limit
            of_first = times_log(hits, first) + times_log(n - hits, 1 - first)
            return of_first + times_log(others, rate) + times_log(m - others, 1 - rate)

        rate = likeliest(log_likelihood, max(0, -limit), min(1, 1 - limit))
        first = rate + limit
        variance = (first * (1 - first) / n + rate * (1 - rate) / m) * (n + m) / (n + m - 1)
        away = abs(hits / n - others / m - limit) - (1 / n + 1 / m) / 2
        assert away == pytest.approx(z * sqrt(variance), rel=1e-4)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40), LEVELS)
@settings(max_examples=40)
def test_an_interval_excludes_0_exactly_where_its_test_rejects(b, c, rest, level):
    assume(b + c + rest)
    n = b + c + rest
    for found in (PairedShares(b, c, n), unpaired(b, n, c, n + 3)):
        assume(abs(found.p - (1 - level)) > 1e-9)
        lower, upper = ends(found, level)
        assert (lower > 0 or upper < 0) == (found.p < 1 - level)


def test_the_p_values_are_those_of_the_corrected_tests():
    assert PairedShares(10, 3, 40).p == pytest.approx(chi2.sf((7 - 1) ** 2 / 13, 1), rel=1e-12)
    yates = chi2_contingency([[7, 3], [4, 11]], correction=True).statistic
    found = unpaired(7, 10, 4, 15)
    assert found.p == pytest.approx(chi2.sf(yates * 24 / 25, 1), rel=1e-12)
    assert PairedShares(4, 4, 9).p == 1
    assert unpaired(5, 5, 3, 3).p == 1


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), LEVELS)
def test_the_correction_widens_tangos_interval(b, c, rest, level):
    assume(b + c + rest)
    n = b + c + rest
    lower, upper = tango_interval([b], [c], n, level)
    found = ends(PairedShares(b, c, n), level)
    assert found[0] <= lower[0] + 1e-12
    assert found[1] >= upper[0] - 1e-12


def test_without_correction_the_limits_approach_tangos_where_cases_are_many():
    lower, upper = tango_interval([6 * 10**9], [5 * 10**9], 10**11)
    assert ends(PairedShares(6 * 10**9, 5 * 10**9, 10**11)) == pytest.approx((lower[0], upper[0]), abs=2e-11)


@pytest.mark.parametrize("n", [5, 12, 25])
def test_a_paired_interval_keeps_its_level_at_every_truth(n):
    tables = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
    limits = np.array([ends(PairedShares(b, c, n)) for b, c in tables])
    counts = np.array([(b, c, n - b - c) for b, c in tables])
    shares = (0.0, 0.02, 0.1, 0.3)
    for more, less in [(more, less) for more in shares for less in shares if more + less]:
        probability = multinomial.pmf(counts, n, [more, less, 1 - more - less])
        errors = [
            probability[limits[:, 0] > more - less + 1e-9].sum(),
            probability[limits[:, 1] < more - less - 1e-9].sum(),
        ]
        assert max(errors) < 0.025, (more, less)


@pytest.mark.thorough
@pytest.mark.parametrize(("n", "m"), [(5, 5), (7, 12)])
def test_an_unpaired_interval_keeps_its_level_at_every_truth(n, m):
    tables = [(k, j) for k in range(n + 1) for j in range(m + 1)]
    limits = np.array([ends(unpaired(k, n, j, m)) for k, j in tables])
    hits, others = np.array(tables).T
    rates = (0.01, 0.05, 0.2, 0.5, 0.9, 0.98)
    for rate, other in [(rate, other) for rate in rates for other in rates]:
        probability = binom.pmf(hits, n, rate) * binom.pmf(others, m, other)
        errors = [
            probability[limits[:, 0] > rate - other + 1e-9].sum(),
            probability[limits[:, 1] < rate - other - 1e-9].sum(),
        ]
        assert max(errors) < 0.03, (rate, other)
