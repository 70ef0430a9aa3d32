"""Rates of two models at a threshold each: published intervals, the counts they rest on, and one story with the test."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rocconf.compute.compare.rate_difference import (
    COMPARED,
    Discordance,
    Hits,
    discordances,
    hits,
    paired_difference,
    unpaired_difference,
)

from rocconf.compute.roc.metrics import RATES

KINDS = ("robust", "delong")
FLAGS = st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=30)


@given(FLAGS)
def test_counts_the_cases_on_which_one_model_alone_is_right(cases):
    labels, first, second = (np.array(column) for column in zip(*cases, strict=True))
    found = discordances(labels, first, second)
    for rate, among in (("tpr", labels), ("specificity", ~labels), ("accuracy", np.ones(len(labels), bool))):
        right = [(a == y, b == y) for (y, a, b), counts in zip(cases, among, strict=True) if counts]
        assert found[rate] == Discordance(right.count((True, False)), right.count((False, True)), len(right))


def test_the_rates_are_those_of_a_confusion_matrix():
    assert hits(3, 1, 4, 6) == {"tpr": Hits(3, 4), "specificity": Hits(5, 6), "accuracy": Hits(8, 10)}


@pytest.mark.parametrize(
    ("counts", "level", "limits"),
    [
        ((12, 2, 50), 0.95, (0.061112406, 0.344708748)),  # solved to 50 digits from Tango's equation
        ((1, 7, 21), 0.95, (-0.517, -0.026)),  # Bentur et al., as Tango (1998) and others print it
        ((1, 0, 44), 0.90, (-0.037, 0.096)),  # Tango (1998), two methods of disinfecting lenses
    ],
)
def test_published_intervals_of_paired_rates(counts, level, limits):
    found = paired_difference(Discordance(*counts), level=level, kind="delong")
    assert (found.interval.lower, found.interval.upper) == pytest.approx(limits, abs=5.1e-4)
    assert found.value == (counts[0] - counts[1]) / counts[2]


@given(st.integers(0, 12), st.integers(0, 12), st.integers(1, 9), st.floats(0.5, 0.99), st.sampled_from(KINDS))
def test_the_paired_interval_excludes_0_exactly_when_mcnemar_rejects(b, c, rest, level, kind):
    found = paired_difference(Discordance(b, c, b + c + rest), level=level, kind=kind)
    if abs(found.p - (1 - level)) > 1e-9:
        assert (found.interval.lower <= 0 <= found.interval.upper) == (found.p > 1 - level)


@pytest.mark.parametrize(("b", "c"), [(6, 1), (10, 3)])
def test_mcnemars_p_is_that_of_the_squared_statistic(b, c):
    from scipy.stats import chi2

    found = paired_difference(Discordance(b, c, 40), kind="delong")
    assert found.p == pytest.approx(chi2.sf((b - c) ** 2 / (b + c), 1), rel=1e-12)


def test_two_models_with_the_same_errors_do_not_differ():
    found = paired_difference(Discordance(0, 0, 50), kind="delong")
    assert (found.value, found.p) == (0, 1)
    assert found.interval.upper == -found.interval.lower == pytest.approx(0.071348, abs=1e-6)


@pytest.mark.parametrize(
    ("first", "second", "lower", "upper"),
    [  # Newcombe (1998), Statistics in Medicine 17, 873-890, table II, method 10
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((10, 10), (0, 20), 0.6791, 1.0),
        ((10, 10), (0, 10), 0.6075, 1.0),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
    ],
)
def test_published_intervals_of_unpaired_rates(first, second, lower, upper):
    found = unpaired_difference(Hits(*first), Hits(*second), kind="delong")
    assert (found.interval.lower, found.interval.upper) == pytest.approx((lower, upper), abs=5.1e-5)


@pytest.mark.parametrize(("a", "b"), list(product([(3, 9), (9, 9), (20, 41)], [(5, 12), (12, 12)])))
def test_the_unpaired_p_is_that_of_the_chi_square_of_the_table(a, b):
    from scipy.stats import chi2_contingency

    found = unpaired_difference(Hits(*a), Hits(*b), kind="delong")
    if a[0] == a[1] and b[0] == b[1]:
        assert found.p == 1
    else:
        table = [[a[0], a[1] - a[0]], [b[0], b[1] - b[0]]]
        assert found.p == pytest.approx(chi2_contingency(table, correction=False).pvalue, rel=1e-10)


def test_every_rate_that_declares_a_difference_is_compared():
    assert set(COMPARED) == {name for name, rate in RATES.items() if rate.has_difference}
