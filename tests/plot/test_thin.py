"""What is left out of a curve cannot be seen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plot_cases import distance_to_polyline, random_models

from rocconf.compute.roc.curve import curve
from rocconf.plot.roc_space import roc_line, roc_points
from rocconf.plot.thin import MOST_POINTS, evenly_along, extremes

MOST_IN_TEST = 40


@st.composite
def staircases(draw):
    """Curves from (0, 0) to (1, 1) that never turn back, with long and short steps, some of no length."""
    steps = draw(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=2, max_size=400))
    longest = draw(st.integers(0, len(steps) - 1))
    steps[longest] = (steps[longest][0] + 200, steps[longest][1] + 100)
    corners = np.vstack([[0, 0], np.cumsum(steps, axis=0)])
    return corners / np.maximum(corners[-1], 1)


def thinned(corners):
    return evenly_along(len(corners), lambda rows: corners[rows].sum(axis=1), most=MOST_IN_TEST)


@given(staircases())
def test_the_ends_are_kept_and_the_rows_are_few_and_in_order(corners):
    rows = thinned(corners)
    assert rows[0] == 0
    assert rows[-1] == len(corners) - 1
    assert len(rows) <= MOST_IN_TEST
    assert (np.diff(rows) > 0).all()


@given(staircases())
def test_no_point_is_farther_from_the_line_drawn_than_promised(corners):
    stretch = corners[-1].sum() / (MOST_IN_TEST // 2 - 1)
    away = distance_to_polyline(corners, corners[thinned(corners)])
    assert away.max() <= stretch / np.sqrt(8) + 1e-12


def test_a_short_curve_is_kept_whole():
    assert thinned(np.linspace([0, 0], [1, 1], MOST_IN_TEST)).tolist() == list(range(MOST_IN_TEST))


def test_a_long_step_keeps_both_its_ends():
    corners = np.concatenate([np.linspace([0, 0], [0, 0.01], 500), np.linspace([1, 0.99], [1, 1], 500)])
    assert {499, 500} <= set(thinned(corners).tolist())


def test_a_million_thresholds_are_two_thousand_corners():
    (result,) = random_models(1_000_000, 1)
    roc = curve(result.counts)
    line = roc_line(result.counts)
    assert len(roc) > 900_000
    assert 0.99 * MOST_POINTS < len(line) <= MOST_POINTS
    assert line[[0, -1]].tolist() == [[0, 0], [1, 1]]
    sample = roc_points(roc, np.arange(0, len(roc), 997))
    assert distance_to_polyline(sample, line).max() <= 2 / (MOST_POINTS / 2 - 1) / np.sqrt(8)


@given(st.lists(st.tuples(st.integers(0, 50), st.floats(0, 1)), min_size=1, max_size=500))
def test_strips_keep_their_first_last_lowest_and_highest(pairs):
    x = np.sort([across for across, _ in pairs]).astype(float)
    y = np.array([up for _, up in pairs])
    rows = extremes(x, y, most=MOST_IN_TEST)
    assert len(rows) <= max(MOST_IN_TEST, 4)
    assert (np.diff(rows) > 0).all()
    assert (rows[0], rows[-1]) == (0, len(x) - 1)
    strip = (x[-1] - x[0]) / (MOST_IN_TEST // 4)
    for row in range(len(x)):
        near = rows[np.abs(x[rows] - x[row]) <= strip + 1e-9]
        assert y[near].min() <= y[row] <= y[near].max()


def test_a_single_peak_and_a_single_dip_are_kept():
    y = np.full(1000, 0.5)
    y[333], y[666], y[335] = 1, 0, 0.1
    assert {333, 335, 666} <= set(extremes(np.linspace(0, 1, 1000), y, most=MOST_IN_TEST).tolist())


@pytest.mark.parametrize("length", [1, 2, 3])
def test_the_shortest_curves_are_kept(length):
    assert evenly_along(length, lambda rows: rows / 1.0).tolist() == list(range(length))
