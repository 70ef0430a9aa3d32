"""A column of cells, whatever holds them: text as it was read, or the typed column of an engine or a data frame.

Labels and filters need only a column's distinct cells and where each stands; scores need its numbers.
"""

from __future__ import annotations

from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from rocconf.read.cells import CellError, number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import polars as pl
    from numpy.typing import NDArray

    from rocconf.records import Flags, Floats

    Codes = NDArray[np.int8]
    Note = Callable[[int, str], None]


FIRST = 1000
"""How many rows are looked at first for the distinct cells."""

PLAIN_NUMBER = r"^[+-]?[0-9]{1,300}(\.[0-9]*)?$"
"""A number that every engine reads the same way, and that is never too large."""


class Column(Protocol):
    """What a reader asks of a column."""

    def __len__(self) -> int: ...

    def distinct(self) -> list[str]:
        """Return the distinct cells, as they first occur."""

    def coded(self, codes: Mapping[str, int]) -> Codes:
        """Return the code of every cell."""

    def numbers(self, note: Note) -> Floats:
        """Return every cell as a number, NaN for a missing one; a cell that is none is noted with its row."""

    def texts(self) -> list[str]:
        """Return every cell as text."""

    def surely_differ(self) -> bool:
        """Whether no two cells are the same and none is empty; no answer where that is not cheap to say."""

    def where(self, keep: Flags) -> Column:
        """Return the column of some of the rows."""


class TextColumn:
    """Cells as they stand in a text file."""

    def __init__(self, cells: Sequence[str]) -> None:
        self._cells = cells

    def __len__(self) -> int:
        return len(self._cells)

    def distinct(self) -> list[str]:
        """Return the distinct cells, as they first occur."""
        return list(dict.fromkeys(self._cells))

    def coded(self, codes: Mapping[str, int]) -> Codes:
        """Return the code of every cell."""
        return np.fromiter(map(codes.__getitem__, self._cells), dtype=np.int8, count=len(self._cells))

    def numbers(self, note: Note) -> Floats:
        """Return every cell as a number; what `float` takes and `number` would not is looked at one by one."""
        together = "".join(self._cells)
        if together.isascii() and "_" not in together:
            try:
                values = np.array(list(map(float, self._cells)), dtype=np.float64)
            except ValueError:
                return numbers_of(self._cells, note)
            if np.isfinite(values).all():
                return values
        return numbers_of(self._cells, note)

    def texts(self) -> list[str]:
        """Return every cell."""
        return list(self._cells)

    def surely_differ(self) -> bool:
        """Leave it to whoever has the texts."""
        return False

    def where(self, keep: Flags) -> TextColumn:
        """Return the column of some of the rows."""
        return TextColumn(list(compress(self._cells, keep.tolist())))


def column_of(series: pl.Series) -> Column:
    """Take a column of polars: numbers, booleans and texts as they are, any other type as text."""
    import polars as pl

    if series.dtype.is_decimal() or series.dtype in (pl.Categorical, pl.Enum):
        return SeriesColumn(series.cast(pl.String))
    if series.dtype.is_numeric() or series.dtype in (pl.Boolean, pl.String):
        return SeriesColumn(series)
    return TextColumn([text_of(value) for value in series.to_list()])


class SeriesColumn:
    """A column of polars that holds numbers, booleans or texts."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def __len__(self) -> int:
        return len(self._series)

    @cached_property
    def _values(self) -> list[Any]:
        """The distinct values, as they first occur: mostly the first rows have them all."""
        first = self._series.head(FIRST).unique(maintain_order=True).to_list()
        if self._series.null_count() == 0 and self._series.is_in(first).all():
            return first
        return self._series.unique(maintain_order=True).to_list()

    def distinct(self) -> list[str]:
        """Return the distinct cells, as they first occur."""
        return list(dict.fromkeys(map(text_of, self._values)))

    def coded(self, codes: Mapping[str, int]) -> Codes:
        """Return the code of every cell: one pass for each code but the one to start from."""
        codes_of = {value: codes[text_of(value)] for value in self._values if value is not None}
        start = codes.get("", 0) if self._series.null_count() else next(iter(codes_of.values()), 0)
        coded = np.full(len(self), start, dtype=np.int8)
        for code in set(codes_of.values()) - {start}:
            these = [value for value, its in codes_of.items() if its == code]
            found = self._series == these[0] if len(these) == 1 else self._series.is_in(these)
            np.putmask(coded, found.fill_null(value=False).to_numpy(), code)
        return coded

    def numbers(self, note: Note) -> Floats:
        """Return every cell as a number."""
        import polars as pl

        if self._series.dtype.is_numeric():
            return _joined(self._series.cast(pl.Float64))
        if self._series.dtype == pl.String and self._series.str.contains(PLAIN_NUMBER).all(ignore_nulls=True):
            return _joined(self._series.cast(pl.Float64))
        return numbers_of(self.texts(), note)

    def texts(self) -> list[str]:
        """Return every cell as text."""
        import polars as pl

        if self._series.dtype.is_float():
            return [text_of(value) for value in self._series.to_list()]
        return self._series.cast(pl.String).fill_null("").to_list()

    def surely_differ(self) -> bool:
        """Say so if the cells have different hashes, which takes a tenth of the time that their texts would take."""
        import polars as pl

        if self._series.null_count() or (self._series.dtype == pl.String and (self._series == "").any()):
            return False
        hashes = np.sort(self._series.hash().to_numpy())
        return bool((hashes[1:] != hashes[:-1]).all())

    def where(self, keep: Flags) -> SeriesColumn:
        """Return the column of some of the rows."""
        import polars as pl

        return SeriesColumn(self._series.filter(pl.Series(keep)))


def _joined(series: pl.Series) -> Floats:
    """Return the values in one piece, joined by numpy: the system gives it large pages, which polars does not ask for."""
    pieces = [piece.to_numpy() for piece in series.get_chunks()]
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)


class FrameColumn:
    """A column of a pandas data frame."""

    def __init__(self, values: Any) -> None:
        self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def distinct(self) -> list[str]:
        """Return the distinct cells, as they first occur."""
        return list(dict.fromkeys(map(_frame_text, self._factorized[1])))

    def coded(self, codes: Mapping[str, int]) -> Codes:
        """Return the code of every cell."""
        where, distinct = self._factorized
        of_distinct = np.array([codes[_frame_text(value)] for value in distinct], dtype=np.int8)
        return np.asarray(of_distinct[where])

    def numbers(self, note: Note) -> Floats:
        """Return every cell as a number."""
        if holds_numbers(self._values):
            return np.array(self._values.to_numpy(dtype=np.float64, na_value=np.nan))
        return numbers_of(self.texts(), note)

    def texts(self) -> list[str]:
        """Return every cell as text."""
        return [_frame_text(value) for value in self._values]

    def surely_differ(self) -> bool:
        """Leave it to whoever has the texts."""
        return False

    def where(self, keep: Flags) -> FrameColumn:
        """Return the column of some of the rows."""
        return FrameColumn(self._values.iloc[keep])

    @cached_property
    def _factorized(self) -> tuple[NDArray[np.intp], Any]:
        """Say which distinct cell each one is."""
        import pandas as pd

        try:
            where, distinct = self._values.factorize(use_na_sentinel=False)
        except TypeError:  # cells without a hash, such as lists
            where, distinct = pd.Series(self.texts(), dtype=object).factorize()
        return where, distinct


def holds_numbers(values: Any) -> bool:
    """Whether a column of a data frame holds real numbers."""
    return values.dtype.kind in "iuf"


def numbers_of(cells: Sequence[str], note: Note) -> Floats:
    """Read cells one by one, noting those that are no number."""
    values = np.zeros(len(cells))
    for row, cell in enumerate(cells):
        try:
            values[row] = number(cell)
        except CellError as fault:
            note(row, str(fault))
    return values


def text_of(value: Any) -> str:
    """Write a typed cell as a text file would have it."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool | np.bool_) else str(value)


def _frame_text(value: Any) -> str:
    import pandas as pd

    missing = pd.isna(value)
    return "" if isinstance(missing, bool) and missing else text_of(value)
