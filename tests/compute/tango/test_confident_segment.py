from pathlib import Path

import numpy as np
import pytest

from rocconf import UndefinedError, UsageError
from rocconf.compute.roc.counts import count_each
from rocconf.compute.stats.paired_tests import TESTS
from rocconf.compute.tango import MEASURES, tango
from rocconf.records import CHUNK, Predictions, ScoreCounts

SAMPLE_DATA = Path(__file__).parents[3] / "sample_data"
SCORES = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0]
LABELS = np.array([1, 1, 0, 1, 1, 0, 1, 0, 0, 0])


def counts_of(scores, labels, **options):
    labels = np.asarray(labels)
    return ScoreCounts.of(scores, labels, 1 - labels, **options)


def models_of(name):
    """Return the counts of each model of a sample."""
    columns = np.genfromtxt(SAMPLE_DATA / f"{name}.csv", delimiter=",", names=True)
    scores = {model: columns[model].copy() for model in "STFB"}
    return {counts.model: counts for counts in count_each(Predictions(columns["label"] == 1, scores))}


def codes(result):
    return [caveat.code for caveat in result.caveats]


@pytest.fixture
def worked():
    return tango(counts_of(SCORES, LABELS))


@pytest.fixture(scope="module")
def weka():
    names = ("dis", "hypothyroid", "sick", "sick-euthyroid", "spect", "spectf_cv80")
    return {name: {model: tango(counts).summary() for model, counts in models_of(name).items()} for name in names}


def test_the_worked_example_has_its_segment(worked):
    expected = {"confident_points": 7, "threshold_low": 0.3, "threshold_high": 0.9, "aved": 0, "aved_abs": 1.2 / 7}
    expected |= {"cauc": 0.6, "cauc_tp": 0.44, "cauc_fp": 0.16, "cauc_roc": 0.68}
    summary = worked.summary()
    assert {key: summary[key] for key in expected} == pytest.approx(expected)


def test_the_worked_example_has_its_rows(worked):
    rows = worked.table().records()
    assert [row["threshold"] for row in rows] == [None, *SCORES]
    assert [row["confident"] for row in rows] == [False] * 2 + [True] * 7 + [False] * 2
    assert [row["diff"] for row in rows] == pytest.approx(np.linspace(0.5, -0.5, 11), abs=1e-15)
    first, fifth = rows[0], rows[4]
    assert (first["lower"], first["upper"]) == pytest.approx((0.08370080020566603, 0.7634069094874361), abs=1e-12)
    assert (first["z"], first["p"]) == pytest.approx((5**0.5, 0.025347318677468252), abs=1e-12)
    assert {key: fifth[key] for key in ("tp", "fp", "fn", "tn")} == {"tp": 3, "fp": 1, "fn": 2, "tn": 4}
    assert (fifth["tpr"], fifth["fpr"]) == (0.6, 0.2)


@pytest.mark.parametrize(
    ("bootstrap", "is_warned"), [({"bootstrap": 38}, True), ({"bootstrap": 39}, False), ({}, False)]
)
def test_measures_that_were_drawn_have_limits_and_too_few_replicates_for_the_level_a_warning(bootstrap, is_warned):
    result = tango(counts_of(SCORES, LABELS), **bootstrap)
    assert ("few-replicates" in codes(result)) is is_warned
    limits = [key for name in MEASURES for key in (f"{name}_lower", f"{name}_upper")]
    assert [key for key in result.summary() if key in limits] == (limits if bootstrap else [])


@pytest.mark.parametrize(("level", "few", "confident", "most"), [(0.95, 6, 7, 3), (0.99, 11, 11, 6)])
def test_few_errors_are_noted_at_each_level(level, few, confident, most):
    result = tango(counts_of(SCORES, LABELS), level=level)
    assert {"cauc", "cauc-inferred", "aved", "few-errors"} <= set(codes(result))
    texts = " ".join(caveat.text() for caveat in result.caveats)
    assert f"{few} of the {confident} confident thresholds" in texts
    assert f"up to {most} at a level of {level}" in texts
    assert all(text in texts for text in ("same cases", "not monotone", "depend on which thresholds"))
    many = tango(counts_of(np.tile([0.2, 0.4, 0.6, 0.8], 250), np.repeat([1, 0], [400, 600])), level=level)
    assert "few-errors" not in codes(many)


def test_rows_are_the_same_in_chunks_and_whole():
    rng = np.random.default_rng(3)
    labels = rng.random(2 * CHUNK + 77) < 0.3
    result = tango(counts_of(rng.random(len(labels)) + 0.3 * labels, labels.astype(int)), margin=0.3)
    table = result.table()
    chunks = list(table.chunks())
    assert len(chunks) == 3
    for name in table.names:
        np.testing.assert_array_equal(np.concatenate([chunk[name] for chunk in chunks]), table[name])
    some = np.array([0, 5, CHUNK, len(table) - 1])
    for name in table.names:
        np.testing.assert_array_equal(table.blocks[0].values(name, some), table[name][some])


@pytest.mark.parametrize("name", TESTS)
def test_every_test_fills_its_columns_or_gives_a_reason(name):
    result = tango(counts_of(SCORES, LABELS), test=name)
    table, test = result.table(), TESTS[name]
    reasons = {column.name: column.undefined for column in table.columns}
    for key, why in (("z", test.no_z), ("p", test.no_p), ("lower", test.no_interval), ("upper", test.no_interval)):
        assert np.isnan(table[key]).all() == bool(why), key
        assert reasons[key] == why
    assert result.summary()["test"] == name
    assert result.summary()["confident_points"] == table["confident"].sum()


def test_rows_inside_the_margin_are_equivalent_and_the_ends_are_kept_where_rows_are_left_out():
    rng = np.random.default_rng(11)
    labels = rng.integers(0, 2, 900)
    result = tango(counts_of(rng.integers(0, 200, 900) + 80 * labels, labels), margin=0.08)
    frame, summary = result.to_frame(), result.summary()
    inside = (frame["lower"] > -0.08) & (frame["upper"] < 0.08)
    assert inside.sum() > 3
    assert (frame["equivalent"] == inside).all()
    assert summary["equivalent_points"] == inside.sum()
    assert summary["equivalent_threshold_low"] == frame["threshold"][inside].min()
    assert summary["equivalent_threshold_high"] == frame["threshold"][inside].max()
    keep = result.table().blocks[0].keep.tolist()
    ends = {end for run in (result.confident, result.equivalent) for end in (run[0], run[-1])}
    assert set(keep) == ends | {int((frame["fn"] - frame["fp"]).abs().argmin())}


def test_a_list_of_thresholds_has_its_own_segment_and_a_note(worked):
    result = tango(counts_of(SCORES, LABELS), thresholds="0.25,0.55,0.95")
    summary = result.summary()
    assert (summary["thresholds"], summary["confident_points"]) == (4, 2)
    assert result.table()["threshold"][1:].tolist() == [0.95, 0.55, 0.25]
    assert (summary["threshold_low"], summary["threshold_high"]) == (0.25, 0.55)
    assert summary["auc"] == worked.summary()["auc"]
    assert summary["cauc"] != worked.summary()["cauc"]
    texts = {caveat.code: caveat.text() for caveat in result.caveats}
    assert texts["chosen-thresholds"].startswith("confident_points, cauc and its parts, aved and aved_abs are of the")
    assert "thresholds 0.25,0.55,0.95 only" in texts["chosen-thresholds"]
    assert "aved" not in texts
    assert "chosen-thresholds" not in codes(worked)


def test_lower_is_positive_mirrors_negated_scores(worked):
    turned = tango(counts_of(-np.array(SCORES), LABELS, lower_is_positive=True)).summary()
    summary = worked.summary()
    assert (turned["threshold_low"], turned["threshold_high"]) == (-0.9, -0.3)
    for key in ("confident_points", "cauc", "cauc_tp", "cauc_fp", "cauc_roc", "aved", "aved_abs", "auc"):
        assert turned[key] == summary[key]


@pytest.mark.parametrize(
    ("scores", "labels", "confident_points", "expected"),
    [
        ([0.9, 0.8, 0.2, 0.1], [1, 1, 0, 0], 5, {"auc": 1, "cauc": 1, "cauc_roc": 1, "threshold_low": 0.1}),
        # up to 3 errors to either side
        (range(100), [0] * 50 + [1] * 50, 7, {"auc": 1, "threshold_low": 47, "threshold_high": 53, "cauc_roc": 0.1164}),
        ([0.5] * 4, [1, 0, 1, 0], 2, {"auc": 0.5, "cauc": 1, "cauc_roc": 0.5}),
    ],
    ids=["small and perfect", "perfect", "tied"],
)
def test_small_and_perfect_samples_have_their_segment(scores, labels, confident_points, expected):
    summary = tango(counts_of(scores, labels)).summary()
    assert summary["confident_points"] == confident_points
    assert {key: summary[key] for key in expected} == pytest.approx(expected)
    assert (summary["threshold_high"] is None) == (len(scores) == 4)


@pytest.mark.parametrize(
    ("scores", "labels"),
    [(np.full(40, 0.5), np.repeat([0, 1], 20)), (np.repeat([0.9, 0.1], 50), np.repeat([1, 0, 1, 0], [5, 45, 25, 25]))],
)
def test_without_a_confident_point_the_areas_are_zero_and_the_means_have_a_reason(scores, labels):
    result = tango(counts_of(scores, labels))
    summary = result.summary()
    assert [summary[key] for key in ("confident_points", "cauc", "cauc_tp", "cauc_fp", "cauc_roc")] == [0] * 5
    assert [summary[key] for key in ("aved", "aved_abs", "threshold_low", "threshold_high")] == [None] * 4
    assert {"no-confident-point", "few-scores"} <= set(codes(result))
    reasons = {found["key"]: found["reason"] for found in result.to_dict(rows=True)["undefined"]}
    assert reasons["aved"] == reasons["aved_abs"] == "no threshold is confident"


@pytest.mark.parametrize(
    ("labels", "options", "error", "reason"),
    [
        ([1, 1], {}, UndefinedError, "needs both classes"),
        ([1, 0], {"test": "z"}, UsageError, "no test 'z'"),
        ([1, 0], {"level": 95}, UsageError, "a level must be between 0 and 1"),
    ],
)
def test_invalid_options_are_errors(labels, options, error, reason):
    with pytest.raises(error, match=reason):
        tango(counts_of([0.1, 0.2], labels), **options)


def test_the_options_are_those_of_the_call():
    options = tango(counts_of(SCORES, LABELS), level=0.9, margin=0.5, bootstrap=10, seed=7).options
    expected = {"level": 0.9, "interval": "robust", "test": "tango", "margin": 0.5, "prevalence": None, "cost": None}
    expected |= {"thresholds": "distinct", "bootstrap": 10, "seed": 7, "lower_is_positive": False, "cluster": None}
    assert options == expected


def test_figure_7_has_its_points_on_dis(weka):
    t, f, b = (weka["dis"][model] for model in "TFB")
    assert [model["confident_points"] for model in (t, f, b)] == [3, 9, 18]
    assert (round(t["threshold_low"], 4), round(t["threshold_high"], 4)) == (0.0870, 0.6615)
    assert (round(f["threshold_low"], 3), round(f["threshold_high"], 3)) == (0.171, 0.300)
    assert (round(b["threshold_low"], 3), round(b["threshold_high"], 3)) == (0.795, 0.910)
    rows = tango(models_of("dis")["T"]).to_frame()
    assert rows["threshold"][rows["confident"]].round(4).tolist() == [0.6615, 0.1111, 0.0870]


def test_the_models_stand_as_the_paper_says(weka):
    nowhere = {model: {name for name in weka if not weka[name][model]["confident_points"]} for model in "ST"}
    assert nowhere == {"S": {"dis", "sick", "spect"}, "T": {"spect"}}
    assert {name for name in weka if weka[name]["B"]["cauc"] > weka[name]["F"]["cauc"]} == set(weka) - {"spect"}
    spectf = weka["spectf_cv80"]
    assert max(spectf, key=lambda model: spectf[model]["cauc"]) == "T"
    assert [round(spectf[model]["aved_abs"], 4) for model in "TBSF"] == [0.0500, 0.0529, 0.0542, 0.0563]
