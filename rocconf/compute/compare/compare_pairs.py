"""The differences of two models: on the same cases, on different cases, and from a model of a report.

A metric knows its difference on the same cases and on different ones; here these are asked of every pair of models.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from rocconf.compute.compare.paired_bootstrap import draw_replicates
from rocconf.compute.compare.pairs import Pair, adjusted
from rocconf.compute.roc.calibration import CALIBRATION
from rocconf.compute.roc.costs import COST, NET_BENEFIT
from rocconf.compute.roc.counts import same_counts
from rocconf.compute.roc.folds import CV_AUC
from rocconf.compute.roc.influence import AREAS, AUC
from rocconf.compute.roc.metrics import AT_A_POINT
from rocconf.compute.roc.observed import OnSameCases
from rocconf.compute.stats.estimate import Measured, Skewed, Sums
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.records import Predictions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.compute.compare.comparison import Asked
    from rocconf.compute.compare.model import ComparedModel
    from rocconf.compute.compare.paired_bootstrap import Drawn
    from rocconf.compute.roc.cells import PairedCells
    from rocconf.compute.roc.operating import OperatingPoint
    from rocconf.compute.stats.estimate import Estimate
    from rocconf.compute.stats.resampling import Progress
    from rocconf.records import ScoreCounts
    from rocconf.saved import Reported

    Points = tuple[OperatingPoint, OperatingPoint | None]
    """The operating points of two models, of which a report has none here."""
    Cases = Predictions | Sequence[ScoreCounts]
    """Models on the same cases, or the counts of each model on different cases."""

COMPARED = ("tpr", "specificity", "accuracy")
"""The rates whose differences are shown."""

NOTHING = Skewed(0.0, Sums.unknown(), 0.0)
"""The difference of a model from itself on the same cases."""


@dataclass(frozen=True, eq=False, repr=False)
class Differences:
    """The differences of models, which are numbered; behind them stands a model of a report, if there is one."""

    cases: Cases
    models: Sequence[ComparedModel]
    reported: Reported | None = None

    @cached_property
    def _on_same_cases(self) -> OnSameCases | None:
        if self.reported is not None or not isinstance(self.cases, Predictions):
            return None
        return OnSameCases(self.cases, tuple(model.sweep.observed for model in self.models))

    def of_curves(self, metric: Any, first: int, second: int) -> Estimate | None:
        """Return the difference in a measure of the whole curve; None where one model has no value."""
        found: Estimate | None
        if self._on_same_cases is not None:
            found = metric.paired(self._on_same_cases.pair(first, second))
        elif self.reported is None:
            found = metric.apart(*(self.models[at].sweep.observed for at in (first, second)))
        else:
            observed = self.models[first].sweep.observed
            found = metric.unpaired(metric.estimate(observed), self.reported.estimate(metric.name, None))
        return found

    def points_of(self, place: int, first: int, second: int) -> Points:
        """Return the operating points of two models that a rule chose; a report has its own."""
        other = None if second == len(self.models) else self.models[second].sweep.points[place]
        return self.models[first].sweep.points[place], other

    def at_points(self, metric: Any, points: Points, first: int, second: int) -> Estimate | None:
        """Return the difference in a metric at operating points; None where one model has no value."""
        one, other = points
        observed, rate = self.models[first].sweep.observed, self._bound(metric, one, first)
        found: Estimate | None = None
        if rate is None:
            return None
        if other is None:
            if self.reported is not None:
                found = self.reported.estimate(metric.name, one.rule)
            own = rate.estimate(observed.cells(one.tp, one.fp), observed.kind)
            return rate.unpaired(own, found)  # type: ignore[no-any-return]  # any metric
        if self._bound(metric, other, second) is None or (metric is NET_BENEFIT and one.threshold != other.threshold):
            return None  # a net benefit is about who acts from one probability on
        if self._on_same_cases is not None:
            found = rate.paired(self._cells(one, other, first, second), observed.kind)
        else:
            others = self.models[second].sweep.observed
            found = rate.apart(((observed, one.tp, one.fp), (others, other.tp, other.fp)))
        return found

    def _bound(self, metric: Any, point: OperatingPoint, at: int) -> Any:
        """Return a metric as the rate that it is at a point of a model; None where it has no value."""
        return metric.bound(self.models[at].sweep.context, point.threshold)

    @cached_property
    def _known_cells(self) -> dict[Any, PairedCells]:
        return {}

    def _cells(self, one: OperatingPoint, other: OperatingPoint, first: int, second: int) -> PairedCells:
        key = one.threshold, other.threshold, first, second
        if key not in self._known_cells and self._on_same_cases is not None:
            pair = self._on_same_cases.pair(first, second)
            self._known_cells[key] = pair.cells((one.threshold, other.threshold))
        return self._known_cells[key]

    def find(self, metric: Any, points: Points | None, first: int, second: int) -> tuple[Estimate | None, bool]:
        """Return a difference, and whether the two are one model under two names."""
        is_same = self.are_same(first, second)
        if points is None:
            found = self.of_curves(metric, first, second)
        else:
            found = self.at_points(metric, points, first, second)
        return (NOTHING if found and is_same and self._is_exactly_0(points) else found), is_same

    def drawn(self, replicates: int, seed: int, progress: Progress | None = None) -> Drawn:
        """Return replicates of the measures of confident segments of all models."""
        key = replicates, seed
        if key not in self._replicates:
            found = draw_replicates(self.cases, self.models, replicates=replicates, seed=seed, progress=progress)
            self._replicates[key] = found
        return self._replicates[key]

    @cached_property
    def _replicates(self) -> dict[tuple[int, int], Drawn]:
        return {}

    def are_same(self, first: int, second: int) -> bool:
        """Whether the two are one model under two names, as far as the evidence tells."""
        if self._on_same_cases is not None:
            return self._on_same_cases.pair(first, second).is_identical
        counts = self.models[first].counts
        if self.reported is not None:
            return self.reported.is_of(counts, self.models[first].sweep.auc.estimate)
        return same_counts(counts, self.models[second].counts)

    def _is_exactly_0(self, points: Points | None) -> bool:
        """Whether a model is compared with itself on the same cases, at one threshold if it is at any."""
        if self._on_same_cases is None:
            return False
        return points is None or points[1] is None or points[0].threshold == points[1].threshold


def compare_pairs(
    tests: Differences, *, which: Sequence[tuple[int, int]], asked: Asked, progress: Progress | None = None
) -> tuple[Pair, ...]:
    """Return the differences of each model and its baseline that are shown.

    `which` has the places of the two among the models, behind which a report stands.
    """
    models, reported, drawn = tests.models, tests.reported, None
    names = [*(model.name for model in models), *([reported.model] if reported else [])]
    if reported is not None:
        _require_points(models[0], reported)
    if asked.bootstrap and reported is None:
        drawn = tests.drawn(asked.bootstrap, asked.seed, progress)
    pairs = []
    for first, second in which:
        shown = [(AUC, None), *((metric, place) for place in range(len(asked.at)) for metric in _at_points(asked))]
        shown += [(metric, None) for metric in _of_curves(asked)]
        for metric, place in shown:
            points = None if place is None else tests.points_of(place, first, second)
            found, is_same = tests.find(metric, points, first, second)
            at = None if place is None else asked.at[place]
            difference = found and Measured(found, asked.level, is_same)
            pairs.append(Pair(names[first], names[second], metric.name, at, difference, asked.paired))
        for name, draws in drawn.differences(first, second) if drawn is not None else ():
            is_same = tests.are_same(first, second)
            estimate = NOTHING if draws and is_same and asked.paired else draws
            difference = estimate and Measured(estimate, asked.level, is_same)
            pairs.append(Pair(names[first], names[second], name, None, difference, asked.paired))
    return adjusted(pairs)


def _at_points(asked: Asked) -> list[Any]:
    """Return the metrics of operating points that are shown."""
    of_options = [(COST, asked.cost is not None), (NET_BENEFIT, asked.calibration)]
    return [*(metric for metric, is_asked in of_options if is_asked), *(AT_A_POINT[name] for name in COMPARED)]


def _of_curves(asked: Asked) -> list[Any]:
    """Return the measures of whole curves that are shown besides the AUC."""
    areas = [each for each in AREAS.values() if each.has_difference] if asked.bootstrap or asked.cluster else []
    found = [*areas, *(CALIBRATION.values() if asked.calibration else ()), *((CV_AUC,) if asked.fold else ())]
    return [metric for metric in found if not (metric.needs == "max_fpr" and asked.max_fpr is None)]


def _require_points(model: ComparedModel, reported: Reported) -> None:
    for point in model.sweep.points:
        if not reported.has_point(point.rule):
            found = ", ".join(reported.points) or "none"
            raise UsageError("baseline-point", file=reported.source.name, at=point.rule.text, found=found)
