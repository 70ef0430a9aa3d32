"""A ROC curve at given false positive rates: where it is vertical, its highest point counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.stats.confusion import Confusion
    from rocconf.records import Floats

GRID = np.arange(101) / 100
GRID.setflags(write=False)


def tpr_at(roc: Curve, fpr: Floats) -> Floats:
    """Return the true positive rate of the curve at false positive rates."""
    return np.where(fpr >= 1, 1.0, np.interp(fpr, roc.fpr, roc.tpr))


def tprs(drawn: Confusion) -> Floats:
    """Return the true positive rates of replicates of a curve at the rates of `GRID`, a line for each."""
    rates = zip(drawn.fp / drawn.q, drawn.tp / drawn.p, strict=True)
    return np.where(GRID >= 1, 1.0, [np.interp(GRID, *of_replicate) for of_replicate in rates])
