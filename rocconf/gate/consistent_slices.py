"""Whether the slices of a saved report are those of its cases, and each is consistent like a report of its own.

All slices of a column together have the cases of the whole, so none can be left out, and the counts of an operating
point add up. What stays unchecked is how a slice differs from the rest, on which no rule rests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.compute.roc.rates import COUNTED
from rocconf.compute.roc.slices import ALWAYS
from rocconf.compute.stats.difference import ITSELF
from rocconf.gate.consistent_pairs import KEYS, adjusted_faults
from rocconf.gate.consistent_row import Row
from rocconf.messages import message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rocconf.answer import Result
    from rocconf.messages import Message
    from rocconf.saved import SavedReport

    Check = Callable[[SavedReport, type[Result]], Iterator[Message]]

SAID = "itself-in-slice"
"""The warning that a model was compared with itself in a slice."""


def slice_faults(report: SavedReport, kind: type[Result], checks: Sequence[Check]) -> Iterator[Message]:
    """Yield what contradicts the slices; `checks` are those of a report that a slice must pass too."""
    faults = list(_layout_faults(report))
    yield from faults
    if faults or not report.slices:
        return
    yield from _size_faults(report)
    yield from _pair_faults(report)
    for by, value in report.slices:
        own = report.in_slice((by, value))
        if not own.models:
            yield from _null_faults(own)
            continue
        for check in checks:
            yield from (message("slice-fault", by=by, slice=value, fault=fault) for fault in check(own, kind))


def _null_faults(own: SavedReport) -> Iterator[Message]:
    """Yield rates of a slice whose cases are of one class."""
    for record in own.record["tables"]["operating_points"]:
        lacks = [key for key, found in record.items() if found is not None and key not in (*POINT_KEYS, *COUNTED)]
        yield from Row(f"slice_points of {record['slice']!r}", record).differing(dict.fromkeys(lacks))


POINT_KEYS = ("model", "by", "slice", "rule", "threshold", "in_sample", "tied")


def _layout_faults(report: SavedReport) -> Iterator[Message]:
    """Yield slices that were not asked for, that lack a model, or that are decided by other numbers of cases."""
    row, found = Row("options", report.options), list(dict.fromkeys(by for by, _ in report.slices))
    if found or "by" in report.options:
        yield from row.differing({"by": found})
    if not found:
        return
    least: Any = report.options.get("min_cases")
    if not isinstance(least, int) or isinstance(least, bool) or least < 1:
        yield row.impossible("min_cases", "a whole number from 1 up")
        return
    places = {id(each): at for at, each in enumerate(report.record["tables"]["slices"])}
    for (by, value), part in report.slices.items():
        if list(part.models) != list(report.models):
            yield message("slice-of-models", by=by, slice=value)
            return
        for record in part.models.values():
            one = Row(f"slices[{places[id(record)]}]", record)
            p, q = record["positives"], record["negatives"]
            prevalence = p / (p + q) if p + q else None
            yield from one.differing({"prevalence": prevalence, "decided": min(p, q) >= least})
            yield from one.differing({"level": report.level, "interval": report.options.get("interval")})
            lacks = [key for key, found in record.items() if found is not None and key not in (*ALWAYS, *NAMES)]
            if not (p and q) and lacks:
                yield from one.differing(dict.fromkeys(lacks))
            elif p and q and record["auc"] is None:
                yield one.impossible("auc", "a number")
            yield from _difference_faults(one)


NAMES = ("model", "by", "slice", "decided")


def _difference_faults(row: Row) -> Iterator[Message]:
    """Yield a difference from the rest outside its interval or range."""
    yield from row.disordered("difference_lower", "difference_upper", "difference")
    for key in ("p", "p_adjusted"):
        if row.record.get(key) is not None and not (row.has_number(key) and 0 <= row.record[key] <= 1):
            yield row.impossible(key, "in [0, 1]")


def _size_faults(report: SavedReport) -> Iterator[Message]:
    """Yield numbers of cases, and counts of operating points, that do not add up to those of the whole."""
    rows: list[dict[str, Any]] = report.record["tables"].get("slice_points", [])
    for by in report.options["by"]:
        own = report.slices_by(by)
        for model, whole in report.models.items():
            for key in ("positives", "negatives"):
                total = sum(part.models[model][key] for part in own.values())
                yield from Row(f"slices of {by}", {key: total}).differing({key: whole[key]})
        for point in report.points:
            same = [row for row in rows if (row["by"], row["model"], row["rule"]) == (by, point.model, point.rule)]
            where = f"slice_points of {by}"
            if [row["slice"] for row in same] != list(own):
                yield message("report-contradiction", where=where, key="slice", found="?", expected="one row for each")
                continue
            for key, total in (("tp", point.tp), ("fp", point.fp)):
                yield from Row(where, {key: sum(row[key] for row in same)}).differing({key: total})
            for row in same:
                yield from Row(where, row).differing({"threshold": _shown(point.threshold)})
                yield from Row(where, row).differing({"in_sample": point.in_sample})


def _shown(threshold: float | None) -> float | str | None:
    return str(threshold) if threshold in (float("inf"), float("-inf")) else threshold


def _pair_faults(report: SavedReport) -> Iterator[Message]:
    """Yield p-values that are adjusted for another number of pairs, and comparisons with itself that are not named."""
    records: list[dict[str, Any]] = report.record["tables"].get("slice_pairs", [])
    rows = [Row(f"slice_pairs[{at}]", record) for at, record in enumerate(records)]
    missing = [
        message("field-missing", where=row.where, key=key) for row in rows for key in KEYS if key not in row.record
    ]
    yield from missing
    if missing:
        return
    yield from adjusted_faults(rows)
    itself = {
        tuple(row.record[key] for key in ("by", "slice", "model", "baseline"))
        for row in rows
        if row.record["test"] == ITSELF
    }
    said = {str(caveat) for caveat in report.caveats if caveat.code == SAID}
    if len(said) != len(itself):
        yield message("report-itself", pairs=len(itself), caveats=len(said))
    compared = [(pair.model, pair.metric, pair.at) for pair in report.pairs]
    for (by, value), part in report.slices.items():
        has_both = all(record["auc"] is not None for record in part.models.values())
        found = [(pair.model, pair.metric, pair.at) for pair in part.pairs]
        if found != (compared if has_both else []):
            yield message("slice-of-models", by=by, slice=value)
