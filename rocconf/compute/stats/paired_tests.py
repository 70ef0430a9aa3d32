r"""Tests of whether the false negatives and false positives of a threshold differ in number.

Of n cases b are false negatives and c are false positives; label and prediction are two ratings of a case, so the
counts are paired. With :math:`t=b-c` and :math:`s=b+c`, the errors differ beyond chance if

================ ============================================================================= ================
``tango``        :math:`t^2 > z^2 s`, the score test, whose interval is Tango's                [1]_, [2]_
``mcnemar-cc``   :math:`\max(|t|-1,0)^2 > z^2 s`, with the continuity correction               [3]_
``exact``        :math:`2\Pr(X\ge\max(b,c)) < \alpha`, X binomial of s trials at 1/2           [1]_
``mid-p``        the same with half the probability of the largest count                       [4]_
``wald``         :math:`t^2 > z^2(s-t^2/n)`, the variance estimated from the counts
``newcombe``     0 is outside the square-and-add of two Wilson intervals (method 10)           [5]_
``bonett-price`` Wald's, with 1 added to b and c, and 2 to n                                   [6]_
``agresti-min``  Wald's, with 1/2 added to each of the four cells                              [7]_
================ ============================================================================= ================

A threshold is confident where its errors do not differ: where 0 is in the interval, if the test has one. Each test
rejects the more readily the further b is from c, so on a curve, where b never rises and c never falls, the confident
thresholds are adjacent. Wald's limits are cut off at -1 and 1.

References
----------
.. [1] Q. McNemar (1947), Psychometrika 12, 153-157.
.. [2] T. Tango (1998), Statistics in Medicine 17, 891-908.
.. [3] A. L. Edwards (1948), Psychometrika 13, 185-187.
.. [4] M. W. Fagerland, S. Lydersen, P. Laake (2013), BMC Medical Research Methodology 13, 91.
.. [5] R. G. Newcombe (1998), Statistics in Medicine 17, 2635-2650.
.. [6] D. G. Bonett, R. M. Price (2012), Journal of Educational and Behavioral Statistics 37, 479-488.
.. [7] A. Agresti, Y. Min (2005), Statistics in Medicine 24, 729-740.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.normal import normal_quantile, two_sided_ps
from rocconf.compute.stats.score_tests import Limits, tango_limits
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from rocconf.records import Flags, Floats

SMALL = 1000
"""The number of errors up to which the binomial tests are decided in whole numbers."""

LARGE = 2**40
"""The number of errors from which the binomial distribution is normal in all digits that scipy has of it."""


@dataclass(frozen=True)
class PairedTest(ABC):
    """A test of whether false negatives and false positives differ in number.

    `no_z`, `no_p` and `no_interval` give the reason where it lacks a statistic, a p-value or an interval.
    """

    name: str
    title: str
    no_z: str = ""
    no_p: str = ""
    no_interval: str = ""
    is_one_run: bool = True
    """Whether the thresholds that do not differ are one run of a curve, and those within a margin another."""

    @abstractmethod
    def differs(self, m: Confusion, level: float) -> Flags:
        """Return for each matrix whether its errors differ beyond chance, decided in floats."""

    def differs_exactly(self, b: int, c: int, p: int, q: int, level: float) -> bool:
        """Return whether the errors of one matrix differ, decided as exactly as the test allows."""
        return bool(self.differs(Confusion(np.array([p - b]), np.array([c]), p, q), level)[0])

    def z(self, m: Confusion) -> Floats:
        """Return the signed statistic, standard normal if the errors do not differ; 0 without errors."""
        return _missing(m)

    def p(self, m: Confusion, *, of: int | None = None) -> Floats:
        """Return the two-sided p-value, 1 without errors; `of` is the number of matrices in all."""
        return two_sided_ps(self.z(m), of=of)

    def limits(self, m: Confusion, level: float) -> Limits:  # noqa: ARG002  # for tests that have one
        """Return the interval for (b - c) / n."""
        return Limits(_missing(m), _missing(m))


class SquaredTest(PairedTest):
    """A test that compares the square of b - c with its variance, in whole numbers times a common factor."""

    @abstractmethod
    def square_and_variance(self, b: Any, c: Any, right: Any) -> tuple[Any, Any]:
        """Return the square and the variance, of Python integers or of arrays; `right` cases are predicted right."""

    def differs(self, m: Confusion, level: float) -> Flags:
        """Compare in floats."""
        square, variance = self.square_and_variance(*(cell.astype(np.float64) for cell in (m.fn, m.fp, m.tp + m.tn)))
        return np.asarray(square > normal_quantile(level) ** 2 * variance)

    def differs_exactly(self, b: int, c: int, p: int, q: int, level: float) -> bool:
        """Compare whole numbers with the quantile as a fraction."""
        from fractions import Fraction

        square, variance = self.square_and_variance(b, c, p + q - b - c)
        return bool(square > Fraction(normal_quantile(level)) ** 2 * variance)


class ScoreTest(SquaredTest):
    """McNemar's test without a correction, which is Tango's at a difference of 0."""

    def square_and_variance(self, b: Any, c: Any, right: Any) -> tuple[Any, Any]:  # noqa: ARG002  # n cancels
        """Return t^2 and s."""
        return (b - c) ** 2, b + c

    def z(self, m: Confusion) -> Floats:
        """Return t / sqrt(s)."""
        return _over_root(m.fn - m.fp, m.fn + m.fp)

    def limits(self, m: Confusion, level: float) -> Limits:
        """Return Tango's interval."""
        return tango_limits(m.fn, m.fp, float(m.n), normal_quantile(level))


class CorrectedTest(SquaredTest):
    """McNemar's test with the continuity correction, which does not change the sign."""

    def square_and_variance(self, b: Any, c: Any, right: Any) -> tuple[Any, Any]:  # noqa: ARG002  # n cancels
        """Return max(|t| - 1, 0)^2 and s."""
        t = abs(b - c)
        return ((t - 1) * (t > 1)) ** 2, b + c

    def z(self, m: Confusion) -> Floats:
        """Return max(|t| - 1, 0) / sqrt(s) with the sign of t."""
        t = m.fn - m.fp
        return _over_root(np.sign(t) * np.maximum(np.abs(t) - 1, 0), m.fn + m.fp)


@dataclass(frozen=True)
class AdjustedWaldTest(SquaredTest):
    """Wald's test with `added` / 2 added to b and c each, and `more` cases."""

    added: int = 0
    more: int = 0

    def square_and_variance(self, b: Any, c: Any, right: Any) -> tuple[Any, Any]:
        """Return t^2 and s - t^2/n of the adjusted matrix, times its n."""
        n = right + b + c + self.more
        return (b - c) ** 2 * n, self._spread(b, c, right)

    def _spread(self, b: Any, c: Any, right: Any) -> Any:
        """Return sn - t^2 of the adjusted matrix: (s + added)(right + s + more) - t^2, whose large terms cancel."""
        s = b + c
        return 4 * b * c + s * (right + self.more) + self.added * (right + s + self.more)

    def z(self, m: Confusion) -> Floats:
        """Return t / sqrt(s - t^2/n)."""
        if self.no_z:
            return _missing(m)
        return _over_root(m.fn - m.fp, self._variance(m))

    def limits(self, m: Confusion, level: float) -> Limits:
        """Return the adjusted difference minus and plus z standard errors, within [-1, 1]."""
        t, n = m.fn - m.fp, m.n + self.more
        reach = normal_quantile(level) * np.sqrt(self._variance(m))
        return Limits(np.maximum((t - reach) / n, -1), np.minimum((t + reach) / n, 1))

    def _variance(self, m: Confusion) -> Floats:
        spread: Floats = self._spread(*(cell.astype(np.float64) for cell in (m.fn, m.fp, m.tp + m.tn)))
        return spread / (m.n + self.more)


@dataclass(frozen=True)
class BinomialTest(PairedTest):
    """The exact test: each error is of either kind with probability 1/2. Mid-p counts the observed table half."""

    mid: bool = False

    def differs(self, m: Confusion, level: float) -> Flags:
        """Compare the p-value with 1 - level."""
        return self.p(m) < 1 - level

    def differs_exactly(self, b: int, c: int, p: int, q: int, level: float) -> bool:
        """Compare whole numbers: the p-value times 2^s with (1 - level) times 2^s."""
        from fractions import Fraction

        s, most = b + c, max(b, c)
        if s > SMALL:
            return super().differs_exactly(b, c, p, q, level)
        tail = sum(comb(s, k) for k in range(most, s + 1))
        doubled = 2 * tail - (comb(s, most) if self.mid else 0)
        return b != c and doubled < (1 - Fraction(level)) * 2**s

    def p(self, m: Confusion, *, of: int | None = None) -> Floats:  # noqa: ARG002  # always from scipy
        """Return twice the probability of a count as large as the larger one, at most 1."""
        from scipy.special import betainc

        s, most = m.fn + m.fp, np.maximum(np.maximum(m.fn, m.fp), 1)
        at_least = betainc(most, np.maximum(s - most + 1, 1), 0.5)
        # P(X > k) is P(X >= k + 1), and nothing exceeds s
        above = np.where(most < s, betainc(most + 1, np.maximum(s - most, 1), 0.5), 0.0) if self.mid else at_least
        p = np.where(m.fn == m.fp, 1.0, np.minimum(at_least + above, 1.0))
        large = np.flatnonzero(s > LARGE)
        t = np.maximum(np.abs(m.fn - m.fp)[large] - (0 if self.mid else 1), 0)
        p[large] = two_sided_ps(t / np.sqrt(s[large]))
        return p


class NewcombeTest(PairedTest):
    r"""Square-and-add of two Wilson intervals.

    With :math:`p_1=P/n` and :math:`p_2=R/n` the shares that are positive and that are predicted so, :math:`l_i, u_i`
    their Wilson limits and :math:`d=p_1-p_2=(b-c)/n`, the lower limit is
    :math:`d-\sqrt{(p_1-l_1)^2-2\hat\phi(p_1-l_1)(u_2-p_2)+(u_2-p_2)^2}`, and the upper one its mirror image.
    :math:`\hat\phi` is the correlation of label and prediction, a continuity correction of n/2 taken off its
    numerator ad - bc where that is positive.
    """

    def differs(self, m: Confusion, level: float) -> Flags:
        """Compare the squares of the difference and of the reach towards 0."""
        below, above = self._squared_reaches(m, level)
        t = (m.fn - m.fp) / m.n
        return np.asarray(t * t > np.where(t > 0, below, above))

    def limits(self, m: Confusion, level: float) -> Limits:
        """Return the interval of method 10."""
        below, above = self._squared_reaches(m, level)
        t = (m.fn - m.fp) / m.n
        return Limits(np.maximum(t - np.sqrt(below), -1), np.minimum(t + np.sqrt(above), 1))

    def _squared_reaches(self, m: Confusion, level: float) -> tuple[Floats, Floats]:
        z, n = normal_quantile(level), m.n
        flagged = m.predicted_positive
        down_1, up_1 = _wilson_reaches(np.array([m.p]), n, z)
        down_2, up_2 = _wilson_reaches(flagged, n, z)
        agreement = m.association
        agreement = np.where(agreement > 0, np.maximum(agreement - n / 2, 0), agreement)
        spread = np.sqrt(float(m.p) * m.q * flagged * (n - flagged).astype(np.float64))
        phi = np.divide(agreement, spread, out=np.zeros(len(spread)), where=spread > 0)
        return (
            down_1**2 - 2 * phi * down_1 * up_2 + up_2**2,
            down_2**2 - 2 * phi * down_2 * up_1 + up_1**2,
        )


def _wilson_reaches(hits: Any, n: int, z: float) -> tuple[Floats, Floats]:
    """Return how far Wilson's limits lie below and above the share, without cancellation."""
    share = hits / n
    middle = z * np.sqrt(share * ((n - hits) / n) / n + (z / (2 * n)) ** 2)
    shift = z**2 / n * (0.5 - share)
    shrink = 1 + z**2 / n
    return np.maximum(middle - shift, 0) / shrink, np.maximum(middle + shift, 0) / shrink


def _over_root(part: Any, variance: Any) -> Floats:
    """Return part / sqrt(variance), 0 where part is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(part == 0, 0.0, part / np.sqrt(variance))


def _missing(m: Confusion) -> Floats:
    return np.full(len(m.tp), np.nan)


BINOMIAL = "the binomial test has no normal statistic"
NO_INTERVAL = "this test has no interval for the difference"
INTERVAL_ONLY = "this interval has no statistic and no p-value"

TESTS: dict[str, PairedTest] = {
    test.name: test
    for test in (
        ScoreTest("tango", "Tango's score interval"),
        CorrectedTest("mcnemar-cc", "McNemar's test with continuity correction", no_interval=NO_INTERVAL),
        BinomialTest("exact", "McNemar's exact test", no_z=BINOMIAL, no_interval=NO_INTERVAL),
        BinomialTest("mid-p", "McNemar's mid-p test", no_z=BINOMIAL, no_interval=NO_INTERVAL, mid=True),
        AdjustedWaldTest("wald", "Wald's interval"),
        NewcombeTest("newcombe", "Newcombe's square-and-add interval", no_z=INTERVAL_ONLY, no_p=INTERVAL_ONLY),
        AdjustedWaldTest(
            "bonett-price", "Bonett and Price's interval", no_z=INTERVAL_ONLY, no_p=INTERVAL_ONLY, added=2, more=2
        ),
        AdjustedWaldTest(
            "agresti-min", "Agresti and Min's interval", no_z=INTERVAL_ONLY, no_p=INTERVAL_ONLY, added=1, more=2
        ),
    )
}
"""The tests by name."""


def paired_test(name: str) -> PairedTest:
    """Return a test by name."""
    if name not in TESTS:
        raise UsageError("unknown-test", test=name, known=", ".join(TESTS))
    return TESTS[name]
