"""The confident region of ROC space, with the curves that pass through it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.tango import confident_region
from rocconf.errors import UsageError
from rocconf.plot import format as fmt
from rocconf.plot.axes import add_title_over
from rocconf.plot.colours import INK, MODEL_COLOURS, colour_of
from rocconf.plot.confident import confident_entry, draw_segment, legend_title, run_line
from rocconf.plot.legend import place_legend
from rocconf.plot.model_curves import draw_curve
from rocconf.plot.roc_space import roc_line
from rocconf.plot.zoom import charts, close_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.tango import ConfidentSegment, Region
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.records import Floats

REGION = MODEL_COLOURS[5]


def paint(figure: Figure, results: Sequence[ConfidentSegment], canvas: Canvas) -> None:
    """Paint the region of these numbers of positives and negatives, and one model or several; a narrow one closer."""
    counts, first = [result.counts for result in results], results[0]
    if len({(each.p, each.q) for each in counts}) > 1:
        raise UsageError("regions-differ")
    region = confident_region(first.counts.p, first.counts.q, first.test, level=first.level)
    edges = [np.column_stack([region.fpr, edge]) for edge in (region.lower, region.upper)]
    lines = [roc_line(each) for each in counts]
    drawn = charts(figure, canvas, close_up(edges), [*lines, *edges])
    entries, *_ = [_shade_region(each, first, region) + _draw_curves(each, results, lines) for each in drawn.all]
    title = "Confident region" + (f" and {fmt.name(first.counts.model)}" if len(results) == 1 else "")
    add_title_over(figure, drawn.panels, canvas, title, fmt.cases(counts))
    taken = [*lines, *edges, *drawn.taken]
    place_legend(figure, drawn.panels[0], canvas, entries, taken, title=legend_title(first))


def _shade_region(axes: Axes, result: ConfidentSegment, region: Region) -> list[Entry]:
    """Shade the region, and draw the line on which both kinds of error are equally frequent."""
    p, q = result.counts.p, result.counts.q
    area = axes.fill_between(region.fpr, region.lower, region.upper, color=REGION, alpha=0.4, linewidth=0, zorder=1.8)
    (even,) = axes.plot([0, min(p / q, 1)], [1, max(1 - q / p, 0)], color=REGION, linestyle="--", zorder=1.9)
    return [(area, "confident region"), (even, "as many missed as false alarms")]


def _draw_curves(axes: Axes, results: Sequence[ConfidentSegment], lines: Sequence[Floats]) -> list[Entry]:
    """Draw the curves, bold where they are confident."""
    entries: list[Entry] = []
    names = fmt.names([result.counts for result in results])
    for model, (result, name, line) in enumerate(zip(results, names, lines, strict=True)):
        colour = colour_of(model) if len(results) > 1 else INK
        entries.append((draw_curve(axes, line, model, colour=colour), name))
        if result.confident:
            draw_segment(axes, run_line(result, result.confident), colour)
    return entries + confident_entry(results)
