r"""How often an interval of a rate, or of a paired difference of two, reaches a limit: sums over all that can happen.

Of n cases k are hits with the probability :math:`Bin(n, \pi)`; of n pairs b are right in the first model alone and c in
the second alone with that of a trinomial. Each interval's lower limit rises with the hits, and falls with c where b
stays, so the samples whose lower limit reaches the limit are found by bisection, and their probabilities added.

The lower limit of Clopper and Pearson reaches a limit L where :math:`P(Bin(n, L) \ge k) \le \alpha`, and those of the
score intervals where their test of L rejects. The intervals are those of `proportion` and `score_tests`.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.stats.proportion import wilson_limit
from rocconf.compute.stats.score_tests import paired_variance
from rocconf.records import ROBUST

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.records import Counts, Flags, Floats, IntervalKind

DEVIATIONS = 9
"""The standard deviations around the mean beyond which nothing is added: less than 1e-17 of the samples."""

FEW = 40
"""The counts that are added at least on either side, where a binomial distribution is not like a normal one."""


def rate_reaches(n: Counts, rate: float, limit: float, *, level: float, kind: IntervalKind) -> Floats:
    """Return, for each number of cases, how often the lower limit of the interval of a rate reaches a limit."""
    from scipy.special import bdtrc

    least = least_hits(n, limit, level=level, kind=kind)
    return np.where(least > n, 0.0, bdtrc(np.minimum(least, n) - 1, n, rate))


def least_hits(n: Counts, limit: float, *, level: float, kind: IntervalKind) -> Counts:
    """Return, for each number of cases, the least hits whose lower limit reaches a limit; n + 1 where none does."""
    from scipy.special import bdtrc

    tail = (1 - level) / 2

    def reaches(hits: Counts) -> Flags:
        if kind == ROBUST:
            return np.asarray(bdtrc(hits - 1, n, limit) <= tail)
        return np.asarray(wilson_limit(hits, n, upper=False, level=level) >= limit)

    return _least(n, reaches)


def _least(n: Counts, reaches: Callable[[Counts], Flags]) -> Counts:
    """Return the least count from 1 to n that reaches, n + 1 where none does."""
    low, high = np.zeros_like(n), n + 1
    while (high - low > 1).any():
        middle = np.clip((low + high) // 2, 1, n)
        found = reaches(middle)
        is_open = high - low > 1
        high = np.where(is_open & found, middle, high)
        low = np.where(is_open & ~found, middle, low)
    return high


def paired_reaches(n: int, more: float, less: float, limit: float, *, level: float, kind: IntervalKind) -> float:
    """Return how often the lower limit of a paired difference of rates reaches a limit.

    Parameters
    ----------
    n
        The number of pairs.
    more, less
        The probabilities that only the first model is right, and only the second.
    limit
        The limit.
    level, kind
        The interval: Tango's, with Edwards' correction for `robust`.
    """
    from scipy.special import bdtr, gammaln, xlog1py, xlogy

    spread = DEVIATIONS * sqrt(n * more * (1 - more)) + FEW
    b = np.arange(max(int(n * more - spread), 0), min(int(n * more + spread) + 1, n) + 1)
    most = _most_losses(b, n, limit, normal_quantile(level), correction=1.0 if kind == ROBUST else 0.0)
    logs = gammaln(n + 1.0) - gammaln(b + 1.0) - gammaln(n - b + 1.0) + xlogy(b, more) + xlog1py(n - b, -more)
    share = min(less / (1 - more), 1.0) if more < 1 else 0.0
    within = np.where(most < 0, 0.0, bdtr(np.clip(most, 0, n - b), n - b, share))
    return float(min((np.exp(logs) * within).sum(), 1.0))


def _most_losses(b: Counts, n: int, limit: float, z: float, *, correction: float) -> Counts:
    """Return, for each b, the largest c whose lower limit reaches a limit; -1 where none does."""
    few, many, b = np.full_like(b, -1), n - b, b.astype(np.float64)
    while (few < many).any():
        middle = np.maximum((few + many + 1) // 2, 0)
        found = b - middle - n * limit - correction > z * np.sqrt(paired_variance(b, middle, n, limit))
        is_open = few < many
        few = np.where(is_open & found, middle, few)
        many = np.where(is_open & ~found, middle - 1, many)
    return few
