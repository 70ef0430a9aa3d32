"""Pearson's chi-square of a confusion matrix, and Fisher's exact test of many at once."""

import json
import math
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import examples

from rocconf.compute.roc.metrics import mcc
from rocconf.compute.stats.chi2 import chi2, critical_value, fisher, p_methods, p_values
from rocconf.compute.stats.confusion import Confusion
from rocconf.errors import UsageError

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "bradley_1996.json").read_text())["bradley"]


def matrix(tp, fp, p, q):
    return Confusion(np.atleast_1d(tp), np.atleast_1d(fp), p, q)


@st.composite
def matrices(draw, largest=400):
    p, q = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    return draw(st.integers(0, p)), draw(st.integers(0, q)), p, q


def every_matrix(p, q):
    tp, fp = np.meshgrid(np.arange(p + 1), np.arange(q + 1))
    return Confusion(tp.ravel(), fp.ravel(), p, q)


@pytest.mark.parametrize(
    ("counts", "key"),
    [((4, 15, 5, 55), "example_Tp4_Fp15_of_5_55"), ((1, 0, 5, 55), "example_Tp1_Fp0_of_5_55")],
)
def test_matches_the_worked_examples(counts, key):
    expected = REFERENCE[key]
    assert chi2(matrix(*counts))[0] == pytest.approx(expected["chi2"], rel=1e-12)
    assert p_values(matrix(*counts))[0] == pytest.approx(expected["fisher"], rel=1e-12)
    assert p_methods(matrix(*counts))[0] == "fisher"


@given(matrices(), st.sampled_from([1, 7, 10**5, 10**9]))
def test_is_n_times_the_squared_matthews_correlation_and_grows_with_the_counts(counts, times):
    tp, fp, p, q = (count * times for count in counts)
    m = matrix(tp, fp, p, q)
    correlation = mcc(m)[0]
    assert chi2(m)[0] == pytest.approx(0 if math.isnan(correlation) else m.n * correlation**2, rel=1e-12)
    assert chi2(m)[0] == pytest.approx(times * chi2(matrix(*counts))[0], rel=1e-12)
    assert chi2(matrix(p, 0, p, q))[0] == p + q  # exactly


def test_agrees_with_scipys_contingency_table():
    from scipy.stats import chi2_contingency

    m = every_matrix(31, 24)
    for k, (tp, fp) in enumerate(zip(m.tp.tolist(), m.fp.tolist(), strict=True)):
        if not 0 < tp + fp < m.n or k % 7:
            continue
        statistic, p, _, expected = chi2_contingency([[tp, fp], [31 - tp, 24 - fp]], correction=False)
        one = matrix(tp, fp, 31, 24)
        assert chi2(one)[0] == pytest.approx(statistic, rel=1e-10, abs=1e-12)
        assert p_methods(one)[0] == ("chi2" if expected.min() >= 5 else "fisher")
        if expected.min() >= 5:
            assert p_values(one)[0] == pytest.approx(p, rel=1e-10)


@given(matrices())
def test_exchanging_the_classes_or_the_predictions_changes_neither_chi2_nor_p(counts):
    tp, fp, p, q = counts
    for other in ((fp, tp, q, p), (p - tp, q - fp, p, q)):
        assert chi2(matrix(*other))[0] == pytest.approx(chi2(matrix(*counts))[0], rel=1e-12)
        assert p_methods(matrix(*other))[0] == p_methods(matrix(*counts))[0]
        assert p_values(matrix(*other))[0] == pytest.approx(p_values(matrix(*counts))[0], rel=1e-9)


@pytest.mark.parametrize(("p", "q"), [(5, 55), (1, 1), (10**9, 3)])
def test_is_0_with_a_p_of_1_where_all_cases_are_predicted_alike(p, q):
    m = Confusion(np.array([0, p]), np.array([0, q]), p, q)
    assert chi2(m).tolist() == [0, 0]
    assert p_values(m).tolist() == [1, 1]


@given(matrices(largest=60))
@example((10, 0, 30, 30))  # exactly 5
@example((9, 0, 30, 30))
def test_fisher_is_used_exactly_where_an_expected_count_is_below_5(counts):
    tp, fp, p, q = counts
    flagged, n = tp + fp, p + q
    expected = [r * c for r in (flagged, n - flagged) for c in (p, q)]
    assert p_methods(matrix(*counts))[0] == ("fisher" if any(e < 5 * n for e in expected) else "chi2")


def test_critical_values_are_the_published_quantiles_and_keep_their_digits():
    for significance in ("0.05", "0.01", "0.005"):
        expected = REFERENCE["critical_values"][significance]
        assert critical_value(float(significance)) == pytest.approx(expected, rel=1e-12)
    assert math.erfc(math.sqrt(critical_value(1e-30) / 2)) == pytest.approx(1e-30, rel=1e-9)


@pytest.mark.parametrize("significance", [0, 1, -0.1, math.nan])
def test_a_significance_outside_0_and_1_is_rejected(significance):
    with pytest.raises(UsageError, match="significance must be between 0 and 1"):
        critical_value(significance)


def test_equal_values_are_equal_floats_in_small_tables():
    for p, q in [(4, 6), (5, 4), (6, 10), (8, 10), (12, 13)]:
        m = every_matrix(p, q)
        over, flagged = m.tp * q - m.fp * p, m.tp + m.fp
        exact = [
            Fraction(int(o) ** 2, int(f * (m.n - f))) if 0 < f < m.n else 0 for o, f in zip(over, flagged, strict=True)
        ]
        assert len(set(exact)) == len(set(chi2(m).tolist()))


# Fisher's test


def by_definition(tp, fp, p, q):
    """Add the probabilities of all tables that are no more probable, in rational numbers."""
    flagged = tp + fp
    ways = {x: comb(p, x) * comb(q, flagged - x) for x in range(max(0, flagged - q), min(flagged, p) + 1)}
    bar = ways[tp] * Fraction(10**7 + 1, 10**7)
    return Fraction(sum(way for way in ways.values() if way <= bar), comb(p + q, flagged))


@pytest.mark.parametrize(
    ("counts", "p"),
    [
        ((3, 1, 4, 4), 0.4857142857142857),  # R: TeaTasting in ?fisher.test, two-sided
        ((2, 10, 17, 13), 0.0005367241),  # R: Convictions in ?fisher.test (Fisher 1970), two-sided
    ],
)
def test_matches_published_p_values(counts, p):
    assert fisher(matrix(*counts))[0] == pytest.approx(p, rel=1e-6)


@given(matrices())
@example((4, 7, 4, 18))  # another table is as probable, but for rounding
@example((5, 0, 5, 100_000))
@example((80, 0, 80, 100_000))
@example((2000, 0, 2000, 10**6))  # below the smallest float
def test_adds_the_tables_that_are_no_more_probable(counts):
    assert fisher(matrix(*counts))[0] == pytest.approx(float(by_definition(*counts)), rel=1e-12)


@pytest.mark.thorough
@examples(25)  # rational numbers of thousands of digits
@given(matrices(largest=5000))
def test_keeps_its_digits_in_large_tables(counts):
    assert fisher(matrix(*counts))[0] == pytest.approx(float(by_definition(*counts)), rel=1e-11, abs=1e-307)


def test_many_tables_at_once_have_the_p_values_of_each_alone():
    m = every_matrix(7, 20)
    apart = [fisher(matrix(tp, fp, 7, 20))[0] for tp, fp in zip(m.tp.tolist(), m.fp.tolist(), strict=True)]
    np.testing.assert_allclose(fisher(m), apart, rtol=1e-14)
    assert fisher(Confusion(m.tp[:0], m.fp[:0], 7, 20)).tolist() == []
