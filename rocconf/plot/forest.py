"""The differences of all pairs with their intervals, one under the other, and the margin of non-inferiority.

Intervals of one measure may be a hundred times as wide as those of another, so a scale is shared only by neighbouring
measures whose intervals reach about equally far. On every scale the right side is the better one: where lower values
are better, the axis is reversed.
"""

from __future__ import annotations

import textwrap
from math import isfinite
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import blended_transform_factory

from rocconf.compute.compare import DIFFERENCES, TEST_NAMES, excludes_zero
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.plot import format as fmt
from rocconf.plot.axes import SMALL_SIZE, add_figure_title, letters_in
from rocconf.plot.colours import INK, MODEL_COLOURS, QUIET, SOFT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.compare import Comparison, Pair
    from rocconf.plot.canvas import Canvas

MARGIN, DIFFERS, SAME = MODEL_COLOURS[1], MODEL_COLOURS[0], QUIET
ROW_SIZE, AXIS_SIZE = 1.9, 3.4
"""The heights of a row and of what stands under a scale, as multiples of the font's size."""

LABELS_WIDTH, HEADING_WIDTH = 0.32, 0.9
"""The most that the names of the rows and the headings take of the figure's width."""

LEFT = 0.01
"""Where the headings start, as a share of the figure's width."""

MOST_TICKS = 5

ALIKE = 4.0
"""How many times as far the intervals of one measure may reach as those of another on the same scale."""

AROUND = 0.08
"""The space beside the farthest limit, as a share of the scale."""

WORSE, BETTER = "\N{LEFTWARDS ARROW} worse", "better \N{RIGHTWARDS ARROW}"


@dataclass(frozen=True, slots=True)
class ForestRow:
    """A line of the chart: one of the heading of a measure, or one pair."""

    text: str
    pair: Pair | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure: its heading, and its pairs."""

    name: str
    rows: tuple[ForestRow, ...]

    @property
    def reversed(self) -> bool:
        """Whether lower values are better."""
        return self.name in DIFFERENCES and DIFFERENCES[self.name].lower_is_better

    @property
    def ends(self) -> list[float]:
        """The differences and the limits that are numbers."""
        found = [row.pair.difference for row in self.rows if row.pair and row.pair.difference]
        ends = [end for each in found for end in (each.value, each.interval.lower, each.interval.upper)]
        return [end for end in ends if isfinite(end)]

    @property
    def reach(self) -> float:
        """How far the intervals reach from 0."""
        return max(map(abs, self.ends), default=0.0)


def paint(figure: Figure, results: Sequence[Comparison], canvas: Canvas) -> None:
    """Paint the pairs of a comparison."""
    comparison = results[0]
    scales = scales_of(measures_of(comparison, canvas))
    inches = [
        canvas.font_size / 72 * (ROW_SIZE * sum(len(each.rows) for each in scale) + AXIS_SIZE) for scale in scales
    ]
    if canvas.height is None:
        figure.set_size_inches(canvas.width, 1.6 + sum(inches))
    grid = figure.subplots(len(scales), squeeze=False, gridspec_kw={"height_ratios": inches})
    legend: dict[str, Artist] = {}
    for axes, scale in zip(grid.ravel(), scales, strict=True):
        legend |= _draw_scale(axes, canvas, scale, comparison.asked.margin)
    add_figure_title(figure, canvas, _title(comparison), fmt.cases([model.counts for model in comparison.models]))
    figure.legend(list(legend.values()), list(legend), loc="outside lower center", ncols=2, frameon=False)


def measures_of(comparison: Comparison, canvas: Canvas) -> list[Measure]:
    """Return each measure with its heading and its pairs."""
    small = SMALL_SIZE * canvas.font_size
    letters = letters_in(LABELS_WIDTH * canvas.width, small)
    names = _names(comparison, letters // 2 if comparison.asked.all_pairs else letters)
    pairs: dict[str, list[Pair]] = {}
    for pair in comparison.pairs:
        pairs.setdefault(pair.metric if pair.at is None else f"{pair.metric} at {pair.at}", []).append(pair)
    widest = letters_in(HEADING_WIDTH * canvas.width, small)
    return [
        Measure(
            own[0].metric,
            (
                *map(ForestRow, textwrap.wrap(f"{fmt.plain(title)}{_interval(own, comparison)}", widest)),
                *(ForestRow(_name(comparison, names, pair), pair) for pair in own),
            ),
        )
        for title, own in pairs.items()
    ]


def scales_of(measures: Sequence[Measure]) -> list[list[Measure]]:
    """Return the measures that share a scale: neighbours in one direction, of about the same reach."""
    scales: list[list[Measure]] = []
    for measure in measures:
        reaches = [each.reach for each in (*(scales[-1] if scales else ()), measure) if each.reach]
        alike = not reaches or max(reaches) <= ALIKE * min(reaches)
        if scales and alike and scales[-1][0].reversed == measure.reversed:
            scales[-1].append(measure)
        else:
            scales.append([measure])
    return scales


def _interval(pairs: Sequence[Pair], comparison: Comparison) -> str:
    """Return the kind and the level of the intervals of a measure."""
    found = [pair.difference for pair in pairs if pair.difference]
    tests = dict.fromkeys(
        TEST_NAMES.get(each.test) or (fmt.kind_name(each.kind) if each.kind else each.test)
        for each in found
        if not each.is_from_itself
    )
    return f" ({', '.join([*tests, fmt.percent(comparison.asked.level)])})" if tests else ""


def _names(comparison: Comparison, longest: int) -> dict[str, str]:
    """Return a name for each model, and for a report that is the baseline; all are different."""
    names = [model.name for model in comparison.models]
    if comparison.reported is not None:
        names.append(comparison.reported.model)
    return dict(zip(names, fmt.shortened_names(names, longest), strict=True))


def _name(comparison: Comparison, names: dict[str, str], pair: Pair) -> str:
    """Return the name of a pair; a baseline that all pairs share is in the title."""
    model = names[pair.model]
    return f"{model} {fmt.MINUS} {names[pair.baseline]}" if comparison.asked.all_pairs else model


def _draw_scale(axes: Axes, canvas: Canvas, measures: Sequence[Measure], margin: float | None) -> dict[str, Artist]:
    """Draw the measures of one scale; return the artists of the legend by their labels."""
    rows = [row for measure in measures for row in measure.rows]
    low, high = limits_of(measures, margin)
    axes.set(xlim=(high, low) if measures[0].reversed else (low, high), ylim=(len(rows) - 0.4, -0.6))
    axes.xaxis.set_major_locator(MaxNLocator(nbins=MOST_TICKS))
    axes.grid(visible=False, axis="y")
    axes.spines[["top", "left", "right"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    legend: dict[str, Artist] = {}
    if not any(measure.ends for measure in measures):
        axes.set_xticks([])
    else:
        legend |= _draw_lines(axes, margin if margin is not None and low < -margin and margin < high else None)
        _write_sides(axes, canvas)
    for at, row in enumerate(rows):
        if row.pair is None:
            _write_heading(axes, row.text, at, is_part=canvas.is_part)
        else:
            legend |= _draw_pair(axes, row.pair, at)
    pairs = {at: row.text for at, row in enumerate(rows) if row.pair}
    axes.set_yticks(list(pairs), labels=list(pairs.values()))
    return legend


def _draw_lines(axes: Axes, margin: float | None) -> dict[str, Artist]:
    """Draw the line of no difference and the margin."""
    axes.axvline(0, color=SOFT, linewidth=0.8, zorder=1.5)
    if margin is None:
        return {}
    for end in (-margin, margin):
        line = axes.axvline(end, color=MARGIN, linestyle=":", zorder=2)
    return {f"margin ±{margin:g}": line}


def limits_of(measures: Sequence[Measure], margin: float | None) -> tuple[float, float]:
    """Return the ends of a scale, which shows 0, all intervals, and the margin unless that would hide them."""
    ends = [0.0, *(end for measure in measures for end in measure.ends)]
    low, high = min(ends), max(ends)
    if margin is not None and margin <= ALIKE * max(-low, high):
        low, high = min(low, -margin), max(high, margin)
    room = AROUND * (high - low) or 1.0
    return low - room, high + room


def _write_heading(axes: Axes, text: str, at: int, *, is_part: bool) -> None:
    """Write a heading from the left edge of the figure, or of the axes in somebody else's, over the lines of the scale."""
    figure = axes.figure
    across = axes.transAxes if is_part else figure.transFigure
    heading = axes.text(
        LEFT,
        at,
        text,
        transform=blended_transform_factory(across, axes.transData),
        fontsize=mpl.rcParams["legend.fontsize"],
        fontweight="bold",
        va="center",
        zorder=5,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
    )
    heading.set_in_layout(False)


def _write_sides(axes: Axes, canvas: Canvas) -> None:
    """Write under the scale which side is better."""
    under: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "top", "color": SOFT}
    under |= {"fontsize": mpl.rcParams["legend.fontsize"], "annotation_clip": False}
    down = -1.9 * canvas.font_size
    axes.annotate(WORSE, (0, 0), (0, down), ha="left", **under)
    axes.annotate(BETTER, (1, 0), (0, down), ha="right", **under)


def _draw_pair(axes: Axes, pair: Pair, at: int) -> dict[str, Artist]:
    """Draw one difference with its interval; one that excludes 0 is filled and dark."""
    difference = pair.difference
    if difference is None:
        axes.annotate("undefined", (0, at), (4, 0), textcoords="offset points", va="center", color=SOFT)
        return {}
    lower, upper = difference.interval.lower, difference.interval.upper
    differs = excludes_zero(difference)
    style: dict[str, Any] = {"color": DIFFERS if differs else SAME, "marker": "o"}
    style |= {"markerfacecolor": style["color"] if differs else "white"}
    first, last = sorted(axes.get_xlim())
    ends = [max(lower, first), min(upper, last)]  # an unknown limit is as far away as there is room
    axes.plot(ends, [at, at], color=style["color"], linewidth=mpl.rcParams["lines.linewidth"], zorder=3)
    axes.plot(difference.value, at, **style, linestyle="none", zorder=4)
    text = f"{_signed(difference.value)} [{_signed(lower)}, {_signed(upper)}]"
    side: dict[str, Any] = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points", "va": "center"}
    axes.annotate(text, (1, at), (6, 0), **side, color=INK, fontsize=mpl.rcParams["legend.fontsize"])
    return {str(message("pair-differs" if differs else "pair-may-differ")): Line2D([], [], **style)}


def _title(comparison: Comparison) -> str:
    """Return what is compared, and whether on the same cases."""
    cases = "paired" if comparison.asked.paired else "unpaired"
    baseline = comparison.asked.baseline
    if baseline is None:
        return f"Which model is better? ({cases} differences)"
    return f"How much better than {_names(comparison, fmt.LONGEST_NAME)[baseline]}? ({cases} differences)"


def _signed(value: float) -> str:
    """Return a difference in three decimals, or as many as show that it is not 0."""
    if not isfinite(value):
        return f"{fmt.MINUS if value < 0 else ''}∞"
    digits = next((d for d in (3, 4, 5, 6) if value == 0 or abs(value) >= 2 * 10**-d), 6)
    return f"{value:.{digits}f}".replace("-", fmt.MINUS)
