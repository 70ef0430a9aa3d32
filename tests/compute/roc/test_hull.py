"""The convex hull: the points that no line between two others reaches."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import counted, tied_cases

from rocconf.compute.roc.counts import count
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.hull import hull_rows
from rocconf.records import CHUNK, Predictions, ScoreCounts


def by_brute_force(counts):
    """Leave out every point on or below a line from a point before it to a point behind it, in Python's integers."""
    points = list(zip(counts.fp.tolist(), counts.tp.tolist(), strict=True))
    last = len(points) - 1

    def beneath(row):
        x, y = points[row]
        return any(
            (y - ay) * (bx - ax) <= (by - ay) * (x - ax) for ax, ay in points[:row] for bx, by in points[row + 1 :]
        )

    return [row for row in range(len(points)) if row in (0, last) or not beneath(row)]


@given(tied_cases(max_size=40, distinct=20), st.integers(1, 9) | st.just(CHUNK))
def test_corners_are_those_of_the_brute_force_hull(cases, size):
    counts = counted(*cases)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rocconf.records.CHUNK", size)
        assert hull_rows(curve(counts)).tolist() == by_brute_force(counts)


sizes = st.integers(0, 3) | st.integers(0, 2**49) | st.sampled_from([10**9, 10**9 + 1, 3 * 10**9, 2**49 - 1, 2**49])


@given(st.lists(st.tuples(sizes, sizes), min_size=2, max_size=9))
def test_corners_are_decided_in_whole_numbers(columns):
    """Where no float tells a point on the line from one a case above it."""
    positives, negatives = zip(*columns, strict=True)
    if sum(positives) and sum(negatives):
        counts = ScoreCounts.of(range(len(columns)), positives, negatives)
        assert hull_rows(curve(counts)).tolist() == by_brute_force(counts)


@pytest.mark.parametrize("m", [5, 10**6, 10**9, 10**10])
def test_a_point_is_a_corner_by_the_least_margin_of_whole_numbers(m):
    """tp * Q - fp * P is 1, then -1; from m = 1e9 on no float tells."""
    assert hull_rows(curve(ScoreCounts.of([2, 1], [m, m + 1], [m - 1, m]))).tolist() == [0, 1, 2]
    assert hull_rows(curve(ScoreCounts.of([2, 1], [m - 1, m], [m, m + 1]))).tolist() == [0, 2]


def test_points_on_a_line_are_not_corners():
    n = 3 * CHUNK
    counts = ScoreCounts.of(np.arange(n), np.ones(n), np.ones(n))
    assert hull_rows(curve(counts)).tolist() == [0, n]


def test_a_staircase_of_corners_keeps_them_all():
    """Slopes k : 1, k : 2 ... fall all the way, so that every point is a corner and none is removed."""
    steps = 2000
    counts = ScoreCounts.of(-np.arange(steps), np.arange(steps, 0, -1), np.arange(1, steps + 1))
    assert hull_rows(curve(counts)).tolist() == list(range(steps + 1))


def test_a_last_high_point_removes_all_corners_before_it():
    """Each removal uncovers the next: more rounds than are run, and the scan finishes."""
    steps = 500
    positives, negatives = [*range(steps, 0, -1), steps**3], [*range(1, steps + 1), 1]
    counts = ScoreCounts.of(-np.arange(steps + 1), positives, negatives)
    assert hull_rows(curve(counts)).tolist() == [0, steps + 1]


@pytest.mark.parametrize("skill", [0.0, 0.3])
def test_a_million_cases_take_well_under_a_second(skill):
    rng = np.random.default_rng(7)
    n = 1_000_000
    labels = rng.random(n) < 0.1
    roc = curve(count(Predictions(labels, {"s": rng.random(n) + skill * labels})))
    start = time.process_time()
    rows = hull_rows(roc)
    assert time.process_time() - start < 0.5
    x, y = roc.fp[rows], roc.tp[rows]
    edge = np.maximum(np.searchsorted(rows, np.arange(len(roc))), 1)  # the edge above each point
    left_x, left_y, right_x, right_y = x[edge - 1], y[edge - 1], x[edge], y[edge]
    assert ((roc.tp - left_y) * (right_x - left_x) <= (right_y - left_y) * (roc.fp - left_x)).all()
    assert (np.diff(y)[:-1] * np.diff(x)[1:] > np.diff(y)[1:] * np.diff(x)[:-1]).all()
