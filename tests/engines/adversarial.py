"""Cases that engines could count differently, and what there is to count, by the slow and obvious way."""

from bisect import bisect_left, bisect_right
from fractions import Fraction
from functools import cache
from math import floor, frexp, inf, isinf, isnan, ldexp, nan, nextafter

import numpy as np

LARGEST = 1.7976931348623157e308


def adversarial_scores():
    """Return scores at and beside every edge that a bin may have."""
    powers = [ldexp(1.0, exponent) for exponent in (*range(-70, 68), -1074, -1023, -1022, 1023)]
    near = [each for power in powers for each in (power, nextafter(power, 0), nextafter(power, inf))]
    near += [1 - each for each in near if each <= 0.5]
    some = np.random.default_rng(5)
    near += [*some.random(50), *some.normal(0, 5, 50), *(1 - some.random(50) ** 9), *(some.random(50) ** 40)]
    near += [0.1 + 0.2, 1 / 3, 1e-300, LARGEST, 5e-324, float(np.float32(0.1))]
    return [float(each) for each in (*near, *(-each for each in near), 0.0, -0.0, 1.0, inf, -inf)]


def adversarial_cases():
    """Return pairs of a label (or None, or a third class) and a score (or None or NaN)."""
    rows = []
    for place, score in enumerate(adversarial_scores()):
        rows += [(place % 3 % 2, score)] * (1 + place % 4) + [((place + 1) % 3 % 2, score)] * (place % 3)
    rows += [(1, None), (0, None), (0, nan), (1, nan), (None, 0.25), (None, None), (2, 0.25), (7, nan), (None, 0.3)]
    return rows


def tallied(rows, place):
    """Return the number of cases of each kind, by `place` of their scores: NaN and missing scores are None."""
    kinds = {1: 0, 0: 1, None: 2}
    found = {}
    for label, score in rows:
        at = place(None if score is None or isnan(score) else score + 0.0)
        found.setdefault(at, [0, 0, 0, 0])[kinds.get(label, 3)] += 1
    return found


def bin_of(score, resolution):
    """Return the edges of a bin as fractions, by its definition."""
    if score is None:
        return None
    if isinf(score) or abs(score) >= 2.0**64:
        return (
            ((-inf, -(2.0**64)) if score < 0 else (2.0**64, inf)) if score != -(2.0**64) else _around(score, resolution)
        )
    if score == 0:
        return (0.0, 0.0)
    if -(2.0**-64) <= score < 2.0**-64:
        return (0.0, 2.0**-64) if score > 0 else (-(2.0**-64), 0.0)
    return _around(score, resolution)


@cache
def _around(score, resolution):
    base = Fraction(1) if 0.5 <= score < 1 else Fraction(0)
    offset = Fraction(score) - base
    exponent = frexp(float(offset))[1] - 1
    if offset == -(Fraction(2) ** exponent):  # lower edges are inclusive on both sides of 0
        exponent -= 1
    width = Fraction(2) ** (exponent - resolution)
    lower = base + floor(offset / width) * width
    assert (base + Fraction(2) ** exponent) <= lower or lower + width <= base - Fraction(2) ** exponent
    return (float(lower), float(lower + width))


def binned(rows, resolution):
    """Return the bins with their cases; of a bin of one score, that score twice."""
    members = {}
    for _, score in rows:
        if score is not None and not isnan(score):
            members.setdefault(bin_of(score + 0.0, resolution), set()).add(score + 0.0)

    def place(score):
        found = bin_of(score, resolution)
        if score is not None and len(members[found]) == 1:
            return (score, score)
        return found

    return tallied(rows, place)


def between(rows, edges):
    """Return the bins between given edges with their cases."""

    def place(score):
        if score is None:
            return None
        at = bisect_right(edges, score)
        return ([-inf, *edges][at], [*edges, inf][at])

    return tallied(rows, place)


def placements(rows, column=1):
    """Return (label, twice the cases of the other class that are ranked wrong for it, score) of every complete case."""
    of_class = {
        1: sorted(row[column] for row in rows if row[0] == 0),
        0: sorted(row[column] for row in rows if row[0] == 1),
    }
    found = []
    for row in rows:
        others = of_class[row[0]]
        below, up_to = bisect_left(others, row[column]), bisect_right(others, row[column])
        found.append(below + up_to if row[0] == 1 else 2 * len(others) - below - up_to)
    return found


def complete(rows):
    """Return the rows that are counted."""
    return [row for row in rows if row[0] in (0, 1) and all(cell is not None and not isnan(cell) for cell in row[1:])]


def whole_numbers(rows):
    """Return the whole numbers of one model."""
    kept = complete(rows)
    values = placements(kept)
    v = [value for row, value in zip(kept, values, strict=True) if row[0] == 1]
    w = [value for row, value in zip(kept, values, strict=True) if row[0] == 0]
    return [len(v), len(w), sum(v), sum(w), sum(each**2 for each in v), sum(each**2 for each in w)]


def paired_numbers(rows):
    """Return the whole numbers of a pair."""
    kept = complete(rows)
    firsts, seconds = placements(kept, 1), placements(kept, 2)
    numbers = []
    for wanted in (1, 0):
        pairs = [(v, u) for row, v, u in zip(kept, firsts, seconds, strict=True) if row[0] == wanted]
        numbers += [len(pairs), [sum(product(v, u) for v, u in pairs) for product in PRODUCTS]]
    order = [_places([row[column] for row in kept]) for column in (1, 2)]
    same = [order[0] == order[1], all(row[1] == row[2] for row in kept)]
    return [numbers[0], numbers[2], *numbers[1], *numbers[3], *same]


def _places(scores):
    """Return twice the rank of each score, the mean one where scores are tied."""
    ordered = sorted(scores)
    return [bisect_left(ordered, score) + bisect_right(ordered, score) for score in scores]


PRODUCTS = (
    lambda v, _: v,
    lambda _, u: u,
    lambda v, _: v * v,
    lambda v, u: v * u,
    lambda _, u: u * u,
    lambda v, u: (v - u) ** 3,
)
