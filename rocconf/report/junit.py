"""A gate's verdicts as JUnit XML: one test case a rule and model; a failure is evidence against, an error no evidence.

There is no standard, but two schemas: what Ant writes, whose demands are strict, and Maven's surefire, which CI servers
read. The file keeps to both. The strict one wants a time and a host: they are always the same ones, as the same answer
is the same bytes.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from rocconf import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.answer import Answer

NO_TIME, NO_HOST = "1970-01-01T00:00:00", "localhost"


def write_junit(answer: Answer, stream: IO[str]) -> None:
    """Write the verdicts of an answer."""
    name, outcomes = f"rocconf {answer.command}", [_outcome(gate) for gate in answer.gates]
    counts = {"tests": len(outcomes), "failures": outcomes.count("failure"), "errors": outcomes.count("error")}
    suite = {"name": name, **counts, "skipped": outcomes.count("skipped"), "time": 0}
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n')
    stream.write(f" <testsuite{_attributes(id=0, package='rocconf', **suite, timestamp=NO_TIME, hostname=NO_HOST)}>\n")
    _write_properties(answer, stream)
    for name, gate, outcome in zip(_names(answer.gates), answer.gates, outcomes, strict=True):
        _write_case(name, f"rocconf.{answer.command}.{gate['model']}", gate, outcome, stream)
    said = "".join(f"{_one_line(gate['message'])}\n" for gate in answer.gates)
    weak = "".join(f"{_one_line(caveat.message)}\n" for caveat in answer.caveats)
    stream.write(f"  <system-out>{_content(said)}</system-out>\n  <system-err>{_content(weak)}</system-err>\n")
    stream.write(" </testsuite>\n</testsuites>\n")


def _write_properties(answer: Answer, stream: IO[str]) -> None:
    said = {"rocconf": __version__, "verdict": answer.verdict or "none", "exit_code": answer.exit_code}
    stream.write("  <properties>\n")
    for name, value in said.items():
        stream.write(f"   <property{_attributes(name=name, value=value)}/>\n")
    stream.write("  </properties>\n")


def _names(gates: Sequence[dict[str, Any]]) -> list[str]:
    """Name the test cases: two of one name would be one to those who read them."""
    names = [_one_line(gate["name"]) for gate in gates]
    keys = [(name, gate["model"]) for name, gate in zip(names, gates, strict=True)]
    before = [keys[:at].count(key) for at, key in enumerate(keys)]
    return [f"{name} ({count + 1})" if count else name for name, count in zip(names, before, strict=True)]


def _write_case(name: str, where: str, gate: dict[str, Any], outcome: str, stream: IO[str]) -> None:
    head = f"  <testcase{_attributes(name=name, classname=_one_line(where), time=0)}"
    message = _one_line(gate["message"])
    if not outcome:
        stream.write(f"{head}/>\n")
        return
    kind = _attributes(message=message, **({} if outcome == "skipped" else {"type": gate["verdict"]}))
    # some readers show the attribute and others the content
    stream.write(f"{head}>\n   <{outcome}{kind}>{_content(message)}</{outcome}>\n  </testcase>\n")


def _outcome(gate: dict[str, Any]) -> str:
    """Name the element that says what became of a rule; nothing for one that passed."""
    if gate["verdict"] == "pass":
        return ""
    if gate["severity"] == "warn":
        return "skipped"
    return "failure" if gate["verdict"] == "fail" else "error"


def _attributes(**values: Any) -> str:
    return "".join(f" {name}={quoteattr(_clean(str(value)))}" for name, value in values.items())


def _content(text: str) -> str:
    return escape(_clean(text))


def _one_line(text: str) -> str:
    """Write a name as the schemas want names: without line breaks, and without blanks at its ends or two in a row."""
    return " ".join(text.split())


def _clean(text: str) -> str:
    """Leave out what XML cannot hold."""
    return "".join(
        letter
        for letter in text
        if letter in "\t\n" or " " <= letter < "\ud800" or "\udfff" < letter < "\ufffe" or letter > "\uffff"
    )
