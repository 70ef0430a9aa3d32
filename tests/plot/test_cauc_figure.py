"""The area under the confident segment against its mean error difference."""

import numpy as np
from plot_cases import figure_of, legend_texts, painted, results_of, texts


def test_cauc_stands_against_the_mean_difference_a_point_for_each_model():
    figure = figure_of("compare", "dis", "cauc")
    rows = {row["model"]: row for row in results_of("compare", "dis")[0].table().records()}
    points = [tuple(map(float, container[0].get_xydata()[0])) for container in figure.axes[0].containers]
    assert points == [(rows[name]["aved_abs"], rows[name]["cauc"]) for name in "TFB"]
    title, *names = legend_texts(figure)
    assert names == list("TFB")
    assert title.splitlines()[:3] == [
        "Tango's score interval, 95%",
        "bars: bootstrap at this n, 95%",
        "no confident point: S",
    ]


def test_every_point_has_intervals_that_can_be_seen():
    (axes,) = figure_of("compare", "many cases, few positive", "cauc").axes
    for container in axes.containers:
        across, up = (bars.get_segments()[0] for bars in container[2])
        assert np.ptp(axes.transData.transform(across)[:, 0]) > 20
        assert np.ptp(axes.transData.transform(up)[:, 1]) > 20


def test_the_chart_says_where_its_order_misleads():
    # B has the largest area (0.0057, F 0.0050) and the smallest AUC (0.516, F 0.805)
    assert "B has more than F, and a lower AUC" in " ".join(
        legend_texts(figure_of("compare", "dis", "cauc"))[0].split()
    )
    assert "different cases" in legend_texts(figure_of("compare", "unpaired", "cauc"))[0]
    assert "ranking" not in legend_texts(figure_of("compare", "many cases, few positive", "cauc"))[0]


def test_bootstrapped_points_have_bars_with_method_and_level_in_the_legend():
    results = results_of("compare", "bootstrapped, all pairs")
    figure = painted(results, "cauc")
    assert "bars: bootstrap at this n, 95%" in legend_texts(figure)[0]
    (record,) = [row for row in results[0].table("models").records() if row["model"] == "F"]
    reached = [segments for container in figure.axes[0].containers for segments in container[2]]
    ends = {round(float(value), 12) for lines in reached for piece in lines.get_segments() for value in piece.ravel()}
    assert {round(record["cauc_lower"], 12), round(record["cauc_upper"], 12)} <= ends


def test_without_a_confident_point_the_chart_says_so():
    figure = figure_of("compare", "no segment", "cauc")
    assert "no model has a confident point" in [text.get_text() for text in texts(figure)]


def test_names_that_are_shortened_stay_different():
    assert len(set(legend_texts(figure_of("compare", "names that end differently", "cauc")))) == 5
