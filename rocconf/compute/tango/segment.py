r"""Runs of rows of a ROC curve: confident or equivalent ones, their areas and their mean error difference.

At every threshold the error difference is (b - c) / n, of b false negatives and c false positives among n cases. The
threshold is confident if the interval for it contains 0, and the confident thresholds form one segment of the curve
[1]_: along it b falls and c rises, so the ends are found by bisection. From the first point :math:`(x_0, y_0)` to the
last :math:`(x_1, y_1)`, joined by straight lines,

.. math::
   \text{TP area} &= \int y\,dx, \quad \text{FP area} = \int x\,dy, \\
   \text{CAUC} &= \text{TP area} + \text{FP area} = x_1 y_1 - x_0 y_0, \\
   \text{CAUC}_\text{ROC} &= \int (1-x)\,dy + y_0 (x_1 - x_0), \\
   \text{AveD} &= \frac1m \sum \frac{b-c}{n}

CAUC is the vertical and the horizontal area of [1]_, whose figure of them is lost: this reading is inferred from the
orderings the paper states, all of which it reproduces. The area below or to the right of the segment, CAUC_ROC, is
the AUC where the whole curve is confident. All sums are of whole numbers.

A threshold is equivalent within a margin D if Tango's interval lies inside (-D, D): his test of equivalence [2]_ on both
sides, each at half of 1 - level. Unlike the confident segment, that grows with n and with quality.

The confident segment depends on the numbers of both classes, so it moves with the mixture of the test set although the
curve stays. Restated for a prevalence :math:`\pi`, the P positives are kept and every negative counts

.. math:: w = \frac{P}{Q}\,\frac{1-\pi}{\pi}

times, so b misses stand against wc false alarms among P + wQ cases. This is what as many positives with the expected
negatives would show: the rates are taken as they are, and the curve must not change with the mixture. It is computed
in fractions. With w = 1 it is the confident segment itself.

The confident region of ROC space is where a point would be confident, for any model. A point (x, y) has
:math:`b=P(1-y)` misses and :math:`c=Qx` false alarms. For Tango's test the region is

.. math:: |P(1-y) - Qx| \le z\sqrt{P(1-y) + Qx}

around the line on which both kinds of error are equally many, from (0, 1) to where all positives or all negatives are
wrong. The other tests have regions of the same shape; all are found by bisection on b as a real number.

References
----------
.. [1] W. Elazmeh, N. Japkowicz, S. Matwin (2006), A framework for comparative evaluation of classifiers in the
   presence of class imbalance, ROCML at ICML.
.. [2] T. Tango (1998), Statistics in Medicine 17, 891-908.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.exact import sum_of_products, twice_area
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.messages import message
from rocconf.metric import Metric

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.stats.paired_tests import PairedTest
    from rocconf.records import Flags, Floats
    from rocconf.table import Column

NO_CONFIDENT = "no threshold is confident"

COLUMNS = 401
"""The number of false positive rates of a region."""
STEPS = 60
"""The number of bisections of each."""

_bootstrapped = partial(Metric, kind="number", is_quality=False, is_drawn=True, has_interval=True)

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
    of_each = ((metric.column, *(metric.limit_columns if with_limits else ())) for metric in MEASURES.values())
    return [column for columns in of_each for column in columns]


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

    @property
    def rows(self) -> range:
        """The rows."""
        return range(self.first, self.stop)


@dataclass(frozen=True, slots=True)
class Restated:
    """A confident segment at a prevalence; the areas are those of its points, which do not move."""

    prevalence: float
    weight: float
    segment: Segment


def confident_segment(roc: Curve, test: PairedTest, *, level: float = 0.95, weight: Fraction | int = 1) -> Segment:
    """Return the confident rows, each negative counted `weight` times; of several runs the longest."""
    if not test.is_one_run:
        return measure_rows(roc, *longest_run(~test.differs(roc.confusion(slice(None)), level)))

    def beyond(sign: int, row: int) -> bool:
        b, c = roc.p - int(roc.tp[row]), weight * int(roc.fp[row])
        return sign * (b - c) > 0 and test.differs_exactly(b, c, roc.p, weight * roc.q, level)

    return measure_rows(roc, *run_between(len(roc), beyond))


def restated_segment(roc: Curve, test: PairedTest, prevalence: float, *, level: float = 0.95) -> Restated:
    """Return the confident segment as it would be at another prevalence."""
    require_prevalence(prevalence, test)
    share = Fraction(str(prevalence))
    weight = Fraction(roc.p, roc.q) * (1 - share) / share
    return Restated(prevalence, float(weight), confident_segment(roc, test, level=level, weight=weight))


def equivalent_rows(roc: Curve, test: PairedTest, margin: float, *, level: float = 0.95) -> range:
    """Return the rows whose interval lies inside (-margin, margin); of several runs the longest."""
    require_margin(margin, test)
    if not test.is_one_run:
        lower, upper = test.limits(roc.confusion(slice(None)), level)
        return range(*longest_run((lower > -margin) & (upper < margin)))

    def beyond(sign: int, row: int) -> bool:
        lower, upper = test.limits(roc.confusion(slice(row, row + 1)), level)
        return bool((upper if sign > 0 else -lower)[0] >= margin)

    return range(*run_between(len(roc), beyond))


def require_prevalence(prevalence: float, test: PairedTest) -> None:
    """Reject a prevalence outside (0, 1), and a test that needs whole numbers of cases."""
    if not 0 < prevalence < 1:
        raise UsageError("prevalence-range", prevalence=prevalence)
    if test.name != "tango":
        raise UsageError("prevalence-test", test=test.name)


def require_margin(margin: float, test: PairedTest) -> None:
    """Reject a margin outside (0, 1), and a test whose interval is not Tango's."""
    if not 0 < margin < 1:
        raise UsageError("margin-range", margin=margin)
    if test.name != "tango":
        raise UsageError("margin-test", test=test.name)


def longest_run(flags: Flags) -> tuple[int, int]:
    """Return the first and the end of the longest run of rows that are so, the first of several."""
    edges = np.flatnonzero(np.diff(flags.astype(np.int8), prepend=0, append=0))
    starts, stops = edges[::2], edges[1::2]
    if not len(starts):
        return 0, 0
    longest = int((stops - starts).argmax())
    return int(starts[longest]), int(stops[longest])


def run_between(length: int, beyond: Callable[[int, int], bool]) -> tuple[int, int]:
    """Return the first and the end of the rows between those beyond +1, which come first, and those beyond -1, at the end."""
    first = bisect_left(range(length), True, key=lambda row: not beyond(+1, row))
    return first, bisect_left(range(length), True, first, key=lambda row: beyond(-1, row))


def measure_rows(roc: Curve, first: int, stop: int) -> Segment:
    """Return some rows with their measures; without rows the areas are 0 and the means undefined."""
    if first >= stop:
        return Segment(first, first)
    rows, squares, cases = slice(first, stop), 2 * roc.p * roc.q, roc.n * (stop - first)
    tp0, fp0, tp1, fp1 = (int(of[row]) for row in (first, stop - 1) for of in (roc.tp, roc.fp))
    twice_tp = twice_area(roc.tp[rows], roc.fp[rows])
    twice_all = 2 * (fp1 * tp1 - fp0 * tp0)
    twice_fp = twice_all - twice_tp
    twice_roc = 2 * roc.q * (tp1 - tp0) - twice_fp + 2 * tp0 * (fp1 - fp0)
    # b - c falls along the curve: it is not negative up to some row, and negative after it
    turn = bisect_left(range(stop), True, first, key=lambda row: roc.p - int(roc.tp[row]) < int(roc.fp[row]))
    more_fn, more_fp = (
        (end - start) * roc.p - sum_of_products(roc.tp[start:end]) - sum_of_products(roc.fp[start:end])
        for start, end in ((first, turn), (turn, stop))
    )
    return Segment(
        first,
        stop,
        cauc=twice_all / squares,
        cauc_tp=twice_tp / squares,
        cauc_fp=twice_fp / squares,
        cauc_roc=twice_roc / squares,
        aved=(more_fn + more_fp) / cases,
        aved_abs=(more_fn - more_fp) / cases,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """The true positive rates between which a point is confident, at some false positive rates."""

    fpr: Floats
    lower: Floats
    upper: Floats


def confident_region(p: int, q: int, test: PairedTest, *, level: float = 0.95) -> Region:
    """Return the confident region of p positives and q negatives."""
    if not test.is_one_run:  # clusters, whose errors are more than two numbers
        raise UsageError("clusters-cannot", what=message("clusters-region"))

    def towards(sign: int, b: Floats, c: Floats) -> Flags:
        m = Confusion(p - b, c, p, q)  # type: ignore[arg-type]  # real numbers
        return test.differs(m, level) & (sign * (b - c) > 0)

    # with all positives missed, there are too many false positives from some c on
    last = _switch(lambda c: ~towards(-1, np.full_like(c, p), c), np.zeros(1), np.full(1, float(q)))
    c = np.linspace(0, last[0], COLUMNS)
    fewest = _switch(lambda b: towards(-1, b, c), np.zeros(COLUMNS), np.minimum(c, p))
    most = _switch(lambda b: ~towards(+1, b, c), np.minimum(c, p), np.full(COLUMNS, float(p)))
    return Region(c / q, 1 - most / p, 1 - fewest / p)


def _switch(holds: Callable[[Floats], Flags], low: Floats, high: Floats) -> Floats:
    """Return where a condition stops holding, which may be at either end."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        still = holds(middle)
        low, high = np.where(still, middle, low), np.where(still, high, middle)
    return high
