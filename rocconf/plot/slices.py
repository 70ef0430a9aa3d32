"""The AUC of every slice with its interval, the lowest first; of several models their differences in each slice.

A slice that differs from the rest by more than chance (adjusted for the number of slices) is dark, others are light, and
one with too few cases for a verdict is dashed.
"""

from __future__ import annotations

from math import inf, isfinite
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from rocconf.compute.compare import Comparison
from rocconf.compute.roc.slice_results import EMPTY, columns_of
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.plot import format as fmt
from rocconf.plot.axes import SMALL_SIZE, add_figure_title, letters_in
from rocconf.plot.colours import INK, MODEL_COLOURS, QUIET, SOFT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.sweep import Sweep
    from rocconf.plot.canvas import Canvas

ROW_SIZE, AXIS_SIZE = 1.9, 3.4
"""The heights of a row and of what stands under the scale, as multiples of the font's size."""

LABELS_WIDTH = 0.32
"""The most that the names of the slices take of the figure's width."""

AROUND = 0.04
"""The space beside the farthest limit, as a share of the scale."""

MOST_ROWS = 60
"""How many slices of a column are drawn."""

KINDS = {True: "differs", False: "may not differ", None: "too few cases"}
COLOURS = {True: MODEL_COLOURS[0], False: QUIET, None: QUIET}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the chart: a heading, or a slice."""

    name: str
    value: float | None = None
    lower: float | None = None
    upper: float | None = None
    differs: bool | None = None
    """Whether it differs by more than chance, None where that was not decided."""
    whole: float | None = None
    """The AUC of all cases, beneath a heading."""

    @property
    def is_heading(self) -> bool:
        """Whether this is a heading."""
        return self.whole is not None


def paint(figure: Figure, results: Sequence[Sweep | Comparison], canvas: Canvas) -> None:
    """Paint the slices of a model, or the differences of models in them."""
    first = results[0]
    compares = isinstance(first, Comparison)
    rows = [row for result in results for row in rows_of(result)]
    if not rows:
        raise UsageError("figure-without-slices")
    if canvas.height is None:
        figure.set_size_inches(canvas.width, 1.4 + canvas.font_size / 72 * (ROW_SIZE * len(rows) + AXIS_SIZE))
    axes = figure.subplots()
    _draw_scale(axes, rows, compares=compares)
    longest = letters_in(LABELS_WIDTH * canvas.width, SMALL_SIZE * canvas.font_size)
    axes.set_yticks(range(len(rows)), labels=fmt.shortened_names([row.name for row in rows], longest))
    for at, (row, label) in enumerate(zip(rows, axes.get_yticklabels(), strict=True)):
        if row.is_heading:
            label.set_fontweight("bold")
            _draw_whole(axes, rows, at)
        else:
            _draw_row(axes, row, at, compares=compares)
    level, kind = first.options["level"], first.options["interval"]
    axes.set_xlabel(f"{'difference of AUCs' if compares else 'AUC'} ({fmt.kind_name(kind)}, {fmt.percent(level)})")
    baseline = fmt.name(str(first.options.get("baseline")))
    what = f"How much better than {baseline}?" if compares else "AUC of every slice"
    add_figure_title(figure, canvas, what, fmt.cases([counts for result in results for counts in result.model_counts]))
    found = dict.fromkeys(row.differs for row in rows if not row.is_heading)
    other = "0" if compares else "the rest"
    legend = [
        Line2D([], [], **_style(each), label=KINDS[each] + (f" from {other}" if each is not None else ""))
        for each in KINDS
        if each in found
    ]
    figure.legend(handles=legend, loc="outside lower center", ncols=3, frameon=False)


def rows_of(result: Sweep | Comparison) -> Iterator[Row]:
    """Yield for each column a heading and its slices, the lowest first."""
    compares = isinstance(result, Comparison)
    table = result.table("slice_pairs" if compares else "slices").records()
    decided = {(each.by, each.value): each.is_decided for each in result.slices}
    level = result.options["level"]
    for by in columns_of(result.slices):
        for model in dict.fromkeys((row["model"], row.get("baseline")) for row in table):
            own = [
                row
                for row in table
                if row["by"] == by
                and (row["model"], row.get("baseline")) == model
                and row.get("metric") in (None, "auc")
            ]
            value = "difference" if compares else "auc"
            own.sort(key=lambda row: inf if row[value] is None else row[value])
            whole = 0.0 if compares else result.summary()["auc"]
            yield Row(f"{fmt.name(model[0])} by {fmt.name(by)}", whole=whole)
            for row in own[:MOST_ROWS]:
                yield _row(row, value, is_decided=decided[by, row["slice"]], level=level)
            if len(own) > MOST_ROWS:
                yield Row(f"and {len(own) - MOST_ROWS} more", differs=None)


def _row(row: Mapping[str, Any], value: str, *, is_decided: bool, level: float) -> Row:
    p = row["p_adjusted"]
    differs = None if not is_decided else p is not None and p <= 1 - level
    return Row(row["slice"] or EMPTY, row[value], row[f"{value}_lower"], row[f"{value}_upper"], differs)


def _style(differs: bool | None) -> dict[str, Any]:  # noqa: FBT001  # a key of the legend
    colour = COLOURS[differs]
    return {
        "color": colour,
        "marker": "o",
        "markerfacecolor": colour if differs else "white",
        "linestyle": "--" if differs is None else "-",
    }


def _draw_scale(axes: Axes, rows: Sequence[Row], *, compares: bool) -> None:
    ends = [end for row in rows for end in (row.value, row.lower, row.upper, row.whole) if end is not None]
    ends = [end for end in ends if isfinite(end)]
    low, high = min(ends), max(ends)
    room = AROUND * (high - low) or 0.1
    right = high + room if compares else min(high + room, 1 + AROUND * (1 - low))
    axes.set(xlim=(low - room, right), ylim=(len(rows) - 0.4, -0.6))
    axes.xaxis.set_major_locator(MaxNLocator(nbins=6))
    axes.grid(visible=False, axis="y")
    axes.spines[["top", "left", "right"]].set_visible(False)
    axes.tick_params(axis="y", length=0)


def _draw_whole(axes: Axes, rows: Sequence[Row], at: int) -> None:
    """Draw the value of all cases behind the slices of a heading."""
    last = next((place for place in range(at + 1, len(rows)) if rows[place].is_heading), len(rows))
    whole = rows[at].whole or 0.0
    axes.plot([whole, whole], [at - 0.4, last - 0.6], color=SOFT, linewidth=0.8, zorder=1.5)


def _draw_row(axes: Axes, row: Row, at: int, *, compares: bool) -> None:
    """Draw a slice with its interval, and write them beside the chart."""
    side: dict[str, Any] = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points", "va": "center"}
    side |= {"fontsize": mpl.rcParams["legend.fontsize"]}
    if row.value is None:
        axes.annotate("–", (1, at), (6, 0), **side, color=SOFT)
        return
    first, last = axes.get_xlim()
    lower, upper = (
        end if end is not None else far for end, far in zip((row.lower, row.upper), (first, last), strict=True)
    )
    style = _style(row.differs)
    axes.plot([lower, upper], [at, at], color=style["color"], linestyle=style["linestyle"], zorder=3)
    axes.plot(row.value, at, **{**style, "linestyle": "none"}, zorder=4)
    texts = [_end(end, compares=compares) for end in (row.value, row.lower, row.upper)]
    axes.annotate(f"{texts[0]} [{texts[1]}, {texts[2]}]", (1, at), (6, 0), **side, color=INK)


def _end(value: float | None, *, compares: bool) -> str:
    if value is None or not isfinite(value):
        return "?"
    return f"{value:+.3f}".replace("-", fmt.MINUS) if compares else fmt.share(value)
