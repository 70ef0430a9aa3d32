"""Tell what was measured: on the terminal, and as a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from works import OURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contest import Contestant, Outcome
    from works import Work

HEADINGS = ("", "least, s", "median", "cores", "x rocconf", "MB", "x rocconf")
ABOUT = """\
Written by `make bench`. Every contestant is a whole process, from its start to its answer; they take turns, in
another order each time, so that a busy moment of the machine and the memory that others left behind fall on all of
them, and the least time of {repeat} counts. Times of another machine, or of another run, say nothing: the ratios do.
`cores` is the least time spent on all cores together, `MB` the peak of memory. Before anything is timed all contestants are asked for the AUC, and its standard error where they have one, or
for the difference of two AUCs with its z and p, and the run stops if two of them differ by more than 1e-9.

`floor` is a bare script that does the same work without looking at its input (`benchmarks/floor/`); the peers are in
`benchmarks/peers/`. pandas + scikit-learn and ROCR give no standard error and so do less than the others.
"""


@dataclass(frozen=True)
class Measured:
    """A work, what its contestants needed, and who could not take part."""

    work: Work
    outcomes: list[Outcome]
    absent: list[Contestant]

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """One line a contestant."""
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
        """Who could not take part, and why."""
        return "; ".join(f"{one.name} ({one.absent})" for one in self.absent)

    @property
    def goals(self) -> list[tuple[str, str]]:
        """What was wanted and what was reached."""
        lines = []
        for goal in self.work.goals:
            ratio = goal.reached(self.outcomes)
            if ratio is None:
                lines.append((goal.words, "not measured"))
            else:
                lines.append((goal.words, f"{'met' if goal.is_met(ratio) else 'NOT MET'}: {ratio:.2f}"))
        return lines


def print_rich(measured: Sequence[Measured]) -> None:
    """Print one table a work."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    for one in measured:
        table = Table(title=one.work.title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
        for heading in HEADINGS:
            table.add_column(heading, justify="right" if heading else "left", no_wrap=not heading)
        for row in one.rows:
            table.add_row(*row, style="bold" if row[0] == OURS else "")
        console.print(table)
        if one.absent:
            console.print(f"  not run: {one.not_run}")
        for words, reached in one.goals:
            console.print(f"  {words}: {reached}", style="" if reached.startswith("met") else "yellow")
        console.print()


def page(measured: Sequence[Measured], machine: dict[str, str], *, repeat: int, date: str | None) -> str:
    """Return benchmarks/RESULTS.md."""
    lines = ["# Measured", "", ABOUT.format(repeat=repeat)]
    if date:
        lines.append(f"- date: {date}")
    lines += [f"- {key}: {value}" for key, value in machine.items()]
    for one in measured:
        lines += ["", f"## {one.work.title}", ""]
        lines += _markdown(HEADINGS, one.rows, numeric=True)
        lines += ["", f"Not run: {one.not_run}."] if one.absent else []
        if one.goals:
            lines += ["", *_markdown(("goal", "reached"), one.goals, numeric=False)]
    return "\n".join(lines) + "\n"


def _markdown(headings: Sequence[str], rows: Sequence[Sequence[str]], *, numeric: bool) -> list[str]:
    marks = ["---"] + ["---:" if numeric else "---"] * (len(headings) - 1)
    return ["| " + " | ".join(line) + " |" for line in (headings, marks, *rows)]
