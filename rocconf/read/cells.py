"""The meaning of a cell: a number, a label or a missing value. Every format uses these functions.

A number is ASCII decimal or scientific notation, or an infinity. Text that a float cannot hold is refused rather than
read as infinity. Two cells are equal if they are the same number, the same truth value or the same text; more digits
than a float holds are text, so that the keys of two customers never become one.
"""

from __future__ import annotations

import re
from math import isinf, nan
from typing import Any

from rocconf.errors import SPELLED_OUT
from rocconf.messages import message

MISSING = frozenset({"", "na", "n/a", "nan", "null", "none"})
NUMBER = re.compile(r"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf(inity)?)", re.ASCII | re.IGNORECASE)
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
        has_comma = NUMBER.fullmatch(text.replace(",", "."))
        raise CellError("decimal-comma" if has_comma else "not-a-number", cell=quoted(cell))
    value = float(text)
    if isinf(value) and "inf" not in text.lower():
        raise CellError("number-too-large", cell=quoted(cell))
    return value


def meaning(cell: str) -> float | str:
    """Return what equal cells have in common: a number, a truth value as 0 or 1, or the text itself."""
    text = cell.strip()
    if text.lower() in TRUTH:
        return TRUTH[text.lower()]
    if not NUMBER.fullmatch(text):
        return text
    digits = text.lstrip("0")
    return digits if len(digits) > EXACT_DIGITS and digits.isdigit() else float(text)


def quoted(cell: str) -> str:
    """Return a cell in quotes, cut short if it is long."""
    return repr(cell if len(cell) <= LONGEST_QUOTED else f"{cell[:LONGEST_QUOTED]}...")


class Labels:
    """Classifies labels as positive or negative, and remembers the first few distinct ones."""

    def __init__(self, positive: str | None) -> None:
        self.positive = positive
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
            raise CellError("label-unknown", cell=quoted(cell), one="0", other="1")
        if self._negative is None:
            self._negative = cell
        if value != meaning(self._negative):
            one, other = quoted(self.positive), quoted(self._negative)
            raise CellError("label-unknown", cell=quoted(cell), one=one, other=other)
        return 0
