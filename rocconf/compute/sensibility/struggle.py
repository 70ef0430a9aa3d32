r"""An interval for the struggle ratio err/(1 - err), err being the share of errors at the midpoint.

The bootstrap draws n cases with replacement and computes the midpoint each time, which is an estimate too; the
percentiles of err are converted to odds. The fast form is Wilson's interval of err in odds, which takes the midpoint as
known.

Scores are drawn in at most `GROUPS` groups of neighbours. Up to that many distinct scores every group is one score and
the resample is exact. Beyond, a case drawn has the mean score of its class in its group, and the group that holds the
midpoint is divided as its cases are; both concern a thousandth of the cases.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.curve import rows_at
from rocconf.compute.sensibility.midpoint import Totals
from rocconf.compute.stats.proportion import wilson
from rocconf.compute.stats.resampling import MOST_CASES, Draws, resamples
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.errors import UsageError
from rocconf.records import UNKNOWN, Interval

if TYPE_CHECKING:
    from rocconf.compute.sensibility.midpoint import Midpoint, Split
    from rocconf.compute.stats.resampling import Indices
    from rocconf.records import Floats, ScoreCounts

GROUPS = 1024
"""The most groups of scores."""


def struggle_interval(
    counts: ScoreCounts, midpoint: Midpoint, at: Split, *, replicates: int, seed: int, level: float
) -> Interval:
    """Return the percentile bootstrap interval, unknown with too few resamples for the level, or Wilson's."""
    if replicates < 0:
        raise UsageError("bootstrap-negative", bootstrap=replicates)
    if is_wilson(at, replicates):
        return _odds(wilson(at.non_sensible, counts.n, level=level))
    errors = resampled_errors(counts, midpoint, replicates, seed=seed)
    share = Draws.of(errors / counts.n).limits(1 - level)
    return share if share == UNKNOWN else _odds(share)


def is_wilson(at: Split, replicates: int) -> bool:
    """Return whether the interval is Wilson's: if asked for, if all resamples are equal, or with too many cases to draw."""
    return replicates == 0 or 0 in (at.sensible, at.non_sensible) or at.p + at.q > MOST_CASES


def resampled_errors(counts: ScoreCounts, midpoint: Midpoint, replicates: int, *, seed: int = SEED) -> Floats:
    """Return the number of errors of each resample at its own midpoint; without both classes it is drawn again."""
    rng, found, edges = generator(seed), np.zeros(0), _edges(counts)
    cumulated = np.array([counts.tp, counts.fp])
    values = 1 - counts.scores if counts.lower_is_positive else counts.scores
    cases = np.diff(cumulated[:, edges])
    means = np.add.reduceat(values * np.diff(cumulated), edges[:-1], axis=1) / np.maximum(cases, 1)
    while (missing := replicates - len(found)) > 0:
        for (weights,) in resamples(cases.ravel(), count=missing, rng=rng):
            drawn = weights.reshape(-1, *cases.shape)
            drawn = drawn[(drawn.sum(axis=2) > 0).all(axis=1)]
            (p, q), sums = drawn.sum(axis=2, dtype=np.float64).T, (drawn * means).sum(axis=2).T
            row = rows_at(counts, midpoint.of(Totals(p, q, *sums), counts))
            lines, group = np.arange(len(drawn)), np.searchsorted(edges[1:-1], row, side="right")
            below = (cumulated[:, edges[group + 1]] - cumulated[:, row]) / np.maximum(cases[:, group], 1)
            tp, fp = (drawn.cumsum(axis=2)[lines, :, group] - drawn[lines, :, group] * below.T).T
            found = np.append(found, p - tp + fp)
    return found


def _edges(counts: ScoreCounts) -> Indices:
    """Return the rows between which the groups lie."""
    if len(counts) <= GROUPS:
        return np.arange(len(counts) + 1)
    return np.unique(np.searchsorted(counts.tp + counts.fp, np.linspace(0, counts.n, GROUPS + 1)))


def _odds(share: Interval) -> Interval:
    return Interval(*(value / (1 - value) if value < 1 else inf for value in (share.lower, share.upper)))
