"""The percentile bootstrap: limits are order statistics, and interval and p-value tell one story."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf.compute.stats.bootstrap import (
    REPLICATES,
    least_replicates,
    percentile_interval,
    percentile_limits,
    percentile_p,
    require_replicates,
    upper_percentile,
)
from rocconf.errors import RocconfError
from rocconf.records import UNKNOWN, Interval

DRAWN = st.lists(st.integers(-20, 20).map(float), min_size=40, max_size=120).map(np.array)


def test_limits_are_order_statistics():
    """Davison and Hinkley (1997), 5.3: of 999 replicates at 95% the 25th and the 975th."""
    drawn = np.random.default_rng(1).permutation(999.0 * np.arange(999) / 999)
    assert percentile_interval(drawn, 0.95) == Interval(24.0, 974.0)
    assert percentile_interval(drawn, 0.9) == Interval(49.0, 949.0)


@given(DRAWN, st.sampled_from([0.5, 0.8, 0.9, 0.95]))
def test_p_is_below_one_less_the_level_exactly_where_the_interval_excludes_0(drawn, level):
    lower, upper = percentile_limits(drawn, level)
    assert (percentile_p(drawn) < 1 - level + 1e-12) is bool(lower > 0 or upper < 0)


@given(DRAWN)
def test_turning_the_sign_mirrors_the_limits(drawn):
    lower, upper = percentile_limits(drawn, 0.9)
    assert percentile_limits(-drawn, 0.9) == (-upper, -lower)
    assert percentile_p(-drawn) == percentile_p(drawn)


def test_a_replicate_without_a_value_counts_against_both_sides():
    drawn = np.array([math.nan] * 10 + [1.0] * 80 + [2.0] * 10)
    assert percentile_interval(drawn, 0.9) == UNKNOWN
    assert percentile_p(drawn) == pytest.approx(2 * 11 / 101)
    few = np.array([math.nan] * 2 + [1.0] * 80 + [2.0] * 18)
    assert percentile_interval(few, 0.9) == Interval(1.0, 2.0)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_with_too_few_replicates_the_limits_are_unknown(level):
    least = least_replicates(level)
    assert percentile_interval(np.arange(least, dtype=float), level) == Interval(0.0, least - 1.0)
    assert percentile_interval(np.arange(least - 1, dtype=float), level) == UNKNOWN


def test_replicates_that_cannot_vary_tell_nothing():
    assert percentile_interval(np.ones(100), 0.9) == UNKNOWN
    assert percentile_interval(np.arange(100.0), 0.9, fewest=1) == UNKNOWN


def test_a_rule_cannot_ask_for_a_level_beyond_its_replicates():
    require_replicates(1 - 2 / (REPLICATES + 1))
    with pytest.raises(RocconfError, match="2000 replicates reach a level of"):
        require_replicates(0.9999)


def test_an_upper_percentile_is_exceeded_by_a_new_draw_no_more_often_than_promised():
    """Of 99 draws and a new one, all 100 places of the new one are as likely."""
    assert upper_percentile(np.arange(99.0), 0.95) == 94.0
    with pytest.raises(RocconfError, match=r"18 replicates are too few for a level of 0\.95 \(at least 19\)"):
        upper_percentile(np.arange(18.0), 0.95)
