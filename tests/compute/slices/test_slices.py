"""Slices: each is analysed as its cases alone would be, at the thresholds of the whole, and compared with the rest."""

import numpy as np
import pytest
from rocconf.compute.stats.auc_difference import unpaired_auc_difference

import rocconf
from rocconf.compute.compare import Hits, unpaired_difference
from rocconf.compute.roc.auc import auc
from rocconf.compute.roc.curve import curve
from rocconf.compute.stats.holm import holm
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
    found = swept.table("slices").records()
    assert [row["slice"] for row in found if row["by"] == "region"] == [*sorted(REGIONS[:3] + REGIONS[4:]), ""]
    assert [row["slice"] for row in found if row["by"] == "sex"] == ["f", "m"]


def test_slices_of_a_column_have_all_cases(swept):
    for by in ("region", "sex"):
        rows = [row for row in swept.table("slices").records() if row["by"] == by]
        assert sum(row["n"] for row in rows) == N
        assert sum(row["positives"] for row in rows) == swept.counts.p


def test_a_slice_has_the_summary_of_its_cases_alone(whole, swept):
    for row in swept.table("slices").records():
        part = part_of(whole, row["by"], row["slice"])
        if row["auc"] is None:
            assert row["slice"] == "healthy"
            continue
        alone = rocconf.sweep(rocconf.count(part, "new"), at="threshold=1", cost="1:5", max_fpr=0.2).summary()
        assert {key: row[key] for key in alone} == alone


def test_models_in_a_slice_are_compared_as_on_its_cases_alone(whole, compared):
    part = part_of(whole, "region", "south")
    alone = rocconf.compare(part, baseline="old", at=["threshold=1"])
    found = [row for row in compared.table("slice_pairs").records() if row["slice"] == "south"]
    without_p = [{key: row[key] for key in row if key not in ("by", "slice", "p_adjusted")} for row in found]
    assert without_p == [
        {key: row[key] for key in row if key != "p_adjusted"} for row in alone.table("pairs").records()
    ]
    rows = [row for row in compared.table("slices").records() if row["slice"] == "south"]
    for row, expected in zip(rows, alone.table("models").records(), strict=True):
        assert {key: row[key] for key in expected} == expected


def test_a_slice_has_the_thresholds_of_the_whole(whole, swept):
    points = {row["rule"]: row for row in swept.table("operating_points").records()}
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
    areas = [auc(curve(rocconf.count(whole.where(kept), "new")), interval=interval) for kept in (own, ~own)]
    expected = unpaired_auc_difference(*areas)
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
        first, second = (Hits(int((flagged & of & kept).sum()), int((of & kept).sum())) for kept in (own, ~own))
        of_rate = unpaired_difference(first, second, kind=interval)
        assert (point[f"{rate}_difference"], point[f"{rate}_p"]) == (of_rate.value, of_rate.p)
        assert point[f"{rate}_difference_upper"] == of_rate.interval.upper


def test_p_is_adjusted_over_all_slices_of_all_columns_and_two_values_are_one_test(swept):
    rows = swept.table("slices").records()
    tested = [row for row in rows if row["p"] is not None]
    of_two = [row for row in tested if row["by"] == "sex"]
    others = [row for row in tested if row["by"] != "sex"]
    assert (len(of_two), len(others)) == (2, 4)
    assert of_two[0]["p"] == pytest.approx(of_two[1]["p"])
    expected = holm([*(row["p"] for row in others), of_two[0]["p"]])
    assert [row["p_adjusted"] for row in (*others, of_two[0])] == pytest.approx(expected)


def test_pairs_in_slices_are_adjusted_over_all_slices(compared):
    rows = [row for row in compared.table("slice_pairs").records() if row["metric"] == "auc"]
    assert [row["p_adjusted"] for row in rows] == holm([row["p"] for row in rows])


def test_small_slices_and_those_of_one_class_are_listed_as_undecided(swept):
    rows = {row["slice"]: row for row in swept.table("slices").records() if row["by"] == "region"}
    assert [name for name, row in rows.items() if not row["decided"]] == ["healthy", "tiny"]
    assert rows["healthy"]["auc"] is None
    assert rows["tiny"]["auc"] is not None
    assert rows["tiny"]["p"] is None
    (said,) = (str(each) for each in swept.caveats if each.code == "slices-undecided")
    assert "2 of 6 slices of region have fewer than 10 cases of a class" in said
    assert "healthy, tiny" in said


def test_fewer_cases_can_be_enough(whole):
    found = rocconf.sweep_slices(whole, "new", by="region", min_cases=1).table("slices").records()
    assert [row["slice"] for row in found if not row["decided"]] == ["healthy"]
    with pytest.raises(UsageError, match="min_cases=0"):
        rocconf.sweep_slices(whole, "new", min_cases=0)


def test_a_rest_with_too_few_cases_is_not_compared():
    labels = np.arange(60) % 2 == 0
    region = np.array(["big"] * 50 + ["small"] * 10)
    found = Predictions(labels, {"a": np.arange(60) / 60}, groups=(Grouping.of("region", region),))
    big, small = rocconf.sweep_slices(found).table("slices").records()
    assert (big["decided"], big["p"], small["decided"]) == (True, None, False)


def test_values_that_differ_in_blanks_are_named(swept):
    (said,) = (str(each) for each in swept.caveats if each.code == "slices-alike")
    assert "'north', 'north '" in said


def test_one_slice_of_all_cases_is_named(whole):
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


def test_conclusions_name_the_ends_and_what_differs(swept, compared):
    told = [str(each) for each in swept.conclusions]
    assert any(
        text.startswith("by region: AUC from") and "(south)" in text and "in 4 of 6 slices" in text for text in told
    )
    assert any(text.startswith("by region: AUC of new less old from -") for text in map(str, compared.conclusions))
