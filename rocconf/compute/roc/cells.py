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
from rocconf.compute.stats.estimate import Size, Skewed
from rocconf.compute.stats.shares import PairedShares, Share
from rocconf.dataclass import dataclass
from rocconf.records import ROBUST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from rocconf.compute.stats.design import Contributions
    from rocconf.records import Flags, Floats, IntervalKind

    Matrices = Callable[[Any], Any]

CELLS = Confusion(np.array([0, 0, 0, 1]), np.array([0, 1, 0, 0]), np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0]))  # type: ignore[arg-type]  # a matrix for each cell
"""The matrix of one case in each cell: tn, fp, fn, tp, so that a cell is twice the label plus the prediction."""
STEP = 1e-30
NOTHING = 1e-26
"""The share of the squares of single cases below which the squares of units are rounding error."""
ANY_MASS, TOUCHED = np.array([1.0, 1.7, 2.9, 4.3]), 1e-9
"""A matrix at which the derivatives of no measure are 0 by chance, and what is above 0 there."""


@dataclass(frozen=True, slots=True, eq=False)
class ShareOf:
    """A share of the cases in some cells among those in others."""

    hits: Floats
    """Which cells are hits, 1 or 0."""
    cases: Floats
    is_of_either: bool
    """Whether one more hit, or one more miss, can be of either class; otherwise it is of a class of the hits, or misses."""

    @classmethod
    def by(cls, count: Matrices, *, either: bool = False) -> ShareOf:
        """Return the share whose hits and cases a function counts."""
        hits, cases = (np.broadcast_to(each, 4).astype(np.float64) for each in count(CELLS))
        return cls(hits, cases, either)


@dataclass(frozen=True)
class Cells:
    """Cases in cells: of each item of a design what it counts for a share."""

    design: Design

    def of_items(self, of: ShareOf) -> tuple[Floats, Flags]:
        """Return what each item counts for a share, and which items count."""
        raise NotImplementedError

    def share(self, of: ShareOf, kind: IntervalKind = ROBUST) -> Any:
        """Return a share with its interval; None where there is no such case."""
        raise NotImplementedError

    def both(
        self, parts: Sequence[ShareOf], kind: IntervalKind = ROBUST
    ) -> tuple[tuple[Any, Any], float, float] | None:
        """Return two shares, the correlation of the two, and the units with a case under either.

        None where one has no case.
        """
        first, second = (self.share(part, kind) for part in parts)
        if first is None or second is None:
            return None
        design, found = self.design, [self.of_items(part) for part in parts]
        times = 1.0 if design.times is None else design.times
        of_cases = [_centred(*each, design) for each in found]
        x, y = of_units = [design.added_up(each) for each in of_cases]
        squares, least = ([float((times * each**2).sum()) for each in of] for of in (of_units, of_cases))
        is_noise = any(square <= NOTHING * low for square, low in zip(squares, least, strict=True))
        r = 0.0 if is_noise else float((times * x * y).sum()) / sqrt(squares[0] * squares[1])
        under = found[0][1] | found[1][1]
        units = float((times * under).sum()) if design.unit is None else float(len(np.unique(design.unit[under])))
        return (first, second), r, units


@dataclass(frozen=True)
class CellCases(Cells):
    """The cases in their cells, of one model: `cell` of each item of a design."""

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

    def of_items(self, of: ShareOf) -> tuple[Floats, Flags]:
        """Return whether each item is a hit, and which are among the cases."""
        return of.hits[self.cell], of.cases[self.cell] > 0

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
        share, (x, within) = hits / cases, self.of_items(of)
        n, size = int(np.count_nonzero(within)), size_of(x, within, self.design, share * (1 - share))
        return Share(share * n, n, kind, size, self._unseen(of, hits, cases))

    def _unseen(self, of: ShareOf, hits: float, cases: float) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """Return the share and the weight of a case with one more hit, and with one more miss."""
        design, weights = self.design, self.design.weights
        if weights is None or weights.min() == weights.max():
            return None

        def with_one_more(cells: Floats, total: float) -> tuple[float, float]:
            classes = cells.reshape(2, 2).any(axis=1) | of.is_of_either
            one = float((np.array(design.case_shares) * design.mass)[classes].max())
            share = (total + one) / cases
            return share, (float((weights[cells[self.cell] > 0] ** 2).sum()) + one**2) / (cases**2 * share)

        return with_one_more(of.hits, hits), with_one_more(of.cases - of.hits, cases - hits)

    def difference(self, parts: Sequence[ShareOf], kind: IntervalKind = ROBUST) -> PairedShares:
        """Return the difference of two shares of all cases, of which a case is a hit of one at most."""
        one, other = parts
        x = one.hits[self.cell] - other.hits[self.cell]
        return _difference(x, np.ones(len(x), dtype=np.bool_), self.design, kind)

    def derived(self, of: Matrices) -> tuple[float, Floats, Floats] | None:
        """Return the value of a function of the cells, its derivatives, and what a pseudo-case of each class moves.

        None where one has no value.
        """
        tn, fp, fn, tp = self.mass
        p, q = float(tp + fn), float(fp + tn)
        value = float(np.asarray(of(Confusion(np.array([tp]), np.array([fp]), p, q))).flat[0])  # type: ignore[arg-type]  # weights
        slopes = derivatives(of, self.mass)
        if not np.isfinite([value, *slopes]).all():
            return None
        return value, slopes, np.abs(slopes[1::2] - slopes[::2]) * abs(tp / p - fp / q)

    def function(self, of: Matrices, *, ends: tuple[float, float]) -> Skewed | None:
        """Return a function of the cells as an estimate; None where it has no value."""
        found = self.derived(of)
        if found is None:
            return None
        value, slopes, reach = found
        sums = self.design.sums(slopes[self.cell], together=True)
        pseudo = self.design.pseudo_of_mean(np.abs(slopes[1::2] - slopes[::2]), reach, sums)
        value = min(max(value, ends[0]), ends[1])  # of weights, rounding may pass the ends
        return Skewed(value, sums, pseudo, *ends, is_difference=False)


def touched(of: Matrices) -> Flags:
    """Return which cells a function of matrices depends on."""
    return np.abs(derivatives(of, ANY_MASS)) > TOUCHED


@dataclass(frozen=True)
class PairedCells(Cells):
    """The same cases in the cells of two models."""

    first: Any
    second: Any

    @classmethod
    def counted(cls, counts: ArrayLike) -> PairedCells:
        """Return independent cases of weight 1, from their numbers by label, first and second prediction (2 x 2 x 2)."""
        label, first, second = np.indices((2, 2, 2)).reshape(3, -1)
        design = Design(label, times=np.asarray(counts, dtype=np.float64).ravel())
        return cls(design, 2 * label + first, 2 * label + second)

    @property
    def models(self) -> tuple[CellCases, CellCases]:
        """The cells of each model."""
        return CellCases(self.design, self.first), CellCases(self.design, self.second)

    def of_items(self, of: ShareOf) -> tuple[Floats, Flags]:
        """Return whether each item is a hit of the first model or of the second alone, and which are among the cases."""
        return of.hits[self.first] - of.hits[self.second], of.cases[self.first] > 0

    def share(self, of: ShareOf, kind: IntervalKind = ROBUST) -> PairedShares | None:
        """Return the difference of a share whose cases are the same in both models; None where there is no such case."""
        x, within = self.of_items(of)
        if not self.design.mass_of_items[within].any():
            return None
        return _difference(x, within, self.design, kind)

    def function(self, of: Matrices, *, ends: tuple[float, float]) -> Skewed | None:
        """Return the difference of a function of the cells; None where it has no value in a model."""
        first, second = (model.derived(of) for model in self.models)
        if first is None or second is None:
            return None
        (one, slopes, reach), (other, others, of_other) = first, second
        largest = [float(np.abs(np.subtract.outer(slopes[k : k + 2], others[k : k + 2])).max()) for k in (0, 2)]
        sums = self.design.sums(slopes[self.first] - others[self.second], together=True)
        pseudo = self.design.pseudo_of_mean(largest, np.maximum(reach, of_other), sums)
        return Skewed(one - other, sums, pseudo, *ends)


def _difference(x: Floats, within: Flags, design: Design, kind: IntervalKind) -> PairedShares:
    """Return the mean of -1, 0 and 1 over some cases."""
    mass = design.mass_of_items
    total = float(mass[within].sum())
    b, c = (float(mass[x * sign > 0].sum()) for sign in (1, -1))
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


def _centred(x: Floats, within: Flags, design: Design) -> Floats:
    """Return what each item adds to the mean of x over some of them, beyond that mean."""
    return np.where(within, design.centred(x, within.astype(np.int8)), 0.0)


def size_of(x: Floats, within: Flags, design: Design, spread: float) -> Size:
    """Return what some cases are worth for the mean of x, whose cases were independent would have this spread."""
    single = _centred(x, within, design)
    of_units, masses = (design.added_up(each) for each in (single, np.where(within, design.mass_of_items, 0.0)))
    kish = float(masses.sum()) ** 2 / float((masses**2).sum())
    squares, fourths = float((of_units**2).sum()), float((of_units**4).sum())
    units = int(np.count_nonzero(masses))
    if np.ptp(x[within]) == 0 or squares < NOTHING * float((single**2).sum()):
        return Size(kish, kish, None, units)
    return Size(spread / squares, kish, squares**2 / fourths, units)
