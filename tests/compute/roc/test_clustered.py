"""Clustered cases: the variance of an area and the effective sizes of rates at every threshold, the slow way."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

import rocconf
from rocconf.compute.roc.clustered import RowSizes, clustered_test
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.influence import AUC, AVERAGE_PRECISION
from rocconf.compute.roc.metrics import AT_A_POINT, FALSE_ALARMS, MISSES, RATES
from rocconf.compute.roc.observed import Observed, OnSameCases
from rocconf.compute.stats.design import FLOOR
from rocconf.compute.stats.estimate import unseen_share
from rocconf.compute.stats.paired_tests import paired_test
from rocconf.compute.stats.score_tests import tango_limits
from rocconf.errors import RocconfError, UsageError
from rocconf.records import DELONG, UNKNOWN, Grouping

CASES = st.lists(
    st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 5), st.integers(0, 4)), min_size=3, max_size=24
).filter(lambda cases: {label for label, *_ in cases} == {True, False} and len({each[3] for each in cases}) > 1)


def predictions(labels, scores, clusters=None, **more):
    grouping = None if clusters is None else Grouping.of("patient", clusters)
    floats = {name: np.asarray(column, dtype=float) for name, column in scores.items()}
    return rocconf.Predictions(np.asarray(labels, dtype=bool), floats, clusters=grouping, **more)


def of_cases(cases, **more):
    labels, a, b, clusters = zip(*cases, strict=True)
    return predictions(labels, {"a": a, "b": b}, clusters, **more)


def counted(cases, model="a"):
    return rocconf.count(cases, model)


def share_at(counts, name, row):
    """Return the estimate of a rate at a row."""
    return AT_A_POINT[name].estimate(Observed(counts).cells(int(counts.tp[row]), int(counts.fp[row])))


def placements(labels, scores):
    """Return the placement of each case among those of the other class, pair by pair."""
    labels, scores = np.array(labels, dtype=bool), np.array(scores)
    above = (scores[:, None] > scores) + (scores[:, None] == scores) / 2
    return np.where(labels, above @ ~labels / (~labels).sum(), labels @ above / labels.sum())


def slow_variance(labels, placed, clusters):
    """Obuchowski's variance by the formula, cluster by cluster."""
    parts = {True: {}, False: {}}
    for v, y, c in zip(placed, labels, clusters, strict=True):
        own = [each for each, label in zip(placed, labels, strict=True) if label == y]
        parts[y][c] = parts[y].get(c, 0.0) + (v - np.mean(own)) / len(own)
    if min(map(len, parts.values())) < 2:
        return None
    everyone, (of_positives, of_negatives) = len(set(clusters)), parts.values()
    both = sum(each * of_negatives.get(c, 0.0) for c, each in of_positives.items())
    own = sum(len(of) / (len(of) - 1) * sum(each**2 for each in of.values()) for of in parts.values())
    return max(own + 2 * everyone / (everyone - 1) * both, 0.0)


@examples(60)
@given(CASES)
def test_the_variance_is_that_of_the_formula(cases):
    labels, a, b, clusters = zip(*cases, strict=True)
    known = of_cases(cases)
    models = tuple(Observed(counted(known, name)) for name in "ab")
    for model, scores in zip(models, (a, b), strict=True):
        wanted, found = slow_variance(labels, placements(labels, scores), clusters), AUC.estimate(model).variance
        assert found is None if wanted is None else found == pytest.approx(wanted, abs=1e-13)
    pair = OnSameCases(known, models).pair(0, 1)
    if not pair.is_of_same_order:
        wanted = slow_variance(labels, np.subtract(placements(labels, a), placements(labels, b)), clusters)
        found = AUC.paired(pair).sums.variance
        assert found is None if wanted is None else found == pytest.approx(wanted, abs=1e-13)


def test_a_classical_difference_on_other_cases_of_the_same_clusters_has_their_covariance():
    rng, clusters = np.random.default_rng(3), np.arange(60) % 9
    labels, scores = np.arange(60) % 3 == 0, rng.normal(size=60) + (clusters > 4)
    models, of_clusters = [], []
    for half in (np.arange(60) < 30, np.arange(60) >= 30):
        own = labels[half], {"a": scores[half]}, clusters[half]
        models.append(Observed(counted(predictions(*own)), DELONG))
        placed = placements(own[0], scores[half])
        mean = np.array([placed[own[0] == label].mean() for label in (False, True)])[own[0].astype(int)]
        of_clusters.append(np.bincount(own[2], (placed - mean) / np.where(own[0], own[0].sum(), (~own[0]).sum())))
    a, b = of_clusters
    one, other = (AUC.estimate(model).variance for model in models)
    expected = one + other - 2 * (a @ b / sqrt((a @ a) * (b @ b))) * sqrt(one * other)
    assert AUC.apart(*models).variance == pytest.approx(expected, rel=1e-12)
    assert expected != pytest.approx(one + other, rel=0.01)


def test_models_that_differ_only_within_clusters_have_the_pseudo_cases_of_an_area():
    scores = np.arange(40.0)
    labels, swapped = scores % 4 > 1, scores + np.where(scores % 4 == 2, 1, np.where(scores % 4 == 3, -1, 0))
    known = predictions(labels, {"a": scores, "b": swapped}, scores // 2)
    pair = OnSameCases(known, tuple(Observed(counted(known, name)) for name in "ab")).pair(0, 1)
    assert AVERAGE_PRECISION.paired(pair).pseudo >= pair.design.pseudo((FLOOR, FLOOR))


@examples(60)
@given(CASES, st.booleans())
def test_the_sizes_of_all_rows_are_those_of_each_row(cases, turned):
    counts = counted(of_cases(cases, lower_is_positive=turned))
    sizes, matrices = RowSizes(counts, counts.clusters), curve(counts).confusion(slice(None))
    of_rates = {name: sizes.of_share(RATES[name], matrices) for name in RATES if RATES[name].hits}
    differences = sizes.of_difference(matrices)
    correlations = sizes.correlation(MISSES, FALSE_ALARMS, matrices, level=0.9)
    for row in range(len(counts) + 1):
        for name, (hits, n) in of_rates.items():
            found = share_at(counts, name, row)
            if found is None:
                assert n[row] == 0
                continue
            expected = min(found.size.effective, found.cases)
            assert (n[row], hits[row]) == pytest.approx((expected, found.value * expected), rel=1e-9)
        found = share_at(counts, "diff", row)
        assert differences[row] == pytest.approx(min(found.size.effective, found.cases), rel=1e-9)
        cells = Observed(counts).cells(int(counts.tp[row]), int(counts.fp[row]))
        r = cells.both([MISSES.share, FALSE_ALARMS.share])[1]
        seen = 1 - unseen_share(len(counts.clusters), 0.1) if r < 0 else 1.0
        assert correlations[row] == pytest.approx(seen * r, abs=1e-9)


@examples(60)
@given(CASES)
def test_the_test_of_a_threshold_is_tangos_of_the_cases_over_their_design_effect(cases):
    counts = counted(of_cases(cases))
    test, matrices = clustered_test(paired_test("tango"), counts, counts.clusters), curve(counts).confusion(slice(None))
    found = test.limits(matrices, 0.95)
    differs = test.differs(matrices, 0.95)
    for row in range(len(counts) + 1):
        b, c = counts.p - int(counts.tp[row]), int(counts.fp[row])
        effect = max(counts.n / share_at(counts, "diff", row).size.effective, 1.0)
        wanted = tango_limits(np.array([b / effect]), np.array([c / effect]), counts.n / effect, 1.959963984540054)
        assert (found.lower[row], found.upper[row]) == pytest.approx((wanted.lower[0], wanted.upper[0]), abs=1e-9)
        z = (b - c) / sqrt((b + c) * effect) if b != c else 0.0
        assert test.z(matrices)[row] == pytest.approx(z, abs=1e-9)
        if abs(abs(z) - 1.96) > 1e-3:
            assert differs[row] == (not found.lower[row] <= 0 <= found.upper[row])


def test_a_segment_is_the_longest_run_and_says_what_is_beside_it():
    rng = np.random.default_rng(5)
    for _ in range(200):
        n, clusters = rng.integers(6, 12), rng.integers(2, 4)
        labels = rng.random(n) < 0.5
        scores, places = rng.integers(0, 30, n), rng.integers(0, clusters, n)
        if labels.all() or not labels.any():
            continue
        counts = counted(predictions(labels, {"a": scores}, places))
        segment = rocconf.tango(counts)
        flags = segment.table("rows")["confident"].astype(bool)
        runs = [run for run in "".join("x" if each else " " for each in flags).split(" ") if run]
        beside = [caveat for caveat in segment.caveats if caveat.code == "several-segments"]
        assert len(segment.segment) == max(map(len, runs), default=0)
        assert bool(beside) == (len(runs) > 1)
        if beside:
            assert dict(beside[0].values)["beside"] == sum(map(len, runs)) - len(segment.segment)
            return
    pytest.fail("no segment had a gap")


def test_one_miss_says_little_of_how_alike_the_cases_of_a_cluster_are():
    labels = [1] * 300 + [0] * 30
    scores = [1.0] * 299 + [0.0] + [0.0] * 30
    counts = counted(predictions(labels, {"a": scores}, [*(at % 30 for at in range(300)), *range(100, 130)]))
    size = share_at(counts, "tpr", 1).size
    assert size.effective == pytest.approx(300, rel=0.1)  # as if independent
    assert size.at(0.05) == pytest.approx(30, abs=0.01)  # the clusters


FEW = predictions([1, 0] * 6, {"a": np.arange(12) * 5 % 7 / 7}, np.arange(12) // 3)


@pytest.mark.parametrize(
    "analyse",
    [
        lambda c: rocconf.sweep(c, concavities=9).table("concavities"),
        lambda c: rocconf.sweep(c, at="fpr<=0.5", assurance=0.5),
        lambda c: rocconf.tango(c, bootstrap=20),
        lambda c: rocconf.tango(c, prevalence=0.2),
        lambda c: rocconf.tango(c, test="exact"),
        rocconf.chi2_contours,
        rocconf.sensibility,
        lambda c: rocconf.sensibility(replace(c, clusters=None), reference=c),
        lambda c: rocconf.drift(c, replace(c, clusters=None)),
    ],
)
def test_what_takes_cases_as_independent_refuses_clusters(analyse):
    counts = counted(FEW)
    with pytest.raises(UsageError) as refused:
        analyse(counts)
    assert refused.value.code == "clusters-cannot"
    assert "sweep, tango and compare" in str(refused.value)


def test_counts_of_clustered_cases_cannot_be_added():
    counts = counted(FEW)
    with pytest.raises(RocconfError, match="their clusters may be the same ones"):
        counts + counts


def test_rescaled_counts_keep_their_clusters():
    from rocconf.compute.roc.counts import rescaled

    counts = counted(FEW)
    assert AUC.estimate(Observed(rescaled(counts))) == AUC.estimate(Observed(counts))


@pytest.mark.parametrize(("clusters", "few"), [(29, True), (30, False)])
def test_fewer_than_thirty_clusters_of_a_class_are_a_warning(clusters, few):
    labels = [at % 2 for at in range(120)]
    cases = predictions(labels, {"a": np.arange(120) % 7}, [(at // 2) % clusters for at in range(120)])
    codes = {caveat.code for caveat in rocconf.sweep(counted(cases)).caveats}
    assert ("few-clusters" in codes) == few


def test_clusters_without_a_case_do_not_count():
    grouping = Grouping("patient", ("x", "y", "z"), np.array([0, 0, 2, 2]))
    cases = rocconf.Predictions(
        np.array([True, False, True, False]), {"a": np.array([3.0, 1.0, 2.0, 2.0])}, clusters=grouping
    )
    assert len(rocconf.count(cases).clusters) == 2
    assert AUC.estimate(Observed(rocconf.count(cases))).sums.units == 2


def test_a_single_cluster_has_values_without_limits():
    found = rocconf.sweep(counted(predictions([1, 0, 1, 0], {"a": [1, 4, 3, 2]}, ["x"] * 4)))
    assert found.auc.value == 0.25
    assert found.auc.interval == UNKNOWN


def test_a_rate_that_is_the_same_in_every_cluster_is_correlated_with_nothing():
    """Its variance is rounding errors, whose correlation would be any number."""
    rng, labels, scores, clusters = np.random.default_rng(2), [], [], []
    for cluster in range(12):
        times, negatives = int(rng.integers(1, 4)), int(rng.integers(3, 9))
        labels += [True] * 7 * times + [False] * negatives
        scores += [1.0] * 3 * times + [0.0] * 4 * times + (rng.random(negatives) < 0.3).astype(float).tolist()
        clusters += [cluster] * (7 * times + negatives)
    counts = counted(predictions(labels, {"a": scores}, clusters))
    flagged = int(np.count_nonzero(counts.scores >= 1))
    found = AT_A_POINT["youden_j"].estimate(Observed(counts).cells(int(counts.tp[flagged]), int(counts.fp[flagged])))
    assert found.correlation == 0
