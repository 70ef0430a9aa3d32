r"""Tails of the binomial distribution, compared exactly with a bound.

:math:`P(Bin(n, p) \ge k) = I_p(k, n-k+1)`, the regularized incomplete beta function. Where its rounding error could
matter, the sum of whole numbers decides up to `MOST_EXACT` trials, and beyond the answer is the cautious one: that the
tail is too large. From `MANY` trials on, Hoeffding's bound [1]_ :math:`e^{-2(k-np)^2/n}` takes the place of the tail.

References
----------
.. [1] W. Hoeffding (1963), J. Amer. Stat. Assoc. 58, 13-30.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from math import ceil, comb, exp, log, log1p
from typing import TYPE_CHECKING

from rocconf.compute.stats.beta import incomplete_beta

if TYPE_CHECKING:
    from fractions import Fraction

MOST_EXACT = 20_000
"""The most trials whose tail is summed in whole numbers: it takes a second."""

MANY = 100_000_000
"""The trials from which the fraction of the incomplete beta function takes too many terms."""

NEAR = 1e-6
"""The relative distance from the bound within which rounding might decide: far more than the error of a tail."""


def binomial_tail(k: int, n: int, p: Fraction) -> float:
    """Return the probability of k hits or more in n trials, or from `MANY` trials on a bound of it."""
    if k <= 0 or p == 1:
        return float(k <= n)
    if k > n or p == 0:
        return 0.0
    if k == n:
        return exp(n * log1p(-float(1 - p)))
    if n < MANY:
        return incomplete_beta(float(p), float(1 - p), k, n - k + 1)
    above = k - n * p
    return 1.0 if above <= 0 else exp(-2 * float(above * above / n))


def is_tail_within(k: int, n: int, p: Fraction, bound: Fraction) -> bool:
    """Return whether the probability of k hits or more in n trials is at most a bound, which is exact."""
    tail = binomial_tail(k, n, p)
    if not (0 < k <= n and 0 < p < 1) or abs(tail - bound) > NEAR * bound:
        return tail <= bound
    return n <= MOST_EXACT and _exact_tail(k, n, p) <= bound


@lru_cache(maxsize=256)
def least_within(n: int, p: Fraction, bound: Fraction) -> int | None:
    """Return the least k, from 1 on, whose tail is at most a bound; None if that of n is above it."""
    least = 1 + bisect_left(range(1, n + 1), True, key=lambda k: is_tail_within(k, n, p, bound))
    return least if least <= n else None


def least_trials(p: Fraction, bound: Fraction) -> int | None:
    """Return the least n whose p^n is at most a bound; None if p is 1."""
    if p == 1:
        return None
    if p == 0:
        return 1
    trials = max(ceil(log(bound) / log1p(-float(1 - p))), 1)
    if trials > MOST_EXACT:
        return ceil(log(bound * (1 - 2 * NEAR)) / log1p(-float(1 - p)))
    while trials > 1 and is_tail_within(trials - 1, trials - 1, p, bound):
        trials -= 1
    while not is_tail_within(trials, trials, p, bound):
        trials += 1
    return trials


def _exact_tail(k: int, n: int, p: Fraction) -> Fraction:
    from fractions import Fraction

    hit, miss = p.numerator, p.denominator - p.numerator
    term, total = comb(n, k) * hit**k * miss ** (n - k), 0
    for hits in range(k, n + 1):  # a term is the one before times (n-k)/(k+1) and the odds, without remainder
        total += term
        term = term * (n - hits) * hit // ((hits + 1) * miss)
    return Fraction(total, p.denominator**n)
