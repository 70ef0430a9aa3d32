"""The frames that figures are drawn in, and their headings."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.plot.colours import QUIET, SOFT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    from rocconf.plot.canvas import Canvas

ROOM = 0.02
"""What is left free around the unit square, so that a curve on its edge is seen whole."""

WIDTH_OF_LETTER = 0.62
"""The width of a bold letter, as a share of the font's size."""


def unit_square(figure: Figure, across: str, up: str, at: tuple[int, int, int] = (1, 1, 1)) -> Axes:
    """Add axes for two shares, equally scaled, at a place among panels."""
    axes = figure.add_subplot(*at)
    axes.set(xlim=(-ROOM, 1 + ROOM), ylim=(-ROOM, 1 + ROOM), xlabel=across, ylabel=up, aspect="equal")
    axes.set_xticks(np.linspace(0, 1, 6))
    axes.set_yticks(np.linspace(0, 1, 6))
    return axes


def head(axes: Axes, canvas: Canvas, title: str, subtitle: str = "", *, above: float = 0) -> None:
    """Put a title over the axes, the canvas's own if it has one, and a quiet line under it.

    `above` is how many points over the axes are taken.
    """
    said = title if canvas.title is None else canvas.title
    size, small, rise = 1.1 * canvas.font_size, 0.86 * canvas.font_size, 0.5 * canvas.font_size + above
    over: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "bottom"}
    under = _wrapped(subtitle, canvas, small)
    if under:
        axes.annotate("\n".join(under), (0, 1), (0, rise), fontsize=small, color=SOFT, **over)
        rise += small * (1.2 * len(under) + 0.5)
    if said:
        lines = "\n".join(_wrapped(said, canvas, size))
        axes.annotate(lines, (0, 1), (0, rise), fontsize=size, fontweight="bold", **over)


def head_panels(figure: Figure, canvas: Canvas, title: str, subtitle: str = "") -> Text:
    """Put a title over several panels, the canvas's own if it has one, and quiet lines under it."""
    said = title if canvas.title is None else canvas.title
    size, small = 1.1 * canvas.font_size, 0.86 * canvas.font_size
    bold, quiet = (_wrapped_over_all(text, canvas, high) for text, high in ((said, size), (subtitle, small)))
    if not bold:
        return figure.suptitle("\n".join(quiet), x=0.01, ha="left", size=small, color=SOFT)
    # empty lines keep the room for the quiet ones, which stand on the lower edge of the title
    over = figure.suptitle("\n".join([*bold, *("" for _ in quiet)]), x=0.01, ha="left", size=size, weight="bold")
    under = figure.axes[0].annotate(
        "\n".join(quiet), (0, 0), xycoords=over, va="bottom", size=small, color=SOFT, annotation_clip=False
    )
    under.set_in_layout(False)
    return over


def _wrapped(text: str, canvas: Canvas, size: float) -> list[str]:
    """Cut a text into lines that are no longer than the axes are wide, at their narrowest."""
    return textwrap.wrap(text, int(0.8 * min(canvas.size) * 72 / (WIDTH_OF_LETTER * size)))


def _wrapped_over_all(text: str, canvas: Canvas, size: float) -> list[str]:
    """Cut a text into lines that are no longer than the figure is wide."""
    return textwrap.wrap(text, int(0.92 * canvas.width * 72 / (0.9 * WIDTH_OF_LETTER * size)))


def wrapped_small(text: str, canvas: Canvas) -> list[str]:
    """Cut a small text into lines that are no longer than the figure is wide."""
    return _wrapped_over_all(text, canvas, 0.86 * canvas.font_size)


def diagonal(axes: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Draw the line of a model that guesses."""
    axes.plot(*zip(start, end, strict=True), color=QUIET, linewidth=0.9, linestyle=(0, (5, 4)), zorder=1.5)
