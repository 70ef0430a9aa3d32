"""From results to a file: the one way a figure is made."""

from __future__ import annotations

import importlib
import json
from typing import TYPE_CHECKING, Any, Protocol, cast

from rocconf.plot.canvas import Canvas
from rocconf.plot.kinds import KINDS, require_extras, require_form, require_kind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from rocconf.answer import Result

CANVAS = Canvas()


class Painter(Protocol):
    """A module that paints a kind of figure."""

    def paint(self, figure: Figure, results: Sequence[Any], canvas: Canvas, **extras: Any) -> None:
        """Paint the results, one of each model, on an empty figure."""


def draw(
    results: Sequence[Result],
    kind: str | None,
    path: str | Path,
    canvas: Canvas = CANVAS,
    **extras: object,
) -> None:
    """Draw the results of one command and put the file in its place.

    Parameters
    ----------
    results
        One result for each model.
    kind
        The kind of figure (see `kinds`); None is the command's default.
    path
        Where to; its suffix (.png, .svg, .pdf) says in which form.
    canvas
        Size, resolution and title.
    **extras
        What else to show: `hull=True` adds the convex hull to `roc`; `accuracy_contours=(0.8, 0.9)` and
        `cost=(1, 10)`, of a false alarm and a miss, add lines to `contours`.
    """
    command = results[0].command
    kind, form = require_kind(command, kind), require_form(path)
    require_extras(command, kind, extras)
    from rocconf.plot.figure import house_style, new_figure, save, settle

    painter = cast("Painter", importlib.import_module(KINDS[command][kind].painter))
    with house_style(canvas):
        figure = new_figure(canvas)
        painter.paint(figure, results, canvas, **extras)
        settle(figure, free_height=canvas.height is None)
        save(figure, path, form, description=_description(results, kind, extras))


def _description(results: Sequence[Result], kind: str, extras: dict[str, object]) -> str:
    """Say, in JSON, how to make this figure again."""
    said = {"command": results[0].command, "plot": kind, **extras, "options": results[0].options}
    return json.dumps(said)
