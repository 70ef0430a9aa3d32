"""Markdown for a page or a pull request, with the tables that a terminal shows."""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING

from rocconf.report.human import shown_tables

if TYPE_CHECKING:
    from rocconf.answer import Answer

MARKS = re.compile(r"[\\`*|]|<(?=[\w/!?])|&(?=#?\w+;)|(?<!\w)_|_(?!\w)|(?<=\])\(|~(?=~)|(?<=~)~")
"""What markdown would interpret: `fpr<=0.01` and `true_rate` are left as they are."""


def write_markdown(answer: Answer, stream: IO[str]) -> None:
    """Write the answer as markdown."""
    stream.write(f"# rocconf {answer.command}\n")
    for shown in shown_tables(answer, width=None):
        headings = shown.headings if any(shown.headings) else ("", "value")
        marks = ["---:" if numeric else "---" for numeric in shown.numeric]
        stream.write(f"\n## {as_markdown(shown.title)}\n\n")
        for line in (map(as_markdown, headings), marks, *(map(as_markdown, row) for row in shown.rows)):
            stream.write(f"| {' | '.join(line)} |\n")
        if shown.note:
            stream.write(f"\n{as_markdown(shown.note)}\n")
    for remark in answer.remarks:
        stream.write(f"\n> **{remark.code}**: {as_markdown(remark.message)}\n")


def as_markdown(text: str) -> str:
    """Return a text on one line that markdown shows unchanged, whatever marks a model's name has."""
    return MARKS.sub(_escaped, " ".join(text.split()))


def _escaped(mark: re.Match[str]) -> str:
    """Escape a mark: < and & have names that tables show too, the others take a backslash."""
    return {"<": "&lt;", "&": "&amp;"}.get(mark[0], f"\\{mark[0]}")
