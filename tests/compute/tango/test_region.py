import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.paired_tests import TESTS
from rocconf.compute.stats.quantiles import normal_quantile
from rocconf.compute.tango.region import confident_region


@pytest.mark.parametrize("name", TESTS)
@given(p=st.integers(1, 60), q=st.integers(1, 60), level=st.sampled_from([0.8, 0.95, 0.99]))
@settings(max_examples=15)
def test_holds_the_points_that_are_confident_and_no_others(name, p, q, level):
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
def test_tangos_edges_are_where_the_score_is_the_quantile(p, q):
    z, region = normal_quantile(0.95), confident_region(p, q, TESTS["tango"])
    for edge, sign in ((region.lower, +1), (region.upper, -1)):
        b, c = p * (1 - edge), q * region.fpr
        free = (b > 1e-9) & (b < p - 1e-9)
        assert free.any()
        assert sign * (b - c)[free] == pytest.approx(z * np.sqrt(b + c)[free], rel=1e-6)


def test_the_corner_of_perfection_is_always_in_it():
    for name, test in TESTS.items():
        region = confident_region(30, 70, test)
        assert region.fpr[0] == 0, name
        assert region.upper[0] == 1, name
        assert region.lower[0] < 1, name


def test_it_narrows_as_the_cases_grow():
    few, many = (confident_region(k, k, TESTS["tango"]) for k in (50, 5000))
    assert (many.upper - many.lower).max() < (few.upper - few.lower).max() / 5


def test_it_ends_where_there_are_too_many_false_alarms_even_with_all_positives_missed():
    region = confident_region(10, 1000, TESTS["tango"])
    c, z2 = 1000 * region.fpr[-1], normal_quantile(0.95) ** 2
    assert (c - 10) ** 2 == pytest.approx(z2 * (c + 10))
    assert region.lower[-1] == pytest.approx(0, abs=1e-9)
    assert region.upper[-1] == pytest.approx(0, abs=1e-9)
