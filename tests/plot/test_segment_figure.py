"""The confident segment, bold on its ROC curve."""

import numpy as np
import pytest
from matplotlib.collections import FillBetweenPolyCollection
from plot_cases import LABELS, SCORES, counted, legend_of, legend_texts, painted, results_of, segments

from rocconf.plot import KINDS

TEN = ("tango", "ten cases")


@pytest.mark.parametrize("kind", [kind for kind in KINDS["tango"] if kind != "scores"])
def test_the_legend_names_the_interval_and_its_level(kind):
    figure = painted(segments(counted(LABELS, SCORES), level=0.9), kind)
    assert legend_texts(figure)[0].endswith("Tango's score interval, 90%")


def test_a_single_segment_has_its_points_thresholds_and_areas_in_the_legend():
    assert legend_texts(painted(results_of(*TEN), "segment")) == [
        "Tango's score interval, 95%",
        "ROC curve",
        "confident: 7 points, 0.3 to 0.9",
        "TP area 0.440",
        "FP area 0.160, CAUC 0.600",
    ]


def test_the_shaded_areas_are_those_of_the_summary():
    (axes,) = painted(results_of(*TEN), "segment").axes
    shaded = [each for each in axes.collections if isinstance(each, FillBetweenPolyCollection)]
    corners = [each.get_paths()[0].vertices for each in shaded]
    areas = [abs(np.sum(xy[:-1, 0] * xy[1:, 1] - xy[1:, 0] * xy[:-1, 1])) / 2 for xy in corners]
    assert areas == pytest.approx([0.44, 0.16])


def test_the_segment_is_bold_from_its_first_to_its_last_point():
    (axes,) = painted(results_of(*TEN), "segment").axes
    (bold,) = [line for line in axes.lines if line.get_zorder() == 4]
    (thin,) = [line for line in axes.lines if line.get_zorder() == 3]
    assert bold.get_linewidth() > 2 * thin.get_linewidth()
    assert bold.get_xydata().tolist() == pytest.approx(
        np.array([[0, 0.4], [0.2, 0.4], [0.2, 0.6], [0.2, 0.8], [0.4, 0.8], [0.4, 1], [0.6, 1]])
    )


@pytest.mark.thorough
def test_several_models_have_their_number_of_points_and_cauc_in_the_legend():
    without = segments(counted([1] * 5 + [0] * 60, [1] * 5 + [1] * 30 + [0] * 30, "other"))
    assert legend_texts(painted([*results_of(*TEN), *without], "segment"))[1:] == [
        "score  7 points, CAUC 0.600",
        "other  no confident point",
        "confident points",
    ]


def test_equivalent_points_have_a_halo():
    assert "equivalent within ±0.6" in legend_texts(painted(results_of("tango", "equivalent too"), "segment"))


def test_the_halo_in_the_legend_stays_in_its_place():
    legend = legend_of(painted(results_of("tango", "equivalent too"), "segment"))
    (wide,) = [line for line in legend.get_lines() if line.get_alpha()]
    assert wide.get_solid_capstyle() == "butt"
