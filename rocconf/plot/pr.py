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
from rocconf.plot.axes import add_title, unit_square
from rocconf.plot.colours import QUIET
from rocconf.plot.legend import place_legend
from rocconf.plot.marks import draw_marks
from rocconf.plot.model_curves import draw_curves
from rocconf.plot.thin import extremes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.sweep import Sweep
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Corner, Entry
    from rocconf.plot.marks import PointOf
    from rocconf.records import Counts, Floats

CORNERS: tuple[Corner, ...] = ("lower left", "upper right", "lower right", "center left", "center", "center right")
"""Where the legend may stand."""


def paint(figure: Figure, results: Sequence[Sweep], canvas: Canvas) -> None:
    """Paint one model or several."""
    counts, several = [sweep.counts for sweep in results], len(results) > 1
    lines = [pr_line(sweep) for sweep in results]
    axes = unit_square(figure, "Recall", "Precision")
    title = "Precision and recall" + ("" if several else f" of {fmt.name(counts[0].model)}")
    add_title(axes, canvas, title, fmt.cases(counts))
    averages = [fmt.share(sweep.average_precision) for sweep in results]
    if several:
        texts = [f"{name}  {average}" for name, average in zip(fmt.names(counts), averages, strict=True)]
    else:
        texts = [f"average precision {averages[0]}{_at_prevalence(results[0])}"]
    entries = draw_curves(axes, lines, texts)
    entries += draw_marks(axes, results, [pr_point_of(sweep) for sweep in results])
    entries += _draw_prevalences(axes, results)
    title = "Average precision" if several else ""
    taken = [*lines, *(np.array([[0.0, share], [1.0, share]]) for share in _prevalences(results))]
    place_legend(figure, axes, canvas, entries, taken, title=title, corners=CORNERS)


def pr_line(sweep: Sweep) -> Floats:
    """Return the corners of the steps, thinned, a column of recall and one of precision."""
    roc = curve(sweep.counts)
    tp, fp = roc.tp[1:], roc.fp[1:]
    recall, precision = tp / roc.p, _precision(sweep, tp, fp)
    rows = extremes(recall, precision)
    left, heights = np.concatenate([[0.0], recall[rows][:-1]]), precision[rows]
    return np.column_stack([np.column_stack([left, recall[rows]]).ravel(), np.repeat(heights, 2)])


def pr_point_of(sweep: Sweep) -> PointOf:
    """Return a function from true and false positives to their point on the chart, None if both are 0."""

    def point(tp: int, fp: int) -> tuple[float, float] | None:
        if tp + fp == 0:
            return None
        return tp / sweep.counts.p, float(_precision(sweep, np.array([tp]), np.array([fp]))[0])

    return point


def _precision(sweep: Sweep, tp: Counts, fp: Counts) -> Floats:
    """Return the precision as in the table: at the prevalence that was asked for, if one was."""
    return sweep.rates.values("precision", Confusion(tp, fp, sweep.counts.p, sweep.counts.q))


def _at_prevalence(sweep: Sweep) -> str:
    """Return the prevalence of an average precision that is at another one than the precisions."""
    if sweep.rates.prevalence is None:
        return ""
    return f" (at prevalence {fmt.compact(_own_prevalence(sweep))})"


def _draw_prevalences(axes: Axes, results: Sequence[Sweep]) -> list[Entry]:
    """Draw the precision of random guessing, which is the prevalence."""
    shares = _prevalences(results)
    style: dict[str, Any] = {"color": QUIET, "linewidth": 0.9, "linestyle": (0, (5, 4)), "zorder": 1.5}
    drawn = [axes.axhline(share, **style) for share in shares]
    return [(drawn[0], f"prevalence {', '.join(fmt.aligned(shares))}")]


def _prevalences(results: Sequence[Sweep]) -> list[float]:
    return sorted({sweep.rates.prevalence or _own_prevalence(sweep) for sweep in results})


def _own_prevalence(sweep: Sweep) -> float:
    return sweep.counts.p / sweep.counts.n
