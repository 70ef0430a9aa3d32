"""The curve: which thresholds there are, and what is counted at each."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import counted, matrix_at, odd_cases, predictions_of, tied_cases

from rocconf.compute.roc.counts import count, rescaled
from rocconf.compute.roc.curve import MOST_STEPS, curve
from rocconf.errors import UndefinedError, UsageError

TEN = counted([1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0], [1, 1, 0, 1, 1, 0, 1, 0, 0, 0])


def listed(counts, thresholds):
    """Return the thresholds of a list, after the row in which nothing is predicted positive."""
    return curve(counts, thresholds).thresholds.tolist()[1:]


@given(tied_cases())
def test_distinct_thresholds_count_by_definition(cases):
    roc = curve(counted(*cases))
    assert roc.thresholds.tolist() == [math.inf, *sorted(set(cases[0].tolist()), reverse=True)]
    for threshold, tp, fp in zip(roc.thresholds, roc.tp, roc.fp, strict=True):
        assert (tp, fp) == matrix_at(*cases, threshold)


@given(tied_cases(distinct=100))
@example((np.arange(101) / 100, np.arange(101) < 100))
def test_a_grid_counts_ties_right_at_all_101_thresholds(cases):
    """A running `x -= .01` and 1 - k*.01 both miss some of these ties."""
    k = np.round(cases[0] * 100).astype(int)
    roc = curve(counted(k / 100, cases[1]), "grid:0.01")
    assert len(roc) == 102
    for step in range(101):
        taken = cases[1][k >= 100 - step]
        assert (roc.tp[1 + step], roc.fp[1 + step]) == (taken.sum(), len(taken) - taken.sum())


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("0.01", [k / 100 for k in range(100, -1, -1)]),
        ("1/3", [1, 2 / 3, 1 / 3, 0]),
        ("0.3", [1, 0.7, 0.4, 0.1]),
        ("1", [1, 0]),
        ("2.5e-1", [1, 0.75, 0.5, 0.25, 0]),
        ("0.001", [k / 1000 for k in range(1000, -1, -1)]),
    ],
)
def test_a_grid_is_exact(step, expected):
    assert listed(TEN, f"grid:{step}") == expected
    # the nearest float of every threshold, as fractions have it
    assert expected == [float(1 - k * Fraction(step)) for k in range(len(expected))]


@pytest.mark.parametrize("lowest", [-1e-15, -6e-18, 0.0, -1e-9])
@pytest.mark.parametrize("highest", [1.0, 1 + 2e-16, 1 + 1e-9])
def test_probabilities_may_be_off_by_rounding(lowest, highest):
    roc = curve(counted([lowest, 0.5, highest], [False, True, True]), "grid:0.5")
    assert roc.thresholds.tolist() == [math.inf, 1.0, 0.5, 0.0]
    assert roc.fp.tolist() == [0, 0, 0, int(lowest >= 0)]


@pytest.mark.parametrize("scores", [[0, 1.5], [-0.01, 1], [0, math.inf], [-math.inf, 0]])
def test_a_grid_needs_probabilities(scores):
    with pytest.raises(UndefinedError, match=r"a grid of thresholds needs scores in \[0, 1\]") as caught:
        curve(counted(scores, [False, True]), "grid:0.1")
    assert "--rescale" not in str(caught.value)
    assert "--rescale rescales them" in caught.value.text("shell")


def test_a_grid_lies_on_rescaled_scores():
    roc = curve(rescaled(counted([-3, 1, 5], [False, True, True])), "grid:0.5")
    assert (roc.tp.tolist(), roc.fp.tolist()) == ([0, 1, 2, 2], [0, 0, 0, 1])


@given(tied_cases(), st.integers(1, 40))
def test_quantiles_are_the_first_scores_that_predict_the_share_positive(cases, parts):
    scores, n = cases[0], len(cases[0])
    wanted = set()
    for k in range(1, parts + 1):
        enough = [s for s in scores.tolist() if Fraction(int((scores >= s).sum()), n) >= Fraction(k, parts)]
        wanted.add(max(enough))
    assert listed(counted(*cases), f"quantiles:{parts}") == sorted(wanted, reverse=True)


@pytest.mark.parametrize("parts", [10, 11, 20, 1000, MOST_STEPS])
def test_more_quantiles_than_cases_are_the_distinct_scores(parts):
    assert listed(TEN, f"quantiles:{parts}") == listed(TEN, "distinct")


@given(odd_cases.filter(lambda cases: 0 < sum(label for _, label in cases) < len(cases)), st.data())
def test_listed_thresholds_are_counted_case_by_case(cases, data):
    seen = st.sampled_from([score for score, _ in cases])
    values = data.draw(st.lists(seen | st.floats(allow_nan=False), min_size=1, max_size=6))
    text = ",".join(map(repr, values))
    for lower in (False, True):
        roc = curve(count(predictions_of(cases, lower_is_positive=lower)), text)
        sign = -1 if lower else 1
        assert roc.thresholds[1:].tolist() == sorted({value + 0.0 for value in values}, reverse=not lower)
        scores, labels = [sign * score for score, _ in cases], [label for _, label in cases]
        for threshold, tp, fp in zip(roc.thresholds[1:], roc.tp[1:], roc.fp[1:], strict=True):
            assert (tp, fp) == matrix_at(scores, labels, sign * threshold)


def test_a_listed_zero_has_no_sign():
    assert math.copysign(1, curve(TEN, "-0.0").thresholds[1]) == 1


def test_the_first_row_of_any_list_predicts_nothing_positive():
    for thresholds in ("distinct", "grid:0.5", "quantiles:2", "0.3", "-inf", "inf"):
        roc = curve(TEN, thresholds)
        assert (roc.tp[0], roc.fp[0], roc.thresholds[0]) == (0, 0, math.inf)


@pytest.mark.parametrize(
    ("thresholds", "message"),
    [
        ("", "'' is not distinct, grid:STEP, quantiles:K or a list"),
        ("half", "'half' is not distinct"),
        ("0.5,x", "'0.5,x' is not distinct"),
        ("0.5,9007199254740993", "a 64-bit float cannot hold"),
        ("0.5,nan", "'0.5,nan' is not distinct"),
        ("grid:", "'' is not a step like 0.01"),
        ("grid:x", "'x' is not a step like 0.01"),
        ("grid:1/0", "'1/0' is not a step like 0.01"),
        ("grid:nan", "'nan' is not a step"),
        ("grid:inf", "'inf' is not a step"),
        ("grid:1e-999999999", "is not a step"),
        ("grid:0", r"step must be in \(0, 1\], not 0"),
        ("grid:-0.1", r"step must be in \(0, 1\], not -0.1"),
        ("grid:1.5", r"step must be in \(0, 1\], not 1.5"),
        ("grid:1e-8", "too fine"),
        ("quantiles:", "quantiles:K needs a whole number"),
        ("quantiles:0", "quantiles:K needs a whole number"),
        ("quantiles:-3", "quantiles:K needs a whole number"),
        ("quantiles:1.5", "quantiles:K needs a whole number"),
        ("quantiles:²", "quantiles:K needs a whole number"),
        ("quantiles:" + "9" * 5000, "quantiles:K needs a whole number"),
    ],
)
def test_invalid_thresholds_are_rejected(thresholds, message):
    with pytest.raises(UsageError, match=message):
        curve(TEN, thresholds)


@pytest.mark.parametrize(
    ("labels", "found"),
    [([True, True], "2 positives and 0"), ([False, False], "0 positives and 2"), ([], "0 positives and 0 negatives")],
)
def test_one_class_has_no_curve(labels, found):
    with pytest.raises(UndefinedError, match=f"score: a ROC curve needs both classes .found {found}"):
        curve(counted([0.1, 0.2][: len(labels)], labels))


@pytest.mark.parametrize(
    "rows",
    [slice(0, 3), slice(0, 1), slice(1, 3), slice(4, 4), slice(0, 12), np.array([3, 0, 1]), np.array([2, 5])],
    ids=str,
)
def test_only_the_nothing_positive_row_has_no_threshold(rows):
    """Although an infinite score has one."""
    roc = curve(counted([math.inf, *range(9), -math.inf], np.arange(11) % 2))
    expected = [math.nan if row == 0 else roc.thresholds[row] for row in np.arange(len(roc))[rows]]
    np.testing.assert_array_equal(roc.shown_thresholds(rows), expected)
    assert roc.thresholds[0] == math.inf
