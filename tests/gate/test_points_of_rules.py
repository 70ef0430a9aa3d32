"""A saved verdict at an operating point passes only where the report has what it can be checked by."""

import json
from dataclasses import replace

import numpy as np
import pytest

import rocconf
from rocconf.answer import Answer
from rocconf.conditions import parse_condition
from rocconf.errors import RocconfError
from rocconf.gate import STATUS, judge_reports, judge_results, overall, parse_gate_rule
from rocconf.read import Input, read_report
from rocconf.records import Grouping, Predictions

N = 600
POINT = "threshold=0.3"


def cases(**more):
    random = np.random.default_rng(4)
    labels = random.random(N) < 0.4
    old = np.round(1 / (1 + np.exp(-(random.normal(size=N) + labels))), 3)
    new = np.round(np.clip(old + 0.1 * random.normal(size=N) + 0.1 * labels, 0, 1), 3)
    return Predictions(labels, {"old": old, "new": new}, **more)


CLUSTERED = cases(clusters=Grouping.of("patient", np.arange(N) // 2))
SLICED = cases(groups=(Grouping.of("sex", np.arange(N) % 2),))
RUNS = {
    "sweep of clusters": lambda **at: rocconf.sweep(rocconf.count(CLUSTERED, "new"), **at),
    "compare of clusters": lambda **at: rocconf.compare(CLUSTERED, baseline="old", **at),
    "compare": lambda **at: rocconf.compare(cases(), baseline="old", **at),
    "compare by slice": lambda **at: rocconf.compare_slices(SLICED, baseline="old", **at),
}
RULES = [
    ("sweep of clusters", f"tpr@{POINT} >= 0.1"),
    ("sweep of clusters", f"specificity@{POINT} >= 0.01"),
    ("compare of clusters", f"delta_tpr@{POINT} >= -0.5"),
    ("compare", f"delta_tpr@{POINT} >= -0.5"),
    ("compare", f"delta_specificity@{POINT} >= -0.5"),
    ("compare by slice", f"delta_tpr@{POINT} by sex >= -0.5"),
]


def report(run, rule, *, change=None, **at):
    """Return the report of a run that carries a rule."""
    result = RUNS[run](**at)
    verdicts = judge_results([parse_gate_rule(rule)], [result], choose_on={})
    outcome = overall(verdicts)
    answer = Answer((result,), tuple(each.to_dict() for each in verdicts), outcome, STATUS[outcome])
    record = json.loads(json.dumps(answer.to_dict()))
    if change is not None:
        record["gates"][0].update(change)
    return record


def again(record, *rules):
    saved = read_report(Input("a.json", None, json.dumps(record).encode()), newest=2)
    kind = {"sweep": rocconf.Sweep, "compare": rocconf.Comparison}[saved.command]
    asked = [parse_gate_rule(rule) for rule in rules]
    return judge_reports([saved], [asked], [kind], allow_in_sample=False, asked={}).verdicts[0]


@pytest.mark.parametrize(("run", "rule"), RULES)
def test_a_verdict_at_a_point_that_the_report_lacks_is_not_taken_from_it(run, rule):
    record = report(run, rule)
    for asked in ((), (rule,)):
        with pytest.raises(RocconfError, match=rf"no operating point|run rocconf .*--at {POINT}"):
            again(record, *asked)


@pytest.mark.parametrize(("run", "rule"), RULES)
def test_a_verdict_at_a_point_of_the_report_is_that_of_its_run_and_no_edit_of_it_passes(run, rule):
    record = report(run, rule, at=[POINT])
    assert [each.outcome for each in again(record)] == [gate["verdict"] for gate in record["gates"]]
    gate = record["gates"][0]
    raised = gate["lower"] + 0.9 * (gate["value"] - gate["lower"])
    with pytest.raises(RocconfError, match="lower"):
        again(report(run, rule, at=[POINT], change={"lower": raised}))


@pytest.mark.parametrize("metric", ["auc", f"tpr@{POINT}"])
def test_a_verdict_on_some_rows_of_clusters_is_not_taken_from_a_report(metric):
    rule = replace(parse_gate_rule(f"{metric} >= 0.1"), where=(parse_condition("sex=f", "--where"),))
    result = RUNS["sweep of clusters"](at=[POINT])
    (verdict,) = judge_results([replace(rule, where=())], [result], choose_on={})
    verdict = replace(verdict, rule=rule)
    record = json.loads(json.dumps(Answer((result,), (verdict.to_dict(),), "pass", 0).to_dict()))
    with pytest.raises(
        RocconfError, match="cannot be checked without their clusters: judge this rule with rocconf sweep"
    ):
        again(record)


def test_the_level_of_a_slice_is_had_by_the_rule_in_the_run():
    record = report("compare by slice", "auc by sex >= 0.1", at=[POINT])
    for rule in ("delta_auc by sex >= -0.5", f"delta_tpr@{POINT} by sex >= -0.5"):
        with pytest.raises(RocconfError, match="run rocconf compare FILE") as caught:
            again(record, rule)
        assert f"--by sex --require '{rule}'" in str(caught.value)
        assert "--level" not in str(caught.value)


@pytest.mark.parametrize("level", [0.99, 0.9])
def test_the_interval_at_another_level_lies_around_or_within_that_of_the_run(level):
    result = RUNS["compare"](at=[POINT])
    rule = replace(parse_gate_rule(f"delta_tpr@{POINT} >= -0.5"), level=level)
    (verdict,) = judge_results([rule], [result], choose_on={})
    record = json.loads(json.dumps(Answer((result,), (verdict.to_dict(),), "pass", 0).to_dict()))
    assert [each.outcome for each in again(record)] == ["pass"]
    (gate,) = record["gates"]
    gate["lower"] = gate["value"] - 1e-3 if level > 0.95 else gate["value"] - 0.3
    with pytest.raises(RocconfError, match="wider at a higher level"):
        again(record)
