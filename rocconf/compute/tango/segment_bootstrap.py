"""Intervals for the confident segment's areas and mean error differences, by a stratified bootstrap.

They show how the measures vary among samples of this size, with as many positives and negatives: at this n, since
the areas shrink as n grows. In a simulation intervals at 95% contained the mean of the measure 98.8% of the time.

Rows are drawn in a window around the segment. Farther out the errors of both kinds differ by so many standard deviations
that the segment of a replicate reaches there with a probability below :math:`10^{-12}`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.independent import require_independent
from rocconf.compute.stats.confusion import Confusion, ratio
from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.stats.resampling import Draws, resampled
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.compute.tango.segment import MEASURES
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.stats.paired_tests import PairedTest
    from rocconf.compute.stats.resampling import Indices, Progress
    from rocconf.records import Flags, Floats

MARGIN = 8.0
"""How many standard deviations of b - c a window reaches farther than the interval of the level."""


@dataclass(frozen=True, slots=True)
class SegmentBootstrap:
    """The bootstrap interval of each measure, whose ends may be unknown."""

    replicates: int
    seed: int
    draws: dict[str, Draws]
    """The replicates of each measure."""
    empty: int
    """The number of replicates without a confident row, and so without a mean error difference."""


def segment_bootstrap(
    roc: Curve, gauge: SegmentGauge, *, replicates: int, seed: int = SEED, progress: Progress | None = None
) -> SegmentBootstrap:
    """Return percentile intervals over replicates of the curve."""
    if replicates < 1:
        raise UsageError("bootstrap-replicates", replicates=replicates)
    require_independent(roc, "clusters-bootstrap")
    drawn = resampled(roc.confusion(window(roc, gauge.level)), replicates, generator(seed), progress)
    found, fewest = np.concatenate([gauge(m) for m in drawn]), min(roc.p, roc.q)
    draws = {name: Draws.of(of, fewest=fewest) for name, of in zip(MEASURES, found.T, strict=True)}
    return SegmentBootstrap(replicates, seed, draws, empty=int(np.isnan(found[:, -1]).sum()))


def window(roc: Curve, level: float) -> slice:
    """Return the rows that hold the confident segments of a curve and of its replicates."""
    z = normal_quantile((1 + level) / 2) + MARGIN
    difference = roc.p - roc.tp - roc.fp
    reach = z * np.sqrt(roc.p - roc.tp + roc.fp) + z * z
    before, after = (int(np.count_nonzero(beyond)) for beyond in (difference > reach, difference < -reach))
    return slice(max(before - 1, 0), len(roc) - max(after - 1, 0))


@dataclass(frozen=True, slots=True)
class SegmentGauge:
    """Finds the confident segment of each replicate and measures it, in floats."""

    test: PairedTest
    level: float
    fixed_thresholds: bool
    """Whether all replicates have the thresholds of a list; otherwise those of each are the distinct scores drawn."""

    def __call__(self, drawn: Confusion) -> Floats:
        """Return the measures, one line for each replicate: of no rows, areas of 0 and NaN for the means."""
        p, q, lines, width = drawn.p, drawn.q, np.arange(len(drawn.tp)), drawn.tp.shape[1]

        def differs(columns: Indices, sign: int) -> Flags:
            m = Confusion(drawn.tp[lines, columns], drawn.fp[lines, columns], p, q)
            return self.test.differs(m, self.level) & (sign * (m.fn - m.fp) > 0)

        first = _leading(lambda at: differs(at, +1), np.zeros_like(lines), width)
        stop = _leading(lambda at: ~differs(at, -1), first, width)
        near = slice(first.min(), stop.max())
        tp, fp = drawn.tp[:, near], drawn.fp[:, near]
        up, right = (np.diff(of, axis=1, prepend=of[:, :1]) for of in (tp, fp))
        columns = np.arange(near.start, near.start + tp.shape[1])
        inside = (columns >= first[:, None]) & (columns < stop[:, None])
        begins = columns == first[:, None]
        is_threshold = inside & ((up + right > 0) | begins | self.fixed_thresholds)
        difference = (p - tp - fp) * is_threshold
        start = np.minimum(first, width - 1)
        ends = start, np.maximum(stop - 1, start)
        (x0, x1), (y0, y1) = ([of[lines, at] / total for at in ends] for of, total in ((drawn.fp, q), (drawn.tp, p)))
        cauc = x1 * y1 - x0 * y0
        cauc_tp = (right * (2.0 * tp - up) * (inside & ~begins)).sum(axis=1) / (2.0 * p * q)
        cauc_fp = np.maximum(cauc - cauc_tp, 0)  # not below it by rounding
        cauc_roc = y1 - y0 - cauc_fp + y0 * (x1 - x0)
        cases = float(p + q) * is_threshold.sum(axis=1)
        means = (ratio(of.sum(axis=1, dtype=np.float64), cases) for of in (difference, np.abs(difference)))
        return np.column_stack([cauc, cauc_tp, cauc_fp, cauc_roc, *means])


def _leading(holds: Callable[[Indices], Flags], low: Indices, width: int) -> Indices:
    """Return, for each replicate, the first column from `low` at which a condition no longer holds, by bisection."""
    high = np.full_like(low, width)
    while (low < high).any():
        middle = (low + high) // 2
        still = (low < high) & holds(np.minimum(middle, width - 1))
        low, high = np.where(still, middle + 1, low), np.where(still, high, middle)
    return low
