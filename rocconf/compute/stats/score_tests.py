r"""Score intervals for the difference of two proportions: paired and unpaired, with and without a correction.

Of n pairs, b differ in one direction and c in the other. Tango's interval [1]_ contains the differences
:math:`\delta` that the score test does not reject, whose ends solve

.. math:: \frac{b-c-n\delta}{\sqrt{n(2\hat q_{21}+\delta(1-\delta))}} = \pm z

Published code takes the roots of a quartic, which fails on ordinary counts. Here the constrained estimates are
written with a Lagrange multiplier t, which makes them rational: with :math:`a = n-b-c`,

.. math:: P = \frac{b}{1+t}, \quad Q = \frac{c}{1-t}, \quad \delta = \frac{P-Q}{a+P+Q}

are the expected b and c and their difference, and the squared score is :math:`t^2[a(P+Q)+4PQ]/n`. Setting it to
:math:`z^2`, with :math:`w=1/t` and :math:`k=nz^2`, leaves a depressed cubic with three real roots,

.. math:: w^3 - pw - q = 0, \quad p = 1 + \frac{a(b+c)+4bc}{k}, \quad q = \frac{a(c-b)}{k}

whose largest (at least 1) gives the lower limit and whose smallest (at most -1) the upper one. The one of larger
magnitude is between :math:`\sqrt 3 r` and :math:`2r` with :math:`r=\sqrt{p/3}`, and the other one follows from it by a
square root. A Newton step in :math:`u=|w|-1` restores the digits that the subtraction of 1 takes,

.. math:: u^3 + 3u^2 + (3-p)u - 2c(a+2b)/k = 0, \quad P = \frac{b(1+u)}{2+u}, \quad Q = \frac{c(1+u)}{u}

The upper limit is the negated lower one of the exchanged counts. There is no trigonometric function, whose last digit
would depend on the processor.

With Edwards' correction [2]_ of one case the limits, on the same cases, solve

.. math:: \frac{\max(|b-c-n\delta|-1, 0)}{\sqrt{n(\hat q(\delta)-\delta^2)}} = z

where :math:`\hat q` estimates the share of discordant cases under :math:`\delta`: with :math:`s=b+c, t=b-c, m=n-s` and
:math:`A=4nm+t^2` it is :math:`[s+t\delta+\sqrt{A(\delta-t(n+m)/A)^2+16nmbc/A}]/2n`. At 0 this is McNemar's corrected
test, which gives p. On different cases they are those of Miettinen and Nurminen [3]_, with the correction
:math:`(1/n_1+1/n_2)/2` of the difference; p is that of the test at 0, where the two rates are pooled.

Without the corrections the error of one side reaches 5% on the same cases and 14% on different ones, for a nominal
2.5%; with them 2.3% and 2.9% (docs/intervals.md).

References
----------
.. [1] T. Tango (1998), Statistics in Medicine 17, 891-908.
.. [2] A. L. Edwards (1948), Psychometrika 13, 185-187.
.. [3] O. Miettinen, M. Nurminen (1985), Statistics in Medicine 4, 213-226.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.stats.roots import bisect
from rocconf.errors import UndefinedError
from rocconf.records import Interval

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from rocconf.records import Floats

    Number = float | Floats
    Score = Callable[[float], float]
    """Returns the score statistic under a difference."""

MOST = 2**53
"""The largest count up to which every whole number is a float64."""

NEWTON_STEPS = 3
"""Newton's steps to the largest root from 1% off; each squares the relative error."""

LEAST_U = 1e-100
"""A lower bound of u, which is 0 only where c = 0, where it is not used, and where c = n, whose limit is -1."""


class Limits(NamedTuple):
    """The two ends of intervals: `lower, upper = limits`."""

    lower: Floats
    upper: Floats


def tango_interval(b: ArrayLike, c: ArrayLike, n: ArrayLike, level: float = 0.95) -> Limits:
    """Return Tango's interval for (b - c) / n, for any number of tables at once.

    Parameters
    ----------
    b, c
        The numbers of pairs that differ in either direction; for a classifier, its false negatives and false
        positives.
    n
        The number of pairs. The three are broadcast against each other.
    level
        The level of the interval.

    Examples
    --------
    >>> import rocconf
    >>> interval = rocconf.tango_interval(12, 2, 50)
    >>> round(float(interval.lower), 3), round(float(interval.upper), 3)
    (0.061, 0.345)
    """
    b_, c_, n_ = np.broadcast_arrays(_whole("b", b, MOST), _whole("c", c, MOST), _whole("n", n, 2 * MOST))
    if (n_ == 0).any():
        raise UndefinedError("tango-no-pair")
    over = b_ + c_ > n_
    if over.any():
        first = int(np.argmax(over))
        raise UndefinedError("tango-too-many", b=b_.flat[first], c=c_.flat[first], n=n_.flat[first])
    return Limits(*map(np.asarray, tango_limits(b_, c_, n_, normal_quantile(level))))


def _whole(name: str, values: ArrayLike, most: int) -> Floats:
    """Return counts as floats, which hold them exactly up to 2^53, and to the last digit up to 2^54."""
    counts = np.asarray(values)
    if counts.dtype.kind not in "iuf":
        raise UndefinedError("tango-counts", name=name, dtype=counts.dtype)
    wrong = ~((counts >= 0) & (counts <= most) & (counts == np.floor(counts)))
    if wrong.any():
        raise UndefinedError("tango-whole", name=name, most=most.bit_length() - 1, value=counts[wrong].flat[0])
    return counts.astype(np.float64)


def tango_limits(b: ArrayLike, c: ArrayLike, n: Number, z: float) -> Limits:
    """Return Tango's limits; the numbers need not be whole."""
    b, c, k = np.asarray(b, dtype=np.float64), np.asarray(c, dtype=np.float64), n * (z * z)
    a = n - np.maximum(b, c) - np.minimum(b, c)  # rounded alike for (b, c) and (c, b)
    with np.errstate(divide="ignore", invalid="ignore"):  # where c = 0, which has no u
        p = 1 + (a * (b + c) + 4 * (b * c)) / k
        q = a * np.abs(c - b) / k
        r = np.sqrt(p / 3)
        large = r * 3**0.5 + (2 - 3**0.5) / 2 * q / (r * r)
        for _ in range(NEWTON_STEPS):
            squared = large * large
            large = (2 * squared * large + q) / (3 * squared - p)
        small = (large + np.sqrt(np.maximum(4 * p - 3 * (large * large), 0))) / 2
        lower = _tango_limit(b, c, a, p, k, np.where(b > c, small, large))
        upper = -_tango_limit(c, b, a, p, k, np.where(c > b, small, large))
    return Limits(lower, upper)


def _tango_limit(b: Floats, c: Floats, a: Floats, p: Floats, k: Number, w: Floats) -> Floats:  # noqa: PLR0917  # the formula's letters
    """Return the lower limit, given the largest root."""
    u = w - 1
    u = u - (((u + 3) * u + (3 - p)) * u - 2 * c * (a + 2 * b) / k) / (3 * (w * w) - p)
    # with c = 0 the cubic factors; at u = 0 the multiplier does not determine Q, but the score equation does
    none = c == 0
    u = np.maximum(np.where(none, (np.sqrt(4 * p - 3) - 3) / 2, u), np.where(none, 0, LEAST_U))
    P = b * ((1 + u) / (2 + u))
    Q = np.where(none, np.where(u > 0, 0, (k - a * P) / (a + 4 * P)), c * ((1 + u) / u))
    limit: Floats = (P - Q) / (a + P + Q)
    return limit


def paired_score(b: float, c: float, n: float) -> Score:
    """Return the corrected statistic of (b - c) / n on the same n cases; the numbers need not be whole."""

    def score(difference: float) -> float:
        return _over_error(abs(b - c - n * difference) - 1, paired_variance(b, c, n, difference))

    return score


def paired_variance(b: Any, c: Any, n: Any, difference: float) -> Any:
    """Return the variance of b - c under a difference; of numbers or arrays."""
    s, t, m = b + c, b - c, n - b - c
    a = 4 * n * m + t * t
    divisor = a + (a == 0)
    away = (a * (difference - t * (n + m) / divisor) ** 2 + 16 * n * m * b * c / divisor) ** 0.5
    variance = (s + t * difference + away) / 2 + s / 2 * (a == 0) - n * difference**2
    return (variance + abs(variance)) / 2


def unpaired_score(hits: float, n: float, other_hits: float, other_n: float) -> Score:
    """Return the corrected statistic of hits / n - other_hits / other_n on different cases."""
    value, correction = hits / n - other_hits / other_n, (1 / n + 1 / other_n) / 2
    more = (n + other_n) / (n + other_n - 1)

    def score(difference: float) -> float:
        def falls(rate: float) -> bool:
            """Return whether the likelihood falls at a second rate."""
            first = rate + difference
            if not 0 < first < 1:
                return first >= 1
            return hits / first - (n - hits) / (1 - first) + other_hits / rate <= (other_n - other_hits) / (1 - rate)

        rate, _ = bisect(max(0.0, -difference), min(1.0, 1 - difference), falls)
        first = rate + difference
        variance = more * (first * (1 - first) / n + rate * (1 - rate) / other_n)
        return _over_error(abs(value - difference) - correction, variance)

    return score


def score_limits(value: float, score: Score, z: float) -> Interval:
    """Return the differences on either side of a value beyond which its score exceeds z, -1 or 1 if none does."""
    return Interval(*(bisect(value, end, lambda difference: score(difference) > z)[1] for end in (-1.0, 1.0)))


def _over_error(distance: float, variance: float) -> float:
    if distance <= 0:
        return 0.0
    return distance / sqrt(variance) if variance > 0 else inf
