"""Power: how often each rule passes in samples of a size, or fails where it can only fail, against the number of cases.

The asked power is a line across, and the size that has it a mark. What is simulated has a band of two standard errors.
The axis across is logarithmic; where no prevalence is known it counts one class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import NullFormatter

from rocconf.errors import UndefinedError
from rocconf.plot import format as fmt
from rocconf.plot.axes import SQUARE_MARGIN, add_title
from rocconf.plot.colours import INK, QUIET, colour_of, line_of, marker_of
from rocconf.plot.legend import place_legend

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.plan import Plan, Planned
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.records import Floats

ERRORS = 2
"""The standard errors that a band reaches to either side."""

MOST_TICKS = 8


def paint(figure: Figure, results: Sequence[Plan], canvas: Canvas) -> None:
    """Paint a plan."""
    (result,) = results
    plans = [plan for plan in result.plans if plan.sizes]
    if not plans:
        raise UndefinedError("plan-without-curve")
    counted = counted_in(plans)
    axes = figure.add_subplot()
    axes.set_xscale("log")
    axes.set(
        ylim=(-SQUARE_MARGIN, 1 + SQUARE_MARGIN), xlabel=f"Number of {counted} (logarithmic)", ylabel="Probability"
    )
    axes.set_yticks(np.linspace(0, 1, 6))
    axes.axhline(result.asked.power, color=QUIET, linewidth=0.9, linestyle=(0, (5, 4)), zorder=1.5)
    entries: list[Entry] = []
    lines = []
    for place, plan in enumerate(plans):
        line = power_line(plan, counted)
        entries += _draw(axes, plan, line, place, several=len(plans) > 1)
        lines.append(line[:, :2])
    _set_ticks(axes, plans, counted)
    power: dict[str, Any] = {"color": QUIET, "linewidth": 0.9, "linestyle": (0, (5, 4))}
    entries.append((Line2D([], [], **power), f"power {fmt.percent(result.asked.power)}"))
    kinds = {plan.question.condition.kind for plan in plans}
    about = f"{fmt.percent(result.asked.level)} intervals, {' and '.join(sorted(kinds))}"
    simulated = any(at.share.runs for plan in plans for at in plan.sizes)
    about += "; bands: two standard errors of the simulation" if simulated else ""
    add_title(axes, canvas, "How many cases a verdict needs", about)
    place_legend(figure, axes, canvas, entries, lines, corners=("lower right", "upper left", "center right"))


def counted_in(plans: Sequence[Planned]) -> str:
    """Return what the axis counts: cases, or one class where there is no prevalence."""
    sizes = [at.size for plan in plans for at in plan.sizes]
    for name in ("cases", "positives", "negatives"):
        if all(getattr(size, name) is not None for size in sizes):
            return name
    raise UndefinedError("plan-two-classes")


def power_line(plan: Planned, counted: str) -> Floats:
    """Return columns of sizes, of the share of the verdict that can be reached, and of its standard error."""
    verdict = plan.need.verdict
    return np.array(
        [[getattr(at.size, counted), at.share.of(verdict), at.share.error_of(verdict) or 0.0] for at in plan.sizes]
    )


def _draw(axes: Axes, plan: Planned, line: Floats, place: int, *, several: bool) -> list[Entry]:
    size, share, error = line.T
    colour = colour_of(place) if several else INK
    axes.fill_between(
        size,
        np.maximum(share - ERRORS * error, 0),
        np.minimum(share + ERRORS * error, 1),
        color=colour,
        alpha=0.2,
        linewidth=0,
        zorder=2,
    )
    (drawn,) = axes.plot(size, share, color=colour, linestyle=line_of(place), zorder=3)
    does = {"pass": "passes", "fail": "fails", "narrow": "holds"}[plan.need.verdict]
    entries: list[Entry] = [(drawn, fmt.plain(f"{plan.question.condition.rule} {does}"))]
    for at, (x, y) in zip(plan.sizes, line[:, :2].tolist(), strict=True):
        if at.is_needed:
            style: dict[str, Any] = {"marker": marker_of(place), "color": colour, "markeredgecolor": "white"}
            axes.plot([x], [y], zorder=5, linestyle="none", **style)
            entries.append((Line2D([], [], linestyle="none", **style), f"{int(x):,} needed"))
    return entries


def _set_ticks(axes: Axes, plans: Sequence[Planned], counted: str) -> None:
    """Put ticks at round numbers of the axis."""
    sizes = [getattr(at.size, counted) for plan in plans for at in plan.sizes]
    low, high = min(sizes), max(sizes)
    axes.set_xlim(low / 1.15, high * 1.15)
    for steps in ((1, 2, 5), (1, 3), (1,)):
        ticks = [
            step * 10**power for power in range(12) for step in steps if low / 1.15 <= step * 10**power <= high * 1.15
        ]
        if len(ticks) <= MOST_TICKS:
            break
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.xaxis.set_minor_formatter(NullFormatter())
