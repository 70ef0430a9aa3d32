"""Rules over results: what a release must hold, judged on intervals, in three words.

The rules are looked at before any input is read (`check`), and judged when the results are there (`judge_all`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocconf.compute.measures import AT_A_POINT, WHOLE, Measure, counts_of, measure
from rocconf.compute.roc.operating import operating_point
from rocconf.compute.roc.operating import parse_rule as parse_point
from rocconf.errors import UsageError
from rocconf.gate.config import Config, find_config, read_config
from rocconf.gate.rule import Rule, parse_rule
from rocconf.gate.verdict import STATUS, At, Verdict, always, judge, overall

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rocconf.answer import Result
    from rocconf.records import ScoreCounts

__all__ = [
    "STATUS",
    "Config",
    "Rule",
    "Verdict",
    "always",
    "check",
    "find_config",
    "judge_all",
    "overall",
    "parse_rule",
    "read_config",
    "undecided",
]

OTHER_WORDS = {
    "recall": "tpr",
    "sensitivity": "tpr",
    "tnr": "specificity",
    "ppv": "precision",
    "roc_auc": "auc",
    "ap": "average_precision",
    "pr_auc": "average_precision",
    "f1_score": "f1",
}
"""What else people call a metric."""
SAME_SCORES = "same-scores"
"""The caveat of a drift that compared a file with itself."""


def check(rules: Iterable[Rule], result: type[Result], *, may_choose: bool) -> None:
    """Refuse rules that can never be judged, before any input is read.

    `may_choose` says whether an operating point may be chosen: on other cases, or in-sample with open eyes.
    """
    for rule in rules:
        _require_known(rule, result)
        if rule.at is not None and parse_point(rule.at).chooses and not may_choose:
            elsewhere = "choose on other cases with --choose-on FILE, " if result.may_choose_on else ""
            raise UsageError(
                f"rule {rule.text!r} would choose its threshold on the cases it judges, which flatters it: {elsewhere}"
                "give @threshold=X, or say --allow-in-sample"
            )


def judge_all(
    rules: Iterable[Rule],
    results: Sequence[Result],
    *,
    level: float,
    choice: Mapping[str, ScoreCounts],
    in_sample: bool = False,
) -> list[Verdict]:
    """Judge every rule on the models it is about; their thresholds are chosen on `choice`, or in-sample.

    `in_sample` says that the cases of `choice` include those that are judged.
    """
    return [verdict for rule in rules for verdict in _judge(rule, results, level, choice, in_sample=in_sample)]


def undecided(rules: Iterable[Rule], models: Sequence[Result], *, level: float, reason: str) -> list[Verdict]:
    """Say of rules about these models that there was nothing to judge them on."""
    nothing = Measure(None, reason=reason)
    return [
        judge(
            rule,
            nothing,
            command=result.command,
            model=name,
            level=rule.level or level,
            baseline=result.options.get("baseline"),
        )
        for rule in rules
        for name, result in _models_of(rule, models)
    ]


def _models_of(rule: Rule, results: Sequence[Result]) -> list[tuple[str, Result]]:
    """Return the models that a rule is about, with what was found of each."""
    models = {counts_of(each).model: each for result in results for each in result.judged()}
    if rule.model is not None and rule.model not in models:
        raise UsageError(f"rule {rule.text!r}: no model {rule.model!r} (found: {', '.join(models)})")
    return [(name, each) for name, each in models.items() if is_about(rule, name, is_baseline=each.is_baseline)]


def is_about(rule: Rule, model: str, *, is_baseline: bool) -> bool:
    """Whether a rule is about a model: the one it names, or all but the baseline."""
    return not is_baseline if rule.model is None else rule.model == model


def _judge(
    rule: Rule, results: Sequence[Result], level: float, choice: Mapping[str, ScoreCounts], *, in_sample: bool
) -> Iterable[Verdict]:
    for name, result in _models_of(rule, results):
        point, at = None, None
        if rule.at is not None:
            point = operating_point(counts_of(result), parse_point(rule.at), choose_on=choice.get(name))
            at = At(point.threshold, point.in_sample or (in_sample and point.rule.chooses))
        found = measure(result, rule.metric, level=rule.level or level, point=point)
        if rule.metric.startswith("drift") and SAME_SCORES in {caveat.code for caveat in result.caveats}:
            found = Measure(None, n=found.n, positives=found.positives, reason="the reference is the same scores")
        baseline = result.options.get("baseline")
        yield judge(
            rule, found, command=result.command, model=name, level=rule.level or level, at=at, baseline=baseline
        )


def _require_known(rule: Rule, result: type[Result]) -> None:
    whole, at_point = (*WHOLE, *result.measured), (*AT_A_POINT, *result.measured_at_point)
    known = whole if rule.at is None else at_point
    if rule.metric in known:
        return
    if rule.metric in at_point:
        raise UsageError(f"rule {rule.text!r}: {rule.metric} is of an operating point: {rule.metric}@RULE")
    if rule.metric in whole:
        raise UsageError(f"rule {rule.text!r}: {rule.metric} is of the whole curve, not of an operating point")
    from difflib import get_close_matches

    same = OTHER_WORDS.get(rule.metric.lower())
    close = [same] if same in known else get_close_matches(rule.metric.lower(), known, n=1)
    meant = f"; did you mean {close[0]!r}?" if close else f" (known: {', '.join(known)})"
    if rule.is_difference and result.command != "compare":
        meant = ": differences from a baseline are judged by compare"
    raise UsageError(f"rule {rule.text!r}: {result.command} has no metric {rule.metric!r}{meant}")
