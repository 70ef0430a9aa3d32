"""One model of a saved report as evidence.

A metric that the run judged keeps its evidence. Any other is computed from the summary as for a result; an interval
that was drawn, or that needs the cases, exists at the level of the run only. Where the report lacks the evidence for a
rule, an error names the command to run.
"""

from __future__ import annotations

from dataclasses import replace
from shlex import quote
from sys import float_info
from typing import TYPE_CHECKING, Any

from rocconf.compute.classes import AVERAGES, averages_summary
from rocconf.compute.compare import ABOUT_BASELINE
from rocconf.compute.evidence import (
    DRIFT_P,
    At,
    Evidence,
    Measure,
    SliceOfEvidence,
    Unavailable,
    about_drift,
    find_pair,
    metrics_at,
    metrics_of,
    require_baseline,
)
from rocconf.compute.roc.auc import AREAS
from rocconf.compute.roc.clustered import SIZES
from rocconf.compute.roc.given_point import is_given
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.compute.stats.bootstrap import REPLICATES
from rocconf.compute.stats.clusters import EffectiveSize
from rocconf.dataclass import dataclass
from rocconf.errors import RocconfError, UsageError
from rocconf.gate.rule import POINT, GateRule, parse_metric
from rocconf.metric import DELTA
from rocconf.naming import COMPARE_AUC, ONE_VS_REST
from rocconf.records import DEFAULT_LEVEL, UNKNOWN
from rocconf.saved import SCORES, SavedPoint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocconf.answer import Result
    from rocconf.compute.evidence import Point
    from rocconf.compute.roc.operating import PointRule
    from rocconf.messages import Message
    from rocconf.records import Interval
    from rocconf.saved import SavedGate, SavedReport

HAVE_AT = ("sweep", "chi2-contours", "compare")
"""The commands that take operating points."""


class NotInReportError(RocconfError):
    """A report lacks the evidence for a rule."""


@dataclass(frozen=True)
class SavedModel(Evidence):
    """The evidence of a saved report on one of its models, for one rule."""

    report: SavedReport
    name: str
    analysis: type[Result]
    rule: GateRule

    def slices(self, by: str) -> list[SliceOfEvidence]:
        """Return the slices of a column, each with what the report says of it."""
        found = self.report.slices_by(by)
        if not found:
            raise NotInReportError("report-no-slices", by=by, run=self._run(""))
        slices = []
        for value, each in found.items():
            own = each.models[self.name]
            evidence = replace(self, report=self.report.in_slice((by, value))) if each.is_decided else None
            slices.append(
                SliceOfEvidence(value, own["n"], own["positives"], self.report.options["min_cases"], evidence)
            )
        return slices

    @property
    def model(self) -> str:
        """The name of the model in the report."""
        return self.name

    @property
    def kind(self) -> type[Result]:
        """The analysis, whose metrics a rule can be about."""
        return self.analysis

    @property
    def baseline(self) -> str | None:
        """The model that others are compared with."""
        return None if self.report.options.get("all_pairs") else self.report.baseline_of(self.name)

    @property
    def options(self) -> Mapping[str, Any]:
        """The options of the run."""
        return self.report.options

    @property
    def summary(self) -> Mapping[str, Any]:
        """The summary of the model."""
        if self.name in self.report.models:
            return self.report.models[self.name]
        rows = self.report.averages[self.name]
        return averages_summary(rows, class_sizes(self.report, self.name))

    def is_about(self, name: str) -> bool:
        """Whether the metric is one of the model or class or, if this is about all classes together, an average."""
        return (name.removeprefix(DELTA) in AVERAGES) == (self.name not in self.report.models)

    @property
    def level(self) -> float:
        """The level of the run; the default for class totals, which have no intervals."""
        return self.report.level or DEFAULT_LEVEL

    @property
    def is_paired(self) -> bool:
        """Whether the model was compared with its baseline on the same cases."""
        return self.report.options.get("paired") is True

    @property
    def cases_of_baseline(self) -> tuple[int, int] | None:
        """The number of cases and positives of the baseline, where it was measured on other cases."""
        if self.baseline is None or self.is_paired:
            return None
        found = self.report.models.get(self.baseline) or self.report.baseline_report
        return None if found is None else (found["n"], found["positives"])

    @property
    def has_reference_scores(self) -> bool:
        """Whether the reference of a test for drift had the same scores."""
        return any(
            caveat.code == "same-scores" and str(caveat).startswith(f"{self.name}: ") for caveat in self.report.caveats
        )

    def caveats_on(self, name: str) -> tuple[Message, ...]:
        """Return the warnings of the run about its baseline, or about single tests for drift."""
        if name == DRIFT_P:
            return about_drift(caveat for caveat in self.report.caveats if str(caveat).startswith(f"{self.name}: "))
        said = self.report.caveats if name.startswith(DELTA) else ()
        return tuple(caveat for caveat in said if caveat.code in ABOUT_BASELINE)

    def evidence(
        self, name: str, at: PointRule | None = None, level: float | None = None, *, with_interval: bool = True
    ) -> Measure | Unavailable:
        """Return the measure that the run judged, or else that of the report (see `Evidence`)."""
        if not self.is_about(name):
            raise UsageError("rule-other-unit", rule=self.rule.text, metric=name, model=self.name, others="others")
        level = self.level if level is None else level
        self._require_known(name, at)
        for gate in self.report.gates:
            is_same = self._is_same(gate, name, at, level) and not (with_interval and _has_value_only(gate))
            if is_same and self._is_checked(name, at):
                found = measure_of(gate, self.kind)
                return found if isinstance(found, Unavailable) else replace(found, within=self._within(name))
        if self.rule.where:
            where = ", ".join(condition.text for condition in self.rule.where)
            if self._is_clustered:
                raise NotInReportError("report-where-clusters", where=where, run=f"rocconf {self.command} FILE")
            raise NotInReportError("report-no-slice", where=where, run=self._run(""))
        return super().evidence(name, at, level, with_interval=with_interval)

    def reason(self, name: str) -> str:
        """Return why the summary lacks a value."""
        if name in AVERAGES:
            return AVERAGES[name].undefined
        return self.report.reasons.get((self.name, name), "the report has no value")

    def number(self, name: str) -> float | None:
        """Return a number of the summary, None where it has no value."""
        if name not in self.summary:
            raise NotInReportError("report-lacks-key", key=name)
        value = self.summary[name]
        if value in ("inf", "-inf"):
            return float(value)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > float_info.max:
            raise NotInReportError("report-not-number", key=name, found=repr(value))
        return value

    def point(self, at: PointRule) -> Point:
        """Return the operating point of the report whose rule has the same meaning."""
        for point in self.report.points:
            if point.model == self.name and parse_point_rule(point.rule).meaning == at.meaning:
                return point
        found = ", ".join(dict.fromkeys(point.rule for point in self.report.points)) or "none"
        raise NotInReportError("report-no-point", at=at.text, found=found, run=self._run(self._to_have_point(at)))

    def sizes(self, point: Point) -> Mapping[str, EffectiveSize] | None:
        """Return the effective sizes of clustered cases at an operating point of the report."""
        if self.clusters is None:
            return None
        if not isinstance(point, SavedPoint):
            raise TypeError("an operating point of a report is saved")
        return sizes_of_point(self.report, point)

    def missing_interval(self, name: str, level: float) -> Interval | None:
        """Raise an error that names the run with the interval."""
        if f"{name}_lower" in self.summary:
            raise self.other_level(name, level)
        option = f"--require {quote(self.rule.text)}" if name in AREAS else f"--bootstrap {REPLICATES}"
        if level != self.level:
            option = f"{option} {_at_level(level)}" if self.rule.by is None else self._required
        raise NotInReportError("report-no-interval", metric=name, run=self._run(option))

    def difference(self, name: str, at: PointRule | None, level: float) -> Difference | None:
        """Return the difference from the baseline in the report."""
        metric = f"{DELTA}{name}"
        require_baseline(name, self.name, self.baseline)
        pair = find_pair(self.report.pairs, self.name, name, at)
        if pair is None:
            limit = (
                " --max-fpr X" if name.startswith("partial_auc") and self.report.options.get("max_fpr") is None else ""
            )
            raise NotInReportError("report-no-metric", metric=metric, run=self._run(f"--bootstrap {REPLICATES}{limit}"))
        if pair.difference is None:
            return None
        if level == self.level:
            return Difference(pair.difference, pair.interval or UNKNOWN, None, pair.test, pair.kind)
        if not self.rule.point_only or metrics_of(self.kind, at_point=at is not None)[name].depends_on_level:
            raise self.other_level(metric, level)
        return Difference(pair.difference, UNKNOWN, None, pair.test, pair.kind)

    def other_level(self, name: str, level: float) -> RocconfError:
        """Return the error that names the run at the level."""
        run = self._run(_at_level(level) if self.rule.by is None else self._required)
        return NotInReportError("report-other-level", metric=name, found=self.level, run=run)

    def _is_same(self, gate: SavedGate, name: str, at: PointRule | None, level: float) -> bool:
        """Whether the run judged the same number, of the same rows, at the same level and operating point."""
        there = None if gate.at is None else parse_point_rule(gate.at).meaning
        if gate.part != self.report.part:
            return False
        return (gate.model, gate.metric.removesuffix(POINT), gate.level, gate.where, there) == (
            *(self.name, name, level, self.rule.where),
            at and at.meaning,
        )

    @property
    def _is_clustered(self) -> bool:
        return self.report.options.get("cluster") is not None

    def _is_checked(self, name: str, at: PointRule | None) -> bool:
        """Whether the report has what a measure that it judged can be checked by, so that an edit of it is found.

        Of clusters the effective sizes are needed, which rows of a condition lack, and at an operating point its row;
        a difference at a point needs its pair.
        """
        if self.rule.where and self._is_clustered:
            return name in ("n", "positives")
        if at is None or self.rule.where or is_given(at):
            return True
        if name.startswith(DELTA):
            return find_pair(self.report.pairs, self.name, name.removeprefix(DELTA), at) is not None
        points = (point for point in self.report.points if point.model == self.name)
        return not self._is_clustered or any(parse_point_rule(point.rule).meaning == at.meaning for point in points)

    @property
    def _required(self) -> str:
        """The option that puts the rule into the run, which judges a slice at a level that no option has."""
        return f"--require {quote(self.rule.text)}"

    def _to_have_point(self, at: PointRule) -> str:
        if self.command in HAVE_AT:
            needs_level = self.rule.by is not None and self.rule.is_difference
            required = f" {self._required}" * needs_level
            return f"--at {quote(at.text)}" + " --choose-on OTHER" * at.chooses + required
        return self._required + " --allow-in-sample" * at.chooses

    def _run(self, options: str) -> str:
        """Return the command whose report has the evidence."""
        file = "report.json" if self.report.name == "-" else self.report.name
        baseline = self.report.baseline if self.baseline is not None else None
        against = f"--baseline {quote(baseline)}" if baseline is not None else ""
        command = f"rocconf {self.command} FILE"
        if self.command == ONE_VS_REST:
            command = f"rocconf {'sweep' if self.baseline is None else 'compare'} FILE --{ONE_VS_REST}"
        if self.command == COMPARE_AUC:
            command = "rocconf compare FILE"
        of_slices = f"--by {quote(self.rule.by)}" if self.rule.by is not None else ""
        parts = (command, against, of_slices, options, f"-o {quote(file)}")
        return " ".join(part for part in parts if part)


def sizes_of_point(report: SavedReport, point: SavedPoint) -> dict[str, EffectiveSize]:
    """Return the effective sizes of a report at one of its operating points, which were checked before."""
    return {
        row["metric"]: EffectiveSize(row["clusters"], row["equal_clusters"], row["effective_n"], row["effective_df"])
        for row in report.record["tables"].get(SIZES, [])
        if (row["model"], row["rule"]) == (point.model, point.rule)
    }


def class_sizes(report: SavedReport, model: str) -> list[int]:
    """Return the number of cases of each class of a model."""
    return [each["positives"] for each in report.models.values() if each[SCORES] == model]


def _has_value_only(gate: SavedGate) -> bool:
    """Whether a rule was judged on the value alone, so that its interval is not in the report."""
    return gate.metric.endswith(POINT) and gate.interval is None


def measure_of(gate: SavedGate, kind: type[Result]) -> Measure | Unavailable:
    """Return the measure of a saved verdict."""
    at = None if gate.in_sample is None else At(gate.threshold, gate.in_sample)
    if gate.value is None:
        return Unavailable(gate.reason, gate.n, gate.positives, at)
    metric = metrics_at(kind, gate.at)[gate.metric.removesuffix(POINT)]
    is_count = metric.kind == "count"
    return Measure(gate.value, gate.interval, gate.n, gate.positives, at, is_count, gate.kind, gate.is_from_itself)


def _at_level(level: float) -> str:
    return f"--level {level:g}"


def carried_rule(gate: SavedGate) -> GateRule:
    """Return the rule of a saved verdict."""
    metric, _, _, point_only = parse_metric(gate.metric, gate.name)
    return GateRule(
        metric,
        gate.op,  # type: ignore[arg-type]  # checked when it was read
        gate.limit,
        None,
        gate.at,
        point_only,
        gate.name,
        gate.level if gate.part is None else gate.rule_level,
        gate.severity,  # type: ignore[arg-type]  # so was this
        gate.where,
        gate.on_undefined,  # type: ignore[arg-type]  # and this
        gate.allow_identical,
        gate.part and gate.part[0],
    )
