"""What one cell means: a number, a label, or nothing. Every reader asks here.

A number is ASCII decimal or scientific notation, or an infinity. Text that a float cannot hold is refused rather than
read as infinity. Two cells are the same if they are the same number, the same truth value or the same text; more
digits than a float holds are text, lest the keys of two customers become one.
"""

from __future__ import annotations

import re
from math import isinf, nan

from rocconf.errors import SPELLED_OUT

MISSING = frozenset({"", "na", "n/a", "nan", "null", "none"})
NUMBER = re.compile(r"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf(inity)?)", re.ASCII | re.IGNORECASE)
TRUTH = {"true": 1.0, "false": 0.0}
EXACT_DIGITS = 15
"""So many digits of a whole number a float always holds."""

SHOWN = 40
"""So many characters of a cell are enough to find it by."""


class CellError(ValueError):
    """A cell that does not say what it should."""


def number(cell: str) -> float:
    """Read a number; a missing one is NaN."""
    text = cell.strip()
    if text.lower() in MISSING:
        return nan
    if not NUMBER.fullmatch(text):
        comma = "; numbers are written with a point" if NUMBER.fullmatch(text.replace(",", ".")) else ""
        raise CellError(f"{shown(cell)} is not a number{comma}")
    value = float(text)
    if isinf(value) and "inf" not in text.lower():
        raise CellError(f"{shown(cell)} is too large for a 64-bit float")
    return value


def meaning(cell: str) -> float | str:
    """Return what makes two cells the same: a number, a truth value as 0 or 1, or the text itself."""
    text = cell.strip()
    if text.lower() in TRUTH:
        return TRUTH[text.lower()]
    if not NUMBER.fullmatch(text):
        return text
    digits = text.lstrip("0")
    return digits if len(digits) > EXACT_DIGITS and digits.isdigit() else float(text)


def shown(cell: str) -> str:
    """Quote a cell in a message, the beginning of it if it is long."""
    return repr(cell if len(cell) <= SHOWN else f"{cell[:SHOWN]}...")


class Labels:
    """Tells positive cells from negative ones, and both from cells that are neither."""

    def __init__(self, positive: str | None) -> None:
        self.positive = positive
        self.found: dict[str, None] = {}
        self.positive_found = False
        self._negative: str | None = None

    def code(self, cell: str) -> int | None:
        """Return 1 for a positive label, 0 for a negative one, None for a missing one."""
        value = meaning(cell)
        if self.positive is not None and value == meaning(self.positive):
            self.positive_found = True
            return 1
        if cell.strip().lower() in MISSING:
            return None
        if len(self.found) < SPELLED_OUT:
            self.found[cell] = None
        if self.positive is None:
            if value in (0.0, 1.0):
                return int(value)
            raise CellError(f"label {shown(cell)} is neither 0 nor 1")
        if self._negative is None:
            self._negative = cell
        if value != meaning(self._negative):
            raise CellError(f"label {shown(cell)} is neither {shown(self.positive)} nor {shown(self._negative)}")
        return 0
