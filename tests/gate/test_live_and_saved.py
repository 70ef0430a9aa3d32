"""A saved report says of a rule what the result says that it was written from, whatever the cases, level and point."""

from dataclasses import replace

import numpy as np
import pytest
from analyses import ANALYSES, AT_POINTS, CLUSTERED, RANDOM_CASES, RUNS, analysed, counts_of, predictions_of
from gating import judged, read, rules_of, text_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

import rocconf
from rocconf.compute.evidence import evidence_of, metrics_at, metrics_of
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.conditions import parse_conditions
from rocconf.errors import InputError, RocconfError
from rocconf.gate import judge_results, parse_gate_rule
from rocconf.gate.saved_model import SavedModel
from rocconf.records import ScoreCounts

LEVELS = st.sampled_from([0.5, 0.9, 0.95, 0.999])

pytestmark = pytest.mark.usefixtures("few_replicates")


def records(verdicts):
    return [verdict.to_dict() for verdict in verdicts]


def live(rules, result):
    return records(judge_results(rules, [result], choose_on={}))


def said_of(evidence, metric, at, level):
    """Return what evidence says, or the kind of its refusal."""
    try:
        return evidence.evidence(metric, None if at is None else parse_point_rule(at), level)
    except RocconfError as error:
        return "level-of-run" if error.code == "report-other-level" else error.code


@examples(25)
@pytest.mark.parametrize("command", ANALYSES)
@given(RANDOM_CASES, LEVELS, LEVELS, st.booleans())
def test_every_metric_is_the_same_in_a_result_and_its_report_at_any_level(command, cases, of_run, level, turned):
    result = analysed(command, cases, level=of_run, turned=turned)
    report, kind = read(text_of(result)), type(result)
    points = AT_POINTS if command in ("sweep", "compare") else AT_POINTS[:-1] if command == "chi2-contours" else ()
    of_curves = metrics_of(kind, at_point=False).items()
    wanted = [(name, None) for name, metric in of_curves if metric.needs != "fold"]  # these cases have no folds
    wanted += [(metric, at) for metric in metrics_of(kind, at_point=True) for at in points]
    for each in evidence_of(result):
        for metric, at in wanted:
            if not each.is_about(metric):
                continue
            rule = parse_gate_rule(f"{metric}{'' if at is None else f'@{at}'} >= 0")
            there = said_of(SavedModel(report, each.model, kind, rule), metric, at, level)
            assert there == said_of(each, metric, at, level), (metric, at)


def limit_of(metric, tenths):
    """Return a limit that a value of the metric can be on both sides of."""
    return 2 + 3 * tenths if metric.startswith(("n", "tp@")) else tenths / 10


RULES = st.tuples(
    st.sampled_from(["n", "auc", "auc.point", *(f"{m}@{at}" for m in ("tp", "tpr", "f1", "diff") for at in AT_POINTS)]),
    st.sampled_from([">=", ">", "<=", "<"]),
    st.integers(1, 9),
).map(lambda parts: parse_gate_rule(f"{parts[0]} {parts[1]} {limit_of(parts[0], parts[2])}"))


@examples(60)
@given(RANDOM_CASES, st.lists(RULES, min_size=1, max_size=8, unique_by=lambda rule: rule.text), LEVELS, LEVELS)
def test_any_rules_have_the_same_verdicts_live_asked_and_carried(cases, rules, level, of_rules):
    result = analysed("sweep", cases, level=level, turned=False)
    rules = [replace(rule, level=of_rules) for rule in rules]
    expected = live(rules, result)
    assert records(judged(text_of(result), *rules, allow_in_sample=True)) == expected
    assert records(judged(text_of(result, *rules), allow_in_sample=True)) == expected


@pytest.mark.parametrize("name", RUNS)
def test_a_report_has_the_verdicts_of_its_run_carried_and_asked_at_any_level(name):
    run = RUNS[name]
    rules = rules_of((*run.rules, *run.at_other_points))
    expected, plain = live(rules, run.result), text_of(run.result)
    assert records(judged(run.text)) == expected
    assert records(judged(run.text, *rules)) == expected
    assert records(judged(plain, *rules[: len(run.rules)])) == live(rules_of(run.rules), run.result)
    metrics = {rule: metrics_at(type(run.result), rule.at)[rule.metric] for rule in rules_of(run.rules)}
    for level in (0.6, 0.999):
        at_level = [replace(rule, level=level) for rule, metric in metrics.items() if not metric.depends_on_level]
        assert records(judged(plain, *at_level)) == live(at_level, run.result)


@pytest.mark.parametrize(("name", "rule"), [(name, rule) for name, run in RUNS.items() for rule in run.at_other_points])
def test_a_verdict_at_a_point_is_taken_from_a_report_for_its_own_point_only(name, rule):
    """The report has the evidence of a judged rule also at a point that the run did not ask for."""
    at = parse_gate_rule(rule).at
    for text, other in ((text_of(RUNS[name].result), at), (RUNS[name].text, "threshold=0.4")):
        with pytest.raises(InputError, match=rf"no operating point .*--at {other}"):
            judged(text, rule.replace(at, other))


def test_a_verdict_on_some_rows_is_that_of_these_rows():
    of = {name: parse_conditions([f"sex={name}"], "where") for name in "fm"}
    rule = replace(parse_gate_rule("auc >= 0.1"), where=of["f"])
    part = rocconf.sweep(rocconf.count(CLUSTERED.where(np.arange(len(CLUSTERED)) < 1000), "F"))
    verdicts = judge_results([rule], [part], choose_on={})
    text = text_of(RUNS["sweep of clusters"].result, verdicts=verdicts)
    assert records(judged(text)) == records(verdicts)
    assert judged(text, "auc >= 0.1")[0].measure.n == len(CLUSTERED)
    with pytest.raises(InputError, match="no verdict on the rows with sex=m"):
        judged(text, replace(rule, where=of["m"]))


def test_the_verdict_on_all_cases_is_not_that_on_a_slice_of_the_same_level():
    result = RUNS["sweep by slice"].result
    text = text_of(result, "auc by sex >= 0.7")
    for rule in ("auc >= 0.7", replace(parse_gate_rule("auc >= 0.7"), level=0.975)):
        (whole,) = judged(text, rule)
        assert whole.measure.n == 700


def test_two_points_of_one_rule_are_two_points():
    cases = [(True, 4, 0), (True, 1, 0), (False, 3, 0), (False, 2, 0), (False, 0, 0)]
    text = text_of(rocconf.sweep(counts_of(cases), at=("fpr<=0", "fpr<=0.7")))
    rules = [f"tp@{at} == {tp}" for at, tp in (("fpr<=0", 1), ("fpr <= .7", 2), ("fpr<=0.70", 2))]
    assert [verdict.outcome for verdict in judged(text, *rules, allow_in_sample=True)] == ["pass"] * 3


def test_a_verdict_is_taken_over_at_its_own_level_only():
    result = rocconf.sweep(counts_of([(k % 2 == 0, k // 4, 0) for k in range(20)]), level=0.95)
    narrow, wide = (replace(parse_gate_rule("auc >= 0.45"), level=level) for level in (0.5, 0.99))
    for rule in (narrow, wide):
        assert records(judged(text_of(result, narrow), rule)) == live([rule], result)


def test_judge_gives_the_verdicts_of_the_command_line():
    result = analysed("sweep", [(k % 3 == 0, k % 5, 0) for k in range(30)], level=0.95, turned=False)
    verdicts = rocconf.judge(result, ["n >= 30", "positives >= 11", "auc >= 0.5"])
    assert [each.outcome for each in verdicts] == ["pass", "fail", "inconclusive"]
    (one,) = rocconf.judge(result, "tp@threshold=0.5 >= 1")
    assert one.outcome == "pass"
    with pytest.raises(rocconf.UsageError, match=r"choose on other cases with choose_on=counts.*allow_in_sample=True"):
        rocconf.judge(result, "tpr@youden >= 0.1")
    assert rocconf.judge(result, "tp@youden >= 1", allow_in_sample=True)[0].measure.at.in_sample


@pytest.mark.parametrize(
    ("make", "rule", "said"),
    [
        (lambda: rocconf.chi2_contours(rocconf.ClassTotals(5, 55)), "n >= 10", "the report has class totals only"),
        (lambda: RUNS["sweep"].result, "auc by region >= 0.5", r"not divided by region: run .*--by region"),
        (lambda: RUNS["compare"].result, "auc by region >= 0.5", r"not divided by region: run .*--by region"),
        (
            lambda: RUNS["compare by slice"].result,
            "delta_average_precision by region >= -0.5",
            r"--by region --require 'delta_average_precision by region >= -0\.5'",
        ),
    ],
)
def test_a_report_that_lacks_the_evidence_names_the_run_that_has_it(make, rule, said):
    with pytest.raises(InputError, match=said):
        judged(text_of(make()), rule)


def test_an_interval_without_a_width_decides_nothing():
    """All but a few replicates of the area left of a false positive rate of .1 are 0: not all, but the limits are."""
    counts = ScoreCounts.of([0.9, 0.5, 0.1], [0, 40, 0], [16, 0, 64])
    result = rocconf.sweep(counts, max_fpr=0.1)
    for rule in ("partial_auc <= 0", "partial_auc < 0.001", "partial_auc_standardized >= 0.48"):
        assert rocconf.judge(result, rule)[0].outcome == "inconclusive"
    labels = np.repeat([True, False], [40, 80])
    scores = np.repeat([0.5, 0.9, 0.1], [40, 16, 64])
    predictions = rocconf.Predictions(labels, {"a": scores, "b": scores + np.arange(120) * 1e-9})
    both = rocconf.compare(predictions, baseline="a", max_fpr=0.1)
    assert rocconf.judge(both, "delta_partial_auc >= 0")[0].outcome == "inconclusive"


def test_a_comparison_is_judged_at_the_thresholds_it_was_made_with():
    cases = [(k % 3 == 0, k % 5, (3 * k) % 5) for k in range(60)]
    elsewhere = {counts.model: counts for counts in rocconf.count_each(predictions_of(cases[::2], turned=False))}
    predictions, rule = predictions_of(cases, turned=False), "delta_tpr@youden >= -0.9"
    with pytest.raises(rocconf.UsageError, match="pass choose_on there"):
        rocconf.judge(rocconf.compare(predictions), rule, choose_on=elsewhere)
    (verdict, _) = rocconf.judge(rocconf.compare(predictions, baseline="a", choose_on=elsewhere), rule)
    assert not verdict.measure.at.in_sample
    with pytest.raises(rocconf.UsageError, match=r"choose its threshold"):
        rocconf.judge(rocconf.compare(predictions), rule)


@pytest.mark.parametrize("metric", ["confident_points", "threshold_low.point"])
def test_a_number_that_depends_on_the_level_is_judged_at_that_of_the_run_only(metric):
    result = analysed("tango", [(k % 3 == 0, k % 5, k % 4) for k in range(60)], level=0.95, turned=False)
    rule = replace(parse_gate_rule(f"{metric} >= 0.5"), level=0.6)
    with pytest.raises(rocconf.UsageError, match="is of the level of the run"):
        rocconf.judge(result, rule)
    with pytest.raises(InputError, match=r"is at a level of 0\.95: run rocconf tango FILE .*--level 0\.6"):
        judged(text_of(result), rule)


def test_judge_refuses_what_the_command_line_refuses():
    counts = counts_of([(k % 3 == 0, k % 5, 0) for k in range(30)])
    with pytest.raises(rocconf.UsageError, match="prevalence restates the metric"):
        rocconf.judge(rocconf.sweep(counts, prevalence=0.01), "precision@threshold=0.5 >= 0.1")
    with pytest.raises(rocconf.UsageError, match="test is wald"):
        rocconf.judge(rocconf.tango(counts, test="wald"), "diff@threshold=0.5 >= 0")
    sliced = replace(parse_gate_rule("auc >= 0.1"), where=parse_conditions({"site": "x"}, "where"))
    with pytest.raises(rocconf.UsageError, match="is about a slice"):
        rocconf.judge(rocconf.sweep(counts), sliced)
    for change in ({"op": "=>"}, {"on_undefined": "PASS"}, {"severity": "none"}):
        with pytest.raises(rocconf.UsageError, match="one of"):
            replace(sliced, **change)
