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
from matplotlib.lines import Line2D

from rocconf.compute.roc.curve import curve
from rocconf.plot import format as fmt
from rocconf.plot.axes import head, head_panels
from rocconf.plot.colours import INK, MODELS, QUIET, SOFT, colour_of, line_of
from rocconf.plot.legend import place_legend
from rocconf.plot.roc import drawn_rows, points
from rocconf.plot.thin import evenly_along
from rocconf.plot.zoom import close_up, panels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.tango import ConfidentSegment
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.records import Floats

BOLD = 2.2
"""How much wider a segment is than its curve."""

HALO = 6.0
TP_AREA, FP_AREA, EQUIVALENT = MODELS[0], MODELS[1], MODELS[2]
MOST_DOTS = 40
"""Up to how many points of a segment are marked one by one."""


def paint(figure: Figure, results: Sequence[ConfidentSegment], canvas: Canvas) -> None:
    """Paint one model with its areas, or several with their segments; small segments closer too."""
    lines = [points(roc, drawn_rows(roc)) for roc in (curve(result.counts) for result in results)]
    segments = [stretch(result, result.confident) for result in results]
    draw = _single if len(results) == 1 else _several
    axes = panels(figure, canvas, close_up([segment for segment in segments if len(segment)]))
    entries, *_ = [draw(each, results, lines, segments) for each in axes]
    title = f"Confident segment of {fmt.name(results[0].counts.model)}" if len(results) == 1 else "Confident segments"
    said = head_of(figure, axes, canvas, title, results)
    place_legend(figure, axes[0], canvas, entries, lines, title=said)


def head_of(
    figure: Figure, axes: Sequence[Axes], canvas: Canvas, title: str, results: Sequence[ConfidentSegment]
) -> str:
    """Put a title over one panel or several; give the title of the legend."""
    cases = fmt.cases([result.counts for result in results])
    if len(axes) == 1:
        head(axes[0], canvas, title, cases)
    else:
        head_panels(figure, canvas, title, cases)
    return judged_by(results[0])


def judged_by(result: ConfidentSegment) -> str:
    """Say which test decides, at which level."""
    return f"{result.test.title}, {fmt.percent(result.level)}"


def stretch(result: ConfidentSegment, run: range) -> Floats:
    """Return where a run of rows stands in ROC space, thinned."""
    roc = result.curve
    picked = evenly_along(len(run), lambda at: roc.tp[at + run.start] / roc.p + roc.fp[at + run.start] / roc.q)
    return points(roc, picked + run.start)


def draw_segment(axes: Axes, line: Floats, colour: str) -> Line2D:
    """Draw a segment, bold; its points too, where they are few. Return what the legend shows for it."""
    style = bold(colour, dots=len(line) <= MOST_DOTS)
    axes.plot(*line.T, **style, zorder=4)
    return Line2D([], [], **style)


def bold(colour: str, *, dots: bool = True) -> dict[str, Any]:
    """Return the style of a segment."""
    style: dict[str, Any] = {"color": colour, "linewidth": BOLD * mpl.rcParams["lines.linewidth"]}
    return style | ({"marker": "o", "markersize": 0.6 * mpl.rcParams["lines.markersize"]} if dots else {})


def _single(
    axes: Axes, results: Sequence[ConfidentSegment], lines: Sequence[Floats], segments: Sequence[Floats]
) -> list[Entry]:
    (result,), (line,), (segment,) = results, lines, segments
    (drawn,) = axes.plot(*line.T, color=SOFT, zorder=3)
    entries: list[Entry] = [(drawn, "ROC curve")]
    if result.equivalent:
        entries.append((_equivalent(axes, result), f"equivalent within ±{result.margin:g}"))
    if not result.confident:
        return [*entries, (Line2D([], [], linestyle="none"), "no confident point")]
    entries.append((draw_segment(axes, segment, INK), f"confident: {_count(result)}, {_span(result)}"))
    return entries + _areas(axes, result, segment)


def _areas(axes: Axes, result: ConfidentSegment, segment: Floats) -> list[Entry]:
    """Shade what lies under the segment, and what lies left of it."""
    x, y = segment.T
    shade: dict[str, Any] = {"alpha": 0.3, "linewidth": 0, "zorder": 2}
    under = axes.fill_between(x, 0, y, color=TP_AREA, **shade)
    left = axes.fill_betweenx(y, 0, x, color=FP_AREA, **shade)
    measured = result.segment
    tp, fp, both = fmt.shares([measured.cauc_tp, measured.cauc_fp, measured.cauc])
    return [(under, f"TP area {tp}"), (left, f"FP area {fp}, CAUC {both}")]


def _equivalent(axes: Axes, result: ConfidentSegment) -> Line2D:
    line = stretch(result, result.equivalent or range(0))
    style: dict[str, Any] = {"color": EQUIVALENT, "alpha": 0.35, "linewidth": HALO * mpl.rcParams["lines.linewidth"]}
    axes.plot(*line.T, **style, zorder=2.5)
    return Line2D([], [], **style, solid_capstyle="butt")  # so wide a line would end on its label


def _several(
    axes: Axes, results: Sequence[ConfidentSegment], lines: Sequence[Floats], segments: Sequence[Floats]
) -> list[Entry]:
    entries: list[Entry] = []
    names = fmt.names([result.counts for result in results])
    areas = fmt.shares([result.segment.cauc for result in results])
    for model, (result, name, area, line, segment) in enumerate(
        zip(results, names, areas, lines, segments, strict=True)
    ):
        colour = colour_of(model)
        (drawn,) = axes.plot(*line.T, color=colour, linestyle=line_of(model), zorder=3)
        if not result.confident:
            entries.append((drawn, f"{name}  no confident point"))
            continue
        draw_segment(axes, segment, colour)
        entries.append((drawn, f"{name}  {_count(result)}, CAUC {area}"))
    return entries + confident_entry(results)


def confident_entry(results: Sequence[ConfidentSegment]) -> list[Entry]:
    """Return what the legend says of bold lines, where there are any."""
    if not any(result.confident for result in results):
        return []
    return [(Line2D([], [], **bold(QUIET)), "confident points")]


def _count(result: ConfidentSegment) -> str:
    found = len(result.confident)
    return f"{found:,} point{'s' * (found != 1)}"


def _span(result: ConfidentSegment) -> str:
    """Say from where to where the segment's thresholds go."""
    low, high = result.ends(result.confident)
    ends = [end for end in (low, high) if end is not None]
    said = dict(zip(ends, fmt.alike(ends), strict=True))
    first, last = ("nothing positive" if end is None else said[end] for end in (low, high))
    return first if first == last else f"{first} to {last}"
