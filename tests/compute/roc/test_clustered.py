"""Clustered cases: the variance of an area and the effective sizes of rates, against references and the slow way."""

import json
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from rocconf.compute.compare.paired_auc import paired_aucs
from strategies import examples

import rocconf
from rocconf.compute.roc.auc import auc
from rocconf.compute.roc.clustered import RowSizes, clustered_test, sizes_at
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.metrics import AT_A_POINT, RATES
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.paired_tests import paired_test
from rocconf.compute.stats.tango_interval import tango_limits
from rocconf.errors import RocconfError, UsageError
from rocconf.records import Grouping

REFERENCE = json.loads((ROOT / "tests" / "reference" / "clusters.json").read_text(encoding="utf-8"))
LABELS = np.array(REFERENCE["label"], dtype=bool)
SHARES = [name for name, rate in AT_A_POINT.items() if rate.share is not None]

CASES = st.lists(
    st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 5), st.integers(0, 4)), min_size=3, max_size=24
).filter(lambda cases: {label for label, *_ in cases} == {True, False} and len({each[3] for each in cases}) > 1)


def predictions(labels, scores, clusters=None, **more):
    grouping = None if clusters is None else Grouping.of("patient", clusters)
    floats = {name: np.asarray(column, dtype=float) for name, column in scores.items()}
    return rocconf.Predictions(np.asarray(labels, dtype=bool), floats, clusters=grouping, **more)


def of_cases(cases, *, own=False, times=1, **more):
    """Return predictions of tuples; each case its own cluster, or each case so many times in its cluster."""
    labels, a, b, clusters = zip(*[case for case in cases for _ in range(times)], strict=True)
    return predictions(labels, {"a": a, "b": b}, range(len(labels)) if own else clusters, **more)


def reference_predictions():
    return predictions(LABELS, {name: REFERENCE[name] for name in "AB"}, REFERENCE["cluster"])


def counted(cases, model="a"):
    return rocconf.count(cases, model)


def matrix_of(counts, row):
    return Confusion(counts.tp[row : row + 1], counts.fp[row : row + 1], counts.p, counts.q)


@pytest.mark.parametrize("model", "AB")
def test_the_area_and_its_variance_are_those_of_the_reference(model):
    found, values = auc(curve(counted(reference_predictions(), model))), REFERENCE["values"]
    assert found.value == pytest.approx(values[f"auc_{model}"], abs=1e-14)
    assert found.se**2 == pytest.approx(values[f"var_{model}"], rel=1e-12)
    assert (found.p, found.q) == (values["I10"], values["I01"])


def test_the_robust_intervals_are_those_of_the_reference():
    areas, robust = paired_aucs(reference_predictions()), REFERENCE["robust"]
    one, difference = areas.alone(0), areas.difference(0, 1)
    assert (one.interval.lower, one.interval.upper) == pytest.approx(robust["single_A"], abs=1e-12)
    assert one.df == pytest.approx(robust["df_single"], rel=1e-12)
    wanted = robust["difference_A_less_B"]
    assert (difference.interval.lower, difference.interval.upper) == pytest.approx(wanted, abs=1e-12)


def test_the_covariance_of_two_models_is_that_of_the_reference():
    values = REFERENCE["values"]
    found = paired_aucs(reference_predictions()).covariance
    assert found[0, 1] == pytest.approx(values["cov_AB"], rel=1e-12)
    assert found[0, 0] + found[1, 1] - 2 * found[0, 1] == pytest.approx(values["var_diff"], rel=1e-12)
    own = REFERENCE["every_case_its_own_cluster"]
    scores = {name: REFERENCE[name] for name in "AB"}
    alone = paired_aucs(predictions(LABELS, scores, range(len(LABELS)))).covariance
    assert (alone[0, 0], alone[1, 1], alone[0, 1]) == pytest.approx(
        (own["var_A"], own["var_B"], own["cov_AB"]), rel=1e-12
    )


@pytest.mark.parametrize("row", REFERENCE["rates"], ids=lambda row: f"{row['rate']} at {row['threshold']}")
def test_the_effective_size_of_a_rate_is_that_of_the_reference(row):
    counts = counted(reference_predictions(), "A")
    at = int(np.count_nonzero(counts.scores >= row["threshold"]))
    matrix = matrix_of(counts, at)
    sizes = sizes_at(counts, int(matrix.tp[0]), int(matrix.fp[0]))
    assert sizes[row["rate"]].effective_n == pytest.approx(row["n_eff"], rel=1e-12)
    found = RATES[row["rate"]].interval(matrix, 0.95, "delong", sizes)
    assert (found.lower, found.upper) == pytest.approx(row["wilson"], abs=1e-12)


def placements(labels, scores):
    """Return the placement of each case among those of the other class, pair by pair."""

    def above(one, other):
        return (one > other) + (one == other) / 2

    return [
        np.mean(
            [above(s, t) if label else above(t, s) for t, other in zip(scores, labels, strict=True) if other != label]
        )
        for s, label in zip(scores, labels, strict=True)
    ]


def slow_variance(labels, placed, clusters):
    """Obuchowski's variance by the formula, cluster by cluster."""
    p, q, area = sum(labels), len(labels) - sum(labels), np.mean([v for v, y in zip(placed, labels, strict=True) if y])
    a, b = {}, {}
    for v, y, c in zip(placed, labels, clusters, strict=True):
        side, size = (a, p) if y else (b, q)
        side[c] = side.get(c, 0.0) + (v - area) / size
    everyone = set(clusters)

    def corrected(count, total):
        return count / (count - 1) * total

    if min(len(a), len(b)) < 2:
        return None
    both = sum(a.get(c, 0.0) * b.get(c, 0.0) for c in everyone)
    return max(
        corrected(len(a), sum(x * x for x in a.values()))
        + corrected(len(b), sum(x * x for x in b.values()))
        + 2 * corrected(len(everyone), both),
        0.0,
    )


@examples(60)
@given(CASES)
def test_the_variance_is_that_of_the_formula(cases):
    labels, a, b, clusters = zip(*cases, strict=True)
    areas = paired_aucs(of_cases(cases))
    for model, scores in enumerate((a, b)):
        wanted = slow_variance(labels, placements(labels, scores), clusters)
        found = areas.clusters[model].variance.value
        assert found is None if wanted is None else found == pytest.approx(wanted, abs=1e-13)
    moved = np.subtract(placements(labels, a), placements(labels, b))
    wanted = slow_variance(labels, moved, clusters)
    found = areas.clusters[0].less(areas.clusters[1]).variance.value
    assert found is None if wanted is None else found == pytest.approx(wanted, abs=1e-13)


@examples(60)
@given(CASES)
def test_a_model_has_the_same_area_alone_and_beside_another(cases):
    together = paired_aucs(of_cases(cases)).alone(1)
    alone = auc(curve(counted(of_cases(cases), "b")))
    assert (alone.interval.lower, alone.interval.upper) == pytest.approx(
        (together.interval.lower, together.interval.upper), abs=1e-12
    )


def every_interval(cases, kind):
    """Return the limits of every interval that honours clusters, or the code of its refusal."""
    found = {}
    areas = paired_aucs(cases)
    found["auc"] = areas.alone(0, interval=kind).interval
    found["delta_auc"] = areas.difference(0, 1, interval=kind).interval
    counts = counted(cases)
    for row in range(len(counts) + 1):
        matrix = matrix_of(counts, row)
        sizes = sizes_at(counts, int(matrix.tp[0]), int(matrix.fp[0]))
        for name in (*SHARES, "diff", "mcc"):
            if np.isnan(AT_A_POINT[name].of(matrix)[0]) or (kind != "robust" and name in ("f1", "mcc")):
                continue
            found[name, row] = AT_A_POINT[name].interval(matrix, 0.95, kind, sizes)
    compared = rocconf.compare(cases, baseline="b", at=["threshold=2"], interval=kind)
    found |= {(pair.metric, pair.at): pair.difference.interval for pair in compared.pairs if pair.difference}
    swept = rocconf.sweep(counts, intervals=True, at="threshold=2", interval=kind, honest=False)
    columns = [name for name in swept.table("rows").names if name.endswith(("_lower", "_upper"))]
    found |= {("rows", name): swept.table("rows")[name] for name in columns}
    segment = rocconf.tango(counts, margin=0.3, interval=kind)
    found |= {("tango", name): segment.table("rows")[name].astype(float) for name in ("lower", "upper", "z", "p")}
    return {name: (each.lower, each.upper) if hasattr(each, "lower") else each for name, each in found.items()}


@examples(24)
@pytest.mark.parametrize("kind", ["robust", "delong"])
@given(CASES)
def test_clusters_of_one_case_give_the_intervals_of_independent_cases(kind, cases):
    own = of_cases(cases, own=True)
    found, wanted = every_interval(own, kind), every_interval(replace(own, clusters=None), kind)
    for name, limits in wanted.items():
        np.testing.assert_allclose(found[name], limits, rtol=0, atol=1e-12, err_msg=str(name))


@examples(24)
@pytest.mark.parametrize("kind", ["robust", "delong"])
@given(CASES, st.integers(2, 4))
def test_repeating_every_case_in_its_cluster_changes_no_interval(kind, cases, times):
    found, wanted = every_interval(of_cases(cases, times=times), kind), every_interval(of_cases(cases), kind)
    for name, limits in wanted.items():
        np.testing.assert_allclose(found[name], limits, rtol=0, atol=1e-9, err_msg=str(name))


@examples(16)
@given(CASES, st.randoms(use_true_random=False))
def test_the_order_of_the_cases_and_the_names_of_the_clusters_change_nothing(cases, random):
    shuffled = list(cases)
    random.shuffle(shuffled)
    renamed = [(*case, 100 - cluster) for *case, cluster in shuffled]
    found, wanted = every_interval(of_cases(renamed), "robust"), every_interval(of_cases(cases), "robust")
    for name, limits in wanted.items():
        np.testing.assert_allclose(found[name], limits, rtol=0, atol=1e-12, err_msg=str(name))


@examples(60)
@given(CASES, st.booleans())
def test_the_sizes_of_all_rows_are_those_of_each_row(cases, turned):
    counts = counted(of_cases(cases, lower_is_positive=turned))
    sizes, matrices = RowSizes(counts, counts.clusters), curve(counts).confusion(slice(None))
    of_rates = {name: sizes.of_share(RATES[name], matrices) for name in RATES if RATES[name].hits}
    differences = sizes.of_difference(matrices)
    for row in range(len(counts) + 1):
        single = sizes_at(counts, int(counts.tp[row]), int(counts.fp[row]))
        for name, (hits, n) in of_rates.items():
            share = RATES[name].of(matrix_of(counts, row))[0]
            assert n[row] == pytest.approx(single[name].effective_n, rel=1e-9), (name, row)
            if n[row]:
                assert hits[row] == pytest.approx(share * n[row], rel=1e-9)
        assert differences[row] == pytest.approx(single["diff"].effective_n, rel=1e-9)


@examples(60)
@given(CASES)
def test_the_test_of_a_threshold_is_tangos_of_the_cases_over_their_design_effect(cases):
    counts = counted(of_cases(cases))
    test, matrices = clustered_test(paired_test("tango"), counts, counts.clusters), curve(counts).confusion(slice(None))
    found = test.limits(matrices, 0.95)
    differs = test.differs(matrices, 0.95)
    for row in range(len(counts) + 1):
        b, c = counts.p - int(counts.tp[row]), int(counts.fp[row])
        effect = counts.n / sizes_at(counts, int(counts.tp[row]), c)["diff"].effective_n
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
    size = sizes_at(counts, 299, 0)["tpr"]
    assert size.effective_n == pytest.approx(300, rel=0.1)  # as if independent
    assert size.of(0.95, "robust") == pytest.approx(30, abs=0.01)  # the clusters
    assert size.of(0.95, "delong") == size.effective_n


@pytest.mark.parametrize(
    "analyse",
    [
        lambda c: rocconf.sweep(c, cost="1:5"),
        lambda c: rocconf.sweep(c, calibrated=True),
        lambda c: rocconf.sweep(c, concavities=9).table("concavities"),
        lambda c: rocconf.sweep(c, at="fpr<=0.5", assurance=0.5),
        lambda c: rocconf.tango(c, bootstrap=20),
        lambda c: rocconf.tango(c, prevalence=0.2),
        lambda c: rocconf.tango(c, test="exact"),
        lambda c: rocconf.tango(c, cost="1:5"),
        rocconf.chi2_contours,
        rocconf.sensibility,
        lambda c: rocconf.sensibility(replace(c, clusters=None), reference=c),
        lambda c: rocconf.drift(c, replace(c, clusters=None)),
        lambda c: rocconf.compare([c, replace(c, model="other")]),
    ],
)
def test_what_takes_cases_as_independent_refuses_clusters(analyse):
    scores = [value / 40 for value in REFERENCE["A"]]
    counts = counted(predictions(LABELS, {"a": np.abs(scores)}, REFERENCE["cluster"]))
    with pytest.raises(UsageError) as refused:
        analyse(counts)
    assert refused.value.code == "clusters-cannot"
    assert "sweep, tango and compare" in str(refused.value)


@pytest.mark.parametrize(
    "more", [{"bootstrap": 20}, {"band": "ks"}, {"band": "pointwise"}, {"cost": "1:5"}, {"calibrated": True}]
)
def test_a_comparison_refuses_what_takes_cases_as_independent(more):
    cases = reference_predictions()
    cases = replace(cases, scores={name: 1 / (1 + np.exp(-scores)) for name, scores in cases.scores.items()})
    with pytest.raises(UsageError, match="would take each as independent"):
        rocconf.compare(cases, baseline="A", **more)


UNJUDGED = ("prevalence", "average_precision", "balanced_accuracy@1", "youden_j@1", "lift@1")


@pytest.mark.parametrize("metric", UNJUDGED)
def test_a_rule_without_an_interval_of_clusters_is_refused_but_not_one_about_the_value(metric):
    result = rocconf.sweep(counted(reference_predictions(), "A"), at="1")
    limit = 0.2 if metric != "lift@1" else 0.7
    with pytest.raises(UsageError, match=r"has no interval that honours cluster: judge auc, tpr"):
        rocconf.judge(result, f"{metric} >= {limit}")
    name, _, at = metric.partition("@")
    (verdict,) = rocconf.judge(result, f"{name}.point{'@' * bool(at)}{at} >= {limit}")
    assert (verdict.outcome, verdict.measure.interval) == ("pass", None)


@pytest.mark.parametrize("metric", ["delta_average_precision", "delta_cauc"])
def test_a_rule_on_a_difference_that_needs_replicates_is_refused(metric):
    result = rocconf.compare(reference_predictions(), baseline="B")
    with pytest.raises(UsageError, match="would take each as independent"):
        rocconf.judge(result, f"{metric} >= -0.5")


def test_the_kind_delong_draws_f1_from_independent_cases_and_says_so():
    result = rocconf.sweep(counted(reference_predictions(), "A"), at="1", interval="delong")
    with pytest.raises(UsageError, match="interval='robust' honours clusters"):
        rocconf.judge(result, "f1@1 >= 0.2")


def test_counts_of_clustered_cases_cannot_be_added():
    counts = counted(reference_predictions(), "A")
    with pytest.raises(RocconfError, match="their clusters may be the same ones"):
        counts + counts


def test_rescaled_counts_keep_their_clusters():
    from rocconf.compute.roc.counts import rescaled

    counts = counted(reference_predictions(), "A")
    assert auc(curve(rescaled(counts))).interval == auc(curve(counts)).interval


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
    assert paired_aucs(cases).clusters[0].variance.clusters == 2


def test_clusters_of_both_classes_add_a_part_of_their_own():
    variance = paired_aucs(reference_predictions()).clusters[0].variance
    assert replace(variance, shared=0.0).value != pytest.approx(REFERENCE["values"]["var_A"], rel=0.05)


def test_a_single_cluster_is_refused():
    with pytest.raises(RocconfError, match=r"all 4 cases are of one cluster \(patient 'x'\)"):
        rocconf.count(predictions([1, 0, 1, 0], {"a": [1, 2, 3, 4]}, ["x"] * 4))


def test_slices_by_a_column_refuse_clusters():
    with pytest.raises(RocconfError, match="the differences of the slices of 'site' from the rest"):
        replace(reference_predictions(), groups=(Grouping.of("site", REFERENCE["cluster"]),))
