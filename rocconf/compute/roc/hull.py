"""The convex hull of a ROC curve: the thresholds that are best for some costs and some prevalence.

A point on or below the line between its neighbours is not on the hull, so all such points are dropped at once, round
after round. Few points remain (a convex chain on a P by Q lattice has few corners), and one scan in whole numbers
finishes the hull. The first rounds run piece by piece: a point that is not on the hull of its piece is not on the whole one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.exact import cross
from rocconf.records import slices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocconf.compute.roc.curve import Curve

ROUNDS = 64
"""The most rounds of a piece; the scan processes the remaining points."""


def hull_rows(roc: Curve) -> NDArray[np.intp]:
    """Return the rows of the curve that are corners of its upper convex hull."""
    pieces = [_thinned(roc, np.arange(part.start, part.stop)) for part in slices(len(roc))]
    return _scan(roc, _thinned(roc, np.concatenate(pieces)))


def _thinned(roc: Curve, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    for _ in range(ROUNDS):
        kept = rows[_bulges(roc, rows)]
        if len(kept) == len(rows):
            break
        rows = kept
    return rows


def _bulges(roc: Curve, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return whether each row lies above the line between its neighbours."""
    width, height = np.diff(roc.fp[rows]), np.diff(roc.tp[rows])
    above = np.ones(len(rows), dtype=np.bool_)
    above[1:-1] = cross(height[:-1], width[1:], height[1:], width[:-1], most=roc.p * roc.q) > 0
    return above


def _scan(roc: Curve, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    corners: list[tuple[int, int, int]] = []
    for row in rows.tolist():
        x, y = int(roc.fp[row]), int(roc.tp[row])
        while len(corners) > 1:
            (_, ax, ay), (_, bx, by) = corners[-2:]
            if (by - ay) * (x - bx) > (y - by) * (bx - ax):
                break
            corners.pop()
        corners.append((row, x, y))
    return np.array([row for row, _, _ in corners], dtype=np.intp)
