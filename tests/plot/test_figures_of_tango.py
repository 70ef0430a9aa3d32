"""The figures of the confident segment: what they show, and that it can be read."""

import importlib
import json
from itertools import combinations

import numpy as np
import pytest
from matplotlib.collections import FillBetweenPolyCollection, LineCollection
from matplotlib.container import ErrorbarContainer
from matplotlib.text import Text

from rocconf.compute.roc.counts import count
from rocconf.compute.tango import tango
from rocconf.errors import UsageError
from rocconf.plot import KINDS, Canvas, draw
from rocconf.plot.figure import house_style, new_figure, settle
from rocconf.plot.zoom import close_up
from rocconf.records import Predictions

LABELS = [1, 1, 0, 1, 1, 0, 1, 0, 0, 0]
SCORES = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0]


def counted(labels, scores, model="score", **more):
    return count(Predictions(np.array(labels, bool), {model: np.array(scores, float)}, **more))


def random_cases(n, *, prevalence=0.4, models=1, skill=1.0):
    rng = np.random.default_rng(n)
    labels = rng.random(n) < prevalence
    labels[:2] = True, False
    return [
        counted(labels, 1 / (1 + np.exp(-rng.normal(size=n) - skill * (1 + k / 4) * labels)), f"model {k}")
        for k in range(models)
    ]


def found(*counts, **options):
    return [tango(each, **options) for each in counts]


CASES = {
    "ten cases": found(counted(LABELS, SCORES)),
    "equivalent too": found(counted(LABELS, SCORES), margin=0.6),
    "one confident point": found(counted([1] * 60 + [0] * 90, [9] * 30 + [1] * 30 + [9] * 30 + [1] * 60)),
    "no confident point": found(counted([1] * 5 + [0] * 60, [1] * 5 + [1] * 30 + [0] * 30)),
    "all tied": found(counted(LABELS, [0.5] * 10)),
    "imbalanced": found(*random_cases(2000, prevalence=0.02)),
    "imbalanced, three models": found(*random_cases(2000, prevalence=0.02, models=3)),
    "mostly positive": found(*random_cases(2000, prevalence=0.98)),
    "four models": found(*random_cases(300, models=4)),
    "nine models": found(*random_cases(300, models=9)),
    "a test without an interval": found(*random_cases(200, models=2), test="exact"),
    "lower is positive": found(counted(LABELS, 1 - np.array(SCORES), lower_is_positive=True)),
    "infinite scores": found(counted(LABELS, [np.inf, 5, 4, 3, 2, 1, 0, -1, -2, -np.inf])),
    "extreme scores": found(counted(LABELS, [1.7e308, 5, 4, 3, 2, 5e-324, 0, -1, -2, -1.7e308])),
    "only infinite scores": found(counted(LABELS, [np.inf] * 5 + [-np.inf] * 5)),
    "listed thresholds": found(counted(LABELS, SCORES), thresholds="0.2,0.5,0.8"),
    "a name with signs": found(counted(LABELS, SCORES, "_a$b^2$\\x_")),
    "many cases": found(*random_cases(100_000)),
}


def painted(results, kind, canvas=None, **extras):
    canvas = canvas or Canvas()
    with house_style(canvas):
        figure = new_figure(canvas)
        importlib.import_module(KINDS["tango"][kind].painter).paint(figure, results, canvas, **extras)
        settle(figure, free_height=canvas.height is None)
    return figure


def texts(figure):
    """Return what is written; ticks beyond the ends of an axis are not."""
    beyond = set()
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        low, high = sorted(axis.get_view_interval())
        for tick in axis.get_major_ticks():
            if not low <= tick.get_loc() <= high:
                beyond |= {tick.label1, tick.label2}
    return [
        text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip() and text not in beyond
    ]


def legend_of(figure):
    (legend,) = [*filter(None, (axes.get_legend() for axes in figure.axes)), *figure.legends]
    return legend


def said(figure):
    legend = legend_of(figure)
    return [legend.get_title().get_text(), *(text.get_text() for text in legend.get_texts())]


@pytest.mark.parametrize("kind", KINDS["tango"])
@pytest.mark.parametrize(("case", "width"), [*((case, 4) for case in CASES), ("imbalanced", 12), ("four models", 12)])
def test_texts_are_inside_the_figure_and_do_not_overlap(case, kind, width):
    figure = painted(CASES[case], kind, Canvas(width=width, dpi=72))
    # the title keeps empty lines for the quiet words under it
    others = [text for text in texts(figure) if not text.get_text().endswith("\n")]
    boxes = [(text.get_text(), text.get_window_extent()) for text in others]
    assert len(boxes) > 5
    page = figure.bbox.padded(0.5)
    assert [text for text, box in boxes if not (page.contains(*box.p0) and page.contains(*box.p1))] == []
    assert [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.padded(-1).overlaps(other)] == []


@pytest.mark.parametrize("kind", KINDS["tango"])
def test_the_legend_names_the_interval_and_its_level(kind):
    figure = painted(found(counted(LABELS, SCORES), level=0.9), kind)
    assert said(figure)[0].endswith("Tango's score interval, 90%")


def test_a_single_segment_says_its_points_thresholds_and_areas():
    assert said(painted(CASES["ten cases"], "segment")) == [
        "Tango's score interval, 95%",
        "ROC curve",
        "confident: 7 points, 0.3 to 0.9",
        "TP area 0.440",
        "FP area 0.160, CAUC 0.600",
    ]


def test_the_shaded_areas_are_those_of_the_summary():
    (axes,) = painted(CASES["ten cases"], "segment").axes
    shaded = [each for each in axes.collections if isinstance(each, FillBetweenPolyCollection)]
    corners = [each.get_paths()[0].vertices for each in shaded]
    areas = [abs(np.sum(xy[:-1, 0] * xy[1:, 1] - xy[1:, 0] * xy[:-1, 1])) / 2 for xy in corners]
    assert areas == pytest.approx([0.44, 0.16])


def test_the_segment_is_bold_from_its_first_to_its_last_point():
    (axes,) = painted(CASES["ten cases"], "segment").axes
    (bold,) = [line for line in axes.lines if line.get_zorder() == 4]
    (thin,) = [line for line in axes.lines if line.get_zorder() == 3]
    assert bold.get_linewidth() > 2 * thin.get_linewidth()
    assert bold.get_xydata().tolist() == pytest.approx(
        np.array([[0, 0.4], [0.2, 0.4], [0.2, 0.6], [0.2, 0.8], [0.4, 0.8], [0.4, 1], [0.6, 1]])
    )


def test_several_models_say_their_number_of_points_and_cauc():
    results = [*CASES["ten cases"], *found(counted([1] * 5 + [0] * 60, [1] * 5 + [1] * 30 + [0] * 30, "other"))]
    assert said(painted(results, "segment"))[1:] == [
        "score  7 points, CAUC 0.600",
        "other  no confident point",
        "confident points",
    ]


def test_equivalent_points_have_a_halo():
    assert "equivalent within ±0.6" in said(painted(CASES["equivalent too"], "segment"))
    figure = painted(CASES["equivalent too"], "intervals")
    assert "margin ±0.6" in said(figure)
    margins = {float(line.get_ydata()[0]) for line in figure.axes[0].lines if line.get_linestyle() == ":"}
    assert margins == {-0.6, 0.6}


def test_what_lies_in_a_corner_is_drawn_again_closer():
    whole, part = painted(CASES["imbalanced"], "segment").axes
    assert whole.get_xlim() == (-0.02, 1.02)
    assert part.get_xlim()[1] < 0.2
    (bold,) = [line for line in part.lines if line.get_zorder() == 4]
    x, y = bold.get_xydata().T
    assert part.get_xlim()[0] < x.min() <= x.max() < part.get_xlim()[1]
    assert part.get_ylim()[0] < y.min() <= y.max() < part.get_ylim()[1]
    assert len(painted(CASES["ten cases"], "segment").axes) == 1


def test_a_point_has_room_around_it():
    part = close_up([np.array([[0.2, 0.7]])])
    assert part.x[0] < 0.2 < part.x[1]
    assert part.y[0] < 0.7 < part.y[1]
    assert close_up([]) is None


def test_a_close_up_stays_at_the_edge_of_the_square():
    part = close_up([np.array([[0, 0], [0.01, 1]])])
    assert -0.001 < part.x[0] < 0
    assert -0.1 < part.y[0] < 0
    assert 1 < part.y[1] < 1.1


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
    (axes,) = painted(CASES["ten cases"], "intervals", only_confident=True).axes
    frame = CASES["ten cases"][0].to_frame()
    confident = frame[frame["confident"]].iloc[::-1]
    np.testing.assert_allclose(bars(axes), confident[["threshold", "lower", "upper"]].to_numpy(), atol=1e-15)
    assert (bars(axes)[:, 1] <= 0).all()
    assert (bars(axes)[:, 2] >= 0).all()


def test_all_points_have_bars_and_the_nothing_positive_row_no_place():
    (axes,) = painted(CASES["ten cases"], "intervals").axes
    drawn = bars(axes)
    assert len(drawn) == 10 + 7  # the confident ones once more, in their colour
    assert sorted(set(drawn[:, 0])) == sorted(SCORES)
    assert said(painted(CASES["ten cases"], "intervals"))[1:] == ["not confident", "confident"]


def test_many_points_have_a_band_and_few_vertices():
    (axes,) = painted(CASES["many cases"], "intervals").axes
    assert not bars(axes).size
    bands = [each for each in axes.collections if isinstance(each, FillBetweenPolyCollection)]
    assert len(bands) == 2
    assert all(len(band.get_paths()[0].vertices) < 10_000 for band in bands)
    assert not [each for each in axes.collections if isinstance(each, LineCollection)]


def test_scores_without_a_place_on_the_axis_are_counted():
    figure = painted(CASES["infinite scores"], "intervals")
    assert "2 too far out to draw" in [text.get_text() for text in texts(figure)]


def test_a_test_without_an_interval_says_so_and_draws_points():
    figure = painted(CASES["a test without an interval"], "intervals")
    assert said(figure)[0].endswith("McNemar's exact test, 95% (it has no interval)")


def test_models_have_a_panel_each():
    figure = painted(CASES["nine models"], "intervals")
    assert [axes.get_title("left") for axes in figure.axes] == [f"model {k}" for k in range(9)]


def test_the_region_holds_the_confident_points_and_says_so():
    figure = painted(CASES["ten cases"], "region")
    assert said(figure)[1:] == ["confident region", "as many missed as false alarms", "score", "confident points"]


def test_models_of_different_cases_have_no_region_in_common():
    with pytest.raises(UsageError, match="draw one at a time"):
        painted([*CASES["ten cases"], *CASES["many cases"]], "region")


@pytest.mark.parametrize("kind", KINDS["tango"])
def test_the_title_can_be_chosen_and_left_out(kind):
    for case in ("ten cases", "four models", "imbalanced"):
        chosen = [text.get_text().strip() for text in texts(painted(CASES[case], kind, Canvas(title="Ours")))]
        assert "Ours" in chosen
        without = [text.get_text().strip() for text in texts(painted(CASES[case], kind, Canvas(title="")))]
        assert not [text for text in without if text.startswith(("Confident", "Error"))]


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
@pytest.mark.parametrize("kind", KINDS["tango"])
def test_the_same_result_gives_the_same_bytes(kind, form, tmp_path):
    for name in ("one", "two"):
        draw(CASES["imbalanced"], kind, tmp_path / f"{name}.{form}", Canvas(dpi=50))
    assert (tmp_path / f"one.{form}").read_bytes() == (tmp_path / f"two.{form}").read_bytes()


def test_the_metadata_says_how_to_make_the_figure_again(tmp_path):
    draw(CASES["ten cases"], "intervals", tmp_path / "one.svg", only_confident=True)
    svg = (tmp_path / "one.svg").read_text(encoding="utf-8")
    told = json.loads(svg.partition("<dc:description>")[2].partition("</dc:description>")[0].replace("&quot;", '"'))
    assert told["command"] == "tango"
    assert told["only_confident"] is True
    assert told["options"]["test"] == "tango"


def test_the_legend_of_what_is_equivalent_stays_in_its_place():
    legend = legend_of(painted(CASES["equivalent too"], "segment"))
    (wide,) = [line for line in legend.get_lines() if line.get_alpha()]
    assert wide.get_solid_capstyle() == "butt"


def test_the_cases_stand_under_the_title_of_several_panels():
    for case, kind in (
        ("imbalanced", "segment"),
        ("imbalanced, three models", "segment"),
        ("four models", "intervals"),
    ):
        figure = painted(CASES[case], kind)
        (cases,) = [text for text in texts(figure) if " cases: " in text.get_text()]
        assert cases not in legend_of(figure).findobj(Text)
        assert all(cases.get_window_extent().y0 >= axes.get_window_extent().y1 for axes in figure.axes)


@pytest.mark.parametrize("title", [None, ""])
def test_the_cases_are_inside_the_figure_with_a_title_and_without(title):
    for case, kind in (("imbalanced", "segment"), ("four models", "intervals")):
        figure = painted(CASES[case], kind, Canvas(title=title))
        (cases,) = [text for text in texts(figure) if " cases: " in text.get_text()]
        box = cases.get_window_extent()
        assert figure.bbox.padded(0.5).contains(*box.p0)
        assert figure.bbox.padded(0.5).contains(*box.p1)
