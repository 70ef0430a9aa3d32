"""The interval of a weighted sum: the square-and-add of Newcombe, and how often it errs."""

import numpy as np
import pytest
from scipy.stats import binom

from rocconf.compute.stats.difference import square_and_add
from rocconf.compute.stats.proportion import exact_interval, wilson
from rocconf.compute.stats.weighted_sum import Part, inverted_p, sum_interval
from rocconf.records import Interval


def test_with_the_weights_1_and_minus_1_it_is_newcombes():
    first, second = wilson(9, 30), wilson(4, 25)
    found = sum_interval(Part(1.0, 0.3, first), Part(-1.0, 0.16, second))
    expected = square_and_add(0.3, first, 0.16, second)
    assert (found.lower, found.upper) == pytest.approx((expected.lower, expected.upper), rel=1e-12)


def test_weights_stretch_the_distances_of_the_limits():
    found = sum_interval(Part(3.0, 0.5, Interval(0.4, 0.7)), Part(2.0, 0.2, Interval(0.0, 0.3)))
    assert (found.lower, found.upper) == pytest.approx((1.9 - 0.5, 1.9 + (0.6**2 + 0.2**2) ** 0.5))


@pytest.mark.parametrize(("weight", "width"), [(1.0, 0.3), (-1.0, 0.1)])
def test_a_full_correlation_adds_or_subtracts_the_distances(weight, width):
    found = sum_interval(Part(1.0, 0.5, Interval(0.3, 0.7)), Part(weight, 0.5, Interval(0.4, 0.6)), correlation=1.0)
    assert found.upper - (0.5 + weight * 0.5) == pytest.approx(width)
    assert (0.5 + weight * 0.5) - found.lower == pytest.approx(width)


def test_p_is_1_less_the_largest_level_that_excludes_0():
    p = inverted_p(0.3, lambda level: Interval(0.3 - level / 2, 0.3 + level / 2))
    assert p == pytest.approx(0.4, rel=1e-9)
    assert inverted_p(0.0, lambda _: Interval(0.0, 0.0)) == 1.0


@pytest.mark.parametrize(("p", "q"), [(5, 50), (15, 60)])
def test_the_upper_limit_of_a_cost_errs_in_at_most_half_of_what_its_level_leaves(p, q):
    """Every outcome, with its probability: the cells of a rule that lets a model pass (docs/costs.md)."""
    limits = [np.array([exact_interval(hits, n).upper for hits in range(n + 1)]) for n in (p, q)]
    shares = [np.arange(n + 1) / n for n in (p, q)]
    for fnr, fpr, weight in ((0.02, 0.01, 0.2), (0.2, 0.01, 0.05), (0.6, 0.5, 0.2), (0.1, 0.2, 0.5), (0.4, 0.05, 0.8)):
        cost = weight * shares[0][:, None] + (1 - weight) * shares[1]
        above = [limit - share for limit, share in zip(limits, shares, strict=True)]
        upper = cost + np.hypot(weight * above[0][:, None], (1 - weight) * above[1])
        likely = binom.pmf(np.arange(p + 1), p, fnr)[:, None] * binom.pmf(np.arange(q + 1), q, fpr)
        assert likely[upper < weight * fnr + (1 - weight) * fpr].sum() <= 0.025
