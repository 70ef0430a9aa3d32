r"""How many cases a verdict needs, by formula, and how often the interval of a rate reaches a limit.

n times as many cases like those at hand have the estimate at hand with other sums: each contribution is divided by n,
and there are n of each, so sums of powers k are :math:`n^{1-k}` times as large, and the variance of pseudo-cases
:math:`n^{-2}` times. The interval of these cases ends before the limit with the probability :math:`\pi` where its reach
is :math:`1/(1 + z_\pi/z)` of the distance of the value to the limit, z that of the level, if the value stays as it is;
with :math:`\pi = 1/2` the expected interval just ends at the limit.

From the variance of one case, v, and that at the limit, :math:`v_0`, the classical form is

.. math:: n = \frac{(z\sqrt{v_0} + z_\pi\sqrt{v})^2}{d^2}

For an area, Obuchowski's variance [1]_ for one positive and :math:`\kappa` negatives is
:math:`0.0099 e^{-A^2/2}(5A^2 + 8 + (A^2 + 8)/\kappa)` with :math:`A = 1.414\,\Phi^{-1}(\theta)`.

Of rates, all that can happen is added up. Of n cases k are hits with the probability :math:`Bin(n, \pi)`; of n pairs b
are right in the first model alone and c in the second alone with that of a trinomial. Each interval's lower limit rises
with the hits, and falls with c where b stays, so the samples whose lower limit reaches the limit are found by bisection.
That of Clopper and Pearson reaches a limit L where :math:`P(Bin(n, L) \ge k) \le \alpha`, and those of the score
intervals where their test of L rejects.

References
----------
.. [1] N. A. Obuchowski, D. K. McClish (1997), Statistics in Medicine 16, 1529-1542.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from math import exp, inf, log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.stats.estimate import Sums
from rocconf.compute.stats.normal import normal_deviate, normal_quantile
from rocconf.compute.stats.proportion import wilson_limit
from rocconf.compute.stats.roots import root
from rocconf.compute.stats.score_tests import paired_variance
from rocconf.records import ROBUST

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.records import Counts, Flags, Floats, IntervalKind

MOST_SIZE = log(1e7)
"""The logarithm of the most times the cases that are looked for."""

CLOSE = 1e-9
"""The relative distance of an interval to the limit that counts as none."""

DIGITS = 9
"""The decimals of a number of times, so that four times are not a little more."""

EVEN = 0.5
"""The power at which a sample like the one at hand would just decide."""

GROWTH = {
    **dict.fromkeys(
        ("units", "n", "kish", "effective", "df", "fewest", "cases", "hits", "only_first", "only_second"), 1
    ),
    **dict.fromkeys(("squares", "second", "case_squares", "variance"), -1),
    **dict.fromkeys(("third", "pseudo", "extra"), -2),
    "fourth": -3,
}
"""The power of the number of cases that the fields of an estimate grow with; others stay as they are."""

DEVIATIONS = 9
"""The standard deviations around the mean beyond which nothing is added: less than 1e-17 of the samples."""

FEW = 40
"""The counts that are added at least on either side, where a binomial distribution is not like a normal one."""


def times_as_many(estimate: Any, times: float) -> Any:
    """Return the estimate of so many times the cases, if its value stays as it is."""
    if isinstance(estimate, tuple):
        return tuple(times_as_many(each, times) for each in estimate)
    if not is_dataclass(estimate) or isinstance(estimate, type):
        return estimate
    if isinstance(estimate, Sums) and estimate.variance is None:  # as unknown as it is
        return estimate
    changed: dict[str, Any] = {}
    value = getattr(estimate, "value", 0.0)
    for name in (each.name for each in fields(estimate)):
        found = getattr(estimate, name)
        if found is None:
            continue
        if name in GROWTH and not is_dataclass(found):  # `second` is a moment, or the second of two shares
            factor = times ** GROWTH[name]
            changed[name] = tuple(x * factor for x in found) if isinstance(found, tuple) else found * factor
        elif name == "bounds":  # a variance and its degrees of freedom
            changed[name] = tuple(x and x * times**power for x, power in zip(found, (-1, 1), strict=True))
        elif name == "pessimistic":  # the value with one more case
            changed[name] = value + (found - value) / times
        elif name == "unseen":
            ends = zip(found, (value, 1 - value), strict=True)
            changed[name] = tuple((x + (share - x) / times, weight / times) for (share, weight), x in ends)
        else:
            changed[name] = times_as_many(found, times)
    return replace(estimate, **changed)


def needed_times(estimate: Any, limit: float, *, level: float, power: float = EVEN) -> float:
    """Return how many times the cases at hand would decide, if the value stays as it is; infinite if no number does.

    `power` is the probability of a verdict, `level` that of the interval, and `limit` that of the rule.
    """
    value = float(estimate.value)
    stretch = 1 + normal_deviate(power) / normal_quantile(level)
    if value == limit or stretch <= 0:  # even at the limit a verdict has a power of (1 - level) / 2
        return inf if value == limit else 0.0
    distance = abs(value - limit) / stretch

    def excess(size: float) -> float:
        """Return the logarithm of how many times too wide the interval is of exp(size) times the cases."""
        is_drawn = estimate.kind is None  # the replicates are of the cases at hand
        interval = (estimate if is_drawn else times_as_many(estimate, exp(size))).interval(level)
        reach = interval.upper - value if limit > value else value - interval.lower
        return log(reach / distance) - size / 2 * is_drawn if reach > 0 else -inf

    few = enough = 0.0
    too_wide = too_narrow = excess(0.0)
    if too_wide == inf:
        return inf
    while too_wide < 0:
        few -= 1.0 - 2 * max(too_wide, -1.0)
        too_wide = excess(few) if few > -MOST_SIZE else inf
    while too_narrow > 0:
        enough += 1.0 + 2 * too_narrow
        if enough > MOST_SIZE:
            return inf
        too_narrow = excess(enough)
    return round(exp(root(excess, (few, too_wide), (enough, too_narrow), close=CLOSE)), DIGITS)


def classical_size(distance: float, null_variance: float, variance: float, *, level: float, power: float) -> float:
    """Return how many cases put a value at a distance from a limit beyond it, with the variances of one case."""
    spread = normal_quantile(level) * sqrt(null_variance) + normal_deviate(power) * sqrt(variance)
    return (spread / distance) ** 2 if distance else inf


def obuchowski_variance(area: float, kappa: float) -> float:
    """Return the variance of an area from one positive and kappa negatives."""
    a = 1.414 * normal_deviate(area)
    return 0.0099 * exp(-a * a / 2) * (5 * a * a + 8 + (a * a + 8) / kappa)


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

    Of n pairs only the first model is right with the probability `more`, and only the second with `less`.
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
    first = b.astype(np.float64)

    def falls_short(losses: Counts) -> Flags:
        """Return whether the limit is not reached with one loss less, as the losses are counted from 1."""
        reach = z * np.sqrt(paired_variance(first, losses - 1, n, limit))
        return np.asarray(first - (losses - 1) - n * limit - correction <= reach)

    return _least(n - b + 1, falls_short) - 2
