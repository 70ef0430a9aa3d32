"""The questions of a plan from assumed numbers: areas of binormal scores, and rates.

Rates of two models that are assumed to be binormal with a correlation are both right on a quadrant of the bivariate
normal distribution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf import wording
from rocconf.compute.plan import AreaQuestion, Binormal, Condition, Mix, RateQuestion
from rocconf.compute.stats.normal import quadrant
from rocconf.errors import UsageError
from rocconf.gate.plan_assumed import (
    RATES,
    Common,
    Disagreement,
    Truth,
    condition_of,
    disagreement,
    half_width_of,
    paired_rate,
    require_askable,
)
from rocconf.gate.rule import GateRule, in_full
from rocconf.metric import DELTA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.compute.plan import Question

ASSUMED = "assumed"
"""What the model of a plan from numbers is called."""

EXAMPLES = {"auc": 0.85, "correlation": 0.8, "prevalence": 0.1, "tpr": 0.9, "fpr": 0.05}
"""Numbers of an example, where the rule asks for less."""


def from_numbers(rules: Sequence[GateRule], half_width: float | None, truth: Truth, common: Common) -> list[Question]:
    """Return the questions about rules, and a half-width, from assumed numbers."""
    conditions = [condition_of(rule, common) for rule in rules]
    if half_width is not None:
        conditions.append(half_width_of(half_width, truth, common))
    found = [_assumed(condition, truth, common) for condition in conditions]
    used = {"prevalence", *(name for condition in conditions for name in _numbers_of(condition, truth, common))}
    unused = [name for name in truth.given if name not in used]
    if unused:
        options = ", ".join(f"--{name.replace('_', '-')}" for name in unused)
        raise UsageError("plan-unused", names=", ".join(unused), options=options)
    require_askable(found, common)
    return found


def _numbers_of(condition: Condition, truth: Truth, common: Common) -> dict[str, bool]:
    """Return the assumed numbers that a condition rests on, and whether it needs them."""
    metric = condition.metric.removeprefix(DELTA)
    number = RATES.get(metric, metric)
    needs_prevalence = metric == "auc" and (common.given is None or common.given.cases is None)
    numbers = {number: True}
    if condition.metric != metric:
        if metric in RATES and truth.disagree:
            numbers = {"disagree": True}
        else:
            numbers |= {f"baseline_{number}": False, "correlation": True}
    return numbers | {"prevalence": needs_prevalence}


def _assumed(condition: Condition, truth: Truth, common: Common) -> Question:
    """Return the question about a rule from assumed numbers."""
    numbers = _numbers_of(condition, truth, common)
    lacking = [name for name, is_needed in numbers.items() if is_needed and getattr(truth, name) is None]
    if lacking:
        raise _lacks(condition, truth, lacking)
    if condition.metric.endswith("auc"):
        return _assumed_area(condition, truth, common)
    return _assumed_rate(condition, truth)


def _lacks(condition: Condition, truth: Truth, lacking: Sequence[str]) -> UsageError:
    """Return the error that names all numbers that are missing, and a command that has them."""
    examples = dict(EXAMPLES)
    for name in ("auc", "tpr"):
        if condition.metric == name and condition.limit >= examples[name]:
            examples[name] = round((condition.limit + 1) / 2, 4)
    if condition.metric == "fpr" and condition.limit <= examples["fpr"]:
        examples["fpr"] = condition.limit / 2
    asked = {"half_width": condition.limit} if condition.is_half_width else {"require": f"'{condition.rule}'"}
    words = {**asked, **truth.given, **{name: examples[name] for name in lacking}}
    line = " ".join(
        f"--{name.replace('_', '-')} {in_full(value) if isinstance(value, float) else value}"
        for name, value in words.items()
    )
    return UsageError(
        "plan-lacks",
        rule=condition.rule,
        names=", ".join(lacking),
        options=", ".join(f"--{name}" for name in lacking),
        line=f"rocconf plan {line}",
    )


def _assumed_area(condition: Condition, truth: Truth, common: Common) -> Question:
    if truth.auc is None:
        raise UsageError("plan-no-question")
    prevalence, given = truth.prevalence, common.given
    if prevalence is None and given is not None and given.cases is not None and given.positives is not None:
        prevalence = given.positives / given.cases
    areas: tuple[float, ...] = (truth.auc,)
    words = f"the AUC is {in_full(truth.auc)}"
    if condition.metric.startswith(DELTA):
        other = truth.auc if truth.baseline_auc is None else truth.baseline_auc
        areas = (truth.auc, other)
        words = f"both AUCs are {in_full(other)}"
        if truth.auc != other:
            words = f"the AUC is {in_full(truth.auc)} and that of the baseline {in_full(other)}"
        words += f", their scores correlate by {in_full(truth.correlation or 0.0)}"
    words += f" and {wording.level(prevalence or 0.0)} of the cases are positive"
    population = Binormal(areas, truth.correlation or 0.0)
    return AreaQuestion(condition, ASSUMED, words, Mix(prevalence), population, common.runs, common.seed)


def _assumed_rate(condition: Condition, truth: Truth) -> Question:
    metric = condition.metric.removeprefix(DELTA)
    mix, of_positives = Mix(truth.prevalence), metric == "tpr"
    number = RATES[metric]
    rate = getattr(truth, number)
    if metric == condition.metric:
        value = 1 - rate if metric == "specificity" else rate
        return RateQuestion(condition, ASSUMED, f"the {metric} is {in_full(value)}", mix, value, of_positives)
    found = truth.disagree and disagreement(truth.disagree)
    if not found:
        other = getattr(truth, f"baseline_{number}")
        right = [rate, rate if other is None else other]
        if number == "fpr":
            right = [1 - each for each in right]
        both = quadrant(right[0], right[1], truth.correlation or 0.0)
        found = Disagreement(max(right[0] - both, 0.0), max(right[1] - both, 0.0))
    return paired_rate(condition, ASSUMED, found, mix, of_positives=of_positives)
