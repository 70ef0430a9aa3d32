r"""What errors cost at a threshold, and the net benefit of acting on its predictions.

The expected cost per case, Bradley's equation 26 [1]_, weighs the misses and the false alarms with their costs and the
prevalence :math:`\pi`, which is that of the cases or another one:

.. math:: cost = \pi c_{FN}\, fnr + (1-\pi) c_{FP}\, fpr

The net benefit [2]_ counts the true positives found per case, less the false alarms at the odds of the threshold: who
acts from a probability w on holds a false alarm to be worth w/(1 - w) of a positive found,

.. math:: NB = \frac{tp}{n} - \frac{fp}{n}\,\frac{w}{1-w}

The interval of either is that of a weighted sum of two shares (`rocconf.compute.stats.estimate.Sum`). The shares of a
net benefit, and those of a cost at the prevalence of the cases, :math:`fn/n` and :math:`fp/n`, are of all cases: the
prevalence varies from sample to sample too, and they are correlated, as a case is not both. At a prevalence that is
given, and so known, a cost is a sum of the two classes' rates, which are independent.

References
----------
.. [1] A. P. Bradley (1996), ROC curves and the chi-square test, Pattern Recognition Letters 17, 287-294.
.. [2] A. J. Vickers, E. B. Elkin (2006), Medical Decision Making 26, 565-574.
"""

from __future__ import annotations

from dataclasses import field, replace
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.metrics import ALARMED, FALSE_ALARMS, FOUND, MISSED, MISSES, Rate
from rocconf.compute.stats.estimate import unseen_share
from rocconf.compute.stats.proportion import wilson_limit
from rocconf.dataclass import dataclass
from rocconf.metric import Metric
from rocconf.records import DELONG
from rocconf.table import Column, record_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.compute.roc.cells import CellCases
    from rocconf.compute.roc.clustered import RowSizes
    from rocconf.compute.stats.confusion import Confusion
    from rocconf.records import Floats


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PointMetric(Metric):
    """A metric of an operating point that depends on the options of the run, or on the threshold."""

    has_interval: bool = True
    has_difference: bool = True
    bound: Callable[[PointContext, float | None], Rate | None] = field(kw_only=True)
    """Returns the rate that it is in a context, at a threshold; None where it has no value."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PointContext:
    """What the metrics of an operating point depend on, beside its cases."""

    costs: Costs | None
    is_calibrated: bool
    """Whether the scores were measured as probabilities, and are."""
    lower_is_positive: bool


COST = PointMetric(
    "cost",
    "number",
    most=inf,
    lower_is_better=True,
    needs="cost",
    bound=lambda of, _: None if of.costs is None else of.costs.rate,
)
"""The expected cost per case."""

COST_COLUMNS = (COST.column, Column("cost_lower", "number"), Column("cost_upper", "number"))


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of a false positive and of a false negative, both above 0, and the prevalence if it is another one."""

    text: str
    false_positive: Fraction
    false_negative: Fraction
    prevalence: Fraction | None = None

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """The numbers as they were given."""
        costs = (self.false_positive, self.false_negative)
        return costs if self.prevalence is None else (*costs, self.prevalence)

    def weights(self, p: int, q: int) -> tuple[Fraction, Fraction]:
        """Return the weights of fnr and of fpr, of p positives and q negatives."""
        prevalence = Fraction(p, p + q) if self.prevalence is None else self.prevalence
        return prevalence * self.false_negative, (1 - prevalence) * self.false_positive

    def whole_weights(self, p: int, q: int) -> tuple[int, int]:
        """Return whole numbers in proportion to what one miss and one false alarm add to the cost."""
        missed, alarmed = self.weights(p, q)
        of_miss, of_alarm = missed / p, alarmed / q
        return of_miss.numerator * of_alarm.denominator, of_alarm.numerator * of_miss.denominator

    def of(self, matrix: Confusion) -> Floats:
        """Return the cost per case of confusion matrices."""
        missed, alarmed = map(float, self.weights(matrix.p, matrix.q))
        return missed * (matrix.fn / matrix.p) + alarmed * (matrix.fp / matrix.q)

    def values(self, key: str, matrix: Confusion, *, level: float, sizes: RowSizes | None = None) -> Floats:
        """Return a column: the cost, or a limit of its interval from Wilson's; `sizes` are those of clustered cases."""
        cost = self.of(matrix)
        if key == COST.name:
            return cost
        is_upper = key.endswith("upper")
        (first, by), (second, times) = self.parts
        one, other = (_distance(part, matrix, sizes, upper=is_upper, level=level) for part in (first, second))
        if sizes is not None:
            correlation = sizes.correlation(first, second, matrix, level=level)
        else:
            correlation = _correlations(matrix, level=level) if self.prevalence is None else np.zeros(len(cost))
        one, other = by * one, times * other
        reach = np.sqrt(np.maximum(one**2 + other**2 + 2 * correlation * one * other, 0.0))
        return np.asarray(cost + reach if is_upper else np.maximum(cost - reach, 0.0))

    @property
    def parts(self) -> tuple[tuple[Rate, float], tuple[Rate, float]]:
        """The shares of the misses and of the false alarms, each with its weight."""
        if self.prevalence is None:
            return (MISSES, float(self.false_negative)), (FALSE_ALARMS, float(self.false_positive))
        missed, alarmed = map(float, self.weights(1, 1))
        return (MISSED, missed), (ALARMED, alarmed)

    @property
    def rate(self) -> Rate:
        """The cost per case as a rate."""
        (misses, missed), (alarms, alarmed) = self.parts
        is_fixed = self.prevalence is not None
        return Rate(
            COST.name,
            "number",
            most=missed + alarmed if is_fixed else max(missed, alarmed),
            unreached=() if is_fixed else (max(missed, alarmed),),
            of=lambda m: missed * misses(m) + alarmed * alarms(m),
            sum_of=self.parts,
            is_of_fixed_prevalence=is_fixed,
        )


def _distance(part: Rate, matrix: Confusion, sizes: RowSizes | None, *, upper: bool, level: float) -> Floats:
    """Return how far a limit of Wilson's interval of a share is from it."""
    hits, total = part.counted(matrix) if sizes is None else sizes.of_share(part, matrix)
    total = np.asarray(total)
    found: Floats = wilson_limit(hits, total, upper=upper, level=level) - hits / total
    return found


def _correlations(matrix: Confusion, *, level: float) -> Floats:
    """Return the correlations of the misses and the false alarms among all cases, less what cases unseen may have."""
    missed, alarmed = matrix.fn / matrix.n, matrix.fp / matrix.n
    rest = (1 - missed) * (1 - alarmed)
    seen = 1 - unseen_share(matrix.n, 1 - level)
    return -seen * np.sqrt(np.divide(missed * alarmed, rest, out=np.zeros(len(rest)), where=rest > 0))


def within_costs(metric: Metric, costs: Costs) -> Metric:
    """Return a cost, or a difference of costs, with the range that it has with these costs.

    The most is paid where every prediction is wrong; with the prevalence of the cases, which have both classes, it is
    below the higher of the two costs.
    """
    return _ranging(metric, costs.rate) if (metric.base or metric).name == COST.name else metric


def _ranging(metric: Metric, rate: Rate) -> Metric:
    """Return a metric, or a difference, with the range of the rate that it is."""
    if metric.base is None:
        return replace(metric, least=rate.least, most=rate.most, unreached=rate.unreached)
    reach = rate.most - rate.least
    return replace(metric, least=-reach, most=reach, unreached=(-reach, reach) if rate.unreached else ())


def _net_benefit(of: PointContext, threshold: float | None) -> Rate | None:
    probability = acting_from(threshold, lower_is_positive=of.lower_is_positive) if of.is_calibrated else None
    return None if probability is None else net_benefit_rate(probability)


NO_NET_BENEFIT = "the threshold is not a probability between 0 and 1, or the scores are not probabilities"
NET_BENEFIT = PointMetric("net_benefit", "number", NO_NET_BENEFIT, least=-inf, needs="calibration", bound=_net_benefit)
"""The net benefit of acting on the predictions, with the threshold as the probability from which one would act."""
NET_BENEFIT_COLUMNS = tuple(Column(f"net_benefit{end}", "number", NO_NET_BENEFIT) for end in ("", "_lower", "_upper"))


def acting_from(threshold: float | None, *, lower_is_positive: bool = False) -> float | None:
    """Return the probability from which one acts at a threshold, None if it is not between 0 and 1."""
    if threshold is None or not 0 < threshold < 1:
        return None
    return 1 - threshold if lower_is_positive else threshold


def net_benefit_rate(probability: float | Fraction) -> Rate:
    """Return the net benefit of who acts from a probability on, as a rate; nothing but false alarms is never reached."""
    alarm = float(probability / (1 - probability))
    return Rate(
        NET_BENEFIT.name,
        "number",
        least=-alarm,
        unreached=(-alarm, 1.0),
        of=lambda m: (m.tp - alarm * m.fp) / m.n,
        sum_of=((FOUND, 1.0), (FALSE_ALARMS, -alarm)),
    )


def net_benefit_record(cells: CellCases, rate: Rate | None, *, level: float) -> dict[str, float | None]:
    """Return the columns of a point, with the interval from Wilson's."""
    found = None if rate is None else rate.weighted(cells, DELONG, least=rate.least, most=rate.most)
    values = (None,) * 3 if found is None else (found.value, *found.limits(1 - level).ends)
    return record_of(NET_BENEFIT_COLUMNS, values)


def within_odds(metric: Metric, threshold: Fraction, *, lower_is_positive: bool | None) -> Metric:
    """Return a net benefit, or a difference of net benefits, with the range that it has at a threshold.

    Where it is not known which scores are positive, it is the wider one of both.
    """
    if not 0 < threshold < 1 or (metric.base or metric).name != NET_BENEFIT.name:
        return metric
    higher, lower = net_benefit_rate(threshold), net_benefit_rate(1 - threshold)
    is_lower = lower.least < higher.least if lower_is_positive is None else lower_is_positive
    return _ranging(metric, lower if is_lower else higher)
