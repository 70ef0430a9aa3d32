"""The area under the confident segment against its mean error difference, a point for each model.

It is drawn like Figure 6 of [1]_: large segments with small differences are at the top left. Models without a
confident point have no place in the chart and are named under it. Bootstrap intervals are shown if there are any.

References
----------
.. [1] W. Elazmeh, N. Japkowicz, S. Matwin (2006), A framework for comparative evaluation of classifiers in the
   presence of class imbalance, ROCML at ICML.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.lines import Line2D

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

X_LABEL = f"mean |missed {fmt.MINUS} false alarms| / n (aved_abs)"
Y_LABEL = "area under the confident segment (cauc)"
CHART_HEIGHT = 0.62
"""The height of the chart, as a share of the figure's width."""

POINTS_MARGIN = 0.28
"""The space around the points, as a share of their range."""


def paint(figure: Figure, results: Sequence[Comparison], canvas: Canvas) -> None:
    """Paint the models of a comparison."""
    segments = [model.segment for model in results[0].models]
    if canvas.height is None:
        figure.set_size_inches(canvas.width, canvas.width * (CHART_HEIGHT + 0.2))
    axes = figure.add_subplot(xlabel=X_LABEL, ylabel=Y_LABEL)
    counts = [segment.counts for segment in segments]
    names = fmt.names(counts)
    entries = [(_draw_point(axes, segment, at), names[at]) for at, segment in enumerate(segments) if segment.confident]
    axes.margins(x=POINTS_MARGIN, y=POINTS_MARGIN)
    # neither measure is below 0
    axes.set(xlim=(max(axes.get_xlim()[0], 0), None), ylim=(max(axes.get_ylim()[0], 0), None))
    if not entries:
        axes.text(0.5, 0.5, "no model has a confident point", transform=axes.transAxes, ha="center", va="center")
    add_title(axes, canvas, "Confident segments", fmt.cases(counts))
    without = ", ".join(name for name, segment in zip(names, segments, strict=True) if not segment.confident)
    lines = [legend_title(segments[0]) + _bars(segments[0])]
    lines += wrapped_small(f"no confident point: {without}", canvas) if without else []
    legend_under(figure, canvas, entries, title="\n".join(lines))


def _draw_point(axes: Axes, result: ConfidentSegment, at: int) -> Line2D:
    style: dict[str, Any] = {"marker": marker_of(at), "color": colour_of(at), "linestyle": "none"}
    whole: dict[str, Any] = {"clip_on": False, "zorder": 3}  # a mark on an edge is seen whole
    x, y = result.segment.aved_abs or 0.0, result.segment.cauc
    if result.bootstrap:
        reach: dict[str, Any] = {"xerr": _reach(result, "aved_abs", x), "yerr": _reach(result, "cauc", y)}
        axes.errorbar(x, y, **reach, **style, **whole, elinewidth=1.0, capsize=2)
    else:
        axes.plot(x, y, **style, **whole)
    return Line2D([], [], **style)


def _reach(result: ConfidentSegment, name: str, value: float) -> list[list[float]] | None:
    """Return how far the interval reaches to each side; the value may lie outside it."""
    interval = result.bootstrap.intervals[name] if result.bootstrap else None
    if interval is None:
        return None
    return [[max(value - interval.lower, 0.0)], [max(interval.upper - value, 0.0)]]


def _bars(result: ConfidentSegment) -> str:
    return f"; bars: bootstrap at this n, {fmt.percent(result.level)}" if result.bootstrap else ""
