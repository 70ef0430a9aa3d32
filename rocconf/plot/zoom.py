"""The unit square of ROC space, and enlarged the corner of it where all that matters lies.

The enlarged part is an inset, where the curves leave a place for one, and otherwise a second panel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.path import Path
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import Bbox

from rocconf.dataclass import dataclass
from rocconf.plot.axes import SMALL_SIZE, SQUARE_MARGIN
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

INSET_SIDES = (0.5, 0.44, 0.38, 0.32)
"""The sides of an inset to try, in units of the chart."""

INSET_RIGHT = 0.98
"""Where an inset ends at the right."""

TICK_SIZE = 0.78
"""The size of an inset's numbers, as a share of the ordinary size."""

TICK_WIDTH, TICK_HEIGHT, TITLE_HEIGHT = 4.2, 1.9, 1.6
"""The space beside, below and above an inset, as multiples of the size of its numbers."""

TICKS, EDGE = MaxNLocator(nbins=4), 0.08
ENLARGED = "the framed part"


@dataclass(frozen=True, slots=True)
class CloseUp:
    """The part of the unit square to enlarge."""

    x: tuple[float, float]
    y: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Place:
    """Where an inset stands, and what it takes with its numbers and its title."""

    inset: Bbox
    whole: Bbox


@dataclass(frozen=True, slots=True)
class Charts:
    """The whole unit square and perhaps its enlarged part, as panels or as an inset, which takes a place of the first."""

    panels: list[Axes]
    inset: Axes | None = None
    taken: tuple[Floats, ...] = ()

    @property
    def all(self) -> list[Axes]:
        """All axes to draw on."""
        return [*self.panels, *([self.inset] if self.inset else [])]


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


def charts(figure: Figure, canvas: Canvas, close: CloseUp | None, curves: Sequence[Floats]) -> Charts:
    """Add the unit square of ROC space and the part to enlarge, where no curve passes."""
    if close is None:
        return Charts([roc_axes(figure)])
    place = free_place(canvas, curves)
    return _two_panels(figure, canvas, close) if place is None else _with_inset(figure, canvas, close, place)


def free_place(canvas: Canvas, curves: Sequence[Floats]) -> Place | None:
    """Return the largest place at the lower right that no curve enters."""
    number = TICK_SIZE * canvas.font_size * (1 + 2 * SQUARE_MARGIN) / (0.8 * min(canvas.size) * 72)
    for side in INSET_SIDES:
        left, below = INSET_RIGHT - side, SQUARE_MARGIN + TICK_HEIGHT * number
        whole = Bbox.from_extents(
            left - TICK_WIDTH * number, SQUARE_MARGIN, INSET_RIGHT, below + side + TITLE_HEIGHT * number
        )
        if not any(Path(curve).intersects_bbox(whole.padded(SQUARE_MARGIN), filled=False) for curve in curves):
            return Place(Bbox.from_bounds(left, below, side, side), whole)
    return None


def _with_inset(figure: Figure, canvas: Canvas, close: CloseUp, place: Place) -> Charts:
    whole = roc_axes(figure)
    whole.add_patch(Rectangle(place.whole.p0, *place.whole.size, facecolor="white", edgecolor="none", zorder=4.5))
    part = whole.inset_axes(place.inset.bounds, transform=whole.transData)
    part.set_in_layout(False)
    part.tick_params(labelsize=TICK_SIZE * canvas.font_size)
    part.set_title(ENLARGED, loc="left", fontsize=TICK_SIZE * canvas.font_size, color=SOFT, pad=3)
    _show(part, close)
    _frame(whole, close)
    outline = place.whole.corners()
    # both diagonals and all sides, so that nothing is put inside
    return Charts([whole], part, (outline[[0, 1, 3, 2, 0, 3, 1, 2]],))


def _two_panels(figure: Figure, canvas: Canvas, close: CloseUp) -> Charts:
    if canvas.height is None:
        figure.set_size_inches(canvas.width, PANELS_HEIGHT * canvas.width)
    whole, part = roc_axes(figure, (1, 2, 1)), roc_axes(figure, (1, 2, 2))
    if canvas.width < WIDTH_FOR_TICKS:
        whole.set(xticks=(0, 0.5, 1), yticks=(0, 0.5, 1))
    part.set(ylabel="", aspect="auto", box_aspect=1)
    _show(part, close)
    part.set_title(ENLARGED, loc="left", fontsize=SMALL_SIZE * canvas.font_size, color=SOFT)
    _frame(whole, close)
    return Charts([whole, part])


def _show(part: Axes, close: CloseUp) -> None:
    """Set the limits and the ticks of the enlarged part."""
    part.set(xlim=close.x, ylim=close.y)
    part.set(xticks=_ticks(*close.x), yticks=_ticks(*close.y))


def _ticks(low: float, high: float) -> list[float]:
    """Return a few ticks, none so near to a corner that its number would reach beyond it."""
    return [tick for tick in TICKS.tick_values(low, high) if EDGE < (tick - low) / (high - low) < 1 - EDGE]


def _frame(whole: Axes, close: CloseUp) -> None:
    """Frame the enlarged part in the whole chart."""
    (x0, x1), (y0, y1) = close.x, close.y
    whole.add_patch(Rectangle((x0, y0), x1 - x0, y1 - y0, fill=False, edgecolor=SOFT, linewidth=0.9, zorder=4.4))
