"""Intervals of an AUC and of differences: Newcombe's equation, its quartic, and symmetries."""

import json

import mpmath
import numpy as np
import pytest
from conftest import REFERENCE
from hypothesis import given
from hypothesis import strategies as st
from rocconf.compute.stats.auc_difference import SQUARE_AND_ADD, robust_difference, unpaired_auc_difference
from rocconf.compute.stats.auc_intervals import DelongVariance, auc_from, auc_of, newcombe_interval
from scipy.special import stdtrit

from rocconf.compute.stats.normal import normal_quantile

AREAS = st.floats(0.01, 0.99)
ERRORS = st.floats(1e-4, 0.2)


@pytest.fixture(scope="module")
def reference():
    return json.loads((REFERENCE / "robust_auc.json").read_text(encoding="utf-8"))


def test_areas_of_0_and_1_have_an_interval():
    perfect, worst = newcombe_interval(1.0, 5, 4), newcombe_interval(0.0, 5, 4)
    assert perfect.upper == 1
    assert worst.lower == 0
    assert perfect.lower == pytest.approx(1 - worst.upper, abs=1e-14)
    assert 0 < perfect.lower < newcombe_interval(1.0, 50, 40).lower < 1


def newcombe_variance(theta, p, q):
    """Hanley and McNeil's variance for exponential scores with both sizes replaced by their mean, Newcombe (2006)."""
    n_star = mpmath.mpf(p + q) / 2 - 1
    return theta * (1 - theta) / (p * q) * (1 + n_star * (1 - theta) / (2 - theta) + n_star * theta / (1 + theta))


@given(st.floats(0, 1), st.integers(1, 10**6), st.integers(1, 10**6), st.floats(0.5, 0.999))
def test_newcombes_limits_solve_his_equation(area, p, q, level):
    interval = newcombe_interval(area, p, q, level=level)
    with mpmath.workdps(30):
        z = mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(level))

        def excess(theta):
            theta = mpmath.mpf(theta)
            return (mpmath.mpf(area) - theta) ** 2 - z**2 * newcombe_variance(theta, p, q)

        for limit, away in ((interval.lower, -1), (interval.upper, 1)):
            step = mpmath.mpf(2) ** -40 * max(limit, mpmath.mpf(2) ** -10)
            if step < limit < 1 - step:
                assert excess(limit - away * step) < 0 < excess(limit + away * step)


@pytest.mark.parametrize("area", [0.0, 0.1, 0.5, 0.84, 1.0])
@pytest.mark.parametrize("p", [1, 5, 40])
@pytest.mark.parametrize("q", [1, 7, 300])
def test_newcombes_limits_are_roots_of_his_quartic(area, p, q):
    """Cleared of fractions the equation is a quartic; its two roots around the area are the limits."""
    z2, n_star = normal_quantile(0.95) ** 2, (p + q) / 2 - 1
    theta = np.polynomial.Polynomial([0, 1])
    clear, one, two = (1 + theta) * (2 - theta), 1 - theta, 2 - theta
    spread = theta * one * (clear + n_star * one * (1 + theta) + n_star * theta * two)
    roots = (p * q * (area - theta) ** 2 * clear - z2 * spread).roots()
    real = np.sort(roots[np.abs(roots.imag) < 1e-6].real)
    inside = real[(real > -1e-6) & (real < 1 + 1e-6)]
    interval = newcombe_interval(area, p, q)
    assert interval.lower == pytest.approx(inside[0], abs=1e-6)
    assert interval.upper == pytest.approx(inside[-1], abs=1e-6)


KINDS = st.sampled_from(["robust", "delong"])
LEVELS = st.sampled_from([0.5, 0.8, 0.95, 0.99])
PARTS = st.floats(0, 0.02)
SIZES = st.integers(2, 400)
DIFFERENCES = st.floats(-0.5, 0.5)


def delong(area, se, p=40, q=60, level=0.95):
    return auc_from(area, se, None, p, q, level=level, kind="delong")


def robust(area, se, df, p=40, q=60, level=0.95):
    return auc_from(area, se, df, p, q, level=level, kind="robust")


def test_variances_add_up_on_different_cases():
    found = unpaired_auc_difference(delong(0.84, 0.0192**0.5, 5, 5), delong(0.8, 0.024**0.5, 5, 5))
    reach = 1.959963984540054 * (0.0192 + 0.024) ** 0.5
    assert (found.interval.lower, found.interval.upper) == pytest.approx((0.04 - reach, 0.04 + reach), abs=1e-12)


@given(KINDS, AREAS, ERRORS, AREAS, ERRORS, LEVELS)
def test_a_difference_excludes_0_exactly_where_its_test_rejects(kind, first, first_se, second, second_se, level):
    sizes = {"p": 40, "q": 60, "level": level, "kind": kind}
    found = unpaired_auc_difference(auc_from(first, first_se, 45, **sizes), auc_from(second, second_se, 39.5, **sizes))
    assert found.value == first - second
    assert found.test == kind
    if abs(found.p - (1 - level)) > 1e-9:
        assert (found.interval.lower > 0 or found.interval.upper < 0) == (found.p < 1 - level)


@given(KINDS, AREAS, ERRORS | st.none(), AREAS, ERRORS | st.none())
def test_exchanging_the_models_mirrors_the_difference(kind, first, first_se, second, second_se):
    one = auc_from(first, first_se, 6, 7, 11, level=0.95, kind=kind)
    other = auc_from(second, second_se, 4.5, 20, 5, level=0.95, kind=kind)
    here, there = unpaired_auc_difference(one, other), unpaired_auc_difference(other, one)
    assert (here.value, here.p, here.test) == (-there.value, there.p, there.test)
    assert (here.interval.lower, here.interval.upper) == pytest.approx((-there.interval.upper, -there.interval.lower))


def test_without_a_variance_the_classical_difference_has_limits_but_no_test():
    found = unpaired_auc_difference(delong(1.0, None, 5, 4), delong(0.7, 0.1, 50, 40))
    assert (found.p, found.test) == (None, SQUARE_AND_ADD)
    assert found.interval.lower < 0.3 < found.interval.upper


@given(AREAS | st.sampled_from([0.0, 1.0]), PARTS, PARTS, SIZES, SIZES, LEVELS)
def test_the_robust_limits_are_those_of_a_score_test(area, of_positives, of_negatives, p, q, level):
    """Wilson's: |A - limit| is sqrt(k) standard deviations of a share that is the limit."""
    variance = DelongVariance(of_positives, of_negatives, p, q)
    found = auc_of(area, variance, level=level, kind="robust")
    m, v = min(p, q), (found.se or 0) ** 2
    t = stdtrit(variance.df, (1 + level) / 2)
    k = t**2 * (v + 0.25 / m**2) / (area * (1 - area) + 0.25 / m)
    for limit in (found.interval.lower, found.interval.upper):
        assert (area - limit) ** 2 == pytest.approx(k * limit * (1 - limit), rel=1e-6, abs=1e-13)
    assert 0 <= found.interval.lower <= area <= found.interval.upper <= 1
    assert found.interval.lower < found.interval.upper


@given(PARTS, PARTS, SIZES, SIZES)
def test_the_degrees_of_freedom_lie_between_those_of_the_smaller_class_and_of_all(of_positives, of_negatives, p, q):
    df = DelongVariance(of_positives, of_negatives, p, q).df
    assert min(p, q) - 1 <= df * (1 + 1e-12)
    assert df <= (p + q - 2) * (1 + 1e-12)


def test_a_perfect_model_has_a_lower_limit(reference):
    perfect = reference["perfect"]
    found = robust(perfect["single"][0], None, perfect["P"] - 1, perfect["P"], perfect["Q"])
    assert (found.value, found.interval.lower, found.interval.upper) == pytest.approx(perfect["single"], abs=1e-12)


@pytest.mark.parametrize("area", [0.0, 0.4, 1.0])
def test_one_case_of_a_class_has_newcombes_interval(area):
    variance = DelongVariance(float("nan"), 0.01, 1, 30)
    assert auc_of(area, variance, level=0.9, kind="robust").interval == newcombe_interval(area, 1, 30, level=0.9)


def test_kinds_agree_in_the_limit():
    size = 10**7
    for area in (0.6, 0.9):
        se = (area * (1 - area) / size) ** 0.5
        here, there = robust(area, se, 2 * size - 2, size, size), delong(area, se, size, size)
        assert here.interval.lower - area == pytest.approx(there.interval.lower - area, rel=1e-3)
        assert here.interval.upper - area == pytest.approx(there.interval.upper - area, rel=1e-3)
    v = 0.2 / size
    found = robust_difference(0.01, DelongVariance(v / 2, v / 2, size, size), 0.1 / size**2)
    reach = 1.959963984540054 * v**0.5
    assert (found.interval.lower, found.interval.upper) == pytest.approx((0.01 - reach, 0.01 + reach), rel=1e-3)


@given(DIFFERENCES, PARTS, PARTS, SIZES, SIZES, st.floats(-1, 1), LEVELS)
def test_the_limits_of_a_paired_difference_solve_their_equation(difference, w1, w0, p, q, skew, level):
    """At a limit x, (d - x)^2 = t^2 V + |d - x| t^2 max(-k/V, 0), where k is the third cumulant towards x."""
    variance, cumulant = DelongVariance(w1, w0, p, q), skew * (w1 + w0 + 1e-6) ** 1.5
    found = robust_difference(difference, variance, cumulant, level=level)
    square = stdtrit(variance.df, (1 + level) / 2) ** 2
    v = w1 + w0 + 0.75 / p**2 + 0.75 / q**2
    for limit, towards in ((found.interval.lower, -cumulant), (found.interval.upper, cumulant)):
        if abs(limit) < 1:
            apart = abs(difference - limit)
            assert apart**2 == pytest.approx(square * (v + apart * max(towards / v, 0)), rel=1e-8)


@given(DIFFERENCES, PARTS, PARTS, SIZES, SIZES, st.floats(-1, 1), LEVELS)
def test_a_paired_difference_excludes_0_exactly_where_its_test_rejects(difference, w1, w0, p, q, skew, level):
    variance, cumulant = DelongVariance(w1, w0, p, q), skew * (w1 + w0 + 1e-6) ** 1.5
    found = robust_difference(difference, variance, cumulant, level=level)
    if abs(found.p - (1 - level)) > 1e-9:
        assert (found.interval.lower > 0 or found.interval.upper < 0) == (found.p < 1 - level)


def test_a_paired_difference_with_one_case_of_a_class_says_nothing():
    found = robust_difference(0.25, DelongVariance(float("nan"), 0.1, 1, 5), 0.0)
    assert (found.interval.lower, found.interval.upper, found.p) == (-1, 1, 1)


def test_a_very_small_p_is_given_as_the_least():
    found = unpaired_auc_difference(
        robust(0.9, 1e-4, 1e7, 10**7, 10**7),
        robust(0.6, 1e-4, 1e7, 10**7, 10**7),
    )
    assert 0 < found.p < 1e-90


@pytest.mark.parametrize("area", [0.0, 1.0])
def test_an_area_that_is_rounded_to_0_or_1_has_no_standard_error(area):
    for kind in ("robust", "delong"):
        found = auc_of(area, DelongVariance(1e-20, 1e-20, 10**6, 10**6), level=0.95, kind=kind)
        assert found.se is None
        assert 0 <= found.interval.lower <= area <= found.interval.upper <= 1


def test_an_area_has_the_square_root_of_its_variance_as_standard_error():
    assert auc_of(0.8, DelongVariance(0.0009, 0.0016, 40, 50), level=0.95, kind="delong").se == pytest.approx(0.05)
    assert auc_of(0.8, DelongVariance(0.0009, 0.0016, 1, 50), level=0.95, kind="delong").se is None
