"""The cells of a column of polars, which reads parquet and large text."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.packed_texts import PackedTexts, all_differ
from rocconf.read.cells import are_exact
from rocconf.read.columns import FIRST, Cells, TextCells, as_text, may_be_rounded, parse_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from rocconf.packed_texts import Hashes
    from rocconf.read.columns import CellKind, Codes, Note
    from rocconf.records import Counts, Flags, Floats

PLAIN_NUMBER = r"^[+-]?[0-9]{1,300}(\.[0-9]*)?$"
"""A number that every engine reads the same way, and that is never too large."""


def cells_of(series: pl.Series, kind: CellKind = "text") -> Cells:
    """Return the cells of a column: numbers, booleans and texts as they are, any other type as text.

    Only ids have hashes: whoever needs their texts after all reads them as text.
    """
    import polars as pl

    if series.dtype.is_decimal() or series.dtype in (pl.Categorical, pl.Enum):
        return SeriesCells(series.cast(pl.String), has_hashes=kind == "id")
    if series.dtype.is_numeric() or series.dtype in (pl.Boolean, pl.String):
        return SeriesCells(series, has_hashes=kind == "id")
    if series.dtype.is_temporal() and series.dtype != pl.Date and (series.to_physical() % 1000 != 0).any():
        return TextCells(_to_the_nanosecond(series))
    return TextCells([as_text(value) for value in series.to_list()])


def _to_the_nanosecond(series: pl.Series) -> list[str]:
    """Return times whose last digits Python's types may not have."""
    import polars as pl

    texts = series.dt.to_string("%H:%M:%S%.9f" if series.dtype == pl.Time else "iso")
    return texts.str.replace(" ", "T").fill_null("").to_list()


class SeriesCells(Cells):
    """Numbers, booleans or texts."""

    def __init__(self, series: pl.Series, *, has_hashes: bool = False) -> None:
        self._series, self._has_hashes = series, has_hashes

    def __len__(self) -> int:
        return len(self._series)

    @cached_property
    def _values(self) -> list[Any]:
        """The distinct values in the order in which they first occur."""
        if self._series.null_count() == 0:
            if len(self) and self._series.dtype.is_integer():
                ends: list[Any] = [self._series.min(), self._series.max()]
                if ends[1] - ends[0] <= 1:  # there is no other number
                    return list(dict.fromkeys(ends if self._series[0] == ends[0] else reversed(ends)))
            found = self._series.head(FIRST).unique(maintain_order=True).to_list()
            if self._series.is_in(found).all():
                return found
        return self._series.unique(maintain_order=True).to_list()

    def distinct(self) -> list[str]:
        """Return the distinct cells in the order in which they first occur."""
        return list(dict.fromkeys(map(as_text, self._values)))

    def coded(self, codes: Mapping[str, int]) -> Codes:
        """Return the code of every cell: the cells themselves, or one pass for each code but the first."""
        import polars as pl

        codes_of = {value: codes[as_text(value)] for value in self._values if value is not None}
        are_flags = self._series.dtype.is_integer() or self._series.dtype == pl.Boolean
        if are_flags and self._series.null_count() == 0 and all(value == code for value, code in codes_of.items()):
            return _joined(self._series).astype(np.int8, copy=False)
        start = codes.get("", 0) if self._series.null_count() else next(iter(codes_of.values()), 0)
        coded = np.full(len(self), start, dtype=np.int8)
        for code in set(codes_of.values()) - {start}:
            these = [value for value, own in codes_of.items() if own == code]
            matches = self._series == these[0] if len(these) == 1 else self._series.is_in(these)
            np.putmask(coded, matches.fill_null(value=False).to_numpy(), code)
        return coded

    def places(self) -> tuple[list[str], Counts]:
        """Return the distinct cells, and the place of every cell among them."""
        import polars as pl

        values = self._values
        texts = list(map(as_text, values))
        distinct = list(dict.fromkeys(texts))
        at = {text: place for place, text in enumerate(distinct)}
        known = pl.Series(values, dtype=self._series.dtype)
        own = pl.Series([at[text] for text in texts], dtype=pl.Int64)
        found = self._series.replace_strict(known, own, return_dtype=pl.Int64)
        return distinct, found.cast(pl.Int64).fill_null(at.get("", 0)).to_numpy()

    def numbers(self, note: Note) -> Floats:
        """Return every cell as a number."""
        import polars as pl

        if self._series.dtype.is_float():
            return _joined(self._series.cast(pl.Float64))
        if self._series.dtype.is_integer() or self._is_plain_text():
            numbers = _joined(self._series.cast(pl.Float64))
            if are_exact(numbers[~np.isnan(numbers)] if self._series.null_count() else numbers):
                return numbers
        return parse_numbers(self.texts(), note)

    def _is_plain_text(self) -> bool:
        import polars as pl

        return self._series.dtype == pl.String and bool(self._series.str.contains(PLAIN_NUMBER).all(ignore_nulls=True))

    def are_rounded(self) -> bool:
        """Whether these are floats so large that different whole numbers may have become one."""
        if not self._series.dtype.is_float():
            return False
        return may_be_rounded(self._series.drop_nulls().to_numpy())

    def texts(self) -> list[str]:
        """Return every cell as text."""
        import polars as pl

        if self._series.dtype.is_float():
            return [as_text(value) for value in self._series.to_list()]
        return self._series.cast(pl.String).fill_null("").to_list()

    def packed(self) -> PackedTexts | None:
        """Return every cell as text, packed; None of long ones, and of floats, whose digits Python writes."""
        import polars as pl

        if self._series.dtype.is_float() or not len(self):
            return None
        texts = self._series.cast(pl.String).fill_null("")
        return PackedTexts.of_text(texts.str.join("").item().encode(), texts.str.len_bytes().cast(pl.Int64).to_numpy())

    def hashes(self) -> Hashes | None:
        """Return a hash of every cell, in order; None if these are no ids, or one is empty."""
        return self._hashes if self._has_hashes else None

    @cached_property
    def _hashes(self) -> Hashes | None:
        import polars as pl

        is_text, is_float = self._series.dtype == pl.String, self._series.dtype.is_float()
        if self._series.null_count() or (is_text and (self._series == "").any()):
            return None
        if is_float and self._series.is_nan().any():
            return None
        return np.sort(self._series.hash().to_numpy())

    def surely_differ(self) -> bool:
        """Return whether the cells have different hashes, which takes a tenth of the time that their texts take."""
        hashes = self._hashes
        return hashes is not None and all_differ([hashes])

    def where(self, keep: Flags) -> SeriesCells:
        """Return the cells of some of the rows."""
        import polars as pl

        if keep.all():
            return self
        return SeriesCells(self._series.filter(pl.Series(keep)), has_hashes=self._has_hashes)


def _joined(series: pl.Series) -> Floats:
    """Return the values as one array, joined by numpy: it gets large pages, which polars does not ask for."""
    pieces = [piece.to_numpy() for piece in series.get_chunks()]
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
