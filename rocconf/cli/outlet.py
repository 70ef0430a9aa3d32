"""Where an answer goes: standard error, GitHub's step summary, standard output, files and the exit status, in this order.

Places and forms are checked before anything is read. The files are written first and in place last, so that they are
there only if all the rest is. Standard output holds the answer only.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

from rocconf.cli.claimed import Claimed
from rocconf.cli.progress import is_wanted, waiting
from rocconf.cli.remarks import say_remarks
from rocconf.cli.stderr import lines_on_screen, put, say
from rocconf.errors import RocconfError, UsageError, is_closed_pipe
from rocconf.messages import message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from rocconf.answer import Answer
    from rocconf.cli.judging import Judge
    from rocconf.cli.options import Output


ROWS_ONLY = ("tsv", "csv", "ndjson")
"""The forms that have the rows and nothing else; the summary is written on standard error."""


MOST_NAMED = 3
"""The most written files that are named."""


class Outlet:
    """The files and the form of the answer; `figures` are the paths of figures, which are written too."""

    def __init__(self, output: Output, tables: Sequence[str], *, figures: Sequence[Path] = ()) -> None:
        from rocconf import report

        self.quiet, self.all_rows, self.escape_formulas = output.quiet, output.all, not output.no_escape_formulas
        self.shows_progress = is_wanted(quiet=output.quiet, no_progress=output.no_progress)
        self.unasked: tuple[str, ...] = ()
        """The codes of warnings about what nobody asked for, which only files have."""
        self.printed: str | None = None
        """The table on standard output in a form that has one; by default the rows."""
        self.form = output.format or ("table" if sys.stdout.isatty() else "tsv")
        if self.form not in report.FORMATS:
            raise UsageError("unknown-format", known=", ".join(report.FORMATS), format=self.form)
        self.places = [report.place_of(text, (*tables, "gates")) for text in output.out or ()]
        self._claimed = Claimed()
        self.paths = (*(place.path for place in self.places), *figures)
        for path in self.paths:
            self._claimed.add(path, report.writable(path))
        self.refuse_overwriting(output.key)

    def claim(self, path: str | None) -> None:
        """Claim a file that is written beside those of the options, if there is one."""
        from rocconf import report

        if path and path != os.devnull:
            self._claimed.add(Path(path), report.writable(path))

    def refuse_overwriting(self, *inputs: str | Path | None) -> None:
        """Refuse to write to a file that is read, for whatever purpose; None stands for an option that is not set."""
        self._claimed.refuse_inputs(inputs)

    def waiting(self, task: str) -> AbstractContextManager[None]:
        """Show what goes on if it takes longer than a second."""
        return waiting(task, wanted=self.shows_progress)

    def emit(self, answer: Answer, judge: Judge, *, draw: Callable[[], None] | None = None) -> None:
        """Write the files and figures, the remarks and the verdicts, print the answer, and exit.

        The files are in place once all of it succeeded.
        """
        from rocconf import report

        with report.together():
            for place in self.places:
                with self.waiting(f"writing {place.path}"):
                    report.save(answer, place, escape_formulas=self.escape_formulas)
            if draw:
                draw()
            self._say_written()
            if not self.quiet:
                beside = answer.results[0].screen_tells if self.form in ("table", "md") else ()
                say_remarks(answer, without=(*self.unasked, *beside))
                if self.form in ROWS_ONLY:
                    _write_summary(answer)
                    for result in answer.results:
                        for sentence in result.conclusions:
                            say(sentence.text(answer.audience))
            judge.report(answer, shown=self.form == "table" and sys.stdout.isatty())
            table = self.printed if self.form in ROWS_ONLY else None
            judge.append_summary(answer)  # which is taken back if what follows fails
            _print(answer, self.form, table=table, escape_formulas=self.escape_formulas)
        raise typer.Exit(answer.exit_code)

    def _say_written(self) -> None:
        """Say on a terminal which files were written."""
        if self.paths and not self.quiet and sys.stderr.isatty():
            names = [str(path) for path in self.paths]
            more = [f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
            say(message("wrote", files=", ".join([*names[:MOST_NAMED], *more])).text("shell"))


def _write_summary(answer: Answer) -> None:
    """Write the summary on standard error, a line of key=value for each model and for each difference of two."""
    from rocconf.answer import json_records
    from rocconf.report import json_text

    for record in (row for name in answer.results[0].summaries for row in json_records(answer.table(name))):
        pairs = (
            f"{key}={value if isinstance(value, str) and _is_one_word(value) else json_text(value)}"
            for key, value in record.items()
            if value is not None
        )
        put(" ".join(pairs))


def _is_one_word(text: str) -> bool:
    """Whether a text needs no quotes among key=value pairs."""
    return text.split() == [text] and not text.startswith('"')


def _print(answer: Answer, form: str, *, table: str | None, escape_formulas: bool) -> None:
    """Print the answer. A reader that closes the pipe early changes nothing: files and verdict are out already."""
    from rocconf.report import screen_size, write

    if form == "table":
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # standard output is a text stream
    else:
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]  # as above
    used = lines_on_screen(screen_size(sys.stdout)[0]) if form == "table" and sys.stdout.isatty() else 0
    to_stdout(lambda stream: write(answer, form, stream, table=table, used=used, escape_formulas=escape_formulas))


def to_stdout(write: Callable[[TextIO], object]) -> None:
    """Write to standard output; a closed pipe is not an error."""
    try:
        write(sys.stdout)
        sys.stdout.flush()
    except OSError as error:
        if not is_closed_pipe(error):
            raise RocconfError("stdout-failed", reason=error.strerror) from error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
