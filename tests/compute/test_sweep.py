"""The sweep: Hamel's numbers, its tables and keys, and what it says of itself."""

import json
import math
import tracemalloc

import numpy as np
import pytest
from conftest import REFERENCE
from hypothesis import given
from hypothesis import strategies as st
from strategies import counted, tied_cases

from rocconf.compute.roc.counts import count_each
from rocconf.compute.roc.hull import hull_rows
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.compute.stats.proportion import wilson
from rocconf.compute.sweep import sweep
from rocconf.errors import UsageError
from rocconf.messages import message
from rocconf.records import Predictions, ScoreCounts, Source

TABLE_1 = json.loads((REFERENCE / "table1_roc.json").read_text(encoding="utf-8"))
HAMEL = json.loads((REFERENCE / "hamel_2009.json").read_text(encoding="utf-8"))
TEN = counted(TABLE_1["scores"], TABLE_1["labels"])

RATES = [
    *("tp", "fp", "fn", "tn", "tpr", "fpr", "specificity", "precision", "npv", "accuracy", "balanced_accuracy"),
    *("f1", "mcc", "youden_j", "lift", "predicted_positive_rate"),
]
HONEST = [f"{rate}_honest{end}" for rate in ("tpr", "fpr", "precision") for end in ("", "_lower", "_upper")]
SHARES = ("tpr", "fpr", "specificity", "precision", "npv", "accuracy", "predicted_positive_rate")
SUMMARY = [
    *("model", "n", "positives", "negatives", "prevalence"),
    *("auc", "auc_lower", "auc_upper", "auc_se", "auc_df", "level", "interval"),
    *("thresholds", "average_precision", "max_fpr", "partial_auc", "partial_auc_standardized"),
]
DIFFERENCE = ("difference", "difference_lower", "difference_upper", "p", "p_adjusted")


def test_the_keys_are_stable():
    result = sweep(TEN)
    keys = {name: list(result.table(name).names) for name in result.table_names}
    assert keys == {
        "rows": ["model", "threshold", *RATES],
        "models": SUMMARY,
        "operating_points": ["model", "rule", "threshold", "in_sample", "tied", *RATES, *HONEST],
        "hull": ["model", "threshold", *RATES],
        "concavities": [
            *("model", "threshold_low", "threshold_high", "fpr_low", "fpr_high", "tpr_low", "tpr_high"),
            *("positives", "negatives", "auc", "area", "p", "p_adjusted"),
        ],
        "effective_sizes": [
            *("model", "rule", "metric", "value", "lower", "upper"),
            *("clusters", "equal_clusters", "effective_n", "effective_df"),
        ],
        "slices": ["model", "by", "slice", "decided", *SUMMARY[1:], *DIFFERENCE],
        "slice_points": [
            *("model", "by", "slice", "rule", "threshold", "in_sample", "tied", *RATES),
            *(f"{rate}_{end}" for rate in ("tpr", "fpr") for end in DIFFERENCE),
        ],
        "folds": [
            *("model", "fold", "n", "positives", "negatives", "prevalence"),
            *("auc", "auc_lower", "auc_upper"),
        ],
    }
    assert list(result.summary()) == SUMMARY
    with_intervals = [
        each for name in RATES for each in (name, *((f"{name}_lower", f"{name}_upper") if name in SHARES else ()))
    ]
    assert list(sweep(TEN, intervals=True).table().names) == ["model", "threshold", *with_intervals]


def test_the_rows_match_the_worked_example():
    rows = sweep(TEN).table().records()
    for row, expected in zip(rows, TABLE_1["rows"], strict=True):
        for key in ("threshold", "tp", "fp", "tpr", "fpr", "mcc"):
            assert row[key] == (expected[key] if expected[key] is None else pytest.approx(expected[key], abs=1e-15))
        chi2 = 0 if row["mcc"] is None else 10 * row["mcc"] ** 2
        assert chi2 == pytest.approx(expected["chi2"], abs=1e-12)


def test_the_summary_matches_the_cases():
    summary = sweep(TEN, thresholds="grid:0.25", max_fpr=0.4).summary()
    sizes = {"model": "score", "n": 10, "positives": 5, "negatives": 5, "prevalence": 0.5, "level": 0.95}
    assert summary | sizes | {"auc": 0.84, "thresholds": 6} == summary
    # the trapezoids below (0,0) (0,.4) (.2,.4) (.2,.8) (.4,.8) (.4,1)
    assert summary["partial_auc"] == pytest.approx(0.2 * 0.4 + 0.2 * 0.8)
    assert summary["partial_auc_standardized"] == pytest.approx((1 + (0.24 - 0.08) / (0.4 - 0.08)) / 2)
    # the precisions at the five positives: 1/1, 2/2, 3/4, 4/5, 5/7
    assert summary["average_precision"] == pytest.approx((1 + 1 + 3 / 4 + 4 / 5 + 5 / 7) / 5)


def hamel(negatives):
    """Hamel's two points on a curve, for 1000 positives."""
    at_a, between = 35 * negatives // 100, 10 * negatives // 100
    return ScoreCounts.of([0.5, 0.35, 0.1], [900, 50, 50], [at_a, between, negatives - at_a - between])


def test_hamels_skew_changes_accuracy_and_precision_but_not_the_curve():
    balanced, skewed = sweep(hamel(1000)), sweep(hamel(100))
    for result, expected in ((balanced, HAMEL["A"]), (skewed, HAMEL["A with a tenth of the negatives"])):
        row = result.table().records()[1]
        assert (row["tpr"], row["fpr"]) == (0.9, 0.35)
        for key in ("accuracy", "precision"):
            assert row[key] == pytest.approx(expected[key], rel=1e-14)
    assert balanced.table().records()[1]["youden_j"] == pytest.approx(HAMEL["A"]["youden_j"])
    for key in ("tpr", "fpr", "threshold"):
        np.testing.assert_array_equal(balanced.table()[key], skewed.table()[key])
    assert balanced.auc.value == skewed.auc.value
    assert balanced.summary()["partial_auc"] == skewed.summary()["partial_auc"]


def test_restating_for_the_skewed_prevalence_undoes_the_skew():
    """The balanced cases with `prevalence` give the precision the skewed cases show, without interval; only that changes."""
    skewed, plain = sweep(hamel(100)).table(), sweep(hamel(1000), intervals=True).table()
    result = sweep(hamel(1000), prevalence=1000 / 1100, intervals=True)
    assert "prevalence" in {caveat.code for caveat in result.caveats}
    restated = result.table()
    for column in restated.columns[1:]:
        name, _, limit = column.name.partition("_")
        if name not in ("precision", "npv"):
            np.testing.assert_array_equal(restated[column.name], plain[column.name])
        elif limit:
            assert np.isnan(restated[column.name]).all()
            assert column.undefined == "restated for another prevalence, it is not a proportion of these cases"
        else:
            np.testing.assert_allclose(restated[name], skewed[name], rtol=1e-12)


@given(tied_cases(), st.floats(0.5, 0.999))
def test_intervals_are_wilsons_for_hits_among_trials(cases, level):
    result = sweep(counted(*cases), intervals=True, level=level)
    for row in result.table().records():
        tp, fp, fn, tn, n = row["tp"], row["fp"], row["fn"], row["tn"], len(cases[0])
        trials = (
            *((tp, tp + fn), (fp, fp + tn), (tn, fp + tn), (tp, tp + fp), (tn, tn + fn)),
            *((tp + tn, n), (tp + fp, n)),
        )
        for name, (hits, of) in zip(SHARES, trials, strict=True):
            expected = wilson(hits, of, level=level).ends if of else (None, None)
            assert (row[f"{name}_lower"], row[f"{name}_upper"]) == expected


def nulls(row):
    """Return the keys of the missing values, those inside lists as one a cell."""
    return [key for key, cell in row.items() if cell is None or (isinstance(cell, list) and None in cell)]


@given(
    tied_cases(),
    st.sampled_from(["distinct", "grid:0.25", "quantiles:3", "-1,2"]),
    st.booleans(),
    st.none() | st.floats(0.01, 0.99),
    st.none() | st.floats(0.01, 1),
)
def test_json_is_strict_and_gives_a_reason_for_every_null(cases, thresholds, intervals, prevalence, max_fpr):
    rules = ("closest", "youden", "accuracy", "chi2", "cost=1:1", "fpr<=0.1", "tpr>=1", "threshold=9")
    answer = sweep(
        counted(*cases), thresholds=thresholds, at=rules, intervals=intervals, prevalence=prevalence, max_fpr=max_fpr
    ).to_dict(rows=True)
    json.dumps(answer, allow_nan=False)
    tables = {"rows": answer["rows"], **answer["tables"]}
    found = sorted(
        (name, at, key) for name, rows in tables.items() for at, row in enumerate(rows) for key in nulls(row)
    )
    explained = [
        (entry["table"], row, entry["key"])
        for entry in answer["undefined"]
        for row in ([entry["row"]] if entry["row"] is not None else range(len(tables[entry["table"]])))
    ]
    assert sorted(explained) == found
    assert all(entry["reason"] for entry in answer["undefined"])


def test_infinite_scores_are_text_in_json_and_the_first_threshold_is_null():
    counts = ScoreCounts.of([math.inf, 0, -math.inf], [1, 0, 1], [0, 2, 0])
    result = sweep(counts, at=("accuracy", "youden"))
    answer = json.loads(json.dumps(result.to_dict(rows=True), allow_nan=False))
    assert [row["threshold"] for row in answer["rows"]] == [None, "inf", 0.0, "-inf"]
    assert [row["tied"] for row in answer["tables"]["operating_points"]] == [[], []]
    tie = sweep(ScoreCounts.of([1, -math.inf], [1, 1], [0, 1]), at=("accuracy",)).to_dict()
    assert tie["tables"]["operating_points"][0]["tied"] == ["-inf"]
    assert "infinite-scores" in {caveat["code"] for caveat in answer["caveats"]}


@given(tied_cases(), st.sampled_from(["grid:0.125", "quantiles:3", "0.5,0.25", "7"]))
def test_thresholds_affect_only_the_rows(cases, thresholds):
    counts = counted(*cases)
    some, every = sweep(counts, thresholds=thresholds, max_fpr=0.3), sweep(counts, max_fpr=0.3)
    for key in set(SUMMARY) - {"thresholds"}:
        assert some.summary()[key] == every.summary()[key] or key == "auc_se"
    assert some.points == every.points
    assert some.table("hull").records() == every.table("hull").records()
    assert some.summary()["thresholds"] == len(some.table())
    first = some.table().records()[0]
    assert (first["threshold"], first["tp"], first["fp"]) == (None, 0, 0)


@given(tied_cases())
def test_the_rows_of_the_hull_are_rows_of_the_sweep(cases):
    result = sweep(counted(*cases))
    rows = result.table().records()
    assert result.table("hull").records() == [rows[corner] for corner in hull_rows(result.curve)]


def test_lower_is_positive_mirrors_the_result():
    rng = np.random.default_rng(11)
    labels, scores = rng.random(60) < 0.4, np.round(rng.random(60), 1)
    lower = sweep(counted(scores, labels, lower_is_positive=True), at=("youden", "chi2", "fpr<=0.2"), max_fpr=0.5)
    mirrored = sweep(counted(-scores, labels), at=("youden", "chi2", "fpr<=0.2"), max_fpr=0.5)
    for name in ("rows", "models", "operating_points", "hull"):
        for mine, other in zip(lower.table(name).records(), mirrored.table(name).records(), strict=True):
            if mine.get("threshold"):
                other = {**other, "threshold": -other["threshold"]}  # noqa: PLW2901  # the one thing that turns
            if "tied" in mine:
                other = {**other, "tied": [-value for value in other["tied"]]}  # noqa: PLW2901  # and its ties
            assert mine == other


def caveats_of(counts, **options):
    return {caveat.code: caveat.text() for caveat in sweep(counts, **options).caveats}


def test_a_threshold_chosen_on_the_same_cases_is_in_sample():
    found = caveats_of(TEN, at=("youden", "threshold=0.5", "chi2"))["in-sample"]
    assert "youden, chi2: chosen on these cases, which flatters it" in found
    assert "in-sample" not in caveats_of(TEN, at=("threshold=0.5",))
    assert "in-sample" not in caveats_of(TEN, at=("youden",), choose_on=TEN)


WORSE = TABLE_1["scores"], np.array(TABLE_1["labels"]) == 0


@pytest.mark.parametrize(
    ("counts", "options", "said"),
    [
        (TEN, {}, {}),
        (ScoreCounts.of([0, 1, 2], [3, 4, 4], [4, 3, 2]), {}, {}),
        (
            counted(*WORSE),
            {},
            {
                "auc-below-half": "AUC 0.160 is below 0.5, worse than chance; if lower scores mean positive, set lower_is_positive=True"
            },
        ),
        (
            counted(TABLE_1["scores"], TABLE_1["labels"], lower_is_positive=True),
            {},
            {"auc-below-half": "if higher scores mean positive, leave out lower_is_positive=True"},
        ),
        (ScoreCounts.of([1], [3], [4]), {}, {"few-scores": "the number of distinct scores is 1:"}),
        (
            ScoreCounts.of([1], [3], [4]),
            {"interval": "delong"},
            {"few-scores": "is 1:", "auc-interval": "Newcombe's (2006, method 5)"},
        ),
        (ScoreCounts.of([1, 2, 3], [0, 1, 0], [2, 2, 1]), {}, {"auc-interval": "Newcombe's"}),
        (ScoreCounts.of([0, 1], [3, 4], [4, 3]), {}, {"few-scores": "scores is 2: these look like labels"}),
        (ScoreCounts.of([math.inf, 1, 0], [2, 2, 1], [1, 2, 2]), {}, {"infinite-scores": ""}),
        (ScoreCounts.of([2, 1, -math.inf], [2, 2, 1], [1, 2, 2]), {}, {"infinite-scores": ""}),
    ],
)
def test_what_weakens_the_auc_is_a_caveat(counts, options, said):
    found = caveats_of(counts, at=(), **options)
    assert found.keys() == said.keys()
    for code, words in said.items():
        assert words in found[code]


def test_the_caveats_of_the_sources_are_passed_on():
    dropped = message("dropped", file="a.csv", rows="3 rows", kept=2)
    source = Source("a.csv", 2, 1, 1, "1", caveats=(dropped,))
    counts = ScoreCounts.of([2, 1, 0], [1, 1, 1], [1, 1, 1], sources=(source,))
    assert sweep(counts, at=()).caveats == (dropped,)


def test_the_cases_chosen_on_are_among_the_sources():
    here, there = (Source(name, 2, 1, 1, "1", role=role) for name, role in (("a", "data"), ("b", "choose_on")))
    counts, other = (ScoreCounts.of([2, 1], [1, 0], [0, 1], sources=(source,)) for source in (here, there))
    assert sweep(counts, choose_on=other).sources == (here, there)
    assert sweep(counts).sources == (here,)


def test_the_options_are_those_of_the_call():
    result = sweep(
        TEN, thresholds="0.5", at=["youden", parse_point_rule("fpr<=0.1")], level=0.9, prevalence=0.2, max_fpr=0.3
    )
    assert result.options == {
        "level": 0.9,
        "interval": "robust",
        "thresholds": "0.5",
        "at": ["youden", "fpr<=0.1"],
        "intervals": False,
        "prevalence": 0.2,
        "max_fpr": 0.3,
        "concavities": 0,
        "cost": None,
        "calibration": False,
        "lower_is_positive": False,
        "cluster": None,
        "fold": None,
    }


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        *(({"prevalence": wrong}, "a prevalence must be between 0 and 1") for wrong in (0, 1, -0.1, 2, math.nan)),
        *(({"level": wrong}, "a level must be between 0 and 1") for wrong in (0, 1, 95)),
    ],
)
def test_invalid_options_are_rejected(options, fault):
    with pytest.raises(UsageError, match=fault):
        sweep(TEN, **options)


def test_a_million_thresholds_are_swept_without_computing_their_rows(monkeypatch):
    monkeypatch.setattr("rocconf.threads.processors", lambda: 1)  # each has a piece of the rows
    n = 1_000_000
    rng = np.random.default_rng(2)
    labels = rng.random(n) < 0.5
    counts = count_each(Predictions(labels, {"s": rng.random(n) + labels}))[0]
    tracemalloc.start()
    result = sweep(counts)
    result.summary()
    result.table()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * n  # one column of the rows


@pytest.mark.parametrize(("rule", "is_said"), [("alerts<=2", True), ("alerts<=3", False), ("alerts<=20%", True)])
def test_a_tie_of_more_cases_than_may_be_flagged_is_said(rule, is_said):
    counts = ScoreCounts.of([0.9, 0.5, 0.1], [2, 1, 1], [1, 2, 3])
    result = sweep(counts, at=rule)
    assert (result.points[0].threshold is None) is is_said
    assert any(caveat.code == "alerts-none" and rule in str(caveat) for caveat in result.caveats) is is_said
