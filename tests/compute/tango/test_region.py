import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.stats.paired_tests import TESTS
from rocconf.compute.tango.segment import confident_region


@pytest.mark.parametrize("name", TESTS)
@given(p=st.integers(1, 60), q=st.integers(1, 60), level=st.sampled_from([0.8, 0.95, 0.99]))
@examples(15)
def test_holds_exactly_the_confident_points(name, p, q, level):
    region = confident_region(p, q, TESTS[name], level=level)
    b, c = (grid.ravel() for grid in np.meshgrid(np.arange(p + 1), np.arange(q + 1)))
    confident = ~TESTS[name].differs(Confusion(p - b, c, p, q), level)
    x, y = c / q, 1 - b / p
    lower, upper = np.interp(x, region.fpr, region.lower), np.interp(x, region.fpr, region.upper)
    slack = 0.02  # the edges are drawn through a few hundred points
    inside = (x <= region.fpr[-1] + slack) & (y >= lower - slack) & (y <= upper + slack)
    well_inside = (x <= region.fpr[-1] - slack) & (y >= lower + slack) & (y <= upper - slack)
    assert not (confident & ~inside).any()
    assert not (well_inside & ~confident).any()


@pytest.mark.parametrize(("p", "q"), [(40, 40), (13, 959), (500, 20)])
def test_on_its_edge_tangos_score_equals_the_quantile(p, q):
    z, region = normal_quantile(0.95), confident_region(p, q, TESTS["tango"])
    for edge, sign in ((region.lower, +1), (region.upper, -1)):
        b, c = p * (1 - edge), q * region.fpr
        free = (b > 1e-9) & (b < p - 1e-9)
        assert free.any()
        assert sign * (b - c)[free] == pytest.approx(z * np.sqrt(b + c)[free], rel=1e-6)


def test_holds_the_perfect_corner_and_narrows_as_n_grows():
    for name, test in TESTS.items():
        region = confident_region(30, 70, test)
        assert (region.fpr[0], region.upper[0]) == (0, 1), name
        assert region.lower[0] < 1, name
    few, many = (confident_region(k, k, TESTS["tango"]) for k in (50, 5000))
    assert (many.upper - many.lower).max() < (few.upper - few.lower).max() / 5


def test_ends_where_false_positives_outnumber_all_positives():
    region = confident_region(10, 1000, TESTS["tango"])
    c, z2 = 1000 * region.fpr[-1], normal_quantile(0.95) ** 2
    assert (c - 10) ** 2 == pytest.approx(z2 * (c + 10))
    assert (region.lower[-1], region.upper[-1]) == pytest.approx((0, 0), abs=1e-9)
