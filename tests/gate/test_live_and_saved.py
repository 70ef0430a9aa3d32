"""Whatever the cases, a saved report says of a rule what the result says that it was written from.

Of every command and metric, with two points of one rule: the evidence is one protocol with one set of formulas.
"""

import json
from dataclasses import replace
from io import StringIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

import rocconf
from rocconf.answer import Answer
from rocconf.compute.classes import AVERAGES
from rocconf.compute.evidence import evidence_of, metrics_of
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.conditions import parse_conditions
from rocconf.errors import InputError, RocconfError
from rocconf.gate import judge_reports, judge_results, overall, parse_gate_rule
from rocconf.gate.saved_model import SavedModel
from rocconf.read import Input, read_report
from rocconf.records import ScoreCounts, Times
from rocconf.report import write

AT = ("threshold=2", "closest", "fpr<=0.3", "fpr <= 0.6", "chi2")
"""Two points of one rule are told apart by their numbers, and one rule is itself however it is written."""

CASES = st.lists(st.tuples(st.booleans(), st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=30).filter(
    lambda cases: len({label for label, *_ in cases}) == 2
)
LEVELS = st.sampled_from([0.5, 0.9, 0.95, 0.999])

pytestmark = pytest.mark.usefixtures("few_replicates")


def counts_of(cases, **more):
    scores, labels = [score for _, score, _ in cases], [label for label, *_ in cases]
    return ScoreCounts.of(scores, labels, [not label for label in labels], **more)


def predictions_of(cases, *, turned):
    labels, first, second = (np.array(column) for column in zip(*cases, strict=True))
    scores = {"a": first.astype(float), "b": second.astype(float), "c": (first + 2.0 * second)}
    return rocconf.Predictions(labels, scores, lower_is_positive=turned)


def classes_of(cases, *, turned):
    """Return the cases in three classes, of which one may have no case, or a single one."""
    first, second = (np.array(column, dtype=float) for column in list(zip(*cases, strict=True))[1:])
    labels = np.array([label + (label and score == 0) for label, score, _ in cases], dtype=np.int64)
    scores = {"a": np.column_stack([-first, first, second]), "b": np.column_stack([-second, first, first + second])}
    return rocconf.ClassPredictions(("x", "y", "z"), labels, scores, lower_is_positive=turned)


def analysed(command, cases, *, level, turned):
    counts = counts_of(cases, lower_is_positive=turned)
    if command == "sweep":
        return rocconf.sweep(counts, at=AT, level=level, max_fpr=0.5, cost="1:5", calibrated=True)
    if command == "tango":
        return rocconf.tango(counts, level=level, bootstrap=30, margin=0.1, cost="1:5")
    if command == "chi2-contours":
        return rocconf.chi2_contours(counts, at=AT[:-1], level=level, permutations=9, cost="1:5:0.2")
    if command == "sensibility":
        halved = replace(counts, thresholds=np.r_[counts.thresholds[:1], counts.scores / 4])
        return rocconf.sensibility(halved, level=level, bootstrap=30, reference=halved, permutations=9)
    if command == "one-vs-rest":
        return rocconf.one_vs_rest(classes_of(cases, turned=turned), baseline="a", level=level)
    return rocconf.compare(
        predictions_of(cases, turned=turned),
        baseline="a",
        at=AT,
        level=level,
        max_fpr=0.5,
        bootstrap=40,
        cost="3:1",
        calibrated=True,
    )


def followed(cases, *, level, turned):
    """Return a stream of these cases, after a reference of others."""
    labels, scores, times = (np.array(column) for column in zip(*cases, strict=True))
    predictions = rocconf.Predictions(
        labels, {"a": scores / 4}, lower_is_positive=turned, times=Times(times.astype(float), "number")
    )
    counts = rocconf.count(predictions)
    earlier = rocconf.ScoreCounts.of([0.1, 0.5, 0.6], [1, 2, 5], [7, 2, 1], lower_is_positive=turned)
    return rocconf.sensibility(
        counts, level=level, bootstrap=30, reference=earlier, permutations=9, cases=predictions, every=2
    )


COMMANDS = ("sweep", "tango", "chi2-contours", "sensibility", "compare", "one-vs-rest")


def saved(result, verdicts=()):
    """Return what is read of the report that a result makes."""
    stream = StringIO()
    records = tuple(verdict.to_dict() for verdict in verdicts)
    write(Answer((result,), records, overall(verdicts) if verdicts else None), "json", stream)
    return read_report(Input("a.json", None, stream.getvalue().encode()))


def judged(report, rules, kind):
    return judge_reports([report], [rules], [kind], allow_in_sample=True, asked={}).verdicts[0]


def said_of(evidence, metric, at, level):
    """Return what evidence says, or the kind of its refusal."""
    try:
        return evidence.evidence(metric, None if at is None else parse_point_rule(at), level)
    except RocconfError as error:
        return error


@examples(25)
@pytest.mark.parametrize("command", COMMANDS)
@given(CASES, LEVELS, st.booleans())
def test_every_metric_is_the_same_in_a_result_and_its_report(command, cases, level, turned):
    result = analysed(command, cases, level=level, turned=turned)
    report, kind = saved(result), type(result)
    points = AT if command in ("sweep", "compare") else AT[:-1] if command == "chi2-contours" else ()
    of_curves = metrics_of(kind, at_point=False).items()
    wanted = [(name, None) for name, metric in of_curves if metric.needs != "fold"]  # these cases have no folds
    wanted += [(metric, at) for metric in metrics_of(kind, at_point=True) for at in points]
    for live in evidence_of(result):
        for metric, at in wanted:
            if not live.is_about(metric):
                continue
            rule = parse_gate_rule(f"{metric}{'' if at is None else f'@{at}'} >= 0")
            there, here = (
                said_of(evidence, metric, at, level) for evidence in (SavedModel(report, live.model, kind, rule), live)
            )
            if isinstance(there, RocconfError):
                assert there.code == here.code, (metric, at, str(there))
            else:
                assert there == here, (metric, at)


@examples(25)
@given(CASES, LEVELS, st.booleans())
def test_the_alarms_of_a_stream_are_the_same_in_a_result_and_its_report(cases, level, turned):
    result = followed(cases, level=level, turned=turned)
    report, kind = saved(result), type(result)
    rule = parse_gate_rule("drift_alarm == 0")
    (live,) = evidence_of(result)
    there = SavedModel(report, live.model, kind, rule).evidence("drift_alarm", None, level)
    assert there == live.evidence("drift_alarm", None, level)


@examples(25)
@pytest.mark.parametrize("command", ["sweep", "chi2-contours", "compare", "one-vs-rest"])
@given(CASES, LEVELS, LEVELS)
def test_every_metric_with_a_formula_is_the_same_at_any_level(command, cases, of_run, level):
    result = analysed(command, cases, level=of_run, turned=False)
    report, kind = saved(result), type(result)
    metrics = (
        ["n", "prevalence", "auc", *AVERAGES],
        [m for m in metrics_of(kind, at_point=True) if not m.startswith("delta")],
    )
    for live in evidence_of(result):
        for metric, at in [(m, None) for m in metrics[0]] + [(m, at) for m in metrics[1] for at in AT[:-1]]:
            if not live.is_about(metric) or metric not in metrics_of(kind, at_point=at is not None):
                continue
            rule = parse_gate_rule(f"{metric}{'' if at is None else f'@{at}'} >= 0")
            there = said_of(SavedModel(report, live.model, kind, rule), metric, at, level)
            assert there == said_of(live, metric, at, level), (metric, at)


def limit_of(metric, tenths):
    """Return a limit that a value of the metric can be on both sides of."""
    return 2 + 3 * tenths if metric.startswith(("n", "tp@")) else tenths / 10


@examples(60)
@given(
    CASES,
    st.lists(
        st.tuples(
            st.sampled_from(
                ["n", "auc", "auc.point", *(f"{m}@{at}" for m in ("tp", "tpr", "f1", "diff") for at in AT)]
            ),
            st.sampled_from([">=", ">", "<=", "<"]),
            st.integers(1, 9),
        ),
        min_size=1,
        max_size=8,
        unique=True,
    ).map(lambda parts: [parse_gate_rule(f"{metric} {op} {limit_of(metric, tenths)}") for metric, op, tenths in parts]),
    LEVELS,
    LEVELS,
)
def test_a_rule_says_the_same_of_a_result_its_report_and_the_verdicts_that_the_report_carries(
    cases, rules, level, of_rules
):
    result = analysed("sweep", cases, level=level, turned=False)
    rules = [replace(rule, level=of_rules) for rule in rules]
    verdicts = judge_results(rules, [result], choose_on={})
    expected = [verdict.to_dict() for verdict in verdicts]
    again = judged(saved(result), rules, rocconf.Sweep)
    assert [verdict.to_dict() for verdict in again] == expected
    carried = judged(saved(result, verdicts), (), rocconf.Sweep)
    assert [{**verdict.to_dict(), "message": ""} for verdict in carried] == [
        {**each, "message": ""} for each in expected
    ]
    assert overall(again) == overall(carried)


def test_two_points_of_one_rule_are_two_points():
    cases = [(True, 4, 0), (True, 1, 0), (False, 3, 0), (False, 2, 0), (False, 0, 0)]
    report = saved(rocconf.sweep(counts_of(cases), at=("fpr<=0", "fpr<=0.7")))
    rules = [parse_gate_rule(f"tp@{at} == {tp}") for at, tp in (("fpr<=0", 1), ("fpr <= .7", 2), ("fpr<=0.70", 2))]
    assert [verdict.outcome for verdict in judged(report, rules, rocconf.Sweep)] == ["pass"] * 3


def test_a_verdict_is_taken_over_at_its_own_level_only():
    counts = counts_of([(k % 2 == 0, k // 4, 0) for k in range(20)])
    result = rocconf.sweep(counts, level=0.95)
    rule = replace(parse_gate_rule("auc >= 0.45"), level=0.5)
    (narrow,) = judge_results([rule], [result], choose_on={})
    (wide,) = judged(saved(result, [narrow]), [replace(rule, level=0.99)], rocconf.Sweep)
    assert (narrow.measure.interval, narrow.level) != (wide.measure.interval, wide.level)
    assert wide.measure == judge_results([replace(rule, level=0.99)], [result], choose_on={})[0].measure
    (same,) = judged(saved(result, [narrow]), [rule], rocconf.Sweep)
    assert same.measure == narrow.measure


def test_judge_gives_the_verdicts_of_the_command_line():
    result = analysed("sweep", [(k % 3 == 0, k % 5, 0) for k in range(30)], level=0.95, turned=False)
    (good, bad, open_) = rocconf.judge(result, ["n >= 30", "positives >= 11", "auc >= 0.5"])
    assert (good.outcome, bad.outcome, open_.outcome) == ("pass", "fail", "inconclusive")
    (one,) = rocconf.judge(result, "tp@threshold=2 >= 1")
    assert one.outcome == "pass"
    with pytest.raises(rocconf.UsageError, match=r"choose on other cases with choose_on=counts.*allow_in_sample=True"):
        rocconf.judge(result, "tpr@youden >= 0.1")
    assert rocconf.judge(result, "tp@youden >= 1", allow_in_sample=True)[0].measure.at.in_sample


def test_a_report_of_class_totals_alone_cannot_be_judged():
    report = saved(rocconf.chi2_contours(rocconf.ClassTotals(5, 55)))
    with pytest.raises(InputError, match="the report has class totals only"):
        judged(report, [parse_gate_rule("n >= 10")], rocconf.Chi2Contours)


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


@pytest.mark.parametrize("metric", ["cauc", "cauc.point", "aved_abs.point", "confident_points", "threshold_low.point"])
def test_a_number_that_depends_on_the_level_is_judged_at_that_of_the_run_only(metric):
    result = analysed("tango", [(k % 3 == 0, k % 5, 0) for k in range(30)], level=0.95, turned=False)
    rule = replace(parse_gate_rule(f"{metric} >= 0.5"), level=0.6)
    with pytest.raises(rocconf.UsageError, match="is of the level of the run"):
        rocconf.judge(result, rule)
    with pytest.raises(InputError, match=r"is at a level of 0\.95: run rocconf tango FILE --level 0\.6"):
        judged(saved(result), [rule], rocconf.ConfidentSegment)


def test_a_difference_that_depends_on_the_level_is_not_taken_from_a_report_at_another_one():
    result = analysed("compare", [(k % 3 == 0, k % 5, k % 4) for k in range(60)], level=0.95, turned=False)
    rule = replace(parse_gate_rule("delta_cauc.point >= -0.9"), level=0.6)
    with pytest.raises(InputError, match=r"delta_cauc is at a level of 0\.95"):
        judged(saved(result), [rule], rocconf.Comparison)
    (verdict, _) = judged(saved(result), [replace(rule, metric="delta_auc")], rocconf.Comparison)
    assert (verdict.outcome, verdict.to_dict()["lower"], verdict.to_dict()["upper"]) == ("pass", None, None)


def test_judge_refuses_what_the_command_line_refuses():
    cases = [(k % 3 == 0, k % 5, 0) for k in range(30)]
    counts = counts_of(cases)
    with pytest.raises(rocconf.UsageError, match="prevalence restates the metric"):
        rocconf.judge(rocconf.sweep(counts, prevalence=0.01), "precision@threshold=2 >= 0.1")
    with pytest.raises(rocconf.UsageError, match="test is wald"):
        rocconf.judge(rocconf.tango(counts, test="wald"), "diff@threshold=2 >= 0")
    sliced = replace(parse_gate_rule("auc >= 0.1"), where=parse_conditions({"site": "x"}, "where"))
    with pytest.raises(rocconf.UsageError, match="is about a slice"):
        rocconf.judge(rocconf.sweep(counts), sliced)
    for change in ({"op": "=>"}, {"on_undefined": "PASS"}, {"severity": "none"}):
        with pytest.raises(rocconf.UsageError, match="one of"):
            replace(sliced, **change)


def test_an_area_of_a_slice_is_judged_alike_live_and_saved(tmp_path, rocconf):
    rows = [f"{at % 2},{(at * 7 % 80 + 30 * (at % 2)) / 120},{'ab'[at % 3 == 0]}" for at in range(80)]
    (tmp_path / "s.csv").write_text("\n".join(["label,score,site", *rows, ""]))
    rule = '[[gate]]\ncommand = "sweep"\nmetric = "auc"\nop = ">="\nvalue = 0.2\nwhere = "site=a"\n'
    (tmp_path / "rocconf.toml").write_text(rule)
    for kind in ("robust", "delong"):
        assert rocconf("sweep", "s.csv", "-q", "--interval", kind, "-o", "s.json").status == 0
        report = json.loads((tmp_path / "s.json").read_text())
        assert rocconf("gate", "s.json", "-q").status == 0
        report["gates"][0]["value"] += 0.01
        (tmp_path / "s.json").write_text(json.dumps(report))
        assert rocconf("gate", "s.json", "-q").status == 2
