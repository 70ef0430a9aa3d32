"""Packed texts are the texts, and are found in others where a search one by one finds them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf import packed_texts
from rocconf.packed_texts import PackedTexts

WORDS = st.text(max_size=20) | st.sampled_from(["a", "a\0", "", "\0", "\ud800", "a" * 8, "a" * 9, "b" * 64])


def packed(texts):
    return PackedTexts.of(np.array(texts, dtype=object))


@given(st.lists(WORDS, min_size=1, max_size=8))
def test_they_are_the_texts(texts):
    found = packed(texts)
    assert len(found) == len(texts)
    assert [*found] == found.tolist() == np.asarray(found).tolist() == texts
    assert [found[row] for row in range(len(texts))] == [found[np.int64(row)] for row in range(len(texts))] == texts
    assert found[np.array([at % 2 == 0 for at in range(len(texts))])].tolist() == texts[::2]


def test_what_is_no_text_is_not_packed():
    assert packed(["a", 1]) is None
    assert packed([1, 2]) is None


@given(st.lists(WORDS, unique=True, max_size=30), st.randoms())
def test_texts_in_another_order_are_found(texts, random):
    others = random.sample(texts, len(texts))
    assert packed(texts).rows_of(packed(others)).tolist() == [others.index(text) for text in texts]


@given(st.lists(WORDS, max_size=6), st.lists(WORDS, max_size=6))
def test_nothing_is_found_unless_both_have_each_text_once(one, two):
    same = sorted(one) == sorted(two) and len(set(one)) == len(one)
    assert (packed(one).rows_of(packed(two)) is not None) == same


def test_long_texts_are_not_packed():
    assert packed(["a" * 64, "b"]) is not None
    assert packed(["a" * 65, "b"]) is None


@given(st.lists(st.lists(WORDS, max_size=4), min_size=1, max_size=4))
def test_a_hash_does_not_depend_on_what_else_is_packed(parts):
    together = PackedTexts.joined([packed(part) for part in parts])
    assert together.tolist() == [text for part in parts for text in part]
    of_each = [packed([text]).hashes().tolist() for part in parts for text in part]
    assert [[each] for each in together.hashes().tolist()] == of_each


@given(st.lists(WORDS, max_size=8))
def test_texts_that_differ_surely_differ_unless_one_is_empty(texts):
    assert packed(texts).surely_differ() == (len(set(texts)) == len(texts) and "" not in texts)


def test_lengths_are_padded_a_chunk_at_a_time(monkeypatch):
    monkeypatch.setattr(packed_texts, "CHUNK", 2)
    texts = ["a", "bcd", "", "ef", "ghijklmnop"]
    assert packed(texts).rows_of(packed(texts[::-1])).tolist() == [4, 3, 2, 1, 0]


@pytest.mark.parametrize(
    ("hashes", "wanted"),
    [
        ([1 << 60, (1 << 60) + 1, 5], [0, 1, 2]),  # equal in their leading bits, which sort quickly
        ([7, 7, 5], None),  # equal hashes of two texts
    ],
)
def test_equal_hashes_find_no_wrong_row(monkeypatch, hashes, wanted):
    monkeypatch.setattr(PackedTexts, "hashes", lambda _: np.array(hashes, dtype=np.uint64))
    rows = packed(["a", "b", "c"]).rows_of(packed(["a", "b", "c"]))
    assert (None if rows is None else rows.tolist()) == wanted


def test_texts_of_equal_hashes_are_compared(monkeypatch):
    monkeypatch.setattr(PackedTexts, "hashes", lambda own: np.arange(len(own), dtype=np.uint64) << np.uint64(32))
    assert packed(["a", "b"]).rows_of(packed(["a", "c"])) is None
