r"""The spread of a partial area and of the average precision, and their robust intervals.

How much a case moves an area is its influence [1]_: of a positive at false positive rate g the part of the height that
it adds left of the limit, and the precision that it gives to itself and to the positives below; of a negative what it
takes from the positives below. With the sample variances of the influences over the positives and over the negatives,

.. math:: v = s^2_+ / P + s^2_- / Q

takes the place of DeLong's variance in Wilson's form (`rocconf.compute.stats.auc_intervals`). Only the negatives left
of the limit count for a partial area, so :math:`m = \min(P, fQ)`. The lower limit starts from the area with one more
negative ranked first, for what a sample cannot show: negatives above all others are rare, and each costs much. An
average precision also flatters a model with few positives, as each positive counts in its own precision.

A difference on the same cases has the robust interval of a difference of AUCs, of these influences. Areas are on the
scale of [0, 1] here: a partial area is divided by its limit.

References
----------
.. [1] F. R. Hampel (1974), J. Amer. Stat. Assoc. 69, 383-393.
"""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.auc import area_left_of, average_precision, partial_auc, precision_total
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.stats.auc_intervals import DelongVariance, robust_limits
from rocconf.compute.stats.student import student_quantile_of_tails
from rocconf.dataclass import dataclass
from rocconf.records import UNKNOWN, Interval

if TYPE_CHECKING:
    from rocconf.compute.roc.curve import Curve
    from rocconf.records import Counts, Floats


@dataclass(frozen=True, slots=True, eq=False)
class Influences:
    """How much a positive, and a negative, at each row of a curve moves an area."""

    of_positives: Floats
    of_negatives: Floats
    p: int
    q: int
    fewest_negatives: float
    """The number of negatives that the area is about."""


@dataclass(frozen=True, slots=True)
class AreaSpread:
    """An area with what its robust interval needs, on the scale of [0, 1]."""

    value: float
    pessimistic: float
    """The area with one more negative, ranked first."""
    variance: DelongVariance
    fewest: float
    """The number of cases of the smaller class, as far as they count."""

    def limits(self, tails: float) -> Interval:
        """Return the interval of level 1 - tails, unknown with a single case of a class."""
        v, df = self.variance.value, self.variance.df
        if v is None or df is None:
            return UNKNOWN
        t = student_quantile_of_tails(tails, df)
        lower, upper = (robust_limits(each, v, self.fewest, t) for each in (self.pessimistic, self.value))
        return Interval(min(lower.lower, self.value), upper.upper)


def area_spread(roc: Curve, max_fpr: float | None) -> AreaSpread:
    """Return the spread of the average precision or, up to a false positive rate, of the partial area."""
    require_independent(roc, "clusters-areas")
    of = influences(roc, max_fpr)
    variance = DelongVariance(
        _variance_of_mean(of.of_positives, np.diff(roc.tp), roc.p),
        _variance_of_mean(of.of_negatives, np.diff(roc.fp), roc.q),
        roc.p,
        roc.q,
    )
    tp, fp = np.concatenate([[0], roc.tp]), np.concatenate([[0], roc.fp + 1])
    if max_fpr is None:
        value, pessimistic = average_precision(roc), float(precision_total(tp, fp)) / roc.p
    else:
        value = partial_auc(roc, max_fpr) / max_fpr
        pessimistic = float(area_left_of(fp / (roc.q + 1), tp / roc.p, max_fpr)) / max_fpr
    return AreaSpread(value, min(pessimistic, value), variance, min(roc.p, of.fewest_negatives))


def influences(roc: Curve, max_fpr: float | None) -> Influences:
    """Return the influences on the average precision or, up to a false positive rate, on the partial area."""
    found = _on_precision(roc) if max_fpr is None else _on_partial_area(roc, max_fpr)
    return Influences(*found, roc.p, roc.q, max(roc.q * (1 if max_fpr is None else max_fpr), 1.0))


def _on_precision(roc: Curve) -> tuple[Floats, Floats]:
    tp, fp, gained = roc.tp[1:].astype(np.float64), roc.fp[1:].astype(np.float64), np.diff(roc.tp)
    flagged = tp + fp
    # one case more changes the precision tp / (tp + fp) of every positive at its row and below
    more_tp, more_fp = (np.cumsum((gained * (part / flagged) / flagged)[::-1])[::-1] for part in (fp, tp))
    return tp / flagged + more_tp, -roc.q / roc.p * more_fp


def _on_partial_area(roc: Curve, max_fpr: float) -> tuple[Floats, Floats]:
    tpr, fpr = roc.tp / roc.p, roc.fp / roc.q
    left, width = fpr[:-1], np.diff(fpr)
    kept = np.clip(max_fpr - left, 0, width)
    share = np.divide(kept, width, out=(left < max_fpr).astype(np.float64), where=width > 0)
    height = share * (max_fpr - left - kept / 2) / max_fpr
    cut = fsum((share * np.diff(roc.tp)).tolist()) / roc.p  # tpr at the limit
    return np.maximum(height, 0.0), -share * (cut - tpr[:-1] - np.diff(tpr) * share / 2) / max_fpr


def _variance_of_mean(influence: Floats, cases: Counts, size: int) -> float:
    if size < 2:
        return float("nan")
    kept = np.flatnonzero(cases)
    influence, cases = influence[kept], cases[kept]
    mean = fsum((influence * cases).tolist()) / size
    return fsum((cases * (influence - mean) ** 2).tolist()) / (size - 1) / size
