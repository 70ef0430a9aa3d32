"""The error difference and its interval at every threshold."""

import numpy as np
import pytest
from matplotlib.collections import FillBetweenPolyCollection, LineCollection
from matplotlib.container import ErrorbarContainer
from plot_cases import SCORES, figure_of, legend_texts, painted, results_of, texts

TEN = ("tango", "ten cases")


def bars(axes):
    """Return where bars stand, and their limits."""
    pieces = [
        segment
        for container in axes.containers
        if isinstance(container, ErrorbarContainer)
        for segment in container[2][0].get_segments()
    ]
    return np.array([[piece[0, 0], piece[0, 1], piece[1, 1]] for piece in pieces])


def test_the_bars_are_the_intervals_of_the_rows():
    (axes,) = painted(results_of(*TEN), "intervals", only_confident=True).axes
    frame = results_of(*TEN)[0].to_frame()
    confident = frame[frame["confident"]].iloc[::-1]
    np.testing.assert_allclose(bars(axes), confident[["threshold", "lower", "upper"]].to_numpy(), atol=1e-15)
    assert (bars(axes)[:, 1] <= 0).all()
    assert (bars(axes)[:, 2] >= 0).all()


def test_all_points_have_bars_and_the_nothing_positive_row_no_place():
    figure = painted(results_of(*TEN), "intervals")
    drawn = bars(figure.axes[0])
    assert len(drawn) == 10 + 7  # the confident ones once more, in their colour
    assert sorted(set(drawn[:, 0])) == sorted(SCORES)
    assert legend_texts(figure)[1:] == ["not confident", "confident"]


def test_many_points_have_a_band_and_few_vertices():
    axes, _ = figure_of("tango", "many cases", "intervals").axes
    assert not bars(axes).size
    bands = [each for each in axes.collections if isinstance(each, FillBetweenPolyCollection)]
    assert len(bands) == 2
    assert all(len(band.get_paths()[0].vertices) < 10_000 for band in bands)
    assert not [each for each in axes.collections if isinstance(each, LineCollection)]


def test_the_margin_is_a_line_on_both_sides():
    figure = figure_of("tango", "equivalent too", "intervals")
    assert "margin ±0.6" in legend_texts(figure)
    margins = {float(line.get_ydata()[0]) for line in figure.axes[0].lines if line.get_linestyle() == ":"}
    assert margins == {-0.6, 0.6}


def test_scores_without_a_place_on_the_axis_are_counted():
    figure = figure_of("tango", "infinite scores", "intervals")
    assert "2 too far out to draw" in [text.get_text() for text in texts(figure)]


def test_a_test_without_an_interval_draws_points_and_the_legend_says_so():
    figure = figure_of("tango", "a test without an interval", "intervals")
    assert legend_texts(figure)[0].endswith("McNemar's exact test, 95% (it has no interval)")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("command", "case", "models"),
    [("tango", "nine models", [f"model {k}" for k in range(9)]), ("compare", "dis", list("STFB"))],
)
def test_every_model_has_a_panel(command, case, models):
    figure = painted(results_of(command, case), "intervals", only_confident=True)
    assert [axes.get_title("left") for axes in figure.axes] == models


def heights_at_zero(axes):
    """Return the heights in pixels of what is shaded where the difference is near 0."""
    heights = []
    for band in axes.collections:
        if isinstance(band, FillBetweenPolyCollection):
            x, y = axes.transData.transform(band.get_paths()[0].vertices).T
            middle = np.median(x[np.abs(y - axes.transData.transform((0, 0))[1]) < 0.2 * axes.bbox.height])
            heights.append(np.ptp(y[np.abs(x - middle) < 0.02 * axes.bbox.width]))
    return heights


@pytest.mark.parametrize(
    ("command", "case"),
    [("tango", "many cases"), ("tango", "imbalanced"), ("compare", "many cases, few positive")],
)
def test_intervals_near_0_can_be_seen(command, case):
    *_, last = figure_of(command, case, "intervals").axes
    seen = heights_at_zero(last) or np.ptp(last.transData.transform(np.delete(bars(last), 1, 1)), axis=1)
    assert min(seen) > 8


def test_intervals_that_can_be_seen_are_not_enlarged():
    assert len(painted(results_of(*TEN), "intervals").axes) == 1


def test_the_enlarged_part_is_framed_in_the_whole_chart():
    whole, part = figure_of("tango", "imbalanced", "intervals").axes
    (frame,) = whole.patches
    assert (frame.get_x(), frame.get_x() + frame.get_width()) == pytest.approx(part.get_xlim())
    assert (frame.get_y(), frame.get_y() + frame.get_height()) == pytest.approx(part.get_ylim())
