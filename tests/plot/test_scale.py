"""Colours of thresholds, whatever the scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf.plot.format import MINUS
from rocconf.plot.scale import EVENLY, scale_of

scores = st.floats(allow_nan=False)


@given(st.lists(scores, min_size=1, max_size=30, unique=True), st.data())
def test_every_stretch_has_a_shade_and_higher_thresholds_are_higher_on_the_bar(thresholds, data):
    ordered = np.sort(thresholds)[:: data.draw(st.sampled_from([1, -1]))]
    lengths = np.array(data.draw(st.lists(st.floats(0.01, 1), min_size=len(ordered), max_size=len(ordered))))
    probabilities = bool(ordered.min() >= 0 and ordered.max() <= 1)
    scale = scale_of(ordered, lengths, probabilities=probabilities)
    assert ((scale.shades >= 0) & (scale.shades <= 1)).all()
    assert (np.diff(scale.shades[np.argsort(ordered)]) >= 0).all()
    assert ((np.array(scale.ticks) >= 0) & (np.array(scale.ticks) <= 1)).all()
    assert (np.diff(scale.ticks) > 0).all()
    assert len(set(scale.labels)) == len(scale.labels) == len(scale.ticks) >= 1
    assert not any("nan" in label for label in scale.labels)


def test_probabilities_are_shown_from_0_to_1():
    thresholds = np.linspace(0.9, 0.1, 9)
    scale = scale_of(thresholds, np.ones(9), probabilities=True)
    assert scale.shades == pytest.approx(thresholds)
    assert scale.labels == ("0", "0.2", "0.4", "0.6", "0.8", "1")
    assert scale.ticks == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])


def test_other_scores_are_shown_from_the_lowest_to_the_highest():
    scale = scale_of(np.linspace(30, -10, 9), np.ones(9), probabilities=False)
    assert (scale.shades[0], scale.shades[-1]) == (1, 0)
    assert scale.labels == (f"{MINUS}10", "0", "10", "20", "30")


def test_an_infinite_score_is_at_an_end_of_the_bar():
    scale = scale_of(np.array([np.inf, *np.linspace(3, 0, 8), -np.inf]), np.ones(10), probabilities=False)
    assert scale.name == "threshold"
    assert scale.shades.tolist()[:2] == [1, 1]
    assert scale.shades.tolist()[-2:] == [0, 0]


@pytest.mark.parametrize(
    "thresholds",
    [
        [1e300, 4, 3, 2, 1],
        [1e308, 1, 0, -1, -1e308],
        [0.9, 1e-4, 1e-5, 1e-6, 1e-7],
        [np.inf, -np.inf],
        [np.inf],
        [0.3],
    ],
)
def test_scores_that_crowd_are_spaced_along_the_curve_and_the_bar_says_so(thresholds):
    scale = scale_of(np.array(thresholds), np.ones(len(thresholds)), probabilities=False)
    assert scale.name == EVENLY
    assert len(set(scale.shades)) == len(thresholds)
    where = dict(zip(scale.ticks, scale.labels, strict=True))
    assert set(where) <= set(scale.shades.tolist())


def test_labels_like_scores_take_both_ends():
    scale = scale_of(np.array([1.0, 0.0]), np.ones(2), probabilities=True)
    assert scale.shades.tolist() == [1, 0]


def test_neighbouring_thresholds_have_different_labels():
    scale = scale_of(np.array([1.00000002, 1.00000001, 1.0, -5e9]), np.ones(4), probabilities=False)
    assert scale.labels == (f"{MINUS}5e+09", "1", "1.00000001", "1.00000002")
