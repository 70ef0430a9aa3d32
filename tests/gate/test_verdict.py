"""Three answers: pass and fail need the whole interval on one side, and everything else does not decide."""

import re
from dataclasses import dataclass, replace
from math import inf
from operator import eq, ge, gt, le, lt
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocconf
from rocconf.compute.evidence import Entry, Measure, Unavailable, Unit
from rocconf.compute.stats.estimate import Estimate
from rocconf.errors import UsageError
from rocconf.gate import GateRule, overall
from rocconf.gate.verdict import verdict_of
from rocconf.records import Interval

OPS = {">=": ge, ">": gt, "<=": le, "<": lt}
UNITS = st.integers(0, 10).map(lambda k: k / 10)


def evidence(model="m", level=0.95):
    return SimpleNamespace(
        unit=Unit(model, level, 100, 20),
        model=model,
        level=level,
        baseline=None,
        kind=rocconf.Sweep,
        caveats_on=lambda _: (),
    )


def judged(rule, measure, **more):
    return verdict_of(rule, measure, evidence=evidence(**more))


def verdict(op, limit, value, lower=None, upper=None, **more):
    measure = Measure(value, None if lower is None else Interval(lower, upper), 10, 5, is_count=op == "==")
    return judged(GateRule("auc", op, limit, **more), measure if value is not None else Unavailable("why"))


def outcome(*parts, **more):
    return verdict(*parts, **more).outcome


@given(st.sampled_from(sorted(OPS)), UNITS, UNITS, UNITS)
def test_the_interval_decides_as_its_values_do(op, limit, one, other):
    lower, upper = sorted((one, other))
    holds = {OPS[op](value / 20, limit) for value in range(int(lower * 20), int(upper * 20) + 1)}
    expected = {(True,): "pass", (False,): "fail"}.get(tuple(holds), "inconclusive")
    assert outcome(op, limit, lower, lower, upper) == expected


@given(st.sampled_from([*OPS, "=="]), UNITS, UNITS)
def test_a_number_without_an_interval_is_judged_as_it_is(op, limit, value):
    assert (outcome(op, limit, value) == "pass") is {**OPS, "==": eq}[op](value, limit)
    assert outcome(op, limit, value) != "inconclusive"


def test_the_point_alone_is_judged_if_asked():
    assert outcome(">=", 0.8, 0.85, 0.7, 0.9) == "inconclusive"
    assert outcome(">=", 0.8, 0.85, 0.7, 0.9, point_only=True) == "pass"


@pytest.mark.parametrize("choice", ["inconclusive", "pass", "fail"])
def test_an_undefined_number_does_not_pass_by_itself(choice):
    assert outcome(">=", 0.8, None) == "inconclusive"
    assert outcome(">=", 0.8, None, on_undefined=choice) == choice


@dataclass(frozen=True)
class Stated(Estimate):
    """A value whose interval is known, and shrinks with the root of the cases."""

    value: float
    around: Interval
    kind = None

    def limits(self, _):
        return self.around


STATED = Measure(0.75, Interval(0.6, 0.85), 100, 20, entry=Entry(Stated(0.75, Interval(0.6, 0.85))))


def test_equality_is_for_counts():
    measure = Measure(0.5, Interval(0.4, 0.6))
    with pytest.raises(UsageError, match="== is for counts"):
        judged(GateRule("auc", "==", 0.5), measure)


def test_the_worst_word_wins_and_a_warning_changes_nothing():
    good, bad, open_ = verdict(">=", 0.5, 0.9), verdict(">=", 0.5, 0.1), verdict(">=", 0.5, 0.6, 0.4, 0.7)
    assert overall([good, good, verdict(">=", 0.5, 0.1, severity="warn")]) == "pass"
    assert overall([good, open_]) == "inconclusive"
    assert overall([open_, bad, good]) == "fail"
    assert overall([]) == "inconclusive"


def test_the_message_says_what_was_found_and_wanted():
    rule = GateRule("tpr", ">=", 0.8, at="fpr<=0.01")
    said = judged(rule, STATED, model="F").message
    assert said == (
        "F: tpr at fpr<=0.01 is 0.75 [0.6, 0.85] (95%): it could be as low as 0.6, which is not >= 0.8; "
        "about 300 more cases like these, 400 in all (80 positive), would decide against the rule if the value stays as it is"
    )


@pytest.mark.parametrize(
    ("metric", "clusters", "said"),
    [
        ("macro_auc", None, r"; about (\d+) more cases like these, (\d+) in all, would decide if"),
        ("auc", 50, r"; about (\d+) more clusters like these, (\d+) in all, would decide against the rule if"),
    ],
)
def test_what_would_decide_is_told_with_what_there_is_already(metric, clusters, said):
    about = evidence()
    about.unit = replace(about.unit, clusters=clusters)
    message = verdict_of(GateRule(metric, ">=", 0.8), STATED, evidence=about).message
    more, whole = map(int, re.search(said, message).groups())
    assert whole == more + (clusters or 100)
    assert more > 0


@pytest.mark.parametrize(
    ("limit", "value", "said"),
    [
        (0.85, 0.84999999, "auc is 0.84999999, and the rule is >= 0.85"),
        (0.85, 0.85000001, "auc is 0.85000001, and the rule is >= 0.85"),
        (0.85, 0.85, "auc is 0.85, and the rule is >= 0.85"),
        (0.8500001, 0.8, "auc is 0.8, and the rule is >= 0.8500001"),
        (100, 1234567, "auc is 1234567, and the rule is >= 100"),
        (1e300, inf, "auc is inf, and the rule is >= 1e+300"),
    ],
)
def test_a_message_is_not_rounded_to_the_other_side(limit, value, said):
    message = judged(GateRule("auc", ">=", limit), Measure(value, None)).message
    assert message == f"m: {said}"


def test_a_level_is_not_rounded_to_certainty():
    measure = Measure(0.9, Interval(0.5, 0.99))
    said = judged(GateRule("auc", ">=", 0.8), measure, level=0.9999999).message
    assert "(99.99999%)" in said
