"""More than two classes: each against the rest, and the averages over them."""

import json
import re
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from conftest import REFERENCE, SAMPLE_DATA
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score
from strategies import examples

import rocconf
from rocconf.compute.classes import AVERAGES
from rocconf.compute.stats.beta import student_quantile_of_tails
from rocconf.errors import RocconfError, TooFewCasesError, UsageError
from rocconf.records import UNKNOWN, Grouping, Interval

WORKED = json.loads((REFERENCE / "hand_till.json").read_text(encoding="utf-8"))["cases"]
OF_REFERENCE = {"macro": "macro_auc", "weighted": "weighted_auc"}
OF_SKLEARN = {
    "macro_auc": ("ovr", "macro"),
    "weighted_auc": ("ovr", "weighted"),
    "hand_till": ("ovo", "macro"),
    "hand_till_weighted": ("ovo", "weighted"),
}


def cases_of(labels, **scores):
    """Return cases of classes called a, b, c, ..., with a column for each."""
    matrices = {name: np.asarray(own, dtype=float) for name, own in scores.items()}
    classes = tuple("abcdefghij"[: next(iter(matrices.values())).shape[1]])
    return rocconf.ClassPredictions(classes, np.asarray(labels, dtype=np.int64), matrices)


def values_of(result, model=0):
    return {name: found and found.value for name, found in result.models[model].averages.items()}


def area(positive, negative):
    """Return Mann-Whitney's share, pair by pair."""
    return float(np.mean([(a > b) + (a == b) / 2 for a in positive for b in negative]))


def averages_by_definition(labels, scores):
    """Return the averages, each by its own definition."""
    n, k = len(labels), scores.shape[1]
    sizes = [int((labels == c).sum()) for c in range(k)]
    rest = [area(scores[labels == c, c], scores[labels != c, c]) for c in range(k)]
    one = {(c, d): area(scores[labels == c, c], scores[labels == d, c]) for c, d in permutations(range(k), 2)}
    both = [(c, d, (one[c, d] + one[d, c]) / 2) for c, d in combinations(range(k), 2)]
    shares = [(sizes[c] + sizes[d]) / n for c, d, _ in both]
    return {
        "macro_auc": float(np.mean(rest)),
        "weighted_auc": sum(size / n * each for size, each in zip(sizes, rest, strict=True)),
        "hand_till": float(np.mean([each for *_, each in both])),
        "hand_till_weighted": sum(share * each for share, (*_, each) in zip(shares, both, strict=True)) / sum(shares),
    }


@st.composite
def tied_classes(draw, least=1):
    """Cases of two to four classes, each with `least` cases or more, and scores with many ties."""
    k = draw(st.integers(2, 4))
    sizes = draw(st.lists(st.integers(least, 6), min_size=k, max_size=k))
    labels = np.repeat(np.arange(k), sizes)
    row = st.lists(st.integers(0, 4), min_size=k, max_size=k)
    first, second = (np.array([draw(row) for _ in labels], dtype=float) for _ in range(2))
    return labels, first, second


@pytest.mark.parametrize("case", WORKED, ids=lambda case: "".join(case["classes"]))
def test_the_worked_cases(case):
    labels = [case["classes"].index(label) for label in case["label"]]
    scores = np.array(case["scores"], dtype=float)
    result = rocconf.one_vs_rest(rocconf.ClassPredictions(tuple(case["classes"]), np.array(labels), {"m": scores}))
    expected = dict(case["values"])
    for of, value in expected.pop("one_vs_rest").items():
        (found,) = [each.area.value for each in result.units if each.of == of]
        assert found == pytest.approx(value, abs=1e-12)
    assert values_of(result) == pytest.approx({OF_REFERENCE.get(key, key): v for key, v in expected.items()}, abs=1e-12)
    if case["pROC_multiclass_roc"] is not None:
        assert values_of(result)["hand_till"] == pytest.approx(case["pROC_multiclass_roc"], abs=1e-12)


def test_agrees_with_scikit_learn_on_the_wines():
    cases = rocconf.read_classes(SAMPLE_DATA / "wine.csv", label="cultivar")
    result = rocconf.one_vs_rest(cases)
    for model, name in enumerate(cases.models):
        rows = cases.scores[name]
        for key, (multi_class, average) in OF_SKLEARN.items():
            expected = roc_auc_score(cases.labels, rows, multi_class=multi_class, average=average)
            assert values_of(result, model)[key] == pytest.approx(expected, abs=1e-12)


@examples(60)
@given(tied_classes())
def test_the_averages_are_those_of_their_definitions(cases):
    labels, scores, _ = cases
    found = values_of(rocconf.one_vs_rest(cases_of(labels, m=scores)))
    assert found == pytest.approx(averages_by_definition(labels, scores), abs=1e-12)


def two_columns(scores):
    return np.column_stack([-scores, scores])


@pytest.mark.parametrize("interval", ["robust", "delong"])
def test_of_two_classes_every_average_is_the_auc_with_its_interval_and_its_difference(interval):
    random = np.random.default_rng(3)
    labels = np.repeat([0, 1], [20, 33])
    new = random.normal(size=53) + labels
    old = new + random.normal(size=53) / 2
    cases = cases_of(labels, new=two_columns(new), old=two_columns(old))
    result = rocconf.one_vs_rest(cases, baseline="old", interval=interval)
    plain = rocconf.compare(
        rocconf.Predictions(labels == 1, {"new": new, "old": old}), baseline="old", interval=interval
    )
    (pair,) = [each for each in plain.pairs if each.metric == "auc"]
    single = plain.models[0].sweep.auc
    for name in AVERAGES:
        average = result.models[0].averages[name]
        assert average.value == pytest.approx(single.value, abs=1e-12)
        assert average.se == pytest.approx(single.se, rel=1e-9)
        assert average.df == pytest.approx(single.df, rel=1e-9)
        assert average.interval.ends == pytest.approx(single.interval.ends, abs=1e-9)
        (of_average,) = [each.difference for each in result.pairs if each.metric == name]
        assert of_average.value == pytest.approx(pair.difference.value, abs=1e-12)
        assert of_average.interval.ends == pytest.approx(pair.difference.interval.ends, abs=1e-9)
        assert of_average.p == pytest.approx(pair.difference.p, rel=1e-6)


@examples(30)
@given(tied_classes(least=2))
def test_swapping_the_models_turns_the_differences(cases):
    labels, first, second = cases
    both = cases_of(labels, a=first, b=second)
    there, back = (rocconf.one_vs_rest(both, baseline=name).pairs for name in ("b", "a"))
    for one, other in zip(there, back, strict=True):
        assert one.difference.value == pytest.approx(-other.difference.value, abs=1e-12)
        assert one.difference.interval.lower == pytest.approx(-other.difference.interval.upper, abs=1e-9)
        assert one.difference.p == pytest.approx(other.difference.p, abs=1e-9)


@examples(30)
@given(tied_classes(), st.randoms(use_true_random=False))
def test_neither_the_order_of_classes_and_cases_nor_a_monotone_or_mirrored_score_matters(cases, random):
    labels, scores, _ = cases
    places = list(range(scores.shape[1]))
    random.shuffle(places)
    rows = list(range(len(labels)))
    random.shuffle(rows)
    moved = np.exp(scores[rows][:, places] * (1 + np.array(places)))
    moved = cases_of([places.index(label) for label in labels[rows]], m=moved)
    if random.randrange(2):
        moved = replace(moved, scores={"m": -moved.scores["m"]}, lower_is_positive=True)
    again = rocconf.one_vs_rest(moved)
    for name, found in rocconf.one_vs_rest(cases_of(labels, m=scores)).models[0].averages.items():
        other = again.models[0].averages[name]
        assert found.value == pytest.approx(other.value, abs=1e-12)
        assert (found.interval == UNKNOWN) == (other.interval == UNKNOWN)
        if found.interval != UNKNOWN:
            assert found.interval.ends == pytest.approx(other.interval.ends, abs=1e-9)


def test_perfect_and_tied_scores_have_intervals_of_some_width():
    labels = np.repeat([0, 1, 2], 10)
    perfect, tied = np.eye(3)[labels], np.zeros((30, 3))
    result = rocconf.one_vs_rest(cases_of(labels, perfect=perfect, tied=tied), baseline="tied")
    for name in AVERAGES:
        best, none = (model.averages[name] for model in result.models)
        assert (best.value, best.se, best.df, best.interval.upper) == (1.0, None, 9, 1.0)
        # 15 of 15: each class has weight 2/3
        assert best.interval.lower == pytest.approx(15 / (15 + student_quantile_of_tails(0.05, 9) ** 2), abs=1e-12)
        assert none.interval.lower < 0.5 == none.value < none.interval.upper


def test_a_class_of_one_case_leaves_the_averages_without_an_interval():
    labels = [0] * 6 + [1] * 6 + [2]
    scores = np.random.default_rng(2).random((13, 3))
    result = rocconf.one_vs_rest(cases_of(labels, m=scores, o=scores[::-1].copy()), baseline="o")
    for name, found in result.models[0].averages.items():
        assert (found.interval, found.se, found.df) == (UNKNOWN, None, None)
        (pair,) = [each.difference for each in result.pairs if (each.metric, each.model) == (name, "m")]
        assert (pair.interval, pair.p) == (Interval(-1.0, 1.0), 1.0)
        (verdict,) = rocconf.judge(result, f"{name}[m] >= 0.01")
        assert verdict.outcome == "inconclusive"
    assert "class-of-one-case" in {caveat.code for caveat in result.caveats}


def test_a_class_without_cases_leaves_its_area_and_every_average_undefined():
    labels = [0] * 6 + [1] * 6
    scores = np.random.default_rng(2).random((12, 3))
    result = rocconf.one_vs_rest(cases_of(labels, m=scores))
    assert values_of(result) == dict.fromkeys(AVERAGES)
    assert [each.area is None for each in result.units] == [False, False, True]
    assert result.table("class_pairs").records()[1]["auc"] is None
    for rule in ("macro_auc >= 0.01", "hand_till >= 0.01", "auc[c] >= 0.01", "hand_till.point >= 0.01"):
        (verdict,) = rocconf.judge(result, rule)
        assert (verdict.outcome, verdict.is_without_value) == ("inconclusive", True)
    assert [each.outcome for each in rocconf.judge(result, "auc >= 0.01")] == ["pass", "pass", "inconclusive"]


def test_the_same_scores_are_a_comparison_with_itself_and_the_same_order_is_a_difference_of_0():
    labels, scores = np.repeat([0, 1, 2], 5), np.random.default_rng(4).random((15, 3))
    itself = rocconf.one_vs_rest(cases_of(labels, old=scores, new=scores.copy()), baseline="old")
    assert {each.difference.test for each in itself.pairs} == {"itself"}
    assert {each.outcome for each in rocconf.judge(itself, "delta_macro_auc >= -0.01")} == {"inconclusive"}
    assert {each.outcome for each in rocconf.judge(itself, "delta_auc >= -0.01")} == {"inconclusive"}
    alike = rocconf.one_vs_rest(cases_of(labels, old=scores, new=scores**3), baseline="old")
    assert {(each.difference.interval, each.difference.p) for each in alike.pairs} == {(Interval(0.0, 0.0), 1.0)}
    assert {each.outcome for each in rocconf.judge(alike, "delta_hand_till >= -0.01")} == {"pass"}
    one = np.column_stack([scores[:, 0] ** 3, scores[::-1, 1:]])  # of one class alone the order is the same
    differ = rocconf.one_vs_rest(cases_of(labels, old=scores, new=one), baseline="old")
    assert all(each.difference.interval.lower < 0 for each in differ.pairs if each.metric in AVERAGES)


def test_a_rule_judges_every_class_or_the_one_that_it_names():
    labels, scores = np.repeat([0, 1], 3), np.random.default_rng(4).random((6, 2))
    assert [each.name for each in rocconf.one_vs_rest(cases_of(labels, m=scores)).units] == ["a", "b"]
    assert [each.name for each in rocconf.one_vs_rest(cases_of(labels, a=scores)).units] == ["a:a", "a:b"]
    cases = rocconf.read_classes(SAMPLE_DATA / "wine.csv", label="cultivar", score="bayes")
    result = rocconf.one_vs_rest(cases)
    verdicts = rocconf.judge(result, ["auc >= 0.85", "auc[class_0] >= 0.85", "macro_auc >= 0.85", "positives >= 48"])
    assert [(each.model, each.outcome) for each in verdicts] == [
        *(("class_0", "pass"), ("class_1", "pass"), ("class_2", "inconclusive")),
        *(("class_0", "pass"), ("bayes", "pass")),
        *(("class_0", "pass"), ("class_1", "pass"), ("class_2", "pass")),
    ]
    (narrow,) = rocconf.judge(result, "macro_auc.point >= 0.9")
    assert (narrow.outcome, narrow.measure.value) == ("pass", result.models[0].averages["macro_auc"].value)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("macro_auc[class_0] >= 0.5", "macro_auc is not a number of class_0, but of bayes"),
        ("auc[bayes] >= 0.5", "auc is not a number of bayes, but of class_0, class_1, class_2"),
        ("tpr@threshold=0.5 >= 0.5", "one-vs-rest has no operating points"),
        ("macro >= 0.5", "did you mean 'macro_auc'?"),
        ("average_precision >= 0.5", "one-vs-rest has no metric 'average_precision'"),
        ("hand_till >= 0", "hand_till lies in [0, 1]"),
        ("macro_auc >= 85", "0.85?"),
    ],
)
def test_a_rule_about_something_else_is_refused(rule, said):
    cases = rocconf.read_classes(SAMPLE_DATA / "wine.csv", label="cultivar", score="bayes")
    with pytest.raises(UsageError) as caught:
        rocconf.judge(rocconf.one_vs_rest(cases), rule)
    assert said in str(caught.value)
    counts = rocconf.count(rocconf.Predictions(np.array([True, False]), {"m": np.array([0.1, 0.2])}))
    with pytest.raises(UsageError, match="is about several classes"):
        rocconf.judge(rocconf.sweep(counts), "macro_auc >= 0.5")


@pytest.mark.parametrize(
    "change",
    [
        {"classes": ("a", "a")},
        {"classes": ("a",)},
        {"labels": np.array([0, 2])},
        {"labels": np.array([0.0, 1.0])},
        {"scores": {}},
        {"scores": {"m": np.zeros((2, 3))}},
        {"scores": {"m": np.full((2, 2), np.nan)}},
        {"scores": {"m": np.zeros((2, 2), dtype=int)}},
        {"ids": np.array([1])},
    ],
    ids=str,
)
def test_invalid_cases_are_refused(change):
    valid = {"classes": ("a", "b"), "labels": np.array([0, 1]), "scores": {"m": np.zeros((2, 2))}}
    rocconf.ClassPredictions(**valid)
    with pytest.raises(RocconfError):
        rocconf.ClassPredictions(**(valid | change))


def test_what_cannot_be_compared_is_refused():
    labels, scores = np.repeat([0, 1], 3), np.random.default_rng(4).random((6, 2))
    with pytest.raises(UsageError, match="no model 'x'"):
        rocconf.one_vs_rest(cases_of(labels, m=scores, o=scores + 1), baseline="x")
    for option in ({"baseline": "m"}, {"margin": 0.1}):
        with pytest.raises(UsageError, match="compares models, and there is one"):
            rocconf.one_vs_rest(cases_of(labels, m=scores), **option)
    with pytest.raises(TooFewCasesError, match="only one of 2 classes has cases"):
        rocconf.one_vs_rest(cases_of([1, 1], m=np.zeros((2, 2))))
    with pytest.raises(UsageError, match="takes ClassPredictions"):
        rocconf.one_vs_rest(rocconf.Predictions(labels == 1, {"m": scores[:, 1]}))


def clustered_classes(places, *, regions=None):
    """Return two models of three classes, with clusters and perhaps regions."""
    random = np.random.default_rng(7)
    n = len(places)
    labels = random.integers(0, 3, n)
    old = random.normal(size=(n, 3)) + np.eye(3)[labels]
    new = old + random.normal(size=(n, 3)) / 2 + np.eye(3)[labels] / 2
    groups = () if regions is None else (Grouping.of("region", regions),)
    return rocconf.ClassPredictions(
        *(("a", "b", "c"), labels, {"new": new, "old": old}), groups=groups, clusters=Grouping.of("patient", places)
    )


def without_clusters(cases):
    return rocconf.ClassPredictions(cases.classes, cases.labels, cases.scores, groups=cases.groups)


def test_clusters_of_one_change_no_digit():
    cases = clustered_classes(range(90))
    one, other = (rocconf.one_vs_rest(each, baseline="old") for each in (cases, without_clusters(cases)))
    for first, second in zip(one.pairs, other.pairs, strict=True):
        assert first.difference.interval.ends == pytest.approx(second.difference.interval.ends, rel=1e-9)
    for row, expected in zip(one.table().records(), other.table().records(), strict=True):
        assert row == {
            key: pytest.approx(value, rel=1e-9) if isinstance(value, float) else value
            for key, value in expected.items()
        }


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("name", ["hand_till", "macro_auc"])
def test_an_average_has_the_variance_of_what_its_clusters_add_up_to(name, size):
    """Contributions are from all pairs of cases, and are added up in each cluster before they are squared."""
    cases = clustered_classes(np.arange(90) // size)
    scores, labels = cases.scores["new"], cases.labels
    moved, sizes, factors = np.zeros(len(cases)), np.bincount(labels), np.zeros(3)
    for c, d in permutations(range(3), 2):
        weight = 1 / 6 if name == "hand_till" else sizes[d] / (3 * (90 - sizes[c]))
        own, other = (np.flatnonzero(labels == each) for each in (c, d))
        won = (scores[own, c][:, None] > scores[other, c]) + (scores[own, c][:, None] == scores[other, c]) / 2
        moved[own] += won.mean(axis=1) * weight
        moved[other] += won.mean(axis=0) * weight
        factors[[c, d]] += weight
    means = np.array([moved[labels == k].mean() for k in range(3)])
    of_units = np.zeros((3, 90 // size))
    np.add.at(of_units, (labels, cases.clusters.places), (moved - means[labels]) / sizes[labels])
    n = [len(np.unique(cases.clusters.places[labels == k])) for k in range(3)]
    parts = [count / (count - 1) * (row**2).sum() for count, row in zip(n, of_units, strict=True)]
    shared, units = (of_units.sum(axis=0) ** 2).sum() - (of_units**2).sum(), 90 // size
    result = rocconf.one_vs_rest(cases if size > 1 else without_clusters(cases), baseline="old")
    found = result.models[0].averages[name]
    assert found.se**2 == pytest.approx(sum(parts) + units / (units - 1) * shared, rel=1e-9)
    if size == 1:
        df = sum(parts) ** 2 / sum(part**2 / (count - 1) for part, count in zip(parts, n, strict=True))
        assert found.df == pytest.approx(df, rel=1e-9)
        (pair,) = (each for each in result.pairs if each.metric == name)
        assert pair.difference.estimate.pseudo == pytest.approx(0.75 * ((factors / sizes) ** 2).sum(), rel=1e-12)


def test_a_slice_is_the_analysis_of_its_cases_alone_and_differs_from_the_rest():
    """Averages of a slice and of the rest are those of cases of shared clusters."""
    cases = clustered_classes(np.arange(240) // 4, regions=np.arange(240) % 3)
    result = rocconf.one_vs_rest_slices(cases, baseline="old")
    rows, pairs = (result.table(name).records() for name in ("slices", "slice_pairs"))
    assert len(rows) == 3 * len(result.table().records())
    for place, name in enumerate(cases.groups[0].names):
        own = cases.groups[0].places == place
        alone, rest = (rocconf.one_vs_rest(cases.where(kept), baseline="old") for kept in (own, ~own))
        of_slice = [row for row in rows if row["slice"] == name]
        for row, expected in zip(of_slice, alone.table().records(), strict=True):
            assert {key: row[key] for key in expected} == expected
        found = [row["p"] for row in pairs if row["slice"] == name]
        assert found == [each.difference.p for each in alone.pairs]
        found = result.slices[place].difference("new", "macro_auc").difference.estimate
        assert found.parts == tuple(each.models[0].averages["macro_auc"].estimate for each in (alone, rest))
        assert (found.units, abs(found.correlation) > 0) == (60, True)
    assert {each.from_rest for each in rocconf.one_vs_rest_slices(cases, min_cases=100).slices} == {()}
    independent = rocconf.one_vs_rest_slices(without_clusters(cases), baseline="old").slices[0].from_rest
    assert {each.difference.estimate.correlation for each in independent} == {0.0}


def test_rules_judge_classes_and_averages_by_slice():
    cases = clustered_classes(np.arange(240) // 2, regions=np.repeat([0, 1], 120))
    result = rocconf.one_vs_rest_slices(cases, baseline="old")
    verdicts = rocconf.judge(
        result, ["macro_auc by region >= 0.3", "auc by region >= 0.3", "delta_macro_auc by region >= -0.5"]
    )
    assert {each.outcome for each in verdicts} == {"pass"}
    few = rocconf.one_vs_rest_slices(
        clustered_classes(np.arange(240) % 9, regions=np.repeat([0, 1], 120)), baseline="old"
    )
    verdicts = rocconf.judge(few, ["macro_auc by region >= 0.01", "auc >= 0.01", "delta_macro_auc >= -0.9"])
    assert {each.outcome for each in verdicts} == {"inconclusive"}


def test_the_answer_has_the_interval_of_each_average_that_has_one():
    rng = np.random.default_rng(2)
    labels = np.arange(60) % 3
    scores = rng.normal(size=(60, 3)) + 2 * np.eye(3)[labels]
    told = [str(each) for each in rocconf.one_vs_rest(cases_of(labels, m=scores)).conclusions]
    assert any(len(re.findall(r"0\.\d+ \[0\.\d+, (?:0|1)\.\d+\]", text)) == 2 for text in told), told
