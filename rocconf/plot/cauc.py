"""The area under the confident segment against its mean error difference, a point for each model.

It is drawn like Figure 6 of [1]_: large segments with small differences stand at the top left. Models without a
confident point have no place in the chart and are named under it. Where they were drawn, intervals are shown.

References
----------
.. [1] W. Elazmeh, N. Japkowicz, S. Matwin (2006), A framework for comparative evaluation of classifiers in the
   presence of class imbalance, ROCML at ICML.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.lines import Line2D

from rocconf.plot import format as fmt
from rocconf.plot.axes import head, wrapped_small
from rocconf.plot.colours import colour_of, shape_of
from rocconf.plot.legend import legend_under
from rocconf.plot.segment import judged_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.compare import Comparison
    from rocconf.compute.tango import ConfidentSegment
    from rocconf.plot.canvas import Canvas

ACROSS = f"mean |missed {fmt.MINUS} false alarms| / n (aved_abs)"
UP = "area under the confident segment (cauc)"
SHAPE = 0.62
"""The height of the chart, as a share of the figure's width."""

ROOM = 0.14
"""What is left free around the points, as a share of what they take."""


def paint(figure: Figure, results: Sequence[Comparison], canvas: Canvas) -> None:
    """Paint the models of a comparison."""
    segments = [model.segment for model in results[0].models]
    if canvas.height is None:
        figure.set_size_inches(canvas.width, canvas.width * (SHAPE + 0.2))
    axes = figure.add_subplot(xlabel=ACROSS, ylabel=UP)
    names = fmt.names([found.counts for found in segments])
    entries = [(_point(axes, found, at), names[at]) for at, found in enumerate(segments) if found.confident]
    axes.margins(x=2 * ROOM, y=2 * ROOM)
    # neither measure is below 0
    axes.set(xlim=(max(axes.get_xlim()[0], 0), None), ylim=(max(axes.get_ylim()[0], 0), None))
    if not entries:
        axes.text(0.5, 0.5, "no model has a confident point", transform=axes.transAxes, ha="center", va="center")
    head(axes, canvas, "Confident segments", fmt.cases([found.counts for found in segments]))
    without = ", ".join(name for name, found in zip(names, segments, strict=True) if not found.confident)
    lines = [_title(segments[0]), *(wrapped_small(f"no confident point: {without}", canvas) if without else [])]
    legend_under(figure, canvas, entries, title="\n".join(lines))


def _point(axes: Axes, found: ConfidentSegment, at: int) -> Line2D:
    style: dict[str, Any] = {"marker": shape_of(at), "color": colour_of(at), "linestyle": "none"}
    whole: dict[str, Any] = {"clip_on": False, "zorder": 3}  # a mark on an edge is seen whole
    x, y = found.segment.aved_abs or 0.0, found.segment.cauc
    if found.bootstrap:
        axes.errorbar(
            x,
            y,
            xerr=_reach(found, "aved_abs", x),
            yerr=_reach(found, "cauc", y),
            **style,
            **whole,
            elinewidth=1.0,
            capsize=2,
        )
    else:
        axes.plot(x, y, **style, **whole)
    return Line2D([], [], **style)


def _reach(found: ConfidentSegment, name: str, value: float) -> list[list[float]] | None:
    """Return how far the interval reaches to either side; it may lie to one side of the value altogether."""
    interval = found.bootstrap.intervals[name] if found.bootstrap else None
    if interval is None:
        return None
    return [[max(value - interval.lower, 0.0)], [max(interval.upper - value, 0.0)]]


def _title(found: ConfidentSegment) -> str:
    if found.bootstrap:
        return f"{judged_by(found)}; bars: bootstrap at this n, {fmt.percent(found.level)}"
    return judged_by(found)
