"""The rates of a confusion matrix: a function each, over any number of thresholds at once, with its interval.

A rate whose denominator is 0 has no value: NaN here, null in every output, never 0. Each rate is declared with its
range, aliases and interval. Hits among trials have Wilson's interval, the error difference Tango's, tpr - fpr the square-and-add
of two Wilson intervals. A rate without a formula (f1, mcc) is drawn from Jeffreys' posterior of the two classes' rates at a
fixed seed: the interval has a width also at a rate of 0 or 1, where resampled cases would not vary.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.stats.confusion import Confusion, ratio
from rocconf.metric import Metric
from rocconf.records import Interval

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.metric import IntervalMethod
    from rocconf.records import Counts, Floats

    Hits = Callable[[Confusion], tuple[Counts, Counts | int]]

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
    limits: Callable[[Confusion, float], Interval] | None = None
    """The interval of one matrix at a level, where it is neither Wilson's nor drawn."""

    def interval(self, matrix: Confusion, level: float) -> Interval:
        """Return the interval of a single matrix."""
        if self.hits is not None:
            from rocconf.compute.stats.proportion import wilson

            hits, trials = self.hits(matrix)
            return wilson(int(hits[0]), int(np.asarray(trials).flat[0]), level=level)
        return self.limits(matrix, level) if self.limits else _drawn(self.of, matrix, level)


RATES: dict[str, Rate] = {}
"""Every rate of a threshold, in the order of the table's columns."""


def rate(**declared: Any) -> Callable[[Callable[[Confusion], Floats]], Callable[[Confusion], Floats]]:
    """Declare a rate: the fields of `Rate` but its name and function."""

    def declare(function: Callable[[Confusion], Floats]) -> Callable[[Confusion], Floats]:
        RATES[function.__name__] = Rate(function.__name__, of=function, **declared)
        return function

    return declare


def _youden_limits(m: Confusion, level: float) -> Interval:
    from rocconf.compute.stats.difference import square_and_add
    from rocconf.compute.stats.proportion import wilson

    tp, fp = int(m.tp[0]), int(m.fp[0])
    of_tpr, of_fpr = wilson(tp, m.p, level=level), wilson(fp, m.q, level=level)
    return square_and_add(tp / m.p, of_tpr, fp / m.q, of_fpr)


def _balanced_limits(m: Confusion, level: float) -> Interval:
    difference = _youden_limits(m, level)  # (tpr + 1 - fpr) / 2
    return Interval((1 + difference.lower) / 2, (1 + difference.upper) / 2)


def _lift_limits(m: Confusion, level: float) -> Interval:
    of_precision, times = RATES["precision"].interval(m, level), m.n / m.p
    return Interval(of_precision.lower * times, of_precision.upper * times)


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


@rate(aliases=("f1_score",))
def f1(m: Confusion) -> Floats:
    """The harmonic mean of precision and recall, 2tp/(2tp + fp + fn)."""
    return ratio(2 * m.tp, m.p + m.predicted_positive)


@rate(kind="number", least=-1.0, undefined=ONE_SIDED)
def mcc(m: Confusion) -> Floats:
    """Matthews' correlation of label and prediction, as P*Q*(tpr - fpr) over the root of the margins."""
    spread = m.predicted_positive * m.predicted_negative.astype(np.float64)
    # sqrt(x * x) is x in floats, so the brackets make a perfect prediction 1, and never more
    return ratio(m.association, np.sqrt((float(m.p) * m.q) * spread))


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


def _tango_limits(m: Confusion, level: float) -> Interval:
    from rocconf.compute.stats.tango_interval import tango_interval

    lower, upper = tango_interval(m.fn, m.fp, m.n, level)
    return Interval(float(lower[0]), float(upper[0]))


DIFF = Rate("diff", "number", least=-1.0, unreached=(-1.0, 1.0), of=_diff, limits=_tango_limits)
"""The error difference: false negatives less false positives, as a share of the cases."""

AT_A_POINT: dict[str, Rate] = {"diff": DIFF, **RATES}
"""The metrics of an operating point, beside counts and the threshold."""


def _drawn(function: Callable[[Confusion], Floats], m: Confusion, level: float) -> Interval:
    """Return the interval of a function of both classes' rates, drawn from their posterior; the threshold stays."""
    from rocconf.compute.stats.bootstrap import REPLICATES, percentile_interval, require_replicates
    from rocconf.compute.stats.seeds import SEED, generator

    require_replicates(level)
    random, tp, fp = generator(SEED), int(m.tp[0]), int(m.fp[0])
    true = random.beta(tp + 0.5, m.p - tp + 0.5, REPLICATES) * m.p
    false = random.beta(fp + 0.5, m.q - fp + 0.5, REPLICATES) * m.q
    drawn = Confusion(true, false, m.p, m.q)  # type: ignore[arg-type]  # fractions of cases, as drawn
    return percentile_interval(function(drawn), level).including(float(function(m)[0]))
