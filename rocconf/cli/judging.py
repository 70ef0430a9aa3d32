"""The gate of a run: which rules there are, what they say of the results, and the exit status that follows."""

from __future__ import annotations

import os
import sys
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocconf.errors import TooFewCasesError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from rocconf.answer import Answer, Result
    from rocconf.cli.options import Data, Gate
    from rocconf.gate import Config, Rule, Verdict
    from rocconf.gate.verdict import Word
    from rocconf.read import Input
    from rocconf.records import ScoreCounts

COMMANDS = {
    "sweep": "Sweep",
    "tango": "ConfidentSegment",
    "chi2-contours": "Chi2Contours",
    "sensibility": "Sensibility",
    "compare": "Comparison",
}
"""The commands that a rule can be of, and what each results in."""

REPLICATES = 2000
"""How many replicates an interval has that nobody but a rule asked for."""

SIGNS = (b"tool.rocconf", b"[tool]", b"tool={", b"\\u", b"\\U")
"""What a pyproject.toml with rules of ours has, blanks and quotes aside; an escaped letter may be one of any of them."""

Slice = tuple[tuple[str, str], ...]


class Judge(ABC):
    """What a gate was asked, what its verdicts come to, and who is told."""

    def __init__(self, gate: Gate, *, quiet: bool) -> None:
        if gate.inconclusive not in ("fail", "pass"):
            raise UsageError(f"--inconclusive takes fail or pass, not {gate.inconclusive!r}")
        self.gate, self.quiet = gate, quiet
        self.verdicts: list[Verdict] = []

    @property
    @abstractmethod
    def word(self) -> str | None:
        """The verdict of the run; None if nothing was asked."""

    @property
    def records(self) -> tuple[dict[str, Any], ...]:
        """The verdicts as they stand in JSON."""
        return tuple(verdict.to_dict() for verdict in self.verdicts)

    @property
    def status(self) -> int:
        """The exit status."""
        word = self.word
        if word is None or self.gate.exit_zero or (word == "inconclusive" and self.gate.inconclusive == "pass"):
            return 0
        from rocconf import gate as gates

        return gates.STATUS[word]  # type: ignore[index]  # the words are its keys

    def tell(self, answer: Answer) -> None:
        """Say what did not pass: on standard error, and to GitHub's runner if that was asked for."""
        if self.gate.github:
            from rocconf.report.github import append_summary, write_annotations

            append_summary(answer)
            write_annotations(answer, sys.stderr)  # the runner reads both streams
        for verdict in self.verdicts:
            if verdict.word != "pass":
                how = {"fail": "not passed", "inconclusive": "not decided"}[verdict.word]
                severity = "warning: " if verdict.rule.severity == "warn" else ""
                say(f"{severity}gate {how}: {verdict.rule.name}: {verdict.message}")

    def tell_what_cannot_fail(self, rules: Iterable[Rule]) -> None:
        """Warn of rules that pass whatever the cases."""
        from rocconf import gate as gates

        for rule in () if self.quiet else rules:
            if gates.always(rule):
                say(f"warning: rule {rule.text!r} passes {gates.always(rule)}")

    def has_config(self) -> bool:
        """Look for a configuration without loading what reads it."""
        if self.gate.isolated:
            if self.gate.config is not None:
                raise UsageError("--isolated and --config contradict each other")
            return False
        here = Path.cwd()
        return self.gate.config is not None or any(
            _may_hold_rules(os.path.join(place, name))  # noqa: PTH118  # half the time of Path, on every start
            for place in (here, *here.parents)
            for name in ("rocconf.toml", "pyproject.toml")
        )

    def config(self) -> Config:
        """Read the configuration, and look at the rules of every command: one that is skipped is never misspelt."""
        import rocconf
        from rocconf import gate as gates

        found = self._config()
        if found.path and not self.quiet:
            say(f"configuration: {found.path}")
        for command, rule in found.gates:
            gates.check([rule], getattr(rocconf, COMMANDS[command]), may_choose=True)
        return found

    def _config(self) -> Config:
        from rocconf import gate as gates

        if self.gate.isolated:
            return gates.Config()
        if self.gate.config == "":
            raise UsageError("--config names no file; --isolated does without one")
        if self.gate.config is not None:
            return gates.read_config(Path(self.gate.config), COMMANDS)
        return gates.find_config(Path.cwd(), COMMANDS)


class JudgeOfResults(Judge):
    """Holds the rules of a run; without rules it judges nothing and loads nothing."""

    def __init__(self, gate: Gate, result: type[Result], *, choose_on: str | None, quiet: bool) -> None:
        super().__init__(gate, quiet=quiet)
        self.data: dict[str, Any] = {}
        self.rules: tuple[Rule, ...] = ()
        if not self.has_config() and not gate.require:
            return
        from rocconf import gate as gates

        typed = tuple(gates.parse_rule(text) for text in gate.require or ())
        config = self.config()
        self.data = config.data
        self.rules = config.rules(result.command) + typed
        if config.gates and not self.rules and not quiet:
            say(f"nothing is judged: no rule of the configuration is of {result.command}")
        gates.check(self.rules, result, may_choose=gate.allow_in_sample or choose_on is not None)
        self.tell_what_cannot_fail(self.rules)

    def with_defaults(self, data: Data) -> Data:
        """Fill what was not typed from the configuration."""
        from dataclasses import fields, replace

        unset = {option.name for option in fields(data) if getattr(data, option.name) in (None, False)}
        return replace(data, **{key: value for key, value in self.data.items() if key in unset})

    def replicates(self, metrics: Collection[str]) -> int:
        """Return how many replicates the rules need: none, unless they judge what must be resampled."""
        needed = any(rule.metric in metrics and not rule.point_only for rule in self.rules)
        return REPLICATES if needed else 0

    def given(self, **options: object) -> None:
        """Refuse rules that these options of the run leave nothing to judge by."""
        if self.rules:
            from rocconf.gate.given import refuse_by_options

            refuse_by_options(self.rules, options)

    @property
    def slices(self) -> list[Slice]:
        """The parts of the data that rules are about: everything, and the slices that `where` names."""
        return list(dict.fromkeys(rule.where for rule in self.rules))

    def judge(
        self,
        results: Sequence[Result],
        part: Slice,
        choice: Mapping[str, ScoreCounts],
        analyse_part: Callable[[], Sequence[Result]] | None,
    ) -> None:
        """Judge the results, or those of a part of the data, by the rules about it.

        A part is judged at the thresholds chosen on the whole: nobody runs a model at one of its own.
        """
        from rocconf import gate as gates
        from rocconf.compute.measures import counts_of

        rules = [rule for rule in self.rules if rule.where == part]
        level = results[0].options["level"]
        if analyse_part is None:
            self.verdicts += gates.judge_all(rules, results, level=level, choice=choice)
            return
        models = [each for result in results for each in result.judged()]
        whole = {counts_of(each).model: counts_of(each) for each in models}
        try:
            sliced = analyse_part()
        except TooFewCasesError as error:
            self.verdicts += gates.undecided(rules, models, level=level, reason=str(error))
        else:
            self.verdicts += gates.judge_all(rules, sliced, level=level, choice=choice or whole, in_sample=not choice)

    @property
    def word(self) -> str | None:
        """The verdict of the run; None if nothing was asked."""
        if not self.rules:
            return None
        from rocconf import gate as gates

        return gates.overall(self.verdicts)


class JudgeOfReports(Judge):
    """Holds the rules for saved reports: those that were typed, and those of the configuration for their commands."""

    def __init__(self, gate: Gate, *, quiet: bool) -> None:
        super().__init__(gate, quiet=quiet)
        from rocconf import gate as gates

        self.typed = tuple(gates.parse_rule(text) for text in gate.require or ())
        self.configured = self.config() if self.has_config() else gates.Config()
        self.words: list[Word] = []
        self.unjudged: tuple[str, ...] = ()

    def answer(self, inputs: Sequence[Input]) -> Answer:
        """Read the reports and judge each."""
        import rocconf
        from rocconf import gate as gates
        from rocconf.answer import SCHEMA, Answer
        from rocconf.gate.saved import judge_reports
        from rocconf.read.json_report import read_saved

        reports = [read_saved(source, newest=SCHEMA, commands=COMMANDS) for source in inputs]
        rules = [self.configured.rules(report.command) + self.typed for report in reports]
        self.tell_what_cannot_fail(dict.fromkeys(rule for its in rules for rule in its))
        judged = judge_reports(
            reports,
            rules,
            [getattr(rocconf, COMMANDS[report.command]) for report in reports],
            allow_in_sample=self.gate.allow_in_sample,
            asked={"require": list(self.gate.require or ()), "allow_in_sample": self.gate.allow_in_sample},
        )
        self.verdicts = [verdict for of_one in judged.verdicts for verdict in of_one]
        self.words = [gates.overall(of_one) for of_one in judged.verdicts]
        self.unjudged = judged.without_rule
        return Answer((judged,), self.records, self.word, self.status)

    @property
    def word(self) -> str:
        """The worst verdict on a report; one that no rule is about decides nothing."""
        from rocconf.gate.verdict import WORST

        return max(self.words, key=WORST.index)

    def tell(self, answer: Answer) -> None:
        """Say what did not pass, and which reports no rule was about."""
        super().tell(answer)
        for said in self.unjudged if self.quiet else ():  # among the caveats otherwise
            say(f"gate not decided: {said}")


def say(message: str) -> None:
    """Say something on one line of standard error: names come from files, and must not look like lines of ours."""
    sys.stderr.write(f"rocconf: {''.join(letter if letter.isprintable() else ' ' for letter in message)}\n")


def _may_hold_rules(path: str) -> bool:
    """Whether a file is a configuration, as far as a glance tells: most pyproject.toml are none of ours."""
    if path.endswith("rocconf.toml"):
        return os.path.lexists(path)
    if not os.path.isfile(path):  # noqa: PTH113  # see above
        return False
    try:
        squeezed = Path(path).read_bytes().translate(None, b" \t\"'")
    except OSError:  # whether it holds rules only reading it as a configuration tells
        return True
    return any(sign in squeezed for sign in SIGNS)
