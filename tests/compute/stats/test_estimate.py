"""Forms of estimates: the equations that their limits solve, and numbers of other programs."""

import json
from math import inf

import mpmath
import numpy as np
import pytest
from conftest import REFERENCE
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtrit
from scipy.stats import t as student

from rocconf.compute.stats.design import Design, pseudo_of_areas
from rocconf.compute.stats.estimate import (
    LEAST_P,
    SQUARE_AND_ADD,
    Area,
    Between,
    Normal,
    Ratio,
    Skewed,
    Sum,
    Sums,
    inverted_p,
    newcombe_limits,
)
from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.stats.shares import Share
from rocconf.records import DELONG, ROBUST, UNKNOWN, Interval

AREAS = st.floats(0.01, 0.99)
LEVELS = st.sampled_from([0.5, 0.8, 0.95, 0.99])
PARTS = st.floats(0, 0.02)
SIZES = st.integers(2, 400)
Z = 1.959963984540054


def sums_of(of_positives, of_negatives, p, q, third=0.0):
    """Return sums with the parts of a variance that each class has."""
    squares = of_negatives * (q - 1) / q, of_positives * (p - 1) / p
    return Sums(p + q, (q, p), squares, (float(q), float(p)), sum(squares), third, 0.0, sum(squares))


def area(value, sums, kind=ROBUST):
    return Area(value, sums, min(sums.n), kind=kind, cases=sums.n[::-1])


def ends(estimate, level=0.95):
    found = estimate.interval(level)
    return found.lower, found.upper


# one area


def newcombe_variance(theta, p, q):
    """Hanley and McNeil's variance for exponential scores with both sizes replaced by their mean, Newcombe (2006)."""
    n_star = mpmath.mpf(p + q) / 2 - 1
    return theta * (1 - theta) / (p * q) * (1 + n_star * (1 - theta) / (2 - theta) + n_star * theta / (1 + theta))


@given(st.floats(0, 1), st.integers(1, 10**6), st.integers(1, 10**6), st.floats(0.5, 0.999))
def test_newcombes_limits_solve_his_equation(value, p, q, level):
    interval = newcombe_limits(value, p, q, normal_quantile(level))
    with mpmath.workdps(30):
        z = mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(level))

        def excess(theta):
            theta = mpmath.mpf(theta)
            return (mpmath.mpf(value) - theta) ** 2 - z**2 * newcombe_variance(theta, p, q)

        for limit, away in ((interval.lower, -1), (interval.upper, 1)):
            step = mpmath.mpf(2) ** -40 * max(limit, mpmath.mpf(2) ** -10)
            if step < limit < 1 - step:
                assert excess(limit - away * step) < 0 < excess(limit + away * step)


@pytest.mark.parametrize("value", [0.0, 0.1, 0.84, 1.0])
@pytest.mark.parametrize(("p", "q"), [(1, 1), (5, 7), (40, 7), (5, 300)])
def test_newcombes_limits_are_roots_of_his_quartic(value, p, q):
    """Cleared of fractions the equation is a quartic; its two roots around the area are the limits."""
    z2, n_star = Z**2, (p + q) / 2 - 1
    theta = np.polynomial.Polynomial([0, 1])
    clear, one, two = (1 + theta) * (2 - theta), 1 - theta, 2 - theta
    spread = theta * one * (clear + n_star * one * (1 + theta) + n_star * theta * two)
    roots = (p * q * (value - theta) ** 2 * clear - z2 * spread).roots()
    real = np.sort(roots[np.abs(roots.imag) < 1e-6].real)
    inside = real[(real > -1e-6) & (real < 1 + 1e-6)]
    interval = newcombe_limits(value, p, q, Z)
    assert (interval.lower, interval.upper) == pytest.approx((inside[0], inside[-1]), abs=1e-6)


@given(AREAS | st.sampled_from([0.0, 1.0]), PARTS, PARTS, SIZES, SIZES, LEVELS)
def test_the_robust_limits_are_those_of_a_score_test(value, of_positives, of_negatives, p, q, level):
    """Wilson's: |A - limit| is sqrt(k) standard deviations of a share that is the limit."""
    sums = sums_of(of_positives, of_negatives, p, q)
    found, m = area(value, sums), min(p, q)
    t = stdtrit(sums.df, (1 + level) / 2)
    k = t**2 * (sums.variance + 0.25 / m**2) / (value * (1 - value) + 0.25 / m)
    for limit in ends(found, level):
        assert (value - limit) ** 2 == pytest.approx(k * limit * (1 - limit), rel=1e-6, abs=1e-13)


@given(PARTS, PARTS, SIZES, SIZES)
def test_the_degrees_of_freedom_lie_between_those_of_the_smaller_class_and_of_all(of_positives, of_negatives, p, q):
    df = sums_of(of_positives, of_negatives, p, q).df
    assert (min(p, q) - 1) * (1 - 1e-12) <= df <= (p + q - 2) * (1 + 1e-12)


def test_a_perfect_model_has_the_lower_limit_of_another_implementation():
    perfect = json.loads((REFERENCE / "robust_auc.json").read_text(encoding="utf-8"))["perfect"]
    found = area(perfect["single"][0], sums_of(0.0, 0.0, perfect["P"], perfect["Q"]))
    assert (found.value, *ends(found)) == pytest.approx(perfect["single"], abs=1e-12)


@pytest.mark.parametrize("value", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("kind", [ROBUST, DELONG])
def test_one_case_of_a_class_has_newcombes_interval(value, kind):
    sums = Sums(31, (30, 1), (0.01, 0.0), (30.0, 1.0), 0.01, 0.0, 0.0, 0.01)
    assert area(value, sums, kind).interval(0.9) == newcombe_limits(value, 1, 30, normal_quantile(0.9))


def test_kinds_agree_in_the_limit():
    size = 10**7
    for value in (0.6, 0.9):
        v = value * (1 - value) / size
        here, there = (area(value, sums_of(v / 2, v / 2, size, size), kind) for kind in (ROBUST, DELONG))
        assert np.subtract(ends(here), value) == pytest.approx(np.subtract(ends(there), value), rel=1e-3)


@pytest.mark.parametrize("value", [0.0, 1.0])
@pytest.mark.parametrize("kind", [ROBUST, DELONG])
def test_an_area_that_is_rounded_to_0_or_1_has_no_standard_error(value, kind):
    found = area(value, sums_of(1e-20, 1e-20, 10**6, 10**6), kind)
    assert found.se is None
    assert 0 <= ends(found)[0] <= value <= ends(found)[1] <= 1


# differences and means


@given(st.floats(-0.5, 0.5), PARTS, PARTS, SIZES, SIZES, st.floats(-1, 1), LEVELS)
def test_the_limits_of_a_paired_difference_solve_their_equation(difference, w1, w0, p, q, skew, level):
    """At a limit x, (d - x)^2 = t^2 V + |d - x| t^2 max(-k/V, 0), where k is the third cumulant towards x."""
    third = skew * (w1 + w0 + 1e-6) ** 1.5
    sums = sums_of(w1, w0, p, q, third)
    square, v = stdtrit(sums.df, (1 + level) / 2) ** 2, w1 + w0 + 0.75 / p**2 + 0.75 / q**2
    found = Skewed(difference, sums, pseudo_of_areas(p, q))
    for limit, towards in zip(ends(found, level), (-third, third), strict=True):
        if abs(limit) < 1:
            apart = abs(difference - limit)
            assert apart**2 == pytest.approx(square * (v + apart * max(towards / v, 0)), rel=1e-8)


def test_a_paired_difference_approaches_the_normal_one():
    size, v = 10**7, 0.02 / 10**7
    found = Skewed(0.01, sums_of(v / 2, v / 2, size, size, 0.1 / size**2), pseudo_of_areas(size, size))
    assert ends(found) == pytest.approx(ends(Normal(0.01, v)), rel=1e-3)


def test_the_limits_of_a_mean_are_those_of_the_formula():
    losses = np.array([0.1, 0.2, 0.05, 0.9, 0.3, 0.0])
    n, mean = 6, losses.mean()
    v, k3 = losses.var(ddof=1) / n, ((losses - mean) ** 3).sum() / n**3
    kurtosis = n * ((losses - mean) ** 4).sum() / ((losses - mean) ** 2).sum() ** 2
    df, widened = 2 * n / (kurtosis - 1 + 2 / (n - 1)), v + 3.5 / n**2
    t = student.ppf(0.975, df * (widened / v) ** 2)
    up = t**2 / 2 * k3 / widened
    sums = Design(np.zeros(6, dtype=int), 1).sums(losses, together=True)
    found = Skewed(mean, sums, 3.5 / n**2, is_difference=False)
    expected = mean - t * widened**0.5, mean + up + (up**2 + t**2 * widened) ** 0.5
    assert ends(found) == pytest.approx(expected, rel=1e-9)


def test_losses_too_small_to_be_squared_have_an_interval():
    sums = Design(np.zeros(3, dtype=int), 1).sums(np.array([0.0, 2.7e-137, 1e-310]), together=True)
    assert ends(Skewed(9e-138, sums, 0.1, 0.0, is_difference=False))[1] > 0


def test_a_rare_large_loss_that_the_sample_misses_is_within_the_limits():
    """One case in a hundred loses 1: of 60 cases more than half of the samples show none."""
    random, above, design = np.random.default_rng(8), 0, Design(np.zeros(60, dtype=int), 1)
    for _ in range(300):
        losses = np.where(random.random(60) < 0.01, 1.0, 0.0001)
        sums = design.sums(losses, together=True)
        above += ends(Skewed(losses.mean(), sums, 3.5 / 60**2, is_difference=False))[1] < 0.010099
    assert above <= 14  # 2.5% of 300 are 7.5


def test_means_on_one_side_of_the_range_have_ends_inside_it():
    """A fit to other cases may lose on average: its upper limit is below the least value of the part."""
    sums = sums_of(1e-8, 1e-8, 500, 500)
    low, high = (Skewed(value, sums, 1e-9, 0.0) for value in (-0.01, 0.002))
    assert low.interval(0.95) == Interval(0.0, 0.0)
    assert ends(Between(0.002, low, high))[0] == 0


# sums and ratios


def test_the_classical_difference_on_other_cases_adds_variances():
    v = 0.0192, 0.024
    found = Normal(0.04, sum(v))
    reach = Z * sum(v) ** 0.5
    assert ends(found) == pytest.approx((0.04 - reach, 0.04 + reach), abs=1e-12)


@pytest.mark.parametrize(
    ("weights", "down", "up"),
    [((3.0, 2.0), 0.5, (0.6**2 + 0.2**2) ** 0.5), ((1.0, -1.0), 0.1 * 2**0.5, 0.2 * 2**0.5)],
)
def test_weights_stretch_the_distances_of_the_limits(weights, down, up):
    found = Sum((Around(0.5, 0.4, 0.7), Around(0.2, 0.0, 0.3)), weights, least=-inf, most=inf)
    assert np.subtract(ends(found), found.value) == pytest.approx((-down, up))


class Around(Normal):
    """An estimate with limits that are given."""

    def __init__(self, value, lower, upper):
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "variance", Interval(lower, upper))

    def limits(self, tails):  # noqa: ARG002  # as all forms
        return self.variance


@pytest.mark.parametrize(("weight", "width"), [(1.0, 0.3), (-1.0, 0.1)])
def test_a_full_correlation_adds_or_subtracts_the_distances(weight, width):
    parts = Around(0.5, 0.3, 0.7), Around(0.5, 0.4, 0.6)
    found = Sum(parts, (1.0, weight), correlation=1.0, units=inf, least=-inf, most=inf)
    assert np.abs(np.subtract(ends(found), found.value)) == pytest.approx((width, width))


def test_without_a_variance_the_classical_difference_has_limits_but_no_test():
    found = Sum(
        (area(1.0, sums_of(0, 0, 5, 4), DELONG), area(0.7, sums_of(0.005, 0.005, 50, 40), DELONG)), is_tested=False
    )
    assert (found.p, found.test) == (None, SQUARE_AND_ADD)
    assert ends(found)[0] < 0.3 < ends(found)[1]


def test_a_sum_stays_within_its_range():
    parts = Around(0.1, 0.0, 0.2), Around(0.95, 0.5, 1.3)
    assert (ends(Sum(parts))[0], ends(Sum(parts[::-1]))[1]) == (-1, 1)


@pytest.mark.parametrize(
    ("hits", "expected"),
    [((0, 3), (0.0, 0.0, None)), ((3, 0), (inf, None, inf)), ((10, 10), (1.0, 0.0, inf))],
)
def test_a_ratio_may_be_0_or_without_an_end(hits, expected):
    found = Ratio(tuple(Share(each, 10) for each in hits))
    value, lower, upper = expected
    assert found.value == value
    for level in (0.8, 0.95, 1 - 1e-12):
        around = found.interval(level)
        if value in (0, inf):
            assert around.lower == lower if lower is not None else around.lower > 0
            assert around.upper == upper if upper is not None else around.upper < inf
        else:
            assert 0 < around.lower < 1 < around.upper < inf


class Reaching(Around):
    """An estimate whose limits reach as far as a function of the tails."""

    def __init__(self, value, reach):
        super().__init__(value, -inf, inf)
        object.__setattr__(self, "variance", reach)

    def limits(self, tails):
        return Interval(self.value - self.variance(tails), self.value + self.variance(tails))


@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e6])
@pytest.mark.parametrize("p", [0.99, 0.4, 1e-3, 1e-30, 1e-99])
@pytest.mark.parametrize("power", [0.5, 1, 3, 40])
def test_p_is_1_minus_the_largest_level_that_excludes_0(p, scale, power):
    """Whatever the shape: limits may explode, or hardly move."""
    reach = -np.log(p)
    found = Reaching(scale, lambda tails: scale * (-np.log(tails) / reach) ** power)
    assert inverted_p(found) == pytest.approx(p, rel=1e-6)
    assert inverted_p(Reaching(-scale, found.variance)) == pytest.approx(p, rel=1e-6)


def test_p_is_the_least_one_where_no_interval_reaches_0_and_1_of_no_difference():
    assert inverted_p(Reaching(0.3, lambda _: 0.1)) == LEAST_P
    assert inverted_p(Reaching(0.0, lambda _: 0.1)) == 1
    steps = Reaching(0.3, lambda tails: 0.1 if tails > 0.02 else inf)
    assert inverted_p(steps) == pytest.approx(0.02, rel=1e-6)


def test_an_unknown_part_leaves_a_sum_unknown():
    open_ = Skewed(0.2, Sums.unknown(), inf, 0.0, is_difference=False)
    found = Sum((open_, Around(0.1, 0.0, 0.2)))
    assert (found.interval(0.95), found.p) == (UNKNOWN, None)
