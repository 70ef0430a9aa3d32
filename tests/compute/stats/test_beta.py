"""Student's t: scipy's, and the normal distribution in the limit."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtr

from rocconf.compute.stats.beta import MANY_DEGREES, student_quantile_of_tails, student_tails
from rocconf.compute.stats.normal import normal_quantile, two_sided_p

DEGREES = st.floats(1, 2000) | st.floats(MANY_DEGREES - 1, MANY_DEGREES + 1) | st.floats(1, 1e9)


@given(st.floats(1e-3, 9), DEGREES)
def test_the_tails_are_those_of_scipy(t, df):
    assert student_tails(t, df) == pytest.approx(2 * stdtr(df, -t), rel=3e-9)
    assert student_tails(-t, df) == student_tails(t, df)


@given(st.floats(1e-100, 0.99), DEGREES)
def test_the_quantile_of_tails_has_these_tails(tails, df):
    t = student_quantile_of_tails(tails, df)
    assert math.log(student_tails(t, df)) == pytest.approx(math.log(tails), rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("df", [1e15, math.inf])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_many_degrees_of_freedom_are_the_normal_distribution(level, df):
    assert student_quantile_of_tails(1 - level, df) == pytest.approx(normal_quantile(level), rel=1e-13)
    assert student_tails(2.5, df) == pytest.approx(two_sided_p(2.5), rel=1e-13)


def test_everything_is_beyond_0_and_nothing_beyond_infinity():
    assert [student_tails(0.0, df) for df in (1, 7.5, 1e4)] == [1, 1, 1]
    assert [student_tails(math.inf, df) for df in (1, 7.5, 1e4)] == [0, 0, 0]


@pytest.mark.parametrize("level", [5e-324, 1e-17])
def test_a_level_that_is_lost_beside_1_has_the_quantile_0(level):
    assert student_quantile_of_tails(1 - level, 10) == 0
    assert student_quantile_of_tails(1.0, MANY_DEGREES + 1) == 0
