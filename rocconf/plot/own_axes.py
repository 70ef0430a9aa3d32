"""A result drawn on axes that somebody else made, in a notebook say, or on a figure of its own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox, ScaledTranslation

from rocconf.errors import UsageError
from rocconf.plot.canvas import LARGEST_SIDE, SMALLEST_SIDE, Canvas
from rocconf.plot.draw import painted, results_to_paint
from rocconf.plot.figure import house_style
from rocconf.plot.kinds import KINDS, require_extras, require_figure_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from matplotlib.legend import Legend
    from matplotlib.text import Text

    from rocconf.answer import Result
    from rocconf.plot.draw import Painter

AXES_SHARE = 0.8
"""The share of the width of a figure that its axes have."""

UNDER = 0.05
"""The space in inches over a legend under the axes."""


def plot_result(
    result: Result,
    kind: str | None = None,
    ax: Axes | Iterable[Axes] | None = None,
    *,
    title: str | None,
    **extras: Any,
) -> Figure | Axes | Iterable[Axes]:
    """Draw a result, and return the new figure, or the axes that were passed.

    Parameters
    ----------
    result
        The result of an analysis.
    kind
        The kind of figure; None is the first of the command.
    ax
        The axes to draw on, several for a figure of several panels; None makes a figure.
    title
        The title; None names the model, and an empty one is left out.
    **extras
        The options of the kind.
    """
    kind = require_figure_kind(result.command, kind)
    require_extras(result.command, kind, extras)
    if ax is None:
        canvas = Canvas(title=title)
        with house_style(canvas):
            return painted([result], kind, canvas, **extras)
    panels = [ax] if isinstance(ax, Axes) else list(np.asarray(ax, dtype=object).ravel())
    canvas = _canvas_of(panels, title)
    figure_kind = KINDS[result.command][kind]
    painter = cast("Painter", import_module(figure_kind.module))
    results = results_to_paint(figure_kind.of_each_model, [result])
    with house_style(canvas):
        trial = TrialAxes(canvas)
        painter.paint(cast("Figure", trial), results, canvas, **extras)
        needed = sum(axes in trial.figure_axes for axes in trial.axes)
        if needed != len(panels):
            raise UsageError("panels", kind=kind, needed=needed)
        painter.paint(cast("Figure", OwnAxes(panels)), results, canvas, **extras)
    return ax


def _canvas_of(panels: Sequence[Axes], title: str | None) -> Canvas:
    """Return the canvas whose letters suit the size of some axes."""
    first = panels[0].get_window_extent()
    dpi = panels[0].figure.dpi
    width = min(max(min(first.width, first.height) / dpi / AXES_SHARE, SMALLEST_SIDE), LARGEST_SIDE / 2)
    return Canvas(width=width, dpi=100, title=title, is_part=True)


class OwnAxes:
    """The part of a figure that painters need, around axes that exist already.

    Painters ask it for panels and get these axes in turn; the figure's size and layout stay as they are.
    """

    def __init__(self, panels: Sequence[Axes]) -> None:
        self.axes = list(panels)
        self.legends: list[Legend] = []
        self._free: Iterator[Axes] = iter(panels)
        self._figure: Figure = panels[0].get_figure(root=True)  # type: ignore[assignment]  # never None of axes in use

    def _next(self) -> Axes | None:
        return next(self._free, None)

    def add_gridspec(self, down: int, across: int, **_: Any) -> range:
        """Return places, of which the order alone counts."""
        return range(down * across)

    def add_subplot(self, *_: Any, **settings: Any) -> Axes:
        """Return the next axes."""
        axes = self._next() or unseen_axes()
        axes.set(**settings)
        return axes

    def subplots(self, down: int = 1, across: int = 1, *, squeeze: bool = True, **_: Any) -> Any:
        """Return the next axes in rows; a place that has none gets axes which nobody sees."""
        found = np.empty((down, across), dtype=object)
        for at in range(down * across):
            found.flat[at] = self._next() or unseen_axes()
        return found[0, 0] if squeeze and found.size == 1 else found

    def legend(self, *args: Any, loc: str, **options: Any) -> Legend:  # noqa: ARG002  # there is one place for it
        """Add a legend under the last axes."""
        axes = self.axes[-1]
        self.draw_without_rendering()
        labels = axes.get_tightbbox() or axes.bbox
        # inches, not a share of the height: a layout engine makes room for the legend by lowering the axes
        down = (axes.get_window_extent().y0 - labels.y0) / self.dpi + UNDER
        under = axes.transAxes + ScaledTranslation(0, -down, self._figure.dpi_scale_trans)
        place: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0), "bbox_transform": under}
        self.legends = [axes.legend(*args, **place, borderaxespad=0.0, **options)]
        return self.legends[0]

    def suptitle(self, text: str, **_: Any) -> Text:
        """Set the title over the first axes."""
        return self.axes[0].set_title(text, loc="left")

    def supylabel(self, text: str, **_: Any) -> None:
        """Name the vertical axis of the first axes."""
        self.axes[0].set_ylabel(text)

    @property
    def dpi(self) -> float:
        """The dots per inch."""
        return float(self._figure.dpi)

    @property
    def bbox(self) -> Bbox:
        """The room of all axes."""
        return Bbox.union([axes.get_window_extent() for axes in self.axes])

    def get_size_inches(self) -> Any:
        """Return the size of the room."""
        return np.array(self.bbox.size) / self.dpi

    def set_size_inches(self, *_: float) -> None:
        """Keep the size: the figure is not ours."""

    def set_layout_engine(self, *_: str) -> None:
        """Keep the layout."""

    def draw_without_rendering(self) -> None:
        """Bring all places up to date."""
        self._figure.draw_without_rendering()


class TrialAxes(OwnAxes):
    """As many axes as a painter asks for, which nobody sees: to know their number before others are drawn on."""

    def __init__(self, canvas: Canvas) -> None:
        figure = Figure(figsize=canvas.size, dpi=canvas.dpi)
        super().__init__([figure.add_subplot()])
        self._figure = figure

    def _next(self) -> Axes | None:
        found = super()._next()
        if found is None:
            found = self._figure.add_subplot()
            self.axes.append(found)
        return found

    @property
    def figure_axes(self) -> list[Axes]:
        """The axes that the painter did not remove."""
        return self._figure.axes

    def draw_without_rendering(self) -> None:
        """Spare the time."""


def unseen_axes() -> Axes:
    """Return axes that are on no figure of anybody."""
    return Figure().add_subplot()
