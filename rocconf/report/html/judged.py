"""What a reader asks of a verdict: what would decide it, whether the warnings bear on it, and whether it rests on costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.metric import DELTA
from rocconf.report.html.compared import undecided
from rocconf.report.verdict_lines import worst_first
from rocconf.report.verdict_table import rule_as_written, rule_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocconf.answer import Answer, Remark

    Gate = dict[str, Any]

HINT, DECIDES = "; about ", ", would decide "
"""How the message of an open rule tells how many cases it takes."""
COST, COST_RULE = "cost", "cost="
"""The metric that rests on costs, and how a threshold is chosen by them."""
BEARS, BEARS_NOT, READ = "bears on the verdict", "bears on no rule", "tells how to read the numbers"
"""What a warning means for the verdict."""
MOST_OPEN = 3
"""The open rules of which the answer says what would decide them."""


def what_decides(answer: Answer) -> list[str]:
    """Return what would decide the rules that keep a verdict open."""
    if answer.verdict != "inconclusive":
        return []
    gates = [gate for gate in worst_first(answer.gates) if gate["verdict"] != "pass" and gate["severity"] != "warn"]
    hints = [(gate, gate["message"].partition(HINT)[2]) for gate in gates]
    told = [
        f"What would decide {rule_in_words(gate)}: about {hint.replace(DECIDES, ', ')}" for gate, hint in hints if hint
    ]
    found, more = told[:MOST_OPEN], len(told) - MOST_OPEN
    found += [f"{more} more open rules say below what would decide them"] if more > 0 else []
    few, least = undecided(answer), answer.results[0].options.get("min_cases")
    slices: dict[str, list[str]] = {}
    for gate in gates:
        sizes = few.get((gate.get("by"), gate.get("slice")))
        if gate["value"] is None and sizes:
            has = f"{gate['slice'] or '(empty)'} ({sizes[0]:,} positive, {sizes[1]:,} negative)"
            slices.setdefault(rule_as_written(gate), []).append(has)
    return found + [
        f"What would let {rule} be judged in {' and '.join(dict.fromkeys(names))}: at least {least} cases of each class "
        "there, or other slices; to decide it may take many more"
        for rule, names in slices.items()
    ]


def of_costs(answer: Answer) -> str:
    """Return whether the verdict depends on costs."""
    names = _names(gate for gate in answer.gates if _uses_costs(gate))
    if names:
        return (
            f"These rules use costs, so that another cost of a miss may change their verdict: {names}. Run the command "
            "again with those costs."
        )
    return "No rule uses costs: the verdict is the same whatever a miss costs."


def _uses_costs(gate: Gate) -> bool:
    return str(gate["metric"]).removeprefix(DELTA).partition(".")[0] == COST or str(gate["at"] or "").replace(
        " ", ""
    ).startswith(COST_RULE)


def bearing(answer: Answer, remark: Remark) -> str | None:
    """Return which rules a warning bears on, None where that cannot be told."""
    if not answer.gates:
        return None
    if remark.code == "in-sample":
        found = [gate for gate in answer.gates if gate["in_sample"]]
        none = "No rule rests on a threshold that was chosen on these cases: the verdict stands without this warning."
    elif remark.code == "slices-undecided":
        few = undecided(answer)
        found = [gate for gate in answer.gates if (gate.get("by"), gate.get("slice")) in few and gate["value"] is None]
        none = "No rule is about slices: the verdict stands without this warning."
    else:
        found = [gate for gate in answer.gates if remark.code in gate["codes"]]
        none = None
    return f"{BEARS.capitalize()} of: {_names(found)}." if found else none


def warnings_in_short(answer: Answer) -> list[tuple[str, str]]:
    """Return how many warnings there are, and what each means for the verdict."""
    codes: dict[str, list[str]] = {}
    for remark in answer.remarks:
        if remark.kind == "warning":
            told = bearing(answer, remark)
            means = READ if told is None else BEARS if told.startswith(BEARS.capitalize()) else BEARS_NOT
            codes.setdefault(means, []).append(remark.code)
    if not codes or answer.verdict is None:
        return []
    number = sum(map(len, codes.values()))
    parts = [
        f"{means}: {', '.join(dict.fromkeys(codes[means]))}" for means in (BEARS, BEARS_NOT, READ) if means in codes
    ]
    return [("1 warning" if number == 1 else f"{number} warnings", "; ".join(parts))]


def _names(gates: Iterable[Gate]) -> str:
    return ", ".join(dict.fromkeys(map(rule_in_words, gates)))
