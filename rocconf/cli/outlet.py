"""Where an answer goes: files, standard error, standard output and the exit status, in this order.

What was asked for is looked at before anything is read. Files are in their places before anything is printed, and
standard output holds the answer only.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from rocconf.cli.judging import say
from rocconf.cli.progress import is_wanted, waiting
from rocconf.errors import RocconfError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from rocconf.answer import Answer
    from rocconf.cli.judging import Judge
    from rocconf.cli.options import Output
    from rocconf.read import Input


class Outlet:
    """The files and the form that were asked for; `figures` are paths that are written too."""

    def __init__(self, output: Output, tables: Sequence[str], *, figures: Sequence[Path] = ()) -> None:
        from rocconf import report

        self.quiet = output.quiet
        self.tells_progress = is_wanted(quiet=output.quiet, no_progress=output.no_progress)
        self.form = output.format or ("table" if sys.stdout.isatty() else "tsv")
        if self.form not in report.FORMATS:
            raise UsageError(f"--format takes {', '.join(report.FORMATS)}, not {self.form!r}")
        self.places = [report.place_of(text, (*tables, "gates")) for text in output.out or ()]
        self._written = [place.path for place in self.places] + list(figures)
        for path in self._written:
            report.writable(path)
        self.refuse_overwriting([])

    def refuse_overwriting(self, inputs: Sequence[Input]) -> None:
        """Refuse to write where an input is read from, or twice to one place."""
        taken = {source.path.resolve() for source in inputs if source.path}
        for path in self._written:
            if path.resolve() in taken:
                what = "an input" if inputs else "written twice"
                raise UsageError(f"{path}: would be overwritten, and is {what}")
            if not inputs and path != Path(os.devnull):
                taken.add(path.resolve())

    def waiting(self, message: str) -> AbstractContextManager[None]:
        """Say what is going on if it takes more than a second."""
        return waiting(message, wanted=self.tells_progress)

    def give(self, answer: Answer, judge: Judge, *, draw: Callable[[], None] | None = None) -> None:
        """Write the files and figures, say what weakens the answer and did not pass, print it, and exit."""
        from rocconf import report

        for place in self.places:
            with self.waiting(f"writing {place.path}"):
                report.save(answer, place)
        if draw:
            draw()
        if not self.quiet:
            _remark(answer, summary=self.form in ("tsv", "csv", "ndjson"))
        judge.tell(answer)
        _print(answer, self.form)
        raise typer.Exit(answer.exit_code)


def _remark(answer: Answer, *, summary: bool) -> None:
    """Say on standard error what weakens the answer and, beside bare rows, what it comes to."""
    for caveat in answer.caveats:
        say(f"warning: {caveat.message}")
    if summary:
        from rocconf.report.machine import json_text

        for record in answer.table("models").records():
            pairs = (
                f"{key}={value if isinstance(value, str) and _is_one_word(value) else json_text(value)}"
                for key, value in record.items()
                if value is not None
            )
            sys.stderr.write(" ".join(pairs) + "\n")


def _is_one_word(text: str) -> bool:
    """Whether a text stands for itself among key=value pairs, or must be quoted as in JSON."""
    return text.split() == [text] and not text.startswith('"')


def _print(answer: Answer, form: str) -> None:
    """Print the answer. A reader who leaves early changes nothing: files and verdict stand already."""
    from rocconf.report import write

    if form == "table":
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # standard output is a text stream
    else:
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    try:
        write(answer, form, sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        raise RocconfError(f"standard output: {error.strerror}") from error
