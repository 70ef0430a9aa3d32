"""Reject rules that cannot be judged, and rules that cannot fail, before any input is read.

A limit outside the range of its metric is a slip, like 5 for 5%, and so is one that every model meets: both are errors.
A limit that no interval reaches is legal, as such a rule never passes; the verdict says so.
"""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING, Any

from rocconf.compute.classes import AVERAGES
from rocconf.compute.evidence import metrics_at, metrics_of
from rocconf.compute.roc.costs import COST, within_costs, within_odds
from rocconf.compute.roc.given_point import is_given, parse_given_points
from rocconf.compute.roc.influence import up_to
from rocconf.compute.roc.operating import parse_costs, parse_point_rule
from rocconf.compute.roc.rates import RESTATED
from rocconf.errors import UsageError
from rocconf.gate.promises import chooses_in_sample
from rocconf.gate.rule import in_full
from rocconf.messages import did_you_mean, message
from rocconf.metric import DELTA
from rocconf.naming import COMPARE_AUC, ONE_VS_REST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rocconf.answer import Result
    from rocconf.gate.rule import GateRule
    from rocconf.messages import Message
    from rocconf.metric import Metric
    from rocconf.records import Source

PERMUTED = ("max_chi2_p", "drift_p", "drift_within_p")
NEEDED = {
    "max_fpr": "rule-needs-max-fpr",
    "cost": "rule-needs-cost",
    "calibration": "rule-needs-calibration",
    "margin": "rule-needs-margin",
    "reference": "rule-needs-reference",
    "time": "rule-needs-time",
    "fold": "rule-needs-fold",
}
"""The message for each option without which a metric has no value."""
PERCENT = 100


def check_rules(
    rules: Iterable[GateRule], result: type[Result], *, may_choose: bool, level: float | None = None
) -> None:
    """Reject rules that a command cannot judge or that cannot fail, and thresholds chosen on the cases that are judged.

    `may_choose` says whether an operating point may be chosen: on other cases, or knowingly in-sample. Otherwise only
    a promise that covers the rule at the level of the run allows it.
    """
    for rule in rules:
        metric = _known(rule, result)
        if rule.op == "==" and metric.kind != "count":
            raise UsageError("rule-equality", rule=rule.text)
        _require_deciding(rule, metric)
        if rule.by is not None:
            _require_of_slices(rule, metric, result)
        if not may_choose and chooses_in_sample(rule, level):
            raise _in_sample_error(rule, result)


def check_options(rules: Iterable[GateRule], result: type[Result], options: Mapping[str, Any]) -> None:
    """Reject rules about metrics that a run with these options lacks, or computes in another way."""
    for rule in rules:
        metric = _known(rule, result)
        _require_deciding(rule, _within(metric, rule, options))
        for why in _conflicts(rule, metric, options):
            raise UsageError("rule", rule=rule.text, why=why)


def require_named(rules: Iterable[GateRule], sources: Iterable[Source], options: Mapping[str, Any]) -> None:
    """Reject rules on scores or on a baseline that nobody named, and on costs at two prevalences that nobody chose."""
    costs = parse_costs(options.get("cost"))
    for rule in rules:
        for source in sources:
            if source.guessed:
                raise UsageError(
                    "rule-guessed-score", rule=rule.text, file=source.name, columns=", ".join(source.guessed)
                )
        if rule.is_difference and options.get("baseline_named") is False and not options.get("all_pairs"):
            raise UsageError("rule-guessed-baseline", rule=rule.text, baseline=options["baseline"])
        is_of_others = rule.metric == f"{DELTA}{COST.name}" and options.get("paired") is False
        if is_of_others and costs is not None and costs.prevalence is None:
            raise UsageError("rule-two-prevalences", rule=rule.text, costs=costs.text)


def require_no_copies(rules: Iterable[GateRule], caveats: Iterable[Message]) -> None:
    """Reject rules on cases that are there several times: their intervals are too narrow."""
    found = next((caveat for caveat in caveats if caveat.code == "repeated-cases"), None)
    rule = next(iter(rules), None)
    if found and rule:
        raise UsageError("rule-repeated-cases", rule=rule.text, said=found)


def is_beyond_intervals(rule: GateRule, result: type[Result]) -> bool:
    """Whether a rule never passes, as it wants a whole interval at the end of the range, like `tpr >= 1`."""
    metric = metrics_at(result, rule.at).get(rule.metric)
    if metric is None or not metric.has_interval or rule.point_only:
        return False
    return (rule.op, rule.limit) in ((">=", metric.most), ("<=", metric.least))


def passes_worse(rule: GateRule, result: type[Result]) -> bool:
    """Whether a rule on a difference has its bound on the wrong side: the worse the model, the surer it passes."""
    metric = metrics_of(result, at_point=rule.at is not None).get(rule.metric) if rule.is_difference else None
    if metric is None:
        return False
    return rule.op in ((">", ">=") if metric.lower_is_better else ("<", "<="))


def _in_sample_error(rule: GateRule, result: type[Result]) -> UsageError:
    """Return the error of a rule whose threshold would be chosen on the cases that it judges."""
    if rule.at is not None and parse_point_rule(rule.at).assurance is not None:
        return UsageError("rule-beyond-promise", rule=rule.text, at=rule.at)
    return UsageError("rule-in-sample" if result.may_choose_on else "rule-in-sample-only", rule=rule.text)


def _require_of_slices(rule: GateRule, metric: Metric, result: type[Result]) -> None:
    """Reject a rule about every slice where there are none, or whose metric has no interval at the level of a slice."""
    if not result.has_slices:
        raise UsageError("rule-by-command", rule=rule.text, command=result.command)
    if metric.is_drawn or metric.depends_on_level or rule.metric.removeprefix(DELTA) in OF_LIST:
        raise UsageError("rule-by-metric", rule=rule.text, metric=rule.metric)


OF_LIST = ("thresholds",)
"""What depends on the list of thresholds that are shown."""


def _require_deciding(rule: GateRule, metric: Metric) -> None:
    """Reject a rule that every value in the range of its metric meets, or none."""
    limit, open_end = rule.limit, rule.limit in metric.unreached
    at_least, at_most = limit == metric.least, limit == metric.most
    always = {">=": at_least, ">": at_least and open_end, "<=": at_most, "<": at_most and open_end}
    never = {">": at_most, ">=": at_most and open_end, "<": at_least, "<=": at_least and open_end}
    if not metric.least <= limit <= metric.most:
        code = "rule-out-of-range"
    elif always.get(rule.op):
        code = "rule-always-met"
    elif never.get(rule.op) or (rule.op == "==" and not limit.is_integer()):
        code = "rule-never-met"
    else:
        return
    raise UsageError(code, rule=rule.text, range=_range(metric), meant=_meant_limit(limit, metric))


def _within(metric: Metric, rule: GateRule, options: Mapping[str, Any]) -> Metric:
    """Return a metric with the range that it has in a run with these options, at the threshold of a rule."""
    if options.get("max_fpr") is not None:
        metric = up_to(metric, options["max_fpr"])
    costs, at = parse_costs(options.get("cost")), None if rule.at is None else parse_point_rule(rule.at)
    if costs is not None:
        metric = within_costs(metric, costs)
    if at is not None and at.name == "threshold":
        metric = within_odds(metric, at.numbers[0], lower_is_positive=options.get("lower_is_positive"))
    return metric


def _range(metric: Metric) -> str:
    """Return the range of a metric in words."""
    least, most = (in_full(end) for end in (metric.least, metric.most))
    if metric.kind == "count":
        return f"{metric.name} is a whole number from {least} up"
    if isinf(metric.most):
        return f"{metric.name} is at least {least}"
    opening, closing = (
        ("(" if metric.least in metric.unreached else "["),
        (")" if metric.most in metric.unreached else "]"),
    )
    return f"{metric.name} lies in {opening}{least}, {most}{closing}"


def _meant_limit(limit: float, metric: Metric) -> str:
    """Return a suggestion for a limit that looks like a percentage: `; 0.05?` for 5."""
    share = limit / PERCENT
    is_likely = metric.most <= 1 < abs(limit) and metric.least < share < metric.most
    return f"; {in_full(share)}?" if is_likely else ""


def _conflicts(rule: GateRule, metric: Metric, options: Mapping[str, Any]) -> Iterator[Message]:
    test, permutations, level = options.get("test") or "tango", options.get("permutations"), options.get("level")
    yield from _given_conflicts(rule, options)
    if metric.needs in options and options[metric.needs] in (None, False):
        yield message(NEEDED[metric.needs], metric=metric.name)
    if rule.is_difference and options.get("all_pairs"):
        yield message("difference-all-pairs", metric=metric.name)
    if rule.is_difference and rule.model is not None and rule.model == options.get("baseline"):
        yield message("difference-of-baseline", metric=metric.name, model=rule.model)
    if options.get("reported") and rule.is_difference and metric.is_drawn:
        yield message("difference-of-reported", metric=metric.name)
    if None not in (rule.level, level) and rule.level != level and metric.depends_on_level:
        yield message("level-of-run", metric=metric.name)
    if rule.metric in RESTATED and options.get("prevalence") is not None:
        yield message("rule-restated")
    if rule.metric == "diff" and test != "tango":
        yield message("rule-other-test", test=test)
    if rule.metric in PERMUTED and permutations is not None and not _is_reachable(rule, permutations):
        yield message("rule-below-least-p", permutations=permutations, least=permutations + 1)


def _given_conflicts(rule: GateRule, options: Mapping[str, Any]) -> Iterator[Message]:
    """Yield why a rule cannot be about a point given by its rates, or why it must be: class totals have nothing else."""
    at, of_totals = None if rule.at is None else parse_point_rule(rule.at), "positives" in options
    if at is None or not is_given(at):
        if of_totals:
            yield message("rules-need-scores")
        return
    points = parse_given_points(options.get("points") or ())
    if not of_totals:
        yield message("rule-given-and-scores")
    elif at.meaning not in [point.meaning for point in points]:
        yield message("rule-point-not-given", found="; ".join(point.text for point in points) or "none")
    elif rule.where:
        yield message("rule-given-where")


def _is_reachable(rule: GateRule, permutations: int) -> bool:
    """Whether the p-value of this many permutations can be on both sides of the limit."""
    least = 1 / (permutations + 1)
    return rule.limit > least or (rule.limit == least and rule.op not in (">=", "<"))


def _known(rule: GateRule, result: type[Result]) -> Metric:
    """Return the metric of a rule, or raise the error that the command has none of its name."""
    known = metrics_of(result, at_point=False)
    if result.command != COMPARE_AUC:
        return _known_of_cases(rule, result)
    if rule.at is not None or rule.metric not in known:
        raise UsageError("numbers-rule", rule=rule.text, known=", ".join(known))
    return known[rule.metric]


def _known_of_cases(rule: GateRule, result: type[Result]) -> Metric:
    whole, at_point = (metrics_of(result, at_point=of_point) for of_point in (False, True))
    if rule.at is not None and not result.has_points:
        raise UsageError("rule-without-points", rule=rule.text, command=result.command)
    known = metrics_at(result, rule.at)
    if rule.metric in known:
        return known[rule.metric]
    if rule.at is not None and is_given(parse_point_rule(rule.at)):
        if not known:
            raise UsageError("rule-given-point", rule=rule.text)
        raise UsageError("rule-given-metric", rule=rule.text, metric=rule.metric, known=", ".join(known))
    if rule.metric in {metric.name for metric in result.given_metrics}:
        raise UsageError("metric-of-given-point", rule=rule.text, metric=rule.metric)
    if rule.metric in at_point:
        raise UsageError("metric-of-point", rule=rule.text, metric=rule.metric)
    if rule.metric in whole:
        raise UsageError("metric-of-curve", rule=rule.text, metric=rule.metric)
    if rule.is_difference and result.command not in ("compare", COMPARE_AUC, ONE_VS_REST):
        raise UsageError("metric-needs-compare", rule=rule.text, command=result.command, metric=rule.metric)
    if rule.metric.removeprefix(DELTA) in AVERAGES:
        raise UsageError("rule-needs-classes", rule=rule.text, metric=rule.metric, command=result.command)
    meant = _meant(rule.metric, known) or f" (known: {', '.join(known)})"
    raise UsageError("unknown-metric", rule=rule.text, command=result.command, metric=rule.metric, meant=meant)


def _meant(name: str, known: Mapping[str, Metric]) -> str:
    """Return a suggestion: the metric with this alias, or with a close name."""
    by_alias = {alias: metric.name for metric in known.values() for alias in metric.aliases}
    return did_you_mean(by_alias.get(name.lower(), name), known)
