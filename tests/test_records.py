"""Records check themselves once, say what is wrong, and never change."""

import math
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from rocconf.errors import RocconfError, UndefinedError
from rocconf.records import CHUNK, Interval, Predictions, ScoreCounts, slices

LABELS = np.array([True, False])
SCORES = np.array([0.5, 0.25])


@pytest.mark.parametrize(
    ("labels", "scores", "message"),
    [
        (LABELS, {}, "at least one column of scores"),
        (LABELS, {"s": SCORES[:1]}, "different lengths: labels 2, s 1"),
        (LABELS, {"s": np.array([0.5, math.nan])}, "NaN"),
        (np.array([1, 0]), {"s": SCORES}, "labels must be True or False, not int64"),
        (LABELS, {"s": SCORES.astype(np.float32)}, "the scores of s must be float64, not float32"),
        (LABELS, {"a": SCORES, "s": np.array([1, 2])}, "the scores of s must be float64, not int64"),
    ],
)
def test_predictions_refuse_what_cannot_be_counted(labels, scores, message):
    with pytest.raises(RocconfError, match=message):
        Predictions(labels, scores)


def test_predictions_refuse_ids_of_another_length():
    with pytest.raises(RocconfError, match="ids 1"):
        Predictions(LABELS, {"s": SCORES}, ids=np.array(["a"]))


def test_predictions_know_their_size_and_models():
    predictions = Predictions(LABELS.copy(), {"a": SCORES.copy(), "b": SCORES.copy()})
    assert len(predictions) == 2
    assert predictions.models == ("a", "b")


def counts_with(**other):
    columns = {"thresholds": [math.inf, 2.0, 1.0], "tp": [0, 1, 1], "fp": [0, 0, 2], **other}
    lower = columns.pop("lower_is_positive", False)
    return ScoreCounts(
        np.array(columns["thresholds"], dtype=float),
        np.array(columns["tp"], dtype=np.int64),
        np.array(columns["fp"], dtype=np.int64),
        lower_is_positive=lower,
    )


def test_counts_in_order_are_taken_as_they_are():
    counts = counts_with()
    assert (counts.p, counts.q, counts.n, len(counts)) == (1, 2, 3, 2)
    assert counts.positives.tolist() == [1, 0]
    assert counts.negatives.tolist() == [0, 2]
    assert counts_with(thresholds=[-math.inf, 1.0, 2.0], lower_is_positive=True).scores.tolist() == [1.0, 2.0]


def test_infinite_scores_have_a_place():
    counts = counts_with(thresholds=[math.inf, math.inf, -math.inf])
    assert counts.scores.tolist() == [math.inf, -math.inf]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"tp": [0, 1]}, "one length"),
        ({"thresholds": [], "tp": [], "fp": []}, "one length"),
        ({"tp": [1, 1, 2]}, "nothing predicted positive"),
        ({"fp": [1, 1, 2]}, "nothing predicted positive"),
        ({"thresholds": [3.0, 2.0, 1.0]}, "nothing predicted positive"),
        ({"lower_is_positive": True}, "nothing predicted positive"),
        ({"thresholds": [math.inf, 1.0, 2.0]}, "distinct and sorted"),
        ({"thresholds": [math.inf, 1.0, 1.0]}, "distinct and sorted"),
        ({"thresholds": [math.inf, math.nan, 1.0]}, "distinct and sorted"),
        ({"thresholds": [math.inf, math.nan], "tp": [0, 1], "fp": [0, 1]}, "distinct and sorted"),
        ({"thresholds": [-math.inf, 2.0, 1.0], "lower_is_positive": True}, "distinct and sorted"),
        ({"tp": [0, 2, 1]}, "negative"),
        ({"fp": [0, 2, 1]}, "negative"),
        ({"tp": [0, 1, 1], "fp": [0, 2, 2]}, "score without cases"),
    ],
)
def test_counts_refuse_what_is_no_curve(other, message):
    with pytest.raises(RocconfError, match=message):
        counts_with(**other)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([0.5, 0.2], [1], [0, 1]), "different lengths"),
        (([0.5, 0.2], [1, 1], [0]), "different lengths"),
        (([0.5, 0.2], 1, [0, 1]), "different lengths"),
        (([0.5, 0.2], [1.5, 1], [0, 1]), "positives must be whole numbers"),
        (([0.5, 0.2], [1, 1], [0, math.nan]), "negatives must be whole numbers"),
        (([0.5, 0.2], [1, 1], [0, math.inf]), "negatives must be whole numbers"),
        (([0.5, 0.2], [2**63, 1], [0, 1]), "positives must be whole numbers"),
        (([0.5, 0.2], [-1, 1], [1, 1]), "negative"),
        (([0.5, math.nan], [1, 1], [0, 1]), "distinct and sorted"),
    ],
)
def test_counts_of_columns_refuse_what_is_no_count(columns, message):
    with pytest.raises(RocconfError, match=message):
        ScoreCounts.of(*columns)


def test_counts_of_columns_bring_equal_scores_together_and_leave_empty_ones_out():
    counts = ScoreCounts.of([0.2, 0.5, 0.2, 0.9, -0.0, 0.0], [1.0, 2, 3, 0, 1, 1], [0, 1, 1, 0, 0, 1])
    assert counts.thresholds.tolist() == [math.inf, 0.5, 0.2, 0.0]
    assert counts.tp.tolist() == [0, 2, 6, 8]
    assert counts.fp.tolist() == [0, 1, 2, 3]


def test_counts_compare_by_what_they_count():
    assert counts_with() == counts_with()
    assert counts_with() != counts_with(fp=[0, 0, 3])
    assert counts_with() != counts_with(thresholds=[math.inf, 2.5, 1.0])
    assert ScoreCounts.of([1], [1], [1]) != ScoreCounts.of([1], [1], [1], lower_is_positive=True)
    assert counts_with() != "counts"


def test_counts_of_opposite_directions_cannot_be_added():
    with pytest.raises(RocconfError, match="opposite directions"):
        counts_with() + counts_with(thresholds=[-math.inf, 1.0, 2.0], lower_is_positive=True)


@pytest.mark.parametrize("array", ["thresholds", "tp", "fp"])
def test_counts_never_change(array):
    counts = counts_with()
    with pytest.raises(ValueError, match="read-only"):
        getattr(counts, array)[1] = 7
    with pytest.raises(FrozenInstanceError):
        counts.model = "other"


def test_predictions_never_change():
    predictions = Predictions(LABELS.copy(), {"s": SCORES.copy()}, ids=np.array([1, 2]))
    for array in (predictions.labels, predictions.scores["s"], predictions.ids):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[1]


@pytest.mark.parametrize("limits", [(1.0, 0.0), (math.nan, 1.0), (0.0, math.nan)])
def test_an_interval_runs_forwards(limits):
    with pytest.raises(UndefinedError):
        Interval(*limits)


@pytest.mark.parametrize("length", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])
def test_slices_cover_a_length_once(length):
    pieces = [range(length)[part] for part in slices(length)]
    assert sum(map(len, pieces)) == length
    assert all(0 < len(piece) <= CHUNK for piece in pieces)
    assert [piece.start for piece in pieces] == list(range(0, length, CHUNK))
