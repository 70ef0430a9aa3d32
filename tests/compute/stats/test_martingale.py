"""Conformal p-values and the Simple Jumper: by their definitions, and against values computed elsewhere."""

import json

import numpy as np
import pytest
from conftest import REFERENCE
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from rocconf.compute.stats.martingale import conformal_p, most_after, simple_jumper

PUBLISHED = json.loads((REFERENCE / "martingale.json").read_text(encoding="utf-8"))
VALUES = st.lists(st.integers(0, 6).map(float) | st.floats(allow_nan=False), max_size=70)


def jumped(p, jump=0.01):
    """The Simple Jumper step by step, as it is printed."""
    capital, path = {-1: 1 / 3, 0: 1 / 3, 1: 1 / 3}, []
    for each in p:
        total = sum(capital.values())
        capital = {e: ((1 - jump) * own + jump / 3 * total) * (1 + e * (each - 0.5)) for e, own in capital.items()}
        path.append(np.log(sum(capital.values())))
    return path


@pytest.mark.parametrize("case", PUBLISHED["jumper"], ids=lambda case: case["name"])
def test_the_jumper_follows_the_path_computed_elsewhere(case):
    path = simple_jumper(np.array(case["p"]), jump=float(case["J"]))
    assert path == pytest.approx(case["log_M_path"], abs=1e-12)
    for limit, step in case["first_step_at_or_above"].items():
        reached = np.flatnonzero(path >= np.log(float(limit)))
        assert (reached[0] + 1 if len(reached) else None) == step


@pytest.mark.parametrize("case", PUBLISHED["conformal"])
def test_p_values_are_those_computed_elsewhere(case):
    distinct, cases = np.unique(np.array(case["reference"], dtype=float), return_counts=True)
    p = conformal_p(np.array(case["stream"], dtype=float), distinct, cases, np.array(case["tau"]))
    assert p == pytest.approx(case["p"], abs=1e-15)
    assert simple_jumper(p) == pytest.approx(case["log_M_path_J_0_01"], abs=1e-12)


@examples(60)
@given(VALUES, VALUES, st.integers(0, 9))
def test_p_values_count_what_their_definition_counts(reference, values, seed):
    tau = np.random.default_rng(seed).random(len(values))
    distinct, cases = np.unique(np.array(reference, dtype=float), return_counts=True)
    expected = []
    for at, value in enumerate(values):
        seen = [*reference, *values[: at + 1]]
        greater, equal = sum(each > value for each in seen), sum(each == value for each in seen)
        expected.append((greater + tau[at] * equal) / len(seen))
    found = conformal_p(np.array(values, dtype=float), distinct, cases, tau)
    assert found.tolist() == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("length", [0, 1, 2, 255, 256, 257, 1000, 70_001])
def test_runs_side_by_side_give_the_path_of_one_run(length):
    p = np.random.default_rng(length).random(length) ** 1.2
    assert simple_jumper(p) == pytest.approx(jumped(p), abs=1e-9)
    beyond_all_floats = simple_jumper(np.full(5000, 1e-6))
    assert 1900 < beyond_all_floats[-1] < np.inf


def test_no_bets_and_no_growth_beyond_half_a_bet():
    assert most_after(0) == 0
    assert all(most_after(n) < n * np.log(1.5) for n in range(1, 40))
    assert most_after(12) < np.log(60) < most_after(13)
    rng = np.random.default_rng(2)
    assert max(simple_jumper(rng.random(15) * 0.01)[-1] for _ in range(50)) <= most_after(15)
