r"""An interval for the struggle ratio err/(1 - err), err being the share of errors at the midpoint.

The bootstrap draws n cases with replacement and computes the midpoint each time, which is an estimate too; the
percentiles of err are converted to odds. The fast form is Wilson's interval of err in odds, which takes the midpoint as
known.

The bootstrap works from counts, and its time does not grow with the cases: the scores are cut into at most `GROUPS`
groups of neighbours, whose numbers of positives and negatives are drawn from a multinomial. Up to that many distinct
scores every group is one score and the resample is exact. Beyond, the sum of the drawn scores of a group is its mean plus
a normal deviation with its variance, and the group that holds the midpoint is cut by a binomial; both concern a
thousandth of the cases.
"""

from __future__ import annotations

from math import inf, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.curve import rows_at
from rocconf.compute.roc.resample import MOST_CASES
from rocconf.compute.sensibility.midpoint import Totals
from rocconf.compute.stats.bootstrap import percentile_interval
from rocconf.compute.stats.proportion import wilson
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.records import UNKNOWN, Interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocconf.compute.sensibility.midpoint import Midpoint, Split
    from rocconf.records import Counts, Floats, ScoreCounts

GROUPS = 1024
"""The most groups of scores."""
BATCH = 128
"""The number of resamples drawn at a time."""


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
    share = percentile_interval(errors / counts.n, level)
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


def resampled_errors(counts: ScoreCounts, midpoint: Midpoint, replicates: int, *, seed: int = SEED) -> Counts:
    """Return the number of errors of each resample at its own midpoint."""
    rng, groups = generator(seed), _Groups.of(counts)
    sizes = [min(BATCH, replicates - done) for done in range(0, replicates, BATCH)]
    return np.concatenate([groups.errors(midpoint, size, rng) for size in sizes])


def is_wilson(at: Split, replicates: int) -> bool:
    """Return whether the interval is Wilson's: if all cases, or no cases, are sensible, all resamples are equal.

    It is also Wilson's if there are too many cases to draw; the midpoint is known then.
    """
    return replicates == 0 or 0 in (at.sensible, at.non_sensible) or max(at.p, at.q) > MOST_CASES


def _odds(share: Interval) -> Interval:
    return Interval(*(value / (1 - value) if value < 1 else inf for value in (share.lower, share.upper)))


@dataclass(frozen=True, slots=True, eq=False)
class _Class:
    """The cases of one class in every group, and the mean and variance of their probabilities."""

    cases: Counts
    mean: Floats
    variance: Floats

    @classmethod
    def of(cls, cumulated: Counts, values: Floats, ends: NDArray[np.intp]) -> _Class:
        starts = np.concatenate([[0], ends[:-1]])
        cases = cumulated[ends] - cumulated[starts]
        weights = np.diff(cumulated)
        some = np.maximum(cases, 1)
        mean = np.add.reduceat(values * weights, starts) / some
        if len(ends) == len(values):
            return cls(cases, mean, np.zeros(len(ends)))
        deviations = values - np.repeat(mean, ends - starts)
        return cls(cases, mean, np.add.reduceat(deviations * deviations * weights, starts) / some)

    def sums(self, drawn: Counts, rng: np.random.Generator) -> Floats:
        """Return the sum of the probabilities of the cases drawn, one for each resample."""
        spread = np.sqrt(drawn @ self.variance)
        return drawn @ self.mean + spread * rng.standard_normal(len(drawn))


@dataclass(frozen=True, slots=True, eq=False)
class _Groups:
    """The cases in groups of neighbouring scores, in the order of the decision; a group ends after `ends` scores."""

    counts: ScoreCounts
    ends: NDArray[np.intp]
    positives: _Class
    negatives: _Class

    @classmethod
    def of(cls, counts: ScoreCounts) -> _Groups:
        ends = np.arange(1, len(counts) + 1)
        if len(counts) > GROUPS:
            wanted = np.arange(1, GROUPS + 1) * (counts.n / GROUPS)
            ends = np.unique(np.searchsorted(counts.tp + counts.fp, wanted).clip(1, len(counts)))
        values = 1 - counts.scores if counts.lower_is_positive else counts.scores
        positives, negatives = (_Class.of(cumulated, values, ends) for cumulated in (counts.tp, counts.fp))
        return cls(counts, ends, positives, negatives)

    def errors(self, midpoint: Midpoint, size: int, rng: np.random.Generator) -> Counts:
        """Return the errors of `size` resamples at their own midpoints."""
        positives, negatives = self._drawn(size, rng)
        totals = Totals(
            positives.sum(axis=1, dtype=np.float64),
            negatives.sum(axis=1, dtype=np.float64),
            self.positives.sums(positives, rng),
            self.negatives.sums(negatives, rng),
        )
        row = rows_at(self.counts, midpoint.of(totals, self.counts))
        tp = self._above(row, positives, self.positives, self.counts.tp, rng)
        fp = self._above(row, negatives, self.negatives, self.counts.fp, rng)
        return totals.p.astype(np.int64) - tp + fp

    def _drawn(self, size: int, rng: np.random.Generator) -> tuple[Counts, Counts]:
        """Return n cases drawn with replacement; a resample of one class has no midpoint and is redrawn."""
        shares = np.concatenate([self.positives.cases, self.negatives.cases]) / self.counts.n
        kept: list[Counts] = []
        while (missing := size - sum(map(len, kept))) > 0:
            drawn = rng.multinomial(self.counts.n, shares, size=missing)
            positives = drawn[:, : len(self.ends)].sum(axis=1)
            kept.append(drawn[(positives > 0) & (positives < self.counts.n)])
        positives, negatives = np.split(np.concatenate(kept), 2, axis=1)
        return positives, negatives

    def _above(self, row: Counts, drawn: Counts, of: _Class, cumulated: Counts, rng: np.random.Generator) -> Counts:
        """Return how many of the cases drawn of a class are predicted positive where `row` scores of the data are."""
        whole = np.searchsorted(self.ends, row, side="right")
        replicates = np.arange(len(drawn))
        before = np.concatenate([np.zeros((len(drawn), 1), dtype=np.int64), np.cumsum(drawn, axis=1)], axis=1)
        cut = np.minimum(whole, len(self.ends) - 1)  # the group that holds the midpoint, if one does
        start = np.where(whole > 0, self.ends[whole - 1], 0)
        share = (cumulated[row] - cumulated[start]) / np.maximum(of.cases[cut], 1)
        return before[replicates, whole] + rng.binomial(drawn[replicates, cut], share)
