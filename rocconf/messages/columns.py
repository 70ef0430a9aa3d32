"""What the other words of tables mean: columns of files and pages, tests, methods and words in cells.

`rocconf explain` takes them, and lists only those of the glossary, which a screen shows.
"""

from __future__ import annotations

METHODS, INTERVALS, PAPERS, OUTPUT = "docs/methods.md", "docs/intervals.md", "docs/papers.md", "docs/output.md"
CLUSTERS = "docs/clusters.md"
SLICES, COSTS, THRESHOLDS, CLASSES = "docs/slices.md", "docs/costs.md", "docs/thresholds.md", "docs/classes.md"
SENSIBILITY, PLAN, SCALE, CHI2 = "docs/sensibility.md", "docs/plan.md", "docs/scale.md", "docs/chi2-contours.md"

COLUMNS: dict[str, tuple[str, str]] = {
    # every table
    "n": ("The number of cases.", OUTPUT),
    "positives": ("The number of cases of the positive class.", OUTPUT),
    "negatives": ("The number of cases of the negative class.", OUTPUT),
    "lower": ("The lower end of an interval.", INTERVALS),
    "upper": ("The upper end of an interval.", INTERVALS),
    "low": ("Where a range begins, such as that of the confident thresholds.", OUTPUT),
    "high": ("Where a range ends.", OUTPUT),
    "se": ("The standard error.", INTERVALS),
    "df": ("The degrees of freedom of the t-distribution that the interval uses.", INTERVALS),
    "p": ("How often chance alone gives a difference at least as large as this one.", METHODS),
    "interval": (
        (
            "The values in brackets: the true value lies between them, as far as these cases tell; at 95%, such intervals hold "
            "it in 95 of 100 samples. A column `interval` says how they were computed: robust, delong, ..."
        ),
        INTERVALS,
    ),
    "test": ("How the interval of a difference and its p-value were computed: robust, tango-cc, mover, ...", METHODS),
    "thresholds": ("The number of distinct thresholds.", METHODS),
    "dropped": ("The rows of the file that were left out.", "docs/input.md"),
    "status": (
        "The exit status: 0 passed, 1 failed, 2 an error in what was asked, 3 not enough evidence.",
        "docs/ci.md",
    ),
    "role": (
        "What a file was read for: the data, the reference, or the cases on which thresholds were chosen.",
        OUTPUT,
    ),
    "distinct": ("--thresholds distinct: every score that occurs is a threshold.", METHODS),
    "wilson": ("Wilson's interval of a share, such as a rate at a threshold.", INTERVALS),
    "replicates": ("How many samples a bootstrap draws (--bootstrap).", INTERVALS),
    "seed": ("The number from which random samples are drawn: the same seed, the same samples (--seed).", INTERVALS),
    "stratified": ("Drawn within each class, so that every sample has as many positives as the data.", INTERVALS),
    "predicted_positive_rate": ("The share of all cases that are predicted positive: (tp + fp) / n.", METHODS),
    "convex_hull": ("The line above a ROC curve that joins its best thresholds: what mixing them reaches.", METHODS),
    "line_of_equal_cost": ("The points of a ROC chart that cost as much as the threshold at hand.", COSTS),
    "cauc_tp": ("The area below the confident segment of a ROC curve, a part of cauc.", PAPERS),
    "cauc_fp": ("The area to the left of the confident segment of a ROC curve, a part of cauc.", PAPERS),
    "cauc_roc": (
        "The area below or to the right of the confident segment; the AUC where the whole curve is confident.",
        PAPERS,
    ),
    "confident_points": (
        "The number of thresholds at which misses and false alarms do not differ in number beyond chance.",
        PAPERS,
    ),
    # comparisons
    "delta": ("delta_auc, and other names with delta_: the value of a model less that of its baseline.", METHODS),
    "holm": ("Holm's method: p-values are raised so that several tests together keep the level of one.", METHODS),
    "baseline_named": ("Whether --baseline names the baseline; otherwise it is the first model.", METHODS),
    "metric": ("The measure that is compared.", METHODS),
    "at": (
        "The operating point at which a measure is compared; one that is chosen can be another threshold for each model.",
        THRESHOLDS,
    ),
    "better": (
        (
            "The model that is better, if the interval excludes 0 and the adjusted p-value rejects; `not told apart` if the "
            "data do not show which, and `too few cases` in a slice that is not decided."
        ),
        METHODS,
    ),
    "less": ("new less old: the value of new minus the value of old.", METHODS),
    "paired": ("Whether both models scored the same cases, so that what is hard for both cancels out.", METHODS),
    "tango_cc": (
        "Tango's interval for the difference of two shares on the same cases, corrected to keep its level with few cases.",
        INTERVALS,
    ),
    "newcombe": ("Newcombe's interval for the difference of two shares on the same cases.", INTERVALS),
    "mover": ("An interval of a sum, such as a cost, put together from the intervals of its parts.", INTERVALS),
    "square_and_add": ("An interval of a difference from the intervals of both models.", INTERVALS),
    "bootstrap": ("An interval from cases drawn anew from the file, with replacement.", INTERVALS),
    # operating points
    "rule": ("What was asked for: how a threshold is chosen (--at, --cost), or a condition of --require.", THRESHOLDS),
    "in_sample": (
        "Whether the threshold was chosen on these cases, which makes its numbers better than on new ones.",
        THRESHOLDS,
    ),
    "honest": ("A rate without the optimism of a threshold that was chosen on the same cases.", THRESHOLDS),
    "least_cost": ("The cost of a case at the cheapest threshold; a false alarm costs FP, a miss FN.", COSTS),
    "flat": ("The thresholds around the cheapest one that cost at most 5% more.", COSTS),
    "net_benefit": ("The positives found less the false alarms, weighed by the threshold, for each case.", COSTS),
    "brier": ("The mean squared difference of score and label, mcb - dsc + unc; 0 is perfect.", COSTS),
    "mcb": ("Miscalibration: by how much recalibrated scores would lower the Brier score.", COSTS),
    "dsc": ("Discrimination: by how much recalibrated scores beat the prevalence alone.", COSTS),
    "unc": ("The uncertainty of the cases: the Brier score of the prevalence alone.", COSTS),
    "area": ("The area between a concavity of the ROC curve and its convex hull.", METHODS),
    # slices and classes
    "by": ("The column whose values divide the cases into slices.", SLICES),
    "(empty)": ("The slice of the cases whose cell is empty.", SLICES),
    "class": ("A class against all others; its model is called MODEL:CLASS.", CLASSES),
    "other": ("The other class of a pair.", CLASSES),
    "macro_auc": ("The mean of the AUCs of all classes, each against the rest.", CLASSES),
    "weighted_auc": ("The mean of the AUCs of all classes, weighted by their cases.", CLASSES),
    "hand_till": ("Hand and Till's M: the mean AUC over all pairs of classes.", CLASSES),
    "hand_till_weighted": ("The mean AUC over all pairs of classes, weighted by their cases.", CLASSES),
    "fold": ("A part of the cases that the model of a cross-validation was not trained on.", SLICES),
    "cv_auc": ("The mean AUC of the folds of a cross-validation.", SLICES),
    "sd": ("The standard deviation.", SLICES),
    "clusters": ("Groups of cases that are alike, such as those of one patient (--cluster).", CLUSTERS),
    "equal_clusters": (
        "As how many clusters of equal sizes clusters of different sizes count (Kish's formula).",
        CLUSTERS,
    ),
    "effective": ("As how many independent cases the cases of clusters count (n), or with which df.", CLUSTERS),
    # time and drift
    "window": ("A stretch of time.", SENSIBILITY),
    "statistic": ("What was compared with the reference; drift_statistic is D_joint.", SENSIBILITY),
    "sensible": ("The cases on their class's side of the midpoint; the others are non-sensible.", SENSIBILITY),
    "conclusion": ("What changed against the reference, in words.", SENSIBILITY),
    "stream": (
        "What a martingale follows: the scores of the positives, those of the negatives, or the labels.",
        SENSIBILITY,
    ),
    "martingale": (
        "A number that begins at 1, stays small without a change, and alarms when it gets large.",
        SENSIBILITY,
    ),
    "log10_peak": ("The largest value of the martingale so far, as a power of ten.", SENSIBILITY),
    "log10_alarm": ("The value from which a martingale alarms, as a power of ten.", SENSIBILITY),
    "can_alarm": ("Whether there are enough cases for an alarm.", SENSIBILITY),
    "alarm": ("Whether, when and in which window a martingale said that something changed.", SENSIBILITY),
    "reference": ("The cases that are compared with.", SENSIBILITY),
    "ks": (
        "Kolmogorov's and Smirnov's distance: how far apart the distributions of two sets of scores are.",
        SENSIBILITY,
    ),
    "psi": ("The population stability index of scores in cells, from 0, where nothing moved.", SENSIBILITY),
    "cells": ("The ranges of scores that an index compares.", SENSIBILITY),
    # the other commands
    "point": ("A classifier that is given by its rates, --point FPR,TPR.", CHI2),
    "excess": ("By how many cases each cell of the table differs from what is expected by chance.", CHI2),
    "diff": ("Misses less false alarms, as a share of all cases.", "docs/tango.md"),
    "distance": ("How far a point is from random predictions with as many alarms.", CHI2),
    "contour": ("Where the contour of a point meets the left side (tpr) and the top (fpr) of the chart.", CHI2),
    "approximate": (
        "The rates do not stand for whole numbers of cases, so p is not exact and no rule rests on it.",
        CHI2,
    ),
    "null_point": (
        "The prevalence as a point on the diagonal of the ROC chart, around which the contours of chi-square lie.",
        CHI2,
    ),
    "p_method": ("How a p-value of chi-square was computed: fisher (exact, with few cases), or chi2.", CHI2),
    "fisher": ("Fisher's exact test of a table of two rows and two columns.", CHI2),
    "power": ("How probable a verdict is to be, if the assumed value is right.", PLAN),
    "reached": ("The probability of the verdict with that many cases.", PLAN),
    "op": ("The comparison in a rule: >=, <=, >, <, == or !=.", "docs/gates.md"),
    "limit": ("The number that a rule compares with.", "docs/gates.md"),
    "method": (
        "How a number was computed; the number of cases of a plan: by enumeration, simulation or formula.",
        PLAN,
    ),
    "enumeration": ("Every outcome was weighed by its probability: exact.", PLAN),
    "simulation": ("Samples were drawn: right up to the error that is given.", PLAN),
    "scores": ("The number of distinct scores; in a table of classes, the column of scores.", SCALE),
    "least": ("The lowest score.", SCALE),
    "most": ("The highest score.", SCALE),
}
"""A sentence on each word, and where more of it stands."""

OTHERS = {
    "non_sensible": "sensible",
    "not_told_apart": "better",
    "too_few_cases": "better",
    "alarms": "alarm",
    "drift_alarm": "alarm",
    "drift_within": "drift_p",
    "auc_of_class": "auc",
    "auc_of_other": "auc",
    "martingales": "martingale",
    "labels": "stream",
    "folds": "fold",
    "positive_clusters": "clusters",
    "negative_clusters": "clusters",
    "equal_positive_clusters": "equal_clusters",
    "equal_negative_clusters": "equal_clusters",
}
"""Other words for these."""
