"""Draw the results of a command and write the figure to a file."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from rocconf.plot.canvas import Canvas
from rocconf.plot.kinds import KINDS, require_extras, require_figure_kind, require_form

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
    """Draw the results of one command and write the file.

    Parameters
    ----------
    results
        One result for each model.
    kind
        The kind of figure (see `kinds`); None is the kind by which the file is called, or else the command's default.
    path
        The file to write; its suffix (.png, .svg, .pdf) is its format.
    canvas
        Size, resolution and title.
    **extras
        The options of the kind: `hull=True` adds the convex hull to `roc`, and `regions=True` names its regions; `accuracy_contours=(0.8, 0.9)` and
        `cost='1:10'`, of a false alarm and a miss, add lines to `contours`.
    """
    command = results[0].command
    kind, form = require_figure_kind(command, kind, path), require_form(path)
    require_extras(command, kind, extras)
    from rocconf.plot.figure import house_style, save_figure

    with house_style(canvas):
        figure = painted(results, kind, canvas, **extras)
        save_figure(figure, path, form, description=_description(results, kind, extras))


def painted(results: Sequence[Result], kind: str, canvas: Canvas, **extras: object) -> Figure:
    """Return the figure, laid out; the house style must be set."""
    from rocconf.plot.figure import finalize_layout, new_figure

    figure_kind = KINDS[results[0].command][kind]
    painter = cast("Painter", import_module(figure_kind.module))
    figure = new_figure(canvas)
    painter.paint(figure, results_to_paint(figure_kind.of_each_model, results), canvas, **extras)
    finalize_layout(figure, free_height=canvas.height is None)
    return figure


def results_to_paint(of_each_model: str, results: Sequence[Any]) -> Sequence[Any]:
    """Return what a painter takes: the results, or that of each model of a comparison."""
    return [getattr(model, of_each_model) for model in results[0].models] if of_each_model else results


def _description(results: Sequence[Result], kind: str, extras: dict[str, object]) -> str:
    """Return, as JSON, what it takes to draw this figure again."""
    return json.dumps({"command": results[0].command, "plot": kind, **extras, "options": results[0].options})
