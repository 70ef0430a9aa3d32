"""The figures of a sweep: what they show, that it can be read, and that no score breaks them."""

from itertools import combinations, pairwise

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.collections import LineCollection
from plot_cases import LABELS, RULES, legend_of, painted, random_models, said, sweeps, ten_cases, texts

from rocconf.compute.roc.counts import count
from rocconf.compute.roc.curve import curve
from rocconf.compute.sweep import sweep
from rocconf.errors import UsageError
from rocconf.plot import Canvas
from rocconf.plot.det import Probit
from rocconf.plot.pr import steps
from rocconf.plot.roc import drawn_rows, points
from rocconf.records import Predictions

KINDS = ("roc", "pr", "det")

CASES = {
    "ten cases": ten_cases(("closest", "youden", "fpr<=0.1")),
    "every rule": ten_cases(RULES),
    "crowded scores": sweeps(LABELS, RULES, forest=[0.9, 1e-3, 1e-3, 1e-4, 2e-4, 1e-5, 0, 0, 0, -6e-18]),
    "worse than chance": sweeps(LABELS, RULES, turned=[0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]),
    "four models": random_models(300, 4, at=("closest", "fpr<=0.1")),
    "twelve models": random_models(300, 12),
    "all tied": sweeps(LABELS, tied=[0.3] * 10),
    "two cases": sweeps([1, 0], two=[1, 0]),
    "labels for scores": sweeps(LABELS, classes=[1, 1, 0, 1, 0, 0, 0, 1, 0, 0]),
    "perfect": sweeps(LABELS, perfect=LABELS + np.linspace(0, 0.5, 10)),
    "infinite scores": sweeps(LABELS, s=[np.inf, np.inf, 3, 2, 1, 0.5, -1, -2, -np.inf, -np.inf]),
    "only infinite scores": sweeps(LABELS, s=[np.inf] * 5 + [-np.inf] * 5),
    "extreme scores": sweeps(LABELS, s=[1.7e308, 5, 4, 3, 2, 5e-324, 0, -1, -2, -1.7e308]),
    "a name with signs": sweeps(LABELS, **{"_a$b^2$\\x_": np.arange(10)[::-1]}),
    "many cases": random_models(100_000, 1, at=("closest", "fpr<=0.01")),
}


@pytest.mark.parametrize("width", [4, 12])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES)
def test_texts_are_inside_the_figure_and_do_not_overlap(case, kind, width):
    figure = painted(CASES[case], kind, Canvas(width=width, dpi=72))
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts(figure)]
    assert len(boxes) > 5
    page = figure.bbox.padded(0.5)
    outside = [text for text, box in boxes if not (page.contains(*box.p0) and page.contains(*box.p1))]
    assert outside == []
    assert [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.padded(-1).overlaps(other)] == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES)
def test_the_legend_stays_clear_of_every_curve(case, kind):
    figure = painted(CASES[case], kind, Canvas(dpi=72))
    axes, box = figure.axes[0], legend_of(figure).get_window_extent()
    curves = [np.asarray(line.get_xydata()) for line in axes.lines if line.get_zorder() == 3]
    curves += [piece for each in axes.collections if isinstance(each, LineCollection) for piece in each.get_segments()]
    assert curves
    for corners in curves:
        share = np.linspace(0, 1, 200)[:, None, None]
        dense = (corners[:-1] * (1 - share) + corners[1:] * share).reshape(-1, 2)
        x, y = axes.transData.transform(dense).T
        assert not ((box.x0 < x) & (x < box.x1) & (box.y0 < y) & (y < box.y1)).any()


def test_the_legend_names_points_and_the_kind_and_level_of_the_interval():
    assert said(painted(ten_cases(("closest", "youden", "fpr<=0.1", "threshold=0.35")), "roc", hull=True)) == [
        "AUC 0.840 [0.410, 0.975]\nDeLong, 95%",
        "closest at 0.6, in-sample",
        "youden at 0.6, in-sample (tied: 0.4)",
        "fpr<=0.1 at 0.9, in-sample",
        "threshold=0.35",
        "threshold 0.5, the usual default",
        "convex hull",
    ]


def test_rules_that_agree_share_a_mark():
    figure = painted(ten_cases(("closest", "threshold=0.6", "youden", "accuracy")), "roc")
    assert said(figure)[1:4] == [
        "closest at 0.6, in-sample",
        "threshold=0.6",
        "youden, accuracy at 0.6, in-sample (tied: 0.4)",
    ]


def test_the_level_is_the_one_asked_for():
    counts = count(Predictions(LABELS, {"s": np.arange(10.0)[::-1]}))
    assert said(painted([sweep(counts, level=0.9)], "roc"))[0].endswith("DeLong, 90%")


def test_a_threshold_of_one_half_is_the_default_only_of_probabilities():
    for scores, shown in (
        (np.linspace(0, 1, 10), True),
        ([-6e-18, 1 + 2e-16, *np.linspace(0.1, 0.8, 8)], True),
        (np.linspace(0, 2, 10), False),
        ([0, 1] * 5, False),
    ):
        entries = said(painted(sweeps(LABELS, s=scores), "roc"))
        assert any("usual default" in entry for entry in entries) == shown


def test_a_rule_that_asks_for_one_half_is_not_told_twice():
    entries = said(painted(ten_cases(("threshold=0.5",)), "roc"))
    assert entries[1:] == ["threshold=0.5"]


def test_marks_stand_where_their_rates_are():
    figure = painted(ten_cases(("closest", "fpr<=0.1")), "roc")
    marked = {tuple(map(float, line.get_xydata()[0])) for line in figure.axes[0].lines if line.get_zorder() == 5}
    assert marked == {(0.2, 0.8), (0.0, 0.4), (0.4, 0.8)}  # closest, fpr<=0.1, and .5


def test_the_curve_is_coloured_by_the_threshold_it_leads_to():
    figure = painted(ten_cases(), "roc")
    (pieces,) = [each for each in figure.axes[0].collections if isinstance(each, LineCollection)]
    shade = mpl.colormaps["viridis"]
    first, last = pieces.get_segments()[0], pieces.get_segments()[-1]
    assert first.tolist() == [[0, 0], [0, 0.2]]  # the one case at threshold 1, a positive
    assert last.tolist() == [[0.8, 1], [1, 1]]
    assert pieces.get_colors()[0] == pytest.approx(shade(0.93))
    assert pieces.get_colors()[-1] == pytest.approx(shade(0.0))


def test_pieces_of_the_curve_meet():
    (result,) = random_models(5000, 1)
    figure = painted([result], "roc")
    (pieces,) = [each for each in figure.axes[0].collections if isinstance(each, LineCollection)]
    ends = [(piece[0].tolist(), piece[-1].tolist()) for piece in pieces.get_segments()]
    assert ends[0][0] == [0, 0]
    assert ends[-1][1] == [1, 1]
    assert all(one[1] == other[0] for one, other in pairwise(ends))
    roc = curve(result.counts)
    assert sum(len(piece) - 1 for piece in pieces.get_segments()) == len(drawn_rows(roc)) - 1


def test_lower_scores_for_positives_turn_the_colours_not_the_curve():
    lower = count(Predictions(LABELS, {"s": np.arange(10.0)}, lower_is_positive=True))
    figure = painted([sweep(lower)], "roc")
    (pieces,) = [each for each in figure.axes[0].collections if isinstance(each, LineCollection)]
    assert pieces.get_segments()[0].tolist()[0] == [0, 0]
    assert pieces.get_colors()[0] == pytest.approx(mpl.colormaps["viridis"](0.0))


def test_several_models_have_a_colour_each_and_their_areas_in_the_legend():
    figure = painted(random_models(300, 3), "roc")
    lines = [line for line in figure.axes[0].lines if line.get_zorder() == 3]
    assert len({line.get_color() for line in lines}) == 3
    title, *entries = said(figure)
    assert title == "AUC (DeLong, 95%)"
    assert [entry.split("  ")[0] for entry in entries[:3]] == ["model 0", "model 1", "model 2"]
    assert entries[3:] == ["closest, in-sample"]


def test_intervals_of_different_kinds_are_named_one_by_one():
    results = sweeps(LABELS, plain=np.arange(10)[::-1], perfect=LABELS)
    title, plain, perfect, *_ = said(painted(results, "roc"))
    assert title == "AUC"
    assert plain.endswith("] DeLong, 95%")
    assert perfect.endswith("] Newcombe, 95%")


def test_twenty_models_are_told_apart():
    lines = [line for line in painted(random_models(60, 20), "roc").axes[0].lines if line.get_zorder() == 3]
    assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == 20


def test_marks_in_one_place_stay_visible():
    results = sweeps(LABELS, ("closest", "tpr>=0.8", "threshold=0.6"), a=np.linspace(1, 0.1, 10), b=np.arange(10))
    marked = [line for line in painted(results, "roc").axes[0].lines if line.get_zorder() == 5]
    sizes = {}
    for line in marked:
        sizes.setdefault(tuple(line.get_xydata()[0]), []).append(line.get_markersize())
    assert any(len(found) > 1 for found in sizes.values())
    assert all(len(set(found)) == len(found) for found in sizes.values())


def test_the_steps_of_precision_have_the_area_of_the_average_precision():
    for result in (*ten_cases(), *random_models(400, 3), *CASES["labels for scores"]):
        x, y = steps(result).T
        assert np.trapezoid(y, x) == pytest.approx(result.average_precision, abs=1e-12)


def test_every_threshold_lies_on_the_line_of_precision():
    (result,) = ten_cases()
    line = steps(result)
    for tp, fp in zip(result.counts.tp[1:], result.counts.fp[1:], strict=True):
        recall, precision = tp / 5, tp / (tp + fp)
        at = line[np.isclose(line[:, 0], recall), 1]
        assert at.min() - 1e-12 <= precision <= at.max() + 1e-12


def test_precision_is_restated_as_in_the_table_and_the_legend_says_so():
    counts = count(Predictions(LABELS, {"s": np.linspace(1, 0.1, 10)}))
    result = sweep(counts, prevalence=0.1)
    heights = steps(result)[1::2, 1]
    assert heights == pytest.approx(result.table()["precision"][1:])
    entries = said(painted([result], "pr"))
    assert "average precision 0.853 (at prevalence 0.5)" in entries
    assert "prevalence 0.1" in entries


def test_a_point_that_predicts_nothing_has_no_precision_and_no_mark():
    (result,) = sweeps(LABELS, ("fpr<=0", "closest"), s=[0, 9, 10, 8, 7, 6, 5, 4, 3, 2])
    assert result.points[0].threshold is None
    entries = said(painted([result], "pr"))
    assert not any(entry.startswith("fpr<=0") for entry in entries)
    assert any(entry.startswith("fpr<=0 at nothing positive") for entry in said(painted([result], "roc")))


def test_error_rates_are_on_the_scale_of_normal_deviates():
    # qnorm(c(.025, .5, .8)) in R
    assert Probit(1e-6, 0.9, 1 - 1e-6)(np.array([0.025, 0.5, 0.8])) == pytest.approx([-1.959963985, 0, 0.8416212336])
    assert Probit(1e-6, 0.9, 1 - 1e-6)(np.array([0.0, 1.0])) == pytest.approx([-4.753424309, 4.753424309])


def test_everything_marked_is_in_sight():
    for case in CASES.values():
        axes = painted(case, "det", Canvas(dpi=72)).axes[0]
        (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
        for line in axes.lines:
            if line.get_zorder() == 5:
                x, y = line.get_xydata()[0]
                assert left <= x <= right
                assert bottom <= y <= top


def test_a_weak_model_of_many_cases_fills_the_chart():
    (result,) = random_models(200_000, 1)
    axes = painted([result], "det").axes[0]
    (line,) = [each for each in axes.lines if each.get_zorder() == 3]
    inside = axes.viewLim.contains
    x, y = np.array([point for point in line.get_xydata() if inside(*point)]).T
    assert np.ptp(x) > 0.5 * axes.viewLim.width
    assert np.ptp(y) > 0.5 * axes.viewLim.height


def test_normal_scores_make_a_straight_line():
    (result,) = random_models(200_000, 1, prevalence=0.5)
    axes = painted([result], "det").axes[0]
    (line,) = [each for each in axes.lines if each.get_zorder() == 3]
    probit = Probit(1e-6, 0.6, 1 - 1e-6)
    low, high = probit(np.array([0.15, 0.55]))
    corners = line.get_xydata()
    x, y = corners[((corners > low) & (corners < high)).all(axis=1)].T
    assert len(x) > 100
    assert y == pytest.approx(-x - 1, abs=0.1)  # classes one standard deviation apart


def test_a_title_replaces_the_name_and_an_empty_one_leaves_it_out():
    assert "ROC curve of score" in [text.get_text() for text in texts(painted(ten_cases(), "roc"))]
    own = [text.get_text() for text in texts(painted(ten_cases(), "roc", Canvas(title="Ours")))]
    assert "Ours" in own
    assert "ROC curve of score" not in own
    none = [text.get_text() for text in texts(painted(ten_cases(), "roc", Canvas(title="")))]
    assert not any("ROC" in text for text in none)


def test_a_long_title_is_wrapped():
    figure = painted(ten_cases(), "roc", Canvas(width=4, title="A title that goes on and on " * 5))
    (title,) = [text for text in texts(figure) if text.get_text().startswith("A title")]
    assert title.get_window_extent().x1 <= figure.bbox.x1


def test_a_height_that_leaves_no_room_is_refused():
    with pytest.raises(UsageError, match="leave no room for a curve over 13 lines of legend"):
        painted(random_models(50, 12), "roc", Canvas(width=3, height=3))


def test_forty_models_in_a_narrow_figure_make_it_higher():
    figure = painted(random_models(50, 40), "roc", Canvas(width=4, dpi=72))
    assert len(said(figure)) == 42
    assert figure.get_size_inches()[1] > 6
    assert figure.axes[0].get_window_extent().width > 0.7 * figure.bbox.width


def test_the_layout_is_the_same_in_every_form():
    figure = painted(ten_cases(), "roc")
    before = figure.axes[0].get_position().bounds
    figure.set_dpi(40)
    figure.draw_without_rendering()
    assert figure.axes[0].get_position().bounds == before


def test_names_are_not_read_as_formulas():
    figure = painted(CASES["a name with signs"], "roc")
    assert "ROC curve of _a$b^2$\\x_" in [text.get_text() for text in texts(figure)]
    assert not any(text.get_parse_math() for text in texts(figure))


def test_a_model_whose_name_starts_with_an_underscore_is_in_the_legend():
    entries = said(painted(sweeps(LABELS, _one=np.arange(10), two=np.arange(10)), "roc"))
    assert entries[1].startswith("_one  ")


def test_the_hull_lies_on_or_above_the_curve():
    (result,) = random_models(500, 1)
    figure = painted([result], "roc", hull=True)
    (hull,) = [line for line in figure.axes[0].lines if line.get_zorder() == 2.5]
    x, y = hull.get_xydata().T
    roc = curve(result.counts)
    assert (np.interp(roc.fpr, x, y) >= roc.tpr - 1e-12)[1:].all()
    assert points(roc, np.array([0, len(roc) - 1])).tolist() == [[0, 0], [1, 1]]


def test_the_legend_shows_hulls_in_the_colour_of_no_model():
    legend = legend_of(painted(random_models(100, 4), "roc", hull=True))
    lines = dict(zip((text.get_text() for text in legend.get_texts()), legend.get_lines(), strict=True))
    hull = lines.pop("convex hull").get_color()
    assert hull not in {line.get_color() for said, line in lines.items() if said.startswith("model")}


def plainly(figure):
    return " ".join(" ".join(text.get_text() for text in texts(figure)).split())


def test_a_det_chart_says_what_it_draws_at_its_edges():
    perfect = painted(sweeps([1, 1, 0, 0], s=[4, 3, 2, 1]), "det")
    assert "drawn at the edge" in plainly(perfect)
    crossing = painted(random_models(4000, 1, prevalence=0.5), "det")
    assert "drawn at the edge" not in plainly(crossing)
