"""Sums of placements: the definition case by case, at any size."""

from operator import mul

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rocconf.compute.roc.curve import curve
from rocconf.compute.stats.placements import placements_of, placements_of_cases
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


@given(
    st.integers(1, 2**41).flatmap(
        lambda most: st.lists(
            st.tuples(st.booleans(), *[st.sampled_from([0, 1, most, 2 * most])] * 3), min_size=1, max_size=20
        )
    )
)
@example([(True, 2**31 - 2, 2**31 - 2, 0)] * 5000)  # cubes past int64
@example([(False, 2**41, 2**41 - 1, 0)] * 3)  # too large to tell by floats how often a sum wraps around
def test_sums_over_cases_are_those_of_the_models_one_by_one(rows):
    labels = np.array([row[0] for row in rows], dtype=bool)
    columns = [np.array([row[at] for row in rows], dtype=np.int64) for at in (1, 2, 3)]
    batches = [(labels[part], [column[part] for column in columns]) for part in (slice(7), slice(7, None))]
    for found, of_class in zip(placements_of_cases(batches, 5, 9), (labels, ~labels), strict=True):
        own = [column[of_class].tolist() for column in columns]
        assert found.sums == [sum(one) for one in own]
        assert found.products == [[sum(map(mul, one, other)) for other in own] for one in own]
        assert found.cubes == [
            [sum((a - b) ** 3 for a, b in zip(one, other, strict=True)) for other in own] for one in own
        ]
        assert all(type(number) is int for row in (found.sums, *found.products, *found.cubes) for number in row)
