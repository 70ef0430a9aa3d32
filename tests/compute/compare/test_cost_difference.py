"""The difference of two models in the cost per case: reference values, and one story of interval and p-value."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from conftest import REFERENCE, SAMPLE_DATA
from hypothesis import given
from hypothesis import strategies as st

import rocconf
from rocconf.compute.compare import Discordance, paired_cost, paired_net_benefit, unpaired_cost
from rocconf.compute.roc.operating import parse_costs
from rocconf.compute.stats.confusion import Confusion

FOUND = json.loads((REFERENCE / "costs.json").read_text(encoding="utf-8"))["cost"]["delta"]
SIZES = {"hypothyroid.csv": (151, 3012)}
KINDS = ("robust", "delong")


@pytest.mark.parametrize("row", FOUND, ids=lambda row: f"{row['model']}-{row['baseline']}")
def test_the_paired_difference_is_that_of_the_definition(row):
    p, q = SIZES[row["file"]]
    right = {
        "tpr": Discordance(row["fn_only_baseline"], row["fn_only_model"], p),
        "specificity": Discordance(row["fp_only_baseline"], row["fp_only_model"], q),
    }
    own = "" if row["prevalence"] == "file" else f":{row['prevalence']}"
    costs = parse_costs(f"{row['cost_fp']}:{row['cost_fn']}{own}")
    assert paired_cost(right, costs, level=0.95, kind="delong").value == pytest.approx(row["delta_cost"], rel=1e-7)
    costs = replace(costs, prevalence=costs.prevalence or Fraction(p, p + q))  # the limits are at a known prevalence
    found = paired_cost(right, costs, level=0.95, kind="delong")
    expected = (row["delta_cost"], row["lower"], row["upper"])
    assert (found.value, found.interval.lower, found.interval.upper) == pytest.approx(expected, rel=1e-7)


def test_the_cost_of_a_model_less_that_of_its_baseline_is_compared_at_a_point():
    cases = rocconf.read_predictions(SAMPLE_DATA / "hypothyroid.csv", score=["B", "F"])
    costs = "1:5:0.04773948782801138"
    result = rocconf.compare(cases, baseline="B", at=["threshold=0.5"], cost=costs, interval="delong")
    pairs = {(row["metric"], row["at"]): row for row in result.table("pairs").records()}
    row = pairs["cost", "threshold=0.5"]
    found = (row["difference"], row["difference_lower"], row["difference_upper"])
    assert found == pytest.approx((-0.0325640214985773, -0.05029404859165893, -0.016312661973786544), rel=1e-7)
    assert ("cost", f"cost={costs}") in pairs
    assert row["test"] == "mover"


DISCORDANT = st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 30))


@given(DISCORDANT, DISCORDANT, st.sampled_from(["1:1", "1:20", "3:1:0.1"]), st.sampled_from(KINDS))
def test_p_is_below_the_error_of_a_level_exactly_where_its_interval_excludes_0(missed, alarmed, text, kind):
    right = {
        rate: Discordance(b, c, b + c + rest + 1)
        for rate, (b, c, rest) in zip(("tpr", "specificity"), (missed, alarmed), strict=True)
    }
    for level in (0.8, 0.95):
        found = paired_cost(right, parse_costs(text), level=level, kind=kind)
        assert found.interval.lower <= found.value <= found.interval.upper
        if abs(found.p - (1 - level)) > 1e-9:
            assert (found.p < 1 - level) == (not found.interval.lower <= 0 <= found.interval.upper)


@given(DISCORDANT, DISCORDANT, st.sampled_from(KINDS))
def test_exchanging_the_models_mirrors_the_difference(missed, alarmed, kind):
    def difference(*, turned):
        right = {
            rate: Discordance(c, b, b + c + rest + 1) if turned else Discordance(b, c, b + c + rest + 1)
            for rate, (b, c, rest) in zip(("tpr", "specificity"), (missed, alarmed), strict=True)
        }
        return paired_cost(right, parse_costs("1:7"), level=0.95, kind=kind)

    one, other = difference(turned=False), difference(turned=True)
    expected = (-other.interval.upper, -other.interval.lower)
    assert (one.interval.lower, one.interval.upper) == pytest.approx(expected, abs=1e-12)
    assert one.p == pytest.approx(other.p, rel=1e-9)


def test_on_different_cases_the_intervals_of_both_costs_are_added_in_squares():
    costs = parse_costs("1:10:0.2")
    first, second = (
        Confusion(np.array([tp]), np.array([fp]), p, q) for tp, fp, p, q in ((8, 20, 10, 100), (30, 9, 60, 80))
    )
    found = unpaired_cost(first, second, costs, level=0.9, kind="robust")
    (one, other), around = (
        [float(costs.of(each)[0]) for each in (first, second)],
        [costs.interval(each, 0.9, "robust") for each in (first, second)],
    )
    assert found.value == pytest.approx(one - other)
    assert found.interval.lower == pytest.approx(one - other - np.hypot(one - around[0].lower, around[1].upper - other))
    assert found.interval.upper == pytest.approx(one - other + np.hypot(around[0].upper - one, other - around[1].lower))


def test_the_net_benefit_of_a_model_less_that_of_its_baseline_is_paired():
    """tp 143 and 131, fp 77 and 61 at 0.1 (dcurves); the limits are those of a sum of two correlated shares."""
    cases = rocconf.read_predictions(SAMPLE_DATA / "hypothyroid.csv", score=["B", "F"])
    result = rocconf.compare(cases, baseline="B", at=["threshold=0.1"], calibrated=True, interval="delong")
    (row,) = (row for row in result.table("pairs").records() if row["metric"] == "net_benefit")
    assert row["difference"] == pytest.approx(0.04250535708012787 - 0.03927354480626691, rel=1e-9)
    positive = {name: scores >= 0.1 for name, scores in cases.scores.items()}
    of_cases = (positive["F"].astype(float) - positive["B"]) * np.where(cases.labels, 1.0, -1 / 9)
    reach = 1.959964 * of_cases.std() / len(of_cases) ** 0.5
    width = (row["difference_upper"] - row["difference_lower"]) / 2
    assert width == pytest.approx(reach, rel=0.12)


def test_the_difference_in_cost_is_one_of_shares_of_all_cases():
    """Of multinomial counts: the prevalence varies, and a case that one model misses is no false alarm of either."""
    found = {"tpr": Discordance(1000, 5000, 10_000), "specificity": Discordance(0, 3000, 10_000)}
    difference = paired_cost(found, parse_costs("1:5"), level=0.95, kind="delong")
    missed, alarmed = 0.2, 0.15
    spread = 25 * (0.3 - missed**2) + alarmed * (1 - alarmed) - 2 * 5 * missed * alarmed
    width = (difference.interval.upper - difference.interval.lower) / 2
    assert difference.value == pytest.approx(1.15)
    assert width == pytest.approx(1.959964 * (spread / 20_000) ** 0.5, rel=0.01)


def test_a_difference_in_cost_is_one_in_net_benefit_at_its_odds():
    """With a miss at 1 and a false alarm at the odds of the threshold, the cost is that by which a net benefit falls short."""
    found = {"tpr": Discordance(9, 4, 60), "specificity": Discordance(5, 12, 300)}
    cost = paired_cost(found, parse_costs("0.25:1"), level=0.9, kind="robust")
    benefit = paired_net_benefit(found, 0.2, level=0.9, kind="robust")
    assert benefit.value == pytest.approx(-cost.value, rel=1e-12)
    expected = (-cost.interval.upper, -cost.interval.lower)
    assert (benefit.interval.lower, benefit.interval.upper) == pytest.approx(expected, rel=1e-9)


def test_the_correlation_of_both_shares_widens_the_interval_of_a_net_benefit():
    found = {"tpr": Discordance(4000, 0, 10_000), "specificity": Discordance(0, 3000, 10_000)}
    difference = paired_net_benefit(found, 0.5, level=0.95, kind="delong")
    gained, alarmed = 0.2, 0.15
    variance = (gained * (1 - gained) + alarmed * (1 - alarmed) + 2 * gained * alarmed) / 20_000
    assert difference.value == pytest.approx(0.05)
    width = (difference.interval.upper - difference.interval.lower) / 2
    assert width == pytest.approx(1.959964 * variance**0.5, rel=0.01)
