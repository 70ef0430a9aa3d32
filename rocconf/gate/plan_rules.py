"""Plan for rules: how many cases they need, from assumed numbers, from the cases of a pilot, or from a saved report.

Rates of two models that are assumed to be binormal with a correlation are both right on a quadrant of the bivariate
normal distribution.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocconf import wording
from rocconf.compute.compare import Comparison, compare
from rocconf.compute.evidence import Measure, evidence_of
from rocconf.compute.plan import (
    POWER,
    RUNS,
    SIMULATION,
    SMALL_PILOT,
    AreaQuestion,
    Asked,
    Binormal,
    Condition,
    FormulaQuestion,
    Mix,
    Pilot,
    Plan,
    RateQuestion,
    Size,
    plan_for,
    require_power,
    require_runs,
)
from rocconf.compute.roc.counts import count
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.compute.stats.auc_intervals import require_interval_kind
from rocconf.compute.stats.bivariate import quadrant
from rocconf.compute.stats.difference import Margin
from rocconf.compute.stats.normal import require_level
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.compute.sweep import sweep
from rocconf.errors import UsageError
from rocconf.gate.apply_rules import judge_results
from rocconf.gate.check_rules import check_options, check_rules
from rocconf.gate.rule import GateRule, in_full, parse_gate_rule
from rocconf.gate.verdict import HAVE_FLOOR
from rocconf.messages import message
from rocconf.metric import DELTA
from rocconf.records import ROBUST, Predictions, ScoreCounts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rocconf.compute.plan import Question
    from rocconf.gate.verdict import Verdict
    from rocconf.messages import Message
    from rocconf.records import Floats, IntervalKind, Source
    from rocconf.saved import SavedReport

ASSUMED = "assumed"
"""What the model of a plan from numbers is called."""

ANY_POINT = "threshold=0.5"
"""Stands for the operating point of a rule on a rate that names none: a plan needs only the rate."""

FEWEST = 5
"""The simulated samples that at least are expected to pass, and not to."""

OF_AREAS, OF_DIFFERENCES = ("auc",), ("auc", "baseline_auc", "correlation")
"""The numbers that a rule on an area, and on a difference of areas, rests on."""

RATES = {"tpr": "tpr", "fpr": "fpr", "specificity": "fpr"}
"""The metrics of an operating point that are planned, each with the number that is assumed."""

KNOWN = ("auc", "delta_auc", *RATES, "delta_tpr", "delta_specificity")
"""The metrics that are planned from numbers alone."""


@dataclass(frozen=True, slots=True)
class Truth:
    """The numbers that are assumed, None where they are not."""

    auc: float | None = None
    baseline_auc: float | None = None
    correlation: float | None = None
    tpr: float | None = None
    baseline_tpr: float | None = None
    fpr: float | None = None
    baseline_fpr: float | None = None
    disagree: str | None = None
    prevalence: float | None = None

    def __post_init__(self) -> None:
        for name in ("auc", "baseline_auc", "prevalence"):
            value = getattr(self, name)
            if value is not None and not 0 < value < 1:
                raise _outside(name, value, "(", ")")
        for name in ("tpr", "baseline_tpr", "fpr", "baseline_fpr"):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= 1:
                raise _outside(name, value, "[", "]")
        if self.correlation is not None and not -1 < self.correlation < 1:
            raise UsageError("plan-correlation", correlation=self.correlation)
        if self.disagree is not None:
            disagreement(self.disagree)

    @property
    def given(self) -> dict[str, float | str]:
        """Those that are assumed."""
        return {each.name: getattr(self, each.name) for each in fields(self) if getattr(self, each.name) is not None}


def _outside(name: str, value: float, opening: str, closing: str) -> UsageError:
    option = name.replace("_", "-")
    return UsageError("plan-share", name=name, option=option, value=value, opening=opening, closing=closing)


class Disagreement(NamedTuple):
    """The shares of the cases of a class that only the new model has right, and only its baseline."""

    more: float
    less: float


def disagreement(text: str) -> Disagreement:
    """Parse NEW:OLD, the shares of the cases that only one of two models has right."""
    try:
        more, less = map(float, text.split(":"))
    except ValueError:
        raise UsageError("plan-disagree-form", found=text) from None
    if not (more >= 0 and less >= 0 and more + less <= 1):
        raise UsageError("plan-disagree-range", found=text)
    return Disagreement(more, less)


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
    truth = Truth(auc, baseline_auc, correlation, tpr, baseline_tpr, fpr, baseline_fpr, disagree, prevalence)
    common = _Common(power, level, interval, runs, seed, _given_size(truth, positives, negatives, cases))
    texts = [rules] if isinstance(rules, str | GateRule) else rules
    parsed = [parse_gate_rule(rule) if isinstance(rule, str) else rule for rule in texts]
    parsed += _implied_rules(truth, limit, margin)
    _require_rules(parsed, truth, half_width, has_pilot=pilot is not None)
    about: tuple[Message, ...] = ()
    sources: tuple[Source, ...] = ()
    if pilot is None:
        questions = _from_numbers(parsed, half_width, truth, common)
    else:
        require_independent(pilot, "clusters-plan")
        questions, about = _of_pilot(pilot, baseline, parsed, half_width, truth, common)
        sources = pilot.sources
    names = tuple(question.condition.rule for question in questions)
    assumed = {name: value for name, value in truth.given.items() if name != "prevalence"}
    asked = Asked(names, power, level, interval, truth.prevalence, runs, seed, assumed)
    sizes = [_size_for(question, common.given) for question in questions]
    return plan_for(questions, asked, given=sizes, sources=sources, about=about)


def plan_from_report(report: SavedReport, verdicts: Sequence[Verdict], *, power: float = POWER) -> Plan:
    """Return how many cases the rules judged on a saved report need, if their values stay as they are."""
    require_power(power)
    for verdict in verdicts:
        _require_no_slices(verdict.rule)
    if report.options.get("cluster") is not None:
        raise UsageError("clusters-cannot", what=message("clusters-plan"))
    questions = [_from_verdict(verdict, paired=report.options.get("paired") is True) for verdict in verdicts]
    if not questions:
        raise UsageError("plan-no-question")
    first = verdicts[0]
    names = tuple(question.condition.rule for question in questions)
    kind = questions[0].condition.kind
    asked = Asked(names, power, first.level, kind, None, RUNS, SEED, {})
    positives = min(verdict.measure.positives for verdict in verdicts)
    return plan_for(questions, asked, sources=(report.source,), about=_about_pilot(positives))


def is_planned(rule: GateRule) -> bool:
    """Whether a rule can be planned from numbers."""
    return rule.metric in KNOWN and not rule.point_only and not rule.where and rule.by is None


def check_plan(  # the options of a plan
    rules: Sequence[GateRule],
    *,
    has_pilot: bool,
    limit: float | None,
    margin: float | None,
    half_width: float | None,
    positives: int | None,
    negatives: int | None,
    cases: int | None,
    power: float,
    level: float,
    interval: IntervalKind,
    runs: int,
    seed: int,
    baseline: str | None,  # noqa: ARG001  # the models are not known yet
    **assumed: Any,
) -> tuple[GateRule, ...]:
    """Return the rules of a plan, and reject what `plan` would, as far as that is known before a pilot is read."""
    truth = Truth(**assumed)
    common = _Common(power, level, interval, runs, seed, _given_size(truth, positives, negatives, cases))
    all_rules = [*rules, *_implied_rules(truth, limit, margin)]
    _require_rules(all_rules, truth, half_width, has_pilot=has_pilot)
    if not has_pilot:
        _from_numbers(all_rules, half_width, truth, common)
    return tuple(all_rules)


def _implied_rules(truth: Truth, limit: float | None, margin: float | None) -> list[GateRule]:
    """Return the rules that a limit and a margin stand for: about the number that is assumed, or the area."""
    name = "tpr" if truth.tpr is not None else "fpr" if truth.fpr is not None else "auc"
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
        whole = replace(rule, at=ANY_POINT) if _is_rate(rule.metric) and rule.at is None and not has_pilot else rule
        check_rules([whole], Comparison, may_choose=True)
        if not has_pilot and rule.metric not in KNOWN:
            raise UsageError("plan-metric", rule=rule.text, known=", ".join(KNOWN))


@dataclass(frozen=True, slots=True)
class _Common:
    """What all questions share."""

    power: float
    level: float
    kind: IntervalKind
    runs: int
    seed: int
    given: Size | None

    def __post_init__(self) -> None:
        require_power(self.power)
        require_level(self.level)
        require_interval_kind(self.kind)
        require_runs(self.runs)
        generator(self.seed)


def _is_rate(metric: str) -> bool:
    return metric.removeprefix(DELTA) in RATES


def _given_size(truth: Truth, positives: int | None, negatives: int | None, cases: int | None) -> Size | None:
    """Return the size whose power is asked for; None of a class that is to follow from the prevalence."""
    for name, value in (("positives", positives), ("negatives", negatives), ("cases", cases)):
        if value is not None and value < 1:
            raise UsageError("plan-size", name=name, value=value)
    if cases is not None:
        if positives is not None or negatives is not None:
            raise UsageError("plan-cases-and-classes")
        if truth.prevalence is None:
            raise UsageError("plan-cases-without-prevalence")
        return Mix(truth.prevalence).of_cases(cases)
    return None if positives is None and negatives is None else Size(positives, negatives)


def _size_for(question: Question, given: Size | None) -> Size | None:
    """Return the size whose power is asked for, the other class by the prevalence."""
    if given is None or given.cases is not None:
        return given
    mix: Mix = getattr(question, "mix", Mix(None))
    return mix.of_negatives(given.negatives or 1) if given.positives is None else mix.of_positives(given.positives)


def _condition(rule: GateRule, common: _Common) -> Condition:
    level = common.level if rule.level is None else rule.level
    return Condition(rule.text, rule.metric, rule.op, rule.limit, level, common.kind)


def _half_width(half_width: float, truth: Truth, common: _Common, *, paired: bool = False) -> Condition:
    """Return the condition of an interval's half-width, about the number that is assumed, or the area."""
    name = "tpr" if truth.tpr is not None else "fpr" if truth.fpr is not None else "auc"
    if name != "auc":
        raise UsageError("plan-half-width-of-rate")
    metric = f"{DELTA}auc" if paired or truth.correlation is not None else "auc"
    text = f"{metric} within {in_full(half_width)}"
    return Condition(text, metric, "<=", half_width, common.level, common.kind, is_half_width=True)


def _from_numbers(rules: Sequence[GateRule], half_width: float | None, truth: Truth, common: _Common) -> list[Question]:
    """Return the questions about rules, and a half-width, from assumed numbers."""
    conditions = [_condition(rule, common) for rule in rules]
    if half_width is not None:
        conditions.append(_half_width(half_width, truth, common))
    found = [_assumed(condition, truth, common) for condition in conditions]
    used = {"prevalence", *(name for condition in conditions for name in _numbers_of(condition, truth))}
    unused = [name for name in truth.given if name not in used]
    if unused:
        options = ", ".join(f"--{name.replace('_', '-')}" for name in unused)
        raise UsageError("plan-unused", names=", ".join(unused), options=options)
    for question in found:
        _require_size(question, common.given)
        _require_enough_runs(question, common)
    return found


def _numbers_of(condition: Condition, truth: Truth) -> tuple[str, ...]:
    """Return the assumed numbers that a condition rests on."""
    metric = condition.metric.removeprefix(DELTA)
    is_difference = condition.metric != metric
    if metric == "auc":
        return OF_DIFFERENCES if is_difference else OF_AREAS
    number = RATES[metric]
    if not is_difference:
        return (number,)
    return ("disagree",) if truth.disagree else (number, f"baseline_{number}", "correlation")


def _require_enough_runs(question: Question, common: _Common) -> None:
    """Reject a power so near to 0 or 1 that hardly a simulated sample is on the other side."""
    least = ceil(round(FEWEST / min(common.power, 1 - common.power), 3))
    if question.method == SIMULATION and common.runs < least:
        raise UsageError("plan-runs-of-power", power=common.power, runs=common.runs, least=least)


def _require_size(question: Question, given: Size | None) -> None:
    """Reject a size that says nothing about a rule: of the other class alone, or for a formula."""
    if given is None:
        return
    rule = question.condition.rule
    if isinstance(question, FormulaQuestion):
        raise UsageError("plan-size-by-formula", rule=rule)
    size = _size_for(question, given)
    if size is None or question.unit_of(size) is None:
        raise UsageError(
            "plan-size-of-other-class", rule=rule, name="positives" if question.counts_positives else "negatives"
        )


def _assumed(condition: Condition, truth: Truth, common: _Common) -> Question:
    """Return the question about a rule from assumed numbers."""
    lacking = list(_lacking(condition, truth, common))
    if lacking:
        raise _lacks(condition, truth, lacking)
    if condition.metric.endswith("auc"):
        return _assumed_area(condition, truth, common)
    return _assumed_rate(condition, truth)


def _lacking(condition: Condition, truth: Truth, common: _Common) -> Iterator[str]:
    """Yield the numbers that a rule needs and that are not given."""
    metric = condition.metric.removeprefix(DELTA)
    is_difference = condition.metric != metric
    number = RATES.get(metric, metric)
    if getattr(truth, number) is None and not (is_difference and metric in RATES and truth.disagree):
        yield number
    if is_difference and truth.correlation is None and not (metric in RATES and truth.disagree):
        yield "correlation"
    if metric == "auc" and truth.prevalence is None and (common.given is None or common.given.cases is None):
        yield "prevalence"


EXAMPLES = {"auc": 0.85, "correlation": 0.8, "prevalence": 0.1, "tpr": 0.9, "fpr": 0.05}
"""Numbers of an example, where the rule asks for less."""


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


def _assumed_area(condition: Condition, truth: Truth, common: _Common) -> Question:
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
    return AreaQuestion(condition, ASSUMED, words, population, Mix(prevalence), common.runs, common.seed)


def _assumed_rate(condition: Condition, truth: Truth) -> Question:
    metric = condition.metric.removeprefix(DELTA)
    mix, of_positives = Mix(truth.prevalence), metric == "tpr"
    number = RATES[metric]
    rate = getattr(truth, number)
    if metric == condition.metric:
        value = 1 - rate if metric == "specificity" else rate
        return RateQuestion(condition, ASSUMED, f"the {metric} is {in_full(value)}", value, mix, of_positives)
    found = truth.disagree and disagreement(truth.disagree)
    if not found:
        other = getattr(truth, f"baseline_{number}")
        right = [rate, rate if other is None else other]
        if number == "fpr":
            right = [1 - each for each in right]
        both = quadrant(right[0], right[1], truth.correlation or 0.0)
        found = Disagreement(max(right[0] - both, 0.0), max(right[1] - both, 0.0))
    return _paired_rate(condition, ASSUMED, found, mix, of_positives=of_positives)


def _paired_rate(
    condition: Condition, model: str, found: Disagreement, mix: Mix, *, of_positives: bool
) -> RateQuestion:
    """Return the question about a difference of two rates, which no case that both models have right takes part in."""
    of_class = "positives" if of_positives else "negatives"
    words = (
        f"{100 * found.more:.3g}% of the {of_class} are right in the model alone and {100 * found.less:.3g}% "
        "in its baseline alone"
    )
    return RateQuestion(condition, model, words, found.more - found.less, mix, of_positives, found.more, found.less)


def _of_pilot(  # noqa: PLR0917  # what a pilot is asked
    pilot: ScoreCounts | Predictions,
    baseline: str | None,
    rules: Sequence[GateRule],
    half_width: float | None,
    truth: Truth,
    common: _Common,
) -> tuple[list[Question], tuple[Message, ...]]:
    """Return the questions about the cases of a pilot, and what must be known of it."""
    if isinstance(pilot, Predictions) and len(pilot.models) == 1:
        pilot = count(pilot)
    if isinstance(pilot, Predictions) and len(pilot.models) > 2:
        raise UsageError("plan-two-models", models=", ".join(pilot.models))
    result: Any
    models: tuple[ScoreCounts, ...]
    if isinstance(pilot, Predictions):
        result = compare(pilot, baseline=baseline, level=common.level, interval=common.kind)
        new = next(each.counts for each in result.models if each.counts.model != result.asked.baseline)
        old = next(each.counts for each in result.models if each.counts.model == result.asked.baseline)
        models = (new, old)
    else:
        result = sweep(pilot, level=common.level, interval=common.kind)
        models = (pilot,)
    p, q = models[0].p, models[0].q
    if min(p, q) < 2:
        raise UsageError("plan-pilot-of-one", positives=p, negatives=q)
    check_rules(rules, type(result), may_choose=True)
    check_options(rules, type(result), result.options)
    verdicts = {
        each.rule: each for each in judge_results(rules, [result], choose_on={}) if each.model == models[0].model
    }
    mix = Mix(truth.prevalence or p / (p + q))
    questions = [
        _piloted(verdicts[rule], _condition(rule, common), pilot, models, mix, common)
        for rule in rules
        if rule in verdicts
    ]
    if half_width is not None:
        condition = _half_width(half_width, truth, common, paired=len(models) > 1)
        questions.append(_piloted_area(condition, pilot, models, mix, common))
    for question in questions:
        _require_size(question, common.given)
        _require_enough_runs(question, common)
    chosen = [
        str(each.measure.at and each.rule.at)
        for each in verdicts.values()
        if each.measure.at and each.measure.at.in_sample
    ]
    in_sample = [message("plan-in-sample", rules=", ".join(dict.fromkeys(chosen)))] if chosen else []
    return questions, (*_about_pilot(p), *in_sample)


def _about_pilot(positives: int) -> tuple[Message, ...]:
    return (message("plan-small-pilot", positives=positives),) if positives < SMALL_PILOT else ()


def _piloted(  # noqa: PLR0917  # what a pilot has
    verdict: Verdict,
    condition: Condition,
    pilot: ScoreCounts | Predictions,
    models: Sequence[ScoreCounts],
    mix: Mix,
    common: _Common,
) -> Question:
    """Return the question about one rule on the cases of a pilot."""
    metric, model = condition.metric, models[0].model
    if isinstance(verdict.measure, Measure) and verdict.measure.is_from_itself:
        raise UsageError("plan-of-itself", rule=condition.rule)
    if metric.endswith("auc") and metric.removeprefix(DELTA) == "auc":
        return _piloted_area(condition, pilot, models[: 2 if metric.startswith(DELTA) else 1], mix, common)
    measure = verdict.measure
    if not isinstance(measure, Measure) or measure.interval is None:
        raise UsageError("plan-without-interval", rule=condition.rule)
    if metric in RATES:
        words = f"the {metric} is {wording.rate(measure.value)} as in the pilot"
        return RateQuestion(condition, model, words, measure.value, mix, metric == "tpr")
    if _is_rate(metric) and isinstance(pilot, Predictions):
        found = _disagreement_in(pilot, models, str(verdict.rule.at), of_positives=metric == f"{DELTA}tpr")
        return _paired_rate(condition, model, found, mix, of_positives=metric == f"{DELTA}tpr")
    return _from_verdict(verdict, paired=True)


def _piloted_area(
    condition: Condition,
    pilot: ScoreCounts | Predictions,
    models: Sequence[ScoreCounts],
    mix: Mix,
    common: _Common,
) -> Question:
    if isinstance(pilot, Predictions):
        sign = -1.0 if pilot.lower_is_positive else 1.0
        scores = np.array([sign * pilot.scores[each.model] for each in models])
        population = Pilot(scores[:, pilot.labels], scores[:, ~pilot.labels])
    else:
        population = Pilot(*(_scores_of(pilot, cumulated) for cumulated in (pilot.tp, pilot.fp)))
    words = "the cases are like those of the pilot"
    return AreaQuestion(condition, models[0].model, words, population, mix, common.runs, common.seed)


def _scores_of(counts: ScoreCounts, cumulated: Any) -> Floats:
    """Return the ranks of the scores of a class, one for each case."""
    ranks = -np.arange(len(counts.scores), dtype=np.float64)  # the first score is predicted positive first
    return np.repeat(ranks, np.diff(cumulated))[None, :]


def _disagreement_in(pilot: Predictions, models: Sequence[ScoreCounts], at: str, *, of_positives: bool) -> Disagreement:
    """Return the shares of the cases of a class that only one of two models has right at an operating point."""
    right = []
    for each in models:
        (evidence,) = evidence_of(sweep(each))
        threshold = evidence.point(parse_point_rule(at)).threshold
        scores = pilot.scores[each.model]
        if threshold is None:
            flagged = np.zeros(len(scores), dtype=np.bool_)
        else:
            flagged = scores <= threshold if pilot.lower_is_positive else scores >= threshold
        right.append((flagged == of_positives)[pilot.labels == of_positives])
    return Disagreement(float((right[0] & ~right[1]).mean()), float((right[1] & ~right[0]).mean()))


def _from_verdict(verdict: Verdict, *, paired: bool) -> FormulaQuestion:
    """Return the question about a measure with an interval, which is scaled to more cases."""
    rule, measure = verdict.rule, verdict.measure
    if not isinstance(measure, Measure) or measure.interval is None or measure.is_from_itself:
        raise UsageError("plan-without-interval", rule=rule.text)
    p, q = measure.positives, measure.n - measure.positives
    kind = measure.kind or ROBUST
    condition = Condition(rule.text, rule.metric, rule.op, rule.limit, verdict.level, kind)
    words = f"the value stays at {wording.rate(measure.value)} {wording.interval(*measure.interval.ends)}"
    has_floor = kind == ROBUST and rule.metric in HAVE_FLOOR and paired
    return FormulaQuestion(condition, verdict.model, words, measure.value, measure.interval, Size(p, q), has_floor)
