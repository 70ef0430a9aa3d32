"""The questions of a plan from cases that stand for all, or from what was judged on a saved report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf import wording
from rocconf.compute.compare import compare
from rocconf.compute.evidence import Measure, evidence_of
from rocconf.compute.plan import (
    SMALL_PILOT,
    AreaQuestion,
    Condition,
    FormulaQuestion,
    Mix,
    Pilot,
    RateQuestion,
    Size,
)
from rocconf.compute.roc.counts import count
from rocconf.compute.roc.curve import require_scores
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.compute.sweep import sweep
from rocconf.errors import UsageError
from rocconf.gate.apply_rules import judge_results
from rocconf.gate.check_rules import check_options, check_rules
from rocconf.gate.plan_assumed import (
    RATES,
    Common,
    Disagreement,
    Truth,
    condition_of,
    half_width_of,
    is_rate,
    paired_rate,
    require_enough_runs,
    require_size,
)
from rocconf.gate.verdict import HAVE_FLOOR
from rocconf.messages import message
from rocconf.metric import DELTA
from rocconf.records import ROBUST, Predictions, ScoreCounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.compute.plan import Question
    from rocconf.gate.rule import GateRule
    from rocconf.gate.verdict import Verdict
    from rocconf.messages import Message
    from rocconf.records import Floats


def from_pilot(  # noqa: PLR0917  # what a pilot is asked
    pilot: ScoreCounts | Predictions,
    baseline: str | None,
    rules: Sequence[GateRule],
    half_width: float | None,
    truth: Truth,
    common: Common,
) -> tuple[list[Question], tuple[Message, ...]]:
    """Return the questions about the cases of a pilot, and what must be known of it."""
    if isinstance(pilot, Predictions) and len(pilot.models) == 1:
        pilot = count(pilot)
    if isinstance(pilot, ScoreCounts):
        require_scores(pilot, "bins-plan")
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
        _piloted(verdicts[rule], condition_of(rule, common), pilot, models, mix, common)
        for rule in rules
        if rule in verdicts
    ]
    if half_width is not None:
        condition = half_width_of(half_width, truth, common, paired=len(models) > 1)
        questions.append(_piloted_area(condition, pilot, models, mix, common))
    for question in questions:
        require_size(question, common.given)
        require_enough_runs(question, common)
    chosen = [
        str(each.measure.at and each.rule.at)
        for each in verdicts.values()
        if each.measure.at and each.measure.at.in_sample
    ]
    in_sample = [message("plan-in-sample", rules=", ".join(dict.fromkeys(chosen)))] if chosen else []
    return questions, (*about_pilot(p), *in_sample)


def about_pilot(positives: int) -> tuple[Message, ...]:
    """Return the warning about a pilot of few positives."""
    return (message("plan-small-pilot", positives=positives),) if positives < SMALL_PILOT else ()


def _piloted(  # noqa: PLR0917  # what a pilot has
    verdict: Verdict,
    condition: Condition,
    pilot: ScoreCounts | Predictions,
    models: Sequence[ScoreCounts],
    mix: Mix,
    common: Common,
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
    if is_rate(metric) and isinstance(pilot, Predictions):
        found = _disagreement_in(pilot, models, str(verdict.rule.at), of_positives=metric == f"{DELTA}tpr")
        return paired_rate(condition, model, found, mix, of_positives=metric == f"{DELTA}tpr")
    return from_verdict(verdict, paired=True)


def _piloted_area(
    condition: Condition,
    pilot: ScoreCounts | Predictions,
    models: Sequence[ScoreCounts],
    mix: Mix,
    common: Common,
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


def from_verdict(verdict: Verdict, *, paired: bool) -> FormulaQuestion:
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
