"""What GitHub's runner is told: at most ten annotations, escaped as it demands, and a step summary."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, TYPE_CHECKING

from rocconf.errors import RocconfError

if TYPE_CHECKING:
    from rocconf.answer import Answer

MOST = 10
"""How many annotations of a kind the runner shows."""

LARGEST = 1024 * 1024
"""How large a step summary may be."""


def write_annotations(answer: Answer, stream: IO[str]) -> None:
    """Write a workflow command for each rule that did not pass, or one that there was none."""
    if not answer.gates:  # a job that was to be stopped by rules, and has lost them, passes
        stream.write("::warning title=rocconf::no rule was judged\n")
    # what fails comes first: the others are those that a page of ten may do without
    open_gates = sorted(
        (gate for gate in answer.gates if gate["verdict"] != "pass"),
        key=lambda gate: (gate["severity"] == "warn", gate["verdict"] != "fail"),
    )
    shown = open_gates if len(open_gates) <= MOST else open_gates[: MOST - 1]
    for gate in shown:
        kind = "warning" if gate["severity"] == "warn" or answer.exit_code == 0 else "error"
        title = escape_property(f"{gate['verdict']}: {gate['name']}")
        stream.write(f"::{kind} title={title}::{escape_data(gate['message'])}\n")
    if len(shown) < len(open_gates):
        stream.write(f"::warning title=rocconf::{len(open_gates) - len(shown)} more rules did not pass\n")


def append_summary(answer: Answer) -> None:
    """Append the answer to the step summary, if there is one."""
    from io import StringIO

    from rocconf.report.markdown import write_markdown

    name = os.environ.get("GITHUB_STEP_SUMMARY")
    if not name:
        return
    page = StringIO()
    write_markdown(answer, page)
    try:
        with Path(name).open("a", encoding="utf-8") as summary:
            room = max(LARGEST - summary.tell() - 1, 0)
            text = (page.getvalue() + "\n").encode()[:room].decode(errors="ignore")
            summary.write(text)
    except OSError as error:
        raise RocconfError(f"{name}: the step summary cannot be written ({error.strerror or error})") from error


def escape_data(text: str) -> str:
    """Escape the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Escape a property of a workflow command."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")
