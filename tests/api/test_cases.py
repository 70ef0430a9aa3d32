"""Labels and scores, data frames and records lead to the same analysis, and what could be misread is refused."""

import inspect
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocconf
from rocconf.api import chi2_contours, compare, count, plan, sensibility, sweep, tango
from rocconf.compute import chi2_contours as of_chi2
from rocconf.compute import compare as of_compare
from rocconf.compute import sensibility as of_sensibility
from rocconf.compute import sweep as of_sweep
from rocconf.compute import tango as of_tango
from rocconf.compute.plan import PlanOptions

N = 60
RNG = np.random.default_rng(5)
LABELS = RNG.permutation(np.arange(N) % 3 == 0)
SCORES = np.round(1 / (1 + np.exp(-RNG.normal(size=N) - 1.5 * LABELS)), 6)
OTHER = np.round(1 / (1 + np.exp(-RNG.normal(size=N) - 1.0 * LABELS)), 6)
COLUMNS = {"sick": LABELS.tolist(), "new": SCORES.tolist(), "old": OTHER.tolist(), "site": ["a", "b"] * (N // 2)}
PANDAS, POLARS = pd.DataFrame(COLUMNS), pl.DataFrame(COLUMNS)


class ArrowTable:
    """What hands out its columns as Arrow does, and is none of the known frames."""

    def __init__(self, frame):
        self._frame = frame

    def __arrow_c_stream__(self, schema=None):
        return self._frame.__arrow_c_stream__(schema)


FRAMES = {"pandas": PANDAS, "polars": POLARS, "arrow": ArrowTable(POLARS)}
WHERE = {"label": "sick", "score": "new"}
ANALYSES = {
    "sweep": (rocconf.sweep, {"at": "threshold=0.5"}),
    "tango": (rocconf.tango, {}),
    "chi2_contours": (rocconf.chi2_contours, {"permutations": 19}),
    "sensibility": (rocconf.sensibility, {"bootstrap": 20}),
}


def codes_of(error):
    """Return the codes of all that is wrong."""
    return [each.code for each in getattr(error, "faults", (error.message,))]


def counted():
    return rocconf.count(rocconf.Predictions(LABELS.copy(), {"new": SCORES.copy()}))


@pytest.mark.parametrize("name", ANALYSES)
def test_every_form_of_the_cases_has_one_answer(name):
    analyse, options = ANALYSES[name]
    expected = analyse(counted(), **options).summary()
    named = {"new": SCORES}
    forms = {
        "arrays": analyse(LABELS, named, **options),
        "lists": analyse(LABELS.astype(int).tolist(), pd.Series(SCORES, name="new"), **options),
        "words": analyse(np.where(LABELS, "ill", "well"), pl.Series("new", SCORES), positive="ill", **options),
        "predictions": analyse(rocconf.Predictions(LABELS.copy(), {"new": SCORES.copy()}), **options),
        **{library: analyse(frame, **WHERE, **options) for library, frame in FRAMES.items()},
    }
    assert {form: result.summary() for form, result in forms.items()} == dict.fromkeys(forms, expected)


@pytest.mark.parametrize("library", FRAMES)
def test_models_of_a_frame_are_compared(library):
    frame = FRAMES[library]
    found = rocconf.compare(frame, label="sick", score=["old", "new"], baseline="old", at=["threshold=0.5"])
    both = rocconf.Predictions(LABELS.copy(), {"old": OTHER.copy(), "new": SCORES.copy()})
    expected = rocconf.compare(both, baseline="old", at=["threshold=0.5"])
    assert found.table("pairs").records() == expected.table("pairs").records()
    named = rocconf.compare(LABELS, {"old": OTHER, "new": SCORES}, baseline="old", at=["threshold=0.5"])
    assert named.table("pairs").records() == expected.table("pairs").records()


def test_counts_of_several_models_are_compared_unpaired():
    found = rocconf.compare([rocconf.count(LABELS, {"a": SCORES}), rocconf.count(LABELS, {"b": OTHER})], baseline="a")
    assert found.options["paired"] is False


def test_slices_and_folds_are_columns_of_a_frame():
    sliced = rocconf.sweep(POLARS, **WHERE, by="site", min_cases=1)
    assert [each.value for each in sliced.slices] == ["a", "b"]
    folded = rocconf.sweep(PANDAS, **WHERE, fold="site")
    assert folded.summary()["cv_auc"] == pytest.approx(np.mean([row["auc"] for row in folded.table("folds").records()]))
    compared = rocconf.compare(PANDAS, label="sick", score=["old", "new"], baseline="old", by="site", min_cases=1)
    assert [each.value for each in compared.slices] == ["a", "b"]
    both = rocconf.sweep(POLARS.with_columns(part=POLARS["site"]), **WHERE, by="site", fold="part", min_cases=1)
    assert (both.folds.column, [each.by for each in both.slices]) == ("part", ["site", "site"])


def test_other_cases_are_read_like_the_cases():
    reference = PANDAS.assign(new=OTHER)
    expected = rocconf.sensibility(counted(), reference=rocconf.count(LABELS, OTHER), bootstrap=20, permutations=19)
    for given in (reference, (LABELS, OTHER), rocconf.count(LABELS, OTHER)):
        found = rocconf.sensibility(PANDAS, **WHERE, reference=given, bootstrap=20, permutations=19)
        assert found.summary() == expected.summary()
    chosen = rocconf.sweep(PANDAS, **WHERE, at="youden", choose_on=reference)
    assert chosen.points[0].threshold == rocconf.sweep(LABELS, OTHER, at="youden").points[0].threshold
    assert not chosen.points[0].in_sample
    two = PANDAS.assign(new=OTHER, old=SCORES)
    both = rocconf.compare(PANDAS, label="sick", score=["old", "new"], baseline="old", at=["youden"], choose_on=two)
    assert both.choose_on["new"] == rocconf.count(LABELS, OTHER)
    columns = {"label": "sick", "score": ["old", "new"], "baseline": "old"}
    of_each = rocconf.compare(PANDAS, **columns, at=["youden"], choose_on={"old": two, "new": (LABELS, OTHER)})
    assert of_each.choose_on == both.choose_on


def test_thresholds_are_not_chosen_on_the_cases_that_are_judged():
    for refused in (
        lambda: rocconf.sweep(LABELS, SCORES, at="youden", choose_on=(LABELS, SCORES)),
        lambda: rocconf.sweep(PANDAS, **WHERE, at="youden", choose_on=POLARS.reverse()),
        lambda: rocconf.compare(
            LABELS, {"a": SCORES, "b": OTHER}, at=["youden"], choose_on=(LABELS, {"a": SCORES, "b": OTHER})
        ),
        lambda: rocconf.judge(rocconf.sweep(counted()), "tpr@youden >= 0.1", choose_on={"new": counted()}),
    ):
        with pytest.raises(rocconf.UsageError) as raised:
            refused()
        assert raised.value.code == "choose-on-itself"


def test_clusters_on_both_sides_are_refused():
    clustered = PANDAS.assign(who=np.arange(N) // 2)
    with pytest.raises(rocconf.UsageError) as raised:
        rocconf.sweep(clustered, **WHERE, cluster="who", at="youden", choose_on=clustered.assign(new=OTHER))
    assert raised.value.code == "choose-on-clusters"
    others = clustered.assign(new=OTHER, who=np.arange(N) // 2 + N)
    assert not rocconf.sweep(clustered, **WHERE, cluster="who", at="youden", choose_on=others).points[0].in_sample


def test_times_are_a_column_of_a_frame():
    frame = POLARS.with_columns(day=pl.date_range(pl.date(2026, 1, 1), pl.date(2026, 3, 1), eager=True))
    found = rocconf.sensibility(
        frame, **WHERE, reference=(LABELS, OTHER), time="day", every="month", bootstrap=0, permutations=19
    )
    assert [row["n"] for row in found.table("windows").records()] == [31, 28, 1]


def test_a_pilot_may_be_a_frame_or_labels_and_scores():
    expected = rocconf.plan("auc >= 0.6", pilot=counted(), runs=100).summary()
    assert rocconf.plan("auc >= 0.6", pilot=POLARS, **WHERE, runs=100).summary() == expected
    assert rocconf.plan("auc >= 0.6", pilot=(LABELS, {"new": SCORES}), runs=100).summary() == expected


INDEXES = {
    "saved by pandas": PANDAS.reset_index().rename(columns={"index": "Unnamed: 0"}),
    "reset": PANDAS.reset_index(),
    "reset of two levels": PANDAS.set_index([np.linspace(0, 1, N), np.linspace(0.1, 0.9, N)]).reset_index(),
    "without a name": PANDAS.assign(x=np.linspace(0, 1, N)).rename(columns={"x": None}),
    "named NaN": PANDAS.assign(x=np.linspace(0, 1, N)).rename(columns={"x": np.nan}),
    "of arrow": POLARS.with_columns(pl.Series("__index_level_0__", np.linspace(0, 1, N))),
    "an empty name": POLARS.with_columns(pl.Series("", np.linspace(0, 1, N))),
}


@pytest.mark.parametrize("name", INDEXES)
def test_an_unnamed_index_is_never_a_model(name):
    assert rocconf.read_frame(INDEXES[name], label="sick").models == ("new", "old")


REFUSED = {
    "a path": (lambda: rocconf.sweep("scores.csv"), "path-not-cases"),
    "a path object": (lambda: rocconf.sweep(Path("scores.csv")), "path-not-cases"),
    "labels alone": (lambda: rocconf.sweep(LABELS), "labels-without-scores"),
    "a number": (lambda: rocconf.tango(42), "not-cases"),
    "a lazy frame": (lambda: rocconf.sweep(POLARS.lazy(), **WHERE), "frame-lazy"),
    "no frame": (lambda: rocconf.read_frame([1, 2]), "not-a-frame"),
    "a column of arrays": (lambda: rocconf.sweep(LABELS, SCORES, label="sick"), "column-of-arrays"),
    "slices of arrays": (lambda: rocconf.sweep(LABELS, SCORES, by="site"), "column-of-arrays"),
    "columns of counts": (lambda: rocconf.sweep(counted(), label="sick"), "read-already"),
    "scores of counts": (lambda: rocconf.tango(counted(), SCORES), "read-already"),
    "columns of predictions": (
        lambda: rocconf.sweep(rocconf.read_frame(PANDAS, **WHERE), positive=1),
        "read-already",
    ),
    "columns of totals": (lambda: rocconf.chi2_contours(rocconf.ClassTotals(5, 5), label="sick"), "read-already"),
    "one model to compare": (lambda: rocconf.compare(LABELS, SCORES), "scores-by-model"),
    "columns without a pilot": (lambda: rocconf.plan("auc >= 0.8", auc=0.9, label="sick"), "columns-without-pilot"),
    "an unknown model": (lambda: rocconf.sweep(rocconf.read_frame(PANDAS, label="sick"), "newer"), "no-model"),
    "several models": (lambda: rocconf.sweep(rocconf.read_frame(PANDAS, label="sick")), "which-model"),
    "two columns of probabilities": (lambda: rocconf.sweep(LABELS, np.array([1 - SCORES, SCORES]).T), "array-shape"),
    "ragged scores": (lambda: rocconf.sweep([0, 1], [[0.1], [0.2, 0.3]]), "array-not-a-column"),
    "different lengths": (lambda: rocconf.sweep(LABELS, SCORES[1:]), "different-lengths"),
    "no models": (lambda: rocconf.compare(LABELS, {}), "no-scores-given"),
    "a model without a name": (lambda: rocconf.compare(LABELS, {" ": SCORES, "b": OTHER}), "array-model-name"),
    "different rows": (
        lambda: rocconf.sweep(PANDAS["sick"], PANDAS["new"].sort_values()),
        "array-order",
    ),
    "which class": (lambda: rocconf.sweep(np.where(LABELS, "ill", "well"), SCORES), "which-positive"),
    "a missing score": (lambda: rocconf.sweep(LABELS, [None, *SCORES[1:]]), "no-value"),
    "a masked score": (lambda: rocconf.sweep(LABELS, np.ma.array(SCORES, mask=SCORES[0] == SCORES)), "no-value"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_could_be_misread_is_refused(name):
    call, code = REFUSED[name]
    with pytest.raises(rocconf.RocconfError) as raised:
        call()
    assert code in codes_of(raised.value)
    assert "--" not in str(raised.value)


def test_rows_without_a_value_are_dropped_and_counted():
    found = rocconf.count(LABELS, [None, np.nan, *SCORES[2:]], na="drop")
    assert (found.n, found.sources[0].dropped) == (N - 2, 2)


def test_the_kind_of_numbers_makes_no_difference():
    exact = SCORES.astype(np.float32)
    expected = rocconf.count(LABELS, exact.astype(np.float64))
    kinds = (exact, exact.astype(object), exact.tolist(), pd.Series(exact), pl.Series(exact), tuple(exact.tolist()))
    assert all(rocconf.count(LABELS, scores) == expected for scores in kinds)
    labels = (LABELS.astype(int), LABELS.astype(float), LABELS.astype(object), pd.Series(LABELS), pl.Series(LABELS))
    assert all(rocconf.count(each, exact) == expected for each in labels)


@pytest.mark.parametrize(
    ("public", "analysis"),
    [
        (sweep.sweep, of_sweep.sweep),
        (tango.tango, of_tango.tango),
        (chi2_contours.chi2_contours, of_chi2.chi2_contours),
        (sensibility.sensibility, of_sensibility.sensibility),
        (compare.compare, of_compare.compare),
        (plan.plan, PlanOptions),
    ],
    ids=lambda function: function.__module__,
)
def test_the_options_are_those_of_the_analysis(public, analysis):
    options = [each for each in inspect.signature(analysis).parameters.values() if each.kind is each.KEYWORD_ONLY]
    own = inspect.signature(public).parameters
    assert {each.name: own[each.name].default for each in options} == {each.name: each.default for each in options}
    documented = inspect.getdoc(public)
    assert [each for each in own if each not in documented] == []


PASSED_ON = {
    "sweep": (sweep, of_sweep, "sweep"),
    "tango": (tango, of_tango, "tango"),
    "chi2_contours": (chi2_contours, of_chi2, "chi2_contours"),
    "sensibility": (sensibility, of_sensibility, "sensibility"),
    "compare": (compare, of_compare, "compare"),
    "plan": (plan, plan, "of_pilot"),
}
READ_FIRST = ("choose_on", "reference", "pilot", "cases", "time")
"""The options that are read before they are passed on."""


@pytest.mark.parametrize("name", PASSED_ON)
def test_each_option_reaches_the_analysis(name, monkeypatch):
    module, of, analysis = PASSED_ON[name]
    described = PlanOptions if name == "plan" else getattr(of, analysis)
    parameters = inspect.signature(described).parameters.values()
    options = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY and each.name not in READ_FIRST]
    passed = {}
    monkeypatch.setattr(of, analysis, lambda _, **options: passed.update(options))
    first = {"plan": "auc >= 0.8", "compare": [counted()]}.get(name) or counted()
    getattr(module, name)(first, **{option: f"this {option}" for option in options})
    assert {option: passed[option] for option in options} == {option: f"this {option}" for option in options}


def test_count_needs_no_more_than_labels_and_scores():
    assert count.count([1, 0], [0.9, 0.1]).p == 1
