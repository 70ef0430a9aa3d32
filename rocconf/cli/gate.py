"""`rocconf gate`."""

from __future__ import annotations

from typing import Annotated

import typer

from rocconf.cli.judging import JudgeOfReports
from rocconf.cli.options import Gate, Output
from rocconf.cli.outlet import Outlet
from rocconf.errors import UsageError

WITHOUT = ("plot", "title", "width", "height", "dpi")
"""Options that there is nothing for: a report draws no figure."""


def gate(
    reports: Annotated[
        list[str],
        typer.Argument(metavar="REPORT...", help="JSON report of an earlier run (.gz, .zst), or - for standard input"),
    ],
    output: Output,
    rules: Gate,
) -> None:
    """Judge saved reports, without the data: the exit status is the verdict, and the worst one wins.

    A report is what -o FILE.json or --format json of another command writes. It is judged by --require and by those
    rules of the configuration that are of its command; without any, by the rules it carries. A rule says the same of a
    report as of the run that wrote it. What a report does not hold (another level of an interval that was drawn, an
    operating point that was not asked for, a slice) cannot be judged: the exit status is 2, and the error says what to
    run. A report that no rule is about decides nothing, and ends with 3.

    Tables: rows or gates (default), models or summary.
    """
    from rocconf.gate.saved import Judged
    from rocconf.read import find_input

    judge = JudgeOfReports(rules, quiet=output.quiet)
    outlet = Outlet(output, Judged.table_names)
    twice = sorted({file for file in reports if reports.count(file) > 1})
    if twice:
        raise UsageError(f"{', '.join(twice)}: given twice")
    inputs = [find_input(file) for file in reports]
    outlet.refuse_overwriting(inputs)
    outlet.give(judge.answer(inputs), judge)
