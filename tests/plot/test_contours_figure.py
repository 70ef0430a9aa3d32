"""The figure of chi2-contours: what is drawn is what was computed, and its labels can be read."""

from itertools import combinations

import numpy as np
import pytest
from conftest import SAMPLE_DATA
from matplotlib.figure import Figure
from matplotlib.text import Text

import rocconf
from rocconf.compute.chi2_contours import ClassTotals, chi2_contours, parse_costs
from rocconf.errors import UsageError
from rocconf.plot import Canvas, contours, draw, lines
from rocconf.plot.figure import house_style, new_figure, settle


def painted(results, canvas=None, **extras):
    """Paint as `draw` does, and keep the figure."""
    canvas = canvas or Canvas()
    with house_style(canvas):
        figure = new_figure(canvas)
        contours.paint(figure, results, canvas, **extras)
        settle(figure, free_height=canvas.height is None)
    return figure


def scored(*models, file="spectf_cv80.csv", **options):
    predictions = rocconf.read_predictions(SAMPLE_DATA / file, score=models)
    return [chi2_contours(counts, permutations=19, **options) for counts in rocconf.count_each(predictions)]


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


@pytest.mark.parametrize(("p", "q"), TOTALS)
def test_every_contour_has_its_label_and_no_label_lies_on_another(p, q):
    figure = painted([chi2_contours(ClassTotals(p, q))])
    assert sorted(text.get_text() for text in labels(figure)) == ["3.84", "6.63", "7.88"]
    assert_apart(figure)


@pytest.mark.parametrize(("p", "q"), [(5, 55), (50, 1000), (30, 30), (55, 5)])
def test_many_levels_with_accuracies_and_costs_stay_legible(p, q):
    result = chi2_contours(ClassTotals(p, q), levels=[3.84, 6.63, 7.88, 10, 15, 20, 30, 40])
    figure = painted([result], accuracy_contours=(0.6, 0.7, 0.8), cost=(1, q / p))
    assert len(labels(figure)) == 8 + 3 + 4
    assert_apart(figure)


@pytest.mark.parametrize(("p", "q"), TOTALS)
@pytest.mark.parametrize("canvas", [Canvas(), Canvas(3, 4), Canvas(12, 7)], ids=["usual", "small", "wide"])
def test_nothing_is_cut_off(p, q, canvas):
    figure = painted([chi2_contours(ClassTotals(p, q))], canvas)
    box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    assert min(box.x0, box.y0) >= 0
    assert box.x1 <= width
    assert box.y1 <= height


def test_lines_close_together_have_their_labels_apart():
    assert_apart(painted([chi2_contours(ClassTotals(30, 30))], accuracy_contours=(0.8, 0.81, 0.82, 0.83)))


def test_the_heading_stands_above_the_labels():
    figure = painted([chi2_contours(ClassTotals(5, 55))])
    [axes] = figure.axes
    heading = [text.get_window_extent() for text in axes.texts if "positive" in text.get_text()]
    assert len(heading) == 1
    assert heading[0].y0 >= max(box.y1 for box in labels(figure).values())


def test_labels_on_lines_stay_inside_the_chart():
    for p, q, accuracies in ((13, 959, (0.015, 0.1, 0.9, 0.99)), (959, 13, (0.1, 0.9, 0.99))):
        figure = painted([chi2_contours(ClassTotals(p, q))], Canvas(3.5), accuracy_contours=accuracies)
        [axes] = figure.axes
        for text, box in labels(figure).items():
            if float(text.get_text()) < 1:
                assert axes.bbox.x0 <= box.x0
                assert box.x1 <= axes.bbox.x1


def test_a_free_height_leaves_no_gap_around_the_axes():
    for p, q in TOTALS:
        figure = painted([chi2_contours(ClassTotals(p, q))])
        [axes] = figure.axes
        room, used = axes.get_position(original=True), axes.get_position()
        assert (room.height - used.height) * figure.get_size_inches()[1] < 0.1


def test_both_branches_of_every_level_are_drawn_as_they_were_computed():
    result = chi2_contours(ClassTotals(5, 55))
    drawn = drawn_lines(painted([result]))
    for branch in result.contours:
        expected = np.column_stack([branch.fpr, branch.tpr])
        assert sum(line.shape == expected.shape and (line == expected).all() for line in drawn) == 1


def test_the_curve_and_its_largest_chi2_stand_on_the_contours():
    [result] = scored("F")
    figure = painted([result])
    point = result.table("operating_points").records()[0]
    assert any((line == [[point["fpr"], point["tpr"]]]).all() for line in drawn_lines(figure) if len(line) == 1)
    curve = result.to_frame()[["fpr", "tpr"]].to_numpy()
    assert any(line.shape == curve.shape and (line == curve).all() for line in drawn_lines(figure))
    assert f"F  largest χ² {point['chi2']:.1f}, permutation p 0.05" in [
        text.get_text() for text in legend_texts(figure)
    ]


def test_the_line_of_least_cost_touches_the_curve_from_above():
    [result] = scored("B", at=[parse_costs("1:2")])
    without, with_costs = painted([result]), painted([result], cost=(1.0, 2.0))
    touching = drawn_lines(with_costs)[-1]
    point = result.table("operating_points").records()[-1]
    assert len(drawn_lines(with_costs)) == len(drawn_lines(without)) + 5
    assert np.interp(point["fpr"], *touching.T) == pytest.approx(point["tpr"])
    rows = result.to_frame()
    inside = rows["fpr"].between(*touching[:, 0])
    assert (np.interp(rows["fpr"], *touching.T) >= rows["tpr"] - 1e-9)[inside].all()


def test_several_models_have_no_line_of_least_cost_of_their_own():
    results = scored("T", "B", at=[parse_costs("1:2")])
    assert len(drawn_lines(painted(results, cost=(1.0, 2.0)))) == len(drawn_lines(painted(results))) + 4


def test_the_legend_does_not_promise_a_significance_that_small_counts_have_not():
    small, large = (painted([chi2_contours(ClassTotals(5, q))]) for q in (55, 5))
    for figure in (small, large):
        assert any("no significance" in text.get_text() for text in legend_texts(figure))
    assert any(
        "p 0.05, 0.01, 0.005" in text.get_text() for text in legend_texts(painted([chi2_contours(ClassTotals(30, 30))]))
    )


def test_the_significance_of_many_levels_is_left_out():
    figure = painted([chi2_contours(ClassTotals(30, 30), levels=[4, 8, 12, 16, 20])])
    assert "equal χ²" in [text.get_text() for text in legend_texts(figure)]


def legend_texts(figure):
    legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes if axes.get_legend())]
    return [text for legend in legends for text in legend.get_texts()]


def test_levels_beyond_reach_leave_the_chart_to_the_curve():
    [result] = scored("F", levels=[1000])
    figure = painted([result])
    assert labels(figure) == {}
    assert len(drawn_lines(figure)) == 5  # the diagonal, the curve, the null point, two marks


def test_models_of_different_class_totals_share_no_chart():
    with pytest.raises(UsageError, match="one number of positives and negatives"):
        painted([chi2_contours(ClassTotals(5, 55)), chi2_contours(ClassTotals(6, 55))])


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
def test_the_same_result_gives_the_same_bytes(tmp_path, form):
    result = chi2_contours(ClassTotals(5, 55))
    files = [tmp_path / f"{name}.{form}" for name in ("one", "two")]
    for file in files:
        draw([result], None, file, accuracy_contours=(0.9,), cost=(1.0, 10.0))
    assert files[0].read_bytes() == files[1].read_bytes()


def test_labels_at_a_side_are_moved_apart_but_never_past_each_other():
    assert lines.apart([0.9, 0.5, 0.1], 0.1) == [0.9, 0.5, 0.1]
    assert lines.apart([0.9, 0.88, 0.87], 0.1) == pytest.approx([0.9, 0.8, 0.7])
    assert lines.apart([1.4], 0.1) == [1.0]


def test_a_label_is_put_where_other_lines_are_furthest():
    ends = np.array([[0.0, 0.0], [1.0, 1.0]])
    at_start = lines.dense(np.array([[0.0, 0.3], [0.3, 0.0]]))
    at_middle = np.array([[0.5, 0.5]])
    assert lines.furthest(ends, at_start) == pytest.approx([0.5, 0.5])
    assert abs(lines.furthest(ends, at_middle)[0] - 0.5) > 0.04
    short = np.array([[0.0, 0.0], [0.05, 0.05]])
    assert lines.furthest(short, np.array([[1.0, 0.0]])) == pytest.approx([0.025, 0.025])
    assert 0.04 < lines.furthest(short, short[:1])[0] <= 0.045
    assert lines.furthest(short / 2, short[:1]) == pytest.approx([0.0225, 0.0225])


def test_points_along_a_line_are_dense_and_keep_its_ends():
    along = lines.dense(np.array([[0.0, 0.0], [0.0, 0.5], [1.0, 0.5]]))
    assert np.hypot(*np.diff(along, axis=0).T).max() <= lines.SPACING
    assert along[0].tolist() == [0, 0]
    assert along[-1].tolist() == [1, 0.5]


def test_painting_leaves_matplotlib_as_it_was():
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    painted([chi2_contours(ClassTotals(5, 55))])
    assert dict(mpl.rcParams) == before
    assert isinstance(painted([chi2_contours(ClassTotals(5, 55))]), Figure)


@pytest.mark.parametrize(("p", "q", "side"), [(50, 1000, "top"), (1000, 50, "right"), (30, 30, "right")])
def test_contours_are_labelled_at_the_side_where_they_lie_further_apart(p, q, side):
    figure = painted([chi2_contours(ClassTotals(p, q))])
    [axes] = figure.axes
    for box in labels(figure).values():
        assert (box.y0 > axes.bbox.y1, box.x0 > axes.bbox.x1) == (side == "top", side == "right")
