"""The results, on the terminal and as benchmarks/RESULTS.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workloads import OURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contest import Contestant, Outcome
    from workloads import Workload

HEADINGS = ("", "least, s", "median", "cores", "x rocconf", "MB", "x rocconf")
ABOUT = """\
Written by `make bench`. Every contestant is a whole process, timed from start to answer. Contestants run in turn, in
another order each time, so that load on the machine and memory freed by the previous process affect all of them; the
least of {repeat} times counts. Compare the ratios only: times depend on the machine and on the run. `cores` is the least
time summed over all cores, `MB` the peak memory. Before anything is timed, all contestants compute the AUC (with its
standard error if they have one) or the difference of two AUCs with its z and p, and the run stops if two of them differ
by more than 1e-9.

`floor` is a bare script that does the same work without checking its input (`benchmarks/floor/`); the peers are in
`benchmarks/peers/`, each written as a careful user would: only the two columns are read, and nothing is computed twice.
pandas + scikit-learn, polars + numpy and ROCR compute no standard error, so they do less than the others. polars + numpy
checks nothing either. R's fbroc, which is fast at bootstraps, is not run.
"""


@dataclass(frozen=True)
class Measured:
    """A workload, the outcomes of its contestants, and the contestants that could not run."""

    workload: Workload
    outcomes: list[Outcome]
    absent: list[Contestant]

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """A row for each contestant."""
        ours = next(outcome for outcome in self.outcomes if outcome.contestant.name == OURS)
        return [
            (
                outcome.contestant.name,
                f"{outcome.least:.3f}",
                f"{outcome.usual:.3f}",
                f"{min(outcome.processor_seconds):.3f}",
                f"{outcome.least / ours.least:.2f}",
                f"{outcome.peak / 1e6:.0f}",
                f"{outcome.peak / ours.peak:.2f}",
            )
            for outcome in self.outcomes
        ]

    @property
    def not_run(self) -> str:
        """The contestants that could not run, with the reasons."""
        return "; ".join(f"{one.name} ({one.absent})" for one in self.absent)

    @property
    def goals(self) -> list[tuple[str, str]]:
        """The goals, each with its ratio."""
        lines = []
        for goal in self.workload.goals:
            ratio = goal.ratio(self.outcomes)
            if ratio is None:
                lines.append((goal.text, "not measured"))
            else:
                lines.append((goal.text, f"{'met' if goal.is_met(ratio) else 'NOT MET'}: {ratio:.2f}"))
        return lines


def print_rich(measured: Sequence[Measured]) -> None:
    """Print a table for each workload."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    for one in measured:
        table = Table(title=one.workload.title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
        for heading in HEADINGS:
            table.add_column(heading, justify="right" if heading else "left", no_wrap=not heading)
        for row in one.rows:
            table.add_row(*row, style="bold" if row[0] == OURS else "")
        console.print(table)
        if one.absent:
            console.print(f"  not run: {one.not_run}")
        for goal, ratio in one.goals:
            console.print(f"  {goal}: {ratio}", style="" if ratio.startswith("met") else "yellow")
        console.print()


def page(measured: Sequence[Measured], machine: dict[str, str], *, repeat: int, date: str | None) -> str:
    """Return the text of benchmarks/RESULTS.md."""
    lines = ["# Measured", "", ABOUT.format(repeat=repeat)]
    if date:
        lines.append(f"- date: {date}")
    lines += [f"- {key}: {value}" for key, value in machine.items()]
    for one in measured:
        lines += ["", f"## {one.workload.title}", ""]
        lines += _markdown(HEADINGS, one.rows, numeric=True)
        lines += ["", f"Not run: {one.not_run}."] if one.absent else []
        if one.goals:
            lines += ["", *_markdown(("goal", "result"), one.goals, numeric=False)]
    return "\n".join(lines) + "\n"


def _markdown(headings: Sequence[str], rows: Sequence[Sequence[str]], *, numeric: bool) -> list[str]:
    marks = ["---"] + ["---:" if numeric else "---"] * (len(headings) - 1)
    return ["| " + " | ".join(line) + " |" for line in (headings, marks, *rows)]
