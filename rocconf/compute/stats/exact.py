"""Sums and differences of products of counts, exact also where they pass int64: a class has up to 2^53 cases."""

from __future__ import annotations

from functools import reduce
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.records import slices

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from rocconf.records import Counts, Floats

INT64_MAX = 2**63 - 1
MOST_TO_WRAP = 2**108
"""The sum of the sizes of products below which rounding stays far below 2^63."""
HALVES = float(2**27 + 1)
"""Splits a float64 into two numbers of 26 bits, whose products are exact (Veltkamp)."""


def twice_area(tp: Counts, fp: Counts) -> int:
    """Return twice the area under the line through points of a curve, in counts."""
    total = 0
    for part in slices(len(tp) - 1):
        points = slice(part.start, part.stop + 1)
        total += exact_dot(np.diff(fp[points]), tp[points][1:] + tp[points][:-1])
    return total


def exact_dot(widths: Counts, heights: Counts) -> int:
    """Return the sum of width times height; widths and heights are not negative, and the heights do not fall.

    Past int64 the heights are multiplied a few bits at a time, as many as the sum of the widths leaves room for.
    """
    if not len(widths):
        return 0
    width, height = int(widths.sum()), int(heights[-1])
    if width * height <= INT64_MAX:
        return int(widths @ heights)
    bits = INT64_MAX.bit_length() - width.bit_length()
    mask = (1 << bits) - 1
    shifts = range(0, height.bit_length(), bits)
    return sum(int(widths @ ((heights >> shift) & mask)) << shift for shift in shifts)


def sum_of_products(*factors: Counts) -> int:
    """Return the exact sum of the products of whole numbers, which may be negative.

    Past int64 a sum wraps around, and the sum in floats tells how often.
    """
    total = 0
    for part in slices(len(factors[0])):
        whole = [factor[part] for factor in factors]
        largest = len(whole[0]) * prod(max(-int(each.min()), int(each.max())) for each in whole)
        if largest > MOST_TO_WRAP:
            total += sum(map(prod, zip(*(each.tolist() for each in whole), strict=True)))
            continue
        wrapped = int(reduce(np.multiply, whole).sum())
        if largest > INT64_MAX:
            about = float(reduce(np.multiply, [each.astype(np.float64) for each in whole]).sum())
            wrapped += round((about - wrapped) / 2**64) << 64
        total += wrapped
    return total


def exact_sum(counts: Counts) -> int:
    """Return the sum of counts, which are not negative."""
    if not len(counts) or len(counts) * int(counts.max()) <= INT64_MAX:
        return int(counts.sum())
    half = 32
    return (int((counts >> half).sum()) << half) + int((counts & ((1 << half) - 1)).sum())


def cross(a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike, *, most: int) -> NDArray[Any]:
    """Return ab - cd of counts, of which no product exceeds `most`.

    Up to int64 it is a whole number. Past it, it is a float with the sign of the exact difference and a relative error
    of the last digit: each product is a sum of two floats [1]_, and of these the large ones cancel exactly.

    References
    ----------
    .. [1] T. J. Dekker (1971), Numerische Mathematik 18, 224-242.
    """
    if most <= INT64_MAX:
        return np.asarray(np.multiply(a, b) - np.multiply(c, d))
    (first, first_rest), (second, second_rest) = _product(a, b), _product(c, d)
    return np.asarray((first - second) + (first_rest - second_rest))


def _product(a: ArrayLike, b: ArrayLike) -> tuple[Floats, Floats]:
    """Return a product in floats, and its rounding error."""
    (x, x_rest), (y, y_rest) = _halves(a), _halves(b)
    product = np.asarray((x + x_rest) * (y + y_rest))
    return product, ((x * y - product) + x * y_rest + x_rest * y) + x_rest * y_rest


def _halves(counts: ArrayLike) -> tuple[Floats, Floats]:
    whole = np.asarray(counts, dtype=np.float64)
    high = HALVES * whole
    high = high - (high - whole)
    return high, whole - high
