"""The evidence of results at hand, which can choose thresholds, bootstrap and compare again."""

from __future__ import annotations

from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rocconf.compute.classes import OneVsRest
from rocconf.compute.compare import AucComparison
from rocconf.compute.evidence.of_classes import evidence_of_classes
from rocconf.compute.evidence.of_numbers import evidence_of_numbers
from rocconf.compute.evidence.protocol import (
    DRIFT_P,
    Evidence,
    SliceOfEvidence,
    about_drift,
    find_pair,
    require_baseline,
)
from rocconf.compute.roc.auc import AREAS, AUC, area_interval
from rocconf.compute.roc.calibration import CALIBRATION, calibration_interval
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.operating import operating_point
from rocconf.compute.stats.bootstrap import REPLICATES
from rocconf.dataclass import dataclass
from rocconf.errors import RocconfError, UsageError
from rocconf.metric import DELTA
from rocconf.records import DEFAULT_LEVEL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocconf.answer import Result
    from rocconf.compute.compare import Comparison, Pair
    from rocconf.compute.evidence.protocol import Point
    from rocconf.compute.roc.operating import PointRule
    from rocconf.compute.stats.clusters import EffectiveSize
    from rocconf.messages import Message
    from rocconf.records import Interval, ScoreCounts


@dataclass
class ResultEvidence(Evidence):
    """The evidence of the result of an analysis of one model."""

    result: Any
    choose_on: ScoreCounts | None = None
    """The cases on which operating points choose their thresholds; by default those of the result."""
    chosen_in_sample: bool = False
    """Whether these cases include those that are judged."""

    @property
    def counts(self) -> ScoreCounts:
        """The counts of the model."""
        counts: ScoreCounts = self.result.counts
        return counts

    @property
    def is_binned(self) -> bool:
        """Whether the scores are in bins."""
        return self.counts.wide is not None

    @property
    def model(self) -> str:
        """The name of the model."""
        return self.counts.model

    @property
    def kind(self) -> type[Result]:
        """The analysis, whose metrics a rule can be about."""
        return type(self.result)

    @property
    def baseline(self) -> str | None:
        """The model that others are compared with, in a comparison only."""
        return None

    @property
    def options(self) -> Mapping[str, Any]:
        """The options of the run."""
        options: Mapping[str, Any] = self.result.options
        return options

    @cached_property
    def summary(self) -> Mapping[str, Any]:
        """The summary of the model."""
        summary: Mapping[str, Any] = self.result.summary()
        return summary

    @property
    def has_reference_scores(self) -> bool:
        """Whether the reference of a test for drift has the same scores."""
        drift = getattr(self.result, "drift", None)
        return drift is not None and drift.same_scores

    def slices(self, by: str) -> list[SliceOfEvidence]:
        """Return the slices of a column, at the thresholds of the whole."""
        choice = self.counts if self.choose_on is None else self.choose_on
        flag = self.choose_on is None or self.chosen_in_sample
        return [
            SliceOfEvidence(
                each.value,
                each.n,
                each.positives,
                each.min_cases,
                self._in_slice(each.result, choice, chosen_in_sample=flag) if each.is_decided else None,
            )
            for each in getattr(self.result, "slices", ())
            if each.by == by
        ]

    def _in_slice(self, result: Any, choice: ScoreCounts, *, chosen_in_sample: bool) -> Evidence:
        return ResultEvidence(result, choice, chosen_in_sample)

    def caveats_on(self, name: str) -> tuple[Message, ...]:
        """Return the caveats on single tests for drift, for a rule about the joint test."""
        drift = getattr(self.result, "drift", None)
        return about_drift(drift.caveats) if drift is not None and name == DRIFT_P else ()

    def reason(self, name: str) -> str:
        """Return why the summary lacks a value."""
        reasons: dict[str, str] = {column.name: column.undefined for column in self.result.table("models").columns}
        return reasons[name]

    def point(self, at: PointRule) -> Point:
        """Return an operating point chosen by its rule, with the counts of the result."""
        point = operating_point(self.counts, at, choose_on=self.choose_on)
        return replace(point, in_sample=True) if self.chosen_in_sample and at.chooses else point

    def sizes(self, point: Point) -> Mapping[str, EffectiveSize] | None:
        """Return the effective sizes of clustered cases at an operating point."""
        if self.counts.clusters is None:
            return None
        from rocconf.compute.roc.clustered import sizes_at

        return sizes_at(self.counts, point.tp, point.fp)

    def missing_interval(self, name: str, level: float) -> Interval | None:
        """Return the interval of an area, or bootstrap the measures of a segment that were not bootstrapped."""
        if name in AREAS:
            kind = self.summary["interval"]
            return area_interval(AREAS[name], curve(self.counts), self.summary["max_fpr"], level=level, kind=kind)
        if name in CALIBRATION:
            return calibration_interval(self.counts, name, level=level, kind=self.summary["interval"])
        if level != self.level:
            raise self.other_level(name, level)
        return self._as_known(self._drawn(name))

    def other_level(self, name: str, level: float) -> RocconfError:  # noqa: ARG002  # only a report names the command
        """Return the error of a number of the summary that is asked for at another level than that of the run."""
        return UsageError("level-of-run", metric=name)

    def difference(self, name: str, at: PointRule | None, level: float) -> Difference | None:  # noqa: ARG002  # it always raises
        """Raise an error: there is no other model."""
        raise UsageError("no-baseline", metric=f"{DELTA}{name}", command=self.command)

    def _drawn(self, name: str) -> Interval:
        interval: Interval = self.result.drawn_interval(name)
        return interval


@dataclass
class TotalsEvidence(ResultEvidence):
    """The evidence of class totals alone: the points that were given."""

    @property
    def model(self) -> str:
        """The name of the totals."""
        name: str = self.result.totals.model
        return name

    @property
    def is_binned(self) -> bool:
        """Whether the scores are in bins; there are none."""
        return False

    @property
    def level(self) -> float:
        """The level of a verdict; nothing that is judged has an interval."""
        return DEFAULT_LEVEL


@dataclass
class ComparedEvidence(ResultEvidence):
    """The evidence of a comparison on one of its models."""

    place: int = 0
    """The index of the model."""
    again: dict[tuple[object, ...], tuple[Pair, ...]] = field(default_factory=dict)
    """Cached differences that were computed for a rule, shared by all models."""

    @property
    def counts(self) -> ScoreCounts:
        """The counts of the model."""
        counts: ScoreCounts = self.result.models[self.place].counts
        return counts

    @property
    def baseline(self) -> str | None:
        """The model that others are compared with."""
        baseline: str | None = self.result.asked.baseline
        return baseline

    @property
    def is_paired(self) -> bool:
        """Whether the models are compared on the same cases."""
        paired: bool = self.result.asked.paired
        return paired

    @property
    def cases_of_baseline(self) -> tuple[int, int] | None:
        """The number of cases and positives of the baseline, where it was measured on other cases."""
        if self.is_paired:
            return None
        if self.result.reported is not None:
            source = self.result.reported.source
            return source.n, source.positives
        found = [each.counts for each in self.result.models if each.counts.model == self.baseline]
        return (found[0].n, found[0].p) if found else None

    @cached_property
    def summary(self) -> Mapping[str, Any]:
        """The summary of the model."""
        summary: Mapping[str, Any] = self.result.table("models").records()[self.place]
        return summary

    def difference(self, name: str, at: PointRule | None, level: float) -> Difference | None:
        """Return the difference from the baseline: that of the run or, where it has none, one computed from the cases."""
        require_baseline(name, self.model, self.baseline)
        pair = find_pair(self.result.pairs, self.model, name, at) if level == self.level else None
        if pair is None:
            is_area, is_calibration = self._is_robust_area(name), name in CALIBRATION
            has_own = at is not None or name == AUC.name or is_area or is_calibration
            replicates = 0 if has_own else REPLICATES
            key = (at and at.meaning, level, replicates, is_area, is_calibration)
            if key not in self.again:
                rules = () if at is None else (at,)
                self.again[key] = self.result.differences(
                    rules, level=level, replicates=replicates, areas=is_area, calibration=is_calibration
                )
            pair = find_pair(self.again[key], self.model, name, at)
        if pair is None and self.result.reported is not None:
            file = self.result.reported.source.name
            raise UsageError("baseline-lacks-metric", metric=f"{DELTA}{name}", file=file)
        return pair.difference if pair else None

    def _in_slice(self, result: Any, choice: ScoreCounts, *, chosen_in_sample: bool) -> Evidence:
        return ComparedEvidence(result, choice, chosen_in_sample, self.place)

    def caveats_on(self, name: str) -> tuple[Message, ...]:
        """Return how a report that is the baseline differs, for a rule about a difference."""
        about: tuple[Message, ...] = self.result.about_baseline if name.startswith(DELTA) else ()
        return about

    def _drawn(self, name: str) -> Interval:
        interval: Interval = self.result.models[self.place].segment.drawn_interval(name)
        return interval


def evidence_of(
    result: Result, choose_on: Mapping[str, ScoreCounts] | None = None, *, chosen_in_sample: bool = False
) -> list[Evidence]:
    """Return the evidence of a result on each of its models.

    Parameters
    ----------
    result
        The result.
    choose_on
        For each model the counts of the cases on which operating points choose their thresholds.
    chosen_in_sample
        Whether these cases include those that are judged.
    """
    if isinstance(result, OneVsRest):
        return evidence_of_classes(result)
    if isinstance(result, AucComparison):
        return evidence_of_numbers(result)
    choices = choose_on or {}
    if not result.model_counts:
        return [TotalsEvidence(result)]
    if result.command != "compare":
        alone = ResultEvidence(result)
        return [replace(alone, choose_on=choices.get(alone.model), chosen_in_sample=chosen_in_sample)]
    again: dict[tuple[object, ...], tuple[Pair, ...]] = {}
    comparison: Comparison = result  # type: ignore[assignment]  # the command says so
    return [
        ComparedEvidence(result, choices.get(model.name), chosen_in_sample, place, again)
        for place, model in enumerate(comparison.models)
    ]
