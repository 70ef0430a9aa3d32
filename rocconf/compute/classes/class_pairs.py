r"""The areas of all ordered pairs of classes, and how much each case moves the averages over them.

The area :math:`A_{cd}` is the share of the pairs of a case of class c and one of class d in which the score of c is
higher for the former, ties counting half; it is Hand and Till's :math:`\hat A(c|d)` [1]_. With classes of sizes
:math:`n_k`, n cases and K classes, the weights of the averages are

=====================  ==========================================
macro_auc              :math:`n_d / (K (n - n_c))`
weighted_auc           :math:`n_c n_d / (n (n - n_c))`
hand_till              :math:`1 / (K (K - 1))`
hand_till_weighted     :math:`(n_c + n_d) / (2 n (K - 1))`
=====================  ==========================================

The first two are the mean over the classes of the AUC of each against the rest, plain and by prevalence; the third is
Hand and Till's M, and the fourth weights each pair of classes by its share of the cases.

References
----------
.. [1] D. J. Hand, R. J. Till (2001), Machine Learning 45, 171-186.
"""

from __future__ import annotations

from functools import cached_property
from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.influence import difference_of_areas
from rocconf.compute.stats.design import FLOOR, Design
from rocconf.compute.stats.estimate import Area, Skewed, Sums
from rocconf.dataclass import dataclass
from rocconf.metric import Metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.compute.stats.estimate import Estimate
    from rocconf.records import ClassPredictions, Counts, Floats, IntervalKind

NO_CASES = "a class has no cases"

AVERAGES = {
    name: Metric(name, undefined=NO_CASES, aliases=aliases, has_difference=True, has_interval=True)
    for name, aliases in {
        "macro_auc": ("macro", "ovr", "auc_macro"),
        "weighted_auc": ("weighted", "ovr_weighted", "auc_weighted"),
        "hand_till": ("m", "ovo"),
        "hand_till_weighted": ("ovo_weighted",),
    }.items()
}
"""The averages over classes."""


def pair_weights(sizes: Sequence[int]) -> dict[str, Floats]:
    """Return for each average the weight of every ordered pair of classes, all of which have cases."""
    own = np.array(sizes, dtype=np.float64)[:, None]
    other, n, k = own.T, own.sum(), len(sizes)
    against_rest = np.broadcast_to(other / (n - own), (k, k))
    weights = {
        "macro_auc": against_rest / k,
        "weighted_auc": against_rest * own / n,
        "hand_till": np.full((k, k), 1 / (k * (k - 1))),
        "hand_till_weighted": (own + other) / (2 * n * (k - 1)),
    }
    off_diagonal = 1 - np.eye(k)
    return {name: weight * off_diagonal for name, weight in weights.items()}


def design_of(cases: ClassPredictions) -> Design:
    """Return the design of the cases, a stratum a class."""
    if cases.clusters is None:
        return Design(cases.labels, len(cases.classes))
    used = cases.clusters.used()
    return Design(cases.labels, len(cases.classes), unit=used.places, units=len(used.names))


@dataclass(frozen=True, eq=False)
class ClassPairs:
    """The pairs of classes of one model, and the averages over them: areas of strata, a class each."""

    areas: Floats
    """The area of each class (row) against each other one (column); NaN for a class without cases, and of itself."""
    influences: dict[str, Floats]
    """For each average the influence of each case on it; empty if a class has no cases."""
    design: Design
    kind: IntervalKind

    @cached_property
    def _weights(self) -> dict[str, Floats]:
        return pair_weights(self.design.cases)

    def _factors(self, name: str) -> tuple[float, ...]:
        """Return what the cases of each class count in an average."""
        weights = self._weights[name]
        return tuple((weights.sum(axis=0) + weights.sum(axis=1)).tolist())

    def average(self, name: str) -> Area | None:
        """Return an average; None if a class has no cases."""
        if name not in self.influences:
            return None
        weighted = self._weights[name] * np.nan_to_num(self.areas)
        value = min(fsum(weighted.ravel().tolist()), 1.0)  # rounding must not put perfect areas above 1
        fewest = self.design.fewest(self._factors(name))
        return Area(value, self.design.sums(self.influences[name]), fewest, kind=self.kind)

    def difference(self, other: ClassPairs, name: str, *, is_of_same_order: bool) -> Estimate | None:
        """Return the difference of an average from that of another model on the same cases."""
        one, another = self.average(name), other.average(name)
        if one is None or another is None:
            return None
        if is_of_same_order:
            return Skewed(0.0, Sums.unknown(), 0.0, kind=self.kind, test=self.kind)
        sums = self.design.sums(self.influences[name] - other.influences[name])
        pseudo = self.design.pseudo([FLOOR * factor for factor in self._factors(name)])
        return difference_of_areas(one.value - another.value, sums, pseudo, self.kind, lambda: (one, another))


def class_pairs(cases: ClassPredictions, model: str, design: Design, kind: IntervalKind) -> ClassPairs:
    """Return the pairs of classes of one model."""
    scores = -cases.scores[model] if cases.lower_is_positive else cases.scores[model]
    members, sizes = [np.flatnonzero(cases.labels == place) for place in range(len(cases.classes))], design.cases
    weights = pair_weights(sizes) if all(sizes) else {}
    areas = np.full((len(sizes), len(sizes)), np.nan)
    influences = {name: np.zeros(len(cases)) for name in weights}
    for own, of_class in enumerate(members):
        in_order = [np.sort(scores[each, own]) for each in members]
        for other, rest in enumerate(members):
            if own == other or not (sizes[own] and sizes[other]):
                continue
            below = _twice_below(scores[of_class, own], in_order[other])
            above = 2 * sizes[own] - _twice_below(scores[rest, own], in_order[own])
            areas[own, other] = int(below.sum()) / (2 * sizes[own] * sizes[other])
            for name, of_name in weights.items():
                influences[name][of_class] += of_name[own, other] * (below / (2 * sizes[other]))
                influences[name][rest] += of_name[own, other] * (above / (2 * sizes[own]))
    return ClassPairs(areas, influences, design, kind)


def _twice_below(scores: Floats, in_order: Floats) -> Counts:
    """Return for each score twice the number of ordered ones below it, ties counting half."""
    found = np.searchsorted(in_order, scores, "left") + np.searchsorted(in_order, scores, "right")
    return found.astype(np.int64)
