"""The ROC curves of each class against the rest, in one chart: a colour for each class, a line style for each model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.plot import format as fmt
from rocconf.plot.axes import add_title
from rocconf.plot.colours import LINE_STYLES, MODEL_COLOURS, colour_of
from rocconf.plot.legend import place_legend
from rocconf.plot.roc_space import roc_axes, roc_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from rocconf.compute.classes import OneVsRest
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.records import Floats


def paint(figure: Figure, results: Sequence[OneVsRest], canvas: Canvas) -> None:
    """Paint the curves of all classes that have cases."""
    (result,) = results
    axes = roc_axes(figure)
    models, several = result.models, len(result.models) > 1
    whose = "" if several else f": {fmt.name(models[0].name)}"
    add_title(axes, canvas, f"Each class against the rest{whose}", class_cases(result))
    entries: list[Entry] = []
    lines: list[Floats] = []
    names = fmt.shortened_names([each.name for each in result.units], fmt.LONGEST_NAME)
    for at, (each, name) in enumerate(zip(result.units, names, strict=True)):
        if each.counts is None or each.area is None:
            continue
        model, place = divmod(at, len(result.asked.classes))
        # of one model the style changes where the colours are used up
        style = model if several else place // len(MODEL_COLOURS)
        line = roc_line(each.counts)
        (drawn,) = axes.plot(*line.T, color=colour_of(place), linestyle=LINE_STYLES[style % len(LINE_STYLES)], zorder=3)
        entries.append((drawn, f"{name}  {fmt.auc_with_interval(each.area)}"))
        lines.append(line)
    level = f"{fmt.kind_name(result.asked.interval)}, {fmt.percent(result.asked.level)}"
    place_legend(figure, axes, canvas, entries, lines, title=f"AUC ({level})")


def class_cases(result: OneVsRest) -> str:
    """Return the number of cases and of classes."""
    return f"{len(result.cases):,} cases of {len(result.asked.classes)} classes"
