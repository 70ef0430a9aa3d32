"""The cost curve [1]_: the least expected cost at every mixture of costs and prevalence.

Across is the weight of misses, prevalence times the cost of a miss as a share of the cost of predicting all cases wrong;
up is the expected cost as a share of that cost. A threshold is a straight line from its fpr to its fnr; drawn is the lower envelope of all thresholds, whose
lines are those of the corners of the convex hull. The triangle is what predicting nothing or all positive costs.

References
----------
.. [1] C. Drummond, R. C. Holte (2006), Machine Learning 65, 95-130.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.hull import hull_rows
from rocconf.plot import format as fmt
from rocconf.plot.axes import add_title
from rocconf.plot.colours import QUIET, SOFT
from rocconf.plot.legend import place_legend
from rocconf.plot.model_curves import draw_curves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from rocconf.compute.sweep import Sweep
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Corner
    from rocconf.records import Floats, ScoreCounts

STEPS = 1000
HIGHEST = 0.52
"""The top of the chart, above the triangle."""
ROOM = 2.5
"""The height of the chart as a multiple of that of the curves, so that good models are not lines on the floor."""
CORNERS: tuple[Corner, ...] = ("upper right", "upper left", "lower right", "lower left", "center right")


def paint(figure: Figure, results: Sequence[Sweep], canvas: Canvas) -> None:
    """Paint one model or several."""
    counts = [sweep.counts for sweep in results]
    lines = [cost_line_of(each) for each in counts]
    axes = figure.add_subplot()
    top = min(HIGHEST, ROOM * max(float(line[:, 1].max()) for line in lines)) or HIGHEST  # of perfect models
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02 * top, top), xlabel="Weight of misses", ylabel="Normalized expected cost")
    triangle: dict[str, Any] = {"color": QUIET, "linewidth": 0.9, "linestyle": (0, (5, 4)), "zorder": 1.5}
    (trivial,) = axes.plot([0, 0.5, 1], [0, 0.5, 0], **triangle)
    title = "Cost curve" + ("s" if len(results) > 1 else f" of {fmt.name(counts[0].model)}")
    add_title(axes, canvas, title, fmt.cases(counts))
    entries = draw_curves(axes, lines, fmt.names(counts))
    entries.append((trivial, "all or nothing predicted positive"))
    drawn = [*lines, np.array([[0.0, 0.0], [0.5, 0.5], [1.0, 0.0]])]
    weight, costs = weight_of(results[0]), results[0].rates.costs
    if weight is not None and costs is not None:
        marked = axes.axvline(weight, color=SOFT, linewidth=1.0, linestyle=":", zorder=1.6)
        entries.append((marked, f"costs {fmt.plain(costs.text)}"))
        drawn.append(np.array([[weight, 0.0], [weight, top]]))
    place_legend(figure, axes, canvas, entries, drawn, corners=CORNERS)


def cost_line_of(counts: ScoreCounts) -> Floats:
    """Return the lower envelope, a column of weights and one of costs."""
    roc = curve(counts)
    corners = hull_rows(roc)
    fpr, fnr = roc.fp[corners] / roc.q, (roc.p - roc.tp[corners]) / roc.p
    weights = np.union1d(np.linspace(0, 1, STEPS + 1), _turns(fpr, fnr))
    least = np.full(len(weights), np.inf)
    for alarmed, missed in zip(fpr, fnr, strict=True):
        np.minimum(least, weights * missed + (1 - weights) * alarmed, out=least)
    return np.column_stack([weights, least])


def _turns(fpr: Floats, fnr: Floats) -> Floats:
    """Return the weights at which two neighbours of the hull cost the same."""
    more_fpr, less_fnr = np.diff(fpr), -np.diff(fnr)
    return more_fpr / (more_fpr + less_fnr)


def weight_of(sweep: Sweep) -> float | None:
    """Return the weight of misses at the costs of the run, None without costs."""
    if sweep.rates.costs is None:
        return None
    missed, alarmed = sweep.rates.costs.weights(sweep.counts.p, sweep.counts.q)
    return float(missed / (missed + alarmed))
