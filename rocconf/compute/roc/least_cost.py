"""The least cost per case, and how flat it is: the thresholds around the cheapest one that cost hardly more.

The range is the contiguous run of thresholds around the cheapest one whose cost is at most 1.05 times the least. Near
its ends costs are compared in whole numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf import wording
from rocconf.compute.roc.curve import curve, row_at
from rocconf.compute.roc.metrics import NOTHING_POSITIVE
from rocconf.compute.roc.operating import cost_rule, operating_point
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.records import slices
from rocconf.table import Column, record_of

if TYPE_CHECKING:
    from rocconf.compute.roc.costs import Costs
    from rocconf.compute.roc.curve import Curve
    from rocconf.messages import Message
    from rocconf.records import Counts, ScoreCounts

MORE, OF = 21, 20
"""Costs of at most 21/20 of the least count as hardly more."""

ROUNDING = 1e-9
"""The distance from the limit, as a share of it, within which costs are compared in whole numbers."""

OPEN_END = "this end of the range is the row with nothing predicted positive"

LEAST_COLUMNS = (
    Column("least_cost", "number"),
    Column("least_cost_threshold", "score", NOTHING_POSITIVE),
    Column("flat_low", "score", OPEN_END),
    Column("flat_high", "score", OPEN_END),
    Column("flat_thresholds", "count"),
)


@dataclass(frozen=True, slots=True)
class LeastCost:
    """The least cost of a model, its threshold, and the range of thresholds that cost at most 5% more."""

    costs: Costs
    model: str
    cost: float
    threshold: float | None
    low: float | None
    high: float | None
    thresholds: int

    def record(self) -> dict[str, Any]:
        """Return the part of a summary."""
        return record_of(LEAST_COLUMNS, (self.cost, self.threshold, self.low, self.high, self.thresholds))

    @property
    def conclusion(self) -> Message:
        """The cheapest threshold, in a sentence."""
        found = {"model": self.model, "costs": self.costs.text, "cost": f"{self.cost:.4g}"}
        if self.threshold is None:
            return message("answer-cost-nothing", **found)
        if self.thresholds == 1:
            return message("answer-cost-sharp", **found, threshold=wording.score(self.threshold))
        low, high = wording.score(self.low), wording.score(self.high)
        ends = [f"from {low}"] * (self.low is not None) + [f"to {high}"] * (self.high is not None)
        found |= {"threshold": wording.score(self.threshold), "thresholds": f"{self.thresholds:,}"}
        return message("answer-cost", **found, range=" ".join(ends))


def least_cost(counts: ScoreCounts, costs: Costs) -> LeastCost:
    """Return the least cost of a model over all distinct scores."""
    point, roc = operating_point(counts, cost_rule(costs)), curve(counts)
    row = row_at(counts, point.threshold)
    run = _flat_run(roc, row, costs)
    ends = [float(roc.thresholds[at]) if at else None for at in (run[-1], run[0])]
    low, high = reversed(ends) if counts.lower_is_positive else ends
    cost = float(costs.of(roc.confusion(np.array([row])))[0])
    return LeastCost(costs, counts.model, cost, point.threshold, low, high, len(run))


def _flat_run(roc: Curve, row: int, costs: Costs) -> range:
    """Return the rows around the cheapest one that cost hardly more."""
    of_miss, of_alarm = costs.whole_weights(roc.p, roc.q)

    def exact(at: int) -> int:
        return of_miss * (roc.p - int(roc.tp[at])) + of_alarm * int(roc.fp[at])

    def dearer(rows: Counts) -> int | None:
        """Return the first of some rows that is dearer in whole numbers."""
        return next((at for at in rows.tolist() if OF * exact(at) > MORE * least), None)

    least, limit = exact(row), MORE / OF * float(costs.of(roc.confusion(np.array([row])))[0]) * (1 - ROUNDING)
    first, last = 0, len(roc) - 1
    for part in slices(len(roc)):
        rows = np.flatnonzero(costs.of(roc.confusion(part)) >= limit) + part.start
        before, after = dearer(rows[rows < row][::-1]), dearer(rows[rows > row])
        first = first if before is None else max(first, before + 1)
        last = last if after is None else min(last, after - 1)
    return range(first, last + 1)
