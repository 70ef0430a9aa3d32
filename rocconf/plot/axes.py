"""The axes of figures, and their titles."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.plot import format as fmt
from rocconf.plot.colours import QUIET, SOFT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    from rocconf.plot.canvas import Canvas

SQUARE_MARGIN = 0.02
"""The space around the unit square, so that a curve on its edge is whole."""

LETTER = 0.62
"""The width of a bold letter, as a share of the font's size."""

TITLE_SIZE, SMALL_SIZE = 1.1, 0.86
"""The sizes of titles and of small text, as shares of the ordinary size."""

FIGURE_WIDTH = 0.92
"""The most that a line of text takes of the figure's width."""

PANEL_WIDTH = 0.4
"""The width of one of two panels, as a share of the figure's width."""


def unit_square(figure: Figure, across: str, up: str, at: tuple[int, int, int] = (1, 1, 1)) -> Axes:
    """Add axes for two shares, equally scaled, at a place among panels."""
    axes = figure.add_subplot(*at)
    limits = -SQUARE_MARGIN, 1 + SQUARE_MARGIN
    axes.set(xlim=limits, ylim=limits, xlabel=across, ylabel=up, aspect="equal")
    axes.set_xticks(np.linspace(0, 1, 6))
    axes.set_yticks(np.linspace(0, 1, 6))
    return axes


def diagonal(axes: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Draw the line of random guessing."""
    axes.plot(*zip(start, end, strict=True), color=QUIET, linewidth=0.9, linestyle=(0, (5, 4)), zorder=1.5)


def add_title(axes: Axes, canvas: Canvas, title: str, subtitle: str = "", *, above: float = 0) -> None:
    """Add a title over the axes, or the canvas's own if it has one, and a small line under it.

    `above` is the height in points of what stands on the axes.
    """
    title = _chosen(canvas, title)
    size, small = TITLE_SIZE * canvas.font_size, SMALL_SIZE * canvas.font_size
    rise = 0.5 * canvas.font_size + above
    over: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "bottom"}
    under = _wrapped_over_axes(subtitle, canvas, small)
    if under:
        axes.annotate("\n".join(under), (0, 1), (0, rise), fontsize=small, color=SOFT, **over)
        rise += small * (1.2 * len(under) + 0.5)
    if title:
        lines = "\n".join(_wrapped_over_axes(title, canvas, size))
        axes.annotate(lines, (0, 1), (0, rise), fontsize=size, fontweight="bold", **over)


def add_figure_title(figure: Figure, canvas: Canvas, title: str, subtitle: str = "") -> Text:
    """Add a title over several panels, or the canvas's own if it has one, and small lines under it."""
    title = _chosen(canvas, title)
    size, small = TITLE_SIZE * canvas.font_size, SMALL_SIZE * canvas.font_size
    if canvas.is_part:
        first = figure.axes[0]
        above = 1.2 * float(first.title.get_fontsize()) * len(first.get_title(loc="left").splitlines())
        add_title(first, canvas, title, subtitle, above=above)
        return first.title
    bold = textwrap.wrap(title, letters_in(FIGURE_WIDTH * canvas.width, size))
    quiet = wrapped_small(subtitle, canvas)
    if not bold:
        return figure.suptitle("\n".join(quiet), x=0.01, ha="left", size=small, color=SOFT)
    # empty lines reserve the space of the small ones, which stand on the lower edge of the title
    over = figure.suptitle("\n".join([*bold, *("" for _ in quiet)]), x=0.01, ha="left", size=size, weight="bold")
    under = figure.axes[0].annotate(
        "\n".join(quiet), (0, 0), xycoords=over, va="bottom", size=small, color=SOFT, annotation_clip=False
    )
    under.set_in_layout(False)
    return over


def _chosen(canvas: Canvas, title: str) -> str:
    """Return the canvas's own title if it has one."""
    return title if canvas.title is None else fmt.plain(" ".join(canvas.title.split()))


def add_title_over(figure: Figure, panels: Sequence[Axes], canvas: Canvas, title: str, subtitle: str) -> None:
    """Add a title over one panel or several."""
    if len(panels) == 1:
        add_title(panels[0], canvas, title, subtitle)
    else:
        add_figure_title(figure, canvas, title, subtitle)


def letters_in(inches: float, size: float, *, letter: float = LETTER) -> int:
    """Return how many letters of a size fit into a width."""
    return int(inches * 72 / (letter * size))


def letters_over_panel(canvas: Canvas) -> int:
    """Return how many letters of ordinary size fit over one of two panels."""
    return letters_in(PANEL_WIDTH * canvas.width, canvas.font_size)


def wrapped_small(text: str, canvas: Canvas) -> list[str]:
    """Break a small text into lines that are no longer than the figure is wide."""
    return textwrap.wrap(
        text, letters_in(FIGURE_WIDTH * canvas.width, SMALL_SIZE * canvas.font_size, letter=0.9 * LETTER)
    )


def _wrapped_over_axes(text: str, canvas: Canvas, size: float) -> list[str]:
    """Break a text into lines that are no longer than the axes are wide, at their narrowest."""
    return textwrap.wrap(text, letters_in(0.8 * min(canvas.size), size))
