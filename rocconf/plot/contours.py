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

from rocconf.compute.chi2_contours import accuracy_line, contour, cost_line, cost_lines, shared_totals
from rocconf.compute.roc.given_point import APPROXIMATE
from rocconf.compute.roc.operating import cost_rule, parse_costs
from rocconf.compute.stats.confusion import Confusion
from rocconf.plot import format as fmt
from rocconf.plot.axes import add_title
from rocconf.plot.colours import INK, MODEL_COLOURS, SOFT, marker_of
from rocconf.plot.labelled_lines import draw_straight, label_at_right, label_at_top
from rocconf.plot.legend import place_legend
from rocconf.plot.marks import draw_marks
from rocconf.plot.model_curves import draw_curves
from rocconf.plot.roc_space import roc_axes, roc_line, roc_point_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.chi2_contours import Chi2Contours, ClassTotals, ModelOnChart
    from rocconf.compute.roc.costs import Costs
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.records import Floats

GREYS = (0.66, 0.3)
"""The lightness of the least and of the largest level."""

MOST_P = 4
"""The number of levels up to which the legend lists their p."""

GIVEN_POINT = MODEL_COLOURS[1]

ACCURACY: dict[str, Any] = {"color": SOFT, "linestyle": (0, (1, 2)), "linewidth": 1.2, "zorder": 2.2}
COST: dict[str, Any] = {"color": "#7f4a0b", "linestyle": (0, (7, 2, 1, 2)), "linewidth": 1.0, "zorder": 2.3}


def paint(
    figure: Figure,
    results: Sequence[Chi2Contours],
    canvas: Canvas,
    *,
    accuracy_contours: Sequence[float] = (),
    cost: str | None = None,
) -> None:
    """Paint the contours of one pair of class totals, and all models on them."""
    totals = shared_totals([result.totals for result in results])
    models = [result.scored for result in results if result.scored]
    axes = roc_axes(figure)
    above, of_contours = _draw_contours(axes, canvas, results[0])
    curves, entries = _draw_models(axes, models)
    entries += [*of_contours, _draw_null_point(axes, totals)]
    drawn = [*curves, *(np.column_stack([branch.fpr, branch.tpr]) for branch in results[0].contours)]
    taken = [*drawn, np.full((2, 2), totals.null_point)]
    if accuracy_contours:
        accuracies = [accuracy_line(totals, accuracy) for accuracy in accuracy_contours]
        drawn += draw_straight(axes, canvas, accuracies, ACCURACY, taken)
        entries.append((Line2D([], [], **ACCURACY), "equal accuracy"))
    costs = parse_costs(cost)
    if costs:
        lines = cost_lines(totals, **_at_own_prevalence(totals, costs))
        drawn += draw_straight(axes, canvas, lines, COST, drawn + taken)
        entries.append((Line2D([], [], **COST), _cost_text(costs)))
        _draw_least_cost(axes, totals, models, costs)
    entries += _draw_given(axes, results[0])
    add_title(axes, canvas, _title(models), fmt.cases([totals]), above=above)
    place_legend(figure, axes, canvas, entries, drawn)


def _title(models: Sequence[ModelOnChart]) -> str:
    if not models:
        return "Contours of χ²"
    of_one = f"ROC curve of {fmt.name(models[0].counts.model)}"
    return f"{of_one if len(models) == 1 else 'ROC curves'} on contours of χ²"


def _draw_contours(axes: Axes, canvas: Canvas, result: Chi2Contours) -> tuple[float, list[Entry]]:
    """Draw both branches of every level, labelled; return the height of labels over the axes, and the entries."""
    upper = [branch for branch in result.contours if branch.branch == "upper"]
    lower = [branch for branch in result.contours if branch.branch == "lower"]
    colours = [str(grey) for grey in np.linspace(*GREYS, max(len(upper), 2))]
    for branches in (upper, lower):
        for branch, colour in zip(branches, colours, strict=False):
            axes.plot(branch.fpr, branch.tpr, color=colour, linewidth=1.1, zorder=2)
    if not upper:
        return 0.0, []
    entry = (Line2D([], [], color=colours[len(upper) // 2], linewidth=1.1), _contours_text(result))
    if result.totals.p < result.totals.q:
        return label_at_top(axes, canvas, upper, colours[: len(upper)]), [entry]
    label_at_right(axes, canvas, lower, colours[: len(lower)])
    return 0.0, [entry]


def _contours_text(result: Chi2Contours) -> str:
    """Return the meaning of the contours, for a single threshold."""
    if result.has_small_expected_counts:
        return "equal χ² (small expected counts: no significance)"
    levels = ", ".join(fmt.compact(p) for p in result.significance)
    return f"equal χ² (p {levels} for a single test)" if len(result.significance) <= MOST_P else "equal χ²"


def _draw_null_point(axes: Axes, totals: ClassTotals) -> Entry:
    """Mark the point of random guessing at the prevalence."""
    size = mpl.rcParams["lines.markersize"]
    style: dict[str, Any] = {"marker": "X", "linestyle": "none", "color": SOFT, "markeredgecolor": "white"}
    axes.plot(totals.null_point, totals.null_point, **style, markersize=size, zorder=4)
    where = fmt.compact(totals.null_point)
    return Line2D([], [], **style, markersize=size), f"null point ({where}, {where})"


def _draw_given(axes: Axes, result: Chi2Contours) -> list[Entry]:
    """Mark the points that were given, each on the branch of its contour; return their entries."""
    entries: list[Entry] = []
    size = 1.3 * mpl.rcParams["lines.markersize"]
    for at, point in enumerate(result.points):
        where = float(point.fpr), float(point.tpr)
        if 0 < point.chi2 < result.totals.n:
            branch = contour(result.totals, point.chi2)[point.tpr < point.fpr]
            axes.plot(branch.fpr, branch.tpr, color=INK, linewidth=0.9, linestyle=(0, (4, 2)), zorder=2.1)
        style: dict[str, Any] = {"marker": marker_of(at + 1), "linestyle": "none", "color": GIVEN_POINT}
        style |= {"markeredgecolor": "white", "markersize": size, "clip_on": False}
        axes.plot(*where, **style, zorder=5)
        how = ", approximate" if point.p_method == APPROXIMATE else " (Fisher)" if point.p_method == "fisher" else ""
        text = f"({fmt.compact(where[0])}, {fmt.compact(where[1])})  χ² {fmt.compact(point.chi2)}, p {fmt.p(point.p_value)}{how}"
        entries.append((Line2D([], [], **style), text))
    return entries


def _draw_models(axes: Axes, models: Sequence[ModelOnChart]) -> tuple[list[Floats], list[Entry]]:
    """Draw the models' ROC curves and operating points; return the curves, and the entries."""
    counts = [model.counts for model in models]
    lines = [roc_line(each) for each in counts]
    largest = fmt.aligned([model.max_chi2 for model in models])
    texts = [_model_text(*each) for each in zip(models, fmt.names(counts), largest, strict=True)]
    entries = draw_curves(axes, lines, texts)
    return lines, entries + draw_marks(axes, models, [roc_point_of(each) for each in counts])


def _model_text(model: ModelOnChart, name: str, chi2: str) -> str:
    """Return a model's largest chi-square, with the p that takes into account that it is the largest."""
    text = f"{name}  largest χ² {chi2}"
    return text if model.max_chi2_p is None else f"{text}, permutation p {fmt.compact(model.max_chi2_p)}"


def _cost_text(costs: Costs) -> str:
    text = f"equal cost (false alarm {float(costs.false_positive):g}, miss {float(costs.false_negative):g}"
    return f"{text})" if costs.prevalence is None else f"{text}, prevalence {float(costs.prevalence):g})"


def _at_own_prevalence(totals: ClassTotals, costs: Costs) -> dict[str, float]:
    """Return the costs that weigh the errors of these totals as the costs do at their own prevalence."""
    of_misses, of_alarms = costs.weights(totals.p, totals.q)
    return {"cost_fp": float(of_alarms * totals.n / totals.q), "cost_fn": float(of_misses * totals.n / totals.p)}


def _draw_least_cost(axes: Axes, totals: ClassTotals, models: Sequence[ModelOnChart], costs: Costs) -> None:
    """Draw the line of equal cost that touches the curve of a single model in its cheapest point."""
    for point in models[0].points if len(models) == 1 else ():
        matrix = Confusion(np.array([point.tp]), np.array([point.fp]), totals.p, totals.q)
        least = float(costs.of(matrix)[0])
        if point.rule.meaning == cost_rule(costs).meaning and least > 0:
            line = cost_line(totals, least, **_at_own_prevalence(totals, costs))
            axes.plot(line.fpr, line.tpr, **COST)
