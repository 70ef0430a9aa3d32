"""The places of thresholds on a colour bar, from 0 to 1.

A bar is best when equal steps of the threshold are equal steps of colour. Often that shows nothing: scores that crowd
at 0, or one score of 1e300, leave the curve in one colour. So the scale is the first of these that shows enough of the
colours along the curve (three of eight; fewer if the curve has few stretches):

1. from 0 to 1, for scores that look like probabilities;
2. from the lowest to the highest finite score;
3. evenly along the curve itself, whatever the scores, which always shows enough; the bar then says so.

The threshold of the nothing-positive row is infinite and has no place: a stretch of the curve has the threshold that it
leads to. A *score* that is infinite is at an end of the bar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import MaxNLocator

from rocconf.dataclass import dataclass
from rocconf.plot import format as fmt

if TYPE_CHECKING:
    from rocconf.records import Floats

BINS = 8
ENOUGH_COLOURS = 3.0
ROOM_FOR_TICKS = float(np.finfo(np.float64).max) / 1000
"""Half the widest range of thresholds on a linear scale: the tick locator multiplies it."""
LOCATOR = MaxNLocator(nbins=5, steps=[1, 2, 5, 10])
EVENLY = "threshold (not to scale)"


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """The shade of every stretch of a curve, 0 to 1, and the labels of the bar."""

    shades: Floats
    ticks: tuple[float, ...]
    labels: tuple[str, ...]
    name: str = "threshold"


def scale_of(thresholds: Floats, lengths: Floats, *, probabilities: bool) -> Scale:
    """Return the scale for stretches of a curve with these thresholds and lengths."""
    even = _even(thresholds, lengths)
    enough = min(ENOUGH_COLOURS, 0.75 * _colours_seen(even.shades, lengths))
    for low, high in _ends(thresholds, probabilities=probabilities):
        shades = np.clip((thresholds - low) / (high - low), 0, 1)
        if _colours_seen(shades, lengths) >= enough:
            return _linear(shades, low, high)
    return even


def _ends(thresholds: Floats, *, probabilities: bool) -> list[tuple[float, float]]:
    """Return the thresholds at the ends of a linear scale, by preference."""
    ends = [(0.0, 1.0)] if probabilities else []
    finite = thresholds[np.isfinite(thresholds)]
    if len(finite) and 0 < float(finite.max()) / 2 - float(finite.min()) / 2 < ROOM_FOR_TICKS:
        ends.append((float(finite.min()), float(finite.max())))
    return ends


def _colours_seen(shades: Floats, lengths: Floats) -> float:
    """Return the effective number of colours on the curve, out of eight: exp of their entropy."""
    seen = np.bincount(np.minimum(shades * BINS, BINS - 1).astype(int), lengths)
    share = seen[seen > 0] / lengths.sum()
    return float(np.exp(-(share * np.log(share)).sum()))


def _linear(shades: Floats, low: float, high: float) -> Scale:
    values = [value for value in LOCATOR.tick_values(low, high) if low <= value <= high]
    ticks = tuple((value - low) / (high - low) for value in values)
    return Scale(shades, ticks, fmt.distinct(values))


def _even(thresholds: Floats, lengths: Floats) -> Scale:
    """Shade every stretch by the place of its middle on the curve, the higher threshold up."""
    ends = np.cumsum(lengths)
    middle = (ends - lengths / 2) / ends[-1]
    shades = middle if thresholds[0] < thresholds[-1] else 1 - middle
    stretches = list(dict.fromkeys(int(np.abs(shades - at).argmin()) for at in (0, 0.25, 0.5, 0.75, 1)))
    return Scale(
        shades,
        tuple(float(shades[stretch]) for stretch in stretches),
        fmt.distinct([float(thresholds[stretch]) for stretch in stretches]),
        EVENLY,
    )
