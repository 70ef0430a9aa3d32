"""Sums of placements: the definition case by case, at any size."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rocconf.compute.roc.curve import curve
from rocconf.compute.stats import placements
from rocconf.compute.stats.placements import (
    class_placements,
    placements_of,
    placements_one_by_one,
    sum_of_cubes,
)
from rocconf.records import CHUNK, ScoreCounts


def by_definition(positives, negatives):
    """The placements of each score, the highest first, in Python's integers."""
    p, q = sum(positives), sum(negatives)
    tp = fp = 0
    v, w = [], []
    for gained, lost in zip(positives, negatives, strict=True):
        v.append(2 * (q - fp - lost) + lost)
        w.append(2 * tp + gained)
        tp, fp = tp + gained, fp + lost
    assert (tp, fp) == (p, q)
    sums = [
        sum(n * each**power for n, each in zip(counts, placed, strict=True))
        for counts, placed in ((positives, v), (negatives, w))
        for power in (1, 2)
    ]
    return (sums[0], sums[1]), (sums[2], sums[3])


def sums_of(counts):
    roc = curve(counts)
    return [(part.sums[0], part.products[0][0]) for part in placements_of(roc.tp, roc.fp)]


SIZES = st.sampled_from([0, 1, 2, 1000, 3 * 10**6, 2**31, 2**40, 2**47])


@given(
    st.lists(st.tuples(SIZES, SIZES), min_size=2, max_size=40).filter(
        lambda rows: all(map(sum, zip(*rows, strict=True)))
    )
)
def test_sums_are_those_of_the_cases_also_past_int64(rows):
    rows = [row for row in rows if sum(row)]
    positives, negatives = zip(*rows, strict=True)
    counts = ScoreCounts.of(range(len(rows), 0, -1), positives, negatives)
    assert tuple(sums_of(counts)) == by_definition(positives, negatives)


@pytest.mark.parametrize("size", [pytest.param(2, marks=pytest.mark.thorough), 2**35])
def test_sums_over_more_than_one_piece_are_exact(size):
    rng = np.random.default_rng(size)
    rows = 2 * CHUNK + 7
    counts = ScoreCounts.of(np.arange(rows), rng.integers(0, size, rows) + 1, rng.integers(0, size, rows))
    assert tuple(sums_of(counts)) == by_definition(counts.positives.tolist(), counts.negatives.tolist())


def test_the_parts_of_a_variance_are_the_nearest_floats_of_their_fractions():
    rng = np.random.default_rng(1)
    positives, negatives = rng.integers(0, 10**9, 50).tolist(), rng.integers(0, 10**9, 50).tolist()
    roc = curve(ScoreCounts.of(range(50, 0, -1), positives, negatives))
    (v, vv), _ = by_definition(positives, negatives)
    p, q = sum(positives), sum(negatives)
    exact = (Fraction(vv, p) - Fraction(v, p) ** 2) / p / (2 * q) ** 2
    assert placements_of(roc.tp, roc.fp)[0].squares(0) == float(exact)


@pytest.mark.parametrize("size", [1000, 3_000_000, 2**31 - 1, 2**31, 2**40])
def test_sums_of_cubes_are_exact(size):
    found = np.random.default_rng(size).integers(-size, size, size=1 << 12, endpoint=True)
    assert sum_of_cubes(found) == sum(number**3 for number in found.tolist())
    largest = np.full(1 << 16, min(size, 2**31 - 1))
    assert sum_of_cubes(-largest) == -(1 << 16) * int(largest[0]) ** 3


@given(
    st.integers(1, 2**30 - 1).flatmap(
        lambda other: st.tuples(
            st.just(other),
            st.lists(st.tuples(st.booleans(), *[st.sampled_from([0, 1, other, 2 * other])] * 3), max_size=20),
        )
    )
)
@example((2**30 - 1, [(True, 2**31 - 2, 2**31 - 2, 0)] * 5000))  # the largest digits in more than one piece
@example((2**40, [(True, 2**41, 2**41 - 1, 0)] * 3))  # no digits of so large numbers
def test_products_of_digits_are_those_of_pairs_one_by_one(drawn):
    other, rows = drawn
    of_class = np.array([row[0] for row in rows], dtype=bool)
    columns = [np.array([row[at] for row in rows], dtype=np.int64) for at in (1, 2, 3)]
    found = class_placements(columns, of_class, len(rows), other)
    assert found == placements_one_by_one(columns, of_class, len(rows), other)
    one, two, three = ([row[at] for row in rows if row[0]] for at in (1, 2, 3))
    assert found.products[0][2] == sum(a * b for a, b in zip(one, three, strict=True))
    assert found.cubes[1][0] == sum((b - a) ** 3 for a, b in zip(one, two, strict=True))
    assert all(type(number) is int for row in (found.sums, *found.products, *found.cubes) for number in row)


def test_many_cases_are_added_up_in_pieces_of_digits(monkeypatch):
    monkeypatch.setattr(placements, "placements_one_by_one", None)
    found = class_placements([np.arange(9000)] * 3, np.ones(9000, dtype=bool), 9000, 4500)
    assert found.sums == (9000 * 8999 // 2,) * 3
