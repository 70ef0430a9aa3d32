"""Honest rates: the bootstrap by its definition, case by case, and where there are none."""

import json
from io import StringIO

import numpy as np
import pytest
from strategies import counted

import rocconf
from rocconf.answer import Answer
from rocconf.compute.roc import honest
from rocconf.compute.roc.operating import operating_point, parse_point_rule
from rocconf.compute.stats.confusion import Confusion
from rocconf.messages import message
from rocconf.report import write

RANDOM = np.random.default_rng(5)
LABELS = np.arange(60) % 3 == 0
SCORES = (LABELS * 1.2 + RANDOM.normal(size=60)).round(1)
COUNTS = counted(SCORES, LABELS)
RULES = ("youden", "closest", "f1", "fbeta=2", "mcc", "chi2", "accuracy", "cost=1:3")


def rates_at(scores, labels, threshold):
    over = np.zeros(len(scores), bool) if threshold is None else scores >= threshold
    tp, fp, p, q = (over & labels).sum(), (over & ~labels).sum(), labels.sum(), (~labels).sum()
    with np.errstate(invalid="ignore"):
        return {
            "tpr": tp / p,
            "fpr": fp / q,
            "precision": np.float64(tp) / (tp + fp),
        }


def optimism_by_cases(rule, replicates=1500):
    """Draw cases of each class, choose, and compare: the mean of each rate's optimism, and its standard error."""
    random, parsed, found = np.random.default_rng(9), parse_point_rule(rule), []
    classes = [np.flatnonzero(LABELS), np.flatnonzero(~LABELS)]
    for _ in range(replicates):
        cases = np.concatenate([random.choice(of_class, len(of_class)) for of_class in classes])
        threshold = operating_point(counted(SCORES[cases], LABELS[cases]), parsed).threshold
        there, here = (rates_at(SCORES[at], LABELS[at], threshold) for at in (cases, slice(None)))
        found.append([there[name] - here[name] for name in there])
    gaps = np.array(found)
    return dict(zip(there, np.nanmean(gaps, axis=0), strict=True)), np.nanstd(gaps, axis=0).max()


@pytest.mark.parametrize("rule", ["youden", pytest.param("f1", marks=pytest.mark.thorough)])
def test_optimism_is_that_of_samples_of_the_cases(rule):
    (rates,) = rocconf.sweep(COUNTS, at=rule).honest
    point = operating_point(COUNTS, parse_point_rule(rule))
    shown = rates_at(SCORES, LABELS, point.threshold)
    expected, spread = optimism_by_cases(rule)
    near = 4 * spread * (1 / 1500 + 1 / honest.REPLICATES) ** 0.5
    assert {name: shown[name] - rate.value for name, rate in rates.items()} == pytest.approx(expected, abs=near)
    assert shown["tpr"] - rates["tpr"].value > 0.01


@pytest.mark.parametrize("rule", RULES)
def test_a_replicate_chooses_the_first_of_the_best_rows(rule, monkeypatch):
    """With replicates that are the cases themselves there is no optimism, whatever the rule."""

    def as_they_are(m, count, _):
        yield Confusion(np.tile(m.tp, (count, 1)), np.tile(m.fp, (count, 1)), m.p, m.q)

    monkeypatch.setattr(honest, "resampled", as_they_are)
    swept = rocconf.sweep(COUNTS, at=rule)
    shown = rates_at(SCORES, LABELS, swept.points[0].threshold)
    assert {name: rate.value for name, rate in swept.honest[0].items()} == pytest.approx(shown)


def test_an_interval_is_wilsons_with_the_cases_of_the_rate():
    swept = rocconf.sweep(COUNTS, at="youden", level=0.9)
    (rates,), (point,), z = swept.honest, swept.points, 1.6448536269514722
    for name, n in (("tpr", COUNTS.p), ("fpr", COUNTS.q), ("precision", point.tp + point.fp)):
        value, lower, upper = rates[name]
        middle = (value + z * z / (2 * n)) / (1 + z * z / n)
        reach = z * (value * (1 - value) / n + (z / (2 * n)) ** 2) ** 0.5 / (1 + z * z / n)
        assert (lower, upper) == pytest.approx((middle - reach, middle + reach))


def test_the_same_cases_have_the_same_honest_rates():
    assert rocconf.sweep(COUNTS, at="youden").honest == rocconf.sweep(COUNTS, at=["0.5", "youden"]).honest[1:]


@pytest.mark.parametrize(
    "options",
    [
        *({"at": rule} for rule in ("fpr<=0.2", "tpr>=0.8", "precision>=0.5", "alerts<=10", "threshold=0.5")),
        {"at": "youden", "choose_on": counted(SCORES[::-1], LABELS)},
        {"at": "youden", "honest": False},
    ],
)
def test_other_rules_and_thresholds_of_other_cases_have_none(options):
    swept = rocconf.sweep(COUNTS, **options)
    assert swept.honest == ({},)
    assert "tpr_honest" not in swept.table("operating_points").names


def test_a_comparison_has_none():
    cases = rocconf.Predictions(LABELS, {"a": SCORES, "b": SCORES + LABELS})
    warned = {str(each) for each in rocconf.compare(cases, at="youden").caveats if each.code == "in-sample"}
    assert warned == {"youden: chosen on these cases, which flatters it"}


def test_rates_of_another_prevalence_have_none():
    (rates,) = rocconf.sweep(COUNTS, at="youden", prevalence=0.01).honest
    assert "precision" not in rates
    assert "tpr" in rates


def test_many_positives_are_drawn_at_few_rows():
    random = np.random.default_rng(2)
    labels = np.arange(6000) % 2 == 0
    (rates,) = rocconf.sweep(counted(random.normal(size=6000) + labels, labels), at="youden").honest
    assert 0.65 < rates["tpr"].value < 0.75


def report_of(result):
    stream = StringIO()
    write(Answer((result,)), "json", stream)
    return json.loads(stream.getvalue())


def test_honest_rates_are_columns_of_the_operating_points_with_a_reason_where_there_are_none():
    record = report_of(rocconf.sweep(COUNTS, at=["youden", "0.5"]))
    chosen, fixed = record["tables"]["operating_points"]
    for name in honest.HONEST:
        for end in ("", "_lower", "_upper"):
            assert 0 <= chosen[f"{name}_honest{end}"] <= 1
            assert fixed[f"{name}_honest{end}"] is None
    reasons = {(each["table"], each["key"]): each["reason"] for each in record["undefined"]}
    assert reasons["operating_points", "tpr_honest"] == honest.WHY_NONE


def test_the_warning_says_the_honest_rates():
    swept = rocconf.sweep(COUNTS, at=["youden", "fpr<=0.2"])
    (warned,), tpr = (str(each) for each in swept.caveats if each.code == "in-sample"), swept.honest[0]["tpr"]
    assert warned.startswith("youden, fpr<=0.2: chosen on these cases, which flatters it; honest tpr ")
    assert f"tpr {tpr.value:.3f} [{tpr.lower:.3f}, {tpr.upper:.3f}], fpr " in warned


def test_an_assured_threshold_is_no_flattery():
    swept = rocconf.sweep(COUNTS, at="fpr<=0.2", assurance=0.9)
    assert "in-sample" not in {each.code for each in swept.caveats}


def test_few_positives_are_said_to_leave_half_of_the_flattery():
    few = counted([3, 2, 1, 0] * 5, [1, 0, 0, 0, 0] * 4)
    (warned,) = (str(each) for each in rocconf.sweep(few, at="youden").caveats if each.code == "in-sample")
    assert warned.endswith(str(message("honest-few", positives=4)))
    for counts, rule in ((COUNTS, "youden"), (few, "fpr<=0.2")):
        (warned,) = (str(each) for each in rocconf.sweep(counts, at=rule).caveats if each.code == "in-sample")
        assert "remains" not in warned
