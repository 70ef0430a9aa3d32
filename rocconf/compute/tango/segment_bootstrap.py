"""Intervals for the confident segment's areas and mean error differences, by a stratified bootstrap.

They show how the measures vary among samples of this size, with as many positives and negatives: at this n, since
the areas shrink as n grows. In a simulation intervals at 95% contained the mean of the measure 98.8% of the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.bootstrap import percentile_interval
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.compute.tango.segment import MEASURES
from rocconf.compute.tango.segment_draws import MeasuredCurve, draw_segments
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.roc.drawn_cases import DrawnCases
    from rocconf.compute.roc.resample import Progress, Replicates
    from rocconf.compute.stats.paired_tests import PairedTest
    from rocconf.records import Counts, Flags, Floats, Interval

    Indices = NDArray[np.intp]

PROBES = 256
"""The number of rows that one step of the search tests, over all replicates."""


@dataclass(frozen=True, slots=True)
class SegmentBootstrap:
    """The bootstrap interval of each measure, whose ends may be unknown."""

    replicates: int
    seed: int
    intervals: dict[str, Interval]
    empty: int
    """The number of replicates without a confident row, and so without a mean error difference."""


def segment_bootstrap(
    roc: Curve,
    test: PairedTest,
    *,
    level: float,
    replicates: int,
    seed: int = SEED,
    fixed_thresholds: bool = False,
    progress: Progress | None = None,
) -> SegmentBootstrap:
    """Return percentile intervals over replicates of the curve.

    The thresholds of a replicate are the distinct scores drawn, unless a list of thresholds was given: then all
    replicates have these.
    """
    if replicates < 1:
        raise UsageError("bootstrap-replicates", replicates=replicates)
    gauge = SegmentGauge(test, roc.p, roc.q, level, fixed_thresholds)
    (found,) = draw_segments([MeasuredCurve(gauge, roc)], replicates, generator(seed), progress=progress)
    fewest = min(roc.p, roc.q)
    return SegmentBootstrap(
        replicates,
        seed,
        {name: percentile_interval(of, level, fewest=fewest) for name, of in zip(MEASURES, found.T, strict=True)},
        empty=int(np.isnan(found[:, -1]).sum()),
    )


@dataclass(frozen=True, slots=True)
class SegmentGauge:
    """Finds the confident segment of each replicate and measures it, in floats."""

    test: PairedTest
    p: int
    q: int
    level: float
    fixed_thresholds: bool

    def __call__(self, drawn: Replicates | DrawnCases) -> Floats:
        """Return the measures, one line a replicate."""
        first, stop = self.runs(drawn)
        some = np.flatnonzero(stop > first)
        found = np.zeros((len(drawn), len(MEASURES)))
        found[:, 4:] = np.nan
        if len(some):
            found[some] = self._measured(drawn, some, first[some], stop[some])
        return found

    def is_within(self, drawn: Replicates, *, begins: bool, ends: bool) -> bool:
        """Whether the segments surely begin and end in the rows drawn, unless the curve begins or ends there too."""
        first = np.zeros((len(drawn), 1), dtype=np.intp)
        return (begins or bool(self._beyond(drawn, first, +1).all())) and (
            ends or bool(self._beyond(drawn, first + (drawn.width - 1), -1).all())
        )

    def runs(self, drawn: Replicates | DrawnCases) -> tuple[Indices, Indices]:
        """Return the first confident column of each replicate, and the column after the last."""
        start = np.zeros(len(drawn), dtype=np.intp)
        first = _leading(lambda at: self._beyond(drawn, at, +1), start, drawn.width)
        return first, _leading(lambda at: ~self._beyond(drawn, at, -1), first, drawn.width)

    def _beyond(self, drawn: Replicates | DrawnCases, at: Indices, sign: int) -> Flags:
        """Return whether the errors differ at some columns of each replicate, with this sign of b - c."""
        lines = np.repeat(np.arange(len(at)), at.shape[1])
        m = Confusion(*drawn.at(lines, at.ravel()), self.p, self.q)
        differs = self.test.differs(m, self.level) & (sign * (m.fn - m.fp) > 0)
        return differs.reshape(at.shape)

    def _measured(self, drawn: Replicates | DrawnCases, of: Indices, first: Indices, stop: Indices) -> Floats:
        lengths = stop - first
        starts = np.cumsum(lengths) - lengths
        columns = np.arange(int(lengths.sum())) + np.repeat(first - starts, lengths)
        tp, fp = drawn.at(np.repeat(of, lengths), columns)
        right, up = np.diff(fp, prepend=0), np.diff(tp, prepend=0)
        right[starts] = 0
        drawn_here = (right > 0) | (up > 0) | self.fixed_thresholds
        drawn_here[starts] = True
        height = (2 * tp - up).astype(np.float64)
        difference = (self.p - tp - fp) * drawn_here

        def total(values: Floats | Counts | Flags) -> Floats:
            return np.add.reduceat(values, starts, dtype=np.float64)

        x0, y0, x1, y1 = (
            of_class[row] / total_of_class
            for row in (starts, starts + lengths - 1)
            for of_class, total_of_class in ((fp, self.q), (tp, self.p))
        )
        cauc = x1 * y1 - x0 * y0
        cauc_tp = total(right * height) / (2.0 * self.p * self.q)
        cauc_fp = np.maximum(cauc - cauc_tp, 0)  # not below it by rounding
        of_all = float(self.p + self.q) * total(drawn_here)
        return np.column_stack(
            [
                cauc,
                cauc_tp,
                cauc_fp,
                y1 - y0 - cauc_fp + y0 * (x1 - x0),
                total(difference) / of_all,
                total(np.abs(difference)) / of_all,
            ]
        )


def _leading(holds: Callable[[Indices], Flags], start: Indices, width: int) -> Indices:
    """Return, for each replicate, the first column from `start` at which a condition no longer holds.

    Each step tests several columns and keeps the gap in which the change lies.
    """
    low, high = start, np.full(len(start), width)
    parts = np.arange(max(2, PROBES // len(start)))
    while (low < high).any():
        at = low[:, None] + (high - low)[:, None] * parts // len(parts)
        held = (holds(np.minimum(at, width - 1)) & (low < high)[:, None]).sum(axis=1)
        last_held = at[np.arange(len(at)), np.maximum(held - 1, 0)]
        next_ = at[np.arange(len(at)), np.minimum(held, len(parts) - 1)]
        low, high = (
            np.where(held > 0, last_held + 1, low),
            np.where(held == 0, low, np.where(held < len(parts), next_, high)),
        )
    return low
