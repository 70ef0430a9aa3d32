r"""Concavities of a ROC curve: the stretches that lie below its convex hull [1]_, each with a test against chance.

Between two corners of the hull the curve lies below the line that joins them. At random one would expect that line, so
within such a range of thresholds a model ranks the positives and negatives worse than chance: the AUC of the cases
in the range is below 1/2. (Points of the curve on that line divide a range, so that each lies strictly below.)

Every sample has such stretches, also of a model whose true curve has none, because the hull selects them: it begins
and ends them where the curve happens to be highest. So the AUC of a range cannot be tested as if the range had been
chosen in advance. The test here allows for the selection. If the scores say nothing within the range, all orders of
its cases are equally likely, and given that the curve stays below the line, all orders that stay below it are. Such
an order is drawn by drawing any order and rotating it to begin after its highest point above the line (Vervaat's
transformation [2]_); orders with several highest points are left out, which makes the draw exact. The p-value is
the share of these orders with an AUC as low as the observed one, and :math:`p_{adj}` is Holm's over all concavities.

The order of tied cases is unknown. A drawn order is tied as the cases are after it was drawn, which leaves it further
below the line than tied orders in general are: the p-value is then conservative. A range with more than `MOST` cases
of a class is represented by that many, with the same shares of tied cases; what rounding these shares can change is
counted as reached, and where both classes are reduced, AUCs are compared in units of their standard error.

References
----------
.. [1] L. Hamel (2009), Model assessment with ROC curves, in Encyclopedia of Data Warehousing and Mining, 1316-1323.
.. [2] W. Vervaat (1979), A relation between Brownian bridge and Brownian excursion, Annals of Probability 7, 143-149.
"""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.hull import hull_rows
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.roc.summary import MODEL
from rocconf.compute.stats.exact import cross, twice_area
from rocconf.compute.stats.holm import holm
from rocconf.compute.stats.permutation import draw, p_values, permuted
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.dataclass import dataclass
from rocconf.table import Column

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.compute.roc.curve import Curve
    from rocconf.records import Counts, Floats

NO_ORDERS = "no random orders were drawn to test it"
MOST = 2000
"""The largest number of cases of a class that is drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class Concavity:
    """The rows of a curve from one point on its hull to the next, between which it lies below the hull."""

    first: int
    last: int
    tp: Counts
    """The true positives of these rows, from 0 in the first."""
    fp: Counts

    @property
    def p(self) -> int:
        """The positives in the range."""
        return int(self.tp[-1])

    @property
    def q(self) -> int:
        """The negatives in the range."""
        return int(self.fp[-1])

    @property
    def auc(self) -> float:
        """The AUC of the cases in the range."""
        return twice_area(self.tp, self.fp) / (2 * self.p * self.q)


def concavities(roc: Curve) -> list[Concavity]:
    """Return the concavities of a curve, from its high thresholds to its low ones."""
    found = []
    for first, last in pairwise(hull_rows(roc).tolist()):
        if last - first < 2:
            continue
        tp, fp = roc.tp[first : last + 1] - roc.tp[first], roc.fp[first : last + 1] - roc.fp[first]
        touching = np.flatnonzero(cross(fp, tp[-1], tp, fp[-1], most=roc.p * roc.q) <= 0)
        for start, stop in pairwise(touching.tolist()):
            if stop - start > 1:
                rows = slice(start, stop + 1)
                found.append(Concavity(first + start, first + stop, tp[rows] - tp[start], fp[rows] - fp[start]))
    return found


def concavity_records(roc: Curve, model: str, *, orders: int = 0, seed: int = SEED) -> list[dict[str, Any]]:
    """Return a row for each concavity, tested on this many random orders; 0 for no test."""
    found, rng = concavities(roc), generator(seed)
    if orders:
        require_independent(roc, "clusters-concavities")
    ps = [chance_p(each, orders=orders, rng=rng) for each in found] if orders else []
    tests = zip(ps, holm(ps), strict=True) if orders else [(None, None)] * len(found)
    return [
        {"model": model, "p": p, "p_adjusted": adjusted}
        | {key.name: value(roc, each) for key, value in COLUMNS.items()}
        for each, (p, adjusted) in zip(found, tests, strict=True)
    ]


def _thresholds(roc: Curve, each: Concavity) -> list[float]:
    """Return the lowest and the highest threshold in the range."""
    return sorted(roc.thresholds[[each.first + 1, each.last - 1]].tolist())


COLUMNS: dict[Column, Callable[[Curve, Concavity], Any]] = {
    Column("threshold_low", "score"): lambda roc, each: _thresholds(roc, each)[0],
    Column("threshold_high", "score"): lambda roc, each: _thresholds(roc, each)[1],
    Column("fpr_low", "share"): lambda roc, each: int(roc.fp[each.first]) / roc.q,
    Column("fpr_high", "share"): lambda roc, each: int(roc.fp[each.last]) / roc.q,
    Column("tpr_low", "share"): lambda roc, each: int(roc.tp[each.first]) / roc.p,
    Column("tpr_high", "share"): lambda roc, each: int(roc.tp[each.last]) / roc.p,
    Column("positives", "count"): lambda _, each: each.p,
    Column("negatives", "count"): lambda _, each: each.q,
    Column("auc", "share"): lambda _, each: each.auc,
    Column("area", "share"): lambda roc, each: (0.5 - each.auc) * (each.p / roc.p) * (each.q / roc.q),
}
"""The columns of a concavity but those of its test, with their values."""

CONCAVITY_COLUMNS = (MODEL, *COLUMNS, Column("p", "p", NO_ORDERS), Column("p_adjusted", "p", NO_ORDERS))


def chance_p(each: Concavity, *, orders: int, rng: np.random.Generator) -> float:
    """Return how probable so low an AUC is among the orders that stay below the hull."""
    p, q = min(each.p, MOST), min(each.q, MOST)
    cases = each.tp + each.fp
    cuts = np.unique(np.rint(cases * ((p + q) / int(cases[-1]))).astype(np.int64))
    depths = permuted(lambda sizes: 0.5 - _aucs_below(p, q, cuts, len(sizes), rng), np.full(orders, p))
    unit = _spread(p, q) / _spread(each.p, each.q) if min(each.p, each.q) > MOST else 1.0
    slack = (p < each.p) / p + (q < each.q) / q
    return float(p_values((0.5 - each.auc) * unit - slack, depths))


def _spread(p: int, q: int) -> float:
    """Return the standard error of the AUC of random scores."""
    return sqrt((p + q + 1) / (12 * p * q))


def _aucs_below(p: int, q: int, cuts: Counts, orders: int, rng: np.random.Generator) -> Floats:
    """Return the AUCs of random orders, tied between cuts, whose curves stay strictly below their diagonal."""
    n = p + q
    tp = np.cumsum(draw(np.ones(n, dtype=np.int64), np.full(orders, p), rng), axis=1)
    height = tp * n - np.arange(1, n + 1) * p  # above the diagonal, in whole numbers; the last is 0
    start = height.argmax(axis=1)
    has_one_top = (height == height.max(axis=1, keepdims=True)).sum(axis=1) == 1
    tp, start = tp[has_one_top], start[has_one_top, None]
    places = start + cuts  # cases before each cut, counted from the start of the order that was drawn
    rotated = np.take_along_axis(tp, places % n, axis=1) + p * (places >= n) - np.take_along_axis(tp, start, axis=1)
    up, right = np.diff(rotated, axis=1), np.diff(cuts - rotated, axis=1)
    return np.asarray((right * (rotated[:, :-1] + up / 2)).sum(axis=1) / (p * q))
