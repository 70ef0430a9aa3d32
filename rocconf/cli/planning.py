"""What `rocconf plan` plans: the rules that were typed or configured, with numbers, a pilot or a saved report."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from rocconf.cli.commands import RESULTS
from rocconf.cli.compared_inputs import is_report, read_compared
from rocconf.cli.inputs import Inputs
from rocconf.cli.judging import result_of
from rocconf.errors import UsageError
from rocconf.messages import message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocconf.cli.options import Data
    from rocconf.cli.run import Run
    from rocconf.compute.plan import Plan
    from rocconf.gate import GateRule

CONFIGURED = ("sweep", "compare")
"""The commands whose configured rules are planned."""

OF_REPORTS = ("power",)
"""The options that a plan from a report has."""


class Planning:
    """The plan of a run: checked before anything is read."""

    def __init__(self, run: Run, data: Data, rules: Sequence[str], options: Mapping[str, Any]) -> None:
        from rocconf import gate as gates

        self.run, self.options = run, dict(options)
        run.judge.about_rules = ()
        self.file = _only_file(data)
        self.rules: list[GateRule] = [gates.parse_gate_rule(text) for text in rules]
        if self.file is not None and is_report(self.file):
            self._refuse_numbers()
            if run.figures:
                raise UsageError("plan-without-curve")
            run.judge.planned = tuple(self.rules)
            return
        if not rules and all(options[name] is None for name in ("limit", "margin", "half_width")):
            self.rules = self._configured()
        if self.file is None:
            _refuse_options_of_data(data)
        self.is_paired = options["baseline"] is not None or options["margin"] is not None
        self.is_paired = self.is_paired or any(rule.is_difference for rule in self.rules)
        if self.file is None and options["baseline"] is not None:
            raise UsageError("plan-option-of-pilot", option="--baseline")
        if self.file is not None and self.is_paired:
            self.options["baseline"] = run.judge.baseline(options["baseline"])
        run.inputs = Inputs(run.outlet, for_rules=True)  # a plan rests on no guess either
        run.inputs.needs_baseline = self.is_paired and self.options["baseline"] is None
        known = {name: value for name, value in self.options.items() if name != "baseline"}
        run.judge.planned = gates.check_plan(self.rules, has_pilot=self.file is not None, **known)

    def answer(self, data: Data) -> Plan:
        """Read the pilot or the report, if there is one, and plan."""
        from rocconf.gate import plan

        if self.file is None:
            with self.run.outlet.waiting("simulating"):
                return plan(self.rules, **self.options)
        if is_report(self.file):
            return self._of_report(self.file)
        pilot: Any
        if self.is_paired:
            compared = read_compared(self.run.inputs, data, self.options["baseline"], by_row=False, unpaired=False)
            pilot = compared.models
        else:
            pilot, *others = self.run.inputs.read_counts(data)
            if others:
                raise UsageError("plan-two-models", models=", ".join(each.model for each in (pilot, *others)))
        with self.run.outlet.waiting("simulating"):
            result = plan(self.rules, pilot=pilot, **self.options)
        if self.run.figures and not any(plan.sizes for plan in result.plans):
            raise UsageError("plan-without-curve")
        return result

    def _of_report(self, file: str) -> Plan:
        from rocconf import gate as gates
        from rocconf.read import find_input, read_report

        report = read_report(find_input(file), commands=RESULTS)
        kind = result_of(report.command)
        judged = gates.judge_reports([report], [self.rules], [kind], allow_in_sample=True, asked={})
        return gates.plan_from_report(report, judged.verdicts[0], power=self.options["power"])

    def _configured(self) -> list[GateRule]:
        """Return the rules of the configuration that can be planned, and note the others."""
        from rocconf import gate as gates

        config = self.run.judge.configured
        found = [rule for command, rule in config.gates if command in CONFIGURED] if config else []
        planned = [rule for rule in found if gates.is_planned(rule)]
        others = len(config.gates) - len(planned) if config else 0
        if planned and others:
            self.run.judge.about_rules = (message("plan-left-out", count=others),)
        return planned

    def _refuse_numbers(self) -> None:
        from rocconf.compute.plan import PlanOptions

        defaults = PlanOptions()
        for name, value in self.options.items():
            if name not in OF_REPORTS and value != getattr(defaults, name, None):
                raise UsageError("plan-report-and-option", option=f"--{name.replace('_', '-')}")


def _only_file(data: Data) -> str | None:
    if data.files and len(data.files) > 1:
        raise UsageError("plan-one-pilot", files=", ".join(data.files))
    return data.files[0] if data.files else None


def _refuse_options_of_data(data: Data) -> None:
    """Refuse options about the columns of a pilot that is not there."""
    for field in fields(data):
        if getattr(data, field.name) != field.default:
            raise UsageError("plan-option-of-pilot", option=f"--{field.name.replace('_', '-')}")
