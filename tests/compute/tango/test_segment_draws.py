"""Cases that are drawn in windows are drawn as if all were: each window holds its segments, and all models see the same cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ks_2samp
from strategies import examples

from rocconf import Predictions, count
from rocconf.compute.roc.curve import curve
from rocconf.compute.stats.paired_tests import TESTS
from rocconf.compute.tango.segment import confident_segment
from rocconf.compute.tango.segment_bootstrap import SegmentGauge
from rocconf.compute.tango.segment_draws import MeasuredCurve, Window, _Class, _divided, draw_segments


def made(seed, p=600, q=900, models=2, decimals=3):
    """Return cases on which models of different quality agree in part."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(p + q) < p
    shared = rng.normal(size=p + q)
    scores = {f"m{at}": (shared + (1 + at) * labels + rng.normal(size=p + q)).round(decimals) for at in range(models)}
    return Predictions(labels, scores)


def measured(predictions, thresholds="distinct", test="tango", level=0.95):
    found = []
    for model, scores in predictions.scores.items():
        roc = curve(count(predictions, model), thresholds)
        gauge = SegmentGauge(TESTS[test], roc.p, roc.q, level, thresholds != "distinct")
        found.append(MeasuredCurve(gauge, roc, scores))
    return found


@given(st.integers(0, 10_000), st.sampled_from([0.5, 0.95, 0.999]), st.sampled_from(list(TESTS)))
@examples(60)
def test_a_window_holds_the_segment_of_any_test(seed, level, test):
    rng = np.random.default_rng(seed)
    predictions = made(seed, *rng.integers(1, 400, 2).tolist(), models=1, decimals=int(rng.integers(0, 3)))
    roc = curve(count(predictions))
    segment = confident_segment(roc, TESTS[test], level=level)
    window = Window.around(roc, level)
    assert window.first <= segment.first
    assert segment.stop <= window.last + 1


@given(st.integers(0, 10_000), st.booleans(), st.sampled_from(["distinct", "0,1", "-1,0.5,2"]))
@examples(60)
def test_a_column_is_the_first_in_which_the_case_is_predicted_positive(seed, turned, thresholds):
    rng = np.random.default_rng(seed)
    labels, scores = np.arange(30) < 12, rng.normal(size=30).round(1)
    scores[rng.integers(30, size=2)] = np.inf, -np.inf
    roc = curve(count(Predictions(labels, {"s": scores}, lower_is_positive=turned)), thresholds)
    first, last = sorted(rng.integers(len(roc), size=2).tolist())
    window = Window(first, last)
    found = window.columns(roc, -scores if turned else scores)
    for score, column in zip(scores, found, strict=True):
        rows = [
            at
            for at in range(first, last + 1)
            if at > 0 and (score <= roc.thresholds[at] if turned else score >= roc.thresholds[at])
        ]
        assert column == (rows[0] - first if rows else window.width)


@given(st.integers(0, 10_000), st.integers(1, 3))
@examples(40)
def test_draws_count_each_case_once_in_every_model(seed, models):
    """Every replicate has as many cases as there are; what is before, in and after the windows adds up."""
    rng = np.random.default_rng(seed)
    predictions = made(seed, 40, 60, models, decimals=1)
    curves = measured(predictions)
    windows = [Window(*sorted(rng.integers(len(each.roc), size=2).tolist())) for each in curves]
    for of_class, labels in zip(_divided(curves, windows, predictions.labels), (True, False), strict=True):
        assert of_class.size == np.count_nonzero(predictions.labels == labels)
        whole = of_class.drawn(50, [Window(0, window.width) for window in windows], rng)
        for cumulated, window in zip(whole, windows, strict=True):
            assert cumulated.shape == (50, window.width + 1)
            assert (cumulated[:, -1] <= of_class.size).all()
            assert (np.diff(cumulated, axis=1) >= 0).all()


def test_the_same_cases_are_drawn_for_all_models():
    predictions = made(3)
    (model,) = measured(Predictions(predictions.labels, {"a": predictions.scores["m0"]}))
    again = model._replace(
        ranked=predictions.scores["m0"] * 2 + 5,
        roc=curve(count(Predictions(predictions.labels, {"b": predictions.scores["m0"] * 2 + 5}))),
    )
    other = measured(predictions)[1]
    one, two, three = draw_segments([model, again, other], 50, np.random.default_rng(1), labels=predictions.labels)
    assert np.array_equal(one, two, equal_nan=True)
    assert not np.array_equal(one, three, equal_nan=True)


def test_neither_the_order_of_the_cases_nor_the_direction_matters():
    predictions, order = made(6), np.random.default_rng(7).permutation(1500)
    shuffled = Predictions(predictions.labels[order], {name: of[order] for name, of in predictions.scores.items()})
    turned = Predictions(
        predictions.labels, {name: -of for name, of in predictions.scores.items()}, lower_is_positive=True
    )
    curves = measured(turned)
    found = [
        draw_segments(measured(predictions), 40, np.random.default_rng(1), labels=predictions.labels),
        draw_segments(measured(shuffled), 40, np.random.default_rng(1), labels=shuffled.labels),
        draw_segments(
            [each._replace(ranked=-each.ranked) for each in curves], 40, np.random.default_rng(1), labels=turned.labels
        ),
    ]
    for other in found[1:]:
        assert all(np.array_equal(one, two, equal_nan=True) for one, two in zip(found[0], other, strict=True))


@pytest.mark.thorough
@pytest.mark.parametrize("is_missed", [False, True], ids=["in windows", "every window is missed"])
@pytest.mark.parametrize("thresholds", ["distinct", "0.2,0.4,0.6,0.7,0.8,0.9,1,1.1,1.2,1.3,1.4,1.5,1.7"])
def test_pairs_are_distributed_as_if_rows_were_drawn(is_missed, thresholds, monkeypatch):
    if is_missed:
        monkeypatch.setattr(Window, "around", lambda *_: Window(0, 1))
    predictions = made(5)
    curves = measured(predictions, thresholds)
    assert thresholds != "distinct" or all(Window.around(each.roc, 0.95).width < len(each.roc) for each in curves)
    ours = draw_segments(curves, 6000, np.random.default_rng(2), labels=predictions.labels)
    rng = np.random.default_rng(3)
    positives, negatives = np.flatnonzero(predictions.labels), np.flatnonzero(~predictions.labels)
    theirs = []
    for _ in range(1200):
        rows = np.concatenate([rng.choice(positives, len(positives)), rng.choice(negatives, len(negatives))])
        drawn = Predictions(predictions.labels[rows], {name: of[rows] for name, of in predictions.scores.items()})
        segments = [confident_segment(each.roc, TESTS["tango"]) for each in measured(drawn, thresholds)]
        theirs.append([[of.cauc, of.cauc_roc, np.nan if of.aved_abs is None else of.aved_abs] for of in segments])
    expected = np.array(theirs)
    for at, column in enumerate((0, 3, 5)):
        one, two = (values[:, column].round(12) for values in ours)
        first, second = (expected[:, model, at].round(12) for model in (0, 1))
        assert ks_2samp(one, first).pvalue > 1e-3
        assert ks_2samp(one - two, first - second).pvalue > 1e-3
        assert np.corrcoef(one, two)[0, 1] == pytest.approx(np.corrcoef(first, second)[0, 1], abs=0.12)


def test_many_models_are_divided_into_groups_of_equal_places():
    """More models than bits of an octet: cases are told apart by all of them."""
    rng = np.random.default_rng(1)
    columns = [np.where(rng.random(200) < 0.5, 0, 4) for _ in range(11)]
    columns[3][:20] = 2
    found = _Class.of(columns, [Window(0, 3)] * 11)
    outer = {tuple(row) for row in np.array(columns)[:, 20:].T.tolist()}
    assert (len(found.others), len(found.columns[0]), found.size) == (len(outer), 20, 200)
    assert {tuple(0 if before else 4 for before in column) for column in found.come_before.T.tolist()} == outer
