"""The area under the confident segment against its mean error difference."""

from plot_cases import legend_texts, painted, results_of, texts


def test_cauc_stands_against_the_mean_difference_a_point_for_each_model():
    figure = painted(results_of("compare", "dis"), "cauc")
    rows = {row["model"]: row for row in results_of("compare", "dis")[0].table().records()}
    points = [tuple(line.get_xydata()[0]) for line in figure.axes[0].lines]
    assert points == [(rows[name]["aved_abs"], rows[name]["cauc"]) for name in "TFB"]
    assert legend_texts(figure) == ["Tango's score interval, 95%\nno confident point: S", *"TFB"]


def test_bootstrapped_points_have_bars_with_method_and_level_in_the_legend():
    results = results_of("compare", "bootstrapped, all pairs")
    figure = painted(results, "cauc")
    assert "bars: bootstrap at this n, 95%" in legend_texts(figure)[0]
    (record,) = [row for row in results[0].table("models").records() if row["model"] == "F"]
    reached = [segments for container in figure.axes[0].containers for segments in container[2]]
    ends = {round(float(value), 12) for lines in reached for piece in lines.get_segments() for value in piece.ravel()}
    assert {round(record["cauc_lower"], 12), round(record["cauc_upper"], 12)} <= ends


def test_without_a_confident_point_the_chart_says_so():
    figure = painted(results_of("compare", "no segment"), "cauc")
    assert "no model has a confident point" in [text.get_text() for text in texts(figure)]


def test_names_that_are_shortened_stay_different():
    assert len(set(legend_texts(painted(results_of("compare", "names that end differently"), "cauc")))) == 5
