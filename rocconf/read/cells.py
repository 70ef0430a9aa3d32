"""The meaning of a cell: a number, a label or a missing value. Every format uses these functions.

A number is ASCII decimal or scientific notation, or an infinity, and is read as the nearest float. Refused are texts
that are too large for a float, and whole numbers in digits that no float equals: a file has them as keys or timestamps,
of which several would become one score. Two labels are equal if they are the same number, truth value or text.
"""

from __future__ import annotations

import operator
import re
from math import isinf, nan
from typing import TYPE_CHECKING, Any

from rocconf.conditions import DECIMAL
from rocconf.errors import SPELLED_OUT
from rocconf.examples import example
from rocconf.messages import message
from rocconf.pattern import pattern
from rocconf.records import MOST_CASES

if TYPE_CHECKING:
    from collections.abc import Callable
    from decimal import Decimal

    from rocconf.conditions import Condition
    from rocconf.records import Floats

MISSING = frozenset({"", "na", "n/a", "nan", "null", "none"})
NUMBER = pattern(r"[+-]?(\d+(\.\d*)?([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf(inity)?)", re.ASCII | re.IGNORECASE)
r"""A number. Each digit matches in one way only: a pattern like `\d+\.?\d*` takes quadratic time where it fails."""

WHOLE = pattern(r"[+-]?\d{16,}(\.0*)?", re.ASCII)
"""A whole number in digits, which a float may not hold; in scientific notation it was a float when it was written."""
TRUTH = {"true": 1.0, "false": 0.0}
EXACT_DIGITS = 15
"""The number of digits up to which a float holds every whole number."""

LONGEST_QUOTED = 40
"""How many characters of a cell a message quotes."""


class CellError(ValueError):
    """A cell that cannot be understood. Its message lacks the place, and the column of a number."""

    def __init__(self, code: str, **values: Any) -> None:
        super().__init__(code)
        self.fault = message(code, **values)


def parse_number(cell: str) -> float:
    """Return the number; NaN for a missing one."""
    text = cell.strip()
    if text.lower() in MISSING:
        return nan
    if not NUMBER.fullmatch(text):
        raise CellError(_not_a_number(text), cell=example(quoted(cell)))
    value = float(text)
    if isinf(value) and "inf" not in text.lower():
        raise CellError("number-too-large", cell=example(quoted(cell)))
    if abs(value) >= MOST_CASES and WHOLE.fullmatch(text) and int(text.partition(".")[0].lstrip("+-0")) != abs(value):
        raise CellError("number-inexact", cell=example(quoted(cell)))
    return value


def _not_a_number(text: str) -> str:
    """Return the code of the error about text that is not a number."""
    pointed = text.replace(",", ".").rstrip("% ")
    if not NUMBER.fullmatch(pointed):
        return "not-a-number"
    return "percentage" if text.endswith("%") else "decimal-comma"


def are_exact(numbers: Floats) -> bool:
    """Return whether all numbers are finite, and so small that none may have been another whole number in digits."""
    return bool(numbers.max(initial=0.0) < MOST_CASES and numbers.min(initial=0.0) > -MOST_CASES)  # not if NaN


def meaning(cell: str) -> float | str:
    """Return what equal labels have in common: a number, a truth value as 0 or 1, or the text itself."""
    text = cell.strip()
    if text.lower() in TRUTH:
        return TRUTH[text.lower()]
    if not NUMBER.fullmatch(text):
        return text
    digits = text.lstrip("+-").lstrip("0")
    if len(digits) > EXACT_DIGITS and digits.isdigit():
        return f"-{digits}" if text.startswith("-") else digits
    return float(text)


def parse_exactly(cell: str) -> Decimal | None:
    """Return a number with all its digits; None for a missing one."""
    from decimal import Decimal

    text = cell.strip()
    if text.lower() in MISSING:
        return None
    if not DECIMAL.fullmatch(text):
        raise CellError(_not_a_number(text), cell=example(quoted(cell)))
    return Decimal(text)


COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def holds(condition: Condition, cell: str) -> bool | None:
    """Return whether a cell meets a condition; None for a missing number."""
    if not condition.is_of_numbers:
        return (cell == condition.value) == (condition.op == "=")
    number = parse_exactly(cell)
    return None if number is None else COMPARED[condition.op](number, parse_exactly(condition.value))


def quoted(cell: str) -> str:
    """Return a cell in quotes, cut short if it is long."""
    return repr(cell if len(cell) <= LONGEST_QUOTED else f"{cell[:LONGEST_QUOTED]}...")


class Labels:
    """Classifies labels as positive or negative, and remembers the first few distinct ones."""

    def __init__(self, positive: str | None, *, rest: bool = False) -> None:
        self.positive, self.rest = positive, rest
        self.found: dict[str, None] = {}
        self.has_positive = False
        self._negative: str | None = None

    def code(self, cell: str) -> int | None:
        """Return 1 for a positive label, 0 for a negative one, None for a missing one."""
        value = meaning(cell)
        if self.positive is not None and value == meaning(self.positive):
            self.has_positive = True
            return 1
        if cell.strip().lower() in MISSING:
            return None
        if len(self.found) < SPELLED_OUT:
            self.found[cell] = None
        if self.positive is None:
            if value in (0.0, 1.0):
                return int(value)
            raise CellError("label-unknown", cell=example(quoted(cell)), one="0", other="1")
        if self._negative is None or self.rest:
            self._negative = cell
        if value != meaning(self._negative):
            one, other = quoted(self.positive), example(quoted(self._negative))
            raise CellError("label-unknown", cell=example(quoted(cell)), one=one, other=other)
        return 0
