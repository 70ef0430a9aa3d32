"""`rocconf gate`."""

from typing import Annotated

import typer

from rocconf.cli.checking import stop_if_checking
from rocconf.cli.judging import JudgeOfReports
from rocconf.cli.options import Gate, Output
from rocconf.cli.outlet import Outlet
from rocconf.naming import require_distinct_files

WITHOUT = ("all", "plot", "title", "width", "height", "dpi")
"""The options of figures and of rows of thresholds, which reports do not have."""


HELP = """Judge saved reports, without the data: the exit status is the verdict, and the worst one wins.

A report is what -o FILE.json or --format json of another command writes, or the page of -o FILE.html. It is judged by --require and by the
rules of the configuration for its command; without any, by the rules it carries. A rule has the same verdict on a
report as on the run that wrote it. What a report does not hold (an operating point that was not asked for, a
bootstrapped measure of a run without replicates, a slice) cannot be judged: the exit status is 2, and the error says what to run. A
report that no rule applies to decides nothing, and the exit status is 3.

Tables: rows or gates (default), models or summary.
"""


def gate(
    reports: Annotated[
        list[str],
        typer.Argument(
            metavar="REPORT...", help="JSON report (.gz, .zst) or page of an earlier run, or - for standard input"
        ),
    ],
    output: Output,
    rules: Gate,
) -> None:
    """Run `rocconf gate`."""
    from rocconf.gate import GateResult
    from rocconf.read import find_input

    judge = JudgeOfReports(rules, quiet=output.quiet)
    outlet = Outlet(output, GateResult.table_names)
    outlet.claim(judge.step_summary)
    outlet.unasked = ("in-sample",)  # a verdict says of its threshold where it was chosen
    require_distinct_files(reports)
    outlet.refuse_overwriting(*reports, judge.configured.path if judge.configured else None)
    stop_if_checking(judge)
    outlet.emit(judge.answer([find_input(file) for file in reports]), judge)
