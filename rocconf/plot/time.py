"""A stream in time: AUC and struggle ratio of each window, and the martingales with their alarm, on a logarithmic axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from rocconf.compute.sensibility import STREAMS
from rocconf.errors import UsageError
from rocconf.plot import format as fmt
from rocconf.plot.axes import add_figure_title
from rocconf.plot.colours import INK, MODEL_COLOURS, SOFT
from rocconf.plot.legend import legend_under
from rocconf.plot.thin import extremes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.sensibility import Martingale, Sensibility, Stream
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry

STYLES: dict[str, tuple[Any, str]] = dict(
    zip(STREAMS, (("-", MODEL_COLOURS[1]), ("--", MODEL_COLOURS[0]), (":", MODEL_COLOURS[2])), strict=True)
)
"""The line and the colour of each martingale."""

NAMES = {"positives": "scores of positives", "negatives": "scores of negatives", "labels": "labels"}
PANELS = 3
HEIGHT = 1.15
"""The height of a figure, as a share of its width."""

PLAIN_POWER = 3
"""Up to this power of ten an axis has plain numbers."""


def paint(figure: Figure, results: Sequence[Sensibility], canvas: Canvas) -> None:
    """Paint three charts for each model, side by side."""
    streams = [_stream_of(result) for result in results]
    grid = figure.subplots(PANELS, len(results), sharex="col", sharey="row", squeeze=False)
    grid[0, 0].set_ylabel("AUC")
    grid[1, 0].set_ylabel("Struggle ratio")
    grid[2, 0].set_ylabel("Martingale")
    several = len(results) > 1
    for column, (result, stream) in enumerate(zip(results, streams, strict=True)):
        auc, struggle, bets = grid[:, column]
        if several:
            auc.set_title(fmt.name(result.counts.model), loc="left", fontsize=0.86 * canvas.font_size, color=SOFT)
        _draw_windows(auc, stream, "auc")
        _draw_windows(struggle, stream, "struggle_ratio")
        for martingale in stream.martingales:
            _draw_martingale(bets, stream, martingale)
        bets.axhline(stream.martingales[0].log10_alarm, color=INK, linewidth=1.0, zorder=2.5)
        for axes in (auc, struggle, bets):
            _draw_alarms(axes, stream)
        _set_ticks(bets, stream)
    name = "" if several else f" of {fmt.name(results[0].counts.model)}"
    add_figure_title(figure, canvas, f"Windows and alarms{name}", _told(streams))
    legend_under(figure, canvas, _entries(results, streams))
    if canvas.height is None:
        figure.set_size_inches(canvas.width, HEIGHT * canvas.width)


def _stream_of(result: Sensibility) -> Stream:
    if result.stream is None:
        raise UsageError("time-figure-needs-time")
    return result.stream


def _draw_windows(axes: Axes, stream: Stream, key: str) -> None:
    """Draw a statistic of each window with its interval, in the middle of the window; those without a value are left out."""
    rows = [row for row in stream.windows if row[key] is not None]
    places = [_middle(row, stream) for row in rows]
    values = np.array([row[key] for row in rows], dtype=np.float64)
    lower, upper = (
        [value if row[f"{key}_{end}"] is None else row[f"{key}_{end}"] for row, value in zip(rows, values, strict=True)]
        for end in ("lower", "upper")
    )
    axes.vlines(places, lower, upper, color=SOFT, linewidth=1.4, zorder=2)
    axes.plot(places, values, "o", color=INK, markersize=0.6 * mpl.rcParams["lines.markersize"], zorder=3)
    axes.yaxis.set_major_locator(MaxNLocator(5))


def _draw_martingale(axes: Axes, stream: Stream, martingale: Martingale) -> None:
    style, colour = STYLES[martingale.stream]
    cases = stream.order[martingale.cases]
    x = np.concatenate([[stream.times.values.min()], stream.times.values[cases]])
    y = np.concatenate([[0.0], martingale.log10])
    rows = extremes(x.astype(np.float64), y)
    axes.plot(_places(x[rows], stream), y[rows], style, color=colour, linewidth=1.3, zorder=3)


def _draw_alarms(axes: Axes, stream: Stream) -> None:
    for martingale in stream.martingales:
        if martingale.alarm is not None:
            style, colour = STYLES[martingale.stream]
            when = _places(stream.times.values[stream.order[[martingale.alarm]]], stream)[0]
            axes.axvline(when, color=colour, linestyle=style, linewidth=0.9, zorder=1.8)


def _set_ticks(axes: Axes, stream: Stream) -> None:
    low, high = axes.get_ylim()
    axes.set_ylim(low, max(high, 1.1 * stream.martingales[0].log10_alarm))
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(_power))
    if stream.times.kind == "number":
        axes.xaxis.set_major_locator(MaxNLocator(5))
        return
    locator = AutoDateLocator(minticks=3, maxticks=6)  # type: ignore[no-untyped-call]  # matplotlib.dates has no types
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator, show_offset=False))  # type: ignore[no-untyped-call]  # as above


def _power(exponent: float, _: object) -> str:
    """Return a power of ten: its tick is its logarithm, as a martingale may be larger than any float."""
    return f"{10**exponent:g}" if abs(exponent) <= PLAIN_POWER else f"1e{exponent:g}"


def _places(values: Any, stream: Stream) -> Any:
    return values if stream.times.kind == "number" else values.astype("datetime64[us]")


def _middle(row: dict[str, Any], stream: Stream) -> Any:
    if stream.times.kind == "number":
        return (float(row["start"]) + float(row["end"])) / 2
    start, end = (np.datetime64(row[key], "us").astype(np.int64) for key in ("start", "end"))
    return ((start + end) // 2).astype("datetime64[us]")


def _told(streams: Sequence[Stream]) -> str:
    """Return which martingales alarm, and from when."""
    several = len(streams) > 1
    told = [
        f"{fmt.name(stream.model) + ': ' if several else ''}{NAMES[each.stream]} from {stream.time_of(each.alarm)}"
        for stream in streams
        for each in stream.martingales
        if each.alarm is not None
    ]
    return f"alarm: {'; '.join(told)}" if told else "no alarm"


def _entries(results: Sequence[Sensibility], streams: Sequence[Stream]) -> list[Entry]:
    first, stream = results[0], streams[0]
    level = fmt.percent(stream.level)
    limit = f"{10 ** stream.martingales[0].log10_alarm:.4g}"
    dot = Line2D([], [], color=INK, marker="o", linestyle="none", markersize=0.6 * mpl.rcParams["lines.markersize"])
    lines = [Line2D([], [], color=colour, linestyle=style) for style, colour in STYLES.values()]
    return [
        (dot, f"a window of a {stream.every}" if stream.every.isalpha() else f"a window of {stream.every}"),
        (Line2D([], [], color=SOFT), f"{level} interval ({first.auc.kind}; {first.interval_method})"),
        *zip(lines, NAMES.values(), strict=True),
        (Line2D([], [], color=INK), f"alarm at {limit}"),
    ]
