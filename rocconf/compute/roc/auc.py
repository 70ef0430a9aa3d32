r"""The area under the ROC curve from counts, with DeLong's standard error.

The area is Mann-Whitney's statistic, ties counting half: with :math:`x_s, y_s` positives and negatives at score s,

.. math:: A = \frac{1}{PQ}\sum_s x_s\left(Y_{<s} + \tfrac12 y_s\right)

DeLong's variance is :math:`S_{10}/P + S_{01}/Q`, the sample variances of the placements of the positives among the
negatives and of the negatives among the positives [1]_. Both are functions of the score, so counts are enough and
one pass over the distinct scores does it [2]_.

The interval is that of `rocconf.compute.stats.auc_intervals`.

References
----------
.. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), Biometrics 44, 837-845.
.. [2] X. Sun, W. Xu (2014), IEEE Signal Processing Letters 21, 1389-1393.
.. [3] D. K. McClish (1989), Medical Decision Making 9, 190-195.
"""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.auc_intervals import auc_of
from rocconf.errors import UsageError
from rocconf.records import slices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.stats.auc_intervals import Auc
    from rocconf.records import Counts, Floats

INT64_MAX = 2**63 - 1
HALF = 21


AREAS = ("average_precision", "partial_auc", "partial_auc_standardized")
"""Areas without a formula for their interval: a rule that judges one has it bootstrapped."""


def auc(roc: Curve, *, level: float = 0.95) -> Auc:
    """Return the area under a curve of all distinct scores, with its standard error and interval."""
    area = area_under(roc)
    return auc_of(area, delong_variance(roc, area), roc.p, roc.q, level=level)


def area_under(roc: Curve) -> float:
    """Return Mann-Whitney's share of pairs in the right order, from whole numbers."""
    twice = 0
    for tp, fp in _pieces(roc):
        width, height = np.diff(fp), tp[1:] + tp[:-1]
        if 2 * roc.p * roc.q <= INT64_MAX:
            twice += int(width @ height)
        else:  # in two halves, neither of which passes int64 below 2**41 cases
            twice += (int(width @ (height >> HALF)) << HALF) + int(width @ (height & ((1 << HALF) - 1)))
    return twice / (2 * roc.p * roc.q)


def delong_variance(roc: Curve, area: float) -> float:
    """Return DeLong's variance; NaN with fewer than two cases of a class."""
    if min(roc.p, roc.q) < 2:
        return nan
    of_positives = of_negatives = 0.0
    for tp, fp in _pieces(roc):
        below = 1 - (fp[1:] + fp[:-1]) / (2 * roc.q) - area  # where a positive stands among the negatives, less A
        above = (tp[1:] + tp[:-1]) / (2 * roc.p) - area
        of_positives += _total(np.diff(tp), below, below)
        of_negatives += _total(np.diff(fp), above, above)
    return of_positives / (roc.p - 1) / roc.p + of_negatives / (roc.q - 1) / roc.q


def partial_auc(roc: Curve, max_fpr: float) -> float:
    """Return the area under the curve left of a false positive rate, the curve cut on its straight line."""
    if not 0 < max_fpr <= 1:
        raise UsageError(f"--max-fpr must be in (0, 1], not {max_fpr:g}")
    last = int(np.searchsorted(roc.fp, max_fpr * roc.q, side="right"))
    x, y = roc.fp[: last + 1] / roc.q, roc.tp[: last + 1] / roc.p
    if last < len(roc):
        x[-1], y[-1] = max_fpr, np.interp(max_fpr, x[-2:], y[-2:])
    return float(np.trapezoid(y, x))


def mcclish(partial: float, max_fpr: float) -> float:
    """Stretch a partial area so that no skill is 0.5 and perfection 1 [3]_."""
    least = max_fpr**2 / 2
    return 0.5 * (1 + (partial - least) / (max_fpr - least))


def average_precision(roc: Curve) -> float:
    """Return the mean of the precision over the positives, each at its own score's threshold."""
    total = 0.0
    for tp, fp in _pieces(roc):
        # a resampled curve may begin with rows of no case: without a positive they add nothing
        total += _total(np.diff(tp), tp[1:] / np.maximum(tp[1:] + fp[1:], 1))
    return total / roc.p


def _pieces(roc: Curve) -> Iterator[tuple[Counts, Counts]]:
    """Cut the curve into pieces that fit the cache, each starting where the one before ends."""
    for part in slices(len(roc) - 1):
        yield roc.tp[part.start : part.stop + 1], roc.fp[part.start : part.stop + 1]


def _total(cases: Counts, *factors: Floats) -> float:
    """Add up products; `@` would start threads for it, which costs more than it saves."""
    product = cases.astype(np.float64)
    for factor in factors:
        product *= factor
    return float(product.sum())
