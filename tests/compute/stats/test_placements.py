"""Sums of placements: the definition case by case, at any size, and the same numbers on the way of the rows."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rocconf.compute.compare.paired_auc import paired_aucs
from strategies import tied_cases

from rocconf import Predictions
from rocconf.compute.roc.auc import auc
from rocconf.compute.roc.counts import count
from rocconf.compute.roc.curve import curve
from rocconf.compute.stats.placements import placements_of
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


@given(tied_cases(), st.booleans(), st.sampled_from(["robust", "delong"]), st.floats(0.5, 0.99))
def test_the_area_of_a_curve_is_that_of_a_comparison_digit_for_digit(cases, turned, kind, level):
    scores, labels = cases
    predictions = Predictions(labels, {"m": scores, "n": -scores}, lower_is_positive=turned)
    found = paired_aucs(predictions)
    for at, model in enumerate(predictions.models):
        again = auc(curve(count(predictions, model)), level=level, interval=kind)
        assert again == found.alone(at, level=level, interval=kind)


def test_the_parts_of_a_variance_are_the_nearest_floats_of_their_fractions():
    rng = np.random.default_rng(1)
    positives, negatives = rng.integers(0, 10**9, 50).tolist(), rng.integers(0, 10**9, 50).tolist()
    roc = curve(ScoreCounts.of(range(50, 0, -1), positives, negatives))
    (v, vv), _ = by_definition(positives, negatives)
    p, q = sum(positives), sum(negatives)
    exact = (Fraction(vv, p) - Fraction(v, p) ** 2) * Fraction(p, p - 1) / p / (2 * q) ** 2
    assert placements_of(roc.tp, roc.fp)[0].covariance(0, 0) == float(exact)
