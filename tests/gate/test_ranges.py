"""Every value lies in the range that its metric declares, so that a rule beyond the range is a slip for certain."""

from contextlib import nullcontext
from math import isinf

import pytest
from analyses import ANALYSES, RANDOM_CASES, analysed
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

import rocconf
from rocconf.compute.evidence import Measure, evidence_of, metrics_of
from rocconf.compute.roc.influence import up_to
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.errors import RocconfError, UsageError
from rocconf.gate.check_rules import check_options
from rocconf.gate.rule import parse_gate_rule
from rocconf.records import ScoreCounts

AT = tuple(map(parse_point_rule, ("threshold=0", "threshold=0.5", "threshold=9", "closest", "fpr<=0.3")))


def measures(result, *, intervals=False):
    """Return every metric with what the evidence has of it."""
    for evidence in evidence_of(result):
        for at_point, places in ((False, (None,)), (True, AT)):
            known = metrics_of(type(result), at_point=at_point).values()
            for metric in (each for each in known if evidence.is_about(each.name)):
                for at in places:
                    try:
                        found = evidence.evidence(metric.name, at, with_interval=intervals)
                    except RocconfError:  # the baseline has no difference from itself
                        continue
                    if isinstance(found, Measure):
                        yield metric, found


@pytest.mark.thorough
@examples(40)
@pytest.mark.parametrize("command", [each for each in ANALYSES if each != "one-vs-rest"])  # a class may have no case
@given(RANDOM_CASES, st.booleans())
def test_a_value_lies_in_the_range_of_its_metric(command, cases, turned):
    for metric, found in measures(analysed(command, cases, turned=turned)):
        reach = up_to(metric, 0.5)
        assert reach.least - 1e-12 <= found.value <= reach.most + 1e-12, metric.name
        assert found.value not in reach.unreached, metric.name


@pytest.mark.thorough
@examples(15)
@pytest.mark.parametrize("command", ANALYSES)
@given(RANDOM_CASES)
def test_no_interval_that_a_rule_could_be_about_is_a_whole_end_of_the_range(command, cases):
    """The verdict on `tpr >= 1` says that no interval reaches 1."""
    for metric, found in measures(analysed(command, cases), intervals=True):
        if not metric.has_interval:
            continue
        assert found.interval is not None, metric.name
        assert found.interval.lower < metric.most
        assert found.interval.upper > metric.least


def test_the_ends_of_a_range_are_reached_unless_it_says_otherwise():
    """Of a metric with a tighter range than its declared one a rule that every model meets would go unnoticed."""
    perfect = ScoreCounts.of([0.9, 0.1], [9, 0], [0, 9])
    wrong = ScoreCounts.of([0.9, 0.1], [0, 9], [9, 0])
    ends = {}
    for counts in (perfect, wrong):
        for metric, found in measures(rocconf.sweep(counts)):
            ends.setdefault(metric.name, set()).add(found.value)
    sweep = {**metrics_of(rocconf.Sweep, at_point=False), **metrics_of(rocconf.Sweep, at_point=True)}
    tight = [name for name, metric in sweep.items() if metric.kind in ("share", "number") and not isinf(metric.most)]
    tight = [name for name in tight if not sweep[name].unreached and not sweep[name].needs]
    assert [name for name in tight if not {sweep[name].least, sweep[name].most} <= ends[name]] == []


COSTS = {
    "1:50": [("<= 50", True), ("< 50", True), ("<= 1e9", True), ("<= 49.9", False)],
    "7:2": [("<= 7", True), ("<= 6.9", False)],
    "1:50:0.1": [("<= 5.9", True), ("< 5.9", False)],  # .1 * 50 + .9 * 1
}
DIFFERENCES = {"1:50": [("<= 50", True), ("<= 49.9", False)], "1:50:0.1": [("<= 5.9", True), ("<= 5.8", False)]}
LOWER, HIGHER = {"lower_is_positive": True}, {"lower_is_positive": False}


@pytest.mark.parametrize(
    ("options", "rule", "is_refused"),
    [
        *(({"cost": cost}, f"cost@threshold=0.5 {rule}", no) for cost, of in COSTS.items() for rule, no in of),
        *(
            ({"cost": cost}, f"delta_cost@threshold=0.5 {rule}", no)
            for cost, of in DIFFERENCES.items()
            for rule, no in of
        ),
        (HIGHER, "net_benefit@threshold=0.2 >= -0.25", True),
        (HIGHER, "net_benefit@threshold=0.2 >= -0.24", False),
        (LOWER, "net_benefit@threshold=0.2 > -4", True),
        (LOWER, "net_benefit@threshold=0.2 >= -3.9", False),
        ({}, "net_benefit@threshold=0.2 >= -4", True),
        ({}, "net_benefit@threshold=0.2 >= -3.9", False),  # which scores are positive is not known yet
        ({}, "net_benefit@threshold=7 >= -100", False),  # without a value
        (HIGHER, "delta_net_benefit@threshold=0.2 > -1.25", True),
        (HIGHER, "delta_net_benefit@threshold=0.2 >= -1.2", False),
    ],
)
def test_a_rule_that_no_cost_or_net_benefit_could_fail_is_refused(options, rule, is_refused):
    with pytest.raises(UsageError) if is_refused else nullcontext():
        check_options([parse_gate_rule(rule)], rocconf.Comparison, options)
