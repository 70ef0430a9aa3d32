r"""Wilson's interval for one proportion.

Wilson's interval contains the values :math:`\pi` that the score test :math:`|\hat p - \pi| \le z\sqrt{\pi(1-\pi)/n}`
does not reject:

.. math:: \frac{\hat p + z^2/2n \pm z\sqrt{\hat p(1-\hat p)/n + z^2/4n^2}}{1 + z^2/n}

It holds its level on average over the proportions, but not at each: of a proportion near 0 the lower limit is above
it in up to 10% of samples, of one near 1 the upper limit below it. So tables show it, and rules are decided on the exact
interval (`rocconf.compute.stats.shares`).

References
----------
.. [1] E. B. Wilson (1927), J. Amer. Stat. Assoc. 22, 209-212.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.normal import normal_quantile
from rocconf.errors import UndefinedError
from rocconf.records import Interval

if TYPE_CHECKING:
    from rocconf.records import Counts, Floats


def wilson(hits: float, trials: float, *, level: float = 0.95) -> Interval:
    """Return Wilson's interval for one proportion, whose hits and trials need not be whole numbers."""
    return wilson_of_tails(hits, trials, normal_quantile(level))


def wilson_of_tails(hits: float, trials: float, z: float) -> Interval:
    """Return Wilson's interval for one proportion, from the normal quantile."""
    if not 0 <= hits <= trials or trials == 0:
        raise UndefinedError("not-a-proportion", hits=hits, trials=trials)
    found = (_end(np.array([float(hits)]), np.array([float(trials)]), z, upper=upper) for upper in (False, True))
    return Interval(*(float(end[0]) for end in found))


def wilson_limits(
    hits: Counts | Floats, trials: Counts | Floats | int, *, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Return Wilson's lower and upper limits, NaN without trials."""
    return wilson_limit(hits, trials, upper=False, level=level), wilson_limit(hits, trials, upper=True, level=level)


def wilson_limit(hits: Counts | Floats, trials: Counts | Floats | int, *, upper: bool, level: float) -> Floats:
    """Return one of Wilson's limits."""
    return _end(hits, np.asarray(trials, dtype=np.float64), normal_quantile(level), upper=upper)


def _end(hits: Counts | Floats, n: Floats, z: float, *, upper: bool) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        share = hits / n
        reach = z * np.sqrt(share * ((n - hits) / n) / n + (z / (2 * n)) ** 2)
        limit = (share + z**2 / (2 * n) + (reach if upper else -reach)) / (1 + z**2 / n)
    limit = np.maximum(limit, share) if upper else np.minimum(limit, share)  # by rounding it may pass the share
    certain, end = (hits == n, 1.0) if upper else (hits == 0, 0.0)
    return np.where(n == 0, np.nan, np.where(certain, end, limit))
