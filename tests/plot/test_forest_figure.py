"""The differences of all pairs, one under the other."""

import pytest
from plot_cases import legend_texts, painted, results_of, texts

from rocconf.plot import format as fmt


def labels_of(figure):
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def test_the_forest_shows_every_pair_and_the_margin():
    results = results_of("compare", "dis")
    figure = painted(results, "forest")
    (axes,) = figure.axes
    assert labels_of(figure) == [
        *("auc", "T", "F", "B", "tpr at fpr<=0.05", "T", "F", "B"),
        *("specificity at fpr<=0.05", "T", "F", "B", "accuracy at fpr<=0.05", "T", "F", "B"),
    ]
    drawn = [line.get_xydata() for line in axes.lines if line.get_zorder() == 3]
    records = results[0].table("pairs").records()
    ordered = [
        row for metric in ("auc", "tpr", "specificity", "accuracy") for row in records if row["metric"] == metric
    ]
    assert [tuple(line[:, 0]) for line in drawn] == [
        (row["difference_lower"], row["difference_upper"]) for row in ordered
    ]
    assert "margin ±0.05" in legend_texts(figure)
    assert {float(line.get_xdata()[0]) for line in axes.lines if line.get_linestyle() == ":"} == {-0.05, 0.05}


def test_the_forest_names_both_models_of_all_pairs_and_what_does_not_exist():
    figure = painted(results_of("compare", "bootstrapped, all pairs"), "forest")
    assert {f"T {fmt.MINUS} S", f"B {fmt.MINUS} F"} <= set(labels_of(figure))
    assert "does not exist" in [text.get_text() for text in figure.axes[0].texts]


def test_names_that_are_shortened_stay_different_from_each_other_and_from_the_baselines():
    figure = painted(results_of("compare", "names that end differently"), "forest")
    rows = {label for label in labels_of(figure) if "fold" in label}
    assert len(rows) == 3
    assert all(label.endswith(("_1", "_2", "_3")) for label in rows)
    title = next(text.get_text() for text in texts(figure) if text.get_text().startswith("Paired"))
    assert title.strip().endswith("fold_0")


@pytest.mark.parametrize("case", ["names that end differently", "long names"])
def test_long_names_leave_the_chart_its_room(case):
    (axes,) = painted(results_of("compare", case), "forest").axes
    assert axes.get_window_extent().width > 0.25 * axes.figure.bbox.width


def test_open_limits_are_infinite():
    (axes,) = painted(results_of("compare", "one positive"), "forest").axes
    assert any(text.get_text().endswith(f"[{fmt.MINUS}∞, ∞]") for text in axes.texts)
