r"""Intervals for one proportion.

Wilson's interval contains the values :math:`\pi` that the score test :math:`|\hat p - \pi| \le z\sqrt{\pi(1-\pi)/n}`
does not reject:

.. math:: \frac{\hat p + z^2/2n \pm z\sqrt{\hat p(1-\hat p)/n + z^2/4n^2}}{1 + z^2/n}

It holds its level on average over the proportions, but not at each: of a proportion near 0 the lower limit is above
it in up to 10% of samples, of one near 1 the upper limit below it. The exact interval of Clopper and Pearson [2]_ errs on either side in
at most half of 1 - level, whatever the proportion: its limits are the proportions at which so many hits or more, or so
many or fewer, have this probability,

.. math:: I_{lower}(k, n-k+1) = \alpha \quad\text{and}\quad I_{upper}(k+1, n-k) = 1-\alpha

The tables show Wilson's interval; rules are decided on the exact one.

References
----------
.. [1] E. B. Wilson (1927), J. Amer. Stat. Assoc. 22, 209-212.
.. [2] C. J. Clopper, E. S. Pearson (1934), Biometrika 26, 404-413.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.beta import incomplete_beta
from rocconf.compute.stats.normal import normal_quantile, require_level
from rocconf.errors import UndefinedError
from rocconf.records import DELONG, ROBUST, Interval

if TYPE_CHECKING:
    from rocconf.compute.stats.clusters import EffectiveSize
    from rocconf.records import Counts, Floats, IntervalKind

MANY = 100_000
"""The trials from which loading scipy takes less time than the terms of a continued fraction, which lose digits there."""

STEPS = 200
"""The most bisections to a limit; about 60 are enough."""


def proportion_interval(
    hits: int, trials: int, *, level: float, kind: IntervalKind, size: EffectiveSize | None = None
) -> Interval:
    """Return the interval of a kind for one proportion: the exact one for `robust`, Wilson's for `delong`.

    `size` is the effective size of clustered cases.
    """
    of_kind = exact_interval if kind == ROBUST else wilson
    return of_kind(hits, trials, level=level, size=size)


def exact_interval(hits: int, trials: int, *, level: float = 0.95, size: EffectiveSize | None = None) -> Interval:
    """Return the interval of Clopper and Pearson for one proportion."""
    _require_proportion(hits, trials)
    require_level(level)
    h, n = (float(hits), float(trials)) if size is None else _effective(hits, trials, size, level, ROBUST)
    # the upper limit is 1 less the lower one of the misses
    return Interval(exact_lower(h, n, level=level), 1 - exact_lower(n - h, n, level=level))


def _effective(hits: int, trials: int, size: EffectiveSize, level: float, kind: IntervalKind) -> tuple[float, float]:
    """Return the hits and trials of as many independent cases."""
    scaled, n = size.of_counts(hits, n=trials, level=level, kind=kind)
    return (n if hits == trials else scaled), n


def exact_lower(hits: float, trials: float, *, level: float) -> float:
    """Return the lower limit of Clopper and Pearson; the counts need not be whole."""
    tail = (1 - level) / 2
    if hits == 0:
        return 0.0
    if trials >= MANY:
        from scipy.special import betaincinv

        return float(betaincinv(hits, trials - hits + 1, tail))
    low, high = 0.0, hits / trials
    for _ in range(STEPS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        is_below = incomplete_beta(middle, 1 - middle, hits, trials - hits + 1) < tail
        low, high = (middle, high) if is_below else (low, middle)
    return low


def wilson(hits: int, trials: int, *, level: float = 0.95, size: EffectiveSize | None = None) -> Interval:
    """Return Wilson's interval for one proportion."""
    _require_proportion(hits, trials)
    h, n = (hits, trials) if size is None else _effective(hits, trials, size, level, DELONG)
    lower, upper = wilson_limits(np.array([h]), np.array([n]), level=level)
    return Interval(float(lower[0]), float(upper[0]))


def _require_proportion(hits: int, trials: int) -> None:
    if not 0 <= hits <= trials or trials == 0:
        raise UndefinedError("not-a-proportion", hits=hits, trials=trials)


def wilson_limits(
    hits: Counts | Floats, trials: Counts | Floats | int, *, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Return Wilson's lower and upper limits, NaN without trials."""
    return wilson_limit(hits, trials, upper=False, level=level), wilson_limit(hits, trials, upper=True, level=level)


def wilson_limit(hits: Counts | Floats, trials: Counts | Floats | int, *, upper: bool, level: float) -> Floats:
    """Return one of Wilson's limits."""
    n, z = np.asarray(trials, dtype=np.float64), normal_quantile(level)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = hits / n
        reach = z * np.sqrt(share * ((trials - hits) / n) / n + (z / (2 * n)) ** 2)
        limit = (share + z**2 / (2 * n) + (reach if upper else -reach)) / (1 + z**2 / n)
    limit = np.maximum(limit, share) if upper else np.minimum(limit, share)  # by rounding it may pass the share
    certain, end = (hits == n, 1.0) if upper else (hits == 0, 0.0)
    return np.where(n == 0, np.nan, np.where(certain, end, limit))
