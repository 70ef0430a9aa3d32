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

from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from rocconf.dataclass import dataclass
from rocconf.metric import Metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.records import ClassPredictions, Counts, Floats

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


def class_weights(weights: Floats) -> tuple[float, ...]:
    """Return the weight of each class in an average."""
    return tuple((weights.sum(axis=0) + weights.sum(axis=1)).tolist())


@dataclass(frozen=True, slots=True, eq=False)
class ClassPairs:
    """The pairs of classes of one model."""

    areas: Floats
    """The area of each class (row) against each other one (column); NaN for a class without cases, and of itself."""
    influences: dict[str, Floats]
    """For each average the influence of each case on it; empty if a class has no cases."""


def class_pairs(cases: ClassPredictions, model: str) -> ClassPairs:
    """Return the pairs of classes of one model."""
    scores = -cases.scores[model] if cases.lower_is_positive else cases.scores[model]
    members = [np.flatnonzero(cases.labels == place) for place in range(len(cases.classes))]
    sizes = [len(each) for each in members]
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
    return ClassPairs(areas, influences)


def averages_of(areas: Floats, sizes: Sequence[int]) -> dict[str, float | None]:
    """Return the averages of the areas of all pairs, None if a class has no cases."""
    if not all(sizes):
        return dict.fromkeys(AVERAGES)
    known = np.where(np.eye(len(sizes), dtype=np.bool_), 0.0, areas)
    # rounding must not put an average of perfect areas above 1
    return {name: min(fsum((weights * known).ravel().tolist()), 1.0) for name, weights in pair_weights(sizes).items()}


def _twice_below(scores: Floats, in_order: Floats) -> Counts:
    """Return for each score twice the number of ordered ones below it, ties counting half."""
    found = np.searchsorted(in_order, scores, "left") + np.searchsorted(in_order, scores, "right")
    return found.astype(np.int64)
