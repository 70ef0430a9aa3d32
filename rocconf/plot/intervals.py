"""The error difference and its interval against the threshold, a panel for each model.

It is drawn like Figures 1, 7 and 8 of [1]_: all points, or the confident ones only, whose intervals contain 0. Few
points have a bar each; many have a band, in steps, since a threshold between two scores decides as the next score does.

References
----------
.. [1] W. Elazmeh, N. Japkowicz, S. Matwin (2006), A framework for comparative evaluation of classifiers in the
   presence of class imbalance, ROCML at ICML.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.lines import Line2D

from rocconf.plot import format as fmt
from rocconf.plot.axes import SQUARE_MARGIN, add_title_over, letters_over_panel
from rocconf.plot.colours import MODEL_COLOURS, QUIET, SOFT
from rocconf.plot.confident import legend_title
from rocconf.plot.marks import look_like_probabilities
from rocconf.plot.thin import evenly_along

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.tango import ConfidentSegment
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.thin import Picked
    from rocconf.records import Floats

CONFIDENT, OTHER, MARGIN = MODEL_COLOURS[0], QUIET, MODEL_COLOURS[1]
MOST_BARS = 150
"""The number of points up to which each has a bar."""

PANEL_HEIGHT = 0.62
"""The height of a panel, as a share of its width."""

LINE_IN_BAND = 0.6
"""The width of the line in a band, as a share of others."""

FARTHEST = 1e150
"""The largest absolute threshold that matplotlib can place on an axis."""

DIFFERENCE = f"(missed {fmt.MINUS} false alarms) / n"


@dataclass(frozen=True, slots=True, eq=False)
class ErrorDifferences:
    """Some thresholds, ascending, with the difference and its limits (NaN where the test has none)."""

    thresholds: Floats
    diff: Floats
    lower: Floats
    upper: Floats


def paint(figure: Figure, results: Sequence[ConfidentSegment], canvas: Canvas, *, only_confident: bool = False) -> None:
    """Paint one model or several, all points or the confident ones only."""
    panels = _panels(figure, results, canvas)
    heading = "Error difference" + (" of confident points" if only_confident else "")
    if len(results) == 1:
        heading += f", {fmt.name(results[0].counts.model)}"
    add_title_over(figure, panels, canvas, heading, fmt.cases([result.counts for result in results]))
    legend: dict[str, Artist] = {}
    for axes, result in zip(panels, results, strict=True):
        legend |= _draw_panel(axes, result, only_confident=only_confident)
    title = legend_title(results[0]) + (" (it has no interval)" if results[0].test.no_interval else "")
    figure.legend(list(legend.values()), list(legend), title=title, loc="outside lower center", ncols=3, frameon=False)


def _panels(figure: Figure, results: Sequence[ConfidentSegment], canvas: Canvas) -> list[Axes]:
    """Add a panel for each model; models whose scores are probabilities share their axis."""
    across = 1 if len(results) == 1 else 2
    down = ceil(len(results) / across)
    if canvas.height is None:
        figure.set_size_inches(canvas.width, canvas.width * (0.25 + down * PANEL_HEIGHT / across))
    probabilities = all(look_like_probabilities(result.counts) for result in results)
    grid = figure.subplots(down, across, sharex=probabilities, sharey=True, squeeze=False)
    panels: list[Axes] = list(grid.ravel()[: len(results)])
    for axes in grid.ravel()[len(results) :]:
        axes.remove()
    names = fmt.names([result.counts for result in results], letters_over_panel(canvas))
    for at, (axes, name) in enumerate(zip(panels, names, strict=True)):
        axes.axhline(0, color=SOFT, linewidth=0.8, zorder=2)
        if probabilities:
            axes.set_xlim(-SQUARE_MARGIN, 1 + SQUARE_MARGIN)
        if at + across >= len(results):
            axes.tick_params(labelbottom=True)
        if len(results) > 1:
            axes.set_title(name, loc="left", fontsize=canvas.font_size)
    for axes in panels[across * (down - 1) :]:
        axes.set_xlabel("threshold")
    if len(results) == 1:
        panels[0].set_ylabel(DIFFERENCE)
    else:
        figure.supylabel(DIFFERENCE, fontsize=canvas.font_size)
    return panels


def _draw_panel(axes: Axes, result: ConfidentSegment, *, only_confident: bool) -> dict[str, Artist]:
    """Draw one model; return the artists of the legend by their labels."""
    every = result.confident if only_confident else range(len(result.curve))
    bars = len(every) <= MOST_BARS
    legend: dict[str, Artist] = {}
    if not only_confident:
        legend |= _draw_run(axes, result, every, OTHER, "not confident", bars=bars)
    legend |= _draw_run(axes, result, result.confident, CONFIDENT, "confident", bars=bars)
    if not result.confident:
        axes.text(0.5, 0.75, "no confident point", transform=axes.transAxes, ha="center", va="center", color=SOFT)
    far_out = len(range(max(every.start, 1), every.stop)) - len(_drawable(result, every))
    if far_out:
        small = mpl.rcParams["legend.fontsize"]
        axes.set_title(f"{far_out:,} too far out to draw", loc="right", fontsize=small, color=SOFT)
    if result.margin is not None:
        for margin in (-result.margin, result.margin):
            line = axes.axhline(margin, color=MARGIN, linestyle=":", zorder=2)
        legend[f"margin ±{result.margin:g}"] = line
    return legend


def _draw_run(
    axes: Axes, result: ConfidentSegment, run: range, colour: str, label: str, *, bars: bool
) -> dict[str, Artist]:
    """Draw a run of rows: a bar each, or a band."""
    drawn = error_differences(result, run)
    if not len(drawn.thresholds):
        return {}
    style: dict[str, Any] = {"color": colour, "zorder": 4 if colour == CONFIDENT else 3}
    if bars:
        dot: dict[str, Any] = {"marker": "o", "markersize": 0.4 * mpl.rcParams["lines.markersize"]}
        # lists: matplotlib 3.10 takes an array of a single bar for a number
        both = [(drawn.diff - drawn.lower).tolist(), (drawn.upper - drawn.diff).tolist()]
        axes.errorbar(drawn.thresholds, drawn.diff, both, linestyle="none", elinewidth=0.9, capsize=2, **dot, **style)
        return {label: Line2D([], [], linewidth=0.9, color=colour, **dot)}
    step: Any = "post" if result.counts.lower_is_positive else "pre"
    axes.fill_between(drawn.thresholds, drawn.lower, drawn.upper, step=step, alpha=0.35, linewidth=0, **style)
    axes.step(
        drawn.thresholds, drawn.diff, where=step, linewidth=LINE_IN_BAND * mpl.rcParams["lines.linewidth"], **style
    )
    return {label: Line2D([], [], color=colour)}


def error_differences(result: ConfidentSegment, run: range) -> ErrorDifferences:
    """Return the differences at a run of rows, thinned, the lowest threshold first."""
    roc, rows = result.curve, _drawable(result, run)
    if len(rows):
        rows = rows[evenly_along(len(rows), _travelled(result, rows))]
    rows = rows if result.counts.lower_is_positive else rows[::-1]
    m = roc.confusion(rows)
    limits = result.test.limits(m, result.level)
    return ErrorDifferences(roc.thresholds[rows], (m.fn - m.fp) / m.n, limits.lower, limits.upper)


def _drawable(result: ConfidentSegment, run: range) -> Picked:
    """Return the rows that have a place on the axis: the nothing-positive row has none."""
    rows = np.arange(max(run.start, 1), run.stop)
    return rows[np.abs(result.curve.thresholds[rows]) <= FARTHEST]


def _travelled(result: ConfidentSegment, rows: Picked) -> Callable[[Picked], Floats]:
    """Return the length of the drawn line up to some rows, across plus down, each as a share of the whole."""
    roc = result.curve
    first, last = rows[0], rows[-1]
    wide = abs(float(roc.thresholds[last] - roc.thresholds[first])) or 1.0
    deep = float(roc.tp[last] + roc.fp[last] - roc.tp[first] - roc.fp[first]) or 1.0

    def travelled(at: Picked) -> Floats:
        across = np.abs(roc.thresholds[rows[at]] - roc.thresholds[first]) / wide
        down = (roc.tp[rows[at]] + roc.fp[rows[at]] - roc.tp[first] - roc.fp[first]) / deep
        return np.asarray(across + down)

    return travelled
