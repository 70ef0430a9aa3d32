"""The messages of `report`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocconf.messages import MessageKind

OF_REPORT: dict[str, tuple[MessageKind, str]] = {
    # files and formats
    "unknown-table": (
        "error",
        "<out|-o> {text}: no table is called {name!r}{hint} (known: {known}; for a file of that name: ./{text})",
    ),
    "unknown-file-format": (
        "error",
        "<out|-o> {text}: unknown format of {name!r} (known: {known}; the first four also with .gz)",
    ),
    "not-one-table": ("error", "<out|-o> {text}: {suffix} holds the whole answer, not one table"),
    "file-is-directory": ("error", "{path}: cannot be written: it is a directory"),
    "file-is-device": ("error", "{path}: cannot be written: it is a device or a pipe"),
    "no-parent-directory": ("error", "{path}: cannot be written: there is no directory {directory!r}"),
    "parent-not-directory": ("error", "{path}: cannot be written: {directory!r} is not a directory"),
    "directory-not-writable": ("error", "{path}: cannot be written: the directory {directory!r} is not writable"),
    "file-not-written": ("error", "{path}: cannot be written: {reason}"),
    "step-summary-not-written": ("error", "{path}: the step summary cannot be written ({reason})"),
    # what is shown
    "not-all-shown": ("note", "{parts} shown; for all of them: <to_frame({table!r})|-o {file}>"),
    "no-rule-judged": ("warning", "no rule was judged"),
    "more-rules-not-passed": ("warning", "{count} more rules did not pass"),
    # figures
}
