"""The scores of cases without labels over those of the reference: a row of two charts for each model.

On the left are the shares of cases up to each score, with their largest distance, which is the Kolmogorov-Smirnov
statistic, and the deciles of the reference. On the right are the shares of both in the cells between these deciles, as
PSI compares them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from rocconf.plot import format as fmt
from rocconf.plot.axes import SQUARE_MARGIN, add_figure_title
from rocconf.plot.chart_rows import ChartRow, add_legend
from rocconf.plot.colours import INK, MODEL_COLOURS, QUIET
from rocconf.plot.scores import FARTHEST
from rocconf.plot.thin import extremes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.sensibility import Unlabelled
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.records import Floats, Scores

REFERENCE, NEW = MODEL_COLOURS[:2]
LINES: dict[str, tuple[Any, str]] = {"reference": ((0, (3, 1.5)), REFERENCE), "new": ("-", NEW)}
WIDE, NARROW = 0.84, 0.42
"""The widths of the bars of the reference, and of those of the new cases before them."""


def paint(figure: Figure, results: Sequence[Unlabelled], canvas: Canvas) -> None:
    """Paint a row of charts for each model."""
    figure.set_layout_engine("compressed")
    names = fmt.shortened_names([result.scores.model for result in results], fmt.LONGEST_NAME)
    several = len(results) > 1
    for row, (name, result) in enumerate(zip(names, results, strict=True)):
        charts = ChartRow(*(figure.add_subplot(len(results), 2, 2 * row + side) for side in (1, 2)))
        _draw_distributions(charts.left, result)
        _draw_cells(charts.right, result)
        own = [name] if several else []
        charts.caption(canvas, [*own, *_distance(result)], [*own, *_stability(result)])
    title = "Scores against the reference" if several else f"Scores of {names[0]} against the reference"
    heading = add_figure_title(figure, canvas, title, _sizes(results))
    add_legend(figure, canvas, heading, _entries(results), len(results))


def _draw_distributions(axes: Axes, result: Unlabelled) -> None:
    axes.set(xlabel="Score", ylabel="Share of cases up to it", ylim=(-SQUARE_MARGIN, 1 + SQUARE_MARGIN))
    axes.set_box_aspect(1)
    found, cells = result.cumulated, result.cells
    finite = np.isfinite(found.ends)
    scores = found.ends[finite]
    if not len(scores) or np.abs(scores).max() > FARTHEST:
        axes.text(0.5, 0.5, "no scale for these scores", transform=axes.transAxes, ha="center", va="center", color=INK)
        axes.set(xticks=[], yticks=[])
        return
    low, high = _ends(scores)
    room = SQUARE_MARGIN * (high - low)
    axes.set_xlim(low - room, high + room)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    for key, (style, colour) in LINES.items():
        shares = getattr(found, key)
        below = shares[found.ends == -np.inf]
        x = np.concatenate([[low - room], scores, [high + room]])
        y = np.concatenate([below if len(below) else [0.0], shares[finite], shares[finite][-1:]])
        rows = extremes(x, y)
        axes.plot(x[rows], y[rows], drawstyle="steps-post", linestyle=style, color=colour, linewidth=1.4, zorder=3)
    ends = cells.ends[np.isfinite(cells.ends)]
    reached = found.reference[np.searchsorted(found.ends, ends)]
    axes.vlines(ends, -SQUARE_MARGIN, reached, color=QUIET, linewidth=0.7, zorder=1.8)
    at = found.farthest
    place = min(max(float(found.ends[at]), low - room), high + room)
    axes.plot([place] * 2, [found.new[at], found.reference[at]], color=INK, zorder=4, **_distance_style())


def _draw_cells(axes: Axes, result: Unlabelled) -> None:
    """Draw the shares in each cell; what is above or below the reference's is what PSI adds up."""
    cells = result.cells
    places = np.arange(1, len(cells.new) + 1)
    axes.bar(places, cells.reference, width=WIDE, color=REFERENCE, alpha=0.3, zorder=2)
    axes.bar(places, cells.new, width=NARROW, color=NEW, zorder=3)
    axes.set(xlabel="Cell between deciles", ylabel="Share of cases", xlim=(0.4, len(places) + 0.6))
    axes.set_xticks(places[::2])
    axes.set_box_aspect(1)


def _ends(scores: Floats) -> tuple[float, float]:
    """Return the ends of the axis: 0 and 1 for probabilities."""
    low, high = float(scores.min()), float(scores.max())
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    return (low, high) if low < high else (low - max(abs(low), 1) / 2, high + max(abs(high), 1) / 2)


def _distance(result: Unlabelled) -> list[str]:
    found = result.cumulated
    at = fmt.compact(float(found.ends[found.farthest]))
    return [f"KS {fmt.share(result.ks.value)}, at {at}", _decided(result.ks.p_adjusted, result.ks.meaning)]


def _stability(result: Unlabelled) -> list[str]:
    return [f"PSI {result.psi.value:.3f}", _decided(result.psi.p_adjusted, result.psi.meaning)]


def _decided(p: float | None, meaning: str) -> str:
    return f"{meaning}, adjusted p {fmt.p(p)}"


def _sizes(results: Sequence[Unlabelled]) -> str:
    """Return the number of cases of both sets, if it is the same for all models."""
    sizes = {(result.scores.n, result.reference.n) for result in results}
    if len(sizes) > 1:
        return ""
    ((new, old),) = sizes
    return f"{new:,} cases without labels; {old:,} of the reference"


def _distance_style() -> dict[str, Any]:
    return {"linewidth": 2.0, "marker": "_", "markersize": mpl.rcParams["lines.markersize"]}


def _entries(results: Sequence[Unlabelled]) -> list[Entry]:
    files = [_file([getattr(result, which) for result in results]) for which in ("scores", "reference")]
    return [
        (Line2D([], [], color=NEW, linestyle=LINES["new"][0]), f"these cases{files[0]}"),
        (Line2D([], [], color=REFERENCE, linestyle=LINES["reference"][0]), f"reference{files[1]}"),
        (Line2D([], [], color=INK, **_distance_style()), "largest distance (KS)"),
        (Line2D([], [], color=QUIET, linewidth=0.7), "deciles of the reference"),
    ]


def _file(scores: Sequence[Scores]) -> str:
    """Return the name of the cases' file, if it is one."""
    names = {source.name for each in scores for source in each.sources}
    return f": {fmt.name(names.pop())}" if len(names) == 1 else ""
