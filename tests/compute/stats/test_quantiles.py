import mpmath
import numpy as np
import pytest

from rocconf.compute.stats import quantiles as normal
from rocconf.compute.stats.quantiles import two_sided_ps


@pytest.mark.parametrize("of", [None, normal.WORTH_LOADING])
def test_small_p_values_keep_their_digits(of):
    z = np.array([0.0, 0.5, -1.96, 5.0, -12.0, 37.0])
    with mpmath.workdps(30):
        expected = [float(mpmath.erfc(abs(mpmath.mpf(value)) / mpmath.sqrt(2))) for value in z]
    assert two_sided_ps(z, of=of) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("of", [None, normal.WORTH_LOADING])
def test_a_missing_statistic_has_a_missing_p_value(of):
    assert np.isnan(two_sided_ps(np.array([np.nan]), of=of)).all()
    assert two_sided_ps(np.array([np.inf]), of=of)[0] == 0
