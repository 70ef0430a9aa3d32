"""The ROC curves of a comparison: confident segments bold [1]_ (Figure 5), or each curve within a band (Figure 4).

References
----------
.. [1] W. Elazmeh, N. Japkowicz, S. Matwin (2006), A framework for comparative evaluation of classifiers in the
   presence of class imbalance, ROCML at ICML.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.plot import format as fmt
from rocconf.plot.axes import SMALL_SIZE, add_figure_title, add_title_over, letters_over_panel
from rocconf.plot.colours import SOFT, colour_of
from rocconf.plot.confident import CONFIDENT, confident_entry, draw_segment, legend_title, run_line
from rocconf.plot.legend import place_legend
from rocconf.plot.model_curves import draw_curve, draw_curves
from rocconf.plot.roc import auc_texts
from rocconf.plot.roc_space import roc_axes, roc_line
from rocconf.plot.zoom import charts, close_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.compare import Band, ComparedModel, Comparison
    from rocconf.plot.canvas import Canvas

MOST_TOGETHER = 2
"""The number of bands up to which they are distinct in one chart."""

PANELS_ACROSS = 2
ROW_HEIGHT = 0.54
"""The height of a row of panels, as a share of the figure's width."""

NO_BAND = ", no band"


def paint(figure: Figure, results: Sequence[Comparison], canvas: Canvas) -> None:
    """Paint the models of a comparison."""
    comparison = results[0]
    if comparison.bands and len(comparison.models) > MOST_TOGETHER:
        _paint_apart(figure, comparison, canvas)
    else:
        _paint_together(figure, comparison, canvas)


def _paint_together(figure: Figure, comparison: Comparison, canvas: Canvas) -> None:
    """Draw all curves in one chart, with their bands if there are any, or else with small segments enlarged."""
    models = comparison.models
    lines = [roc_line(model.counts) for model in models]
    segments = [run_line(model.segment, model.segment.confident) for model in models if model.segment.confident]
    bands = comparison.bands or (None,) * len(models)
    edges = [np.column_stack([band.fpr, edge]) for band in bands if band for edge in (band.lower, band.upper)]
    close = None if comparison.bands else close_up(segments)  # bands are wide
    drawn = charts(figure, canvas, close, lines)
    names = fmt.names([model.counts for model in models])
    title, areas = auc_texts([model.sweep for model in models])
    for axes in drawn.all:
        entries = draw_curves(axes, lines, areas)
        for at, (model, band) in enumerate(zip(models, bands, strict=True)):
            if band is not None:
                entries.append((_draw_band(axes, band, colour_of(at)), f"{names[at]}  {_band_text(band)}"))
            _draw_confident(axes, model, colour_of(at))
    entries += confident_entry([model.segment for model in models])
    add_title_over(figure, drawn.panels, canvas, _title(comparison), fmt.cases([model.counts for model in models]))
    taken = [*lines, *edges, *drawn.taken]
    place_legend(figure, drawn.panels[0], canvas, entries, taken, title=_legend_title(title, comparison))


def _paint_apart(figure: Figure, comparison: Comparison, canvas: Canvas) -> None:
    """Draw every curve with its band in a separate panel."""
    down = ceil(len(comparison.models) / PANELS_ACROSS)
    if canvas.height is None:
        figure.set_size_inches(canvas.width, canvas.width * (0.1 + ROW_HEIGHT * down))
    names = fmt.names([model.counts for model in comparison.models], letters_over_panel(canvas) - len(NO_BAND))
    legend: dict[str, Artist] = {}
    small = SMALL_SIZE * canvas.font_size
    for at, (model, band) in enumerate(zip(comparison.models, comparison.bands, strict=True)):
        axes = roc_axes(figure, (down, PANELS_ACROSS, at + 1))
        draw_curve(axes, roc_line(model.counts))
        if band is not None:
            legend[_band_text(band)] = _draw_band(axes, band, colour_of(0))
        if confident := _draw_confident(axes, model, colour_of(0)):
            legend[CONFIDENT] = confident
        area = f"AUC {fmt.auc_with_interval(model.sweep.auc)}"
        axes.set_title(f"{names[at]}{'' if band else NO_BAND}\n", loc="left", fontsize=canvas.font_size)
        over: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
        axes.annotate(area, (0, 1), (0, 0.5 * canvas.font_size), **over, fontsize=small, color=SOFT)
        if at % PANELS_ACROSS:
            axes.set_ylabel("")
        if at + PANELS_ACROSS < len(comparison.models):
            axes.set_xlabel("")
    cases = fmt.cases([model.counts for model in comparison.models])
    add_figure_title(figure, canvas, _title(comparison), cases)
    methods = dict.fromkeys(fmt.auc_method(model.sweep.auc) for model in comparison.models)
    figure.legend(
        list(legend.values()),
        list(legend),
        title=_legend_title(f"AUC ({'; '.join(methods)})", comparison),
        alignment="left",
        loc="outside lower center",
        ncols=2,
        frameon=False,
    )


def _draw_band(axes: Axes, band: Band, colour: str) -> Artist:
    return axes.fill_between(band.fpr, band.lower, band.upper, color=colour, alpha=0.22, linewidth=0, zorder=2)


def _draw_confident(axes: Axes, model: ComparedModel, colour: str) -> Artist | None:
    """Draw the confident segment if there is one."""
    if not model.segment.confident:
        return None
    return draw_segment(axes, run_line(model.segment, model.segment.confident), colour)


def _band_text(band: Band) -> str:
    return f"{band.kind} band, {fmt.percent(band.level)}"


def _legend_title(title: str, comparison: Comparison) -> str:
    """Return the kind and the level of the areas' intervals, and of the test that decides on confident points."""
    segments = [model.segment for model in comparison.models]
    if not any(segment.confident for segment in segments):
        return title
    return f"{title}; confident points: {legend_title(segments[0])}"


def _title(comparison: Comparison) -> str:
    bands = f"; {comparison.asked.band} bands" if comparison.asked.band else ""
    return f"Which model ranks better? ROC curves{bands}"
