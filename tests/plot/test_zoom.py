"""A corner of ROC space that is drawn again, enlarged."""

import numpy as np
from plot_cases import painted, results_of

from rocconf.plot.zoom import close_up


def test_a_small_segment_is_enlarged_in_a_second_panel():
    whole, part = painted(results_of("tango", "imbalanced"), "segment").axes
    assert whole.get_xlim() == (-0.02, 1.02)
    assert part.get_xlim()[1] < 0.2
    (bold,) = [line for line in part.lines if line.get_zorder() == 4]
    x, y = bold.get_xydata().T
    assert part.get_xlim()[0] < x.min() <= x.max() < part.get_xlim()[1]
    assert part.get_ylim()[0] < y.min() <= y.max() < part.get_ylim()[1]
    assert len(painted(results_of("tango", "ten cases"), "segment").axes) == 1


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
