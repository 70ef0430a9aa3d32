"""Cases that wait on disk: their whole numbers are those of the cases at once, however little memory there is."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import whole_numbers_of

from rocconf import Predictions
from rocconf.compute.compare import numbers_of_pile
from rocconf.read import spilled
from rocconf.read.counted import Kept
from rocconf.read.spilled import Pile, Rows, SpillError, pile_of

SCORES = {
    "tied": st.sampled_from([-np.inf, -1.5, 0.0, 0.1, 0.1 + 2**-55, 0.5, np.inf]),
    "distinct": st.floats(allow_nan=False),
    "skewed": st.floats(0, 1).map(lambda share: share**30),
    "constant": st.sampled_from([0.25]),
    "two": st.sampled_from([-np.inf, 1.0]),
}


@pytest.fixture(autouse=True)
def little_memory(monkeypatch):
    """Memory for few cases, so that small piles are divided, and their ranges again."""
    for name, size in (("MOST_HELD", 7), ("BLOCK", 2), ("MOST_RANGES", 4), ("MOST_SAMPLED", 8)):
        monkeypatch.setattr(spilled, name, size)


@st.composite
def several(draw):
    n, models = draw(st.integers(2, 80)), draw(st.integers(1, 3))
    labels = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    labels[:2] = True, False
    scores = {}
    for name in "abc"[:models]:
        kind = SCORES[draw(st.sampled_from(sorted(SCORES)))]
        column = np.array(draw(st.lists(kind, min_size=n, max_size=n)), dtype=np.float64) + 0.0
        turn = draw(st.sampled_from(["own", "own", "same", "same order", "sorted"])) if scores else "own"
        turned = {"same": np.array, "same order": np.arctan}
        scores[name] = turned[turn](scores["a"]) if turn in turned else np.sort(column) if turn == "sorted" else column
    return Predictions(labels, scores)


def pieces(cases, size):
    for start in range(0, len(cases), size):
        part = slice(start, start + size)
        yield Rows(cases.labels[part], tuple(column[part] for column in cases.scores.values()))


def held(key):
    """Return a pile that keeps little in memory, like the others."""
    return Pile(key, block=spilled.MOST_HELD)


def piled(rows, key):
    pile = held(key)
    for each in rows:
        pile.add(each)
    return pile


@given(several(), st.integers(1, 30))
def test_numbers_are_those_of_the_cases_at_once(cases, size):
    found = numbers_of_pile(piled(pieces(cases, size), 0), cases.models, piled)
    expected = whole_numbers_of(cases)
    assert found.pairs == expected
    for each in expected:
        assert found.models[each.model] == each.of_model
        assert found.models[each.baseline] == each.of_baseline
    assert list(found.models) == list(cases.models)


@given(several(), st.integers(1, 30))
def test_ranges_come_in_order_and_fit_into_memory(cases, size):
    above = np.inf
    seen = 0
    for part in piled(pieces(cases, size), 0).ordered():
        scores = np.concatenate([rows.columns[0] for rows in part.rows()])
        assert scores.max() < above or not seen
        assert len(scores) <= spilled.MOST_HELD or scores.min() == scores.max()
        assert len(scores) == part.n
        above, seen = scores.min(), seen + len(scores)
    assert seen == len(cases)


def many(n=500):
    rng = np.random.default_rng(1)
    return Predictions(np.arange(n) % 3 == 0, {"a": rng.random(n), "b": rng.random(n)})


def test_no_file_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    cases = many()
    found = numbers_of_pile(piled(pieces(cases, 50), 0), cases.models, piled)
    assert found.pairs == whole_numbers_of(cases)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_without_room_is_an_error_that_names_the_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(spilled, "_free", lambda: 10)
    with pytest.raises(SpillError, match="no room") as error:
        list(piled(pieces(many(), 50), 0).ordered())
    assert str(tmp_path) in str(error.value)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_an_error_that_names_the_folder(monkeypatch):
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: Path("/dev/full").open("wb+", buffering=0))  # noqa: SIM115
    with pytest.raises(SpillError, match="No space left on device") as error:
        piled(pieces(many(), 50), 0)
    assert tempfile.gettempdir() in str(error.value)


def test_a_small_pile_needs_no_file(monkeypatch):
    monkeypatch.setattr(spilled, "MOST_HELD", 1000)
    monkeypatch.setattr(tempfile, "TemporaryFile", None)
    cases = many()
    pile = Pile(0, block=1000)
    for rows in pieces(cases, 50):
        pile.add(rows)
    assert numbers_of_pile(pile, cases.models, pile_of).pairs == whole_numbers_of(cases)


def test_scores_that_are_the_same_but_for_one_case_are_not_the_same():
    cases = many()
    cases = Predictions(cases.labels, {"a": cases.scores["a"], "b": cases.scores["a"].copy()})
    assert numbers_of_pile(piled(pieces(cases, 50), 0), cases.models, piled).pairs[0].same_scores
    highest = int(cases.scores["a"].argmax())
    column = cases.scores["b"].copy()
    column[highest] = 2.0  # still the highest
    cases = Predictions(cases.labels, {"a": cases.scores["a"], "b": column})
    (pair,) = numbers_of_pile(piled(pieces(cases, 50), 0), cases.models, piled).pairs
    assert (pair.same_order, pair.same_scores) == (True, False)


def test_a_file_that_is_read_again_is_kept_once():
    kept, (first, second, third) = Kept(), pieces(many(60), 20)
    kept.begin()
    kept.add(*first)
    kept.end()
    kept.begin()
    kept.add(*second)  # a reading that cannot go on
    kept.begin()
    kept.add(*second)
    kept.add(*third)
    kept.end()
    assert (kept.pile.n, kept.pile.positives) == (60, 20)
