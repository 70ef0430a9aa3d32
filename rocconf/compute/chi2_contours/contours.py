r"""Lines of equal chi-square, equal accuracy and equal cost on the ROC chart, in closed form.

They need no scores: how many cases of each class there are, P positives and Q negatives of n, is enough.

With v the share of cases predicted positive and u = tpr - fpr, chi-square is :math:`\frac{PQ}{n} u^2 /
v(1-v)`, so the points where it is k lie on an ellipse through (0,0) and (1,1). Put :math:`v = \sin^2 h`; then
:math:`u = \pm\sqrt{kn/PQ}\,\sin h\cos h`, :math:`fpr = v - (P/n)u`, :math:`tpr = v + (Q/n)u`, and the upper
branch lies in the unit square between the angles at which it meets fpr = 0 and tpr = 1:

.. math:: \tan h_0 = \sqrt{kP/nQ}, \qquad \tan h_1 = \sqrt{nP/kQ}

.. math:: fpr = \frac{\sin h\,\sin(h-h_0)}{\cos h_0}, \qquad tpr = \frac{\sin h\,\cos(h_1-h)}{\sin h_1}

This form adds nothing of opposite signs, so it keeps its digits where a class is rare. The lower branch is
the upper one with the classes exchanged. No table has a chi-square above n, so a level of n or more has no
contour.

References
----------
.. [1] A. P. Bradley (1996), ROC curves and the chi-square test, Pattern Recognition Letters 17, 287-294.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, cos, isfinite, sin, sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np

from rocconf.errors import UndefinedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.records import Floats

COST_SHARES = (0.25, 0.5, 0.75, 1.0)
"""Which lines of equal cost to draw, in units of what the cheaper of the two constant predictions costs."""

VERTICES = 201
"""How many points draw a branch: between two of them it is straight to within 2e-5."""


@dataclass(frozen=True, slots=True)
class ClassTotals:
    """How many cases of each class there are."""

    p: int
    q: int
    model: str = "class totals"

    def __post_init__(self) -> None:
        for total, name in ((self.p, "positives"), (self.q, "negatives")):
            if not isinstance(total, int):
                raise UsageError(f"the total of {name} must be a whole number, not {total!r}")
            if total < 1:
                raise UndefinedError(f"a ROC chart needs at least one case of each class (found {total} {name})")

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.p + self.q

    @property
    def null_point(self) -> float:
        """Both coordinates of the point of predicting at random, as often positive as cases are: P/n."""
        return self.p / self.n


@dataclass(frozen=True, slots=True, eq=False)
class Contour:
    """One branch of a contour of chi-square, above or below the diagonal, from side to side of the chart."""

    chi2: float
    branch: Literal["upper", "lower"]
    fpr: Floats
    tpr: Floats


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line from side to side of the chart, and the accuracy or the mean cost of a case on it."""

    value: float
    fpr: tuple[float, float]
    tpr: tuple[float, float]


def contour(totals: ClassTotals, chi2: float) -> tuple[Contour, Contour]:
    """Return both branches of the contour of one chi-square, running from left to right."""
    if not (isfinite(chi2) and chi2 > 0):
        raise UsageError(f"a level of chi2 must be positive and finite, not {chi2:g}")
    if chi2 >= totals.n:
        raise UndefinedError(f"there is no contour for a chi2 of {chi2:g}: none exceeds n = {totals.n}")
    upper = _upper_branch(totals.p, totals.q, chi2)
    across, along = _upper_branch(totals.q, totals.p, chi2)
    return Contour(chi2, "upper", *upper), Contour(chi2, "lower", along, across)


def shared_totals(models: Sequence[ClassTotals]) -> ClassTotals:
    """Return the class totals that models have in common; without, they have no contours in common."""
    sizes = dict.fromkeys((each.p, each.q) for each in models)
    if len(sizes) > 1:
        found = ", ".join(f"{p} and {q}" for p, q in sizes)
        raise UsageError(f"a chart of contours is for one number of positives and negatives (found: {found})")
    return models[0]


def accuracies(asked: Sequence[float]) -> tuple[float, ...]:
    """Return the accuracies whose lines are asked for, the least first."""
    for accuracy in asked:
        if not 0 < accuracy < 1:
            raise UsageError(f"the accuracy of a contour must be between 0 and 1, not {accuracy:g}")
    return tuple(sorted(set(asked)))


def accuracy_line(totals: ClassTotals, accuracy: float) -> Line:
    """Return the line of one accuracy: an error, of either kind, costs 1."""
    accuracies([accuracy])
    line = cost_line(totals, 1 - accuracy)
    return Line(accuracy, line.fpr, line.tpr)


def cost_line(totals: ClassTotals, cost: float, *, of_alarm: float = 1, of_miss: float = 1) -> Line:
    r"""Return the line on which the mean cost of a case is `cost`, by what a false alarm and a miss cost.

    .. math:: n\,cost = c_{FP}\,Q\,fpr + c_{FN}\,P\,(1-tpr)
    """
    alarms, misses = of_alarm * totals.q, of_miss * totals.p  # what all of them would cost
    budget = cost * totals.n
    if not 0 < budget < alarms + misses:
        raise UndefinedError(f"no point of the chart has a mean cost of {cost:g}")
    missed = _shared_out(budget, misses, alarms)
    alarmed = _shared_out(budget, alarms, misses)
    return Line(cost, (missed[1], alarmed[0]), (1 - missed[0], 1 - alarmed[1]))


def cost_lines(totals: ClassTotals, *, of_alarm: float, of_miss: float) -> tuple[Line, ...]:
    """Return lines of equal cost, up to what the cheaper of the two constant predictions costs."""
    constant = min(of_alarm * totals.q, of_miss * totals.p) / totals.n
    levels = (share * constant for share in COST_SHARES)
    return tuple(cost_line(totals, level, of_alarm=of_alarm, of_miss=of_miss) for level in levels)


def _upper_branch(p: int, q: int, chi2: float) -> tuple[Floats, Floats]:
    n = p + q
    first, last = atan(sqrt(chi2 * p / (n * q))), atan(sqrt(n * p / (chi2 * q)))
    h = np.linspace(first, last, VERTICES)
    fpr = np.sin(h) * np.sin(h - first) / cos(first)
    tpr = np.sin(h) * np.cos(last - h) / sin(last)
    fpr[0], tpr[-1] = 0.0, 1.0
    return fpr, tpr


def _shared_out(budget: float, first: float, second: float) -> tuple[float, float]:
    """Spend as much of a budget as possible on the first, the rest on the second; return both shares."""
    if budget <= first:
        return budget / first, 0.0
    return 1.0, (budget - first) / second
