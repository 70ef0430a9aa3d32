"""A typed column says the same of its cells as their text would, wherever a value first occurs."""

from io import BytesIO

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocconf import InputError
from rocconf.packed_texts import PackedTexts
from rocconf.read import Input, Wanted, find_input, read_table
from rocconf.read.columns import TextCells, as_text
from rocconf.read.series import SeriesCells, cells_of

VALUES = [
    [0, 1],
    [1, 0, None],
    [None, 1],
    [1, None],
    ["b", "a", "", None],
    [True, False],
    [False, None, True],
    [0.5, -1.0, float("inf")],
    ["only"],
    [],
]
LATE = 5000


def columns_of(values, *, pieces):
    """Return cells whose later values first occur far below the first rows, in one piece or in several."""
    cells = [*values[:1] * LATE, *values * 3]
    texts = ["" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell) for cell in cells]
    cuts = np.array_split(np.arange(len(cells)), pieces)
    dtype = pl.Series(values).dtype
    series = pl.concat([pl.Series("cells", [cells[at] for at in cut], dtype=dtype) for cut in cuts], rechunk=False)
    return SeriesCells(series), TextCells(texts), cells


@pytest.mark.parametrize("pieces", [1, 3])
@pytest.mark.parametrize("values", VALUES, ids=str)
def test_distinct_cells_and_codes_are_those_of_the_text(values, pieces):
    typed, text, _ = columns_of(values, pieces=pieces)
    assert typed.distinct() == text.distinct()
    for codes in ({cell: at for at, cell in enumerate(text.distinct())}, dict.fromkeys(text.distinct(), 7)):
        assert np.array_equal(typed.coded(codes), text.coded(codes))
    (names, places), (expected, places_of_text) = typed.places(), text.places()
    assert names == expected == text.distinct()
    assert [names[at] for at in places] == [expected[at] for at in places_of_text] == text.texts()


@pytest.mark.parametrize("pieces", [1, 3])
@pytest.mark.parametrize("values", [[0.5, None, 2.5], [3, 1], [2, None]], ids=str)
def test_numbers_are_those_of_the_cells(values, pieces):
    typed, _, cells = columns_of(values, pieces=pieces)
    expected = np.array(cells, dtype=np.float64)  # None becomes NaN
    assert np.array_equal(typed.numbers(lambda *_: None), expected, equal_nan=True)


@given(cells=st.lists(st.text("ab", max_size=3) | st.none(), max_size=6))
def test_texts_surely_differ_exactly_if_they_do_and_none_is_empty(cells):
    wanted = len(set(cells)) == len(cells) and not {"", None} & set(cells)
    assert SeriesCells(pl.Series("id", cells, dtype=pl.String)).surely_differ() == wanted


def test_numbers_surely_differ_exactly_if_their_texts_do():
    assert SeriesCells(pl.Series([3, 1, 2])).surely_differ()
    assert not SeriesCells(pl.Series([3, 1, 3])).surely_differ()
    assert not SeriesCells(pl.Series([3, None])).surely_differ()


@pytest.mark.parametrize("ids", [["a", "b", "a"], ["a", "b", ""]])
def test_ids_are_checked_also_where_they_are_not_kept(ids):
    frame = pl.DataFrame({"id": ids, "label": [1, 0, 1], "score": [0.1, 0.2, 0.3]})
    content = BytesIO()
    frame.write_parquet(content)
    with pytest.raises(InputError, match=r"row 3: (id 'a' is already on row 1|the id has no value)"):
        read_table(Input("scores.parquet", None, content.getvalue()), Wanted(keep_ids=False))


@given(st.lists(st.text(max_size=3) | st.none(), min_size=1, max_size=5) | st.lists(st.integers(0, 99), min_size=1))
def test_packed_cells_are_the_texts(cells):
    series = SeriesCells(pl.Series("id", cells))
    assert series.packed().tolist() == series.texts()


def test_floats_are_not_packed():
    assert SeriesCells(pl.Series("id", [1.0, 2.5])).packed() is None


def test_ids_are_kept_packed_for_those_who_join_them(tmp_path):
    frame = pl.DataFrame({"id": ["a", "bé", "c"], "label": [1, 0, 1], "score": [0.1, 0.2, 0.3]})
    frame.write_parquet(tmp_path / "scores.parquet")
    (tmp_path / "scores.csv").write_text(frame.write_csv(), encoding="utf-8")
    kept = [
        read_table(find_input(str(tmp_path / f"scores.{suffix}")), Wanted(keep_ids="packed")).ids
        for suffix in ("parquet", "csv")
    ]
    assert [ids.tolist() for ids in kept] == [["a", "bé", "c"]] * 2
    assert isinstance(kept[0], PackedTexts)


@pytest.mark.parametrize("keep_ids", [False, True])
def test_ids_are_kept_for_those_who_want_them(keep_ids):
    content = b"id,label,score\na,1,0.3\nb,0,0.2\n"
    kept = read_table(Input("scores.csv", None, content), Wanted(keep_ids=keep_ids)).ids
    assert (kept is None) != keep_ids
    assert kept is None or kept.tolist() == ["a", "b"]


@pytest.mark.parametrize("kind", [pl.Int8, pl.UInt64, pl.Int64, pl.Boolean])
@pytest.mark.parametrize("values", [[0, 1], [1, 0], [1, 1], [1, 2], [0, 2], [2, 1, 0]])
def test_whole_numbers_are_coded_as_their_texts_are(kind, values):
    series = pl.concat([pl.Series([values[0]] * 1500 + values), pl.Series(values)], rechunk=False).cast(kind)
    cells, texts = cells_of(series), TextCells(list(map(as_text, series.to_list())))
    assert cells.distinct() == texts.distinct()
    for codes in ((0, 1, 0), (1, 0, -2), (-1, -2, 1)):
        code_of = dict(zip(["0", "1", "2"], codes, strict=True)) | {"false": codes[0], "true": codes[1]}
        assert cells.coded(code_of).tolist() == texts.coded(code_of).tolist()
