"""The differences of all pairs, one under the other."""

from math import isfinite

import pytest
from matplotlib.text import Text
from plot_cases import figure_of, legend_texts, results_of, texts

from rocconf.plot import format as fmt
from rocconf.plot.forest import Measure


def forest(case):
    return figure_of("compare", case, "forest")


def names_of(figure):
    """Return the names of the rows, scale by scale."""
    return [[label.get_text() for label in axes.get_yticklabels()] for axes in figure.axes]


def headings_of(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts if text.get_fontweight() == "bold"]


def bars_of(axes):
    return [line.get_xydata() for line in axes.lines if line.get_zorder() == 3]


def test_the_forest_shows_every_pair_and_the_margin():
    results = results_of("compare", "dis")
    figure = forest("dis")
    assert [name for names in names_of(figure) for name in names] == list("TFB") * 4
    records = results[0].table("pairs").records()
    ordered = [
        row for metric in ("auc", "tpr", "specificity", "accuracy") for row in records if row["metric"] == metric
    ]
    drawn = [line for axes in figure.axes for line in bars_of(axes)]
    assert [tuple(line[:, 0]) for line in drawn] == [
        (row["difference_lower"], row["difference_upper"]) for row in ordered
    ]
    assert "margin ±0.05" in legend_texts(figure)
    margins = [line.get_xdata()[0] for axes in figure.axes for line in axes.lines if line.get_linestyle() == ":"]
    assert set(margins) == {-0.05, 0.05}


@pytest.mark.thorough
def test_every_heading_names_the_kind_and_the_level_of_its_intervals():
    assert headings_of(forest("dis")) == [
        "auc (robust, 95%)",
        *(f"{rate} at fpr<=0.05 (Tango, corrected, 95%)" for rate in ("tpr", "specificity", "accuracy")),
    ]
    headings = headings_of(forest("bootstrapped, all pairs"))
    assert "average_precision (robust, 95%)" in headings
    assert "cauc (bootstrap, 95%)" in headings
    assert "tpr at youden (Miettinen-Nurminen, corrected, 95%)" in headings_of(forest("unpaired"))


@pytest.mark.parametrize("case", ["dis", "bootstrapped, all pairs", "many cases"])
def test_of_every_measure_an_interval_can_be_seen(case):
    figure = forest(case)
    for axes in figure.axes:
        lengths = [abs(right - left) for (left, _), (right, _) in map(axes.transData.transform, bars_of(axes))]
        if lengths:
            assert max(lengths) > 0.15 * axes.bbox.width


def test_worse_and_better_stand_under_every_scale():
    figure = forest("bootstrapped, all pairs")
    scales = [axes for axes in figure.axes if bars_of(axes)]
    assert len(scales) > 3
    for axes in scales:
        worse, better = (next(text for text in axes.texts if word in text.get_text()) for word in ("worse", "better"))
        assert Text.get_window_extent(worse).x1 < Text.get_window_extent(better).x0


def test_where_lower_is_better_the_axis_is_reversed():
    figure = forest("bootstrapped")
    (reversed_,) = [axes for axes in figure.axes if axes.xaxis_inverted()]
    assert any(text.get_text().startswith("aved_abs") for text in reversed_.texts)


@pytest.mark.parametrize(
    ("metric", "is_reversed"), [("cost", True), ("brier", True), ("mcb", True), ("net_benefit", False), ("auc", False)]
)
def test_lower_costs_and_losses_are_better(metric, is_reversed):
    assert Measure(metric, ()).reversed == is_reversed


def test_the_forest_names_both_models_of_all_pairs_and_what_is_undefined():
    figure = forest("bootstrapped, all pairs")
    names = {name for names in names_of(figure) for name in names}
    assert {f"T {fmt.MINUS} S", f"B {fmt.MINUS} F"} <= names
    assert "undefined" in [text.get_text() for axes in figure.axes for text in axes.texts]


def test_names_that_are_shortened_stay_different_from_each_other_and_from_the_baselines():
    figure = forest("names that end differently")
    rows = set(names_of(figure)[0])
    assert len(rows) == 3
    assert all(label.endswith(("_1", "_2", "_3")) for label in rows)
    title = next(text.get_text() for text in texts(figure) if text.get_text().startswith("How much better"))
    assert "fold_0?" in title


@pytest.mark.parametrize("case", ["names that end differently", "long names"])
def test_long_names_leave_the_chart_its_room(case):
    axes = forest(case).axes[0]
    assert axes.get_window_extent().width > 0.25 * axes.figure.bbox.width


def test_unknown_limits_are_infinite_and_their_bars_reach_the_edges():
    figure = forest("one positive")
    open_ = [axes for axes in figure.axes if any(text.get_text().endswith(f"[{fmt.MINUS}∞, ∞]") for text in axes.texts)]
    assert open_
    for axes in open_:
        assert any(tuple(line[:, 0]) == tuple(sorted(axes.get_xlim())) for line in bars_of(axes))
        assert all(isfinite(end) for line in bars_of(axes) for end in line[:, 0])
