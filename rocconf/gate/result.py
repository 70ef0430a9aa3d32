"""The result of `rocconf gate`: the verdicts of rules on saved reports, the same as in the runs that wrote them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from rocconf.answer import GATE_COLUMNS, Result
from rocconf.compute.roc.given_point import is_given
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.compute.roc.summary import MODEL, NO_SCORES, SUMMARY
from rocconf.dataclass import dataclass
from rocconf.errors import InputError, RocconfError, UsageError
from rocconf.gate.apply_rules import judge_model, models_of
from rocconf.gate.check_rules import check_options, check_rules, require_named, require_no_copies
from rocconf.gate.promises import chooses_in_sample
from rocconf.gate.saved_model import NotInReportError, SavedModel, carried_rule
from rocconf.gate.verdict import FROM_BEST
from rocconf.messages import Message, message
from rocconf.naming import report_model_names
from rocconf.seal import SEALED, digest_of
from rocconf.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rocconf.gate.rule import GateRule
    from rocconf.gate.verdict import Verdict
    from rocconf.records import Source
    from rocconf.saved import SavedReport

MODELS = (
    MODEL,
    Column("report", "text"),
    Column("command", "text"),
    *(replace(column, undefined=column.undefined or NO_SCORES) for column in SUMMARY[1:]),
)


@dataclass(frozen=True, slots=True, repr=False)
class GateResult(Result):
    """The verdicts on saved reports."""

    command: ClassVar[str] = "gate"
    table_names: ClassVar[tuple[str, ...]] = ("rows", "models")
    rows_title: ClassVar[str] = ""
    rows_are_thresholds: ClassVar[bool] = False
    screen: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "models": ("model", "auc", "auc_lower", "n", "positives", "command", "report")
    }

    reports: tuple[SavedReport, ...]
    verdicts: tuple[tuple[Verdict, ...], ...]
    """The verdicts on each report."""
    names: tuple[Mapping[str, str], ...]
    """The names of each report's models in the result."""
    asked: Mapping[str, Any]

    @property
    def options(self) -> dict[str, Any]:
        """The options of the run."""
        return dict(self.asked)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The reports."""
        return tuple(report.source for report in self.reports)

    @property
    def conclusions(self) -> tuple[Message, ...]:
        """None: the verdict is the answer."""
        return ()

    @property
    def about_verdict(self) -> tuple[Message, ...]:
        """How the reports are sealed."""
        found = {code: [each.name for each in self.reports if each.sealed == code] for code in SEALED}
        return tuple(message(code, report=", ".join(names)) for code, names in found.items() if names)

    @property
    def caveats(self) -> tuple[Message, ...]:
        """The warnings and notes of the reports, and a warning for each report without a rule."""
        found = [caveat for report in self.reports for caveat in (*report.source.caveats, *report.caveats)]
        return (*self.about_verdict, *found, *self._differences(), *self.without_rule)

    def _differences(self) -> Iterator[Message]:
        """Yield how reports that are judged together differ from the first."""
        first, *others = self.reports
        for other in others:
            if bool(other.options.get("lower_is_positive")) != bool(first.options.get("lower_is_positive")):
                yield message("reports-direction", report=other.name, first=first.name)
            if other.source.rescaled != first.source.rescaled:
                yield message("reports-rescaled", report=other.name, first=first.name)
            if (other.data, other.source.n) != (first.data, first.source.n):
                yield message("reports-other-cases", report=other.name, first=first.name)

    @property
    def without_rule(self) -> tuple[Message, ...]:
        """A warning for each report without a rule."""
        return tuple(
            message("no-rule", report=report.name, command=report.command)
            for report, verdicts in zip(self.reports, self.verdicts, strict=True)
            if not verdicts
        )

    def table(self, name: str = "rows") -> Table:
        """Return the verdicts, or the summaries of the models in the reports (`models`)."""
        if name == "rows":
            return Table.of("rows", GATE_COLUMNS, [each.to_dict() for of_one in self.verdicts for each in of_one])
        records = [
            {
                **dict.fromkeys(column.name for column in MODELS),
                **{column.name: row.get(column.name) for column in SUMMARY},
                "model": names[model],
                "report": report.name,
                "command": report.command,
            }
            for report, names in zip(self.reports, self.names, strict=True)
            for model, row in report.models.items()
        ]
        return Table.of("models", MODELS, records)


def judge_reports(
    reports: Sequence[SavedReport],
    rules: Sequence[Sequence[GateRule]],
    kinds: Sequence[type[Result]],
    *,
    allow_in_sample: bool,
    allow_identical: bool = False,
    asked: Mapping[str, Any],
) -> GateResult:
    """Return the verdicts on each report by its rules or, without rules, by those saved in it.

    Parameters
    ----------
    reports
        The reports.
    rules
        The rules for each report.
    kinds
        The result of each report's command, which says what a rule can be about.
    allow_in_sample
        Whether a threshold may have been chosen on the cases it is judged on.
    allow_identical
        Whether a model may have been compared with itself.
    asked
        The options of the output.
    """
    _require_other_evidence(reports)
    _require_one_positive(reports)
    names = [
        dict(zip(report.evidence, called, strict=True))
        for report, called in zip(
            reports,
            report_model_names([each.name for each in reports], [list(each.evidence) for each in reports]),
            strict=True,
        )
    ]
    verdicts = tuple(
        _judge_report(report, of_report, kind, called, allow_in_sample=allow_in_sample, allow_identical=allow_identical)
        for report, of_report, kind, called in zip(reports, rules, kinds, names, strict=True)
    )
    return GateResult(tuple(reports), verdicts, tuple(names), asked)


def replaced_failures(result: GateResult, at: int, kind: type[Result]) -> list[str]:
    """Return the names of the rules that a report carries, that did not pass, and that no verdict as strict repeats."""
    report, judged = result.reports[at], result.verdicts[at]
    if not report.gates:
        return []
    try:
        carried = _judge_report(report, (), kind, result.names[at], allow_in_sample=True)
    except RocconfError:  # the run knew more than its report
        return [gate["name"] for gate in report.gates]
    failed = (each for each in carried if each.outcome != "pass" and each.rule.severity == "error")
    return list(
        dict.fromkeys(each.rule.name for each in failed if not any(_is_as_strict(found, each) for found in judged))
    )


def _is_as_strict(found: Verdict, carried: Verdict) -> bool:
    """Whether a verdict is on the same rule and cases as a carried one, and no easier to pass."""
    one, other = (replace(each.rule, model=None) for each in (found, carried))
    of_found, of_carried = (each.part and each.part.value for each in (found, carried))
    return (
        (one.text, one.where, found.model, of_found) == (other.text, other.where, carried.model, of_carried)
        and found.level >= carried.level
        and (found.outcome == "pass" or FROM_BEST.index(found.outcome) >= FROM_BEST.index(carried.outcome))
        and one.severity == "error"
        and one.allow_identical <= other.allow_identical
        and FROM_BEST.index(one.on_undefined) >= FROM_BEST.index(other.on_undefined)
    )


def require_data(reports: Sequence[SavedReport]) -> None:
    """Reject reports that do not say on which data they were made: nothing would show where thresholds were chosen.

    Class totals alone have no data.
    """
    faults = [
        InputError(report.name, [message("report-no-data", command=report.command)])
        for report in reports
        if "positives" not in report.options and not any(each["role"] == "data" for each in report.record["inputs"])
    ]
    if faults:
        raise faults[0]


def _require_other_evidence(reports: Sequence[SavedReport]) -> None:
    """Reject two reports with the same evidence: one of them was meant to be another one."""
    first: dict[str, SavedReport] = {}
    for report in reports:
        data = [each["sha256"] or each["name"] for each in report.record["inputs"]]
        known = {
            name: [(part["by"], part["value"], _known(part["evidence"])) for part in unit["slices"]] + _known(unit)
            for name, unit in report.evidence.items()
        }
        digest = digest_of({"command": report.command, "data": data, "known": known})
        if first.setdefault(digest, report) is not report:
            raise UsageError("reports-alike", report=report.name, first=first[digest].name)


def _known(unit: Mapping[str, Any] | None) -> list[Any]:
    """Return the estimates of a unit or slice."""
    return [] if unit is None else [(each["metric"], each["at"], each["estimate"]) for each in unit["entries"]]


def _require_one_positive(reports: Sequence[SavedReport]) -> None:
    """Reject reports about different positive classes, whose verdicts have no common meaning."""
    named = [report for report in reports if report.data]
    for report in named[1:]:
        if report.source.positive != named[0].source.positive:
            raise UsageError(
                "reports-positive",
                report=report.name,
                positive=report.source.positive,
                first=named[0].name,
                other=named[0].source.positive,
            )


def _judge_report(
    report: SavedReport,
    rules: Sequence[GateRule],
    kind: type[Result],
    names: Mapping[str, str],
    *,
    allow_in_sample: bool,
    allow_identical: bool = False,
) -> tuple[Verdict, ...]:
    try:
        asked = _rules_of_models(report, rules, kind)
        if allow_identical:
            asked = [(replace(rule, allow_identical=True), model) for rule, model in asked]
        check_rules([rule for rule, _ in asked], kind, may_choose=True)
        # at another level a report may have the verdict of its run, and knows the command that makes one
        check_options([rule for rule, _ in asked], kind, {**report.options, "level": None})
        require_named([rule for rule, _ in asked], [report.source], report.options)
        require_no_copies([rule for rule, _ in asked], report.caveats)
    except UsageError as error:
        raise InputError(report.name, [error.message]) from None
    verdicts: list[Verdict] = []
    faults: list[Message] = []
    for rule, model in asked:
        try:
            found = judge_model(rule, SavedModel(report, model, kind, rule), model=names[model])
            for verdict in found if not allow_in_sample else ():
                _require_other_cases(verdict, report)
            verdicts += found
        except NotInReportError as error:
            faults.append(message("report-lacks", rule=rule.text, why=error.message))
        except RocconfError as error:
            faults.append(error.message)
    if faults:
        raise InputError(report.name, list(dict.fromkeys(faults)))
    return tuple(verdicts)


def _require_other_cases(verdict: Verdict, report: SavedReport) -> None:
    """Reject a threshold chosen on the cases it is judged on, but for a promise that covers the rule."""
    at = verdict.measure.at
    if at is not None and at.in_sample and chooses_in_sample(verdict.rule, verdict.level):
        raise UsageError("report-in-sample", rule=verdict.rule.text, command=report.command)


def _rules_of_models(report: SavedReport, rules: Sequence[GateRule], kind: type[Result]) -> list[tuple[GateRule, str]]:
    """Return each rule with every model it is about; without rules, those saved in the report."""
    if not rules:
        carried: list[tuple[GateRule, str]] = []
        for gate in report.gates:
            pair = carried_rule(gate), gate["model"]
            if gate["by"] is None or pair not in carried:  # a rule about every slice has a verdict for each
                carried.append(pair)
        return carried
    if report.level is None and not all(rule.at is not None and is_given(parse_point_rule(rule.at)) for rule in rules):
        raise UsageError("report-no-scores")
    pairs = []
    for rule in rules:
        evidence = [SavedModel(report, unit, kind, rule) for unit in report.evidence]
        pairs += [(rule, each.model) for each in models_of(rule, evidence)]
    return pairs
