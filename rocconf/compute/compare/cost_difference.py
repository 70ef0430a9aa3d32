"""The difference of two models in the cost per case, and in the net benefit: a weighted sum of the differences of their misses and false alarms.

On the same cases each of the two differences has the interval of rates on the same cases; on different cases the
difference is that of two costs, each with its own interval (see `rocconf.compute.stats.weighted_sum`).
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from rocconf.compute.compare.rate_difference import Discordance, paired_difference
from rocconf.compute.roc.costs import net_benefit, net_benefit_interval, odds
from rocconf.compute.stats.weighted_sum import Part, difference_of, sum_interval

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocconf.compute.roc.costs import Costs
    from rocconf.compute.stats.confusion import Confusion
    from rocconf.compute.stats.difference import Difference
    from rocconf.records import Interval, IntervalKind


def paired_cost(found: Mapping[str, Discordance], costs: Costs, *, level: float, kind: IntervalKind) -> Difference:
    """Return the difference in cost on the same cases, from the cases that one model alone predicts right."""
    right = found["tpr"], found["specificity"]
    wrong = [Discordance(each.only_second, each.only_first, each.n) for each in right]
    weights = [float(weight) for weight in costs.weights(*(each.n for each in wrong))]

    def interval_at(level: float) -> Interval:
        return sum_interval(
            *(
                Part(weight, difference.value, difference.interval)
                for weight, difference in zip(
                    weights, (paired_difference(each, level=level, kind=kind) for each in wrong), strict=True
                )
            )
        )

    value = sum(
        weight * (each.only_first - each.only_second) / each.n for weight, each in zip(weights, wrong, strict=True)
    )
    return difference_of(value, interval_at, level=level, kind=kind)


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
    """Return the difference in net benefit on the same cases; its shares are of all cases, and correlated."""
    n, weight = found["tpr"].n + found["specificity"].n, -odds(probability)
    gained = Discordance(found["tpr"].only_first, found["tpr"].only_second, n)
    alarmed = Discordance(found["specificity"].only_second, found["specificity"].only_first, n)
    shares = [(each.only_first - each.only_second) / n for each in (gained, alarmed)]
    spreads = [
        (each.only_first + each.only_second) / n - share**2
        for each, share in zip((gained, alarmed), shares, strict=True)
    ]
    spread = sqrt(spreads[0] * spreads[1])
    correlation = max(-1.0, min(1.0, -shares[0] * shares[1] / spread)) if spread > 0 else 0.0

    def interval_at(level: float) -> Interval:
        one, other = (paired_difference(each, level=level, kind=kind) for each in (gained, alarmed))
        return sum_interval(
            Part(1.0, one.value, one.interval), Part(weight, other.value, other.interval), correlation=correlation
        )

    return difference_of(shares[0] + weight * shares[1], interval_at, level=level, kind=kind)


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
