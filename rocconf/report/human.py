"""The whole answer as tables, fitted to the terminal."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from rocconf.report.models_table import side_by_side, summary
from rocconf.report.rows_table import rows_table
from rocconf.report.shown import text_width
from rocconf.report.verdict_table import verdict_table

if TYPE_CHECKING:
    from rocconf.answer import Answer
    from rocconf.report.shown import Shown


def shown_tables(answer: Answer, *, width: int | None) -> list[Shown]:
    """Return all tables: the verdict, the summary, the short tables and the rows."""
    first, models = answer.results[0], answer.table("models")
    one_model = len(models) == 1
    shown = [verdict_table(answer, width=width)] if answer.verdict else []
    shown.append(summary(answer.command, models) if one_model else side_by_side(answer, models, width=width))
    for name in (*first.shown, "rows"):
        title, table = first.title(name), answer.table(name)
        if title and len(table):
            shown.append(rows_table(table, title, width=width, one_model=one_model, audience=answer.audience))
    return shown


def everything(answer: Answer, stream: IO[str], *, width: int) -> list[tuple[str, str]]:
    """Return the lines of the whole answer, with their styles."""
    rule = _rule(stream)
    page: list[tuple[str, str]] = []
    for shown in shown_tables(answer, width=width):
        page += [("", "")] * bool(page) + [(shown.title, "bold")]
        headings, rows = _lines(shown, width)
        if any(shown.headings):
            page += [(line, "bold") for line in headings] + [(rule * max(map(len, headings + rows)), "")]
        page += [(line, "") for line in rows] + [(shown.note, "dim")] * bool(shown.note)
    return page


def _lines(shown: Shown, width: int) -> tuple[list[str], list[str]]:
    """Return the lines of the headings and of the rows: rich's own tables would take a twentieth of a small run."""
    whole = shown.width <= width
    headings = [[heading] if whole else heading.split() for heading in shown.headings]
    height = max(map(len, headings))
    columns = [
        [*[""] * (height - len(heading)), *heading, *cells]
        for heading, cells in zip(headings, shown.columns, strict=True)
    ]
    padded = [_padded(cells, right=numeric) for cells, numeric in zip(columns, shown.numeric, strict=True)]
    lines = ["  ".join(line) for line in zip(*padded, strict=True)]
    return lines[:height], lines[height:]


def _padded(cells: list[str], *, right: bool) -> list[str]:
    """Return cells of one width."""
    widths = list(map(text_width, cells))
    blanks = [" " * (max(widths) - width) for width in widths]
    return [blank + cell if right else cell + blank for cell, blank in zip(cells, blanks, strict=True)]


def _rule(stream: IO[str]) -> str:
    encoding = (getattr(stream, "encoding", None) or "ascii").lower()
    return "─" if "utf" in encoding else "-"
