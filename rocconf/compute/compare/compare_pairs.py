"""The differences of two models: on the same cases, on different cases, and against a model of a report.

Each of these gives the difference of the areas and, at an operating point, the differences of the rates.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from math import isclose
from typing import TYPE_CHECKING, Protocol

import numpy as np

from rocconf.compute.compare.area_difference import paired_area_differences, unpaired_area_differences
from rocconf.compute.compare.calibration_difference import paired_calibration, unpaired_calibration
from rocconf.compute.compare.cost_difference import (
    paired_cost,
    paired_net_benefit,
    unpaired_cost,
    unpaired_net_benefit,
)
from rocconf.compute.compare.paired_auc import PairedAucs, paired_aucs
from rocconf.compute.compare.paired_bootstrap import draw_replicates
from rocconf.compute.compare.pairs import Pair, adjusted
from rocconf.compute.compare.rate_difference import discordances, hits, paired_difference, unpaired_difference
from rocconf.compute.roc.calibration import probabilities
from rocconf.compute.roc.costs import COST, NET_BENEFIT, acting_from
from rocconf.compute.roc.counts import same_counts
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.compute.stats.auc_difference import unpaired_auc_difference
from rocconf.compute.stats.auc_intervals import Auc
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.difference import ITSELF, Difference
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.records import ROBUST, Interval, Predictions, slices

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    from rocconf.compute.compare.comparison import Asked
    from rocconf.compute.compare.model import ComparedModel
    from rocconf.compute.stats.resampling import Progress
    from rocconf.records import Flags, Floats, IntervalKind, ScoreCounts
    from rocconf.saved import Reported

    Cases = Predictions | Sequence[ScoreCounts]
    """Models on the same cases, or the counts of each model on different cases."""
    Meaning = tuple[str, tuple[Fraction, ...], Fraction | None]


ROUNDING = 1e-9
"""The relative difference of two standard errors that the order of their additions may make."""


class PairTests(Protocol):
    """Compares models by their places; where there is a report, it is the second."""

    def are_same(self, first: int, second: int) -> bool:
        """Whether the two are one model under two names, as far as the evidence tells."""

    def areas(self, first: int, second: int) -> Difference:
        """Compare the areas under the curves."""

    def rates(self, first: int, second: int, rule: int) -> Mapping[str, Difference | None]:
        """Compare the rates at an operating point."""

    def other_areas(self, first: int, second: int) -> Iterator[tuple[str, Difference]]:
        """Compare partial areas and average precisions, which have robust intervals."""

    def probabilities(self, first: int, second: int) -> Iterator[tuple[str, Difference | None]]:
        """Compare the scores as probabilities."""


@dataclass(frozen=True)
class OnSameCases:
    """Models on the same cases."""

    predictions: Predictions
    models: Sequence[ComparedModel]
    level: float
    interval: IntervalKind
    calibrated: bool

    def are_same(self, first: int, second: int) -> bool:
        """Whether every case has the same score."""
        columns = list(self.predictions.scores.values())
        pieces = slices(len(self.predictions))  # different models differ in the first, as a rule
        return all(np.array_equal(columns[first][piece], columns[second][piece]) for piece in pieces)

    @cached_property
    def _aucs(self) -> PairedAucs:
        return paired_aucs(self.predictions)

    @cached_property
    def _positive(self) -> list[list[Flags]]:
        """Which cases each model predicts positive at each operating point."""
        turned = self.predictions.lower_is_positive
        columns = zip(self.models, self.predictions.scores.values(), strict=True)
        return [
            [_predicted(scores, point.threshold, turned=turned) for point in model.sweep.points]
            for model, scores in columns
        ]

    def areas(self, first: int, second: int) -> Difference:
        """Return the paired comparison."""
        return self._aucs.difference(first, second, level=self.level, interval=self.interval)

    def rates(self, first: int, second: int, rule: int) -> Mapping[str, Difference | None]:
        """Return the comparisons of rates on the same cases."""
        cases = self.predictions
        predicted = self._positive[first][rule], self._positive[second][rule]
        found = discordances(cases.labels, *predicted, cases.clusters)
        costs = self.models[first].sweep.rates.costs
        compared: dict[str, Difference | None] = {}
        if costs is not None:
            compared[COST.name] = paired_cost(found, costs, level=self.level, kind=self.interval)
        if self.calibrated:
            probability = _acting_from(self.models[first], self.models[second], rule)
            compared[NET_BENEFIT.name] = (
                None
                if probability is None
                else paired_net_benefit(found, probability, level=self.level, kind=self.interval)
            )
        return compared | {
            rate: paired_difference(of, level=self.level, kind=self.interval) for rate, of in found.items()
        }

    def other_areas(self, first: int, second: int) -> Iterator[tuple[str, Difference]]:
        """Return the paired comparisons."""
        models = self.models[first], self.models[second]
        return paired_area_differences(self.predictions, *models, level=self.level)

    def probabilities(self, first: int, second: int) -> Iterator[tuple[str, Difference | None]]:
        """Return the paired comparisons."""
        one, other = (self.models[at].counts for at in (first, second))
        return paired_calibration(self.predictions, one, other, level=self.level, kind=self.interval)


@dataclass(frozen=True)
class OnOtherCases:
    """Models on different cases."""

    models: Sequence[ComparedModel]
    level: float
    interval: IntervalKind
    calibrated: bool

    def are_same(self, first: int, second: int) -> bool:
        """Whether the cases have the same scores and labels, which different cases have by chance only if they are few."""
        return same_counts(*(self.models[at].counts for at in (first, second)))

    def areas(self, first: int, second: int) -> Difference:
        """Return the comparison of two areas on different cases."""
        return unpaired_auc_difference(self.models[first].sweep.auc, self.models[second].sweep.auc)

    def rates(self, first: int, second: int, rule: int) -> Mapping[str, Difference | None]:
        """Return the comparisons of rates on different cases."""
        one, other = self.models[first], self.models[second]
        matrices = _matrix(one, rule), _matrix(other, rule)
        compared = _unpaired(*matrices, one, level=self.level, kind=self.interval)
        if self.calibrated:
            probability = _acting_from(one, other, rule)
            compared[NET_BENEFIT.name] = (
                None
                if probability is None
                else unpaired_net_benefit(*matrices, probability, level=self.level, kind=self.interval)
            )
        return compared

    def other_areas(self, first: int, second: int) -> Iterator[tuple[str, Difference]]:
        """Return the comparisons on different cases."""
        return unpaired_area_differences(self.models[first], self.models[second], level=self.level)

    def probabilities(self, first: int, second: int) -> Iterator[tuple[str, Difference | None]]:
        """Return the comparisons on different cases."""
        one, other = (self.models[at].counts for at in (first, second))
        return unpaired_calibration(one, other, level=self.level, kind=self.interval)


@dataclass(frozen=True)
class AgainstReport:
    """Models against a model of an earlier report, on other cases."""

    models: Sequence[ComparedModel]
    reported: Reported
    level: float
    interval: IntervalKind

    def __post_init__(self) -> None:
        if self.reported.level != self.level:
            raise UsageError(
                "baseline-level", file=self.reported.source.name, found=self.reported.level, level=self.level
            )
        if self.reported.interval_kind != self.interval:
            raise UsageError(
                "baseline-interval",
                file=self.reported.source.name,
                found=self.reported.interval_kind,
                interval=self.interval,
            )
        for point in self.models[0].sweep.points:
            if point.rule.meaning not in self._points:
                found = ", ".join(self.reported.points) or "none"
                raise UsageError("baseline-point", file=self.reported.source.name, at=point.rule.text, found=found)

    @property
    def _points(self) -> dict[Meaning, tuple[int, int]]:
        return {parse_point_rule(rule).meaning: counted for rule, counted in self.reported.points.items()}

    def are_same(self, first: int, second: int) -> bool:  # noqa: ARG002  # there is but one
        """Whether the cases are as many, and the area and its standard error are the same."""
        old, new = self.reported, self.models[first]
        found, there = new.sweep.auc, (old.p, old.q, old.auc)
        if there != (new.counts.p, new.counts.q, found.value):
            return False
        if old.auc_se is None or found.se is None:
            return old.auc_se is found.se
        return isclose(old.auc_se, found.se, rel_tol=ROUNDING)

    def areas(self, first: int, second: int) -> Difference:  # noqa: ARG002  # there is but one
        """Return the comparison of two areas on different cases."""
        old = self.reported
        area = Auc(old.auc, old.auc_se, old.auc_df, old.p, old.q, old.auc_interval, old.level, old.interval_kind)
        return unpaired_auc_difference(self.models[first].sweep.auc, area)

    def rates(self, first: int, second: int, rule: int) -> Mapping[str, Difference | None]:  # noqa: ARG002  # there is but one
        """Return the comparisons of rates on different cases."""
        model, old = self.models[first], self.reported
        tp, fp = self._points[model.sweep.points[rule].rule.meaning]
        reported = Confusion(np.array([tp]), np.array([fp]), old.p, old.q)
        return _unpaired(_matrix(model, rule), reported, model, level=self.level, kind=self.interval)

    def other_areas(self, first: int, second: int) -> Iterator[tuple[str, Difference]]:  # noqa: ARG002  # there are none
        """Return nothing: a report has no curve."""
        return iter(())

    def probabilities(self, first: int, second: int) -> Iterator[tuple[str, Difference | None]]:  # noqa: ARG002  # there are none
        """Return nothing: a report has no cases."""
        return iter(())


def compare_pairs(
    cases: Cases,
    models: Sequence[ComparedModel],
    *,
    which: Sequence[tuple[int, int]],
    asked: Asked,
    reported: Reported | None,
    areas: bool = False,
    calibration: bool = False,
    progress: Progress | None = None,
) -> tuple[Pair, ...]:
    """Return the differences of each model and its baseline: areas, rates at operating points, bootstrapped measures.

    `which` has the places of the two among the models, behind which a report stands; `areas` asks for partial areas and
    average precisions, too, and `calibration` for the measures of probabilities.
    """
    names = [*(model.name for model in models), *([reported.model] if reported else [])]
    tests, drawn = _tests(cases, models, asked, reported), None
    if asked.bootstrap and reported is None:
        drawn = draw_replicates(cases, models, replicates=asked.bootstrap, seed=asked.seed, progress=progress)
    pairs = []
    for first, second in which:
        differences: list[tuple[str, str | None, Difference | None]] = [("auc", None, tests.areas(first, second))]
        for rule, at in enumerate(asked.at):
            differences += [(rate, at, difference) for rate, difference in tests.rates(first, second, rule).items()]
        if areas and asked.interval == ROBUST:
            differences += [(metric, None, found) for metric, found in tests.other_areas(first, second)]
        if calibration:
            differences += [(metric, None, found) for metric, found in tests.probabilities(first, second)]
        if drawn:
            differences += [(metric, None, difference) for metric, difference in drawn.differences(first, second)]
        if tests.are_same(first, second):
            at_same = {None, *_at_same_thresholds(models, first, second, asked)}
            differences = [
                (metric, at, difference and _from_itself(difference, is_exact=asked.paired and at in at_same))
                for metric, at, difference in differences
            ]
        for metric, at_text, difference in differences:
            pairs.append(Pair(names[first], names[second], metric, at_text, difference, asked.paired))
    return adjusted(pairs)


def _tests(cases: Cases, models: Sequence[ComparedModel], asked: Asked, reported: Reported | None) -> PairTests:
    if reported is not None:
        return AgainstReport(models, reported, asked.level, asked.interval)
    if isinstance(cases, Predictions):
        return OnSameCases(cases, models, asked.level, asked.interval, asked.calibration)
    return OnOtherCases(models, asked.level, asked.interval, asked.calibration)


def _at_same_thresholds(models: Sequence[ComparedModel], first: int, second: int, asked: Asked) -> Iterator[str]:
    """Yield the rules for operating points by which two models have the same threshold."""
    if asked.paired:
        for at, one, other in zip(asked.at, models[first].sweep.points, models[second].sweep.points, strict=True):
            if one.threshold == other.threshold:
                yield at


def _from_itself(difference: Difference, *, is_exact: bool) -> Difference:
    """Return the difference of a model from itself: exactly 0 on the same cases at the same threshold."""
    if is_exact:
        return Difference(0.0, Interval(0.0, 0.0), 1.0, ITSELF, difference.kind)
    return replace(difference, test=ITSELF)


def _predicted(scores: Floats, threshold: float | None, *, turned: bool) -> Flags:
    if threshold is None:
        return np.zeros(len(scores), dtype=np.bool_)
    return np.asarray(scores <= threshold if turned else scores >= threshold)


def _acting_from(first: ComparedModel, second: ComparedModel, rule: int) -> float | None:
    """Return the probability from which one acts on either model, None if there is none or another one for each."""
    thresholds = [model.sweep.points[rule].threshold for model in (first, second)]
    if thresholds[0] != thresholds[1] or any(probabilities(model.counts) is None for model in (first, second)):
        return None
    return acting_from(thresholds[0], lower_is_positive=first.counts.lower_is_positive)


def _matrix(model: ComparedModel, rule: int) -> Confusion:
    point = model.sweep.points[rule]
    return Confusion(np.array([point.tp]), np.array([point.fp]), model.counts.p, model.counts.q)


def _unpaired(
    first: Confusion, second: Confusion, model: ComparedModel, *, level: float, kind: IntervalKind
) -> dict[str, Difference | None]:
    right, other = (hits(int(each.tp[0]), int(each.fp[0]), each.p, each.q) for each in (first, second))
    costs = model.sweep.rates.costs
    compared: dict[str, Difference | None] = {}
    if costs is not None:
        compared[COST.name] = unpaired_cost(first, second, costs, level=level, kind=kind)
    return compared | {rate: unpaired_difference(right[rate], other[rate], level=level, kind=kind) for rate in right}
