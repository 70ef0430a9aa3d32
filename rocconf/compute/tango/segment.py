r"""The confident segment of a ROC curve: its rows, its areas and its mean error difference.

From its first point :math:`(x_0, y_0)` to its last :math:`(x_1, y_1)`, joined by straight lines,

.. math::
   \text{TP area} &= \int y\,dx, \quad \text{FP area} = \int x\,dy, \\
   \text{CAUC} &= \text{TP area} + \text{FP area} = x_1 y_1 - x_0 y_0, \\
   \text{CAUC}_\text{ROC} &= \int (1-x)\,dy + y_0 (x_1 - x_0), \\
   \text{AveD} &= \frac1m \sum \frac{b-c}{n}

CAUC is the vertical and the horizontal area of [1]_, whose figure of them is lost: this reading is inferred from the
orderings the paper states, all of which it reproduces. The area below or to the right of the segment, CAUC_ROC, is
the AUC where the whole curve is confident. All sums are of whole numbers.

References
----------
.. [1] W. Elazmeh, N. Japkowicz, S. Matwin (2006), A framework for comparative evaluation of classifiers in the
   presence of class imbalance, ROCML at ICML.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.exact import exact_sum, twice_area
from rocconf.dataclass import dataclass
from rocconf.metric import Metric
from rocconf.records import slices

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.stats.paired_tests import PairedTest
    from rocconf.records import Flags
    from rocconf.table import Column

NO_CONFIDENT = "no threshold is confident"

_bootstrapped = partial(
    Metric, kind="number", is_quality=False, is_drawn=True, has_interval=True, depends_on_level=True
)

MEASURES = {
    metric.name: metric
    for metric in (
        _bootstrapped("cauc", has_difference=True),
        _bootstrapped("cauc_tp"),
        _bootstrapped("cauc_fp"),
        _bootstrapped("cauc_roc", has_difference=True),
        _bootstrapped("aved", undefined=NO_CONFIDENT, least=-1.0),
        _bootstrapped("aved_abs", undefined=NO_CONFIDENT, lower_is_better=True, has_difference=True),
    )
}
"""The measures of a segment by name."""


def segment_columns(*, with_limits: bool) -> list[Column]:
    """Return the columns of all measures, each followed by its limits where they were drawn."""
    columns: list[Column] = []
    for metric in MEASURES.values():
        columns += [metric.column, *(metric.limit_columns if with_limits else ())]
    return columns


@dataclass(frozen=True, slots=True)
class Segment:
    """The rows from `first` up to but not including `stop` of a curve, with their measures."""

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
    """Return the confident rows, found by bisection, as b - c falls along the curve; of several runs the longest."""
    if not test.is_one_run:
        return measure_rows(roc, *longest_run(~test.differs(roc.confusion(slice(None)), level)))

    def beyond(sign: int) -> Callable[[int], bool]:
        def at(row: int) -> bool:
            b, c = roc.p - int(roc.tp[row]), int(roc.fp[row])
            return sign * (b - c) > 0 and test.differs_exactly(b, c, roc.p, roc.q, level)

        return at

    first, stop = run_between(len(roc), above=beyond(+1), below=beyond(-1))
    return measure_rows(roc, first, stop)


def longest_run(flags: Flags) -> tuple[int, int]:
    """Return the first and the end of the longest run of rows that are so, the first of several."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    starts, stops = edges[::2], edges[1::2]
    if not len(starts):
        return 0, 0
    longest = int((stops - starts).argmax())
    return int(starts[longest]), int(stops[longest])


def run_between(length: int, *, above: Callable[[int], bool], below: Callable[[int], bool]) -> tuple[int, int]:
    """Return the first and the end of the rows between those above, which come first, and those below, which come last."""
    first = bisect_left(range(length), True, key=lambda row: not above(row))
    stop = bisect_left(range(length), True, first, key=below)
    return first, stop


def measure_rows(roc: Curve, first: int, stop: int) -> Segment:
    """Return some rows with their measures; without rows the areas are 0 and the means undefined."""
    if first >= stop:
        return Segment(first, first)
    rows, squares = slice(first, stop), roc.p * roc.q
    tp0, fp0, tp1, fp1 = (int(of[row]) for row in (first, stop - 1) for of in (roc.tp, roc.fp))
    twice_tp = twice_area(roc.tp[rows], roc.fp[rows])
    twice_all = 2 * (fp1 * tp1 - fp0 * tp0)
    twice_fp = twice_all - twice_tp
    twice_roc = 2 * roc.q * (tp1 - tp0) - twice_fp + 2 * tp0 * (fp1 - fp0)
    # b - c falls along the curve: it is not negative up to some row, and negative after it
    turn = bisect_left(range(stop), True, first, key=lambda row: roc.p - int(roc.tp[row]) < int(roc.fp[row]))
    more_fn, more_fp = _total_difference(roc, slice(first, turn)), _total_difference(roc, slice(turn, stop))
    cases = roc.n * (stop - first)
    return Segment(
        first,
        stop,
        cauc=twice_all / (2 * squares),
        cauc_tp=twice_tp / (2 * squares),
        cauc_fp=twice_fp / (2 * squares),
        cauc_roc=twice_roc / (2 * squares),
        aved=(more_fn + more_fp) / cases,
        aved_abs=(more_fn - more_fp) / cases,
    )


def _total_difference(roc: Curve, rows: slice) -> int:
    """Return the sum of b - c."""
    total = 0
    for part in slices(rows.stop - rows.start):
        piece = slice(rows.start + part.start, rows.start + part.stop)
        total += (part.stop - part.start) * roc.p - exact_sum(roc.tp[piece]) - exact_sum(roc.fp[piece])
    return total
