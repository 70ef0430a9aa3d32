"""The figure of chi2-contours: what is drawn is what was computed, and its labels can be read."""

from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.text import Text
from plot_cases import contours_of, contours_with, legend_texts, painted

from rocconf.errors import UsageError
from rocconf.plot import Canvas


def labels(figure):
    """Return the texts of the chart but the heading, with the boxes they take without the lines that lead to them."""
    [axes] = figure.axes
    renderer = figure.canvas.get_renderer()
    return {
        text: Text.get_window_extent(text, renderer)
        for text in axes.texts
        if text.get_text().replace(".", "").replace("e-", "").isdigit()
    }


def assert_apart(figure):
    for (one, box), (other, another) in combinations(labels(figure).items(), 2):
        assert not box.overlaps(another), f"{one.get_text()} lies on {other.get_text()}"


def drawn_lines(figure):
    [axes] = figure.axes
    return [np.column_stack(line.get_data()) for line in axes.lines]


TOTALS = [(5, 55), (50, 1000), (30, 30), (55, 5), (1, 3000), (50_000, 50_000), (3000, 100)]


@pytest.mark.thorough
@pytest.mark.parametrize(("p", "q"), TOTALS)
def test_every_contour_has_its_label_and_no_label_lies_on_another(p, q):
    figure = painted(contours_of(p, q), "contours")
    assert sorted(text.get_text() for text in labels(figure)) == ["3.84", "6.63", "7.88"]
    assert_apart(figure)


@pytest.mark.thorough
@pytest.mark.parametrize(("p", "q"), [(5, 55), (50, 1000), (30, 30), (55, 5)])
def test_many_levels_with_accuracies_and_costs_stay_legible(p, q):
    [result] = contours_of(p, q, levels=[3.84, 6.63, 7.88, 10, 15, 20, 30, 40])
    figure = painted([result], "contours", accuracy_contours=(0.6, 0.7, 0.8), cost=f"1:{q}/{p}")
    assert len(labels(figure)) == 8 + 3 + 4
    assert_apart(figure)


@pytest.mark.thorough
@pytest.mark.parametrize(("p", "q"), TOTALS)
@pytest.mark.parametrize("canvas", [Canvas(), Canvas(3, 4), Canvas(12, 7)], ids=["usual", "small", "wide"])
def test_nothing_is_cut_off(p, q, canvas):
    figure = painted(contours_of(p, q), "contours", canvas)
    box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    assert min(box.x0, box.y0) >= 0
    assert box.x1 <= width
    assert box.y1 <= height


def test_lines_close_together_have_their_labels_apart():
    assert_apart(painted(contours_of(30, 30), "contours", accuracy_contours=(0.8, 0.81, 0.82, 0.83)))


def test_the_heading_stands_above_the_labels():
    figure = painted(contours_of(5, 55), "contours")
    [axes] = figure.axes
    heading = [text.get_window_extent() for text in axes.texts if "positive" in text.get_text()]
    assert len(heading) == 1
    assert heading[0].y0 >= max(box.y1 for box in labels(figure).values())


@pytest.mark.thorough
def test_labels_on_lines_stay_inside_the_chart():
    for p, q, accuracies in ((13, 959, (0.015, 0.1, 0.9, 0.99)), (959, 13, (0.1, 0.9, 0.99))):
        figure = painted(contours_of(p, q), "contours", Canvas(3.5), accuracy_contours=accuracies)
        [axes] = figure.axes
        for text, box in labels(figure).items():
            if float(text.get_text()) < 1:
                assert axes.bbox.x0 <= box.x0
                assert box.x1 <= axes.bbox.x1


@pytest.mark.thorough
def test_a_free_height_leaves_no_gap_around_the_axes():
    for p, q in TOTALS:
        figure = painted(contours_of(p, q), "contours")
        [axes] = figure.axes
        room, used = axes.get_position(original=True), axes.get_position()
        assert (room.height - used.height) * figure.get_size_inches()[1] < 0.1


def test_both_branches_of_every_level_are_drawn_as_they_were_computed():
    [result] = contours_of(5, 55)
    drawn = drawn_lines(painted([result], "contours"))
    for branch in result.contours:
        expected = np.column_stack([branch.fpr, branch.tpr])
        assert sum(line.shape == expected.shape and (line == expected).all() for line in drawn) == 1


def test_the_curve_and_its_largest_chi2_stand_on_the_contours():
    [result] = contours_with("F")
    figure = painted([result], "contours")
    point = result.table("operating_points").records()[0]
    assert any((line == [[point["fpr"], point["tpr"]]]).all() for line in drawn_lines(figure) if len(line) == 1)
    curve = result.to_frame()[["fpr", "tpr"]].to_numpy()
    assert any(line.shape == curve.shape and (line == curve).all() for line in drawn_lines(figure))
    assert f"F  largest χ² {point['chi2']:.1f}, permutation p 0.05" in legend_texts(figure)


def test_the_line_of_least_cost_touches_the_curve_from_above():
    [result] = contours_with("B", cost="1:2")
    without, with_costs = painted([result], "contours"), painted([result], "contours", cost="1:2")
    touching = drawn_lines(with_costs)[-1]
    point = result.table("operating_points").records()[-1]
    assert len(drawn_lines(with_costs)) == len(drawn_lines(without)) + 5
    assert np.interp(point["fpr"], *touching.T) == pytest.approx(point["tpr"])
    rows = result.to_frame()
    inside = rows["fpr"].between(*touching[:, 0])
    assert (np.interp(rows["fpr"], *touching.T) >= rows["tpr"] - 1e-9)[inside].all()


def test_several_models_have_no_line_of_least_cost_of_their_own():
    results = contours_with("T", "B", cost="1:2")
    without, with_costs = painted(results, "contours"), painted(results, "contours", cost="1:2")
    assert len(drawn_lines(with_costs)) == len(drawn_lines(without)) + 4


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("p", "q", "text"), [(5, 55, "no significance"), (5, 5, "no significance"), (30, 30, "p 0.05, 0.01, 0.005")]
)
def test_the_legend_claims_no_significance_with_small_counts(p, q, text):
    assert any(text in entry for entry in legend_texts(painted(contours_of(p, q), "contours")))


def test_the_significance_of_many_levels_is_left_out():
    assert "equal χ²" in legend_texts(painted(contours_of(30, 30, levels=[4, 8, 12, 16, 20]), "contours"))


def test_levels_beyond_reach_leave_the_chart_to_the_curve():
    [result] = contours_with("F", levels=[1000])
    figure = painted([result], "contours")
    assert labels(figure) == {}
    assert len(drawn_lines(figure)) == 5  # the diagonal, the curve, the null point, two marks


def test_models_of_different_class_totals_share_no_chart():
    with pytest.raises(UsageError, match="one number of positives and negatives"):
        painted(contours_of(5, 55) + contours_of(6, 55), "contours")


def test_painting_leaves_matplotlib_as_it_was():
    before = dict(mpl.rcParams)
    painted(contours_of(5, 55), "contours")
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize(("p", "q", "side"), [(50, 1000, "top"), (1000, 50, "right"), (30, 30, "right")])
def test_contours_are_labelled_at_the_side_where_they_lie_further_apart(p, q, side):
    figure = painted(contours_of(p, q), "contours")
    [axes] = figure.axes
    for box in labels(figure).values():
        assert (box.y0 > axes.bbox.y1, box.x0 > axes.bbox.x1) == (side == "top", side == "right")


def test_a_given_point_is_marked_on_its_contour():
    [result] = contours_of(5, 55, points=["0.1,0.8", "0.9,0.2"])
    figure = painted([result], "contours")
    lines = drawn_lines(figure)
    assert [line.tolist() for line in lines if len(line) == 1][:2] == [[[1 / 12, 1 / 12]], [[0.1, 0.8]]]
    near = [line for line in lines if len(line) > 2 and np.hypot(*(line - [0.1, 0.8]).T).min() < 0.01]
    assert len(near) == 1
    below = [line for line in lines if len(line) > 2 and np.hypot(*(line - [0.9, 0.2]).T).min() < 0.01]
    assert len(below) == 1
    entries = [text.replace("\N{NO-BREAK SPACE}", " ") for text in legend_texts(figure)]
    assert "(0.1, 0.8)  χ² 16.9, p < 0.0001, approximate" in entries
