"""The confident region of ROC space, with the curves that pass through it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.curve import curve
from rocconf.compute.tango import confident_region
from rocconf.errors import UsageError
from rocconf.plot import format as fmt
from rocconf.plot.colours import INK, MODELS, colour_of, line_of
from rocconf.plot.legend import place_legend
from rocconf.plot.roc import drawn_rows, points
from rocconf.plot.segment import confident_entry, draw_segment, head_of, stretch
from rocconf.plot.zoom import close_up, panels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.tango import ConfidentSegment, Region
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.records import Floats

REGION = MODELS[5]


def paint(figure: Figure, results: Sequence[ConfidentSegment], canvas: Canvas) -> None:
    """Paint the region of these numbers of positives and negatives, and one model or several; a narrow one closer."""
    sizes = {(result.counts.p, result.counts.q) for result in results}
    if len(sizes) > 1:
        raise UsageError("models of different numbers of cases have no confident region in common: draw one at a time")
    first = results[0]
    region = confident_region(first.counts.p, first.counts.q, first.test, level=first.level)
    edges = [np.column_stack([region.fpr, edge]) for edge in (region.lower, region.upper)]
    lines = [points(roc, drawn_rows(roc)) for roc in (curve(result.counts) for result in results)]
    axes = panels(figure, canvas, close_up(edges))
    entries, *_ = [_shaded(each, first, region) + _curves(each, results, lines) for each in axes]
    title = "Confident region"
    if len(results) == 1:
        title += f" and {fmt.name(first.counts.model)}"
    said = head_of(figure, axes, canvas, title, results)
    place_legend(figure, axes[0], canvas, entries, [*lines, *edges], title=said)


def _shaded(axes: Axes, result: ConfidentSegment, region: Region) -> list[Entry]:
    """Shade the region, and draw the line on which both kinds of error are as many."""
    p, q = result.counts.p, result.counts.q
    area = axes.fill_between(region.fpr, region.lower, region.upper, color=REGION, alpha=0.4, linewidth=0, zorder=1.8)
    (even,) = axes.plot([0, min(p / q, 1)], [1, max(1 - q / p, 0)], color=REGION, linestyle="--", zorder=1.9)
    return [(area, "confident region"), (even, "as many missed as false alarms")]


def _curves(axes: Axes, results: Sequence[ConfidentSegment], lines: Sequence[Floats]) -> list[Entry]:
    """Draw the curves, bold where they are confident."""
    entries: list[Entry] = []
    names = fmt.names([result.counts for result in results])
    for model, (result, name, line) in enumerate(zip(results, names, lines, strict=True)):
        colour = colour_of(model) if len(results) > 1 else INK
        (drawn,) = axes.plot(*line.T, color=colour, linestyle=line_of(model), zorder=3)
        entries.append((drawn, name))
        if result.confident:
            draw_segment(axes, stretch(result, result.confident), colour)
    return entries + confident_entry(results)
