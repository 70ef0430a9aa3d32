"""Markdown: what people see on a terminal, for a page or a pull request."""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING

from rocconf.report.human import shown_tables

if TYPE_CHECKING:
    from rocconf.answer import Answer

MARKS = re.compile(r"[\\`*|]|<(?=[\w/!?])|&(?=#?\w+;)|(?<!\w)_|_(?!\w)|(?<=\])\(|~(?=~)|(?<=~)~")
"""What markdown reads as more than itself: `fpr<=0.01` and `true_rate` are left as they are."""


def write_markdown(answer: Answer, stream: IO[str]) -> None:
    """Write the answer as markdown, for a page or a pull request."""
    stream.write(f"# rocconf {answer.command}\n")
    for shown in shown_tables(answer, width=None):
        headings = shown.headings if any(shown.headings) else ("", "value")
        marks = ["---:" if numeric else "---" for numeric in shown.numeric]
        stream.write(f"\n## {as_markdown(shown.title)}\n\n")
        for line in (map(as_markdown, headings), marks, *(map(as_markdown, row) for row in shown.rows)):
            stream.write(f"| {' | '.join(line)} |\n")
        if shown.note:
            stream.write(f"\n{as_markdown(shown.note)}\n")
    for caveat in answer.caveats:
        stream.write(f"\n> **{caveat.code}**: {as_markdown(caveat.message)}\n")


def as_markdown(text: str) -> str:
    """Write a text on one line so that markdown shows it as it is, also the name of a model that is full of marks."""
    return MARKS.sub(_as_itself, " ".join(text.split()))


def _as_itself(found: re.Match[str]) -> str:
    """Write a mark for what it is: in a table < and & have names, and the others a backslash before them."""
    return {"<": "&lt;", "&": "&amp;"}.get(found[0], f"\\{found[0]}")
