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
from rocconf.compute.roc.influence import AREAS, AUC
from rocconf.compute.roc.metrics import AT_A_POINT
from rocconf.compute.roc.observed import OnSameCases
from rocconf.compute.stats.estimate import Measured, Skewed, Sums
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.records import Predictions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocconf.compute.compare.comparison import Asked
    from rocconf.compute.compare.model import ComparedModel
    from rocconf.compute.compare.paired_bootstrap import Drawn
    from rocconf.compute.roc.operating import OperatingPoint
    from rocconf.compute.stats.estimate import Estimate
    from rocconf.compute.stats.resampling import Progress
    from rocconf.records import ScoreCounts
    from rocconf.saved import Reported

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
        else:
            found = metric.unpaired(*(self._of_curve(metric, at) for at in (first, second)))
        return found

    def _of_curve(self, metric: Any, at: int) -> Estimate | None:
        found: Estimate | None
        if at == len(self.models) and self.reported is not None:
            found = self.reported.estimate(metric.name, None)
        else:
            found = metric.estimate(self.models[at].sweep.observed)
        return found

    def at_points(self, metric: Any, place: int, first: int, second: int) -> Estimate | None:
        """Return the difference in a metric at the operating points of a rule; None where one model has no value."""
        if self.reported is not None:
            model, point = self.models[first].sweep, self.models[first].sweep.points[place]
            rate = model.bound(metric, point)
            old = self.reported.estimate(metric.name, point.rule)
            return None if rate is None else rate.unpaired(rate.estimate(*model.cells(point)), old)
        sweeps = [self.models[at].sweep for at in (first, second)]
        points = [each.points[place] for each in sweeps]
        rates = [each.bound(metric, point) for each, point in zip(sweeps, points, strict=True)]
        if None in rates or not _mean_the_same(metric, *points):
            return None
        rate, kind = rates[0], sweeps[0].observed.kind
        if self._on_same_cases is None:
            one, other = (rate.estimate(*each.cells(point)) for each, point in zip(sweeps, points, strict=True))
            return rate.unpaired(one, other)
        cells = self._cells(place, first, second)
        return rate.paired(cells, kind)

    @cached_property
    def _known_cells(self) -> dict[tuple[int, int, int], Any]:
        return {}

    def _cells(self, place: int, first: int, second: int) -> Any:
        key = place, first, second
        if key not in self._known_cells and self._on_same_cases is not None:
            one, other = (self.models[at].sweep.points[place].threshold for at in (first, second))
            self._known_cells[key] = self._on_same_cases.pair(first, second).cells((one, other))
        return self._known_cells[key]

    def are_same(self, first: int, second: int) -> bool:
        """Whether the two are one model under two names, as far as the evidence tells."""
        if self._on_same_cases is not None:
            return self._on_same_cases.pair(first, second).is_identical
        counts = self.models[first].counts
        if self.reported is not None:
            return self.reported.is_of(counts, self.models[first].sweep.auc.estimate)
        return same_counts(counts, self.models[second].counts)

    def is_exactly_0(self, place: int | None, first: int, second: int) -> bool:
        """Whether a model is compared with itself on the same cases, at one threshold if it is at any."""
        if self._on_same_cases is None:
            return False
        return place is None or len({self.models[at].sweep.points[place].threshold for at in (first, second)}) == 1


def _mean_the_same(metric: Any, first: OperatingPoint, second: OperatingPoint) -> bool:
    """Whether a metric means the same at two thresholds: a net benefit is about who acts from one probability on."""
    return metric is not NET_BENEFIT or first.threshold == second.threshold


def compare_pairs(
    cases: Cases,
    models: Sequence[ComparedModel],
    *,
    which: Sequence[tuple[int, int]],
    asked: Asked,
    reported: Reported | None,
    progress: Progress | None = None,
) -> tuple[Pair, ...]:
    """Return the differences of each model and its baseline that are shown.

    `which` has the places of the two among the models, behind which a report stands.
    """
    names = [*(model.name for model in models), *([reported.model] if reported else [])]
    tests, drawn = Differences(cases, models, reported), None
    if reported is not None:
        _require_points(models[0], reported)
    if asked.bootstrap and reported is None:
        drawn = draw_replicates(cases, models, replicates=asked.bootstrap, seed=asked.seed, progress=progress)
    pairs = []
    for first, second in which:
        is_same = tests.are_same(first, second)
        for metric, place, found in _shown(tests, asked, drawn, first, second):
            of_rule = None if place is None else asked.at[place]
            estimate = NOTHING if found and is_same and tests.is_exactly_0(place, first, second) else found
            difference = estimate and Measured(estimate, asked.level, is_same)
            pairs.append(Pair(names[first], names[second], metric, of_rule, difference, asked.paired))
    return adjusted(pairs)


def _shown(
    tests: Differences, asked: Asked, drawn: Drawn | None, first: int, second: int
) -> Iterator[tuple[str, int | None, Estimate | None]]:
    yield AUC.name, None, tests.of_curves(AUC, first, second)
    at_points = (
        *((COST,) if asked.cost is not None else ()),
        *((NET_BENEFIT,) if asked.calibration else ()),
        *(AT_A_POINT[name] for name in COMPARED),
    )
    for place in range(len(asked.at)):
        for metric in at_points:
            yield metric.name, place, tests.at_points(metric, place, first, second)
    areas = (each for each in AREAS.values() if each.has_difference) if drawn else ()
    of_curves = (*areas, *(CALIBRATION.values() if asked.calibration else ()))
    for metric in of_curves:
        if not (metric.needs == "max_fpr" and asked.max_fpr is None):
            yield metric.name, None, tests.of_curves(metric, first, second)
    if drawn is not None:
        for name, found in drawn.differences(first, second):
            yield name, None, found


def _require_points(model: ComparedModel, reported: Reported) -> None:
    for point in model.sweep.points:
        if not reported.has_point(point.rule):
            found = ", ".join(reported.points) or "none"
            raise UsageError("baseline-point", file=reported.source.name, at=point.rule.text, found=found)
