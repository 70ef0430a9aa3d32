"""The interval of a weighted sum: the square-and-add of Newcombe, and how often it errs."""

import numpy as np
import pytest
from rocconf.compute.stats.difference import square_and_add
from rocconf.compute.stats.weighted_sum import Events, Part, inverted_p, lower_of_events, sum_interval
from scipy.stats import binom

from rocconf.compute.stats.proportion import exact_interval, wilson
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


@pytest.mark.parametrize(("p", "q"), [(5, 50), (15, 60)])
@pytest.mark.parametrize("of_same_cases", [True, False])
def test_the_lower_limit_of_few_events_errs_in_at_most_half_of_what_its_level_leaves(p, q, of_same_cases):
    """Every outcome, with its probability; square-and-add alone errs in up to 7%."""
    for fnr, fpr, weight in ((0.02, 0.01, 1.0), (0.02, 0.002, 3.0), (0.1, 0.01, 10.0), (0.3, 0.1, 0.1)):
        missed, alarmed = np.divmod(np.arange((p + 1) * (q + 1)), q + 1)
        if of_same_cases:
            of_each, rates = (p + q, p + q), (fnr * p / (p + q), fpr * q / (p + q))
            likely = binom.pmf(missed, p + q, rates[0]) * binom.pmf(alarmed, p + q - missed, rates[1] / (1 - rates[0]))
        else:
            of_each, rates = (p, q), (fnr, fpr)
            likely = binom.pmf(missed, p, fnr) * binom.pmf(alarmed, q, fpr)
        error = 0.0
        for one, other, probability in zip(missed.tolist(), alarmed.tolist(), likely.tolist(), strict=True):
            if probability > 1e-7:
                kinds = Events(weight / of_each[0], one, of_each[0]), Events(1 / of_each[1], other, of_each[1])
                found = lower_of_events(kinds, of_same_cases=of_same_cases, level=0.95)
                error += probability * (found > weight * rates[0] + rates[1])
        assert error <= 0.025


def test_events_of_one_weight_are_those_of_one_proportion():
    kinds = Events(0.5, 3, 40), Events(0.5, 4, 40)
    assert lower_of_events(kinds, of_same_cases=True, level=0.9) == pytest.approx(
        20 * exact_interval(7, 40, level=0.9).lower
    )
    alone = Events(2.0, 3, 20), Events(7.0, 0, 40)
    assert lower_of_events(alone, of_same_cases=False, level=0.95) == pytest.approx(40 * exact_interval(3, 20).lower)
    assert lower_of_events((Events(2.0, 0, 20),), of_same_cases=True, level=0.95) == 0.0
