"""The legend, in an empty corner of the chart or under it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from matplotlib.path import Path

from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.transforms import Bbox

    from rocconf.plot.canvas import Canvas
    from rocconf.records import Floats

    Entry = tuple[Artist, str]
    Corner = Literal["lower right", "upper left", "lower left", "upper right", "center left", "center", "center right"]

CLEARANCE = 6
"""The distance from a curve in points: its marks have a width."""

MOST_COLUMNS = 3
LEAST_HEIGHT = 2.0
"""The height in inches that a chart needs over its legend."""


def place_legend(
    figure: Figure,
    axes: Axes,
    canvas: Canvas,
    entries: Sequence[Entry],
    curves: Sequence[Floats],
    *,
    title: str = "",
    corners: Sequence[Corner] = ("lower right", "upper left"),
) -> None:
    """Add a legend in the first corner that no curve passes through, or else under the axes.

    A curve is a column of x and one of y. Without entries and title there is no legend.
    """
    if not entries and not title:
        return
    legend = axes.legend([artist for artist, _ in entries], ["-"] * len(entries), title=title, alignment="left")
    _set_texts(legend, entries)
    legend.set_in_layout(False)  # one that fits needs no room, one that does not is removed
    for corner in corners:
        legend.set_loc(corner)
        figure.draw_without_rendering()
        if _is_clear(figure, axes, legend.get_window_extent(), curves):
            return
    legend.remove()
    legend_under(figure, canvas, entries, title=title)


def _is_clear(figure: Figure, axes: Axes, box: Bbox, curves: Sequence[Floats]) -> bool:
    """Whether a box lies in the axes and away from all curves."""
    room = box.padded(CLEARANCE * figure.dpi / 72)
    if not (axes.bbox.x0 <= box.x0 and box.x1 <= axes.bbox.x1):
        return False
    if not (axes.bbox.y0 <= box.y0 and box.y1 <= axes.bbox.y1):
        return False
    lines = (Path(axes.transData.transform(curve)) for curve in curves)
    return not any(line.intersects_bbox(room, filled=False) for line in lines)


def legend_under(figure: Figure, canvas: Canvas, entries: Sequence[Entry], *, title: str = "") -> None:
    """Add the legend under the axes, in as many columns as there is room for; a free height grows by it."""
    for columns in range(min(MOST_COLUMNS, max(len(entries), 1)), 0, -1):
        legend = figure.legend(
            [artist for artist, _ in entries],
            ["-"] * len(entries),
            title=title,
            loc="outside lower center",
            ncols=columns,
            frameon=False,
            alignment="left",
        )
        _set_texts(legend, entries)
        box = legend.get_window_extent()
        if columns == 1 or box.width <= figure.bbox.width:
            break
        legend.remove()
    width, height = figure.get_size_inches()
    if canvas.height is None:
        figure.set_size_inches(width, height + box.height / figure.dpi)
    elif height - box.height / figure.dpi < LEAST_HEIGHT:
        raise UsageError("no-room-for-legend", width=width, height=height, lines=len(entries))


def _set_texts(legend: Legend, entries: Sequence[Entry]) -> None:
    """Set the texts of a finished legend: matplotlib omits labels that start with an underscore."""
    for text, (_, label) in zip(legend.get_texts(), entries, strict=True):
        text.set_text(label)
