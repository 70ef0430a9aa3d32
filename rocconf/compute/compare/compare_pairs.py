"""The differences of two models: on the same cases, on different cases, and from a model of a report.

A metric knows its difference on the same cases and on different ones; here these are asked of every pair of models.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from rocconf.compute.compare.paired_bootstrap import draw_replicates
from rocconf.compute.compare.pairs import Pair, adjusted
from rocconf.compute.roc.calibration import CALIBRATION
from rocconf.compute.roc.costs import COST, NET_BENEFIT
from rocconf.compute.roc.counts import same_counts
from rocconf.compute.roc.folds import CV_AUC
from rocconf.compute.roc.influence import AREAS, AUC
from rocconf.compute.roc.metrics import AT_A_POINT
from rocconf.compute.roc.observed import OnSameCases, Paired
from rocconf.compute.stats.estimate import Skewed, Sums, measured
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.records import ROBUST, Predictions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocconf.compute.compare.comparison import ComparisonOptions
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


@dataclass(frozen=True, eq=False, repr=False)
class Differences:
    """The differences of models, which are numbered; the model of a report, if there is one, has the last number."""

    cases: Cases
    models: Sequence[ComparedModel]
    reported: Reported | None = None
    progress: Progress | None = None
    """Called with the number of replicates finished since the last call."""

    @cached_property
    def _pair(self) -> Callable[[int, int], Paired] | None:
        """Returns two models on the same cases; None if the cases are different."""
        if self.reported is not None or not isinstance(self.cases, Predictions):
            return None
        return cache(OnSameCases(self.cases, tuple(model.sweep.observed for model in self.models)).pair)

    @cached_property
    def _cells(self) -> Callable[[Paired, tuple[float | None, float | None]], PairedCells]:
        return cache(Paired.cells)

    @cached_property
    def drawn(self) -> Callable[[int, int], Drawn]:
        """Returns replicates of the confident segments of all models, given their number and the seed."""
        return cache(
            lambda replicates, seed: draw_replicates(
                self.cases, self.models, replicates=replicates, seed=seed, progress=self.progress
            )
        )

    def points_of(self, place: int, first: int, second: int) -> Points:
        """Return the operating points of two models that a rule chose; a report has its own."""
        other = None if second == len(self.models) else self.models[second].sweep.points[place]
        return self.models[first].sweep.points[place], other

    def find(self, metric: Any, points: Points | None, first: int, second: int) -> tuple[Estimate | None, bool]:
        """Return a difference, at operating points if given, and whether the two are one model under two names.

        It is None where one model has no value.
        """
        one, other = points or (None, None)
        is_same = self.are_same(first, second)
        at_one_threshold = one is None or one.threshold == self._threshold_of(one, other)
        own, theirs = (
            metric if point is None else metric.bound(self.models[at].sweep.context, point.threshold)
            for at, point in ((first, one), (second, other))
        )
        if own is None or theirs is None or (metric is NET_BENEFIT and not at_one_threshold):
            return None, is_same  # a net benefit is about who acts from one probability on
        if self._pair is None:
            return self._apart(own, (one, other), first, second), is_same
        pair = self._pair(first, second)
        if one is None or other is None:
            found = own.paired(pair)
        else:
            found = own.paired(self._cells(pair, (one.threshold, other.threshold)), pair.models[0].kind)
        is_exactly_0 = found is not None and is_same and at_one_threshold
        return (Skewed(0.0, Sums.unknown(), 0.0, kind=found.kind or ROBUST) if is_exactly_0 else found), is_same

    def _threshold_of(self, one: OperatingPoint, other: OperatingPoint | None) -> float | None:
        """Return the threshold of a baseline under the rule of a point, as scores of the model's direction have it."""
        if other is not None:
            return other.threshold
        if self.reported is None:
            return None
        found = self.reported.threshold(one.rule)
        is_turned = self.reported.lower_is_positive != self.models[0].counts.lower_is_positive
        return 1 - found if is_turned and found is not None else found

    def _apart(self, metric: Any, points: tuple[Any, Any], first: int, second: int) -> Any:
        """Return the difference on different cases; a report has the estimate of its model under the rule of a point."""
        (one, other), observed = points, self.models[first].sweep.observed
        if self.reported is None:
            others = self.models[second].sweep.observed
            if one is None:
                return metric.apart(observed, others)
            return metric.apart(((observed, one.tp, one.fp), (others, other.tp, other.fp)))
        at = (observed,) if one is None else (observed.cells(one.tp, one.fp), observed.kind)
        own = metric.estimate(*at)
        return metric.unpaired(own, self.reported.estimate(metric.name, one and one.rule))

    def are_same(self, first: int, second: int) -> bool:
        """Whether the two are one model under two names, as far as the evidence tells."""
        if self._pair is not None:
            return bool(self._pair(first, second).is_identical)
        counts = self.models[first].counts
        if self.reported is not None:
            return self.reported.is_of(counts, self.models[first].sweep.auc.estimate)
        return same_counts(counts, self.models[second].counts)


def compare_pairs(
    tests: Differences, *, which: Sequence[tuple[int, int]], asked: ComparisonOptions
) -> tuple[Pair, ...]:
    """Return the differences of each model and its baseline that are shown, given the numbers of the two."""
    names, reported = [model.name for model in tests.models], tests.reported
    if reported is not None:
        _require_points(tests.models[0], reported)
        names.append(reported.model)
    drawn = tests.drawn(asked.bootstrap, asked.seed) if asked.bootstrap and reported is None else None
    at_points = [(metric, place) for place in range(len(asked.at)) for metric in _at_points(asked)]
    shown = [(AUC, None), *at_points, *((metric, None) for metric in _of_curves(asked))]
    pairs = []
    for first, second in which:
        is_same, found = tests.are_same(first, second), []
        for metric, place in shown:
            points = None if place is None else tests.points_of(place, first, second)
            at = None if place is None else asked.at[place]
            found.append((metric.name, at, tests.find(metric, points, first, second)[0]))
        found += [(name, None, draws) for name, draws in (drawn.differences(first, second) if drawn else ())]
        for name, at, estimate in found:
            difference = measured(estimate, asked.level, is_from_itself=is_same)
            pairs.append(Pair(names[first], names[second], name, at, difference, asked.paired))
    return adjusted(pairs)


def _at_points(asked: ComparisonOptions) -> list[Any]:
    """Return the metrics of operating points that are shown."""
    of_options = [*[COST] * (asked.cost is not None), *[NET_BENEFIT] * asked.calibration]
    return [*of_options, *(AT_A_POINT[name] for name in COMPARED)]


def _of_curves(asked: ComparisonOptions) -> list[Any]:
    """Return the measures of whole curves that are shown besides the AUC."""
    areas = [each for each in AREAS.values() if each.has_difference] if asked.bootstrap or asked.cluster else []
    found = [*areas, *(CALIBRATION.values() if asked.calibration else ()), *((CV_AUC,) if asked.fold else ())]
    return [metric for metric in found if not (metric.needs == "max_fpr" and asked.max_fpr is None)]


def _require_points(model: ComparedModel, reported: Reported) -> None:
    for point in model.sweep.points:
        if not reported.has_point(point.rule):
            found = ", ".join(reported.points) or "none"
            raise UsageError("baseline-point", file=reported.source.name, at=point.rule.text, found=found)
