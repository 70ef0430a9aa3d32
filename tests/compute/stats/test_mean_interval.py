"""The interval of a mean of losses: its formula, its symmetry, and how often it errs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rocconf.compute.stats.mean_interval import MeanLoss
from scipy.stats import t as student

LOSSES = st.lists(st.floats(0, 1), min_size=3, max_size=40).map(np.array)


@given(LOSSES, st.sampled_from(["robust", "delong"]))
def test_exchanging_the_models_mirrors_the_difference(losses, kind):
    one, other = (MeanLoss.of(sign * losses, reach=1.0).difference(level=0.9, kind=kind) for sign in (1, -1))
    expected = (-other.interval.upper, -other.interval.lower)
    assert (one.interval.lower, one.interval.upper) == pytest.approx(expected, abs=1e-12)
    assert one.p == pytest.approx(other.p, rel=1e-9, abs=1e-12)


@given(LOSSES, st.sampled_from([0.5, 0.8, 0.95]))
def test_p_agrees_with_the_robust_interval(losses, level):
    found = MeanLoss.of(losses - 0.4, reach=1.0).difference(level=level, kind="robust")
    if abs(found.p - (1 - level)) > 1e-9:
        assert (found.p < 1 - level) == (not found.interval.lower <= 0 <= found.interval.upper)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 5)), min_size=2, max_size=12))
def test_counted_losses_are_those_of_their_cases(counted):
    losses, cases = (np.array(column) for column in zip(*counted, strict=True))
    found, expected = MeanLoss.of(losses, cases, reach=1.0), MeanLoss.of(np.repeat(losses, cases), reach=1.0)
    for name in ("value", "variance", "third_cumulant", "n"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name), rel=1e-9, abs=1e-15)


def test_losses_too_small_to_be_squared_have_an_interval():
    found = MeanLoss.of(np.array([0.0, 2.7e-137, 1e-310]), reach=1.0)
    assert found.df == pytest.approx(MeanLoss.of(np.array([0.0, 2.7, 0.0]), reach=1.0).df)
    assert found.interval(0.95, "robust").upper > 0


def test_the_limits_are_those_of_the_formula():
    losses = np.array([0.1, 0.2, 0.05, 0.9, 0.3, 0.0])
    n, mean = 6, losses.mean()
    v, k3 = losses.var(ddof=1) / n, ((losses - mean) ** 3).sum() / n**3
    kurtosis = n * ((losses - mean) ** 4).sum() / ((losses - mean) ** 2).sum() ** 2
    t = student.ppf(0.975, 2 * n / (kurtosis - 1 + 2 / (n - 1)))
    widened = v + 3.5 / n**2
    up = t**2 / 2 * k3 / widened
    found = MeanLoss.of(losses, reach=1.0).interval(0.95, "robust")
    assert found.upper == pytest.approx(mean + up + (up**2 + t**2 * widened) ** 0.5, rel=1e-9)
    assert found.lower == pytest.approx(mean - t * widened**0.5, rel=1e-9)


def test_a_rare_large_loss_that_the_sample_misses_is_within_the_limits():
    """One case in a hundred loses 1: of 60 cases more than half of the samples show none."""
    random, above = np.random.default_rng(8), 0
    for _ in range(300):
        losses = np.where(random.random(60) < 0.01, 1.0, 0.0001)
        above += MeanLoss.of(losses, reach=1.0).interval(0.95, "robust").upper < 0.010099
    assert above <= 14  # 2.5% of 300 are 7.5
