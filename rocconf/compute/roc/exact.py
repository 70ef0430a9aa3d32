"""Sums of products of counts, exact also where they pass int64."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.records import slices

if TYPE_CHECKING:
    from rocconf.records import Counts

INT64_MAX = 2**63 - 1
LIMB = 21
"""The number of bits of a height multiplied at a time: with widths of less than 2^42 in all, the sum fits int64."""


def twice_area(tp: Counts, fp: Counts) -> int:
    """Return twice the area under the line through points of a curve, in counts."""
    total = 0
    for part in slices(len(tp) - 1):
        points = slice(part.start, part.stop + 1)
        total += exact_dot(np.diff(fp[points]), tp[points][1:] + tp[points][:-1])
    return total


def exact_dot(widths: Counts, heights: Counts) -> int:
    """Return the sum of width times height; widths and heights are not negative, and the heights do not fall."""
    if not len(widths) or int(widths.sum()) * int(heights[-1]) <= INT64_MAX:
        return int(widths @ heights)
    mask = (1 << LIMB) - 1
    return sum(int(widths @ ((heights >> shift) & mask)) << shift for shift in range(0, 63, LIMB))
