from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from rocconf.compute.roc.curve import Curve, curve
from rocconf.compute.roc.influence import AUC
from rocconf.compute.roc.observed import Observed
from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.stats.paired_tests import TESTS
from rocconf.compute.tango.segment import confident_segment, measure_rows, run_between
from rocconf.records import ScoreCounts

LEVELS = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.9999])


@st.composite
def tied_lists(draw, most=80):
    """Counts at scores that often tie, of any prevalence."""
    p, q = draw(st.integers(1, most)), draw(st.integers(1, most))
    distinct = draw(st.integers(1, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shift = draw(st.sampled_from([-5, 0, 5, 20]))
    positive = np.clip(rng.integers(0, distinct, p) + shift, 0, distinct + 10)
    scores = np.concatenate([positive, rng.integers(0, distinct, q)])
    labels = np.concatenate([np.ones(p), np.zeros(q)])
    return ScoreCounts.of(scores, labels, 1 - labels)


def by_definition(roc, level):
    """Return what the segment is, point by point, in fractions."""
    z2 = Fraction(normal_quantile(level)) ** 2
    points = [(int(tp), int(fp)) for tp, fp in zip(roc.tp, roc.fp, strict=True)]
    confident = [(roc.p - tp - fp) ** 2 <= z2 * (roc.p - tp + fp) for tp, fp in points]
    inside = [point for point, yes in zip(points, confident, strict=True) if yes]
    xy = [(Fraction(fp, roc.q), Fraction(tp, roc.p)) for tp, fp in inside]
    pairs = list(pairwise(xy))
    tp_area = sum(((y0 + y1) / 2 * (x1 - x0) for (x0, y0), (x1, y1) in pairs), Fraction(0))
    fp_area = sum(((x0 + x1) / 2 * (y1 - y0) for (x0, y0), (x1, y1) in pairs), Fraction(0))
    right_of = sum(((1 - (x0 + x1) / 2) * (y1 - y0) for (x0, y0), (x1, y1) in pairs), Fraction(0))
    union = right_of + (xy[0][1] * (xy[-1][0] - xy[0][0]) if xy else 0)
    differences = [Fraction(roc.p - tp - fp, roc.n) for tp, fp in inside]
    return {
        "rows": [row for row, yes in enumerate(confident) if yes],
        "cauc": tp_area + fp_area,
        "cauc_tp": tp_area,
        "cauc_fp": fp_area,
        "cauc_roc": union,
        "aved": sum(differences) / len(differences) if differences else None,
        "aved_abs": sum(map(abs, differences)) / len(differences) if differences else None,
    }


@given(tied_lists(), LEVELS)
@examples(300)
def test_matches_its_definition(counts, level):
    roc = curve(counts)
    segment, expected = confident_segment(roc, TESTS["tango"], level=level), by_definition(roc, level)
    assert list(range(segment.first, segment.stop)) == expected.pop("rows")
    for name, value in expected.items():
        assert getattr(segment, name) == (None if value is None else float(value)), name


@pytest.mark.parametrize("seed", range(3))
def test_bisection_finds_all_confident_points_of_thousands_of_tied_lists(seed):
    rng = np.random.default_rng(seed)
    z2 = normal_quantile(0.95) ** 2
    for _ in range(700):
        p, q = rng.integers(1, 60, 2)
        scores = rng.integers(0, rng.integers(1, 40), p + q) + np.repeat([rng.integers(-3, 9), 0], [p, q])
        labels = np.repeat([1, 0], [p, q])
        roc = curve(ScoreCounts.of(scores, labels, 1 - labels))
        b, c = roc.p - roc.tp, roc.fp
        inside = np.flatnonzero((b - c) ** 2 <= z2 * (b + c))
        segment = confident_segment(roc, TESTS["tango"])
        assert inside.tolist() == list(range(segment.first, segment.stop))


@pytest.mark.parametrize("name", TESTS)
@given(counts=tied_lists(), level=LEVELS)
@examples(40)
def test_holds_all_points_that_its_test_does_not_reject(name, counts, level):
    roc = curve(counts)
    inside = np.flatnonzero(~TESTS[name].differs(roc.confusion(slice(None)), level))
    segment = confident_segment(roc, TESTS[name], level=level)
    assert inside.tolist() == list(range(segment.first, segment.stop))


@given(tied_lists(), LEVELS)
def test_cauc_is_the_difference_of_the_products_at_its_ends(counts, level):
    roc = curve(counts)
    segment = confident_segment(roc, TESTS["tango"], level=level)
    if not len(segment):
        assert segment.cauc == 0
        return
    x, y = roc.fpr, roc.tpr
    first, last = segment.first, segment.stop - 1
    assert segment.cauc == pytest.approx(x[last] * y[last] - x[first] * y[first], abs=1e-15)
    assert segment.cauc == pytest.approx(segment.cauc_tp + segment.cauc_fp, abs=1e-15)


@given(tied_lists())
def test_cauc_roc_is_the_auc_where_all_points_are_confident(counts):
    roc = curve(counts)
    whole, area = measure_rows(roc, 0, len(roc)), AUC.value(Observed(counts))
    assert whole.cauc == 1
    assert whole.cauc_roc == pytest.approx(area, abs=1e-15)
    assert whole.cauc_tp == pytest.approx(area, abs=1e-15)


@given(tied_lists(), LEVELS)
def test_areas_are_shares_and_the_whole_is_no_less_than_either_part(counts, level):
    segment = confident_segment(curve(counts), TESTS["tango"], level=level)
    assert 0 <= segment.cauc_tp <= segment.cauc_roc + 1e-15 <= 1 + 1e-15
    assert 0 <= segment.cauc_fp <= 1
    assert segment.aved is None or abs(segment.aved) <= segment.aved_abs


def test_one_point_has_no_area():
    roc = Curve(np.array([np.inf, 0.5, 0.1]), np.array([0, 30, 60]), np.array([0, 30, 90]), 60, 90)
    segment = confident_segment(roc, TESTS["tango"])
    assert (segment.first, segment.stop) == (1, 2)
    assert (segment.cauc, segment.cauc_tp, segment.cauc_fp, segment.cauc_roc) == (0, 0, 0, 0)
    assert segment.aved == segment.aved_abs == 0


def test_without_points_areas_are_0_and_means_undefined():
    roc = Curve(np.array([np.inf, 0.1]), np.array([0, 60]), np.array([0, 90]), 60, 90)
    segment = confident_segment(roc, TESTS["tango"])
    assert not len(segment)
    assert (segment.cauc, segment.cauc_tp, segment.cauc_fp, segment.cauc_roc) == (0, 0, 0, 0)
    assert segment.aved is None
    assert segment.aved_abs is None


def test_runs_can_be_empty_at_either_end():
    def run(above_until, below_from):
        return run_between(4, above=lambda row: row < above_until, below=lambda row: row >= below_from)

    assert run(2, 2) == (2, 2)
    assert run(0, 4) == (0, 4)
    assert run(4, 4) == (4, 4)
    assert run(0, 0) == (0, 0)
    assert run(1, 3) == (1, 3)


def test_ten_billion_cases_are_measured_exactly():
    n, steps = 10**10, 200_001
    tp = np.linspace(0, n // 2, steps).astype(np.int64)
    fp = (np.linspace(0, 1, steps) ** 3 * (n // 2)).astype(np.int64)
    fp[-1] = n // 2
    roc = Curve(np.arange(steps, 0.0, -1), tp, fp, n // 2, n // 2)
    whole = measure_rows(roc, 0, steps)
    twice = sum(int(w) * int(h) for w, h in zip(np.diff(fp), tp[1:] + tp[:-1], strict=True))
    assert whole.cauc_tp == twice / (2 * (n // 2) ** 2)
    assert whole.aved == (roc.p * steps - int(tp.sum()) - int(fp.sum())) / (n * steps)
    assert whole.aved_abs == sum(abs(n // 2 - int(t) - int(f)) for t, f in zip(tp, fp, strict=True)) / (n * steps)
