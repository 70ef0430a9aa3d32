"""Sums and differences of products of counts, exact also where they pass int64: a class has up to 2^53 cases.

Past int64 a sum wraps around, and the sum in floats tells how often.
"""

from __future__ import annotations

from functools import reduce
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.records import slices

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from rocconf.records import Counts

INT64_MAX = 2**63 - 1
MOST_TO_WRAP = 2**108
"""The sum of the sizes of products below which rounding stays far below 2^63."""


def twice_area(tp: Counts, fp: Counts) -> int:
    """Return twice the area under the line through points of a curve, in counts."""
    pieces = [slice(part.start, part.stop + 1) for part in slices(len(tp) - 1)]
    fits = 2 * int(tp[-1]) * int(fp[-1]) <= INT64_MAX
    added = np.dot if fits else sum_of_products
    return sum(int(added(np.diff(fp[at]), tp[at][1:] + tp[at][:-1])) for at in pieces)


def sum_of_products(*factors: Counts) -> int:
    """Return the exact sum of the products of whole numbers, which may be negative."""
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


def cross(a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike, *, most: int) -> NDArray[Any]:
    """Return ab - cd of counts, of which no product exceeds `most`: past int64 as the nearest float but for a digit."""
    with np.errstate(over="ignore"):  # of single numbers
        wrapped = np.asarray(np.multiply(a, b) - np.multiply(c, d))
    if most <= INT64_MAX:
        return wrapped
    about = np.multiply(a, b, dtype=np.float64) - np.multiply(c, d, dtype=np.float64)
    return np.asarray(wrapped + np.round((about - wrapped) / 2**64) * 2.0**64)
