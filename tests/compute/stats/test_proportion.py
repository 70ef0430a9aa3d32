"""Wilson's interval and the exact one: published values, the equations they solve, and their symmetries."""

import csv
import math

import mpmath
import numpy as np
import pytest
from conftest import REFERENCE
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betainc, gammainccinv, gammaincinv

from rocconf.compute.stats.proportion import wilson, wilson_limits
from rocconf.compute.stats.shares import Share
from rocconf.errors import UndefinedError, UsageError
from rocconf.records import DELONG

NEWCOMBE_1998 = list(csv.DictReader((REFERENCE / "wilson_newcombe_1998.csv").read_text(encoding="utf-8").splitlines()))
levels = st.floats(0.01, 0.9999)


@st.composite
def proportions(draw, most=10**10):
    trials = draw(st.integers(1, most))
    return draw(st.integers(0, trials)), trials


@pytest.mark.parametrize("row", NEWCOMBE_1998, ids=lambda row: f"{row['hits']}/{row['trials']}")
def test_matches_published_intervals(row):
    interval = wilson(int(row["hits"]), int(row["trials"]))
    assert interval.lower == pytest.approx(float(row["lower"]), abs=5.1e-5)
    assert interval.upper == pytest.approx(float(row["upper"]), abs=5.1e-5)


@given(proportions(), levels)
def test_a_limit_is_where_the_score_test_just_rejects(proportion, level):
    hits, trials = proportion
    with mpmath.workdps(40):
        share, z = mpmath.mpf(hits) / trials, mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(level))
        # the roots of (share - x)^2 = z^2 x (1 - x) / n
        middle, reach = (
            share + z**2 / (2 * trials),
            z * mpmath.sqrt(share * (1 - share) / trials + (z / trials) ** 2 / 4),
        )
        expected = [float((middle + away) / (1 + z**2 / trials)) for away in (-reach, reach)]
    assert wilson(hits, trials, level=level).ends == pytest.approx(expected, rel=1e-9, abs=1e-15)


@given(proportions(), levels)
def test_the_share_is_inside_and_the_ends_are_exact(proportion, level):
    hits, trials = proportion
    interval = wilson(hits, trials, level=level)
    assert 0 <= interval.lower <= hits / trials <= interval.upper <= 1
    assert (interval.lower == 0) == (hits == 0)
    assert (interval.upper == 1) == (hits == trials) or interval.upper > 1 - 1e-15


def test_without_trials_there_is_no_interval():
    lower, upper = wilson_limits(np.array([0, 1]), np.array([0, 2]))
    assert np.isnan(lower).tolist() == np.isnan(upper).tolist() == [True, False]


@pytest.mark.parametrize(("hits", "trials"), [(0, 0), (3, 2), (-1, 2)])
def test_invalid_hits_are_rejected(hits, trials):
    with pytest.raises(UndefinedError, match=f"{hits} hits in {trials} trials are not a proportion"):
        wilson(hits, trials)


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, math.nan])
def test_a_level_outside_0_and_1_is_rejected(level):
    with pytest.raises(UsageError, match="a level must be between 0 and 1"):
        wilson(1, 2, level=level)


@pytest.mark.parametrize(
    ("hits", "trials", "lower", "upper"),
    [  # Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 5
        (81, 263, 0.2527, 0.3676),
        (0, 20, 0.0, 0.1684),
        (1, 29, 0.0009, 0.1776),
    ],
)
def test_matches_published_exact_intervals(hits, trials, lower, upper):
    interval = Share(hits, trials).interval(0.95)
    assert (interval.lower, interval.upper) == pytest.approx((lower, upper), abs=5.1e-5)


@given(st.data(), st.integers(1, 60), st.floats(0.3, 0.999))
def test_an_exact_limit_leaves_half_of_the_error_to_counts_as_extreme(data, trials, level):
    hits = data.draw(st.integers(0, trials))
    interval = Share(hits, trials).interval(level)

    def probability(counts, share):
        return math.fsum(math.comb(trials, k) * share**k * (1 - share) ** (trials - k) for k in counts)

    if hits:
        assert probability(range(hits, trials + 1), interval.lower) == pytest.approx((1 - level) / 2, rel=1e-9)
    if hits < trials:
        assert probability(range(hits + 1), interval.upper) == pytest.approx((1 - level) / 2, rel=1e-9)
    assert (interval.lower == 0, interval.upper == 1) == (hits == 0, hits == trials)


@pytest.mark.parametrize("hits", [1, 3, 5_000, 49_999, 99_990])
def test_the_exact_interval_is_the_same_by_either_route(hits):
    here, scipys = (Share(hits, trials).interval(0.95) for trials in (99_999, 100_000))
    assert here.lower == pytest.approx(scipys.lower, rel=3e-5)
    assert here.upper == pytest.approx(scipys.upper, rel=3e-5)
    assert betainc(hits, 100_000 - hits, here.lower) == pytest.approx(0.025, rel=1e-8)


def test_the_classical_share_is_wilsons():
    assert Share(3, 10, DELONG).interval(0.9) == wilson(3, 10, level=0.9)


@pytest.mark.parametrize("level", [0.95, 1 - 1e-12])
@pytest.mark.parametrize("trials", [10**6, 10**10, 10**12, 2**53, 2**54])
def test_exact_limits_of_huge_counts_keep_their_digits(trials, level):
    """Of few hits they are those of a Poisson count, of many nearly Wilson's."""
    for hits in (1, 5, 50, 1000):
        found, tail = Share(hits, trials).interval(level), (1 - level) / 2
        limits = [gammaincinv(hits, tail), gammainccinv(hits + 1, tail)]
        assert (found.lower * trials, found.upper * trials) == pytest.approx(
            limits, rel=4 * hits / trials + 1e-3, abs=3
        )
        assert found.lower * trials == pytest.approx(limits[0], rel=2e-3 * (trials < 10**10) + 1e-6)
    for hits in (trials // 10, trials // 2, trials - trials // 3):
        found, expected = Share(hits, trials).interval(level), wilson(hits, trials, level=level)
        width = expected.upper - expected.lower
        assert found.lower == pytest.approx(expected.lower, abs=width / 100 + 1e-15)
        assert found.upper == pytest.approx(expected.upper, abs=width / 100 + 1e-15)
