r"""Intervals for one proportion.

Wilson's interval contains the values :math:`\pi` that the score test :math:`|\hat p - \pi| \le z\sqrt{\pi(1-\pi)/n}`
does not reject:

.. math:: \frac{\hat p + z^2/2n \pm z\sqrt{\hat p(1-\hat p)/n + z^2/4n^2}}{1 + z^2/n}

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


def wilson(hits: int, trials: int, *, level: float = 0.95) -> Interval:
    """Return Wilson's interval for one proportion."""
    if not 0 <= hits <= trials or trials == 0:
        raise UndefinedError("not-a-proportion", hits=hits, trials=trials)
    lower, upper = wilson_limits(np.array([hits]), np.array([trials]), level=level)
    return Interval(float(lower[0]), float(upper[0]))


def wilson_limits(hits: Counts, trials: Counts | int, *, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return Wilson's lower and upper limits, NaN without trials."""
    return wilson_limit(hits, trials, upper=False, level=level), wilson_limit(hits, trials, upper=True, level=level)


def wilson_limit(hits: Counts, trials: Counts | int, *, upper: bool, level: float) -> Floats:
    """Return one of Wilson's limits."""
    n, z = np.asarray(trials, dtype=np.float64), normal_quantile(level)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = hits / n
        reach = z * np.sqrt(share * ((trials - hits) / n) / n + (z / (2 * n)) ** 2)
        limit = (share + z**2 / (2 * n) + (reach if upper else -reach)) / (1 + z**2 / n)
    limit = np.maximum(limit, share) if upper else np.minimum(limit, share)  # by rounding it may pass the share
    certain, end = (hits == n, 1.0) if upper else (hits == 0, 0.0)
    return np.where(n == 0, np.nan, np.where(certain, end, limit))
