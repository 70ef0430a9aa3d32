"""How many cases would decide: the interval of so many cases, and the margins that docs/intervals.md lists."""

from math import inf, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtrit

from rocconf.compute.stats.auc_difference import normal_difference, robust_difference
from rocconf.compute.stats.auc_intervals import DelongVariance
from rocconf.compute.stats.plan import floor_of_difference, positives_above_floor, times_the_cases


@given(st.floats(-0.2, 0.2), st.floats(1e-6, 1e-2), st.floats(-0.2, 0.2))
def test_so_many_times_the_cases_put_a_limit_on_the_interval_at_the_value(value, variance, limit):
    if abs(value - limit) < 1e-4:
        return
    times = times_the_cases(value, normal_difference(value, variance, 0.95).interval, limit)
    if max(abs(value) + 2 * sqrt(variance), abs(value) + 2 * sqrt(variance / times)) < 1:  # not cut off at 1
        later = normal_difference(value, variance / times, 0.95).interval
        assert (later.lower if limit < value else later.upper) == pytest.approx(limit, abs=1e-9)


def test_no_number_of_cases_decides_on_a_value_at_the_limit():
    assert times_the_cases(0.1, normal_difference(0.1, 0.01, 0.95).interval, 0.1) == inf


@given(st.integers(2, 500), st.integers(2, 2000), st.sampled_from([0.9, 0.95, 0.99]))
def test_the_floor_is_the_reach_without_any_variance(p, q, level):
    found = robust_difference(0.0, DelongVariance(0.0, 0.0, p, q), 0.0, level=level)
    floor = floor_of_difference(p, q, level=level)
    assert found.interval.upper == pytest.approx(min(floor, 1))
    assert floor == pytest.approx(stdtrit(min(p, q) - 1, (1 + level) / 2) * sqrt(0.75 / p**2 + 0.75 / q**2))


@pytest.mark.parametrize(
    ("margin", "p", "q", "least"),
    [
        (0.01, 10, 10**7, 171),
        (0.01, 7, 7, 242),
        (0.02, 9, 10**7, 87),
        (0.02, 5, 5, 122),
        (0.05, 5, 10**7, 36),
        (0.05, 5, 5, 50),
    ],
)
def test_a_margin_needs_the_positives_of_the_docs(margin, p, q, least):
    assert positives_above_floor(margin, p, q, level=0.95) == least


def test_one_case_of_a_class_has_no_floor():
    assert floor_of_difference(1, 50, level=0.95) == inf
