"""Tables for people: fitted to the terminal, and thinned to what can be read."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Any

from rocconf.report.models_table import side_by_side, summary
from rocconf.report.rows_table import rows_table
from rocconf.report.shown import text_width
from rocconf.report.verdict_table import verdict_table

if TYPE_CHECKING:
    from rocconf.answer import Answer
    from rocconf.report.shown import Shown


def shown_tables(answer: Answer, *, width: int | None) -> list[Shown]:
    """Return the tables to show: the verdict, the summary, the short tables and the thinned rows."""
    first, models = answer.results[0], answer.table("models")
    one_model = len(models) == 1
    shown = [verdict_table(answer, width=width)] if answer.verdict else []
    shown.append(summary(answer.command, models) if one_model else side_by_side(answer, models, width=width))
    for name in (*first.shown, "rows"):
        title, table = first.title(name), answer.table(name)
        if title and len(table):
            shown.append(
                rows_table(
                    table, title, width=width, one_model=one_model, audience=answer.audience, all_rows=answer.all_rows
                )
            )
    return shown


def write_table(answer: Answer, stream: IO[str], *, width: int | None = None) -> None:
    """Write the answer for a terminal."""
    from rich.console import Console
    from rich.text import Text

    # rich leaves bold and dim where it finds NO_COLOR
    plain: dict[str, Any] = {"color_system": None} if os.environ.get("NO_COLOR") else {}
    console = Console(file=stream, width=width, highlight=False, **plain)
    rule = _rule(stream)
    page = Text(no_wrap=True, overflow="fold")
    for shown in shown_tables(answer, width=console.width):
        page.append("\n" if page else "").append(f"{shown.title}\n", "bold")
        headings, rows = _lines(shown, console.width)
        if any(shown.headings):
            page.append("\n".join(headings), "bold").append(f"\n{rule * max(map(len, headings + rows))}\n")
        page.append("".join(f"{line}\n" for line in rows))
        page.append(f"{shown.note}\n" if shown.note else "", "dim")
    # captured first: rich would end the process if the reader has gone
    with console.capture() as captured:
        console.print(page, end="")
    stream.write(captured.get())


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
