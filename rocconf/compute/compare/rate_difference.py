r"""The difference of tpr, specificity or accuracy of two models, each at a threshold.

On the same cases only those count that one model predicts right and the other wrong. Of n cases (the positives for tpr,
the negatives for specificity, all for accuracy), `only_first` are right in the first model alone and `only_second` in
the second alone; the difference is (only_first - only_second)/n.

The kind `robust` has the corrected score intervals of `rocconf.compute.stats.corrected_differences`. `delong` has
Tango's limits [1]_ and McNemar's p-value without correction, which is Tango's test of no difference; on different cases
the square-and-add of two Wilson intervals [2]_, and the p-value of the score test, which pools the two rates.

References
----------
.. [1] T. Tango (1998), Statistics in Medicine 17, 891-908.
.. [2] R. G. Newcombe (1998), Statistics in Medicine 17, 873-890 (method 10).
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.clusters import DiscordantClusters, size_of_difference
from rocconf.compute.stats.corrected_differences import (
    MIETTINEN_NURMINEN_CORRECTED,
    TANGO_CORRECTED,
    corrected_paired_difference,
    corrected_unpaired_difference,
)
from rocconf.compute.stats.difference import Difference, square_and_add
from rocconf.compute.stats.normal import normal_quantile, two_sided_p
from rocconf.compute.stats.proportion import wilson
from rocconf.compute.stats.tango_interval import tango_limits
from rocconf.compute.stats.weighted_sum import MOVER
from rocconf.dataclass import dataclass
from rocconf.records import ROBUST, Interval

if TYPE_CHECKING:
    from rocconf.compute.stats.clusters import EffectiveSize
    from rocconf.records import Flags, Grouping, IntervalKind

TANGO = "tango"
NEWCOMBE = "newcombe"
TEST_NAMES = {
    TANGO: "Tango",
    TANGO_CORRECTED: "Tango, corrected",
    NEWCOMBE: "Newcombe",
    MIETTINEN_NURMINEN_CORRECTED: "Miettinen-Nurminen, corrected",
    MOVER: "MOVER",
    "mean": "mean",
    "cross-fitted": "cross-fitted",
}
"""What figures call the intervals of rates."""

COMPARED = ("tpr", "specificity", "accuracy")
"""The rates that are compared: of the positives, of the negatives, and of all cases."""


@dataclass(frozen=True, slots=True)
class Discordance:
    """The cases on which two models disagree: right in one alone, right in the other alone, of n."""

    only_first: int
    only_second: int
    n: int
    size: EffectiveSize | None = None
    """The effective size of clustered cases."""

    def __add__(self, other: Discordance) -> Discordance:
        if self.size is not None or other.size is not None:
            raise TypeError("the cases of a cluster are no independent ones: count them together")
        return Discordance(self.only_first + other.only_first, self.only_second + other.only_second, self.n + other.n)


@dataclass(frozen=True, slots=True)
class Hits:
    """The number of right predictions, of n."""

    hits: int
    n: int

    @property
    def share(self) -> float:
        """The rate."""
        return self.hits / self.n


def discordances(
    labels: Flags, first: Flags, second: Flags, clusters: Grouping | None = None
) -> dict[str, Discordance]:
    """Return for each rate the cases that only one of two models predicts right."""
    found = _discordances(labels, first, second)
    if clusters is None:
        return found
    right, other_right = first == labels, second == labels
    more, less = right & ~other_right, other_right & ~right
    return {
        rate: replace(found[rate], size=_size(more & of, less & of, of, clusters))
        for rate, of in zip(COMPARED, (labels, ~labels, np.ones_like(labels)), strict=True)
    }


def _size(more: Flags, less: Flags, cases: Flags, clusters: Grouping) -> EffectiveSize:
    counted = [np.bincount(clusters.places[some], minlength=len(clusters.names)) for some in (more, less, cases)]
    return size_of_difference(*counted)


def _discordances(labels: Flags, first: Flags, second: Flags) -> dict[str, Discordance]:
    more, less = first & ~second, second & ~first
    p, more_tp, less_tp = (int(np.count_nonzero(part)) for part in (labels, more & labels, less & labels))
    more_fp, less_fp = int(np.count_nonzero(more)) - more_tp, int(np.count_nonzero(less)) - less_tp
    positives, negatives = Discordance(more_tp, less_tp, p), Discordance(less_fp, more_fp, len(labels) - p)
    return dict(zip(COMPARED, (positives, negatives, positives + negatives), strict=True))


def hits(tp: int, fp: int, p: int, q: int) -> dict[str, Hits]:
    """Return for each rate the cases predicted right."""
    return dict(zip(COMPARED, (Hits(tp, p), Hits(q - fp, q), Hits(tp + q - fp, p + q)), strict=True))


def paired_difference(of: Discordance, *, level: float = 0.95, kind: IntervalKind = ROBUST) -> Difference:
    """Return the difference of a rate of two models on the same cases."""
    b, c, n = float(of.only_first), float(of.only_second), float(of.n)
    if of.size is not None:
        b, c, n = of.size.of_counts(b, c, n=n, level=level, kind=kind)
    value = (of.only_first - of.only_second) / of.n
    clustered = None if of.size is None else DiscordantClusters(of.only_first, of.only_second, of.size)
    if kind == ROBUST:
        return replace(corrected_paired_difference(b, c, n, level=level), value=value, clustered=clustered)
    lower, upper = tango_limits(np.array([b]), np.array([c]), n, normal_quantile(level))
    z = (b - c) / sqrt(b + c) if b + c else 0.0
    return Difference(value, Interval(float(lower[0]), float(upper[0])), two_sided_p(z), TANGO, kind, clustered)


def unpaired_difference(first: Hits, second: Hits, *, level: float = 0.95, kind: IntervalKind = ROBUST) -> Difference:
    """Return the difference of a rate of two models on different cases."""
    if kind == ROBUST:
        return corrected_unpaired_difference(first.hits, first.n, second.hits, second.n, level=level)
    limits = square_and_add(
        first.share,
        wilson(first.hits, first.n, level=level),
        second.share,
        wilson(second.hits, second.n, level=level),
    )
    difference = first.share - second.share
    pooled = (first.hits + second.hits) / (first.n + second.n)
    missed = (first.n - first.hits + second.n - second.hits) / (first.n + second.n)
    variance = pooled * missed * (1 / first.n + 1 / second.n)
    p = two_sided_p(difference / sqrt(variance)) if variance else 1.0  # all right or all wrong in both
    return Difference(difference, limits, p, NEWCOMBE, kind)
