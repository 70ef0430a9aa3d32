"""Sensibility and capability by threshold beside the ROC curve, a row of two charts for each model."""

import numpy as np
import pytest
from plot_cases import DRIFTS, SENSIBILITIES, painted, results_of

from rocconf import sensibility
from rocconf.plot import Canvas
from rocconf.plot.chart_rows import drawn_steps


@pytest.mark.thorough
@pytest.mark.parametrize("case", SENSIBILITIES | DRIFTS)
def test_a_free_height_is_what_is_needed(case):
    figure = painted(results_of("sensibility", case), "drift" if case in DRIFTS else "sensibility")
    assert figure.get_tightbbox().height == pytest.approx(figure.get_size_inches()[1], abs=0.4)
    for axes in figure.axes:
        assert axes.bbox.width == pytest.approx(axes.bbox.height)
        assert axes.bbox.width > 0.33 * figure.bbox.width


def test_a_fixed_height_is_kept():
    figure = painted(results_of("sensibility", "drift"), "drift", Canvas(width=9, height=5, dpi=72))
    assert figure.get_size_inches().tolist() == [9, 5]


@pytest.mark.parametrize("name", ["sensibility", "capability"])
@pytest.mark.parametrize("case", ["ten cases", "lower is positive", "midpoint outside"])
def test_the_curves_are_steps_that_every_threshold_lies_on(case, name):
    (result,) = results_of("sensibility", case)
    steps = drawn_steps(result, name)
    assert (np.diff(steps[:, 0]) >= 0).all()
    assert (steps[0, 0], steps[-1, 0]) == (-0.02, 1.02)
    for threshold in np.random.default_rng(1).random(100).tolist():
        (row,) = sensibility(result.counts, thresholds=repr(threshold), bootstrap=0).table().records()[1:]
        stretch = np.searchsorted(steps[::2, 0], threshold, side="right") - 1
        assert steps[2 * stretch, 1] == row[name]


def test_a_threshold_at_a_score_decides_as_the_score_does():
    (result,) = results_of("sensibility", "ten cases")
    steps = drawn_steps(result, "sensibility")
    at = np.flatnonzero(steps[:, 0] == 0.6)
    # (.5, .6] has the accuracy of the score .6, which is all of the sensible cases
    assert steps[at, 1].tolist() == [1, 0.875]


def test_many_cases_are_drawn_with_few_points():
    (result,) = results_of("sensibility", "many cases")
    assert len(drawn_steps(result, "capability")) <= 4000
