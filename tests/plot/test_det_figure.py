"""The detection error trade-off: normal deviates of both error rates, with all that is marked in sight."""

import numpy as np
import pytest
from plot_cases import SWEEPS, figure_of, painted, random_models, sweeps, words

from rocconf.plot.det import Probit


def curve_of(axes):
    (line,) = [each for each in axes.lines if each.get_zorder() == 3]
    return line.get_xydata()


def test_error_rates_are_on_the_scale_of_normal_deviates():
    # qnorm(c(.025, .5, .8)) in R
    assert Probit(1e-6, 0.9, 1 - 1e-6)(np.array([0.025, 0.5, 0.8])) == pytest.approx([-1.959963985, 0, 0.8416212336])
    assert Probit(1e-6, 0.9, 1 - 1e-6)(np.array([0.0, 1.0])) == pytest.approx([-4.753424309, 4.753424309])


@pytest.mark.thorough
@pytest.mark.parametrize("case", SWEEPS)
def test_every_mark_is_in_sight(case):
    axes = figure_of("sweep", case, "det").axes[0]
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    for line in axes.lines:
        if line.get_zorder() == 5:
            x, y = line.get_xydata()[0]
            assert left <= x <= right
            assert bottom <= y <= top


def test_a_weak_model_of_many_cases_fills_the_chart():
    axes = painted(random_models(200_000, 1), "det").axes[0]
    x, y = np.array([point for point in curve_of(axes) if axes.viewLim.contains(*point)]).T
    assert np.ptp(x) > 0.5 * axes.viewLim.width
    assert np.ptp(y) > 0.5 * axes.viewLim.height


def test_normal_scores_make_a_straight_line():
    corners = curve_of(painted(random_models(200_000, 1, prevalence=0.5), "det").axes[0])
    low, high = Probit(1e-6, 0.6, 1 - 1e-6)(np.array([0.15, 0.55]))
    x, y = corners[((corners > low) & (corners < high)).all(axis=1)].T
    assert len(x) > 100
    assert y == pytest.approx(-x - 1, abs=0.1)  # classes one standard deviation apart


def test_a_det_chart_says_what_it_draws_at_its_edges():
    assert "drawn at the edge" in words(painted(sweeps([1, 1, 0, 0], s=[4, 3, 2, 1]), "det"))
    assert "drawn at the edge" not in words(painted(random_models(4000, 1, prevalence=0.5), "det"))


@pytest.mark.parametrize("case", ["ten cases", "perfect", "four models", "two cases", "many cases"])
def test_both_axes_have_numbers(case):
    axes = figure_of("sweep", case, "det").axes[0]
    low, high = axes.get_xlim()
    for axis in (axes.xaxis, axes.yaxis):
        numbers = [float(tick.label1.get_text()) for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
        assert len(numbers) >= 4
        assert all(0 < number < 1 for number in numbers)
