"""Read labels and scores that are in memory: lists, arrays and the columns of data frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.errors import InputError
from rocconf.messages import message
from rocconf.read.candidates import SAMPLE
from rocconf.read.columns import TextCells, as_text
from rocconf.read.formats import Piece

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocconf.read.columns import CellKind, Cells

LABEL = "y"
"""The name of the labels in messages."""

DEFAULT_MODEL = "score"
"""The model of scores without a name."""


class ArraysTable:
    """Columns of equal length; their rows are numbered from 0, as Python does."""

    name, unit, digest = "arrays", "row", None

    def __init__(self, columns: Mapping[str, Column]) -> None:
        self.header, self._columns = list(columns), list(columns.values())
        self._length = len(self._columns[0])

    def head(self, positions: Sequence[int]) -> dict[int, Cells]:
        """Return the cells of some columns in the first rows."""
        return {at: self._columns[at].cells(SAMPLE) for at in positions}

    def is_nested(self, at: int) -> bool:
        """Whether the cells of a column hold others."""
        return self._columns[at].is_nested

    def readings(self, kinds: Mapping[int, CellKind]) -> Iterator[list[Piece]]:
        """Read some columns."""
        yield [Piece(range(self._length), {at: self._columns[at].cells() for at in kinds})]

    batches = readings


class Column:
    """The values of a column: of pandas, of polars, or as text."""

    def __init__(self, name: str, values: Any) -> None:
        self._values = _in_memory(name, values)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def is_nested(self) -> bool:
        """Whether cells hold others."""
        return not isinstance(self._values, list) and _is(self._values, "polars") and self._values.dtype.is_nested()

    def cells(self, most: int | None = None) -> Cells:
        """Return all cells, or the first ones."""
        if isinstance(self._values, list):
            return TextCells(self._values[:most])
        if _is(self._values, "pandas"):
            from rocconf.read.frame import FrameCells

            return FrameCells(self._values.iloc[:most])
        from rocconf.read.series import cells_of

        return cells_of(self._values if most is None else self._values.head(most))


def table_of_arrays(labels: Any, scores: Any) -> tuple[ArraysTable, str, list[str]]:
    """Return a table of labels and scores, with the name of the labels and the names of the models."""
    named = dict(scores) if isinstance(scores, Mapping) else {_name_of(scores): scores}
    if not named:
        raise InputError(ArraysTable.name, [message("no-scores-given")])
    for name in named:
        if not isinstance(name, str) or not name.strip():
            raise InputError(ArraysTable.name, [message("array-model-name", found=repr(name))])
    named = {name.strip(): values for name, values in named.items()}
    label = LABEL
    while label in named:
        label += "_"
    given = {label: labels, **named}
    columns = {name: Column(name, values) for name, values in given.items()}
    sizes = {name: len(column) for name, column in columns.items()}
    if len(set(sizes.values())) > 1:
        shown = ", ".join(f"{name} {size}" for name, size in sizes.items())
        raise InputError(ArraysTable.name, [message("different-lengths", sizes=shown)])
    _require_one_order(given)
    return ArraysTable(columns), label, list(named)


def _require_one_order(columns: Mapping[str, Any]) -> None:
    """Refuse columns of pandas whose rows have other names, or another order: they are not of the same cases."""
    series = {name: values for name, values in columns.items() if _is(values, "pandas") and hasattr(values, "index")}
    first = next(iter(series), None)
    for name, values in series.items():
        if first is not None and not series[first].index.equals(values.index):
            raise InputError(ArraysTable.name, [message("array-order", first=first, other=name)])


def _name_of(scores: Any) -> str:
    """Return the name of a column of a data frame, or the default name."""
    name = getattr(scores, "name", None)
    return name if isinstance(name, str) and name.strip() else DEFAULT_MODEL


def _in_memory(name: str, values: Any) -> Any:
    """Return a column as a series of pandas or polars, or as a list of texts."""
    if _is(values, "pandas") and hasattr(values, "to_series"):  # an index
        values = values.to_series()
    if (_is(values, "pandas") and hasattr(values, "iloc")) or (
        _is(values, "polars") and hasattr(values, "to_physical")
    ):
        return values
    import polars as pl

    if _is(values, "pyarrow"):
        return pl.Series(values)
    if isinstance(values, np.ma.MaskedArray):
        values = values.tolist()  # None where it is masked
    try:
        array = np.asarray(values)
    except ValueError as error:  # lists of different lengths, for one
        raise InputError(ArraysTable.name, [message("array-not-a-column", name=name, reason=str(error))]) from None
    if array.ndim != 1:
        raise InputError(ArraysTable.name, [message("array-shape", name=name, shape=array.shape)])
    if array.dtype.kind == "f":
        return pl.Series(array.astype(np.float64 if array.itemsize != 4 else np.float32, copy=False))
    if array.dtype.kind in "biu":
        return pl.Series(array)
    return [as_text(value) for value in (values if isinstance(values, list | tuple) else array.tolist())]


def _is(values: Any, library: str) -> bool:
    """Whether values are of a library, which need not be imported to say so."""
    return any(kind.__module__.partition(".")[0] == library for kind in type(values).__mro__)
