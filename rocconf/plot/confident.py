"""Confident points in ROC space: bold segments, and the test that decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.lines import Line2D

from rocconf.plot import format as fmt
from rocconf.plot.colours import QUIET
from rocconf.plot.roc_space import roc_points
from rocconf.plot.thin import evenly_along

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from rocconf.compute.tango import ConfidentSegment
    from rocconf.plot.legend import Entry
    from rocconf.records import Floats

BOLD = 2.2
"""The width of a segment, as a multiple of its curve's."""

CONFIDENT = "confident points"
MOST_DOTS = 40
"""The number of points up to which those of a segment are marked one by one."""


def legend_title(result: ConfidentSegment) -> str:
    """Return the title of the legend: the test that decides, and its level."""
    return f"{result.test.title}, {fmt.percent(result.level)}"


def run_line(result: ConfidentSegment, run: range) -> Floats:
    """Return the line through a run of rows in ROC space, thinned."""
    roc = result.curve
    picked = evenly_along(len(run), lambda at: roc.tp[at + run.start] / roc.p + roc.fp[at + run.start] / roc.q)
    return roc_points(roc, picked + run.start)


def draw_segment(axes: Axes, line: Floats, colour: str) -> Line2D:
    """Draw a segment bold, with its points where they are few; return the line for the legend."""
    style = _bold(colour, dots=len(line) <= MOST_DOTS)
    axes.plot(*line.T, **style, zorder=4)
    return Line2D([], [], **style)


def confident_entry(results: Sequence[ConfidentSegment]) -> list[Entry]:
    """Return the legend's entry for bold lines, if there are any."""
    if not any(result.confident for result in results):
        return []
    return [(Line2D([], [], **_bold(QUIET)), CONFIDENT)]


def _bold(colour: str, *, dots: bool = True) -> dict[str, Any]:
    style: dict[str, Any] = {"color": colour, "linewidth": BOLD * mpl.rcParams["lines.linewidth"]}
    return style | ({"marker": "o", "markersize": 0.6 * mpl.rcParams["lines.markersize"]} if dots else {})
