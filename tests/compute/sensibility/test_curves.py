"""Sensibility, capability and the struggle ratio against the paper's Table 1 and the definition, case by case."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import counted, examples

import rocconf
from rocconf.compute.sensibility import sensibility
from rocconf.compute.stats.proportion import wilson
from rocconf.errors import UndefinedError, UsageError
from rocconf.records import ScoreCounts

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "klement.json").read_text(encoding="utf-8"))
TABLE_1 = REFERENCE["table_1"]
DEGENERATE = REFERENCE["degenerate"]
METHODS = {"half": "half", "class-mean": "classmean", "overall-mean": "overall", "fixed": "fixed"}


def table_1():
    return counted(TABLE_1["scores"], TABLE_1["labels"])


def by_definition(scores, labels, midpoint, threshold):
    """Accuracy at a threshold on the sensible and on the non-sensible cases, one case after another."""
    hits = {True: [], False: []}
    for score, label in zip(scores, labels, strict=True):
        hits[(score >= midpoint) == bool(label)].append((score >= threshold) == bool(label))
    return [sum(hit) / len(hit) if hit else None for hit in hits.values()]


SCORES = st.sampled_from([k / 8 for k in range(9)]) | st.floats(0, 1, width=32)
CASES = st.lists(st.tuples(SCORES, st.booleans()), min_size=2, max_size=30).filter(
    lambda cases: 0 < sum(label for _, label in cases) < len(cases)
)
MIDPOINTS = st.sampled_from([*METHODS, "0.5", 0.3])


@pytest.mark.parametrize("midpoint", [0.56, "half", "fixed", 0.5000001, 0.6])
def test_matches_table_1_of_the_paper(midpoint):
    found, printed = sensibility(table_1(), midpoint=midpoint, thresholds="0.35"), TABLE_1["paper_theta_0.35"]
    assert found.summary()["struggle_ratio"] == printed["struggle"] == 0.25
    row = found.table().records()[-1]
    assert row["threshold"] == 0.35
    assert {key: row[key] for key in ("sensibility", "capability")}.items() <= printed.items()


@pytest.mark.parametrize(
    ("midpoint", "worked"), [(0.56, "at_midpoint_0.56"), ("half", "at_half"), ("fixed", "at_fixed")]
)
def test_matches_the_curves_of_table_1(midpoint, worked):
    found, worked = sensibility(table_1(), midpoint=midpoint), TABLE_1[worked]
    assert found.split.midpoint == pytest.approx(worked["midpoint"], abs=1e-15)
    assert (found.split.sensible, found.split.non_sensible) == (worked["n_sensible"], worked["n_nonsensible"])
    rows = found.table().records()
    assert [row["threshold"] for row in rows] == [None, *reversed(worked["theta"][:-1])]
    for key in ("sensibility", "capability", "accuracy"):
        assert [row[key] for row in rows] == pytest.approx(list(reversed(worked[key])), abs=1e-15)


@pytest.mark.parametrize("worked", [TABLE_1, *DEGENERATE.values()], ids=["table 1", *DEGENERATE])
def test_worked_cases_have_their_midpoints_and_curves(worked):
    counts = counted(worked["scores"], worked["labels"])
    for method, name in METHODS.items():
        at = sensibility(counts, midpoint=method).split.midpoint
        assert at == pytest.approx(worked["midpoints"][name], abs=1e-12)
    if result := worked.get("result"):
        summary, rows = sensibility(counts).summary(), sensibility(counts).table().records()
        assert (summary["sensible"], summary["non_sensible"]) == (result["n_sensible"], result["n_nonsensible"])
        ratio = result["struggle_ratio"]
        assert summary["struggle_ratio"] == (None if ratio == "inf" else pytest.approx(ratio))
        for key in ("sensibility", "capability", "accuracy"):
            assert [row[key] for row in rows] == list(reversed(result[key]))


@given(CASES, MIDPOINTS, st.booleans())
@examples(150)
def test_matches_its_definition(cases, midpoint, lower_is_positive):
    scores, labels = (list(column) for column in zip(*cases, strict=True))
    found = sensibility(counted(scores, labels, lower_is_positive=lower_is_positive), midpoint=midpoint, bootstrap=0)
    sign, at = -1 if lower_is_positive else 1, found.split
    for row in found.table().records():
        threshold = np.inf if row["threshold"] is None else sign * row["threshold"]
        expected = by_definition([sign * score for score in scores], labels, sign * at.midpoint, threshold)
        assert [row["sensibility"], row["capability"]] == expected
        parts = at.sensible * (row["sensibility"] or 0) + at.non_sensible * (row["capability"] or 0)
        assert parts == pytest.approx(len(cases) * row["accuracy"])
    errors = sum((sign * score >= sign * at.midpoint) != label for score, label in cases)
    assert (at.non_sensible, at.sensible) == (errors, len(cases) - errors)
    assert at.struggle_ratio == (errors / at.sensible if at.sensible else np.inf)


@given(CASES)
@examples(50)
def test_the_fixed_midpoint_lies_between_the_mean_scores_and_ignores_prevalence(cases):
    scores, labels = (np.array(column) for column in zip(*cases, strict=True))
    more = np.concatenate([scores, scores[labels]]), np.concatenate([labels, labels[labels]])
    found, again = (
        sensibility(counted(*each), midpoint="fixed", bootstrap=0).split.midpoint for each in ((scores, labels), more)
    )
    means = sorted([scores[labels].mean(), scores[~labels].mean()])
    if means != [0, 1]:
        assert means[0] - 1e-9 <= found <= means[1] + 1e-9
    assert again == pytest.approx(found, abs=1e-9)


def test_calibrated_scores_have_their_midpoint_at_one_half():
    # T = P for calibrated scores, the sentence with which the paper's derivation begins
    counts = ScoreCounts.of([0.9, 0.6, 0.1], [90, 60, 10], [10, 40, 90])
    assert sensibility(counts, midpoint="half").split.midpoint == pytest.approx(0.5, abs=1e-15)


@pytest.mark.parametrize("lower_is_positive", [False, True])
def test_a_midpoint_within_rounding_of_a_score_is_that_score(lower_is_positive):
    scores = np.array([0.9, 0.3, 0.1])
    counts = ScoreCounts.of(scores, [1, 1, 0], [0, 0, 1], lower_is_positive=lower_is_positive)
    for off in (-4e-13, 4e-13):
        assert sensibility(counts, midpoint=0.3 + off).split.midpoint == 0.3
    for off in (-4e-12, 4e-12):
        assert sensibility(counts, midpoint=0.3 + off).split.midpoint == 0.3 + off
    # the mean of .1, .2 and .6 is .3 only up to rounding, and the score .3 must be on its upper side
    mean = sensibility(counted([0.1, 0.2, 0.6, 0.3], [0, 0, 1, 1]), midpoint="overall-mean").split
    assert (mean.midpoint, mean.non_sensible) == (0.3, 0)


def test_lower_is_positive_reads_a_score_as_the_probability_of_being_negative():
    turned = counted(1 - np.array(TABLE_1["scores"]), TABLE_1["labels"], lower_is_positive=True)
    for method in METHODS:
        plain, mirrored = sensibility(table_1(), midpoint=method), sensibility(turned, midpoint=method)
        assert mirrored.split.midpoint == pytest.approx(1 - plain.split.midpoint, abs=1e-15)
        assert mirrored.split.struggle_ratio == plain.split.struggle_ratio
        assert mirrored.struggle_interval == plain.struggle_interval
        for key in ("sensibility", "capability", "accuracy"):
            assert mirrored.table()[key].tolist() == plain.table()[key].tolist()
    assert "probability-of-negative" in codes(mirrored)


@pytest.mark.parametrize(
    "scores", [[1.0, 1.0, 0.0, 0.0], [1 + 2e-16, 1.0, -6e-18, 0.0], [1 - 1e-9, 1 - 1e-9, -5e-10, -5e-10]]
)
def test_scores_that_are_the_labels_are_split_by_any_midpoint(scores):
    found = sensibility(counted(scores, [1, 1, 0, 0]), midpoint="fixed")
    assert (found.split.midpoint, found.split.non_sensible) == (0.5, 0)
    assert set(found.table()["threshold"][1:]) == set(scores)  # outside [0, 1] by rounding


@pytest.mark.parametrize("scores", [[3.0, -2.0], [1 + 1e-8, 0.0], [1.0, -1e-8], [np.inf, 0.0]])
def test_scores_outside_0_and_1_or_of_one_class_are_rejected(scores):
    with pytest.raises(UndefinedError, match=r"needs scores in \[0, 1\].*rescale=True"):
        sensibility(counted(scores, [1, 0]))
    with pytest.raises(UndefinedError, match="both classes"):
        sensibility(counted(scores, [1, 1]))


def test_scores_are_rescaled_with_those_of_the_reference_and_a_warning():
    new, old = counted([0.0, 5.0, 10.0], [0, 1, 1]), counted([0.0, 5.0, 20.0], [0, 0, 1])
    found = sensibility(new, reference=old, rescale=True, permutations=9)
    assert found.counts.scores.tolist() == [0.5, 0.25, 0.0]
    assert found.reference.counts.scores.tolist() == [1.0, 0.25, 0.0]
    assert found.options["rescale"] is True
    assert "from 0 to 20" in next(caveat.text() for caveat in found.caveats if caveat.code == "rescaled")
    assert "rescaled" not in codes(sensibility(table_1()))


@pytest.mark.parametrize("midpoint", ["middle", "nan", "inf", ""])
def test_a_midpoint_that_is_neither_method_nor_number_is_an_error(midpoint):
    with pytest.raises(UsageError, match="half, fixed, class-mean, overall-mean or a number"):
        sensibility(table_1(), midpoint=midpoint)


def codes(found):
    return [caveat.code for caveat in found.caveats]


def test_the_default_midpoint_has_a_note_that_it_is_a_reconstruction():
    for midpoint, method, notes in (("half", "half", ["midpoint-half"]), (0.56, "number", []), ("fixed", "fixed", [])):
        found = sensibility(table_1(), midpoint=midpoint)
        assert (found.summary()["midpoint_method"], found.options["midpoint"]) == (method, str(midpoint))
        assert codes(found) == notes


def test_a_midpoint_outside_the_scores_has_a_warning_and_no_sentence_about_the_ratio():
    worked = DEGENERATE["imbalanced 1:9"]
    counts = counted(worked["scores"], worked["labels"])
    for found, remedy in (
        (sensibility(counts), "the midpoint 1.8 lies outside the scores (0.1 to 0.9): try midpoint='fixed'"),
        (sensibility(table_1(), midpoint=1.5), "give a number"),
    ):
        assert remedy in next(caveat.text() for caveat in found.caveats if caveat.code == "midpoint-outside")
        said = " ".join(sentence.text("shell") for sentence in found.conclusions)
        assert f"not interpretable here, as the midpoint {found.split.midpoint:.3g} lies outside the scores" in said
        assert "on their class's side" not in said
        assert found.summary()["struggle_ratio"] is not None
    for inside in (
        sensibility(counts, midpoint="fixed"),
        *(sensibility(table_1(), midpoint=end) for end in (0.0, 1.0)),
    ):
        assert "midpoint-outside" not in codes(inside)
        assert "struggle ratio" in " ".join(sentence.text("shell") for sentence in inside.conclusions)


@pytest.mark.parametrize(
    ("labels", "ratio", "missing", "said"),
    [
        ([1, 0], 0, {("rows", "capability"): "no case is non-sensible"}, {"all-sensible", "struggle-wilson"}),
        ([0, 1], None, {("rows", "sensibility"): "no case is sensible"}, {"none-sensible"}),
    ],
)
def test_without_cases_on_a_side_what_is_missing_has_a_reason(labels, ratio, missing, said):
    found = sensibility(counted([0.9, 0.1], labels))
    answer = found.to_dict(rows=True)
    reasons = {(each["table"], each["key"]): each["reason"] for each in answer["undefined"]}
    assert reasons.items() >= missing.items()
    assert answer["summary"]["struggle_ratio"] == ratio
    assert ("infinite" in reasons.get(("models", "struggle_ratio"), "")) is (ratio is None)
    assert said <= set(codes(found))


def test_thresholds_affect_only_the_rows_of_which_the_midpoint_is_marked():
    few, all_of_them = sensibility(table_1(), thresholds="grid:0.5"), sensibility(table_1())
    assert few.table()["threshold"][1:].tolist() == [1, 0.5, 0]
    assert few.summary() == all_of_them.summary() | {"thresholds": 4}
    block = all_of_them.table().blocks[0]
    assert [block.values(key, block.keep).tolist() for key in ("threshold", "sensibility")] == [[0.6], [1]]


def test_a_reference_has_the_same_analysis():
    old = counted([0.9, 0.8, 0.4, 0.2], [1, 1, 0, 0])
    found = sensibility(table_1(), reference=old, permutations=9)
    assert (found.reference.counts, found.reference.drift) == (old, None)
    drift = {key.removeprefix("drift_"): value for key, value in found.summary().items() if key.startswith("drift_")}
    joint, within = found.drift.joint, found.drift.within
    expected = {"p": joint.p, "within_p": within.p, "statistic": joint.value, "conclusion": found.drift.conclusion}
    assert drift == expected | {"alarm": None}
    assert len(found.table("drift")) == 6
    assert any(each.text().startswith("score in the reference: every case") for each in found.caveats)


def test_wilsons_interval_is_that_of_the_share_of_errors_in_odds():
    found = sensibility(table_1(), bootstrap=0, level=0.9)
    share = wilson(2, 10, level=0.9)
    assert found.struggle_interval.lower == pytest.approx(share.lower / (1 - share.lower))
    assert found.struggle_interval.upper == pytest.approx(share.upper / (1 - share.upper))
    assert "struggle-wilson" in codes(found)
    assert "struggle-wilson" not in codes(sensibility(table_1()))


def test_the_options_say_whether_there_is_a_reference():
    counts = rocconf.count([1, 0, 1, 0, 1], [0.9, 0.2, 0.8, 0.4, 0.3])
    assert rocconf.sensibility(counts, bootstrap=0).options["reference"] is False
    assert rocconf.sensibility(counts, bootstrap=0, permutations=9, reference=counts).options["reference"] is True
