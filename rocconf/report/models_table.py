"""The summary of one model, a line for each number, or of several models side by side."""

from __future__ import annotations

from itertools import accumulate, zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING

from rocconf.messages import message
from rocconf.report.rounding import NO_VALUE, is_missing, show, show_column
from rocconf.report.shown import NARROWEST_TEXT, Shown, shortened_to_width, text_width

if TYPE_CHECKING:
    from rocconf.answer import Answer
    from rocconf.table import Table

NARROWEST_MODEL = 12
"""The least width of a model's name at the head of its column."""


def summary(command: str, models: Table) -> Shown:
    """Return the numbers of one model, an interval beside its estimate."""
    values = {column.name: (models[column.name][0], column.kind) for column in models.columns if not column.spare}
    rows: list[tuple[str, ...]] = []
    for key, (value, kind) in values.items():
        if key.endswith(("_lower", "_upper")) or key == "model" or is_missing(value):
            continue
        text = show(value, kind)
        if f"{key}_lower" in values:
            lower, upper = (show(*values[f"{key}_{end}"]) for end in ("lower", "upper"))
            text += f" [{lower}, {upper}]"
        rows.append((key.replace("_", " "), text))
    return Shown(f"{command}: {values['model'][0]}", ("", ""), (False, False), rows)


def side_by_side(answer: Answer, models: Table, *, width: int | None) -> Shown:
    """Return the numbers of several models, a column for each model that there is room for."""
    names = tuple(models["model"])
    texts = {
        column.name.replace("_", " "): show_column(models[column.name], column.kind)
        for column in models.columns
        if column.name != "model" and not column.spare
    }
    rows = [(key, *cells) for key, cells in texts.items() if set(cells) != {NO_VALUE}]
    count = len(names)
    if width is not None:
        rows = [line for key, *cells in rows for line in _folded(key, cells)]
        names = _headings(names, rows, width)
        widths = [max(map(text_width, column)) + 2 for column in zip(("", *names), *rows, strict=True)]
        count = max(1, sum(taken - 2 <= width for taken in accumulate(widths)) - 1)
    note = message("not-all-shown", parts=f"{count} of {len(names)} models", table="models", file="models:FILE.csv")
    return Shown(
        answer.command,
        ("", *names[:count]),
        (False, *[True] * count),
        [row[: count + 1] for row in rows],
        note.text(answer.audience) if count < len(names) else "",
    )


def _headings(models: tuple[str, ...], rows: list[tuple[str, ...]], width: int) -> tuple[str, ...]:
    """Shorten names to the width of the numbers under them, or to an equal share of the terminal if that is more."""
    keys, *cells = ([text_width(cell) for cell in column] for column in zip(*rows, strict=True))
    share = (width - max(keys)) // len(models) - 2
    return shortened_to_width(models, max(NARROWEST_MODEL, share, *(max(column) for column in cells)))


def _folded(key: str, cells: list[str]) -> list[tuple[str, ...]]:
    """Break long texts into lines, which leaves room for other models."""
    return list(zip_longest([key], *(wrap(cell, NARROWEST_TEXT) for cell in cells), fillvalue=""))
