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

from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.hull import hull_rows
from rocconf.plot import format as fmt
from rocconf.plot.axes import add_title
from rocconf.plot.colours import GRID_GREY, INK, LIGHTEST, QUIET, SOFT, THRESHOLD_COLOURS, colour_of
from rocconf.plot.labelled_lines import dense
from rocconf.plot.legend import place_legend
from rocconf.plot.marks import draw_marks, look_like_probabilities
from rocconf.plot.model_curves import draw_curves
from rocconf.plot.roc_space import roc_axes, roc_line, roc_point_of, roc_points, thinned_rows
from rocconf.plot.scale import scale_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

    from rocconf.compute.sweep import Sweep
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.plot.scale import Scale
    from rocconf.records import Floats, ScoreCounts

REGIONS = {
    "conservative": ((0.2, 0.45), (0.17, 0.6), (0.2, 0.3), (0.12, 0.75)),
    "liberal": ((0.6, 0.8), (0.45, 0.9), (0.75, 0.9), (0.35, 0.8)),
    "worse than random": ((0.68, 0.4), (0.6, 0.3), (0.75, 0.55), (0.5, 0.2)),
}
"""The regions of the chart, and where their names can stand."""
FAR_ENOUGH = 0.08
"""The distance of a name from the curves that is enough."""

SHADES = 128
SHADED_WIDTH = 1.4
"""The width of a line that shows colours, as a multiple of others."""


def paint(
    figure: Figure, results: Sequence[Sweep], canvas: Canvas, *, hull: bool = False, regions: bool = False
) -> None:
    """Paint one model in the colours of its thresholds, or several in a colour each."""
    counts = [result.counts for result in results]
    lines = [roc_line(each) for each in counts]
    axes = roc_axes(figure)
    if len(results) == 1:
        add_title(axes, canvas, f"ROC curve of {fmt.name(counts[0].model)}", fmt.cases(counts))
        legend_title, entries = _single(axes, results[0], lines[0]), []
    else:
        add_title(axes, canvas, "ROC curves", fmt.cases(counts))
        legend_title, texts = auc_texts(results)
        entries = draw_curves(axes, lines, texts)
    entries += draw_marks(axes, results, [roc_point_of(each) for each in counts])
    if hull:
        entries += _hulls(axes, counts)
    if regions:
        _draw_regions(axes, lines)
    place_legend(figure, axes, canvas, entries, lines, title=legend_title)


def _single(axes: Axes, sweep: Sweep, line: Floats) -> str:
    """Draw a model in the colours of its thresholds; return the legend's title."""
    roc = curve(sweep.counts)
    scale = scale_of(
        roc.thresholds[thinned_rows(roc)[1:]],
        np.abs(np.diff(line, axis=0)).sum(axis=1),
        probabilities=look_like_probabilities(sweep.counts),
    )
    _draw_shaded(axes, line, scale)
    _draw_bar(axes, scale)
    return f"AUC {fmt.auc_with_interval(sweep.auc)}\n{fmt.auc_method(sweep.auc)}"


def _draw_shaded(axes: Axes, line: Floats, scale: Scale) -> None:
    """Draw the curve in its shades; neighbours of one shade are one line."""
    shades = np.rint(scale.shades * (SHADES - 1)).astype(int)
    starts = np.flatnonzero(np.diff(shades, prepend=-1))
    stops = np.append(starts[1:], len(shades))
    pieces = [line[start : stop + 1] for start, stop in zip(starts, stops, strict=True)]
    colours = _colour_map()(shades[starts] / (SHADES - 1) * LIGHTEST)
    width = SHADED_WIDTH * mpl.rcParams["lines.linewidth"]
    axes.add_collection(LineCollection(pieces, colors=colours, linewidths=width, capstyle="round", zorder=3))


def _draw_bar(axes: Axes, scale: Scale) -> None:
    """Draw the colours beside the chart, with the thresholds they mean."""
    bar = axes.inset_axes((1.03, 0, 0.04, 1))
    shades = np.linspace(0, LIGHTEST, 256)[:, None]
    bar.imshow(_colour_map()(shades), extent=(0, 1, 0, 1), aspect="auto", origin="lower")
    bar.grid(visible=False)
    bar.set(xticks=[], ylabel=scale.name, ylim=(0, 1))
    bar.yaxis.tick_right()
    bar.yaxis.set_label_position("right")
    bar.set_yticks(scale.ticks, labels=scale.labels)


def auc_texts(sweeps: Sequence[Sweep]) -> tuple[str, list[str]]:
    """Return the legend's title, and the name and area of each model."""
    methods = [fmt.auc_method(sweep.auc) for sweep in sweeps]
    names = fmt.names([sweep.counts for sweep in sweeps])
    areas = [f"{name}  {fmt.auc_with_interval(sweep.auc)}" for name, sweep in zip(names, sweeps, strict=True)]
    if len(set(methods)) == 1:
        return f"AUC ({methods[0]})", areas
    return "AUC", [f"{area} {method}" for area, method in zip(areas, methods, strict=True)]


def _draw_regions(axes: Axes, lines: Sequence[Floats]) -> None:
    """Name the regions of the chart as in Figure 3a of [1]_: conservative, liberal, and worse than random.

    The line between the first two is where both kinds of errors have equal rates. A name stands where no curve is near.
    """
    axes.fill_between((0, 1), 0, (0, 1), color=GRID_GREY, alpha=0.5, linewidth=0, zorder=0.4)
    axes.plot((0, 0.5), (1, 0.5), color=QUIET, linewidth=0.8, linestyle=(0, (1, 3)), zorder=1)
    taken = np.concatenate([dense(line) for line in lines])
    for text, places in REGIONS.items():
        place = max(places, key=lambda at: min(FAR_ENOUGH, float(np.hypot(*(taken - at).T).min())))
        axes.text(*place, text, color=SOFT, style="italic", ha="center", va="center", zorder=1.5)


def _hulls(axes: Axes, counts: Sequence[ScoreCounts]) -> list[Entry]:
    """Draw the convex hulls: what mixing the thresholds of a model at random can reach.

    Of several models each hull has its model's colour, and the legend none of them.
    """
    style: dict[str, Any] = {"linewidth": 1.0, "linestyle": (0, (4, 2)), "zorder": 2.5}
    single = len(counts) == 1
    for model, roc in enumerate(map(curve, counts)):
        axes.plot(*roc_points(roc, hull_rows(roc)).T, color=INK if single else colour_of(model), **style)
    return [(Line2D([], [], color=INK if single else QUIET, **style), "convex hull")]


def _colour_map() -> Colormap:
    return mpl.colormaps[THRESHOLD_COLOURS]
