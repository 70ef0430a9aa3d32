"""The evidence of results at hand, which find estimates when they are asked for."""

from __future__ import annotations

from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rocconf.compute.classes import OneVsRest
from rocconf.compute.compare import AucComparison, Comparison
from rocconf.compute.evidence.protocol import (
    COUNTS,
    At,
    Entry,
    Evidence,
    SliceOfEvidence,
    Unit,
    metrics_at,
    metrics_of,
    require_baseline,
)
from rocconf.compute.roc.costs import COST, NO_NET_BENEFIT, PointContext
from rocconf.compute.roc.given_point import BELOW_DIAGONAL, NOT_WHOLE, GivenPoint
from rocconf.compute.roc.influence import AUC
from rocconf.compute.roc.metrics import NOTHING_POSITIVE, PREVALENCE
from rocconf.compute.roc.observed import Observed
from rocconf.compute.roc.operating import GIVEN, operating_point, parse_costs, parse_point_rule
from rocconf.compute.roc.rates import COUNTED
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.design import FEWEST_CLUSTERS
from rocconf.compute.stats.estimate import Known
from rocconf.compute.stats.seeds import REPLICATES, SEED
from rocconf.compute.stats.shares import Share
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.metric import DELTA, NO_DIFFERENCE
from rocconf.records import DEFAULT_LEVEL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Self

    from rocconf.answer import Result
    from rocconf.compute.roc.operating import OperatingPoint, PointRule
    from rocconf.compute.stats.design import Design
    from rocconf.compute.stats.estimate import Measured
    from rocconf.metric import Metric
    from rocconf.records import ScoreCounts

NO_COSTS = "the costs of errors were not given"
NO_CALIBRATION = "the scores were not measured as probabilities"


def tells_too_little(estimate: Any, design: Design) -> bool:
    """Whether the clusters with the cases that an estimate rests on do not tell how much clusters differ.

    Cases that are all apart do.
    """
    if design.unit is None:
        return False
    sizes = list(_sizes(estimate))
    if not sizes:  # it rests on the cases of all classes
        sizes = [*zip(design.kish, design.units_of_classes, design.cases, strict=True)]
    return any(units < round(n) and kish < FEWEST_CLUSTERS for kish, units, n in sizes)


def _sizes(estimate: Any) -> Iterator[tuple[float, int, float]]:
    """Yield the clusters of equal size, the clusters and the cases of each share that an estimate is put together from."""
    size = getattr(estimate, "size", None)
    if size is not None:
        yield size.kish, size.units, estimate.cases
    for name in ("of", "first", "second", "parts"):
        part = getattr(estimate, name, ())
        for each in part if isinstance(part, tuple) else (part,):
            yield from _sizes(each)


def count_of(unit: Unit, name: str) -> Entry:
    """Return a number of cases."""
    return Entry(Known(getattr(unit, name)))


@dataclass
class OfResult(Evidence):
    """The evidence of a result on one of its models."""

    result: Any

    @property
    def kind(self) -> type[Result]:
        """The analysis, whose metrics a rule can be about."""
        return type(self.result)

    @cached_property
    def options(self) -> Mapping[str, Any]:  # type: ignore[override]  # found when it is needed
        """The options of the run."""
        options: Mapping[str, Any] = self.result.options
        return options

    @property
    def run(self) -> Any:
        """The analysis of the model alone."""
        return getattr(self.result, "scored", self.result)

    @property
    def points_of_run(self) -> tuple[PointRule, ...]:
        """The operating points of the run, whose metrics a report holds."""
        return tuple(point.rule for point in getattr(self.run, "points", ()))

    @property
    def differences_of_run(self) -> set[str]:
        """The measures of whole curves whose differences from the baseline the run has, which a report holds."""
        pairs = (pair for pair in getattr(self.result, "pairs", ()) if pair.model == self.model)
        return {pair.metric for pair in pairs if pair.at is None}

    def metrics(self, at: PointRule | None) -> Mapping[str, Metric]:
        """Return the metrics that a report holds, at an operating point of the run or of the whole curve."""
        return metrics_of(self.kind, at_point=at is not None)

    def slices(self, by: str) -> list[SliceOfEvidence]:
        """Return the slices of a column; empty if the cases were not divided by it."""
        found = []
        for each in getattr(self.result, "slices", ()):
            if each.by == by:
                p, q = each.size(self.model)
                evidence = self.in_slice(each.result) if each.is_decided else None
                found.append(SliceOfEvidence(each.value, p + q, p, each.min_cases, evidence))
        return found

    def in_slice(self, result: Any) -> OfResult:
        """Return the evidence on the model in a slice that has enough cases."""
        raise NotImplementedError


@dataclass
class ResultEvidence(OfResult):
    """The evidence of the result of an analysis of one model."""

    choices: Mapping[str, ScoreCounts] = field(default_factory=dict)
    """For each model the cases on which operating points choose their thresholds; by default those of the result."""
    chosen_in_sample: bool = False
    """Whether these cases include those that are judged."""
    points: tuple[OperatingPoint, ...] = ()
    """The operating points of the run, which are not chosen anew."""
    place: int = 0
    """The index of the model."""

    @cached_property
    def observed(self) -> Observed:
        """The model on its cases."""
        found: Observed | None = getattr(self.run, "observed", None)
        return found or Observed(self.result.counts, self.options["interval"])

    @property
    def counts(self) -> ScoreCounts:
        """The counts of the model."""
        return self.observed.counts

    @property
    def choose_on(self) -> ScoreCounts | None:
        """The cases on which operating points choose their thresholds; None for those of the result."""
        return self.choices.get(self.counts.model)

    @cached_property
    def unit(self) -> Unit:  # type: ignore[override]  # found when it is needed
        """What a verdict says of the model."""
        counts, drift = self.counts, getattr(self.result, "drift", None)
        caveats = () if drift is None else tuple(each for each in drift.caveats if each.code == "part-alone")
        return Unit(
            *(counts.model, self.options["level"], counts.n, counts.p),
            clusters=None if counts.clusters is None else len(counts.clusters),
            is_binned=counts.wide is not None,
            has_reference_scores=drift is not None and drift.same_scores,
            caveats={} if drift is None else {"drift_p": caveats},
        )

    @cached_property
    def summary(self) -> Mapping[str, Any]:
        """The summary of the model."""
        summary: Mapping[str, Any] = self.result.table("models").records()[self.place]
        return summary

    @cached_property
    def context(self) -> PointContext:
        """What the metrics of operating points depend on."""
        is_calibrated = self.options.get("calibration") is True and self.observed.probabilities is not None
        return PointContext(parse_costs(self.options.get("cost")), is_calibrated, self.counts.lower_is_positive)

    def in_slice(self, result: Any) -> Self:
        """Return the evidence on the model in a slice, at the thresholds of the whole."""
        choices = {each.model: self.choices.get(each.model, each) for each in self.result.model_counts}
        is_own = self.choose_on is None or self.chosen_in_sample
        own = zip(getattr(result, "points", ()), self.points, strict=False)
        points = tuple(replace(point, in_sample=whole.in_sample) for point, whole in own)
        return replace(self, result=result, choices=choices, chosen_in_sample=is_own, points=points)

    def entry(self, name: str, at: PointRule | None) -> Entry:
        """Return what is known of a metric, at an operating point or of the whole curve."""
        if name.startswith(DELTA):
            return self.difference(name.removeprefix(DELTA), at)
        return self._whole(name) if at is None else self._at_point(name, self.point(at))

    def _whole(self, name: str) -> Entry:
        metric: Any = metrics_of(self.kind, at_point=False)[name]
        if name in COUNTS:
            return count_of(self.unit, name)
        if metric is PREVALENCE:
            estimate = PREVALENCE.estimate(self.observed.cells(0, 0), self.observed.kind)
        elif metric.needs == "calibration" and name not in self.summary:
            return Entry(reason=NO_CALIBRATION)
        elif hasattr(metric, "estimate"):
            estimate = metric.estimate(self.observed)
        else:
            return self._of_run(name, metric)
        reason = "" if estimate is not None else metric.undefined or self.reason(name)
        return Entry(estimate, reason, is_open=tells_too_little(estimate, self.observed.design))

    def _of_run(self, name: str, metric: Any) -> Entry:
        """Return a number of the summary, or what was drawn."""
        level = self.level if metric.depends_on_level else None
        if metric.is_drawn:
            return Entry(self.drawn(name), self.reason(name))
        value = self.summary.get(name)
        if value is None:
            return Entry(reason=self.reason(name), level=level)
        return Entry(self.result.estimates[name] if metric.has_interval else Known(value), level=level)

    def drawn(self, name: str) -> Any:
        """Return a measure of the confident segment with its replicates."""
        return self.result.drawn(name)

    def reason(self, name: str) -> str:
        """Return why the summary lacks a value."""
        reasons: dict[str, str] = {column.name: column.undefined for column in self.result.table("models").columns}
        return reasons.get(name, "the run did not compute it")

    def point(self, at: PointRule) -> OperatingPoint:
        """Return an operating point chosen by its rule, with the counts of the result."""
        for each in self.points:
            if each.rule.meaning == at.meaning:
                return each
        point = operating_point(self.counts, at, choose_on=self.choose_on)
        return replace(point, in_sample=True) if self.chosen_in_sample and at.chooses else point

    def _at_point(self, name: str, point: OperatingPoint) -> Entry:
        where = At(point.threshold, point.in_sample)
        if name in COUNTED:
            matrix = Confusion(point.tp, point.fp, self.counts.p, self.counts.q)  # type: ignore[arg-type]  # one number each
            return Entry(Known(int(getattr(matrix, name))), at=where)
        if name == "threshold":
            found = point.threshold
            return Entry(reason=NOTHING_POSITIVE, at=where) if found is None else Entry(Known(found), at=where)
        metric: Any = metrics_of(self.kind, at_point=True)[name]
        rate = metric.bound(self.context, point.threshold)
        if rate is None:
            return Entry(reason=self._unbound(metric), at=where)
        estimate = rate.estimate(self.observed.cells(point.tp, point.fp), self.observed.kind)
        is_open = tells_too_little(estimate, self.observed.design)
        return Entry(estimate, "" if estimate is not None else metric.undefined, where, is_open=is_open)

    def _unbound(self, metric: Any) -> str:
        """Return why a metric has no value at any cases."""
        if metric is COST:
            return NO_COSTS
        return NO_NET_BENEFIT if self.options.get("calibration") is True else NO_CALIBRATION

    def difference(self, name: str, at: PointRule | None) -> Entry:  # noqa: ARG002  # it always raises
        """Raise an error: there is no other model."""
        raise UsageError("no-baseline", metric=f"{DELTA}{name}", command=self.kind.command)


@dataclass
class TotalsEvidence(OfResult):
    """The evidence of class totals alone: the points that were given."""

    @cached_property
    def unit(self) -> Unit:  # type: ignore[override]  # found when it is needed
        """What a verdict says of the totals."""
        totals = self.result.totals
        return Unit(totals.model, DEFAULT_LEVEL, totals.n, totals.p)

    @property
    def points_of_run(self) -> tuple[PointRule, ...]:
        """The points that were given."""
        return tuple(parse_point_rule(f"{GIVEN}={point.rule.text}") for point in self.result.points)

    def metrics(self, at: PointRule | None) -> Mapping[str, Metric]:
        """Return the metrics of a point; there is no curve."""
        return {} if at is None else metrics_at(self.kind, at.text)

    def entry(self, name: str, at: PointRule | None) -> Entry:
        """Return a metric of a point that is given by its rates, which follows from the class totals."""
        if at is None:
            return count_of(self.unit, name)
        point, where = GivenPoint(at, self.unit.positives, self.unit.negatives), At(None, in_sample=False)
        if point.tpr < point.fpr:
            return Entry(reason=BELOW_DIAGONAL, at=where)
        if name == "p" and not point.is_whole:
            return Entry(reason=NOT_WHOLE, at=where)
        return Entry(Known({"chi2": point.chi2, "p": point.p_value, "distance": point.distance}[name]), at=where)


@dataclass
class ComparedEvidence(ResultEvidence):
    """The evidence of a comparison on one of its models."""

    @property
    def run(self) -> Any:
        """The analysis of the model alone."""
        return self.result.models[self.place].sweep

    @cached_property
    def unit(self) -> Unit:  # type: ignore[override]  # found when it is needed
        """What a verdict says of the model."""
        asked, others = self.result.asked, None
        if not asked.paired and self.result.reported is not None:
            others = self.result.reported.source.n, self.result.reported.source.positives
        elif not asked.paired:
            found = [each.counts for each in self.result.models if each.counts.model == asked.baseline]
            others = (found[0].n, found[0].p) if found else None
        return replace(
            super().unit,
            baseline=asked.baseline,
            is_paired=asked.paired,
            cases_of_baseline=others,
            caveats={DELTA: self.result.about_baseline},
        )

    def drawn(self, name: str) -> Any:
        """Return a measure of the confident segment with its replicates."""
        return self.result.models[self.place].segment.drawn(name)

    def difference(self, name: str, at: PointRule | None) -> Entry:
        """Return the difference from the baseline."""
        require_baseline(name, self.model, self.baseline)
        metric: Any = metrics_of(self.kind, at_point=at is not None)[f"{DELTA}{name}"]
        first, second = next(each for each in self.result.which if each[0] == self.place)
        reported, tests = self.result.reported, self.result.tests
        if reported is not None and (metric.base.is_drawn or not reported.has(name, at)):
            asked = f"{DELTA}{name}" if at is None else f"{DELTA}{name}@{at.text}"
            raise UsageError("baseline-lacks-metric", metric=asked, file=reported.source.name)
        if metric.base.is_drawn:
            return self._drawn_difference(name, first, second)
        points = None if at is None else (self.point(at), self._point_of(second, at))
        where = None if points is None else At(points[0].threshold, points[0].in_sample)
        estimate, is_same = tests.find(metric.base, points, first, second)
        judged = {first} if self.result.asked.paired else {first, second}
        designs = (each.sweep.observed.design for at, each in enumerate(self.result.models) if at in judged)
        is_open = reported is not None and reported.is_open(name, at)
        is_open = is_open or any(tells_too_little(estimate, design) for design in designs)
        return Entry(estimate, NO_DIFFERENCE, where, is_open=is_open, is_from_itself=is_same)

    def _point_of(self, place: int, at: PointRule) -> OperatingPoint | None:
        """Return an operating point of the baseline; None of a report."""
        if place == len(self.result.models):
            return None
        other = self.result.models[place].counts
        return operating_point(other, at, choose_on=self.choices.get(other.model))

    def _drawn_difference(self, name: str, first: int, second: int) -> Entry:
        asked, tests = self.result.asked, self.result.tests
        drawn = tests.drawn(asked.bootstrap or REPLICATES, asked.seed if asked.bootstrap else SEED)
        estimate, is_same = dict(drawn.differences(first, second))[name], tests.are_same(first, second)
        return Entry(estimate, NO_DIFFERENCE, is_from_itself=is_same)


@dataclass
class AreasEvidence(OfResult):
    """The evidence of a result whose only measures are areas: of classes, or by whole numbers."""

    unit: Unit
    entries: Mapping[str, Entry]

    def entry(self, name: str, at: PointRule | None) -> Entry:
        """Return what is known of a metric."""
        if at is not None:
            raise UsageError("classes-without-points", at=at.text)
        if name.startswith(DELTA):
            require_baseline(name.removeprefix(DELTA), self.model, self.baseline)
        return count_of(self.unit, name) if name in COUNTS else self.entries[name]

    def in_slice(self, result: Any) -> AreasEvidence:
        """Return the evidence on the class, or all classes, in a slice."""
        return next(each for each in _of_classes(result) if each.model == self.model)


def _of_areas(
    result: Any,
    unit: Unit,
    areas: Mapping[str, Measured | None],
    reasons: Mapping[str, str],
    *,
    design: Design | None = None,
    prevalence: Any = None,
) -> AreasEvidence:
    """Return the evidence of areas, why each can lack a value, and the design and prevalence of cases with clusters."""
    is_open = design is not None and tells_too_little(None, design)
    share = prevalence or Share(unit.positives, unit.n, result.asked.interval)
    entries = {
        PREVALENCE.name: Entry(share, is_open=design is not None and tells_too_little(share, design)),
        **{name: Entry(area and area.estimate, reasons[name], is_open=is_open) for name, area in areas.items()},
    }
    for pair in result.pairs:
        if pair.model == unit.model:
            found = pair.difference
            is_same = bool(found and found.is_from_itself)
            difference = Entry(found and found.estimate, NO_DIFFERENCE, is_open=is_open, is_from_itself=is_same)
            entries[f"{DELTA}{pair.metric}"] = difference
    return AreasEvidence(result, unit, entries)


def _of_classes(result: OneVsRest) -> Iterator[AreasEvidence]:
    """Yield the evidence on every class of each model, and on all classes of it."""
    asked = result.asked
    reasons = {column.name: column.undefined for column in result.table("models").columns}
    undefined = {metric.name: metric.undefined for metric in result.average_metrics}
    common: Any = {"is_paired": True, "clusters": None if result.design.unit is None else result.design.all_units}
    base = next((each for each in result.models if each.name == asked.baseline), None)
    for model in result.models:
        for place, each in enumerate(model.classes):
            baseline = None if base is None else base.classes[place].name
            unit = Unit(each.name, asked.level, each.n, each.counts.p if each.counts else 0, baseline, **common)
            how: dict[str, Any] = {}
            if each.counts is not None:
                observed = Observed(each.counts, asked.interval)
                prevalence = PREVALENCE.estimate(observed.cells(0, 0), asked.interval)
                how = {"design": observed.design, "prevalence": prevalence}
            yield _of_areas(result, unit, {AUC.name: each.area}, reasons, **how)
        unit = Unit(model.name, asked.level, model.n, model.smallest, asked.baseline, is_average=True, **common)
        yield _of_areas(result, unit, model.averages, undefined, design=result.design)


def _of_numbers(result: AucComparison) -> Iterator[AreasEvidence]:
    """Yield the evidence of a comparison by whole numbers on each of its models."""
    reasons = {column.name: column.undefined for column in result.table("models").columns}
    for name, (own, area) in result.areas.items():
        asked = result.asked
        unit = Unit(name, asked.level, own.positives + own.negatives, own.positives, asked.baseline, is_paired=True)
        yield _of_areas(result, unit, {AUC.name: area}, reasons)


def evidence_of(
    result: Result,
    choose_on: Mapping[str, ScoreCounts] | None = None,
    *,
    chosen_in_sample: bool = False,
    at_own_points: bool = False,
) -> list[OfResult]:
    """Return the evidence of a result on each of its models.

    Operating points are chosen on the cases of each model in `choose_on`, which may include those that are judged
    (`chosen_in_sample`), or are those of the run (`at_own_points`).
    """
    choices = choose_on or {}
    if isinstance(result, OneVsRest):
        return list(_of_classes(result))
    if isinstance(result, AucComparison):
        return list(_of_numbers(result))
    if not result.model_counts:
        return [TotalsEvidence(result)]
    if not isinstance(result, Comparison):
        of_run: Any = getattr(result, "scored", result)
        points = getattr(of_run, "points", ()) if at_own_points else ()
        return [ResultEvidence(result, choices, chosen_in_sample, points)]
    places = range(len(result.models))
    return [ComparedEvidence(result, choices, chosen_in_sample, place=place) for place in places]
