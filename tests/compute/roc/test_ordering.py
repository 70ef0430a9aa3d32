"""The packed sort orders every float as an ordinary sort does, and knows where ties end."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rocconf.compute.roc.ordering import ordering, same_order

NEAR = [0.1 + k * 2.0**-56 for k in range(6)]  # told apart by their last bits alone
SPECIAL = [0.0, -0.0, 5e-324, -5e-324, np.inf, -np.inf, 1.0, np.nextafter(1.0, 2.0), -1e308]
SCORES = st.lists(st.sampled_from(NEAR + SPECIAL) | st.floats(allow_nan=False), min_size=1, max_size=60)


def ends_of_ties(ascending):
    return np.append(ascending[1:] != ascending[:-1], True)


@given(SCORES)
@example([0.5])
@example([0.0, -0.0])
def test_agrees_with_a_stable_sort(scores):
    scores = np.array(scores)
    cases, ends = ordering(scores)
    assert sorted(cases) == list(range(len(scores)))
    assert (scores[cases] == np.sort(scores)).all()
    assert (ends == ends_of_ties(np.sort(scores))).all()


@pytest.mark.parametrize("spread", [2.0**-52, 2.0**-45, 2.0**-40, 1.0, 1e300])
def test_orders_scores_whose_last_bits_do_not_fit(spread):
    rng = np.random.default_rng(3)
    scores = 1 + spread * rng.integers(0, 3000, size=5000) * rng.choice([1, -1, 1e-9], size=5000)
    cases, ends = ordering(scores)
    assert (np.sort(cases) == np.arange(5000)).all()
    assert (scores[cases] == np.sort(scores)).all()
    assert (ends == ends_of_ties(np.sort(scores))).all()


@given(SCORES)
def test_a_rising_function_keeps_the_order(scores):
    scores = np.array(scores)
    ranks = np.unique(scores, return_inverse=True)[1].astype(float)
    assert same_order(scores, 3 * ranks - 7)
    assert same_order(3 * ranks - 7, scores)


@pytest.mark.parametrize(
    ("first", "second"),
    [([1, 2, 3], [1, 3, 2]), ([1, 2, 3], [1, 2, 2]), ([1, 2, 2], [1, 2, 3]), ([1, 2, 2], [1, 1, 2])],
)
def test_a_different_order_or_different_ties_are_detected(first, second):
    assert not same_order(np.array(first, float), np.array(second, float))
