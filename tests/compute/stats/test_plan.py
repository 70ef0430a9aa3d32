"""How many cases would decide: the interval of so many cases, the margins of docs/intervals.md, and pROC's values."""

import json
from math import inf, sqrt
from statistics import NormalDist

import pytest
from conftest import REFERENCE, SAMPLE_DATA
from hypothesis import given
from hypothesis import strategies as st
from rocconf.compute.stats.auc_difference import normal_difference, robust_difference
from rocconf.compute.stats.auc_intervals import DelongVariance
from scipy.special import stdtrit

from rocconf import read_predictions
from rocconf.compute.compare import paired_aucs
from rocconf.compute.stats.plan import (
    classical_power,
    classical_size,
    floor_of_difference,
    needed_cases,
    obuchowski_variance,
    positives_above_floor,
)

PROC = json.loads((REFERENCE / "power.json").read_text())["proc"]


def times_the_cases(value, interval, limit, **options):
    return needed_cases(value, interval, limit, 50, 50, level=0.95, **options).times


@given(st.floats(-0.2, 0.2), st.floats(1e-6, 1e-2), st.floats(-0.2, 0.2))
def test_so_many_times_the_cases_put_a_limit_on_the_interval_at_the_value(value, variance, limit):
    if abs(value - limit) < 1e-4:
        return
    times = times_the_cases(value, normal_difference(value, variance, 0.95).interval, limit)
    if max(abs(value) + 2 * sqrt(variance), abs(value) + 2 * sqrt(variance / times)) < 1:  # not cut off at 1
        later = normal_difference(value, variance / times, 0.95).interval
        assert (later.lower if limit < value else later.upper) == pytest.approx(limit, abs=1e-9)


def test_no_number_of_cases_decides_on_a_value_at_the_limit():
    assert times_the_cases(0.1, normal_difference(0.1, 0.01, 0.95).interval, 0.1) == inf


@given(st.integers(2, 500), st.integers(2, 2000), st.sampled_from([0.9, 0.95, 0.99]))
def test_the_floor_is_the_reach_without_any_variance(p, q, level):
    found = robust_difference(0.0, DelongVariance(0.0, 0.0, p, q), 0.0, level=level)
    floor = floor_of_difference(p, q, level=level)
    assert found.interval.upper == pytest.approx(min(floor, 1))
    assert floor == pytest.approx(stdtrit(min(p, q) - 1, (1 + level) / 2) * sqrt(0.75 / p**2 + 0.75 / q**2))


@pytest.mark.parametrize(
    ("margin", "p", "q", "least"),
    [
        (0.01, 10, 10**7, 171),
        (0.01, 7, 7, 242),
        (0.02, 9, 10**7, 87),
        (0.02, 5, 5, 122),
        (0.05, 5, 10**7, 36),
        (0.05, 5, 5, 50),
    ],
)
def test_a_margin_needs_the_positives_of_the_docs(margin, p, q, least):
    assert positives_above_floor(margin, p, q, level=0.95) == least


def test_one_case_of_a_class_has_no_floor():
    assert floor_of_difference(1, 50, level=0.95) == inf


@given(st.floats(0.01, 0.2), st.floats(1e-6, 1e-4), st.sampled_from([0.1, 0.5, 0.8, 0.99]))
def test_so_many_times_the_cases_pass_with_the_power_that_is_asked(distance, variance, power):
    times = times_the_cases(distance, normal_difference(distance, variance, 0.95).interval, 0.0, power=power)
    spread = sqrt(variance / times)
    reached = 1 - NormalDist(distance, spread).cdf(NormalDist().inv_cdf(0.975) * spread)  # the lower limit is above 0
    assert reached == pytest.approx(power, abs=1e-9)


def test_the_floor_is_told_only_where_it_is_wider_than_the_distance():
    interval = normal_difference(0.01, 1e-4, 0.95).interval
    found = [
        needed_cases(0.01, interval, limit, 50, 500, level=0.95, has_floor=True).least_positives
        for limit in (0.0, -0.1, 0.01)
    ]
    assert found == [positives_above_floor(0.01, 50, 500, level=0.95), None, None]
    assert needed_cases(0.01, interval, 0.0, 50, 500, level=0.95).least_positives is None


def variances_of(entry):
    """Return the distance, and the variances of one positive under the null hypothesis and the alternative, as pROC."""
    if entry["kind"] == "one":
        kappa = entry["ncontrols"] / entry["ncases"]
        return entry["auc"] - 0.5, obuchowski_variance(0.5, kappa), obuchowski_variance(entry["auc"], kappa)
    cases = read_predictions(SAMPLE_DATA / entry["file"], score=[entry["first"], entry["second"]])
    areas = paired_aucs(cases)
    p, v = areas.positives.size, areas.covariance
    null, both = 2 * v[0, 0] - 2 * v[0, 1], v[0, 0] + v[1, 1] - 2 * v[0, 1]
    return areas.values[0] - areas.values[1], p * null, p * both


@pytest.mark.parametrize("entry", PROC, ids=lambda each: f"{each['kind']}-{each['solve']}")
def test_the_classical_forms_equal_those_of_proc(entry):
    variances, level = variances_of(entry), 1 - entry["sig_level"]
    if entry["solve"] == "power":
        assert classical_power(entry["ncases"], *variances, level=level) == pytest.approx(entry["power"], abs=1e-12)
    else:
        found = classical_size(*variances, level=level, power=entry["power"])
        assert found == pytest.approx(entry["ncases"], rel=1e-12)


def test_the_power_of_the_classical_size_is_that_asked():
    n = classical_size(0.1, 0.2, 0.15, level=0.9, power=0.7)
    assert classical_power(n, 0.1, 0.2, 0.15, level=0.9) == pytest.approx(0.7, abs=1e-12)
    assert classical_power(n, -0.1, 0.2, 0.15, level=0.9) == pytest.approx(0.7, abs=1e-12)
    assert classical_size(0.0, 0.2, 0.15, level=0.9, power=0.7) == inf
