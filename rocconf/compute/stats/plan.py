r"""How many cases a verdict needs, by formula.

From an interval at hand: its reach on the side of a limit shrinks with the square root of the number of cases. At
:math:`((1 + z_\pi/z) r/d)^2` times the cases, where r is the reach, d the distance of the value to the limit and z that
of the level, the interval is expected to end before the limit with the probability :math:`\pi`, if the value stays as it
is; with :math:`\pi = 1/2` the interval at hand would just end at the limit. That of a robust difference of areas also
has a floor, the reach of its pseudo-cases, which shrinks with the number itself.

From the variance of one case, v, and that at the limit, :math:`v_0`, the classical form is

.. math:: n = \frac{(z\sqrt{v_0} + z_\pi\sqrt{v})^2}{d^2}

For an area, Obuchowski's variance [1]_ for one positive and :math:`\kappa` negatives is
:math:`0.0099 e^{-A^2/2}(5A^2 + 8 + (A^2 + 8)/\kappa)` with :math:`A = 1.414\,\Phi^{-1}(\theta)`.

References
----------
.. [1] N. A. Obuchowski, D. K. McClish (1997), Statistics in Medicine 16, 1529-1542.
"""

from __future__ import annotations

from math import ceil, exp, inf, sqrt
from typing import TYPE_CHECKING

from rocconf.compute.stats.design import pseudo_of_areas
from rocconf.compute.stats.normal import normal_deviate, normal_quantile, two_sided_p
from rocconf.compute.stats.student import student_quantile
from rocconf.dataclass import dataclass

if TYPE_CHECKING:
    from rocconf.records import Interval

MOST = 1 << 40
"""The most positives that are proposed."""

EVEN = 0.5
"""The power at which a sample like the one at hand would just decide."""


@dataclass(frozen=True, slots=True)
class Needed:
    """The cases that decide, as a multiple of those at hand."""

    times: float
    """Infinite where the value is the limit."""
    least_positives: int | None = None
    """Where the pseudo-cases alone reach over the limit, the positives from which they do not."""


def needed_cases(
    value: float,
    interval: Interval,
    limit: float,
    p: int,
    q: int,
    *,
    level: float,
    power: float = EVEN,
    has_floor: bool = False,
) -> Needed:
    """Return how many times the cases would decide, from an interval at hand, if the value stays as it is.

    Parameters
    ----------
    value, interval
        The value with its interval.
    limit
        The limit of the rule.
    p, q
        The positives and negatives that they rest on.
    level
        The level of the interval.
    power
        The probability of a verdict.
    has_floor
        Whether the interval is a robust one of a difference of areas on the same cases.
    """
    distance = abs(value - limit)
    reach = interval.upper - value if limit > value else value - interval.lower
    stretched = reach * (1 + normal_deviate(power) / normal_quantile(level))
    times = (stretched / distance) ** 2 if distance else inf
    if has_floor and 0 < distance < floor_of_difference(p, q, level=level):
        return Needed(times, positives_above_floor(distance, p, q, level=level))
    return Needed(times)


def floor_of_difference(p: int, q: int, *, level: float) -> float:
    """Return the least reach of the robust interval of a difference of areas on the same cases."""
    return student_quantile(level, min(p, q) - 1) * sqrt(pseudo_of_areas(p, q)) if min(p, q) > 1 else inf


def positives_above_floor(distance: float, p: int, q: int, *, level: float) -> int:
    """Return how many positives, with negatives in the same proportion, put the floor below a distance."""
    few, enough = 1, MOST
    while few < enough:
        middle = (few + enough) // 2
        is_enough = floor_of_difference(middle, ceil(middle * q / p), level=level) < distance
        few, enough = (few, middle) if is_enough else (middle + 1, enough)
    return enough


def classical_size(distance: float, null_variance: float, variance: float, *, level: float, power: float) -> float:
    """Return how many cases put a value at a distance from a limit beyond it, with the variances of one case."""
    spread = normal_quantile(level) * sqrt(null_variance) + normal_deviate(power) * sqrt(variance)
    return (spread / distance) ** 2 if distance else inf


def classical_power(n: float, distance: float, null_variance: float, variance: float, *, level: float) -> float:
    """Return the power of n cases."""
    z = (sqrt(n) * abs(distance) - normal_quantile(level) * sqrt(null_variance)) / sqrt(variance)
    tail = two_sided_p(z) / 2
    return 1 - tail if z > 0 else tail


def obuchowski_variance(area: float, kappa: float) -> float:
    """Return the variance of an area from one positive and kappa negatives."""
    a = 1.414 * normal_deviate(area)
    return 0.0099 * exp(-a * a / 2) * (5 * a * a + 8 + (a * a + 8) / kappa)
