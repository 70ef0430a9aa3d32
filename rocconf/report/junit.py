"""A gate's verdicts as JUnit XML: one test case a rule and model; a failure is evidence against, an error no evidence."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.answer import Answer


def write_junit(answer: Answer, stream: IO[str]) -> None:
    """Write the verdicts of an answer."""
    gates = answer.gates
    counts = {word: sum(_outcome(gate) == word for gate in gates) for word in ("failure", "error", "skipped")}
    head = f'name="rocconf {answer.command}" tests="{len(gates)}" failures="{counts["failure"]}"'
    head += f' errors="{counts["error"]}"'
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    stream.write(f'<testsuites {head} time="0">\n')
    stream.write(f' <testsuite {head} skipped="{counts["skipped"]}" time="0">\n')
    _write_cases(answer.command, gates, stream)
    stream.write(" </testsuite>\n</testsuites>\n")


def _write_cases(command: str, gates: Sequence[dict[str, Any]], stream: IO[str]) -> None:
    for gate in gates:
        name, where = quoteattr(_clean(gate["name"])), quoteattr(_clean(f"rocconf.{command}.{gate['model']}"))
        stream.write(f'  <testcase name={name} classname={where} time="0">\n')
        message, outcome = _clean(gate["message"]), _outcome(gate)
        if outcome:
            kind = f" type={quoteattr(gate['verdict'])}" if outcome != "skipped" else ""
            stream.write(f"   <{outcome} message={quoteattr(message)}{kind}/>\n")
        stream.write(f"   <system-out>{escape(message)}</system-out>\n")
        stream.write("  </testcase>\n")


def _outcome(gate: dict[str, Any]) -> str:
    """Name the element that says what became of a rule; nothing for one that passed."""
    if gate["verdict"] == "pass":
        return ""
    if gate["severity"] == "warn":
        return "skipped"
    return "failure" if gate["verdict"] == "fail" else "error"


def _clean(text: str) -> str:
    """Leave out what XML cannot hold."""
    return "".join(
        letter
        for letter in text
        if letter in "\t\n" or " " <= letter < "\ud800" or "\udfff" < letter < "\ufffe" or letter > "\uffff"
    )
