"""The list of commands. A new command is its analysis, a module of its name in this package, and a line here."""

ANALYSES = {
    "sweep": "compute.sweep.Sweep",
    "tango": "compute.tango.ConfidentSegment",
    "chi2-contours": "compute.chi2_contours.Chi2Contours",
    "sensibility": "compute.sensibility.Sensibility",
    "compare": "compute.compare.Comparison",
}
"""The commands that analyse cases, each with the class of its result."""

COMMANDS = (*ANALYSES, "gate", "check")
