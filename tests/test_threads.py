"""Work on several threads has the results of one, in their order, and its errors."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf import threads


@pytest.fixture(params=[1, 2, 3], autouse=True)
def _processors(request, monkeypatch):
    monkeypatch.setattr(threads, "processors", lambda: request.param)


@pytest.mark.parametrize("n", [0, 1, 2, 50])
def test_results_come_in_their_order(n):
    assert list(threads.ahead(lambda at=at: at * at for at in range(n))) == [at * at for at in range(n)]
    assert list(threads.mapped(lambda at: at * at, range(n))) == [at * at for at in range(n)]


def test_an_error_is_raised_where_its_result_would_be():
    def work(at):
        return 1 // (3 - at)

    found = []
    with pytest.raises(ZeroDivisionError):
        found.extend(threads.ahead(lambda at=at: work(at) for at in range(9)))
    with pytest.raises(ZeroDivisionError):
        list(threads.mapped(work, range(99)))


def test_no_more_is_made_ahead_than_there_are_threads():
    made = []
    results = threads.ahead(lambda at=at: made.append(at) for at in range(100))
    next(results)
    results.close()
    assert len(made) <= 4


def test_who_stops_early_leaves_no_thread():
    before = threading.active_count()
    results = threads.ahead(lambda at=at: at for at in range(100))
    assert next(results) == 0
    results.close()
    assert threading.active_count() == before


@given(st.lists(st.integers(0, 2**64 - 1), max_size=40), st.integers(1, 50))
def test_values_are_sorted(values, many):
    found = np.array(values, dtype=np.uint64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threads, "MANY", many)
        threads.sort(found)
    assert found.tolist() == sorted(values)


def test_processors_are_those_that_are_allowed(monkeypatch):
    monkeypatch.undo()
    assert 1 <= threads.processors() <= threads.MOST
