r"""Estimates: a value with what each independent unit contributes to it, kept as sums.

A statistic has an influence :math:`\psi_i` of each case, and strata, whose totals count as known. With weights w, the
weight :math:`W_k` of stratum k and the weighted mean :math:`\bar\psi_k` of the influences in it, unit u (a cluster, or a
case by itself) contributes

.. math:: a_{ku} = \sum_{i \in u, k} w_i (\psi_i - \bar\psi_k) / W_k, \quad c_u = \sum_k a_{ku}

Of these only the sums :math:`S_k = \sum_u a_{ku}^2` and :math:`T_p = \sum_u c_u^p` are kept. The variance

.. math:: v = \sum_k \frac{n_k}{n_k - 1} S_k + \frac{I}{I - 1}\left(T_2 - \sum_k S_k\right)

(:math:`n_k` units with a case in k, I in all) is DeLong's [1]_ of an area of independent cases and Obuchowski's [2]_ of
clustered ones; :math:`T_3` is the third cumulant. The degrees of freedom are Satterthwaite's [3]_ of several strata, and
follow from the kurtosis of the contributions in one.

The p-value of a difference is 1 minus the largest level at which the interval excludes 0. The formulas of degrees of
freedom and limits take numbers, and arrays of simulated samples as well; hence the powers in place of square roots.

References
----------
.. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), Biometrics 44, 837-845.
.. [2] N. A. Obuchowski (1997), Biometrics 53, 567-578.
.. [3] F. E. Satterthwaite (1946), Biometrics Bulletin 2, 110-114.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cached_property
from math import e, exp, inf, isfinite, isinf, isnan, log, sqrt
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

import numpy as np

from rocconf.compute.stats.beta import student_quantile_of_tails, student_tails
from rocconf.compute.stats.normal import normal_quantile_of_tails, require_level, two_sided_p
from rocconf.compute.stats.roots import bisect, root
from rocconf.dataclass import dataclass
from rocconf.records import DELONG, ROBUST, UNKNOWN, Interval

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rocconf.records import IntervalKind

SQUARE_AND_ADD = "square-and-add"
ROUNDING = 1e-13
"""The share of the squares below which the part that strata share is rounding error."""

PSEUDO_CASES = 3.5
"""Pseudo-cases that reproduce the rule of three: 1.96 times the root of 3.5 is 3.67, and -log(0.025) is 3.69."""

LEAST_P = 1e-100
"""The least p-value that is searched for: a smaller one is given as this."""


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over independent units of what each contributes to an estimate."""

    units: int
    n: tuple[int, ...]
    """The units with a case in each stratum."""
    squares: tuple[float, ...]
    """The sum of the squared contributions in each stratum."""
    kish: tuple[float, ...]
    """The number of units of equal mass in each stratum (Kish)."""
    second: float
    third: float
    fourth: float
    case_squares: float
    """What the squares would be if each case were a unit."""

    @classmethod
    def unknown(cls) -> Sums:
        """Return the sums of a single unit, which tell nothing."""
        return cls(1, (1,), (0.0,), (1.0,), 0.0, 0.0, 0.0, 0.0)

    @property
    def variance(self) -> float | None:
        """The variance; None with a single unit in all, or in a stratum."""
        if min(self.units, *self.n) < 2:
            return None
        shared = self.second - sum(self.squares)
        shared = 0.0 if abs(shared) < ROUNDING * self.second else shared
        return max(sum(self._parts) + self.units / (self.units - 1) * shared, 0.0)

    @property
    def df(self) -> float | None:
        """The degrees of freedom of the variance; None where it is undefined."""
        if min(self.units, *self.n) < 2:
            return None
        most = self.units - 1
        if len(self.n) == 1:
            kurtosis = self.units * self.fourth / self.second / self.second if self.second else 1.0
            df = 2 * self.units / max(kurtosis - 1 + 2 / most, 2 / self.units)
            return min(max(df, 1.0), most)
        return min(max(float(satterthwaite(self._parts, [n - 1 for n in self.n])), 1.0), most)

    @property
    def _parts(self) -> list[float]:
        return [n / (n - 1) * square for square, n in zip(self.squares, self.n, strict=True)]

    @property
    def clustering(self) -> float:
        """The factor by which clusters raise the sum of squares over that of single cases."""
        return self.second / self.case_squares if self.case_squares else 1.0


def satterthwaite(parts: Sequence[Any], dfs: Sequence[float]) -> Any:
    """Return the degrees of freedom of a sum of variances; the fewest of a part where the sum is 0."""
    total = sum(parts)
    total = total + (total == 0)
    # as shares of the variance, since the square of a small variance can be 0
    inverse = sum((part / total) ** 2 / df for part, df in zip(parts, dfs, strict=True))
    return 1 / (inverse + (inverse == 0) / min(dfs))


class Estimate:
    """A number with its uncertainty; each form has its limits."""

    __slots__ = ()
    form: ClassVar[str]

    if TYPE_CHECKING:

        @property
        def value(self) -> float:
            """The value."""

        @property
        def kind(self) -> IntervalKind | None:
            """The kind of the interval; None of one that is drawn, and of a number without an interval."""

        @property
        def test(self) -> str | None:
            """The name of the method."""

        def limits(self, tails: float) -> Interval:
            """Return the interval of level 1 - tails, also where that level rounds to 1."""

    def interval(self, level: float) -> Interval | None:
        """Return the interval at a level; None of a number that has none, like a count."""
        require_level(level)
        return self.limits(1 - level)

    @property
    def p(self) -> float | None:
        """The p-value of a difference; None where no test can be made."""
        return None


AnyEstimate = TypeVar("AnyEstimate", bound="Estimate")

FORMS: dict[str, type[Estimate]] = {}
"""Every form of an estimate, by the name that reports have for it."""


def form(name: str) -> Callable[[type[AnyEstimate]], type[AnyEstimate]]:
    """Make a class a form of estimates that reports can hold."""

    def declare(cls: type[AnyEstimate]) -> type[AnyEstimate]:
        cls.form = name
        FORMS[name] = cls
        return cls

    return declare


def to_record(estimate: Any) -> dict[str, Any]:
    """Return an estimate as a report holds it."""
    record = {field.name: _plain(getattr(estimate, field.name)) for field in fields(estimate)}
    return {"form": estimate.form, **record} if hasattr(estimate, "form") else record


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not isfinite(value):
        return None if isnan(value) else str(value)
    if isinstance(value, tuple | np.ndarray):
        return [_plain(each) for each in (value if isinstance(value, tuple) else value.tolist())]
    return to_record(value) if hasattr(value, "__dataclass_fields__") else value


def from_record(record: Mapping[str, Any]) -> Any:
    """Return the estimate that a report holds."""
    values = {name: _rebuilt(value) for name, value in record.items() if name != "form"}
    return FORMS[record["form"]](**values) if "form" in record else PARTS[frozenset(record)](**values)


def _rebuilt(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_rebuilt, value))
    if isinstance(value, dict):
        return from_record(value)
    return float(value) if value in ("inf", "-inf") else value


@dataclass(frozen=True, slots=True)
class Size:
    """The number of independent cases that a share of clustered or weighted cases is worth."""

    effective: float
    """The number of independent cases with the same variance."""
    kish: float
    df: float | None
    """The degrees of freedom of that variance; None where it is 0 or undefined."""
    units: int
    """The units with such a case."""

    def at(self, tails: float) -> float:
        """Return the size for the interval of a rule: smaller than the effective one with few units."""
        if self.df is None:
            return self.kish
        t = student_quantile_of_tails(tails, self.df)
        shrinking = normal_quantile_of_tails(tails) / t if t else 1.0
        return max(min(self.effective, self.kish), self.effective * shrinking**2)


PARTS: dict[frozenset[str], type] = {
    frozenset(each.name for each in fields(cls)): cls for cls in (Sums, Size, Interval)
}
"""What estimates hold that is no estimate, by the names of its fields."""


@form("known")
@dataclass(frozen=True, slots=True)
class Known(Estimate):
    """A number without an interval: a count, a threshold or a p-value."""

    value: float
    kind: ClassVar[None] = None
    test: ClassVar[None] = None

    def interval(self, level: float) -> None:  # noqa: ARG002  # as all forms
        return None


@form("area")
@dataclass(frozen=True, slots=True)
class Area(Estimate):
    r"""An area between 0 and 1: Wilson's form [1]_ with the variance of the area.

    .. math:: \frac{A + k/2 \pm \sqrt{k A(1-A) + k^2/4}}{1 + k}, \quad k = t^2\,\frac{v + x + 1/4m^2}{A(1-A) + 1/4m}

    It has a width also where v is 0. With a single case of a class, v is undefined, and the interval of an AUC is
    that of Newcombe's method 5 [2]_. `delong` is the interval on the logit scale, and Newcombe's where v is 0.

    References
    ----------
    .. [1] E. B. Wilson (1927), J. Amer. Stat. Assoc. 22, 209-212.
    .. [2] R. G. Newcombe (2006), Statistics in Medicine 25, 559-573.
    """

    value: float
    sums: Sums
    fewest: float
    """The number m of cases of the smaller class, as far as they count."""
    extra: float = 0.0
    """The variance x of what units of unequal weight may have missed."""
    pessimistic: float | None = None
    """The area with one more negative ranked first, from which the lower limit starts."""
    kind: IntervalKind = ROBUST
    cases: tuple[int, int] | None = None
    """The cases of each class, of an AUC whose interval can be Newcombe's."""
    within: Interval | None = None
    """Where the area lies if scores in bins do not tell it exactly."""
    bounds: tuple[float | None, float | None] | None = None
    """The variance and its degrees of freedom where the sums do not tell them: of scores in bins, bounds of these."""

    @property
    def variance(self) -> float | None:
        """The variance; None where it is undefined."""
        return self.sums.variance if self.bounds is None else self.bounds[0]

    @property
    def df(self) -> float | None:
        """The degrees of freedom; None where the variance is undefined."""
        return self.sums.df if self.bounds is None else self.bounds[1]

    @property
    def test(self) -> str | None:
        return self.kind

    @property
    def se(self) -> float | None:
        """The standard error; None where the variance is 0 or undefined."""
        v = self.variance
        return sqrt(v) if v and 0 < self.value < 1 else None  # an area can round to 1 without being 1

    @property
    def is_newcombe(self) -> bool:
        """Whether the interval is that of Newcombe's method 5, as there is no variance."""
        return self.cases is not None and (self.df is None or (self.kind == DELONG and self.se is None))

    def limits(self, tails: float) -> Interval:
        within = self.within
        if within is None or within.lower == within.upper:
            return self._limits_of(self.value, tails)
        if self.kind == DELONG and self.df is not None and not (self.se and 0 < within.lower <= within.upper < 1):
            return Interval(0.0, 1.0)  # the logit of an area that may be 0 or 1
        # with a variance that is held fixed each limit rises and then falls, or falls and then rises, with the area
        found = [self._limits_of(each, tails) for each in (within.lower, self.value, within.upper)]
        return Interval(min(each.lower for each in found), max(each.upper for each in found))

    def _limits_of(self, area: float, tails: float) -> Interval:
        if self.is_newcombe and self.cases is not None:
            return newcombe_limits(area, *self.cases, normal_quantile_of_tails(tails))
        df = self.df
        if df is None:
            return UNKNOWN
        if self.kind == DELONG:
            se = self.se
            return UNKNOWN if se is None else Interval(*logit_limits(area, se, normal_quantile_of_tails(tails)))
        t, v = student_quantile_of_tails(tails, df), (self.variance or 0.0) + self.extra
        found = wilson_form(area, v, self.fewest, t)
        if self.pessimistic is None:
            return found
        lower = wilson_form(self.pessimistic, v, self.fewest, t).lower
        return Interval(min(lower, found.lower), found.upper)


def wilson_form(area: float, variance: float, m: float, t: float) -> Interval:
    """Return Wilson's form for an area with a variance, of m cases in the smaller class."""
    lower, upper = wilson_limits(area, variance, m, t)
    # rounding must put neither a limit beyond the area nor that of an area of 0 or 1 inside (0, 1)
    return Interval(min(lower, area) if area > 0 else 0.0, max(upper, area) if area < 1 else 1.0)


def wilson_limits(area: Any, variance: Any, m: float, t: Any) -> tuple[Any, Any]:
    """Return the limits of Wilson's form, of numbers or arrays."""
    of_share = area * (1 - area)
    k = t * t * (variance + 0.25 / m**2) / (of_share + 0.25 / m)
    reach = (k * of_share + k * k / 4) ** 0.5
    return (area + k / 2 - reach) / (1 + k), (area + k / 2 + reach) / (1 + k)


def newcombe_limits(area: float, p: int, q: int, z: float) -> Interval:
    r"""Return the interval of Newcombe's method 5: all :math:`\theta` with :math:`|A-\theta| \le z\sqrt{V(\theta)}`.

    With :math:`N = (P+Q)/2 - 1`,
    :math:`V(\theta) = \frac{\theta(1-\theta)}{PQ}\left[1 + N\frac{1-\theta}{2-\theta} + N\frac{\theta}{1+\theta}\right]`.
    """
    extra = (p + q) / 2 - 1

    def excess(theta: float) -> float:
        """Return a number that is negative inside the interval."""
        spread = theta * (1 - theta) / (p * q)
        spread *= 1 + extra * (1 - theta) / (2 - theta) + extra * theta / (1 + theta)
        return (area - theta) ** 2 - z * z * spread

    lower, upper = (bisect(area, end, lambda theta: excess(theta) > 0)[0] for end in (0.0, 1.0))
    return Interval(lower if area > 0 else 0.0, upper if area < 1 else 1.0)


def logit_limits(area: Any, se: Any, z: float) -> tuple[Any, Any]:
    """Return the classical limits of an area with a standard error, on the logit scale; of numbers or arrays."""
    odds = e ** (-z * se / (area * (1 - area)))  # of a limit over those of the area; cannot overflow
    return area * odds / (area * odds + (1 - area)), area / (area + (1 - area) * odds)


@form("skewed")
@dataclass(frozen=True, slots=True)
class Skewed(Estimate):
    r"""A mean or a difference with a skewed distribution, which pseudo-cases keep from being overlooked.

    With the variance v, the variance B of pseudo-cases [1]_, :math:`V = v + B` and the third cumulant
    :math:`\kappa_3` the side to which the distribution is skewed becomes longer [2]_:

    .. math:: d - s_- - \sqrt{s_-^2 + t^2 V} \quad\text{and}\quad d + s_+ + \sqrt{s_+^2 + t^2 V}, \quad
       s_\pm = \frac{t^2}{2}\max\left(\pm\frac{\kappa_3}{V}, 0\right)

    Zero is a limit at :math:`t^2 = d^2/(V + |d|\max(\mp\kappa_3/V, 0))`, of which p is the probability of the tails.

    References
    ----------
    .. [1] A. Agresti, Y. Min (2005), Statistics in Medicine 24, 729-740, who add pseudo-cases to paired proportions.
    .. [2] N. J. Johnson (1978), J. Amer. Stat. Assoc. 73, 536-544; P. Hall (1992), J. R. Stat. Soc. B 54, 221-228.
    """

    value: float
    sums: Sums
    pseudo: float
    """The variance B of the pseudo-cases; infinite where one error would be."""
    least: float = -1.0
    most: float = 1.0
    """The ends of the range, at which the limits are clipped."""
    is_difference: bool = True
    kind: IntervalKind = ROBUST
    test: str = ROBUST

    @property
    def _spread(self) -> tuple[float, float] | None:
        """The variance V and its degrees of freedom; None where they are undefined."""
        v, df = self.sums.variance, self.sums.df
        if not self.pseudo and not self.sums.second:  # equal in every sample
            return 0.0, inf
        if v is None or df is None or isinf(self.pseudo):
            return None
        wide = v + self.pseudo
        if len(self.sums.n) == 1:  # the pseudo-cases are no estimate
            df = df * (wide / v) ** 2 if v * 1e150 > wide else inf
        return wide, df

    def limits(self, tails: float) -> Interval:
        spread = self._spread
        if spread is None:
            return UNKNOWN if isinf(self.pseudo) or not self.is_difference else Interval(self.least, self.most)
        wide, df = spread
        if not wide:
            return Interval(self.value, self.value)
        lower, upper = skewed_limits(self.value, wide, self.sums.third, student_quantile_of_tails(tails, df))
        return Interval(min(max(lower, self.least), self.most), max(min(upper, self.most), self.least))

    @property
    def p(self) -> float | None:
        spread = self._spread
        if not self.is_difference or isinf(self.pseudo):
            return None
        if spread is None or not spread[0]:
            return 1.0
        wide, df = spread
        skew = self.sums.third / wide
        towards_0 = max(-skew if self.value > 0 else skew, 0.0)
        return student_tails(self.value / sqrt(wide + abs(self.value) * towards_0), df)


def skewed_limits(value: Any, wide: Any, third: Any, t: Any) -> tuple[Any, Any]:
    """Return the limits of a value with a skewed distribution, of numbers or arrays."""
    square, skew = t * t, third / wide
    down, up = square / 4 * (abs(skew) - skew), square / 4 * (abs(skew) + skew)
    return value - down - (down**2 + square * wide) ** 0.5, value + up + (up**2 + square * wide) ** 0.5


@form("normal")
@dataclass(frozen=True, slots=True)
class Normal(Estimate):
    """A difference of areas with the classical interval, from its variance."""

    value: float
    variance: float
    kind: IntervalKind = DELONG
    test: str = DELONG
    least: float = -1.0

    @property
    def se(self) -> float:
        """The standard error."""
        return sqrt(self.variance)

    def limits(self, tails: float) -> Interval:
        reach = normal_quantile_of_tails(tails) * sqrt(self.variance)
        return Interval(max(self.value - reach, self.least), min(self.value + reach, 1.0))

    @property
    def p(self) -> float:
        return two_sided_p(self.value / sqrt(self.variance))


@form("between")
@dataclass(frozen=True, slots=True)
class Between(Estimate):
    """A measure between two means: the expectation of one is not above it, that of the other not below it."""

    value: float
    low: Skewed
    high: Skewed
    least: float = -1.0
    most: float = 1.0
    """The ends of the range, at which the limits are clipped."""
    kind: IntervalKind = ROBUST
    test: str = "cross-fitted"

    def limits(self, tails: float) -> Interval:
        below, above = (each.limits(tails) for each in (self.low, self.high))
        if UNKNOWN in (below, above):
            return UNKNOWN
        return Interval(max(below.lower, self.least), min(above.upper, self.most))

    @property
    def p(self) -> float | None:
        beyond = self.low if self.low.value > 0 else self.high if self.high.value < 0 else None
        return 1.0 if beyond is None else beyond.p


def unseen_share(units: float, tails: float) -> float:
    """Return the share of units that m of them, none of which shows something, cannot exclude."""
    return 1 - (tails / 2) ** (1 / units) if units > 0 else 1.0


def square_and_add(one: float, other: float, correlation: float, units: float, tails: float) -> float:
    """Return the distance to a limit of a sum from those of its parts, each times its weight.

    A correlation that narrows is reduced by as much as the units leave open, none of which shows otherwise.
    """
    shared = 2 * correlation * one * other
    if shared < 0:
        shared *= 1 - unseen_share(units, tails)
    return sqrt(max(one * one + other * other + shared, 0.0))


@form("sum")
@dataclass(frozen=True, slots=True)
class Sum(Estimate):
    r"""A weighted sum of two estimates: square-and-add of the distances to their limits [1]_ [2]_.

    With :math:`q_j` the weight times the distance from the estimate to its limit on the side that moves the sum,

    .. math:: \theta \mp \sqrt{q_1^2 + q_2^2 + 2 r q_1 q_2}

    References
    ----------
    .. [1] R. G. Newcombe (1998), Statistics in Medicine 17, 873-890 (method 10).
    .. [2] G. Y. Zou, A. Donner (2008), Statistics in Medicine 27, 1693-1702.
    """

    parts: tuple[Estimate, Estimate]
    weights: tuple[float, float] = (1.0, -1.0)
    correlation: float = 0.0
    units: float = 1.0
    """The units with a case under either, which cannot show that none goes its own way."""
    least: float = -1.0
    most: float = 1.0
    is_difference: bool = True
    is_tested: bool = True
    shift: float = 0.0
    test: str = SQUARE_AND_ADD

    @property
    def kind(self) -> IntervalKind | None:
        return self.parts[0].kind

    @property
    def value(self) -> float:
        (one, other), (first, second) = self.parts, self.weights
        return float(self.shift + first * one.value + second * other.value)

    def limits(self, tails: float) -> Interval:
        around = [part.limits(tails) for part in self.parts]
        if any(None in each.ends for each in around):
            return UNKNOWN
        value = self.value
        lower, upper = (self._reach(around, tails, downwards=downwards) for downwards in (True, False))
        return Interval(max(value - lower, min(self.least, value)), min(value + upper, max(self.most, value)))

    def _reach(self, around: Sequence[Interval], tails: float, *, downwards: bool) -> float:
        one, other = (
            w * (part.value - limits.lower if (w > 0) == downwards else limits.upper - part.value)
            for w, part, limits in zip(self.weights, self.parts, around, strict=True)
        )
        return square_and_add(one, other, self.correlation, self.units, tails)

    @property
    def p(self) -> float | None:
        if not (self.is_difference and self.is_tested) or self.limits(0.5) == UNKNOWN:
            return None
        return inverted_p(self)


@form("ratio")
@dataclass(frozen=True, slots=True)
class Ratio(Estimate):
    """The ratio of two shares, on the logarithmic scale, by square-and-add."""

    parts: tuple[Estimate, Estimate]
    correlation: float = 0.0
    units: float = 1.0
    test: str = SQUARE_AND_ADD

    @property
    def kind(self) -> IntervalKind | None:
        return self.parts[0].kind

    @property
    def value(self) -> float:
        """The ratio, infinite where only the second share is 0."""
        first, second = (part.value for part in self.parts)
        return first / second if second else inf

    def limits(self, tails: float) -> Interval:
        (one, of_one), (other, of_other) = ((part.value, part.limits(tails)) for part in self.parts)
        if any(None in each.ends for each in (of_one, of_other)):
            return UNKNOWN
        if not one:
            return Interval(0.0, of_one.upper / of_other.lower if of_other.lower else inf)
        if not other:
            return Interval(of_one.lower / of_other.upper, inf)

        def reach(end: float, against: float) -> float:
            """Return the factor between the ratio and a limit, infinite where a share may be 0."""
            if not (end and against):
                return inf
            distances = abs(log(one / end)), -abs(log(other / against))
            return exp(square_and_add(*distances, self.correlation, self.units, tails))

        value = self.value
        return Interval(value / reach(of_one.lower, of_other.upper), value * reach(of_one.upper, of_other.lower))


@dataclass(frozen=True)
class Measured:
    """An estimate at the level of a run."""

    estimate: Any
    level: float
    is_from_itself: bool = False
    """Whether it is the difference of a model from itself under another name."""

    @property
    def value(self) -> float:
        """The value."""
        return float(self.estimate.value)

    @cached_property
    def interval(self) -> Interval:
        """The interval."""
        return cast("Interval", self.estimate.interval(self.level))

    @cached_property
    def p(self) -> float | None:
        """The p-value of a difference; None where no test can be made."""
        return cast("float | None", self.estimate.p)

    @property
    def test(self) -> str:
        """The name of the method."""
        return "itself" if self.is_from_itself else self.estimate.test

    @property
    def kind(self) -> Any:
        """The kind of the interval, if it has one."""
        return self.estimate.kind

    @property
    def se(self) -> float | None:
        """The standard error of an area; None where the variance is 0 or undefined."""
        return cast("float | None", self.estimate.se)

    @property
    def df(self) -> float | None:
        """The degrees of freedom of the variance of an area; None where it is undefined."""
        return cast("float | None", self.estimate.df)


def measured(estimate: Estimate | None, level: float, *, is_from_itself: bool = False) -> Measured | None:
    """Return an estimate at a level, None where there is none."""
    return None if estimate is None else Measured(estimate, level, is_from_itself)


def inverted_p(estimate: Any) -> float:
    """Return 1 minus the largest level at which the interval of an estimate excludes 0."""
    value = estimate.value
    if value == 0:
        return 1.0

    def beyond(reach: float) -> float:
        """Return how far the limit next to 0 is from it, on the side of the difference, at tails of exp(-reach^2)."""
        limits = estimate.limits(exp(-reach * reach))
        found = float(limits.lower if value > 0 else -limits.upper)
        return max(found, -float(abs(value)))  # a limit of a ratio can be infinite

    far = sqrt(-log(LEAST_P))
    least = beyond(far)
    if least > 0:
        return LEAST_P
    return exp(-(root(beyond, (0.0, abs(value)), (far, least)) ** 2))  # nearly linear in the reach
