r"""An interval for the struggle ratio err/(1 - err), err being the share of errors at the midpoint.

The bootstrap draws n cases with replacement and computes the midpoint each time, which is an estimate too; the
percentiles of err are converted to odds. The fast form is Wilson's interval of err in odds, which takes the midpoint as
known.

Scores are drawn in at most `GROUPS` groups of neighbours. Up to that many distinct scores every group is one score and
the resample is exact. Beyond, a case drawn has the mean score of its class in its group, and the group that holds the
midpoint is divided as its cases are; both concern a thousandth of the cases.
"""

from __future__ import annotations

from math import inf, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.curve import rows_at
from rocconf.compute.sensibility.midpoint import Totals
from rocconf.compute.stats.proportion import wilson
from rocconf.compute.stats.resampling import MOST_CASES, Draws, resamples
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.records import UNKNOWN, Interval

if TYPE_CHECKING:
    from rocconf.compute.sensibility.midpoint import Midpoint, Split
    from rocconf.compute.stats.resampling import Indices
    from rocconf.records import Counts, Floats, ScoreCounts

GROUPS = 1024
"""The most groups of scores."""


def struggle_interval(
    counts: ScoreCounts, midpoint: Midpoint, at: Split, *, replicates: int, seed: int, level: float
) -> Interval:
    """Return the percentile bootstrap interval, or Wilson's without resamples or where all would be equal.

    It is unknown where there are too few resamples for the level.
    """
    if replicates < 0:
        raise UsageError("bootstrap-negative", bootstrap=replicates)
    if is_wilson(at, replicates):
        return _odds(wilson(at.non_sensible, counts.n, level=level))
    errors = resampled_errors(counts, midpoint, replicates, seed=seed)
    share = Draws.of(errors / counts.n).interval(level)
    return share if share == UNKNOWN else _odds(share)


def split_record(at: Split, limits: Interval) -> dict[str, Any]:
    """Return a split with the interval of its struggle ratio as a record; what is infinite has no value."""
    values = (at.struggle_ratio, limits.lower, limits.upper)
    ratio, lower, upper = (value if isfinite(value) else None for value in values)
    return {
        "midpoint": at.midpoint,
        "sensible": at.sensible,
        "non_sensible": at.non_sensible,
        "struggle_ratio": ratio,
        "struggle_ratio_lower": lower,
        "struggle_ratio_upper": upper,
    }


def resampled_errors(counts: ScoreCounts, midpoint: Midpoint, replicates: int, *, seed: int = SEED) -> Floats:
    """Return the number of errors of each resample at its own midpoint; without both classes it is drawn again."""
    rng, groups = generator(seed), _Groups.of(counts)
    units = np.concatenate([groups.positives.cases, groups.negatives.cases])
    found = np.zeros(0)
    while (missing := replicates - len(found)) > 0:
        for (drawn,) in resamples(units, count=missing, rng=rng):
            found = np.append(found, groups.errors(midpoint, *np.split(drawn, 2, axis=1)))
    return found


def is_wilson(at: Split, replicates: int) -> bool:
    """Return whether the interval is Wilson's: if all cases, or no cases, are sensible, all resamples are equal.

    It is also Wilson's if there are too many cases to draw; the midpoint is known then.
    """
    return replicates == 0 or 0 in (at.sensible, at.non_sensible) or max(at.p, at.q) > MOST_CASES


def _odds(share: Interval) -> Interval:
    return Interval(*(value / (1 - value) if value < 1 else inf for value in (share.lower, share.upper)))


@dataclass(frozen=True, slots=True, eq=False)
class _Class:
    """The cases of one class: those up to each row, and in each group their number and mean probability."""

    cumulated: Counts
    cases: Counts
    mean: Floats

    @classmethod
    def of(cls, cumulated: Counts, values: Floats, edges: Indices) -> _Class:
        cases = np.diff(cumulated[edges])
        return cls(cumulated, cases, np.add.reduceat(values * np.diff(cumulated), edges[:-1]) / np.maximum(cases, 1))

    def above(self, row: Counts, drawn: Counts, edges: Indices) -> Floats:
        """Return how many of the cases drawn are predicted positive at a row of the data, one for each resample."""
        lines, group = np.arange(len(drawn)), np.searchsorted(edges[1:-1], row, side="right")
        share = (self.cumulated[row] - self.cumulated[edges[group]]) / np.maximum(self.cases[group], 1)
        return np.asarray(np.cumsum(drawn, axis=1)[lines, group] - drawn[lines, group] * (1 - share))


@dataclass(frozen=True, slots=True, eq=False)
class _Groups:
    """The cases in groups of neighbouring scores, which lie between the rows `edges`."""

    counts: ScoreCounts
    edges: Indices
    positives: _Class
    negatives: _Class

    @classmethod
    def of(cls, counts: ScoreCounts) -> _Groups:
        edges = np.arange(len(counts) + 1)
        if len(counts) > GROUPS:
            edges = np.unique(np.searchsorted(counts.tp + counts.fp, np.linspace(0, counts.n, GROUPS + 1)))
        values = 1 - counts.scores if counts.lower_is_positive else counts.scores
        return cls(counts, edges, *(_Class.of(cumulated, values, edges) for cumulated in (counts.tp, counts.fp)))

    def errors(self, midpoint: Midpoint, positives: Counts, negatives: Counts) -> Floats:
        """Return the errors of each resample that has both classes, at its own midpoint."""
        p = positives.sum(axis=1)
        both = (p > 0) & (p < self.counts.n)
        p, positives, negatives = p[both], positives[both], negatives[both]
        totals = Totals(
            p.astype(np.float64),
            self.counts.n - p.astype(np.float64),
            positives @ self.positives.mean,
            negatives @ self.negatives.mean,
        )
        row = rows_at(self.counts, midpoint.of(totals, self.counts))
        above = self.positives.above(row, positives, self.edges), self.negatives.above(row, negatives, self.edges)
        return np.asarray(p - above[0] + above[1])
