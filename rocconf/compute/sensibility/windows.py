"""Windows of time: months, weeks (from Monday), days, or N days or units of a number.

Dates are those of the file; times with a zone are in UTC. Windows of N days or units are counted from the first case. All windows
between the first and the last case exist, also those without a case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.examples import example
from rocconf.records import NUMBER, Times

if TYPE_CHECKING:
    from rocconf.records import Counts

CALENDAR = ("month", "week", "day")
"""The windows of a calendar, the longest first."""

ENOUGH = 6
"""The number of windows that the chosen length must give at least; the longest such length is chosen."""

MOST_CHOSEN = 12
"""The most windows of numbers that are chosen."""

MOST_WINDOWS = 1000
"""The most windows there may be."""

FIRST_DATE, LAST_DATE = 19_000_101, 21_001_231
"""Numbers in this range may be dates such as 20240131, in which a year is 10,000 units long."""

MONDAY = 3
"""The first of January 1970 was a Thursday."""


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """The windows of a set of times: the index of each case's, and the ends of all."""

    every: str
    """The length: a word of the calendar, or a number of days or units."""
    of_case: Counts
    edges: Any
    """Where each window begins, and where the last one ends: dates or numbers."""

    def __len__(self) -> int:
        return len(self.edges) - 1

    def names(self) -> list[str]:
        """Return the names: 2024-03 for a month, 2024-W12 for a week, else where the window begins."""
        begins = self.bounds()[:-1]
        if self.every == "month":
            return [day.removesuffix("-01") for day in begins]
        if self.every == "week":
            return ["{}-W{:02}".format(*day.isocalendar()[:2]) for day in self.edges[:-1].tolist()]
        return begins

    def bounds(self) -> list[str]:
        """Return where each window begins, and where the last one ends."""
        if self.edges.dtype.kind == "M":
            return [str(text) for text in np.datetime_as_string(self.edges, unit="D")]
        return [f"{edge:.15g}" for edge in self.edges.tolist()]


def parse_every(found: str | int) -> str:
    """Return the length of windows as text."""
    text = str(found).strip()
    if text not in CALENDAR and not (text.isascii() and text.isdigit() and 0 < int(text) < 2**31):
        raise UsageError("every-form", found=found)
    return text


def windows_of(times: Times, every: str | int | None = None) -> Windows:
    """Return the windows of some times; without a length the longest of which there are at least six, or days."""
    values = times.values if times.kind == NUMBER else times.values.astype("datetime64[us]").astype("datetime64[D]")
    first, last = values.min(), values.max()
    text = _chosen(first, last) if every is None else parse_every(every)
    if text in CALENDAR and times.kind == NUMBER:
        raise UsageError("every-of-numbers", every=text)
    windows = _number(text, first, last)
    if windows > MOST_WINDOWS:
        raise UsageError("every-too-short", every=text, windows=windows, most=MOST_WINDOWS)
    start, step = _grid(text, first)
    edges = (start + step * np.arange(windows + 1)).astype(values.dtype)
    return Windows(text, np.searchsorted(edges[1:-1], values, side="right"), edges)


def _grid(every: str, first: Any) -> tuple[Any, Any]:
    """Return where the first window begins, and the length of all."""
    if every == "month":
        return first.astype("datetime64[M]"), np.timedelta64(1, "M")
    if every == "week":
        return first - (first.astype(np.int64) + MONDAY) % 7, np.timedelta64(7, "D")
    length = 1 if every == "day" else int(every)
    return first, length if first.dtype.kind == "f" else np.timedelta64(length, "D")


def _number(every: str, first: Any, last: Any) -> int:
    """Return the number of windows between the first and the last case."""
    start, step = _grid(every, first)
    return int((last.astype(start.dtype) - start) // step) + 1


def _chosen(first: Any, last: Any) -> str:
    """Return the longest of month, week and day with enough windows; of numbers a round length with a dozen at most."""
    if first.dtype.kind == "M":
        return next((text for text in CALENDAR if _number(text, first, last) >= ENOUGH), "day")
    if FIRST_DATE <= first <= last <= LAST_DATE:
        raise UsageError("dates-as-numbers", first=example(f"{first:.15g}"))
    length = 1
    while (last - first) // length + 1 > MOST_CHOSEN:
        length = length * 5 // 2 if str(length)[0] == "2" else length * 2
    return str(length)


def time_text(times: Times, at: int) -> str:
    """Return the time of a case as text: an ISO date or time, UTC if there are zones, or a number."""
    value = times.values[at]
    if times.kind == NUMBER:
        return f"{value:.15g}"
    moment = value.astype("datetime64[us]")
    if times.kind == "date":
        return str(np.datetime_as_string(moment, unit="D"))
    text = str(np.datetime_as_string(moment, unit="us"))
    return text.removesuffix(".000000") + ("Z" if times.kind == "zoned" else "")
