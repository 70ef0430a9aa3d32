"""The curves of models in any chart, each in its colour and line style."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.plot.colours import colour_of, line_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from rocconf.plot.legend import Entry
    from rocconf.records import Floats


def draw_curve(axes: Axes, line: Floats, model: int = 0, *, colour: str | None = None) -> Line2D:
    """Draw the curve of the k-th model, a column of x and one of y."""
    (drawn,) = axes.plot(*line.T, color=colour or colour_of(model), linestyle=line_of(model), zorder=3)
    return drawn


def draw_curves(axes: Axes, lines: Sequence[Floats], texts: Sequence[str]) -> list[Entry]:
    """Draw the curve of each model; return the entries of the legend."""
    return [(draw_curve(axes, line, model), text) for model, (line, text) in enumerate(zip(lines, texts, strict=True))]
