"""Labels of lines: apart from each other, and far from other lines."""

import numpy as np
import pytest

from rocconf.plot import labelled_lines as lines


def test_labels_at_a_side_are_moved_apart_but_never_past_each_other():
    assert lines.apart([0.9, 0.5, 0.1], 0.1) == [0.9, 0.5, 0.1]
    assert lines.apart([0.9, 0.88, 0.87], 0.1) == pytest.approx([0.9, 0.8, 0.7])
    assert lines.apart([1.4], 0.1) == [1.0]


def test_a_label_is_put_where_other_lines_are_furthest():
    ends = np.array([[0.0, 0.0], [1.0, 1.0]])
    at_start = lines.dense(np.array([[0.0, 0.3], [0.3, 0.0]]))
    at_middle = np.array([[0.5, 0.5]])
    assert lines.furthest(ends, at_start) == pytest.approx([0.5, 0.5])
    assert abs(lines.furthest(ends, at_middle)[0] - 0.5) > 0.04
    short = np.array([[0.0, 0.0], [0.05, 0.05]])
    assert lines.furthest(short, np.array([[1.0, 0.0]])) == pytest.approx([0.025, 0.025])
    assert 0.04 < lines.furthest(short, short[:1])[0] <= 0.045
    assert lines.furthest(short / 2, short[:1]) == pytest.approx([0.0225, 0.0225])


def test_points_along_a_line_are_dense_and_keep_its_ends():
    along = lines.dense(np.array([[0.0, 0.0], [0.0, 0.5], [1.0, 0.5]]))
    assert np.hypot(*np.diff(along, axis=0).T).max() <= lines.SPACING
    assert along[0].tolist() == [0, 0]
    assert along[-1].tolist() == [1, 0.5]
