"""The ROC curves of a comparison: confident segments bold [1]_ (Figure 5), or each curve within a band (Figure 4).

References
----------
.. [1] W. Elazmeh, N. Japkowicz, S. Matwin (2006), A framework for comparative evaluation of classifiers in the
   presence of class imbalance, ROCML at ICML.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from rocconf.compute.roc.curve import curve
from rocconf.plot import format as fmt
from rocconf.plot import segment
from rocconf.plot.axes import WIDTH_OF_LETTER, head, head_panels
from rocconf.plot.colours import colour_of, line_of
from rocconf.plot.legend import place_legend
from rocconf.plot.roc import drawn_rows, points, roc_axes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.compare import Band, ComparedModel, Comparison
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.records import Floats

TOGETHER = 2
"""Up to how many bands are told apart in one chart."""

ACROSS = 2
PANEL = 0.4
"""The width of one of two panels, as a share of the figure's width."""

NO_BAND = ", no band"

ROW = 0.5
"""The height of a row of panels, as a share of the figure's width."""


def paint(figure: Figure, results: Sequence[Comparison], canvas: Canvas) -> None:
    """Paint the models of a comparison."""
    comparison = results[0]
    if not comparison.bands:
        segment.paint(figure, [model.segment for model in comparison.models], canvas)
    elif len(comparison.models) <= TOGETHER:
        _together(figure, comparison, canvas)
    else:
        _apart(figure, comparison, canvas)


def _together(figure: Figure, comparison: Comparison, canvas: Canvas) -> None:
    """Draw all curves with their bands in one chart."""
    axes = roc_axes(figure)
    entries: list[Entry] = []
    lines: list[Floats] = []
    names = fmt.names([model.counts for model in comparison.models])
    for at, (model, band) in enumerate(zip(comparison.models, comparison.bands, strict=True)):
        line, more = _draw(axes, model, band, at)
        lines.append(line)
        entries += [(artist, f"{names[at]}  {said}") for artist, said in more]
    cases = fmt.cases([model.counts for model in comparison.models])
    head(axes, canvas, f"ROC curves, {_kind(comparison)}", cases)
    place_legend(figure, axes, canvas, entries, lines)


def _apart(figure: Figure, comparison: Comparison, canvas: Canvas) -> None:
    """Draw every curve with its band in a panel of its own."""
    down = ceil(len(comparison.models) / ACROSS)
    if canvas.height is None:
        figure.set_size_inches(canvas.width, canvas.width * (0.1 + ROW * down))
    letters = int(PANEL * canvas.width * 72 / (WIDTH_OF_LETTER * canvas.font_size)) - len(NO_BAND)
    names = fmt.names([model.counts for model in comparison.models], letters)
    legend: dict[str, Artist] = {}
    for at, (model, band) in enumerate(zip(comparison.models, comparison.bands, strict=True)):
        axes = roc_axes(figure, (down, ACROSS, at + 1))
        _, (_, *more) = _draw(axes, model, band, 0)
        legend |= {said: artist for artist, said in more}
        title = f"{names[at]}  {fmt.share(model.sweep.auc.value)}{'' if band else NO_BAND}"
        axes.set_title(title, loc="left", fontsize=canvas.font_size)
        if at % ACROSS:
            axes.set_ylabel("")
        if at + ACROSS < len(comparison.models):
            axes.set_xlabel("")
    cases = fmt.cases([model.counts for model in comparison.models])
    head_panels(figure, canvas, f"ROC curves, {_kind(comparison)}", cases)
    figure.legend(list(legend.values()), list(legend), loc="outside lower center", ncols=2, frameon=False)


def _draw(axes: Axes, model: ComparedModel, band: Band | None, at: int) -> tuple[Floats, list[Entry]]:
    """Draw a curve, its confident segment and its band; give the line and the entries of the legend."""
    roc, colour = curve(model.counts), colour_of(at)
    line = points(roc, drawn_rows(roc))
    (drawn,) = axes.plot(*line.T, color=colour, linestyle=line_of(at), zorder=3)
    entries: list[Entry] = [(drawn, f"AUC {fmt.share(model.sweep.auc.value)}")]
    if model.segment.confident:
        found = segment.stretch(model.segment, model.segment.confident)
        entries.append((segment.draw_segment(axes, found, colour), "confident points"))
    if band is not None:
        shade = axes.fill_between(band.fpr, band.lower, band.upper, color=colour, alpha=0.22, linewidth=0, zorder=2)
        entries.append((shade, f"{band.kind} band, {fmt.percent(band.level)}"))
    return line, entries


def _kind(comparison: Comparison) -> str:
    return f"{comparison.asked.band} bands, {fmt.percent(comparison.asked.level)}"
