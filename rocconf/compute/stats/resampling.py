r"""Draws with replacement, within each stratum as many units as there are, and percentile intervals of what they show.

A resample is a vector of weights: how often each unit was drawn. Units that no statistic tells apart share a cell, whose
weight is their sum; weights of cells are multinomial. Every statistic cumulates the same weights in its own order of
cells. Units are cases here; a resample of clusters draws these as units, and the weight of a case is that of its
cluster times its own.

Of B replicates, in order, the limits are the k-th from below and the k-th from above, :math:`k = \lfloor (B+1)(1 -
level)/2 \rfloor`, and the p-value is twice the smaller share of replicates on either side of 0, the observed sample
counted as one of them [1]_: it is below 1 - level exactly where 0 lies outside the limits. A replicate without a value
may lie on either side. The limits are unknown with too few replicates for the level, and where replicates cannot vary as
samples do: with a single case of a class, which is drawn every time, or where all replicates are equal.

References
----------
.. [1] A. C. Davison, D. V. Hinkley (1997), Bootstrap Methods and their Application, Cambridge, sections 4.2 and 5.3.
"""

from __future__ import annotations

from math import ceil, inf, nan
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.estimate import Estimate, form
from rocconf.compute.stats.seeds import ROUNDING
from rocconf.dataclass import dataclass
from rocconf.errors import UndefinedError
from rocconf.records import UNKNOWN, Interval

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from rocconf.records import Counts, Flags, Floats

    Indices = NDArray[np.intp]
    Progress = Callable[[int], None]
    """Called with the number of replicates finished since the last call."""

MOST_WEIGHTS = 1 << 20
"""The number of weights drawn at a time, over several replicates."""

FEW_UNITS = 8
"""The units per cell below which they are drawn one by one, which then takes half the time of a multinomial."""

MOST_CASES = 2**43
"""The most cases of a class to draw: a multinomial rounds the share of a cell, here to a thousandth of a case."""


MOST_KEPT = 10_001
"""The most replicates that are kept, and stand in reports; of more, so many quantiles."""


def resamples(
    *strata: Counts, count: int, rng: Generator, progress: Progress | None = None
) -> Iterator[tuple[Counts, ...]]:
    """Yield the weights of the cells of each stratum, given the units in each; one line for each replicate of a batch.

    `progress` is called with the size of a batch when the next one is requested.
    """
    if any(int(units.sum()) > MOST_CASES for units in strata):
        positives, negatives = (int(units.sum()) for units in (strata[0], strata[-1]))
        raise UndefinedError("resample-too-many", most=MOST_CASES, positives=positives, negatives=negatives)
    at_once = max(1, MOST_WEIGHTS // sum(map(len, strata)))
    for done in range(0, count, at_once):
        size = min(at_once, count - done)
        yield tuple(_weights(units, size, rng) for units in strata)
        if progress:
            progress(size)


def _weights(units: Counts, count: int, rng: Generator) -> Counts:
    total, width = int(units.sum()), len(units)
    if total < FEW_UNITS * width:
        at = np.repeat(np.arange(width), units)[rng.integers(total, size=(count, total))]
        at += np.arange(count)[:, None] * width
        return np.bincount(at.ravel(), minlength=count * width).reshape(count, width)
    weights = np.zeros((count, width), dtype=np.int64)
    some = np.flatnonzero(units)  # what rounding leaves over goes to the last cell, which must not be empty
    weights[:, some] = rng.multinomial(total, units[some] / total, size=count)
    return weights


def resampled(m: Confusion, count: int, rng: Generator, progress: Progress | None = None) -> Iterator[Confusion]:
    """Yield replicates of the confusion matrices at some rows of a curve, a line for each."""
    strata = [np.diff(of, prepend=0, append=total) for of, total in ((m.tp, m.p), (m.fp, m.q))]
    for positives, negatives in resamples(*strata, count=count, rng=rng, progress=progress):
        tp, fp = (np.cumsum(weights, axis=1, out=weights)[:, :-1] for weights in (positives, negatives))
        yield Confusion(tp, fp, m.p, m.q)


def resampled_together(
    labels: Flags,
    columns: Sequence[Indices],
    widths: Sequence[int],
    count: int,
    *,
    rng: Generator,
    progress: Progress | None = None,
) -> Iterator[tuple[Confusion, ...]]:
    """Yield replicates of several curves, all of the same drawn cases.

    `columns` has, for each curve, the first of its rows at which each case is predicted positive, its width if at none.
    """
    strata = [_Cells.of([of[own] for of in columns], widths) for own in (labels, ~labels)]
    p, q = (int(cells.units.sum()) for cells in strata)
    for drawn in resamples(*(cells.units for cells in strata), count=count, rng=rng, progress=progress):
        cumulated = (cells.cumulated(weights) for cells, weights in zip(strata, drawn, strict=True))
        yield tuple(Confusion(tp, fp, p, q) for tp, fp in zip(*cumulated, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """The cases of a class, those in the same column of every curve in one cell."""

    units: Counts
    orders: Sequence[tuple[Indices, Indices]]
    """For each curve the order of the cells, and how many of them are predicted positive at each row."""

    @classmethod
    def of(cls, columns: Sequence[Indices], widths: Sequence[int]) -> _Cells:
        """Divide cases; the order in which they come does not matter."""
        order = np.lexsort(columns)
        ordered = [of[order] for of in columns]
        starts = np.flatnonzero(np.logical_or.reduce([np.diff(of, prepend=-1) != 0 for of in ordered]))
        orders = []
        for of, width in zip(ordered, widths, strict=True):
            cells = of[starts]
            ranked = np.argsort(cells, kind="stable")
            orders.append((ranked, np.searchsorted(cells[ranked], np.arange(width), side="right")))
        return cls(np.diff(starts, append=len(order)), orders)

    def cumulated(self, weights: Counts) -> Iterator[Counts]:
        """Yield the weight that is predicted positive at each row of each curve."""
        for order, ends in self.orders:
            yield np.pad(np.cumsum(np.take(weights, order, axis=1), axis=1), ((0, 0), (1, 0)))[:, ends]


@form("drawn")
@dataclass(frozen=True, slots=True, eq=False)
class Draws(Estimate):
    """A value with its replicates in ascending order, those without a value last."""

    replicates: Floats
    fewest: int = 2
    """The number of cases of the smallest class."""
    value: float = nan
    is_certain: bool = False
    """Whether the value is equal in every sample, so that replicates need not vary."""
    kind: ClassVar[None] = None
    test: ClassVar[str] = "bootstrap"

    @classmethod
    def of(cls, drawn: Floats, *, fewest: int = 2, value: float = nan, is_certain: bool = False) -> Draws:
        """Sort replicates, and keep the quantiles of many."""
        found = np.sort(drawn)
        if len(found) > MOST_KEPT:
            found = found[np.linspace(0, len(found) - 1, MOST_KEPT).round().astype(np.intp)]
        return cls(found, fewest, value, is_certain)

    def limits(self, tails: float) -> Interval:
        lower, upper = map(float, percentile_limits(self._numbers, 1 - tails))
        is_known = self.is_certain or (lower < upper and self.fewest >= 2)
        return Interval(lower, upper) if is_known else UNKNOWN

    @property
    def _numbers(self) -> Floats:
        """The replicates as numbers: in a report those without a value are null."""
        return np.asarray(self.replicates, dtype=np.float64)

    @property
    def p(self) -> float | None:
        if self.is_certain:
            return 1.0
        known = self._numbers[~np.isnan(self._numbers)]
        return percentile_p(self._numbers) if self.fewest >= 2 and len(known) and known[0] < known[-1] else None


def percentile_limits(drawn: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the limits of each column of replicates, infinite where there are too few of them."""
    rank = int((len(drawn) + 1) * (1 - level) / 2 + ROUNDING)
    if rank == 0:
        unknown = np.full(drawn.shape[1:], inf)
        return -unknown, unknown
    below, above = (np.sort(np.where(np.isnan(drawn), missing, drawn), axis=0) for missing in (-inf, inf))
    return below[rank - 1], above[-rank]


def percentile_p(drawn: Floats) -> float:
    """Return the p-value of no difference: 1 minus the largest level at which the interval excludes 0."""
    beyond = (int((~(drawn > 0)).sum()), int((~(drawn < 0)).sum()))  # a missing value counts on both sides
    return min(1.0, 2 * (1 + min(beyond)) / (len(drawn) + 1))


def upper_percentile(drawn: Floats, level: float) -> float:
    """Return the value that a new draw exceeds with a probability of at most 1 - level."""
    rank = ceil((len(drawn) + 1) * level - ROUNDING)
    if rank > len(drawn):
        raise UndefinedError("few-draws", drawn=len(drawn), level=level, needed=ceil(level / (1 - level) - ROUNDING))
    return float(np.sort(drawn)[rank - 1])
