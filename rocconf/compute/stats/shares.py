r"""Shares of cases, and differences of two: exact and score intervals behind the questions of an estimate.

Hits among independent cases have the exact interval of Clopper and Pearson [1]_ (`robust`) or Wilson's (`delong`). A share
of clustered or weighted cases has that of as many independent cases as are worth as much [2]_. With weights the limits
also reach those of one more hit, or one more miss, of a weight that the sample may have missed: Fay and Feuer's form [3]_
with a beta distribution.

On the same cases, b right in the first model alone and c in the second alone, a difference has Tango's score interval [4]_
with Edwards' correction; on different cases that of Miettinen and Nurminen, corrected. `delong` is Tango's without it,
and Newcombe's.

References
----------
.. [1] C. J. Clopper, E. S. Pearson (1934), Biometrika 26, 404-413.
.. [2] E. L. Korn, B. I. Graubard (1998), Survey Methodology 24, 193-201.
.. [3] M. P. Fay, E. J. Feuer (1997), Statistics in Medicine 16, 791-801.
.. [4] T. Tango (1998), Statistics in Medicine 17, 891-908.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING, Any, ClassVar

from rocconf.compute.stats.beta import beta_quantile
from rocconf.compute.stats.estimate import Estimate, Size, Sum, form, inverted_p
from rocconf.compute.stats.normal import normal_quantile_of_tails, two_sided_p
from rocconf.compute.stats.proportion import wilson_of_tails
from rocconf.compute.stats.score_tests import paired_score, score_limits, tango_limits, unpaired_score
from rocconf.dataclass import dataclass
from rocconf.records import DELONG, ROBUST, Interval

if TYPE_CHECKING:
    from rocconf.records import IntervalKind

TANGO, TANGO_CORRECTED = "tango", "tango-cc"
NEWCOMBE, MIETTINEN_NURMINEN_CORRECTED = "newcombe", "miettinen-nurminen-cc"


@form("share")
@dataclass(frozen=True, slots=True)
class Share(Estimate):
    """The share of hits among some cases."""

    hits: float
    cases: float
    kind: IntervalKind = ROBUST
    size: Size | None = None
    """What the cases are worth; None of independent cases of one weight."""
    unseen: tuple[tuple[float, float], tuple[float, float]] | None = None
    """With weights: the share, and the weight of one case as a share, of one more hit, and of the misses with one more."""

    @property
    def value(self) -> float:
        return self.hits / self.cases

    @property
    def test(self) -> str:
        return "clopper-pearson" if self.kind == ROBUST else "wilson"

    def limits(self, tails: float) -> Interval:
        if self.kind == DELONG:
            return self.wilson(tails)
        hits, cases = self.counts(tails)
        lower, upper = _exact_lower(hits, cases, tails), 1 - _exact_lower(cases - hits, cases, tails)
        if self.unseen is not None:
            upper = max(upper, _upper_with_one_more(*self.unseen[0], tails))
            lower = min(lower, 1 - _upper_with_one_more(*self.unseen[1], tails))
        return Interval(min(lower, self.value), max(upper, self.value))  # rounding, of one hit in 2^53

    def wilson(self, tails: float) -> Interval:
        """Return Wilson's interval of level 1 - tails, which tables show."""
        n = self.cases if self.size is None else min(self.size.effective, self.cases)
        return wilson_of_tails(self.hits if self.size is None else self.value * n, n, normal_quantile_of_tails(tails))

    def counts(self, tails: float) -> tuple[float, float]:
        """Return the hits and the cases as the independent cases that these are worth have them."""
        if self.size is None:
            return self.hits, self.cases
        size = self.size.at(tails)
        return self.value * size, size


def _exact_lower(hits: float, cases: float, tails: float) -> float:
    """Return the lower limit of Clopper and Pearson; the numbers need not be whole."""
    return beta_quantile(tails / 2, hits, cases - hits + 1) if hits else 0.0


def _upper_with_one_more(share: float, weight: float, tails: float) -> float:
    """Return the upper limit of a share that counts one more case of a weight among the hits."""
    return 1.0 if share >= 1 else 1 - beta_quantile(tails / 2, 1 / weight - share / weight + 1, share / weight)


@form("linear")
@dataclass(frozen=True, slots=True)
class Linear(Estimate):
    """A linear function of an estimate: `shift + slope * x`."""

    of: Estimate
    slope: float
    shift: float = 0.0

    @property
    def value(self) -> float:
        return self._at(self.of.value)

    @property
    def kind(self) -> IntervalKind | None:
        return self.of.kind

    @property
    def test(self) -> str | None:
        return self.of.test

    @property
    def p(self) -> float | None:
        return None if self.shift else self.of.p

    def limits(self, tails: float) -> Interval:
        found = self.of.limits(tails)
        ends = sorted(map(self._at, (found.lower, found.upper)))
        return Interval(min(ends[0], self.value), max(ends[1], self.value))

    def _at(self, x: float) -> float:
        return self.shift + self.slope * x


@form("odds")
@dataclass(frozen=True, slots=True)
class Odds(Estimate):
    """The odds p/(1 - p) of a share."""

    of: Share
    kind: ClassVar[None] = None

    @property
    def value(self) -> float:
        """The odds, infinite where all cases are hits."""
        return _odds(self.of.value)

    @property
    def test(self) -> str:
        """The interval of the share."""
        return self.of.test

    def limits(self, tails: float) -> Interval:
        """Return the limits of the share, mapped."""
        found = self.of.limits(tails)
        return Interval(_odds(found.lower), _odds(found.upper))


@form("wider")
@dataclass(frozen=True, slots=True)
class Wider(Estimate):
    """A number with two intervals, of which each limit is the farther one."""

    of: Any
    other: Any
    kind: ClassVar[None] = None

    @property
    def value(self) -> float:
        """The number."""
        found: float = self.of.value
        return found

    @property
    def test(self) -> str:
        """The method of the first."""
        found: str = self.of.test
        return found

    def limits(self, tails: float) -> Interval:
        """Return the limits that hold both intervals."""
        one, other = self.of.limits(tails), self.other.limits(tails)
        return Interval(min(one.lower, other.lower), max(one.upper, other.upper))


def _odds(share: float) -> float:
    return share / (1 - share) if share < 1 else inf


@form("dice")
@dataclass(frozen=True, slots=True)
class Dice(Estimate):
    """f1 = 2J/(1 + J) of the share J = tp/(tp + fp + fn)."""

    of: Share
    kind: ClassVar[IntervalKind] = ROBUST
    """That of the share's interval, which is exact whatever is asked for."""

    @property
    def value(self) -> float:
        return 2 * self.of.hits / (self.of.hits + self.of.cases)

    @property
    def test(self) -> str:
        return self.of.test

    def limits(self, tails: float) -> Interval:
        found = self.of.limits(tails)
        return Interval(2 * found.lower / (1 + found.lower), 2 * found.upper / (1 + found.upper))


@form("paired-shares")
@dataclass(frozen=True, slots=True)
class PairedShares(Estimate):
    """The difference of a share of two models on the same cases, the first minus the second.

    It follows from the cases that one alone has right.
    """

    only_first: float
    only_second: float
    cases: float
    kind: IntervalKind = ROBUST
    size: Size | None = None
    """What the cases are worth; None of independent cases of one weight."""

    @property
    def value(self) -> float:
        return (self.only_first - self.only_second) / self.cases

    @property
    def test(self) -> str:
        return TANGO_CORRECTED if self.kind == ROBUST else TANGO

    def limits(self, tails: float) -> Interval:
        b, c, n = self._scaled(tails)
        z = normal_quantile_of_tails(tails)
        if self.kind == ROBUST:
            return score_limits(self.value, paired_score(b, c, n), z)
        return Interval(*map(float, tango_limits(b, c, n, z)))

    def _scaled(self, tails: float) -> tuple[float, float, float]:
        if self.size is None:
            return self.only_first, self.only_second, self.cases
        size = self.size.at(tails) if self.kind == ROBUST else self.size.effective
        return self.only_first / self.cases * size, self.only_second / self.cases * size, size

    @property
    def p(self) -> float:
        if self.kind == DELONG:
            b, c, _ = self._scaled(0.05)
            return two_sided_p((b - c) / sqrt(b + c) if b + c else 0.0)
        if self.size is not None:
            return inverted_p(self)
        return two_sided_p(paired_score(self.only_first, self.only_second, self.cases)(0.0))


@form("other-cases")
@dataclass(frozen=True, slots=True)
class OtherCases(Estimate):
    """The difference of a share of two models on different cases: the first minus the second."""

    first: Share
    second: Share

    @property
    def value(self) -> float:
        return self.first.value - self.second.value

    @property
    def kind(self) -> IntervalKind:
        return self.first.kind

    @property
    def test(self) -> str:
        return MIETTINEN_NURMINEN_CORRECTED if self.kind == ROBUST else NEWCOMBE

    def limits(self, tails: float) -> Interval:
        if self.kind == ROBUST:
            return score_limits(
                self.value,
                unpaired_score(*self.first.counts(tails), *self.second.counts(tails)),
                normal_quantile_of_tails(tails),
            )
        return Sum((self.first, self.second)).limits(tails)

    @property
    def p(self) -> float:
        one, other = self.first, self.second
        if one.size is not None or other.size is not None:
            return inverted_p(self)
        if self.kind == ROBUST:
            return two_sided_p(unpaired_score(one.hits, one.cases, other.hits, other.cases)(0.0))
        cases, hits = one.cases + other.cases, one.hits + other.hits
        variance = hits / cases * ((cases - hits) / cases) * (1 / one.cases + 1 / other.cases)
        return two_sided_p(self.value / sqrt(variance)) if variance else 1.0  # all right or all wrong in both
