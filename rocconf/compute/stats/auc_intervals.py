r"""Intervals for an area under the ROC curve, from the area and its standard error.

The interval is taken on the logit scale, which keeps it inside (0, 1). Where the variance is 0 or
undefined it is the score-type interval of Newcombe's method 5 [1]_, whose width is positive there: all
:math:`\theta` with :math:`|A-\theta| \le z\sqrt{V(\theta)}` and, with :math:`N = (P+Q)/2 - 1`,

.. math:: V(\theta) = \frac{\theta(1-\theta)}{PQ}\left[1 + N\frac{1-\theta}{2-\theta} + N\frac{\theta}{1+\theta}\right]

References
----------
.. [1] R. G. Newcombe (2006), Statistics in Medicine 25, 559-573.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log, sqrt
from typing import TYPE_CHECKING

from rocconf.compute.stats.normal import normal_quantile
from rocconf.records import Interval

if TYPE_CHECKING:
    from rocconf.records import IntervalKind


@dataclass(frozen=True, slots=True)
class Auc:
    """An area under the curve; `se` is None where the variance is 0 or undefined."""

    value: float
    se: float | None
    interval: Interval
    level: float
    kind: IntervalKind = "delong"
    """The kind of the interval."""


def auc_of(area: float, variance: float, p: int, q: int, *, level: float) -> Auc:
    """Return an area with its standard error and interval, from its variance, which may be 0 or undefined."""
    has_error = variance > 0 and 0 < area < 1  # an area can round to 1 without being 1
    return auc_from(area, sqrt(variance) if has_error else None, p, q, level=level)


def auc_from(area: float, se: float | None, p: int, q: int, *, level: float = 0.95) -> Auc:
    """Return an area with its interval, from its standard error, which may be None."""
    interval = newcombe_interval(area, p, q, level=level) if se is None else _logit_interval(area, se, level)
    return Auc(area, se, interval, level)


def newcombe_interval(area: float, p: int, q: int, *, level: float = 0.95) -> Interval:
    """Return the interval of Newcombe's method 5, whose width is positive even at an area of 0 or 1."""
    z, extra = normal_quantile(level), (p + q) / 2 - 1

    def excess(theta: float) -> float:
        """Return a number that is negative inside the interval."""
        spread = theta * (1 - theta) / (p * q)
        spread *= 1 + extra * (1 - theta) / (2 - theta) + extra * theta / (1 + theta)
        return (area - theta) ** 2 - z * z * spread

    def limit(inside: float, outside: float) -> float:
        for _ in range(200):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if excess(middle) <= 0 else (inside, middle)
        return inside

    return Interval(limit(area, 0.0) if area > 0 else 0.0, limit(area, 1.0) if area < 1 else 1.0)


def _logit_interval(area: float, se: float, level: float) -> Interval:
    middle = log(area / (1 - area)) if 0 < area < 1 else inf
    reach = normal_quantile(level) * se / (area * (1 - area))
    return Interval(_expit(middle - reach), _expit(middle + reach))


def _expit(x: float) -> float:
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))
