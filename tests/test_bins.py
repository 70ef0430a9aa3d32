"""Bins of scores: against their definition in fractions, that they nest, and how sets of bins are added up."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from rocconf.bins import Dyadic, Ends, Thresholds, above_zero, edges_of, ends_of, joined, resolution_of, united

LARGEST = float(np.finfo(np.float64).max)
TINY = 2.0**-64
HUGE = 2.0**64
ODD = [
    *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 0.25, 0.75, 5e-324, -5e-324, LARGEST, -LARGEST, np.inf, -np.inf),
    *(float(np.nextafter(edge, way)) for edge in (0.5, 1.0, TINY, -TINY, HUGE, -HUGE) for way in (-np.inf, np.inf)),
    *(TINY, -TINY, HUGE, -HUGE, 1 - 2.0**-30, 1 + 2.0**-11, 1 + 2.0**-12, 0.5 - 2.0**-13),
]
SCORES = st.one_of(
    st.sampled_from(ODD),
    st.floats(0, 1),
    st.floats(-30, 30),
    st.floats(allow_nan=False),
    st.floats(0, 1e-9).map(lambda rest: 1 - rest),
)
RESOLUTIONS = st.integers(1, 52)


def by_definition(score, resolution):
    """Return the least score of a dyadic bin and the greatest, from exact fractions."""
    if score == 0:
        return score, score
    if 0 < score < TINY:
        return 5e-324, float(np.nextafter(TINY, 0))
    if -TINY <= score < 0:
        return -TINY, -5e-324
    if score >= HUGE:
        return HUGE, np.inf
    if score < -HUGE:
        return -np.inf, float(np.nextafter(-HUGE, -np.inf))
    base = 1 if 0.5 <= score < 1 else 0
    y, two = Fraction(score) - base, Fraction(2)
    octave = next(e for e in range(-64, 64) if two**e <= y < two ** (e + 1) or -(two ** (e + 1)) <= y < -(two**e))
    scale = two ** (resolution - octave)
    scale = min(scale, two**53) if base else scale
    least, upper = (base + ((y * scale).__floor__() + step) / scale for step in (0, 1))
    assert Fraction(float(least)) == least
    assert Fraction(float(upper)) == upper
    return float(least), float(np.nextafter(float(upper), -np.inf))


@examples(200)
@given(st.lists(SCORES, min_size=1, max_size=20), RESOLUTIONS)
def test_dyadic_bins_are_those_of_their_definition(scores, resolution):
    ends = Dyadic(resolution).ends(np.array(scores))
    assert list(zip(*(column.tolist() for column in ends), strict=True)) == [
        by_definition(score + 0.0, resolution) for score in scores
    ]


@examples(200)
@given(st.lists(SCORES, min_size=1, max_size=20), RESOLUTIONS)
def test_the_least_score_by_bits_is_that_of_the_bin(scores, resolution):
    column = np.array(scores)
    assert Dyadic(resolution).least(column).tolist() == Dyadic(resolution).ends(column).least.tolist()


@examples(100)
@given(st.lists(SCORES, min_size=1, max_size=20), RESOLUTIONS, RESOLUTIONS)
def test_bins_nest(scores, one, other):
    coarse, fine = sorted((one, other))
    ends = Dyadic(fine).ends(np.array(scores))
    whole = Dyadic(coarse).ends(np.array(scores))
    for of_ends in (ends.least, ends.most):
        assert Dyadic(coarse).least(of_ends).tolist() == whole.least.tolist()


@examples(100)
@given(st.lists(SCORES, min_size=1, max_size=20), st.lists(st.floats(-1, 2), min_size=1, max_size=5))
def test_thresholds_divide_scores_as_comparisons_do(scores, edges):
    edges = sorted(set(edges))
    ends = Thresholds(np.array(edges)).ends(np.array(scores))
    for score, least, most in zip(scores, *ends, strict=True):
        assert least <= score <= most
        assert (
            [score >= edge for edge in edges] == [least >= edge for edge in edges] == [most >= edge for edge in edges]
        )


def distinct(ends):
    return Ends(np.unique(ends.least), np.unique(ends.most))


@examples(100)
@given(st.lists(SCORES, min_size=1, max_size=20), RESOLUTIONS)
def test_edges_tell_the_bins(scores, resolution):
    ends = distinct(Dyadic(resolution).ends(np.array(scores)))
    again = above_zero(ends_of(*edges_of(ends)))
    assert [column.tolist() for column in again] == [column.tolist() for column in ends]
    if ends.are_wide.any():
        found = Dyadic(resolution_of(ends))
        assert found.least(ends.most).tolist() == ends.least.tolist()


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([(0.1, 0.2), (0.2, 0.3)], [(0.1, 0.2), (0.2, 0.3)]),
        ([(0.1, 0.1), (0.1, 0.3)], [(0.1, None), ("above 0.1", 0.3)]),
        ([(0.1, 0.2), (0.15, 0.3)], None),
        ([(0.1, 0.2), (0.15, 0.15)], None),
        ([(0.1, 0.2), (0.1, 0.3)], None),
        ([(0.5, np.inf)], [(0.5, np.inf)]),
        ([(0.5, np.inf), (np.inf, np.inf)], [(0.5, LARGEST), (np.inf, np.inf)]),
        ([(-np.inf, 0.5)], [(-np.inf, 0.5)]),
    ],
)
def test_rows_are_bins_that_do_not_overlap(rows, expected):
    found = ends_of(*(np.array(column, dtype=float) for column in zip(*rows, strict=True)))
    if expected is None:
        assert found is None
        return
    for (least, most), (low, high) in zip(zip(*found, strict=True), expected, strict=True):
        assert least == (np.nextafter(0.1, 1) if low == "above 0.1" else low)
        if high is not None:
            assert most in (high, np.nextafter(high, -np.inf))
    if expected[0][1] is None:
        assert found.most[0] == found.least[0]


def test_sets_of_bins_are_united_only_where_they_nest():
    wide, narrow, across = (
        Ends(np.array([0.1]), np.array([0.5])),
        Ends(np.array([0.2]), np.array([0.3])),
        Ends(np.array([0.4]), np.array([0.6])),
    )
    assert [column.tolist() for column in united(wide, narrow)] == [[0.1], [0.5]]
    assert united(wide, across) is None
    assert [column.tolist() for column in joined(wide, narrow, across)] == [[0.1], [0.6]]
    assert [column.tolist() for column in united(narrow, across)] == [[0.2, 0.4], [0.3, 0.6]]
