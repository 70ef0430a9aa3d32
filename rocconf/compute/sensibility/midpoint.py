r"""The midpoint between the scores of the classes, which splits cases into sensible and non-sensible ones [1]_.

With :math:`m^+, m^-` the mean scores of the classes, :math:`T` the sum of all scores and :math:`P, Q` the sizes of
the classes, the midpoint :math:`t_s` is

================= ============================================================================================
``half``          :math:`T/(2P)`. The equation is lost in the printed paper; this is the reconstruction that
                  follows from its derivation, which ends at :math:`m^+ + m^-Q/P = T/P`
``fixed``         :math:`m^-/(1 - m^+ + m^-)`, the :math:`\pi` with :math:`\pi m^+ + (1-\pi)m^- = \pi`. It gives
                  the .56 of the paper, lies between the means, and does not depend on prevalence
``class-mean``    :math:`(m^+ + m^-)/2`
``overall-mean``  :math:`T/n`
a number          this number
================= ============================================================================================

A case is sensible if its score lies on the side of the midpoint where its class belongs: (score >= t_s) == positive.
So the non-sensible cases are the errors at the threshold t_s, and their ratio to the sensible ones, the struggle ratio,
is err/(1 - err).

The interval of the struggle ratio is a bootstrap of err, in odds, which computes the midpoint of every resample anew, as
it is an estimate too; or Wilson's interval of err in odds, which takes the midpoint as known. Scores are drawn in at most
`GROUPS` groups of neighbours. Up to that many distinct scores every group is one score and the resample is exact. Beyond,
a case drawn has the mean score of its class in its group, and the group that holds the midpoint is divided as its cases
are; both concern a thousandth of the cases.

Where lower scores are positive, a score is read as the probability of being negative, and the means are of 1 - score;
the midpoint, like every threshold, is on the scale of the scores.

References
----------
.. [1] W. Klement, P. Flach, N. Japkowicz, S. Matwin (2009), on classification sensibility and concept drift.
"""

from __future__ import annotations

from math import inf, isfinite
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.curve import PROBABILITY_SLACK, require_probabilities, row_at, rows_at
from rocconf.compute.stats.confusion import ratio
from rocconf.compute.stats.resampling import MOST_CASES, Draws, resamples
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.compute.stats.shares import Odds, Share
from rocconf.dataclass import dataclass
from rocconf.errors import UndefinedError, UsageError
from rocconf.records import DELONG, slices

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.compute.stats.resampling import Indices
    from rocconf.records import Counts, Floats, ScoreCounts

SNAP = 1e-12
"""The rounding error within which a midpoint is a score."""

GROUPS = 1024
"""The most groups of scores that are drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """The sizes of the classes and the sums of their probabilities, for any number of sets of cases at once."""

    p: Floats
    q: Floats
    positive_sum: Floats
    negative_sum: Floats

    @classmethod
    def of(cls, counts: ScoreCounts) -> Totals:
        """Return the totals of one model."""
        positive_sum = negative_sum = 0.0
        for part in slices(len(counts)):
            scores, edges = counts.scores[part], slice(part.start, part.stop + 1)
            positive_sum += float((scores * np.diff(counts.tp[edges])).sum())  # pairwise, which is accurate
            negative_sum += float((scores * np.diff(counts.fp[edges])).sum())
        if counts.lower_is_positive:
            positive_sum, negative_sum = counts.p - positive_sum, counts.q - negative_sum
        return cls(*(np.array([value], dtype=np.float64) for value in (counts.p, counts.q, positive_sum, negative_sum)))


def _fixed(of: Totals) -> Floats:
    low = of.negative_sum / of.q
    room = 1 - of.positive_sum / of.p + low
    # without room every positive scores 1 and every negative 0, and all midpoints within (0, 1] make the same split
    has_room = room > 2 * PROBABILITY_SLACK
    return np.where(has_room, low / np.where(has_room, room, 1), 0.5)


METHODS: dict[str, Callable[[Totals], Floats]] = {
    "half": lambda of: (of.positive_sum + of.negative_sum) / (2 * of.p),
    "fixed": _fixed,
    "class-mean": lambda of: (of.positive_sum / of.p + of.negative_sum / of.q) / 2,
    "overall-mean": lambda of: (of.positive_sum + of.negative_sum) / (of.p + of.q),
}


@dataclass(frozen=True, slots=True)
class Midpoint:
    """A method for the midpoint; `text` is the method as it was written."""

    text: str
    method: str
    number: float | None = None

    def of(self, totals: Totals, scores: ScoreCounts) -> Floats:
        """Return the midpoints on the scale of the scores, rounded to a score within the error of floats."""
        if self.number is not None:
            found = np.full(len(totals.p), self.number)
        else:
            found = METHODS[self.method](totals)
            found = 1 - found if scores.lower_is_positive else found
        ascending = scores.scores if scores.lower_is_positive else scores.scores[::-1]
        above = np.searchsorted(ascending, found).clip(max=len(ascending) - 1)
        below = (above - 1).clip(min=0)
        up, down = np.abs(ascending[above] - found), np.abs(found - ascending[below])
        near = np.minimum(up, down) <= SNAP * np.maximum(1, np.abs(found))
        return np.where(near, np.where(up < down, ascending[above], ascending[below]), found)


def parse_midpoint(text: str | float | Midpoint) -> Midpoint:
    """Return a midpoint from the name of a method, or from a number."""
    if isinstance(text, Midpoint):
        return text
    if text in METHODS:
        return Midpoint(str(text), str(text))
    try:
        number = float(text)
    except ValueError:
        number = inf
    if not isfinite(number):
        raise UsageError("unknown-midpoint", midpoint=text, known=", ".join(METHODS))
    return Midpoint(str(text), "number", number)


@dataclass(frozen=True, slots=True)
class Split:
    """The sensible and the non-sensible cases, from the confusion matrix at the midpoint."""

    midpoint: float
    tp: int
    fp: int
    p: int
    q: int

    @property
    def sensible(self) -> int:
        """The cases on the side of the midpoint where their class belongs."""
        return self.tp + self.q - self.fp

    @property
    def non_sensible(self) -> int:
        """The cases on the other side."""
        return self.fp + self.p - self.tp

    @property
    def struggle_ratio(self) -> float:
        """Non-sensible cases per sensible one; infinite where no case is sensible."""
        return self.non_sensible / self.sensible if self.sensible else inf

    def sensibility(self, tp: Counts, fp: Counts) -> Floats:
        """Return the accuracy on the sensible cases, at thresholds with these true and false positives."""
        true_positives, true_negatives = np.minimum(tp, self.tp), self.q - np.maximum(fp, self.fp)
        return ratio(true_positives + true_negatives, self.sensible)

    def capability(self, tp: Counts, fp: Counts) -> Floats:
        """Return the accuracy on the non-sensible cases, at thresholds with these true and false positives."""
        true_positives, true_negatives = np.maximum(tp - self.tp, 0), np.maximum(self.fp - fp, 0)
        return ratio(true_positives + true_negatives, self.non_sensible)


def split(counts: ScoreCounts, midpoint: Midpoint) -> Split:
    """Return the split of the cases of one model at its midpoint."""
    if counts.p == 0 or counts.q == 0:
        raise UndefinedError("sensibility-one-class", model=counts.model, positives=counts.p, negatives=counts.q)
    require_probabilities(counts, "sensibility-not-probabilities")
    at = float(midpoint.of(Totals.of(counts), counts)[0])
    row = row_at(counts, at)
    return Split(at, int(counts.tp[row]), int(counts.fp[row]), counts.p, counts.q)


def struggle_of(counts: ScoreCounts, midpoint: Midpoint, at: Split, *, replicates: int, seed: int) -> Draws | Odds:
    """Return the struggle ratio, with the interval of replicates or, as `is_wilson` says, Wilson's."""
    if replicates < 0:
        raise UsageError("bootstrap-negative", bootstrap=replicates)
    if is_wilson(at, replicates):
        return Odds(Share(at.non_sensible, counts.n, DELONG))
    shares = resampled_errors(counts, midpoint, replicates, seed=seed) / counts.n
    with np.errstate(divide="ignore"):
        return Draws.of(shares / (1 - shares), value=at.struggle_ratio)


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
