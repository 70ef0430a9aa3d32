"""A row of a saved report, and how it is compared with what follows from the other numbers of the report."""

from __future__ import annotations

from itertools import pairwise
from math import isclose
from sys import float_info
from typing import TYPE_CHECKING, Any

from rocconf.dataclass import dataclass
from rocconf.messages import message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocconf.messages import Message
    from rocconf.metric import Metric
    from rocconf.records import Interval

LONGEST_SHOWN = 60
"""How many characters of a wrong value a message shows."""

INFINITE = ("inf", "-inf")
"""How JSON spells an infinite score."""

RELATIVE, ABSOLUTE = 1e-9, 1e-12
"""The rounding error of a number that is computed again, perhaps on another machine."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row with its place in the report, like models[0]."""

    where: str
    record: Mapping[str, Any]

    def has_number(self, key: str) -> bool:
        """Whether there is a finite number."""
        return is_number(self.record.get(key))

    def differing(self, expected: Mapping[str, Any]) -> Iterator[Message]:
        """Yield a fault for each key that is missing, or whose value is not the expected one."""
        for key, value in expected.items():
            if key not in self.record:
                yield message("field-missing", where=self.where, key=key)
            elif not is_same(self.record[key], value):
                yield self.fault(key, value)

    def fault(self, key: str, expected: Any) -> Message:
        """Return the fault of a value that contradicts the rest of the report."""
        found = self.record.get(key)
        return message(
            "report-contradiction", where=self.where, key=key, found=_shown(found), expected=_shown(expected)
        )

    def impossible(self, key: str, wanted: str) -> Message:
        """Return the fault of a value that cannot be."""
        return message("field-type", where=self.where, key=key, wanted=wanted, found=_shown(self.record.get(key)))

    def out_of_range(self, key: str, metric: Metric) -> Iterator[Message]:
        """Yield a fault if the value is outside the range of the metric; null is checked elsewhere."""
        value = self.record.get(key)
        if value is None or (metric.kind == "score" and value in INFINITE):
            return
        if metric.kind == "count" and not (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
            yield self.impossible(key, "a count")
        elif not is_number(value):
            yield self.impossible(key, "a number")
        elif not metric.least <= value <= metric.most:
            yield self.impossible(key, f"in [{metric.least:g}, {metric.most:g}]")

    def disordered(self, lower: str, upper: str, value: str | None = None) -> Iterator[Message]:
        """Yield a fault if limits that are known are not in order or, if asked, exclude the value."""
        names = [name for name in (lower, value, upper) if name is not None]
        known = [(name, self.record[name]) for name in names if self.record.get(name) is not None]
        for name, found in known:
            if not is_number(found):
                yield self.impossible(name, "a number")
                return
        for (low, least), (high, most) in pairwise(known):
            if least > most:
                yield message("report-order", where=self.where, low=low, least=least, high=high, most=most)


def is_number(value: Any) -> bool:
    """Whether a value is a finite number, and not true or false."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= float_info.max


def is_count(value: Any) -> bool:
    """Whether a value is a whole number that is not negative."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_same(found: Any, expected: Any) -> bool:
    """Whether two values are equal, numbers but for rounding errors."""
    if not (is_number(found) and is_number(expected)):
        return type(found) is type(expected) and bool(found == expected)
    if isinstance(found, int) and isinstance(expected, int):
        return found == expected
    return isclose(found, expected, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def is_multiple(value: float, unit: float) -> bool:
    """Whether a value is a whole number of units, as far as floats can tell."""
    return is_same(round(value / unit) * unit, value)


def are_limits(row: Row, lower: str, upper: str, interval: Interval) -> Iterator[Message]:
    """Yield a fault for each limit that is not that of an interval."""
    return row.differing({lower: interval.ends[0], upper: interval.ends[1]})


def _shown(value: Any) -> str:
    text = "null" if value is None else repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
