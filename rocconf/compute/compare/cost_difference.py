"""The difference of two models in the cost per case, and in the net benefit: a weighted sum of the differences of their misses and false alarms.

On the same cases each of the two differences has the interval of rates on the same cases. At a prevalence that is given
they are rates of the two classes, which are independent; otherwise shares of all cases, which are correlated. On
different cases the difference is that of two costs, each with its own interval (see
`rocconf.compute.stats.weighted_sum`).
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from rocconf.compute.compare.rate_difference import Discordance, paired_difference
from rocconf.compute.roc.costs import net_benefit, net_benefit_interval, odds
from rocconf.compute.stats.weighted_sum import Part, difference_of, sum_interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.compute.roc.costs import Costs
    from rocconf.compute.stats.confusion import Confusion
    from rocconf.compute.stats.difference import Difference
    from rocconf.records import Interval, IntervalKind

RIGHT = ("tpr", "specificity")
"""The rates whose differences are those of the misses and of the false alarms, with the other sign."""


def paired_cost(found: Mapping[str, Discordance], costs: Costs, *, level: float, kind: IntervalKind) -> Difference:
    """Return the difference in cost on the same cases, from the cases that one model alone predicts right."""
    if costs.prevalence is None:
        return _of_all_cases(found, float(costs.false_negative), float(costs.false_positive), level=level, kind=kind)
    wrong = [_wrong(found[rate], found[rate].n) for rate in RIGHT]
    weights = [float(weight) for weight in costs.weights(*(each.n for each in wrong))]
    return _summed(wrong, weights, 0.0, level=level, kind=kind)


def unpaired_cost(first: Confusion, second: Confusion, costs: Costs, *, level: float, kind: IntervalKind) -> Difference:
    """Return the difference in cost on different cases."""
    values = [float(costs.of(matrix)[0]) for matrix in (first, second)]

    def interval_at(level: float) -> Interval:
        around = [costs.interval(matrix, level, kind) for matrix in (first, second)]
        return sum_interval(*(Part(*each) for each in zip((1.0, -1.0), values, around, strict=True)))

    return difference_of(values[0] - values[1], interval_at, level=level, kind=kind)


def paired_net_benefit(
    found: Mapping[str, Discordance], probability: float, *, level: float, kind: IntervalKind
) -> Difference:
    """Return the difference in net benefit on the same cases: a miss is a true positive less."""
    return _of_all_cases(found, -1.0, -odds(probability), level=level, kind=kind)


def _of_all_cases(
    found: Mapping[str, Discordance], missed: float, alarmed: float, *, level: float, kind: IntervalKind
) -> Difference:
    """Return the weighted sum of the differences of misses and false alarms, as shares of all cases."""
    n = sum(found[rate].n for rate in RIGHT)
    wrong = [_wrong(found[rate], n) for rate in RIGHT]
    shares = [(each.only_first - each.only_second) / n for each in wrong]
    spreads = [(each.only_first + each.only_second) / n - share**2 for each, share in zip(wrong, shares, strict=True)]
    spread = sqrt(spreads[0] * spreads[1])
    correlation = max(-1.0, min(1.0, -shares[0] * shares[1] / spread)) if spread > 0 else 0.0
    return _summed(wrong, (missed, alarmed), correlation, level=level, kind=kind)


def _summed(
    wrong: Sequence[Discordance], weights: Sequence[float], correlation: float, *, level: float, kind: IntervalKind
) -> Difference:
    """Return the weighted sum of two differences on the same cases."""
    value = sum(
        weight * (each.only_first - each.only_second) / each.n for weight, each in zip(weights, wrong, strict=True)
    )

    def interval_at(level: float) -> Interval:
        differences = (paired_difference(each, level=level, kind=kind) for each in wrong)
        one, other = (
            Part(weight, each.value, each.interval) for weight, each in zip(weights, differences, strict=True)
        )
        return sum_interval(one, other, correlation=correlation)

    return difference_of(value, interval_at, level=level, kind=kind)


def _wrong(right: Discordance, n: int) -> Discordance:
    """Return the cases, of n, that one model alone predicts wrong."""
    return Discordance(right.only_second, right.only_first, n)


def unpaired_net_benefit(
    first: Confusion, second: Confusion, probability: float, *, level: float, kind: IntervalKind
) -> Difference:
    """Return the difference in net benefit on different cases."""
    counted = [(int(each.tp[0]), int(each.fp[0]), each.n) for each in (first, second)]
    values = [net_benefit(*each, probability) for each in counted]

    def interval_at(level: float) -> Interval:
        one, other = (net_benefit_interval(*each, probability, level=level, kind=kind) for each in counted)
        return sum_interval(Part(1.0, values[0], one), Part(-1.0, values[1], other))

    return difference_of(values[0] - values[1], interval_at, level=level, kind=kind)
