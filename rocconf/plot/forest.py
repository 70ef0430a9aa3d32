"""The differences of all pairs with their intervals, one under the other, and the margin of non-inferiority."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.lines import Line2D

from rocconf.plot import format as fmt
from rocconf.plot.axes import SMALL_SIZE, add_figure_title, letters_in
from rocconf.plot.colours import INK, MODEL_COLOURS, QUIET, SOFT
from rocconf.report import shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.compare import Comparison, Pair
    from rocconf.plot.canvas import Canvas

MARGIN, DIFFERS, SAME = MODEL_COLOURS[1], MODEL_COLOURS[0], QUIET
ROW_SIZE = 1.9
"""The height of a row, as a multiple of the font's size."""

LABELS_WIDTH = 0.32
"""The most that the names of the rows take of the figure's width."""

MOST_TICKS = 6


@dataclass(frozen=True, slots=True)
class ForestRow:
    """A line of the chart: the heading of a measure, or one pair."""

    text: str
    pair: Pair | None = None


def paint(figure: Figure, results: Sequence[Comparison], canvas: Canvas) -> None:
    """Paint the pairs of a comparison."""
    comparison = results[0]
    letters = letters_in(LABELS_WIDTH * canvas.width, SMALL_SIZE * canvas.font_size)
    rows = rows_of(comparison, letters)
    inches = ROW_SIZE * canvas.font_size / 72
    if canvas.height is None:
        figure.set_size_inches(canvas.width, 1.6 + inches * len(rows))
    axes = figure.add_subplot(xlabel=_x_label(comparison))
    axes.grid(visible=False, axis="y")
    axes.axvline(0, color=SOFT, linewidth=0.8, zorder=1.5)
    legend = _draw_margin(axes, comparison)
    for at, row in enumerate(rows):
        if row.pair is not None:
            legend |= _draw_pair(axes, row.pair, at)
    axes.set(ylim=(len(rows) - 0.4, -0.6))
    axes.set_yticks(range(len(rows)), labels=[row.text for row in rows])
    for row, label in zip(rows, axes.get_yticklabels(), strict=True):
        if row.pair is None:
            label.set_fontweight("bold")
    axes.tick_params(axis="y", length=0)
    axes.locator_params(axis="x", nbins=MOST_TICKS)
    add_figure_title(figure, canvas, _title(comparison), fmt.cases([model.counts for model in comparison.models]))
    figure.legend(list(legend.values()), list(legend), loc="outside lower center", ncols=2, frameon=False)


def rows_of(comparison: Comparison, letters: int) -> list[ForestRow]:
    """Return the lines of the chart, of at most so many letters: each measure, and under it its pairs."""
    names = _names(comparison, letters // 2 if comparison.asked.all_pairs else letters)
    rows: dict[str, list[ForestRow]] = {}
    for pair in comparison.pairs:
        measure = pair.metric if pair.at is None else f"{pair.metric} at {pair.at}"
        of_measure = rows.setdefault(measure, [ForestRow(fmt.name(measure, letters))])
        of_measure.append(ForestRow(_name(comparison, names, pair), pair))
    return [row for of_measure in rows.values() for row in of_measure]


def _names(comparison: Comparison, longest: int) -> dict[str, str]:
    """Return a name for each model, and for a report that is the baseline; all are different."""
    names = [model.name for model in comparison.models]
    if comparison.reported is not None:
        names.append(comparison.reported.model)
    return dict(zip(names, shortened(names, longest), strict=True))


def _name(comparison: Comparison, names: dict[str, str], pair: Pair) -> str:
    """Return the name of a pair; a baseline that all pairs share is in the title."""
    model = names[pair.model]
    return f"{model} {fmt.MINUS} {names[pair.baseline]}" if comparison.asked.all_pairs else model


def _draw_pair(axes: Axes, pair: Pair, at: int) -> dict[str, Artist]:
    """Draw one difference with its interval; one that excludes 0 is filled and dark."""
    difference = pair.difference
    if difference is None:
        axes.annotate("does not exist", (0, at), (4, 0), textcoords="offset points", va="center", color=SOFT)
        return {}
    lower, upper = difference.interval.lower, difference.interval.upper
    differs = not lower <= 0 <= upper
    style: dict[str, Any] = {"color": DIFFERS if differs else SAME, "marker": "o"}
    style |= {"markerfacecolor": style["color"] if differs else "white"}
    ends = [end if isfinite(end) else difference.value for end in (lower, upper)]
    axes.plot(ends, [at, at], color=style["color"], linewidth=mpl.rcParams["lines.linewidth"], zorder=3)
    axes.plot(difference.value, at, **style, linestyle="none", zorder=4)
    text = f"{_signed(difference.value)} [{_signed(lower)}, {_signed(upper)}]"
    side: dict[str, Any] = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points", "va": "center"}
    axes.annotate(text, (1, at), (6, 0), **side, color=INK, fontsize=mpl.rcParams["legend.fontsize"])
    return {"differs: the interval excludes 0" if differs else "may not differ": Line2D([], [], **style)}


def _draw_margin(axes: Axes, comparison: Comparison) -> dict[str, Artist]:
    size = comparison.asked.margin
    if size is None:
        return {}
    for end in (-size, size):
        line = axes.axvline(end, color=MARGIN, linestyle=":", zorder=2)
    return {f"margin ±{size:g}": line}


def _x_label(comparison: Comparison) -> str:
    kind = fmt.kind_name(comparison.asked.interval)
    return f"difference, with its interval at {fmt.percent(comparison.asked.level)} (of the AUC: {kind})"


def _title(comparison: Comparison) -> str:
    title = f"{'Paired' if comparison.asked.paired else 'Unpaired'} differences"
    baseline = comparison.asked.baseline
    return title if baseline is None else f"{title} from {_names(comparison, fmt.LONGEST_NAME)[baseline]}"


def _signed(value: float) -> str:
    """Return a difference in three decimals, or as many as show that it is not 0."""
    if not isfinite(value):
        return f"{fmt.MINUS if value < 0 else ''}∞"
    digits = next((d for d in (3, 4, 5, 6) if value == 0 or abs(value) >= 2 * 10**-d), 6)
    return f"{value:.{digits}f}".replace("-", fmt.MINUS)
