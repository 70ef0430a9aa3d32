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

BINOMIAL = "the binomial test has no normal statistic"
NO_INTERVAL = "this test has no interval for the difference"
INTERVAL_ONLY = "this interval has no statistic and no p-value"

SMALL = 1000
"""The number of errors up to which the binomial tests are decided in whole numbers."""

LARGE = 2**40
"""The number of errors from which the binomial distribution is normal in all digits that scipy has of it."""


@dataclass(frozen=True)
class PairedTest:
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

    def differs(self, m: Confusion, level: float) -> Flags:
        """Return for each matrix whether its errors differ beyond chance, decided in floats."""
        if self.no_interval:
            return self.p(m) < 1 - level
        lower, upper = self.limits(m, level)
        return (lower > 0) | (upper < 0)

    def differs_exactly(self, b: int, c: Any, p: int, q: Any, level: float) -> bool:
        """Return whether the errors of one matrix differ, decided as exactly as the test allows.

        The score test takes numbers of negatives that are fractions.
        """
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


@dataclass(frozen=True)
class SquaredTest(PairedTest):
    r"""A test that compares :math:`\max(|t|-\text{correction},0)^2` with z^2 times the variance of b - c."""

    correction: int = 0
    added: int | None = None
    """What is added to b + c for Wald's variance; None for that of the score test."""
    more: int = 0
    """What is added to n."""

    def differs(self, m: Confusion, level: float) -> Flags:
        square, variance, n = self._terms(*_cells(m))
        return np.asarray(square * n > normal_quantile(level) ** 2 * variance)

    def differs_exactly(self, b: int, c: Any, p: int, q: Any, level: float) -> bool:
        """Compare whole numbers with the quantile as a fraction."""
        square, variance, n = self._terms(b, c, p + q - b - c)
        over, under = normal_quantile(level).as_integer_ratio()
        return bool(square * n * under**2 > over**2 * variance)

    def z(self, m: Confusion) -> Floats:
        if self.no_z:
            return super().z(m)
        square, variance, n = self._terms(*_cells(m))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(square == 0, 0.0, np.sign(m.fn - m.fp) * np.sqrt(square) / np.sqrt(variance / n))

    def limits(self, m: Confusion, level: float) -> Limits:
        if self.no_interval:
            return super().limits(m, level)
        if self.added is None:
            return tango_limits(m.fn, m.fp, float(m.n), normal_quantile(level))
        t, (_, variance, n) = m.fn - m.fp, self._terms(*_cells(m))
        reach = normal_quantile(level) * np.sqrt(variance / n)
        return Limits(np.maximum((t - reach) / n, -1), np.minimum((t + reach) / n, 1))

    def _terms(self, b: Any, c: Any, right: Any) -> tuple[Any, Any, Any]:
        """Return the corrected t^2, n times the variance, and n (1 for the score test), of integers or of arrays."""
        s, t = b + c, abs(b - c) - self.correction
        square = (t * (t > 0)) ** 2
        if self.added is None:
            return square, s, 1
        n = right + s + self.more
        # (s + added) n - t^2, without its large terms, which cancel
        return square, 4 * b * c + s * (right + self.more) + self.added * n, n


@dataclass(frozen=True)
class BinomialTest(PairedTest):
    """The exact test: each error is of either kind with probability 1/2. Mid-p counts the observed table half."""

    no_z: str = BINOMIAL
    no_interval: str = NO_INTERVAL
    mid: bool = False

    def differs_exactly(self, b: int, c: Any, p: int, q: Any, level: float) -> bool:
        """Compare whole numbers: the p-value times 2^s with (1 - level) times 2^s."""
        s, most = b + c, max(b, c)
        if s > SMALL:
            return super().differs_exactly(b, c, p, q, level)
        doubled = 2 * sum(comb(s, k) for k in range(most, s + 1)) - (comb(s, most) if self.mid else 0)
        over, under = level.as_integer_ratio()
        return bool(b != c and doubled * under < (under - over) * 2**s)

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


@dataclass(frozen=True)
class NewcombeTest(PairedTest):
    r"""Square-and-add of two Wilson intervals.

    With :math:`p_1=P/n` and :math:`p_2=R/n` the shares that are positive and that are predicted so, :math:`l_i, u_i`
    their Wilson limits and :math:`d=p_1-p_2=(b-c)/n`, the lower limit is
    :math:`d-\sqrt{(p_1-l_1)^2-2\hat\phi(p_1-l_1)(u_2-p_2)+(u_2-p_2)^2}`, and the upper one its mirror image.
    :math:`\hat\phi` is the correlation of label and prediction, a continuity correction of n/2 taken off its
    numerator ad - bc where that is positive.
    """

    no_z: str = INTERVAL_ONLY
    no_p: str = INTERVAL_ONLY

    def limits(self, m: Confusion, level: float) -> Limits:
        z, n, flagged, t = normal_quantile(level), m.n, m.predicted_positive, (m.fn - m.fp) / m.n
        (down_1, up_1), (down_2, up_2) = (_wilson_reaches(hits, n, z) for hits in (m.p, flagged))
        agreement = np.where(m.association > 0, np.maximum(m.association - n / 2, 0), m.association)
        spread = np.sqrt(float(m.p) * m.q * flagged * (n - flagged).astype(np.float64))
        phi = np.divide(agreement, spread, out=np.zeros(len(spread)), where=spread > 0)
        below = np.sqrt(down_1**2 - 2 * phi * down_1 * up_2 + up_2**2)
        above = np.sqrt(down_2**2 - 2 * phi * down_2 * up_1 + up_1**2)
        return Limits(np.maximum(t - below, -1), np.minimum(t + above, 1))


def _wilson_reaches(hits: Any, n: int, z: float) -> tuple[Floats, Floats]:
    """Return how far Wilson's limits lie below and above the share, without cancellation."""
    share = hits / n
    middle = z * np.sqrt(share * ((n - hits) / n) / n + (z / (2 * n)) ** 2)
    shift, shrink = z**2 / n * (0.5 - share), 1 + z**2 / n
    return np.maximum(middle - shift, 0) / shrink, np.maximum(middle + shift, 0) / shrink


def _cells(m: Confusion) -> tuple[Floats, Floats, Floats]:
    """Return b, c and the cases that are predicted right."""
    return m.fn.astype(np.float64), m.fp.astype(np.float64), (m.tp + m.tn).astype(np.float64)


def _missing(m: Confusion) -> Floats:
    return np.full(len(m.tp), np.nan)


TESTS: dict[str, PairedTest] = {
    test.name: test
    for test in (
        SquaredTest("tango", "Tango's score interval"),
        SquaredTest("mcnemar-cc", "McNemar's test with continuity correction", no_interval=NO_INTERVAL, correction=1),
        BinomialTest("exact", "McNemar's exact test"),
        BinomialTest("mid-p", "McNemar's mid-p test", mid=True),
        SquaredTest("wald", "Wald's interval", added=0),
        NewcombeTest("newcombe", "Newcombe's square-and-add interval"),
        SquaredTest("bonett-price", "Bonett and Price's interval", INTERVAL_ONLY, INTERVAL_ONLY, added=2, more=2),
        SquaredTest("agresti-min", "Agresti and Min's interval", INTERVAL_ONLY, INTERVAL_ONLY, added=1, more=2),
    )
}
"""The tests by name."""


def paired_test(name: str) -> PairedTest:
    """Return a test by name."""
    if name not in TESTS:
        raise UsageError("unknown-test", test=name, known=", ".join(TESTS))
    return TESTS[name]
