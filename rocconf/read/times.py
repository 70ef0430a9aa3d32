"""Read a column of times: ISO 8601 dates, dates with a time of day, or numbers.

All cells of a column must be of one kind: a date is no moment of its day, and a time without a zone has no place among those
with one. Times with a zone are converted to UTC. A number is whatever its file counts in: nothing is guessed about it.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.examples import example
from rocconf.pattern import pattern
from rocconf.read.cells import MISSING, NUMBER, CellError, parse_number, quoted
from rocconf.read.faults import completed
from rocconf.records import Times

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocconf.messages import Message
    from rocconf.read.columns import Cells
    from rocconf.records import Flags, TimeKind

ISO = pattern(
    r"\d{4}-\d\d-\d\d(?P<time>[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?)?(?P<zone>(?<=\d)[Zz]|[+-]\d\d(:?\d\d)?)?", re.ASCII
)
KIND_NAMES: dict[str, str] = {
    "date": "a date",
    "datetime": "a time without a zone",
    "zoned": "a time with a zone",
    "number": "a number",
}
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class TimeColumn:
    """The times of a column, piece by piece; the first cell says of which kind all are."""

    def __init__(self, name: str) -> None:
        self._name, self._first = name, ""
        self._kind: TimeKind | None = None
        self._known: dict[str, float | int] = {}
        self._faults: dict[str, Message] = {}
        self._pieces: list[NDArray[Any]] = []

    def read(self, cells: Cells) -> tuple[NDArray[Any], Flags, Sequence[tuple[int, Message]]]:
        """Return the times of some cells, which are missing, and the rows with faults."""
        texts = cells.texts()
        missing, faults = np.zeros(len(texts), dtype=np.bool_), []
        values: list[float | int] = []
        for row, text in enumerate(texts):
            value = self._known.get(text)
            if value is None:
                value = self._parse(text)
            values.append(value)
            if value != value:  # noqa: PLR0124  # only NaN differs from itself
                values[row] = 0
                if text in self._faults:
                    faults.append((row, self._faults[text]))
                else:
                    missing[row] = True
        return np.array(values, dtype=np.float64 if self._kind == "number" else np.int64), missing, faults

    def keep(self, times: NDArray[Any]) -> None:
        """Keep the times of cases."""
        self._pieces.append(times)

    def finish(self) -> Times:
        """Return the times of all cases that were kept."""
        return Times(np.concatenate(self._pieces), self._kind or "number")

    def _parse(self, text: str) -> float | int:
        """Return the time of a cell, NaN for a missing or a bad one."""
        try:
            kind, value = _time(text)
            if kind is not None:
                self._require_kind(kind, text)
        except CellError as error:
            self._faults[text] = completed(error.fault, column=self._name)
            value = float("nan")
        self._known[text] = value
        return value

    def _require_kind(self, kind: TimeKind, text: str) -> None:
        """Refuse a cell of another kind than the first one."""
        if self._kind is None:
            self._kind, self._first = kind, text
        elif kind != self._kind:
            found, others, first = KIND_NAMES[kind], KIND_NAMES[self._kind], example(quoted(self._first))
            raise CellError("time-mixed", cell=example(quoted(text)), found=found, first=first, others=others)


def _time(cell: str) -> tuple[TimeKind | None, float | int]:
    """Return the kind of a time and its value: microseconds since 1970, or the number."""
    text = cell.strip()
    if text.lower() in MISSING:
        return None, float("nan")
    parts = ISO.fullmatch(text)
    if parts:
        if parts["zone"] and not parts["time"]:
            raise CellError("time-form", cell=example(quoted(cell)))
        try:
            moment = datetime.fromisoformat(text.replace(",", "."))
        except ValueError:
            raise CellError("time-impossible", cell=example(quoted(cell))) from None
        kind: TimeKind = "zoned" if parts["zone"] else "datetime" if parts["time"] else "date"
        since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH
        return kind, (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    if not NUMBER.fullmatch(text):
        raise CellError("time-form", cell=example(quoted(cell)))
    value = parse_number(text)
    if isnan(value) or abs(value) == float("inf"):
        raise CellError("time-form", cell=example(quoted(cell)))
    return "number", value
