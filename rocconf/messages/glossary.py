"""What the words on a screen mean: columns, measures, rules of operating points and words of a verdict."""

from __future__ import annotations

from rocconf.messages.columns import COLUMNS, OTHERS

SLICES = "docs/slices.md"
METHODS, INTERVALS, CI, PAPERS = "docs/methods.md", "docs/intervals.md", "docs/ci.md", "docs/papers.md"

GLOSSARY: dict[str, tuple[str, str]] = {
    # the table of thresholds
    "flagged": ("The share of all cases that are predicted positive at a threshold: (tp + fp) / n.", METHODS),
    "threshold": (
        "A case is predicted positive if its score is at least the threshold; with --lower-is-positive, if at most.",
        METHODS,
    ),
    "tp": ("True positives: positive cases that are predicted positive.", METHODS),
    "fp": ("False positives: negative cases that are predicted positive, false alarms.", METHODS),
    "fn": ("False negatives: positive cases that are predicted negative, misses.", METHODS),
    "tn": ("True negatives: negative cases that are predicted negative.", METHODS),
    "tpr": ("The true positive rate, recall or sensitivity: the share of the positives that are found.", METHODS),
    "fpr": ("The false positive rate: the share of the negatives that are flagged, 1 - specificity.", METHODS),
    "fnr": ("The false negative rate: the share of the positives that are missed, 1 - tpr.", METHODS),
    "specificity": ("The share of the negatives that are predicted negative, 1 - fpr.", METHODS),
    "precision": ("The share of the flagged cases that are positive. It depends on prevalence.", METHODS),
    "npv": ("The share of the cases not flagged that are negative. It depends on prevalence.", METHODS),
    "accuracy": (
        "The share of all cases that are predicted right. With few positives, flagging nothing is accurate.",
        METHODS,
    ),
    "balanced_accuracy": ("The mean of tpr and specificity.", METHODS),
    "f1": ("The harmonic mean of precision and tpr.", METHODS),
    "mcc": ("Matthews' correlation of labels and predictions, from -1 to 1; 0 is chance.", METHODS),
    "youden_j": ("tpr - fpr: 0 is chance, 1 is perfect.", METHODS),
    "lift": ("How many times as frequent positives are among the flagged cases as among all.", METHODS),
    "slice": ("The cases with one value of the column of --by.", SLICES),
    "decided": ("Whether a slice has --min-cases cases of each class, without which nothing is decided on it.", SLICES),
    "prevalence": ("The share of the cases that are positive; --prevalence restates precision for another.", METHODS),
    # measures of the curve
    "auc": ("The area under the ROC curve: how often a positive case scores higher than a negative one.", METHODS),
    "average_precision": (
        "The mean of the precision at each positive case; its value by chance is the prevalence.",
        METHODS,
    ),
    "partial_auc": ("The area under the ROC curve up to a false positive rate, --max-fpr.", METHODS),
    "hull": ("The convex hull of the ROC curve: the best that mixing thresholds can do.", METHODS),
    "robust": ("The default interval of an AUC, which keeps its level with few cases.", INTERVALS),
    "delong": ("The classical interval of an AUC; too narrow with few cases.", INTERVALS),
    "level": ("How often an interval covers the true value, 95% by default.", INTERVALS),
    # the papers' measures
    "tango": (
        (
            "Tango's interval for the difference of two paired proportions; `rocconf tango` finds by it where misses and "
            "false alarms do not differ in number beyond chance."
        ),
        PAPERS,
    ),
    "confident": ("A threshold at which misses and false alarms do not differ in number beyond chance.", PAPERS),
    "cauc": ("The area of the confident segment of a ROC curve; it shrinks as n grows, and is not an AUC.", PAPERS),
    "aved": ("The mean of (misses - false alarms) / n over the confident thresholds; aved_abs of its size.", PAPERS),
    "sensibility": ("The accuracy at a threshold on the cases that are on their class's side of the midpoint.", PAPERS),
    "capability": ("The accuracy at a threshold on the cases that are on the wrong side of the midpoint.", PAPERS),
    "midpoint": ("The score that divides the cases into sensible and other ones; --midpoint has several.", PAPERS),
    "struggle_ratio": ("How many cases are on the wrong side of the midpoint for each on the right side.", PAPERS),
    "band": (
        "A region around the ROC curve for its uncertainty, of six kinds: rocconf compare --band KIND.",
        INTERVALS,
    ),
    "drift_p": ("The p-value of a permutation test whether the cases differ from the reference.", METHODS),
    "max_chi2": ("The largest chi-square of all thresholds, whose p-value allows for having looked at all.", PAPERS),
    # operating points
    "closest": (
        (
            "The threshold whose point is nearest to tpr 1 and fpr 0. It ignores costs and prevalence, so it is a "
            "default and no advice: choose a point with --at."
        ),
        METHODS,
    ),
    "youden": ("The threshold with the largest tpr - fpr.", METHODS),
    "cost": (
        (
            "--at cost=FP:FN chooses the threshold that costs least, where a false alarm costs FP and a miss FN: with 1:10 "
            "a miss costs 10. In tables, the mean cost of a case."
        ),
        METHODS,
    ),
    # comparisons and verdicts
    "baseline": ("The model that others are compared with; a difference is the model less its baseline.", CI),
    "difference": ("A model's value less that of its baseline, on the same cases if they are paired.", METHODS),
    "margin": ("How much worse than the baseline is still good enough.", METHODS),
    "non_inferior": (
        "The model is not worse than its baseline by the margin or more, as far as the interval tells.",
        METHODS,
    ),
    "p_adjusted": ("The p-value adjusted by Holm for the number of comparisons.", METHODS),
    "pass": ("All of the interval meets the limit of the rule; the exit status is 0.", CI),
    "fail": ("No part of the interval meets the limit of the rule; the exit status is 1.", CI),
    "inconclusive": ("The interval includes values on both sides of the limit; the exit status is 3.", CI),
}
"""A sentence or two on each word, and where more of it stands."""

ALIASES = {
    "recall": "tpr",
    "sensitivity": "tpr",
    "aved_abs": "aved",
    "ap": "average_precision",
    "struggle": "struggle_ratio",
    "drift": "drift_p",
    "j": "youden_j",
    "segment": "confident",
    "threshold_low": "confident",
    "threshold_high": "confident",
    "equivalent": "margin",
    "verdict": "inconclusive",
    "chi2": "max_chi2",
    "d_joint": "drift_p",
    "d_sens": "drift_p",
    "d_cap": "drift_p",
    "within_class": "drift_p",
    "within_class_ks": "drift_p",
}
"""Other words for these."""


def meaning_of(word: str) -> tuple[str, str, str] | None:
    """Return the word as it stands here, what it means and where more of it stands; None if it is not known."""
    plain = word.lower().replace("-", "_").replace(" ", "_").removeprefix("delta_")
    name = ALIASES.get(plain, OTHERS.get(plain, plain))
    known = GLOSSARY if name in GLOSSARY else COLUMNS
    return (name, *known[name]) if name in known else None


def meanings_of(column: str) -> list[tuple[str, str, str]]:
    """Return the meaning of a column, or those of its parts: of `auc_se` those of `auc` and `se`; none if not known."""
    whole = meaning_of(column)
    if whole is not None:
        return [whole]
    parts = column.replace(" ", "_").split("_")
    for end in range(len(parts) - 1, 0, -1):
        first = meaning_of("_".join(parts[:end]))
        if first is not None:  # the longest known beginning, and no other: a long name is answered at once
            others = meanings_of("_".join(parts[end:]))
            return [first, *others] if others else []
    return []
