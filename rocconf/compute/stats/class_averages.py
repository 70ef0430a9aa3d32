r"""Averages of AUCs over classes, from their spread: each is a weighted sum of the areas of ordered pairs of classes.

With the area :math:`A_{cd}` of class c against class d by the score of c, and weights :math:`w_{cd}` that depend on the
sizes of the classes alone, an average is :math:`\sum_{c \ne d} w_{cd} A_{cd}`. A case i of class k moves it by

.. math:: h_i = \sum_d w_{kd}\,[\text{share of } d \text{ below } i] + \sum_c w_{ck}\,[\text{share of } c \text{ above } i]

where the score is that of the first class of each pair, and ties count half. Cases are drawn within their classes, so the
variance is :math:`v = \sum_k s_k^2(h) / n_k`, as DeLong's is for two classes. Class k has the weight
:math:`g_k = \sum_d w_{kd} + \sum_c w_{ck}`, which is 1 for each of two.

`robust` is the robust interval of an AUC (`rocconf.compute.stats.auc_intervals`) with this v, Satterthwaite's degrees of
freedom over all classes and :math:`m = \min_k n_k / g_k` cases of the smallest class. A difference on the same cases
has the robust interval of a difference of AUCs (`rocconf.compute.stats.auc_difference`), with
:math:`\frac34 \sum_k (g_k / n_k)^2` from the pseudo-cases. For two classes both are those of one AUC. `delong` are the
classical intervals. With a single case of a class the spread of that class is unknown, and so is the interval.
"""

from __future__ import annotations

from math import fsum, sqrt
from typing import TYPE_CHECKING

from rocconf.compute.stats.auc_difference import (
    PSEUDO_CASES,
    SQUARE_AND_ADD,
    difference_of_spread,
    normal_difference,
)
from rocconf.compute.stats.auc_intervals import logit_limits, robust_limits
from rocconf.compute.stats.difference import Difference, square_and_add
from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.stats.student import student_quantile
from rocconf.dataclass import dataclass
from rocconf.records import DELONG, ROBUST, UNKNOWN, Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.records import Floats, IntervalKind


@dataclass(frozen=True, slots=True)
class ClassSpread:
    """The spread of a mean over classes: of each class its size, its part of the variance, and of the third cumulant."""

    sizes: tuple[int, ...]
    variances: tuple[float, ...]
    third_cumulants: tuple[float, ...]

    @classmethod
    def of(cls, moved: Sequence[Floats]) -> ClassSpread:
        """Return the spread of what the cases of each class move."""
        parts = [_central(of_class) for of_class in moved]
        return cls(
            tuple(map(len, moved)),
            tuple(squares / (n - 1) / n if n > 1 else 0.0 for n, squares, _ in parts),
            tuple(cubes / n**3 for n, _, cubes in parts),
        )

    @property
    def variance(self) -> float | None:
        """The variance; None with a single case of a class."""
        return fsum(self.variances) if min(self.sizes) > 1 else None

    @property
    def df(self) -> float | None:
        """Satterthwaite's degrees of freedom; None with a single case of a class."""
        v = self.variance
        if v is None:
            return None
        if not v:
            return min(self.sizes) - 1
        shares = zip(self.variances, self.sizes, strict=True)
        return 1 / fsum((part / v) ** 2 / (n - 1) for part, n in shares)

    @property
    def third_cumulant(self) -> float:
        """The third cumulant."""
        return fsum(self.third_cumulants)


@dataclass(frozen=True, slots=True)
class Average:
    """An average over classes with its interval."""

    value: float
    se: float | None
    """The standard error; None where the variance is 0 or undefined."""
    df: float | None
    """The degrees of freedom of the variance; None with a single case of a class."""
    interval: Interval
    level: float
    kind: IntervalKind


def average_of(value: float, spread: ClassSpread, fewest: float, *, level: float, kind: IntervalKind) -> Average:
    """Return an average with its interval, from its spread."""
    v = spread.variance
    has_error = v is not None and v > 0 and 0 < value < 1  # an average can round to 1 without being 1
    se = sqrt(v) if v is not None and has_error else None
    interval = average_interval(value, se, spread.df, fewest, level=level, kind=kind)
    return Average(value, se, spread.df, interval, level, kind)


def average_interval(
    value: float, se: float | None, df: float | None, fewest: float, *, level: float, kind: IntervalKind
) -> Interval:
    """Return the interval of an average of `fewest` cases in the smallest class, unknown where its spread is."""
    if df is None or (kind != ROBUST and se is None):
        return UNKNOWN
    if kind == ROBUST:
        return robust_limits(value, (se or 0.0) ** 2, fewest, student_quantile(level, df))
    return logit_limits(value, se or 0.0, normal_quantile(level))


def fewest_cases(sizes: Sequence[int], weights: Sequence[float]) -> float:
    """Return the number of cases of the smallest class, each as far as its class has weight."""
    return min(n / weight for n, weight in zip(sizes, weights, strict=True))


def pseudo_variance_of_classes(sizes: Sequence[int], weights: Sequence[float]) -> float:
    """Return the variance that the pseudo-cases add, below which that of a difference never falls."""
    return PSEUDO_CASES * fsum((weight / n) ** 2 for n, weight in zip(sizes, weights, strict=True))


def average_difference(first: Average, second: Average, spread: ClassSpread, pseudo: float) -> Difference:
    """Return the difference of two averages on the same cases, from the spread of the difference."""
    value, v, df = first.value - second.value, spread.variance, spread.df
    if first.kind == ROBUST:
        if v is None or df is None:
            return Difference(value, Interval(-1.0, 1.0), 1.0, ROBUST, ROBUST)
        return difference_of_spread(value, v, df, spread.third_cumulant, pseudo, level=first.level)
    if v:
        return normal_difference(value, v, first.level)
    intervals = first.interval, second.interval
    known = UNKNOWN not in intervals
    limits = square_and_add(first.value, intervals[0], second.value, intervals[1]) if known else UNKNOWN
    return Difference(value, limits, None, SQUARE_AND_ADD, DELONG)


def _central(moved: Floats) -> tuple[int, float, float]:
    """Return the number of cases, and the sums of squares and cubes about their mean, exactly 0 for equal numbers."""
    from_first = moved - moved[0]
    about_mean = from_first - fsum(from_first.tolist()) / len(moved)
    return len(moved), fsum((about_mean**2).tolist()), fsum((about_mean**3).tolist())
