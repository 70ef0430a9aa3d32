"""`rocconf check`."""

from typing import TYPE_CHECKING, Annotated

import typer

from rocconf.cli.options import Gate
from rocconf.errors import UsageError
from rocconf.messages import message
from rocconf.visible import visible_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rocconf.cli.judging import Judge
    from rocconf.gate import Config, GateRule


HELP = """Check configuration, rules and options without data: 0 if all are valid, 2 if not or if there is nothing to check.

Alone it checks the configuration, all that is wrong at once, and lists its rules: rocconf check --config FILE. With
a command after -- it checks what that command would refuse before it reads anything, and lists the rules that the
run would be judged by: rocconf check -- compare new.csv --baseline old.csv --require 'delta_auc >= -0.01'. No data
file is opened, so what depends on data (columns, models, operating points of a report) is not checked.
"""


def check(
    line: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- COMMAND ...]", help="A command with its options, as it is to run."),
    ] = None,
    *,
    config: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Defaults and rules. [default: rocconf.toml or pyproject.toml, in this directory or one above]",
        ),
    ] = None,
) -> None:
    """Run `rocconf check`."""
    if line and config is not None:
        raise UsageError("check-config-place")
    for text in _of_line(line) if line else _of_config(config):
        typer.echo(visible_lines(text))


def _of_config(file: str | None) -> "Iterator[str]":
    """Return what a configuration holds, in words."""
    from rocconf.cli.commands import RESULTS
    from rocconf.cli.judging import JudgeOfReports

    configured = JudgeOfReports(Gate(config=file), quiet=True).configured
    if configured is None or configured.path is None:
        raise UsageError("check-no-config")
    yield from _config_lines(configured)
    for command in RESULTS:
        rules = configured.rules(command)
        if rules:
            yield f"{command}: {_number(rules)}"
            yield from _rule_lines(rules)
    if not configured.gates:
        yield str(message("check-no-rule"))


def _of_line(line: list[str]) -> "Iterator[str]":
    """Check a command, and return the rules that it would be judged by, in words."""
    from rocconf.cli.app import app
    from rocconf.cli.checking import LineCheckedError, only_checking

    if line[0] == "check":
        raise UsageError("check-of-check")
    judge = None
    try:
        with only_checking():
            typer.main.get_command(app).main(args=line, prog_name="rocconf", standalone_mode=False)
    except LineCheckedError as stopped:
        judge = stopped.judge
    if judge is None:
        raise UsageError("check-no-run", line=" ".join(line))
    yield from _judge_lines(line[0], judge)


def _judge_lines(command: str, judge: "Judge") -> "Iterator[str]":
    config, rules = judge.configured, judge.to_judge
    if (config is None or config.path is None) and not rules:
        raise UsageError("check-no-rule-of-line")
    if config is not None and config.path is not None:
        yield from _config_lines(config)
    yield f"{command}: valid, {_number(rules)}"
    yield from _rule_lines(rules, judge.level)


def _config_lines(config: "Config") -> "Iterator[str]":
    yield f"configuration: {config.path}"
    for key, value in config.data.items():
        yield f"  {key}: {', '.join(map(str, value)) if isinstance(value, list) else value}"


def _rule_lines(rules: "Iterable[GateRule]", level: float | None = None) -> "Iterator[str]":
    from rocconf.gate import chooses_in_sample

    for rule in rules:
        name = "" if rule.name in ("", rule.text) else f"{rule.name}: "
        extra = [f"level {rule.level:g}"] if rule.level is not None else []
        extra += ["only warns"] if rule.severity == "warn" else []
        extra += [f"undefined: {rule.on_undefined}"] if rule.on_undefined != "inconclusive" else []
        extra += ["identical scores allowed"] if rule.allow_identical else []
        if chooses_in_sample(rule, level):
            extra.append("needs --choose-on FILE or --allow-in-sample")
        yield f"  {name}{rule.text}" + (f" ({'; '.join(extra)})" if extra else "")


def _number(rules: "Iterable[GateRule]") -> str:
    count = len(tuple(rules))
    return {0: "no rule", 1: "1 rule"}.get(count, f"{count} rules")
