r"""Measures of a curve, each declared once on the function that computes its value and its influences [1]_.

How much a case moves a measure is its influence: the derivative of the measure in the weight of the case. From the
influences follow the interval, and with those of another model, other cases, clusters, folds and slices the intervals
of the differences (`rocconf.compute.stats.estimate`).

The function of a measure gets a model, of which it needs `ranks`, `probabilities`, `max_fpr` or the `shares` of its
`design`, and returns an `Influence`. One of a mean over all cases is declared with `MEAN`, and returns `mean_loss`.

References
----------
.. [1] F. R. Hampel (1974), J. Amer. Stat. Assoc. 69, 383-393.
.. [2] D. K. McClish (1989), Medical Decision Making 9, 190-195.
"""

from __future__ import annotations

from dataclasses import field, replace
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.ordering import placements
from rocconf.compute.stats.design import APART, FLOOR, is_matched
from rocconf.compute.stats.estimate import Area, Normal, Skewed, Sum, Sums
from rocconf.compute.stats.exact import twice_area
from rocconf.compute.stats.shares import Linear
from rocconf.dataclass import dataclass
from rocconf.metric import Metric
from rocconf.records import DELONG, ROBUST, slices
from rocconf.threads import mapped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocconf.compute.roc.observed import Observed
    from rocconf.compute.stats.design import Contributions, Design, Shared
    from rocconf.compute.stats.estimate import Estimate
    from rocconf.records import Flags, Floats, IntervalKind


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """The weights of positives and negatives down to each distinct score, the most positive score first."""

    positives: Any
    """Cumulated, the first number 0; whole numbers or floats."""
    negatives: Any

    @property
    def p(self) -> float:
        """The weight of the positives."""
        return float(self.positives[-1])

    @property
    def q(self) -> float:
        """The weight of the negatives."""
        return float(self.negatives[-1])

    @property
    def area(self) -> float:
        """The share of pairs in the right order, ties counting half; of whole numbers without rounding."""
        if self.positives.dtype.kind == "i":
            return twice_area(self.positives, self.negatives) / (2 * int(self.positives[-1]) * int(self.negatives[-1]))
        heights = self.positives[1:] + self.positives[:-1]
        return float((np.diff(self.negatives) * heights).sum()) / (2 * self.p * self.q)

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
class Sliced:
    """Numbers at each distinct score, computed for some of them at a time."""

    at: Callable[[Any], Floats]
    scale: Floats | None = None
    """What the numbers of each class are to be multiplied by; None for numbers as they are."""

    def __getitem__(self, rows: Any) -> Floats:
        found: Floats = self.at(rows)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Influence:
    """The value of a measure with the influence on it of a positive and of a negative at each distinct score.

    Pairs are of the negatives first, as classes are numbered.
    """

    value: float
    of_positive: Any
    of_negative: Any
    reach: tuple[float, float] = (FLOOR, FLOOR)
    """How far a pseudo-case of each class moves the measure."""
    largest: tuple[float, float] = (1.0, 1.0)
    """The largest difference that one case of each class can make to a mean; infinite where it has no bound."""
    factors: tuple[float, float] = (1.0, 1.0)
    """What the cases of each class count, as a multiple."""
    means: tuple[float, float] | None = None
    """The mean influence of the cases of each class, if it is known."""
    pessimistic: float | None = None
    """The value with a negative that the sample may have missed, ranked first."""
    each: Floats | None = None
    """The influence of each case, of a measure that does not depend on its score and its class alone."""

    def of_cases(self, rows: Any, positive: Any) -> Floats:
        """Return the influence of each case, from the place of its score and its class."""
        if self.each is not None:
            return self.each
        found: Floats = np.where(positive, self.of_positive[rows], self.of_negative[rows])
        return found


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Statistic(Metric):
    """A measure of a curve, declared on the function that returns its influences."""

    has_interval: bool = True
    influence: Callable[[Any], Influence | None] = field(kw_only=True)
    is_area: bool = True
    """Whether it is an area, which follows from the order of the cases alone, or otherwise a mean over all cases."""
    together: bool = False
    """Whether all cases are one stratum: class totals vary, and are not taken as known."""
    is_classical: bool = False
    """Whether it has the interval of the kind `delong` too."""
    is_of_folds: bool = False
    """Whether cases are compared within their fold only."""
    range_up_to: Callable[[Any], tuple[float, float]] | None = None
    """The range, given the largest false positive rate, that a value with these influences is stretched to from [0, 1]."""
    instead: Callable[[Any], Estimate | None] | None = None
    """The estimate of models that have another form; None for the usual one."""
    of_cases: Callable[[Any, Any], Any] | None = None
    """The influence of each case from labels and scores, where that is quicker than by the places of the scores."""
    alone: Callable[[Any], float] | None = None
    """The value, where it is quicker without the influences."""

    def estimate(self, of: Any) -> Estimate | None:
        """Return the measure of one model; None where it has no value."""
        instead = None if self.instead is None else self.instead(of)
        found = of.influence(self) if instead is None else None
        return instead if found is None else self._stretched(self._of_one(of, found), of)

    def value(self, of: Any) -> float | None:
        """Return the value of one model; None where it has none."""
        if self.alone is not None:
            return self.alone(of)
        found = of.influence(self)
        if found is None:
            return None
        least, most = (0.0, 1.0) if self.range_up_to is None else self.range_up_to(of.max_fpr)
        return float(least + (most - least) * found.value)

    def _of_one(self, of: Any, found: Influence) -> Estimate:
        # of an area of two strata only the variance matters
        design, sums = of.design, of.sums(found, together=self.together, skewed=self.together or not self.is_area)
        if not self.is_area:
            pseudo = design.pseudo_of_mean(found.largest, found.reach, sums)
            ends = max(self.least, -inf), min(self.most, inf)
            return Skewed(found.value, sums, pseudo, *ends, is_difference=False, test="mean")
        sizes = int(of.counts.p), int(of.counts.q)
        if not self.is_classical and min(sizes) < 2:
            sums = Sums.unknown()
        is_of_one_cluster = sums.variance is None and min(sizes) > 1
        cases = sizes if self.is_classical and not is_of_one_cluster else None
        fewest, extra = design.fewest(found.factors), design.missed_variance(found.reach)
        return Area(found.value, sums, fewest, extra, found.pessimistic, self._kind(of), cases)

    def paired(self, pair: Any) -> Estimate | None:
        """Return the difference of two models on the same cases; None where one has no value."""
        one, other = (model.influence(self) for model in pair.models)
        if one is None or other is None:
            return None
        first = pair.models[0]
        kind, value = self._kind(first), one.value - other.value
        if self.is_area and pair.has_same_order(of_folds=self.is_of_folds):
            return Skewed(0.0, Sums.unknown(), 0.0, kind=kind, test=kind)
        sums, reach = pair.sums(self), tuple(map(max, one.reach, other.reach))
        if not self.is_area:
            largest, most = map(max, one.largest, other.largest), self.most - self.least
            pseudo = pair.design.pseudo_of_mean(largest, reach, sums)
            return self._stretched(Skewed(value, sums, pseudo, -most, most, test="mean"), first, is_difference=True)
        if self.together and is_matched(sums):
            reach = tuple(max(each, FLOOR) for each in reach)
        if min(first.counts.p, first.counts.q) < 2:
            sums = Sums.unknown()
        found = difference_of_areas(
            value, sums, pair.design.pseudo(reach), kind, lambda: [self.estimate(model) for model in pair.models]
        )
        return self._stretched(found, first, is_difference=True)

    def apart(self, one: Any, other: Any) -> Estimate | None:
        """Return the difference of two models on different cases, some of which may be of the same clusters."""

        def contributions(of: Any, design: Design) -> Contributions | None:
            found = of.influence(self)
            return None if found is None else design.contributed(of.by_item(found), together=self.together)

        return self.unpaired(self.estimate(one), self.estimate(other), one.shared_with(other, contributions))

    def unpaired(self, first: Estimate | None, second: Estimate | None, shared: Shared = APART) -> Estimate | None:
        """Return the difference of two models on different cases; None where one has no value."""
        if first is None or second is None:
            return None
        if isinstance(first, Area) and isinstance(second, Area) and first.kind == DELONG:
            if first.se is None or second.se is None:
                return Sum((first, second), is_tested=False)
            both = 2 * shared.correlation * first.se * second.se
            return Normal(first.value - second.value, first.se**2 + second.se**2 - both)
        most, test = self.most - self.least, ROBUST if self.is_area else "mover"
        return Sum((first, second), (1.0, -1.0), shared.correlation, shared.units, -most, most, test=test)

    def _kind(self, of: Any) -> IntervalKind:
        kind: IntervalKind = of.kind if self.is_classical else ROBUST
        return kind

    def _stretched(self, found: Estimate, of: Any, *, is_difference: bool = False) -> Estimate:
        if self.range_up_to is None:
            return found
        least, most = self.range_up_to(of.max_fpr)
        return Linear(found, most - least, 0.0 if is_difference else least)


def up_to(metric: Metric, max_fpr: float) -> Metric:
    """Return a metric with the range that it has up to a false positive rate."""
    of: Any = metric if metric.base is None else metric.base
    if of.needs != "max_fpr":
        return metric
    least, most = of.range_up_to(max_fpr)
    if of is not metric:
        least, most = least - most, most - least
    return replace(metric, least=least, most=most)


def difference_of_areas(
    value: float, sums: Sums, pseudo: float, kind: IntervalKind, areas: Callable[[], Sequence[Any]]
) -> Estimate:
    """Return the difference of two areas on the same cases; without a variance the classical one is put together."""
    if kind != DELONG:
        return Skewed(value, sums, pseudo)
    if sums.variance:
        return Normal(value, sums.variance)
    one, other = areas()
    return Sum((one, other), is_tested=False)


STATISTICS: dict[str, Statistic] = {}
"""Every measure of a curve."""


def statistic(name: str, **declared: Any) -> Callable[[Callable[[Any], Influence | None]], Statistic]:
    """Declare a measure of a curve on the function that returns its influences: the fields of `Statistic`."""

    def declare(function: Callable[[Any], Influence | None]) -> Statistic:
        STATISTICS[name] = Statistic(name, influence=function, **declared)
        return STATISTICS[name]

    return declare


def _in_bins(of: Observed) -> Estimate | None:
    """Return the area of scores in bins."""
    if not of.is_binned:
        return None
    from rocconf.compute.roc.binned import area_in_bins

    return area_in_bins(of, AUC)


def _placements(labels: Flags, scores: Floats) -> Sliced:
    """Return the share of the other class that each case is on the right side of."""
    return Sliced(placements(labels, scores).__getitem__, 0.5 / np.bincount(~labels, minlength=2))


@statistic("auc", aliases=("roc_auc",), has_difference=True, is_classical=True, of_cases=_placements, instead=_in_bins)
def AUC(of: Observed) -> Influence:  # noqa: N802  # the metric
    """Return of a positive the share of negatives below it, of a negative the share of positives above; ties are half."""
    tp, fp = of.ranks.positives, of.ranks.negatives
    below = Sliced(lambda rows: 1 - (fp[1:][rows] + fp[:-1][rows]) / (2 * of.ranks.q))
    above = Sliced(lambda rows: (tp[1:][rows] + tp[:-1][rows]) / (2 * of.ranks.p))
    area = of.ranks.area
    return Influence(area, below, above, means=(area, area))


NO_LIMIT = "no largest false positive rate was given"


def _partial_area(of: Observed) -> Influence | None:
    r"""Return the influences on the area up to a false positive rate f, over f.

    With l, r the shares of negatives above, and at or above x, :math:`i = \mathrm{clip}(f-l, 0, r-l)` and
    :math:`s = i/(r-l)`: of a positive :math:`s \max(f-l-i/2, 0)/f`; of a negative
    :math:`-s(\bar s_+ - t_0 - (t_1-t_0)s/2)/f`, with :math:`t_0, t_1` the shares of positives above, and at or above x.
    """
    ranks, limit = of.ranks, of.max_fpr
    if limit is None:
        return None

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
    factors, missed = (1 / limit, 1.0), of.design.shares[0]
    _, pessimistic = heights((fpr[:-1] + missed) / (1 + missed), (fpr[1:] + missed) / (1 + missed))
    reach = ranks.reach(of_positive, of_negative)
    return Influence(
        ranks.mean_of_positives(of_positive),
        of_positive,
        of_negative,
        reach=(max(FLOOR * factors[0], reach[0]), max(FLOOR, reach[1])),
        factors=factors,
        pessimistic=ranks.mean_of_positives(pessimistic),
    )


PARTIAL = {"undefined": NO_LIMIT, "needs": "max_fpr"}
PARTIAL_AUC = statistic("partial_auc", has_difference=True, range_up_to=lambda limit: (0.0, limit), **PARTIAL)(
    _partial_area
)
"""The area left of the largest false positive rate."""
PARTIAL_AUC_STANDARDIZED = statistic(
    "partial_auc_standardized", range_up_to=lambda limit: (0.5 - limit / (4 - 2 * limit), 1.0), **PARTIAL
)(_partial_area)
"""The same stretched so that no skill is 0.5 and a perfect model 1 [2]_."""


def _average_precision(of: Observed) -> float:
    """Return the mean of the precision over the positives, each at its own score's threshold."""
    tp, fp = of.ranks.positives, of.ranks.negatives

    def total(part: slice) -> float:
        rows = slice(part.start, part.stop + 1)
        above, below = tp[rows], fp[rows]
        return float((np.diff(above) * (above[1:] / (above[1:] + below[1:]))).sum())

    return sum(mapped(total, slices(len(tp) - 1))) / of.ranks.p


@statistic(
    "average_precision",
    unreached=(0.0,),
    aliases=("ap", "pr_auc"),
    has_difference=True,
    together=True,
    alone=_average_precision,
)
def AVERAGE_PRECISION(of: Observed) -> Influence:  # noqa: N802  # the metric
    """Return what a case adds to or takes from the precision of its own and of the positives below it."""
    ranks = of.ranks
    tp, fp, gained = ranks.positives[1:], ranks.negatives[1:], np.diff(ranks.positives)
    flagged = tp + fp
    # one case more changes the precision tp / (tp + fp) of every positive at its score and below
    more_tp, more_fp = (np.cumsum((gained * (part / flagged) / flagged)[::-1])[::-1] for part in (fp, tp))
    value = _average_precision(of)
    per_positive = (ranks.p + ranks.q) / ranks.p
    of_positive, of_negative = tp / flagged + more_tp, -more_fp
    of_negatives, of_positives = ranks.reach(of_positive, of_negative)
    return Influence(
        value,
        per_positive * (of_positive - value),
        per_positive * of_negative,
        reach=(ranks.q / ranks.p * of_negatives, of_positives),
        pessimistic=ranks.mean_of_positives(tp / (flagged + of.design.shares[0] * ranks.q)),
    )


NOT_PROBABILITIES = "scores outside [0, 1] are not probabilities"
INFINITE_LOSS = f"{NOT_PROBABILITIES}, or a case has the probability 0 and its loss is infinite"
MEAN: dict[str, Any] = {
    "kind": "number",
    "has_difference": True,
    "needs": "calibration",
    "is_area": False,
    "together": True,
}
"""What means over all cases have in common."""


@statistic("brier", undefined=NOT_PROBABILITIES, lower_is_better=True, aliases=("brier_score",), **MEAN)
def BRIER(of: Observed) -> Influence | None:  # noqa: N802  # the metric
    """Return the squared distance of the probability from the label."""
    if of.probabilities is None:
        return None
    of_positive, of_negative = of.probabilities
    return mean_loss(of.ranks, of_negative**2, of_positive**2, largest=1.0)


@statistic(
    "log_loss",
    undefined=INFINITE_LOSS,
    most=inf,
    lower_is_better=True,
    aliases=("logloss", "cross_entropy"),
    **MEAN,
)
def LOG_LOSS(of: Observed) -> Influence | None:  # noqa: N802  # the metric
    """Return minus the logarithm of the probability of the label."""
    if of.probabilities is None:
        return None
    of_positive, of_negative = of.probabilities
    with np.errstate(divide="ignore", invalid="ignore"):
        losses = -_log(of_positive, of_negative), -_log(of_negative, of_positive)
    cases = np.diff(of.ranks.positives), np.diff(of.ranks.negatives)
    seen = [np.where(some > 0, loss, 0.0) for loss, some in zip(losses, cases, strict=True)]
    if not all(np.isfinite(loss).all() for loss in seen):
        return None
    return mean_loss(of.ranks, *seen, largest=max(1.0, *(float(loss.max()) for loss in losses)))


def _log(of_one: Floats, of_other: Floats) -> Floats:
    """Return the logarithm of a probability; near 1 from that of the other class, which has more digits."""
    return np.where(of_one > 0, np.where(of_other < 0.5, np.log1p(-of_other), np.log(of_one)), -inf)


def mean_loss(ranks: Ranks, of_positive: Floats, of_negative: Floats, *, largest: float) -> Influence:
    """Return the influences on the mean of a loss, whose largest value is that of any case with either label."""
    total = ranks.mean_of_positives(of_positive) * ranks.p + ranks.mean_of_negatives(of_negative) * ranks.q
    reach = ranks.reach(of_positive, of_negative)
    return Influence(total / (ranks.p + ranks.q), of_positive, of_negative, reach, (largest, largest))


AREAS = {name: each for name, each in STATISTICS.items() if each.is_area and each is not AUC}
"""The areas of a curve besides the AUC."""
