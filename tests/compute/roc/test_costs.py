"""What errors cost per case: reference values, the slow and obvious way, and how flat the least cost is."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from conftest import REFERENCE, SAMPLE_DATA
from hypothesis import given
from hypothesis import strategies as st
from strategies import tied_cases

import rocconf
from rocconf.compute.roc.cells import CellCases, PairedCells
from rocconf.compute.roc.costs import acting_from, net_benefit_rate, net_benefit_record
from rocconf.compute.roc.least_cost import least_cost
from rocconf.compute.roc.operating import parse_costs
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.proportion import wilson
from rocconf.errors import UsageError
from rocconf.records import DELONG, ScoreCounts

FOUND = json.loads((REFERENCE / "costs.json").read_text(encoding="utf-8"))
COSTS = st.sampled_from(["1:1", "1:50", "7:2", "0.5:0.25", "1:3:0.01", "2:1:0.9"])


def counts_of(file, column):
    return rocconf.count(rocconf.read_predictions(SAMPLE_DATA / file, score=[column]))


def costs_of(row):
    own = "" if row["prevalence"] == "file" else f":{row['prevalence']}"
    return parse_costs(f"{row['cost_fp']}:{row['cost_fn']}{own}")


def shown(costs, cells):
    """Return a cost and its limits as tables have them."""
    return tuple(float(costs.values(key, cells, level=0.95)[0]) for key in ("cost", "cost_lower", "cost_upper"))


def matrix(tp, fp, p, q):
    return Confusion(np.array([tp]), np.array([fp]), p, q)


@pytest.mark.parametrize("row", FOUND["cost"]["at_threshold"], ids=lambda row: f"{row['file']}-{row['column']}")
def test_the_cost_and_its_classical_interval_are_those_of_the_definition(row):
    p, q = row["tp"] + row["fn"], row["fp"] + row["tn"]
    cells, costs = matrix(row["tp"], row["fp"], p, q), costs_of(row)
    assert float(costs.of(cells)[0]) == pytest.approx(row["cost"], rel=1e-9)
    costs = replace(costs, prevalence=costs.prevalence or Fraction(p, p + q))  # the limits are at a known prevalence
    expected = pytest.approx((row["cost"], row["lower"], row["upper"]), rel=1e-9)
    assert shown(costs, cells) == expected


@pytest.mark.parametrize("row", FOUND["cost"]["flatness"], ids=lambda row: f"{row['file']}-{row['column']}")
def test_the_range_of_cheap_thresholds_is_the_run_around_the_cheapest(row):
    found = least_cost(counts_of(row["file"], row["column"]), costs_of(row))
    assert found.cost == pytest.approx(row["min_cost"], rel=1e-12)
    assert (found.threshold, found.low, found.high) == (row["threshold"], row["run_low"], row["run_high"])
    assert found.thresholds == row["run_around_optimum_count"]


@given(tied_cases(), COSTS, st.booleans())
def test_the_least_cost_is_found_by_trying_every_threshold(cases, text, turned):
    scores, labels = cases
    costs, (p, q) = parse_costs(text), (int(labels.sum()), int((~labels).sum()))
    pi = costs.prevalence or Fraction(p, p + q)

    def cost_at(threshold):
        flagged = scores <= threshold if turned else scores >= threshold
        fn, fp = int((labels & ~flagged).sum()), int((~labels & flagged).sum())
        return pi * costs.false_negative * Fraction(fn, p) + (1 - pi) * costs.false_positive * Fraction(fp, q)

    nothing = pi * costs.false_negative
    ranked = sorted(set(scores.tolist()), reverse=not turned)
    all_costs = [nothing, *map(cost_at, ranked)]
    best = min(all_costs)
    counts = rocconf.count(rocconf.Predictions(labels, {"s": scores}, lower_is_positive=turned))
    found = least_cost(counts, costs)
    assert found.cost == pytest.approx(float(best), abs=1e-12)
    at = 0 if found.threshold is None else 1 + ranked.index(found.threshold)
    assert all_costs[at] == best
    first, last = at, at
    while first > 0 and all_costs[first - 1] <= best * Fraction(21, 20):
        first -= 1
    while last < len(ranked) and all_costs[last + 1] <= best * Fraction(21, 20):
        last += 1
    ends = [None if end == 0 else ranked[end - 1] for end in (first, last)]
    assert [found.high, found.low] == (ends[::-1] if turned else ends)
    assert found.thresholds == last - first + 1


def test_the_prevalence_of_the_cases_is_not_known():
    """The variance of c fn/n + d fp/n, of multinomial counts, has that of the prevalence and a term of both."""
    (tp, fp, p, q), costs = (400_000, 200_000, 700_000, 300_000), parse_costs("2:3")
    missed, alarmed = 0.3, 0.2
    variance = (9 * missed * (1 - missed) + 4 * alarmed * (1 - alarmed) - 2 * 6 * missed * alarmed) / 1_000_000
    around = costs.rate.estimate(CellCases.counted(tp, fp, p, q)).interval(0.95)
    for lower, upper in (around.ends, shown(costs, matrix(tp, fp, p, q))[1:]):
        assert (upper - lower) / 2 == pytest.approx(1.959964 * variance**0.5, rel=1e-3)


def test_a_cost_is_that_of_its_rule():
    """The rule `cost=1:50` and the option `--cost 1:50` are one: the point it chooses is the cheapest."""
    counts = counts_of("hypothyroid.csv", "F")
    result = rocconf.sweep(counts, at=("youden",), cost="1:50")
    points = {row["rule"]: row for row in result.table("operating_points").records()}
    assert list(points) == ["youden", "cost=1:50"]
    assert points["cost=1:50"]["cost"] == result.summary()["least_cost"] == min(result.table()["cost"])
    assert [row["rule"] for row in rocconf.sweep(counts, at="cost = 1:50.0", cost="1:50").table("operating_points").records()] == [
        "cost = 1:50.0"
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "1", "0:1", "1:0", "-1:1", "a:b", "1:2:0", "1:2:1", "1:2:3:4", "1:inf", "nan:1"])
def test_costs_that_are_not_positive_numbers_are_rejected(text):
    with pytest.raises(UsageError, match="takes FP:FN or FP:FN:PREVALENCE, costs above 0"):
        parse_costs(text)


@pytest.mark.parametrize("row", FOUND["net_benefit"]["values"], ids=lambda row: f"{row['column']}-{row['w']}")
def test_the_net_benefit_is_that_of_the_definition(row):
    counts, rate = counts_of(row["file"], row["column"]), net_benefit_rate(float(row["w"]))
    for tp, fp, expected in ((row["tp"], row["fp"], row["net_benefit"]), (counts.p, counts.q, row["treat_all"])):
        assert rate.estimate(CellCases.counted(tp, fp, counts.p, counts.q)).value == pytest.approx(expected, rel=1e-9)


def test_the_shown_interval_of_a_net_benefit_without_false_alarms_is_wilsons_of_the_positives_found():
    shares, none = wilson(20, 400), wilson(0, 400)
    record = net_benefit_record(CellCases.counted(20, 0, 30, 370), net_benefit_rate(0.2), level=0.95)
    lower = 0.05 - np.hypot(0.05 - shares.lower, none.upper / 4)
    assert [*record.values()] == pytest.approx([0.05, lower, shares.upper], rel=1e-12)


def test_the_probability_from_which_one_acts_is_the_threshold():
    assert acting_from(0.3) == 0.3
    assert acting_from(0.3, lower_is_positive=True) == 0.7
    assert [acting_from(at) for at in (None, 0.0, 1.0, -0.1, 1.5)] == [None] * 5


@pytest.mark.parametrize(("least", "more", "count"), [(20, 1, 2), (2000, 100, 2), (2000, 101, 1)])
def test_a_cost_of_exactly_five_percent_more_is_in_the_range(least, more, count):
    """Of 3 * least positives, the best threshold misses `least`; the next one raises `more` false alarms."""
    counts = ScoreCounts.of([3, 2, 1, 0], [2 * least, 0, 0, least], [0, more, 9 * least, 9 * least])
    found = least_cost(counts, parse_costs("1:1"))
    assert (found.threshold, found.thresholds) == (3.0, count)


# differences


def paired(missed, alarmed, p, q):
    """Return the cells of two models, from the cases that the first alone and the second alone has right."""
    counts = np.zeros((2, 2, 2))
    counts[1, 1, 0], counts[1, 0, 1], counts[1, 1, 1] = *missed, p - sum(missed)
    counts[0, 0, 1], counts[0, 1, 0], counts[0, 0, 0] = *alarmed, q - sum(alarmed)
    return PairedCells.counted(counts)


SIZES = {"hypothyroid.csv": (151, 3012)}


@pytest.mark.parametrize("row", FOUND["cost"]["delta"], ids=lambda row: f"{row['model']}-{row['baseline']}")
def test_a_paired_difference_and_its_classical_interval_are_those_of_the_definition(row):
    p, q = SIZES[row["file"]]
    missed, alarmed = ((row[f"{name}_only_baseline"], row[f"{name}_only_model"]) for name in ("fn", "fp"))
    cells, costs = paired(missed, alarmed, p, q), costs_of(row)
    assert costs.rate.paired(cells).value == pytest.approx(row["delta_cost"], rel=1e-7)
    known = replace(
        costs, prevalence=costs.prevalence or Fraction(p, p + q)
    ).rate  # the limits are at a known prevalence
    found = known.paired(cells, DELONG)
    around = found.interval(0.95)
    expected = (row["delta_cost"], row["lower"], row["upper"])
    assert (found.value, around.lower, around.upper) == pytest.approx(expected, rel=1e-7)


def test_the_cost_of_a_model_less_that_of_its_baseline_is_compared_at_a_point():
    cases = rocconf.read_predictions(SAMPLE_DATA / "hypothyroid.csv", score=["B", "F"])
    costs = "1:5:0.04773948782801138"
    result = rocconf.compare(cases, baseline="B", at=["threshold=0.5"], cost=costs, interval="delong")
    pairs = {(row["metric"], row["at"]): row for row in result.table("pairs").records()}
    row = pairs["cost", "threshold=0.5"]
    found = (row["difference"], row["difference_lower"], row["difference_upper"])
    assert found == pytest.approx((-0.0325640214985773, -0.05029404859165893, -0.016312661973786544), rel=1e-7)
    assert ("cost", f"cost={costs}") in pairs


def test_the_net_benefit_of_a_model_less_that_of_its_baseline_is_paired():
    """tp 143 and 131, fp 77 and 61 at 0.1 (dcurves)."""
    cases = rocconf.read_predictions(SAMPLE_DATA / "hypothyroid.csv", score=["B", "F"])
    result = rocconf.compare(cases, baseline="B", at=["threshold=0.1"], calibrated=True)
    (found,) = (pair.difference.estimate for pair in result.pairs if pair.metric == "net_benefit")
    assert found.value == pytest.approx(0.04250535708012787 - 0.03927354480626691, rel=1e-9)
    positive = {name: scores >= 0.1 for name, scores in cases.scores.items()}
    of_cases = (positive["F"].astype(float) - positive["B"]) * np.where(cases.labels, 1.0, -1 / 9)
    assert found.sums.variance == pytest.approx(of_cases.var(ddof=1) / len(of_cases), rel=1e-9)
