from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf.compute.stats.exact import exact_dot, sum_of_products, twice_area
from rocconf.records import CHUNK


def test_areas_are_exact_past_int64():
    rng = np.random.default_rng(4)
    widths = rng.integers(0, 10**8, 1000)
    heights = np.sort(rng.integers(0, 10**12, 1000))
    exact = sum(int(width) * int(height) for width, height in zip(widths, heights, strict=True))
    assert exact > 2**63
    assert exact_dot(widths, heights) == exact
    assert exact_dot(widths[:3], np.array([4, 5, 6])) == int(widths[:3] @ [4, 5, 6])
    assert exact_dot(widths[:0], heights[:0]) == 0
    just_past = np.array([2**32]), np.array([2**31 + 1])
    assert exact_dot(*just_past) == 2**32 * (2**31 + 1) > 2**63


@pytest.mark.parametrize("size", [1000, 3_000_000, 2**31 - 1, 2**31, 2**40])
def test_sums_of_products_are_exact_past_int64(size):
    numbers = np.random.default_rng(size).integers(-size, size, size=1 << 12, endpoint=True)
    assert sum_of_products(*[numbers] * 3) == sum(number**3 for number in numbers.tolist())
    largest = np.full(CHUNK + 7, -size)
    assert sum_of_products(*[largest] * 3) == -(CHUNK + 7) * size**3


@given(st.lists(st.tuples(st.integers(0, 10**10), st.integers(0, 10**10)), min_size=1, max_size=5))
def test_twice_the_area_adds_the_trapezoids(steps):
    tp, fp = (np.cumsum(column) for column in zip(*steps, strict=True))
    points = pairwise(zip(tp.tolist(), fp.tolist(), strict=True))
    assert twice_area(tp, fp) == sum((y + y0) * (x - x0) for (y0, x0), (y, x) in points)


def test_the_area_of_many_points_loses_none_between_pieces():
    tp = np.arange(3 * CHUNK)
    assert twice_area(tp, 2 * tp) == 2 * (3 * CHUNK - 1) ** 2
