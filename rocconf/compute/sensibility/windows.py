"""Windows of time: months, weeks (from Monday), days, or so many days or units of a number.

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
    from collections.abc import Callable

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


@dataclass(frozen=True, slots=True)
class Every:
    """How long a window is: a word of the calendar, or a number of days or units."""

    text: str
    number: int | None = None


def parse_every(found: str | int) -> Every:
    """Return the length of windows."""
    text = str(found).strip()
    if text in CALENDAR:
        return Every(text)
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 2**31):
        raise UsageError("every-form", found=found)
    return Every(text, int(text))


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """The windows of a set of times: the number of each case's, and the ends of all."""

    every: Every
    of_case: Counts
    edges: Any
    """Where each window begins, and where the last one ends: dates or numbers."""

    def __len__(self) -> int:
        return len(self.edges) - 1

    def names(self) -> list[str]:
        """Return the names: 2024-03 for a month, 2024-W12 for a week, else where the window begins."""
        if self.every.text == "week" and self.edges.dtype.kind == "M":
            return [_week_of(day) for day in self.edges[:-1].tolist()]
        names = self.bounds()[:-1]
        return [name[: -len("-01")] for name in names] if self.every.text == "month" else names

    def bounds(self) -> list[str]:
        """Return where each window begins, and where the last one ends."""
        if self.edges.dtype.kind == "M":
            return [str(text) for text in np.datetime_as_string(self.edges, unit="D")]
        return [f"{edge:.15g}" for edge in self.edges.tolist()]


def windows_of(times: Times, every: str | int | None = None) -> Windows:
    """Return the windows of some times; without a length the longest of which there are at least six, or days."""
    wanted = _chosen(times) if every is None else parse_every(every)
    values = times.values if times.kind == NUMBER else _days(times)
    number, begin = _units(wanted, values)
    first, last = (int(number(edge)) for edge in (values.min(), values.max()))
    if last - first >= MOST_WINDOWS:
        raise UsageError("every-too-short", every=wanted.text, windows=last - first + 1, most=MOST_WINDOWS)
    return Windows(wanted, number(values).astype(np.int64) - first, begin(np.arange(first, last + 2)))


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


def _days(times: Times) -> Any:
    return times.values.astype("datetime64[us]").astype("datetime64[D]")


def _units(every: Every, values: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Return two functions: from a day or number to the number of its window, and from that to where it begins."""
    first = values.min()
    if values.dtype.kind != "M":
        if every.number is None:
            raise UsageError("every-of-numbers", every=every.text)
        return lambda numbers: (numbers - first) // every.number, lambda windows: first + every.number * windows
    epoch, day = np.datetime64("1970-01-01"), np.timedelta64(1, "D")
    if every.text == "month":
        return (
            lambda days: days.astype("datetime64[M]").astype(np.int64),
            lambda months: months.astype("datetime64[M]").astype("datetime64[D]"),
        )
    if every.text == "week":
        return (
            lambda days: ((days - epoch).astype(np.int64) + MONDAY) // 7,
            lambda weeks: epoch + (7 * weeks - MONDAY) * day,
        )
    length = every.number or 1
    return lambda days: (days - first).astype(np.int64) // length, lambda windows: first + windows * length * day


def _chosen(times: Times) -> Every:
    """Return the longest of month, week and day with enough windows; of numbers a round length with a dozen at most."""
    if times.kind != NUMBER:
        days = _days(times)
        for text in CALENDAR[:-1]:
            number, _ = _units(Every(text), days)
            if number(days.max()) - number(days.min()) + 1 >= ENOUGH:
                return Every(text)
        return Every("day")
    if ((times.values >= FIRST_DATE) & (times.values <= LAST_DATE)).all():
        raise UsageError("dates-as-numbers", first=example(f"{times.values[0]:.15g}"))
    span, length = float(times.values.max() - times.values.min()), 1
    while span // length + 1 > MOST_CHOSEN:
        length = length * 5 // 2 if str(length)[0] == "2" else length * 2
    return Every(str(length), length)


def _week_of(day: Any) -> str:
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"
