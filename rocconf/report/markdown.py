"""Markdown for a page, a pull request or a step summary: the verdict and its reasons, the answer, and its tables."""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING

from rocconf.messages import message
from rocconf.report.human import shown_tables
from rocconf.report.screen import few_of, tables_on_screen
from rocconf.report.screen_table import columns_shown
from rocconf.report.verdict_lines import IN_WORDS, verdict_title, worst_first
from rocconf.report.verdict_table import rule_in_words
from rocconf.visible import visible, without_commands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rocconf.answer import Answer

MARKS = re.compile(r"[\\`*|]|<(?=[\w/!?])|&(?=#?\w+;)|(?<!\w)_|_(?!\w)|(?<=\])\(|~(?=~)|(?<=~)~")
"""What markdown would interpret: `fpr<=0.01` and `true_rate` are left as they are."""

ROWS = 12
"""The number of thresholds on a page."""


def write_markdown(answer: Answer, stream: IO[str]) -> None:
    """Write the answer as markdown; everything if it has all rows."""
    stream.write(f"# rocconf {answer.command}\n")
    stream.writelines(f"{line}\n" for line in _verdict(answer))
    for result in answer.results:
        for sentence in result.conclusions:
            stream.write(f"\n{as_markdown(sentence.text(answer.audience))}\n")
    stream.writelines(f"{line}\n" for line in (_everything(answer) if answer.all_rows else _screen(answer)))
    for remark in answer.remarks if answer.all_rows else answer.warnings:
        stream.write(f"\n> **{remark.code}**: {as_markdown(remark.message)}\n")


def _verdict(answer: Answer) -> Iterator[str]:
    """Yield the verdict, what to do, and why: a line for each rule, the worst first."""
    if answer.verdict is None:
        return
    yield f"\n**{as_markdown(verdict_title(answer))}**\n"
    if not answer.gates:
        yield as_markdown(message("no-rule-judged").text(answer.audience))
        return
    rows = [
        (
            IN_WORDS[gate["verdict"]],
            rule_in_words(gate) + " (only warns)" * (gate["severity"] == "warn"),
            gate["message"],
        )
        for gate in worst_first(answer.gates)
    ]
    yield from _table(("verdict", "rule", "why"), (False, False, False), rows)


def _screen(answer: Answer) -> Iterator[str]:
    """Yield the tables of a screen with all their columns."""
    for name in tables_on_screen(answer):
        few = few_of(answer, name, most=ROWS)
        if few.rows:
            columns = [
                [cell.strip() for cell in column] for column in columns_shown(few.rows, few.kinds, few.keys, width=None)
            ]
            headings, *rows = zip(*columns, strict=True)
            yield ""
            yield from _table(
                headings, [few.kinds.get(head.replace(" ", "_")) not in ("text", "list") for head in headings], rows
            )
            yield from (f"\n{as_markdown(text)}" for text in few.feet)


def _everything(answer: Answer) -> Iterator[str]:
    for shown in shown_tables(answer, width=None):
        yield f"\n## {as_markdown(shown.title)}\n"
        yield from _table(shown.headings if any(shown.headings) else ("", "value"), shown.numeric, shown.rows)
        yield from [f"\n{as_markdown(shown.note)}"] if shown.note else []


def _table(headings: Sequence[str], numeric: Iterable[bool], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    marks = ["---:" if right else "---" for right in numeric]
    for line in (map(as_markdown, headings), marks, *(map(as_markdown, row) for row in rows)):
        yield f"| {' | '.join(line)} |"


def as_markdown(text: str) -> str:
    """Return a text on one line that markdown shows unchanged, whatever marks a model's name has."""
    return MARKS.sub(_escaped, without_commands(visible(" ".join(text.split()))))


def _escaped(mark: re.Match[str]) -> str:
    """Escape a mark: < and & have names that tables show too, the others take a backslash."""
    return {"<": "&lt;", "&": "&amp;"}.get(mark[0], f"\\{mark[0]}")
