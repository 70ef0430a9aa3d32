"""A table of an answer for people, with all its rows and the columns that there is room for."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from textwrap import wrap
from typing import TYPE_CHECKING

from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.report.rounding import NO_VALUE, show_column
from rocconf.report.shown import NARROWEST_TEXT, Shown, shortened_to_width, text_width

if TYPE_CHECKING:
    from rocconf.messages import Audience
    from rocconf.table import Table

NAMES, NARROWEST_NAME = ("model", "baseline"), 8
"""Columns of names, which can be shortened, and their least width."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Column:
    """A column with its cells as text."""

    name: str
    kind: str
    spare: bool
    cells: list[str]

    def width(self, *, breaking: bool = True) -> int:
        """Return the width with the two blanks after it; a heading may break at its blanks."""
        heading = self.name.split("_") if breaking else [self.name]
        return max(map(text_width, (*heading, *self.cells))) + 2


def rows_table(table: Table, title: str, *, width: int | None, one_model: bool, audience: Audience) -> Shown:
    """Return a table with all its rows, and the columns that there is room for."""
    every = _with_limits([column for column in _columns(table) if not (one_model and column.name == "model")])
    columns = every
    if _fitting(columns, width) < len(every):
        columns = _with_short_names([column for column in columns if not column.spare], width)
    count = _fitting(columns, width)
    rows = list(zip(*(column.cells for column in columns), strict=True))
    if width and count == len(columns) - 1 and columns[-1].kind == "text":
        room = width - sum(column.width(breaking=False) for column in columns[:-1])
        if room >= NARROWEST_TEXT:
            count, rows = len(columns), _folded(rows, room)
    shown = f"{count} of {len(every)} columns"
    file = "FILE.csv" if table.name == "rows" else f"{table.name}:FILE.csv"
    note = message("not-all-shown", parts=shown, table=table.name, file=file)
    return Shown(
        title,
        tuple(column.name.replace("_", " ") for column in columns[:count]),
        tuple(column.kind not in ("text", "list") for column in columns[:count]),
        [row[:count] for row in rows],
        note.text(audience) if count < len(every) else "",
    )


def _columns(table: Table) -> list[_Column]:
    """Return the columns that have a value in some row."""
    columns = [
        _Column(column.name, column.kind, column.spare, show_column(table[column.name], column.kind))
        for column in table.columns
    ]
    return [column for column in columns if set(column.cells) - {"", NO_VALUE}]


def _with_limits(columns: list[_Column]) -> list[_Column]:
    """Move the limits of an interval into the cells of their estimate."""
    cells = {column.name: column.cells for column in columns}
    estimates = {name for name in cells if {f"{name}_lower", f"{name}_upper"} <= cells.keys()}
    limits = {f"{name}_{end}" for name in estimates for end in ("lower", "upper")}

    def with_its_limits(column: _Column) -> _Column:
        if column.name not in estimates:
            return column
        each = zip(column.cells, cells[f"{column.name}_lower"], cells[f"{column.name}_upper"], strict=True)
        return replace(column, cells=[f"{value} [{lower}, {upper}]" for value, lower, upper in each])

    return [with_its_limits(column) for column in columns if column.name not in limits]


def _with_short_names(columns: list[_Column], width: int | None) -> list[_Column]:
    """Shorten the names of models as far as the table is too wide; they stay different."""
    named = [column for column in columns if column.name in NAMES]
    names = tuple(dict.fromkeys(name for row in zip(*(column.cells for column in named), strict=True) for name in row))
    if width is None or not names:
        return columns
    too_wide = sum(column.width() for column in columns) - 2 - width
    longest = max(map(text_width, names)) - max(too_wide, 0) // len(named) - 1
    short = dict(zip(names, shortened_to_width(names, max(longest, NARROWEST_NAME)), strict=True))
    return [
        replace(column, cells=[short[cell] for cell in column.cells]) if column.name in NAMES else column
        for column in columns
    ]


def _fitting(columns: list[_Column], width: int | None) -> int:
    """Return how many columns fit side by side."""
    if width is None:
        return len(columns)
    return max(sum(taken - 2 <= width for taken in accumulate(column.width() for column in columns)), 1)


def _folded(rows: list[tuple[str, ...]], room: int) -> list[tuple[str, ...]]:
    """Break the text at the end of each row into lines, beside cells left empty."""
    lines: list[tuple[str, ...]] = []
    for row in rows:
        first, *others = wrap(row[-1], room) or [""]
        lines += [(*row[:-1], first), *((*[""] * (len(row) - 1), other) for other in others)]
    return lines
