"""The operating points that figures mark."""

import numpy as np
import pytest
from plot_cases import LABELS, legend_texts, painted, sweeps, ten_cases


def marked_in(figure):
    return [line for line in figure.axes[0].lines if line.get_zorder() == 5]


def test_the_legend_names_points_and_the_method_and_level_of_the_interval():
    assert legend_texts(painted(ten_cases(("closest", "youden", "fpr<=0.1", "threshold=0.35")), "roc", hull=True)) == [
        "AUC 0.840 [0.381, 0.978]\nrobust, 95%",
        "closest at 0.6, in-sample",
        "youden at 0.6, in-sample (tied: 0.4)",
        "fpr<=0.1 at 0.9, in-sample",
        "threshold=0.35",
        "threshold 0.5, the usual default",
        "convex hull",
    ]


def test_rules_that_agree_share_a_mark():
    figure = painted(ten_cases(("closest", "threshold=0.6", "youden", "accuracy")), "roc")
    assert legend_texts(figure)[1:4] == [
        "closest at 0.6, in-sample",
        "threshold=0.6",
        "youden, accuracy at 0.6, in-sample (tied: 0.4)",
    ]


@pytest.mark.parametrize(
    ("scores", "shown"),
    [
        (np.linspace(0, 1, 10), True),
        ([-6e-18, 1 + 2e-16, *np.linspace(0.1, 0.8, 8)], True),
        (np.linspace(0, 2, 10), False),
        ([0, 1] * 5, False),
    ],
)
def test_a_threshold_of_one_half_is_the_default_only_of_probabilities(scores, shown):
    entries = legend_texts(painted(sweeps(LABELS, s=scores), "roc"))
    assert any("usual default" in entry for entry in entries) == shown


def test_a_rule_for_one_half_is_not_listed_twice():
    assert legend_texts(painted(ten_cases(("threshold=0.5",)), "roc"))[1:] == ["threshold=0.5"]


def test_marks_stand_where_their_rates_are():
    marked = marked_in(painted(ten_cases(("closest", "fpr<=0.1")), "roc"))
    points = {tuple(map(float, line.get_xydata()[0])) for line in marked}
    assert points == {(0.2, 0.8), (0.0, 0.4), (0.4, 0.8)}  # closest, fpr<=0.1, and .5


def test_marks_in_one_place_stay_visible():
    results = sweeps(LABELS, ("closest", "tpr>=0.8", "threshold=0.6"), a=np.linspace(1, 0.1, 10), b=np.arange(10))
    sizes = {}
    for line in marked_in(painted(results, "roc")):
        sizes.setdefault(tuple(line.get_xydata()[0]), []).append(line.get_markersize())
    assert any(len(of_place) > 1 for of_place in sizes.values())
    assert all(len(set(of_place)) == len(of_place) for of_place in sizes.values())
