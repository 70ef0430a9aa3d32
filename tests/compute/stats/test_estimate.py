"""Forms of estimates: the equations that their limits solve, and numbers of other programs."""

from math import inf
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf.compute.stats.design import Design
from rocconf.compute.stats.estimate import (
    LEAST_P,
    SQUARE_AND_ADD,
    Area,
    Between,
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


def sums_of(of_positives, of_negatives, p, q):
    squares = of_negatives * (q - 1) / q, of_positives * (p - 1) / p
    return Sums(p + q, (q, p), squares, (float(q), float(p)), sum(squares), 0.0, 0.0, sum(squares))


def area(value, sums, kind=ROBUST):
    return Area(value, sums, min(sums.n), kind=kind, cases=sums.n[::-1])


@given(st.floats(0, 1), st.integers(1, 10**6), st.integers(1, 10**6), st.floats(0.5, 0.999))
def test_newcombes_limits_solve_his_equation(value, p, q, level):
    """Hanley and McNeil's variance for exponential scores with both sizes replaced by their mean, Newcombe (2006)."""
    interval = newcombe_limits(value, p, q, normal_quantile(level))
    with mpmath.workdps(30):
        z, n = mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(level)), mpmath.mpf(p + q) / 2 - 1

        def excess(theta):
            theta = mpmath.mpf(theta)
            variance = theta * (1 - theta) / (p * q) * (1 + n * (1 - theta) / (2 - theta) + n * theta / (1 + theta))
            return (mpmath.mpf(value) - theta) ** 2 - z**2 * variance

        for limit, away in ((interval.lower, -1), (interval.upper, 1)):
            step = mpmath.mpf(2) ** -40 * max(limit, mpmath.mpf(2) ** -10)
            if step < limit < 1 - step:
                assert excess(limit - away * step) < 0 < excess(limit + away * step)


@pytest.mark.parametrize("value", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("kind", [ROBUST, DELONG])
def test_one_case_of_a_class_has_newcombes_interval(value, kind):
    sums = Sums(31, (30, 1), (0.01, 0.0), (30.0, 1.0), 0.01, 0.0, 0.0, 0.01)
    assert area(value, sums, kind).interval(0.9) == newcombe_limits(value, 1, 30, normal_quantile(0.9))


@pytest.mark.parametrize("value", [0.0, 1.0])
@pytest.mark.parametrize("kind", [ROBUST, DELONG])
def test_an_area_that_is_rounded_to_0_or_1_has_no_standard_error(value, kind):
    found = area(value, sums_of(1e-20, 1e-20, 10**6, 10**6), kind)
    assert found.se is None
    assert 0 <= found.interval(0.95).lower <= value <= found.interval(0.95).upper <= 1


def test_losses_too_small_to_be_squared_have_an_interval():
    sums = Design(np.zeros(3, dtype=int), 1).sums(np.array([0.0, 2.7e-137, 1e-310]), together=True)
    assert Skewed(9e-138, sums, 0.1, 0.0, is_difference=False).interval(0.95).upper > 0


def test_means_on_one_side_of_the_range_have_ends_inside_it():
    """A fit to other cases may lose on average: its upper limit is below the least value of the part."""
    sums = sums_of(1e-8, 1e-8, 500, 500)
    low, high = (Skewed(value, sums, 1e-9, 0.0) for value in (-0.01, 0.002))
    assert low.interval(0.95) == Interval(0.0, 0.0)
    assert Between(0.002, low, high).interval(0.95).lower == 0


def around(value, lower, upper):
    """Return an estimate with limits that are given."""
    return reaching(value, lambda _: (value - lower, upper - value))


def reaching(value, reach):
    """Return an estimate whose limits reach as far as a function of the tails."""

    def limits(tails):
        down, up = np.broadcast_to(reach(tails), 2)
        return Interval(float(value - down), float(value + up))

    return SimpleNamespace(value=value, kind=None, limits=limits)


def test_without_a_variance_the_classical_difference_has_limits_but_no_test():
    found = Sum(
        (area(1.0, sums_of(0, 0, 5, 4), DELONG), area(0.7, sums_of(0.005, 0.005, 50, 40), DELONG)), is_tested=False
    )
    assert (found.p, found.test) == (None, SQUARE_AND_ADD)
    assert found.interval(0.95).lower < 0.3 < found.interval(0.95).upper


def test_a_sum_stays_within_its_range():
    parts = around(0.1, 0.0, 0.2), around(0.95, 0.5, 1.3)
    assert (Sum(parts).interval(0.95).lower, Sum(parts[::-1]).interval(0.95).upper) == (-1, 1)


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


@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e6])
@pytest.mark.parametrize("p", [0.99, 0.4, 1e-3, 1e-30, 1e-99])
@pytest.mark.parametrize("power", [0.5, 1, 3, 40])
def test_p_is_1_minus_the_largest_level_that_excludes_0(p, scale, power):
    """Whatever the shape: limits may explode, or hardly move."""

    def reach(tails):
        return scale * (np.log(tails) / np.log(p)) ** power

    assert inverted_p(reaching(scale, reach)) == pytest.approx(p, rel=1e-6)
    assert inverted_p(reaching(-scale, reach)) == pytest.approx(p, rel=1e-6)


def test_p_is_the_least_one_where_no_interval_reaches_0_and_1_of_no_difference():
    assert inverted_p(reaching(0.3, lambda _: 0.1)) == LEAST_P
    assert inverted_p(reaching(0.0, lambda _: 0.1)) == 1
    steps = reaching(0.3, lambda tails: 0.1 if tails > 0.02 else inf)
    assert inverted_p(steps) == pytest.approx(0.02, rel=1e-6)


def test_an_unknown_part_leaves_a_sum_unknown():
    open_ = Skewed(0.2, Sums.unknown(), inf, 0.0, is_difference=False)
    found = Sum((open_, around(0.1, 0.0, 0.2)))
    assert (found.interval(0.95), found.p) == (UNKNOWN, None)
