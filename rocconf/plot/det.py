"""The detection error trade-off: both error rates on the scale of normal deviates.

Where the scores of both classes are normal the curve is straight, and small rates are given room.

References
----------
.. [1] A. Martin, G. Doddington, T. Kamm, M. Ordowski, M. Przybocki (1997), The DET curve in assessment of
   detection task performance, Eurospeech 1997, 1895-1898.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.curve import curve
from rocconf.dataclass import dataclass
from rocconf.plot import format as fmt
from rocconf.plot.axes import add_title, diagonal
from rocconf.plot.legend import place_legend
from rocconf.plot.marks import Mark, all_marks, draw_marks
from rocconf.plot.model_curves import draw_curves
from rocconf.plot.thin import evenly_along

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.sweep import Sweep
    from rocconf.plot.canvas import Canvas
    from rocconf.plot.marks import PointOf
    from rocconf.records import Floats

HALF_OF_TICKS = (1e-6, 1e-5, 1e-4, 1e-3, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4)
TICKS = (*HALF_OF_TICKS, 0.6, *(1 - rate for rate in reversed(HALF_OF_TICKS[:-1])))
LOWEST_EDGE, HIGHEST_EDGE = 1e-6, 0.05
"""The range of the lower edge of a DET chart."""

TOPS = (0.6, 0.9, 0.99)
"""The upper edges of a DET chart that may hold all marks; by custom it does not reach 1."""


@dataclass(frozen=True, slots=True)
class Probit:
    """The scale of normal deviates between two rates that are shown; rates outside the limits are put on them."""

    low: float
    high: float
    limit: float

    def __call__(self, rates: Floats) -> Floats:
        """Return normal deviates."""
        from scipy.special import ndtri

        deviates: Floats = ndtri(np.clip(rates, self.low, self.limit))
        return deviates


def paint(figure: Figure, results: Sequence[Sweep], canvas: Canvas) -> None:
    """Paint one model or several."""
    counts = [result.counts for result in results]
    curves = [curve(each) for each in counts]
    probit = _scale(results, curves)
    lines = [det_line(roc, probit) for roc in curves]
    axes = _axes(figure, canvas, probit)
    entries = draw_curves(axes, lines, fmt.names(counts))
    marks = draw_marks(axes, results, [det_point_of(roc, probit) for roc in curves])
    several = len(results) > 1
    title = "Detection error trade-off" + ("" if several else f" of {fmt.name(counts[0].model)}")
    add_title(axes, canvas, title, "; ".join(filter(None, [fmt.cases(counts), _at_the_edge(curves, probit)])))
    entries = entries + marks if several else marks
    place_legend(figure, axes, canvas, entries, [*lines, chance(probit)], corners=("upper right", "lower left"))


def det_line(roc: Curve, probit: Probit) -> Floats:
    """Return the thinned curve, a column of x and one of y."""
    rows = evenly_along(len(roc), lambda rows: probit(roc.fp[rows] / roc.q) - probit((roc.p - roc.tp[rows]) / roc.p))
    return np.column_stack([probit(roc.fp[rows] / roc.q), probit((roc.p - roc.tp[rows]) / roc.p)])


def det_point_of(roc: Curve, probit: Probit) -> PointOf:
    """Return a function from true and false positives to their point on the chart."""

    def point(tp: int, fp: int) -> tuple[float, float]:
        across, up = probit(np.array([fp / roc.q, (roc.p - tp) / roc.p])).tolist()
        return across, up

    return point


def _scale(results: Sequence[Sweep], curves: Sequence[Curve]) -> Probit:
    """Return the scale that shows all marks, where the error rates are equal, and all between; at most to half a case."""
    half_a_case = float(np.clip(min(0.5 / max(roc.p, roc.q) for roc in curves), LOWEST_EDGE, HIGHEST_EDGE))
    rates = [
        rate
        for result, roc in zip(results, curves, strict=True)
        for mark in (_equal_error(roc), *all_marks(result))
        for rate in (mark.fp / roc.q, (roc.p - mark.tp) / roc.p)
    ]
    limit = 1 - half_a_case
    high = next((top for top in TOPS if max(rates) < top < limit), limit)
    low = min(*rates, *(rate for roc in curves for rate in _leaving(roc, high)))
    return Probit(float(np.clip(low / 2, half_a_case, HIGHEST_EDGE)), high, limit)


def _equal_error(roc: Curve) -> Mark:
    """Return the first threshold whose false positive rate is no less than its false negative rate."""
    row = int(np.searchsorted(roc.fp / roc.q + roc.tp / roc.p, 1.0))
    return Mark("", int(roc.tp[row]), int(roc.fp[row]), "")


def _leaving(roc: Curve, high: float) -> tuple[float, float]:
    """Return each error rate where the other one passes the upper edge."""
    first = int(np.searchsorted(roc.tp, (1 - high) * roc.p))
    last = int(np.searchsorted(roc.fp, high * roc.q, side="right")) - 1
    return float(roc.fp[first] / roc.q), float((roc.p - roc.tp[last]) / roc.p)


def _axes(figure: Figure, canvas: Canvas, probit: Probit) -> Axes:
    """Add the square of two error rates, with ticks as far apart as their labels need."""
    low, high = probit(np.array([probit.low, probit.high])).tolist()
    room = 0.02 * (high - low)
    axes = figure.add_subplot(aspect="equal")
    axes.set(xlim=(low - room, high + room), ylim=(low - room, high + room))
    axes.set(xlabel="False positive rate", ylabel="False negative rate")
    letter = 0.5 * canvas.font_size * (high - low) / (0.8 * min(canvas.size) * 72)
    ticks = _ticks(probit, letter)
    labels = [_number(tick) for tick in ticks]
    axes.set_xticks(probit(ticks), labels=labels)
    axes.set_yticks(probit(ticks), labels=labels)
    start, end = chance(probit).tolist()
    diagonal(axes, start, end)
    return axes


def chance(probit: Probit) -> Floats:
    """Return the ends of the line of random guessing, a column of x and one of y."""
    low, high = probit(np.array([probit.low, probit.high])).tolist()
    reach = max(-low, high)
    return np.array([(-reach, reach), (reach, -reach)])


def _at_the_edge(curves: Sequence[Curve], probit: Probit) -> str:
    """Return which rates are drawn at the edges because the scale has no place for them."""
    if probit.high >= probit.limit:
        text = "rates of 0 and 1 are drawn at the edges"
    elif any(0 in _leaving(roc, probit.high) for roc in curves):
        text = "rates of 0 are drawn at the edge"
    else:
        return ""
    return text.replace(" ", "\N{NO-BREAK SPACE}")  # on one line


def _ticks(probit: Probit, letter: float) -> Floats:
    """Return ticks so far apart that there is room for their labels and two letters more."""
    chosen: list[float] = []
    for tick in TICKS:
        if not probit.low <= tick <= probit.high:
            continue
        pair = np.array([*chosen[-1:], tick])
        needed = letter * (2 + sum(len(_number(each)) for each in pair) / 2)
        if not chosen or np.ptp(probit(pair)) >= needed:
            chosen.append(tick)
    return np.array(chosen)


def _number(rate: float) -> str:
    """Return a rate without an exponent, and without the zeros at its end."""
    return f"{rate:.6f}".rstrip("0")
