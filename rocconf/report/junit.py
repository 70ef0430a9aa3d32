"""A gate's verdicts as JUnit XML: a test case for each rule and model.

A failure is evidence against a rule, an error is too little evidence, and a rule that only warns is skipped.

There is no standard, but two schemas: Ant's, which is strict, and that of Maven's surefire, which CI servers read. The
file is valid in both. Ant's requires a time and a host, which are constant: the same answer is the same bytes.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from typing import IO, TYPE_CHECKING, Any

from rocconf import __version__
from rocconf.report.verdict_table import slice_in_words
from rocconf.visible import visible, without_commands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rocconf.answer import Answer

NO_TIME, NO_HOST = "1970-01-01T00:00:00", "localhost"


def write_junit(answer: Answer, stream: IO[str]) -> None:
    """Write the verdicts of an answer."""
    outcomes = [_outcome(gate) for gate in answer.gates]
    counts = {"tests": len(outcomes), "failures": outcomes.count("failure"), "errors": outcomes.count("error")}
    counts["skipped"] = outcomes.count("skipped")
    root = ET.Element("testsuites")
    suite = _add(root, "testsuite", id=0, package="rocconf", name=f"rocconf {answer.command}", **counts, time=0)
    suite.attrib |= {"timestamp": NO_TIME, "hostname": NO_HOST}
    properties = _add(suite, "properties")
    run = {"rocconf": __version__, "verdict": answer.verdict or "none", "exit_code": answer.exit_code}
    for name, value in run.items():
        _add(properties, "property", name=name, value=value)
    for name, gate, outcome in zip(_case_names(answer.gates), answer.gates, outcomes, strict=True):
        where = _one_line(f"rocconf.{answer.command}.{gate['model']}")
        _add_outcome(_add(suite, "testcase", name=name, classname=where, time=0), gate, outcome)
    _add(suite, "system-out").text = _lines(gate["message"] for gate in answer.gates)
    _add(suite, "system-err").text = _lines(remark.message for remark in answer.warnings)
    ET.indent(root, " ")
    stream.write(f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n')


def _case_names(gates: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Return the name of each test case: its rule's, with a number only where rule and model are repeated.

    CI servers merge cases of one name, and follow a case from run to run by its name, whatever other models there are.
    """
    seen: Counter[tuple[str, str]] = Counter()
    for gate in gates:
        case = _one_line(gate["name"] + slice_in_words(gate)), gate["model"]
        seen[case] += 1
        yield f"{case[0]} ({seen[case]})" if seen[case] > 1 else case[0]


def _add_outcome(case: ET.Element, gate: dict[str, Any], outcome: str) -> None:
    if outcome:
        message = _one_line(gate["message"])
        kind = {} if outcome == "skipped" else {"type": gate["verdict"]}
        # some readers show the attribute and others the content
        _add(case, outcome, message=message, **kind).text = message


def _outcome(gate: dict[str, Any]) -> str:
    """Return the element for a verdict, None for a rule that passed."""
    if gate["verdict"] == "pass":
        return ""
    if gate["severity"] == "warn":
        return "skipped"
    return "failure" if gate["verdict"] == "fail" else "error"


def _add(parent: ET.Element, tag: str, **attributes: object) -> ET.Element:
    return ET.SubElement(parent, tag, {name: _one_line(str(value)) for name, value in attributes.items()})


def _lines(messages: Iterable[str]) -> str:
    return without_commands("".join(f"{_one_line(message)}\n" for message in messages))


def _one_line(text: str) -> str:
    """Return a text as the schemas require names: no line breaks, no repeated blanks, no characters that XML lacks."""
    return visible(" ".join(text.split()))
