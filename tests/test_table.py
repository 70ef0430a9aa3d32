"""Tables: rows that are computed when they are asked for, and one head over the rows of several models."""

import math

import numpy as np
import pytest

from rocconf.errors import RocconfError
from rocconf.records import CHUNK
from rocconf.table import Block, Column, Table, plain_values, stack

COLUMNS = (Column("model", "text"), Column("k", "count"), Column("half", "share"))


def lazy(length, model="m", seen=None):
    """A table whose k-th row is (model, k, k/2)."""

    def values(key, rows):
        if seen is not None:
            seen.append((key, rows))
        k = np.arange(length)[rows]
        return {"model": np.full(len(k), model, dtype=object), "k": k, "half": k / 2}[key]

    return Table("rows", COLUMNS, (Block(length, values),))


@pytest.mark.parametrize("length", [0, 1, CHUNK, CHUNK + 1, 2 * CHUNK + 5])
def test_chunks_hold_every_row_once(length):
    chunks = list(lazy(length).chunks())
    assert all(0 < len(chunk["k"]) <= CHUNK for chunk in chunks)
    assert [k for chunk in chunks for k in chunk["k"].tolist()] == list(range(length))
    assert all(tuple(chunk) == ("model", "k", "half") for chunk in chunks)


def test_nothing_is_computed_that_is_not_asked_for():
    seen = []
    table = lazy(3 * CHUNK, seen=seen)
    assert (len(table), table.names) == (3 * CHUNK, ("model", "k", "half"))
    assert seen == []
    next(table.chunks())
    assert seen == [(key, slice(0, CHUNK)) for key in table.names]


def test_a_column_comes_whole_and_by_its_name():
    table = lazy(CHUNK + 2)
    assert table["k"].tolist() == list(range(CHUNK + 2))
    with pytest.raises(KeyError, match=r"no column 'third' \(found: model, k, half\)"):
        table["third"]


def test_stacked_tables_keep_their_blocks_in_order():
    table = stack([lazy(2, "a"), lazy(0, "b"), lazy(3, "c")])
    assert len(table) == 5
    assert [block.length for block in table.blocks] == [2, 0, 3]
    assert table["model"].tolist() == ["a", "a", "c", "c", "c"]
    assert [row["k"] for row in table.records()] == [0, 1, 0, 1, 2]
    with pytest.raises(RocconfError, match="tables named rows have different columns"):
        stack([lazy(1), Table.of("rows", [Column("model", "text")], [])])


@pytest.mark.parametrize("places", [[], [4, 0, 2], [1, 1, 3], [0, 1, 2, 3, 4]])
def test_some_rows_are_those_of_all(places):
    table = stack([lazy(2, "a"), lazy(0, "b"), lazy(3, "c")])
    rows = table.records()
    assert table.records_at(places) == [rows[place] for place in places]


def test_of_some_rows_no_others_are_computed():
    seen = []
    lazy(3 * CHUNK, seen=seen).records_at([5, CHUNK])
    assert {tuple(rows.tolist()) for _, rows in seen} == {(5, CHUNK)}


RECORDS = [
    {"name": "a", "k": 1, "share": 0.5, "sure": True, "tied": [1.0, None], "big": 2**62},
    {"name": None, "k": 2, "share": None, "sure": False, "tied": [], "big": 3},
]
HELD = (
    Column("name", "text", "unnamed"),
    Column("k", "count"),
    Column("share", "share", "0/0"),
    Column("sure", "flag"),
    Column("tied", "list"),
    Column("big", "count"),
)


def test_rows_at_hand_come_back_as_they_were():
    records = Table.of("t", HELD, RECORDS).records()
    assert records == RECORDS
    assert [type(value) for value in records[0].values()] == [str, int, float, bool, list, int]
    assert Table.of("t", HELD, []).records() == []


def test_whole_numbers_stay_whole_and_flags_flags():
    table = Table.of("t", HELD, RECORDS)
    assert [table[name].dtype.kind for name in table.names] == ["O", "i", "f", "b", "O", "i"]


def test_lists_of_one_length_stay_lists():
    table = Table.of("t", [Column("tied", "list")], [{"tied": [1.0]}, {"tied": [2.0]}])
    assert table["tied"].shape == (2,)
    assert table.records() == [{"tied": [1.0]}, {"tied": [2.0]}]


def test_a_flag_that_is_not_known_is_missing():
    table = Table.of("t", [Column("sure", "flag")], [{"sure": True}, {"sure": None}])
    assert table.records() == [{"sure": True}, {"sure": None}]


def test_a_record_without_a_column_is_an_error():
    with pytest.raises(KeyError):
        Table.of("t", HELD, [{"name": "a"}])


def test_missing_is_none_and_infinite_stays():
    assert plain_values(np.array([1.0, math.nan, math.inf])) == [1.0, None, math.inf]
    assert plain_values(np.array([1, 2])) == [1, 2]
    assert all(type(value) is int for value in plain_values(np.array([1, 2])))


def test_a_data_frame_has_the_same_columns_and_rows():
    frame = Table.of("t", HELD, RECORDS).to_frame()
    assert list(frame.columns) == [column.name for column in HELD]
    assert frame["k"].tolist() == [1, 2]
    assert math.isnan(frame["share"][1])
    assert frame["sure"].dtype == bool
    assert stack([lazy(2, "a"), lazy(1, "b")]).to_frame()["model"].tolist() == ["a", "a", "b"]
