"""Permutation tests: every sample of the pool is equally likely, in cells too, and p counts the data themselves."""

from collections import Counter
from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom

from rocconf.compute.stats.permutation import CELLS, cell_starts, draw, draw_positives, p_values, permuted


@pytest.mark.parametrize("size", [0, 1, 3, 6])
def test_every_sample_is_drawn_equally_often(size):
    cells, draws = np.array([1, 3, 2]), 6000
    of_case = np.repeat(np.arange(3), cells)
    every = Counter(tuple(np.bincount(of_case[list(each)], minlength=3)) for each in combinations(range(6), size))
    drawn = Counter(map(tuple, draw(cells, np.full(draws, size), np.random.default_rng(1)).tolist()))
    assert drawn.keys() == every.keys()
    for sample, ways in every.items():
        share = ways / every.total()
        assert drawn[sample] / draws == pytest.approx(share, abs=4.5 * sqrt(share * (1 - share) / draws))


def test_many_cases_of_a_cell_are_drawn_as_a_hypergeometric_number():
    cells, size, draws = np.array([400, 100, 500]), 300, 4000
    drawn = draw(cells, np.full(draws, size), np.random.default_rng(2))
    assert (drawn.sum(axis=1) == size).all()
    assert draw(cells, np.arange(9), np.random.default_rng(1)).sum(axis=1).tolist() == list(range(9))
    for at, cell in enumerate(cells):
        expected = hypergeom(1000, cell, size)
        assert drawn[:, at].mean() == pytest.approx(expected.mean(), abs=4.5 * expected.std() / sqrt(draws))
        assert drawn[:, at].std() == pytest.approx(expected.std(), rel=4.5 / sqrt(2 * draws))


def test_positives_are_drawn_so_that_both_classes_are_on_either_side():
    for p, q, size, possible in ((3, 3, 3, {1, 2}), (2, 9, 4, {1}), (9, 2, 4, {3}), (9, 2, 8, {7})):
        drawn, redrawn = draw_positives(p, q, size, 200, np.random.default_rng(1))
        assert (len(drawn), set(drawn.tolist()), redrawn > 0) == (200, possible, True)


@given(st.integers(1, 3 * CELLS), st.sampled_from([1, 5, 10**6]), st.integers(0, 99))
def test_cells_have_about_equally_many_cases(scores, most, seed):
    cases = np.random.default_rng(seed).integers(1, most + 1, scores)
    starts = cell_starts(cases)
    assert starts[0] == 0
    assert (np.diff(starts) > 0).all()
    assert len(starts) <= CELLS
    if scores <= CELLS:
        assert len(starts) == scores
    else:
        cells = np.add.reduceat(cases, starts)
        assert cells.max() <= cases.sum() / CELLS + 2 * most


def test_p_counts_the_data_and_what_ties_with_them():
    drawn = np.array([[0.1, 3.0], [0.3, 1.0], [0.1 + 0.2, 2.0]])
    assert p_values(np.array([0.3, 4.0]), drawn).tolist() == [3 / 4, 1 / 4]


def test_statistics_come_in_the_order_of_the_sizes_and_progress_adds_up():
    told: list[int] = []
    assert permuted(lambda sizes: 2.0 * sizes, np.arange(100), told.append).tolist() == list(range(0, 200, 2))
    assert sum(told) == 100
