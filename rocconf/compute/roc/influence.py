r"""The influence of each case on the measures of a curve [1]_.

How much a case moves a measure is its influence: the derivative of the measure in the weight of the case. With T and N
the weights of the positives and negatives with a score at least x, of P and Q in all, and ties counting half:

**auc** of a positive the share of negatives below it; of a negative the share of positives above it.

**partial area** up to fpr f, over f: with l, r the shares of negatives above, and at or above x,
:math:`i = \mathrm{clip}(f-l, 0, r-l)` and :math:`s = i/(r-l)`, of a positive :math:`s \max(f-l-i/2, 0)/f`; of a negative
:math:`-s(\bar s_+ - t_0 - (t_1-t_0)s/2)/f`, with :math:`t_0, t_1` the shares of positives above, and at or above x.

**average precision** of a positive the precision that it gives to itself and to the positives below; of a negative what
it takes from these.

References
----------
.. [1] F. R. Hampel (1974), J. Amer. Stat. Assoc. 69, 383-393.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocconf.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.compute.stats.design import Design
    from rocconf.records import Floats

FLOOR = sqrt(3 / 14)
"""The least reach of a pseudo-case: 3.5 of them then have three quarters of the variance of one at +-1."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """The weights of positives and negatives down to each distinct score, the most positive score first."""

    positives: Floats
    """Cumulated, the first number 0."""
    negatives: Floats

    @property
    def p(self) -> float:
        """The weight of the positives."""
        return float(self.positives[-1])

    @property
    def q(self) -> float:
        """The weight of the negatives."""
        return float(self.negatives[-1])

    def mean_of_positives(self, values: Floats) -> float:
        """Return the mean over the positives of a value at each score."""
        return float((values * np.diff(self.positives)).sum()) / self.p

    def mean_of_negatives(self, values: Floats) -> float:
        """Return the mean over the negatives of a value at each score."""
        return float((values * np.diff(self.negatives)).sum()) / self.q

    def reach(self, of_positive: Floats, of_negative: Floats) -> tuple[float, float]:
        """Return for each class how far its mean of its own influence is from that over the other class."""
        return (
            abs(self.mean_of_negatives(of_negative) - self.mean_of_positives(of_negative)),
            abs(self.mean_of_positives(of_positive) - self.mean_of_negatives(of_positive)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Influence:
    """The value of a measure with the influence on it of a positive and of a negative at each distinct score.

    Pairs are of the negatives first, as classes are numbered.
    """

    value: float
    of_positive: Floats
    of_negative: Floats
    reach: tuple[float, float] = (FLOOR, FLOOR)
    """How far a pseudo-case of each class moves the measure."""
    largest: tuple[float, float] = (1.0, 1.0)
    """The largest difference that one case of each class can make to a mean; infinite where it has no bound."""
    factors: tuple[float, float] = (1.0, 1.0)
    """What the cases of each class count, as a multiple."""
    pessimistic: float | None = None
    """The value with a negative that the sample may have missed, ranked first."""

    def of_cases(self, rows: Sequence[int] | np.ndarray, positive: np.ndarray) -> Floats:
        """Return the influence of each case, from the place of its score and its class."""
        return np.where(positive, self.of_positive[rows], self.of_negative[rows])


def auc(ranks: Ranks, design: Design) -> Influence:  # noqa: ARG001  # all measures have one signature
    """Return the influences on the area under the curve."""
    below = 1 - (ranks.negatives[1:] + ranks.negatives[:-1]) / (2 * ranks.q)
    above = (ranks.positives[1:] + ranks.positives[:-1]) / (2 * ranks.p)
    return Influence(ranks.mean_of_positives(below), below, above)


def partial_area(ranks: Ranks, design: Design, limit: float) -> Influence:
    """Return the influences on the area up to a false positive rate, over that rate."""

    def heights(left: Floats, right: Floats) -> tuple[Floats, Floats]:
        """Return the share of each score's negatives left of the limit, and the influence of a positive."""
        width = right - left
        kept = np.clip(limit - left, 0, width)
        share = np.divide(kept, width, out=(left < limit).astype(np.float64), where=width > 0)
        return share, share * np.maximum(limit - left - kept / 2, 0) / limit

    fpr, tpr = ranks.negatives / ranks.q, ranks.positives / ranks.p
    share, of_positive = heights(fpr[:-1], fpr[1:])
    cut = ranks.mean_of_positives(share)  # tpr at the limit
    of_negative = -share * (cut - tpr[:-1] - np.diff(tpr) * share / 2) / limit
    factors = 1 / limit, 1.0
    moved = design.shares[0]
    _, pessimistic = heights((fpr[:-1] + moved) / (1 + moved), (fpr[1:] + moved) / (1 + moved))
    reach = ranks.reach(of_positive, of_negative)
    return Influence(
        ranks.mean_of_positives(of_positive),
        of_positive,
        of_negative,
        reach=(max(FLOOR * factors[0], reach[0]), max(FLOOR, reach[1])),
        factors=factors,
        pessimistic=ranks.mean_of_positives(pessimistic),
    )


def average_precision(ranks: Ranks, design: Design) -> Influence:
    """Return the influences on the mean of the precision over the positives."""
    tp, fp, gained = ranks.positives[1:], ranks.negatives[1:], np.diff(ranks.positives)
    flagged = tp + fp
    # one case more changes the precision tp / (tp + fp) of every positive at its score and below
    more_tp, more_fp = (np.cumsum((gained * (part / flagged) / flagged)[::-1])[::-1] for part in (fp, tp))
    value = ranks.mean_of_positives(tp / flagged)
    per_positive = (ranks.p + ranks.q) / ranks.p
    of_positive, of_negative = tp / flagged + more_tp, -more_fp
    of_negatives, of_positives = ranks.reach(of_positive, of_negative)
    missed = design.shares[0] * ranks.q
    return Influence(
        value,
        per_positive * (of_positive - value),
        per_positive * of_negative,
        reach=(ranks.q / ranks.p * of_negatives, of_positives),
        pessimistic=ranks.mean_of_positives(tp / (flagged + missed)),
    )


def mean_loss(ranks: Ranks, of_positive: Floats, of_negative: Floats, largest: float) -> Influence:
    """Return the influences on the mean of a loss, whose largest value is that of any case."""
    total = ranks.mean_of_positives(of_positive) * ranks.p + ranks.mean_of_negatives(of_negative) * ranks.q
    return Influence(
        total / (ranks.p + ranks.q),
        of_positive,
        of_negative,
        reach=ranks.reach(of_positive, of_negative),
        largest=(largest, largest),
    )
