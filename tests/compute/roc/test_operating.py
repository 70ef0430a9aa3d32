"""Operating points: the published ones, and every rule decided by brute force in whole numbers."""

import json
import math
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from conftest import REFERENCE
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import counted, examples, points_of, tied_cases

from rocconf.compute.roc.counts import count
from rocconf.compute.roc.operating import operating_point, parse_point_rule
from rocconf.errors import UndefinedError, UsageError
from rocconf.records import CHUNK, Predictions, ScoreCounts

TABLE_1 = json.loads((REFERENCE / "table1_roc.json").read_text(encoding="utf-8"))
TEN = counted(TABLE_1["scores"], TABLE_1["labels"])
HAMEL_POINTS = ScoreCounts.of([0.5, 0.35, 0.1], [90, 5, 5], [35, 10, 55])


def chosen(counts, text, **options):
    return operating_point(counts, parse_point_rule(text), **options)


@pytest.mark.parametrize("rule", TABLE_1["operating_points"])
def test_the_worked_example_has_its_points(rule):
    point, expected = chosen(TEN, rule), TABLE_1["operating_points"][rule]
    assert {name: getattr(point, name) for name in ("threshold", "tp", "fp")} | {"tied": list(point.tied)} == expected
    assert point.in_sample


@pytest.mark.parametrize("rule", ["closest", "youden", "accuracy", "cost=1:1.9", "cost=10:19"])
def test_hamels_point_a_beats_the_one_he_calls_optimal(rule):
    assert (chosen(HAMEL_POINTS, rule).tp, chosen(HAMEL_POINTS, rule).fp) == (90, 35)


def test_hamels_optimal_point_wins_once_a_miss_costs_more_than_two_false_alarms():
    assert chosen(HAMEL_POINTS, "cost=1:2.1").threshold == 0.35
    break_even = chosen(HAMEL_POINTS, "cost=1:2")
    assert (break_even.threshold, break_even.tied) == (0.5, (0.35,))


def objective(text, p, q):
    """What a rule makes large, as a fraction; None where the rule does not look."""
    name, _, numbers = text.partition("=")
    if name in ("f1", "fbeta"):
        beta = Fraction(numbers or 1)
        return lambda tp, fp: (1 + beta**2) * Fraction(tp) / ((1 + beta**2) * tp + beta**2 * (p - tp) + fp)
    if name == "cost":
        alarm, miss, *target = map(Fraction, numbers.split(":"))
        share = target[0] if target else Fraction(p, p + q)
        return lambda tp, fp: -share * miss * Fraction(p - tp, p) - (1 - share) * alarm * Fraction(fp, q)

    def chi2(tp, fp):
        n, flagged, difference = p + q, tp + fp, Fraction(tp, p) - Fraction(fp, q)
        if difference < 0:
            return None
        return p * q * n * difference**2 / (flagged * (n - flagged)) if 0 < flagged < n else Fraction(0)

    def mcc(tp, fp):
        """Its square with its sign, 0 where all are predicted alike; the root would lose ties."""
        above, flagged = tp * (q - fp) - fp * (p - tp), tp + fp
        return Fraction(above * abs(above), p * q * flagged * (p + q - flagged)) if 0 < flagged < p + q else Fraction(0)

    return {
        "mcc": mcc,
        "closest": lambda tp, fp: -(Fraction(fp, q) ** 2) - Fraction(p - tp, p) ** 2,
        "youden": lambda tp, fp: Fraction(tp, p) - Fraction(fp, q),
        "accuracy": lambda tp, fp: Fraction(tp + q - fp, p + q),
        "chi2": chi2,
    }[name]


def by_brute_force(counts, text):
    """Give (threshold, tp, fp) of all best points, smallest fp first, then largest tp."""
    value = objective(text, counts.p, counts.q)
    rows = [
        (value(tp, fp), fp, -tp, None if threshold in (math.inf, -math.inf) and not tp + fp else threshold)
        for threshold, (tp, fp) in zip(counts.thresholds.tolist(), points_of(counts), strict=True)
    ]
    rows = [row for row in rows if row[0] is not None]
    best = max(row[0] for row in rows)
    return [
        (threshold, -tp, fp) for found, fp, tp, threshold in sorted(rows, key=lambda row: row[1:3]) if found == best
    ]


RULES = (
    *("closest", "youden", "accuracy", "chi2", "cost", "cost=1:1", "cost=1:5", "cost=3:1"),
    *("cost=0.1:0.3:0.25", "cost=1:7:1/1000", "cost=1e-6:2.5"),
    *("f1", "fbeta=2", "fbeta=0.5", "mcc"),
)


REVERSED = np.arange(3), np.array([True, True, False])
"""The worst threshold has the largest chi-square; predicting nothing, or everything, positive is the best."""


def agree(counts, rule):
    point, expected = chosen(counts, rule), by_brute_force(counts, "cost=1:1" if rule == "cost" else rule)
    assert (point.threshold, point.tp, point.fp) == expected[0]
    assert point.tied == tuple(threshold for threshold, _, _ in expected[1:])


@pytest.mark.parametrize("rule", RULES)
@given(cases=tied_cases(), lower=st.booleans(), size=st.integers(1, 5) | st.just(CHUNK))
@example(cases=REVERSED, lower=False, size=CHUNK)
@examples(40)
def test_the_best_points_are_found_with_all_their_ties_in_any_chunk(rule, cases, lower, size):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rocconf.records.CHUNK", size)
        agree(counted(*cases, lower_is_positive=lower), rule)


cases_of_a_score = st.integers(0, 2) | st.integers(0, 3 * 10**9) | st.integers(0, 2**50)
HALF = 15 * 10**8


@pytest.mark.parametrize("rule", RULES)
@given(
    columns=st.lists(st.tuples(cases_of_a_score, cases_of_a_score), min_size=2, max_size=7).filter(
        lambda columns: all(sum(column) for column in zip(*columns, strict=True))
    )
)
@example(columns=[(0, HALF // 2 - 1), (HALF, HALF + 1), (HALF, HALF // 2)])
@example(columns=[(0, HALF // 2 + 1), (HALF, HALF - 1), (HALF, HALF // 2)])
@example(columns=[(1, HALF), (1, 2), (HALF, HALF - 3)])  # f1 differs by 1e-19
@example(columns=[(HALF, HALF + 1), (HALF - 1, HALF)])  # two rates that are the same float
@examples(40)
def test_ties_are_decided_in_whole_numbers_at_any_size(rule, columns):
    """Here points differ by one case in 3e9, which no float of a rate tells apart from a tie."""
    agree(ScoreCounts.of(range(len(columns)), *zip(*columns, strict=True)), rule)


@given(tied_cases(), st.fractions(0, 1, max_denominator=60))
def test_a_limit_of_a_rate_finds_the_best_other_rate_that_keeps_it(cases, limit):
    counts, points = counted(*cases), points_of(counted(*cases))
    point = chosen(counts, f"fpr<={limit}")
    assert (point.tp, -point.fp) == max((tp, -fp) for tp, fp in points if fp / counts.q <= float(limit))
    assert point.tied == ()
    point = chosen(counts, f"tpr>={limit}")
    assert (point.fp, -point.tp) == min((fp, -tp) for tp, fp in points if tp / counts.p >= float(limit))


@given(tied_cases(), st.fractions(0, 1, max_denominator=60))
def test_a_least_precision_finds_the_largest_tpr_that_has_it(cases, limit):
    counts = counted(*cases)
    having = [(tp, -fp) for tp, fp in points_of(counts) if tp + fp and tp / (tp + fp) >= float(limit)]
    if having:
        point = chosen(counts, f"precision>={limit}")
        assert (point.tp, -point.fp) == max(having)
    else:
        best = max(tp / (tp + fp) for tp, fp in points_of(counts) if tp + fp)
        with pytest.raises(UndefinedError, match=f"the highest is {best:.4g}$"):
            chosen(counts, f"precision>={limit}")


@given(tied_cases(), st.integers(1, 40))
def test_so_many_alerts_are_the_most_cases_within_them(cases, most):
    counts = counted(*cases)
    for rule, within in ((f"alerts<={most}", most), (f"alerts<={most}%", Fraction(most * counts.n, 100))):
        point = chosen(counts, rule)
        assert point.tp + point.fp == max(tp + fp for tp, fp in points_of(counts) if tp + fp <= within)


@pytest.mark.parametrize("percent", range(2, 99))
def test_a_decimal_limit_loses_no_case(percent):
    """.29 * 100 is 28.999999999999996 in floats; fp/Q <= .29 keeps the twenty-ninth."""
    for q in (100, 10_000, 10**7):
        allowed = percent * q // 100
        counts = ScoreCounts.of([3, 2, 1], [1, 1, 1], [allowed - 1, 1, q - allowed])
        assert chosen(counts, f"fpr<={percent / 100!r}").fp == allowed
    counts = ScoreCounts.of([3, 2, 1], [percent - 1, 1, 100 - percent], [1, 1, 1])
    assert chosen(counts, f"tpr>={percent / 100!r}").tp == percent
    counts = ScoreCounts.of([3, 2, 1], [1, 1, 0], [percent - 2, 0, 100 - percent])
    point = chosen(counts, f"alerts<={percent}%")
    assert point.tp + point.fp == percent


def test_a_printed_rate_is_within_its_own_limit():
    counts = ScoreCounts.of([3, 2, 1], [1, 1, 1], [0, 1, 2])
    assert chosen(counts, f"fpr<={1 / 3!r}").fp == 1
    assert chosen(counts, f"tpr>={2 / 3!r}").tp == 2


def test_an_infinite_score_can_be_chosen():
    counts = ScoreCounts.of([math.inf, 0], [5, 0], [0, 5])
    assert chosen(counts, "closest").threshold == math.inf
    assert chosen(counts, "tpr>=0").threshold == math.inf


@given(tied_cases(), tied_cases(), st.sampled_from((*RULES, "threshold=0.3")))
def test_a_threshold_chosen_on_other_cases_is_judged_on_these(here, there, rule):
    counts, other = counted(*here), counted(*there)
    point, theirs = chosen(counts, rule, choose_on=other), chosen(other, rule)
    assert (point.threshold, point.tied) == (theirs.threshold, theirs.tied)
    assert not point.in_sample
    given_one = [] if point.threshold is None else here[1][here[0] >= point.threshold].tolist()
    assert (point.tp, point.fp) == (sum(given_one), len(given_one) - sum(given_one))


def test_other_cases_must_have_the_same_direction_and_both_classes():
    with pytest.raises(UsageError, match="opposite directions"):
        chosen(TEN, "closest", choose_on=counted([1, 2], [0, 1], lower_is_positive=True))
    for none in (counted([], []), counted([1], [1])):
        with pytest.raises(UndefinedError, match="needs both classes"):
            chosen(TEN, "closest", choose_on=none)


@pytest.mark.parametrize(
    ("text", "name", "numbers"),
    [
        ("closest", "closest", ()),
        (" youden ", "youden", ()),
        ("mcc", "mcc", ()),
        ("f1", "fbeta", (1,)),
        ("cost", "cost", (1, 1)),
        ("cost=1:5", "cost", (1, 5)),
        ("cost = 0.5 : 5 : 1e-3", "cost", (Fraction(1, 2), 5, Fraction(1, 1000))),
        ("fpr<=0.29", "fpr", (Fraction(29, 100),)),
        ("fpr <= 1/3", "fpr", (Fraction(1, 3),)),
        ("specificity>=0.71", "fpr", (Fraction(29, 100),)),
        ("tpr>=1", "tpr", (1,)),
        ("recall>=0.9", "tpr", (Fraction(9, 10),)),
        ("sensitivity >= 9/10", "tpr", (Fraction(9, 10),)),
        ("fnr<=0.1", "tpr", (Fraction(9, 10),)),
        ("alerts<=5", "alerts", (5,)),
        ("alerts<=5%", "alerts%", (5,)),
        ("threshold=-2.5", "threshold", (Fraction(-5, 2),)),
        ("threshold=1e-400", "threshold", (Fraction(1, 10**400),)),
        ("-3", "threshold", (-3,)),
    ],
)
def test_a_rule_is_parsed_exactly_and_keeps_its_text(text, name, numbers):
    rule = parse_point_rule(text)
    assert (rule.text, rule.meaning) == (text, (name, numbers, None))
    assert rule.chooses == (name != "threshold")


def test_an_assurance_is_a_part_of_the_meaning():
    texts = ("specificity>=0.71 assured .95", "fpr<=0.29 assured 0.950", "fpr<=0.29 assured 0.9", "fpr<=0.29")
    meanings = [parse_point_rule(text).meaning for text in texts]
    assert [meanings.index(each) for each in meanings] == [0, 0, 2, 3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("best", "no rule 'best' for an operating point .a rule is closest, youden, accuracy, f1, fbeta=B, mcc"),
        ("", "no rule ''"),
        ("fpr>=0.1", "no rule 'fpr>=0.1'"),
        ("fpr<=", "no rule 'fpr<='"),
        ("fpr<=x", "rule 'fpr<=x': 'x' is not a finite number"),
        ("fpr<=1.1", r"a rate must be in \[0, 1\]"),
        ("tpr>=-0.1", r"a rate must be in \[0, 1\]"),
        ("tpr>=0.1:0.2", "cost takes FP:FN or FP:FN:PREVALENCE, the others one number"),
        ("cost=1", "cost takes FP:FN or FP:FN:PREVALENCE"),
        ("cost=1:2:0.5:4", "cost takes FP:FN or FP:FN:PREVALENCE"),
        ("cost=0:1", "costs must be above 0"),
        ("cost=1:0", "costs must be above 0"),
        ("cost=1:2:0", "a prevalence must be between 0 and 1"),
        ("cost=1:2:1", "a prevalence must be between 0 and 1"),
        ("cost=1:", "'' is not a finite number"),
        ("cost=1:inf", "'inf' is not a finite number"),
        ("threshold=inf", "'inf' is not a finite number"),
        ("threshold=nan", "'nan' is not a finite number"),
        ("threshold=1/0", "'1/0' is not a finite number"),
        ("9007199254740993", "a 64-bit float cannot hold"),
        ("threshold=9007199254740993", "a 64-bit float cannot hold"),
        ("threshold=1e400", "'1e400' is not a finite number"),
        ("threshold=1e-999999999", "is not a finite number"),
        *(
            (f"fbeta={beta}", "beta must be between 0.001 and 1000")
            for beta in ("0", "-1", "1e200", "1e-200", "1000.1")
        ),
        ("precision>=2", r"a rate must be in \[0, 1\]"),
        ("fnr<=-0.1", r"a rate must be in \[0, 1\]"),
        ("alerts<=0", "a whole number of cases from 1 up"),
        ("alerts<=2.5", "a whole number of cases from 1 up"),
        ("alerts<=0%", "above 0% and at most 100%"),
        ("alerts<=101%", "above 0% and at most 100%"),
        ("f1 assured 0.95", "'f1 assured 0.95' promises no rate"),
        ("threshold=0.5 assured 0.95", "promises no rate"),
        ("fpr<=0.1 assured 1", "between 0 and 1, both excluded, like 0.95; found '1'"),
        ("fpr<=0.1 assured 0", "found '0'"),
        ("fpr<=0.1 assured 1e-400", "found '1e-400'"),
        ("fpr<=0.1 assured 0.99999999999999999999", "found '0.99999999999999999999'"),
        ("fpr<=0.1 assured", "found ''"),
        ("fpr<=0.1 assured 0.9 assured 0.95", "found '0.9assured0.95'"),
    ],
)
def test_an_invalid_rule_is_rejected(text, message):
    with pytest.raises(UsageError, match=message):
        parse_point_rule(text)


def test_choosing_needs_no_second_curve_in_memory(monkeypatch):
    """What the rule makes large is worked out piece by piece: half of one column of the curve is enough."""
    monkeypatch.setattr("rocconf.threads.processors", lambda: 1)  # each has a piece
    n = 1_000_000
    counts = count(Predictions(np.random.default_rng(5).random(n) < 0.3, {"s": np.arange(n) / n}))
    for rule in ("closest", "youden", "accuracy", "chi2", "cost=1:2", "fpr<=0.1", "tpr>=0.9", "precision>=0.2"):
        tracemalloc.start()
        chosen(counts, rule)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 8 * n / 2, rule
