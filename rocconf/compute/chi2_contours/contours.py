r"""Lines of equal chi-square, equal accuracy and equal cost on the ROC chart, in closed form.

They need no scores, only the numbers of cases, P positives and Q negatives of n.

With v the share of cases predicted positive and u = tpr - fpr, chi-square is :math:`\frac{PQ}{n} u^2 /
v(1-v)`, so the points where it is k lie on an ellipse through (0,0) and (1,1). Put :math:`v = \sin^2 h`; then
:math:`u = \pm\sqrt{kn/PQ}\,\sin h\cos h`, :math:`fpr = v - (P/n)u`, :math:`tpr = v + (Q/n)u`, and the upper
branch lies in the unit square between the angles at which it meets fpr = 0 and tpr = 1:

.. math:: \tan h_0 = \sqrt{kP/nQ}, \qquad \tan h_1 = \sqrt{nP/kQ}

.. math:: fpr = \frac{\sin h\,\sin(h-h_0)}{\cos h_0}, \qquad tpr = \frac{\sin h\,\cos(h_1-h)}{\sin h_1}

This form adds no terms of opposite signs, so it keeps its digits where a class is rare. The lower branch is the upper
one with the classes exchanged. No chi-square exceeds n, so a level of n or more has no contour.

References
----------
.. [1] A. P. Bradley (1996), ROC curves and the chi-square test, Pattern Recognition Letters 17, 287-294.
"""

from __future__ import annotations

from dataclasses import replace
from math import atan, cos, isfinite, sin, sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np

from rocconf.dataclass import dataclass
from rocconf.errors import UndefinedError, UsageError
from rocconf.records import MOST_CASES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.records import Floats

COST_SHARES = (0.25, 0.5, 0.75, 1.0)
"""The lines of equal cost, in units of the cost of the cheaper of the two constant predictions."""

VERTICES = 201
"""The number of points of a branch, which is straight between them to within 2e-5."""


@dataclass(frozen=True, slots=True)
class ClassTotals:
    """The number of cases of each class."""

    p: int
    q: int
    model: str = "class totals"

    def __post_init__(self) -> None:
        for total, name in ((self.p, "positives"), (self.q, "negatives")):
            if not isinstance(total, int):
                raise UsageError("class-total-whole", name=name, total=total)
            if total < 1:
                raise UndefinedError("class-total-range", name=name, total=total)
            if total > MOST_CASES:
                raise UndefinedError("counts-too-large", model=self.model)

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.p + self.q

    @property
    def null_point(self) -> float:
        """P/n, both coordinates of predicting positive at random with that probability."""
        return self.p / self.n


@dataclass(frozen=True, slots=True, eq=False)
class Contour:
    """A branch of a contour of chi-square, above or below the diagonal, from left to right."""

    chi2: float
    branch: Literal["upper", "lower"]
    fpr: Floats
    tpr: Floats


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line across the chart, and the accuracy or the mean cost on it."""

    value: float
    fpr: tuple[float, float]
    tpr: tuple[float, float]


def contour(totals: ClassTotals, chi2: float) -> tuple[Contour, Contour]:
    """Return both branches of the contour of one chi-square."""
    require_chi2(chi2)
    if chi2 >= totals.n:
        raise UndefinedError("chi2-above-n", model=totals.model, levels=f"{chi2:.4g}", n=totals.n)
    upper = _upper_branch(totals.p, totals.q, chi2)
    across, along = _upper_branch(totals.q, totals.p, chi2)
    return Contour(chi2, "upper", *upper), Contour(chi2, "lower", along, across)


def require_chi2(chi2: float) -> None:
    """Reject a chi-square without a contour for any totals."""
    if not (isfinite(chi2) and chi2 > 0):
        raise UsageError("chi2-range", chi2=chi2)


def shared_totals(models: Sequence[ClassTotals]) -> ClassTotals:
    """Return the class totals of all models, which must be the same."""
    sizes = dict.fromkeys((each.p, each.q) for each in models)
    if len(sizes) > 1:
        found = ", ".join(f"{p} and {q}" for p, q in sizes)
        raise UsageError("class-totals-differ", found=found)
    return models[0]


def accuracies(values: Sequence[float]) -> tuple[float, ...]:
    """Return the accuracies to draw lines of, in ascending order."""
    for accuracy in values:
        if not 0 < accuracy < 1:
            raise UsageError("accuracy-range", accuracy=accuracy)
    return tuple(sorted(set(values)))


def accuracy_line(totals: ClassTotals, accuracy: float) -> Line:
    """Return the line of one accuracy, where an error of either kind costs 1."""
    accuracies([accuracy])
    return replace(cost_line(totals, 1 - accuracy), value=accuracy)


def cost_line(totals: ClassTotals, cost: float, *, cost_fp: float = 1, cost_fn: float = 1) -> Line:
    r"""Return the line on which the mean cost of a case is `cost`, from the costs of a false positive and negative.

    .. math:: n\,cost = c_{FP}\,Q\,fpr + c_{FN}\,P\,(1-tpr)
    """
    all_fp, all_fn = cost_fp * totals.q, cost_fn * totals.p  # the cost of predicting all, and none, positive
    total = cost * totals.n
    if not 0 < total < all_fp + all_fn:
        raise UndefinedError("cost-range", cost=cost)
    # from the end with as many misses as this cost allows to the end with as many false alarms
    fpr = max(total - all_fn, 0.0) / all_fp, min(total / all_fp, 1.0)
    return Line(cost, fpr, (1 - min(total / all_fn, 1.0), 1 - max(total - all_fp, 0.0) / all_fn))


def cost_lines(totals: ClassTotals, *, cost_fp: float, cost_fn: float) -> tuple[Line, ...]:
    """Return lines of equal cost, up to the cost of the cheaper of the two constant predictions."""
    constant = min(cost_fp * totals.q, cost_fn * totals.p) / totals.n
    levels = (share * constant for share in COST_SHARES)
    return tuple(cost_line(totals, level, cost_fp=cost_fp, cost_fn=cost_fn) for level in levels)


def _upper_branch(p: int, q: int, chi2: float) -> tuple[Floats, Floats]:
    n = p + q
    first, last = atan(sqrt(chi2 * p / (n * q))), atan(sqrt(n * p / (chi2 * q)))
    h = np.linspace(first, last, VERTICES)
    fpr = np.sin(h) * np.sin(h - first) / cos(first)
    tpr = np.sin(h) * np.cos(last - h) / sin(last)
    fpr[0], tpr[-1] = 0.0, 1.0
    return fpr, tpr
