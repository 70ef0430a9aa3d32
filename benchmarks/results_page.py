"""The results, on the terminal and as benchmarks/RESULTS.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corners import ABOUT as ABOUT_CORNERS
from corners import HEADINGS as CORNER_HEADINGS
from corners import SECONDS_OF_PEER
from growth import ABOUT as ABOUT_GROWTH
from growth import FULL, LONGEST, TOLERANCE, headings
from workloads import OURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contest import Contestant, Outcome
    from corners import MeasuredCorner
    from growth import Grown
    from rich.console import Console
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
checks nothing either. R's fbroc, which is fast at bootstraps, is not run. Figures against earlier peers, which did more work
than they had to, are in [EARLIER_RESULTS.md](EARLIER_RESULTS.md).
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
    def faults(self) -> list[str]:
        """The goals that are missed."""
        return [f"{goal}: {result}" for goal, result in self.goals if result.startswith("NOT MET")]

    @property
    def goals(self) -> list[tuple[str, str]]:
        """The goals, each with its ratio."""
        lines = []
        for goal in self.workload.goals:
            ratio = goal.ratio(self.outcomes)
            if ratio is None:
                lines.append((goal.text, "not measured"))
            else:
                because = f" ({goal.why})" * bool(goal.why)
                met = goal.is_met(ratio)
                lines.append((goal.text, f"met: {ratio:.2f}" if met else f"NOT MET: {ratio:.2f}{because}"))
        return lines


@dataclass(frozen=True)
class Results:
    """All that was measured."""

    workloads: list[Measured]
    corners: list[MeasuredCorner]
    growth: list[Grown]
    repeat: int

    @property
    def missed(self) -> list[str]:
        """The goals that are missed, and the work that grows faster than it should."""
        named = [(one.workload.title, fault) for one in self.workloads for fault in one.faults]
        named += [(one.corner.title, fault) for one in self.corners for fault in one.faults]
        named += [(one.work.title, fault) for one in self.growth for fault in one.faults]
        return [f"{title}: {fault}" for title, fault in named]

    @property
    def tables(self) -> list[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
        """The text, the headings and the rows of the tables that are not of workloads."""
        tables = []
        if self.corners:
            here = SECONDS_OF_PEER * self.corners[0].scale
            about = ABOUT_CORNERS.format(yardstick=SECONDS_OF_PEER, here=here)
            tables.append((about, CORNER_HEADINGS, [one.row for one in self.corners]))
        about = ABOUT_GROWTH.format(start=FULL.start, tolerance=TOLERANCE, longest=LONGEST)
        for what, is_of_models in (("cases", False), ("models", True)):
            found = [one for one in self.growth if one.work.of_models == is_of_models]
            if found:
                tables.append((about, headings(found[0].sizes, what), [one.row for one in found]))
                about = ""
        return tables


def print_rich(results: Results) -> None:
    """Print a table for each workload, those of corners and growth, and the goals that are missed."""
    from rich.console import Console

    console = Console(highlight=False)
    for one in results.workloads:
        _print_table(console, one.workload.title, HEADINGS, one.rows)
        if one.absent:
            console.print(f"  not run: {one.not_run}")
        for goal, ratio in one.goals:
            console.print(f"  {goal}: {ratio}", style="" if ratio.startswith("met") else "yellow")
        console.print()
    for _, columns, rows in results.tables:  # too wide for a table of rich
        print("\n".join([*_markdown(columns, rows, texts=(0, len(columns) - 1)), ""]))
    for fault in results.missed:
        console.print(fault, style="yellow")


def _print_table(console: Console, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for at, column in enumerate(columns):
        table.add_column(column, justify="right" if at and column else "left", no_wrap=not at)
    for row in rows:
        table.add_row(*row, style="bold" if row[0] == OURS else "")
    console.print(table)


def page(results: Results, machine: dict[str, str], *, date: str | None, kernels: str) -> str:
    """Return the text of benchmarks/RESULTS.md."""
    missed = [f"- {fault}" for fault in results.missed] or ["None."]
    lines = ["# Measured", "", "## Missed goals", "", *missed, "", "## How it was measured", ""]
    lines += [*ABOUT.format(repeat=results.repeat).splitlines(), ""]
    if date:
        lines.append(f"- date: {date}")
    lines += [f"- {key}: {value}" for key, value in machine.items()]
    for one in results.workloads:
        lines += ["", f"## {one.workload.title}", ""]
        lines += _markdown(HEADINGS, one.rows, texts=(0,))
        lines += ["", f"Not run: {one.not_run}."] if one.absent else []
        if one.goals:
            lines += ["", *_markdown(("goal", "result"), one.goals, texts=(0, 1))]
    for about, columns, rows in results.tables:
        lines += ["", about] if about else [""]
        lines += _markdown(columns, rows, texts=(0, len(columns) - 1))
    return "\n".join(lines) + "\n" + kernels


def _markdown(columns: Sequence[str], rows: Sequence[Sequence[str]], *, texts: Sequence[int]) -> list[str]:
    """Return a table, of which all columns but some are numbers."""
    marks = ["---" if at in texts else "---:" for at in range(len(columns))]
    return ["| " + " | ".join(line) + " |" for line in (columns, marks, *rows)]
