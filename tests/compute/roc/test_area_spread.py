"""Influences on areas by their definition, the AUC's interval as a special case, and a negative ranked first."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rocconf.compute.roc.area_spread import area_spread, influences

from rocconf import Predictions, count
from rocconf.compute.roc.auc import AREAS, area_interval, delong_variance
from rocconf.compute.roc.curve import curve
from rocconf.records import UNKNOWN

LIMITS = st.sampled_from([None, 0.1, 0.25, 0.6, 1.0])


@st.composite
def samples(draw, least=2):
    p, q = draw(st.integers(least, 8)), draw(st.integers(least, 12))
    levels = draw(st.sampled_from([3, 7, 1000]))
    scores = np.array(draw(st.lists(st.integers(0, levels), min_size=p + q, max_size=p + q)), dtype=float)
    return np.arange(p + q) < p, scores


def roc_of(labels, scores):
    return curve(count(Predictions(labels, {"m": scores})))


def weighted_area(labels, scores, weights, max_fpr):
    """Return the area of weighted cases, by its definition: a precision a positive, or straight lines."""
    of_class = [weights * (labels == of) for of in (True, False)]
    true, false = ([each[scores >= t].sum() for t in np.unique(scores)[::-1]] for each in of_class)
    tp, fp = np.array([0.0, *true]), np.array([0.0, *false])
    if max_fpr is None:
        gained = np.diff(tp)
        return (gained * tp[1:] / np.where(gained > 0, tp[1:] + fp[1:], 1)).sum() / tp[-1]
    fpr, tpr = fp / fp[-1], tp / tp[-1]
    inside = np.flatnonzero(fpr <= max_fpr)[-1] + 1
    x, y = list(fpr[:inside]), list(tpr[:inside])
    if inside < len(fpr):
        share = (max_fpr - x[-1]) / (fpr[inside] - x[-1])
        x, y = [*x, max_fpr], [*y, y[-1] + share * (tpr[inside] - y[-1])]
    return np.trapezoid(y, x) / max_fpr


@given(samples(), LIMITS)
@settings(max_examples=60)
def test_an_influence_is_how_much_the_weight_of_a_case_moves_the_area(sample, max_fpr):
    labels, scores = sample
    p, q = int(labels.sum()), int((~labels).sum())
    roc = roc_of(labels, scores)
    if max_fpr is not None:  # the derivative has a step where a row lies at the limit
        assume((np.abs(roc.fp / roc.q - max_fpr) > 1e-3).all() or max_fpr == 1)
    of_rows = influences(roc, max_fpr)
    rows = np.searchsorted(-roc.thresholds[1:], -scores)
    step = 1e-5

    def moved(case, by):
        weights = np.ones(len(labels))
        same = labels == labels[case]
        weights[case] += by
        weights[same] *= same.sum() / weights[same].sum()  # the prevalence is that of the sample
        return weighted_area(labels, scores, weights, max_fpr)

    for of_class, size, found in ((labels, p, of_rows.of_positives), (~labels, q, of_rows.of_negatives)):
        slopes = np.array([(moved(at, step) - moved(at, -step)) / (2 * step) * size for at in np.flatnonzero(of_class)])
        influence = found[rows[of_class]]
        assert influence - influence.mean() == pytest.approx(slopes, abs=1e-4)


@given(samples())
def test_up_to_a_rate_of_1_the_spread_is_delongs(sample):
    roc = roc_of(*sample)
    found, expected = area_spread(roc, 1.0), delong_variance(roc)
    assert found.variance.of_positives == pytest.approx(expected.of_positives, abs=1e-15, rel=1e-9)
    assert found.variance.of_negatives == pytest.approx(expected.of_negatives, abs=1e-15, rel=1e-9)


@given(samples(), LIMITS)
def test_the_lower_limit_starts_from_one_more_negative_ranked_first(sample, max_fpr):
    labels, scores = sample
    found = area_spread(roc_of(labels, scores), max_fpr)
    more = np.append(labels, False), np.append(scores, scores.max() + 1)
    weights = np.ones(len(more[0]))
    expected = weighted_area(*more, weights, max_fpr)
    assert found.pessimistic == pytest.approx(expected, abs=1e-12)
    assert found.value == pytest.approx(weighted_area(labels, scores, np.ones(len(labels)), max_fpr), abs=1e-12)


@given(samples(), LIMITS, st.sampled_from([0.5, 0.95, 0.999]))
def test_an_interval_holds_its_area_and_has_a_width(sample, max_fpr, level):
    roc = roc_of(*sample)
    for name, area in AREAS.items():
        if area.undefined and max_fpr is None:
            continue
        value, found = area.of(roc, max_fpr), area_interval(area, roc, max_fpr, level=level)
        assert found.lower <= value <= found.upper, name
        assert found.lower < found.upper


@pytest.mark.parametrize(("p", "q"), [(1, 9), (9, 1)])
def test_with_a_single_case_of_a_class_the_interval_is_unknown(p, q):
    roc = roc_of(np.arange(p + q) < p, np.arange(p + q, dtype=float))
    assert area_interval(AREAS["average_precision"], roc, None, level=0.95) == UNKNOWN
    assert area_interval(AREAS["partial_auc"], roc, 0.5, level=0.95) == UNKNOWN


def test_a_standardized_interval_is_that_of_the_partial_area():
    rng = np.random.default_rng(4)
    labels = np.arange(60) < 20
    roc = roc_of(labels, rng.normal(size=60) + labels)
    partial, standardized = (
        area_interval(AREAS[name], roc, 0.2, level=0.95) for name in ("partial_auc", "partial_auc_standardized")
    )
    # McClish (1989): half of 1 + (area - least) / (most - least)
    ends = [(1 + (end - 0.02) / (0.2 - 0.02)) / 2 for end in (partial.lower, partial.upper)]
    assert (standardized.lower, standardized.upper) == pytest.approx(ends)
