"""HTML for a notebook: the answer, its few rows and its warnings, small, and without what a page could run."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from rocconf.report.screen import few_of, tables_on_screen
from rocconf.report.screen_table import columns_shown
from rocconf.visible import visible, without_commands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocconf.answer import Answer

ROWS = 8
"""The number of thresholds in a cell of a notebook."""

MOST = 30
"""The number of rows of any other table."""

WIDTH = 110
"""How many letters a line of a table has at most."""


def html_of(answer: Answer) -> str:
    """Return the answer as HTML, without a verdict: results have none."""
    return "".join(_parts(answer))


def _parts(answer: Answer) -> Iterator[str]:
    yield "<div>"
    for result in answer.results:
        yield from (f"<p>{_shown(sentence.text(answer.audience))}</p>" for sentence in result.conclusions)
    for name in tables_on_screen(answer):
        few = few_of(answer, name, most=ROWS)
        if few.rows:
            columns = columns_shown(few.rows[:MOST], few.kinds, few.keys, width=WIDTH)
            headings, *rows = zip(*([cell.strip() for cell in column] for column in columns), strict=True)
            right = [few.kinds.get(head.replace(" ", "_")) not in ("text", "list") for head in headings]
            yield from _table(headings, right, rows)
            yield from (f"<p><small>{_shown(text)}</small></p>" for text in few.feet)
            if len(few.rows) > MOST:
                yield f"<p><small>{MOST} of {len(few.rows):,} rows</small></p>"
    yield from (
        f"<p><small><b>{_shown(remark.code)}</b>: {_shown(remark.message)}</small></p>" for remark in answer.warnings
    )
    yield "</div>"


def _table(headings: Sequence[str], right: Sequence[bool], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    sides = ["right" if each else "left" for each in right]
    yield "<table><thead>"
    yield from _row("th", sides, headings)
    yield "</thead><tbody>"
    for row in rows:
        yield from _row("td", sides, row)
    yield "</tbody></table>"


def _row(tag: str, sides: Sequence[str], cells: Sequence[str]) -> Iterator[str]:
    inside = zip(sides, cells, strict=True)
    yield "<tr>" + "".join(f'<{tag} align="{side}">{_shown(cell)}</{tag}>' for side, cell in inside) + "</tr>"


def _shown(text: str) -> str:
    """Return a text that HTML shows unchanged, whatever a model is called."""
    return escape(without_commands(visible(text)))
