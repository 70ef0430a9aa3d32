"""The house style, and files of figures that have the same bytes every time.

No global state is changed: figures are objects, and the settings hold inside `house_style` only. They start from
matplotlib's own defaults, so that nobody's matplotlibrc changes a figure.
"""

from __future__ import annotations

import os
import warnings
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from rocconf import __version__
from rocconf.plot.axes import SMALL_SIZE
from rocconf.plot.colours import GRID_GREY, INK, QUIET
from rocconf.report import replacing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rocconf.plot.canvas import Canvas

SOFTWARE = f"rocconf {__version__}"

STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": QUIET,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "figure.constrained_layout.h_pad": 0.08,
    "figure.constrained_layout.w_pad": 0.08,
    "font.family": "DejaVu Sans",  # ships with matplotlib
    "grid.color": GRID_GREY,
    "grid.linewidth": 0.6,
    "legend.borderaxespad": 0.8,
    "legend.edgecolor": GRID_GREY,
    "legend.fancybox": False,
    "legend.framealpha": 1.0,
    "lines.solid_capstyle": "round",
    "lines.solid_joinstyle": "round",
    "path.simplify": False,  # thinned before it is drawn
    "pdf.fonttype": 42,  # journals ask for outlines they can edit
    "svg.hashsalt": "rocconf",
    "text.color": INK,
    "text.parse_math": False,  # a model may be called a$b$
    "xtick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.color": QUIET,
    "ytick.labelcolor": INK,
}


@contextmanager
def house_style(canvas: Canvas) -> Iterator[None]:
    """Draw in the house style, and restore matplotlib's settings afterwards.

    Letters that the font lacks are drawn as boxes. matplotlib's warnings, one for each letter each time it is measured,
    add nothing to that, and another font would not give the same bytes everywhere.
    """
    size = canvas.font_size
    sizes: dict[Any, Any] = {
        "font.size": size,
        "axes.labelsize": size,
        "legend.fontsize": SMALL_SIZE * size,
        "legend.title_fontsize": SMALL_SIZE * size,
        "lines.linewidth": 0.18 * size,
        "lines.markersize": 0.75 * size,
        "xtick.labelsize": SMALL_SIZE * size,
        "ytick.labelsize": SMALL_SIZE * size,
    }
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from", category=UserWarning)
        mpl.rcdefaults()
        for key, value in (STYLE | sizes).items():
            mpl.rcParams[key] = value
        yield


class ShownFigure(Figure):
    """A figure that a notebook shows, also where nobody has imported pyplot."""

    def _repr_png_(self) -> bytes:
        room = BytesIO()
        self.savefig(room, format="png", dpi=self.dpi)
        return room.getvalue()


def new_figure(canvas: Canvas) -> Figure:
    """Return an empty figure."""
    figure = ShownFigure(figsize=canvas.size, dpi=canvas.dpi, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def finalize_layout(figure: Figure, *, free_height: bool) -> None:
    """Fix the layout, the same in every format; a free height becomes what the width needs.

    The axes are square: where they leave room at their sides, a greater height makes them wider too.
    """
    figure.draw_without_rendering()
    if free_height and [axes.get_aspect() for axes in figure.axes] == [1.0]:
        _fit(figure)
    elif free_height:
        (width, height), used = figure.get_size_inches(), figure.get_tightbbox()
        figure.set_size_inches(width, height + (width - used.width) - (height - used.height))
        figure.draw_without_rendering()
    figure.set_layout_engine("none")


def _fit(figure: Figure) -> None:
    """Widen the only, square axes to all the width that their labels leave, and fit the figure's height to them.

    The layout engine cannot: what it keeps free around axes depends on how much higher than they its room is.
    """
    (axes,), width = figure.axes, figure.get_size_inches()[0]
    square = axes.get_window_extent()
    whole = axes.get_tightbbox() or square
    across = mpl.rcParams["figure.constrained_layout.w_pad"]
    up = mpl.rcParams["figure.constrained_layout.h_pad"]
    left, right = across + (square.x0 - whole.x0) / figure.dpi, across + (whole.x1 - square.x1) / figure.dpi
    below, above = up + (square.y0 - whole.y0) / figure.dpi, up + (whole.y1 - square.y1) / figure.dpi
    below += sum(legend.get_window_extent().height / figure.dpi + up for legend in figure.legends)
    side = width - left - right
    height = below + side + above
    figure.set_layout_engine("none")
    figure.set_size_inches(width, height)
    axes.set_position((left / width, below / height, side / width, side / height))
    figure.draw_without_rendering()


def save_figure(figure: Figure, path: str | Path, form: str, *, description: str) -> None:
    """Write a figure as png, svg or pdf; its metadata has no date, but the description."""
    with replacing(path) as temporary, _without_source_date():
        figure.savefig(temporary, format=form, dpi=figure.dpi, metadata=_metadata(form, description))


@contextmanager
def _without_source_date() -> Iterator[None]:
    """Unset SOURCE_DATE_EPOCH, which matplotlib reads, and fails on if it is no date, also where no date is written."""
    date = os.environ.pop("SOURCE_DATE_EPOCH", None)
    try:
        yield
    finally:
        if date is not None:
            os.environ["SOURCE_DATE_EPOCH"] = date


def _metadata(form: str, description: str) -> dict[str, Any]:
    if form == "png":
        return {"Software": SOFTWARE, "Description": description}
    if form == "svg":
        return {"Creator": SOFTWARE, "Description": description, "Date": None}
    return {"Creator": SOFTWARE, "Producer": SOFTWARE, "Subject": description, "CreationDate": None}
