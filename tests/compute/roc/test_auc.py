"""The area: pairs counted one by one, DeLong by its definition and by pROC, and an interval that never degenerates."""

import csv
import json
import math
import shutil
import subprocess
from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from conftest import REFERENCE, SAMPLE_DATA
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import counted, exact_area, exact_delong, tied_cases

from rocconf.compute.roc.auc import area_under, auc, average_precision, delong_variance, mcclish, partial_auc
from rocconf.compute.roc.counts import count
from rocconf.compute.roc.curve import curve
from rocconf.compute.stats.auc_intervals import newcombe_interval
from rocconf.compute.stats.quantiles import normal_quantile
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
    assert delong_variance(roc, area_under(roc)) == pytest.approx(variance, abs=1e-14, nan_ok=True)


@given(tied_cases())
def test_an_area_is_the_nearest_float_of_its_fraction(cases):
    counts = counted(*cases)
    assert area_under(curve(counts)) == float(exact_area(counts))


@given(tied_cases())
def test_areas_and_precisions_are_those_of_scikit_learn(cases):
    from sklearn import metrics as sk

    scores, labels = cases
    roc = curve(counted(scores, labels))
    assert area_under(roc) == pytest.approx(sk.roc_auc_score(labels, scores), abs=1e-12)
    assert average_precision(roc) == pytest.approx(sk.average_precision_score(labels, scores), abs=1e-12)


@given(tied_cases(), st.floats(0.001, 1))
def test_standardized_partial_areas_are_those_of_scikit_learn(cases, max_fpr):
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
def test_a_standardized_area_runs_from_no_skill_to_perfection(max_fpr):
    perfect, useless = curve(ScoreCounts.of([2, 1], [5, 0], [0, 7])), curve(ScoreCounts.of([1], [5], [7]))
    assert mcclish(partial_auc(perfect, max_fpr), max_fpr) == pytest.approx(1, abs=1e-14)
    assert mcclish(partial_auc(useless, max_fpr), max_fpr) == pytest.approx(0.5, abs=1e-14)


@pytest.mark.parametrize("max_fpr", [0, -0.1, 1.1, math.nan])
def test_a_largest_false_positive_rate_is_a_rate(max_fpr):
    with pytest.raises(UsageError, match=r"--max-fpr must be in \(0, 1\]"):
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
    area = auc(curve(counts), level=level)
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
    area = auc(curve(counts), level=level)
    assert (area.value, area.se) == (value, None)
    assert area.interval == newcombe_interval(value, counts.p, counts.q, level=level)
    assert 0 <= area.interval.lower <= value <= area.interval.upper <= 1
    assert area.interval.upper - area.interval.lower > 0.01


def test_a_perfect_area_has_a_lower_limit_and_a_reversed_one_an_upper():
    perfect, worst = newcombe_interval(1.0, 5, 4), newcombe_interval(0.0, 5, 4)
    assert perfect.upper == 1
    assert worst.lower == 0
    assert perfect.lower == pytest.approx(1 - worst.upper, abs=1e-14)
    assert 0 < perfect.lower < newcombe_interval(1.0, 50, 40).lower < 1


def newcombe_variance(theta, p, q):
    """Hanley and McNeil's variance for exponential scores with both sizes replaced by their mean, Newcombe (2006)."""
    n_star = mpmath.mpf(p + q) / 2 - 1
    return theta * (1 - theta) / (p * q) * (1 + n_star * (1 - theta) / (2 - theta) + n_star * theta / (1 + theta))


@given(st.floats(0, 1), st.integers(1, 10**6), st.integers(1, 10**6), st.floats(0.5, 0.999))
def test_newcombes_limits_solve_his_equation(area, p, q, level):
    interval = newcombe_interval(area, p, q, level=level)
    with mpmath.workdps(30):
        z = mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(level))

        def excess(theta):
            theta = mpmath.mpf(theta)
            return (mpmath.mpf(area) - theta) ** 2 - z**2 * newcombe_variance(theta, p, q)

        for limit, away in ((interval.lower, -1), (interval.upper, 1)):
            step = mpmath.mpf(2) ** -40 * max(limit, mpmath.mpf(2) ** -10)
            if step < limit < 1 - step:
                assert excess(limit - away * step) < 0 < excess(limit + away * step)


@pytest.mark.parametrize("area", [0.0, 0.1, 0.5, 0.84, 1.0])
@pytest.mark.parametrize("p", [1, 5, 40])
@pytest.mark.parametrize("q", [1, 7, 300])
def test_newcombes_limits_are_roots_of_his_quartic(area, p, q):
    """Cleared of fractions the equation is a quartic; its two roots around the area are the limits."""
    z2, n_star = normal_quantile(0.95) ** 2, (p + q) / 2 - 1
    theta = np.polynomial.Polynomial([0, 1])
    clear, one, two = (1 + theta) * (2 - theta), 1 - theta, 2 - theta
    spread = theta * one * (clear + n_star * one * (1 + theta) + n_star * theta * two)
    roots = (p * q * (area - theta) ** 2 * clear - z2 * spread).roots()
    real = np.sort(roots[np.abs(roots.imag) < 1e-6].real)
    inside = real[(real > -1e-6) & (real < 1 + 1e-6)]
    interval = newcombe_interval(area, p, q)
    assert interval.lower == pytest.approx(inside[0], abs=1e-6)
    assert interval.upper == pytest.approx(inside[-1], abs=1e-6)


HUGE = st.lists(st.tuples(st.integers(0, 3 * 10**9), st.integers(0, 3 * 10**9)), min_size=2, max_size=6)


@given(HUGE)
def test_counts_near_3e9_do_not_overflow(columns):
    positives, negatives = zip(*columns, strict=True)
    assume(sum(positives) > 1 and sum(negatives) > 1)
    counts = ScoreCounts.of(range(len(columns)), positives, negatives)
    roc = curve(counts)
    area = area_under(roc)
    assert area == float(exact_area(counts))
    assert delong_variance(roc, area) == pytest.approx(float(exact_delong(counts)), rel=1e-9, abs=1e-26)
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


def test_more_than_a_cacheful_of_scores_gives_the_same_numbers():
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


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
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
    ran = subprocess.run(
        ["Rscript", "-e", R_SCRIPT], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    if "there is no package called" in ran.stderr:
        pytest.skip("R's pROC is not installed")
    lines = ran.stdout.split()
    assert len(lines) == len(sets), ran.stderr
    for line, (scores, labels) in zip(lines, sets, strict=True):
        area, variance = map(float, line.split(","))
        found = auc(curve(counted(scores, labels)))
        assert found.value == pytest.approx(area, rel=1e-10, abs=0)
        assert found.se**2 == pytest.approx(variance, rel=1e-10, abs=0)
