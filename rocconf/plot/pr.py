"""Precision against recall, drawn as the steps whose area the average precision is.

The step of a threshold reaches from the recall before it to its own, at its own precision. One that only adds
false positives makes a step of no width: the line dips to it, so that every threshold lies on the line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.curve import curve
from rocconf.compute.stats.confusion import Confusion
from rocconf.plot import format as fmt
from rocconf.plot.axes import head, unit_square
from rocconf.plot.colours import QUIET, colour_of, line_of
from rocconf.plot.legend import place_legend
from rocconf.plot.marks import draw_marks, draw_marks_of_many
from rocconf.plot.thin import extremes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.sweep import Sweep
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.plot.marks import Place
    from rocconf.records import Counts, Floats


def paint(figure: Figure, results: Sequence[Sweep], canvas: Canvas) -> None:
    """Paint one model or several."""
    lines = [steps(sweep) for sweep in results]
    axes = unit_square(figure, "Recall", "Precision")
    several = len(results) > 1
    title = "Precision and recall" + ("" if several else f" of {fmt.name(results[0].counts.model)}")
    head(axes, canvas, title, fmt.cases([sweep.counts for sweep in results]))
    names = fmt.names([sweep.counts for sweep in results])
    entries = [
        _line(axes, sweep, line, model, name=name if several else None)
        for model, (sweep, name, line) in enumerate(zip(results, names, lines, strict=True))
    ]
    places = [place_in(sweep) for sweep in results]
    if several:
        colours = [colour_of(model) for model in range(len(results))]
        entries += draw_marks_of_many(axes, results, places, colours)
    else:
        entries += draw_marks(axes, results[0], places[0])
    entries += _prevalences(axes, results)
    title = "Average precision" if several else ""
    place_legend(
        figure,
        axes,
        canvas,
        entries,
        lines,
        title=title,
        corners=("lower left", "upper right", "lower right"),
    )


def steps(sweep: Sweep) -> Floats:
    """Return the corners of the steps, a column of recall and one of precision."""
    roc = curve(sweep.counts)
    tp, fp = roc.tp[1:], roc.fp[1:]
    recall, precision = tp / roc.p, _precision(sweep, tp, fp)
    rows = extremes(recall, precision)
    left, heights = np.concatenate([[0.0], recall[rows][:-1]]), precision[rows]
    return np.column_stack([np.column_stack([left, recall[rows]]).ravel(), np.repeat(heights, 2)])


def place_in(sweep: Sweep) -> Place:
    """Return where counts stand in the chart; without a predicted positive, nowhere."""

    def place(tp: int, fp: int) -> tuple[float, float] | None:
        if tp + fp == 0:
            return None
        return tp / sweep.counts.p, float(_precision(sweep, np.array([tp]), np.array([fp]))[0])

    return place


def _precision(sweep: Sweep, tp: Counts, fp: Counts) -> Floats:
    """Return the precision as the table has it: restated, where another prevalence was asked for."""
    return sweep.rates.values("precision", Confusion(tp, fp, sweep.counts.p, sweep.counts.q))


def _line(axes: Axes, sweep: Sweep, line: Floats, model: int, *, name: str | None) -> Entry:
    (drawn,) = axes.plot(*line.T, color=colour_of(model), linestyle=line_of(model), zorder=3)
    average = fmt.share(sweep.average_precision)
    if name is not None:
        return drawn, f"{name}  {average}"
    if sweep.rates.prevalence is not None:
        average += f" (at prevalence {fmt.number(_own_prevalence(sweep))})"
    return drawn, f"average precision {average}"


def _prevalences(axes: Axes, results: Sequence[Sweep]) -> list[Entry]:
    """Draw the precision of a model that guesses, which is the prevalence."""
    shares = sorted({sweep.rates.prevalence or _own_prevalence(sweep) for sweep in results})
    style: dict[str, Any] = {"color": QUIET, "linewidth": 0.9, "linestyle": (0, (5, 4)), "zorder": 1.5}
    drawn = [axes.axhline(share, **style) for share in shares]
    return [(drawn[0], f"prevalence {', '.join(fmt.alike(shares))}")]


def _own_prevalence(sweep: Sweep) -> float:
    return sweep.counts.p / sweep.counts.n
