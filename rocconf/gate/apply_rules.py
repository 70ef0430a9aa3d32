"""Judge each rule on the models it is about, at its level and operating point."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rocconf.compute.evidence import Unavailable, evidence_of
from rocconf.compute.roc.counts import is_of_same_cases
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.errors import UsageError
from rocconf.gate.check_rules import check_options, check_rules, require_named, require_no_copies
from rocconf.gate.rule import GateRule, parse_gate_rule
from rocconf.gate.verdict import Part, Verdicts, verdict_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rocconf.answer import Result
    from rocconf.compute.evidence import Evidence, Measure
    from rocconf.gate.verdict import Verdict
    from rocconf.records import ScoreCounts


def judge(
    result: Result,
    rules: str | GateRule | Iterable[str | GateRule],
    *,
    choose_on: Mapping[str, ScoreCounts] | None = None,
    allow_in_sample: bool = False,
    allow_identical: bool = False,
) -> Verdicts:
    """Return the verdicts of rules like `auc >= 0.85` on a result: those of the command line, true if all passed.

    Parameters
    ----------
    result
        The result of an analysis.
    rules
        A rule, or several.
    choose_on
        For each model the counts of other cases, on which operating points choose their thresholds; a comparison has
        them from `compare`.
    allow_in_sample
        Whether a threshold may be chosen on the cases it is judged on.
    allow_identical
        Whether a model may be compared with itself: with a baseline, or a reference, of the same scores.

    Examples
    --------
    >>> import rocconf
    >>> result = rocconf.sweep([0, 0, 1, 1, 1, 0, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.9, 0.2, 0.55, 0.6])
    >>> verdicts = rocconf.judge(result, ["auc >= 0.3", "positives >= 100"])
    >>> verdicts.verdict, verdicts.exit_code, bool(verdicts)
    ('fail', 1, False)
    >>> verdicts
    Verdicts: fail
      pass: auc >= 0.3: score: auc is 0.875 [0.317, 0.991] (95%, robust): even the low end is >= 0.3
      fail: positives >= 100: score: positives is 4, and the rule is >= 100
    """
    given = [rules] if isinstance(rules, str | GateRule) else rules
    parsed = [parse_gate_rule(rule) if isinstance(rule, str) else rule for rule in given]
    if allow_identical:
        parsed = [replace(rule, allow_identical=True) for rule in parsed]
    of_result: Mapping[str, ScoreCounts] | None = getattr(result, "choose_on", None)
    if of_result is not None:  # a comparison, whose differences are at the thresholds it was made with
        if choose_on is not None and choose_on is not of_result:
            raise UsageError("choose-on-of-comparison")
        choose_on = of_result or None
    for each in result.model_counts:
        chosen_on = (choose_on or {}).get(each.model)
        if chosen_on is not None and is_of_same_cases(chosen_on, each):
            raise UsageError("choose-on-itself", model=each.model)
    chosen_elsewhere = choose_on is not None and all(each.model in choose_on for each in result.model_counts)
    may_choose = allow_in_sample or chosen_elsewhere
    check_rules(parsed, type(result), may_choose=may_choose, level=result.options.get("level"))
    check_options(parsed, type(result), result.options)
    for rule in parsed:
        if rule.where:
            raise UsageError("rule-where", rule=rule.text)
    return Verdicts(judge_results(parsed, [result], choose_on=choose_on or {}))


def judge_results(
    rules: Iterable[GateRule],
    results: Sequence[Result],
    *,
    choose_on: Mapping[str, ScoreCounts],
    chosen_in_sample: bool = False,
) -> list[Verdict]:
    """Return the verdict of every rule on each model it is about, with thresholds chosen on `choose_on` or in-sample.

    `chosen_in_sample` means that the cases of `choose_on` include those that are judged.
    """
    rules = tuple(rules)
    for result in results:
        chosen_on = (source for counts in choose_on.values() for source in counts.sources)
        require_named(rules, (*result.sources, *chosen_on), result.options)
        require_no_copies(rules, result.caveats)
    evidence = [
        each for result in results for each in evidence_of(result, choose_on, chosen_in_sample=chosen_in_sample)
    ]
    return [verdict for rule in rules for each in models_of(rule, evidence) for verdict in judge_model(rule, each)]


def judge_model(rule: GateRule, evidence: Evidence, *, model: str | None = None) -> list[Verdict]:
    """Return the verdict of a rule on a model or, of a rule about every slice, those on all of them."""
    if rule.by is None:
        return [judge_rule(rule, evidence, model=model)]
    slices = evidence.slices(rule.by)
    if not slices:
        raise UsageError("rule-by-unknown", rule=rule.text, by=rule.by)
    decided = sum(each.evidence is not None for each in slices)
    level = evidence.level if rule.level is None else rule.level
    of_each = replace(rule, level=level_of_slice(level, decided))
    at = None if rule.at is None else parse_point_rule(rule.at)
    verdicts = []
    for each in slices:
        measure: Measure | Unavailable = each.too_few
        if each.evidence is not None:
            measure = each.evidence.evidence(rule.metric, at, of_each.level, with_interval=not rule.point_only)
        part = Part(each.value, decided, level)
        verdicts.append(verdict_of(of_each, measure, evidence=each.evidence or evidence, model=model, part=part))
    return verdicts


def level_of_slice(level: float, slices: int) -> float:
    """Return the level at which each slice is judged, so that all intervals hold together at a level (Bonferroni)."""
    return 1 - (1 - level) / slices if slices > 1 else level


def judge_rule(rule: GateRule, evidence: Evidence, *, model: str | None = None) -> Verdict:
    """Return the verdict of one rule on one model, which may have another name than in its report."""
    at = None if rule.at is None else parse_point_rule(rule.at)
    measure = evidence.evidence(rule.metric, at, rule.level, with_interval=not rule.point_only)
    return verdict_of(rule, measure, evidence=evidence, model=model)


def judge_undecided(rules: Iterable[GateRule], results: Sequence[Result], *, reason: str) -> list[Verdict]:
    """Return the verdicts of rules about these models on cases that cannot be analysed."""
    evidence = [each for result in results for each in evidence_of(result)]
    nothing = Unavailable(reason)
    return [verdict_of(rule, nothing, evidence=each) for rule in rules for each in models_of(rule, evidence)]


def models_of(rule: GateRule, evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the models that a rule is about: the one it names, or all but the baseline."""
    if rule.model is None:
        return [each for each in evidence if not each.is_baseline and each.is_about(rule.metric)]
    named = [each for each in evidence if each.model == rule.model]
    if named and not any(each.is_about(rule.metric) for each in named):
        others = ", ".join(each.model for each in evidence if each.is_about(rule.metric))
        raise UsageError("rule-other-unit", rule=rule.text, metric=rule.metric, model=rule.model, others=others)
    if not named:
        found = ", ".join(each.model for each in evidence)
        raise UsageError("rule-unknown-model", rule=rule.text, model=rule.model, found=found)
    return named
