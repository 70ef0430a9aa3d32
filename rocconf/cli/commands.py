"""The list of commands. A new command is its analysis, a module of its name in this package, and lines here."""

from typing import NamedTuple

ANALYSES = {
    "sweep": "compute.sweep.Sweep",
    "tango": "compute.tango.ConfidentSegment",
    "chi2-contours": "compute.chi2_contours.Chi2Contours",
    "sensibility": "compute.sensibility.Sensibility",
    "compare": "compute.compare.Comparison",
}
"""The commands that analyse cases, each with the class of its result."""

RESULTS = {
    **ANALYSES,
    "one-vs-rest": "compute.classes.OneVsRest",
    "compare-auc": "compute.compare.AucComparison",
}
"""The commands in reports and in rules of a configuration, each with the class of its result."""

COMMANDS = (*ANALYSES, "count", "gate", "plan", "check", "explain")


class About(NamedTuple):
    """What a command answers, and an example of it."""

    question: str
    example: str


ABOUT = {
    "sweep": About(
        "How good are these scores, and which threshold should I use?",
        "rocconf sweep churn.csv --label churned --positive yes --at 'fpr<=0.01'",
    ),
    "tango": About(
        "At which thresholds do misses and false alarms balance?",
        "rocconf tango scores.csv --plot segment.png",
    ),
    "chi2-contours": About(
        "Which points of the ROC chart could be chance?",
        "rocconf chi2-contours scores.csv --plot contours.png",
    ),
    "sensibility": About(
        "Are the scores sensible probabilities, and have they drifted?",
        "rocconf sensibility june.csv --reference may.csv",
    ),
    "compare": About(
        "Is the new model better than the old one, and how sure is that?",
        "rocconf compare release.csv --score old --score new --baseline old",
    ),
    "count": About(
        "How do I analyse more cases than fit one file, or one machine?",
        "rocconf count 'scores/*.parquet' --label label --score score -o counts.parquet",
    ),
    "gate": About(
        "Does a saved report meet my rules?",
        "rocconf gate report.json --require 'auc >= 0.85'",
    ),
    "plan": About(
        "How many cases do I need?",
        "rocconf plan --require 'auc >= 0.8' --auc 0.85 --prevalence 0.1",
    ),
    "check": About(
        "Are my configuration and rules valid?",
        "rocconf check -- sweep scores.csv --require 'auc >= 0.85'",
    ),
    "explain": About(
        "What does this message mean, and what should I do?",
        "rocconf explain in-sample",
    ),
}
"""The question that each command answers, and an example, for the help."""

BY_MEANING = {
    "sweep": ("roc", "auc", "curve", "threshold", "thresholds", "cutoff", "metrics", "pr", "youden", "evaluate"),
    "tango": ("ci", "confidence", "confident", "segment", "mcnemar", "equivalence"),
    "chi2-contours": ("chi2", "chisq", "chi-square", "contours", "contour", "fisher"),
    "sensibility": ("drift", "shift", "monitor", "midpoint", "struggle", "probabilities"),
    "compare": (
        "delong",
        "diff",
        "difference",
        "versus",
        "vs",
        "ab",
        "comparison",
        "paired",
        "challenger",
        "noninferiority",
    ),
    "count": ("counts", "merge", "add", "aggregate", "histogram", "spark", "sql", "scale"),
    "gate": ("judge", "verdict", "assert", "require"),
    "check": ("validate", "lint", "config"),
    "explain": ("why", "help", "message", "messages", "code"),
    "plan": ("power", "samplesize", "sample-size", "size", "cases"),
}
"""Other words that people try for a command, which need not exist."""
