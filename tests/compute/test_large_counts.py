"""Every number of an analysis against Python's whole numbers and fractions, with up to 2^53 cases of a class."""

from fractions import Fraction
from itertools import pairwise
from math import erfc, isclose, sqrt

import numpy as np
import pytest
from designs import METRICS
from hypothesis import assume, example, given
from hypothesis import strategies as st
from strategies import exact_area, exact_delong, points_of

import rocconf
from rocconf import ScoreCounts, UndefinedError
from rocconf.compute.roc.metrics import Rate
from rocconf.compute.roc.observed import Observed
from rocconf.records import MOST_CASES

CLOSE = 1e-12
Z = 1.959963984540054

sizes = st.integers(30, 53).flatmap(lambda bits: st.integers(2 ** (bits - 1), 2**bits))
odd_sizes = st.sampled_from([2**53, 2**53 - 1, 2**52 + 1, 3 * 2**51, 5 * 10**12]) | sizes


@st.composite
def splits(draw, total, parts):
    """A total cut into parts, which may be tiny, huge or nothing."""
    cut = st.integers(0, total) | st.integers(0, min(total, 3)) | st.integers(max(total - 3, 0), total)
    ends = sorted(draw(st.lists(cut, min_size=parts - 1, max_size=parts - 1)))
    return [after - before for before, after in zip([0, *ends], [*ends, total], strict=True)]


@st.composite
def large_counts(draw, most_scores=6):
    """Counts of 2^30 to 2^53 cases of either class, at a few scores."""
    parts = draw(st.integers(2, most_scores))
    positives, negatives = draw(splits(draw(odd_sizes), parts)), draw(splits(draw(odd_sizes), parts))
    scores = np.arange(1, parts + 1) / (parts + 1)
    return ScoreCounts.of(scores, positives, negatives)


def rows_of(result, *names):
    """Give columns of the rows of a result, row by row."""
    frame = result.to_frame()
    columns = (map(int, frame[name]) if name in {"tp", "fp"} else frame[name].tolist() for name in names)
    return list(zip(*columns, strict=True))


def close(found, exact, *, rel=CLOSE, least=0.0):
    """Whether a float is a fraction, but for its last digits; `least` is an error that does not matter."""
    return isclose(found, float(exact), rel_tol=rel, abs_tol=least)


@given(large_counts(), st.fractions(Fraction(1, 10**6), 1))
@example(ScoreCounts.of([0.1, 0.9], [10**12, 4 * 10**12], [4 * 10**12, 10**12]), Fraction(1))  # an area of 0.8
@example(ScoreCounts.of([0.4, 0.6, 0.8], [2**52 - 3, 4, 0], [0, 1, 2**53 - 1]), Fraction(1))  # an area of 5e-32
def test_areas_and_delongs_variance_are_those_of_fractions(counts, limit):
    limit = Fraction(float(limit))
    area = precision = Fraction()
    for (tp0, fp0), (tp1, fp1) in pairwise(points_of(counts)):
        x0, x1 = Fraction(fp0, counts.q), Fraction(fp1, counts.q)
        y0, y1 = Fraction(tp0, counts.p), Fraction(tp1, counts.p)
        end = min(x1, limit)
        if end > x0:
            area += (end - x0) * (y0 + (y1 - y0) * (end - x0) / (x1 - x0) / 2)
        precision += Fraction(tp1 - tp0, counts.p) * Fraction(tp1, max(tp1 + fp1, 1))
    found = rocconf.sweep(counts, max_fpr=float(limit))
    assert found.auc.value == float(exact_area(counts))
    variance = exact_delong(counts)
    rounding = 1e-31 / min(counts.p, counts.q)  # of placements that are all the same
    if found.auc.se is None:
        assert variance <= rounding or found.auc.value in (0.0, 1.0)
    else:
        assert close(found.auc.se**2, variance, least=rounding)
    assert close(found.areas["partial_auc"], area, least=1e-15 * float(limit))
    assert close(found.average_precision, precision)


@given(large_counts())
def test_every_rate_of_a_threshold_is_that_of_fractions(counts):
    p, q, n = counts.p, counts.q, counts.n
    for row in rocconf.sweep(counts, intervals=True).to_frame().to_dict("records"):
        tp, fp = int(row["tp"]), int(row["fp"])
        flagged, over = tp + fp, tp * q - fp * p
        assert (row["tpr"], row["fpr"]) == (tp / p, fp / q)
        assert close(row["accuracy"], Fraction(tp + q - fp, n))
        assert close(row["predicted_positive_rate"], Fraction(flagged, n))
        assert close(row["f1"], Fraction(2 * tp, p + flagged))
        if flagged:
            assert close(row["precision"], Fraction(tp, flagged))
        if flagged < n:
            assert close(row["npv"], Fraction(q - fp, n - flagged))
        if 0 < flagged < n:
            squared = Fraction(over * over, p * q * flagged * (n - flagged))
            assert close(row["mcc"], (1 if over > 0 else -1) * sqrt(squared))
            assert -1 <= row["mcc"] <= 1
        check_wilson(q - fp, q, row["specificity_lower"], row["specificity_upper"])


def check_wilson(hits, cases, lower, upper):
    """Whether limits are Wilson's, enclose the share and keep their width."""
    spread = Fraction(hits * (cases - hits), cases**3)
    reach = Z * sqrt(spread + Fraction((Z / (2 * cases)) ** 2))
    shift, shrink = Z * Z / (2 * cases), 1 + Z * Z / cases
    assert close(lower, (hits / cases + shift - reach) / shrink, rel=1e-9, least=2e-16)
    assert close(upper, (hits / cases + shift + reach) / shrink, rel=1e-9, least=2e-16)
    assert lower <= hits / cases <= upper


@given(large_counts())
def test_chi_square_and_its_largest_are_those_of_fractions(counts):
    p, q, n = counts.p, counts.q, counts.n
    found = rocconf.chi2_contours(counts, permutations=1)
    largest = Fraction()
    for tp, fp, value in rows_of(found, "tp", "fp", "chi2"):
        exact = Fraction()
        if 0 < tp + fp < n:
            exact = Fraction(n * (tp * q - fp * p) ** 2, p * q * (tp + fp) * (n - tp - fp))
        assert close(value, exact)
        largest = max(largest, exact if tp * q >= fp * p else Fraction())
    assert close(found.summary()["max_chi2"], largest)


@given(large_counts())
def test_the_confident_segment_and_its_measures_are_those_of_whole_numbers(counts):
    p, q, n = counts.p, counts.q, counts.n
    found = rocconf.tango(counts)
    z2 = Fraction(Z) ** 2
    confident = [at for at in points_of(counts) if (p - at[0] - at[1]) ** 2 <= z2 * (p - at[0] + at[1])]
    assert len(found.confident) == len(confident)
    for tp, fp, value in rows_of(found, "tp", "fp", "z"):
        b, c = p - tp, fp
        assert close(value, (b - c) / sqrt(b + c) if b + c else 0)
    whole = rocconf.tango(counts, level=1 - 1e-15)
    if not len(whole.segment):
        return
    rows = points_of(counts)[whole.segment.first : whole.segment.stop]
    differences = [p - tp - fp for tp, fp in rows]
    assert close(whole.segment.aved, Fraction(sum(differences), n * len(rows)))
    assert close(whole.segment.aved_abs, Fraction(sum(map(abs, differences)), n * len(rows)))
    (tp0, fp0), (tp1, fp1) = rows[0], rows[-1]
    assert close(whole.segment.cauc, Fraction(tp1 * fp1 - tp0 * fp0, p * q))
    below = sum((y + y0) * (x - x0) for (y0, x0), (y, x) in pairwise(rows))
    assert close(whole.segment.cauc_tp, Fraction(below, 2 * p * q))


def test_sums_of_many_large_differences_do_not_overflow():
    rows, half = 9000, 2**52
    cases = [half, *[1] * rows, half - rows]
    counts = ScoreCounts.of(range(rows + 2), cases, cases[::-1])
    segment = rocconf.tango(counts).segment
    listed = points_of(counts)[segment.first : segment.stop]
    assert sum(tp for tp, _ in listed) > 2**63
    assert segment.aved == sum(counts.p - tp - fp for tp, fp in listed) == 0
    assert segment.aved_abs == float(
        Fraction(sum(abs(counts.p - tp - fp) for tp, fp in listed), counts.n * len(listed))
    )


@given(large_counts(), st.sampled_from(["wald", "bonett-price", "agresti-min"]))
def test_walds_variance_keeps_its_digits(counts, test):
    added, more = {"wald": (0, 0), "bonett-price": (2, 2), "agresti-min": (1, 2)}[test]
    n = counts.n + more
    for tp, fp, lower, upper in rows_of(rocconf.tango(counts, test=test), "tp", "fp", "lower", "upper"):
        b, c = counts.p - tp, fp
        variance = b + c + added - Fraction((b - c) ** 2, n)
        reach = Z * sqrt(variance)
        assert close(lower, max((b - c - reach) / n, -1), least=1e-15)
        assert close(upper, min((b - c + reach) / n, 1), least=1e-15)
        assert close(upper - lower, min(2 * reach / n, upper - lower), rel=1e-9, least=1e-15)


@given(large_counts(), st.sampled_from(["exact", "mid-p"]))
@example(ScoreCounts.of([0.1, 0.9], [6755399441055718, 2251799813685274], [0, 6755399441055744]), "exact")
def test_binomial_p_values_are_those_of_the_normal_at_large_counts(counts, test):
    for tp, fp, p in rows_of(rocconf.tango(counts, test=test), "tp", "fp", "p"):
        b, c = counts.p - tp, fp
        s, t = b + c, abs(b - c)
        if s > 2**40 and t * t < 50 * s:
            continuity = t - 1 if test == "exact" else t
            assert p == pytest.approx(min(erfc(continuity / sqrt(2 * s)), 1.0), rel=1e-5)


@given(large_counts())
def test_tangos_limits_are_those_of_each_threshold_alone(counts):
    for tp, fp, lower, upper in rows_of(rocconf.tango(counts), "tp", "fp", "lower", "upper"):
        alone = rocconf.tango_interval(counts.p - tp, fp, counts.n)
        assert (float(alone.lower), float(alone.upper)) == (lower, upper)


@given(large_counts())
def test_sensibility_counts_every_case(counts):
    assume(counts.p > 1)
    found = rocconf.sensibility(counts, bootstrap=50)
    at = found.split
    assert at.sensible + at.non_sensible == counts.n
    total = sum(
        Fraction(score) * (x + y)
        for score, x, y in zip(
            counts.scores.tolist(), counts.positives.tolist(), counts.negatives.tolist(), strict=True
        )
    )
    assert close(at.midpoint, total / (2 * counts.p), rel=1e-11)
    assert found.interval_method == "Wilson" or max(counts.p, counts.q) <= 2**43


MOST = 2**53
HUGE = {
    "overlapping": ([0.9, 0.6, 0.3, 0.1], [MOST // 2, MOST // 4, MOST // 8, MOST // 8], [MOST // 8, 0, MOST // 8, MOST // 4]),
    "one of each wrong": ([0.9, 0.6, 0.3, 0.1], [MOST - 1, 0, 1, 0], [0, 1, 0, MOST - 1]),
    "perfect": ([0.9, 0.1], [MOST, 0], [0, MOST]),
    "few positives": ([0.9, 0.6, 0.1], [2, 1, 0], [1, 5, MOST - 6]),
    "one positive": ([0.9, 0.6, 0.1], [1, 0, 0], [1, 5, MOST - 6]),
}  # fmt: skip


@pytest.mark.parametrize("kind", ["robust", "delong"])
@pytest.mark.parametrize("counts", HUGE)
@pytest.mark.parametrize("name", METRICS)
def test_every_metric_of_huge_counts_lies_in_its_interval(name, counts, kind):
    of, metric = Observed(ScoreCounts.of(*HUGE[counts]), kind, 0.1), METRICS[name]
    if isinstance(metric, Rate):
        matrices = zip(of.counts.tp.tolist(), of.counts.fp.tolist(), strict=True)
        found = [metric.estimate(of.cells(*each), kind) for each in matrices]
    else:
        found = [metric.estimate(of)]
    for estimate in filter(None, found):
        for level in (0.95, 1 - 1e-12):
            around = estimate.interval(level)
            assert around.lower <= estimate.value <= around.upper
        difference = metric.unpaired(estimate, estimate)
        assert difference is None or difference.p in (None, 1)


def test_more_cases_than_an_analysis_can_draw_are_refused():
    many = ScoreCounts.of([0.1, 0.5, 0.9], [1, 2**43, 0], [5, 2**43, 9])
    with pytest.raises(UndefinedError, match="the bootstrap draws at most 8796093022208 cases of a class"):
        rocconf.tango(many, bootstrap=10)
    with pytest.raises(UndefinedError, match="fewer than 1,000,000,000 cases"):
        rocconf.drift(many, many)


@pytest.mark.parametrize("kind", [np.int64, np.uint64, np.float64, object])
def test_a_class_has_at_most_2_to_the_53_cases(kind):
    most = np.array([2**52, 2**52], dtype=kind)
    counts = ScoreCounts.of([0.1, 0.9], most, most)
    assert (counts.p, counts.q) == (MOST_CASES, MOST_CASES)
    with pytest.raises(UndefinedError, match=r"score has more than 2\^53 cases of a class"):
        ScoreCounts.of([0.1, 0.9, 0.5], np.append(most, np.array([1], dtype=kind)), [1, 0, 0])
    with pytest.raises(UndefinedError, match=r"more than 2\^53"):
        _ = counts + ScoreCounts.of([0.3, 0.4], [1, 0], [0, 1])


LARGE, PARTS = r"more than 2\^53 cases", "must be whole numbers of cases"


@pytest.mark.parametrize(
    ("column", "fault"),
    [
        ([2**62, 2**62, 2**62], LARGE),
        (np.array([2**63, 1, 1], dtype=np.uint64), PARTS),
        ([2**70, 1, 1], PARTS),
        ([1e300, 1, 1], PARTS),
        ([2**53 + 2, 1, 1], LARGE),
        (["1", "2", "3"], PARTS),
        ([None, 1, 1], PARTS),
        (np.array([1.5, 1, 1], dtype=object), PARTS),
    ],
)
def test_counts_never_wrap_around_and_are_whole(column, fault):
    with pytest.raises(rocconf.RocconfError, match=fault):
        ScoreCounts.of([0.1, 0.5, 0.9], column, [1, 1, 1])


@pytest.mark.parametrize("score", [2**53 + 1, 2**63 - 1, -(2**53) - 1, 2**64 - 1, 10**25])
def test_whole_scores_that_floats_merge_are_refused(score):
    with pytest.raises(rocconf.RocconfError, match=f"a 64-bit float cannot hold the score {score}"):
        ScoreCounts.of([score, score - 1], [1, 0], [0, 1])
    assert len(ScoreCounts.of([2**53, 2**60], [1, 0], [0, 1])) == 2


def test_class_totals_have_the_same_limit():
    assert rocconf.chi2_contours(rocconf.ClassTotals(2**53, 2**53)).totals.n == 2**54
    with pytest.raises(UndefinedError, match=r"more than 2\^53"):
        rocconf.ClassTotals(5, 2**53 + 1)
