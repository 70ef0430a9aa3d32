"""Weights have the distribution of drawing cases with replacement, and what is looked up is what they add up to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, chisquare, poisson

from rocconf.compute.roc import drawn_cases
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.drawn_cases import UNDECIDED, Cumulated, DrawnCases, draw_weights
from rocconf.records import ScoreCounts

RUNS = 4000


@pytest.mark.parametrize("n", [1, 7, 255, 256, 1000, 4099])
def test_as_many_cases_are_drawn_as_there_are(n):
    weights = draw_weights(n, 30, np.random.default_rng(n))
    assert weights.shape == (30, -(-n // 8) * 8)
    assert (weights.sum(axis=1, dtype=np.int64) == n).all()
    assert not weights[:, n:].any()


@pytest.mark.parametrize("n", [256, 1000, 1_000_000])
def test_a_byte_decides_only_what_every_fraction_after_it_would(n):
    cumulated, table = drawn_cases.poisson_bytes(n)
    mean = 1 - 4 / int(n**0.5)
    np.testing.assert_allclose(cumulated, poisson(mean).cdf(np.arange(len(cumulated))), rtol=1e-13)
    fractions = np.array([0, 1e-9, 0.25, 0.5, 0.75, 1 - 1e-9])
    for byte, decided in enumerate(table):
        exact = np.searchsorted(cumulated, (byte + fractions) / 256, side="right")
        assert decided == UNDECIDED or (exact == decided).all()
    assert 0 < table.count(UNDECIDED) <= 8


@pytest.mark.parametrize(("n", "seed"), [(30, 1), (256, 2), (600, 3)])
def test_the_weights_are_multinomial(n, seed):
    weights = draw_weights(n, RUNS, np.random.default_rng(seed))[:, :n].astype(np.int64)
    cells = np.array([0, n // 2, n - 1])
    for share, drawn in ((1, weights[:, cells].ravel()), (n // 3, weights[:, : n // 3].sum(axis=1))):
        law = binom(n, share / n)
        low, high = int(law.ppf(0.02)), int(law.ppf(0.98))
        edges = np.arange(low, high + 1)
        expected = np.concatenate([[law.cdf(low)], law.pmf(edges[1:]), [law.sf(high)]]) * len(drawn)
        found = np.bincount(np.clip(drawn, low, high + 1) - low, minlength=len(expected))
        assert chisquare(found, expected).pvalue > 1e-3
    pairs = np.corrcoef(weights[:, 0], weights[:, 1 : n // 2].sum(axis=1))[0, 1]
    expected = -np.sqrt((n // 2 - 1) / (n - 1) / (n - n // 2 + 1))
    assert abs(pairs - expected) < 4 / np.sqrt(RUNS)


def test_the_mean_of_the_draws_is_kept_by_what_is_thrown_at_the_end(monkeypatch):
    monkeypatch.setattr(drawn_cases, "MOST_SPREADS", 8)
    weights = draw_weights(401, RUNS, np.random.default_rng(5))[:, :401]
    assert abs((weights == 0).mean() - binom(401, 1 / 401).pmf(0)) < 0.002


@given(st.lists(st.lists(st.integers(0, 31), min_size=16, max_size=16), min_size=1, max_size=4))
def test_what_is_looked_up_is_the_sum_of_the_first_cases(lines):
    weights = np.array(lines, dtype=np.uint8)
    found = Cumulated.of(weights)
    for line, drawn in enumerate(lines):
        for cases in range(17):
            assert found.upto(np.array([line]), np.array([cases])) == sum(drawn[:cases])


def test_replicates_of_a_curve_are_those_of_its_cases():
    scores, labels = np.array([3, 3, 2, 1, 1, 0.5, 0.5]), np.array([1, 0, 1, 0, 1, 0, 0])
    roc = curve(ScoreCounts.of(scores, labels, 1 - labels))
    weights = np.array([[2, 0, 1, 0, 0, 0, 0, 0]], dtype=np.uint8), np.array([[1, 3, 0, 0, 0, 0, 0, 0]], dtype=np.uint8)
    drawn = DrawnCases(roc, *map(Cumulated.of, weights))
    whole = drawn.whole()
    assert (whole.tp.tolist(), whole.fp.tolist()) == ([[0, 2, 2, 3, 3]], [[0, 1, 1, 4, 4]])
    assert (drawn.width, len(drawn)) == (5, 1)
    tp, fp = drawn.at(np.array([0, 0]), np.array([3, 1]))
    assert (tp.tolist(), fp.tolist()) == ([3, 2], [4, 1])
