"""A second, enlarged panel where all that matters of a ROC chart lies in a corner of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from rocconf.plot.axes import SMALL_SIZE
from rocconf.plot.colours import SOFT
from rocconf.plot.roc_space import roc_axes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.plot.canvas import Canvas
    from rocconf.records import Floats

ENLARGED_BELOW = 0.15
"""The width or height of lines up to which they are enlarged."""

AROUND, LEAST_AROUND = 0.2, 0.002
"""The space around the lines, as a share of their size and at least."""

BEYOND_SQUARE = 0.03
"""The space around lines that end at the edge of the unit square, as a share of their size."""

WIDTH_FOR_TICKS = 5.0
"""The width in inches from which there is room for all ticks of two panels."""

PANELS_HEIGHT = 0.62
"""The height of two panels, as a share of the figure's width."""


@dataclass(frozen=True, slots=True)
class CloseUp:
    """The part of the unit square to enlarge."""

    x: tuple[float, float]
    y: tuple[float, float]


def close_up(lines: Sequence[Floats]) -> CloseUp | None:
    """Return the part that holds all lines, unless the whole square shows them well."""
    if not lines:
        return None
    points = np.concatenate(lines)
    low, high = points.min(axis=0), points.max(axis=0)
    if (high - low > ENLARGED_BELOW).all():
        return None
    margin = np.maximum(AROUND * (high - low), LEAST_AROUND)
    edge = BEYOND_SQUARE * (high - low + margin)
    (x0, y0), (x1, y1) = np.maximum(low - margin, -edge).tolist(), np.minimum(high + margin, 1 + edge).tolist()
    return CloseUp((x0, x1), (y0, y1))


def panels(figure: Figure, canvas: Canvas, close: CloseUp | None) -> list[Axes]:
    """Add the unit square of ROC space and, beside it, the part to enlarge."""
    if close is None:
        return [roc_axes(figure)]
    if canvas.height is None:
        figure.set_size_inches(canvas.width, PANELS_HEIGHT * canvas.width)
    whole, part = roc_axes(figure, (1, 2, 1)), roc_axes(figure, (1, 2, 2))
    if canvas.width < WIDTH_FOR_TICKS:
        whole.set(xticks=(0, 0.5, 1), yticks=(0, 0.5, 1))
    part.set(xlim=close.x, ylim=close.y, ylabel="", aspect="auto", box_aspect=1)
    part.set_title("the framed part", loc="left", fontsize=SMALL_SIZE * canvas.font_size, color=SOFT)
    for axis in (part.xaxis, part.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=4))
    corner, size = (close.x[0], close.y[0]), (close.x[1] - close.x[0], close.y[1] - close.y[0])
    whole.add_patch(Rectangle(corner, *size, fill=False, edgecolor=SOFT, linewidth=0.9, zorder=6))
    return [whole, part]
