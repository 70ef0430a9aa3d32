"""The messages of `plot`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocconf.messages import MessageKind

OF_PLOT: dict[str, tuple[MessageKind, str]] = {
    "figure-not-probabilities": (
        "error",
        "{model}: this figure needs probabilities, scores in [0, 1] (found {lower:g} to {upper:g}), and rescaling makes none",
    ),
    "figure-without-slices": ("error", "this figure needs slices: <use sweep_slices or compare_slices|--by COLUMN>"),
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
    "figure-of-other-command": (
        "error",
        "<plot>: {command} has no figure {name!r}, which is one of {others} (figures of {command}: {known})",
    ),
    "figure-of-unlabelled": (
        "error",
        (
            "<plot>: {command} has no figure {name!r}, which is one of <unlabelled scores|sensibility --unlabelled --reference "
            "FILE> (figures of {command}: {known})"
        ),
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
    "time-figure-needs-time": ("error", "the time figure needs <cases and a reference|--time and --reference>"),
    "regions-differ": (
        "error",
        "models with different numbers of cases have no confident region in common: draw one at a time",
    ),
    "plan-without-curve": ("error", "a plan by formula has no curve of its power: draw one from numbers or a pilot"),
    "plan-two-classes": (
        "error",
        "one rule counts positives and another negatives: give the <prevalence> to draw them over the number of cases",
    ),
}
