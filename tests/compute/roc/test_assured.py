"""Assured thresholds: the reference, the definition case by case, and what is refused."""

import json
import math
from fractions import Fraction

import pytest
from conftest import REFERENCE, SAMPLE_DATA
from hypothesis import given
from hypothesis import strategies as st
from strategies import ODD_SCORES, counted, examples

import rocconf
from rocconf.compute.roc.operating import operating_point, parse_point_rule, parse_point_rules
from rocconf.compute.stats.binomial import least_within
from rocconf.errors import UndefinedError, UsageError
from rocconf.records import ScoreCounts

KNOWN = json.loads((REFERENCE / "assured.json").read_text(encoding="utf-8"))
HYPOTHYROID = "hypothyroid.csv:F"


def chosen(counts, text, **options):
    return operating_point(counts, parse_point_rule(text), **options)


@pytest.mark.parametrize("row", KNOWN["on_scores"], ids=lambda row: f"{row['rule']} {row['D']} {row['k']}")
def test_a_rate_of_one_class_has_the_threshold_of_the_reference(row):
    scores, labels = row["negatives"] + row["positives"], [0] * len(row["negatives"]) + [1] * len(row["positives"])
    rule = f"{row['rule']} assured {row['D']}"
    if row["k"] is None:
        with pytest.raises(UndefinedError, match="takes at least"):
            chosen(counted(scores, labels), rule)
    else:
        point = chosen(counted(scores, labels), rule)
        assert (point.threshold, point.tp, point.fp) == (row["threshold_ge"], row["tp"], row["fp"])
        assert point.in_sample
        assert not point.tied


@pytest.mark.parametrize("row", KNOWN["precision"], ids=lambda row: row["cases"])
def test_a_precision_has_the_threshold_of_the_reference(row):
    if row["cases"] == HYPOTHYROID:
        counts = rocconf.count(rocconf.read_predictions(SAMPLE_DATA / "hypothyroid.csv", score="F"))
    else:
        cases = KNOWN["cases"][row["cases"]]
        counts = counted(cases["score"], cases["label"])
    rule = f"precision>={row['x']} assured {row['D']}"
    if row["flagged"] is None:
        with pytest.raises(UndefinedError, match=f"the {row['grid'][0]} highest scores would have to be positive"):
            chosen(counts, rule)
    else:
        point = chosen(counts, rule)
        assert (point.threshold, point.tp, point.tp + point.fp) == (
            *(row["threshold_ge"], row["positives"], row["flagged"]),
        )


odd_classes = st.lists(st.sampled_from(ODD_SCORES), min_size=5, max_size=25)


@given(odd_classes, odd_classes, st.booleans(), st.sampled_from(["0.3", "0.5", "0.9"]), st.sampled_from(["0.6", "0.8"]))
@examples(150)
def test_a_threshold_leaves_out_the_kth_negative_and_takes_the_kth_positive(neg, pos, lower, x, assurance):
    counts = counted(neg + pos, [0] * len(neg) + [1] * len(pos), lower_is_positive=lower)
    sign = -1 if lower else 1
    for rate, scores, share in (("fpr<=", neg, 1 - Fraction(x)), ("tpr>=", pos, Fraction(x))):
        order = least_within(len(scores), share, 1 - Fraction(assurance))
        if order is None:
            with pytest.raises(UndefinedError):
                chosen(counts, f"{rate}{x} assured {assurance}")
            continue
        point = chosen(counts, f"{rate}{x} assured {assurance}")
        ranked = sorted((sign * score for score in scores), reverse=rate == "tpr>=")
        kth = ranked[order - 1]
        over = [sign * score > kth if rate == "fpr<=" else sign * score >= kth for score in neg + pos]
        assert (point.tp, point.fp) == (sum(over[len(neg) :]), sum(over[: len(neg)]))
        if point.threshold is None:
            assert kth == math.inf
            assert not any(over)
        else:
            assert [sign * score >= sign * point.threshold for score in neg + pos] == over


def test_a_threshold_chosen_on_other_cases_is_judged_on_these():
    here, there = counted([1, 2, 3, 4], [0, 1, 0, 1]), counted(list(range(40)), [0] * 30 + [1] * 10)
    point = chosen(here, "fpr<=0.1 assured 0.95", choose_on=there)
    assert not point.in_sample
    assert point.threshold == math.nextafter(29, 30)
    assert (point.tp, point.fp) == (0, 0)


def test_all_cases_can_have_the_precision():
    counts = ScoreCounts.of([2, 1], [300, 300], [1, 2])
    assert chosen(counts, "precision>=0.9 assured 0.95").threshold == -math.inf
    turned = ScoreCounts.of([1, 2], [300, 300], [1, 2], lower_is_positive=True)
    assert chosen(turned, "precision>=0.9 assured 0.95").threshold == math.inf


def test_tied_cases_are_flagged_together_or_not_at_all():
    """With 60 positives tied at the top and negatives below: 44 tests nothing, 60 and more test 60 of 60."""
    counts = ScoreCounts.of([2, 1], [60, 20], [0, 40])
    point = chosen(counts, "precision>=0.9 assured 0.95")
    assert (point.tp, point.fp, point.threshold) == (60, 0, math.nextafter(1, 2))


def test_an_infinite_score_cannot_be_left_out_by_a_larger_one():
    counts = ScoreCounts.of([math.inf, 0], [9, 1], [3, 20])
    assert chosen(counts, "fpr<=0.1 assured 0.85").threshold is None
    with pytest.raises(UndefinedError, match="no threshold shows"):
        chosen(ScoreCounts.of([math.inf], [50], [50]), "precision>=0.9 assured 0.95")


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ("fpr<=0.05 assured 0.95", "takes at least 59 negatives, and there are 58"),
        ("tpr>=0.95 assured 0.95", "takes at least 59 positives, and there are 20"),
        ("precision>=0.99 assured 0.99", "takes at least 619 cases, and there are 78"),
        ("precision>=0.9 assured 0.95", "the 44 highest scores would have to be positive, .* 20 of the 44 highest are"),
        ("fpr<=0 assured 0.95", "no number of cases assures"),
        ("tpr>=1 assured 0.95", "no number of cases assures"),
        ("precision>=1 assured 0.95", "no number of cases assures"),
    ],
)
def test_too_few_cases_are_refused_with_what_it_takes(rule, fault):
    counts = counted(list(range(78)), [0] * 58 + [1] * 20)
    with pytest.raises(UndefinedError, match=fault):
        chosen(counts, rule)


def test_an_assurance_is_given_to_every_rule_that_chooses():
    rules = parse_point_rules(["fpr<=0.1", "0.5", "tpr>=.9 assured 0.8"], 0.95)
    assert [rule.text for rule in rules] == ["fpr<=0.1 assured 0.95", "0.5", "tpr>=.9 assured 0.8"]
    assert [rule.assurance for rule in rules] == [Fraction(19, 20), None, Fraction(4, 5)]
    assert parse_point_rule(rules[0].text).meaning == rules[0].meaning


@pytest.mark.parametrize("rule", ["closest", "youden", "f1", "alerts<=5", "cost=1:2"])
def test_a_rule_without_a_rate_cannot_be_assured(rule):
    with pytest.raises(UsageError, match="promises no rate"):
        parse_point_rules(["fpr<=0.1", rule], 0.95)


def test_an_assurance_of_nothing_is_an_error():
    for at in ((), ("threshold=0.5",)):
        with pytest.raises(UsageError, match="needs an operating point"):
            parse_point_rules(at, 0.95)


def test_an_assured_precision_is_that_of_the_cases_sampled():
    counts = ScoreCounts.of([2, 1], [300, 10], [1, 200])
    assert rocconf.sweep(counts, at="precision>=0.9", assurance=0.95).points[0].tp == 300
    with pytest.raises(UsageError, match="not of another prevalence"):
        rocconf.sweep(counts, at="precision>=0.9", assurance=0.95, prevalence=0.01)
    with pytest.raises(UsageError, match="not of another prevalence"):
        rocconf.sweep(counts, at="precision>=0.9 assured 0.95", prevalence=0.01)
