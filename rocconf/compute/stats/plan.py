"""How many cases a verdict needs: from the interval at hand, if the value stays as it is.

An interval shrinks with the square root of the number of cases. That of a robust difference of areas also has a floor,
the reach of its pseudo-cases, which shrinks with the number itself; where the floor alone is wider than the distance to
the limit, it is what keeps the verdict open.
"""

from __future__ import annotations

from math import ceil, inf, sqrt
from typing import TYPE_CHECKING

from rocconf.compute.stats.auc_difference import pseudo_variance
from rocconf.compute.stats.student import student_quantile

if TYPE_CHECKING:
    from rocconf.records import Interval

MOST = 1 << 40
"""The most positives that are proposed."""


def times_the_cases(value: float, interval: Interval, limit: float) -> float:
    """Return how many times the cases would move the interval to one side of a limit; infinite at the limit."""
    reach = interval.upper - value if limit > value else value - interval.lower
    return (reach / (limit - value)) ** 2 if limit != value else inf


def floor_of_difference(p: int, q: int, *, level: float) -> float:
    """Return the least reach of the robust interval of a difference of areas on the same cases."""
    return student_quantile(level, min(p, q) - 1) * sqrt(pseudo_variance(p, q)) if min(p, q) > 1 else inf


def positives_above_floor(distance: float, p: int, q: int, *, level: float) -> int:
    """Return how many positives, with negatives in the same proportion, put the floor below a distance."""
    few, enough = 1, MOST
    while few < enough:
        middle = (few + enough) // 2
        is_enough = floor_of_difference(middle, ceil(middle * q / p), level=level) < distance
        few, enough = (few, middle) if is_enough else (middle + 1, enough)
    return enough
