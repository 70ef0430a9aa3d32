r"""Sums of placements in whole numbers, from which an AUC, DeLong's variance and the skewness of a difference follow.

Twice the number of negatives below a positive, ties counting once, is a whole number v; so is w, twice the number of
positives above a negative. Their sums over a class, the sums of their squares and products, and of the cubes of the
differences of two models are all that the intervals of areas and of their differences need, however many cases there
are. Being whole, they depend neither on the order of the cases nor on the engine that added them up, and a variance of
0 is exactly 0.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import nan
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.auc_intervals import DelongVariance
from rocconf.compute.stats.exact import INT64_MAX
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.records import slices
from rocconf.threads import mapped

if TYPE_CHECKING:
    from rocconf.records import Counts, Flags

SUMS = ("sum_v", "sum_w", "sum_vv", "sum_ww")
"""The names of the sums of one model."""


@dataclass(frozen=True, slots=True)
class Placements:
    """Sums over one class of placements and of their products, in units of half a case of the other class."""

    size: int
    other: int
    sums: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]
    cubes: tuple[tuple[int, ...], ...] = ()
    """Sums of the cubes of the difference of two models."""

    def covariance(self, first: int, second: int) -> float:
        """Return the part of the class in the covariance of two areas, NaN with fewer than two cases."""
        return self._over(self._spread(first, second))

    def variance_of_difference(self, first: int, second: int) -> float:
        """Return the part of the class in the variance of a difference, exactly 0 for equal placements."""
        spread = self._spread
        return self._over(spread(first, first) + spread(second, second) - 2 * spread(first, second))

    def third_cumulant(self, first: int, second: int) -> float:
        """Return the part of the class in the third cumulant of a difference."""
        n, total = self.size, self.sums[first] - self.sums[second]
        products = self.products
        squares = products[first][first] + products[second][second] - 2 * products[first][second]
        about_mean = n * n * self.cubes[first][second] - 3 * n * total * squares + 2 * total**3
        return about_mean / (n**5 * (2 * self.other) ** 3)

    def __add__(self, other: Placements) -> Placements:
        """Return the sums over the cases of both, which are parts of one class."""
        return replace(
            self,
            sums=_sum(self.sums, other.sums),
            products=tuple(map(_sum, self.products, other.products)),
            cubes=tuple(map(_sum, self.cubes, other.cubes)),
        )

    def _spread(self, first: int, second: int) -> int:
        return self.size * self.products[first][second] - self.sums[first] * self.sums[second]

    def _over(self, spread: int) -> float:
        return spread / (self.size**2 * (self.size - 1) * (2 * self.other) ** 2) if self.size > 1 else nan


def _sum(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(add, first, second))


def variance_of(positives: Placements, negatives: Placements, model: int = 0) -> DelongVariance:
    """Return DeLong's variance of the area of a model."""
    of_positives, of_negatives = (part.covariance(model, model) for part in (positives, negatives))
    return DelongVariance(of_positives, of_negatives, positives.size, negatives.size)


def placements_of(tp: Counts, fp: Counts) -> tuple[Placements, Placements]:
    """Return the placements of the positives and of the negatives of a curve through all distinct scores."""
    p, q = int(tp[-1]), int(fp[-1])
    pieces = (slice(part.start, part.stop + 1) for part in slices(len(tp) - 1))
    above = squares_above = squares = 0
    for sums in mapped(lambda piece: _sums_above(tp[piece], fp[piece]), pieces):
        above, squares_above, squares = above + sums[0], squares_above + sums[1], squares + sums[2]
    twice = 2 * p * q - above  # a positive is below the negatives that are not below it
    squares_below = 4 * q * q * p - 4 * q * above + squares_above
    return Placements(p, q, (twice,), ((squares_below,),)), Placements(q, p, (twice,), ((squares,),))


def placements_of_sums(
    tp: Counts, fp: Counts, wide: Flags, sums: tuple[int, int, int, int]
) -> tuple[Placements, Placements]:
    """Return the placements of scores in bins by the sums of v, w and their squares, which must be those of such bins."""
    for name, (found, least, most) in zip(SUMS, _between(tp, fp, wide, sums), strict=True):
        if not least <= found <= most:
            raise UsageError("sums-outside-bins", name=name, found=found, least=least, most=most)
    p, q = int(tp[-1]), int(fp[-1])
    sum_v, sum_w, sum_vv, sum_ww = sums
    return Placements(p, q, (sum_v,), ((sum_vv,),)), Placements(q, p, (sum_w,), ((sum_ww,),))


def require_sums(positives: Placements, negatives: Placements, sums: tuple[int, ...]) -> None:
    """Refuse sums of v, w and their squares that are not those of these cases."""
    expected = positives.sums[0], negatives.sums[0], positives.products[0][0], negatives.products[0][0]
    for name, found, own in zip(SUMS, sums, expected, strict=True):
        if found != own:
            raise UsageError("sums-of-others", name=name, found=found, expected=own)


def _between(tp: Counts, fp: Counts, wide: Flags, sums: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """Return each sum with the least and the greatest that it can be, whatever the scores within the bins are."""
    q = int(fp[-1])
    least, most = [0] * len(SUMS), [0] * len(SUMS)
    for (tp_before, tp_after), (fp_before, fp_after), is_wide in zip(
        pairwise(tp.tolist()), pairwise(fp.tolist()), wide.tolist(), strict=True
    ):
        v, w = (2 * (q - fp_after), 2 * (q - fp_before)), (2 * tp_before, 2 * tp_after)
        if not is_wide:
            v, w = (sum(v) // 2,) * 2, (sum(w) // 2,) * 2
        cases = tp_after - tp_before, fp_after - fp_before
        for end, into in ((0, least), (1, most)):
            for at, (placed, n, power) in enumerate(
                ((v, cases[0], 1), (w, cases[1], 1), (v, cases[0], 2), (w, cases[1], 2))
            ):
                into[at] += n * placed[end] ** power
    return list(zip(sums, least, most, strict=True))


def _sums_above(tp: Counts, fp: Counts) -> tuple[int, int, int]:
    """Return, of a piece of a curve, the sum over its positives of twice the negatives above, and of its square.

    The third is the sum over its negatives of the square of twice the positives above. Inside the piece the numbers are
    counted from its first point, so that they are small; a piece that passes int64 even so is cut in two.
    """
    first_tp, first_fp = int(tp[0]), int(fp[0])
    gained, lost = int(tp[-1]) - first_tp, int(fp[-1]) - first_fp
    if 4 * gained * lost * max(gained, lost) > INT64_MAX:
        if len(tp) == 2:
            return _of_ties(gained, lost, 2 * first_fp + lost, 2 * first_tp + gained)
        middle = len(tp) // 2
        halves = (_sums_above(tp[part], fp[part]) for part in (slice(middle + 1), slice(middle, None)))
        above, squares_above, squares = map(sum, zip(*halves, strict=True))
        return above, squares_above, squares
    up, right = tp - first_tp, fp - first_fp
    higher, further = up[1:] + up[:-1], right[1:] + right[:-1]
    of_positives, of_negatives = np.diff(up) * further, np.diff(right) * higher
    within, tp_base, fp_base = int(of_positives.sum()), 2 * first_tp, 2 * first_fp
    within_below = 2 * gained * lost - within
    return (
        fp_base * gained + within,
        fp_base**2 * gained + 2 * fp_base * within + int(of_positives @ further),
        tp_base**2 * lost + 2 * tp_base * within_below + int(of_negatives @ higher),
    )


def _of_ties(positives: int, negatives: int, above_positive: int, above_negative: int) -> tuple[int, int, int]:
    return positives * above_positive, positives * above_positive**2, negatives * above_negative**2
