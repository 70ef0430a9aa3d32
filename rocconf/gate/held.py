"""Finds in a saved report the number that a rule is about, with the interval that the run itself would judge.

What a run judged before is taken as it was judged. Otherwise counts, areas and operating points have their interval at
any level by the functions that a run uses; an interval that was drawn, or that needs the cases, is there at the level
of the report or not at all. What is not there is never a verdict: it is a fault that says what to run.
"""

from __future__ import annotations

from math import inf
from shlex import quote
from sys import float_info
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.measures import COUNTS, Measure, at_point, known
from rocconf.compute.roc.auc import AREAS
from rocconf.compute.roc.operating import parse_rule as parse_point
from rocconf.compute.stats.auc_intervals import auc_from
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.proportion import wilson
from rocconf.compute.tango import MEASURES
from rocconf.errors import RocconfError
from rocconf.gate.rule import DELTA, POINT
from rocconf.gate.verdict import At
from rocconf.records import Interval

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocconf.gate.rule import Rule
    from rocconf.saved import SavedGate, SavedPoint, SavedReport

NO_DIFFERENCE = "the measure does not exist for one of the models"
SAME_SCORES = "same-scores"
ITSELF = "the reference is the same scores"
REPLICATES = 2000
HAVE_AT = ("sweep", "chi2-contours", "compare")
"""The commands that have operating points of their own."""

Found = tuple[Measure, At | None]


class NotHeldError(RocconfError):
    """What a report does not hold."""


def find(report: SavedReport, rule: Rule, model: str, *, level: float) -> Found:
    """Find the number, and the threshold it is of."""
    before = _judged_before(report, rule, model, level)
    if before is not None:
        return before
    if rule.where:
        slice_ = ", ".join(f"{column}={value}" for column, value in rule.where)
        raise NotHeldError(
            f"it was not judged on the rows with {slice_}: have this rule in the configuration of {_run(report, '')}"
        )
    if rule.at is not None:
        return _at_a_point(report, rule, model, level)
    if rule.is_difference:
        return _difference(report, rule, model, level), None
    return _whole(report, rule, model, level), None


def _judged_before(report: SavedReport, rule: Rule, model: str, level: float) -> Found | None:
    """Find what the run itself judged: the same number, of the same rows, at the same level."""
    for gate in report.gates:
        same = (gate.model, gate.metric.removesuffix(POINT), gate.level, gate.where) == (
            *(model, rule.metric, level),
            rule.where,
        )
        if not (same and _is_at(gate.at, rule)):
            continue
        if gate.metric.endswith(POINT) and gate.interval is None and not rule.point_only:
            continue  # only the value is known
        return _of_gate(gate), None if gate.in_sample is None else At(gate.threshold, gate.in_sample)
    return None


def _of_gate(gate: SavedGate) -> Measure:
    if gate.value is None:
        return Measure(None, None, gate.n, gate.positives, reason=gate.reason)
    is_count = isinstance(gate.value, int) and gate.interval is None
    return Measure(gate.value, gate.interval, gate.n, gate.positives, is_count=is_count)


def _is_at(text: str | None, rule: Rule) -> bool:
    """Whether an operating point is the rule's, however it is spelled."""
    if text is None or rule.at is None:
        return text is rule.at
    one, other = parse_point(text), parse_point(rule.at)
    return (one.name, one.numbers) == (other.name, other.numbers)


def _at_a_point(report: SavedReport, rule: Rule, model: str, level: float) -> Found:
    point = next((each for each in report.points if each.model == model and _is_at(each.rule, rule)), None)
    if point is None:
        there = ", ".join(dict.fromkeys(each.rule for each in report.points)) or "none"
        raise NotHeldError(f"it has no operating point {rule.at!r} (found: {there}); {_to_have_point(report, rule)}")
    at = At(point.threshold, point.in_sample)
    if rule.is_difference:
        return _difference(report, rule, model, level), at
    return at_point(_confusion(report, point), rule.metric, level, point.threshold), at


def _confusion(report: SavedReport, point: SavedPoint) -> Confusion:
    row = report.models[point.model]
    return Confusion(np.array([point.tp]), np.array([point.fp]), row["positives"], row["negatives"])


def _difference(report: SavedReport, rule: Rule, model: str, level: float) -> Measure:
    """Find the difference of a model and its baseline."""
    row, metric = report.models[model], rule.metric.removeprefix(DELTA)
    if report.options.get("all_pairs") or model == report.baseline:
        why = "--all-pairs has no baseline" if report.options.get("all_pairs") else f"{model} is the baseline"
        raise NotHeldError(f"{rule.metric} is a model less its baseline, and {why}")
    for pair in report.pairs:
        if (pair.model, pair.metric) == (model, metric) and _is_at(pair.at, rule):
            if pair.difference is None:
                return Measure(None, None, row["n"], row["positives"], reason=NO_DIFFERENCE)
            if level != report.level and not rule.point_only:
                raise NotHeldError(
                    f"its interval of {rule.metric} is at a level of {report.level}: {_at_level(report, level)}"
                )
            return Measure(pair.difference, pair.interval, row["n"], row["positives"])
    limit = " --max-fpr X" if metric.startswith("partial_auc") and report.options.get("max_fpr") is None else ""
    option = f"--bootstrap {REPLICATES}{limit}"
    raise NotHeldError(f"it has no {rule.metric}: run {_run(report, option)}")


def _whole(report: SavedReport, rule: Rule, model: str, level: float) -> Measure:
    """Find a number of the whole curve."""
    row, name = report.models[model], rule.metric
    n, positives = row["n"], row["positives"]
    if name in COUNTS:
        return Measure(row[name], None, n, positives, is_count=True)
    if name == "prevalence":
        return Measure(positives / n, wilson(positives, n, level=level), n, positives)
    value = _number(row, name)
    reason = report.reasons.get((model, name), "the report has no value")
    if name.startswith("drift") and _is_with_itself(report, model):
        value, reason = None, ITSELF
    if value is None:
        return Measure(None, None, n, positives, reason=reason)
    interval = _interval_of(report, rule, row, value, level)
    return Measure(value, interval, n, positives, is_count=interval is None and isinstance(value, int))


def _interval_of(
    report: SavedReport, rule: Rule, row: Mapping[str, Any], value: float, level: float
) -> Interval | None:
    """Find the interval of a number of the whole curve, None where it has none or the rule needs none."""
    name = rule.metric
    if name == "auc":
        return _of_auc(row, value, level)
    if f"{name}_lower" in row:
        return _limits(report, rule, row, level)
    if name not in (*AREAS, *MEASURES) or rule.point_only:
        return None
    option = f"--bootstrap {REPLICATES}" if name in MEASURES else f"--require {quote(rule.text)}"
    option += f" --level {level:g}" * (level != report.level)
    raise NotHeldError(f"it has no interval of {name}: run {_run(report, option)}")


def _of_auc(row: Mapping[str, Any], area: float, level: float) -> Interval:
    if level == row["level"]:
        return _interval(row, "auc")
    se = _number(row, "auc_se")
    if se is not None and not (se > 0 and 0 < area < 1):
        raise NotHeldError(f"it has a standard error {se:g} of an area {area:g}, which cannot be")
    return auc_from(area, se, row["positives"], row["negatives"], level=level).interval


def _limits(report: SavedReport, rule: Rule, row: Mapping[str, Any], level: float) -> Interval | None:
    """Take the interval of the run, which cannot be had at another level."""
    if level == row["level"]:
        interval = _interval(row, rule.metric)
        return known(interval, fewest=min(row["positives"], row["negatives"])) if rule.metric in MEASURES else interval
    if rule.point_only:
        return None
    raise NotHeldError(f"its interval of {rule.metric} is at a level of {report.level}: {_at_level(report, level)}")


def _interval(row: Mapping[str, Any], name: str) -> Interval:
    """Take two limits; one without a value lies anywhere."""
    lower, upper = _number(row, f"{name}_lower"), _number(row, f"{name}_upper")
    limits = (-inf if lower is None else lower, inf if upper is None else upper)
    if limits[0] > limits[1]:
        raise NotHeldError(f"it has an interval of {name} that runs backwards, from {lower} to {upper}")
    return Interval(*limits)


def _number(row: Mapping[str, Any], name: str) -> float | None:
    """Take a number of a summary, None where it has no value."""
    if name not in row:
        raise NotHeldError(f"it lacks {name!r}")
    value = row[name]
    if value in ("inf", "-inf"):
        return float(value)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > float_info.max:
        raise NotHeldError(f"it has {name} {value!r}, where a number is wanted")
    return value


def _is_with_itself(report: SavedReport, model: str) -> bool:
    return any(caveat.code == SAME_SCORES and caveat.message.startswith(f"{model}: ") for caveat in report.caveats)


def _to_have_point(report: SavedReport, rule: Rule) -> str:
    at = rule.at or ""
    chooses = parse_point(at).chooses
    if report.command in HAVE_AT:
        options = f"--at {quote(at)}" + " --choose-on OTHER" * chooses
    else:
        options = f"--require {quote(rule.text)}" + " --allow-in-sample" * chooses
    return f"run {_run(report, options)}"


def _at_level(report: SavedReport, level: float) -> str:
    option = f"--level {level:g}"
    return f"run {_run(report, option)}"


def _run(report: SavedReport, options: str) -> str:
    """Say which command makes a report that holds more."""
    file = "report.json" if report.name == "-" else report.name
    against = f"--baseline {quote(report.baseline)}" if report.baseline is not None else ""
    parts = (f"rocconf {report.command} FILE", against, options, f"-o {quote(file)}")
    return " ".join(part for part in parts if part)
