"""Tables for people: as wide as the terminal, and thinned to what can be read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate, compress, zip_longest
from textwrap import wrap
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from rocconf.report.names import shortened
from rocconf.report.rounding import MISSING, is_missing, show, show_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.answer import Answer
    from rocconf.table import Block, Column, Rows, Table

MOST_ROWS = 24
"""How many rows of a model are shown before they are thinned."""

SHORTEST_NAME = 12
"""How many columns of a terminal a model's name has at least, where it heads a column."""

NAMES, NARROWEST_NAME = ("model", "baseline"), 8
"""Columns of names, which can be cut, and how wide they remain."""

NARROWEST_TEXT = 20
"""How many letters wide the text at the end of a row is at least, broken into lines; with less room it is left out."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A table as people see it: a title, headings, cells of text, and what was left out."""

    title: str
    headings: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: list[tuple[str, ...]]
    note: str = ""


def shown_tables(answer: Answer, *, width: int | None) -> list[Shown]:
    """Return what is shown of an answer: the summary, the short tables, and the main one thinned."""
    first, models = answer.results[0], answer.table("models")
    one_model = len(models) == 1
    shown = [_verdict(answer, width=width)] if answer.verdict else []
    shown.append(_summary(answer.command, models) if one_model else _side_by_side(answer.command, models, width=width))
    for name in (*first.shown, "rows"):
        title, table = first.title(name), answer.table(name)
        if title and len(table):
            shown.append(_shown(table, title, width=width, one_model=one_model))
    return shown


def write_rich(answer: Answer, stream: IO[str], *, width: int | None = None) -> None:
    """Draw the answer on a terminal."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, width=width, highlight=False)
    rule = _rule(stream)
    page = Text(no_wrap=True, overflow="fold")
    for shown in shown_tables(answer, width=console.width):
        page.append("\n" if page else "").append(f"{shown.title}\n", "bold")
        heads, lines = _laid_out(shown, console.width)
        if any(shown.headings):
            page.append("\n".join(heads), "bold").append(f"\n{rule * max(map(len, heads + lines))}\n")
        page.append("".join(f"{line}\n" for line in lines))
        page.append(f"{shown.note}\n" if shown.note else "", "dim")
    # captured first: rich would end the process if the reader has gone
    with console.capture() as captured:
        console.print(page, end="")
    stream.write(captured.get())


def _laid_out(shown: Shown, width: int) -> tuple[list[str], list[str]]:
    """Return the lines of the headings and of the rows: rich's own tables would take a twentieth of a small run."""
    from rich.cells import cell_len

    columns = list(zip(*shown.rows, strict=True))
    needed = [max(map(cell_len, column)) for column in columns]
    heads = [[heading] for heading in shown.headings]
    if sum(max(cell_len(heading), room) + 2 for heading, room in zip(shown.headings, needed, strict=True)) - 2 > width:
        heads = [heading.split() for heading in shown.headings]
    deepest = max(map(len, heads))
    columns = [(*[""] * (deepest - len(head)), *head, *column) for head, column in zip(heads, columns, strict=True)]
    widths = [max(map(cell_len, column)) for column in columns]
    lines = [
        "  ".join(
            " " * (room - cell_len(cell)) + cell if numeric else cell + " " * (room - cell_len(cell))
            for cell, room, numeric in zip(line, widths, shown.numeric, strict=True)
        )
        for line in zip(*columns, strict=True)
    ]
    return lines[:deepest], lines[deepest:]


def _rule(stream: IO[str]) -> str:
    encoding = (getattr(stream, "encoding", None) or "ascii").lower()
    return "─" if "utf" in encoding else "-"


def _verdict(answer: Answer, *, width: int | None) -> Shown:
    """Put the verdict first: a line a rule, and what it found; in as many columns as there is room for."""
    title, headings = f"verdict: {answer.verdict}", ("verdict", "model", "rule", "value", "interval")
    rows = [_judged(gate) for gate in answer.gates]
    shown = Shown(title, headings, (False, False, False, True, False), rows)
    if width is None or not rows or _width_of(shown) <= width:
        return shown
    models = dict.fromkeys(row[1] for row in rows)
    if len(models) > 1:
        room = width - _width_of(_without_model(shown)) - 2
        short = _shortened(tuple(models), max(room, NARROWEST_TEXT))
        named = dict(zip(models, short, strict=True))
        shown = replace(shown, rows=[(row[0], named[row[1]], *row[2:]) for row in rows])
    else:
        shown = _without_model(shown)
    return shown if _width_of(shown) <= width else _verdict_down(shown, width)


def _judged(gate: dict[str, Any]) -> tuple[str, ...]:
    """Return what a rule says, of which model, by which numbers."""
    warning = " (warning)" if gate["severity"] == "warn" and gate["verdict"] != "pass" else ""
    value, has_interval = gate["value"], gate["lower"] is not None
    whole = isinstance(value, int) or (not has_interval and value is not None and float(value).is_integer())
    interval = f"[{show(gate['lower'], 'number')}, {show(gate['upper'], 'number')}]" if has_interval else ""
    found = show(value, "count" if whole else "number")
    return gate["verdict"] + warning, gate["model"], gate["name"], found, interval


def _without_model(shown: Shown) -> Shown:
    """Leave out the second column."""
    headings, numeric = ((row[0], *row[2:]) for row in (shown.headings, shown.numeric))
    return replace(shown, headings=headings, numeric=numeric, rows=[(row[0], *row[2:]) for row in shown.rows])


def _verdict_down(shown: Shown, width: int) -> Shown:
    """Put what is said of a rule in lines under each other, beside its verdict."""
    rows: list[tuple[str, ...]] = []
    for verdict, *about, value, interval in shown.rows:
        room = max(width - len("inconclusive") - 2, 1)
        beside = [line for text in (*about, f"{value} {interval}") for line in wrap(text, room)]
        rows += zip_longest(wrap(verdict, len("inconclusive")), beside, fillvalue="")
    return replace(shown, headings=("verdict", "rule"), numeric=(False, False), rows=rows)


def _width_of(shown: Shown) -> int:
    """Return how wide a table is whose headings do not break."""
    from rich.cells import cell_len

    columns = zip(shown.headings, *shown.rows, strict=True)
    return sum(max(map(cell_len, column)) + 2 for column in columns) - 2


def _shortened(names: Sequence[str], longest: int) -> tuple[str, ...]:
    """Cut names to so many columns of a terminal."""
    from rich.cells import cell_len

    return shortened(names, longest, cell_len)


def _summary(command: str, models: Table) -> Shown:
    """One line a number, an interval beside its estimate."""
    values = {column.name: (models[column.name][0], column.kind) for column in models.columns}
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


def _side_by_side(command: str, models: Table, *, width: int | None) -> Shown:
    """One line a number, one column a model."""
    columns = [column for column in models.columns if column.name != "model"]
    texts = {column.name: show_column(models[column.name], column.kind) for column in columns}
    rows = [(key.replace("_", " "), *cells) for key, cells in texts.items() if set(cells) != {MISSING}]
    if width is not None:
        rows = [line for key, *cells in rows for line in _folded_side_by_side(key, cells)]
    headings = ("", *models["model"])
    if width is not None:
        headings = ("", *_headings(tuple(models["model"]), rows, width))
    count = len(headings)
    if width is not None:
        from rich.cells import cell_len

        widths = accumulate(max(map(cell_len, column)) + 2 for column in zip(headings, *rows, strict=True))
        count = max(2, sum(taken - 2 <= width for taken in widths))
    left_out = f"{count - 1} of {len(models)} models shown; for all of them: -o models:FILE.csv"
    return Shown(
        command,
        headings[:count],
        (False, *(True for _ in headings[1:count])),
        [row[:count] for row in rows],
        left_out if count < len(headings) else "",
    )


def _headings(models: Sequence[str], rows: list[tuple[str, ...]], width: int) -> tuple[str, ...]:
    """Cut long names to what the numbers under them need, or to more where all models have it."""
    from rich.cells import cell_len

    keys, *cells = ([cell_len(cell) for cell in column] for column in zip(*rows, strict=True))
    share = (width - max(keys)) // len(models) - 2
    return _shortened(models, max(SHORTEST_NAME, share, *(max(column) for column in cells)))


def _folded_side_by_side(key: str, cells: list[str]) -> list[tuple[str, ...]]:
    """Break long texts into lines, so that they leave room for other models."""
    return list(zip_longest([key], *(wrap(cell, NARROWEST_TEXT) for cell in cells), fillvalue=""))


def _shown(table: Table, title: str, *, width: int | None, one_model: bool) -> Shown:
    columns = [column for column in table.columns if not (one_model and column.name == "model")]
    cells = _cells(table, columns)
    # a column that is empty in every row tells people nothing
    said = [any(row[at] not in ("", MISSING) for row in cells) for at in range(len(columns))]
    columns, cells = _with_limits(*_only(said, columns, cells))
    every, rows = len(columns), len(cells)
    if _columns_that_fit(columns, cells, width) < every:
        columns, cells = _only([not column.spare for column in columns], columns, cells)
        cells = _with_short_names(columns, cells, width)
    count = _columns_that_fit(columns, cells, width)
    if width and count == len(columns) - 1 and columns[-1].kind == "text":
        room = width - sum(_widths(columns[:-1], cells, breaking=False))
        if room >= NARROWEST_TEXT:
            count, cells = len(columns), _folded(cells, room)
    notes = []
    if rows < len(table):
        notes.append(f"{rows} of {len(table)} rows")
    if count < every:
        notes.append(f"{count} of {every} columns")
    which = "" if table.name == "rows" else f"{table.name}:"
    note = f"{' and '.join(notes)} shown; for all of them: -o {which}FILE.csv" if notes else ""
    return Shown(
        title,
        tuple(column.name.replace("_", " ") for column in columns[:count]),
        tuple(column.kind not in ("text", "list") for column in columns[:count]),
        [row[:count] for row in cells],
        note,
    )


def _only(
    which: list[bool], columns: list[Column], cells: list[tuple[str, ...]]
) -> tuple[list[Column], list[tuple[str, ...]]]:
    return list(compress(columns, which)), [tuple(compress(row, which)) for row in cells]


def _with_short_names(columns: list[Column], cells: list[tuple[str, ...]], width: int | None) -> list[tuple[str, ...]]:
    """Cut the names of models as far as the table is too wide, but not further than they can be told apart."""
    from rich.cells import cell_len

    at = [place for place, column in enumerate(columns) if column.name in NAMES]
    names = list(dict.fromkeys(row[place] for row in cells for place in at))
    if width is None or not names:
        return cells
    too_wide = sum(_widths(columns, cells)) - 2 - width
    longest = max(map(cell_len, names)) - max(too_wide, 0) // len(at) - 1
    short = dict(zip(names, _shortened(names, max(longest, NARROWEST_NAME)), strict=True))
    return [tuple(short[cell] if place in at else cell for place, cell in enumerate(row)) for row in cells]


def _with_limits(columns: list[Column], cells: list[tuple[str, ...]]) -> tuple[list[Column], list[tuple[str, ...]]]:
    """Put the limits of an interval into the cell of what they are of."""
    at = {column.name: place for place, column in enumerate(columns)}
    limits = {name: (at[f"{name}_lower"], at[f"{name}_upper"]) for name in at if f"{name}_lower" in at}
    taken = {place for of_one in limits.values() for place in of_one}
    kept = [place for place in at.values() if place not in taken]
    ends_of = [limits.get(columns[place].name) for place in kept]
    return [columns[place] for place in kept], [
        tuple(
            row[place] if ends is None else f"{row[place]} [{row[ends[0]]}, {row[ends[1]]}]"
            for place, ends in zip(kept, ends_of, strict=True)
        )
        for row in cells
    ]


def _cells(table: Table, columns: list[Column]) -> list[tuple[str, ...]]:
    chosen = [(block, _rows_shown(block)) for block in table.blocks]
    texts = [
        show_column([value for block, rows in chosen for value in block.values(column.name, rows)], column.kind)
        for column in columns
    ]
    return list(zip(*texts, strict=True))


def _rows_shown(block: Block) -> Rows:
    """Return all rows, or the ones to keep and evenly spaced ones between the first and the last."""
    if block.length <= MOST_ROWS:
        return slice(0, block.length)
    even = np.linspace(0, block.length - 1, max(MOST_ROWS - len(block.keep), 2)).round().astype(np.intp)
    return np.array(sorted({*even.tolist(), *block.keep.tolist()}))


def _columns_that_fit(columns: list[Column], cells: list[tuple[str, ...]], width: int | None) -> int:
    """Return how many of the columns stand side by side."""
    if width is None:
        return len(columns)
    left = width
    for at, needed in enumerate(_widths(columns, cells)):
        left -= needed
        if left < -2:
            return max(at, 1)
    return len(columns)


def _widths(columns: list[Column], cells: list[tuple[str, ...]], *, breaking: bool = True) -> list[int]:
    """Return how wide each column is, with the two blanks after it; a heading may break at its blanks."""
    from rich.cells import cell_len

    headings = [column.name.split("_") if breaking else [column.name] for column in columns]
    return [max(map(cell_len, (*heading, *(row[at] for row in cells)))) + 2 for at, heading in enumerate(headings)]


def _folded(cells: list[tuple[str, ...]], room: int) -> list[tuple[str, ...]]:
    """Break the text at the end of each row into lines; a row goes on with cells left empty."""
    lines: list[tuple[str, ...]] = []
    for row in cells:
        first, *others = wrap(row[-1], room) or [""]
        lines += [(*row[:-1], first), *((*[""] * (len(row) - 1), other) for other in others)]
    return lines
