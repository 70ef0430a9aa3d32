"""The questions of a plan from cases that stand for all, or from what was judged on a saved report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf import wording
from rocconf.compute.compare import compare
from rocconf.compute.evidence import Measure
from rocconf.compute.plan import (
    SMALL_PILOT,
    AreaQuestion,
    Condition,
    FormulaQuestion,
    Pilot,
    RateQuestion,
    require_askable,
)
from rocconf.compute.roc.counts import count
from rocconf.compute.roc.curve import require_scores
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.sweep import sweep
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.gate.apply_rules import judge_results
from rocconf.gate.check_rules import check_options, check_rules
from rocconf.gate.plan_numbers import RATES, condition_of, half_widths, is_rate
from rocconf.messages import message
from rocconf.metric import DELTA
from rocconf.records import ROBUST, UNKNOWN, Predictions, ScoreCounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.compute.plan import PlanOptions, Question
    from rocconf.gate.rule import GateRule
    from rocconf.gate.verdict import Verdict
    from rocconf.messages import Message
    from rocconf.records import Floats


def from_pilot(
    pilot: ScoreCounts | Predictions, baseline: str | None, rules: Sequence[GateRule], asked: PlanOptions
) -> tuple[list[Question], tuple[Message, ...]]:
    """Return the questions about the cases of a pilot, and what must be known of it."""
    if isinstance(pilot, Predictions) and len(pilot.models) == 1:
        pilot = count(pilot)
    if isinstance(pilot, Predictions) and len(pilot.models) > 2:
        raise UsageError("plan-two-models", models=", ".join(pilot.models))
    result: Any
    if isinstance(pilot, Predictions):
        result = compare(pilot, baseline=baseline, level=asked.level, interval=asked.interval)
        both = sorted((each.counts for each in result.models), key=lambda each: each.model == result.asked.baseline)
        models = tuple(both)
    else:
        result = sweep(pilot, level=asked.level, interval=asked.interval)
        models = (pilot,)
    p, q = models[0].p, models[0].q
    if min(p, q) < 2:
        raise UsageError("plan-pilot-of-one", positives=p, negatives=q)
    check_rules(rules, type(result), may_choose=True)
    check_options(rules, type(result), result.options)
    verdicts = judge_results(rules, [result], choose_on={})
    cases = _Cases(pilot, models, asked.prevalence or p / (p + q), asked)
    widths = half_widths(asked, paired=len(models) > 1)
    questions = [*map(cases.question, verdicts), *(cases.area(each, models[0].model) for each in widths)]
    require_askable(questions, asked)
    chosen = [str(each.rule.at) for each in verdicts if each.measure.at and each.measure.at.in_sample]
    in_sample = [message("plan-in-sample", rules=", ".join(dict.fromkeys(chosen)))] if chosen else []
    return questions, (*about_pilot(p), *in_sample)


def about_pilot(positives: int) -> tuple[Message, ...]:
    """Return the warning about a pilot of few positives."""
    return (message("plan-small-pilot", positives=positives),) if positives < SMALL_PILOT else ()


@dataclass(frozen=True, slots=True, eq=False)
class _Cases:
    """The cases of a pilot: of a model, or of a model and its baseline."""

    pilot: ScoreCounts | Predictions
    models: tuple[ScoreCounts, ...]
    prevalence: float
    asked: PlanOptions

    @property
    def _are_drawn(self) -> bool:
        """Whether samples can be drawn: not of clusters, nor of scores in bins."""
        return self.pilot.clusters is None and self.models[0].wide is None

    def question(self, verdict: Verdict) -> Question:
        """Return the question about one rule."""
        measure, model, condition = verdict.measure, verdict.model, condition_of(verdict.rule, self.asked)
        metric = condition.metric
        if isinstance(measure, Measure) and measure.is_from_itself:
            raise UsageError("plan-of-itself", rule=condition.rule)
        if not self._are_drawn or not (metric.removeprefix(DELTA) == "auc" or is_rate(metric)):
            return from_verdict(verdict)
        if not isinstance(measure, Measure) or measure.interval is None:
            raise UsageError("plan-without-interval", rule=condition.rule)
        if not is_rate(metric):
            return self.area(condition, model)
        of_positives = metric.removeprefix(DELTA) == "tpr"
        if metric in RATES:
            words = f"the {metric} is {wording.rate(measure.value)} as in the pilot"
            return RateQuestion(condition, model, words, self.prevalence, measure.value, of_positives)
        pairs = measure.estimate
        shares = pairs.only_first / pairs.cases, pairs.only_second / pairs.cases
        return RateQuestion.paired(condition, model, self.prevalence, shares, of_positives=of_positives)

    def area(self, condition: Condition, model: str) -> Question:
        """Return the question about the area of a model, or the difference of the two."""
        require_independent(self.pilot, "clusters-plan")
        require_scores(self.models[0], "bins-plan")
        models = [each for each in self.models if condition.metric.startswith(DELTA) or each.model == model]
        if isinstance(self.pilot, Predictions):
            sign = -1.0 if self.pilot.lower_is_positive else 1.0
            scores = np.array([sign * self.pilot.scores[each.model] for each in models])
            population = Pilot(scores[:, self.pilot.labels], scores[:, ~self.pilot.labels])
        else:
            population = Pilot(*(_ranks_of(cumulated) for cumulated in (self.pilot.tp, self.pilot.fp)))
        words, asked = "the cases are like those of the pilot", self.asked
        return AreaQuestion(condition, model, words, self.prevalence, population, asked.runs, asked.seed)


def _ranks_of(cumulated: Any) -> Floats:
    """Return the ranks of the scores of a class, one for each case; the first score is predicted positive first."""
    return np.repeat(-np.arange(len(cumulated) - 1, dtype=np.float64), np.diff(cumulated))[None, :]


def from_verdict(verdict: Verdict) -> FormulaQuestion:
    """Return the question about a metric with an estimate at hand."""
    rule, measure = verdict.rule, verdict.measure
    if not isinstance(measure, Measure) or measure.interval in {None, UNKNOWN} or measure.is_from_itself:
        raise UsageError("plan-without-interval", rule=rule.text)
    kind = measure.kind or ROBUST
    condition = Condition(rule.text, rule.metric, rule.op, rule.limit, verdict.level, kind)
    words = f"the value stays at {wording.rate(measure.value)} {wording.interval(*measure.interval.ends)}"
    prevalence = measure.positives / measure.n
    return FormulaQuestion(condition, verdict.model, words, prevalence, measure.estimate, measure.positives)
