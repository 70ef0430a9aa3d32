"""The scores of both classes, with the thresholds of the operating points and their error rates: a panel for each model.

It is Figure 1 of [1]_, with histograms in place of its sketched densities: what lies on the wrong side of a threshold
are its false alarms and misses. Each class is drawn as shares of itself, so that a rare class can be seen.

References
----------
.. [1] A. P. Bradley (1996), ROC curves and the chi-square test, Pattern Recognition Letters 17, 287-294.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.lines import Line2D

from rocconf.compute.roc.curve import row_at
from rocconf.dataclass import dataclass
from rocconf.plot import format as fmt
from rocconf.plot.axes import SQUARE_MARGIN, add_title_over, letters_over_panel
from rocconf.plot.colours import INK, MODEL_COLOURS
from rocconf.plot.legend import legend_under
from rocconf.plot.marks import look_like_probabilities

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.records import Floats, ScoreCounts

BINS = 40
NEGATIVE, POSITIVE = MODEL_COLOURS[:2]
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (7, 2, 1, 2)))
"""The line styles of thresholds, used in turn."""
PANEL_HEIGHT = {1: 0.55, 2: 0.36}
"""The height of one panel and of one beside another, as a share of the figure's width."""
FARTHEST = 1e150
"""The largest absolute score that matplotlib can place on an axis."""


@dataclass(frozen=True, slots=True)
class At:
    """A threshold to draw, with its label."""

    text: str
    threshold: float


def paint(figure: Figure, results: Sequence[Any], canvas: Canvas) -> None:
    """Paint one model or several, of any analysis."""
    counts: list[ScoreCounts] = [result.counts for result in results]
    single = len(counts) == 1
    panels = _panels(figure, counts, canvas)
    heading = f"Scores of {fmt.name(counts[0].model)} by class" if single else "Scores by class"
    add_title_over(figure, panels, canvas, heading, fmt.cases(counts))
    styles: dict[str, Any] = {}
    entries: list[Entry] = []
    for axes, result, model in zip(panels, results, counts, strict=True):
        place = _draw_classes(axes, model)
        for at in thresholds_of(result):
            style = styles.setdefault(at.text, DASHES[len(styles) % len(DASHES)])
            if place is not None and np.isfinite(at.threshold):
                axes.axvline(place(at.threshold), color=INK, linewidth=1.2, linestyle=style, zorder=4)
            if single:
                entries.append((_line(style), f"{at.text}: {_errors(model, at.threshold)}"))
    if not single:
        entries = [(_line(style), text) for text, style in styles.items()]
    classes = [(POSITIVE, "positives"), (NEGATIVE, "negatives")]
    legend_under(figure, canvas, [*((Line2D([], [], color=c, linewidth=4), text) for c, text in classes), *entries])


def thresholds_of(result: Any) -> list[At]:
    """Return the operating points of a result, the ends of its confident segment, or its midpoint."""
    if hasattr(result, "split"):
        return [At("midpoint", result.split.midpoint)]
    if hasattr(result, "confident"):
        ends = zip(("confident from", "confident to"), result.ends(result.confident), strict=True)
        return [At(text, end) for text, end in ends if end is not None]
    pointed = getattr(result, "scored", result)
    return [
        At(point.rule.text + (", in-sample" if point.in_sample else ""), point.threshold)
        for point in pointed.points
        if point.threshold is not None
    ]


def _errors(counts: ScoreCounts, threshold: float) -> str:
    """Return the threshold and its error rates."""
    row = row_at(counts, threshold)
    fpr, fnr = int(counts.fp[row]) / counts.q, (counts.p - int(counts.tp[row])) / counts.p
    return f"{fmt.compact(threshold)}, false alarms {fmt.share(fpr)}, misses {fmt.share(fnr)}"


def _panels(figure: Figure, counts: Sequence[ScoreCounts], canvas: Canvas) -> list[Axes]:
    across = 1 if len(counts) == 1 else 2
    down = ceil(len(counts) / across)
    if canvas.height is None:
        figure.set_size_inches(canvas.width, canvas.width * (0.25 + down * PANEL_HEIGHT[across]))
    grid = figure.subplots(down, across, squeeze=False)
    panels: list[Axes] = list(grid.ravel()[: len(counts)])
    for axes in grid.ravel()[len(counts) :]:
        axes.remove()
    names = fmt.names(counts, letters_over_panel(canvas)) if len(counts) > 1 else ("",)
    for at, (axes, name) in enumerate(zip(panels, names, strict=True)):
        axes.set_title(name, loc="left", fontsize=canvas.font_size)
        if at + across >= len(counts):
            axes.set_xlabel("Score")
        if at % across == 0:
            axes.set_ylabel("Share of the class")
    return panels


def _draw_classes(axes: Axes, counts: ScoreCounts) -> Any:
    """Draw the histograms; return a function from a threshold to its place, None if the scores have no scale."""
    finite = np.isfinite(counts.scores)
    scores = counts.scores[finite]
    if not len(scores) or np.abs(scores).max() > FARTHEST:
        axes.text(0.5, 0.5, "no scale for these scores", transform=axes.transAxes, ha="center", va="center", color=INK)
        axes.set(xticks=[], yticks=[])
        return None
    low, high = (0.0, 1.0) if look_like_probabilities(counts) else (float(scores.min()), float(scores.max()))
    if not low < high:
        low, high = low - max(abs(low), 1) / 2, high + max(abs(high), 1) / 2
    edges = np.linspace(low, high, BINS + 1)
    for each, total, colour in ((counts.negatives, counts.q, NEGATIVE), (counts.positives, counts.p, POSITIVE)):
        shares = _shares(np.clip(scores, low, high), each[finite], edges) / total
        axes.stairs(shares, edges, fill=True, color=colour, alpha=0.3, zorder=2)
        axes.stairs(shares, edges, color=colour, linewidth=1.2, zorder=3)
    room = SQUARE_MARGIN * (high - low)
    axes.set_xlim(low - room, high + room)
    axes.set_ylim(bottom=0)
    return lambda threshold: min(max(threshold, low - room), high + room)


def _shares(scores: Floats, cases: Any, edges: Floats) -> Floats:
    """Return the number of cases in each bin."""
    found, _ = np.histogram(scores, bins=edges, weights=cases.astype(np.float64))
    return np.asarray(found, dtype=np.float64)


def _line(style: Any) -> Line2D:
    return Line2D([], [], color=INK, linewidth=1.2, linestyle=style)
