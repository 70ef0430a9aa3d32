"""Whether the windows and martingales of a saved report agree with each other, and with the models and the alarms.

A martingale cannot be computed again without the cases. But its largest value stands in its own row and, by windows, in
theirs; it cannot grow by more than half at a case; and the alarms, their windows and their number follow from it.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from math import log, log10
from typing import TYPE_CHECKING, Any

from rocconf.compute.sensibility import LN_10, STREAMS, alarms_text, rejection_at
from rocconf.compute.stats.martingale import most_after
from rocconf.gate.consistent_row import ABSOLUTE, RELATIVE, Row
from rocconf.messages import message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rocconf.answer import Result
    from rocconf.messages import Message
    from rocconf.saved import SavedReport

GROWTH = log10(1.5)
"""The most that a bet adds to the logarithm of a martingale."""

OF_BOTH_CLASSES = ("midpoint", "sensible", "non_sensible", "auc", "auc_lower", "auc_upper")
"""The values that a window has only if it has both classes."""

LIMITS = ("struggle_ratio", "struggle_ratio_lower", "struggle_ratio_upper", "auc_se", "auc_df")

OF_AUC = ("auc_se", "auc_df")
"""The values that are null for an AUC of 0 or 1."""


def stream_faults(
    report: SavedReport, kind: type[Result], auc_faults: Callable[[Row], Iterator[Message]]
) -> Iterator[Message]:
    """Yield contradictions between windows, martingales and alarms; `auc_faults` checks an AUC."""
    if "drift_alarm" not in {metric.name for metric in kind.metrics}:
        return
    for at, (model, record) in enumerate(report.models.items()):
        windows, martingales = (_rows(report, name, model) for name in ("windows", "martingales"))
        row = Row(f"models[{at}]", record)
        if report.options.get("time") is None:
            if windows or martingales or record.get("drift_alarm") is not None:
                yield message("report-contradiction", where="options", key="time", found="null", expected="a column")
            continue
        faults = [*_window_faults(row, windows, report, auc_faults)]
        faults = faults or [*_martingale_faults(row, windows, martingales, report)]
        yield from faults or _alarm_faults(row, martingales)


def _rows(report: SavedReport, name: str, model: str) -> list[Row]:
    found: list[dict[str, Any]] = report.record["tables"].get(name, [])
    return [Row(f"{name}[{at}]", record) for at, record in enumerate(found) if record.get("model") == model]


def _window_faults(
    model: Row, windows: Sequence[Row], report: SavedReport, auc_faults: Callable[[Row], Iterator[Message]]
) -> Iterator[Message]:
    """Yield windows that do not add up to the cases, or whose statistics contradict each other."""
    for row in windows:
        record = row.record
        missing = [key for key in (*_COUNTS, *OF_BOTH_CLASSES, *LIMITS, *_PEAKS, *_TEXTS) if key not in record]
        bad = [key for key in _COUNTS if not _is_count(record.get(key))]
        bad += [key for key in _PEAKS if not row.has_number(key)]
        bad += [key for key in _TEXTS if not isinstance(record.get(key), str)]
        yield from (message("field-missing", where=row.where, key=key) for key in missing)
        yield from (row.impossible(key, "a value") for key in bad if key not in missing)
        if missing or bad:
            return
        yield from row.differing({"n": record["positives"] + record["negatives"]})
        yield from _statistics_faults(row, report, auc_faults)
    for key in _COUNTS:
        total = sum(row.record[key] for row in windows)
        if total != model.record[key]:
            yield message(
                "report-contradiction", where="windows", key=key, found=str(total), expected=str(model.record[key])
            )
    for one, other in pairwise(windows):
        yield from other.differing({"start": one.record["end"]})


def _statistics_faults(
    row: Row, report: SavedReport, auc_faults: Callable[[Row], Iterator[Message]]
) -> Iterator[Message]:
    record = row.record
    if not (record["positives"] and record["negatives"]):
        yield from row.differing(dict.fromkeys((*OF_BOTH_CLASSES, *LIMITS)))
        return
    bad = [key for key in OF_BOTH_CLASSES if not row.has_number(key)]
    bad += [key for key in OF_AUC if record.get(key) is not None and not row.has_number(key)]
    if bad:
        yield from (row.impossible(key, "a number") for key in bad)
        return
    sensible, rest = record["sensible"], record["non_sensible"]
    yield from row.differing({"n": sensible + rest, "struggle_ratio": rest / sensible if sensible else None})
    yield from row.disordered("struggle_ratio_lower", "struggle_ratio_upper")
    of_run = {"level": report.level, "interval": report.options.get("interval")}
    if not 0 <= record["auc"] <= 1:
        yield row.impossible("auc", "in [0, 1]")
    else:
        yield from auc_faults(Row(row.where, {**record, **of_run}))


def _martingale_faults(
    model: Row, windows: Sequence[Row], martingales: Sequence[Row], report: SavedReport
) -> Iterator[Message]:
    """Yield martingales whose largest values are not those of the windows, or that grew faster than they can."""
    if tuple(row.record.get("stream") for row in martingales) != STREAMS:
        yield message("report-contradiction", where="martingales", key="stream", found="?", expected=", ".join(STREAMS))
        return
    alarm_from = log(3 / rejection_at(report.level or 0.0)) / LN_10
    in_alarm: dict[str, list[bool]] = {}
    for row in martingales:
        name = row.record["stream"]
        cases = {"positives": "positives", "negatives": "negatives"}.get(name, "n")
        peaks = [window.record[f"log10_peak_{name}"] for window in windows]
        grown = [0.0, *peaks]
        for window, (before, now) in zip(windows, pairwise(grown), strict=True):
            most = before + window.record[cases] * GROWTH
            if now > most + ABSOLUTE + RELATIVE * abs(most):
                yield window.impossible(f"log10_peak_{name}", f"at most {most:g}")
        reached = [peak >= alarm_from for peak in peaks]
        in_alarm[name] = list(accumulate(reached, bool.__or__))
        first = reached.index(True) if any(reached) else None
        yield from row.differing(
            {
                "n": model.record[cases],
                "log10_peak": max(0.0, *peaks),
                "log10_alarm": alarm_from,
                "can_alarm": most_after(model.record[cases]) / LN_10 >= alarm_from,
                "alarm": first is not None,
                "alarm_window": None if first is None else windows[first].record["window"],
            }
        )
        yield from _time_faults(row, None if first is None else windows[first])
    for at, window in enumerate(windows):
        yield from window.differing({"alarms": alarms_text(name for name in STREAMS if in_alarm[name][at])})


def _time_faults(row: Row, window: Row | None) -> Iterator[Message]:
    """Yield a time of an alarm that is not in its window."""
    found = row.record.get("alarm_at")
    if window is None or not isinstance(found, str):
        yield from row.differing({"alarm_at": None}) if window is None else [row.impossible("alarm_at", "a time")]
        return
    start, end = window.record["start"], window.record["end"]
    try:
        inside = float(start) <= float(found) < float(end)
    except ValueError:  # dates, whose texts are in their order
        inside = start <= found < end
    if not inside:
        yield row.impossible("alarm_at", f"from {start} on and before {end}")


def _alarm_faults(model: Row, martingales: Sequence[Row]) -> Iterator[Message]:
    known = all(row.record["can_alarm"] for row in martingales)
    yield from model.differing({"drift_alarm": sum(row.record["alarm"] for row in martingales) if known else None})


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


_COUNTS = ("n", "positives", "negatives")
_PEAKS = tuple(f"log10_peak_{name}" for name in STREAMS)
_TEXTS = ("window", "start", "end", "alarms")
