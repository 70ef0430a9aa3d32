"""Packed cases are counted as the slow, obvious way counts them, however they are added."""

from unittest import mock

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rocconf import packed_scores, records
from rocconf.packed_scores import PackedScores

SCORES = st.sampled_from(
    [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 5e-324, -5e-324, 1e308, -1e308, np.inf, -np.inf]
) | st.floats(allow_nan=False)
PIECES = st.lists(st.lists(st.tuples(st.booleans(), SCORES), max_size=7), max_size=6)


def slowly(cases, *, descending):
    """Return the distinct scores and what comes up to each."""
    scores = sorted({score + 0.0 for _, score in cases}, reverse=descending)
    ends = np.inf if descending else -np.inf
    reached = [[case for case in cases if (case[1] >= score if descending else case[1] <= score)] for score in scores]
    tp = [sum(label for label, _ in found) for found in reached]
    fp = [sum(not label for label, _ in found) for found in reached]
    return [ends, *scores], [0, *tp], [0, *fp]


@given(PIECES, st.booleans(), st.integers(1, 5), st.integers(1, 4))
def test_cases_are_counted_as_they_are_defined(pieces, descending, block, chunk):
    packed = PackedScores(descending=descending)
    with mock.patch.object(packed_scores, "BLOCK", block), mock.patch.object(records, "CHUNK", chunk):
        for piece in pieces:
            labels = np.array([label for label, _ in piece], dtype=np.bool_)
            packed.add(labels, np.array([score for _, score in piece], dtype=np.float64))
        thresholds, tp, fp = packed.cumulated()
    found = thresholds.tolist(), tp.tolist(), fp.tolist()
    assert found == slowly([case for piece in pieces for case in piece], descending=descending)
    assert not np.signbit(thresholds[thresholds == 0]).any()
    assert (tp.dtype, fp.dtype, thresholds.dtype) == (np.int64, np.int64, np.float64)


def test_few_scores_of_many_cases_take_little_memory():
    packed = PackedScores(descending=True)
    packed.add(np.tile([True, False], 50_000), np.tile([0.25, 0.5, 0.25, 0.75], 25_000))
    assert [column.base is None or len(column.base) < 10 for column in packed.cumulated()] == [True] * 3
