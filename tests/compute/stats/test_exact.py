from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rocconf.compute.stats.exact import cross, sum_of_products, twice_area
from rocconf.records import CHUNK


@given(st.lists(st.tuples(*[st.integers(0, 2**53) | st.integers(0, 9)] * 4), min_size=1, max_size=9))
@example([(2**32, 2**31, 0, 0)])
def test_differences_of_products_are_exact_up_to_int64_and_keep_their_digits_and_sign_past_it(rows):
    a, b, c, d = np.array(rows).T
    exact = [w * x - y * z for w, x, y, z in rows]
    most = max(max(w * x, y * z) for w, x, y, z in rows)
    found = cross(a, b, c, d, most=most)
    if most < 2**63:
        assert found.tolist() == exact
    assert found.tolist() == pytest.approx(exact, rel=3e-16, abs=0)
    assert np.sign(found).tolist() == [(each > 0) - (each < 0) for each in exact]


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
    far = 2**40 * tp
    assert twice_area(far, 2 * far) == 2 * int(far[-1]) ** 2 > 2**63
