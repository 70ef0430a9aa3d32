r"""Curves of clustered cases: the variance of the area, and the effective sizes of the rates at each threshold.

A rate is a share x/m of cells of the confusion matrix, and :math:`\sum_i (x_i - m_i p)^2` over the clusters is a
quadratic form in their cells: with the sums of the products of every two cells (`RowSizes`), which change case by
case along the curve, the variances of all rates at all thresholds take one pass.
"""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocconf.compute.roc.cells import CELLS
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.roc.metrics import AT_A_POINT
from rocconf.compute.stats.estimate import unseen_share
from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.stats.paired_tests import PairedTest
from rocconf.compute.stats.score_tests import Limits, tango_limits
from rocconf.compute.stats.shares import Dice
from rocconf.dataclass import dataclass
from rocconf.records import ROBUST
from rocconf.table import Column, Table, record_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocconf.compute.roc.metrics import Rate
    from rocconf.compute.roc.observed import Observed
    from rocconf.compute.roc.operating import OperatingPoint
    from rocconf.compute.stats.confusion import Confusion
    from rocconf.records import ClusteredCases, Counts, Flags, Floats, ScoreCounts

    Weights = tuple[Any, Any, Any, Any]
    """The weights of the cells tp, fn, fp and tn."""

SIZES = "effective_sizes"
"""The table of the effective sizes of clustered cases at operating points."""

NO_VARIANCE = "the variance between clusters is 0"
NO_VALUE = "nothing is predicted so"
SIZE_COLUMNS = (
    *(Column(name, "text") for name in ("model", "rule", "metric")),
    *(Column(name, "number", NO_VALUE) for name in ("value", "lower", "upper")),
    *(Column("clusters", "count"), Column("equal_clusters", "number"), Column("effective_n", "number")),
    Column("effective_df", "number", NO_VARIANCE),
)

TANGO = "tango"
"""The test that honours clusters."""

LEAST = 1e-12
"""The share of the terms below which their sum is 0 but for rounding errors."""


@dataclass(frozen=True, slots=False, eq=False)
class RowSizes:
    """The effective sizes at the rows of counts, as intervals that tables show take them."""

    counts: ScoreCounts
    cases: ClusteredCases

    @cached_property
    def _flagged(self) -> Counts:
        """The cases that each row predicts positive."""
        return self.counts.tp + self.counts.fp

    @cached_property
    def _products(self) -> dict[tuple[int, int], Floats]:
        """The sums over the clusters of the products of two cells at each row, added up from case to case."""
        cases, order = self.cases, np.argsort(self.cases.row, kind="stable")
        positive, cluster = cases.positive[order], cases.cluster[order]
        p, q = (np.bincount(cluster[some], minlength=len(cases)) for some in (positive, ~positive))
        tp, fp = _earlier(cluster, positive), _earlier(cluster, ~positive)
        before = tp, p[cluster] - tp, fp, q[cluster] - fp
        step = positive.astype(np.int64), -positive.astype(np.int64), 1 - positive, positive - 1
        at_start = np.zeros_like(p), p, np.zeros_like(q), q
        products = {}
        for a, b in combinations_with_replacement(range(4), 2):
            change = before[a] * step[b] + step[a] * before[b] + step[a] * step[b]
            total = np.concatenate([[0], np.cumsum(change)])[self._flagged]
            products[a, b] = (int((at_start[a] * at_start[b]).sum()) + total).astype(np.float64)
        return products

    def _rows(self, matrix: Confusion) -> Counts:
        return np.searchsorted(self._flagged, matrix.predicted_positive)

    def of_share(self, rate: Rate, matrix: Confusion) -> tuple[Floats, Floats]:
        """Return the hits and the cases of a share as so many independent cases would have them."""
        p, n, weights, cells = _residuals(rate, matrix)
        with np.errstate(invalid="ignore"):
            size = self._effective_n(self._rows(matrix), weights, p * (1 - p), n, cells)
        return np.where(n > 0, p * size, 0.0), np.where(n > 0, size, 0.0)

    def of_difference(self, matrix: Confusion) -> Floats:
        """Return the effective number of cases for the error difference."""
        b, c, n = matrix.fn.astype(np.float64), matrix.fp.astype(np.float64), matrix.n
        difference = (b - c) / n
        weights = -difference, 1 - difference, -1 - difference, -difference
        return self._effective_n(
            self._rows(matrix), weights, (4 * b * c + (b + c) * (n - b - c)) / n**2, n, (1, 1, 1, 1)
        )

    def correlation(self, first: Rate, second: Rate, matrix: Confusion, *, level: float) -> Floats:
        """Return the correlation of two shares, less what clusters that go their own way leave of one below 0."""
        rows, (one, other) = self._rows(matrix), (_residuals(rate, matrix) for rate in (first, second))
        u, v = (tuple(weight / of.n for weight in of.weights) for of in (one, other))
        sums, differences = (
            self._squares(rows, tuple(a + sign * b for a, b in zip(u, v, strict=True)))[0] for sign in (1, -1)
        )
        (of_one, most), (of_other, most_other) = (self._squares(rows, each) for each in (u, v))
        is_known = (of_one > LEAST * most) & (of_other > LEAST * most_other)
        both = np.where(is_known, (sums - differences) / (4 * np.sqrt(np.where(is_known, of_one * of_other, 1.0))), 0.0)
        r: Floats = np.where(both < 0, (1 - unseen_share(len(self.cases), 1 - level)) * both, both)
        return r

    def _effective_n(self, rows: Counts, weights: Weights, spread: Floats, n: Any, cells: Weights) -> Floats:
        """Return the effective sizes, from the residual that each cell adds to its cluster.

        Where all clusters are alike it is the number of clusters of equal size (Kish).
        """
        total, scale = self._squares(rows, weights)
        alike, squared = self._squares(rows, cells)[0], np.square(np.asarray(n, dtype=np.float64))
        is_known = (total > LEAST * scale) & (spread > 0)
        known = np.divide(spread * squared, total, out=total, where=is_known)
        return np.where(is_known, np.minimum(known, n), squared / np.where(alike, alike, 1.0))

    def _squares(self, rows: Counts, weights: Weights) -> tuple[Floats, Floats]:
        """Return the sum over the clusters of the square of a weighted sum of their cells, and that of its terms' sizes."""
        total, scale = np.zeros(len(rows)), np.zeros(len(rows))
        for (a, b), sums in self._products.items():
            term = (1 + (a != b)) * weights[a] * weights[b] * sums[rows]
            total += term
            scale += np.abs(term)
        return total, scale


class Residuals(NamedTuple):
    """A share at each row, of how many cases, and what each cell adds to its cluster."""

    p: Floats
    n: Floats
    weights: Weights
    cells: Weights


def _residuals(rate: Rate, matrix: Confusion) -> Residuals:
    hits, n = (np.broadcast_to(each, matrix.tp.shape) for each in rate.counted(matrix))
    x, m = (np.broadcast_to(each, 4)[::-1] for each in rate.counted(CELLS))
    with np.errstate(invalid="ignore"):
        p, rest = hits / n, (n - hits) / n
    weights = tuple(x[cell] * rest - (m[cell] - x[cell]) * p for cell in range(4))
    return Residuals(p, n, weights, tuple(m))


def row_sizes(counts: ScoreCounts) -> RowSizes | None:
    """Return the effective sizes at the rows of counts; None of independent cases."""
    return None if counts.clusters is None else RowSizes(counts, counts.clusters)


def sizes_table(of: Observed, points: Sequence[OperatingPoint], *, level: float) -> Table:
    """Return each share at each operating point with the interval of rules and what it follows from at any level."""
    points = points if of.counts.clusters is not None else ()
    return Table.of(SIZES, SIZE_COLUMNS, [row for point in points for row in _sizes(of, point, level)])


def _sizes(of: Observed, point: OperatingPoint, level: float) -> Iterator[dict[str, Any]]:
    """Yield for each share at a point its interval of rules, and what that follows from."""
    cells = of.cells(point.tp, point.fp)
    for name, rate in AT_A_POINT.items():
        if not rate.is_column and name != "diff":
            continue
        found = rate.estimate(cells, of.kind)
        share = found.of if isinstance(found, Dice) else found
        size = getattr(share, "size", None)
        if found is None or size is None or (of.kind != ROBUST and isinstance(found, Dice)):
            continue
        around = found.interval(level)
        shown = of.counts.model, point.rule.text, name, found.value, *(around.ends if around else (None, None))
        yield record_of(SIZE_COLUMNS, (*shown, size.units, size.kish, size.effective, size.df))


@dataclass(frozen=True)
class ClusteredScoreTest(PairedTest):
    """Tango's test with the errors and the cases divided by their design effect."""

    sizes: RowSizes = field(kw_only=True)

    def differs(self, m: Confusion, level: float) -> Flags:
        """Compare in floats."""
        return np.abs(self.z(m)) > normal_quantile(level)

    def z(self, m: Confusion) -> Floats:
        """Return t / sqrt(s) of the effective counts."""
        b, c, _ = self._effective(m)
        with np.errstate(invalid="ignore"):
            return np.where(b == c, 0.0, (b - c) / np.sqrt(b + c))

    def limits(self, m: Confusion, level: float) -> Limits:
        """Return Tango's interval of the effective counts."""
        return tango_limits(*self._effective(m), normal_quantile(level))

    def _effective(self, m: Confusion) -> tuple[Floats, Floats, Floats]:
        size = self.sizes.of_difference(m)
        return m.fn / m.n * size, m.fp / m.n * size, size


def clustered_test(test: PairedTest, counts: ScoreCounts, cases: ClusteredCases) -> ClusteredScoreTest:
    """Return Tango's test for clustered cases, which is the only one that honours them."""
    if test.name != TANGO:
        require_independent(counts, "clusters-test")
    return ClusteredScoreTest(test.name, test.title, is_one_run=False, sizes=RowSizes(counts, cases))


def _earlier(cluster: Counts, of_class: Flags) -> Counts:
    """Return for each case how many of a class are before it in its cluster."""
    order = np.argsort(cluster, kind="stable")
    counted: Counts = np.cumsum(of_class[order]) - of_class[order]
    sizes = np.bincount(cluster)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    earlier = np.empty(len(cluster), dtype=np.int64)
    earlier[order] = counted - np.repeat(counted[np.minimum(starts, len(cluster) - 1)], sizes)
    return earlier
