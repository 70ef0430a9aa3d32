"""Whatever the cases, a report says of a rule what the results it was written from say."""

import json
from dataclasses import replace
from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocconf
from rocconf.answer import Answer
from rocconf.errors import InputError
from rocconf.gate import judge_all, overall, parse_rule
from rocconf.gate.saved import judge_reports
from rocconf.read import Input
from rocconf.read.json_report import read_saved
from rocconf.records import ScoreCounts
from rocconf.report import write

AT = ("threshold=2", "closest", "fpr<=0.3", "chi2")
COUNTED, RATES = ("tp", "fn", "threshold"), ("tpr", "precision", "npv", "mcc", "f1", "lift", "youden_j", "diff")
WHOLE = ("n", "positives", "prevalence", "auc", "auc.point", "thresholds")
METRICS = (*WHOLE, *(f"{name}@{at}" for name in (*COUNTED, *RATES) for at in AT))
CASES = st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=2, max_size=30).filter(
    lambda cases: len({label for label, _ in cases}) == 2
)
RULES = st.lists(
    st.tuples(
        st.sampled_from(METRICS), st.sampled_from([">=", ">", "<=", "<"]), st.integers(-10, 40).map(lambda k: k / 10)
    ),
    min_size=1,
    max_size=8,
    unique=True,
).map(lambda parts: [parse_rule(f"{metric} {op} {limit}") for metric, op, limit in parts])


def counts_of(cases, **more):
    scores, labels = [score for _, score in cases], [label for label, _ in cases]
    return ScoreCounts.of(scores, labels, [not label for label in labels], **more)


def saved(result, verdicts=()):
    """What is read of the report that a result makes."""
    stream = StringIO()
    write(Answer((result,), tuple(verdict.to_dict() for verdict in verdicts)), "json", stream)
    return read_saved(Input("a.json", None, stream.getvalue().encode()), newest=1)


def judged(report, rules, kind):
    return judge_reports([report], [rules], [kind], allow_in_sample=True, asked={}).verdicts[0]


@settings(max_examples=60)
@given(CASES, RULES, st.sampled_from([0.5, 0.9, 0.95, 0.999]), st.booleans())
def test_a_report_says_what_its_result_says(cases, rules, level, turned):
    counts = counts_of(cases, lower_is_positive=turned)
    result = rocconf.sweep(counts, at=AT, level=level)
    expected = [verdict.to_dict() for verdict in judge_all(rules, [result], level=level, choice={})]
    again = judged(saved(result), rules, rocconf.Sweep)
    assert [verdict.to_dict() for verdict in again] == expected
    carried = judged(saved(result, judge_all(rules, [result], level=level, choice={})), (), rocconf.Sweep)
    assert [{**verdict.to_dict(), "message": ""} for verdict in carried] == [
        {**each, "message": ""} for each in expected
    ]
    assert overall(again) == overall(carried)


@settings(max_examples=30)
@given(CASES, st.sampled_from([0.5, 0.8, 0.99]))
def test_an_area_has_its_interval_at_any_level(cases, level):
    counts = counts_of(cases)
    rule = parse_rule("auc >= 0.5")
    (there,) = judge_all([rule], [rocconf.sweep(counts, level=level)], level=level, choice={})
    report = saved(rocconf.sweep(counts))
    (here,) = judged(report, [replace(rule, level=level)], rocconf.Sweep)
    assert here.measure == there.measure


@settings(max_examples=40)
@given(CASES, st.sampled_from(["cauc", "cauc_roc", "aved", "aved_abs"]), st.integers(-1, 4).map(lambda k: k / 4))
def test_a_report_says_of_what_was_drawn_what_its_result_says(cases, metric, limit):
    result = rocconf.tango(counts_of(cases), bootstrap=40)
    rules = [parse_rule(f"{metric} {op} {limit}") for op in (">=", "<=")]
    expected = [verdict.to_dict() for verdict in judge_all(rules, [result], level=0.95, choice={})]
    again = judged(saved(result), rules, rocconf.ConfidentSegment)
    assert [verdict.to_dict() for verdict in again] == expected


@pytest.mark.parametrize("change", [{"in_sample": "no"}, {"tp": 99}, {"tp": -1}, {"tp": 1.5}, {"model": "other"}])
def test_an_operating_point_must_be_one_of_its_model(change):
    result = rocconf.sweep(counts_of([(True, 2), (False, 1)]), at="threshold=2")
    record = Answer((result,)).to_dict()
    record["tables"]["operating_points"][0] |= change
    with pytest.raises(InputError, match=r"a\.json: the report has .* \(in operating_points\[0\]\)"):
        read_saved(Input("a.json", None, json.dumps(record).encode()), newest=1)
