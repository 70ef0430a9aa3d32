"""ROC space: its axes, the thinned curve of a model, and the point of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.curve import curve
from rocconf.plot.axes import diagonal, unit_square
from rocconf.plot.thin import evenly_along

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocconf.compute.roc.curve import Curve
    from rocconf.plot.marks import PointOf
    from rocconf.plot.thin import Picked
    from rocconf.records import Floats, ScoreCounts


def roc_axes(figure: Figure, at: tuple[int, int, int] = (1, 1, 1)) -> Axes:
    """Add the unit square of ROC space, with the line of random guessing."""
    axes = unit_square(figure, "False positive rate", "True positive rate", at)
    diagonal(axes, (0, 0), (1, 1))
    return axes


def roc_line(counts: ScoreCounts) -> Floats:
    """Return the thinned ROC curve of a model, a column of x and one of y."""
    roc = curve(counts)
    return roc_points(roc, thinned_rows(roc))


def thinned_rows(roc: Curve) -> Picked:
    """Return the rows that draw the curve."""
    return evenly_along(len(roc), lambda rows: roc.tp[rows] / roc.p + roc.fp[rows] / roc.q)


def roc_points(roc: Curve, rows: Picked) -> Floats:
    """Return the points of some rows, a column of x and one of y."""
    return np.column_stack([roc.fp[rows] / roc.q, roc.tp[rows] / roc.p])


def roc_point_of(counts: ScoreCounts) -> PointOf:
    """Return a function from true and false positives to their point on the chart."""
    return lambda tp, fp: (fp / counts.q, tp / counts.p)
