"""A short table that fits a screen: the columns that there is room for, the intervals beside their estimates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf import wording
from rocconf.report.few_rows import FLAGGED, MARK
from rocconf.report.rounding import is_missing, show, show_column
from rocconf.report.shown import shortened_to_width, text_width

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Row = Mapping[str, Any]

GAP = "  "
NAMES, LONGEST_NAME = ("model", "baseline", "rule", "report", "slice"), 24
LIMITS = {"diff": ("lower", "upper")}
"""Intervals whose keys do not begin with that of their estimate."""
NEAR_END = 0.001
"""A share so near to 0 or 1 takes another digit, and with it its column."""


def screen_table(rows: Sequence[Row], kinds: Mapping[str, str], keys: Sequence[str], *, width: int | None) -> list[str]:
    """Return the lines of a table: its heading, and a line for each row; without rows there are none.

    Parameters
    ----------
    rows
        The values.
    kinds
        The kind of each column.
    keys
        The columns, in the order in which there is room for them; that of a lower limit is the interval.
    width
        The width of the screen; None where there is no limit.
    """
    columns = columns_shown(rows, kinds, keys, width=width)
    return [_line(cells).rstrip() for cells in zip(*columns, strict=True)] if rows else []


def columns_shown(
    rows: Sequence[Row], kinds: Mapping[str, str], keys: Sequence[str], *, width: int | None
) -> list[list[str]]:
    """Return the columns that there is room for, each padded, with its heading first."""
    first = [_flagged(rows)] if any(FLAGGED in row for row in rows) else []
    estimates = {LIMITS[key][0] if key in LIMITS else f"{key}_lower": key for key in keys}
    chosen: dict[str, list[str]] = {}
    for key in keys:
        estimate = estimates.get(key)
        if estimate is not None and estimate not in chosen:
            continue
        if all(is_missing(row.get(key)) for row in rows):
            continue
        trial = dict(chosen)
        trial[estimate or key] = _column(rows, kinds, estimate or key, with_interval=estimate is not None)
        taken = sum(text_width(column[0]) + len(GAP) for column in (*first, *trial.values())) - len(GAP)
        if width is None or not chosen or taken <= width:
            chosen = trial
        elif estimate is None:  # a column of less weight does not take its place
            break
    return [*first, *chosen.values()]


def _column(rows: Sequence[Row], kinds: Mapping[str, str], key: str, *, with_interval: bool) -> list[str]:
    kind = kinds[key]
    values = [row.get(key) for row in rows]
    digits = _digits(values)
    cells = _names(key, values) if kind == "text" else show_column(values, kind) if kind == "score" else []
    if not cells:
        cells = [_cell(value, kind, digits, signed=key == "difference") for value in values]
    if with_interval:
        lower, upper = LIMITS.get(key, (f"{key}_lower", f"{key}_upper"))
        cells = _padded(cells, right=True)
        cells = [
            cell if is_missing(row.get(lower)) and is_missing(row.get(upper))
            else f"{cell} {wording.interval(row[lower], row[upper], digits)}"
            for cell, row in zip(cells, rows, strict=True)
        ]  # fmt: skip
        return _padded([key.replace("_", " "), *cells], right=False)
    return _padded([key.replace("_", " "), *cells], right=kind not in ("text", "list"))


def _cell(value: Any, kind: str, digits: int, *, signed: bool) -> str:
    if is_missing(value) or kind in ("flag", "list", "text", "p"):
        return f"{value:.2g}" if kind == "p" and not is_missing(value) else show(value, kind)
    if kind == "count":
        return f"{value:,}"
    if abs(value) > 1:
        return f"{value:,.1f}" if abs(value) >= 100 else f"{value:.3f}"
    return wording.signed(value) if signed else wording.rate(value, digits)


def _digits(values: Sequence[Any]) -> int:
    numbers = [abs(value) for value in values if isinstance(value, float)]
    near = any(0 < number < NEAR_END or 1 - NEAR_END < number < 1 for number in numbers)
    return wording.DIGITS + near


def _names(key: str, values: Sequence[Any]) -> list[str]:
    texts = [show(value, "text") for value in values]
    if key not in NAMES:
        return texts
    names = tuple(dict.fromkeys(texts))
    short = dict(zip(names, shortened_to_width(names, LONGEST_NAME), strict=True))
    return [short[text] for text in texts]


def _flagged(rows: Sequence[Row]) -> list[str]:
    shares = _padded(["flagged", *(wording.percent(row[FLAGGED]) for row in rows)], right=True)
    return [f"{'*' if at and rows[at - 1][MARK] else ' '} {share}" for at, share in enumerate(shares)]


def _line(cells: Sequence[str]) -> str:
    return GAP.join(cells)


def _padded(cells: Sequence[str], *, right: bool) -> list[str]:
    """Return cells of one width."""
    widths = list(map(text_width, cells))
    blanks = [" " * (max(widths, default=0) - width) for width in widths]
    return [blank + cell if right else cell + blank for cell, blank in zip(cells, blanks, strict=True)]
