"""The convex hull of a ROC curve: the thresholds that are best for some costs and some prevalence.

A point on or below the line between its neighbours is on no hull, so such points go all at once, round after round;
what is left is short (a convex chain on a P by Q lattice has few corners) and one ordinary scan finishes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocconf.compute.curve import Curve

ROUNDS = 64


def hull_rows(roc: Curve) -> NDArray[np.intp]:
    """Return the rows of the curve that are corners of its upper convex hull."""
    rows = np.arange(len(roc))
    for _ in range(ROUNDS):
        kept = rows[_bulges(roc, rows)]
        if len(kept) == len(rows):
            return rows
        rows = kept
    return _scan(roc, rows)


def _bulges(roc: Curve, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether a row lies above the line between its neighbours; floats hold these products within 1e-16."""
    x, y = roc.fp[rows].astype(np.float64), roc.tp[rows].astype(np.float64)
    above = np.ones(len(rows), dtype=np.bool_)
    above[1:-1] = (y[1:-1] - y[:-2]) * (x[2:] - x[1:-1]) > (y[2:] - y[1:-1]) * (x[1:-1] - x[:-2])
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
