"""Judge saved reports: the same rules say the same of a report as of the run that wrote it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from rocconf.answer import GATE_COLUMNS, Result
from rocconf.compute.roc.summary import MODEL, SUMMARY
from rocconf.errors import InputError, UsageError
from rocconf.gate.given import refuse_by_options
from rocconf.gate.held import NotHeldError, find
from rocconf.gate.rule import Rule, parse_metric
from rocconf.gate.verdict import judge
from rocconf.records import Caveat
from rocconf.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.gate.verdict import Verdict
    from rocconf.records import Source
    from rocconf.saved import SavedGate, SavedReport

NO_SCORES = "class totals alone have no scores"
MODELS = (
    MODEL,
    Column("report", "text"),
    Column("command", "text"),
    *(replace(column, undefined=column.undefined or NO_SCORES) for column in SUMMARY[1:]),
)


@dataclass(frozen=True, slots=True, repr=False)
class Judged(Result):
    """What rules say of saved reports."""

    command: ClassVar[str] = "gate"
    table_names: ClassVar[tuple[str, ...]] = ("rows", "models")
    rows_title: ClassVar[str] = ""

    reports: tuple[SavedReport, ...]
    verdicts: tuple[tuple[Verdict, ...], ...]
    """The verdicts on each report."""
    names: tuple[Mapping[str, str], ...]
    """What each report's models are called, where reports have models of one name."""
    asked: Mapping[str, Any]

    @property
    def options(self) -> dict[str, Any]:
        """What was asked."""
        return dict(self.asked)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The reports."""
        return tuple(report.source for report in self.reports)

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What weakens the reports, and so the verdicts on them."""
        found = tuple(caveat for report in self.reports for caveat in report.caveats)
        return (*found, *(Caveat("no-rule", said) for said in self.without_rule))

    @property
    def without_rule(self) -> tuple[str, ...]:
        """Say of reports that no rule was about them, so that nothing is decided."""
        return tuple(
            f"{report.name}: no rule was judged: neither --require nor a configuration nor the report has one for "
            f"{report.command}"
            for report, verdicts in zip(self.reports, self.verdicts, strict=True)
            if not verdicts
        )

    def table(self, name: str = "rows") -> Table:
        """Return the verdicts, or the summary that the reports give of their models (`models`)."""
        if name == "rows":
            return Table.of("rows", GATE_COLUMNS, [each.to_dict() for of_one in self.verdicts for each in of_one])
        records = [
            {**dict.fromkeys(column.name for column in MODELS), **_summary(row), **_about(report, names[model])}
            for report, names in zip(self.reports, self.names, strict=True)
            for model, row in report.models.items()
        ]
        return Table.of("models", MODELS, records)


def judge_reports(
    reports: Sequence[SavedReport],
    rules: Sequence[Sequence[Rule]],
    kinds: Sequence[type[Result]],
    *,
    allow_in_sample: bool,
    asked: Mapping[str, Any],
) -> Judged:
    """Judge each report by its rules or, where it has none, by those that it carries.

    Parameters
    ----------
    reports
        The reports.
    rules
        The rules for each report.
    kinds
        What the command of each report results in, which says what a rule can be about.
    allow_in_sample
        Whether a threshold may have been chosen on the cases it is judged on.
    asked
        The options of the output.
    """
    names = _names(reports)
    verdicts = tuple(
        _judge_report(report, its, kind, called, allow_in_sample=allow_in_sample)
        for report, its, kind, called in zip(reports, rules, kinds, names, strict=True)
    )
    return Judged(tuple(reports), verdicts, names, asked)


def _judge_report(
    report: SavedReport, rules: Sequence[Rule], kind: type[Result], names: Mapping[str, str], *, allow_in_sample: bool
) -> tuple[Verdict, ...]:
    from rocconf.gate import check

    try:
        asked = _asked(report, rules)
        check([rule for rule, _ in asked], kind, may_choose=True)
        refuse_by_options([rule for rule, _ in asked], report.options)
    except UsageError as error:
        raise InputError(report.name, [str(error)]) from None
    verdicts, faults = [], []
    for rule, model in asked:
        try:
            verdicts.append(_verdict(report, rule, model, names[model], allow_in_sample=allow_in_sample))
        except (NotHeldError, UsageError) as fault:
            faults.append(str(fault))
    if faults:
        raise InputError(report.name, list(dict.fromkeys(faults)))
    return tuple(verdicts)


def _verdict(report: SavedReport, rule: Rule, model: str, name: str, *, allow_in_sample: bool) -> Verdict:
    level = rule.level or report.level or 0.0
    try:
        found, at = find(report, rule, model, level=level)
    except NotHeldError as error:
        raise NotHeldError(f"rule {rule.text!r}: the report does not hold it: {error}") from None
    if at is not None and at.in_sample and not allow_in_sample:
        raise UsageError(
            f"rule {rule.text!r}: its threshold was chosen on the cases it is judged on, which flatters it: run "
            f"rocconf {report.command} with a threshold chosen elsewhere, or say --allow-in-sample"
        )
    return judge(
        rule, found, command=report.command, model=name, level=level, at=at, baseline=report.options.get("baseline")
    )


def _asked(report: SavedReport, rules: Sequence[Rule]) -> list[tuple[Rule, str]]:
    """Pair each rule with the models it is about; without rules, those that the report carries."""
    from rocconf.gate import is_about

    if not rules:
        return [(_carried(gate), gate.model) for gate in report.gates]
    if report.level is None:
        raise UsageError("the rules of a gate need scores, and the report is of class totals alone")
    found = []
    for rule in rules:
        if rule.model is not None and rule.model not in report.models:
            raise UsageError(f"rule {rule.text!r}: no model {rule.model!r} (found: {', '.join(report.models)})")
        found += [
            (rule, model) for model in report.models if is_about(rule, model, is_baseline=model == report.baseline)
        ]
    return found


def _carried(gate: SavedGate) -> Rule:
    """Return the rule that a verdict was of."""
    metric, _, _, point_only = parse_metric(gate.metric, gate.name)
    return Rule(
        metric,
        gate.op,  # type: ignore[arg-type]  # looked at when it was read
        gate.limit,
        None,
        gate.at,
        point_only,
        gate.name,
        gate.level,
        gate.severity,  # type: ignore[arg-type]
        gate.where,
        gate.on_undefined,  # type: ignore[arg-type]
    )


def _names(reports: Sequence[SavedReport]) -> tuple[Mapping[str, str], ...]:
    """Call the models as their reports do or, where two would have one name, stem:model; the path, for one stem."""
    plain = [model for report in reports for model in report.models]
    clash = len(set(plain)) < len(plain)
    stems = [report.stem for report in reports]
    called = [report.name if stems.count(report.stem) > 1 else report.stem for report in reports]
    names = tuple(
        {model: f"{file}:{model}" if clash else model for model in report.models}
        for file, report in zip(called, reports, strict=True)
    )
    every = [name for of_one in names for name in of_one.values()]
    twice = sorted({name for name in every if every.count(name) > 1})
    if twice:
        raise UsageError(f"two models are called {', '.join(twice)}: give the reports different names")
    return names


def _summary(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what every report says of a model."""
    return {column.name: row.get(column.name) for column in SUMMARY}


def _about(report: SavedReport, name: str) -> dict[str, Any]:
    return {"model": name, "report": report.name, "command": report.command}
