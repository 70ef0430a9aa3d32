"""Comparisons: every pair with the test that is due to it, adjusted, judged on the margin, and the same for any order."""

from types import SimpleNamespace

import numpy as np
import pytest
from conftest import SAMPLE_DATA

import rocconf
from rocconf import Predictions, UsageError
from rocconf.compute.compare import compare, compare_pairs
from rocconf.compute.compare.pairs import Pair
from rocconf.compute.evidence import evidence_of
from rocconf.compute.roc.costs import NET_BENEFIT
from rocconf.compute.roc.counts import count, count_each
from rocconf.compute.roc.operating import operating_point, parse_point_rule
from rocconf.compute.stats.estimate import Area, Measured, Sums
from rocconf.compute.stats.margin import Margin
from rocconf.compute.stats.resampling import Draws
from rocconf.compute.stats.shares import OtherCases, PairedShares, Share
from rocconf.compute.sweep import sweep
from rocconf.compute.tango import tango
from rocconf.records import Interval, Source


@pytest.fixture(scope="module")
def dis():
    return rocconf.read_predictions(SAMPLE_DATA / "dis.csv")


def made(seed=0, n=60, models=3):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3 == 0
    return Predictions(labels, {f"m{at}": (rng.normal(size=n) + (1 + at / 2) * labels) for at in range(models)})


def by_key(comparison):
    return {(pair.model, pair.baseline, pair.metric, pair.at): pair for pair in comparison.pairs}


@pytest.mark.parametrize(
    ("options", "pairs"),
    [
        ({}, ["TS", "FS", "BS"]),
        ({"baseline": "F"}, ["SF", "TF", "BF"]),
        ({"all_pairs": True}, ["TS", "FS", "BS", "FT", "BT", "BF"]),
    ],
)
def test_each_model_is_compared_with_the_first_the_baseline_or_all(dis, options, pairs):
    found = compare(dis, **options)
    assert [pair.model + pair.baseline for pair in found.pairs] == pairs
    records = found.table("pairs").records()
    assert {(record["margin"], record["non_inferior"], record["equivalent"]) for record in records} == {(None,) * 3}


def test_the_rows_are_those_of_the_other_analyses(dis):
    rows = {row["model"]: row for row in compare(dis, level=0.8).table().records()}
    for counts in count_each(dis):
        alone, segment = sweep(counts, level=0.8), tango(counts, level=0.8).summary()
        row = rows[counts.model]
        assert (row["auc"], row["auc_lower"]) == (alone.auc.value, alone.auc.interval.lower)
        for key in ("cauc", "cauc_tp", "cauc_fp", "cauc_roc", "aved", "aved_abs", "confident_points", "threshold_low"):
            assert row[key] == segment[key]


def test_the_largest_chi_square_is_that_of_the_table_it_belongs_to(dis):
    from scipy.stats import chi2_contingency

    row = compare(dis).table().records()[2]
    best = operating_point(count(dis, "F"), parse_point_rule("chi2"))
    table = [[best.tp, 13 - best.tp], [best.fp, 959 - best.fp]]
    assert row["max_chi2"] == pytest.approx(chi2_contingency(table, correction=False).statistic, rel=1e-12)


def test_the_struggle_ratio_is_errors_over_others_at_the_midpoint(dis):
    scores, labels = dis.scores["T"], dis.labels
    midpoint = scores.sum() / (2 * labels.sum())
    errors = int(((scores >= midpoint) != labels).sum())
    assert compare(dis).table().records()[1]["struggle_ratio"] == pytest.approx(errors / (len(labels) - errors))


def test_struggle_ratios_that_are_undefined_or_of_a_midpoint_beyond_all_scores_are_named(dis):
    found = compare(made())
    assert found.table().records()[0]["struggle_ratio"] is None
    assert "m0: no struggle_ratio, as scores outside [0, 1] are not probabilities" in set(map(str, found.caveats))
    midpoints = {name: of.sum() / (2 * dis.labels.sum()) for name, of in dis.scores.items()}
    beyond = {name for name, of in dis.scores.items() if not of.min() <= midpoints[name] <= of.max()}
    outside = [str(each) for each in compare(dis).caveats if each.code == "struggle-midpoint-outside"]
    assert {text.partition(":")[0] for text in outside} == beyond == {"S", "B"}


@pytest.mark.parametrize("turned", [False, True])
def test_rates_are_compared_case_by_case_at_each_models_own_threshold(dis, turned):
    sign = -1 if turned else 1
    given_ = Predictions(
        dis.labels, {name: sign * scores for name, scores in dis.scores.items()}, lower_is_positive=turned
    )
    found = by_key(compare(given_, at=["fpr<=0.05"]))
    right = {}
    for name in ("S", "F"):
        threshold = operating_point(count(dis, name), parse_point_rule("fpr<=0.05")).threshold
        positive = np.zeros(len(dis), bool) if threshold is None else dis.scores[name] >= threshold
        right[name] = positive == dis.labels
    for metric, among in (("tpr", dis.labels), ("specificity", ~dis.labels), ("accuracy", dis.labels | True)):
        first, second = right["F"][among], right["S"][among]
        counted = PairedShares(float((first & ~second).sum()), float((second & ~first).sum()), float(among.sum()))
        assert found["F", "S", metric, "fpr<=0.05"].difference.estimate == counted


def test_thresholds_can_be_chosen_on_other_cases():
    first, second = made(1), made(2)
    choice = {counts.model: counts for counts in count_each(second)}
    found = compare(first, at=["youden"], choose_on=choice)
    points = found.table("operating_points").records()
    assert [point["threshold"] for point in points] == [
        operating_point(counts, parse_point_rule("youden")).threshold for counts in choice.values()
    ]
    assert not any(point["in_sample"] for point in points)


def test_p_values_are_adjusted_within_a_measure_and_an_operating_point(dis):
    found, alone = compare(dis, at=["fpr<=0.05", "fpr<=0.2"]), by_key(compare(dis, at=["fpr<=0.2"]))
    for metric, at in (("auc", None), ("specificity", "fpr<=0.05")):
        pairs = [pair for pair in found.pairs if (pair.metric, pair.at) == (metric, at)]
        pairs.sort(key=lambda pair: pair.difference.p)
        raw = [pair.difference.p for pair in pairs]
        stepped = [min(1, 3 * raw[0]), min(1, 2 * raw[1]), raw[2]]
        assert [pair.p_adjusted for pair in pairs] == pytest.approx(np.maximum.accumulate(stepped))
    assert {key: by_key(found)[key].p_adjusted for key in alone} == {key: of.p_adjusted for key, of in alone.items()}


def test_a_rule_has_the_interval_that_the_pairs_would_have(dis):
    options = {"seed": 5, "thresholds": "quantiles:30", "max_fpr": 0.2, "level": 0.9}
    (_, alone, *_) = evidence_of(compare(dis, **options))
    shown = by_key(compare(dis, bootstrap=2000, **options))
    for metric in ("cauc", "partial_auc"):
        assert alone.evidence(f"delta_{metric}").interval == shown["T", "S", metric, None].difference.interval


def test_a_rule_has_the_level_and_the_thresholds_that_it_asks_for():
    cases, choice = made(1), {counts.model: counts for counts in count_each(made(2))}
    (_, alone, *_) = evidence_of(compare(cases, choose_on=choice, at=["youden"]), choice)
    shown = by_key(compare(cases, choose_on=choice, at=["fpr<=0.1"], level=0.8))
    assert alone.evidence("delta_auc", None, 0.8).interval == shown["m1", "m0", "auc", None].difference.interval
    asked = alone.evidence("delta_tpr", parse_point_rule("fpr<=0.1"), 0.8).interval
    assert asked == shown["m1", "m0", "tpr", "fpr<=0.1"].difference.interval
    in_sample = by_key(compare(cases, at=["fpr<=0.1"], level=0.8))
    assert asked != in_sample["m1", "m0", "tpr", "fpr<=0.1"].difference.interval


def test_what_a_rule_needs_is_drawn_once_for_all_models(monkeypatch):
    """Rules about every model ask the same, and a bootstrap takes long."""
    drawn = []
    draw = compare_pairs.draw_replicates
    monkeypatch.setattr(compare_pairs, "draw_replicates", lambda *of, **more: drawn.append(of) or draw(*of, **more))
    for evidence in evidence_of(compare(made(1, models=3)))[1:]:
        evidence.evidence("delta_cauc", None, 0.95)
    assert len(drawn) == 1


def test_a_pair_without_a_test_leaves_the_others_their_adjustment():
    labels = np.array([1, 1, 1, 0, 0, 0], bool)
    scores = {"a": [6, 5, 4, 3, 2, 1], "b": [5, 6, 4, 3, 2, 1], "c": [6, 2, 4, 3, 5, 1]}
    cases = Predictions(labels, {name: np.array(column, float) for name, column in scores.items()})
    found = by_key(compare(cases, interval="delong"))
    untested, tested = found["b", "a", "auc", None], found["c", "a", "auc", None]
    assert untested.difference.p is untested.p_adjusted is None
    assert tested.p_adjusted == tested.difference.p


def test_a_margin_judges_every_measure_and_knows_which_way_is_better():
    worse = Measured(Draws.of(np.linspace(0.02, 0.06, 21), value=0.03), 0.8)
    record = Pair("a", "b", "aved_abs", None, worse, True).record(Margin(0.05))
    assert record["non_inferior"] is False
    assert Pair("a", "b", "cauc", None, worse, True).record(Margin(0.05))["non_inferior"] is True


def test_against_a_report_nothing_is_said_of_a_bootstrap_that_compares_nothing():
    codes = {caveat.code for caveat in compare(made(7), reported=REPORT, bootstrap=40).caveats}
    assert "bootstrap-pairs" not in codes


def test_a_model_compared_with_itself_is_told():
    plain = made(3)
    same = Predictions(plain.labels, {"a": plain.scores["m0"], "b": plain.scores["m0"].copy()})
    found = compare(same, at=["youden"])
    assert "compared-with-itself" in {caveat.code for caveat in found.caveats}
    assert {pair.difference.p for pair in found.pairs} == {1.0}
    choices = dict(zip("ab", count_each(made(1)), strict=False))  # of other thresholds
    rates = [pair for pair in compare(same, at=["youden"], choose_on=choices).pairs if pair.at]
    assert {pair.difference.test for pair in rates} == {"itself"}
    assert all(pair.difference.value for pair in rates)


def numbers(value):
    """Return everything in a report, numbers rounded to what sums in another order keep."""
    if isinstance(value, dict):
        return {key: numbers(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [numbers(each) for each in value]
    return float(f"{value:.10g}") if isinstance(value, float) else value


def test_the_order_of_the_rows_changes_nothing():
    plain, order = made(4), np.random.default_rng(1).permutation(60)
    shuffled = Predictions(plain.labels[order], {name: column[order] for name, column in plain.scores.items()})
    options = {"at": ["youden"], "bootstrap": 40, "band": "pointwise", "max_fpr": 0.3}
    first, second = (numbers(compare(each, **options).to_dict()) for each in (plain, shuffled))
    del first["digest"], second["digest"]  # of the numbers before rounding
    assert first == second


def test_models_on_other_cases_are_compared_without_pairing():
    first, second = count(made(5), "m0"), count(made(6, n=90), "m1")
    found = by_key(compare([first, second], at=["youden"]))
    point = [operating_point(counts, parse_point_rule("youden")) for counts in (first, second)]
    pair = found["m1", "m0", "tpr", "youden"]
    assert not pair.paired
    expected = OtherCases(Share(point[1].tp, second.p), Share(point[0].tp, first.p))
    assert pair.difference.interval == expected.interval(0.95)


KNOWN = {
    ("auc", None): Area(
        0.8, Sums(60, (40, 20), (1e-3, 1.3e-3), (40.0, 20.0), 2.3e-3, 0.0, 0.0, 2.3e-3), 20.0, kind="delong"
    ),
    ("specificity", "fpr <= 0.1"): Share(36.0, 40.0, "delong"),
}
REPORT = SimpleNamespace(
    model="old",
    auc=0.8,
    interval_kind="delong",
    source=Source("old.json", 60, 20, 40, "1"),
    data=None,
    lower_is_positive=False,
    max_fpr=None,
    cost=None,
    evidence={"clusters": None},
    is_binned=False,
    points=["fpr <= 0.1"],
    has_point=lambda rule: rule.text.replace(" ", "") == "fpr<=0.1",
    threshold=lambda rule: None,  # noqa: ARG005  # nothing is predicted positive
    is_of=lambda *_: False,
    estimate=lambda metric, rule: KNOWN.get((metric, rule and "fpr <= 0.1")),
)


def test_a_report_is_compared_with_on_other_cases():
    cases = made(7)
    found = by_key(compare(cases, at=["fpr<=0.1"], reported=REPORT))
    assert {key[:2] for key in found} == {("m0", "old"), ("m1", "old"), ("m2", "old")}
    area, rate = found["m1", "old", "auc", None], found["m1", "old", "specificity", "fpr<=0.1"]
    alone = sweep(count(cases, "m1"), interval="delong").auc
    assert area.difference.value == alone.value - 0.8
    assert area.difference.estimate.variance == pytest.approx(alone.se**2 + KNOWN["auc", None].se ** 2)
    new = operating_point(count(cases, "m1"), parse_point_rule("fpr<=0.1"))
    expected = OtherCases(Share(40 - new.fp, 40, "delong"), KNOWN["specificity", "fpr <= 0.1"])
    assert rate.difference.interval == expected.interval(0.95)
    assert not rate.paired


@pytest.mark.parametrize(("threshold", "is_known"), [(0.75, True), (0.25, False)])
def test_a_net_benefit_is_compared_with_a_report_of_mirrored_scores_at_the_same_probability(threshold, is_known):
    cases = made(7, models=1)
    probabilities = Predictions(cases.labels, {"m0": 1 / (1 + np.exp(-cases.scores["m0"]))})
    own = sweep(count(probabilities), at="threshold=0.25", calibrated=True)
    rate, point = NET_BENEFIT.bound(own.context, 0.25), own.points[0]
    known = {"net_benefit": rate.estimate(own.observed.cells(point.tp, point.fp), "delong")}
    changes = {"lower_is_positive": True, "threshold": lambda _: threshold, "has_point": lambda _: True}
    changes["estimate"] = lambda metric, _: known.get(metric)
    report = SimpleNamespace(**(vars(REPORT) | changes))
    found = by_key(compare(probabilities, at=["threshold=0.25"], calibrated=True, reported=report))
    assert (found["m0", "old", "net_benefit", "threshold=0.25"].difference is not None) is is_known


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"at": ["youden"], "reported": REPORT}, r"no operating point 'youden' .found: fpr <= 0.1"),
        (
            {"at": ["fpr<=0.1"], "assurance": 0.95, "reported": REPORT},
            r"no operating point 'fpr<=0.1 assured 0.95' .found: fpr <= 0.1",
        ),
        ({"interval": "robust", "reported": REPORT}, "a report of the interval delong, not robust"),
        ({"baseline": "m0", "reported": REPORT}, "the report is the baseline"),
        ({"all_pairs": True, "reported": REPORT}, "the report is the baseline"),
        ({"baseline": "m9"}, r"no model 'm9' .*m0, m1, m2"),
        ({"baseline": "m1", "all_pairs": True}, "leave out baseline"),
        ({"interval": "wald"}, "robust or delong, not wald"),
        ({"margin": 0}, "between 0 and 1"),
        ({"band": "wide"}, "no band 'wide'"),
        ({"bootstrap": -1}, "must not be negative"),
        ({"at": ["best"]}, "no rule 'best'"),
    ],
)
def test_options_without_a_meaning_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        compare(made(9), **options)


def test_one_model_and_models_of_one_name_cannot_be_compared():
    first, second = count(made(5), "m0"), count(made(6), "m0")
    with pytest.raises(UsageError, match="different names"):
        compare([first, second])
    with pytest.raises(UsageError, match=r"needs two models .found: m0"):
        compare(made(10, models=1))


def test_a_band_stands_in_a_table_with_its_kind_and_level(dis):
    found = compare(dis, band="ks", level=0.9)
    table = found.table("bands")
    assert len(table) == 4 * 101
    assert {(row["kind"], row["level"]) for row in table.records()} == {("ks", 0.9)}
    assert list(table["upper"][:101]) == list(found.bands[0].upper)
    assert any("overlap implies nothing" in str(each) for each in found.caveats)
    assert (len(compare(dis).table("bands")), compare(dis).table("bands").names) == (0, table.names)


def test_a_band_that_is_undefined_is_named_and_left_out():
    labels = np.array([1, 1, 1, 0, 0, 0], bool)
    scores = {"a": np.array([6.0, 5, 4, 3, 2, 1]), "b": np.array([6.0, 1, 4, 3, 5, 2])}
    found = compare(Predictions(labels, scores), band="working-hotelling")
    (said,) = [str(each) for each in found.caveats if each.code == "no-band"]
    assert said.startswith("a: no working-hotelling band: ")
    assert "overlap too little" in said
    assert set(found.table("bands")["model"]) <= {"b"}


def test_a_bootstrap_gives_the_segment_intervals(dis):
    record = compare(dis, bootstrap=50).table("models").records()[2]
    assert record["cauc_lower"] <= record["cauc"] <= record["cauc_upper"]
    assert "cauc_lower" not in compare(dis).table("models").names


def test_every_missing_value_has_its_reason(dis):
    told = compare(dis, bootstrap=20, at=["fpr<=0.0"], margin=0.05).to_dict()
    tables = {**told["tables"], "rows": told["rows"]}
    explained = {(entry["table"], entry["row"], entry["key"]) for entry in told["undefined"] if entry["reason"]}
    for name, rows in tables.items():
        for at, row in enumerate(rows):
            for key, value in row.items():
                if value is None:
                    assert (name, at, key) in explained or (name, None, key) in explained


@pytest.mark.parametrize("kind", ["robust", "delong"])
def test_a_difference_that_is_exactly_0_has_the_kind_of_the_others(kind):
    cases = made(models=2)
    twice = Predictions(cases.labels, {"a": cases.scores["m0"], "b": cases.scores["m0"].copy()})
    found = {each.metric: each.difference for each in compare(twice, at=["threshold=0.5"], interval=kind).pairs}
    for name in ("auc", "tpr"):
        assert (found[name].value, found[name].interval, found[name].kind) == (0, Interval(0, 0), kind)
