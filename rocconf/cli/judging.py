"""The gate of a run: which rules there are, what they say of the results, and the exit status that follows."""

from __future__ import annotations

import os
import sys
from abc import ABC, abstractmethod
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocconf.cli.commands import RESULTS
from rocconf.cli.stderr import say
from rocconf.errors import InputError, RocconfError, TooFewCasesError, UsageError
from rocconf.messages import message
from rocconf.naming import COMPARE_AUC, ONE_VS_REST
from rocconf.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from rocconf.answer import Answer, Result
    from rocconf.cli.options import Data, Gate
    from rocconf.cli.promises import Promises
    from rocconf.conditions import Condition
    from rocconf.gate import Config, GateResult, GateRule, Outcome, Verdict
    from rocconf.messages import Message
    from rocconf.read import Input
    from rocconf.records import ScoreCounts
    from rocconf.saved import SavedReport

    Slice = tuple[Condition, ...]

SIGNS = (b"rocconf", b"\\u", b"\0")
"""What a pyproject.toml that configures rocconf contains, in lower case: the name, perhaps escaped or in UTF-16."""

LOW = 0.8
"""A level at which one interval in five misses the true value."""

CONDITION_COLUMN = pattern(r"[^=<>!]+(?=[=<>!])")
"""The column of a condition."""

HOW = {"pass": "passed", "fail": "not passed", "inconclusive": "not decided"}


class Judge(ABC):
    """The verdicts of a run, and the exit status that follows from them."""

    def __init__(self, gate: Gate, *, quiet: bool) -> None:
        if gate.inconclusive not in ("fail", "pass"):
            raise UsageError("inconclusive-word", found=gate.inconclusive)
        self.gate, self.quiet = gate, quiet
        self.verdicts: list[Verdict] = []
        self.about_rules: tuple[Message, ...] = ()
        self.level: float | None = None
        """The level of the run, where operating points depend on it."""
        self.configured: Config | None = None
        """The configuration, None if there is none."""
        self.planned: tuple[GateRule, ...] = ()
        """The rules that cases are planned for, which nothing is judged by."""

    @property
    @abstractmethod
    def to_judge(self) -> tuple[GateRule, ...]:
        """The rules, as far as they are known before anything is read."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The verdict of the run; None if there was no rule."""

    @property
    def lacks_rule(self) -> bool:
        """Whether something was to be judged that no rule is about, which is no evidence that stays open."""
        return False

    @property
    def records(self) -> tuple[dict[str, Any], ...]:
        """The verdicts as they stand in JSON."""
        return tuple(verdict.to_dict() for verdict in self.verdicts)

    @property
    def status(self) -> int:
        """The exit status."""
        outcome = self.outcome
        is_passed_over = (outcome, self.gate.inconclusive) == ("inconclusive", "pass") and not self.lacks_rule
        if outcome is None or self.gate.exit_zero or is_passed_over:
            return 0
        from rocconf import gate as gates

        return gates.STATUS[outcome]

    @property
    def caveats(self) -> tuple[Message, ...]:
        """What must be known of the verdict and the exit status, also where every rule passed."""
        if not self.verdicts:
            return self.about_rules
        passed = [verdict for verdict in self.verdicts if verdict.outcome == "pass"]
        found = [each for verdict in passed for each in verdict.caveats if each.code != "compared-with-itself"]
        found += [message("undefined-passes", rule=each.rule.name) for each in passed if each.is_without_value]
        found += [
            message("low-level", rule=each.rule.name, level=each.level, missed=1 - each.level)
            for each in passed
            if each.is_judged_on_interval and each.level < LOW
        ]
        flattered = dict.fromkeys(str(each.rule.at) for each in passed if each.is_flattered)
        found += [message("in-sample", rules=", ".join(flattered), honest="")] * bool(flattered)
        found += [message("judged-on-point", rule=each.rule.name) for each in passed if each.rule.point_only]
        if all(verdict.rule.severity == "warn" for verdict in self.verdicts):
            found.append(message("only-warnings"))
        if self.outcome != "pass" and self.status == 0:
            found.append(message("exit-zero" if self.gate.exit_zero else "inconclusive-passes", verdict=self.outcome))
        return tuple(dict.fromkeys([*self.about_rules, *found]))

    def report(self, answer: Answer, *, shown: bool) -> None:
        """Write the verdicts to standard error unless a terminal shows them, and to GitHub's runner if asked.

        Rules that passed are left out with --quiet.
        """
        if self.gate.github:
            from rocconf.report import write_annotations

            write_annotations(answer, sys.stderr)  # the runner reads both streams
        if shown:
            return
        for verdict in self.verdicts:
            if verdict.is_without_value and verdict.outcome == "pass":
                say(f"warning: gate passed without a value: {verdict.rule.name}: {verdict.message}")
            elif verdict.outcome != "pass" or not self.quiet:
                is_warning = verdict.rule.severity == "warn" and verdict.outcome != "pass"
                severity = "warning: " if is_warning else ""
                say(f"{severity}gate {HOW[verdict.outcome]}: {verdict.rule.name}: {verdict.message}")
        if self.verdicts and not self.quiet:
            from rocconf.report import verdict_title

            about = (each.text("shell") for each in answer.results[0].about_verdict)
            for text in (verdict_title(answer), *about):
                say(text)

    @property
    def step_summary(self) -> str | None:
        """The file of the step summary of GitHub's runner, if it is asked for."""
        return os.environ.get("GITHUB_STEP_SUMMARY") if self.gate.github else None

    def append_summary(self, answer: Answer) -> None:
        """Append the answer to the step summary, if it is asked for."""
        if self.step_summary:
            from rocconf.report import append_summary

            append_summary(answer)

    def warn_of_vain_rules(self, rules: Iterable[GateRule], result: type[Result]) -> None:
        """Warn of rules that can never pass, and of rules that a worse model passes more easily."""
        from rocconf import gate as gates

        rules = tuple(rules)
        self.about_rules += tuple(
            message("rule-passes-worse", rule=rule.text, metric=rule.metric)
            for rule in rules
            if gates.passes_worse(rule, result)
        )
        for rule in () if self.quiet else rules:
            if gates.is_beyond_intervals(rule, result):
                say(f"warning: {message('rule-beyond-intervals', rule=rule.text, metric=rule.metric)}")

    def has_config(self) -> bool:
        """Look for a configuration without loading what reads it."""
        if self.gate.isolated:
            if self.gate.config is not None:
                raise UsageError("isolated-with-config")
            return False
        if self.gate.config is not None:
            return True
        here = _here()
        return any(
            _may_hold_rules(os.path.join(place, name))  # noqa: PTH118  # half the time of Path, on every start
            for place in (here, *here.parents)
            for name in ("rocconf.toml", "pyproject.toml")
        )

    def config(self) -> Config:
        """Read the configuration, and check the rules of every command, also of those that are skipped."""
        from rocconf import gate as gates

        config = self._config()
        if config.path and not self.quiet:
            say(f"configuration: {config.path}")
        faults: list[RocconfError] = []
        for number, (command, rule) in enumerate(config.gates, 1):
            try:
                gates.check_rules([rule], result_of(command), may_choose=True)
            except RocconfError as error:
                place = f"[[gate]] {number}"
                faults.append(UsageError("config-rule", path=config.path, place=place, error=error))
        gates.raise_all(config.path, faults)
        return config

    def _config(self) -> Config:
        from rocconf import gate as gates

        if self.gate.isolated:
            return gates.Config()
        if self.gate.config == "":
            raise UsageError("config-empty")
        if self.gate.config is not None:
            return gates.read_config(Path(self.gate.config), RESULTS)
        return gates.find_config(_here(), RESULTS)


def _here() -> Path:
    """Return the working directory, where a configuration is looked for."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise UsageError("working-directory-removed") from None


class JudgeOfResults(Judge):
    """The rules of a run and their verdicts; without rules it loads nothing."""

    def __init__(
        self,
        gate: Gate,
        result: type[Result],
        *,
        choose_on: str | None,
        quiet: bool,
        promises: Promises | None = None,
        also: str | None = None,
    ) -> None:
        super().__init__(gate, quiet=quiet)
        self.data: dict[str, Any] = {}
        self.defaults: dict[str, Any] = {}
        """Those of the data's options that the configuration sets and the command line does not."""
        self.rules: tuple[GateRule, ...] = ()
        self.result = result
        if not self.has_config() and not gate.require:
            return
        from dataclasses import replace

        from rocconf import gate as gates

        typed = tuple(gates.parse_gate_rule(text) for text in gate.require or ())
        self.configured = config = self.config()
        self.data = config.data
        self.rules = config.rules(result.command) + (config.rules(also) if also else ()) + typed
        if gate.allow_identical:
            self.rules = tuple(replace(rule, allow_identical=True) for rule in self.rules)
        if config.gates and not self.rules:
            self.about_rules = (message("no-rule-for-command", command=result.command),)
        if promises is not None:
            self.rules, self.level = promises.of(self.rules), promises.level
        may_choose = gate.allow_in_sample or choose_on is not None
        with self.naming_gates():
            gates.check_rules(self.rules, result, may_choose=may_choose, level=self.level)
        self.warn_of_vain_rules(self.rules, result)

    @property
    def to_judge(self) -> tuple[GateRule, ...]:
        """The rules of the run, or those of a plan, which judges none."""
        return self.rules or self.planned

    def with_defaults(self, data: Data) -> Data:
        """Return the options of the data, those that were not typed from the configuration."""
        from dataclasses import fields, replace

        unset = {option.name for option in fields(data) if getattr(data, option.name) in (None, False)}
        self.defaults |= {key: value for key, value in self.data.items() if key in unset}
        return replace(data, **{key: value for key, value in self.defaults.items() if key in unset})

    def baseline(self, typed: str | None) -> str | None:
        """Return the baseline, that of the configuration if none was typed."""
        configured: str | None = self.data.get("baseline")
        if typed is None and configured is not None:
            self.defaults["baseline"] = configured
        return configured if typed is None else typed

    @contextmanager
    def naming_config(self) -> Iterator[None]:
        """Add the key and the file to an error about a configured value."""
        try:
            yield
        except RocconfError as error:
            faults = error.faults if isinstance(error, InputError) else (error.message,)
            named = {str(value).strip("'") for fault in faults for _, value in fault.values}
            keys = ", ".join(key for key, value in self.defaults.items() if named & _texts_of(value))
            if not keys or self.configured is None:
                raise
            if isinstance(error, InputError):
                error.hints = (*error.hints, message("from-config", keys=keys, path=self.configured.path))
                raise
            raise RocconfError("configured", error=error, keys=keys, path=self.configured.path) from None

    @contextmanager
    def naming_gates(self, part: Slice = ()) -> Iterator[None]:
        """Add the file and the number of the [[gate]] to an error about a configured rule or its slice."""
        try:
            yield
        except RocconfError as error:
            if self.configured is None or error.code in ("configured", "config-rule"):
                raise
            faults = error.faults if isinstance(error, InputError) else (error.message,)
            texts = {value for fault in faults for key, value in fault.values if key == "rule"}
            places = [
                f"[[gate]] {number}"
                for number, (command, rule) in enumerate(self.configured.gates, 1)
                if command == self.result.command and (rule.text in texts or (part and rule.where == part))
            ]
            if not places:
                raise
            if isinstance(error, InputError):
                error.hints = (
                    *error.hints,
                    message("from-gate", places=", ".join(places), path=self.configured.path),
                )
                raise
            place = ", ".join(places)
            raise RocconfError("config-rule", path=self.configured.path, place=place, error=error) from None

    @property
    def columns(self) -> list[str]:
        """The columns of the slices that rules are about."""
        return [rule.by for rule in self.rules if rule.by is not None]

    @property
    def judges_differences(self) -> bool:
        """Whether a rule is about differences from a baseline."""
        return any(rule.is_difference for rule in self.rules)

    def replicates(self, metrics: Collection[str]) -> int:
        """Return how many bootstrap replicates the rules need, 0 if they judge no bootstrapped metric."""
        if not any(rule.metric in metrics and not rule.point_only for rule in self.rules):
            return 0
        from rocconf.compute.stats.seeds import REPLICATES

        return REPLICATES

    def check_options(self, **options: object) -> None:
        """Refuse rules on metrics that the run does not compute with these options."""
        if self.rules:
            from rocconf import gate as gates

            with self.naming_gates():
                gates.check_options(self.rules, self.result, options)

    @property
    def slices(self) -> list[Slice]:
        """The parts of the data that rules are about: all of it, and the slices that `where` names."""
        return list(dict.fromkeys(rule.where for rule in self.rules))

    def judge(
        self,
        results: Sequence[Result],
        part: Slice,
        choose_on: Mapping[str, ScoreCounts],
        analyse_part: Callable[[], Sequence[Result]] | None,
    ) -> None:
        """Judge the results, or those of a part of the data, by the rules about it.

        A part is judged at the thresholds chosen on the whole: nobody runs a model at one of its own.
        """
        rules = [rule for rule in self.rules if rule.where == part]
        with self.naming_gates(part):
            self._judge(rules, results, choose_on, analyse_part)

    def _judge(
        self,
        rules: Sequence[GateRule],
        results: Sequence[Result],
        choose_on: Mapping[str, ScoreCounts],
        analyse_part: Callable[[], Sequence[Result]] | None,
    ) -> None:
        from rocconf import gate as gates

        if analyse_part is None:
            self.verdicts += gates.judge_results(rules, results, choose_on=choose_on)
            return
        whole = {counts.model: counts for result in results for counts in result.model_counts}
        try:
            sliced = analyse_part()
        except TooFewCasesError as error:
            self.verdicts += gates.judge_undecided(rules, results, reason=error.text("shell"))
        else:
            self.verdicts += gates.judge_results(
                rules, sliced, choose_on=choose_on or whole, chosen_in_sample=not choose_on
            )

    def check_thresholds(self, results: Sequence[Result]) -> None:
        """Warn of thresholds that seem to be on another scale than the scores."""
        if not self.verdicts:
            return
        from rocconf.compute.roc.operating import scale_caveats

        counts = {each.model: each for result in results for each in result.model_counts}
        for verdict in self.verdicts:
            if verdict.measure.at is not None and verdict.model in counts:  # class totals have none
                self.about_rules += tuple(scale_caveats(counts[verdict.model], verdict.measure.at.threshold))

    @property
    def outcome(self) -> Outcome | None:
        """The verdict of the run; None if there was no rule."""
        if not self.rules:
            return None
        from rocconf import gate as gates

        return gates.overall(self.verdicts)


class JudgeOfReports(Judge):
    """The rules for saved reports, typed or of the configuration, and their verdicts."""

    def __init__(self, gate: Gate, *, quiet: bool) -> None:
        super().__init__(gate, quiet=quiet)
        from rocconf import gate as gates

        self.typed = tuple(gates.parse_gate_rule(text) for text in gate.require or ())
        self.configured = self.config() if self.has_config() else None
        self.outcomes: list[Outcome] = []
        self.without_rule: tuple[Message, ...] = ()

    @property
    def to_judge(self) -> tuple[GateRule, ...]:
        """The typed rules, and those of the configuration for any command."""
        configured = self.configured.gates if self.configured else ()
        return tuple(rule for _, rule in configured) + self.typed

    def answer(self, inputs: Sequence[Input]) -> Answer:
        """Read the reports and judge each."""
        from rocconf import gate as gates
        from rocconf import read
        from rocconf.answer import Answer
        from rocconf.cli.inputs import typed_command

        reports = [read.read_report(source, commands=RESULTS) for source in inputs]
        gates.require_data(reports)
        kinds = [result_of(report.command) for report in reports]
        configured = self.configured or gates.Config()
        rules = [_configured_for(report, configured) + self.typed for report in reports]
        for kind, of_kind in dict(zip(kinds, rules, strict=True)).items():
            self.warn_of_vain_rules(of_kind, kind)
        result = gates.judge_reports(
            reports,
            rules,
            kinds,
            allow_in_sample=self.gate.allow_in_sample,
            allow_identical=self.gate.allow_identical,
            asked={
                "require": list(self.gate.require or ()),
                "allow_in_sample": self.gate.allow_in_sample,
                "allow_identical": self.gate.allow_identical,
            },
        )
        for at, of_report in enumerate(rules):
            self.about_rules += tuple(self._about_carried(result, at, of_report))
        self.verdicts = [verdict for of_report in result.verdicts for verdict in of_report]
        self.outcomes = [gates.overall(of_report) for of_report in result.verdicts]
        self.without_rule = result.without_rule
        return Answer(
            (result,),
            self.records,
            self.outcome,
            self.status,
            "shell",
            about_gates=self.caveats,
            command_line=typed_command(),
        )

    def _about_carried(self, result: GateResult, at: int, rules: Sequence[GateRule]) -> Iterator[Message]:
        """Yield warnings on a report's own rules: judged in spite of a configuration, or replaced though they failed."""
        from rocconf import gate as gates

        report = result.reports[at]
        if not rules and report.gates and self.configured and self.configured.gates:
            yield message("carried-rules-judged", report=report.name, command=report.command)
        names = gates.replaced_failures(result, at, result_of(report.command)) if rules else ()
        if names:
            yield message("carried-rules-replaced", report=report.name, names=", ".join(names))

    @property
    def lacks_rule(self) -> bool:
        """Whether no rule is about a report."""
        return bool(self.without_rule)

    @property
    def outcome(self) -> Outcome:
        """The worst verdict of all reports; a report without a rule is inconclusive."""
        from rocconf import gate as gates

        return gates.worst(self.outcomes)

    def report(self, answer: Answer, *, shown: bool) -> None:
        """Write the verdicts, and with --quiet the reports without a rule."""
        super().report(answer, shown=shown)
        for caveat in self.without_rule if self.quiet else ():  # among the remarks otherwise
            say(f"gate not decided: {caveat.text('shell')}")


def _configured_for(report: SavedReport, config: Config) -> tuple[GateRule, ...]:
    """Return the rules of a configuration for a report; of several classes also those for the command that wrote it."""
    rules = config.rules(report.command)
    if report.command == ONE_VS_REST:
        rules += config.rules("sweep" if report.baseline is None else "compare")
    if report.command == COMPARE_AUC:
        rules += config.rules("compare")
    return rules


def _texts_of(value: Any) -> set[str]:
    """Return the texts by which an error may name a value: a condition also by its column."""
    texts = {str(each) for each in value} if isinstance(value, list) else {str(value)}
    return texts | {found[0] for text in texts if (found := CONDITION_COLUMN.match(text))}


def result_of(command: str) -> type[Result]:
    """Return the class of a command's results."""
    module, _, name = RESULTS[command].rpartition(".")
    result: type[Result] = getattr(import_module(f"rocconf.{module}"), name)
    return result


def _may_hold_rules(path: str) -> bool:
    """Whether a file may configure rocconf, by a quick search: most pyproject.toml do not mention it."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:  # a folder that cannot be searched: only reading it as a configuration tells
        return True
    if path.endswith("rocconf.toml"):
        return True
    try:
        content = Path(path).read_bytes().lower()
    except OSError:
        return True
    return any(sign in content for sign in SIGNS)
