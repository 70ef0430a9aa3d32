"""Plan for rules: how many cases they need, from assumed numbers, from the cases of a pilot, or from a saved report."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocconf.compute.compare import Comparison
from rocconf.compute.plan import POWER, Plan, PlanOptions, plan_for
from rocconf.compute.stats.margin import Margin
from rocconf.errors import UsageError
from rocconf.gate.check_rules import check_rules
from rocconf.gate.plan_numbers import RATES, from_numbers, in_options, is_rate
from rocconf.gate.plan_pilot import about_pilot, from_pilot, from_verdict
from rocconf.gate.rule import GateRule, in_full, parse_gate_rule
from rocconf.metric import DELTA

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocconf.gate.verdict import Verdict
    from rocconf.records import Predictions, ScoreCounts
    from rocconf.saved import SavedReport

ANY_POINT = "threshold=0.5"
"""Stands for the operating point of a rule on a rate that names none: a plan needs only the rate."""

KNOWN = ("auc", "delta_auc", *RATES, "delta_tpr", "delta_specificity")
"""The metrics that are planned from numbers alone."""


def plan(
    rules: str | GateRule | Iterable[str | GateRule] = (),
    *,
    pilot: ScoreCounts | Predictions | None = None,
    baseline: str | None = None,
    **options: Any,
) -> Plan:
    """Return how many cases rules like `auc >= 0.8` need, and how often they pass with other numbers of cases.

    Parameters
    ----------
    rules
        A rule, or several. `limit`, `margin` and `half_width` stand for one: `auc >= limit`, `delta_auc > -margin`, and
        an interval of at most this half-width.
    auc, baseline_auc
        The true area of the model, and of its baseline; by default they are equal.
    correlation
        That of the two models' scores within each class.
    tpr, baseline_tpr, fpr, baseline_fpr
        The true rates at the operating point.
    disagree
        `NEW:OLD`, the shares of the cases of the class that only the model, or only its baseline, has right; by default
        they follow from the rates and the correlation.
    prevalence
        The share of the cases that is positive; of a pilot, in place of its own.
    pilot
        Cases that stand for all: the counts of a model, or the scores of a model and its baseline.
    baseline
        The baseline among the models of the pilot, by default the first.
    positives, negatives, cases
        A size whose power is asked for.
    power
        The probability of the verdict.
    level, interval
        The interval, as in the run that will judge the rule.
    runs, seed
        The simulated samples of each size, and the seed of their random numbers.
    """
    texts = [rules] if isinstance(rules, str | GateRule) else rules
    parsed = [parse_gate_rule(rule) if isinstance(rule, str) else rule for rule in texts]
    asked = PlanOptions(**options)
    wanted = _wanted(parsed, asked, has_pilot=pilot is not None)
    if pilot is None:
        return plan_for(from_numbers(wanted, asked), asked)
    questions, about = from_pilot(pilot, baseline, wanted, asked)
    return plan_for(questions, asked, sources=pilot.sources, about=about)


def plan_from_report(report: SavedReport, verdicts: Sequence[Verdict], *, power: float = POWER) -> Plan:
    """Return how many cases the rules judged on a saved report need, if their values stay as they are."""
    asked = PlanOptions(power=power)
    _require_no_slices([verdict.rule for verdict in verdicts])
    questions = [from_verdict(verdict) for verdict in verdicts]
    if not questions:
        raise UsageError("plan-no-question")
    first = questions[0].condition
    asked = replace(asked, level=first.level, interval=first.kind)
    positives = min(verdict.measure.positives for verdict in verdicts)
    return plan_for(questions, asked, sources=(report.source,), about=about_pilot(positives))


def is_planned(rule: GateRule) -> bool:
    """Whether a rule can be planned from numbers."""
    return rule.metric in KNOWN and not rule.point_only and not rule.where and rule.by is None


def check_plan(rules: Sequence[GateRule], *, has_pilot: bool, **options: Any) -> tuple[GateRule, ...]:
    """Return the rules of a plan, and reject what `plan` would, as far as that is known before a pilot is read."""
    asked = PlanOptions(**options)
    wanted = _wanted(rules, asked, has_pilot=has_pilot)
    if not has_pilot:
        from_numbers(wanted, asked)
    return tuple(wanted)


def _wanted(rules: Sequence[GateRule], asked: PlanOptions, *, has_pilot: bool) -> list[GateRule]:
    """Return the rules that are planned for, and reject those that cannot be."""
    wanted = [*rules, *_implied_rules(asked)]
    _require_no_slices(wanted)
    if not wanted and asked.half_width is None:
        raise UsageError("plan-no-question")
    if asked.half_width is not None and not 0 < asked.half_width < 1:
        raise UsageError("plan-half-width", half_width=asked.half_width)
    if has_pilot and asked.assumed:
        raise UsageError("plan-pilot-and-numbers", options=in_options(asked.assumed))
    for rule in wanted:
        if rule.point_only:
            raise UsageError("plan-point", rule=rule.text)
        whole = replace(rule, at=ANY_POINT) if is_rate(rule.metric) and rule.at is None and not has_pilot else rule
        check_rules([whole], Comparison, may_choose=True)
        if not has_pilot and rule.metric not in KNOWN:
            raise UsageError("plan-metric", rule=rule.text, known=", ".join(KNOWN))
    return wanted


def _implied_rules(asked: PlanOptions) -> list[GateRule]:
    """Return the rules that a limit and a margin stand for: about the number that is assumed, or the area."""
    name = "tpr" if asked.number == "auc" and asked.disagree is not None else asked.number
    found = []
    if asked.limit is not None:
        op = "<=" if name == "fpr" else ">="
        found.append(parse_gate_rule(f"{name} {op} {in_full(asked.limit)}"))
    if asked.margin is not None:
        Margin(asked.margin)
        of = "specificity" if name == "fpr" else name
        found.append(parse_gate_rule(f"{DELTA}{of} > -{in_full(asked.margin)}"))
    return found


def _require_no_slices(rules: Iterable[GateRule]) -> None:
    """Refuse rules about every slice: each slice has a size and a value of its own."""
    for rule in rules:
        if rule.by is not None:
            raise UsageError("plan-by", rule=rule.text)
