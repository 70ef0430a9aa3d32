r"""The interval of a mean of losses, one a case, which a few cases with large losses may dominate.

The mean of n losses has the variance :math:`v=s^2/n` and the third cumulant :math:`\kappa_3=\sum(x-\bar x)^3/n^3`. The
interval is that of a robust difference of areas (`rocconf.compute.stats.auc_difference`): pseudo-cases at the ends of
the range of the losses stand for what the sample cannot show, t is Student's, and the side to which the losses are
skewed becomes longer. With :math:`V=v+3.5r^2/n^2`, r the range,

.. math:: \bar x - s_- - \sqrt{s_-^2 + t^2 V} \quad\text{and}\quad \bar x + s_+ + \sqrt{s_+^2 + t^2 V}, \quad
   s_\pm = \frac{t^2}{2}\max\left(\pm\frac{\kappa_3}{V}, 0\right)

The degrees of freedom are those of a variance whose own variance follows from the kurtosis [1]_,
:math:`2n/(\hat\kappa - 1 + 2/(n-1))`: few cases that differ from all others are few degrees of freedom.

The pseudo-cases are as many as make the limit that of an event that none of many cases shows, :math:`-\log(0.025)/n`
at 95%: a slice that the sample misses. Where a loss has no bound, as the logarithmic one, r is the largest that the
scores could have cost with any labels; where that is infinite, because a score is 0 or 1, the upper limit is unknown:
one error would make it infinite.

`delong`, the classical kind, is :math:`\bar x \pm z\sqrt v`.

References
----------
.. [1] F. E. Satterthwaite (1946), Biometrics Bulletin 2, 110-114.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf, isinf, sqrt
from typing import TYPE_CHECKING

from rocconf.compute.stats.difference import Difference
from rocconf.compute.stats.normal import normal_quantile, two_sided_p
from rocconf.compute.stats.student import student_quantile, student_tails
from rocconf.dataclass import dataclass
from rocconf.records import ROBUST, UNKNOWN, Interval

if TYPE_CHECKING:
    from rocconf.records import Counts, Floats, IntervalKind

PSEUDO_CASES = 3.5
"""The pseudo-cases: 1.96 times the root of 3.5 is 3.67, and -log(0.025) is 3.69."""

MEAN = "mean"
"""The test of a mean difference of losses."""


@dataclass(frozen=True, slots=True)
class MeanLoss:
    """A mean with the variance and third cumulant of its distribution, and the range of what it is the mean of."""

    value: float
    variance: float
    third_cumulant: float
    df: float
    n: int
    range: float
    """The largest loss that is possible; infinite where there is no bound."""
    seen: float
    """The largest less the least loss of the sample."""

    @classmethod
    def of(cls, losses: Floats, cases: Counts | None = None, *, reach: float) -> MeanLoss:
        """Return the mean of losses, each of one case or of some."""
        weights = None if cases is None else cases.astype(float)
        n = len(losses) if cases is None else int(cases.sum())

        def total(values: Floats) -> float:
            return float((values if weights is None else values * weights).sum())

        value = total(losses) / n
        about = losses - value
        squares, cubes = (total(about**power) for power in (2, 3))
        variance = squares / (n - 1) / n if n > 1 else 0.0
        farthest = float(abs(about).max())
        shape = about / farthest if farthest else about  # whose fourth powers do not vanish
        kurtosis = n * total(shape**4) / total(shape**2) ** 2 if farthest else 1.0
        df = 2 * n / max(kurtosis - 1 + 2 / max(n - 1, 1), 2 / n)
        df, seen = min(max(df, 1.0), max(n - 1, 1)), float(losses.max() - losses.min())
        return cls(value, variance, cubes / n**3, df, n, reach, seen)

    def interval(self, level: float, kind: IntervalKind) -> Interval:
        """Return the interval; that of a single case is unknown."""
        if self.n < 2:
            return UNKNOWN
        if kind != ROBUST:
            reach = normal_quantile(level) * sqrt(self.variance)
            return Interval(self.value - reach, self.value + reach)
        square = student_quantile(level, self.df) ** 2
        below, above = (self._reach(square, upwards=upwards) for upwards in (False, True))
        return Interval(self.value - below, self.value + above)

    def _reach(self, square: float, *, upwards: bool) -> float:
        """Return the distance of a limit."""
        if isinf(self.range) and upwards:
            return inf
        variance = self._widened
        longer = square / 2 * max((1 if upwards else -1) * self.third_cumulant / variance, 0.0) if variance else 0.0
        return longer + sqrt(longer**2 + square * variance)

    def difference(self, *, level: float, kind: IntervalKind) -> Difference:
        """Return the mean as that of differences of losses on the same cases, with its p-value."""
        if self.n < 2 or (kind == ROBUST and isinf(self.range)):
            return Difference(self.value, UNKNOWN, None, MEAN, kind)
        return Difference(self.value, self.interval(level, kind), self.p(kind), MEAN, kind)

    def p(self, kind: IntervalKind) -> float:
        """Return 1 less the largest level at which the interval excludes 0."""
        if self.value == 0:
            return 1.0
        if kind != ROBUST:
            return two_sided_p(self.value / sqrt(self.variance)) if self.variance else 0.0
        longer = self.third_cumulant / self._widened if self._widened else 0.0
        towards_0 = max(-longer if self.value > 0 else longer, 0.0)
        return student_tails(self.value / sqrt(self._widened + abs(self.value) * towards_0), self.df)

    @property
    def _widened(self) -> float:
        reach = self.seen if isinf(self.range) else self.range
        return self.variance + PSEUDO_CASES * (reach / self.n) ** 2


@dataclass(frozen=True, slots=True)
class Between:
    """A measure between two means: the expectation of the one is not above it, that of the other not below it."""

    value: float
    low: MeanLoss
    high: MeanLoss

    def interval(self, level: float, kind: IntervalKind) -> Interval:
        """Return the interval, from the lower limit of the one mean and the upper limit of the other."""
        low, high = self._ends
        below, above = low.interval(level, kind), high.interval(level, kind)
        return UNKNOWN if UNKNOWN in (below, above) else Interval(below.lower, above.upper)

    def difference(self, *, level: float, kind: IntervalKind, test: str) -> Difference:
        """Return the measure as a difference, with the p-value that agrees with its interval."""
        interval = self.interval(level, kind)
        if interval == UNKNOWN:
            return Difference(self.value, UNKNOWN, None, test, kind)
        low, high = self._ends
        beyond = low if low.value > 0 else high if high.value < 0 else None
        return Difference(self.value, interval, 1.0 if beyond is None else beyond.p(kind), test, kind)

    @property
    def _ends(self) -> tuple[MeanLoss, MeanLoss]:
        """The two means, with the measure between them by chance too."""
        low, high = min(self.low.value, self.value), max(self.high.value, self.value)
        return replace(self.low, value=low), replace(self.high, value=high)
