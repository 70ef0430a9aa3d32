"""Cases to try things on: adversarial scores, tied scores, and counts by the slow, obvious way."""

import math
import sys
from fractions import Fraction
from itertools import combinations

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from rocconf.compute.roc.counts import count
from rocconf.records import Predictions
from rocconf.whole_numbers import ClassSums, PairNumbers

ODD_SCORES = (
    *(0.0, -0.0, 5e-324, -5e-324, 1e-320, -1e-320, sys.float_info.min, -sys.float_info.min),
    *(float("inf"), float("-inf"), 1e308, -1e308, sys.float_info.max, -sys.float_info.max),
    *(1.0, 1 + 2**-52, 1 - 2**-53, -1.0, -1 - 2**-52, 0.1, 0.1 + 2**-56, 0.5, 1 / 3),
)
odd_scores = st.sampled_from(ODD_SCORES) | st.floats(allow_nan=False)
odd_cases = st.lists(st.tuples(odd_scores, st.booleans()), max_size=40)


def examples(number):
    """Return the settings of a test of so many examples in `make test-all`, and fewer in `make test`."""
    return settings(max_examples=math.ceil(number * settings.default.max_examples / 100))


@st.composite
def tied_cases(draw, max_size=30, distinct=8):
    """Scores k/8 and labels with both classes."""
    n = draw(st.integers(2, max_size))
    scores = draw(st.lists(st.integers(0, distinct), min_size=n, max_size=n))
    labels = draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(lambda found: 0 < sum(found) < len(found)))
    return np.array(scores) / distinct, np.array(labels)


def predictions_of(cases, **more):
    """Make predictions of pairs (score, label)."""
    return Predictions(
        np.array([label for _, label in cases], dtype=bool),
        {"score": np.array([score for score, _ in cases], dtype=float)},
        **more,
    )


def counted(scores, labels, **more):
    """Count scores and labels at hand."""
    return count(Predictions(np.array(labels, dtype=bool), {"score": np.array(scores, dtype=float)}, **more))


def matrix_at(scores, labels, threshold):
    """Count true and false positives at a threshold, case by case."""
    taken = [bool(label) for score, label in zip(scores, labels, strict=True) if score >= threshold]
    return sum(taken), len(taken) - sum(taken)


def points_of(counts):
    """Give every point of a curve as Python's whole numbers."""
    return list(zip(counts.tp.tolist(), counts.fp.tolist(), strict=True))


def exact_area(counts):
    """Mann-Whitney's area, ties counting half, as a fraction."""
    twice, below = 0, counts.q
    for x, y in zip(counts.positives.tolist(), counts.negatives.tolist(), strict=True):
        below -= y
        twice += x * (2 * below + y)
    return Fraction(twice, 2 * counts.p * counts.q)


def exact_delong(counts):
    """DeLong's variance from the placements of every score, as a fraction."""
    area, p, q = exact_area(counts), counts.p, counts.q
    of_positives, of_negatives = Fraction(), Fraction()
    negatives_below, positives_above = q, 0
    for x, y in zip(counts.positives.tolist(), counts.negatives.tolist(), strict=True):
        negatives_below -= y
        of_positives += x * (Fraction(2 * negatives_below + y, 2 * q) - area) ** 2
        of_negatives += y * (Fraction(2 * positives_above + x, 2 * p) - area) ** 2
        positives_above += x
    return of_positives / (p - 1) / p + of_negatives / (q - 1) / q


def whole_numbers_of(cases):
    """Return the whole numbers of every pair of models, from all pairs of cases."""
    label, p, q = cases.labels, int(cases.labels.sum()), int((~cases.labels).sum())
    placed, places = {}, {}
    for name, scores in cases.scores.items():
        won = 2 * (scores[label][:, None] > scores[~label]) + (scores[label][:, None] == scores[~label])
        placed[name] = [won.sum(axis=axis).astype(object) for axis in (1, 0)]
        places[name] = np.unique(scores, return_inverse=True)[1]
    return tuple(
        PairNumbers(
            *(later, earlier, p, q),
            *(
                ClassSums(*map(int, (v.sum(), u.sum(), v @ v, v @ u, u @ u, ((v - u) ** 3).sum())))
                for v, u in zip(placed[later], placed[earlier], strict=True)
            ),
            same_order=np.array_equal(places[earlier], places[later]),
            same_scores=np.array_equal(cases.scores[earlier], cases.scores[later]),
        )
        for earlier, later in combinations(cases.models, 2)
    )
