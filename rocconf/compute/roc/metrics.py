"""The rates of a confusion matrix: a function each, over any number of thresholds at once, with its interval.

A rate whose denominator is 0 has no value: NaN here, null in every output, never 0. Each rate is declared once: what it
is of a matrix, its range and aliases, and how it is put together. From that follow its interval, and those of its
difference on the same cases and on different ones, of independent and of clustered cases:

hits among cases
    have an exact interval or Wilson's, a difference on the same cases Tango's if the cases are the same for both models,
    and one on different cases Miettinen and Nurminen's or Newcombe's (`rocconf.compute.stats.shares`).
sums and ratios of two shares
    are put together from those intervals (`rocconf.compute.stats.estimate.Sum`).
all other functions, and all other differences on the same cases
    have an interval from the derivatives of the function (`rocconf.compute.roc.cells`).
"""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.cells import ShareOf
from rocconf.compute.stats.confusion import Confusion, ratio
from rocconf.compute.stats.design import APART
from rocconf.compute.stats.estimate import Ratio, Sum
from rocconf.compute.stats.shares import Dice, OtherCases, Share
from rocconf.dataclass import dataclass
from rocconf.metric import Metric
from rocconf.records import ROBUST

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.compute.roc.cells import CellCases, Cells, PairedCells
    from rocconf.compute.roc.observed import Observed
    from rocconf.compute.stats.design import Shared
    from rocconf.compute.stats.estimate import Estimate
    from rocconf.records import Counts, Floats, IntervalKind

    Hits = Callable[[Any], tuple[Counts, Counts | int]]
    AtPoint = tuple[Observed, int, int]
    """A model with its true and false positives at a threshold."""

NOTHING_POSITIVE = "nothing is predicted positive"
NOTHING_NEGATIVE = "nothing is predicted negative"
ONE_SIDED = "all cases are predicted alike"


@dataclass(frozen=True, eq=False, repr=False)
class Rate(Metric):
    """A metric of a confusion matrix."""

    has_interval: bool = True
    of: Callable[[Any], Any] = field(kw_only=True)
    """The rate of confusion matrices."""
    hits: Hits | None = None
    """The hits and the cases that the rate is a share of."""
    is_of_either: bool = False
    """Whether one more hit, or one more miss, can be a case of either class."""
    dice_of: Rate | None = None
    """The share J, of a rate that is 2J/(1 + J)."""
    against: tuple[Rate, Rate] | None = None
    """The two shares of the same cases, which a case is a hit of one of at most, that the rate is the difference of."""
    sum_of: tuple[tuple[Rate, float], tuple[Rate, float]] | None = None
    """The two shares, with their weights, that the rate is the sum of; a number is added by `shift`."""
    shift: float = 0.0
    ratio_of: tuple[Rate, Rate] | None = None
    """The two shares that the rate is the ratio of."""
    is_column: bool = True
    """Whether tables have it."""

    is_of_fixed_prevalence: bool = False
    """Whether the weights of a sum hold of another prevalence, so that differences are sums of the shares' own."""

    def __call__(self, m: Any) -> Any:
        """Return the rate of confusion matrices."""
        return self.of(m)

    def counted(self, m: Any) -> tuple[Any, Any]:
        """Return the hits and the cases of confusion matrices."""
        if self.hits is None:
            raise TypeError(f"{self.name} is not a share")
        return self.hits(m)

    @cached_property
    def share(self) -> ShareOf:
        """The cells of the hits and of the cases."""
        return ShareOf.by(self.counted, either=self.is_of_either)

    @property
    def has_same_cases(self) -> bool:
        """Whether the rate is a share whose cases do not depend on the predictions."""
        return self.hits is not None and bool((self.share.cases[::2] == self.share.cases[1::2]).all())

    def weighted(self, cells: Cells, kind: IntervalKind = ROBUST, **options: Any) -> Sum | None:
        """Return the sum of two shares that the rate is, with the options of a sum."""
        if self.sum_of is None:
            raise TypeError(f"{self.name} is not a sum")
        (one, by), (other, times) = self.sum_of
        found = cells.both((one.share, other.share), kind)
        return None if found is None else Sum(found[0], (by, times), *found[1:], **options)

    def bound(self, of: Any, threshold: float | None) -> Rate:  # noqa: ARG002  # others depend on these
        """Return the rate that it is in a context, at a threshold: itself."""
        return self

    def estimate(self, cells: CellCases, kind: IntervalKind = ROBUST) -> Estimate | None:
        """Return the rate of one model; None where it has no value."""
        if self.hits is not None:
            return cells.share(self.share, kind)
        if self.dice_of is not None:
            found = cells.share(self.dice_of.share)
            return None if found is None else Dice(found)
        if self.against is not None:
            return cells.difference([part.share for part in self.against], kind)
        if self.ratio_of is not None:
            both = cells.both([part.share for part in self.ratio_of])
            return None if both is None or not any(part.value for part in both[0]) else Ratio(*both)
        if self.sum_of is not None:
            return self.weighted(cells, least=self.least, most=self.most, shift=self.shift, is_difference=False)
        return cells.function(self.of, ends=(self.least, self.most))

    def paired(self, cells: PairedCells, kind: IntervalKind = ROBUST) -> Estimate | None:
        """Return the difference of two models on the same cases; None where one has no value."""
        if self.has_same_cases:
            return cells.share(self.share, kind)
        most = self.most - self.least
        if self.is_of_fixed_prevalence:
            return self.weighted(cells, kind, least=-most, most=most, test="mover")
        return cells.function(self.of, ends=(-most, most))

    def apart(self, points: tuple[AtPoint, AtPoint]) -> Estimate | None:
        """Return the difference of two models on different cases, some of which may be of the same clusters.

        Each is given with its true and false positives.
        """
        one, other = (of for of, _, _ in points)
        cells = {of: of.cells(tp, fp) for of, tp, fp in points}
        first, second = (self.estimate(cells[of], of.kind) for of in (one, other))
        if first is None or second is None:
            return None
        shared = one.shared_with(other, lambda of, design: cells[of].contributed(self.of, design))
        return self.unpaired(first, second, shared)

    def unpaired(self, first: Estimate | None, second: Estimate | None, shared: Shared = APART) -> Estimate | None:
        """Return the difference of two models on different cases; None where one has no value."""
        if first is None or second is None:
            return None
        if isinstance(first, Share) and isinstance(second, Share) and not shared.is_any:
            return OtherCases(first, second)
        most = self.most - self.least
        return Sum((first, second), (1.0, -1.0), shared.correlation, shared.units, -most, most, test="mover")


RATES: dict[str, Rate] = {}
"""Every rate of a threshold that tables have, in the order of their columns."""
AT_A_POINT: dict[str, Rate] = {}
"""The metrics of an operating point, beside counts and the threshold."""


def rate(**declared: Any) -> Callable[[Callable[[Any], Any]], Rate]:
    """Declare a rate on the function that returns it of matrices: the fields of `Rate`."""

    def declare(function: Callable[[Any], Any]) -> Rate:
        found = Rate(function.__name__, **{"of": function, "has_difference": True, **declared})
        AT_A_POINT[found.name] = found
        if found.is_column:
            RATES[found.name] = found
        return found

    return declare


def share(**declared: Any) -> Callable[[Hits], Rate]:
    """Declare a share on the function that returns its hits and its cases: the fields of `Rate`."""
    return lambda hits: rate(of=_share(hits), hits=hits, **declared)(hits)


def part(hits: Hits, name: str = "part", **declared: Any) -> Rate:
    """Return a share that is no metric of a point, but that others are put together from."""
    return Rate(name, of=_share(hits), hits=hits, **declared)


def _share(hits: Hits) -> Callable[[Any], Any]:
    return lambda m: ratio(*hits(m))


MISSES, FALSE_ALARMS = part(lambda m: (m.fn, m.n)), part(lambda m: (m.fp, m.n))
"""The misses and the false alarms, as shares of all cases."""
MISSED, ALARMED = part(lambda m: (m.fn, m.p)), part(lambda m: (m.fp, m.q))
"""The misses as a share of the positives, and the false alarms as one of the negatives."""
FOUND = part(lambda m: (m.tp, m.n))
"""The true positives, as a share of all cases."""
PREVALENCE = part(lambda m: (m.p, m.n), "prevalence", unreached=(0.0, 1.0), is_of_either=True)


@rate(
    kind="number",
    least=-1.0,
    unreached=(-1.0, 1.0),
    against=(MISSES, FALSE_ALARMS),
    has_difference=False,
    is_column=False,
)
def diff(m: Any) -> Any:
    """The error difference: false negatives minus false positives, as a share of the cases."""
    return (m.fn - m.fp) / m.n


@share(aliases=("recall", "sensitivity"))
def tpr(m: Any) -> tuple[Any, Any]:
    """Recall, sensitivity: the share of the positives that is predicted positive."""
    return m.tp, m.p


@share(lower_is_better=True)
def fpr(m: Any) -> tuple[Any, Any]:
    """The share of the negatives that is predicted positive."""
    return m.fp, m.q


@share(aliases=("tnr",))
def specificity(m: Any) -> tuple[Any, Any]:
    """The share of the negatives that is predicted negative."""
    return m.tn, m.q


@share(aliases=("ppv",), undefined=NOTHING_POSITIVE)
def precision(m: Any) -> tuple[Any, Any]:
    """The share of the predicted positives that is positive."""
    return m.tp, m.predicted_positive


@share(undefined=NOTHING_NEGATIVE)
def npv(m: Any) -> tuple[Any, Any]:
    """The share of the predicted negatives that is negative."""
    return m.tn, m.predicted_negative


@share()
def accuracy(m: Any) -> tuple[Any, Any]:
    """The share of the cases that is predicted right."""
    return m.tp + m.tn, m.n


@rate(sum_of=((tpr, 0.5), (fpr, -0.5)), shift=0.5)
def balanced_accuracy(m: Any) -> Any:
    """The mean of the two classes' accuracies."""
    return (tpr(m) + specificity(m)) / 2


@rate(aliases=("f1_score",), dice_of=part(lambda m: (m.tp, m.p + m.fp)))
def f1(m: Any) -> Any:
    """The harmonic mean of precision and recall, 2tp/(2tp + fp + fn)."""
    return ratio(2 * m.tp, m.p + m.predicted_positive)


@rate(kind="number", least=-1.0, undefined=ONE_SIDED)
def mcc(m: Any) -> Any:
    """Matthews' correlation of label and prediction, as P*Q*(tpr - fpr) over the root of the margins."""
    spread = m.predicted_positive * (1.0 * m.predicted_negative)
    # sqrt(x * x) is x in floats, so the brackets make a perfect prediction 1, and never more
    return ratio(m.association, np.sqrt((1.0 * m.p * m.q) * spread))


@rate(kind="number", least=-1.0, sum_of=((tpr, 1.0), (fpr, -1.0)))
def youden_j(m: Any) -> Any:
    """Youden's index, tpr - fpr."""
    return tpr(m) - fpr(m)


@rate(kind="number", most=inf, undefined=NOTHING_POSITIVE, ratio_of=(precision, PREVALENCE))
def lift(m: Any) -> Any:
    """The precision as a multiple of the prevalence."""
    return precision(m) * (m.n / m.p)


@share(is_of_either=True)
def predicted_positive_rate(m: Any) -> tuple[Any, Any]:
    """The share of the cases that is predicted positive."""
    return m.predicted_positive, m.n


def precision_at(m: Confusion, prevalence: float) -> Floats:
    """Precision where a share `prevalence` of the cases is positive (Bayes' rule)."""
    true, false = prevalence * tpr(m), (1 - prevalence) * fpr(m)
    return ratio(true, true + false)


def npv_at(m: Confusion, prevalence: float) -> Floats:
    """Negative predictive value where a share `prevalence` of the cases is positive (Bayes' rule)."""
    true, false = (1 - prevalence) * specificity(m), prevalence * (1 - tpr(m))
    return ratio(true, true + false)


@rate(kind="number", least=-1.0, undefined=ONE_SIDED, aliases=("cohen_kappa",), is_column=False)
def kappa(m: Any) -> Any:
    """Cohen's agreement of label and prediction beyond chance."""
    return ratio(2 * m.association, 1.0 * m.p * m.predicted_negative + 1.0 * m.q * m.predicted_positive)
