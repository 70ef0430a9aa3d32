"""Cumulative gain: the share of the positives found against the share of the cases flagged, the highest scores first.

The line of a perfect model flags all positives before any negative; random flagging finds as large a share of the
positives as it flags of the cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.curve import curve
from rocconf.plot import format as fmt
from rocconf.plot.axes import add_title, diagonal, unit_square
from rocconf.plot.colours import QUIET
from rocconf.plot.legend import place_legend
from rocconf.plot.marks import draw_marks
from rocconf.plot.model_curves import draw_curves
from rocconf.plot.thin import evenly_along

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.sweep import Sweep
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.plot.marks import PointOf
    from rocconf.records import Floats, ScoreCounts


def paint(figure: Figure, results: Sequence[Sweep], canvas: Canvas) -> None:
    """Paint one model or several."""
    counts, several = [sweep.counts for sweep in results], len(results) > 1
    lines = [gain_line(each) for each in counts]
    axes = unit_square(figure, "Share of the cases flagged", "Share of the positives found")
    diagonal(axes, (0, 0), (1, 1))
    title = "Cumulative gain" + ("" if several else f" of {fmt.name(counts[0].model)}")
    add_title(axes, canvas, title, fmt.cases(counts))
    entries = draw_curves(axes, lines, fmt.names(counts))
    entries = entries if several else []
    entries += draw_marks(axes, results, [gain_point_of(each) for each in counts])
    entries += _draw_perfect(axes, counts)
    place_legend(figure, axes, canvas, entries, lines)


def gain_line(counts: ScoreCounts) -> Floats:
    """Return the thinned curve, a column of shares flagged and one of shares found."""
    roc = curve(counts)
    rows = evenly_along(len(roc), lambda rows: (roc.tp[rows] + roc.fp[rows]) / roc.n + roc.tp[rows] / roc.p)
    return np.column_stack([(roc.tp[rows] + roc.fp[rows]) / roc.n, roc.tp[rows] / roc.p])


def gain_point_of(counts: ScoreCounts) -> PointOf:
    """Return a function from true and false positives to their point on the chart."""
    return lambda tp, fp: ((tp + fp) / counts.n, tp / counts.p)


def _draw_perfect(axes: Axes, counts: Sequence[ScoreCounts]) -> list[Entry]:
    """Draw the line of a perfect model for each prevalence."""
    style: dict[str, Any] = {"color": QUIET, "linewidth": 0.9, "zorder": 1.5}
    drawn = [axes.plot([0, share, 1], [0, 1, 1], **style) for share in sorted({each.p / each.n for each in counts})]
    return [(drawn[0][0], "a perfect model")]
