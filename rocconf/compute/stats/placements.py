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
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.estimate import Sums
from rocconf.compute.stats.exact import INT64_MAX
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.records import slices
from rocconf.threads import mapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.records import Counts, Flags

SUMS = ("sum_v", "sum_w", "sum_vv", "sum_ww")
"""The names of the sums of one model."""

FLOAT_BITS = 53
"""The bits of the whole numbers that a float64 holds."""

PIECE = 1 << 12
"""The cases of a class whose products are added up at a time."""

LEAST_WIDTH = 9
"""The bits of a digit below which pairs of models are added up one by one; the squares pass 2^63 soon after."""

MANY = 3
"""The models of which all pairs are added up at once."""

MOST_TO_CUBE = 1 << 31
"""The size of numbers from which the rounding error of a chunk's sum of cubes could pass 2^63."""


@dataclass(frozen=True, slots=True)
class Placements:
    """Sums over one class of placements and of their products, in units of half a case of the other class."""

    size: int
    other: int
    sums: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]
    cubes: tuple[tuple[int, ...], ...] = ()
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


def _sum(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(add, first, second))


def sums_of(positives: Placements, negatives: Placements, model: int = 0, other: int | None = None) -> Sums:
    """Return the sums of the area of a model, or of the difference of two; the fourth power is not among them."""
    squares = negatives.squares(model, other), positives.squares(model, other)
    third = 0.0 if other is None else sum(part.third_cumulant(model, other) for part in (positives, negatives))
    n = negatives.size, positives.size
    return Sums(sum(n), n, squares, (float(n[0]), float(n[1])), sum(squares), third, 0.0, sum(squares))


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


def class_placements(of_models: Sequence[Counts], of_class: Flags, size: int, other: int) -> Placements:
    """Return the sums of one class.

    Products and cubes of all pairs of models are products of two matrices. One holds the placements, the other the
    digits of the placements and of their squares, which are so few bits that a float64 holds every sum of a piece: the
    sums are exact in whatever order a processor adds them up.
    """
    bits = (2 * other).bit_length()
    width = FLOAT_BITS - PIECE.bit_length() - bits
    if width < LEAST_WIDTH or len(of_models) < MANY:
        return placements_one_by_one(of_models, of_class, size, other)
    digits = [(power, first) for power in (1, 2) for first in range(0, power * bits, width)]
    models, places = len(of_models), np.flatnonzero(of_class)
    sums = np.zeros(models, dtype=object)
    found = np.zeros((len(digits), models, models), dtype=object)

    def added(start: int) -> tuple[Counts, Counts]:
        rows = places[start : start + PIECE]
        whole = np.array([twice[rows] for twice in of_models], dtype=np.int64)
        of_digits = np.array([whole**power >> first & (1 << width) - 1 for power, first in digits], dtype=np.float64)
        return whole.sum(axis=1), (of_digits @ whole.T.astype(np.float64)).astype(np.int64)

    for of_piece, products_of_piece in mapped(added, range(0, len(places), PIECE)):
        sums += of_piece
        found += products_of_piece
    products, squares = (
        np.sum([part << first for part, (power, first) in zip(found, digits, strict=True) if power == wanted], axis=0)
        for wanted in (1, 2)
    )
    third = np.diagonal(squares)  # squares[r, s] adds up the squares of r times s
    cubes = third[:, None] - 3 * squares + 3 * squares.T - third
    return Placements(size, other, tuple(sums), tuple(map(tuple, products)), tuple(map(tuple, cubes)))


def placements_one_by_one(of_models: Sequence[Counts], of_class: Flags, size: int, other: int) -> Placements:
    """Return the sums of one class, one pair of models after the other: of few models, or of very many cases."""
    models = range(len(of_models))
    pairs = [(r, s) for r in models for s in range(r, len(of_models))]
    sums, remainders, rough = [0] * len(of_models), [0] * len(pairs), [0.0] * len(pairs)
    cubes = [[0] * len(of_models) for _ in models]
    for part in slices(len(of_class)):
        cases = of_class[part]
        whole = [twice[part][cases].astype(np.int64) for twice in of_models]
        floats = [twice.astype(np.float64) for twice in whole]
        for at in models:
            sums[at] += int(whole[at].sum())
        for at, (r, s) in enumerate(pairs):
            remainders[at] += int(whole[r] @ whole[s])
            rough[at] += float((floats[r] * floats[s]).sum())  # `@` would start threads, which is slower
            if r < s:
                cubes[r][s] += sum_of_cubes(whole[r] - whole[s])
    products = [[0] * len(of_models) for _ in models]
    for (r, s), remainder, about in zip(pairs, remainders, rough, strict=True):
        products[r][s] = products[s][r] = _whole(remainder, about)
    for r, s in pairs:
        cubes[s][r] = -cubes[r][s]
    return Placements(size, other, tuple(sums), tuple(map(tuple, products)), tuple(map(tuple, cubes)))


def sum_of_cubes(numbers: Counts) -> int:
    """Return the exact sum of the cubes of a chunk of numbers below 2^31, or of any numbers, more slowly."""
    if not len(numbers):
        return 0
    most = int(np.abs(numbers).max())
    if most >= MOST_TO_CUBE:
        return sum(number**3 for number in numbers.tolist())
    floats = numbers.astype(np.float64)
    return _whole(int((numbers * numbers * numbers).sum()), float((floats * floats * floats).sum()))


def _whole(remainder: int, rough: float) -> int:
    """Return the whole number near a float that has this remainder modulo 2^64, as int64 sums wrap around."""
    return remainder + (round((rough - remainder) / 2**64) << 64)
