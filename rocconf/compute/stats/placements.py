r"""Sums of placements in whole numbers, from which an AUC, DeLong's variance and the skewness of a difference follow.

Twice the number of negatives below a positive, ties counting once, is a whole number v; so is w, twice the number of
positives above a negative. Their sums over a class, the sums of their squares and products, and of the cubes of the
differences of two models are all that the intervals of areas and of their differences need, however many cases there
are. Being whole, they depend neither on the order of the cases nor on the engine that added them up, and a variance of
0 is exactly 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.stats.estimate import Sums
from rocconf.compute.stats.exact import sum_of_products
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.records import slices

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rocconf.records import Counts, Flags

SUMS = ("sum_v", "sum_w", "sum_vv", "sum_ww")
"""The names of the sums of one model."""


@dataclass(frozen=True, slots=True)
class Placements:
    """Sums over one class of placements and of their products, in units of half a case of the other class."""

    size: int
    other: int
    sums: Sequence[int]
    """For each model."""
    products: Sequence[Sequence[int]]
    """For each two models."""
    cubes: Sequence[Sequence[int]] = ()
    """Sums of the cubes of the difference of two models."""

    def squares(self, first: int, second: int | None = None) -> float:
        """Return the sum of the squared contributions to an area, or to a difference of two, of the cases of the class."""
        spread = self._spread(first, first)
        if second is not None:  # exactly 0 for equal placements
            spread += self._spread(second, second) - 2 * self._spread(first, second)
        return spread / (self.size**3 * (2 * self.other) ** 2)

    def third_cumulant(self, first: int, second: int) -> float:
        """Return the part of the class in the third cumulant of a difference."""
        n, total = self.size, self.sums[first] - self.sums[second]
        products = self.products
        squares = products[first][first] + products[second][second] - 2 * products[first][second]
        about_mean = n * n * self.cubes[first][second] - 3 * n * total * squares + 2 * total**3
        return about_mean / (n**5 * (2 * self.other) ** 3)

    def _spread(self, first: int, second: int) -> int:
        return self.size * self.products[first][second] - self.sums[first] * self.sums[second]


def sums_of(positives: Placements, negatives: Placements, model: int = 0, other: int | None = None) -> Sums:
    """Return the sums of the area of a model, or of the difference of two; the fourth power is not among them."""
    squares = negatives.squares(model, other), positives.squares(model, other)
    third = 0.0 if other is None else sum(part.third_cumulant(model, other) for part in (positives, negatives))
    n = negatives.size, positives.size
    return Sums(sum(n), n, squares, (float(n[0]), float(n[1])), sum(squares), third, 0.0, sum(squares))


def placements_of(tp: Counts, fp: Counts) -> tuple[Placements, Placements]:
    """Return the placements of the positives and of the negatives of a curve through all distinct scores."""
    p, q = int(tp[-1]), int(fp[-1])
    (positives, v), (negatives, w) = _placed(tp, fp)
    return (
        Placements(p, q, (sum_of_products(positives, v),), ((sum_of_products(positives, v, v),),)),
        Placements(q, p, (sum_of_products(negatives, w),), ((sum_of_products(negatives, w, w),),)),
    )


def _placed(tp: Counts, fp: Counts) -> tuple[tuple[Counts, Counts], tuple[Counts, Counts]]:
    """Return the positives of each score with their placement, and the negatives with theirs."""
    return (np.diff(tp), 2 * int(fp[-1]) - fp[1:] - fp[:-1]), (np.diff(fp), tp[1:] + tp[:-1])


def placements_of_sums(
    tp: Counts, fp: Counts, wide: Flags, sums: tuple[int, int, int, int]
) -> tuple[Placements, Placements]:
    """Return the placements of scores in bins by the sums of v, w and their squares, which must be those of such bins."""
    for name, found, (least, most) in zip(SUMS, sums, _ranges(tp, fp, wide), strict=True):
        if not least <= found <= most:
            raise UsageError("sums-outside-bins", name=name, found=found, least=least, most=most)
    p, q = int(tp[-1]), int(fp[-1])
    sum_v, sum_w, sum_vv, sum_ww = sums
    return Placements(p, q, (sum_v,), ((sum_vv,),)), Placements(q, p, (sum_w,), ((sum_ww,),))


def _ranges(tp: Counts, fp: Counts, wide: Flags) -> list[tuple[int, int]]:
    """Return the least and the greatest value of each of `SUMS`, whatever the scores within the bins are."""
    (positives, v), (negatives, w) = _placed(tp, fp)
    # within its bin a case may be below all cases of the other class, or above them
    classes = (positives, v, negatives * wide), (negatives, w, positives * wide)
    return [
        (sum_of_products(cases, *[placed - reach] * power), sum_of_products(cases, *[placed + reach] * power))
        for power in (1, 2)
        for cases, placed, reach in classes
    ]


def placements_of_cases(
    parts: Iterable[tuple[Flags, Sequence[Counts]]], p: int, q: int
) -> tuple[Placements, Placements]:
    """Return the sums of both classes over parts of the cases: the labels, and the placements by each model."""
    totals: list[list[Any]] = [[0, 0, 0], [0, 0, 0]]
    for labels, placed in parts:
        for rows in slices(len(labels)):
            for total, cases in zip(totals, (labels[rows], ~labels[rows]), strict=True):
                found = _sums([of_model[rows][cases].astype(np.int64) for of_model in placed])
                total[:] = [sums + more for sums, more in zip(total, found, strict=True)]
    positives, negatives = ([sums.tolist() for sums in total] for total in totals)
    return Placements(p, q, *positives), Placements(q, p, *negatives)


def _sums(placed: Sequence[Counts]) -> Iterator[Any]:
    """Yield the sums, products and cubes of some cases of a class, as integers of any size."""
    yield np.array([sum_of_products(one) for one in placed], dtype=object)
    yield np.array([[sum_of_products(one, other) for other in placed] for one in placed], dtype=object)
    yield np.array([[sum_of_products(*[one - other] * 3) for other in placed] for one in placed], dtype=object)
