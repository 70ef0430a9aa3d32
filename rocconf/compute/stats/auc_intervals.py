r"""Intervals for an area under the ROC curve, from the area and DeLong's variance.

`robust` is Wilson's interval [1]_ at the number of cases that would give a share DeLong's variance v, with Student's t
at the Satterthwaite degrees of freedom of v [2]_, and shrunk a little: with :math:`m = \min(P, Q)`,

.. math:: \frac{A + k/2 \pm \sqrt{k A(1-A) + k^2/4}}{1 + k}, \quad k = t^2\,\frac{v + 1/4m^2}{A(1-A) + 1/4m}

It has a width also where v is 0. With a single case of a class, v is undefined, and the interval is the score-type
interval of Newcombe's method 5 [3]_: all :math:`\theta` with :math:`|A-\theta| \le z\sqrt{V(\theta)}` and, with
:math:`N = (P+Q)/2 - 1`,

.. math:: V(\theta) = \frac{\theta(1-\theta)}{PQ}\left[1 + N\frac{1-\theta}{2-\theta} + N\frac{\theta}{1+\theta}\right]

`delong` is the classical interval on the logit scale, which keeps it inside (0, 1), and Newcombe's where v is 0 or
undefined. With few cases of a class and an area near 1 it misses the true area far too often.

References
----------
.. [1] E. B. Wilson (1927), J. Amer. Stat. Assoc. 22, 209-212.
.. [2] F. E. Satterthwaite (1946), Biometrics Bulletin 2, 110-114.
.. [3] R. G. Newcombe (2006), Statistics in Medicine 25, 559-573.
"""

from __future__ import annotations

from math import exp, inf, log, sqrt
from typing import TYPE_CHECKING

from rocconf.compute.stats.normal import normal_quantile, normal_quantile_of_tails, require_level
from rocconf.compute.stats.student import student_quantile_of_tails
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.records import INTERVAL_KINDS, ROBUST, Interval

if TYPE_CHECKING:
    from rocconf.records import IntervalKind


@dataclass(frozen=True, slots=True)
class DelongVariance:
    """DeLong's variance of an area, or of a difference of areas: the parts of the two classes."""

    of_positives: float
    """The sample variance of the placements of the positives, over their number."""
    of_negatives: float
    p: int
    """The positives or, of clustered cases, the clusters with a positive."""
    q: int
    shared: float = 0.0
    """The part of the clusters with cases of both classes, which can be negative."""
    clusters: int | None = None
    """The number of clusters, None of independent cases."""

    @property
    def value(self) -> float | None:
        """The variance; None with a single case, or a single cluster, of a class."""
        return max(self.of_positives + self.of_negatives + self.shared, 0.0) if min(self.p, self.q) > 1 else None

    @property
    def df(self) -> float | None:
        """Satterthwaite's degrees of freedom; None with a single case, or a single cluster, of a class."""
        if self.value is None:
            return None
        total = self.of_positives + self.of_negatives
        if not (self.value and total):
            return min(self.p, self.q) - 1
        # as shares of the variance, since the square of a small variance can be 0
        shares = self.of_positives / total, self.of_negatives / total
        df = 1 / (shares[0] ** 2 / (self.p - 1) + shares[1] ** 2 / (self.q - 1))
        return df if self.clusters is None else min(df, self.clusters - 1)


@dataclass(frozen=True, slots=True)
class Auc:
    """An area under the curve with its interval."""

    value: float
    se: float | None
    """The standard error; None where the variance is 0 or undefined."""
    df: float | None
    """The degrees of freedom of the variance; None with a single case of a class."""
    p: int
    q: int
    interval: Interval
    level: float
    kind: IntervalKind
    within: Interval | None = None
    """Where the area lies that scores in bins do not tell exactly, None of an area that is known."""

    @property
    def is_newcombe(self) -> bool:
        """Whether the interval is that of Newcombe's method 5, as there is no variance to compute its kind from."""
        return self.df is None or (self.kind != ROBUST and self.se is None)

    def limits(self, tails: float) -> Interval:
        """Return the interval of level 1 - tails, also where that level rounds to 1."""
        return _limits(self.value, self.se, self.df, self.p, self.q, tails=tails, kind=self.kind, within=self.within)


def auc_of(area: float, variance: DelongVariance, *, level: float, kind: IntervalKind) -> Auc:
    """Return an area with its standard error and interval, from its variance."""
    v = variance.value
    has_error = v is not None and v > 0 and 0 < area < 1  # an area can round to 1 without being 1
    se = sqrt(v) if v is not None and has_error else None
    return auc_from(area, se, variance.df, variance.p, variance.q, level=level, kind=kind)


def auc_from(
    area: float,
    se: float | None,
    df: float | None,
    p: int,
    q: int,
    *,
    level: float,
    kind: IntervalKind,
    within: Interval | None = None,
) -> Auc:
    """Return an area with its interval, from its standard error and degrees of freedom, which may be None.

    `within` is where the area lies if it is not known exactly; the interval then holds those of all areas in it.
    """
    require_level(level)
    require_interval_kind(kind)
    limits = _limits(area, se, df, p, q, tails=1 - level, kind=kind, within=within)
    return Auc(area, se, df, p, q, limits, level, kind, within)


def require_interval_kind(kind: str) -> None:
    """Reject an unknown kind of interval."""
    if kind not in INTERVAL_KINDS:
        raise UsageError("interval-kind", found=kind, kinds=" or ".join(INTERVAL_KINDS))


def newcombe_interval(area: float, p: int, q: int, *, level: float = 0.95) -> Interval:
    """Return the interval of Newcombe's method 5, whose width is positive even at an area of 0 or 1."""
    return _newcombe_limits(area, p, q, normal_quantile(level))


def _limits(
    area: float,
    se: float | None,
    df: float | None,
    p: int,
    q: int,
    *,
    tails: float,
    kind: IntervalKind,
    within: Interval | None = None,
) -> Interval:
    if within is None or within.lower == within.upper:
        return _limits_of(area, se, df, p, q, tails=tails, kind=kind)
    if kind != ROBUST and df is not None and (se is None or within.lower <= 0 or within.upper >= 1):
        return Interval(0.0, 1.0)  # the logit of an area that may be 0 or 1
    # with a variance that is held fixed each limit rises and then falls, or falls and then rises, with the area
    found = [_limits_of(each, se, df, p, q, tails=tails, kind=kind) for each in (within.lower, area, within.upper)]
    return Interval(min(each.lower for each in found), max(each.upper for each in found))


def _limits_of(
    area: float, se: float | None, df: float | None, p: int, q: int, *, tails: float, kind: IntervalKind
) -> Interval:
    if kind == ROBUST and df is not None:
        return robust_limits(area, (se or 0.0) ** 2, min(p, q), student_quantile_of_tails(tails, df))
    z = normal_quantile_of_tails(tails)
    return _newcombe_limits(area, p, q, z) if se is None else logit_limits(area, se, z)


def robust_limits(area: float, variance: float, m: float, t: float) -> Interval:
    """Return Wilson's form for an area with a variance, of m cases in the smaller class."""
    of_share = area * (1 - area)
    k = t * t * (variance + 0.25 / m**2) / (of_share + 0.25 / m)
    reach = sqrt(k * of_share + k * k / 4)
    # rounding must put neither a limit beyond the area nor that of an area of 0 or 1 inside (0, 1)
    lower, upper = (area + k / 2 - reach) / (1 + k), (area + k / 2 + reach) / (1 + k)
    return Interval(min(lower, area) if area > 0 else 0.0, max(upper, area) if area < 1 else 1.0)


def _newcombe_limits(area: float, p: int, q: int, z: float) -> Interval:
    extra = (p + q) / 2 - 1

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


def logit_limits(area: float, se: float, z: float) -> Interval:
    """Return the classical interval of an area with a standard error, on the logit scale."""
    middle = log(area / (1 - area)) if 0 < area < 1 else inf
    reach = z * se / (area * (1 - area))
    return Interval(_expit(middle - reach), _expit(middle + reach))


def _expit(x: float) -> float:
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))
