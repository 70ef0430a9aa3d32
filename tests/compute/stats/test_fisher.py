"""Fisher's exact test of many confusion matrices at once."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from rocconf.compute.stats.chi2 import fisher
from rocconf.compute.stats.confusion import Confusion


def by_definition(tp, fp, p, q):
    """Add the probabilities of all tables that are no more probable, in rational numbers."""
    flagged = tp + fp
    ways = {x: comb(p, x) * comb(q, flagged - x) for x in range(max(0, flagged - q), min(flagged, p) + 1)}
    bar = ways[tp] * Fraction(10**7 + 1, 10**7)
    return Fraction(sum(way for way in ways.values() if way <= bar), comb(p + q, flagged))


def one(tp, fp, p, q):
    return fisher(Confusion(np.array([tp]), np.array([fp]), p, q))[0]


@st.composite
def matrices(draw, largest):
    p, q = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    return draw(st.integers(0, p)), draw(st.integers(0, q)), p, q


@pytest.mark.parametrize(
    ("counts", "p", "source"),
    [
        ((3, 1, 4, 4), 0.4857142857142857, "R: TeaTasting in ?fisher.test, two-sided"),
        ((2, 10, 17, 13), 0.0005367241, "R: Convictions in ?fisher.test (Fisher 1970), two-sided"),
        ((10, 2, 13, 17), 0.0005367241, "the same table with its rows exchanged"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_matches_published_p_values(counts, p, source):
    assert one(*counts) == pytest.approx(p, rel=1e-6), source


@given(matrices(largest=300))
def test_adds_the_tables_that_are_no_more_probable(counts):
    assert one(*counts) == pytest.approx(float(by_definition(*counts)), rel=1e-12)


@pytest.mark.thorough
@examples(25)  # rational numbers of thousands of digits
@given(matrices(largest=5000))
def test_keeps_its_digits_in_large_tables(counts):
    expected = float(by_definition(*counts))
    assert one(*counts) == pytest.approx(expected, rel=1e-11, abs=1e-307)


@pytest.mark.parametrize("p", [5, 20, 80, 150])
def test_a_tiny_p_has_as_many_digits_as_a_large_one(p):
    perfect = (p, 0, p, 100_000)
    assert one(*perfect) == pytest.approx(float(by_definition(*perfect)), rel=1e-12)
    assert one(2000, 0, 2000, 10**6) == 0  # below the smallest float


def test_agrees_with_scipy_on_random_tables():
    from scipy.stats import fisher_exact

    rng = np.random.default_rng(20)
    for p, q in rng.integers(1, [40, 200], size=(150, 2)).tolist():
        tp, fp = int(rng.integers(0, p + 1)), int(rng.integers(0, q + 1))
        expected = fisher_exact([[tp, fp], [p - tp, q - fp]]).pvalue
        assert one(tp, fp, p, q) == pytest.approx(expected, abs=1e-12)


def test_many_tables_at_once_have_the_p_values_of_each_alone():
    tp, fp = (each.ravel() for each in np.meshgrid(np.arange(8), np.arange(21)))
    apart = [one(x, y, 7, 20) for x, y in zip(tp.tolist(), fp.tolist(), strict=True)]
    np.testing.assert_allclose(fisher(Confusion(tp, fp, 7, 20)), apart, rtol=1e-14)
    assert fisher(Confusion(tp[:0], fp[:0], 7, 20)).tolist() == []
