"""The ROC curve: one model in the colours of its thresholds [1]_ (Figure 4a), or several in one chart.

References
----------
.. [1] L. Hamel (2009), Model assessment with ROC curves, in Encyclopedia of Data Warehousing and Mining,
   1316-1323.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from rocconf.compute.roc.curve import Curve, curve
from rocconf.compute.roc.hull import hull_rows
from rocconf.plot import format as fmt
from rocconf.plot.axes import diagonal, head, unit_square
from rocconf.plot.colours import INK, LIGHTEST, QUIET, THRESHOLDS, colour_of, line_of
from rocconf.plot.legend import place_legend
from rocconf.plot.marks import draw_marks, draw_marks_of_many, look_like_probabilities
from rocconf.plot.scale import Scale, scale_of
from rocconf.plot.thin import evenly_along

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

    from rocconf.compute.sweep import Sweep
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.plot.marks import Place
    from rocconf.plot.thin import Picked
    from rocconf.records import Floats

SHADES = 128
WIDTH = 1.4
"""How much wider a line is that shows colours, as a multiple of others."""


def paint(figure: Figure, results: Sequence[Sweep], canvas: Canvas, *, hull: bool = False) -> None:
    """Paint one model in the colours of its thresholds, or several in a colour each."""
    curves = [curve(result.counts) for result in results]
    lines = [points(roc, drawn_rows(roc)) for roc in curves]
    axes = roc_axes(figure)
    if len(results) == 1:
        name, colours = fmt.name(results[0].counts.model), [INK]
        head(axes, canvas, f"ROC curve of {name}", fmt.cases([results[0].counts]))
        said, entries = _single(axes, results[0], curves[0])
    else:
        colours = [colour_of(model) for model in range(len(results))]
        head(axes, canvas, "ROC curves", fmt.cases([result.counts for result in results]))
        said, entries = _several(axes, results, curves, lines)
    if hull:
        entries += _hulls(axes, curves, colours)
    place_legend(figure, axes, canvas, entries, lines, title=said)


def roc_axes(figure: Figure, at: tuple[int, int, int] = (1, 1, 1)) -> Axes:
    """Add the unit square of ROC space, with the line of a model that guesses."""
    axes = unit_square(figure, "False positive rate", "True positive rate", at)
    diagonal(axes, (0, 0), (1, 1))
    return axes


def drawn_rows(roc: Curve) -> Picked:
    """Return the rows that draw the curve."""
    return evenly_along(len(roc), lambda rows: roc.tp[rows] / roc.p + roc.fp[rows] / roc.q)


def points(roc: Curve, rows: Picked) -> Floats:
    """Return where rows stand in the chart, a column of x and one of y."""
    return np.column_stack([roc.fp[rows] / roc.q, roc.tp[rows] / roc.p])


def place_in(roc: Curve) -> Place:
    """Return where counts stand in the chart."""
    return lambda tp, fp: (fp / roc.q, tp / roc.p)


def _single(axes: Axes, sweep: Sweep, roc: Curve) -> tuple[str, list[Entry]]:
    """Draw a model in the colours of its thresholds; give the legend's title and entries."""
    rows = drawn_rows(roc)
    line = points(roc, rows)
    scale = scale_of(
        roc.thresholds[rows[1:]],
        np.abs(np.diff(line, axis=0)).sum(axis=1),
        probabilities=look_like_probabilities(sweep.counts),
    )
    _shaded(axes, line, scale)
    _bar(axes, scale)
    said = f"AUC {fmt.auc(sweep.auc)}\n{fmt.auc_interval(sweep.auc)}"
    return said, draw_marks(axes, sweep, place_in(roc))


def _shaded(axes: Axes, line: Floats, scale: Scale) -> None:
    """Draw the curve in its shades; neighbours of one shade are one line."""
    shades = np.rint(scale.shades * (SHADES - 1)).astype(int)
    starts = np.flatnonzero(np.diff(shades, prepend=-1))
    stops = np.append(starts[1:], len(shades))
    pieces = [line[start : stop + 1] for start, stop in zip(starts, stops, strict=True)]
    colours = _colours()(shades[starts] / (SHADES - 1) * LIGHTEST)
    width = WIDTH * mpl.rcParams["lines.linewidth"]
    axes.add_collection(LineCollection(pieces, colors=colours, linewidths=width, capstyle="round", zorder=3))


def _bar(axes: Axes, scale: Scale) -> None:
    """Draw the colours beside the chart, with the thresholds they mean."""
    bar = axes.inset_axes((1.03, 0, 0.04, 1))
    shades = np.linspace(0, LIGHTEST, 256)[:, None]
    bar.imshow(_colours()(shades), extent=(0, 1, 0, 1), aspect="auto", origin="lower")
    bar.grid(visible=False)
    bar.set(xticks=[], ylabel=scale.name, ylim=(0, 1))
    bar.yaxis.tick_right()
    bar.yaxis.set_label_position("right")
    bar.set_yticks(scale.ticks, labels=scale.labels)


def _several(
    axes: Axes, sweeps: Sequence[Sweep], curves: Sequence[Curve], lines: Sequence[Floats]
) -> tuple[str, list[Entry]]:
    """Draw each model in its colour; give the legend's title and entries."""
    intervals = {fmt.auc_interval(sweep.auc) for sweep in sweeps}
    entries: list[Entry] = []
    names = fmt.names([sweep.counts for sweep in sweeps])
    for model, (sweep, name, line) in enumerate(zip(sweeps, names, lines, strict=True)):
        said = f"{name}  {fmt.auc(sweep.auc)}"
        if len(intervals) > 1:
            said += f" {fmt.auc_interval(sweep.auc)}"
        (drawn,) = axes.plot(*line.T, color=colour_of(model), linestyle=line_of(model), zorder=3)
        entries.append((drawn, said))
    colours = [colour_of(model) for model in range(len(sweeps))]
    entries += draw_marks_of_many(axes, sweeps, [place_in(roc) for roc in curves], colours)
    return "AUC" if len(intervals) > 1 else f"AUC ({intervals.pop()})", entries


def _hulls(axes: Axes, curves: Sequence[Curve], colours: Sequence[str]) -> list[Entry]:
    """Draw the convex hulls: what mixing the thresholds of a model at random can reach.

    Of several models each hull has its model's colour, and the legend none of them.
    """
    style: dict[str, Any] = {"linewidth": 1.0, "linestyle": (0, (4, 2)), "zorder": 2.5}
    for roc, colour in zip(curves, colours, strict=True):
        axes.plot(*points(roc, hull_rows(roc)).T, color=colour, **style)
    return [(Line2D([], [], color=colours[0] if len(colours) == 1 else QUIET, **style), "convex hull")]


def _colours() -> Colormap:
    return mpl.colormaps[THRESHOLDS]
