"""Colours that are distinct for readers with any colour vision, also on white paper.

The colours of the models are those of Okabe and Ito (2008, https://jfly.uni-koeln.de/color/), less the yellow that is
too faint for a line. After seven models the line changes: dashed, dotted, dash-dotted.
"""

INK = "#222222"
SOFT = "#555555"
QUIET = "#8c8c8c"
GRID_GREY = "#e3e3e3"

MODEL_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
LINE_STYLES = ("-", "--", ":", "-.")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p")
THRESHOLD_COLOURS = "viridis"
"""The colour map of thresholds; its lightness increases evenly, so that it can be read in grey too."""

LIGHTEST = 0.93
"""The part of the colour map that is used: its end is too faint on white."""


def colour_of(model: int) -> str:
    """Return the colour of the k-th model."""
    return MODEL_COLOURS[model % len(MODEL_COLOURS)]


def line_of(model: int) -> str:
    """Return the line style of the k-th model."""
    return LINE_STYLES[model // len(MODEL_COLOURS) % len(LINE_STYLES)]


def marker_of(mark: int) -> str:
    """Return the shape of the k-th mark."""
    return MARKERS[mark % len(MARKERS)]
