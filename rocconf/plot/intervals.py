"""The error difference and its interval against the threshold, a panel for each model.

It is drawn like Figures 1, 7 and 8 of [1]_: all points, or the confident ones only, whose intervals contain 0. Few
points have a bar each; many have a band, in steps, since a threshold between two scores decides as the next score does.

References
----------
.. [1] W. Elazmeh, N. Japkowicz, S. Matwin (2006), A framework for comparative evaluation of classifiers in the
   presence of class imbalance, ROCML at ICML.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from rocconf.dataclass import dataclass
from rocconf.plot import format as fmt
from rocconf.plot.axes import SQUARE_MARGIN, add_title_over, letters_over_panel
from rocconf.plot.colours import MODEL_COLOURS, QUIET, SOFT
from rocconf.plot.confident import legend_title
from rocconf.plot.marks import look_like_probabilities
from rocconf.plot.thin import evenly_along

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.tango import ConfidentSegment
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.thin import Picked
    from rocconf.records import Floats

CONFIDENT, OTHER, MARGIN = MODEL_COLOURS[0], QUIET, MODEL_COLOURS[1]
MOST_BARS = 150
"""The number of points up to which each has a bar."""

PANEL_HEIGHT = {1: 0.62, 2: 0.4}
"""The height of one panel and of one beside another, as a share of the figure's width."""

LINE_IN_BAND = 0.6
"""The width of the line in a band, as a share of others."""

SEEN = 0.03
"""The share of a panel's height from which half an interval can be seen well."""

REACHES, ALL_SHOWN = 4.0, 0.35
"""How far from 0 to show what is enlarged, in halves of intervals, and the share of all differences from which that
would enlarge too little."""

BESIDE, LEAST_BESIDE = 0.08, 0.01
"""The space beside the enlarged thresholds, as a share of their range and at the least of the whole."""

FARTHEST = 1e150
"""The largest absolute threshold that matplotlib can place on an axis."""

DIFFERENCE = f"(missed {fmt.MINUS} false alarms) / n"


@dataclass(frozen=True, slots=True, eq=False)
class ErrorDifferences:
    """Some thresholds, ascending, with the difference and its limits (NaN where the test has none)."""

    thresholds: Floats
    diff: Floats
    lower: Floats
    upper: Floats


@dataclass(frozen=True, slots=True)
class NearZero:
    """The part to enlarge: its rows, its thresholds, and how far from 0 it reaches."""

    rows: range
    thresholds: tuple[float, float]
    reach: float


@dataclass(frozen=True, slots=True)
class View:
    """What a panel shows: a model, whole or enlarged."""

    result: ConfidentSegment
    title: str = ""
    near: NearZero | None = None


def paint(figure: Figure, results: Sequence[ConfidentSegment], canvas: Canvas, *, only_confident: bool = False) -> None:
    """Paint one model or several, all points or the confident ones only.

    Where intervals would be too short to see, one model has a second, enlarged panel of the differences around 0, and
    of several models only these are drawn.
    """
    views = _views(results, canvas, only_confident=only_confident)
    panels = _panels(figure, views, canvas)
    single = len(results) == 1
    heading = "Error difference" + (f" of {fmt.name(results[0].counts.model)}" if single else "") + " by threshold"
    subtitle = [fmt.cases([result.counts for result in results])]
    subtitle += ["confident points"] if only_confident else []
    subtitle += ["differences near 0"] if views[0].near else []
    add_title_over(figure, panels, canvas, heading, "; ".join(filter(None, subtitle)))
    legend: dict[str, Artist] = {}
    for axes, view in zip(panels, views, strict=True):
        legend |= _draw_panel(axes, view, only_confident=only_confident)
    if single:
        _frame(panels[0], views[-1].near)
    title = legend_title(results[0]) + (" (it has no interval)" if results[0].test.no_interval else "")
    figure.legend(list(legend.values()), list(legend), title=title, loc="outside lower center", ncols=3, frameon=False)


def _views(results: Sequence[ConfidentSegment], canvas: Canvas, *, only_confident: bool) -> list[View]:
    """Return what the panels show."""
    near = [] if only_confident else near_zero(results)
    if len(results) > 1:
        names = fmt.names([result.counts for result in results], letters_over_panel(canvas))
        views = [View(result, name) for result, name in zip(results, names, strict=True)]
        return [replace(view, near=part) for view, part in zip(views, near, strict=True)] if near else views
    if not near:
        return [View(results[0])]
    return [View(results[0], "all thresholds"), View(results[0], "the framed part", near[0])]


def near_zero(results: Sequence[ConfidentSegment]) -> list[NearZero]:
    """Return what to enlarge in each model; nothing if its intervals can be seen anyway, or it has none."""
    if any(result.test.no_interval for result in results):
        return []
    rows = [_drawable(result, range(len(result.curve))) for result in results]
    if not all(map(len, rows)):
        return []
    differences = [_differences(result, own) for result, own in zip(results, rows, strict=True)]
    halves = [_half_at_zero(*each) for each in zip(results, rows, differences, strict=True)]
    shown = max(each.max() for each in differences) - min(each.min() for each in differences) + 2 * max(halves)
    if min(halves) >= SEEN * shown or max(halves) * REACHES >= ALL_SHOWN * shown:
        return []
    return [_near(*each, REACHES * max(halves)) for each in zip(results, rows, differences, strict=True)]


def _differences(result: ConfidentSegment, rows: Picked) -> Floats:
    """Return the differences at some rows; they fall along the curve."""
    m = result.curve.confusion(rows)
    differences: Floats = (m.fn - m.fp) / m.n
    return differences


def _half_at_zero(result: ConfidentSegment, rows: Picked, differences: Floats) -> float:
    """Return half the length of the interval at the difference nearest to 0."""
    nearest = rows[[np.abs(differences).argmin()]]
    limits = result.test.limits(result.curve.confusion(nearest), result.level)
    return float(limits.upper[0] - limits.lower[0]) / 2


def _near(result: ConfidentSegment, rows: Picked, differences: Floats, reach: float) -> NearZero:
    """Return the part within reach of 0, or else around the difference nearest to 0."""
    reach = max(reach, 1.2 * float(np.abs(differences).min()))
    near = rows[np.abs(differences) <= reach]
    thresholds = result.curve.thresholds
    low, high = sorted((float(thresholds[near[0]]), float(thresholds[near[-1]])))
    every = abs(float(thresholds[rows[-1]]) / 2 - float(thresholds[rows[0]]) / 2)
    room = max(BESIDE * (high - low), LEAST_BESIDE * every) or 1.0
    beside = rows[(thresholds[rows] >= low - room) & (thresholds[rows] <= high + room)]
    # one row more at each side, so that lines leave the panel
    seen = range(max(int(beside[0]) - 1, int(rows[0])), min(int(beside[-1]) + 1, int(rows[-1])) + 1)
    return NearZero(seen, (low - room, high + room), reach)


def _panels(figure: Figure, views: Sequence[View], canvas: Canvas) -> list[Axes]:
    """Add a panel for each view; whole models whose scores are probabilities share their axis."""
    across = 1 if len(views) == 1 else 2
    down = ceil(len(views) / across)
    if canvas.height is None:
        figure.set_size_inches(canvas.width, canvas.width * (0.25 + down * PANEL_HEIGHT[across]))
    probabilities = all(look_like_probabilities(view.result.counts) for view in views)
    alike = len({view.near is None for view in views}) == 1
    sharex = probabilities and not any(view.near for view in views)
    grid = figure.subplots(down, across, sharex=sharex, sharey=alike, squeeze=False)
    panels: list[Axes] = list(grid.ravel()[: len(views)])
    for axes in grid.ravel()[len(views) :]:
        axes.remove()
    for at, (axes, view) in enumerate(zip(panels, views, strict=True)):
        axes.axhline(0, color=SOFT, linewidth=0.8, zorder=2)
        if probabilities:
            axes.set_xlim(-SQUARE_MARGIN, 1 + SQUARE_MARGIN)
        if at + across >= len(views):
            axes.tick_params(labelbottom=True)
            axes.set_xlabel("Threshold")
        axes.set_title(view.title, loc="left", fontsize=canvas.font_size)
    if alike and len(views) > 1:
        figure.supylabel(DIFFERENCE, fontsize=canvas.font_size)
    else:
        panels[0].set_ylabel(DIFFERENCE)
    return panels


def _draw_panel(axes: Axes, view: View, *, only_confident: bool) -> dict[str, Artist]:
    """Draw one model; return the artists of the legend by their labels."""
    result, near = view.result, view.near
    every = result.confident if only_confident else range(len(result.curve)) if near is None else near.rows
    bars = len(every) <= MOST_BARS
    legend: dict[str, Artist] = {}
    if not only_confident:
        legend |= _draw_run(axes, result, every, OTHER, "not confident", bars=bars)
    legend |= _draw_run(axes, result, result.confident, CONFIDENT, "confident", bars=bars)
    if not result.confident:
        axes.text(0.5, 0.75, "no confident point", transform=axes.transAxes, ha="center", va="center", color=SOFT)
    if near is None:
        _count_far_out(axes, result, every)
    else:
        axes.set(xlim=near.thresholds, ylim=(-near.reach, near.reach))
        axes.xaxis.set_major_locator(MaxNLocator(nbins=4))
    if result.margin is not None:
        for margin in (-result.margin, result.margin):
            line = axes.axhline(margin, color=MARGIN, linestyle=":", zorder=2)
        legend[f"margin ±{result.margin:g}"] = line
    return legend


def _frame(axes: Axes, near: NearZero | None) -> None:
    """Frame the enlarged part in the whole chart."""
    if near is not None:
        (left, right), reach = near.thresholds, near.reach
        axes.add_patch(
            Rectangle((left, -reach), right - left, 2 * reach, fill=False, edgecolor=SOFT, linewidth=0.9, zorder=6)
        )


def _count_far_out(axes: Axes, result: ConfidentSegment, every: range) -> None:
    """Write how many points have no place."""
    far_out = len(range(max(every.start, 1), every.stop)) - len(_drawable(result, every))
    if far_out:
        small = mpl.rcParams["legend.fontsize"]
        axes.set_title(f"{far_out:,} too far out to draw", loc="right", fontsize=small, color=SOFT)


def _draw_run(
    axes: Axes, result: ConfidentSegment, run: range, colour: str, label: str, *, bars: bool
) -> dict[str, Artist]:
    """Draw a run of rows: a bar each, or a band."""
    drawn = error_differences(result, run)
    if not len(drawn.thresholds):
        return {}
    style: dict[str, Any] = {"color": colour, "zorder": 4 if colour == CONFIDENT else 3}
    if bars:
        dot: dict[str, Any] = {"marker": "o", "markersize": 0.4 * mpl.rcParams["lines.markersize"]}
        # lists: matplotlib 3.10 takes an array of a single bar for a number
        both = [(drawn.diff - drawn.lower).tolist(), (drawn.upper - drawn.diff).tolist()]
        axes.errorbar(drawn.thresholds, drawn.diff, both, linestyle="none", elinewidth=0.9, capsize=2, **dot, **style)
        return {label: Line2D([], [], linewidth=0.9, color=colour, **dot)}
    step: Any = "post" if result.counts.lower_is_positive else "pre"
    axes.fill_between(drawn.thresholds, drawn.lower, drawn.upper, step=step, alpha=0.35, linewidth=0, **style)
    axes.step(
        drawn.thresholds, drawn.diff, where=step, linewidth=LINE_IN_BAND * mpl.rcParams["lines.linewidth"], **style
    )
    return {label: Line2D([], [], color=colour)}


def error_differences(result: ConfidentSegment, run: range) -> ErrorDifferences:
    """Return the differences at a run of rows, thinned, the lowest threshold first."""
    roc, rows = result.curve, _drawable(result, run)
    if len(rows):
        rows = rows[evenly_along(len(rows), _travelled(result, rows))]
    rows = rows if result.counts.lower_is_positive else rows[::-1]
    m = roc.confusion(rows)
    limits = result.test.limits(m, result.level)
    return ErrorDifferences(roc.thresholds[rows], (m.fn - m.fp) / m.n, limits.lower, limits.upper)


def _drawable(result: ConfidentSegment, run: range) -> Picked:
    """Return the rows that have a place on the axis: the nothing-positive row has none."""
    rows = np.arange(max(run.start, 1), run.stop)
    return rows[np.abs(result.curve.thresholds[rows]) <= FARTHEST]


def _travelled(result: ConfidentSegment, rows: Picked) -> Callable[[Picked], Floats]:
    """Return the length of the drawn line up to some rows, across plus down, each as a share of the whole."""
    roc = result.curve
    first, last = rows[0], rows[-1]
    wide = abs(float(roc.thresholds[last] - roc.thresholds[first])) or 1.0
    deep = float(roc.tp[last] + roc.fp[last] - roc.tp[first] - roc.fp[first]) or 1.0

    def travelled(at: Picked) -> Floats:
        across = np.abs(roc.thresholds[rows[at]] - roc.thresholds[first]) / wide
        down = (roc.tp[rows[at]] + roc.fp[rows[at]] - roc.tp[first] - roc.fp[first]) / deep
        return np.asarray(across + down)

    return travelled
