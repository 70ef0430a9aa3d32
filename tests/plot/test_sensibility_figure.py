"""The figure of sensibility: its captions and its midpoint."""

import pytest
from plot_cases import LABELS, SCORES, counted, legend_texts, painted, results_of, sensibilities

from rocconf import sensibility

TEN = ("sensibility", "ten cases")


@pytest.mark.thorough
def test_every_model_has_its_two_charts():
    figure = painted(results_of("sensibility", "three models"), "sensibility")
    assert [axes.get_xlabel() for axes in figure.axes] == ["Threshold", "False positive rate"] * 3
    names = [axes.get_title(loc="left").splitlines()[0] for axes in figure.axes[::2]]
    assert names == ["model 3", "model 4", "model 5"]


def test_the_midpoint_is_marked_in_both_charts():
    left, right = painted(results_of(*TEN), "sensibility").axes
    (line,) = [line for line in left.lines if len(set(line.get_xdata())) == 1]
    assert line.get_xdata()[0] == pytest.approx(0.54)
    (dot,) = [line for line in right.lines if line.get_marker() == "o"]
    assert (dot.get_xdata()[0], dot.get_ydata()[0]) == (0.2, 0.8)


@pytest.mark.thorough
def test_the_captions_name_the_method_and_level_of_every_interval():
    (ten,) = sensibilities(counted(LABELS, SCORES), level=0.9)
    left, right = (axes.get_title(loc="left") for axes in painted([ten], "sensibility").axes)
    assert left.startswith("struggle ratio 0.25")
    assert left.splitlines()[1] == "bootstrap, 90%; midpoint 0.54 (half)"
    assert right.splitlines()[1] == "robust, 90%"
    wilson = sensibility(ten.counts, bootstrap=0)
    assert "Wilson, 95%" in painted([wilson], "sensibility").axes[0].get_title(loc="left")


@pytest.mark.thorough
def test_a_midpoint_outside_is_called_not_interpretable_and_has_no_line_in_the_legend():
    outside = painted(results_of("sensibility", "midpoint outside"), "sensibility")
    assert "not interpretable" in outside.axes[0].get_title(loc="left")
    assert "midpoint" not in legend_texts(outside)
    assert "midpoint" in legend_texts(painted(results_of(*TEN), "sensibility"))
