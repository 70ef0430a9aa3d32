"""Two charts side by side, a row for each model: sensibility and capability by threshold, and the ROC curve [1]_.

References
----------
.. [1] W. Klement, P. Flach, N. Japkowicz, S. Matwin (2009), on classification sensibility and concept drift, whose
   Figures 1 to 3 have this layout.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.transforms import Bbox

from rocconf.dataclass import dataclass
from rocconf.plot.axes import LETTER, SQUARE_MARGIN, letters_in, unit_square
from rocconf.plot.colours import INK, MODEL_COLOURS, SOFT
from rocconf.plot.legend import legend_under
from rocconf.plot.roc_space import roc_axes, roc_line
from rocconf.plot.thin import extremes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    from rocconf.compute.sensibility import Sensibility
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.records import Floats

SENSIBILITY, CAPABILITY = MODEL_COLOURS[:2]
CAPTION_SIZE = 0.78
"""The size of the text over a chart, as a share of the ordinary size."""


@dataclass(frozen=True, slots=True)
class CurveStyle:
    """How the curves of a set of cases are drawn."""

    line: Any = "-"
    fill: str = INK
    zorder: float = 3.0


NEW = CurveStyle()
OLD = CurveStyle(line=(0, (3, 1.5)), fill="white", zorder=2.8)


@dataclass(frozen=True, slots=True)
class ChartRow:
    """The two charts of one model."""

    left: Axes
    right: Axes

    def draw(self, result: Sensibility, style: CurveStyle = NEW) -> dict[str, Artist]:
        """Draw the curves of a set of cases with its midpoint; return the artists for the legend."""
        line: dict[str, Any] = {"linestyle": style.line, "linewidth": 0.8 * mpl.rcParams["lines.linewidth"]}
        shown: dict[str, Artist] = {}
        for name, colour in (("sensibility", SENSIBILITY), ("capability", CAPABILITY)):
            steps = drawn_steps(result, name)
            (shown[name],) = self.left.plot(*steps.T, color=colour, zorder=style.zorder, **line)
        thin = line | {"linewidth": 0.9}
        shown["midpoint"] = self.left.axvline(result.split.midpoint, color=SOFT, zorder=2, **thin)
        (shown["roc"],) = self.right.plot(*roc_line(result.counts).T, color=INK, zorder=style.zorder, **line)
        at = result.split.fp / result.split.q, result.split.tp / result.split.p
        dot = {"color": INK, "markerfacecolor": style.fill, "markersize": 0.7 * mpl.rcParams["lines.markersize"]}
        (shown["point"],) = self.right.plot(*at, "o", zorder=5, clip_on=False, **dot)
        return shown

    def caption(self, canvas: Canvas, left: Sequence[str], right: Sequence[str]) -> None:
        """Write texts over the charts."""
        size = CAPTION_SIZE * canvas.font_size
        letters = max(letters_in(0.36 * canvas.width, size, letter=0.8 * LETTER), 10)
        for axes, texts in ((self.left, left), (self.right, right)):
            lines = [line for text in texts for line in textwrap.wrap(text, letters)]
            axes.set_title("\n".join(lines), loc="left", fontsize=size, color=SOFT)


def chart_rows(figure: Figure, rows: int) -> list[ChartRow]:
    """Add two charts for each of the models."""
    figure.set_layout_engine("compressed")
    return [
        ChartRow(
            unit_square(figure, "Threshold", "Accuracy", at=(rows, 2, 2 * row + 1)),
            roc_axes(figure, at=(rows, 2, 2 * row + 2)),
        )
        for row in range(rows)
    ]


def in_sight(result: Sensibility) -> bool:
    """Whether the midpoint lies among the thresholds that are drawn."""
    return -SQUARE_MARGIN <= result.split.midpoint <= 1 + SQUARE_MARGIN


def drawn_steps(result: Sensibility, name: str) -> Floats:
    """Return the corners of the steps of a curve, a column of thresholds from left to right and one of accuracies.

    A threshold up to a score, and above the next lower one, decides as that score does; where low scores are positive,
    a threshold from a score on, and below the next higher one.
    """
    counts, split = result.counts, result.split
    values = getattr(split, name)(counts.tp, counts.fp)
    low, high = -SQUARE_MARGIN, 1 + SQUARE_MARGIN
    if counts.lower_is_positive:
        edges = np.concatenate([[low], counts.scores, [high]])
    else:
        edges, values = np.concatenate([[low], counts.scores[::-1], [high]]), values[::-1]
    rows = extremes(edges[1:], values)
    return np.column_stack([np.column_stack([edges[rows], edges[rows + 1]]).ravel(), np.repeat(values[rows], 2)])


def add_legend(figure: Figure, canvas: Canvas, heading: Text, entries: Sequence[Entry], rows: int) -> None:
    """Add the legend under the charts; a free height becomes what the title, the charts and the legend need."""
    legend_under(figure, canvas, entries)
    if canvas.height is None and not canvas.is_part:
        figure.set_size_inches(canvas.width, canvas.width * (0.6 * rows + 0.6))
        for _ in range(2):  # a new height moves ticks and labels a little, the second time no longer
            figure.draw_without_rendering()
            figure.set_size_inches(canvas.width, _needed_height(figure, heading))


def _needed_height(figure: Figure, heading: Text) -> float:
    """Return the height in inches of the figure's parts, without the empty space between them."""
    charts = Bbox.union([box for axes in figure.axes if (box := axes.get_tightbbox())])
    parts = [heading.get_window_extent(), charts, *(legend.get_window_extent() for legend in figure.legends)]
    pad: float = mpl.rcParams["figure.constrained_layout.h_pad"]
    return sum(float(part.height) for part in parts) / figure.dpi + 2 * pad * len(parts)
