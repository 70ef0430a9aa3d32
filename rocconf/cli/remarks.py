"""The warnings and notes of an answer on standard error."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rocconf.cli.stderr import lines_of, say
from rocconf.messages import message

if TYPE_CHECKING:
    from collections.abc import Collection

    from rocconf.answer import Answer, Remark

MOST = 5
"""The number of warnings, and of the lines they take, on a terminal."""


def say_remarks(answer: Answer, *, without: Collection[str]) -> None:
    """Write the warnings, a few on a terminal; with all rows write all of them, and the notes.

    Warnings of the codes in `without` are left out, unless they are about the verdict.
    """
    of_verdict = {about.text(answer.audience) for about in answer.about_gates}
    remarks = [each for each in answer.warnings if each.code not in without or each.message in of_verdict]
    remarks = list(answer.remarks) if answer.all_rows else remarks
    shown = _that_fit(remarks) if sys.stderr.isatty() and not answer.all_rows else remarks
    for remark in shown:
        say(_line(remark))
    others = dict.fromkeys(remark.code for remark in remarks[len(shown) :])
    if others:
        say(message("more-warnings", count=len(remarks) - len(shown), codes=" ".join(others)).text("shell"))


def _that_fit(remarks: list[Remark]) -> list[Remark]:
    """Return the first remarks, as many as fit a few lines of the terminal; at least one."""
    from rocconf.report import screen_size

    width, _ = screen_size(sys.stderr)
    taken = 0
    for at, remark in enumerate(remarks):
        taken += lines_of(f"rocconf: {_line(remark)}", width)
        if at and taken > MOST:
            return remarks[:at]
    return remarks


def _line(remark: Remark) -> str:
    return f"{remark.kind}: {remark.message} [{remark.code}]"
