"""The figure of a stream: the windows with their intervals, and the martingales with their alarm."""

import numpy as np
import pytest
from plot_cases import legend_texts, painted, results_of, words

from rocconf.errors import UsageError


def year():
    (result,) = results_of("sensibility", "a year")
    return result


@pytest.fixture(scope="module")
def figure():
    return painted([year()], "time")


def test_each_window_has_its_dot_and_its_interval(figure):
    rows = year().table("windows").records()
    for axes, key in zip(figure.axes, ("auc", "struggle_ratio"), strict=False):
        (dots,) = (line for line in axes.lines if line.get_marker() == "o")
        assert np.allclose(dots.get_ydata(), [row[key] for row in rows])
        (intervals,) = axes.collections
        ends = [[low, high] for (_, low), (_, high) in intervals.get_segments()]
        assert np.allclose(ends, [[row[f"{key}_lower"], row[f"{key}_upper"]] for row in rows])


def test_the_martingales_are_on_a_logarithmic_axis_with_their_alarm(figure):
    bets = figure.axes[2]
    lines = [line for line in bets.lines if len(line.get_xdata()) > 2]
    assert [line.get_ydata().max() for line in lines] == pytest.approx(
        [row["log10_peak"] for row in year().table("martingales").records()]
    )
    assert all(line.get_ydata()[0] == 0 for line in lines)
    assert [line.get_ydata()[0] for line in bets.lines if len(set(line.get_ydata())) == 1] == [
        pytest.approx(np.log10(60))
    ]
    assert "alarm at 60" in legend_texts(figure)


def test_the_title_says_which_alarm_and_from_when(figure):
    rows = year().table("martingales").records()
    assert "alarm: scores of positives from" in words(figure)
    assert all(f"from {row['alarm_at']}" in words(figure) for row in rows)


def test_each_alarm_is_a_line_through_all_panels(figure):
    for axes in figure.axes:
        assert len([line for line in axes.lines if list(line.get_ydata()) == [0, 1]]) == 3


def test_a_stream_without_times_cannot_be_drawn():
    with pytest.raises(UsageError) as error:
        painted(results_of("sensibility", "drift"), "time")
    assert error.value.text("shell").endswith("needs --time and --reference")
