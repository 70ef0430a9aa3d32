"""Output for GitHub's runner: at most ten annotations, escaped as it requires, and a step summary."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, TYPE_CHECKING

from rocconf.errors import RocconfError
from rocconf.messages import message
from rocconf.report.files import append
from rocconf.visible import visible

if TYPE_CHECKING:
    from rocconf.answer import Answer

MOST_ANNOTATIONS = 10
"""The number of annotations of a kind that the runner shows."""

LARGEST_SUMMARY = 1024 * 1024
"""The number of bytes that a step summary may have."""


def write_annotations(answer: Answer, stream: IO[str]) -> None:
    """Write a workflow command for each rule that did not pass, or a warning that there was no rule."""
    if not answer.gates:  # the job of a gate that has lost its rules passes
        stream.write(f"::warning title=rocconf::{message('no-rule-judged')}\n")
    # failures first: the others are left out if there are more than ten
    not_passed = sorted(
        (gate for gate in answer.gates if gate["verdict"] != "pass"),
        key=lambda gate: (gate["severity"] == "warn", gate["verdict"] != "fail"),
    )
    shown = not_passed if len(not_passed) <= MOST_ANNOTATIONS else not_passed[: MOST_ANNOTATIONS - 1]
    for gate in shown:
        kind = "warning" if gate["severity"] == "warn" or answer.exit_code == 0 else "error"
        title = escape_property(visible(f"{gate['verdict']}: {gate['name']}"))
        stream.write(f"::{kind} title={title}::{escape_data(visible(gate['message']))}\n")
    if len(shown) < len(not_passed):
        others = message("more-rules-not-passed", count=len(not_passed) - len(shown))
        stream.write(f"::warning title=rocconf::{others}\n")


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
        path = Path(name)
        room = max(LARGEST_SUMMARY - (path.stat().st_size if path.exists() else 0) - 1, 0)
        append(path, (page.getvalue() + "\n").encode()[:room].decode(errors="ignore").encode())
    except OSError as error:
        raise RocconfError("step-summary-not-written", path=name, reason=error.strerror or str(error)) from error


def escape_data(text: str) -> str:
    """Escape the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Escape a property of a workflow command."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")
