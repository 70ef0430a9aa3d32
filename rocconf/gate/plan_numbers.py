"""The questions of a plan from assumed numbers: areas of binormal scores, and rates.

Rates of two models that are assumed to be binormal with a correlation are both right on a quadrant of the bivariate
normal distribution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf import wording
from rocconf.compute.plan import AreaQuestion, Binormal, Condition, Disagreement, RateQuestion, require_askable
from rocconf.compute.stats.normal import quadrant
from rocconf.errors import UsageError
from rocconf.gate.rule import GateRule, in_full
from rocconf.metric import DELTA

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocconf.compute.plan import PlanOptions, Question

RATES = {"tpr": "tpr", "fpr": "fpr", "specificity": "fpr"}
"""The metrics of an operating point that are planned, each with the number that is assumed."""

ASSUMED = "assumed"
"""What the model of a plan from numbers is called."""

EXAMPLES = {"auc": 0.85, "correlation": 0.8, "prevalence": 0.1, "tpr": 0.9, "fpr": 0.05}
"""Numbers of an example, where the rule asks for less."""


def is_rate(metric: str) -> bool:
    """Return whether a metric is a rate that is planned, or a difference of one."""
    return metric.removeprefix(DELTA) in RATES


def in_options(names: Iterable[str]) -> str:
    """Return options as the shell spells them."""
    return ", ".join(f"--{name.replace('_', '-')}" for name in names)


def condition_of(rule: GateRule, asked: PlanOptions) -> Condition:
    """Return the condition of a rule, at its own level or that of the plan."""
    level = asked.level if rule.level is None else rule.level
    return Condition(rule.text, rule.metric, rule.op, rule.limit, level, asked.interval)


def half_widths(asked: PlanOptions, *, paired: bool = False) -> list[Condition]:
    """Return the condition of the half-width of an area's interval, if it was asked for."""
    limit = asked.half_width
    if limit is None:
        return []
    if asked.number != "auc":
        raise UsageError("plan-half-width-of-rate")
    metric = f"{DELTA}auc" if paired or asked.correlation is not None else "auc"
    text = f"{metric} within {in_full(limit)}"
    return [Condition(text, metric, "<=", limit, asked.level, asked.interval, is_half_width=True)]


def from_numbers(rules: Sequence[GateRule], asked: PlanOptions) -> list[Question]:
    """Return the questions about rules, and a half-width, from assumed numbers."""
    conditions = [*(condition_of(rule, asked) for rule in rules), *half_widths(asked)]
    found = [_assumed(condition, asked) for condition in conditions]
    used = {name for condition in conditions for name in _numbers_of(condition, asked)}
    unused = [name for name in asked.assumed if name not in used]
    if unused:
        raise UsageError("plan-unused", names=", ".join(unused), options=in_options(unused))
    require_askable(found, asked)
    return found


def _numbers_of(condition: Condition, asked: PlanOptions) -> dict[str, bool]:
    """Return the assumed numbers that a condition rests on, and whether it needs them."""
    metric = condition.metric.removeprefix(DELTA)
    number = RATES.get(metric, metric)
    needs_prevalence = metric == "auc" and (asked.size is None or asked.size.cases is None)
    numbers = {number: True}
    if condition.metric != metric:
        if metric in RATES and asked.disagree:
            numbers = {"disagree": True}
        else:
            numbers |= {f"baseline_{number}": False, "correlation": True}
    return numbers | {"prevalence": needs_prevalence}


def _assumed(condition: Condition, asked: PlanOptions) -> Question:
    """Return the question about a rule from assumed numbers."""
    numbers = _numbers_of(condition, asked)
    lacking = [name for name, is_needed in numbers.items() if is_needed and getattr(asked, name) is None]
    if lacking:
        raise _lacks(condition, asked, lacking)
    if condition.metric.endswith("auc"):
        return _assumed_area(condition, asked)
    return _assumed_rate(condition, asked)


def _lacks(condition: Condition, asked: PlanOptions, lacking: Sequence[str]) -> UsageError:
    """Return the error that names all numbers that are missing, and a command that has them."""
    examples = dict(EXAMPLES)
    for name in ("auc", "tpr"):
        if condition.metric == name and condition.limit >= examples[name]:
            examples[name] = round((condition.limit + 1) / 2, 4)
    if condition.metric == "fpr" and condition.limit <= examples["fpr"]:
        examples["fpr"] = condition.limit / 2
    words: dict[str, Any] = {"half_width": condition.limit} if condition.is_half_width else {}
    words = words or {"require": f"'{condition.rule}'"}
    words |= asked.assumed | ({} if asked.prevalence is None else {"prevalence": asked.prevalence})
    words |= {name: examples[name] for name in lacking}
    line = " ".join(
        f"--{name.replace('_', '-')} {in_full(value) if isinstance(value, float) else value}"
        for name, value in words.items()
    )
    return UsageError(
        "plan-lacks",
        rule=condition.rule,
        names=", ".join(lacking),
        options=in_options(lacking),
        line=f"rocconf plan {line}",
    )


def _assumed_area(condition: Condition, asked: PlanOptions) -> Question:
    if asked.auc is None:
        raise UsageError("plan-no-question")
    prevalence, size = asked.prevalence, asked.size
    if prevalence is None and size is not None and size.cases is not None and size.positives is not None:
        prevalence = size.positives / size.cases
    areas: tuple[float, ...] = (asked.auc,)
    words = f"the AUC is {in_full(asked.auc)}"
    if condition.metric.startswith(DELTA):
        other = asked.auc if asked.baseline_auc is None else asked.baseline_auc
        areas = (asked.auc, other)
        words = f"both AUCs are {in_full(other)}"
        if asked.auc != other:
            words = f"the AUC is {in_full(asked.auc)} and that of the baseline {in_full(other)}"
        words += f", their scores correlate by {in_full(asked.correlation or 0.0)}"
    words += f" and {wording.level(prevalence or 0.0)} of the cases are positive"
    population = Binormal(areas, asked.correlation or 0.0)
    return AreaQuestion(condition, ASSUMED, words, prevalence, population, asked.runs, asked.seed)


def _assumed_rate(condition: Condition, asked: PlanOptions) -> Question:
    metric = condition.metric.removeprefix(DELTA)
    prevalence, of_positives, number = asked.prevalence, metric == "tpr", RATES[metric]
    rate = getattr(asked, number)
    if metric == condition.metric:
        value = 1 - rate if metric == "specificity" else rate
        words = f"the {metric} is {in_full(value)}"
        return RateQuestion(condition, ASSUMED, words, prevalence, value, of_positives)
    if asked.disagree:
        shares = Disagreement.parse(asked.disagree)
    else:
        other = getattr(asked, f"baseline_{number}")
        new, old = (1 - each if number == "fpr" else each for each in (rate, rate if other is None else other))
        both = quadrant(new, old, asked.correlation or 0.0)
        shares = Disagreement(max(new - both, 0.0), max(old - both, 0.0))
    return RateQuestion.paired(condition, ASSUMED, prevalence, shares, of_positives=of_positives)
