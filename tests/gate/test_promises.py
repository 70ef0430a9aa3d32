"""Rules on the cases that chose the threshold: allowed where the promise covers them, live and saved, and nowhere else."""

from io import StringIO
from math import sqrt

import numpy as np
import pytest
from strategies import counted

import rocconf
from rocconf.answer import Answer
from rocconf.conditions import parse_conditions
from rocconf.errors import InputError, UndefinedError, UsageError
from rocconf.gate import chooses_in_sample, judge_reports, judge_results, overall, parse_gate_rule
from rocconf.read import Input, read_report
from rocconf.report import write

COVERED = [
    "fpr@fpr<=0.1 assured 0.975 <= 0.1",
    "fpr@fpr<=0.1 assured 0.975 <= 0.10000000000000001",
    "fpr@fpr<=0.1 assured 0.975 < 0.11",
    "fpr@fpr<=1/3 assured 0.99 <= 0.33333333333333337",
    "specificity@fpr<=0.1 assured 0.975 >= 0.9",
    "specificity@fpr<=0.1 assured 0.975 > 0.8",
    "fpr@specificity>=0.9 assured 0.975 <= 0.1",
    "specificity@specificity>=0.71 assured 0.975 >= 0.71",
    "tpr@tpr>=0.9 assured 0.975 >= 0.9",
    "tpr@fnr<=0.1 assured 0.975 > 0.85",
    "precision@precision>=0.8 assured 0.975 >= 0.8",
    "tpr@fpr<=0.1 assured 0.975 >= 0.99",
    "tpr@fpr<=0.1 assured 0.5 >= 0.2",
    "tpr@fpr<=0.1 assured 0.5 <= 0.9",
    "fpr@tpr>=0.9 assured 0.5 <= 0.01",
    "specificity@recall>=0.9 assured 0.5 >= 0.01",
]
NOT_COVERED = [
    "fpr@fpr<=0.1 assured 0.975 <= 0.09999999999999999",
    "fpr@fpr<=0.1 assured 0.975 < 0.1",
    "fpr@fpr<=1/3 assured 0.99 <= 0.3333333333333333",
    "fpr@fpr<=0.10000000000000000001 assured 0.975 <= 0.1",
    "specificity@fpr<=0.1 assured 0.975 >= 0.9000000000000001",
    "specificity@fpr<=0.1 assured 0.975 > 0.9",
    "specificity@fpr<=0.1 assured 0.975 <= 0.5",
    "fpr@fpr<=0.1 assured 0.975 >= 0.05",
    "fpr@fpr<=0.1 assured 0.9749999999999999 <= 0.1",
    "fpr@fpr<=0.1 assured 0.95 <= 0.1",
    "fpr.point@fpr<=0.1 assured 0.975 <= 0.1",
    "tpr.point@fpr<=0.1 assured 0.975 >= 0.5",
    "fpr@fpr<=0.1 <= 0.1",
    "tpr@fpr<=0.1 >= 0.5",
    "tpr@tpr>=0.9 assured 0.975 >= 0.91",
    "tpr@tpr>=0.9 assured 0.95 >= 0.9",
    "tpr@tpr>=0.9 assured 0.975 <= 0.99",
    "precision@precision>=0.8 assured 0.975 >= 0.81",
    "precision@precision>=0.8 assured 0.95 >= 0.8",
    "precision@precision>=0.8 assured 0.975 <= 0.9",
    "tpr@precision>=0.8 assured 0.975 >= 0.1",
    "fpr@precision>=0.8 assured 0.975 <= 0.9",
    "npv@precision>=0.8 assured 0.975 >= 0.1",
    *(
        f"{metric}@fpr<=0.1 assured 0.975 {op} {limit}"
        for metric, op, limit in [
            ("precision", ">=", 0.1),
            ("npv", ">=", 0.1),
            ("accuracy", ">=", 0.1),
            ("balanced_accuracy", ">=", 0.1),
            ("f1", ">=", 0.1),
            ("mcc", ">=", 0.1),
            ("youden_j", ">=", 0.1),
            ("lift", ">=", 0.1),
            ("predicted_positive_rate", "<=", 0.9),
            ("diff", "<=", 0.9),
            ("tp", ">=", 2),
            ("fp", "<=", 90),
            ("threshold", ">=", 0.1),
            ("delta_tpr", ">=", -0.5),
            ("delta_specificity", ">=", -0.5),
        ]
    ),
]


def a_sample(seed=1, p=150, q=400):
    random = np.random.default_rng(seed)
    scores = np.concatenate([random.normal(2.5, 1, p), random.normal(0, 1, q)]).round(3)
    return counted(scores, [1] * p + [0] * q)


COUNTS = a_sample()


@pytest.mark.parametrize("rule", COVERED)
def test_a_covered_rule_may_judge_the_cases_that_chose(rule):
    assert not chooses_in_sample(parse_gate_rule(rule), 0.95)
    (verdict,) = rocconf.judge(rocconf.sweep(COUNTS), rule)
    assert not verdict.is_flattered
    assert verdict.measure.at.in_sample


@pytest.mark.parametrize("rule", NOT_COVERED)
def test_every_other_rule_is_refused(rule):
    assert chooses_in_sample(parse_gate_rule(rule), 0.95)
    if "delta" not in rule:
        with pytest.raises(UsageError, match=r"flatters|goes beyond"):
            rocconf.judge(rocconf.sweep(COUNTS), rule)


def test_the_level_of_the_rule_and_of_the_run_ask_for_an_assurance():
    rule = parse_gate_rule("fpr@fpr<=0.1 assured 0.95 <= 0.1")
    assert not chooses_in_sample(rule, 0.9)
    assert chooses_in_sample(rule, 0.9000000000000001)
    assert chooses_in_sample(rule, None)
    assert len(rocconf.judge(rocconf.sweep(COUNTS, level=0.9), rule)) == 1
    stricter = type(rule)(**{name: getattr(rule, name) for name in rule.__slots__} | {"level": 0.95})
    with pytest.raises(UsageError, match="goes beyond"):
        rocconf.judge(rocconf.sweep(COUNTS, level=0.9), stricter)


def test_cases_to_choose_on_of_no_model_are_none():
    with pytest.raises(UsageError, match="flatters"):
        rocconf.judge(rocconf.sweep(COUNTS), "tpr@youden >= 0.1", choose_on={})
    with pytest.raises(UsageError, match="flatters"):
        rocconf.judge(rocconf.sweep(COUNTS), "tpr@youden >= 0.1", choose_on={"another": COUNTS})


def test_a_part_of_the_cases_has_no_promise():
    rule = parse_gate_rule(COVERED[0])
    part = type(rule)(
        **{name: getattr(rule, name) for name in rule.__slots__} | {"where": parse_conditions(["site=a"], "where")}
    )
    assert chooses_in_sample(part, 0.95)


def test_a_rule_about_the_promise_passes_and_one_about_the_other_class_is_judged_on_its_interval():
    swept = rocconf.sweep(COUNTS, at="fpr<=0.05", assurance=0.975)
    rules = [f"{metric}@fpr<=0.05 assured 0.975 {what}" for metric, what in [("fpr", "<= 0.05"), ("tpr", ">= 0.99")]]
    promised, other = rocconf.judge(swept, rules)
    assert promised.outcome == "pass"
    assert other.outcome == "fail"


def saved(result, *rules):
    verdicts = judge_results([parse_gate_rule(rule) for rule in rules], [result], choose_on={})
    answer = Answer((result,), tuple(each.to_dict() for each in verdicts), overall(verdicts) if rules else None)
    stream = StringIO()
    write(answer, "json", stream)
    return stream.getvalue()


def judged(text, *rules, allow=False):
    report = read_report(Input("r.json", None, text.encode()))
    kind = {"sweep": rocconf.Sweep, "compare": rocconf.Comparison}[report.command]
    parsed = [parse_gate_rule(rule) for rule in rules]
    return judge_reports([report], [parsed], [kind], allow_in_sample=allow, asked={}).verdicts[0]


ASSURED = ("fpr@fpr<=0.1 assured 0.975 <= 0.1", "tpr@fpr<=0.1 assured 0.975 >= 0.2")


def test_a_report_of_assured_points_is_judged_as_its_run_was():
    swept = rocconf.sweep(COUNTS, at=["fpr<=0.1", "tpr>=0.8", "precision>=0.7"], assurance=0.975)
    text = saved(swept)
    rules = [*ASSURED, "tpr@tpr>=0.8 assured 0.975 >= 0.8", "precision@precision>=0.7 assured 0.975 >= 0.7"]
    live = rocconf.judge(swept, rules)
    there = judged(text, *rules)
    assert [each.outcome for each in there] == [each.outcome for each in live]
    assert [each.message for each in there] == [each.message for each in live]
    assert all(each.outcome == "pass" for each in there)
    assert [each.outcome for each in judged(saved(swept, *rules))] == ["pass"] * 4


@pytest.mark.parametrize(
    "rule", [*NOT_COVERED[:4], "fpr@fpr<=0.1 assured 0.975 <= 0.05", "f1@fpr<=0.1 assured 0.975 >= 0.1"]
)
def test_a_report_of_assured_points_is_judged_by_no_other_rule(rule):
    text = saved(rocconf.sweep(COUNTS, at=["fpr<=0.1", "fpr<=1/3"], assurance=0.975))
    with pytest.raises(InputError):
        judged(text, rule)


def test_a_report_cannot_claim_an_assurance():
    text = saved(rocconf.sweep(COUNTS, at=["fpr<=0.1"]), "fpr@fpr<=0.1 <= 0.2", "tpr@fpr<=0.1 >= 0.2")
    assert all(each.outcome == "pass" for each in judged(text, allow=True))
    for typed in ((), ASSURED):
        with pytest.raises(InputError):
            judged(text, *typed)
        with pytest.raises(InputError, match="changed since"):
            judged(text.replace("fpr<=0.1", "fpr<=0.1 assured 0.975"), *typed)


def comparison(**options):
    random = np.random.default_rng(4)
    labels = np.arange(500) % 3 == 0
    scores = {name: (labels * shift + random.normal(size=500)).round(3) for name, shift in (("a", 2.0), ("b", 2.2))}
    return rocconf.compare(rocconf.Predictions(labels, scores), baseline="a", **options)


def test_a_comparison_judges_each_model_at_its_own_assured_threshold():
    compared = comparison(at="fpr<=0.1", assurance=0.975)
    rules = ["fpr@fpr<=0.1 assured 0.975 <= 0.1", "tpr[a]@fpr<=0.1 assured 0.975 >= 0.3"]
    live = rocconf.judge(compared, rules)
    assert [(each.model, each.outcome) for each in live] == [("b", "pass"), ("a", "pass")]
    text = saved(compared, *rules)
    assert [each.outcome for each in judged(text)] == ["pass", "pass"]
    with pytest.raises(UsageError, match="goes beyond"):
        rocconf.judge(compared, "delta_tpr@fpr<=0.1 assured 0.975 >= -0.9")


@pytest.mark.thorough
@pytest.mark.parametrize("promise", ["fpr", "tpr", "precision"])
def test_a_rule_passes_a_model_at_its_limit_in_the_share_of_its_level(promise):
    """Uniform scores, whose true rates are known: a pass is wrong where the true rate of the threshold is not within the limit.

    The rate of the other class is judged at a limit that is the true rate of each threshold, so that every pass is wrong.
    """
    random, level, wrong, wrong_other, runs = np.random.default_rng(11), 0.8, 0, 0, 120
    limit = {"fpr": 0.2, "tpr": 0.8, "precision": 0.6}[promise]
    op = "<=" if promise == "fpr" else ">="
    labels = np.arange(160) % 2 == 0
    for _ in range(runs):
        scores = np.where(labels, random.random(160) ** 0.25, random.random(160))
        counts = counted(scores, labels)
        at = f"{promise}{op}{limit} assured {(1 + level) / 2}"
        try:
            result = rocconf.sweep(counts, at=at, level=level)
        except UndefinedError:
            continue
        t = min(max(result.points[0].threshold, 0.0), 1.0)
        true = {"tpr": 1 - t**4, "fpr": 1 - t}
        true["precision"] = true["tpr"] / (true["tpr"] + true["fpr"])
        (verdict,) = rocconf.judge(result, f"{promise}@{at} {op} {limit}")
        is_kept = true[promise] <= limit if promise == "fpr" else true[promise] >= limit
        wrong += verdict.outcome == "pass" and not is_kept
        if promise != "precision":
            other, its = ("tpr", ">=") if promise == "fpr" else ("fpr", "<=")
            (verdict,) = rocconf.judge(result, f"{other}@{at} {its} {true[other]!r}")
            wrong_other += verdict.outcome == "pass"
    most = runs * (1 - level) / 2 + 3 * sqrt(runs * (1 - level) / 2)
    assert wrong <= most
    assert wrong_other <= most
