"""Thin ten million points to two thousand without a visible difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocconf.records import Floats

    Picked = NDArray[np.intp]

MOST_POINTS = 2000


def evenly_along(length: int, travelled: Callable[[Picked], Floats], *, most: int = MOST_POINTS) -> Picked:
    """Return rows of a monotone curve, spaced evenly along it.

    `travelled` returns the length of the curve up to some rows, across plus up; it never decreases. The length is cut
    into equal stretches, and of each the first and the last row are kept, so a long straight step keeps both its ends.
    A row left out lies in a box between two kept ones whose width w and height h add up to less than a stretch s: the
    line drawn passes it within w*h/hypot(w, h) <= s/sqrt(8), 0.0007 of a unit square's side.

    Only the rows that the bisection visits are computed.
    """
    if length <= most:
        return np.arange(length)
    start, end = travelled(np.array([0, length - 1]))
    first = _first_reaching(length, travelled, np.linspace(start, end, most // 2))
    last = np.append(first[1:] - 1, length - 1)
    return np.unique(np.concatenate([first, last]).clip(0))


def extremes(x: Floats, y: Floats, *, most: int = MOST_POINTS) -> Picked:
    """Return rows of a curve whose x never decreases and whose y may do anything.

    The width is cut into equal strips, and of each strip the first, last, lowest and highest row are kept.
    """
    if len(x) <= most:
        return np.arange(len(x))
    edges = np.linspace(x[0], x[-1], most // 4 + 1)[:-1]
    starts = np.unique(np.searchsorted(x, edges))
    picked = []
    for start, stop in zip(starts, [*starts[1:], len(x)], strict=True):
        strip = y[start:stop]
        picked += [start, start + strip.argmin(), start + strip.argmax(), stop - 1]
    return np.unique(picked)


def _first_reaching(length: int, travelled: Callable[[Picked], Floats], targets: Floats) -> Picked:
    """Return the first row at which the curve is as long as each target, by one bisection for all."""
    low, high = np.zeros(len(targets), dtype=np.intp), np.full(len(targets), length - 1, dtype=np.intp)
    while (low < high).any():
        middle = (low + high) // 2
        short = travelled(middle) < targets
        low, high = np.where(short, middle + 1, low), np.where(short, high, middle)
    return high
