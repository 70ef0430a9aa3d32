"""A unit of a saved report as evidence: the estimates that the report holds, judged by the code that judges results.

Beside each verdict stands its own evidence: for rules on the rows of a condition, and for what the report holds only
because a rule of the run judged it. Where evidence is missing, an error names the command to run.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from shlex import quote
from typing import TYPE_CHECKING, Any

from rocconf.compute.evidence import (
    Entry,
    Evidence,
    SliceOfEvidence,
    Unit,
    find_entry,
    points_of,
    require_baseline,
    unit_of,
)
from rocconf.conditions import parse_condition
from rocconf.dataclass import dataclass
from rocconf.errors import RocconfError
from rocconf.gate.rule import GateRule, parse_metric
from rocconf.metric import DELTA
from rocconf.naming import COMPARE_AUC, ONE_VS_REST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocconf.answer import Result
    from rocconf.compute.roc.operating import PointRule
    from rocconf.saved import SavedReport

    Record = Mapping[str, Any]
    Part = tuple[str, str]
    """A slice: the column, and the value of its cases."""

HAVE_AT = ("sweep", "chi2-contours", "compare")
"""The commands that take operating points."""


class NotInReportError(RocconfError):
    """A report lacks the evidence for a rule."""


@dataclass(frozen=True)
class SavedModel(Evidence):
    """The evidence of a saved report on one of its units, for one rule."""

    report: SavedReport
    name: str
    analysis: type[Result]
    rule: GateRule
    part: Part | None = None
    """The slice that this is about, None of all cases."""

    @cached_property
    def records(self) -> list[Record]:
        """The records about these cases: that of the unit or slice, unless the rule has a condition, and those of verdicts."""
        own = self.report.evidence[self.name]
        slices = [each["evidence"] for each in own["slices"] if (each["by"], each["value"]) == self.part]
        of_run = [] if self.rule.where else [own] if self.part is None else slices
        by, value = self.part or (None, None)
        wanted = self.name, [each.text for each in self.rule.where], by, value
        return of_run + [
            gate["evidence"]
            for gate in self.report.gates
            if (gate["model"], gate["where"], gate["by"] if by else None, gate["slice"]) == wanted
        ]

    @cached_property
    def unit(self) -> Unit:  # type: ignore[override]  # read when it is needed
        """What a verdict says of the unit."""
        return unit_of(self.records[0] if self.records else self.report.evidence[self.name])

    @property
    def kind(self) -> type[Result]:
        """The analysis, whose metrics a rule can be about."""
        return self.analysis

    @property
    def options(self) -> Mapping[str, Any]:  # type: ignore[override]  # those of the report
        """The options of the run."""
        return self.report.options

    def slices(self, by: str) -> list[SliceOfEvidence]:
        """Return the slices of a column, each with what the report holds of it."""
        found = [each for each in self.report.evidence[self.name]["slices"] if each["by"] == by]
        if not found:
            raise NotInReportError("report-no-slices", by=by, run=self._run(""))
        slices = []
        for each in found:
            n, positives, least = (int(each[key]) for key in ("n", "positives", "min_cases"))
            own = None if each["evidence"] is None else replace(self, part=(by, each["value"]))
            slices.append(SliceOfEvidence(each["value"], n, positives, least, own))
        return slices

    def entry(self, name: str, at: PointRule | None) -> Entry:
        """Return what the report holds of a metric."""
        if name.startswith(DELTA):
            require_baseline(name.removeprefix(DELTA), self.model, self.baseline)
        found = next((entry for each in self.records if (entry := find_entry(each, name, at))), None)
        if found is not None:
            return found
        if self.rule.where:
            where = ", ".join(condition.text for condition in self.rule.where)
            raise NotInReportError("report-no-slice", where=where, run=self._run(""))
        points = points_of(self.report.evidence[self.name])
        if at is not None and find_entry(self.records[0], "threshold", at) is None:
            run = self._run(self._to_have_point(at))
            raise NotInReportError("report-no-point", at=at.text, found=", ".join(points) or "none", run=run)
        raise NotInReportError("report-no-metric", metric=name, run=self._run(self._required))

    def other_level(self, name: str, level: float) -> RocconfError:
        """Return the error that names the run at the level."""
        return NotInReportError(
            "report-other-level", metric=name, found=self.level, run=self._run(f"--level {level:g}")
        )

    @property
    def _required(self) -> str:
        """The option that puts the rule into the run."""
        return f"--require {quote(self.rule.text)}"

    def _to_have_point(self, at: PointRule) -> str:
        if self.command in HAVE_AT:
            return f"--at {quote(at.text)}" + " --choose-on OTHER" * at.chooses
        return self._required + " --allow-in-sample" * at.chooses

    @property
    def command(self) -> str:
        """The command of the report."""
        return self.report.command

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


def carried_rule(gate: Mapping[str, Any]) -> GateRule:
    """Return the rule of a saved verdict."""
    metric, _, _, point_only = parse_metric(gate["metric"], gate["name"])
    return GateRule(
        metric,
        gate["op"],
        gate["limit"],
        None,
        gate["at"],
        point_only,
        gate["name"],
        gate["rule_level"],
        gate["severity"],
        tuple(parse_condition(text, "where") for text in gate["where"]),
        gate["on_undefined"],
        gate["allow_identical"],
        gate["by"],
    )
