"""Weights are those of drawing with replacement, curves those of the drawn cases, and interval and p tell one story."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, chisquare

from rocconf.compute.stats import resampling
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.resampling import (
    Draws,
    percentile_limits,
    resampled,
    resampled_together,
    resamples,
    upper_percentile,
)
from rocconf.compute.stats.seeds import least_replicates
from rocconf.errors import RocconfError
from rocconf.records import UNKNOWN, Interval

RUNS = 20_000
UNITS = np.array([1, 40, 0, 3, 9, 0, 1])


def agrees(values, distribution):
    low, high = int(distribution.ppf(0.01)), int(distribution.ppf(0.99))
    edges = np.concatenate([[-1], np.arange(low, high), [10**9]])
    observed = np.histogram(values, edges + 0.5)[0]
    return chisquare(observed, len(values) * np.diff(distribution.cdf(edges))).pvalue > 1e-4


def all_weights(*strata, count=RUNS, seed=1):
    batches = list(resamples(*strata, count=count, rng=np.random.default_rng(seed)))
    return [np.concatenate(of) for of in zip(*batches, strict=True)]


@pytest.mark.parametrize(
    "units", [UNITS, np.ones(30, int), np.array([0, 500, 700, 0])], ids=["mixed", "single", "large"]
)
def test_weights_are_multinomial(units):
    """Every cell and every union of cells is binomial, so the cells are multinomial; all replicates have all units."""
    (weights,) = all_weights(units)
    total = int(units.sum())
    assert weights.shape == (RUNS, len(units))
    assert (weights.sum(axis=1) == total).all()
    assert not weights[:, units == 0].any()
    for some in ([0, 1], [1], range(len(units) // 2), [0, len(units) - 1]):
        share = units[list(some)].sum() / total
        if 0 < share < 1:
            assert agrees(weights[:, list(some)].sum(axis=1), binom(total, share))


def test_strata_are_drawn_apart():
    one, other = all_weights(UNITS, UNITS)
    assert abs(np.corrcoef(one[:, 1], other[:, 1])[0, 1]) < 0.03


def test_the_seed_decides_and_batches_do_not_matter_for_the_shape(monkeypatch):
    first, again, other = (all_weights(UNITS, count=25, seed=seed)[0] for seed in (3, 3, 4))
    assert (first == again).all()
    assert (first != other).any()
    monkeypatch.setattr(resampling, "MOST_WEIGHTS", 10 * len(UNITS))
    heard = []
    drawn = resamples(UNITS, count=25, rng=np.random.default_rng(0), progress=heard.append)
    assert [len(weights) for (weights,) in drawn] == heard == [10, 10, 5]


def test_too_many_cases_are_not_drawn():
    with pytest.raises(RocconfError, match="cases"):
        next(resamples(np.array([2**44]), np.array([5]), count=1, rng=np.random.default_rng(0)))


def test_a_curve_is_drawn_at_some_of_its_rows():
    curve = Confusion(np.array([0, 3, 7]), np.array([1, 5, 40]), 10, 60)
    (drawn,) = resampled(curve, RUNS, np.random.default_rng(1))
    for found, of, total in ((drawn.tp, curve.tp, 10), (drawn.fp, curve.fp, 60)):
        assert (np.diff(found, axis=1) >= 0).all()
        for row, upto in enumerate(of):
            assert agrees(found[:, row], binom(total, upto / total)) if upto else not found[:, row].any()


@given(st.integers(0, 10_000))
def test_curves_of_the_same_cases_are_those_of_the_drawn_cases(seed):
    """A third curve tells all cases apart that one of the others does: its weights make up both."""
    rng = np.random.default_rng(seed)
    labels, one, other = np.arange(40) < rng.integers(1, 40), rng.integers(0, 5, 40), rng.integers(0, 3, 40)
    (drawn,) = resampled_together(labels, [one, other, one * 3 + other], [4, 2, 15], 5, rng=rng)
    for name, own in (("tp", labels), ("fp", ~labels)):
        weights = np.diff(getattr(drawn[2], name), axis=1, prepend=0)
        assert (weights.sum(axis=1) == own.sum()).all()
        assert not weights[:, ~np.isin(np.arange(15), (one * 3 + other)[own])].any()
        table = weights.reshape(5, 5, 3)
        assert (getattr(drawn[0], name) == table.sum(axis=2).cumsum(axis=1)[:, :4]).all()
        assert (getattr(drawn[1], name) == table.sum(axis=1).cumsum(axis=1)[:, :2]).all()


def test_neither_the_order_of_the_cases_nor_equal_curves_matter():
    rng = np.random.default_rng(5)
    labels, columns, order = np.arange(50) < 20, rng.integers(0, 7, (2, 50)), rng.permutation(50)
    found = [
        next(resampled_together(own, list(of), [6] * len(of), 9, rng=np.random.default_rng(1)))
        for own, of in ((labels, columns), (labels[order], columns[:, order]), (labels, columns[[0, 0, 1]]))
    ]
    for other in (found[1][0], found[2][0], found[2][1]):
        assert (found[0][0].tp == other.tp).all()
        assert (found[0][0].fp == other.fp).all()


# percentiles

DRAWN = st.lists(st.integers(-20, 20).map(float), min_size=40, max_size=120).map(np.array)


@pytest.mark.parametrize(("level", "least"), [(0.5, 3), (0.9, 19), (0.95, 39), (0.99, 199)])
def test_with_too_few_replicates_the_limits_are_unknown(level, least):
    assert least_replicates(level) == least
    assert Draws.of(np.arange(least, dtype=float)).interval(level) == Interval(0.0, least - 1.0)
    assert Draws.of(np.arange(least - 1, dtype=float)).interval(level) == UNKNOWN


def test_limits_are_order_statistics():
    """Davison and Hinkley (1997), 5.3: of 999 replicates at 95% the 25th and the 975th."""
    draws = Draws.of(np.random.default_rng(1).permutation(999.0 * np.arange(999) / 999))
    assert draws.interval(0.95) == Interval(24.0, 974.0)
    assert draws.interval(0.9) == Interval(49.0, 949.0)


@given(DRAWN, st.sampled_from([0.5, 0.8, 0.9, 0.95]))
def test_p_is_below_one_less_the_level_exactly_where_the_interval_excludes_0(drawn, level):
    draws = Draws.of(drawn)
    found = draws.interval(level)
    if draws.p is not None:
        assert (draws.p < 1 - level + 1e-12) is bool(found.lower > 0 or found.upper < 0)


def test_a_replicate_without_a_value_counts_against_both_sides():
    draws = Draws.of(np.array([math.nan] * 10 + [1.0] * 80 + [2.0] * 10))
    assert draws.interval(0.9) == UNKNOWN
    assert draws.p == pytest.approx(2 * 11 / 101)
    assert Draws.of(np.array([math.nan] * 2 + [1.0] * 80 + [2.0] * 18)).interval(0.9) == Interval(1.0, 2.0)


@pytest.mark.parametrize("drawn", [np.ones(100), np.full(100, np.nan), np.array([1.0, np.nan] * 40)])
def test_replicates_that_are_all_alike_tell_nothing(drawn):
    assert (Draws.of(drawn).interval(0.9), Draws.of(drawn).p) == (UNKNOWN, None)


def test_the_one_case_of_a_class_is_drawn_every_time_and_tells_nothing():
    draws = Draws.of(np.arange(100.0), fewest=1)
    assert (draws.interval(0.9), draws.p) == (UNKNOWN, None)


def test_columns_of_replicates_have_limits_each():
    drawn = np.random.default_rng(2).normal(size=(199, 3))
    found = [Draws.of(column).interval(0.9) for column in drawn.T]
    assert np.array_equal(percentile_limits(drawn, 0.9), np.transpose([(each.lower, each.upper) for each in found]))


def test_an_upper_percentile_is_exceeded_by_a_new_draw_no_more_often_than_promised():
    """Of 99 draws and a new one, all 100 places of the new one are as likely."""
    assert upper_percentile(np.arange(99.0), 0.95) == 94.0
    with pytest.raises(RocconfError, match=r"18 replicates are too few for a level of 0\.95 \(at least 19\)"):
        upper_percentile(np.arange(18.0), 0.95)
