"""Lines on the ROC chart that are labelled with their value, on themselves or at the side of the chart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.patheffects import withStroke

from rocconf.dataclass import dataclass
from rocconf.plot import format as fmt
from rocconf.plot.axes import SQUARE_MARGIN
from rocconf.plot.colours import INK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from rocconf.compute.chi2_contours import Contour, Line
    from rocconf.plot.canvas import Canvas
    from rocconf.records import Floats

LABEL_SIZE = 0.78
"""The size of a label, as a share of the ordinary size."""

INNER = (0.1, 0.9)
"""The part of a straight line that can hold its label."""

FAR_ENOUGH, SPACING = 0.06, 0.01
"""The distance of a label from other lines that is enough, and between the points that it is measured at, as shares of
the chart."""

DIGIT = 0.64
"""The width of a digit, as a share of the label's size; a label has the space of one digit more."""

OFF_CHART = 0.8
"""The distance of labels at the side from the chart, as a share of the ordinary size."""


@dataclass(frozen=True, slots=True)
class Leader:
    """The line from the end of a contour to its label: to the edge of the chart, and so many points off it."""

    end: tuple[float, float]
    edge: tuple[float, float]
    off: tuple[float, float]
    colour: str


def label_at_top(axes: Axes, canvas: Canvas, branches: Sequence[Contour], colours: Sequence[str]) -> float:
    """Label upper branches where they meet the top; return the height of the labels in points."""
    texts = [fmt.compact(branch.chi2) for branch in branches]
    width = DIGIT * LABEL_SIZE * canvas.font_size * (1 + max(map(len, texts), default=0))
    ends = [float(branch.fpr[-1]) for branch in branches]
    rise = OFF_CHART * canvas.font_size
    for text, end, place, colour in zip(texts, ends, apart(ends, width / _side(canvas)), colours, strict=True):
        leader = Leader((end, 1.0), (place, 1 + SQUARE_MARGIN), (0.0, rise), colour)
        _label(axes, canvas, text, leader, ha="center", va="bottom")
    return rise + 1.3 * LABEL_SIZE * canvas.font_size if texts else 0.0


def label_at_right(axes: Axes, canvas: Canvas, branches: Sequence[Contour], colours: Sequence[str]) -> None:
    """Label lower branches where they meet the right side."""
    ends = [float(branch.tpr[-1]) for branch in branches]
    places = apart(ends, 1.15 * LABEL_SIZE * canvas.font_size / _side(canvas))
    for branch, end, place, colour in zip(branches, ends, places, colours, strict=True):
        leader = Leader((1.0, end), (1 + SQUARE_MARGIN, place), (OFF_CHART * canvas.font_size, 0.0), colour)
        _label(axes, canvas, fmt.compact(branch.chi2), leader, ha="left", va="center_baseline")


def draw_straight(
    axes: Axes, canvas: Canvas, lines: Sequence[Line], style: dict[str, Any], others: Sequence[Floats]
) -> list[Floats]:
    """Draw straight lines, each labelled where it is furthest from others; return the lines."""
    drawn = [np.column_stack([line.fpr, line.tpr]) for line in lines]
    taken = np.concatenate([dense(each) for each in others])
    for line, ends in zip(lines, drawn, strict=True):
        axes.plot(*ends.T, **style)
        place, text = furthest(ends, taken), fmt.compact(line.value)
        reach = DIGIT * LABEL_SIZE * canvas.font_size * len(text) / 2 / _side(canvas)
        axes.text(
            min(max(float(place[0]), reach), 1 - reach),  # beside a line on the edge, not across the edge
            float(place[1]),
            text,
            fontsize=LABEL_SIZE * canvas.font_size,
            color=style["color"],
            ha="center",
            va="center",
            path_effects=[withStroke(linewidth=3, foreground="white")],
            zorder=4,
        )
        taken = np.vstack([taken, place])
    return drawn


def furthest(ends: Floats, taken: Floats) -> Floats:
    """Return the point of a line that is furthest from points that are taken, apart from its ends."""
    share = np.linspace(*INNER, 41)[:, None]
    places = ends[0] + share * (ends[1] - ends[0])
    away = np.min(np.hypot(*(places[:, None] - taken).T), axis=0)
    # of those that are far enough, the one in the middle
    good = np.flatnonzero(away >= min(float(away.max()), FAR_ENOUGH))
    place: Floats = places[good[np.abs(good - 20).argmin()]]
    return place


def dense(line: Floats) -> Floats:
    """Return points all along a line of corners, a hundredth of the chart apart at most."""
    steps = np.hypot(*np.diff(line, axis=0).T)
    lengths = np.concatenate([[0], np.cumsum(steps)])
    at = np.linspace(0, lengths[-1], int(lengths[-1] / SPACING) + 2)
    return np.column_stack([np.interp(at, lengths, line[:, axis]) for axis in (0, 1)])


def apart(wanted: Sequence[float], gap: float) -> list[float]:
    """Move descending places down until they are a gap apart, the first at most at 1."""
    places: list[float] = []
    for place in wanted:
        places.append(min(place, places[-1] - gap if places else 1.0))
    return places


def _side(canvas: Canvas) -> float:
    """Return how many points wide a unit of the chart is, at its narrowest."""
    return 0.8 * min(canvas.size) * 72 / (1 + 2 * SQUARE_MARGIN)


def _label(axes: Axes, canvas: Canvas, text: str, line: Leader, **alignment: Any) -> None:
    """Write a label off the chart, with a line to the end of what it names."""
    thin: dict[str, Any] = {"color": line.colour, "linewidth": 0.7}
    axes.plot(*zip(line.end, line.edge, strict=True), **thin, clip_on=False, zorder=2)
    axes.annotate(
        text,
        line.edge,
        line.off,
        textcoords="offset points",
        fontsize=LABEL_SIZE * canvas.font_size,
        color=INK,
        arrowprops={"arrowstyle": "-", "shrinkA": 1, "shrinkB": 0, **thin},
        annotation_clip=False,
        **alignment,
    )
