r"""What scores in bins leave unknown of an area: the bounds that hold wherever the scores lie within their bins.

With :math:`x_b, y_b` positives and negatives of bin b, ties counting half, the area of the scores themselves lies in

.. math:: A \pm H, \quad H = \frac{1}{2PQ}\sum_b x_b y_b

The placement of a positive of bin b among the negatives is that of the bin but for :math:`h_b = y_b/2Q` at most. By
Minkowski's inequality the standard deviation of the placements differs from that of the bins by
:math:`\sqrt{\sum_b x_b h_b^2/(P-1)}` at most, and likewise for the negatives. So DeLong's variance and Satterthwaite's
degrees of freedom have bounds too, and the interval of the area that is given holds the one of the scores themselves.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocconf.compute.stats.estimate import Area
from rocconf.compute.stats.exact import sum_of_products, twice_area
from rocconf.compute.stats.placements import placements_of_sums, sums_of
from rocconf.records import DELONG, Interval

if TYPE_CHECKING:
    from rocconf.records import Counts

ROUNDING = 1e-12
"""The relative rounding error by which a bound is widened."""


class _Part(NamedTuple):
    """The bounds of one class's part of a variance."""

    least: float
    most: float


def area_in_bins(of: Any, area_under: Any) -> Area:
    """Return the area of one model of which some scores are in bins, with an interval that holds that of the scores."""
    counts, p, q = of.counts, int(of.counts.p), int(of.counts.q)
    if counts.sums is not None:
        both = placements_of_sums(counts.tp, counts.fp, counts.wide, counts.sums)
        return Area(both[0].sums[0] / (2 * p * q), sums_of(*both), of.design.fewest(), kind=of.kind, cases=(p, q))
    found = of.influence(area_under)
    sums = of.sums(found, together=False, skewed=False)
    area = Area(found.value, sums, of.design.fewest(), kind=of.kind, cases=(p, q))
    positives, negatives = np.diff(counts.tp)[counts.wide], np.diff(counts.fp)[counts.wide]
    pairs, twice, whole = sum_of_products(positives, negatives), twice_area(counts.tp, counts.fp), 2 * p * q
    within = Interval((twice - pairs) / whole, (twice + pairs) / whole)
    if sums.df is None:
        return replace(area, within=within)
    of_negatives, of_positives = (n / (n - 1) * square for square, n in zip(sums.squares, sums.n, strict=True))
    parts = (
        _part(of_positives, _spread(positives, negatives, p, q)),
        _part(of_negatives, _spread(negatives, positives, q, p)),
    )
    largest = min(max(0.5, within.lower), within.upper)
    most = min(sum(part.most for part in parts), largest * (1 - largest) * (1 / (p - 1) + 1 / (q - 1)))
    is_known = sum(part.least for part in parts) > 0 or not pairs
    has_variance = most > 0 and 0 < found.value < 1 and (is_known or of.kind != DELONG)
    variance = most * (1 + ROUNDING * bool(pairs)) ** 2 if has_variance else 0.0
    df = sums.df if not pairs else _least_df(*parts, p, q)
    return replace(area, within=within, bounds=(variance, df))


def _spread(cases: Counts, others: Counts, n: int, of_others: int) -> float:
    """Return by how much the standard error of the mean placement of a class may differ from that of the bins."""
    share = others / (2 * of_others)
    return sqrt(float((cases * share * share).sum()) / (n - 1) / n)


def _part(variance: float, spread: float) -> _Part:
    error = sqrt(variance)
    return _Part(max(error - spread, 0.0) ** 2, (error + spread) ** 2)


def _least_df(of_positives: _Part, of_negatives: _Part, p: int, q: int) -> float:
    """Return Satterthwaite's least degrees of freedom: their inverse is convex in the share of the positives' part."""
    low = of_positives.least / (of_positives.least + of_negatives.most) if of_negatives.most else 0.0
    high = of_positives.most / (of_positives.most + of_negatives.least) if of_positives.most else 1.0
    return max(1 / max(share**2 / (p - 1) + (1 - share) ** 2 / (q - 1) for share in (low, high)), min(p, q) - 1)
