"""The permutation p-value of the largest chi-square over all thresholds."""

import json
from functools import cache
from itertools import combinations
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest

from rocconf.compute.chi2_contours import chi2_contours
from rocconf.compute.chi2_contours.max_chi2 import permutation_p
from rocconf.compute.roc.counts import count
from rocconf.compute.roc.curve import curve
from rocconf.compute.stats.chi2 import chi2
from rocconf.compute.stats.confusion import Confusion
from rocconf.errors import UsageError
from rocconf.records import Predictions, ScoreCounts

NULL = json.loads((Path(__file__).parents[2] / "reference" / "bradley_1996.json").read_text())["maxchi2_null"]


def statistic(tp, fp, p, q):
    """Return chi-square where tpr >= fpr and 0 elsewhere, times n/(PQ): whole numbers of one scale."""
    flagged, n = tp + fp, p + q
    over = tp * q - fp * p
    return over * over / (flagged * (n - flagged)) if over > 0 and flagged < n else 0.0


def scaled(value, p, q):
    """Return a chi-square in the units of `statistic`."""
    return value * p * q / (p + q) * (1 - 1e-9)


def exact_p_of_distinct_scores(observed, p, q):
    """Count the orders of the labels that stay below the observed maximum, as paths on a P by Q lattice."""
    bar = scaled(observed, p, q)

    @cache
    def below(tp, fp):
        if statistic(tp, fp, p, q) >= bar:
            return 0
        if tp == fp == 0:
            return 1
        return (below(tp - 1, fp) if tp else 0) + (below(tp, fp - 1) if fp else 0)

    for diagonal in range(p + q):  # keeps the recursion shallow
        for tp in range(max(0, diagonal - q), min(p, diagonal) + 1):
            below(tp, diagonal - tp)
    return 1 - below(p, q) / comb(p + q, p)


def exact_p_of_tied_scores(observed, sizes, p):
    """Place the positives among the cases in every possible way."""
    ends, n = np.cumsum(sizes).tolist(), sum(sizes)
    bar, reached = scaled(observed, p, n - p), 0
    for places in combinations(range(n), p):
        found = [sum(place < end for place in places) for end in ends]
        reached += max(statistic(tp, end - tp, p, n - p) for tp, end in zip(found, ends, strict=True)) >= bar
    return reached / comb(n, p)


def curve_of(positives, negatives):
    scores = np.arange(len(positives), 0, -1)
    return curve(ScoreCounts.of(scores, positives, negatives))


def all_distinct(p, q):
    """Return a curve of the given class totals: permutations do not depend on where its positives are."""
    return curve_of([1] * p + [0] * q, [0] * p + [1] * q)


@pytest.mark.parametrize(("p", "q"), [(30, 30), (5, 55), (40, 7), (1, 12)])
@pytest.mark.parametrize("observed", [1.5, 3.84, 7.0, 11.0])
def test_estimates_the_exact_p_value_of_distinct_scores(p, q, observed):
    exact = exact_p_of_distinct_scores(observed, p, q)
    estimate = permutation_p(all_distinct(p, q), observed, permutations=20_000, seed=3)
    assert estimate == pytest.approx(exact, abs=4 * sqrt(exact * (1 - exact) / 20_000) + 1e-4)


@pytest.mark.thorough
@pytest.mark.parametrize("sizes", [[3, 1, 4, 2], [5, 5], [1, 8, 1], [2] * 5, [1, 1, 1, 1, 6]])
@pytest.mark.parametrize("positives", [2, 5])
@pytest.mark.parametrize("observed", [0.3, 1.6, 4.0])
def test_estimates_the_exact_p_value_of_tied_scores(sizes, positives, observed):
    left, of_each = positives, []
    for size in sizes:
        of_each.append(min(size, left))
        left -= of_each[-1]
    roc = curve_of(of_each, np.subtract(sizes, of_each))
    exact = exact_p_of_tied_scores(observed, sizes, positives)
    estimate = permutation_p(roc, observed, permutations=20_000, seed=5)
    assert estimate == pytest.approx(exact, abs=4 * sqrt(exact * (1 - exact) / 20_000) + 1e-4)


def test_a_maximum_that_equals_the_observed_one_reaches_it():
    # one positive among four cases comes first, with chi2 = n = 4, in one order of four
    assert permutation_p(all_distinct(1, 3), 4.0, permutations=20_000) == pytest.approx(0.25, abs=0.02)


def test_a_maximum_just_below_the_observed_one_does_not_reach_it():
    assert permutation_p(all_distinct(1, 3), 4.0001) == 1 / 1000


def test_rounding_does_not_separate_equal_maxima():
    # with 4 and 6 cases, (tp, fp) = (1, 0), (4, 4) and (3, 2) all have chi2 = 5/3
    observed = float(chi2(Confusion(np.array([3]), np.array([2]), 4, 6))[0])
    exact = exact_p_of_distinct_scores(5 / 3, 4, 6)
    assert permutation_p(all_distinct(4, 6), observed, permutations=20_000) == pytest.approx(exact, abs=0.015)


def test_counts_the_observed_order_so_p_is_never_0():
    assert permutation_p(all_distinct(30, 30), 60.0, permutations=99) == 1 / 100


def test_without_anything_above_chance_p_is_1():
    assert permutation_p(all_distinct(3, 3), 0.0) == 1


def test_one_distinct_score_has_a_maximum_of_0_and_a_p_of_1():
    result = chi2_contours(ScoreCounts.of([0.5], [4], [6]))
    assert (result.summary()["max_chi2"], result.summary()["max_chi2_p"]) == (0, 1)
    assert result.summary()["max_chi2_threshold"] is None


def test_the_same_seed_gives_the_same_p_and_another_seed_another():
    roc = all_distinct(30, 30)
    assert permutation_p(roc, 4.0, seed=1) == permutation_p(roc, 4.0, seed=1)
    assert len({permutation_p(roc, 4.0, seed=seed) for seed in range(5)}) > 1


def test_p_falls_as_the_observed_maximum_rises():
    values = [permutation_p(all_distinct(30, 30), observed, permutations=2000) for observed in (1, 3, 5, 9, 15)]
    assert values == sorted(values, reverse=True)


def test_does_not_depend_on_where_the_positives_are():
    first = curve_of([5, 0, 0], [0, 5, 5])
    second = curve_of([0, 5, 0], [5, 0, 5])
    assert permutation_p(first, 3.0, seed=8) == permutation_p(second, 3.0, seed=8)


def test_progress_adds_up_to_all_permutations():
    told = []
    permutation_p(all_distinct(30, 30), 4.0, permutations=999, progress=told.append)
    assert sum(told) == 999
    assert len(told) > 1


def test_needs_a_permutation():
    with pytest.raises(UsageError, match="at least one permutation, not 0"):
        permutation_p(all_distinct(3, 3), 1.0, permutations=0)


def test_a_negative_seed_is_rejected():
    with pytest.raises(UsageError, match="a seed is a whole number of at least 0, not -1"):
        permutation_p(all_distinct(3, 3), 1.0, seed=-1)


def test_classes_too_large_to_draw_from_have_no_p():
    roc = curve_of([10, 990], [10**9, 10])
    assert permutation_p(roc, 4.0) is None


def test_a_model_with_skill_is_significant_and_its_mirror_image_is_not():
    rng = np.random.default_rng(6)
    labels = rng.random(200) < 0.3
    scores = rng.normal(size=200) + 1.5 * labels
    skilled, mirrored = (
        chi2_contours(count(Predictions(labels, {"score": sign * scores}))).summary() for sign in (1, -1)
    )
    assert skilled["max_chi2_p"] == 0.001
    assert mirrored["max_chi2_p"] > 0.5


def samples_without_skill(p, q, many, rng):
    """Draw curves of distinct scores that know nothing of the labels."""
    labels = np.zeros(p + q, dtype=bool)
    labels[:p] = True
    for _ in range(many):
        rng.shuffle(labels)
        yield count(Predictions(labels.copy(), {"score": np.arange(p + q, dtype=float)}))


@pytest.mark.slow
@pytest.mark.parametrize("key", ["30/30", "55/5", "500/500", "950/50"])
def test_without_skill_the_permutation_test_rejects_one_in_twenty_and_384_a_quarter_or_more(key):
    q, p = map(int, key.split("/"))
    many = 1000
    found = [
        chi2_contours(counts, permutations=199, seed=k).summary()
        for k, counts in enumerate(samples_without_skill(p, q, many, np.random.default_rng(17)))
    ]
    corrected = np.mean([summary["max_chi2_p"] <= 0.05 for summary in found])
    naive = np.mean([summary["max_chi2"] > 3.841459 for summary in found])
    assert corrected <= 0.05 + 4 * sqrt(0.05 * 0.95 / many)
    assert corrected >= (0.02 if key == "55/5" else 0.05 - 4 * sqrt(0.05 * 0.95 / many))  # 55/5 has few values
    expected = NULL[key]["level_naive_3p84"]
    assert naive == pytest.approx(expected, abs=4 * sqrt(2 * expected * (1 - expected) / many))
