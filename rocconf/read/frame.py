"""Read data frames: of pandas, of polars, and whatever hands its columns over as Arrow does, such as a table of pyarrow."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.errors import UsageError
from rocconf.read.candidates import SAMPLE
from rocconf.read.cells import are_exact
from rocconf.read.columns import Cells, as_text, may_be_rounded, parse_numbers
from rocconf.read.formats import Piece
from rocconf.read.series import cells_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pandas as pd
    import polars as pl
    from numpy.typing import NDArray

    from rocconf.read.columns import CellKind, Codes, Note
    from rocconf.read.formats import OpenTable
    from rocconf.records import Flags, Floats

NESTED = (list, tuple, dict, set, frozenset, np.ndarray)
"""The types of cells that hold others."""


NAME = "data frame"
ARROW = "__arrow_c_stream__"
"""The method of what can be read as a table of Arrow."""


def table_of(frame: Any) -> OpenTable:
    """Return a data frame as a table."""
    library = type(frame).__module__.partition(".")[0]
    if library == "pandas" and hasattr(frame, "iloc") and hasattr(frame, "columns"):
        return FrameTable(frame)
    if hasattr(frame, "collect") and library == "polars":
        raise UsageError("frame-lazy")
    import polars as pl

    if isinstance(frame, pl.DataFrame):
        return PolarsTable(frame)
    if isinstance(frame, pl.Series) or not hasattr(frame, ARROW):
        raise UsageError("not-a-frame", found=type(frame).__name__)
    return PolarsTable(pl.DataFrame(frame))


def is_frame(thing: object) -> bool:
    """Whether `table_of` takes it for a data frame, or says why it cannot."""
    kind = type(thing)
    library = kind.__module__.partition(".")[0]
    return kind.__name__ in ("DataFrame", "LazyFrame") or (
        hasattr(thing, ARROW) and not (library == "polars" and kind.__name__ == "Series")
    )


class PolarsTable:
    """A data frame of polars; its rows are numbered from 0."""

    name, unit, digest = NAME, "row", None

    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame
        self.header = frame.columns

    def head(self, positions: Sequence[int]) -> dict[int, Cells]:
        """Return the cells of some columns in the first rows."""
        return {at: cells_of(self._frame.to_series(at).head(SAMPLE)) for at in positions}

    def is_nested(self, at: int) -> bool:
        """Whether the cells of a column are lists or structs."""
        return self._frame.dtypes[at].is_nested()

    def readings(self, kinds: Mapping[int, CellKind]) -> Iterator[list[Piece]]:
        """Read some columns."""
        yield [Piece(range(len(self._frame)), {at: cells_of(self._frame.to_series(at)) for at in kinds})]

    batches = readings


class FrameTable:
    """A data frame of pandas; its rows are numbered from 0, as pandas does."""

    name, unit, digest = NAME, "row", None

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame
        self.header = ["" if is_missing(name) else str(name) for name in frame.columns]

    def head(self, positions: Sequence[int]) -> dict[int, Cells]:
        """Return the cells of some columns in the first rows."""
        return {at: FrameCells(self._frame.iloc[:SAMPLE, at]) for at in positions}

    def is_nested(self, at: int) -> bool:
        """Whether the first rows of a column have a cell that holds others."""
        values = self._frame.iloc[:SAMPLE, at]
        return values.dtype.kind == "O" and any(isinstance(value, NESTED) for value in values)

    def readings(self, kinds: Mapping[int, CellKind]) -> Iterator[list[Piece]]:
        """Read some columns."""
        yield [Piece(range(len(self._frame)), {at: FrameCells(self._frame.iloc[:, at]) for at in kinds})]

    batches = readings


class FrameCells(Cells):
    """The cells of a column of a data frame."""

    def __init__(self, values: Any) -> None:
        self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def distinct(self) -> list[str]:
        """Return the distinct cells in the order in which they first occur."""
        return list(dict.fromkeys(map(_as_text, self._factorized[1])))

    def coded(self, codes: Mapping[str, int]) -> Codes:
        """Return the code of every cell."""
        where, distinct = self._factorized
        of_distinct = np.array([codes[_as_text(value)] for value in distinct], dtype=np.int8)
        return np.asarray(of_distinct[where])

    def numbers(self, note: Note) -> Floats:
        """Return every cell as a number."""
        if _is_real(self._values):
            numbers = np.array(self._values.to_numpy(dtype=np.float64, na_value=np.nan))
            if self._values.dtype.kind == "f" or are_exact(numbers[~np.isnan(numbers)]):
                return numbers
        return parse_numbers(self.texts(), note)

    def are_rounded(self) -> bool:
        """Whether these are floats so large that different whole numbers may have become one."""
        floats = self._values
        if floats.dtype.kind != "f":
            floats = np.array([value for value in floats if isinstance(value, float)], dtype=np.float64)
        return may_be_rounded(np.asarray(floats[floats == floats]))  # noqa: PLR0124  # NaN is missing

    def texts(self) -> list[str]:
        """Return every cell as text."""
        return [_as_text(value) for value in self._values]

    def where(self, keep: Flags) -> FrameCells:
        """Return the cells of some of the rows."""
        return FrameCells(self._values.iloc[keep])

    @cached_property
    def _factorized(self) -> tuple[NDArray[np.intp], Any]:
        """The position of every cell among the distinct ones, and these."""
        import pandas as pd

        try:
            where, distinct = self._values.factorize(use_na_sentinel=False)
        except TypeError:  # cells without a hash, such as lists
            where, distinct = pd.Series(self.texts(), dtype=object).factorize()
        return where, distinct


def is_missing(name: object) -> bool:
    """Whether a column has no name: None or NaN."""
    return name is None or name != name  # noqa: PLR0124  # NaN is not itself


def _is_real(values: Any) -> bool:
    return values.dtype.kind in "iuf"


def _as_text(value: Any) -> str:
    import pandas as pd

    missing = pd.isna(value)
    return "" if isinstance(missing, bool) and missing else as_text(value)
