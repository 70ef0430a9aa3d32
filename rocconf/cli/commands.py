"""The list of commands. A new command is its analysis, a module of its name in this package, and a line here."""

ANALYSES = {
    "sweep": "Sweep",
    "tango": "ConfidentSegment",
    "chi2-contours": "Chi2Contours",
    "sensibility": "Sensibility",
    "compare": "Comparison",
}
"""The commands that analyse cases, each with the public name of its result."""

COMMANDS = (*ANALYSES, "gate")
