import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf.compute.stats.holm import holm

SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=6)


def test_matches_holms_definition():
    # .01 * 4, .02 * 3, max(.06, .03 * 2), max(.06, .5)
    assert holm([0.03, 0.5, 0.01, 0.02]) == pytest.approx([0.06, 0.5, 0.04, 0.06])


@given(SHARES)
def test_rejects_what_the_step_down_procedure_rejects(p_values):
    alpha, rejected = 0.05, set()
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        if p_values[place] * (len(p_values) - rank) > alpha:
            break
        rejected.add(place)
    assert {place for place, p in enumerate(holm(p_values)) if p <= alpha} == rejected


@given(SHARES)
def test_lies_between_the_raw_p_and_one(p_values):
    assert all(p <= adjusted <= 1 for p, adjusted in zip(p_values, holm(p_values), strict=True))
