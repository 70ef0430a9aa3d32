"""The verdict of a gate: a line for each rule and model, with the number that was judged."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rocconf.report.rounding import show
from rocconf.report.shown import NARROWEST_TEXT, Shown, shortened_to_width

if TYPE_CHECKING:
    from rocconf.answer import Answer

WIDEST_VERDICT = len("inconclusive")


def verdict_table(answer: Answer, *, width: int | None) -> Shown:
    """Return the verdicts, in as many columns as there is room for."""
    headings = ("verdict", "model", "rule", "value", "interval")
    rows = [_row(gate) for gate in answer.gates]
    shown = Shown(f"verdict: {answer.verdict}", headings, (False, False, False, True, False), rows)
    if width is None or not rows or shown.width <= width:
        return shown
    models = tuple(dict.fromkeys(row[1] for row in rows))
    without = _without_model(shown)
    if len(models) > 1:
        room = max(width - without.width - 2, NARROWEST_TEXT)
        short = dict(zip(models, shortened_to_width(models, room), strict=True))
        shown = replace(shown, rows=[(row[0], short[row[1]], *row[2:]) for row in rows])
    else:
        shown = without
    return shown if shown.width <= width else _stacked(shown, width)


def _row(gate: dict[str, Any]) -> tuple[str, ...]:
    warning = " (warning)" if gate["severity"] == "warn" and gate["verdict"] != "pass" else ""
    return (gate["verdict"] + warning, gate["model"], rule_in_words(gate), *value_in_words(gate))


def value_in_words(gate: dict[str, Any]) -> tuple[str, str]:
    """Return the number that was judged and its interval, which is empty where it has none."""
    value, has_interval = gate["value"], (gate["lower"], gate["upper"]) != (None, None)
    whole = isinstance(value, int) or (not has_interval and value is not None and float(value).is_integer())
    interval = f"[{show(gate['lower'], 'number')}, {show(gate['upper'], 'number')}]" if has_interval else ""
    return show(value, "count" if whole else "number"), interval


def rule_in_words(gate: dict[str, Any]) -> str:
    """Return the name of a rule, its slice and, unless the name is the rule as it is written, what it asks."""
    return f"{rule_as_written(gate)}{slice_in_words(gate)}"


def slice_in_words(gate: dict[str, Any]) -> str:
    """Return the slice of a rule about every slice, as the end of its name."""
    return "" if gate.get("slice") is None else f" ({gate['by']}={gate['slice'] or '(empty)'})"


def rule_as_written(gate: dict[str, Any]) -> str:
    """Return the name of a rule and, unless the name is the rule as it is written, what it asks."""
    at = "" if gate["at"] is None else f"@{gate['at']}"
    limit = repr(float(gate["limit"])).removesuffix(".0")
    left, _, right = gate["name"].rpartition(gate["op"])
    at += "" if gate.get("by") is None else f" by {gate['by']}"
    metrics = (f"{gate['metric']}{at}", f"{gate['metric']}[{gate['model']}]{at}")
    if _squeezed(left) in map(_squeezed, metrics) and _is_number(right.partition(",")[0], gate["limit"]):
        return str(gate["name"])
    return f"{gate['name']}: {metrics[0]} {gate['op']} {limit}"


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _is_number(text: str, number: float) -> bool:
    try:
        return float(text) == number
    except ValueError:
        return False


def _without_model(shown: Shown) -> Shown:
    headings, numeric = ((row[0], *row[2:]) for row in (shown.headings, shown.numeric))
    return replace(shown, headings=headings, numeric=numeric, rows=[(row[0], *row[2:]) for row in shown.rows])


def _stacked(shown: Shown, width: int) -> Shown:
    """Put the cells of a rule under each other, beside its verdict."""
    rows: list[tuple[str, ...]] = []
    room = max(width - WIDEST_VERDICT - 2, 1)
    for verdict, *rule, value, interval in shown.rows:
        lines = [line for text in (*rule, f"{value} {interval}") for line in wrap(text, room)]
        rows += zip_longest(wrap(verdict, WIDEST_VERDICT), lines, fillvalue="")
    return replace(shown, headings=("verdict", "rule"), numeric=(False, False), rows=rows)
