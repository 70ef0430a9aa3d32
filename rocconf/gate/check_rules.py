"""Reject rules that cannot be judged, before any input is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.compute.evidence import metrics_of
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.compute.roc.rates import RESTATED
from rocconf.errors import UsageError
from rocconf.messages import did_you_mean, message

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocconf.answer import Result
    from rocconf.gate.rule import GateRule
    from rocconf.messages import Message
    from rocconf.metric import Metric

PERMUTED = ("max_chi2_p", "drift_p", "drift_within_p")


def check_rules(rules: Iterable[GateRule], result: type[Result], *, may_choose: bool) -> None:
    """Reject rules about metrics that a command does not have, and thresholds chosen on the cases that are judged.

    `may_choose` says whether an operating point may be chosen: on other cases, or knowingly in-sample.
    """
    for rule in rules:
        _require_known(rule, result)
        if rule.at is not None and parse_point_rule(rule.at).chooses and not may_choose:
            raise UsageError("rule-in-sample" if result.may_choose_on else "rule-in-sample-only", rule=rule.text)


def check_options(rules: Iterable[GateRule], options: Mapping[str, Any]) -> None:
    """Reject rules about metrics that a run with these options computes in another way."""
    for rule in rules:
        why = _conflict(rule, options)
        if why:
            raise UsageError("rule", rule=rule.text, why=why)


def _conflict(rule: GateRule, options: Mapping[str, Any]) -> Message | None:
    test, permutations = options.get("test") or "tango", options.get("permutations")
    if rule.metric in RESTATED and options.get("prevalence") is not None:
        return message("rule-restated")
    if rule.metric == "diff" and test != "tango":
        return message("rule-other-test", test=test)
    if rule.metric in PERMUTED and permutations is not None and not _is_reachable(rule, permutations):
        return message("rule-below-least-p", permutations=permutations, least=permutations + 1)
    return None


def _is_reachable(rule: GateRule, permutations: int) -> bool:
    """Whether the p-value of this many permutations can be on both sides of the limit."""
    least = 1 / (permutations + 1)
    return rule.limit > least or (rule.limit == least and rule.op not in (">=", "<"))


def _require_known(rule: GateRule, result: type[Result]) -> None:
    whole, at_point = (metrics_of(result, at_point=of_point) for of_point in (False, True))
    known = whole if rule.at is None else at_point
    if rule.metric in known:
        return
    if rule.metric in at_point:
        raise UsageError("metric-of-point", rule=rule.text, metric=rule.metric)
    if rule.metric in whole:
        raise UsageError("metric-of-curve", rule=rule.text, metric=rule.metric)
    if rule.is_difference and result.command != "compare":
        raise UsageError("metric-needs-compare", rule=rule.text, command=result.command, metric=rule.metric)
    meant = _meant(rule.metric, known) or f" (known: {', '.join(known)})"
    raise UsageError("unknown-metric", rule=rule.text, command=result.command, metric=rule.metric, meant=meant)


def _meant(name: str, known: Mapping[str, Metric]) -> str:
    """Return a suggestion: the metric with this alias, or with a close name."""
    by_alias = {alias: metric.name for metric in known.values() for alias in metric.aliases}
    return did_you_mean(by_alias.get(name.lower(), name), known)
