from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from conftest import SAMPLE_DATA
from hypothesis import given
from hypothesis import strategies as st
from strategies import exact_area, examples

from rocconf import UsageError, count, read_predictions
from rocconf.compute.roc.curve import Curve, curve
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.stats.paired_tests import TESTS
from rocconf.compute.tango import tango
from rocconf.compute.tango.segment import confident_region, confident_segment, measure_rows, run_between
from rocconf.records import ScoreCounts

WORKED = ScoreCounts.of(
    [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0], [1, 1, 0, 1, 1, 0, 1, 0, 0, 0], [0, 0, 1, 0, 0, 1, 0, 1, 1, 1]
)
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


@pytest.mark.parametrize("name", TESTS)
@given(counts=tied_lists(), level=LEVELS)
@examples(40)
def test_holds_all_points_that_its_test_does_not_reject(name, counts, level):
    roc = curve(counts)
    inside = np.flatnonzero(~TESTS[name].differs(roc.confusion(slice(None)), level))
    segment = confident_segment(roc, TESTS[name], level=level)
    assert inside.tolist() == list(range(segment.first, segment.stop))


@given(tied_lists())
def test_cauc_roc_is_the_auc_where_all_points_are_confident(counts):
    roc = curve(counts)
    whole = measure_rows(roc, 0, len(roc))
    assert whole.cauc == 1
    assert whole.cauc_roc == whole.cauc_tp == pytest.approx(float(exact_area(counts)), abs=1e-15)


@pytest.mark.parametrize("point", [(30, 30), None], ids=["one point", "no point"])
def test_a_segment_of_less_than_two_points_has_no_area(point):
    tp, fp = zip((0, 0), *([point] if point else []), (60, 90), strict=True)
    roc = Curve(np.array([np.inf, 0.5, 0.1][: len(tp)]), np.array(tp), np.array(fp), 60, 90)
    segment = confident_segment(roc, TESTS["tango"])
    assert len(segment) == (point is not None)
    assert (segment.cauc, segment.cauc_tp, segment.cauc_fp, segment.cauc_roc) == (0, 0, 0, 0)
    assert segment.aved == segment.aved_abs == (0 if point else None)


@pytest.mark.parametrize("ends", [(2, 2), (0, 4), (4, 4), (0, 0), (1, 3)])
def test_runs_can_be_empty_at_either_end(ends):
    first, stop = ends
    assert run_between(4, lambda sign, row: row < first if sign > 0 else row >= stop) == ends


# Equivalent rows


@pytest.mark.parametrize("limit", ["lower", "upper"])
def test_a_limit_on_the_margin_itself_is_not_inside(limit):
    row = {"lower": 7, "upper": 3}[limit]
    margin = abs(tango(WORKED).table()[limit][row])
    for inside, wide in ((False, margin), (True, float(np.nextafter(margin, 1)))):
        assert tango(WORKED, margin=wide).table()["equivalent"][row] == inside


def test_a_margin_can_hold_no_row():
    summary = tango(WORKED, margin=0.01).summary()
    assert (summary["equivalent_points"], summary["equivalent_threshold_low"]) == (0, None)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        *(({"margin": margin}, "a margin must be between 0 and 1") for margin in (0, 1, -0.1, float("nan"))),
        ({"margin": 0.1, "test": "exact"}, "leave out test=exact"),
        *(({"prevalence": share}, "a prevalence .* between 0 and 1") for share in (0, 1, -0.1, 2)),
        ({"prevalence": 0.2, "test": "exact"}, "needs test=.tango., not exact"),
    ],
)
def test_an_invalid_margin_or_prevalence_is_rejected(options, reason):
    with pytest.raises(UsageError, match=reason):
        tango(WORKED, **options)


# At another prevalence


def restated(counts, prevalence, **options):
    """Return the rows of the table: here, and at the prevalence."""
    return tango(counts, prevalence=prevalence, **options).table("restated").records()


@pytest.fixture(scope="module")
def hypothyroid():
    return count(read_predictions(SAMPLE_DATA / "hypothyroid.csv", score="B"))


def test_a_tenth_of_the_negatives_moves_the_segment_up_the_curve(hypothyroid):
    """151 positives and 301.2 negatives."""
    here, there = restated(hypothyroid, 151 / (151 + 301.2))
    assert [round(here[key], 2) for key in ("tpr_low", "tpr_high")] == [0.74, 0.81]
    assert [round(there[key], 3) for key in ("tpr_low", "tpr_high")] == [0.881, 0.954]
    assert (here["weight"], there["weight"]) == (1, pytest.approx(0.1))
    ends = [restated(hypothyroid, prevalence)[1]["tpr_high"] for prevalence in (0.05, 0.1, 0.2, 0.5)]
    assert ends == sorted(ends)


def test_the_segment_of_the_data_does_not_change(hypothyroid):
    plain, other = (tango(hypothyroid, prevalence=prevalence) for prevalence in (None, 0.5))
    assert plain.summary() == other.summary()
    assert plain.table().records() == other.table().records()
    assert len(plain.table("restated")) == 0
    here = other.table("restated").records()[0]
    shared = ("prevalence", "confident_points", "threshold_low", "threshold_high", "cauc", "cauc_roc")
    assert {key: here[key] for key in shared} == {key: plain.summary()[key] for key in shared}


@pytest.mark.parametrize("times", [1, 2, 5, 40])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_weighted_negatives_are_repeated_negatives(times, level):
    rng = np.random.default_rng(times)
    scores = np.round(rng.normal(size=300), 1)
    labels = rng.random(300) < 1 / (1 + np.exp(-scores))
    repeated = ScoreCounts.of(scores, labels, times * ~labels)
    there = restated(ScoreCounts.of(scores, labels, ~labels), repeated.p / repeated.n, level=level)[1]
    whole = tango(repeated, level=level).summary()
    for key in ("confident_points", "threshold_low", "threshold_high", "cauc", "cauc_roc"):
        assert there[key] == pytest.approx(whole[key], abs=1e-12)


def test_nothing_confident_is_null_with_a_reason():
    result = tango(ScoreCounts.of([0.9, 0.1], [0, 50], [50, 0]), prevalence=0.01)
    there = result.table("restated").records()[1]
    assert (there["confident_points"], there["tpr_low"], there["threshold_low"], there["cauc"]) == (0, None, None, 0)
    assert any("at no threshold" in str(sentence) for sentence in result.conclusions)


@pytest.mark.parametrize(
    ("positives", "negatives", "said"),
    [
        ([5, 5, 5, 5], [5, 5, 5, 5], "at thresholds 0.5 to 0.5"),
        ([1, 0, 1], [0, 2, 2], "from threshold 0.5 up"),
    ],
)
def test_the_answer_names_the_ends_of_the_segment(positives, negatives, said):
    scores = [0.7, 0.5, 0.3, 0.1][: len(positives)]
    result = tango(ScoreCounts.of(scores, positives, negatives))
    assert said in str(result.conclusions[0])


# The confident region


@pytest.mark.parametrize("name", TESTS)
@given(p=st.integers(1, 60), q=st.integers(1, 60), level=st.sampled_from([0.8, 0.95, 0.99]))
@examples(15)
def test_the_region_holds_exactly_the_confident_points(name, p, q, level):
    region = confident_region(p, q, TESTS[name], level=level)
    b, c = (grid.ravel() for grid in np.meshgrid(np.arange(p + 1), np.arange(q + 1)))
    confident = ~TESTS[name].differs(Confusion(p - b, c, p, q), level)
    x, y = c / q, 1 - b / p
    lower, upper = np.interp(x, region.fpr, region.lower), np.interp(x, region.fpr, region.upper)
    slack = 0.02  # the edges are drawn through a few hundred points
    inside = (x <= region.fpr[-1] + slack) & (y >= lower - slack) & (y <= upper + slack)
    well_inside = (x <= region.fpr[-1] - slack) & (y >= lower + slack) & (y <= upper - slack)
    assert not (confident & ~inside).any()
    assert not (well_inside & ~confident).any()


@pytest.mark.parametrize(("p", "q"), [(40, 40), (13, 959), (500, 20)])
def test_on_the_edge_of_the_region_tangos_score_equals_the_quantile(p, q):
    z, region = normal_quantile(0.95), confident_region(p, q, TESTS["tango"])
    for edge, sign in ((region.lower, +1), (region.upper, -1)):
        b, c = p * (1 - edge), q * region.fpr
        free = (b > 1e-9) & (b < p - 1e-9)
        assert free.any()
        assert sign * (b - c)[free] == pytest.approx(z * np.sqrt(b + c)[free], rel=1e-6)


def test_the_region_holds_the_perfect_corner_and_narrows_as_n_grows():
    for name, test in TESTS.items():
        region = confident_region(30, 70, test)
        assert (region.fpr[0], region.upper[0]) == (0, 1), name
        assert region.lower[0] < 1, name
    few, many = (confident_region(k, k, TESTS["tango"]) for k in (50, 5000))
    assert (many.upper - many.lower).max() < (few.upper - few.lower).max() / 5


def test_the_region_ends_where_false_positives_outnumber_all_positives():
    region = confident_region(10, 1000, TESTS["tango"])
    c, z2 = 1000 * region.fpr[-1], normal_quantile(0.95) ** 2
    assert (c - 10) ** 2 == pytest.approx(z2 * (c + 10))
    assert (region.lower[-1], region.upper[-1]) == pytest.approx((0, 0), abs=1e-9)
