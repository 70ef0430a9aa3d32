r"""Points of the ROC chart that are given by their rates, for class totals alone: chi-square, and the distance [1]_.

A published classifier is often known by one pair of rates. For P positives and Q negatives, n cases in all, R of them
predicted positive, the rates are a confusion matrix, which may not be of whole numbers. With the expected counts of
random predictions, :math:`E(T_p) = PR/n` and so on, every cell differs from its expected count by the same number
(equation 15, in absolute value; two of the four differences are negative)

.. math:: \varepsilon = |T_p - E(T_p)| = \frac{PQ}{n}\,|tpr - fpr|

so the point is at a distance (equations 17 and 18) from the point on the diagonal with as many predicted positive,

.. math::

   d = \sqrt{\left(\frac{\varepsilon}{P}\right)^2 + \left(\frac{\varepsilon}{Q}\right)^2}
     = |tpr - fpr|\,\frac{\sqrt{P^2 + Q^2}}{n}

which is the distance to the diagonal only if P = Q, and (equation 19)

.. math:: \chi^2 = d^2\,\frac{P^2Q^2}{P^2 + Q^2}
          \left(\frac1{E(T_p)} + \frac1{E(F_p)} + \frac1{E(T_n)} + \frac1{E(F_n)}\right)

The contour through the point meets the left side at :math:`tpr = kn/(kP + nQ)` and the top at
:math:`fpr = 1 - kn/(kQ + nP)`, k its chi-square. All of this is exact, in fractions.

References
----------
.. [1] A. P. Bradley (1996), ROC curves and the chi-square test, Pattern Recognition Letters 17, 287-294.
"""

from __future__ import annotations

from math import hypot, inf, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.operating import GIVEN, PointRule, parse_given_point
from rocconf.compute.roc.summary import MODEL
from rocconf.compute.stats.chi2 import p_methods, p_values
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.normal import two_sided_p
from rocconf.dataclass import dataclass
from rocconf.metric import Metric, p_metric
from rocconf.table import Column

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from fractions import Fraction

APPROXIMATE = "approximate"
"""The method of a p-value of counts that are not whole, for which there is no exact test."""
BELOW_DIAGONAL = "tpr is below fpr: however far from random predictions, these are worse"
NOT_WHOLE = "the rates do not stand for whole numbers of these cases, so that p is approximate"

GIVEN_METRICS = (
    Metric("chi2", "number", most=inf),
    p_metric("p", lower_is_better=True),
    Metric("distance", unreached=(1.0,)),
)
"""What a rule about a given point can judge."""


@dataclass(frozen=True, slots=True)
class GivenPoint:
    """A point given by its rates, for p positives and q negatives."""

    rule: PointRule
    p: int
    q: int

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.p + self.q

    @property
    def fpr(self) -> Fraction:
        """The false positive rate."""
        return self.rule.numbers[0]

    @property
    def tpr(self) -> Fraction:
        """The true positive rate."""
        return self.rule.numbers[1]

    @property
    def tp(self) -> Fraction:
        """The true positives, perhaps not a whole number."""
        return self.tpr * self.p

    @property
    def fp(self) -> Fraction:
        """The false positives, perhaps not a whole number."""
        return self.fpr * self.q

    @property
    def is_whole(self) -> bool:
        """Whether the rates stand for whole numbers of cases."""
        return self.tp.denominator == self.fp.denominator == 1

    @property
    def least_expected(self) -> float:
        """The least of the four expected counts."""
        flagged = self.tp + self.fp
        return float(min(flagged, self.n - flagged) * min(self.p, self.q) / self.n)

    @property
    def chi2(self) -> float:
        """Pearson's chi-square; 0 where all cases have one prediction."""
        flagged = self.tp + self.fp
        if flagged in (0, self.n):
            return 0.0
        return float(self.p * self.q * self.n * (self.tpr - self.fpr) ** 2 / (flagged * (self.n - flagged)))

    @property
    def p_value(self) -> float:
        """The p-value of the point, as if it had been chosen in advance."""
        return float(p_values(self._matrix)[0]) if self.is_whole else two_sided_p(sqrt(self.chi2))

    @property
    def p_method(self) -> str:
        """How the p-value is computed: chi2, fisher or approximate."""
        return str(p_methods(self._matrix)[0]) if self.is_whole else APPROXIMATE

    @property
    def distance(self) -> float:
        """The distance to the point of the diagonal with as many predicted positive."""
        return float(abs(self.tpr - self.fpr)) * hypot(self.p, self.q) / self.n

    def contour_end(self, first: int, second: int) -> float:
        """Return the share of the first class, of two classes of these sizes, at which its contour leaves the chart."""
        n, k = first + second, self.chi2
        return k * n / (k * first + n * second)

    def record(self, model: str) -> dict[str, Any]:
        """Return the row of the point."""
        return {"model": model} | {column.name: value(self) for column, value in COLUMNS.items()}

    @property
    def _matrix(self) -> Confusion:
        return Confusion(np.array([int(self.tp)]), np.array([int(self.fp)]), self.p, self.q)


COLUMNS: dict[Column, Callable[[GivenPoint], Any]] = {
    Column("point", "text"): lambda point: point.rule.text,
    Column("fpr", "share"): lambda point: float(point.fpr),
    Column("tpr", "share"): lambda point: float(point.tpr),
    Column("tp", "number"): lambda point: float(point.tp),
    Column("fp", "number"): lambda point: float(point.fp),
    Column("chi2", "number"): lambda point: point.chi2,
    Column("p", "p"): lambda point: point.p_value,
    Column("p_method", "text"): lambda point: point.p_method,
    Column("accuracy", "share"): lambda point: float((point.tp + point.q - point.fp) / point.n),
    Column("excess", "number"): lambda point: float(abs(point.tpr - point.fpr) * point.p * point.q / point.n),
    Column("distance", "share"): lambda point: point.distance,
    Column("contour_tpr", "share"): lambda point: point.contour_end(point.p, point.q),
    Column("contour_fpr", "share"): lambda point: 1 - point.contour_end(point.q, point.p),
}
"""The columns and their values; `excess` is by how much every cell differs from its expected count."""

GIVEN_COLUMNS = (MODEL, *COLUMNS)


def parse_given_points(points: Iterable[str | PointRule]) -> tuple[PointRule, ...]:
    """Return points from texts like 0.1,0.8, each once; the text of each is as in a rule, without `point=`."""
    rules: dict[tuple[Any, ...], PointRule] = {}
    for point in points:
        rule = point if isinstance(point, PointRule) else parse_given_point(point)
        rules.setdefault(rule.meaning, rule)
    return tuple(rules.values())


def is_given(rule: PointRule | None) -> bool:
    """Whether an operating point is given by its rates."""
    return rule is not None and rule.name == GIVEN
