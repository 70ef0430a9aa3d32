"""Bradley's chart [1]_: ROC space with its lines of equal chi-square, and the curves of models on top.

Contours are labelled where they leave the chart, at the side on which they lie further apart: at the top where
positives are the rarer class, at the right where they are not. Off the chart labels can be moved apart, however
many contours crowd at the diagonal.

References
----------
.. [1] A. P. Bradley (1996), ROC curves and the chi-square test, Pattern Recognition Letters 17, 287-294.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.lines import Line2D

from rocconf.compute.chi2_contours import accuracy_line, cost_line, cost_lines, shared_totals
from rocconf.compute.roc.curve import curve
from rocconf.plot import format as fmt
from rocconf.plot.axes import head
from rocconf.plot.colours import SOFT, colour_of, line_of
from rocconf.plot.legend import place_legend
from rocconf.plot.lines import label_at_right, label_at_top, straight
from rocconf.plot.marks import draw_marks, draw_marks_of_many
from rocconf.plot.roc import drawn_rows, place_in, points, roc_axes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.chi2_contours import Chi2Contours, ClassTotals, ModelOnChart
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.records import Floats

GREYS = (0.66, 0.3)
"""The lightness of the least and of the largest level."""

MOST_P = 4
"""How many levels have their p told."""

ACCURACY: dict[str, Any] = {"color": SOFT, "linestyle": (0, (1, 2)), "linewidth": 1.2, "zorder": 2.2}
COST: dict[str, Any] = {"color": "#7f4a0b", "linestyle": (0, (7, 2, 1, 2)), "linewidth": 1.0, "zorder": 2.3}


def paint(
    figure: Figure,
    results: Sequence[Chi2Contours],
    canvas: Canvas,
    *,
    accuracy_contours: Sequence[float] = (),
    cost: Sequence[float] | None = None,
) -> None:
    """Paint the contours of one pair of class totals, and all models on them."""
    totals = shared_totals([result.totals for result in results])
    models = [result.scored for result in results if result.scored]
    axes = roc_axes(figure)
    above, of_contours = _contours(axes, canvas, results[0])
    curves, entries = _curves(axes, models)
    entries += [*of_contours, _null_point(axes, totals)]
    drawn = [*curves, *(np.column_stack([branch.fpr, branch.tpr]) for branch in results[0].contours)]
    taken = [*drawn, np.full((2, 2), totals.null_point)]
    if accuracy_contours:
        lines = [accuracy_line(totals, accuracy) for accuracy in accuracy_contours]
        drawn += straight(axes, canvas, lines, ACCURACY, taken)
        entries.append((Line2D([], [], **ACCURACY), "equal accuracy"))
    if cost:
        drawn += straight(axes, canvas, cost_lines(totals, of_alarm=cost[0], of_miss=cost[1]), COST, drawn + taken)
        entries.append((Line2D([], [], **COST), f"equal cost (false alarm {cost[0]:g}, miss {cost[1]:g})"))
        _touch(axes, totals, models, cost)
    head(axes, canvas, _title(models), fmt.cases([totals]), above=above)
    place_legend(figure, axes, canvas, entries, drawn)


def _title(models: Sequence[ModelOnChart]) -> str:
    if not models:
        return "Contours of χ²"
    of_one = f"ROC curve of {fmt.name(models[0].counts.model)}"
    return f"{of_one if len(models) == 1 else 'ROC curves'} on contours of χ²"


def _contours(axes: Axes, canvas: Canvas, result: Chi2Contours) -> tuple[float, list[Entry]]:
    """Draw both branches of every level, labelled; return the points taken over the axes, and the entries."""
    upper = [branch for branch in result.contours if branch.branch == "upper"]
    lower = [branch for branch in result.contours if branch.branch == "lower"]
    colours = [str(grey) for grey in np.linspace(*GREYS, max(len(upper), 2))]
    for branches in (upper, lower):
        for branch, colour in zip(branches, colours, strict=False):
            axes.plot(branch.fpr, branch.tpr, color=colour, linewidth=1.1, zorder=2)
    if not upper:
        return 0.0, []
    entry = (Line2D([], [], color=colours[len(upper) // 2], linewidth=1.1), _said_of(result))
    if result.totals.p < result.totals.q:
        return label_at_top(axes, canvas, upper, colours[: len(upper)]), [entry]
    label_at_right(axes, canvas, lower, colours[: len(lower)])
    return 0.0, [entry]


def _said_of(result: Chi2Contours) -> str:
    """Say what the contours mean, at a single threshold."""
    if result.has_small_expected_counts:
        return "equal χ² (small expected counts: no significance)"
    chances = ", ".join(fmt.number(p) for p in result.significance)
    return f"equal χ² (p {chances} for a single test)" if len(result.significance) <= MOST_P else "equal χ²"


def _null_point(axes: Axes, totals: ClassTotals) -> Entry:
    """Mark where predicting at random, as often positive as cases are, stands."""
    size = mpl.rcParams["lines.markersize"]
    style: dict[str, Any] = {"marker": "X", "linestyle": "none", "color": SOFT, "markeredgecolor": "white"}
    axes.plot(totals.null_point, totals.null_point, **style, markersize=size, zorder=4)
    where = fmt.number(totals.null_point)
    return Line2D([], [], **style, markersize=size), f"null point ({where}, {where})"


def _curves(axes: Axes, models: Sequence[ModelOnChart]) -> tuple[list[Floats], list[Entry]]:
    """Draw the models' ROC curves and operating points; return the curves, and the entries."""
    rocs = [curve(model.counts) for model in models]
    lines = [points(roc, drawn_rows(roc)) for roc in rocs]
    colours = [colour_of(at) for at in range(len(models))]
    entries: list[Entry] = []
    names = fmt.names([model.counts for model in models])
    largest = fmt.alike([model.max_chi2 for model in models])
    for at, (model, name, chi2, line) in enumerate(zip(models, names, largest, lines, strict=True)):
        (drawn,) = axes.plot(*line.T, color=colours[at], linestyle=line_of(at), zorder=3)
        entries.append((drawn, _said_of_model(model, name, chi2)))
    places = [place_in(roc) for roc in rocs]
    if len(models) == 1:
        return lines, entries + draw_marks(axes, models[0], places[0])
    return lines, entries + draw_marks_of_many(axes, models, places, colours)


def _said_of_model(model: ModelOnChart, name: str, chi2: str) -> str:
    """Say a model's largest chi-square, with the p that knows it is the largest."""
    said = f"{name}  largest χ² {chi2}"
    return said if model.max_chi2_p is None else f"{said}, permutation p {fmt.number(model.max_chi2_p)}"


def _touch(axes: Axes, totals: ClassTotals, models: Sequence[ModelOnChart], cost: Sequence[float]) -> None:
    """Draw the line of equal cost that touches the curve of a single model in its cheapest point."""
    of_alarm, of_miss = cost
    for point in models[0].points if len(models) == 1 else ():
        least = (of_alarm * point.fp + of_miss * (totals.p - point.tp)) / totals.n
        if point.rule.name == "cost" and [float(number) for number in point.rule.numbers] == list(cost) and least > 0:
            line = cost_line(totals, least, of_alarm=of_alarm, of_miss=of_miss)
            axes.plot(line.fpr, line.tpr, **COST)
