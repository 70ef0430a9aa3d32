"""The permutation p-value of the largest chi-square over all thresholds."""

import json
from itertools import combinations
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest

from rocconf.compute.chi2_contours import chi2_contours
from rocconf.compute.chi2_contours.model_on_chart import max_chi2_p
from rocconf.errors import UsageError
from rocconf.records import ScoreCounts

NULL = json.loads((Path(__file__).parents[2] / "reference" / "bradley_1996.json").read_text())["maxchi2_null"]


def counts_of(positives, negatives):
    return ScoreCounts.of(np.arange(len(positives), 0, -1), positives, negatives)


def largest(positives, negatives):
    """Return the largest chi-square with tpr >= fpr by its definition."""
    p, q, tp, fp, found = sum(positives), sum(negatives), 0, 0, 0.0
    for more, further in zip(positives, negatives, strict=True):
        tp, fp = tp + more, fp + further
        if tp * q > fp * p:
            found = max(found, (p + q) * (tp * q - fp * p) ** 2 / (p * q * (tp + fp) * (p + q - tp - fp)))
    return found


def every_p(positives, negatives):
    """Return the share of all ways to place the positives among the cases whose maximum reaches that of the data."""
    sizes = np.add(positives, negatives)
    of_case = np.repeat(np.arange(len(sizes)), sizes)
    observed, reached, p = largest(positives, negatives), 0, sum(positives)
    for places in combinations(of_case.tolist(), p):
        placed = np.bincount(places, minlength=len(sizes))
        reached += largest(placed.tolist(), (sizes - placed).tolist()) >= observed - 1e-9
    return reached / comb(len(of_case), p)


@pytest.mark.parametrize(
    ("positives", "negatives"),
    [
        ([1, 0, 0, 0], [0, 1, 1, 1]),  # the best order of four
        ([1, 0, 1, 1, 0, 1, 0, 0, 0, 0], [0, 1, 0, 0, 1, 0, 1, 1, 1, 1]),  # (1, 0), (4, 4) and (3, 2) would tie at 5/3
        ([0, 0, 0, 1, 0, 0, 1, 0], [1, 1, 1, 0, 1, 1, 0, 1]),
        ([2, 0, 1, 0], [1, 1, 3, 2]),
        ([3, 2], [2, 3]),
        ([0, 4, 1], [1, 4, 0]),
    ],
)
def test_p_is_the_share_of_all_orders_that_reach_the_maximum(positives, negatives):
    exact = every_p(positives, negatives)
    estimate = max_chi2_p(counts_of(positives, negatives), permutations=5000, seed=3)
    assert estimate == pytest.approx(exact, abs=4 * sqrt(exact * (1 - exact) / 5000) + 2e-4)


def test_counts_the_observed_order_so_p_is_never_0_and_a_mirrored_model_has_no_skill():
    best = [1] * 30 + [0] * 30
    assert max_chi2_p(counts_of(best, best[::-1]), permutations=99) == 1 / 100
    assert max_chi2_p(counts_of(best[::-1], best), permutations=99) == 1


@pytest.mark.parametrize("counts", [ScoreCounts.of([0.5], [4], [6]), counts_of([0, 3], [3, 0])])
def test_without_anything_above_chance_p_is_1(counts):
    summary = chi2_contours(counts).summary()
    assert (summary["max_chi2"], summary["max_chi2_threshold"], summary["max_chi2_p"]) == (0, None, 1)


def test_many_scores_keep_the_level_in_cells():
    """With ten thousand scores, p is that of the cells, and as uniform as with few."""
    rng, found = np.random.default_rng(4), []
    for seed in range(60):
        labels = rng.permutation(np.arange(10_000) < 3000).astype(int)
        found.append(max_chi2_p(counts_of(labels, 1 - labels), permutations=39, seed=seed))
    assert 0.3 < np.mean(found) < 0.7  # 5 standard errors of a uniform p
    assert np.mean(np.array(found) <= 0.05) < 0.2


def test_options_out_of_range_are_rejected():
    with pytest.raises(UsageError, match="at least one permutation, not 0"):
        max_chi2_p(counts_of([1, 0], [0, 1]), permutations=0)
    with pytest.raises(UsageError, match="a seed is a whole number of at least 0, not -1"):
        max_chi2_p(counts_of([1, 0], [0, 1]), seed=-1)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["30/30", "55/5", "500/500", "950/50"])
def test_without_skill_the_permutation_test_rejects_one_in_twenty_and_384_a_quarter_or_more(key):
    q, p = map(int, key.split("/"))
    many, rng, found = 1000, np.random.default_rng(17), []
    for seed in range(many):
        labels = rng.permutation(np.arange(p + q) < p).astype(int)
        found.append(chi2_contours(counts_of(labels, 1 - labels), permutations=199, seed=seed).summary())
    corrected = np.mean([summary["max_chi2_p"] <= 0.05 for summary in found])
    naive = np.mean([summary["max_chi2"] > 3.841459 for summary in found])
    assert corrected <= 0.05 + 4 * sqrt(0.05 * 0.95 / many)
    assert corrected >= (0.01 if key == "55/5" else 0.05 - 4 * sqrt(0.05 * 0.95 / many))  # 55/5 has few values
    expected = NULL[key]["level_naive_3p84"]
    assert naive == pytest.approx(expected, abs=4 * sqrt(2 * expected * (1 - expected) / many))
