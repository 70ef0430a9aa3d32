"""Whether the verdicts of a saved report follow from what was judged, and that from the rest of the report."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite, log
from typing import TYPE_CHECKING

from rocconf.compute.evidence import Measure, find_pair, metrics_at
from rocconf.compute.roc.auc import AUC
from rocconf.compute.roc.costs import COST
from rocconf.compute.roc.given_point import is_given
from rocconf.compute.roc.metrics import AT_A_POINT
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.compute.roc.rates import COUNTED
from rocconf.compute.stats.auc_intervals import newcombe_interval
from rocconf.compute.stats.difference import ITSELF
from rocconf.compute.stats.proportion import proportion_interval
from rocconf.compute.tango import MEASURES
from rocconf.errors import RocconfError
from rocconf.gate.apply_rules import level_of_slice
from rocconf.gate.check_rules import check_rules
from rocconf.gate.consistent_promises import promise_faults
from rocconf.gate.consistent_row import ABSOLUTE, RELATIVE, Row, are_limits, is_same
from rocconf.gate.saved_model import NotInReportError, SavedModel, carried_rule, measure_of
from rocconf.gate.verdict import INTERVAL, STATUS, outcome_of, worst
from rocconf.messages import message
from rocconf.metric import DELTA
from rocconf.records import DELONG, ROBUST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocconf.answer import Result
    from rocconf.gate.rule import GateRule
    from rocconf.messages import Message
    from rocconf.saved import SavedGate, SavedReport

BESIDE = "choose_on"
"""The role of the cases on which thresholds were chosen."""

OF_NEGATIVES, OF_ALL = ("fpr", "specificity"), ("accuracy", "predicted_positive_rate")


def verdict_faults(report: SavedReport, kind: type[Result]) -> Iterator[Message]:
    """Yield verdicts that are not those of what was judged, and measures that are not those of the report."""
    is_readable = True
    for at, (gate, record) in enumerate(zip(report.gates, report.record.get("gates", []), strict=True)):
        row = Row(f"gates[{at}]", record)
        try:
            rule = carried_rule(gate)
            check_rules([rule], kind, may_choose=True)
        except RocconfError as error:
            yield message("field-invalid", where=row.where, fault=error.message)
            is_readable = False
            continue
        faults = [*row.differing({"command": report.command}), *_measure_faults(row, gate, rule, kind, report)]
        faults = faults or [
            *_place_faults(row, rule, report),
            *_promise_faults(row, rule, gate),
            *_again(row, rule, report, gate, kind),
        ]
        measure = measure_of(gate, kind)
        if rule.op == "==" and isinstance(measure, Measure) and not measure.is_count:
            faults.append(message("rule-equality", rule=rule.text))
        yield from faults or row.differing({"verdict": outcome_of(rule, measure)})
        is_readable = is_readable and not faults
    if is_readable:
        yield from _slices_judged(report)
    yield from _overall(report)


def _slices_judged(report: SavedReport) -> Iterator[Message]:
    """Yield rules about every slice without a verdict on one, or at the level of another number of slices."""
    judged: dict[tuple[GateRule, str], list[str]] = {}
    for at, gate in enumerate(report.gates):
        if gate.part is None:
            continue
        by, value = gate.part
        own = report.slices_by(by)
        judged.setdefault((carried_rule(gate), gate.model), []).append(value)
        decided = sum(each.is_decided for each in own.values())
        level = level_of_slice(gate.rule_level or 0.0, decided)
        yield from Row(f"gates[{at}]", report.record["gates"][at]).differing({"slices": decided, "level": level})
    for (rule, model), values in judged.items():
        known = list(report.slices_by(str(rule.by)))
        if not known or values != known * (len(values) // len(known)):
            yield message("report-slices-judged", rule=rule.text, model=model)


def _overall(report: SavedReport) -> Iterator[Message]:
    row = Row("report", report.record)
    records = report.record.get("gates", [])
    if not records:
        if report.record.get("verdict") not in (None, "inconclusive"):
            yield row.fault("verdict", None)
        return
    outcome = worst("pass" if each["severity"] == "warn" else each["verdict"] for each in records)
    yield from row.differing({"verdict": outcome})
    code = report.record.get("exit_code")
    if not any(is_same(code, possible) for possible in (0, STATUS[outcome])):
        yield row.fault("exit_code", STATUS[outcome])


def _measure_faults(
    row: Row, gate: SavedGate, rule: GateRule, kind: type[Result], report: SavedReport
) -> Iterator[Message]:
    """Yield what no measure of the metric can be, in a slice too."""
    metric = metrics_at(kind, rule.at)[rule.metric]
    if not gate.positives <= gate.n:
        yield row.impossible("positives", f"at most {gate.n}")
    yield from row.out_of_range("value", metric)
    if gate.value is None:
        yield from row.differing(dict.fromkeys(("lower", "upper", "judged_on")))
        return
    has_interval = rule.is_difference or rule.at is not None or metric.interval_method != "none"
    has_interval &= rule.metric not in (*COUNTED, "threshold")
    has_interval &= rule.at is None or not is_given(parse_point_rule(rule.at))
    judged_on = INTERVAL if has_interval and not rule.point_only else "value"
    yield from row.differing({"judged_on": judged_on})
    if not has_interval:
        yield from row.differing({"lower": None, "upper": None})
    if gate.interval is None:
        return
    is_known = all(map(isfinite, (gate.interval.lower, gate.interval.upper)))
    is_drawn = rule.metric in ("f1", "mcc") and gate.kind != ROBUST
    by_formula = rule.metric in ("prevalence", AUC.name, COST.name) or (rule.metric in AT_A_POINT and not is_drawn)
    if by_formula and not is_known and report.options.get("cluster") is None:
        yield row.impossible("lower" if row.record["lower"] is None else "upper", "a number")
    drawn_elsewhere = rule.metric in MEASURES or metric.interval_method == "run" or rule.is_difference
    yield from row.disordered("lower", "upper", None if drawn_elsewhere else "value")
    if gate.where:
        yield from _case_faults(row, gate, rule, report)


def _place_faults(row: Row, rule: GateRule, report: SavedReport) -> Iterator[Message]:
    """Yield a threshold that is not the one named, or a wrong word on where it was chosen."""
    if rule.at is None:
        yield from row.differing({"threshold": None, "in_sample": None})
        return
    at, inputs = parse_point_rule(rule.at), report.record.get("inputs", [])
    if row.record["in_sample"] is None:  # a slice without a curve
        return
    if inputs:
        yield from row.differing({"in_sample": at.chooses and not any(each["role"] == BESIDE for each in inputs)})
    if not at.chooses:
        yield from row.differing({"threshold": None if is_given(at) else float(at.numbers[0])})


def _promise_faults(row: Row, rule: GateRule, gate: SavedGate) -> Iterator[Message]:
    """Yield a rate that a threshold with the assurance of its point cannot have."""
    if rule.at is None or gate.value is None or not gate.in_sample or rule.where or rule.by is not None:
        return
    p, q = gate.positives, gate.n - gate.positives
    tp = round(gate.value * p) if rule.metric == "tpr" else None
    fp = round(gate.value * q) if rule.metric == "fpr" else None
    if rule.metric == "specificity":
        fp = q - round(gate.value * q)
    yield from promise_faults(row, parse_point_rule(rule.at), tp=tp, fp=fp, totals={"positives": p, "negatives": q})


def _case_faults(row: Row, gate: SavedGate, rule: GateRule, report: SavedReport) -> Iterator[Message]:
    """Yield what no cases give, where of the cases judged only their number is known."""
    n, p = gate.n, gate.positives
    if gate.value is None or gate.interval is None or not 0 < p < n:
        return
    trials = {"tpr": p, "prevalence": n} | dict.fromkeys(OF_NEGATIVES, n - p) | dict.fromkeys(OF_ALL, n)
    if rule.metric in trials:
        hits = round(gate.value * trials[rule.metric])
        yield from row.differing({"value": hits / trials[rule.metric]})
        if report.options.get("cluster") is not None:  # of which clusters is not known
            return
        kind = gate.kind or DELONG
        limits = proportion_interval(hits, trials[rule.metric], level=gate.level, kind=kind)
        yield from are_limits(row, "lower", "upper", limits)
    elif rule.metric == AUC.name and report.options.get("cluster") is None:
        again = newcombe_interval(gate.value, p, n - p, level=gate.level)
        if is_same(again.lower, gate.interval.lower) and is_same(again.upper, gate.interval.upper):
            return
        ends = (gate.interval.lower, gate.value, gate.interval.upper)
        if not all(0 < end < 1 for end in ends):
            yield row.impossible("value", "in (0, 1)")
            return
        lower, value, upper = (log(end / (1 - end)) for end in ends)
        if not is_same(value - lower, upper - value):
            yield row.impossible("value", "in the middle of its interval, on the logit scale")


def _again(row: Row, rule: GateRule, report: SavedReport, gate: SavedGate, kind: type[Result]) -> Iterator[Message]:
    """Yield where the measure that was judged is not that of the rest of the report."""
    if gate.part is not None:
        yield from _again_in_slice(row, rule, report, gate, kind)
        return
    model = report.units[gate.model]
    if gate.where:
        for key, most in (("n", model["n"]), ("positives", model["positives"])):
            if row.record[key] > most:
                yield row.impossible(key, f"at most {most}")
        if rule.metric in ("n", "positives"):
            yield from row.differing({"value": row.record[rule.metric]})
        return
    yield from _again_of(row, rule, SavedModel(replace(report, gates=()), gate.model, kind, rule), gate)


def _again_in_slice(
    row: Row, rule: GateRule, report: SavedReport, gate: SavedGate, kind: type[Result]
) -> Iterator[Message]:
    """Yield where the measure is not that of the slice, or there is one of a slice that was not decided."""
    part = report.slices.get(gate.part) if gate.part is not None else None
    if part is None or gate.part is None:
        yield row.impossible("slice", "a row of the slices")
    elif not part.is_decided:
        found = part.models[gate.model]
        yield from row.differing({"n": found["n"], "positives": found["positives"], "value": None})
    else:
        of_slice = replace(report.in_slice(gate.part), gates=())
        yield from _again_of(row, rule, SavedModel(of_slice, gate.model, kind, rule), gate)


def _again_of(row: Row, rule: GateRule, rest: SavedModel, gate: SavedGate) -> Iterator[Message]:
    """Yield where the measure that was judged is not that of the rest of the evidence."""
    model = rest.report.units[gate.model]
    yield from row.differing({"n": model["n"], "positives": model["positives"]})
    try:
        at = None if rule.at is None else parse_point_rule(rule.at)
        measure = rest.evidence(rule.metric, at, gate.level, with_interval=not rule.point_only)
    except NotInReportError:
        yield from _case_faults(row, gate, rule, rest.report)  # at an operating point that only this rule has
        yield from _wider_faults(row, rest, rule, gate)
        return
    except RocconfError as error:
        yield message("field-invalid", where=row.where, fault=error.message)
        return
    if not isinstance(measure, Measure):
        yield from row.differing({"value": None})
        return
    yield from row.differing({"value": measure.value if isfinite(measure.value) else str(measure.value)})
    if measure.is_from_itself != gate.is_from_itself:
        yield row.fault(
            "codes", "compared-with-itself" if measure.is_from_itself else "none of a comparison with itself"
        )
    if measure.interval is not None and (gate.interval is not None or not rule.point_only):
        yield from row.differing({"interval": measure.kind})
        yield from are_limits(row, "lower", "upper", measure.interval)
    yield from _threshold_faults(row, measure)


def _wider_faults(row: Row, rest: SavedModel, rule: GateRule, gate: SavedGate) -> Iterator[Message]:
    """Yield a difference in a slice that is not that of its pair, or whose interval is narrower at a higher level."""
    if not rule.is_difference or (gate.part is None and rule.at is None):
        return
    at = None if rule.at is None else parse_point_rule(rule.at)
    pair = find_pair(rest.report.pairs, gate.model, rule.metric.removeprefix(DELTA), at)
    if pair is None or pair.difference is None:
        return
    yield from row.differing({"value": pair.difference})
    if (pair.test == ITSELF) != gate.is_from_itself:
        yield row.fault("codes", "compared-with-itself" if pair.test == ITSELF else "none of a comparison with itself")
    if gate.interval is None or pair.interval is None:
        return
    inner, outer = (pair.interval, gate.interval) if gate.level >= rest.level else (gate.interval, pair.interval)
    slack = ABSOLUTE + RELATIVE
    if not (outer.lower <= inner.lower + slack and inner.upper <= outer.upper + slack):
        yield row.impossible("lower", "an interval that is wider at a higher level")


def _threshold_faults(row: Row, measure: Measure) -> Iterator[Message]:
    if measure.at is not None:
        threshold = measure.at.threshold
        shown = threshold if threshold is None or isfinite(threshold) else str(threshold)
        yield from row.differing({"threshold": shown, "in_sample": measure.at.in_sample})
