"""Read pandas data frames."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.read.candidates import SAMPLE
from rocconf.read.cells import are_exact
from rocconf.read.columns import Cells, as_text, may_be_rounded, parse_numbers
from rocconf.read.formats import Piece

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from rocconf.read.columns import CellKind, Codes, Note
    from rocconf.records import Flags, Floats

NESTED = (list, tuple, dict, set, frozenset, np.ndarray)
"""The types of cells that hold others."""


class FrameTable:
    """A data frame; its rows are numbered from 0, as pandas does."""

    name, unit, digest = "data frame", "row", None

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame
        self.header = [str(name) for name in frame.columns]

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


def _is_real(values: Any) -> bool:
    return values.dtype.kind in "iuf"


def _as_text(value: Any) -> str:
    import pandas as pd

    missing = pd.isna(value)
    return "" if isinstance(missing, bool) and missing else as_text(value)
