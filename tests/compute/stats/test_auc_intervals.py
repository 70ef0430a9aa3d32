"""Intervals of an AUC and of differences: Newcombe's equation, its quartic, and symmetries."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf.compute.stats.auc_difference import SQUARE_AND_ADD, unpaired_auc_difference
from rocconf.compute.stats.auc_intervals import auc_from, newcombe_interval
from rocconf.compute.stats.normal import normal_quantile

AREAS = st.floats(0.01, 0.99)
ERRORS = st.floats(1e-4, 0.2)


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


def test_variances_add_up_on_different_cases():
    found = unpaired_auc_difference(auc_from(0.84, 0.0192**0.5, 5, 5), auc_from(0.8, 0.024**0.5, 5, 5))
    reach = 1.959963984540054 * (0.0192 + 0.024) ** 0.5
    assert (found.interval.lower, found.interval.upper) == pytest.approx((0.04 - reach, 0.04 + reach), abs=1e-12)


@given(AREAS, ERRORS, AREAS, ERRORS, st.sampled_from([0.8, 0.95, 0.99]))
def test_a_difference_excludes_0_exactly_where_its_test_rejects(first, first_se, second, second_se, level):
    areas = [auc_from(area, se, 40, 60) for area, se in ((first, first_se), (second, second_se))]
    found = unpaired_auc_difference(*areas, level=level)
    assert found.value == first - second
    if found.p is not None and abs(found.p - (1 - level)) > 1e-9:
        assert (found.interval.lower > 0 or found.interval.upper < 0) == (found.p < 1 - level)


@given(AREAS, ERRORS | st.none(), AREAS, ERRORS | st.none())
def test_exchanging_the_models_mirrors_the_difference(first, first_se, second, second_se):
    one, other = auc_from(first, first_se, 7, 11), auc_from(second, second_se, 20, 5)
    here, there = unpaired_auc_difference(one, other), unpaired_auc_difference(other, one)
    assert (here.value, here.p, here.test) == (-there.value, there.p, there.test)
    assert (here.interval.lower, here.interval.upper) == pytest.approx((-there.interval.upper, -there.interval.lower))


def test_without_a_variance_a_difference_has_limits_but_no_test():
    found = unpaired_auc_difference(auc_from(1.0, None, 5, 4), auc_from(0.7, 0.1, 50, 40))
    assert (found.p, found.test) == (None, SQUARE_AND_ADD)
    assert found.interval.lower < 0.3 < found.interval.upper
