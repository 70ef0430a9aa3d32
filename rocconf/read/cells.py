"""What one cell means: a number, a label, or nothing. Every reader asks here.

A number is ASCII decimal or scientific notation, or an infinity. Text that a float cannot hold is refused rather than
read as infinity. Two cells are the same if they are the same number, the same truth value or the same text.
"""

from __future__ import annotations

import re
from math import isinf, nan

MISSING = frozenset({"", "na", "n/a", "nan", "null", "none"})
NUMBER = re.compile(r"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf(inity)?)", re.ASCII | re.IGNORECASE)
TRUTH = {"true": 1.0, "false": 0.0}


class CellError(ValueError):
    """A cell that does not say what it should."""


def number(cell: str) -> float:
    """Read a number; a missing one is NaN."""
    text = cell.strip()
    if text.lower() in MISSING:
        return nan
    if not NUMBER.fullmatch(text):
        comma = "; numbers are written with a point" if NUMBER.fullmatch(text.replace(",", ".")) else ""
        raise CellError(f"{cell!r} is not a number{comma}")
    value = float(text)
    if isinf(value) and "inf" not in text.lower():
        raise CellError(f"{cell[:40]!r} is too large for a 64-bit float")
    return value


def meaning(cell: str) -> float | str:
    """Return what makes two cells the same: a number, a truth value as 0 or 1, or the text itself."""
    text = cell.strip()
    if text.lower() in TRUTH:
        return TRUTH[text.lower()]
    if NUMBER.fullmatch(text):
        return float(text)
    return text


class Labels:
    """Tells positive cells from negative ones, and both from cells that are neither."""

    def __init__(self, positive: str | None) -> None:
        self.positive = positive
        self._negative: str | None = None

    def code(self, cell: str) -> int | None:
        """Return 1 for a positive label, 0 for a negative one, None for a missing one."""
        if cell.strip().lower() in MISSING:
            return None
        value = meaning(cell)
        if self.positive is None:
            if value in (0.0, 1.0):
                return int(value)
            raise CellError(f"label {cell!r} is neither 0 nor 1")
        if value == meaning(self.positive):
            return 1
        if self._negative is None:
            self._negative = cell
        if value != meaning(self._negative):
            raise CellError(f"label {cell!r} is neither {self.positive!r} nor {self._negative!r}")
        return 0
