"""The AUC of every class and the averages with their intervals, one under the other; of several models the differences."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.lines import Line2D

from rocconf.dataclass import dataclass
from rocconf.plot import format as fmt
from rocconf.plot.axes import SMALL_SIZE, add_figure_title, letters_in
from rocconf.plot.class_curves import class_cases
from rocconf.plot.colours import INK, MODEL_COLOURS, QUIET, SOFT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.classes import OneVsRest
    from rocconf.compute.stats.estimate import Measured
    from rocconf.plot.canvas import Canvas
    from rocconf.records import Interval

ROW_SIZE, AXIS_SIZE = 1.9, 3.4
"""The heights of a row and of what stands under the scale, as multiples of the font's size."""

LABELS_WIDTH = 0.32
"""The most that the names of the rows take of the figure's width."""

AROUND = 0.08
"""The space beside the farthest limit, as a share of the scale."""

OF_AVERAGES = {
    "macro_auc": "macro AUC",
    "weighted_auc": "weighted AUC",
    "hand_till": "Hand-Till M",
    "hand_till_weighted": "Hand-Till, weighted",
}
"""What the averages are called in a figure."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the chart: a number with its interval, neither of which may be known."""

    name: str
    value: float | None
    interval: Interval | None
    is_average: bool

    @classmethod
    def of(cls, name: str, found: Measured | None, *, is_average: bool) -> Row:
        """Return the row of an estimate, None where there is none."""
        value, interval = (None, None) if found is None else (found.value, found.interval)
        return cls(name, value, interval, is_average)

    @property
    def may_be_0(self) -> bool:
        """Whether the interval includes 0."""
        return self.interval is not None and self.interval.lower <= 0 <= self.interval.upper


def paint(figure: Figure, results: Sequence[OneVsRest], canvas: Canvas) -> None:
    """Paint the classes and averages of one model, or the differences of several."""
    (result,) = results
    compares = bool(result.pairs)
    rows = list(_differences(result) if compares else _areas(result))
    if canvas.height is None:
        figure.set_size_inches(canvas.width, 1.6 + canvas.font_size / 72 * (ROW_SIZE * len(rows) + AXIS_SIZE))
    axes = figure.subplots()
    _draw_scale(axes, rows, centre=0.0 if compares else 0.5)
    names = [row.name for row in rows]
    longest = letters_in(LABELS_WIDTH * canvas.width, SMALL_SIZE * canvas.font_size)
    axes.set_yticks(range(len(rows)), labels=fmt.shortened_names(names, longest))
    for at, row in enumerate(rows):
        _draw_row(axes, row, at, compares=compares)
    asked = result.asked
    title = (
        f"How much better than {fmt.name(str(asked.baseline))}?"
        if compares
        else f"Each class against the rest: {fmt.name(result.models[0].name)}"
    )
    what = "difference of AUCs" if compares else "AUC"
    axes.set_xlabel(f"{what} ({fmt.kind_name(asked.interval)}, {fmt.percent(asked.level)})")
    add_figure_title(figure, canvas, title, class_cases(result))
    kinds = [("class against the rest", MODEL_COLOURS[0], "o"), ("average over the classes", MODEL_COLOURS[1], "D")]
    legend = [Line2D([], [], color=colour, marker=marker, label=text) for text, colour, marker in kinds]
    if compares and any(row.may_be_0 for row in rows):
        legend.append(Line2D([], [], color=QUIET, marker="o", label="may not differ"))
    figure.legend(handles=legend, loc="outside lower center", ncols=3, frameon=False)


def _areas(result: OneVsRest) -> Iterator[Row]:
    for each in result.units:
        yield Row.of(each.name, each.area, is_average=False)
    for name, found in result.models[0].averages.items():
        yield Row.of(OF_AVERAGES[name], found, is_average=True)


def _differences(result: OneVsRest) -> Iterator[Row]:
    several = len(result.models) > 2
    for pair in result.pairs:
        average = OF_AVERAGES.get(pair.metric)
        of_class = pair.model if several else pair.model.removeprefix(f"{result.pairs[-1].model}:")
        name = of_class if average is None else f"{pair.model}: {average}" if several else average
        yield Row.of(name, pair.difference, is_average=average is not None)


def _draw_scale(axes: Axes, rows: Sequence[Row], *, centre: float) -> None:
    ends = [centre]
    for row in rows:
        if row.value is not None and row.interval is not None:
            ends += [end for end in (row.value, row.interval.lower, row.interval.upper) if isfinite(end)]
    low, high = min(ends), max(ends)
    room = AROUND * (high - low) or 0.1
    axes.set(xlim=(low - room, high + room), ylim=(len(rows) - 0.4, -0.6))
    axes.axvline(centre, color=SOFT, linewidth=0.8, zorder=1.5)
    axes.grid(visible=False, axis="y")
    axes.spines[["top", "left", "right"]].set_visible(False)
    axes.tick_params(axis="y", length=0)


def _draw_row(axes: Axes, row: Row, at: int, *, compares: bool) -> None:
    """Draw a number with its interval, and write them beside the chart."""
    side: dict[str, Any] = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points", "va": "center"}
    small = mpl.rcParams["legend.fontsize"]
    if row.value is None or row.interval is None:
        axes.annotate("undefined", (1, at), (6, 0), **side, color=SOFT, fontsize=small)
        return
    lower, upper = row.interval.lower, row.interval.upper
    colour = MODEL_COLOURS[1] if row.is_average else MODEL_COLOURS[0]
    if compares and row.may_be_0:
        colour = QUIET
    first, last = axes.get_xlim()
    axes.plot([max(lower, first), min(upper, last)], [at, at], color=colour, zorder=3)
    axes.plot(row.value, at, color=colour, marker="D" if row.is_average else "o", linestyle="none", zorder=4)
    ends = ", ".join(_end(end, compares=compares) for end in (lower, upper))
    axes.annotate(f"{_end(row.value, compares=compares)} [{ends}]", (1, at), (6, 0), **side, color=INK, fontsize=small)


def _end(value: float, *, compares: bool) -> str:
    if not isfinite(value):
        return "?"
    return f"{value:+.3f}".replace("-", fmt.MINUS) if compares else fmt.share(value)
