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

from rocconf.compute.roc.curve import PROBABILITY_SLACK, require_probabilities, rows_at
from rocconf.compute.stats.confusion import ratio
from rocconf.dataclass import dataclass
from rocconf.errors import UndefinedError, UsageError
from rocconf.records import slices

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.records import Counts, Floats, ScoreCounts

SNAP = 1e-12
"""The rounding error within which a midpoint is a score."""


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
            if scores.lower_is_positive:
                found = 1 - found
        return _snapped(found, scores)


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
    at = midpoint.of(Totals.of(counts), counts)
    row = int(rows_at(counts, at)[0])
    return Split(float(at[0]), int(counts.tp[row]), int(counts.fp[row]), counts.p, counts.q)


def _snapped(midpoints: Floats, counts: ScoreCounts) -> Floats:
    ascending = counts.scores if counts.lower_is_positive else counts.scores[::-1]
    above = np.searchsorted(ascending, midpoints).clip(max=len(ascending) - 1)
    below = (above - 1).clip(min=0)
    up, down = np.abs(ascending[above] - midpoints), np.abs(midpoints - ascending[below])
    near = np.minimum(up, down) <= SNAP * np.maximum(1, np.abs(midpoints))
    return np.where(near, np.where(up < down, ascending[above], ascending[below]), midpoints)
