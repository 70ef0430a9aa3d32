"""The ROC curves of a comparison: confident segments bold [1]_ (Figure 5), or each curve within a band (Figure 4).

References
----------
.. [1] W. Elazmeh, N. Japkowicz, S. Matwin (2006), A framework for comparative evaluation of classifiers in the
   presence of class imbalance, ROCML at ICML.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from rocconf.plot import format as fmt
from rocconf.plot import segment
from rocconf.plot.axes import add_figure_title, add_title, letters_over_panel
from rocconf.plot.colours import colour_of
from rocconf.plot.confident import draw_segment, run_line
from rocconf.plot.legend import place_legend
from rocconf.plot.model_curves import draw_curve
from rocconf.plot.roc_space import roc_axes, roc_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.compare import Band, ComparedModel, Comparison
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.records import Floats

MOST_TOGETHER = 2
"""The number of bands up to which they are distinct in one chart."""

PANELS_ACROSS = 2
ROW_HEIGHT = 0.5
"""The height of a row of panels, as a share of the figure's width."""

NO_BAND = ", no band"


def paint(figure: Figure, results: Sequence[Comparison], canvas: Canvas) -> None:
    """Paint the models of a comparison."""
    comparison = results[0]
    if not comparison.bands:
        segment.paint(figure, [model.segment for model in comparison.models], canvas)
    elif len(comparison.models) <= MOST_TOGETHER:
        _paint_together(figure, comparison, canvas)
    else:
        _paint_apart(figure, comparison, canvas)


def _paint_together(figure: Figure, comparison: Comparison, canvas: Canvas) -> None:
    """Draw all curves with their bands in one chart."""
    axes = roc_axes(figure)
    entries: list[Entry] = []
    lines: list[Floats] = []
    names = fmt.names([model.counts for model in comparison.models])
    for at, (model, band) in enumerate(zip(comparison.models, comparison.bands, strict=True)):
        line, own_entries = _draw_model(axes, model, band, at)
        lines.append(line)
        entries += [(artist, f"{names[at]}  {text}") for artist, text in own_entries]
    cases = fmt.cases([model.counts for model in comparison.models])
    add_title(axes, canvas, _title(comparison), cases)
    place_legend(figure, axes, canvas, entries, lines)


def _paint_apart(figure: Figure, comparison: Comparison, canvas: Canvas) -> None:
    """Draw every curve with its band in a separate panel."""
    down = ceil(len(comparison.models) / PANELS_ACROSS)
    if canvas.height is None:
        figure.set_size_inches(canvas.width, canvas.width * (0.1 + ROW_HEIGHT * down))
    names = fmt.names([model.counts for model in comparison.models], letters_over_panel(canvas) - len(NO_BAND))
    legend: dict[str, Artist] = {}
    for at, (model, band) in enumerate(zip(comparison.models, comparison.bands, strict=True)):
        axes = roc_axes(figure, (down, PANELS_ACROSS, at + 1))
        _, (_, *entries) = _draw_model(axes, model, band, 0)
        legend |= {text: artist for artist, text in entries}
        title = f"{names[at]}  {fmt.share(model.sweep.auc.value)}{'' if band else NO_BAND}"
        axes.set_title(title, loc="left", fontsize=canvas.font_size)
        if at % PANELS_ACROSS:
            axes.set_ylabel("")
        if at + PANELS_ACROSS < len(comparison.models):
            axes.set_xlabel("")
    cases = fmt.cases([model.counts for model in comparison.models])
    add_figure_title(figure, canvas, _title(comparison), cases)
    figure.legend(list(legend.values()), list(legend), loc="outside lower center", ncols=2, frameon=False)


def _draw_model(axes: Axes, model: ComparedModel, band: Band | None, at: int) -> tuple[Floats, list[Entry]]:
    """Draw a curve, its confident segment and its band; return the line and the entries of the legend."""
    line, colour = roc_line(model.counts), colour_of(at)
    entries: list[Entry] = [(draw_curve(axes, line, at), f"AUC {fmt.share(model.sweep.auc.value)}")]
    if model.segment.confident:
        confident = run_line(model.segment, model.segment.confident)
        entries.append((draw_segment(axes, confident, colour), "confident points"))
    if band is not None:
        shade = axes.fill_between(band.fpr, band.lower, band.upper, color=colour, alpha=0.22, linewidth=0, zorder=2)
        entries.append((shade, f"{band.kind} band, {fmt.percent(band.level)}"))
    return line, entries


def _title(comparison: Comparison) -> str:
    return f"ROC curves, {comparison.asked.band} bands, {fmt.percent(comparison.asked.level)}"
