"""Sensibility and capability at every threshold, with the ROC curve beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.plot import format as fmt
from rocconf.plot.axes import add_figure_title
from rocconf.plot.chart_rows import add_legend, chart_rows, in_sight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from rocconf.compute.sensibility import Sensibility
    from rocconf.plot.canvas import Canvas


def paint(figure: Figure, results: Sequence[Sensibility], canvas: Canvas) -> None:
    """Paint a row of two charts for each model."""
    counts, several = [result.counts for result in results], len(results) > 1
    name = "" if several else f" of {fmt.name(counts[0].model)}"
    charts = chart_rows(figure, len(results))
    for chart, own_name, result in zip(charts, fmt.names(counts), results, strict=True):
        shown = chart.draw(result)
        own = [own_name] if several else []
        chart.caption(canvas, [*own, *_struggle(result)], [*own, *_area(result)])
    heading = add_figure_title(figure, canvas, f"Sensibility and capability{name}", fmt.cases(counts))
    entries = [
        (shown["sensibility"], "sensibility: accuracy on the sensible cases"),
        (shown["capability"], "capability: accuracy on the others"),
        *([(shown["midpoint"], "midpoint")] if any(map(in_sight, results)) else []),
        (shown["point"], "the midpoint as a threshold"),
    ]
    add_legend(figure, canvas, heading, entries, len(results))


def _struggle(result: Sensibility) -> list[str]:
    """Return the struggle ratio with its interval, and the midpoint."""
    interval = result.struggle_interval
    ratio, lower, upper = fmt.aligned([result.split.struggle_ratio, interval.lower, interval.upper])
    level = fmt.percent(result.auc.level)
    midpoint = f"midpoint {fmt.compact(result.split.midpoint)} ({result.midpoint.method})"
    outside = [] if result.interpretable else ["outside the scores: not interpretable"]
    return [f"struggle ratio {ratio} [{lower}, {upper}]", f"{result.interval_method}, {level}; {midpoint}", *outside]


def _area(result: Sensibility) -> list[str]:
    return [f"AUC {fmt.auc_with_interval(result.auc)}", fmt.auc_method(result.auc)]
