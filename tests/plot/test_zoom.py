"""A corner of ROC space that is drawn again, enlarged."""

import numpy as np
import pytest
from matplotlib.path import Path
from plot_cases import painted, results_of

from rocconf.plot.zoom import close_up


@pytest.mark.thorough
@pytest.mark.parametrize(("command", "kind"), [("tango", "segment"), ("tango", "region"), ("compare", "roc")])
def test_what_is_small_stands_enlarged_in_the_whole_chart(command, kind):
    case = {"tango": "imbalanced", "compare": "many cases, few positive"}[command]
    (whole,) = painted(results_of(command, case), kind).axes
    (part,) = whole.child_axes
    assert whole.get_xlim() == whole.get_ylim() == (-0.02, 1.02)
    assert part.get_xlim()[1] < 0.2
    for bold in (line for line in part.lines if line.get_zorder() == 4):
        x, y = bold.get_xydata().T
        assert part.get_xlim()[0] < x.min() <= x.max() < part.get_xlim()[1]
        assert part.get_ylim()[0] < y.min() <= y.max() < part.get_ylim()[1]
    box = part.get_tightbbox()
    curves = [line for line in whole.lines if line.get_zorder() >= 3]
    assert curves
    assert not any(
        Path(whole.transData.transform(line.get_xydata())).intersects_bbox(box, filled=False) for line in curves
    )


def test_what_can_be_seen_is_not_enlarged():
    (whole,) = painted(results_of("tango", "ten cases"), "segment").axes
    assert not whole.child_axes


def test_without_a_place_the_enlarged_part_has_a_panel():
    figure = painted(results_of("tango", "imbalanced and turned"), "segment")
    whole, part = figure.axes
    assert whole.get_xlim() == (-0.02, 1.02)
    assert part.get_xlim()[1] < 0.2


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
