"""The differences of all pairs with their intervals, one under the other, and how much worse is still good enough."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from math import isfinite
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.lines import Line2D

from rocconf.plot import format as fmt
from rocconf.plot.axes import WIDTH_OF_LETTER, head_panels
from rocconf.plot.colours import INK, MODELS, QUIET, SOFT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.compare import Comparison, Pair
    from rocconf.plot.canvas import Canvas

MARGIN, DIFFERS, SAME = MODELS[1], MODELS[0], QUIET
LINE = 1.9
"""The height of a row, as a multiple of the font's size."""

LABELS = 0.32
"""How much of the figure's width the names of the rows take at most."""

MOST_TICKS = 6


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the chart: the heading of a measure, or one pair."""

    text: str
    pair: Pair | None = None


def paint(figure: Figure, results: Sequence[Comparison], canvas: Canvas) -> None:
    """Paint the pairs of a comparison."""
    comparison = results[0]
    letters = int(LABELS * canvas.width * 72 / (WIDTH_OF_LETTER * 0.86 * canvas.font_size))
    rows = rows_of(comparison, letters)
    inches = LINE * canvas.font_size / 72
    if canvas.height is None:
        figure.set_size_inches(canvas.width, 1.6 + inches * len(rows))
    axes = figure.add_subplot(xlabel=_across(comparison))
    axes.grid(visible=False, axis="y")
    axes.axvline(0, color=SOFT, linewidth=0.8, zorder=1.5)
    said = _margin(axes, comparison)
    for at, row in enumerate(rows):
        if row.pair is not None:
            said |= _draw(axes, row.pair, at)
    axes.set(ylim=(len(rows) - 0.4, -0.6))
    axes.set_yticks(range(len(rows)), labels=[row.text for row in rows])
    for row, label in zip(rows, axes.get_yticklabels(), strict=True):
        if row.pair is None:
            label.set_fontweight("bold")
    axes.tick_params(axis="y", length=0)
    axes.locator_params(axis="x", nbins=MOST_TICKS)
    head_panels(figure, canvas, _title(comparison), fmt.cases([model.counts for model in comparison.models]))
    figure.legend(list(said.values()), list(said), loc="outside lower center", ncols=2, frameon=False)


def rows_of(comparison: Comparison, letters: int) -> list[Row]:
    """Return the lines of the chart, no longer than so many letters: under each measure its pairs."""
    pairs = sorted(enumerate(comparison.pairs), key=lambda placed: _first(comparison, placed[1]))
    names = _names(comparison, letters // 2 if comparison.asked.all_pairs else letters)
    rows = []
    for measure, found in groupby((pair for _, pair in pairs), key=_measure):
        rows.append(Row(fmt.name(measure, letters)))
        rows += [Row(_name(comparison, names, pair), pair) for pair in found]
    return rows


def _names(comparison: Comparison, longest: int) -> dict[str, str]:
    """Return what models are called, and a report that is the baseline, so that all are different."""
    names = [model.name for model in comparison.models]
    if comparison.reported is not None:
        names.append(comparison.reported.model)
    return dict(zip(names, fmt.distinct_names(names, longest), strict=True))


def _first(comparison: Comparison, pair: Pair) -> int:
    """Return where the measure of a pair stands first."""
    return next(at for at, other in enumerate(comparison.pairs) if _measure(other) == _measure(pair))


def _measure(pair: Pair) -> str:
    return pair.metric if pair.at is None else f"{pair.metric} at {pair.at}"


def _name(comparison: Comparison, names: dict[str, str], pair: Pair) -> str:
    """Name the pair; where all have one baseline it stands in the title."""
    model = names[pair.model]
    return f"{model} {fmt.MINUS} {names[pair.baseline]}" if comparison.asked.all_pairs else model


def _draw(axes: Axes, pair: Pair, at: int) -> dict[str, Artist]:
    """Draw one difference with its interval; one that excludes 0 is filled and dark."""
    found = pair.difference
    if found is None:
        axes.annotate("does not exist", (0, at), (4, 0), textcoords="offset points", va="center", color=SOFT)
        return {}
    lower, upper = found.interval.lower, found.interval.upper
    sure = not lower <= 0 <= upper
    style: dict[str, Any] = {"color": DIFFERS if sure else SAME, "marker": "o"}
    style |= {"markerfacecolor": style["color"] if sure else "white"}
    ends = [end if isfinite(end) else found.value for end in (lower, upper)]
    axes.plot(ends, [at, at], color=style["color"], linewidth=mpl.rcParams["lines.linewidth"], zorder=3)
    axes.plot(found.value, at, **style, linestyle="none", zorder=4)
    text = f"{_signed(found.value)} [{_signed(lower)}, {_signed(upper)}]"
    side: dict[str, Any] = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points", "va": "center"}
    axes.annotate(text, (1, at), (6, 0), **side, color=INK, fontsize=mpl.rcParams["legend.fontsize"])
    return {"differs: the interval excludes 0" if sure else "may not differ": Line2D([], [], **style)}


def _margin(axes: Axes, comparison: Comparison) -> dict[str, Artist]:
    size = comparison.asked.margin
    if size is None:
        return {}
    for end in (-size, size):
        line = axes.axvline(end, color=MARGIN, linestyle=":", zorder=2)
    return {f"margin ±{size:g}": line}


def _across(comparison: Comparison) -> str:
    return f"difference, with its interval at {fmt.percent(comparison.asked.level)}"


def _title(comparison: Comparison) -> str:
    how = f"{'Paired' if comparison.asked.paired else 'Unpaired'} differences"
    baseline = comparison.asked.baseline
    return how if baseline is None else f"{how} from {_names(comparison, fmt.LONGEST_NAME)[baseline]}"


def _signed(value: float) -> str:
    """Say a difference in three digits after the point, or in as many as show that it is not 0."""
    if not isfinite(value):
        return f"{fmt.MINUS if value < 0 else ''}∞"
    digits = next((d for d in (3, 4, 5, 6) if value == 0 or abs(value) >= 2 * 10**-d), 6)
    return f"{value:.{digits}f}".replace("-", fmt.MINUS)
