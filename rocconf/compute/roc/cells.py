r"""Measures of a confusion matrix as estimates: shares, sums and ratios of shares, and functions of the four cells.

A case lies in one of four cells, by its label and its prediction. What a measure needs of it is the derivative of the
measure in the share of its cell, so a measure is declared as a function of confusion matrices and no more. The
derivative is that of a complex step [1]_, exact to rounding.

Of a share of some cells among others, one more hit that the sample may have missed weighs as a case of the classes of
the hits.

References
----------
.. [1] W. Squire, G. Trapp (1998), SIAM Review 40, 110-112.
"""

from __future__ import annotations

from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.design import Design
from rocconf.compute.stats.estimate import Ratio, Size, Skewed, Sum
from rocconf.compute.stats.shares import PairedShares, Share
from rocconf.dataclass import dataclass
from rocconf.records import ROBUST

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from rocconf.compute.stats.design import Contributions
    from rocconf.records import Flags, Floats, IntervalKind

    Matrices = Callable[[Any], Any]

CELLS = Confusion(np.array([0, 0, 0, 1]), np.array([0, 1, 0, 0]), np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0]))  # type: ignore[arg-type]  # a matrix for each cell
"""The matrix of one case in each cell: tn, fp, fn, tp, so that a cell is twice the label plus the prediction."""
STEP = 1e-30
NOTHING = 1e-26
"""The share of the squares of single cases below which the squares of units are rounding error."""
BOTH = (True, True)
ANY_MASS, TOUCHED = np.array([1.0, 1.7, 2.9, 4.3]), 1e-9
"""A matrix at which the derivatives of no measure are 0 by chance, and what is above 0 there."""


@dataclass(frozen=True, slots=True, eq=False)
class ShareOf:
    """A share of the cases in some cells among those in others."""

    hits: Floats
    """Which cells are hits, 1 or 0."""
    cases: Floats
    more_hits: tuple[bool, bool]
    """The classes, negatives first, that one more hit can be of."""
    more_misses: tuple[bool, bool]

    @classmethod
    def by(cls, count: Matrices, *, either: bool = False) -> ShareOf:
        """Return the share whose hits and cases a function counts; `either` lets one more case be of any class."""
        hits, cases = (np.broadcast_to(each, 4).astype(np.float64) for each in count(CELLS))
        return cls(hits, cases, *((BOTH, BOTH) if either else (_classes(hits), _classes(cases - hits))))


def _classes(cells: Floats) -> tuple[bool, bool]:
    return bool(cells[:2].any()), bool(cells[2:].any())


@dataclass(frozen=True)
class CellCases:
    """The cases in their cells, of one model: `cell` of each item of a design."""

    design: Design
    cell: Any

    @classmethod
    def counted(cls, tp: int, fp: int, p: int, q: int) -> CellCases:
        """Return independent cases of weight 1, from their numbers."""
        cells = np.array([q - fp, fp, p - tp, tp], dtype=np.float64)
        return cls(Design(np.array([0, 0, 1, 1]), times=cells), np.arange(4))

    @cached_property
    def mass(self) -> Floats:
        """The weight in each cell."""
        return np.bincount(self.cell, self.design.mass_of_items, minlength=4).astype(np.float64)

    @property
    def matrix(self) -> Confusion:
        """The confusion matrix of weights."""
        tn, fp, fn, tp = self.mass
        return Confusion(np.array([tp]), np.array([fp]), float(tp + fn), float(fp + tn))  # type: ignore[arg-type]

    def contributed(self, of: Matrices, design: Design) -> Contributions | None:
        """Return what each unit of a design of these cases contributes to a function of the cells."""
        slopes = derivatives(of, self.mass)
        if not np.isfinite(slopes).all():
            return None
        return design.contributed(slopes[self.cell], together=True, within=touched(of)[self.cell])

    def share(self, of: ShareOf, kind: IntervalKind = ROBUST) -> Share | None:
        """Return a share with its interval; None where there is no such case."""
        hits, cases = float(self.mass @ of.hits), float(self.mass @ of.cases)
        if not cases:
            return None
        if self.design.is_plain:
            return Share(hits, cases, kind)
        within = of.cases[self.cell] > 0
        n = int(np.count_nonzero(within))
        size = size_of(of.hits[self.cell], within, self.design, hits / cases * (1 - hits / cases))
        return Share(hits / cases * n, n, kind, size, self._unseen(of, hits, cases))

    def _unseen(self, of: ShareOf, hits: float, cases: float) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """Return the share and the weight of a case with one more hit, and with one more miss."""
        design, weights = self.design, self.design.weights
        if weights is None or weights.min() == weights.max():
            return None
        found = []
        kinds = (of.hits, hits, of.more_hits), (of.cases - of.hits, cases - hits, of.more_misses)
        for cells, total, classes in kinds:
            one = max(
                share * float(mass)
                for share, mass, counts in zip(design.case_shares, design.mass, classes, strict=True)
                if counts
            )
            squares = float((weights[cells[self.cell] > 0] ** 2).sum())
            share = (total + one) / cases
            found.append((share, (squares + one**2) / (cases**2 * share)))
        return found[0], found[1]

    def combined(self, first: ShareOf, second: ShareOf) -> tuple[float, float]:
        """Return the correlation of two shares, and the units with a case under either."""
        one, other = ((of.hits[self.cell], of.cases[self.cell] > 0) for of in (first, second))
        return _combined(one, other, self.design)

    def weighted(
        self,
        parts: tuple[ShareOf, ShareOf],
        weights: tuple[float, float],
        *,
        ends: tuple[float, float],
        shift: float = 0.0,
        kind: IntervalKind = ROBUST,
    ) -> Sum | None:
        """Return the weighted sum of two shares, plus a number."""
        found = self._both(parts, kind)
        if found is None:
            return None
        return Sum(found[0], weights, *found[1:], *ends, is_difference=False, shift=shift)

    def difference(self, parts: tuple[ShareOf, ShareOf], kind: IntervalKind = ROBUST) -> PairedShares:
        """Return the difference of two shares of all cases, of which a case is a hit of one at most."""
        one, other = (part.hits[self.cell] for part in parts)
        return _difference(one - other, np.ones(len(one), dtype=np.bool_), self.design, kind)

    def ratio(self, parts: tuple[ShareOf, ShareOf]) -> Ratio | None:
        """Return the ratio of two shares; None where it is 0/0."""
        found = self._both(parts)
        return None if found is None or not any(part.value for part in found[0]) else Ratio(*found)

    def _both(
        self, parts: tuple[ShareOf, ShareOf], kind: IntervalKind = ROBUST
    ) -> tuple[tuple[Share, Share], float, float] | None:
        one, other = (self.share(part, kind) for part in parts)
        if one is None or other is None:
            return None
        return (one, other), *self.combined(*parts)

    def function(self, of: Matrices, *, ends: tuple[float, float]) -> Skewed | None:
        """Return a function of the cells as an estimate; None where it has no value."""
        slopes = derivatives(of, self.mass)
        value = float(np.asarray(of(self.matrix)).flat[0])
        if not np.isfinite([value, *slopes]).all():
            return None
        moved = np.array([abs(slopes[1] - slopes[0]), abs(slopes[3] - slopes[2])])
        sums = self.design.sums(slopes[self.cell], together=True)
        pseudo = self.design.pseudo_of_mean(moved, moved * _skill(self.mass), sums)  # type: ignore[arg-type]
        value = min(max(value, ends[0]), ends[1])  # of weights, rounding may pass the ends
        return Skewed(value, sums, pseudo, *ends, is_difference=False)


def touched(of: Matrices) -> Flags:
    """Return which cells a function of matrices depends on."""
    return np.abs(derivatives(of, ANY_MASS)) > TOUCHED


def _skill(mass: Floats) -> float:
    tn, fp, fn, tp = mass
    return abs(float(tp / (tp + fn) - fp / (fp + tn)))


@dataclass(frozen=True)
class PairedCells:
    """The same cases in the cells of two models."""

    design: Design
    first: Any
    second: Any

    @classmethod
    def counted(cls, counts: ArrayLike) -> PairedCells:
        """Return independent cases of weight 1, from their numbers by label, first and second prediction (2 x 2 x 2)."""
        label, first, second = np.indices((2, 2, 2)).reshape(3, -1)
        return cls(
            Design(label, times=np.asarray(counts, dtype=np.float64).ravel()), 2 * label + first, 2 * label + second
        )

    @cached_property
    def models(self) -> tuple[CellCases, CellCases]:
        """The cells of each model."""
        return CellCases(self.design, self.first), CellCases(self.design, self.second)

    def share(self, of: ShareOf, kind: IntervalKind = ROBUST) -> PairedShares | None:
        """Return the difference of a share whose cases are the same in both models; None where there is no such case."""
        within = of.cases[self.first] > 0
        if not self.design.mass_of_items[within].any():
            return None
        return _difference(of.hits[self.first] - of.hits[self.second], within, self.design, kind)

    def weighted(
        self,
        parts: tuple[ShareOf, ShareOf],
        weights: tuple[float, float],
        kind: IntervalKind = ROBUST,
        *,
        ends: tuple[float, float],
    ) -> Sum | None:
        """Return the weighted sum of the differences of two shares."""
        one, other = (self.share(part, kind) for part in parts)
        if one is None or other is None:
            return None
        first, second = ((of.hits[self.first] - of.hits[self.second], of.cases[self.first] > 0) for of in parts)
        return Sum((one, other), weights, *_combined(first, second, self.design), *ends, test="mover")

    def function(self, of: Matrices, *, ends: tuple[float, float]) -> Skewed | None:
        """Return the difference of a function of the cells; None where it has no value in a model."""
        one, other = (derivatives(of, model.mass) for model in self.models)
        values = [float(np.asarray(of(model.matrix)).flat[0]) for model in self.models]
        if not np.isfinite([*values, *one, *other]).all():
            return None
        reach = [
            max(
                abs(float(slopes[2 * k + 1] - slopes[2 * k])) * _skill(model.mass)
                for slopes, model in zip((one, other), self.models, strict=True)
            )
            for k in (0, 1)
        ]
        largest = [
            float(np.abs(np.subtract.outer(one[2 * k : 2 * k + 2], other[2 * k : 2 * k + 2])).max()) for k in (0, 1)
        ]
        sums = self.design.sums(one[self.first] - other[self.second], together=True)
        pseudo = self.design.pseudo_of_mean(largest, reach, sums)
        return Skewed(values[0] - values[1], sums, pseudo, *ends)


def _combined(first: tuple[Floats, Flags], second: tuple[Floats, Flags], design: Design) -> tuple[float, float]:
    """Return the correlation of two means, each of numbers over some cases, and the units with a case under either."""
    one, other = (_contributions(*each, design) for each in (first, second))
    times = np.ones(len(one)) if design.times is None else design.times
    squares, under = float((times * one**2).sum() * (times * other**2).sum()), first[1] | second[1]
    units = float(times[under].sum()) if design.unit is None else float(len(np.unique(design.unit[under])))
    return (float((times * one * other).sum()) / sqrt(squares) if squares > NOTHING**2 else 0.0), units


def _difference(x: Floats, within: Flags, design: Design, kind: IntervalKind) -> PairedShares:
    """Return the mean of -1, 0 and 1 over some cases."""
    mass = design.mass_of_items
    total = float(mass[within].sum())
    b, c = (float(mass[within & (x * sign > 0)].sum()) for sign in (1, -1))
    if design.is_plain:
        return PairedShares(b, c, total, kind)
    n, b, c = int(np.count_nonzero(within)), b / total, c / total
    size = size_of(x, within, design, b + c - (b - c) ** 2)
    return PairedShares(b * n, c * n, n, kind, size)


def derivatives(of: Matrices, mass: Floats) -> Floats:
    """Return the derivative of a function of matrices in the share of each cell, minus its mean over the cells."""
    shares = mass / mass.sum()
    tn, fp, fn, tp = shares[:, None] + 1j * STEP * np.eye(4)
    with np.errstate(all="ignore"):
        found = np.asarray(of(Confusion(tp, fp, tp + fn, fp + tn))).imag / STEP
    return np.asarray(found - shares @ found)


def _contributions(x: Floats, within: Flags, design: Design) -> Floats:
    mass = np.where(within, design.mass_of_items, 0.0)
    total = float(mass.sum())
    each = np.where(within, x - float((mass * x).sum()) / total, 0.0) / total
    if design.weights is not None:
        each *= design.weights
    return design.added_up(each)


def size_of(x: Floats, within: Flags, design: Design, spread: float) -> Size:
    """Return what some cases are worth for the mean of x, whose cases were independent would have this spread."""
    weights = np.where(within, 1.0 if design.weights is None else design.weights, 0.0)
    total = float(weights.sum())
    single = weights * (x - float((weights * x).sum()) / total) / total
    of_units, masses = design.added_up(single), design.added_up(weights)
    kish = total**2 / float((masses**2).sum())
    squares, fourths = float((of_units**2).sum()), float((of_units**4).sum())
    units = int(np.count_nonzero(masses))
    if np.ptp(x[within]) == 0 or squares < NOTHING * float((single**2).sum()):
        return Size(kish, kish, None, units)
    return Size(spread / squares, kish, squares**2 / fourths, units)
