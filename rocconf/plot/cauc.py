"""The area under the confident segment against the mean error difference, a point for each model.

It is drawn like Figure 6 of [1]_: large segments with small differences are at the top left. Models without a
confident point have no place in the chart and are named under it. Every point has its bootstrap intervals, also if the
comparison has none: models are often closer to each other than each is to itself on other cases.

References
----------
.. [1] W. Elazmeh, N. Japkowicz, S. Matwin (2006), A framework for comparative evaluation of classifiers in the
   presence of class imbalance, ROCML at ICML.
"""

from __future__ import annotations

from itertools import permutations
from math import isfinite
from typing import TYPE_CHECKING, Any

from matplotlib.lines import Line2D

from rocconf.compute.stats.seeds import least_replicates
from rocconf.plot import format as fmt
from rocconf.plot.axes import add_title, wrapped_small
from rocconf.plot.colours import colour_of, marker_of
from rocconf.plot.confident import legend_title
from rocconf.plot.legend import legend_under

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.compare import Comparison
    from rocconf.compute.tango import ConfidentSegment
    from rocconf.plot.canvas import Canvas
    from rocconf.records import Interval

X_LABEL = f"mean |missed {fmt.MINUS} false alarms| / n (aved_abs)"
Y_LABEL = "area under the confident segment (cauc)"
CHART_HEIGHT = 0.62
"""The height of the chart, as a share of the figure's width."""

MOST_TICKS = 5
DRAWN = 400
"""The number of replicates of intervals that only the figure needs."""

POINTS_MARGIN = 0.28
"""The space around the points, as a share of their range."""


def paint(figure: Figure, results: Sequence[Comparison], canvas: Canvas) -> None:
    """Paint the models of a comparison."""
    comparison = results[0]
    segments = [model.segment for model in comparison.models]
    if canvas.height is None:
        figure.set_size_inches(canvas.width, canvas.width * (CHART_HEIGHT + 0.2))
    axes = figure.add_subplot(xlabel=X_LABEL, ylabel=Y_LABEL)
    counts = [segment.counts for segment in segments]
    names = fmt.names(counts)
    entries = [
        (_draw_point(axes, segment, at, comparison.asked.seed), names[at])
        for at, segment in enumerate(segments)
        if segment.confident
    ]
    axes.locator_params(nbins=MOST_TICKS)
    axes.margins(x=POINTS_MARGIN, y=POINTS_MARGIN)
    # neither measure is below 0
    axes.set(xlim=(max(axes.get_xlim()[0], 0), None), ylim=(max(axes.get_ylim()[0], 0), None))
    if not entries:
        axes.text(0.5, 0.5, "no model has a confident point", transform=axes.transAxes, ha="center", va="center")
    add_title(axes, canvas, "Confident segments: area against error difference", fmt.cases(counts))
    without = ", ".join(name for name, segment in zip(names, segments, strict=True) if not segment.confident)
    lines = [legend_title(segments[0])]
    lines += [f"bars: bootstrap at this n, {fmt.percent(segments[0].level)}"] if entries else []
    lines += wrapped_small(f"no confident point: {without}", canvas) if without else []
    reminder = reminder_of(comparison, names)
    lines += wrapped_small(reminder, canvas) if reminder else []
    legend_under(figure, canvas, entries, title="\n".join(lines))


def reminder_of(comparison: Comparison, names: Sequence[str]) -> str:
    """Return why the order of the models in the chart misleads, if it does."""
    if not comparison.asked.paired:
        return "The models have different cases, whose number changes the area: their places cannot be compared."
    worst, at, best = 0.0, 0, 0
    for more, less in permutations(range(len(names)), 2):
        larger, smaller = comparison.models[more], comparison.models[less]
        lost = smaller.sweep.auc.value - larger.sweep.auc.value
        if larger.segment.segment.cauc > smaller.segment.segment.cauc and lost > worst:
            worst, at, best = lost, more, less
    if not worst:
        return ""
    return f"A larger area is not a better ranking: {names[at]} has more than {names[best]}, and a lower AUC."


def _draw_point(axes: Axes, result: ConfidentSegment, at: int, seed: int) -> Line2D:
    style: dict[str, Any] = {"marker": marker_of(at), "color": colour_of(at), "linestyle": "none"}
    whole: dict[str, Any] = {"clip_on": False, "zorder": 3}  # a mark on an edge is seen whole
    x, y = result.segment.aved_abs or 0.0, result.segment.cauc
    drawn = result.bootstrap or result.bootstrapped(max(DRAWN, least_replicates(result.level)), seed)
    reach: dict[str, Any] = {"xerr": _reach(drawn.draws["aved_abs"].limits(1 - result.level), x)}
    reach["yerr"] = _reach(drawn.draws["cauc"].limits(1 - result.level), y)
    axes.errorbar(x, y, **reach, **style, **whole, elinewidth=1.0, capsize=2)
    return Line2D([], [], **style)


def _reach(interval: Interval, value: float) -> list[list[float]] | None:
    """Return how far the interval reaches to each side, if that is known; the value may lie outside it."""
    if not (isfinite(interval.lower) and isfinite(interval.upper)):
        return None
    return [[max(value - interval.lower, 0.0)], [max(interval.upper - value, 0.0)]]
