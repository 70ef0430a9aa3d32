"""The confident segment, bold on its ROC curve: one model with the segment's two areas, or several in one chart.

It is drawn like Figures 3 and 5 of [1]_: what lies under the segment is its TP area, what lies left of it its FP area.

References
----------
.. [1] W. Elazmeh, N. Japkowicz, S. Matwin (2006), A framework for comparative evaluation of classifiers in the
   presence of class imbalance, ROCML at ICML.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.lines import Line2D

from rocconf.plot import format as fmt
from rocconf.plot.axes import add_title_over
from rocconf.plot.colours import INK, MODEL_COLOURS, SOFT, colour_of
from rocconf.plot.confident import confident_entry, draw_segment, legend_title, run_line
from rocconf.plot.legend import place_legend
from rocconf.plot.model_curves import draw_curve, draw_curves
from rocconf.plot.roc_space import roc_line
from rocconf.plot.zoom import charts, close_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.tango import ConfidentSegment, Restated
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.records import Floats

HALO = 6.0
"""The width of the equivalent stretch, as a multiple of the curve's."""

TP_AREA, FP_AREA, EQUIVALENT, RESTATED = MODEL_COLOURS[:4]


def paint(figure: Figure, results: Sequence[ConfidentSegment], canvas: Canvas) -> None:
    """Paint one model with its areas, or several with their segments; small segments closer too."""
    counts = [result.counts for result in results]
    lines = [roc_line(each) for each in counts]
    segments = [run_line(result, result.confident) for result in results]
    draw = _draw_one if len(results) == 1 else _draw_several
    drawn = charts(figure, canvas, close_up([segment for segment in segments if len(segment)]), lines)
    entries, *_ = [draw(each, results, lines, segments) for each in drawn.all]
    title = f"Confident segment of {fmt.name(counts[0].model)}" if len(results) == 1 else "Confident segments"
    add_title_over(figure, drawn.panels, canvas, title, fmt.cases(counts))
    areas = [_across(segments[0])] if len(results) == 1 and results[0].confident else []
    taken = [*lines, *areas, *drawn.taken]
    place_legend(figure, drawn.panels[0], canvas, entries, taken, title=legend_title(results[0]))


def _across(segment: Floats) -> Floats:
    """Return a line that fills both areas of a segment: from each point to both axes."""
    x, y = segment.T
    nothing = np.zeros(len(segment))
    return np.column_stack([np.stack([nothing, x, x, x], 1).ravel(), np.stack([y, y, nothing, y], 1).ravel()])


def _draw_one(
    axes: Axes, results: Sequence[ConfidentSegment], lines: Sequence[Floats], segments: Sequence[Floats]
) -> list[Entry]:
    (result,), (line,), (segment,) = results, lines, segments
    entries: list[Entry] = [(draw_curve(axes, line, colour=SOFT), "ROC curve")]
    if result.equivalent:
        entries.append((_draw_equivalent(axes, result, result.equivalent), f"equivalent within ±{result.margin:g}"))
    if result.restated and len(result.restated.segment):
        entries.append(_draw_restated(axes, result, result.restated))
    if not result.confident:
        return [*entries, (Line2D([], [], linestyle="none"), "no confident point")]
    entries.append((draw_segment(axes, segment, INK), f"confident: {_count(result)}, {_thresholds(result)}"))
    return entries + _shade_areas(axes, result, segment)


def _shade_areas(axes: Axes, result: ConfidentSegment, segment: Floats) -> list[Entry]:
    """Shade the areas under the segment and left of it."""
    x, y = segment.T
    shade: dict[str, Any] = {"alpha": 0.3, "linewidth": 0, "zorder": 2}
    under = axes.fill_between(x, 0, y, color=TP_AREA, **shade)
    left = axes.fill_betweenx(y, 0, x, color=FP_AREA, **shade)
    measured = result.segment
    tp, fp, both = fmt.shares([measured.cauc_tp, measured.cauc_fp, measured.cauc])
    return [(under, f"TP area {tp}"), (left, f"FP area {fp}, CAUC {both}")]


def _draw_equivalent(axes: Axes, result: ConfidentSegment, run: range) -> Line2D:
    style: dict[str, Any] = {"color": EQUIVALENT, "alpha": 0.35, "linewidth": HALO * mpl.rcParams["lines.linewidth"]}
    axes.plot(*run_line(result, run).T, **style, zorder=2.5)
    return Line2D([], [], **style, solid_capstyle="butt")  # so wide a line would end on its label


def _draw_restated(axes: Axes, result: ConfidentSegment, restated: Restated) -> Entry:
    """Draw the segment at another prevalence, under that of the data."""
    style: dict[str, Any] = {"color": RESTATED, "linewidth": 2.2 * mpl.rcParams["lines.linewidth"]}
    run = restated.segment.rows
    axes.plot(*run_line(result, run).T, **style, zorder=3.5)
    return Line2D([], [], **style), f"at a prevalence of {restated.prevalence:g}: {_count_of(len(run))}"


def _draw_several(
    axes: Axes, results: Sequence[ConfidentSegment], lines: Sequence[Floats], segments: Sequence[Floats]
) -> list[Entry]:
    areas = fmt.shares([result.segment.cauc for result in results])
    texts = [
        f"{name}  {_count(result)}, CAUC {area}" if result.confident else f"{name}  no confident point"
        for name, result, area in zip(fmt.names([result.counts for result in results]), results, areas, strict=True)
    ]
    entries = draw_curves(axes, lines, texts)
    for model, segment in enumerate(segments):
        if len(segment):
            draw_segment(axes, segment, colour_of(model))
    return entries + confident_entry(results)


def _count(result: ConfidentSegment) -> str:
    return _count_of(len(result.confident))


def _count_of(count: int) -> str:
    return f"{count:,} point{'s' * (count != 1)}"


def _thresholds(result: ConfidentSegment) -> str:
    """Return the first and the last threshold of the segment."""
    low, high = result.ends(result.confident)
    ends = [end for end in (low, high) if end is not None]
    text_of = dict(zip(ends, fmt.aligned(ends), strict=True))
    first, last = ("nothing positive" if end is None else text_of[end] for end in (low, high))
    return first if first == last else f"{first} to {last}"
