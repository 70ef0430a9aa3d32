"""The drift decision: its statistics against the definition, its p-values against every relabelling there is."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations, product
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import counted, examples

from rocconf.compute.sensibility import drift, sensibility
from rocconf.compute.sensibility.midpoint import parse_midpoint
from rocconf.compute.sensibility.relabel import TwoSets
from rocconf.compute.stats.permutation import rejection_at
from rocconf.errors import UndefinedError, UsageError
from rocconf.records import ScoreCounts

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "klement.json").read_text(encoding="utf-8"))
SMALL = REFERENCE["drift_small"]


def small():
    return counted(SMALL["sA"], SMALL["yA"]), counted(SMALL["sB"], SMALL["yB"])


def distances(first, second, midpoint="half"):
    return observed(TwoSets.of(first, second, parse_midpoint(midpoint)))


def observed(pool):
    """Return the distances of the sets as they are."""
    sets = pool.observed()
    return SimpleNamespace(**{name: float(value[0]) for name, value in pool.distances(sets, sets).items()})


KINDS = ("positives", "negatives")

SCORES = st.sampled_from([k / 8 for k in range(9)]) | st.floats(0, 1, width=32)
SETS = st.lists(st.tuples(SCORES, st.booleans()), min_size=2, max_size=15).filter(
    lambda cases: 0 < sum(label for _, label in cases) < len(cases)
)
MIDPOINTS = st.sampled_from(["half", "fixed", "class-mean", "overall-mean", 0.4])


@given(SETS, SETS, MIDPOINTS, st.booleans())
@examples(200)
def test_matches_its_definition(first, second, midpoint, lower_is_positive):
    sets = [tuple(np.array(column) for column in zip(*cases, strict=True)) for cases in (first, second)]
    counts = [counted(scores, labels, lower_is_positive=lower_is_positive) for scores, labels in sets]
    found = distances(*counts, midpoint)
    sign = -1 if lower_is_positive else 1
    splits = [sensibility(each, midpoint=midpoint, bootstrap=0).split for each in counts]
    thresholds = [*(sign * np.concatenate([scores for scores, _ in sets])), np.inf]

    def accuracy(which, threshold, *, sensible):
        scores, labels = sets[which]
        mine = ((sign * scores >= sign * splits[which].midpoint) == labels) == sensible
        return ((sign * scores >= threshold) == labels)[mine].mean() if mine.any() else 0.0

    def below(which, threshold, label, whole):
        scores, labels = sets[which]
        return (sign * scores < threshold)[labels == label].sum() / whole(labels)

    def furthest(curve):
        return max(abs(curve(0, threshold) - curve(1, threshold)) for threshold in thresholds)

    assert found.sensibility == pytest.approx(furthest(lambda i, t: accuracy(i, t, sensible=True)))
    assert found.capability == pytest.approx(furthest(lambda i, t: accuracy(i, t, sensible=False)))
    assert found.joint == pytest.approx(max(furthest(lambda i, t, c=c: below(i, t, c, len)) for c in (True, False)))
    ks = {c: furthest(lambda i, t, c=c: below(i, t, c, lambda y: (y == c).sum())) for c in (True, False)}
    sizes = {c: [(labels == c).sum() for _, labels in sets] for c in (True, False)}
    assert found.within == pytest.approx(max(ks[c] * sqrt(a * b / (a + b)) for c, (a, b) in sizes.items()))
    assert found.prevalence == pytest.approx(abs(sets[0][1].mean() - sets[1][1].mean()))


def test_a_small_example_has_the_worked_statistics_and_estimates_their_exact_p_values():
    data, worked = distances(*small()), SMALL["statistics"]
    for name, key in zip(vars(data), ("D_joint", "D_sens", "D_cap", "D_prev", "KS_cond"), strict=True):
        assert getattr(data, name) == pytest.approx(worked[key]), name
    found, exact = drift(*small(), permutations=2000), SMALL["exact_p"]
    for statistic in (found.joint, found.sensibility, found.capability):
        p = exact[statistic.name]
        assert statistic.p == pytest.approx(p, abs=4 * sqrt(p * (1 - p) / 2000))
    # the prevalences of 3 and 2 positives in 6 are as close as 5 positives can be shared out
    assert found.prevalence.p == 1
    low, high = sorted([found.sensibility, found.capability], key=lambda each: each.p)
    assert (low.p_adjusted, high.p_adjusted) == (min(1, 2 * low.p), max(min(1, 2 * low.p), high.p))
    adjusted = {row["statistic"] for row in found.table().records() if row["p_adjusted"] is not None}
    assert adjusted == {"D_sens", "D_cap"}
    assert drift(*small(), permutations=2000) == found != drift(*small(), permutations=2000, seed=2)
    for one, other in zip(found.statistics, drift(*reversed(small()), permutations=9).statistics, strict=True):
        assert other.value == pytest.approx(-one.value if one.name in ("prevalence", "auc") else one.value)


@pytest.mark.parametrize("lower_is_positive", [False, True])
def test_beyond_the_cells_p_is_that_of_the_cells_and_the_value_that_of_the_scores(monkeypatch, lower_is_positive):
    rng = np.random.default_rng(5)
    sets = [counted(rng.random(60), rng.random(60) < 0.4, lower_is_positive=lower_is_positive) for _ in range(2)]
    monkeypatch.setattr("rocconf.compute.stats.permutation.CELLS", 4)
    pool = TwoSets.of(*sets, parse_midpoint("half"))
    cells = pool.in_cells()
    p, q = cells.positives, cells.negatives
    assert len(p.places) == len(q.places) == 4
    scores, none = cells.counts.scores[np.concatenate([p.places, q.places])], np.zeros(4, dtype=int)
    divided = ((p.sample, q.sample), (p.cases - p.sample, q.cases - q.sample))
    coarse = [
        ScoreCounts.of(scores, [*own, *none], [*none, *other], lower_is_positive=lower_is_positive)
        for own, other in divided
    ]
    assert [(each.p, each.q) for each in coarse] == [(each.p, each.q) for each in sets]
    found, of_cells = drift(*sets, permutations=99), drift(*coarse, permutations=99)
    for name in ("joint", "sensibility", "capability", "prevalence", "within"):
        assert getattr(found, name).p == getattr(of_cells, name).p
    assert (found.joint.value, found.within.value) == (observed(pool).joint, observed(pool).within)


def test_within_class_p_is_that_of_all_relabellings_within_the_classes():
    first, second = small()
    cases = [
        np.concatenate([np.repeat(each.scores, getattr(each, kind)) for each in (first, second)]) for kind in KINDS
    ]
    every = []
    for chosen in product(combinations(range(5), first.p), combinations(range(7), first.q)):
        own = [np.isin(np.arange(len(scores)), places) for scores, places in zip(cases, chosen, strict=True)]
        sets = [
            counted(np.concatenate([cases[0][high], cases[1][low]]), [1] * high.sum() + [0] * low.sum())
            for high, low in (own, [~each for each in own])
        ]
        every.append(distances(*sets).within >= distances(first, second).within - 1e-12)
    p = np.mean(every)
    assert drift(first, second, permutations=4000).within.p == pytest.approx(p, abs=4 * sqrt(p * (1 - p) / 4000))


def test_relabellings_that_leave_a_set_without_a_class_are_redrawn_and_counted():
    found = drift(*small(), permutations=2000)
    # 14 of 924 relabellings leave a set without a positive
    assert found.redrawn == pytest.approx(2000 * 14 / 910, abs=4 * sqrt(2000 * 14 / 910))
    (said,) = [caveat.text() for caveat in found.caveats if caveat.code == "redrawn"]
    assert str(found.redrawn) in said


def test_sets_that_relabelling_rarely_leaves_with_both_classes_are_an_error():
    few = ScoreCounts.of([0.9, 0.1], [1, 0], [0, 9])
    many = ScoreCounts.of([0.9, 0.1], [1, 0], [0, 10**8])
    with pytest.raises(UndefinedError, match="fewer than one relabelling in 10,000 leaves both sets with both classes"):
        drift(few, many, permutations=9)


def test_the_ranking_is_tested_by_delong_without_covariance():
    labels = [1, 1, 0, 1, 1, 0, 1, 0, 0, 0]
    first = counted([1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0], labels)
    second = counted([0.9, 0.7, 0.75, 0.8, 0.3, 0.35, 0.6, 0.4, 0.1, 0.2], labels)
    found = drift(first, second, permutations=9, interval="delong").auc
    assert found.value == pytest.approx(0.84 - 0.80)
    assert found.p == pytest.approx(2 * NormalDist().cdf(-0.04 / sqrt(0.0192 + 0.024)))
    without_variance = drift(*small(), permutations=9, interval="delong")
    assert (without_variance.auc.p, without_variance.table().records()[-1]["p"]) == (None, None)
    assert "no test of the ranking" in without_variance.auc.meaning


def beta_cases(rng, n, prevalence, high=3.0, low=1.5):
    labels = rng.random(n) < prevalence
    return counted(rng.beta(np.where(labels, high, low), 2.5), labels)


def squared(counts):
    """Return the cases in the same order, at other scores."""
    return replace(counts, thresholds=np.concatenate([[np.inf], counts.scores**2]))


@pytest.mark.parametrize(
    ("new", "conclusion", "moved"),
    [
        (lambda rng: beta_cases(rng, 1500, 0.4), "no evidence of change", []),
        (lambda rng: beta_cases(rng, 1500, 0.55), "prevalence changed", ["prevalence"]),
        (lambda rng: squared(beta_cases(rng, 1500, 0.4)), "scores within the classes changed", ["within_class_ks"]),
        (
            lambda rng: beta_cases(rng, 1500, 0.4, high=1.8),
            "scores within the classes changed, ranking changed",
            ["within_class_ks", "auc"],
        ),
    ],
    ids=["the same", "prevalence", "scores", "ranking"],
)
def test_each_change_is_distinguished_from_the_others(new, conclusion, moved):
    rng = np.random.default_rng(13)
    found = drift(beta_cases(rng, 1500, 0.4), new(rng))
    assert found.conclusion == conclusion
    said = {each.name for each in found.statistics if not each.meaning.startswith("no ")}
    assert said & {"prevalence", "within_class_ks", "auc"} == set(moved)
    if moved == ["prevalence"]:
        assert found.sensibility.p_adjusted <= 0.05  # which alone would not tell what changed


def with_p(*, joint, prevalence, within, auc, level=0.95):
    found = drift(*small(), permutations=9, level=level)
    parts = {"joint": joint, "prevalence": prevalence, "within": within, "auc": auc}
    return replace(found, permutations=999, **{name: replace(getattr(found, name), p=p) for name, p in parts.items()})


@pytest.mark.parametrize(
    ("p", "conclusion", "warns"),
    [
        ((0.06, 0.017, 0.017, 0.017), "no evidence of change", False),
        ((0.06, 0.016, 0.5, None), "no evidence of change by D_joint, though single tests find one", True),
        ((0.06, 0.5, 0.5, 0.001), "no evidence of change by D_joint, though single tests find one", True),
        ((0.05, 0.06, 0.06, 0.001), "changed, but no single test says how", False),
        ((0.05, 0.05, 0.06, 0.001), "prevalence changed", False),
        ((0.05, 0.06, 0.05, 0.06), "scores within the classes changed", False),
        ((0.05, 0.06, 0.05, 0.05), "scores within the classes changed, ranking changed", False),
        ((0.05, 0.05, 0.05, 0.05), "prevalence changed, scores within the classes changed, ranking changed", False),
        ((0.05, 0.06, 0.05, None), "scores within the classes changed", False),
    ],
)
def test_concludes_by_closed_testing(p, conclusion, warns):
    joint, prevalence, within, auc = p
    found = with_p(joint=joint, prevalence=prevalence, within=within, auc=auc)
    assert found.conclusion == conclusion
    assert ("part-alone" in {caveat.code for caveat in found.caveats}) is warns


@pytest.mark.parametrize(("level", "least"), [(0.9, 0.1), (0.95, 0.05), (0.999, 0.001), (0.9999999999999999, 1e-16)])
def test_what_a_level_leaves_is_a_decimal_and_never_nothing(level, least):
    assert rejection_at(level) == least
    found = with_p(joint=least, prevalence=least, within=1, auc=1, level=level)
    assert found.conclusion == "prevalence changed"


def test_equal_sets_and_too_few_permutations_have_a_warning():
    first, second = small()
    found = drift(first, first, permutations=9)
    assert (found.joint.value, found.joint.p, found.within.p) == (0, 1, 1)
    other_labels = ScoreCounts.of(first.scores, first.negatives, first.positives)
    for other, permutations, warnings in (
        (first, 18, {"same-scores", "few-permutations"}),
        (other_labels, 19, {"same-scores"}),
        (second, 19, set()),
    ):
        assert {each.code for each in drift(first, other, permutations=permutations).caveats} - {"redrawn"} == warnings


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"level": 95}, "a level must be between 0 and 1, not 95"),
        ({"seed": -1}, "a seed is a whole number of at least 0, not -1"),
        ({"permutations": 0}, "at least one permutation"),
        ({"reference": counted([0.1, 0.9], [1, 0], lower_is_positive=True)}, "opposite directions"),
        ({"reference": ScoreCounts.of([0.9, 0.1], [10**9, 0], [0, 10**9])}, "fewer than 1,000,000,000 cases"),
    ],
)
def test_what_cannot_be_tested_is_an_error(options, said):
    first, second = small()
    with pytest.raises((UsageError, UndefinedError), match=said):
        drift(first, **{"reference": second, **options})


def rejections(draw_new, draw_old, *, runs=2000, permutations=99):
    """How often each statistic rejects at 5%, and how often something is concluded that only a class's scores show."""
    rejected = Counter()
    for run in range(runs):
        rng = np.random.default_rng([77, run])
        found = drift(draw_new(rng), draw_old(rng), permutations=permutations, seed=run)
        rejected.update(each.name for each in found.statistics if each.below(0.05))
        rejected["any finding"] += bool(found.findings)
        rejected["finding within"] += any(each in found.conclusion for each in ("within", "ranking"))
    return {name: times / runs for name, times in sorted(rejected.items())}


@pytest.mark.slow
def test_tests_keep_their_level_without_drift_and_within_the_classes_under_another_prevalence(record_property):
    same = rejections(lambda rng: beta_cases(rng, 200, 0.4), lambda rng: beta_cases(rng, 200, 0.4))
    other = rejections(lambda rng: beta_cases(rng, 200, 0.55), lambda rng: beta_cases(rng, 200, 0.3))
    record_property("rejected", {"same": same, "other prevalence": other})
    for name in ("D_joint", "D_sens", "D_cap", "prevalence", "within_class_ks", "any finding"):
        assert 0.035 <= same[name] <= 0.065, name
    assert 0.035 <= other["within_class_ks"] <= 0.065
    assert other["finding within"] <= 0.065
    assert other["D_sens"] > 0.5
