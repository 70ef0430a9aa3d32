"""Draw a result: png, svg or pdf, the same bytes every time.

matplotlib is imported when something is drawn, and by nothing else of rocconf. What cannot be drawn is refused without
it, before any input is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.plot.canvas import Canvas
from rocconf.plot.draw import draw
from rocconf.plot.kinds import KINDS, Drawing, FigureKind, drawing_of, kinds, require_figure_kind, require_form

if TYPE_CHECKING:
    from rocconf.plot.own_axes import plot_result

__all__ = [
    "KINDS",
    "Canvas",
    "Drawing",
    "FigureKind",
    "draw",
    "drawing_of",
    "kinds",
    "plot_result",
    "require_figure_kind",
    "require_form",
]


def __getattr__(name: str) -> Any:
    """Load what needs matplotlib where it is used."""
    if name != "plot_result":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rocconf.plot.own_axes import plot_result

    return plot_result
