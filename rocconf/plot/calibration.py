"""The reliability diagram: the best probability of each score, which is the score itself where scores are calibrated.

The best probabilities are those of the pool adjacent violators [1]_. The band is where they lie, each at the level, if
the labels are drawn from the scores; under the chart are the shares of the cases.

References
----------
.. [1] T. Dimitriadis, T. Gneiting, A. I. Jordan (2021), PNAS 118, e2016191118.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.patches import Patch

from rocconf.compute.roc.calibration import consistency_band, parts_of, recalibrated
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.observed import probabilities
from rocconf.plot import format as fmt
from rocconf.plot.axes import add_title, diagonal
from rocconf.plot.colours import colour_of
from rocconf.plot.legend import place_legend
from rocconf.plot.model_curves import draw_curves
from rocconf.plot.net_benefit import require_probabilities_of
from rocconf.plot.thin import evenly_along

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.stats.resampling import Indices
    from rocconf.compute.sweep import Sweep
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Corner
    from rocconf.records import Floats, ScoreCounts

MOST_BANDED = 300
"""The scores at which the band is drawn."""
BINS = 40
ROOM = 1.08
CORNERS: tuple[Corner, ...] = ("lower right", "upper left", "center right", "center left")


def paint(figure: Figure, results: Sequence[Sweep], canvas: Canvas) -> None:
    """Paint one model or several."""
    counts = [sweep.counts for sweep in results]
    for each in counts:
        require_probabilities_of(each)
    lines = [reliability_line(each) for each in counts]
    most = max(float(line.max()) for line in lines)
    end = 1.0 if 2 * most > 1 else ROOM * most
    grid = figure.add_gridspec(2, 1, height_ratios=(5, 1), hspace=0.0)
    axes, below = figure.add_subplot(grid[0]), figure.add_subplot(grid[1])
    limits = -0.02 * end, 1.02 * end
    axes.set(xlim=limits, ylim=limits, ylabel="Recalibrated probability")
    axes.tick_params(labelbottom=False)
    diagonal(axes, (0, 0), (end, end))
    level = results[0].rates.level
    banded = [_draw_band(axes, each, at, level=level) for at, each in enumerate(counts)]
    title = "Calibration" + ("" if len(results) > 1 else f" of {fmt.name(counts[0].model)}")
    add_title(axes, canvas, title, fmt.cases(counts))
    entries = draw_curves(
        axes, lines, [_text(each, name) for each, name in zip(counts, fmt.names(counts), strict=True)]
    )
    text = f"calibrated scores ({fmt.percent(level)} at each score)"
    entries.append((Patch(color=colour_of(0), alpha=0.18, linewidth=0), text))
    _draw_shares(below, counts, end)
    below.set(xlim=limits, xlabel="Score" if len(counts) > 1 else f"Score of {fmt.name(counts[0].model)}")
    place_legend(figure, axes, canvas, entries, [*lines, *banded], corners=CORNERS)


def reliability_line(counts: ScoreCounts) -> Floats:
    """Return a column of scores and one of recalibrated probabilities, thinned."""
    found = probabilities(counts)
    assert found is not None  # noqa: S101  # checked before
    line = np.column_stack([found[0], recalibrated(curve(counts))])[::-1]
    line = line[np.lexsort([line[:, 1], line[:, 0]])]
    return line[evenly_along(len(line), lambda rows: line[rows].sum(axis=1))]


def _draw_band(axes: Axes, counts: ScoreCounts, model: int, *, level: float) -> Floats:
    """Draw the band of a model; return its edges."""
    found = probabilities(counts)
    if found is None:
        return np.zeros((0, 2))
    rows = _spread(found[0])
    band = consistency_band(counts, rows, level=level)
    if band is None:
        return np.zeros((0, 2))
    order = np.argsort(found[0][rows])
    at, lower, upper = (each[order] for each in (found[0][rows], band.lower, band.upper))
    axes.fill_between(at, lower, upper, color=colour_of(model), alpha=0.18, linewidth=0, zorder=1.2)
    return np.column_stack([np.concatenate([at, at[::-1]]), np.concatenate([lower, upper[::-1]])])


def _spread(scores: Floats) -> Indices:
    """Return rows that are spread evenly, half of them by their rank and half by their score."""
    by_rank = np.linspace(0, len(scores) - 1, MOST_BANDED // 2).astype(np.intp)
    order = np.argsort(scores)
    wanted = np.linspace(float(scores.min()), float(scores.max()), MOST_BANDED // 2)
    by_score = order[np.searchsorted(scores[order], wanted).clip(0, len(scores) - 1)]
    return np.unique(np.concatenate([by_rank, by_score]))


def _text(counts: ScoreCounts, name: str) -> str:
    parts = parts_of(counts)
    if parts is None:
        return name
    return f"{name}  miscalibration {fmt.compact(parts.mcb)}, discrimination {fmt.compact(parts.dsc)}"


def _draw_shares(axes: Axes, counts: Sequence[ScoreCounts], end: float) -> None:
    """Draw how many of the cases have which score."""
    edges = np.linspace(0, end, BINS + 1)
    for model, each in enumerate(counts):
        found = probabilities(each)
        if found is not None:
            cases = each.positives + each.negatives
            shares = np.histogram(np.clip(found[0], 0, end), bins=edges, weights=cases)[0] / each.n
            axes.stairs(shares, edges, color=colour_of(model), linewidth=1.0, fill=len(counts) == 1)
    axes.set_yscale("log")
    axes.set_ylabel("Cases")
    axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
