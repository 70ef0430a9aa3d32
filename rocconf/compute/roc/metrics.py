"""The rates of a confusion matrix: a function each, over any number of thresholds at once, with its interval.

A rate whose denominator is 0 has no value: NaN here, null in every output, never 0. Each rate is declared with its
range, aliases and interval, which is of one of two kinds.

``robust``
    keeps its level at every rate and size. Hits among trials have the exact interval, the error difference Tango's and
    tpr - fpr Miettinen and Nurminen's, both with a continuity correction. f1 is 2J/(1 + J) of the share J = tp/(tp +
    fp + fn), whose exact interval errs less still where the numbers of both classes are fixed. mcc rises with tpr and
    falls with fpr: its limits are those at the ends of the exact intervals of the two, each at half the error.
``delong``
    is classical: Wilson's interval, Tango's, and the square-and-add of two of Wilson's. f1 and mcc are drawn from
    Jeffreys' posterior of the two classes' rates at a fixed seed: the interval has a width also at a rate of 0 or 1,
    where resampled cases would not vary.
"""

from __future__ import annotations

from dataclasses import field
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.stats.confusion import Confusion, ratio
from rocconf.compute.stats.normal import normal_quantile
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.metric import Metric
from rocconf.records import ROBUST, Interval

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rocconf.compute.stats.clusters import EffectiveSize
    from rocconf.metric import IntervalMethod
    from rocconf.records import Counts, Floats, IntervalKind

    Hits = Callable[[Confusion], tuple[Counts, Counts | int]]
    Sizes = Mapping[str, EffectiveSize] | None
    """The effective size of each rate, None of independent cases."""

NOTHING_POSITIVE = "nothing is predicted positive"
NOTHING_NEGATIVE = "nothing is predicted negative"
ONE_SIDED = "all cases are predicted alike"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rate(Metric):
    """A metric of a confusion matrix."""

    interval_method: IntervalMethod = "formula"
    of: Callable[[Confusion], Floats] = field(kw_only=True)
    hits: Hits | None = None
    """The hits and trials that the rate is a proportion of."""
    limits: Callable[[Confusion, float, IntervalKind, Sizes], Interval] | None = None
    """The interval of one matrix at a level and of a kind; without it and `hits` the interval is drawn."""
    of_share: Hits | None = None
    """The hits and trials of the proportion that the interval is computed from, if the rate is none itself."""

    @property
    def share(self) -> Hits | None:
        """The hits and trials of the proportion that the interval is computed from, if it is."""
        return self.hits or self.of_share

    def interval(self, matrix: Confusion, level: float, kind: IntervalKind, sizes: Sizes = None) -> Interval:
        """Return the interval of a single matrix; `sizes` are the effective sizes of clustered cases."""
        if self.limits is not None:
            return self.limits(matrix, level, kind, sizes)
        if self.hits is None:
            return _drawn(self.name, matrix, level, sizes)
        from rocconf.compute.stats.proportion import proportion_interval

        hits, trials = self.hits(matrix)
        h, n = int(hits[0]), int(np.asarray(trials).flat[0])
        return proportion_interval(h, n, level=level, kind=kind, size=size_in(sizes, self.name))


RATES: dict[str, Rate] = {}
"""Every rate of a threshold, in the order of the table's columns."""


def rate(**declared: Any) -> Callable[[Callable[[Confusion], Floats]], Callable[[Confusion], Floats]]:
    """Declare a rate: the fields of `Rate` but its name and function."""

    def declare(function: Callable[[Confusion], Floats]) -> Callable[[Confusion], Floats]:
        RATES[function.__name__] = Rate(function.__name__, of=function, **declared)
        return function

    return declare


def size_in(sizes: Sizes, name: str) -> EffectiveSize | None:
    """Return the effective size of a rate; an error if cases are clustered and the rate has none."""
    if sizes is not None and name not in sizes:
        raise UsageError("clusters-metric", metric=name)
    return sizes[name] if sizes is not None else None


def _youden_limits(m: Confusion, level: float, kind: IntervalKind, sizes: Sizes) -> Interval:
    from rocconf.compute.stats.corrected_differences import corrected_unpaired_difference
    from rocconf.compute.stats.difference import square_and_add
    from rocconf.compute.stats.proportion import wilson

    size_in(sizes, "youden_j")  # the two classes of a cluster are no different cases
    tp, fp = int(m.tp[0]), int(m.fp[0])
    if kind == ROBUST:
        return corrected_unpaired_difference(tp, m.p, fp, m.q, level=level).interval
    of_tpr, of_fpr = wilson(tp, m.p, level=level), wilson(fp, m.q, level=level)
    return square_and_add(tp / m.p, of_tpr, fp / m.q, of_fpr)


def _balanced_limits(m: Confusion, level: float, kind: IntervalKind, sizes: Sizes) -> Interval:
    size_in(sizes, "balanced_accuracy")
    difference = _youden_limits(m, level, kind, sizes)  # (tpr + 1 - fpr) / 2
    return Interval((1 + difference.lower) / 2, (1 + difference.upper) / 2)


def _lift_limits(m: Confusion, level: float, kind: IntervalKind, sizes: Sizes) -> Interval:
    size_in(sizes, "lift")  # the prevalence, which is taken as known, varies with the clusters
    of_precision, times = RATES["precision"].interval(m, level, kind), m.n / m.p
    return Interval(of_precision.lower * times, of_precision.upper * times)


def _f1_limits(m: Confusion, level: float, kind: IntervalKind, sizes: Sizes) -> Interval:
    if kind != ROBUST:
        return _drawn("f1", m, level, sizes)
    from rocconf.compute.stats.proportion import exact_interval

    share = exact_interval(int(m.tp[0]), m.p + int(m.fp[0]), level=level, size=size_in(sizes, "f1"))
    return Interval(2 * share.lower / (1 + share.lower), 2 * share.upper / (1 + share.upper))


def _mcc_limits(m: Confusion, level: float, kind: IntervalKind, sizes: Sizes) -> Interval:
    if kind != ROBUST:
        return _drawn("mcc", m, level, sizes)
    from rocconf.compute.stats.proportion import exact_interval

    tp, fp, of_each = int(m.tp[0]), int(m.fp[0]), (1 + level) / 2
    of_tpr = exact_interval(tp, m.p, level=of_each, size=size_in(sizes, "tpr"))
    of_fpr = exact_interval(fp, m.q, level=of_each, size=size_in(sizes, "fpr"))
    true, false = np.array([of_tpr.lower, of_tpr.upper]) * m.p, np.array([of_fpr.upper, of_fpr.lower]) * m.q
    lower, upper = mcc(Confusion(true, false, m.p, m.q))  # of fractions of cases
    # where all cases could be predicted alike, mcc may have no value, and any is possible
    return Interval(float(lower) if lower == lower else -1.0, float(upper) if upper == upper else 1.0)  # noqa: PLR0124  # NaN


@rate(hits=lambda m: (m.tp, m.p), aliases=("recall", "sensitivity"), has_difference=True)
def tpr(m: Confusion) -> Floats:
    """Recall, sensitivity: the share of the positives that is predicted positive."""
    return ratio(m.tp, m.p)


@rate(hits=lambda m: (m.fp, m.q), lower_is_better=True)
def fpr(m: Confusion) -> Floats:
    """The share of the negatives that is predicted positive."""
    return ratio(m.fp, m.q)


@rate(hits=lambda m: (m.tn, m.q), aliases=("tnr",), has_difference=True)
def specificity(m: Confusion) -> Floats:
    """The share of the negatives that is predicted negative."""
    return ratio(m.tn, m.q)


@rate(hits=lambda m: (m.tp, m.predicted_positive), aliases=("ppv",), undefined=NOTHING_POSITIVE)
def precision(m: Confusion) -> Floats:
    """The share of the predicted positives that is positive."""
    return ratio(m.tp, m.predicted_positive)


@rate(hits=lambda m: (m.tn, m.predicted_negative), undefined=NOTHING_NEGATIVE)
def npv(m: Confusion) -> Floats:
    """The share of the predicted negatives that is negative."""
    return ratio(m.tn, m.predicted_negative)


@rate(hits=lambda m: (m.tp + m.tn, m.n), has_difference=True)
def accuracy(m: Confusion) -> Floats:
    """The share of the cases that is predicted right."""
    return ratio(m.tp + m.tn, m.n)


@rate(limits=_balanced_limits)
def balanced_accuracy(m: Confusion) -> Floats:
    """The mean of the two classes' accuracies."""
    return (tpr(m) + specificity(m)) / 2


@rate(aliases=("f1_score",), limits=_f1_limits, of_share=lambda m: (m.tp, m.p + m.fp))
def f1(m: Confusion) -> Floats:
    """The harmonic mean of precision and recall, 2tp/(2tp + fp + fn)."""
    return ratio(2 * m.tp, m.p + m.predicted_positive)


@rate(kind="number", least=-1.0, undefined=ONE_SIDED, limits=_mcc_limits)
def mcc(m: Confusion) -> Floats:
    """Matthews' correlation of label and prediction, as P*Q*(tpr - fpr) over the root of the margins."""
    spread = m.predicted_positive * (1.0 * m.predicted_negative)
    # sqrt(x * x) is x in floats, so the brackets make a perfect prediction 1, and never more
    return ratio(m.association, np.sqrt((1.0 * m.p * m.q) * spread))


@rate(kind="number", least=-1.0, limits=_youden_limits)
def youden_j(m: Confusion) -> Floats:
    """Youden's index, tpr - fpr."""
    return tpr(m) - fpr(m)


@rate(kind="number", most=inf, undefined=NOTHING_POSITIVE, limits=_lift_limits)
def lift(m: Confusion) -> Floats:
    """The precision as a multiple of the prevalence."""
    return precision(m) * (m.n / m.p)


@rate(hits=lambda m: (m.predicted_positive, m.n))
def predicted_positive_rate(m: Confusion) -> Floats:
    """The share of the cases that is predicted positive."""
    return ratio(m.predicted_positive, m.n)


def precision_at(m: Confusion, prevalence: float) -> Floats:
    """Precision where a share `prevalence` of the cases is positive (Bayes' rule)."""
    true, false = prevalence * tpr(m), (1 - prevalence) * fpr(m)
    return ratio(true, true + false)


def npv_at(m: Confusion, prevalence: float) -> Floats:
    """Negative predictive value where a share `prevalence` of the cases is positive (Bayes' rule)."""
    true, false = (1 - prevalence) * specificity(m), prevalence * (1 - tpr(m))
    return ratio(true, true + false)


def _diff(m: Confusion) -> Floats:
    return (m.fn - m.fp) / m.n


def _tango_limits(m: Confusion, level: float, kind: IntervalKind, sizes: Sizes) -> Interval:
    size = size_in(sizes, "diff")
    b, c, n = (float(m.fn[0]), float(m.fp[0]), float(m.n))
    if size is not None:
        b, c, n = size.of_counts(b, c, n=n, level=level, kind=kind)
    if kind == ROBUST:
        from rocconf.compute.stats.corrected_differences import corrected_paired_difference

        return corrected_paired_difference(b, c, n, level=level).interval
    from rocconf.compute.stats.tango_interval import tango_limits

    lower, upper = tango_limits(np.array([b]), np.array([c]), n, normal_quantile(level))
    return Interval(float(lower[0]), float(upper[0]))


DIFF = Rate("diff", "number", least=-1.0, unreached=(-1.0, 1.0), of=_diff, limits=_tango_limits)
"""The error difference: false negatives less false positives, as a share of the cases."""

AT_A_POINT: dict[str, Rate] = {"diff": DIFF, **RATES}
"""The metrics of an operating point, beside counts and the threshold."""


def _drawn(name: str, m: Confusion, level: float, sizes: Sizes) -> Interval:
    """Return the interval of a function of both classes' rates, drawn from their posterior; the threshold stays."""
    if sizes is not None:
        raise UsageError("clusters-drawn", metric=name)
    from rocconf.compute.stats.bootstrap import REPLICATES, require_replicates
    from rocconf.compute.stats.resampling import Draws
    from rocconf.compute.stats.seeds import SEED, generator

    require_replicates(level)
    function = RATES[name].of
    random, tp, fp = generator(SEED), int(m.tp[0]), int(m.fp[0])
    true = random.beta(tp + 0.5, m.p - tp + 0.5, REPLICATES) * m.p
    false = random.beta(fp + 0.5, m.q - fp + 0.5, REPLICATES) * m.q
    drawn = Confusion(true, false, m.p, m.q)  # type: ignore[arg-type]  # fractions of cases, as drawn
    return Draws.of(function(drawn)).interval(level).including(float(function(m)[0]))
