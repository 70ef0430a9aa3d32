"""Slices: each is analysed as its cases alone would be, at the thresholds of the whole, and compared with the rest."""

import numpy as np
import pytest

import rocconf
from rocconf.compute.compare import compare
from rocconf.compute.roc.influence import AUC
from rocconf.compute.roc.metrics import AT_A_POINT
from rocconf.compute.roc.observed import Observed
from rocconf.compute.stats.estimate import Measured, Sum
from rocconf.compute.stats.holm import holm
from rocconf.compute.stats.shares import OtherCases, Share
from rocconf.errors import UsageError
from rocconf.records import Grouping, Predictions

N = 600
REGIONS = ["north", "north ", "south", "", "tiny", "healthy"]
SHARES = [0.3, 0.2, 0.3, 0.15, 0.02, 0.03]


def cases(seed=3, *, turned=False):
    """Return cases with a small slice, one of a single class, an empty cell, and values that differ by a blank."""
    random = np.random.default_rng(seed)
    region = random.choice(REGIONS, N, p=SHARES)
    labels = (random.random(N) < 0.3) & (region != "healthy")
    old = np.round(random.normal(size=N) + 1.5 * labels, 2)
    new = np.round(old + 0.5 * random.normal(size=N) - (region == "south") * labels, 2)
    sex = random.choice(["f", "m"], N)
    scores = {"old": -old, "new": -new} if turned else {"old": old, "new": new}
    groups = (Grouping.of("region", region), Grouping.of("sex", sex))
    return Predictions(labels, scores, np.arange(N), turned, (), None, groups)


@pytest.fixture(scope="module")
def whole():
    return cases()


@pytest.fixture(scope="module")
def swept(whole):
    return rocconf.sweep_slices(whole, "new", at=["threshold=1", "youden"], cost="1:5", max_fpr=0.2)


@pytest.fixture(scope="module")
def compared(whole):
    return rocconf.compare_slices(whole, baseline="old", at=["threshold=1"])


def part_of(predictions, by, value):
    (groups,) = (each for each in predictions.groups if each.column == by)
    return predictions.where(groups.places == groups.names.index(value))


def test_every_value_is_a_slice_in_order_and_the_empty_one_is_last(swept):
    rows = {by: [row for row in swept.table("slices").records() if row["by"] == by] for by in ("region", "sex")}
    assert [row["slice"] for row in rows["region"]] == [*sorted(REGIONS[:3] + REGIONS[4:]), ""]
    assert [row["slice"] for row in rows["sex"]] == ["f", "m"]
    for of_column in rows.values():
        assert sum(row["n"] for row in of_column) == N
        assert sum(row["positives"] for row in of_column) == swept.counts.p


def with_clusters(of, places, column="patient"):
    """Return the cases with clusters, each with cases in several slices."""
    return Predictions(of.labels, of.scores, groups=of.groups, clusters=Grouping.of(column, places))


@pytest.fixture(scope="module")
def clustered(whole):
    return with_clusters(whole, np.random.default_rng(1).integers(0, 80, N))


@pytest.mark.parametrize("design", ["whole", "clustered"])
def test_a_slice_has_the_summary_and_the_pairs_of_its_cases_alone(design, request):
    of = request.getfixturevalue(design)
    options = {"at": ["threshold=1"], "cost": "1:5", "max_fpr": 0.2}
    for row in rocconf.sweep_slices(of, "new", **options).table("slices").records():
        if row["slice"] == "healthy":
            assert row["auc"] is None
            continue
        alone = rocconf.sweep(rocconf.count(part_of(of, row["by"], row["slice"]), "new"), **options).summary()
        assert {key: row[key] for key in alone} == alone
    compared = rocconf.compare_slices(of, baseline="old", by="sex", at=["threshold=1", "youden"])
    chosen = {each.model: each for each in rocconf.count_each(of)}
    tables = [
        (compared.table(name).records(), alone) for name, alone in (("slices", "models"), ("slice_pairs", "pairs"))
    ]
    for sex in "fm":
        part = compare(part_of(of, "sex", sex), baseline="old", at=["threshold=1", "youden"], choose_on=chosen)
        for rows, alone in tables:
            own = [row for row in rows if row["slice"] == sex]
            for row, expected in zip(own, part.table(alone).records(), strict=True):
                shared = (row.keys() & expected.keys()) - {"p_adjusted"}
                assert "p" in shared or "auc" in shared
                assert {key: row[key] for key in shared} == {key: expected[key] for key in shared}


def test_a_slice_has_the_thresholds_of_the_whole(whole, swept):
    points = {row["rule"]: row for row in swept.table("operating_points").records()}
    thresholds = [point.threshold for point in swept.points]
    assert all([point.threshold for point in each.result.points] == thresholds for each in swept.slices if each.result)
    for row in swept.table("slice_points").records():
        point = points[row["rule"]]
        assert (row["threshold"], row["in_sample"]) == (point["threshold"], point["in_sample"])
        part = part_of(whole, row["by"], row["slice"])
        flagged = part.scores["new"] >= row["threshold"]
        assert (row["tp"], row["fp"]) == ((flagged & part.labels).sum(), (flagged & ~part.labels).sum())


def test_thresholds_chosen_elsewhere_are_those_of_the_choice(whole):
    other = rocconf.count(cases(9), "new")
    found = rocconf.sweep_slices(whole, "new", at="youden", choose_on=other)
    chosen = rocconf.sweep(rocconf.count(whole, "new"), at="youden", choose_on=other).points[0].threshold
    rows = found.table("slice_points").records()
    assert {(row["threshold"], row["in_sample"]) for row in rows} == {(chosen, False)}


def test_low_scores_can_be_positive(swept):
    turned = rocconf.sweep_slices(cases(turned=True), "new", at=["threshold=-1", "youden"], cost="1:5", max_fpr=0.2)
    for key in ("auc", "auc_lower", "difference", "p_adjusted"):
        assert turned.table("slices")[key].tolist() == pytest.approx(swept.table("slices")[key].tolist(), nan_ok=True)
    assert turned.table("slice_points")["tp"].tolist() == swept.table("slice_points")["tp"].tolist()


@pytest.mark.parametrize("interval", ["robust", "delong"])
def test_a_slice_is_compared_with_the_rest_like_models_on_different_cases(whole, interval):
    found = rocconf.sweep_slices(whole, "new", by="region", at="threshold=1", interval=interval)
    (groups,) = (each for each in whole.groups if each.column == "region")
    own = groups.places == groups.names.index("south")
    parts = [Observed(rocconf.count(whole.where(kept), "new"), interval) for kept in (own, ~own)]
    expected = Measured(AUC.unpaired(*map(AUC.estimate, parts)), 0.95)
    (row,) = (row for row in found.table("slices").records() if row["slice"] == "south")
    assert (row["difference"], row["difference_lower"], row["difference_upper"], row["p"]) == (
        expected.value,
        expected.interval.lower,
        expected.interval.upper,
        expected.p,
    )
    flagged = whole.scores["new"] >= 1
    (point,) = (row for row in found.table("slice_points").records() if row["slice"] == "south")
    for rate, of in (("tpr", whole.labels), ("fpr", ~whole.labels)):
        shares = (Share(int((flagged & of & kept).sum()), int((of & kept).sum()), interval) for kept in (own, ~own))
        of_rate = Measured(OtherCases(*shares), 0.95)
        assert (point[f"{rate}_difference"], point[f"{rate}_p"]) == (of_rate.value, of_rate.p)
        assert point[f"{rate}_difference_upper"] == of_rate.interval.upper


def test_p_is_adjusted_over_all_slices_of_all_columns_and_two_values_are_one_test(swept, compared):
    tested = [row for row in swept.table("slices").records() if row["p"] is not None]
    of_two = [row for row in tested if row["by"] == "sex"]
    others = [row for row in tested if row["by"] != "sex"]
    assert (len(of_two), len(others)) == (2, 4)
    assert of_two[0]["p"] == pytest.approx(of_two[1]["p"])
    expected = holm([*(row["p"] for row in others), of_two[0]["p"]])
    assert [row["p_adjusted"] for row in (*others, of_two[0])] == pytest.approx(expected)
    rows = [row for row in compared.table("slice_pairs").records() if row["metric"] == "auc"]
    assert [row["p_adjusted"] for row in rows] == holm([row["p"] for row in rows])


def test_small_slices_and_those_of_one_class_are_listed_as_undecided(whole, swept):
    rows = {row["slice"]: row for row in swept.table("slices").records() if row["by"] == "region"}
    assert [name for name, row in rows.items() if not row["decided"]] == ["healthy", "tiny"]
    assert rows["healthy"]["auc"] is None
    assert rows["tiny"]["auc"] is not None
    assert rows["tiny"]["p"] is None
    said = {each.code: str(each) for each in swept.caveats}
    assert "2 of 6 slices of region have fewer than 10 cases of a class" in said["slices-undecided"]
    assert "healthy, tiny" in said["slices-undecided"]
    assert "'north', 'north '" in said["slices-alike"]
    found = rocconf.sweep_slices(whole, "new", by="region", min_cases=1).table("slices").records()
    assert [row["slice"] for row in found if not row["decided"]] == ["healthy"]
    with pytest.raises(UsageError, match="min_cases=0"):
        rocconf.sweep_slices(whole, "new", min_cases=0)


def test_a_rest_with_too_few_cases_or_none_is_not_compared(whole):
    labels = np.arange(60) % 2 == 0
    region = np.array(["big"] * 50 + ["small"] * 10)
    found = Predictions(labels, {"a": np.arange(60) / 60}, groups=(Grouping.of("region", region),))
    big, small = rocconf.sweep_slices(found).table("slices").records()
    assert (big["decided"], big["p"], small["decided"]) == (True, None, False)
    alone = Predictions(whole.labels, whole.scores, groups=(Grouping.of("site", ["a"] * N),))
    found = rocconf.sweep_slices(alone, "new")
    assert "slice-of-all" in [each.code for each in found.caveats]
    (row,) = found.table("slices").records()
    assert (row["auc"], row["p"]) == (found.auc.value, None)


def test_a_model_with_the_scores_of_its_baseline_in_a_slice_is_named(whole):
    south = whole.groups[0].places == whole.groups[0].names.index("south")
    new = np.where(south, whole.scores["old"], whole.scores["new"])
    found = rocconf.compare_slices(
        Predictions(whole.labels, {"old": whole.scores["old"], "new": new}, groups=whole.groups), by="region"
    )
    (said,) = (str(each) for each in found.caveats if each.code == "itself-in-slice")
    assert "region=south" in said


def test_without_groups_there_are_no_slices(whole):
    with pytest.raises(UsageError, match=r"not grouped by \? \(found: none\)"):
        rocconf.sweep_slices(Predictions(whole.labels, whole.scores), "new")
    with pytest.raises(UsageError, match=r"not grouped by age \(found: region, sex\)"):
        rocconf.sweep_slices(whole, "new", by="age")


def test_slices_are_not_compared_with_a_report_of_all_cases(whole):
    with pytest.raises(UsageError, match="by cannot be combined with reported"):
        rocconf.compare_slices(whole, by="region", reported=object())


def test_conclusions_name_the_ends_and_what_differs(swept, compared):
    told = [str(each) for each in swept.conclusions]
    assert any(
        text.startswith("by region: AUC from") and "(south)" in text and "in 4 of 6 slices" in text for text in told
    )
    assert any(text.startswith("by region: AUC of new less old from -") for text in map(str, compared.conclusions))


def differences_of(result, by="region"):
    """Return the estimate of every difference of a slice from the rest."""
    found = [(each.value, of) for each in result.slices if each.by == by for of in each.from_rest]
    return {(value, of.metric, of.rule): of.difference.estimate for value, of in found if of.difference}


def contributions_by_definition(cases, own, threshold=None):
    """Return what each cluster adds to the AUC, or to the true positive rate, of some cases."""
    labels, scores, found = cases.labels, cases.scores["new"], {}
    up, down = (np.flatnonzero(own & of) for of in (labels, ~labels))
    won = (scores[up][:, None] > scores[down]) + (scores[up][:, None] == scores[down]) / 2
    parts = [(up, won.mean(axis=1)), (down, won.mean(axis=0))]
    if threshold is not None:
        parts = [(up, (scores[up] >= threshold).astype(float))]
    for some, values in parts:
        for place, value in zip(cases.clusters.places[some], (values - values.mean()) / len(some), strict=True):
            found[place] = found.get(place, 0.0) + value
    return np.array([found.get(place, 0.0) for place in range(len(cases.clusters.names))])


@pytest.mark.parametrize(("metric", "rule", "threshold"), [("auc", None, None), ("tpr", 0, 1)])
def test_a_slice_and_the_rest_have_the_correlation_of_their_shared_clusters(clustered, metric, rule, threshold):
    own = clustered.groups[0].places == clustered.groups[0].names.index("south")
    found = differences_of(rocconf.sweep_slices(clustered, "new", by="region", at="threshold=1"))["south", metric, rule]
    one, other = (contributions_by_definition(clustered, kept, threshold) for kept in (own, ~own))
    assert isinstance(found, Sum)
    assert found.correlation == pytest.approx((one @ other) / np.sqrt((one @ one) * (other @ other)), rel=1e-9)
    cases = clustered.labels if threshold is not None else np.ones(N, dtype=bool)
    assert found.units == len(np.unique(clustered.clusters.places[cases]))
    alone = [rocconf.sweep(rocconf.count(clustered.where(kept), "new"), at="threshold=1") for kept in (own, ~own)]
    parts = [
        AUC.estimate(each.observed)
        if rule is None
        else AT_A_POINT["tpr"].estimate(each.observed.cells(each.points[0].tp, each.points[0].fp))
        for each in alone
    ]
    assert found.parts == tuple(parts)


def test_slices_that_share_no_cluster_are_independent(whole):
    apart = with_clusters(whole, whole.groups[1].places * 40 + np.random.default_rng(1).integers(0, 40, N))
    found = differences_of(rocconf.sweep_slices(apart, "new", by="sex", at="threshold=1"), "sex")
    assert found["f", "auc", None].correlation == 0
    assert isinstance(found["f", "tpr", 0], OtherCases)


def test_a_slice_of_a_single_cluster_has_no_interval_and_leaves_a_rule_open(whole):
    region = whole.groups[0]
    south = region.names.index("south")
    places = np.where(region.places == south, -1, np.random.default_rng(1).integers(0, 80, N))
    result = rocconf.sweep_slices(with_clusters(whole, places), "new", by="region", at="threshold=1")
    (row,) = (row for row in result.table("slices").records() if row["slice"] == "south")
    assert row["auc"] is not None
    assert (row["auc_lower"], row["auc_upper"], row["p"]) == (None, None, None)
    outcomes = dict(zip(region.names, rocconf.judge(result, "auc by region >= 0.01"), strict=True))
    assert (outcomes["south"].outcome, outcomes["north"].outcome) == ("inconclusive", "pass")


def test_models_on_different_cases_are_compared_in_each_slice(whole):
    other = cases(5)
    several = [whole.of_model("new"), other.of_model("old")]
    result = rocconf.compare_slices(several, baseline="old", by="region", at=["threshold=1"])
    assert not result.asked.paired
    for value in ("north", "south"):
        parts = [rocconf.count(part_of(each, "region", value)) for each in several]
        alone = rocconf.compare(parts, baseline="old", at=["threshold=1"]).table("pairs").records()
        rows = [row for row in result.table("slice_pairs").records() if row["slice"] == value]
        assert [row["difference_lower"] for row in rows] == [row["difference_lower"] for row in alone]
    rows = {(row["model"], row["slice"]): row for row in result.table("slices").records()}
    for model, of in zip(("new", "old"), several, strict=True):
        assert rows[model, "tiny"]["n"] == len(part_of(of, "region", "tiny"))
    verdicts = rocconf.judge(result, "delta_auc by region >= -0.9")
    assert [each.model for each in verdicts] == ["new"] * len(verdicts)


def test_models_on_different_cases_of_shared_clusters_are_correlated(clustered):
    half = np.arange(N) % 2 == 0
    parts = [clustered.where(half).of_model("new"), clustered.where(~half).of_model("new")]
    other = Predictions(parts[1].labels, {"old": parts[1].scores["new"]}, clusters=parts[1].clusters)
    result = rocconf.compare([rocconf.count(parts[0]), rocconf.count(other)], baseline="old", at=["threshold=1"])
    one, two = (contributions_by_definition(clustered, kept) for kept in (half, ~half))
    (found,) = (each.difference.estimate for each in result.pairs if each.metric == "auc")
    assert found.correlation == pytest.approx((one @ two) / np.sqrt((one @ one) * (two @ two)), rel=1e-9)


def test_folds_can_be_sliced_too(whole):
    folded = Predictions(
        whole.labels, whole.scores, groups=(*whole.groups, Grouping.of("fold", np.arange(N) % 3))
    ).with_folds("fold")
    result = rocconf.sweep_slices(folded, "new", by="sex")
    for row in result.table("slices").records():
        part = part_of(folded, "sex", row["slice"])
        assert row["cv_auc"] == rocconf.sweep(rocconf.count(part, "new")).summary()["cv_auc"]


def test_only_what_some_slice_may_lack_has_a_reason(swept):
    reasons = {column.name: column.undefined for column in swept.table("slices").columns}
    assert not reasons["n"]
    assert not reasons["positives"]
    assert "one class" in reasons["auc"]
