"""Rules on the cases that chose the threshold: allowed where the promise covers them, live and saved, and nowhere else."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from gating import judged, text_of
from strategies import counted

import rocconf
from rocconf.conditions import parse_conditions
from rocconf.errors import InputError, UndefinedError, UsageError
from rocconf.gate import chooses_in_sample, parse_gate_rule

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
        f"{metric}@fpr<=0.1 assured 0.975 >= 0.1"
        for metric in (
            "precision",
            "npv",
            "accuracy",
            "balanced_accuracy",
            "f1",
            "mcc",
            "youden_j",
            "lift",
            "threshold",
        )
    ),
    *(f"{metric}@fpr<=0.1 assured 0.975 <= 0.9" for metric in ("predicted_positive_rate", "diff")),
    "tp@fpr<=0.1 assured 0.975 >= 2",
    "fp@fpr<=0.1 assured 0.975 <= 90",
    *(f"delta_{metric}@fpr<=0.1 assured 0.975 >= -0.5" for metric in ("tpr", "specificity")),
]


RANDOM = np.random.default_rng(1)
SCORES = np.concatenate([RANDOM.normal(2.5, 1, 150), RANDOM.normal(0, 1, 400)]).round(3)
COUNTS = counted(SCORES, [1] * 150 + [0] * 400)


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
    with pytest.raises(UsageError, match="goes beyond"):
        rocconf.judge(rocconf.sweep(COUNTS, level=0.9), replace(rule, level=0.95))


@pytest.mark.parametrize("choose_on", [{}, {"another": COUNTS}])
def test_cases_to_choose_on_of_no_model_are_none(choose_on):
    with pytest.raises(UsageError, match="flatters"):
        rocconf.judge(rocconf.sweep(COUNTS), "tpr@youden >= 0.1", choose_on=choose_on)


def test_a_part_of_the_cases_has_no_promise():
    rule = parse_gate_rule(COVERED[0])
    assert chooses_in_sample(replace(rule, where=parse_conditions(["site=a"], "where")), 0.95)
    assert chooses_in_sample(replace(rule, by="site"), 0.95)


def test_a_rule_about_the_promise_passes_and_one_about_the_other_class_is_judged_on_its_interval():
    swept = rocconf.sweep(COUNTS, at="fpr<=0.05", assurance=0.975)
    rules = [f"{metric}@fpr<=0.05 assured 0.975 {what}" for metric, what in [("fpr", "<= 0.05"), ("tpr", ">= 0.99")]]
    promised, other = rocconf.judge(swept, rules)
    assert promised.outcome == "pass"
    assert other.outcome == "fail"


ASSURED = ("fpr@fpr<=0.1 assured 0.975 <= 0.1", "tpr@fpr<=0.1 assured 0.975 >= 0.2")


def test_a_report_of_assured_points_is_judged_as_its_run_was():
    swept = rocconf.sweep(COUNTS, at=["fpr<=0.1", "tpr>=0.8", "precision>=0.7"], assurance=0.975)
    rules = [*ASSURED, "tpr@tpr>=0.8 assured 0.975 >= 0.8", "precision@precision>=0.7 assured 0.975 >= 0.7"]
    live = [each.to_dict() for each in rocconf.judge(swept, rules)]
    assert [each["verdict"] for each in live] == ["pass"] * 4
    assert [each.to_dict() for each in judged(text_of(swept), *rules)] == live
    assert [each.to_dict() for each in judged(text_of(swept, *rules))] == live


@pytest.mark.parametrize(
    "rule", [*NOT_COVERED[:4], "fpr@fpr<=0.1 assured 0.975 <= 0.05", "f1@fpr<=0.1 assured 0.975 >= 0.1"]
)
def test_a_report_of_assured_points_is_judged_by_no_other_rule(rule):
    text = text_of(rocconf.sweep(COUNTS, at=["fpr<=0.1", "fpr<=1/3"], assurance=0.975))
    with pytest.raises(InputError):
        judged(text, rule)


def test_a_report_of_points_without_assurance_has_none():
    text = text_of(rocconf.sweep(COUNTS, at=["fpr<=0.1"]), "fpr@fpr<=0.1 <= 0.2", "tpr@fpr<=0.1 >= 0.2")
    assert all(each.outcome == "pass" for each in judged(text, allow_in_sample=True))
    for typed in ((), ASSURED):
        with pytest.raises(InputError):
            judged(text, *typed)


def test_a_comparison_judges_each_model_at_its_own_assured_threshold():
    random = np.random.default_rng(4)
    labels = np.arange(500) % 3 == 0
    scores = {name: (labels * shift + random.normal(size=500)).round(3) for name, shift in (("a", 2.0), ("b", 2.2))}
    compared = rocconf.compare(rocconf.Predictions(labels, scores), baseline="a", at="fpr<=0.1", assurance=0.975)
    rules = ["fpr@fpr<=0.1 assured 0.975 <= 0.1", "tpr[a]@fpr<=0.1 assured 0.975 >= 0.3"]
    live = rocconf.judge(compared, rules)
    assert [(each.model, each.outcome) for each in live] == [("b", "pass"), ("a", "pass")]
    assert [each.outcome for each in judged(text_of(compared, *rules))] == ["pass", "pass"]
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
