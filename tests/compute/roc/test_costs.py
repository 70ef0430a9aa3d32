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
from rocconf.compute.roc.costs import (
    acting_from,
    net_benefit,
    net_benefit_interval,
)
from rocconf.compute.roc.least_cost import least_cost
from rocconf.compute.roc.operating import parse_costs
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.proportion import exact_interval, wilson
from rocconf.errors import UsageError
from rocconf.records import ScoreCounts

FOUND = json.loads((REFERENCE / "costs.json").read_text(encoding="utf-8"))
KINDS = ("robust", "delong")
COSTS = st.sampled_from(["1:1", "1:50", "7:2", "0.5:0.25", "1:3:0.01", "2:1:0.9"])


def counts_of(file, column):
    return rocconf.count(rocconf.read_predictions(SAMPLE_DATA / file, score=[column]))


def costs_of(row):
    own = "" if row["prevalence"] == "file" else f":{row['prevalence']}"
    return parse_costs(f"{row['cost_fp']}:{row['cost_fn']}{own}")


def matrix(tp, fp, p, q):
    return Confusion(np.array([tp]), np.array([fp]), p, q)


@pytest.mark.parametrize("row", FOUND["cost"]["at_threshold"], ids=lambda row: f"{row['file']}-{row['column']}")
def test_the_cost_and_its_classical_interval_are_those_of_the_definition(row):
    p, q = row["tp"] + row["fn"], row["fp"] + row["tn"]
    cells, costs = matrix(row["tp"], row["fp"], p, q), costs_of(row)
    assert float(costs.of(cells)[0]) == pytest.approx(row["cost"], rel=1e-9)
    costs = replace(costs, prevalence=costs.prevalence or Fraction(p, p + q))  # the limits are at a known prevalence
    expected = pytest.approx((row["cost"], row["lower"], row["upper"]), rel=1e-9)
    around = costs.interval(cells, 0.95, "delong")
    assert (float(costs.of(cells)[0]), around.lower, around.upper) == expected
    assert tuple(float(costs.values(key, cells, level=0.95)[0]) for key in ("cost", "cost_lower", "cost_upper")) == (
        expected
    )


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


@given(st.integers(1, 60), st.integers(1, 60), st.data(), COSTS)
def test_a_cost_lies_in_both_intervals_and_the_exact_one_is_wider(p, q, data, text):
    cells = matrix(data.draw(st.integers(0, p)), data.draw(st.integers(0, q)), p, q)
    costs, cost = parse_costs(text), float(parse_costs(text).of(cells)[0])
    exact, classical = (costs.interval(cells, 0.95, kind) for kind in ("robust", "delong"))
    assert 0 <= exact.lower <= cost <= exact.upper
    assert classical.lower <= cost <= classical.upper
    if costs.prevalence is None:
        return
    missed, alarmed = costs.weights(p, q)
    around = exact_interval(int(cells.fn[0]), p), exact_interval(int(cells.fp[0]), q)
    above = float(missed) * (around[0].upper - cells.fn[0] / p), float(alarmed) * (around[1].upper - cells.fp[0] / q)
    assert exact.upper == pytest.approx(cost + np.hypot(*above), rel=1e-12)


def test_the_prevalence_of_the_cases_is_not_known():
    """The variance of c fn/n + d fp/n, of multinomial counts, has that of the prevalence and a term of both."""
    cells, costs = matrix(400_000, 200_000, 700_000, 300_000), parse_costs("2:3")
    missed, alarmed = 0.3, 0.2
    variance = (9 * missed * (1 - missed) + 4 * alarmed * (1 - alarmed) - 2 * 6 * missed * alarmed) / 1_000_000
    found = costs.interval(cells, 0.95, "delong")
    assert (found.upper - found.lower) / 2 == pytest.approx(1.959964 * variance**0.5, rel=1e-4)
    shown = [float(costs.values(key, cells, level=0.95)[0]) for key in ("cost_lower", "cost_upper")]
    assert shown == pytest.approx([found.lower, found.upper], rel=1e-12)


def test_a_prevalence_of_few_positives_leaves_a_cost_less_sure():
    cells = matrix(5, 20, 10, 500)
    found, known = (parse_costs(text).interval(cells, 0.95, "robust") for text in ("1:50", f"1:50:{10 / 510!r}"))
    assert found.lower < known.lower < known.upper < found.upper - 0.1


@pytest.mark.parametrize(("tp", "fp"), [(0, 5), (3, 0), (0, 0), (3, 5)])
def test_all_right_and_all_wrong_have_a_cost_with_an_interval(tp, fp):
    cells, costs = matrix(tp, fp, 3, 5), parse_costs("1:2")
    cost = (2 * (3 - tp) + fp) / 8
    for kind in KINDS:
        found = costs.interval(cells, 0.95, kind)
        assert 0 <= found.lower <= cost <= found.upper
        assert found.lower < found.upper


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
    counts = counts_of(row["file"], row["column"])
    assert net_benefit(row["tp"], row["fp"], counts.n, float(row["w"])) == pytest.approx(row["net_benefit"], rel=1e-12)
    assert net_benefit(counts.p, counts.q, counts.n, float(row["w"])) == pytest.approx(row["treat_all"], rel=1e-9)


def test_the_interval_of_a_net_benefit_without_false_alarms_is_that_of_the_positives_found():
    for kind, proportion in (("robust", exact_interval), ("delong", wilson)):
        found, shares = net_benefit_interval(20, 0, 400, 0.2, level=0.95, kind=kind), proportion(20, 400)
        none = proportion(0, 400)
        assert found.upper == pytest.approx(shares.upper, rel=1e-12)
        assert found.lower == pytest.approx(0.05 - np.hypot(0.05 - shares.lower, none.upper / 4), rel=1e-12)


def test_the_shares_of_a_net_benefit_are_correlated():
    """The variance of tp/n - w fp/n, of multinomial counts, has a term of both: it widens the interval."""
    n, tp, fp, odds = 1_000_000, 300_000, 200_000, 1.0
    variance = (0.3 * 0.7 + odds**2 * 0.2 * 0.8 + 2 * odds * 0.3 * 0.2) / n
    found = net_benefit_interval(tp, fp, n, 0.5, level=0.95, kind="delong")
    assert (found.upper - found.lower) / 2 == pytest.approx(1.959964 * variance**0.5, rel=1e-4)


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
