"""Draw a result: png, svg or pdf, the same bytes every time.

matplotlib is imported when something is drawn, and by nothing else of rocconf. What cannot be drawn is refused without
it, before any input is read.
"""

from rocconf.plot.canvas import Canvas
from rocconf.plot.draw import draw
from rocconf.plot.kinds import KINDS, Drawing, FigureKind, drawing_of, kinds, require_figure_kind, require_form

__all__ = [
    "KINDS",
    "Canvas",
    "Drawing",
    "FigureKind",
    "draw",
    "drawing_of",
    "kinds",
    "require_figure_kind",
    "require_form",
]
