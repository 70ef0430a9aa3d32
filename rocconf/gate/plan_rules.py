"""Plan for rules: how many cases they need, from assumed numbers, from the cases of a pilot, or from a saved report."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from rocconf.compute.compare import Comparison
from rocconf.compute.plan import POWER, RUNS, Asked, Plan, plan_for, require_power
from rocconf.compute.stats.margin import Margin
from rocconf.compute.stats.seeds import SEED
from rocconf.errors import UsageError
from rocconf.gate.check_rules import check_rules
from rocconf.gate.plan_assumed import RATES, Common, Truth, given_size, is_rate, number_of, size_for
from rocconf.gate.plan_numbers import from_numbers
from rocconf.gate.plan_pilot import about_pilot, from_pilot, from_verdict
from rocconf.gate.rule import GateRule, in_full, parse_gate_rule
from rocconf.metric import DELTA
from rocconf.records import ROBUST, Predictions, ScoreCounts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rocconf.gate.verdict import Verdict
    from rocconf.messages import Message
    from rocconf.records import IntervalKind
    from rocconf.saved import SavedReport

ANY_POINT = "threshold=0.5"
"""Stands for the operating point of a rule on a rate that names none: a plan needs only the rate."""

NOT_OF_QUESTIONS = ("rules", "pilot", "baseline")
"""The parameters of `plan` that are no options of its questions."""

KNOWN = ("auc", "delta_auc", *RATES, "delta_tpr", "delta_specificity")
"""The metrics that are planned from numbers alone."""


def plan(
    rules: str | GateRule | Iterable[str | GateRule] = (),
    *,
    auc: float | None = None,
    baseline_auc: float | None = None,
    correlation: float | None = None,
    tpr: float | None = None,
    baseline_tpr: float | None = None,
    fpr: float | None = None,
    baseline_fpr: float | None = None,
    disagree: str | None = None,
    prevalence: float | None = None,
    pilot: ScoreCounts | Predictions | None = None,
    baseline: str | None = None,
    limit: float | None = None,
    margin: float | None = None,
    half_width: float | None = None,
    positives: int | None = None,
    negatives: int | None = None,
    cases: int | None = None,
    power: float = POWER,
    level: float = 0.95,
    interval: IntervalKind = ROBUST,
    runs: int = RUNS,
    seed: int = SEED,
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
    options = {name: value for name, value in locals().items() if name not in NOT_OF_QUESTIONS}
    texts = [rules] if isinstance(rules, str | GateRule) else rules
    parsed = [parse_gate_rule(rule) if isinstance(rule, str) else rule for rule in texts]
    wanted = _wanted(parsed, options, has_pilot=pilot is not None)
    about: tuple[Message, ...] = ()
    if pilot is None:
        questions = from_numbers(wanted.rules, half_width, wanted.truth, wanted.common)
    else:
        questions, about = from_pilot(pilot, baseline, wanted.rules, half_width, wanted.truth, wanted.common)
    names = tuple(question.condition.rule for question in questions)
    assumed = {name: value for name, value in wanted.truth.given.items() if name != "prevalence"}
    asked = Asked(names, power, level, interval, prevalence, runs, seed, assumed)
    sizes = [size_for(question, wanted.common.given) for question in questions]
    return plan_for(questions, asked, given=sizes, sources=() if pilot is None else pilot.sources, about=about)


def plan_from_report(report: SavedReport, verdicts: Sequence[Verdict], *, power: float = POWER) -> Plan:
    """Return how many cases the rules judged on a saved report need, if their values stay as they are."""
    require_power(power)
    for verdict in verdicts:
        _require_no_slices(verdict.rule)
    questions = [from_verdict(verdict) for verdict in verdicts]
    if not questions:
        raise UsageError("plan-no-question")
    first = verdicts[0]
    names = tuple(question.condition.rule for question in questions)
    kind = questions[0].condition.kind
    asked = Asked(names, power, first.level, kind, None, RUNS, SEED, {})
    positives = min(verdict.measure.positives for verdict in verdicts)
    return plan_for(questions, asked, sources=(report.source,), about=about_pilot(positives))


def is_planned(rule: GateRule) -> bool:
    """Whether a rule can be planned from numbers."""
    return rule.metric in KNOWN and not rule.point_only and not rule.where and rule.by is None


def check_plan(rules: Sequence[GateRule], *, has_pilot: bool, **options: Any) -> tuple[GateRule, ...]:
    """Return the rules of a plan, and reject what `plan` would, as far as that is known before a pilot is read."""
    wanted = _wanted(rules, options, has_pilot=has_pilot)
    if not has_pilot:
        from_numbers(wanted.rules, options["half_width"], wanted.truth, wanted.common)
    return tuple(wanted.rules)


class _Wanted(NamedTuple):
    """The rules and options of a plan, checked."""

    rules: list[GateRule]
    truth: Truth
    common: Common


def _wanted(rules: Sequence[GateRule], options: Mapping[str, Any], *, has_pilot: bool) -> _Wanted:
    truth = Truth(**{each.name: options[each.name] for each in fields(Truth)})
    given = given_size(truth, options["positives"], options["negatives"], options["cases"])
    common = Common(
        options["power"], options["level"], options["interval"], options["runs"], options["seed"], given=given
    )
    all_rules = [*rules, *_implied_rules(truth, options["limit"], options["margin"])]
    _require_rules(all_rules, truth, options["half_width"], has_pilot=has_pilot)
    return _Wanted(all_rules, truth, common)


def _implied_rules(truth: Truth, limit: float | None, margin: float | None) -> list[GateRule]:
    """Return the rules that a limit and a margin stand for: about the number that is assumed, or the area."""
    name = number_of(truth)
    if name == "auc" and truth.disagree is not None:
        name = "tpr"
    found = []
    if limit is not None:
        op = "<=" if name == "fpr" else ">="
        found.append(parse_gate_rule(f"{name} {op} {in_full(limit)}"))
    if margin is not None:
        Margin(margin)
        of = "specificity" if name == "fpr" else name
        found.append(parse_gate_rule(f"{DELTA}{of} > -{in_full(margin)}"))
    return found


def _require_no_slices(rule: GateRule) -> None:
    """Refuse a rule about every slice: each slice has a size and a value of its own."""
    if rule.by is not None:
        raise UsageError("plan-by", rule=rule.text)


def _require_rules(rules: Sequence[GateRule], truth: Truth, half_width: float | None, *, has_pilot: bool) -> None:
    """Reject rules that cannot be planned, before anything is read."""
    for rule in rules:
        _require_no_slices(rule)
    if not rules and half_width is None:
        raise UsageError("plan-no-question")
    if half_width is not None and not 0 < half_width < 1:
        raise UsageError("plan-half-width", half_width=half_width)
    if has_pilot and (others := [name for name in truth.given if name != "prevalence"]):
        raise UsageError("plan-pilot-and-numbers", options=", ".join(f"--{name.replace('_', '-')}" for name in others))
    for rule in rules:
        if rule.point_only:
            raise UsageError("plan-point", rule=rule.text)
        whole = replace(rule, at=ANY_POINT) if is_rate(rule.metric) and rule.at is None and not has_pilot else rule
        check_rules([whole], Comparison, may_choose=True)
        if not has_pilot and rule.metric not in KNOWN:
            raise UsageError("plan-metric", rule=rule.text, known=", ".join(KNOWN))
