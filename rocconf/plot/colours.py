"""Colours that readers with any colour vision can tell apart, on white paper too.

The colours of the models are those of Okabe and Ito (2008, https://jfly.uni-koeln.de/color/), less the yellow
that is too faint for a line. After seven models the line changes: dashed, dotted, dash-dotted.
"""

INK = "#222222"
SOFT = "#555555"
QUIET = "#8c8c8c"
GRID = "#e3e3e3"

MODELS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
LINES = ("-", "--", ":", "-.")
SHAPES = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p")
THRESHOLDS = "viridis"
"""The colour map of thresholds; it rises evenly in lightness, so that it reads in grey too."""

LIGHTEST = 0.93
"""How far up the colour map of thresholds to go: its end is too faint on white."""


def colour_of(model: int) -> str:
    """Return the colour of the k-th model."""
    return MODELS[model % len(MODELS)]


def line_of(model: int) -> str:
    """Return the line style of the k-th model."""
    return LINES[model // len(MODELS) % len(LINES)]


def shape_of(mark: int) -> str:
    """Return the shape of the k-th mark."""
    return SHAPES[mark % len(SHAPES)]
