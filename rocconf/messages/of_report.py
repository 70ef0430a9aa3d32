"""The messages of `report` and `plot`."""

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
    "figure-size": ("error", "a figure's {name} must be {smallest:g} to {largest:g} inches, not {found:g}"),
    "figure-dpi": ("error", "<dpi> must be {smallest} to {largest} dots per inch, not {found}"),
    "figure-pixels": (
        "error",
        "{width:g} by {height:g} inches at {dpi} dots per inch are more than {most} million pixels; reduce <dpi> or size",
    ),
    "no-figures": ("error", "{command} draws no figures"),
    "unknown-figure": (
        "error",
        "<plot> {text}: no figure is called {name!r}{hint} (known: {known}; for a file of that name: ./{text})",
    ),
    "unknown-figure-kind": ("error", "{command} has no figure {name!r}{hint} (known: {known})"),
    "unknown-figure-format": ("error", "{path}: unknown figure format {suffix!r} (known: {known})"),
    "no-figure-format": ("error", "{path}: a figure needs a suffix that names its format ({known})"),
    "figure-without-option": ("error", "the {kind} figure of {command} has no {name}"),
    "no-room-for-legend": (
        "error",
        "{width:g} by {height:g} inches leave no room for a curve over {lines} lines of legend; increase or omit <height>",
    ),
    "drift-needs-reference": ("error", "the drift figure needs <reference>"),
    "regions-differ": (
        "error",
        "models with different numbers of cases have no confident region in common: draw one at a time",
    ),
}
