"""Evidence as a report holds it: a record of each unit, with the estimates of the run, and of each slice.

A measure that depends on the level, as everything drawn does, is held with its interval at the level of the run.
"""

from __future__ import annotations

from dataclasses import fields
from math import isinf
from typing import TYPE_CHECKING, Any

from rocconf.compute.evidence.of_results import OfResult, evidence_of
from rocconf.compute.evidence.protocol import At, Entry, Unit
from rocconf.compute.roc.operating import parse_point_rule
from rocconf.compute.stats.estimate import from_record, to_record
from rocconf.errors import RocconfError
from rocconf.messages import Message
from rocconf.metric import DELTA

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rocconf.answer import Result
    from rocconf.compute.roc.operating import PointRule

    Record = dict[str, Any]


def evidence_records(results: Iterable[Result]) -> list[Record]:
    """Return the evidence of results on each of their models, at the operating points of the run."""
    return [
        _record(each) | {"slices": list(_slices(each))}
        for result in results
        for each in evidence_of(result, getattr(result, "choose_on", None), at_own_points=True)
    ]


def unit_record(unit: Unit, entries: Iterable[Record]) -> Record:
    """Return what a report holds of a unit."""
    plain = {field.name: getattr(unit, field.name) for field in fields(unit)}
    caveats = {
        start: [{"code": each.code, "kind": each.kind, "message": str(each)} for each in about]
        for start, about in unit.caveats.items()
    }
    other = unit.cases_of_baseline
    return {**plain, "cases_of_baseline": other and list(other), "caveats": caveats, "entries": list(entries)}


def entry_record(name: str, at: str | None, entry: Entry) -> Record:
    """Return what a report holds of a metric; infinite numbers are texts."""
    estimate, where = entry.estimate, entry.at
    threshold = None if where is None else where.threshold
    return {
        "metric": name,
        "at": at,
        "estimate": None if estimate is None else to_record(estimate),
        "reason": entry.reason if estimate is None else None,
        "threshold": str(threshold) if threshold is not None and isinf(threshold) else threshold,
        "in_sample": where and where.in_sample,
        "level": entry.level,
        "is_open": entry.is_open,
        "is_from_itself": entry.is_from_itself,
    }


def unit_of(record: Mapping[str, Any]) -> Unit:
    """Return the unit that a report holds."""
    known = {field.name: _whole(record[field.name]) for field in fields(Unit)}
    caveats = {
        start: tuple(Message(each["code"], saved=(each["kind"], each["message"])) for each in about)
        for start, about in record["caveats"].items()
    }
    other = record["cases_of_baseline"]
    return Unit(**{**known, "cases_of_baseline": other and tuple(map(_whole, other)), "caveats": caveats})


def find_entry(record: Mapping[str, Any], name: str, at: PointRule | None) -> Entry | None:
    """Return what a record of a unit holds of a metric, None where it lacks it; an operating point may be spelled otherwise."""
    for each in record["entries"]:
        if each["metric"] == name and _meaning(each["at"]) == (at and at.meaning):
            where = None if each["in_sample"] is None else At(_number(each["threshold"]), each["in_sample"])
            estimate = each["estimate"] and from_record(each["estimate"])
            return Entry(estimate, each["reason"] or "", where, each["level"], each["is_open"], each["is_from_itself"])
    return None


def points_of(record: Mapping[str, Any]) -> list[str]:
    """Return the operating points of a record of a unit."""
    return list(dict.fromkeys(each["at"] for each in record["entries"] if each["at"] is not None))


def _meaning(at: str | None) -> Any:
    return None if at is None else parse_point_rule(at).meaning


def _whole(value: Any) -> Any:
    """Return a count that a formatter of JSON has made a float."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _number(threshold: Any) -> float | None:
    return float(threshold) if isinstance(threshold, str) else threshold


def _record(evidence: OfResult) -> Record:
    return unit_record(evidence.unit, _entries(evidence))


def _slices(evidence: OfResult) -> Iterator[Record]:
    for by in dict.fromkeys(evidence.options.get("by") or ()):
        for each in evidence.slices(by):
            own = _record(each.evidence) if isinstance(each.evidence, OfResult) else None
            size = {"n": each.n, "positives": each.positives, "min_cases": each.min_cases}
            yield {"by": by, "value": each.value, **size, "evidence": own}


def _entries(evidence: OfResult) -> Iterator[Record]:
    """Yield what is known without drawing anew: of the whole curve, and of each operating point."""
    for at in (None, *evidence.points_of_run):
        for name in _recorded(evidence, at):
            if evidence.unit.is_binned and not evidence.is_known_in_bins(name, at):
                continue
            try:
                found = evidence.entry(name, at)
            except RocconfError:  # a rule on it is refused, and so is one on the report
                continue
            yield entry_record(name, None if at is None else at.text, found)


def _recorded(evidence: OfResult, at: PointRule | None) -> Iterator[str]:
    """Yield the metrics that a report holds: differences of whole curves only if the run had them."""
    unit, options = evidence.unit, evidence.options
    has_baseline = unit.baseline not in (None, unit.model)
    for name, metric in evidence.metrics(at).items():
        if not evidence.is_about(name) or (metric.is_drawn and not options.get("bootstrap")):
            continue
        if name.startswith(DELTA):
            shown = at is not None or name.removeprefix(DELTA) in evidence.differences_of_run
            if not (has_baseline and shown):
                continue
        yield name
