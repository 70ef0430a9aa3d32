"""A report is judged at the points and on the rows that it has evidence for, and at no other."""

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


def report(run, rule, **at):
    """Return the report of a run that carries a rule."""
    result = RUNS[run](**at)
    verdicts = judge_results([parse_gate_rule(rule)], [result], choose_on={})
    outcome = overall(verdicts)
    answer = Answer((result,), tuple(each.to_dict() for each in verdicts), outcome, STATUS[outcome])
    return json.loads(json.dumps(answer.to_dict()))


def again(record, *rules):
    saved = read_report(Input("a.json", None, json.dumps(record).encode()))
    kind = {"sweep": rocconf.Sweep, "compare": rocconf.Comparison}[saved.command]
    asked = [parse_gate_rule(rule) for rule in rules]
    return judge_reports([saved], [asked], [kind], allow_in_sample=False, asked={}).verdicts[0]


@pytest.mark.parametrize(("run", "rule"), RULES)
def test_a_verdict_at_a_point_is_taken_from_a_report_for_its_own_point_only(run, rule):
    """The report has the evidence of a judged rule also at a point that the run did not ask for."""
    record = report(run, rule)
    expected = [gate["verdict"] for gate in record["gates"]]
    for asked in ((), (rule,)):
        assert [each.outcome for each in again(record, *asked)] == expected
    with pytest.raises(RocconfError, match=r"no operating point|run rocconf .*--at threshold=0.4"):
        again(record, rule.replace(POINT, "threshold=0.4"))


@pytest.mark.parametrize(("run", "rule"), RULES)
def test_a_rule_at_a_point_of_the_run_needs_no_verdict(run, rule):
    record = report(run, rule, at=[POINT])
    plain = json.loads(json.dumps(Answer((RUNS[run](at=[POINT]),)).to_dict()))
    assert [each.outcome for each in again(record)] == [gate["verdict"] for gate in record["gates"]]
    live = [(each.measure, each.message) for each in again(record)]
    assert [(each.measure, each.message) for each in again(plain, rule)] == live


def test_a_verdict_on_some_rows_is_that_of_these_rows():
    rule = replace(parse_gate_rule("auc >= 0.1"), where=(parse_condition("sex=f", "--where"),))
    part = rocconf.sweep(rocconf.count(CLUSTERED.where(np.arange(N) < 200), "new"))
    (verdict,) = judge_results([rule], [part], choose_on={})
    whole = RUNS["sweep of clusters"](at=[POINT])
    record = json.loads(json.dumps(Answer((whole,), (verdict.to_dict(),), "pass", 0).to_dict()))
    assert again(record)[0].to_dict() == verdict.to_dict()
    assert again(record, "auc >= 0.1")[0].measure.n == N
    for other in (replace(rule, where=()), replace(rule, where=(parse_condition("sex=m", "--where"),))):
        saved = read_report(Input("a.json", None, json.dumps(record).encode()))
        if other.where:
            with pytest.raises(RocconfError, match="no verdict on the rows with sex=m"):
                judge_reports([saved], [[other]], [rocconf.Sweep], allow_in_sample=False, asked={})


@pytest.mark.parametrize("rule", ["delta_auc by sex >= -0.5", f"delta_tpr@{POINT} by sex >= -0.5"])
def test_slices_are_judged_at_their_level_without_a_new_run(rule):
    record = report("compare by slice", "auc by sex >= 0.1", at=[POINT])
    live = judge_results([parse_gate_rule(rule)], [RUNS["compare by slice"](at=[POINT])], choose_on={})
    assert [each.to_dict() for each in again(record, rule)] == [each.to_dict() for each in live]


@pytest.mark.parametrize("level", [0.99, 0.9])
def test_the_interval_at_another_level_is_that_of_the_run(level):
    result = RUNS["compare"](at=[POINT])
    rule = replace(parse_gate_rule(f"delta_tpr@{POINT} >= -0.5"), level=level)
    (verdict,) = judge_results([rule], [result], choose_on={})
    record = json.loads(json.dumps(Answer((result,)).to_dict()))
    saved = read_report(Input("a.json", None, json.dumps(record).encode()))
    found = judge_reports([saved], [[rule]], [rocconf.Comparison], allow_in_sample=False, asked={})
    assert found.verdicts[0][0].to_dict() == verdict.to_dict()
