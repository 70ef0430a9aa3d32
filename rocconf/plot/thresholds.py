"""Precision, recall and false positive rate against the share of the cases flagged, with Wilson's intervals.

The share flagged says what a threshold costs in work, and means the same for every scale of scores; it is drawn on a
logarithmic scale, since a model of rare positives is run where few cases are flagged. With several models each has its
colour, and the intervals are left out.
"""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import NullFormatter

from rocconf.compute.roc.curve import curve
from rocconf.dataclass import dataclass
from rocconf.plot import format as fmt
from rocconf.plot.axes import SQUARE_MARGIN, add_title
from rocconf.plot.colours import INK, QUIET, colour_of, marker_of
from rocconf.plot.legend import legend_under
from rocconf.plot.thin import extremes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.sweep import Sweep
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.legend import Entry
    from rocconf.records import Floats

RATES = {"precision": "precision", "tpr": "recall (tpr)", "fpr": "false positive rate"}
"""The rates, with their names in the legend."""
STYLES: dict[str, Any] = {"precision": "-", "tpr": "--", "fpr": ":"}


@dataclass(frozen=True, slots=True, eq=False)
class RateLine:
    """A rate at some shares of the cases flagged, with its limits; NaN where it has none."""

    flagged: Floats
    value: Floats
    lower: Floats
    upper: Floats


def paint(figure: Figure, results: Sequence[Sweep], canvas: Canvas) -> None:
    """Paint one model or several."""
    counts, several = [sweep.counts for sweep in results], len(results) > 1
    axes = figure.add_subplot()
    _scale(axes, min((each.tp[1] + each.fp[1]) / each.n for each in counts))
    entries: list[Entry] = []
    for model, sweep in enumerate(results):
        for place, name in enumerate(RATES):
            colour = colour_of(model if several else place)
            drawn = _draw(axes, rate_line(sweep, name), name, colour, with_band=not several)
            entries += [] if several else [(drawn, RATES[name])]
    if several:
        entries = [(Line2D([], [], color=QUIET, linestyle=STYLES[name]), RATES[name]) for name in RATES]
        entries += [(Line2D([], [], color=colour_of(k)), name) for k, name in enumerate(fmt.names(counts))]
    entries += _draw_points(axes, results)
    title = "Rates and the share flagged" + ("" if several else f" of {fmt.name(counts[0].model)}")
    add_title(axes, canvas, title, "; ".join(filter(None, [fmt.cases(counts), _band(results)])))
    legend_under(figure, canvas, entries)


def rate_line(sweep: Sweep, name: str) -> RateLine:
    """Return a rate at every number of cases flagged above 0, thinned, as the table has it."""
    roc = curve(sweep.counts)
    flagged = (roc.tp + roc.fp)[1:] / roc.n
    values = sweep.rates.values(name, roc.confusion(slice(1, None)))
    rows = extremes(np.log(flagged), values)
    matrix = roc.confusion(rows + 1)
    limits = [np.asarray(sweep.rates.values(f"{name}_{end}", matrix)) for end in ("lower", "upper")]
    return RateLine(flagged[rows], values[rows], *limits)


def _scale(axes: Axes, least: float) -> None:
    """Set the axes, from the decade of the least share flagged."""
    below = max(-floor(log10(least)), 1)
    axes.set_xscale("log")
    axes.set(xlim=(10.0**-below, 1.08), ylim=(-SQUARE_MARGIN, 1 + SQUARE_MARGIN))
    axes.set(xlabel="Share of the cases flagged (logarithmic)", ylabel="Rate")
    axes.set_yticks(np.linspace(0, 1, 6))
    decades = [10.0**-power for power in range(below, -1, -1)]
    axes.set_xticks(decades, [f"{100 * share:.12g}%" for share in decades])
    axes.xaxis.set_minor_formatter(NullFormatter())


def _draw(axes: Axes, line: RateLine, name: str, colour: str, *, with_band: bool) -> Line2D:
    if with_band and np.isfinite(line.lower).any():
        axes.fill_between(line.flagged, line.lower, line.upper, color=colour, alpha=0.2, linewidth=0, zorder=2)
    style: dict[str, Any] = {"color": colour, "linestyle": STYLES[name], "zorder": 3}
    if len(line.flagged) == 1:
        style |= {"marker": "o"}
    (drawn,) = axes.plot(line.flagged, line.value, **style)
    return drawn


def _draw_points(axes: Axes, results: Sequence[Sweep]) -> list[Entry]:
    """Draw a line at the share that each operating point flags, with its mark at the top."""
    entries: list[Entry] = []
    shapes: dict[str, str] = {}
    for model, sweep in enumerate(results):
        colour = colour_of(model) if len(results) > 1 else INK
        for point in sweep.points:
            share = (point.tp + point.fp) / sweep.counts.n
            text = point.rule.text + (", in-sample" if point.in_sample else "")
            if len(results) == 1 and point.threshold is not None and point.rule.chooses:
                text += f" at {fmt.compact(point.threshold)}"
            shape = shapes.setdefault(text, marker_of(len(shapes)))
            if share:
                axes.axvline(share, color=colour, linewidth=0.8, zorder=2.5)
                axes.plot([share], [1], marker=shape, color=colour, markeredgecolor="white", clip_on=False, zorder=5)
    for text, shape in shapes.items():
        style: dict[str, Any] = {"marker": shape, "linestyle": "none", "markeredgecolor": "white"}
        entries.append((Line2D([], [], color=INK if len(results) == 1 else QUIET, **style), text))
    return entries


def _band(results: Sequence[Sweep]) -> str:
    """Return the note on the bands."""
    return f"bands: Wilson, {fmt.percent(results[0].rates.level)}, pointwise" if len(results) == 1 else ""
