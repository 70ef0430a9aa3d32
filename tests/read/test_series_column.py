"""A typed column says the same of its cells as their text would, wherever a value first occurs."""

import numpy as np
import polars as pl
import pytest

from rocconf.read.columns import SeriesColumn, TextColumn

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
    """Give cells whose later values first occur far below the first rows, in one piece or in several."""
    cells = [*values[:1] * LATE, *values * 3]
    texts = ["" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell) for cell in cells]
    cuts = np.array_split(np.arange(len(cells)), pieces)
    dtype = pl.Series(values).dtype
    series = pl.concat([pl.Series("cells", [cells[at] for at in cut], dtype=dtype) for cut in cuts], rechunk=False)
    return SeriesColumn(series), TextColumn(texts), cells


@pytest.mark.parametrize("pieces", [1, 3])
@pytest.mark.parametrize("values", VALUES, ids=str)
def test_distinct_cells_and_codes_are_those_of_the_text(values, pieces):
    typed, text, _ = columns_of(values, pieces=pieces)
    assert typed.distinct() == text.distinct()
    for codes in ({cell: at for at, cell in enumerate(text.distinct())}, dict.fromkeys(text.distinct(), 7)):
        assert np.array_equal(typed.coded(codes), text.coded(codes))


@pytest.mark.parametrize("pieces", [1, 3])
@pytest.mark.parametrize("values", [[0.5, None, 2.5], [3, 1], [2, None]], ids=str)
def test_numbers_are_those_of_the_cells(values, pieces):
    typed, _, cells = columns_of(values, pieces=pieces)
    expected = np.array(cells, dtype=np.float64)  # None becomes NaN
    assert np.array_equal(typed.numbers(lambda *_: None), expected, equal_nan=True)
