"""The area: pairs counted one by one, DeLong by its definition and by pROC, and an interval that never degenerates."""

import csv
import json
import math
from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from conftest import REFERENCE, SAMPLE_DATA
from hypothesis import assume, given
from hypothesis import strategies as st
from in_r import run_in_r
from rocconf.compute.stats.auc_intervals import newcombe_interval
from strategies import counted, exact_area, exact_delong, tied_cases

from rocconf.compute.roc.auc import area_under, auc, average_precision, delong_variance, mcclish, partial_auc
from rocconf.compute.roc.counts import count
from rocconf.compute.roc.curve import curve
from rocconf.errors import UsageError
from rocconf.records import Predictions, ScoreCounts

TABLE_1 = json.loads((REFERENCE / "table1_roc.json").read_text(encoding="utf-8"))
PUBLISHED = list(csv.DictReader((REFERENCE / "auc_elazmeh_2006.csv").read_text(encoding="utf-8").splitlines()))


def by_pairs(scores, labels):
    """Delong, DeLong and Clarke-Pearson's definition: the placements of every case among those of the other class."""
    of, among = scores[labels], scores[~labels]
    wins = (of[:, None] > among) + (of[:, None] == among) / 2
    area = wins.mean()
    if min(len(of), len(among)) < 2:
        return area, math.nan
    return area, wins.mean(axis=1).var(ddof=1) / len(of) + wins.mean(axis=0).var(ddof=1) / len(among)


@given(tied_cases())
def test_agrees_with_counting_the_pairs(cases):
    roc = curve(counted(*cases))
    area, variance = by_pairs(*cases)
    assert area_under(roc) == pytest.approx(area, abs=1e-14)
    found = delong_variance(roc).value
    assert found is None if np.isnan(variance) else found == pytest.approx(variance, abs=1e-14)


@given(tied_cases())
def test_an_area_is_the_nearest_float_of_its_fraction(cases):
    counts = counted(*cases)
    assert area_under(curve(counts)) == float(exact_area(counts))


@given(tied_cases())
def test_agrees_with_scikit_learn(cases):
    from sklearn import metrics as sk

    scores, labels = cases
    roc = curve(counted(scores, labels))
    assert area_under(roc) == pytest.approx(sk.roc_auc_score(labels, scores), abs=1e-12)
    assert average_precision(roc) == pytest.approx(sk.average_precision_score(labels, scores), abs=1e-12)


@given(tied_cases(), st.floats(0.001, 1))
def test_standardized_partial_areas_agree_with_scikit_learn(cases, max_fpr):
    from sklearn import metrics as sk

    scores, labels = cases
    found = mcclish(partial_auc(curve(counted(scores, labels)), max_fpr), max_fpr)
    assert found == pytest.approx(sk.roc_auc_score(labels, scores, max_fpr=max_fpr), abs=1e-9)


@given(tied_cases(), st.fractions(Fraction(1, 100), 1))
def test_a_partial_area_is_cut_on_the_straight_line(cases, limit):
    roc = curve(counted(*cases))
    corners = [(Fraction(int(x), roc.q), Fraction(int(y), roc.p)) for x, y in zip(roc.fp, roc.tp, strict=True)]
    area = Fraction()
    for (x, y), (right, top) in pairwise(corners):
        if x < limit and x < right:
            until = min(right, limit)
            area += (until - x) * (y + y + (top - y) * (until - x) / (right - x)) / 2
    assert partial_auc(roc, float(limit)) == pytest.approx(float(area), abs=1e-13)


@given(tied_cases())
def test_the_whole_partial_area_is_the_area(cases):
    roc = curve(counted(*cases))
    assert partial_auc(roc, 1) == pytest.approx(area_under(roc), abs=1e-14)
    assert mcclish(partial_auc(roc, 1), 1) == pytest.approx(area_under(roc), abs=1e-14)


@pytest.mark.parametrize("max_fpr", [0.01, 0.3, 1.0])
def test_a_standardized_area_is_half_without_skill_and_1_if_perfect(max_fpr):
    perfect, useless = curve(ScoreCounts.of([2, 1], [5, 0], [0, 7])), curve(ScoreCounts.of([1], [5], [7]))
    assert mcclish(partial_auc(perfect, max_fpr), max_fpr) == pytest.approx(1, abs=1e-14)
    assert mcclish(partial_auc(useless, max_fpr), max_fpr) == pytest.approx(0.5, abs=1e-14)


@pytest.mark.parametrize("max_fpr", [0, -0.1, 1.1, math.nan])
def test_an_invalid_largest_false_positive_rate_is_rejected(max_fpr):
    with pytest.raises(UsageError, match=r"max_fpr must be in \(0, 1\]"):
        partial_auc(curve(ScoreCounts.of([2, 1], [5, 0], [0, 7])), max_fpr)


def test_an_average_precision_is_the_mean_over_the_positives():
    roc = curve(counted([5, 4, 3, 3, 2, 1], [1, 0, 1, 0, 0, 1]))
    assert average_precision(roc) == pytest.approx((1 + 2 / 4 + 3 / 6) / 3, abs=1e-15)


def test_the_ten_cases_have_their_worked_area_and_standard_error():
    area = auc(curve(counted(TABLE_1["scores"], TABLE_1["labels"])))
    assert area.value == pytest.approx(TABLE_1["auc"], abs=1e-15)
    assert area.se == pytest.approx(TABLE_1["auc_se"], rel=1e-13, abs=0)
    assert area.se == pytest.approx(math.sqrt(0.0192), rel=1e-13, abs=0)


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: row["data"])
def test_sample_data_has_the_published_areas(row):
    cases = list(csv.DictReader((SAMPLE_DATA / f"{row['data']}.csv").read_text(encoding="utf-8").splitlines()))
    labels = np.array([case["label"] == "1" for case in cases])
    scores = {model: np.array([float(case[model]) for case in cases]) for model in "STFB"}
    predictions = Predictions(labels, scores)
    found = {model: area_under(curve(count(predictions, model))) for model in "STFB"}
    assert found == pytest.approx({model: float(row[model]) for model in "STFB"}, abs=0.0005 + 1e-12)


@given(tied_cases(), st.floats(0.5, 0.999))
def test_the_interval_is_taken_on_the_logit_scale(cases, level):
    counts = counted(*cases)
    area = auc(curve(counts), level=level, interval="delong")
    assume(area.se is not None)
    variance = exact_delong(counts)
    with mpmath.workdps(30):
        a, se = mpmath.mpf(area.value), mpmath.sqrt(mpmath.mpf(variance.numerator) / variance.denominator)
        z = mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(level))
        limits = [1 / (1 + mpmath.exp(-(mpmath.log(a / (1 - a)) + side * z * se / (a * (1 - a))))) for side in (-1, 1)]
    assert area.interval.lower == pytest.approx(float(limits[0]), rel=1e-9, abs=0)
    assert area.interval.upper == pytest.approx(float(limits[1]), rel=1e-9, abs=0)
    assert 0 < area.interval.lower < area.value < area.interval.upper < 1


@given(tied_cases(), st.floats(0.5, 0.999))
def test_exchanging_the_classes_mirrors_area_and_interval(cases, level):
    scores, labels = cases
    here, there = auc(curve(counted(scores, labels)), level=level), auc(curve(counted(scores, ~labels)), level=level)
    assert here.value == pytest.approx(1 - there.value, abs=1e-15)
    assert here.interval.lower == pytest.approx(1 - there.interval.upper, abs=1e-9)
    assert here.interval.upper == pytest.approx(1 - there.interval.lower, abs=1e-9)
    assert (here.se is None) == (there.se is None)


@given(tied_cases())
def test_lower_is_positive_mirrors_the_area(cases):
    scores, labels = cases
    assert auc(curve(counted(scores, labels, lower_is_positive=True))) == auc(curve(counted(-scores, labels)))


DEGENERATE = {
    "perfect": ([3, 2, 1], [2, 3, 0], [0, 0, 4], 1.0),
    "reversed": ([3, 2, 1], [0, 0, 4], [2, 3, 0], 0.0),
    "all tied": ([1], [5], [4], 0.5),
    "one positive": ([3, 2, 1], [0, 1, 0], [2, 0, 3], 0.6),
    "one negative": ([3, 2, 1], [2, 0, 3], [0, 1, 0], 0.4),
    "one of each": ([2, 1], [1, 0], [0, 1], 1.0),
    "one of each, tied": ([1], [1], [1], 0.5),
}


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_without_a_variance_the_interval_is_newcombes(name, level):
    *columns, value = DEGENERATE[name]
    counts = ScoreCounts.of(*columns)
    area = auc(curve(counts), level=level, interval="delong")
    assert (area.value, area.se) == (value, None)
    assert area.interval == newcombe_interval(value, counts.p, counts.q, level=level)
    assert 0 <= area.interval.lower <= value <= area.interval.upper <= 1
    assert area.interval.upper - area.interval.lower > 0.01


HUGE = st.lists(st.tuples(st.integers(0, 3 * 10**9), st.integers(0, 3 * 10**9)), min_size=2, max_size=6)


@given(HUGE)
def test_counts_near_3e9_do_not_overflow(columns):
    positives, negatives = zip(*columns, strict=True)
    assume(sum(positives) > 1 and sum(negatives) > 1)
    counts = ScoreCounts.of(range(len(columns)), positives, negatives)
    roc = curve(counts)
    area = area_under(roc)
    assert area == float(exact_area(counts))
    assert delong_variance(roc).value == pytest.approx(float(exact_delong(counts)), rel=1e-9, abs=1e-26)
    matrix = roc.confusion(slice(1, None))
    expected = sum(
        Fraction(x * int(tp), int(tp + fp))
        for x, tp, fp in zip(counts.positives.tolist(), matrix.tp, matrix.fp, strict=True)
    )
    assert average_precision(roc) == pytest.approx(float(expected / counts.p), rel=1e-13, abs=0)


@pytest.mark.parametrize("size", [2 * 10**8, 3 * 10**9])
def test_an_area_that_rounds_to_1_still_has_an_interval(size):
    """One pair in PQ is in the wrong order; 1 - 1/(PQ) is 1 in floats, and the logit of 1 is infinite."""
    almost = auc(curve(ScoreCounts.of([4, 3, 2, 1], [size - 1, 0, 1, 0], [0, 1, 0, size - 1])))
    assert almost.value == 1
    assert 1 - 1e-7 < almost.interval.lower < almost.interval.upper == 1
    turned = auc(curve(ScoreCounts.of([4, 3, 2, 1], [0, 1, 0, size - 1], [size - 1, 0, 1, 0])))
    assert turned.value == pytest.approx(0, abs=1e-15)
    assert 0 <= turned.interval.lower < turned.interval.upper < 1e-7


def test_scores_beyond_one_chunk_are_computed_alike():
    rng = np.random.default_rng(3)
    n = 200_000
    labels = rng.random(n) < 0.2
    scores = rng.random(n) + 0.3 * labels
    counts = count(Predictions(labels, {"s": scores}))
    found = auc(curve(counts))
    whole = [counts.tp.astype(float), counts.fp.astype(float)]
    tp, fp = whole
    area = ((fp[1:] - fp[:-1]) * (tp[1:] + tp[:-1])).sum() / (2 * counts.p * counts.q)
    below = 1 - (fp[1:] + fp[:-1]) / (2 * counts.q) - area
    above = (tp[1:] + tp[:-1]) / (2 * counts.p) - area
    variance = np.repeat(below, counts.positives).var(ddof=1) / counts.p
    variance += np.repeat(above, counts.negatives).var(ddof=1) / counts.q
    assert found.value == pytest.approx(area, rel=1e-12, abs=0)
    assert found.se == pytest.approx(math.sqrt(variance), rel=1e-6, abs=0)  # the means of the placements are the area


R_SCRIPT = """
suppressMessages(library(pROC))
cases <- read.csv("cases.csv")
for (part in split(cases, cases$set)) {
  curve <- roc(part$label, part$score, levels = c(0, 1), direction = "<", quiet = TRUE)
  cat(format(c(auc(curve), var(curve, method = "delong")), digits = 17), sep = ",", fill = 1000)
}
"""


def test_agrees_with_proc(tmp_path):
    rng = np.random.default_rng(20)
    sets = []
    for n, distinct, skill in [(10, 4, 1.0), (50, 10, 0.0), (300, 7, 0.5), (400, 10**6, 1.5), (1000, 30, -0.3)]:
        labels = np.append(rng.random(n - 4) < 0.3, [True, True, False, False])
        sets.append((np.round((rng.normal(size=n) + skill * labels) * distinct) / distinct, labels))
    with (tmp_path / "cases.csv").open("w", encoding="utf-8") as stream:
        stream.write("set,label,score\n")
        for k, (scores, labels) in enumerate(sets):
            stream.writelines(
                f"{k},{label:d},{score!r}\n" for score, label in zip(scores.tolist(), labels, strict=True)
            )
    lines = run_in_r(R_SCRIPT, package="pROC", cwd=tmp_path).split()
    assert len(lines) == len(sets)
    for line, (scores, labels) in zip(lines, sets, strict=True):
        area, variance = map(float, line.split(","))
        found = auc(curve(counted(scores, labels)))
        assert found.value == pytest.approx(area, rel=1e-10, abs=0)
        assert found.se**2 == pytest.approx(variance, rel=1e-10, abs=0)
