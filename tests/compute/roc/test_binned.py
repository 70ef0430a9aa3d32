"""Scores in bins against the scores themselves: what is exact is the same, and what is not lies within its bounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import counted, examples, matrix_at

import rocconf
from rocconf.bins import Dyadic, Ends, Thresholds
from rocconf.compute.roc.auc import auc
from rocconf.compute.roc.binned import _least_df, _Part
from rocconf.compute.roc.counts import same_counts
from rocconf.compute.roc.curve import require_edges, rows_at
from rocconf.compute.roc.operating import operating_point, parse_point_rule
from rocconf.errors import UsageError
from rocconf.records import Interval, ScoreCounts

SLACK = 1e-12
BINNINGS = st.one_of(
    st.integers(1, 6).map(Dyadic),
    st.lists(st.floats(-1, 2), min_size=1, max_size=5).map(lambda edges: Thresholds(np.unique(edges))),
)
TURNED = st.booleans()


@st.composite
def cases(draw, least=2):
    """Return scores, some tied and crowded at 0 and 1, and labels with both classes."""
    n = draw(st.integers(least, 40))
    score = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0, 0.5, 0.25, 1e-30, 1 - 1e-10]), st.floats(-3, 3))
    scores = draw(st.lists(score, min_size=n, max_size=n))
    labels = draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(lambda found: 0 < sum(found) < len(found)))
    return np.array(scores), np.array(labels)


def in_bins(counts, binning):
    """Count the scores of counts in bins, each by its own."""
    ends = binning.ends(counts.scores)
    rows = {}
    for row in zip(*(column.tolist() for column in (*ends, counts.positives, counts.negatives)), strict=True):
        p, q = rows.get(row[:2], (0, 0))
        rows[row[:2]] = p + row[2], q + row[3]
    ends = Ends(*map(np.array, zip(*rows, strict=True)))
    return ScoreCounts.of_bins(
        ends, *zip(*rows.values(), strict=True), model=counts.model, lower_is_positive=counts.lower_is_positive
    )


@examples(300)
@given(cases(), BINNINGS, TURNED, st.sampled_from(["robust", "delong"]), st.sampled_from([0.5, 0.9, 0.99]))
def test_the_bounds_hold_the_area_and_its_interval(of, binning, turned, kind, level):
    exact = counted(*of, lower_is_positive=turned)
    binned = in_bins(exact, binning)
    known, found = (auc(each, level=level, interval=kind) for each in (exact, binned))
    within = found.estimate.within or Interval(found.value, found.value)
    assert within.lower <= known.value <= within.upper
    assert found.interval.lower <= known.interval.lower + SLACK
    assert known.interval.upper <= found.interval.upper + SLACK


@examples(300)
@given(cases(), BINNINGS, TURNED, st.data())
def test_a_matrix_is_that_of_the_scores_or_refused(of, binning, turned, data):
    exact = counted(*of, lower_is_positive=turned)
    binned = in_bins(exact, binning)
    near = [float(np.nextafter(edge, way)) for edge in (*binned.ends.least, *binned.ends.most) for way in (-9, 9)]
    threshold = data.draw(st.one_of(st.sampled_from(near), st.floats(-4, 4), st.sampled_from(of[0].tolist())))
    rule, divided = parse_point_rule(f"threshold={threshold!r}"), divides(binned, threshold)
    if divided:
        with pytest.raises(UsageError) as caught:
            operating_point(binned, rule)
        assert caught.value.code == "threshold-in-bin"
        named = dict(caught.value.message.values)
        assert named["below"] <= threshold <= named["above"]
        for each in filter(np.isfinite, (named["below"], named["above"])):
            assert not divides(binned, each)
            require_edges(binned, np.array([each]))
        return
    point, turn = operating_point(binned, rule), -1 if turned else 1
    assert (point.tp, point.fp) == matrix_at(turn * of[0], of[1], turn * threshold)


def divides(binned, threshold):
    """Whether some scores of a bin are predicted positive at a threshold and others are not."""
    flag = (lambda score: score <= threshold) if binned.lower_is_positive else (lambda score: score >= threshold)
    return any(flag(least) != flag(most) for least, most in zip(*binned.ends, strict=True))


@examples(100)
@given(cases(), cases(), st.integers(1, 6), st.integers(1, 6), TURNED)
def test_counts_of_days_add_up_to_those_of_all_days(monday, tuesday, one, other, turned):
    days = [counted(*each, lower_is_positive=turned) for each in (monday, tuesday)]
    together = counted(*map(np.concatenate, zip(monday, tuesday, strict=True)), lower_is_positive=turned)
    found = in_bins(days[0], Dyadic(one)) + in_bins(days[1], Dyadic(other))
    assert (found.p, found.q) == (together.p, together.q)
    turn = -1 if turned else 1
    for threshold, tp, fp in list(zip(found.thresholds, found.tp, found.fp, strict=True))[1:]:
        assert (tp, fp) == (
            int(together.tp[rows_at(together, np.array([threshold]))[0]]),
            int(together.fp[rows_at(together, np.array([threshold]))[0]]),
        ), (threshold, turn)
    if one == other:
        assert found == in_bins(together, Dyadic(one))


@examples(100)
@given(cases(), BINNINGS)
def test_the_same_cases_are_known_in_bins(of, binning):
    exact = counted(*of)
    assert same_counts(exact, in_bins(exact, binning))
    assert same_counts(in_bins(exact, binning), in_bins(exact, Dyadic(3)))


def test_one_bin_says_nothing():
    counts = ScoreCounts.of_bins(Ends(np.array([-np.inf]), np.array([np.inf])), [30], [40])
    for kind in ("robust", "delong"):
        found = auc(counts, interval=kind)
        assert (found.value, found.estimate.within.lower, found.estimate.within.upper) == (0.5, 0.0, 1.0)
        assert (found.interval.lower, found.interval.upper) == pytest.approx((0, 1), abs=1e-9)


def test_bins_with_one_class_each_tell_the_area_exactly():
    counts = ScoreCounts.of_bins(Ends(np.array([0.1, 0.5]), np.array([0.4, 0.9])), [0, 30], [40, 0])
    found = auc(counts)
    assert (found.value, found.estimate.within.lower, found.estimate.within.upper) == (1.0, 1.0, 1.0)
    assert found.interval == auc(ScoreCounts.of([0.1, 0.5], [0, 30], [40, 0])).interval


def test_an_area_in_very_many_pairs_keeps_its_bounds():
    p, q = 2**52, 2**52 - 1
    counts = ScoreCounts.of_bins(Ends(np.array([0.1, 0.5]), np.array([0.4, 0.9])), [0, p], [q, q])
    found = auc(counts)
    assert (found.estimate.within.lower, found.value, found.estimate.within.upper) == (0.5, 0.75, 1.0)


@pytest.mark.parametrize(("p", "q"), [(5, 400), (60, 9), (30, 30), (2, 2)])
def test_the_degrees_of_freedom_are_the_least_that_the_parts_allow(p, q):
    """Satterthwaite's, least over all parts of the two classes within their bounds."""
    rng = np.random.default_rng(p)
    for _ in range(20):
        bounds = [_Part(*np.sort(rng.exponential(size=2))) for _ in range(2)]
        inside = [np.linspace(part.least, part.most, 101) for part in bounds]
        one, other = (each.ravel() for each in np.meshgrid(*inside))
        each = (one + other) ** 2 / (one**2 / (p - 1) + other**2 / (q - 1))
        assert _least_df(*bounds, p, q) == pytest.approx(each.min(), rel=1e-9)


def test_models_in_bins_are_not_compared():
    one, other = (
        in_bins(ScoreCounts.of(np.linspace(0, 1, 20), *labels, model=model), Dyadic(3))
        for model, labels in (("a", ([1, 0] * 10, [0, 1] * 10)), ("b", ([0, 1] * 10, [1, 0] * 10)))
    )
    with pytest.raises(UsageError, match="a comparison"):
        rocconf.compare([one, other])
