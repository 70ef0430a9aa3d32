from math import erfc, nextafter, sqrt

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rocconf.compute.stats.normal import WORTH_LOADING, normal_quantile, normal_quantile_of_tails, two_sided_ps


@given(st.floats(1e-6, 1 - 1e-15))
@example(1e-6)
@example(0.0123)
@example(1 - 1e-12)
def test_normal_quantiles_keep_their_digits(level):
    with mpmath.workdps(40):
        exact = float(mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(level)))
    assert normal_quantile(level) == pytest.approx(exact, rel=4e-15, abs=0)


@pytest.mark.parametrize("z", [0.5, 1.5, 1.96, 3.0, 8.0])
def test_a_quantile_of_tails_is_the_least_number_whose_tails_are_not_larger(z):
    tails = erfc(z / sqrt(2))
    found = normal_quantile_of_tails(tails)
    assert erfc(found / sqrt(2)) <= tails < erfc(nextafter(found, 0) / sqrt(2))


@pytest.mark.parametrize("of", [None, WORTH_LOADING])
def test_small_p_values_keep_their_digits(of):
    z = np.array([0.0, 0.5, -1.96, 5.0, -12.0, 37.0])
    with mpmath.workdps(30):
        expected = [float(mpmath.erfc(abs(mpmath.mpf(value)) / mpmath.sqrt(2))) for value in z]
    assert two_sided_ps(z, of=of) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("of", [None, WORTH_LOADING])
def test_a_missing_statistic_has_a_missing_p_value(of):
    assert np.isnan(two_sided_ps(np.array([np.nan]), of=of)).all()
    assert two_sided_ps(np.array([np.inf]), of=of)[0] == 0
