"""Decision curves [1]_: the net benefit of acting on the scores, whatever the probability from which one acts.

Beside the models are the two choices that need no model: to act on all cases, and on none. Where positives are rare the
probabilities that matter are small, and the axis across is logarithmic.

References
----------
.. [1] A. J. Vickers, E. B. Elkin (2006), Medical Decision Making 26, 565-574.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.curve import rows_at
from rocconf.compute.roc.observed import probabilities
from rocconf.errors import UndefinedError
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

STEPS = 800
RARE = 0.1
"""Below this prevalence the axis is logarithmic."""
LEAST_OF_PREVALENCE = 0.1
"""Where a logarithmic axis begins, as a share of the prevalence."""
BELOW = 0.15
"""How far below 0 the chart goes, as a share of its height above."""
CORNERS: tuple[Corner, ...] = ("upper right", "lower left", "center right", "upper left", "lower right")


def paint(figure: Figure, results: Sequence[Sweep], canvas: Canvas) -> None:
    """Paint one model or several."""
    counts = [sweep.counts for sweep in results]
    for each in counts:
        require_probabilities_of(each)
    shares = [each.p / each.n for each in counts]
    is_rare = min(shares) < RARE
    start = LEAST_OF_PREVALENCE * min(shares) if is_rare else 0.0
    at = np.geomspace(start, 0.99, STEPS) if is_rare else np.linspace(0.0, 0.99, STEPS)
    lines = [np.column_stack([at, net_benefits(each, at)]) for each in counts]
    axes = figure.add_subplot()
    top = 1.08 * max(shares)
    axes.set(ylim=(-BELOW * top, top), xlabel="Probability from which one acts", ylabel="Net benefit per case")
    if is_rare:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda at, _: f"{at:g}")
    axes.set_xlim(start if is_rare else -0.02, 1.0 if is_rare else 1.02)
    title = "Net benefit" + ("" if len(results) > 1 else f" of {fmt.name(counts[0].model)}")
    add_title(axes, canvas, title, fmt.cases(counts))
    entries = draw_curves(axes, lines, fmt.names(counts))
    quiet: dict[str, Any] = {"linewidth": 0.9, "zorder": 1.5}
    everybody = [np.column_stack([at, share - (1 - share) * at / (1 - at)]) for share in sorted(set(shares))]
    drawn = [axes.plot(*line.T, color=QUIET, linestyle=(0, (5, 4)), **quiet)[0] for line in everybody]
    entries += [(drawn[0], "acting on all cases")]
    entries += [(axes.axhline(0, color=SOFT, linestyle=":", **quiet), "acting on none")]
    taken = [*lines, *everybody, np.array([[max(start, 1e-9), 0.0], [1.0, 0.0]])]
    place_legend(figure, axes, canvas, entries, [line[line[:, 1] > -BELOW * top] for line in taken], corners=CORNERS)


def require_probabilities_of(counts: ScoreCounts) -> None:
    """Reject scores that are not probabilities, also those that rescaling has put into [0, 1]."""
    if probabilities(counts) is None or any(source.rescaled for source in counts.sources):
        lower, upper = float(counts.scores.min()), float(counts.scores.max())
        raise UndefinedError("figure-not-probabilities", model=counts.model, lower=lower, upper=upper)


def net_benefits(counts: ScoreCounts, at: Floats) -> Floats:
    """Return the net benefit of acting from each probability on."""
    rows = rows_at(counts, 1 - at if counts.lower_is_positive else at)
    return counts.tp[rows] / counts.n - counts.fp[rows] / counts.n * (at / (1 - at))
