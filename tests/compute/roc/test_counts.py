"""Counting: what a dictionary counts, whatever the floats, and a commutative monoid."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, odd_cases, predictions_of

from rocconf.compute.roc.counts import count, count_each, rescaled
from rocconf.errors import UsageError
from rocconf.records import Predictions, ScoreCounts, Source

EMPTY = count(predictions_of([]))


def by_dictionary(cases, *, lower_is_positive):
    """Give (score, positives, negatives), the most positive first."""
    positives, negatives = Counter(), Counter()
    for score, label in cases:
        (positives if label else negatives)[score + 0.0] += 1
    scores = sorted({*positives, *negatives}, reverse=not lower_is_positive)
    return [(score, positives[score], negatives[score]) for score in scores]


@given(odd_cases, st.booleans())
@examples(200)
def test_counts_as_a_dictionary_does(cases, lower_is_positive):
    counts = count(predictions_of(cases, lower_is_positive=lower_is_positive))
    expected = by_dictionary(cases, lower_is_positive=lower_is_positive)
    found = zip(counts.scores.tolist(), counts.positives.tolist(), counts.negatives.tolist(), strict=True)
    assert list(found) == expected
    assert not np.signbit(counts.scores[counts.scores == 0]).any()
    columns = zip(*expected, strict=True) if expected else ((), (), ())
    assert ScoreCounts.of(*columns, lower_is_positive=lower_is_positive) == counts


@given(odd_cases, odd_cases, odd_cases, st.booleans())
def test_counts_of_parts_add_up_in_any_order(first, second, third, lower):
    a, b, c = (count(predictions_of(part, lower_is_positive=lower)) for part in (first, second, third))
    assert a + b == b + a == count(predictions_of(first + second, lower_is_positive=lower))
    assert (a + b) + c == a + (b + c)
    if not lower:
        assert a + EMPTY == a == EMPTY + a


def test_adding_keeps_the_sources_and_the_model():
    here, there = (Source(name, 1, 1, 0, "1") for name in ("here.csv", "there.csv"))
    first = ScoreCounts.of([0.5], [1], [0], model="m", sources=(here,))
    total = first + ScoreCounts.of([0.5], [0], [1], model="other", sources=(there,))
    assert (total.model, total.sources) == ("m", (here, there))


def test_counting_does_not_change_the_scores():
    scores = np.array([0.5, -0.5, -0.0])
    count(Predictions(np.array([True, False, True]), {"score": scores}))
    assert scores.tolist() == [0.5, -0.5, 0.0]
    assert np.signbit(scores[2])


def test_each_model_is_counted_by_its_name():
    predictions = Predictions(np.array([True, False]), {"a": np.array([1.0, 2.0]), "b": np.array([3.0, 3.0])})
    assert [counts.model for counts in count_each(predictions)] == ["a", "b"]
    assert len(count(predictions, "b")) == 1
    with pytest.raises(UsageError, match=r"name one of them, as in rocconf\.count\(predictions, 'a'\) \(found: a, b\)"):
        count(predictions)


def test_rescaling_maps_scores_to_0_and_1_and_keeps_the_counts():
    counts = ScoreCounts.of([-2, 0, 6], [1, 2, 3], [4, 5, 6], model="m")
    stretched = rescaled(counts)
    assert stretched.scores.tolist() == [1.0, 0.25, 0.0]
    assert (stretched.tp.tolist(), stretched.fp.tolist()) == (counts.tp.tolist(), counts.fp.tolist())
    assert stretched.model == "m"
    lower = rescaled(ScoreCounts.of([-2, 0, 6], [1, 2, 3], [4, 5, 6], lower_is_positive=True))
    assert lower.scores.tolist() == [0.0, 0.25, 1.0]


@pytest.mark.parametrize(
    ("scores", "fault"),
    [
        ([3, 3], r"cannot be rescaled to \[0, 1\]"),
        ([0, math.inf], r"cannot be rescaled to \[0, 1\]"),
        ([-math.inf, 0], r"cannot be rescaled to \[0, 1\]"),
        ([-1.7e308, 1.7e308], r"cannot be rescaled to \[0, 1\]"),
        ([-1e16, 0, 0.5], "1 of 3 distinct scores would become equal to a neighbour"),
    ],
)
def test_scores_that_a_range_does_not_keep_apart_cannot_be_rescaled(scores, fault):
    with pytest.raises(UsageError, match=fault):
        rescaled(ScoreCounts.of(scores, [1] * len(scores), [1] * len(scores)))
