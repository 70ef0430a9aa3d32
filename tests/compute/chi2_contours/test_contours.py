"""Lines of equal chi-square, accuracy and cost on the ROC chart."""

import json
import re
from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rocconf.compute.chi2_contours.contours import (
    ClassTotals,
    accuracies,
    accuracy_line,
    contour,
    cost_line,
    cost_lines,
    shared_totals,
)
from rocconf.errors import UndefinedError, UsageError

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "bradley_1996.json").read_text())["bradley"]
WORKED = {
    tuple(float(number) for number in re.findall(r"[\d.]+", key.replace("chi2", ""))): value
    for key, value in REFERENCE.items()
    if key.startswith("Cn=")
}

classes = st.integers(1, 10**6)


@st.composite
def charts(draw):
    totals = ClassTotals(draw(classes), draw(classes))
    return totals, totals.n * draw(st.floats(1e-4, 0.999))


def exactly(level):
    """Return the quantile of chi-square that the reference rounds in its keys."""
    return {3.84146: 3.8414588206941285, 6.6349: 6.634896601021217, 7.87944: 7.879438576622419}.get(level, level)


def chi2_at(totals, fpr, tpr):
    """Return equation (14) of the paper, at any point of the chart."""
    p, q, n = totals.p, totals.q, totals.n
    flagged, others = p * tpr + q * fpr, p * (1 - tpr) + q * (1 - fpr)
    return p * q * n * (tpr - fpr) ** 2 / (flagged * others)


def of_rounding(totals, fpr, tpr):
    """Return how far chi2 may be off, relatively, since each coordinate is rounded to 4 units in its last place.

    Near (1, 1) the few cases that are not flagged are a difference of coordinates near 1.
    """
    flagged, others = totals.p * tpr + totals.q * fpr, totals.p * (1 - tpr) + totals.q * (1 - fpr)
    return 4 * np.finfo(float).eps * (2 * (tpr + fpr) / np.abs(tpr - fpr) + 1 + flagged / others)


def tpr_of(totals, k, fpr, sign):
    """Solve chi2 = k for tpr: the explicit form, another route to the same contour."""
    p, q, n = totals.p, totals.q, totals.n
    root = n * np.sqrt(k**2 + 4 * k * n * (q / p) * fpr * (1 - fpr))
    return (2 * q * fpr * (n - k) + k * n + sign * root) / (2 * (n * q + k * p))


@pytest.mark.parametrize(("key", "worked"), WORKED.items(), ids=str)
def test_ends_and_points_match_the_worked_example(key, worked):
    negatives, positives, level = key
    totals = ClassTotals(int(positives), int(negatives))
    for branch, sign in zip(contour(totals, exactly(level)), (1, -1), strict=True):
        ends = (branch.fpr[0], branch.tpr[0]), (branch.fpr[-1], branch.tpr[-1])
        name = branch.branch
        np.testing.assert_allclose(ends, (worked[f"{name}_start"], worked[f"{name}_end"]), atol=1e-6)
        for fpr, tpr in worked[f"{name}_t_at"].items():
            assert np.interp(float(fpr), branch.fpr, branch.tpr) == pytest.approx(tpr, abs=3e-5)
            assert tpr_of(totals, exactly(level), float(fpr), sign) == pytest.approx(tpr, abs=1e-6)
    upper, _ = contour(totals, exactly(level))
    # on the line from the null point to perfection v = P/n: the share of predicted positives is the prevalence
    share = (totals.p * upper.tpr + totals.q * upper.fpr) / totals.n
    reach = np.interp(totals.null_point, share, upper.tpr - upper.fpr)
    assert reach == pytest.approx(worked["on_null_line_t_minus_f"], abs=2e-4)
    assert worked["on_null_line_t_minus_f"] == pytest.approx(sqrt(exactly(level) / totals.n), rel=1e-6)


@given(charts())
@example((ClassTotals(5, 55), 3.8414588206941285))
@example((ClassTotals(50, 1000), 7.879438576622419))
def test_chi2_is_the_level_at_every_vertex(chart):
    totals, level = chart
    for branch in contour(totals, level):
        off = np.abs(chi2_at(totals, branch.fpr, branch.tpr) / level - 1)
        assert (off <= 1e-9 + of_rounding(totals, branch.fpr, branch.tpr)).all()


@given(charts())
def test_branches_rise_across_the_chart_and_mirror_each_other(chart):
    totals, level = chart
    upper, lower = contour(totals, level)
    assert (upper.fpr[0], upper.tpr[-1], lower.tpr[0], lower.fpr[-1]) == (0, 1, 0, 1)
    assert (upper.tpr > upper.fpr).all()
    assert (lower.tpr < lower.fpr).all()
    for axis in (upper.fpr, upper.tpr, lower.fpr, lower.tpr):
        assert (np.diff(axis) > -1e-15).all()
        assert 0 <= axis.min() <= axis.max() <= 1 + 1e-15
    np.testing.assert_allclose(lower.fpr, 1 - upper.fpr[::-1], atol=1e-12)
    np.testing.assert_allclose(lower.tpr, 1 - upper.tpr[::-1], atol=1e-12)
    swapped, _ = contour(ClassTotals(totals.q, totals.p), level)
    np.testing.assert_array_equal((swapped.fpr, swapped.tpr), (lower.tpr, lower.fpr))


@pytest.mark.parametrize(("p", "q"), [(1, 1), (30, 30), (5, 55), (55, 5)])
def test_a_level_of_n_or_more_or_not_above_0_has_no_contour(p, q):
    n = p + q
    with pytest.raises(UndefinedError, match=f"none exceeds n = {n}"):
        contour(ClassTotals(p, q), n)
    assert len(contour(ClassTotals(p, q), n * (1 - 1e-9))[0].fpr) > 100
    with pytest.raises(UsageError, match="must be positive and finite"):
        contour(ClassTotals(p, q), 0)


@pytest.mark.parametrize(
    ("p", "q", "said"), [(0, 55, "one case of each"), (5, -3, "one case of each"), (5.5, 55, r"not 5\.5")]
)
def test_impossible_class_totals_are_rejected(p, q, said):
    with pytest.raises((UndefinedError, UsageError), match=said):
        ClassTotals(p, q)


def test_5_and_55_have_the_null_point_and_accuracies_of_the_paper():
    totals, printed = ClassTotals(5, 55), REFERENCE["accuracy_55_5"]
    assert [totals.null_point] * 2 == pytest.approx(REFERENCE["null_point"]["55/5"])
    line = accuracy_line(totals, 55 / 60)
    assert (line.fpr[0], line.tpr[0]) == pytest.approx((0, 0), abs=1e-15)
    assert line.value == pytest.approx(printed["all_negative"])
    at_random = accuracy_at(totals, totals.null_point, totals.null_point)
    assert at_random == pytest.approx(printed["random_at_null_point"])
    assert round(at_random, 2) == 0.85  # the paper prints 86%


def accuracy_at(totals, fpr, tpr):
    return (totals.p * tpr + totals.q * (1 - fpr)) / totals.n


@given(classes, classes, st.floats(0.01, 100), st.floats(0.01, 100), st.floats(0.01, 0.99))
def test_a_cost_line_has_one_cost_and_the_slope_of_the_costs_from_side_to_side(p, q, alarm, miss, share):
    totals = ClassTotals(p, q)
    cost = share * (alarm * q + miss * p) / totals.n
    line = cost_line(totals, cost, cost_fp=alarm, cost_fn=miss)
    for fpr, tpr in zip(line.fpr, line.tpr, strict=True):
        assert (alarm * q * fpr + miss * p * (1 - tpr)) / totals.n == pytest.approx(cost, rel=1e-9)
    (x0, x1), (y0, y1) = line.fpr, line.tpr
    assert 0 in (x0, y0)
    assert 1 in (x1, y1)
    assert 0 <= x0 <= x1 <= 1
    assert 0 <= y0 <= y1 <= 1
    # slope (cFP*Q)/(cFN*P), cross-multiplied: a line may be short
    assert (y1 - y0) * miss * p == pytest.approx((x1 - x0) * alarm * q, rel=1e-6, abs=1e-6 * (alarm * q + miss * p))
    equal = cost_line(totals, 1 - share)
    assert accuracy_line(totals, share) == replace(equal, value=share)
    assert accuracy_at(totals, equal.fpr[0], equal.tpr[0]) == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize("cost", [0, -1, 1, 1.5])
def test_a_cost_that_no_point_has_is_rejected(cost):
    with pytest.raises(UndefinedError, match="no point of the chart"):
        cost_line(ClassTotals(5, 55), cost)


def test_accuracies_are_between_0_and_1_distinct_and_ascending():
    assert accuracies([0.9, 0.5, 0.9]) == (0.5, 0.9)
    for accuracy in (0, 1, 1.2, -0.1, np.nan):
        with pytest.raises(UsageError, match="accuracy of a contour must be between 0 and 1"):
            accuracy_line(ClassTotals(5, 55), accuracy)


def test_cost_lines_stop_at_the_cheaper_constant_prediction():
    # nothing positive: 5 misses at 20; everything positive: 55 alarms at 1
    lines = cost_lines(ClassTotals(5, 55), cost_fp=1, cost_fn=20)
    assert [line.value for line in lines] == pytest.approx([55 / 60 * k / 4 for k in (1, 2, 3, 4)])
    assert (lines[-1].fpr[1], lines[-1].tpr[1]) == pytest.approx((1, 1))


def test_only_models_of_the_same_class_totals_share_a_chart():
    assert shared_totals([ClassTotals(5, 55, "a"), ClassTotals(5, 55, "b")]).model == "a"
    with pytest.raises(UsageError, match=r"found: 5 and 55, 6 and 55"):
        shared_totals([ClassTotals(5, 55), ClassTotals(6, 55)])
