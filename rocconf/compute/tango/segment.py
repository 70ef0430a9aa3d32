r"""The confident segment of a ROC curve: where it is, the areas that belong to it, and its mean error difference.

From its first point :math:`(x_0, y_0)` to its last :math:`(x_1, y_1)`, joined by straight lines,

.. math::
   \text{TP area} &= \int y\,dx, \quad \text{FP area} = \int x\,dy, \\
   \text{CAUC} &= \text{TP area} + \text{FP area} = x_1 y_1 - x_0 y_0, \\
   \text{CAUC}_\text{ROC} &= \int (1-x)\,dy + y_0 (x_1 - x_0), \\
   \text{AveD} &= \frac1m \sum \frac{b-c}{n}

CAUC is the vertical and the horizontal area of [1]_, whose figure of them is lost: this reading is inferred from the
orderings the paper states, all of which it reproduces. The area below or to the right of the segment, CAUC_ROC, is
the AUC where the whole curve is confident. All sums are of whole numbers, whose products pass int64 in very large
files: there the factors are taken apart.

References
----------
.. [1] W. Elazmeh, N. Japkowicz, S. Matwin (2006), A framework for comparative evaluation of classifiers in the
   presence of class imbalance, ROCML at ICML.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocconf.records import slices

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.stats.paired_tests import PairedTest
    from rocconf.records import Counts

INT64_MAX = 2**63 - 1
LIMB = 21
"""So many bits of one factor, times the other below 2^42, stay in int64 when added up."""

MEASURES = ("cauc", "cauc_tp", "cauc_fp", "cauc_roc", "aved", "aved_abs")
"""What is measured along a segment, by name."""


@dataclass(frozen=True, slots=True)
class Segment:
    """The rows `first` to `stop` (not included) of a curve, and what is measured along them."""

    first: int
    stop: int
    cauc: float = 0.0
    cauc_tp: float = 0.0
    cauc_fp: float = 0.0
    cauc_roc: float = 0.0
    aved: float | None = None
    aved_abs: float | None = None

    def __len__(self) -> int:
        return self.stop - self.first


def confident_segment(roc: Curve, test: PairedTest, *, level: float = 0.95) -> Segment:
    """Find the confident rows by bisection, since b - c falls along the curve, and measure them."""

    def beyond(sign: int) -> Callable[[int], bool]:
        def at(row: int) -> bool:
            b, c = roc.p - int(roc.tp[row]), int(roc.fp[row])
            return sign * (b - c) > 0 and test.differs_exactly(b, c, roc.p, roc.q, level)

        return at

    first, stop = run_between(len(roc), above=beyond(+1), below=beyond(-1))
    return measured(roc, first, stop)


def run_between(length: int, *, above: Callable[[int], bool], below: Callable[[int], bool]) -> tuple[int, int]:
    """Return the rows that are neither above nor below: a head of the rows is above, a tail below."""
    first = bisect_left(range(length), True, key=lambda row: not above(row))
    stop = bisect_left(range(length), True, first, key=below)
    return first, stop


def measured(roc: Curve, first: int, stop: int) -> Segment:
    """Measure the rows from `first` to `stop`; without rows the areas are 0 and the means do not exist."""
    if first >= stop:
        return Segment(first, first)
    rows, squares = slice(first, stop), roc.p * roc.q
    tp0, fp0, tp1, fp1 = (int(of[row]) for row in (first, stop - 1) for of in (roc.tp, roc.fp))
    twice_tp = _twice_area(roc, rows)
    twice_all = 2 * (fp1 * tp1 - fp0 * tp0)
    twice_fp = twice_all - twice_tp
    twice_roc = 2 * roc.q * (tp1 - tp0) - twice_fp + 2 * tp0 * (fp1 - fp0)
    # b - c falls along the curve: it is not negative up to some row, and negative after it
    turn = bisect_left(range(stop), True, first, key=lambda row: roc.p - int(roc.tp[row]) < int(roc.fp[row]))
    more_fn, more_fp = _total_difference(roc, slice(first, turn)), _total_difference(roc, slice(turn, stop))
    of_all = roc.n * (stop - first)
    return Segment(
        first,
        stop,
        cauc=twice_all / (2 * squares),
        cauc_tp=twice_tp / (2 * squares),
        cauc_fp=twice_fp / (2 * squares),
        cauc_roc=twice_roc / (2 * squares),
        aved=(more_fn + more_fp) / of_all,
        aved_abs=(more_fn - more_fp) / of_all,
    )


def _twice_area(roc: Curve, rows: slice) -> int:
    """Return twice the TP area, in counts."""
    total = 0
    for part in slices(rows.stop - rows.start - 1):
        mine = slice(rows.start + part.start, rows.start + part.stop + 1)
        tp, fp = roc.tp[mine], roc.fp[mine]
        total += whole_product(np.diff(fp), tp[1:] + tp[:-1])
    return total


def whole_product(widths: Counts, heights: Counts) -> int:
    """Return the sum of width times height; neither is negative, and the heights do not fall."""
    if not len(widths) or int(widths.sum()) * int(heights[-1]) <= INT64_MAX:
        return int(widths @ heights)
    mask = (1 << LIMB) - 1
    return sum(int(widths @ ((heights >> shift) & mask)) << shift for shift in range(0, 63, LIMB))


def _total_difference(roc: Curve, rows: slice) -> int:
    """Return the sum of b - c."""
    total = 0
    for part in slices(rows.stop - rows.start):
        mine = slice(rows.start + part.start, rows.start + part.stop)
        total += (part.stop - part.start) * roc.p - int(roc.tp[mine].sum()) - int(roc.fp[mine].sum())
    return total
