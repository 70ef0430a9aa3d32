"""A second panel where all that matters of a ROC chart lies in a corner of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from rocconf.plot.colours import SOFT
from rocconf.plot.roc import roc_axes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.plot.canvas import Canvas
    from rocconf.records import Floats

SMALL = 0.15
"""Up to which width or height what matters is drawn again, closer."""

AROUND = 0.2
LEAST = 0.002
"""What is shown around it, as a share of its size and at least."""

EDGE = 0.03
"""What is left free where it ends with the unit square, as a share of its size."""

ROOMY = 5.0
"""From how many inches on there is room for all ticks of two panels."""

SHAPE = 0.62
"""The height of two panels, as a share of the figure's width."""


@dataclass(frozen=True, slots=True)
class Close:
    """The part of the unit square to draw closer."""

    x: tuple[float, float]
    y: tuple[float, float]


def close_up(lines: Sequence[Floats]) -> Close | None:
    """Return the part that holds all lines, unless the whole square shows them well."""
    if not lines:
        return None
    held = np.concatenate(lines)
    low, high = held.min(axis=0), held.max(axis=0)
    if (high - low > SMALL).all():
        return None
    margin = np.maximum(AROUND * (high - low), LEAST)
    edge = EDGE * (high - low + margin)
    (x0, y0), (x1, y1) = np.maximum(low - margin, -edge).tolist(), np.minimum(high + margin, 1 + edge).tolist()
    return Close((x0, x1), (y0, y1))


def panels(figure: Figure, canvas: Canvas, close: Close | None) -> list[Axes]:
    """Add the unit square of ROC space and, beside it, the part of it to draw closer."""
    if close is None:
        return [roc_axes(figure)]
    if canvas.height is None:
        figure.set_size_inches(canvas.width, SHAPE * canvas.width)
    whole, part = roc_axes(figure, (1, 2, 1)), roc_axes(figure, (1, 2, 2))
    if canvas.width < ROOMY:
        whole.set(xticks=(0, 0.5, 1), yticks=(0, 0.5, 1))
    part.set(xlim=close.x, ylim=close.y, ylabel="", aspect="auto", box_aspect=1)
    part.set_title("the framed part", loc="left", fontsize=0.86 * canvas.font_size, color=SOFT)
    for axis in (part.xaxis, part.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=4))
    corner, size = (close.x[0], close.y[0]), (close.x[1] - close.x[0], close.y[1] - close.y[0])
    whole.add_patch(Rectangle(corner, *size, fill=False, edgecolor=SOFT, linewidth=0.9, zorder=6))
    return [whole, part]
