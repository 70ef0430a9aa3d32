"""The messages of `compute`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocconf.messages import MessageKind

OF_COMPUTE: dict[str, tuple[MessageKind, str]] = {
    # counts and curves
    "which-model": (
        "error",
        "several models: name one of them, as in rocconf.count(predictions, {first!r}) (found: {found})",
    ),
    "no-model": ("error", "no model {name!r} (found: {found})"),
    "predictions-not-counts": ("error", "this takes counts: rocconf.count(predictions)"),
    "several-not-counts": ("error", "this takes the counts of one model: each of rocconf.count_each(predictions)"),
    "not-counts": ("error", "an analysis takes counts (rocconf.count, rocconf.read_counts), not {found}"),
    "rescale-range": ("error", "scores from {lower:g} to {upper:g} cannot be rescaled to [0, 1]"),
    "rescaled-calibration": (
        "error",
        "<rescale> makes no probabilities of scores, so <calibrated=True|--calibration> would measure nothing: leave one of them out",
    ),
    "rescale-ties": (
        "error",
        (
            "{model}: rescaled to [0, 1], {lost} of {scores} distinct scores would become equal to a neighbour (they lie from "
            "{lower:g} to {upper:g}); quantiles:K or a list of thresholds needs no rescaling"
        ),
    ),
    "curve-one-class": (
        "error",
        "{model}: a ROC curve needs both classes (found {positives} positives and {negatives} negatives)",
    ),
    "grid-not-probabilities": (
        "error",
        (
            "{model}: a grid of thresholds needs scores in [0, 1] (found {lower:g} to {upper:g})<|; --rescale rescales "
            "them>"
        ),
    ),
    "quantiles-form": ("error", "quantiles:K needs a whole number K from 1 to {most}, not {found!r}"),
    "thresholds-form": (
        "error",
        "<thresholds> {found!r} is not distinct, grid:STEP, quantiles:K or a list of numbers like 0.5,0.9",
    ),
    "grid-form": ("error", "<thresholds> {thresholds!r}: {found!r} is not a step like 0.01"),
    "grid-step": ("error", "a grid's step must be in (0, 1], not {step:g}"),
    "grid-too-fine": ("error", "a grid of step {step:g} is too fine (at most {most} steps)"),
    "prevalence-range": ("error", "a prevalence must be between 0 and 1, not {prevalence:g}"),
    "files-unnamed": (
        "warning",
        (
            "more files were counted than the metadata of a counts file have room to name: cases that are counted again are not "
            "noticed, and thresholds cannot be chosen with these counts"
        ),
    ),
    "counted-one-class": (
        "warning",
        "{model}: {positives:,} of {n:,} cases are positive: no analysis takes the counts before others are added",
    ),
    # clusters
    "threshold-in-bin": (
        "error",
        (
            "{model}: the threshold {threshold!r} divides a bin, and how many of its cases it flags is not known: the nearest "
            "thresholds that are known are {below!r} and {above!r}"
        ),
    ),
    "bins-cannot": (
        "error",
        "{model}: {what} needs the scores, of which only bins were counted: give the file of cases, or count more scores",
    ),
    "bins-metric": (
        "error",
        (
            "{metric} of {model} depends on the scores within bins, which were not counted: judge auc, or a rate at an "
            "operating point, or give the file of cases"
        ),
    ),
    "bins-value": (
        "error",
        (
            "{rule}: {model} has its scores in bins, and all that is known is that auc lies in [{lower!r}, {upper!r}]: give the "
            "file of cases, or judge the interval"
        ),
    ),
    "bins-plan": ("answer", "a plan of the width of an interval"),
    "bins-slices": ("answer", "an analysis of slices"),
    "bins-calibration": ("answer", "a measure of the scores as probabilities"),
    "bins-rescale": ("answer", "scores that are rescaled"),
    "bins-sensibility": ("answer", "an analysis of sensibility, with bins that have no lower or no upper edge,"),
    "bins-compare": ("answer", "a comparison"),
    "binned": (
        "warning",
        (
            "{model}: scores are in bins ({bins:,} of more than one score): counts and rates are exact at every threshold shown, "
            "{auc}, and all else takes the cases of a bin as ties"
        ),
    ),
    "binned-within": ("answer", "AUC lies in [{lower:.6f}, {upper:.6f}], which its interval allows for"),
    "binned-exact": ("answer", "AUC is exact"),
    "clusters-cannot": (
        "error",
        (
            "<cluster> says that cases belong together, and {what} takes each as independent: intervals of metrics and of "
            "their differences honour clusters, in sweep, tango and compare; what is drawn or permuted does not"
        ),
    ),
    "clusters-bootstrap": ("answer", "a bootstrap of single cases"),
    "clusters-calibration": ("answer", "the band of calibrated scores"),
    "clusters-bands": ("answer", "a band around a curve"),
    "clusters-assurance": ("answer", "the promise of <assurance>"),
    "clusters-concavities": ("answer", "the test of concavities"),
    "clusters-chi2": ("answer", "the chi-square test"),
    "clusters-sensibility": (
        "answer",
        "an analysis of sensibility (the interval of the struggle ratio, the test for drift)",
    ),
    "clusters-plan": ("answer", "a plan of the width of an interval"),
    "clusters-region": ("answer", "the region of confident points"),
    "clusters-restated": ("answer", "the segment at another <prevalence>"),
    "clusters-test": ("answer", "any <test> but tango"),
    "clusters-unlabelled": ("answer", "a comparison of scores without labels"),
    "clusters-counts": ("answer", "what reads a file of counts"),
    "clusters-time": ("answer", "an analysis of cases in time"),
    "few-clusters": (
        "warning",
        (
            "{model}: the cases of a class are worth {few:.3g} clusters of equal size of {column} ({most} of {n} cases are of "
            "one): below {least}, intervals of rates miss too often, and below {fewest} rules on intervals stay open"
        ),
    ),
    "clusters-decide-nothing": (
        "note",
        (
            "the cases that it rests on are worth fewer than {fewest} clusters of equal size, too few to "
            "estimate how much clusters differ: add clusters"
        ),
    ),
    "clusters-not-honest": (
        "note",
        "{model}: rates without the optimism of their selection are left out, as their bootstrap takes cases as independent",
    ),
    "several-segments": (
        "warning",
        (
            "{model}: {beside} more thresholds are confident outside the segment: with clusters confident thresholds need not be "
            "one run, and the segment is the longest"
        ),
    ),
    "infinite-scores": ("note", "{model}: some scores are infinite; they rank first or last"),
    "few-scores": (
        "warning",
        (
            "{model}: the number of distinct scores is {scores}: these look like labels, not scores, and the curve has few "
            "points"
        ),
    ),
    "auc-interval": (
        "note",
        "{model}: DeLong's variance of the AUC is 0 or undefined here; the interval is Newcombe's (2006, method 5)",
    ),
    "auc-below-half": (
        "warning",
        "{model}: AUC {auc:.3f} is below 0.5, worse than chance; {remedy}",
    ),
    "auc-near-perfect": (
        "warning",
        "{model}: AUC {auc:.4f}: are the scores made from the labels, or the cases not new?",
    ),
    "repeated-cases": (
        "warning",
        "{model}: as if each case were there {times} times; the intervals are then too narrow",
    ),
    "set-lower-is-positive": (
        "note",
        "if lower scores mean positive, set <lower_is_positive=True> (it turns all scores of a run)",
    ),
    "unset-lower-is-positive": (
        "note",
        "if higher scores mean positive, leave out <lower_is_positive=True> (it turns all scores of a run)",
    ),
    # operating points
    "unknown-point-rule": ("error", "no rule {rule!r} for an operating point (a rule is {known})"),
    "point-rule-form": ("error", "rule {rule!r}: cost takes FP:FN or FP:FN:PREVALENCE, the others one number"),
    "point-rule-number": ("error", "rule {rule!r}: {found!r} is not a finite number{meant}"),
    "point-rule-rate": ("error", "rule {rule!r}: a rate must be in [0, 1]"),
    "given-point-form": ("error", "a point is FPR,TPR, like 0.1,0.8, not {found!r}"),
    "point-rule-costs": ("error", "rule {rule!r}: costs must be above 0"),
    "point-rule-prevalence": ("error", "rule {rule!r}: a prevalence must be between 0 and 1"),
    "point-rule-beta": ("error", "rule {rule!r}: beta must be between 0.001 and 1000"),
    "point-rule-alerts": ("error", "rule {rule!r}: a whole number of cases from 1 up, or a share as in alerts<=5%"),
    "point-rule-alerts-share": ("error", "rule {rule!r}: a share of the cases must be above 0% and at most 100%"),
    "precision-unreached": (
        "error",
        "{model}: no threshold has a precision of {limit:g} or more on these cases; the highest is {best:.4g}",
    ),
    "assurance-range": (
        "error",
        "an assurance is a share of samples between 0 and 1, both excluded, like 0.95; found {found!r}",
    ),
    "assurance-of-rule": (
        "error",
        (
            "rule {rule!r} promises no rate, so it cannot be assured: only fpr<=X, tpr>=X and precision>=X can (and "
            "recall, sensitivity, specificity and fnr)"
        ),
    ),
    "assurance-of-nothing": (
        "error",
        "<assurance=D> needs an operating point in <at> that promises a rate: fpr<=X, tpr>=X or precision>=X",
    ),
    "assurance-restated": (
        "error",
        (
            "rule {rule!r}: its precision is that of the cases sampled, not of another prevalence: leave out "
            "<prevalence={prevalence:g}>"
        ),
    ),
    "assured-too-few": (
        "error",
        (
            "{model}: {rule} takes at least {needed:,} {what}, and there are {found:,}: add cases, or ask for a weaker rate "
            "or a lower assurance"
        ),
    ),
    "assured-never": ("error", "{rule}: no number of cases assures a rate without any error"),
    "assured-precision-unshown": (
        "error",
        (
            "{model}: no threshold shows {rule}: the {needed:,} highest scores would have to be positive, or most of more, "
            "and {positives:,} of the {flagged:,} highest are: add cases, or ask for a lower precision or assurance"
        ),
    ),
    "choose-on-direction": ("error", "the cases to choose on and the cases to judge have opposite directions"),
    "in-sample": (
        "warning",
        "{rules}: chosen on these cases, which flatters it{honest}",
    ),
    "honest-rates": ("answer", "; honest{of} tpr {tpr} {tpr_interval}, fpr {fpr} {fpr_interval}"),
    "honest-few": ("answer", "(with {positives} positives about half of the flattery remains)"),
    "alerts-none": (
        "warning",
        "{model}: {rule}: more cases than that share the highest score, so no threshold but that of nothing positive flags so few",
    ),
    "threshold-scale": (
        "warning",
        "{model}: threshold {threshold:g} has {share:.4g} of the cases on one side; the scores are {lower:g} to {upper:g}",
    ),
    "prevalence": ("note", "precision and npv are restated for a prevalence of {prevalence:g}"),
    # the confident segment
    "margin-test": ("error", "a margin of equivalence needs Tango's interval: leave out <test={test}>"),
    "cauc": (
        "note",
        (
            "cauc shrinks as n grows (like 1/sqrt(n)) and is not monotone in quality: compare models on the same cases only, "
            "and do not read it as an AUC"
        ),
    ),
    "cauc-inferred": (
        "note",
        (
            "cauc = cauc_tp + cauc_fp is inferred: the figure that defines it is lost from the paper, whose stated orderings "
            "it reproduces"
        ),
    ),
    "aved": ("note", "aved and aved_abs are means over thresholds, and depend on which thresholds there are"),
    "chosen-thresholds": (
        "note",
        (
            "confident_points, cauc and its parts, aved and aved_abs are of the thresholds {thresholds} only, not of all "
            "distinct scores: compare models on the same thresholds"
        ),
    ),
    "no-confident-point": ("note", "{model}: no threshold is confident; cauc is 0 and aved has no value"),
    "few-errors": (
        "note",
        (
            "{model}: {few} of the {confident} confident thresholds have too few errors for the test to reject (up to "
            "{most} at a level of {level:g})"
        ),
    ),
    "bootstrap": (
        "note",
        (
            "intervals of cauc, cauc_tp, cauc_fp, cauc_roc, aved and aved_abs are at this n, from a stratified bootstrap "
            "({replicates} replicates, seed {seed}); their coverage tends to exceed the level"
        ),
    ),
    "bootstrap-empty": (
        "warning",
        (
            "{model}: {empty} of {replicates} replicates have no confident threshold; the intervals of aved and aved_abs leave "
            "them out"
        ),
    ),
    "prevalence-test": ("error", "<prevalence> weights negatives, which needs <test=tango>, not {test}"),
    "concavity-orders": ("error", "<concavities> must be 0 or more, not {orders}"),
    # contours of chi-square
    "class-total-whole": ("error", "the total of {name} must be a whole number, not {total!r}"),
    "class-total-range": ("error", "a ROC chart needs at least one case of each class (found {total} {name})"),
    "class-totals-differ": (
        "error",
        "a chart of contours is for one number of positives and negatives (found: {found})",
    ),
    "no-scores": (
        "warning",
        (
            "class totals alone have no scores, so there are no rows: the contours are <in the table contours|written by "
            "-o contours:FILE.csv and --plot FILE.png>"
        ),
    ),
    "totals-without-scores": ("error", "class totals alone have no scores, and so no thresholds to choose from"),
    "chi2-range": ("error", "a level of chi2 must be positive and finite, not {chi2:g}"),
    "levels-twice": ("error", "<levels> and <significance> contradict each other: give one of them"),
    "no-levels": ("error", "contours need at least one level of chi2"),
    "chi2-above-n": ("error", "{model}: no contour for a chi2 of {levels}, as none exceeds n = {n}"),
    "no-contour": ("warning", "{model}: no contour for a chi2 of {levels}, as none exceeds n = {n}"),
    "accuracy-range": ("error", "the accuracy of a contour must be between 0 and 1, not {accuracy:g}"),
    "cost-range": ("error", "no point of the chart has a mean cost of {cost:g}"),
    "cost-form": (
        "error",
        "<cost> takes FP:FN or FP:FN:PREVALENCE, costs above 0 and a prevalence between 0 and 1, not {found!r}",
    ),
    "small-expected": (
        "warning",
        "{model}: {positives} positives and {negatives} negatives are too few for chi2; p is Fisher's",
    ),
    "point-not-whole": (
        "warning",
        "{model}: {points}: no whole numbers of cases, so p is that of chi2, an approximation{poor}",
    ),
    "point-poor": ("note", ", and a poor one where an expected count is below 5"),
    "largest-of-many": (
        "note",
        (
            "{model}: the largest chi2, {chi2:.4g}, is the best of {thresholds} thresholds: its own p, {p}, does not test it, "
            "and 3.84 is not its limit, which chance passes somewhere in a quarter to nearly half of all samples{corrected}"
        ),
    ),
    "use-max-chi2-p": ("note", "; the p to use is max_chi2_p, {p:.3g}"),
    # several classes
    "needs-class-predictions": ("error", "one_vs_rest takes ClassPredictions, not {found}: read_classes reads them"),
    "one-class-of-several": ("error", "only one of {classes} classes has cases ({n} of {n}), and two are needed"),
    "one-model-of-classes": (
        "error",
        "<{option}> compares models, and there is one: every class has one column of scores",
    ),
    "class-without-cases": (
        "warning",
        "class {name} has a column of scores and no case: its AUC, and every average over the classes, is undefined",
    ),
    "class-of-one-case": (
        "warning",
        "class {name} has a single case: the intervals of the averages over the classes are unknown",
    ),
    # sensibility and drift
    "sensibility-one-class": (
        "error",
        "{model}: sensibility needs both classes (found {positives} positives and {negatives} negatives)",
    ),
    "sensibility-not-probabilities": (
        "error",
        "{model}: sensibility needs scores in [0, 1] (found {lower:g} to {upper:g}); <rescale=True> rescales them",
    ),
    "unknown-midpoint": ("error", "no midpoint {midpoint!r} (a midpoint is {known} or a number)"),
    "rescaled": (
        "warning",
        "{model}: scores from {lower:g} to {upper:g} were rescaled to [0, 1]; thresholds are on that scale",
    ),
    "probability-of-negative": (
        "note",
        (
            "{model}: lower scores are positive, so a score is read as the probability of being negative, and the means are "
            "of 1 - score; midpoint and thresholds are on the scale of the scores"
        ),
    ),
    "read-as-negative": (
        "note",
        "{model}: lower scores are positive, so a score is read as the probability of being negative",
    ),
    "midpoint-half": (
        "note",
        (
            "{model}: the midpoint is half, T/(2P): a reconstruction, since the equation is lost in the paper's text; "
            "<midpoint> has others"
        ),
    ),
    "midpoint-outside": (
        "warning",
        "{model}: the midpoint {midpoint:.4g} lies outside the scores ({lower:.4g} to {upper:.4g}): {remedy}",
    ),
    "try-fixed-midpoint": ("note", "try <midpoint=fixed>"),
    "midpoint-among-scores": ("note", "give a number among the scores"),
    "all-sensible": ("note", "{model}: every case is sensible, so capability has no value anywhere"),
    "none-sensible": (
        "warning",
        "{model}: no case is on its side of the midpoint; the struggle ratio is infinite",
    ),
    "struggle-wilson": (
        "note",
        (
            "{model}: the interval of the struggle ratio is Wilson's for the share of errors, in odds; it takes the midpoint "
            "as known"
        ),
    ),
    "reference-direction": ("error", "the cases and the reference have opposite directions"),
    "number-not-float": ("error", "a 64-bit float cannot hold the whole number {found}"),
    "resample-too-many": (
        "error",
        "the bootstrap draws at most {most} cases of a class; these are {positives} positives and {negatives} negatives",
    ),
    "drift-too-many": ("error", "relabelling takes fewer than {most:,} cases in both sets (found {n:,})"),
    "drift-too-few": (
        "error",
        (
            "fewer than one relabelling in {most:,} leaves both sets with both classes: there are too few cases "
            "({positives:,} positive and {negatives:,} negative, {first:,} of them in the first set) for the test"
        ),
    ),
    "no-times": ("error", "the cases have no times: <read_predictions(time=COLUMN)|--time COLUMN> reads them"),
    "time-needs-reference": (
        "error",
        "<time> needs <reference>: earlier cases, to which those of the stream are compared",
    ),
    "cases-not-counts": ("error", "{model}: the cases with times are not those of the counts"),
    "every-form": ("error", "<every> is month, week, day or a whole number above 0, not {found!r}"),
    "every-of-numbers": (
        "error",
        "these times are numbers, which have no {every}: <every=N> makes windows of N of their units",
    ),
    "every-too-short": (
        "error",
        "<every={every}> makes {windows:,} windows, and {most:,} is the most: choose longer ones",
    ),
    "dates-as-numbers": (
        "error",
        (
            "the times are numbers that look like dates, such as {first}: write 2024-01-31, or name a length with <every=N> "
            "if they are numbers"
        ),
    ),
    "reference-in-stream": (
        "error",
        (
            "the cases of the reference are among those of the stream, or the other way round, so that a change could not be "
            "found: leave them out of one of the two"
        ),
    ),
    "reference-overlaps": (
        "warning",
        (
            "{file}: {later:,} of its {n:,} cases are not earlier than the first case of the stream ({first}): what changed "
            "before they end may not be found"
        ),
    ),
    "times-differ-in-kind": (
        "error",
        "{file}: its column {time!r} has other times ({found}) than the data ({others}): write both in one form",
    ),
    "too-few-to-alarm": (
        "warning",
        "{model}: {cases} cases are too few for the martingale of the {stream} to reach the alarm: drift_alarm has no value",
    ),
    "midpoints-outside": (
        "warning",
        (
            "{model}: in {n} of {windows} windows the midpoint lies outside the scores ({found}), so that the struggle ratio "
            "means nothing there: try <midpoint=fixed>"
        ),
    ),
    "every-chosen": (
        "note",
        "{windows} windows of {every}, chosen by the span of the times; <every> sets their length",
    ),
    "times-in-utc": ("note", "times with a zone are shown in UTC, and days, weeks and months are those of UTC"),
    "same-scores": (
        "warning",
        "{model}: the reference has the same scores; a set compared with itself never drifts",
    ),
    "fewer-cells": (
        "note",
        "{model}: scores of the reference are tied at its deciles, so PSI has {cells} cells, not 10",
    ),
    "redrawn": (
        "note",
        (
            "{model}: {redrawn} relabellings left one of the two sets without a positive or without a negative and were drawn "
            "again"
        ),
    ),
    "few-permutations": (
        "warning",
        "{model}: with {permutations} permutations no p is below {least:.3g}: no test rejects at level {level:g}",
    ),
    "part-alone": (
        "warning",
        "{model}: D_joint shows no change, but a test of one part does (p: {p})",
    ),
    # pairing
    "models-share-name": ("error", "two models are called {names}: give the files or columns different names"),
    "pair-directions": ("error", "predictions of opposite directions cannot be paired"),
    "by-row": ("warning", "{files} are paired by the order of their rows"),
    "rows-left-out": ("error", "{file}: {dropped} of {rows} rows were left out"),
    "by-row-needs-all": ("note", "the rows left cannot be paired by their order; <id> names a column of ids"),
    "dropped-elsewhere": ("warning", "{file}: {cases} left out, without a value in another file, {kept} are left"),
    "paired-one-class": (
        "error",
        "only one class: {positives} of the {n} cases with a value in every file are positive, and both classes are needed",
    ),
    "row-counts-differ": ("error", "{first} and {second} rows cannot be paired by their order"),
    "row-ids-differ": ("error", "case {case} is id {first!r} and id {second!r}"),
    "pair-by-id": ("note", "without <by_row=True> cases are paired by id"),
    "id-only-in": ("error", "id {id!r} is only in {file}"),
    "not-same-cases": (
        "note",
        "models are compared on the same cases; on different ones they are compared <from the counts of each|with --unpaired>",
    ),
    "no-shared-id": (
        "note",
        "no id is in both files: they may be spelled differently, or <id> names another column; <unpaired> compares different cases",
    ),
    "no-ids": ("error", "no ids to match its cases with those of the other files"),
    "name-the-ids": (
        "note",
        "<id> names the column of ids; <by_row=True> pairs rows by their order; <unpaired> compares different cases",
    ),
    "id-repeated": ("error", "id {id!r} occurs {times} times"),
    "classes-differ": ("error", "{first_file} has the classes {first}, and {second_file} {second}"),
    # slices
    "folds-of-columns": ("error", "folds are those of one column: name it in <fold|--fold> (found: {found})"),
    "folds-one": (
        "error",
        "all cases are of one fold, {column}={value}: a cross-validation has at least two",
    ),
    "folds-of-one-class": (
        "warning",
        "{model}: no mean of the folds, as some have cases of one class only: {names} (at most {most:,} can have both)",
    ),
    "slices-with": (
        "error",
        "<by> cannot be combined with {option}: the cases of a slice are needed one by one, as they are",
    ),
    "slices-without-groups": (
        "error",
        "the cases are not grouped by {column} (found: {found}): name the column in <by|--by> where they are read",
    ),
    "min-cases-range": ("error", "<min_cases={found}> must be 1 or more"),
    "slices-undecided": (
        "warning",
        (
            "{few} of {of} slices of {by} have fewer than {least} cases of a class, so they are not decided: {names} "
            "(<min_cases>)"
        ),
    ),
    "slices-few-clusters": (
        "warning",
        (
            "{few} of {of} slices of {by} have a class whose cases are worth fewer than {fewest} clusters of equal size, so rules "
            "on intervals stay open there: {names}"
        ),
    ),
    "itself-in-slice": (
        "warning",
        "{model} has the scores of {baseline} in {by}={slice}, so a rule on their difference decides nothing there",
    ),
    "slice-of-all": ("note", "all cases have the same {by}, {name}: there is nothing to compare it with"),
    "slices-alike": (
        "warning",
        "these slices of {by} differ in blanks or capitals only: {names}",
    ),
    "pair-groups": ("error", "predictions of different columns of groups cannot be paired"),
    "group-differs": (
        "error",
        "{case} has {column} {first} in {first_file} and {second} in {second_file}",
    ),
    "label-differs": ("error", "{case} is {first} in {first_file} and {second} in {second_file}"),
    # bands
    "unknown-band": ("error", "no band {band!r} (a band is {known})"),
    "band-one-case": ("error", "a class has a single case, which every replicate draws"),
    "band-equal-curves": ("error", "all bootstrapped curves are equal, as those of a perfect or a tied model"),
    "no-binormal-fit": (
        "error",
        "the binormal model of the working-hotelling band cannot be fitted: the scores of the classes overlap too little",
    ),
    # statistics
    "interval-kind": ("error", "the interval of an AUC is {kinds}, not {found}"),
    "level-range": ("error", "a level must be between 0 and 1, not {level:g}"),
    "significance-range": ("error", "a significance must be between 0 and 1, not {significance:g}"),
    "seed-range": ("error", "a seed is a whole number of at least 0, not {seed}"),
    "not-a-proportion": ("error", "{hits} hits in {trials} trials are not a proportion"),
    "unknown-test": ("error", "no test {test!r} (a test is {known})"),
    "tango-counts": ("error", "{name} must be counts, not {dtype}"),
    "tango-whole": ("error", "{name} must be whole numbers from 0 to 2^{most} (found {value})"),
    "tango-no-pair": ("error", "Tango's interval needs at least one pair (found n = 0)"),
    "tango-too-many": ("error", "b + c cannot exceed n (found b = {b:.0f}, c = {c:.0f}, n = {n:.0f})"),
    "permutations-range": ("error", "a permutation test needs at least one permutation, not {permutations}"),
    "bootstrap-replicates": ("error", "a bootstrap needs at least one replicate, not {replicates}"),
    "level-of-run": ("error", "{metric} is of the level of the run: set <level>, not the level of the rule"),
    "no-baseline": ("error", "{metric} needs a baseline, which {command} does not have: compare does"),
    "numbers-without": (
        "error",
        (
            "{what} needs the cases, and the file has the whole numbers of pairs, which are about the AUC alone: compare the "
            "files that were counted<|, or --unpaired for counts of different cases>"
        ),
    ),
    "numbers-alone": (
        "note",
        "the AUCs were compared by whole numbers of the cases; measures at thresholds and other areas need the cases",
    ),
    "numbers-of-others": (
        "error",
        "{model}: the whole numbers are not those of the counts beside them ({key} {found}, of the counts {expected})",
    ),
    "sums-outside-bins": (
        "error",
        "{name} of the whole numbers is {found}, and of cases in these bins in [{least}, {most}]: these are other cases",
    ),
    "numbers-without-counts": ("error", "the file has whole numbers of {model}, but no counts of it (found: {found})"),
    "numbers-flag": ("error", "{key} of {model} and {baseline} contradicts the counts of the two models"),
    "numbers-pair-twice": ("error", "the whole numbers of {pair} occur twice"),
    "numbers-disagree": (
        "error",
        (
            "{model} has other whole numbers in the pair {pair} than in {other} ({key} {here} and {there}): these are not pairs "
            "of the same cases"
        ),
    ),
    "numbers-other-cases": ("error", "the pairs are not of the same cases (positives+negatives {found})"),
    "numbers-lack-pair": (
        "error",
        "no whole numbers of {model} and {baseline} together (pairs: {found}): name another <baseline>, or count the pair",
    ),
    "difference-all-pairs": ("error", "{metric} needs a baseline, which <all_pairs> does not have"),
    "difference-of-reported": (
        "error",
        "{metric} is drawn from the cases, which a baseline that is a report does not have",
    ),
    "difference-of-baseline": ("error", "{metric} is a model less its baseline, and {model} is the baseline"),
    "no-struggle-ratio": (
        "note",
        "{model}: no struggle_ratio, as scores outside [0, 1] are not probabilities",
    ),
    "struggle-midpoint-outside": (
        "note",
        (
            "{model}: the midpoint {midpoint:.4g} of struggle_ratio lies outside the scores, so it cannot be interpreted; "
            "sensibility has other midpoints"
        ),
    ),
    "all-pairs-with-baseline": (
        "error",
        "<all_pairs=True> compares every model with every other: leave out <baseline>",
    ),
    "unknown-baseline": ("error", "no model {baseline!r} to be the baseline (found: {found})"),
    "baseline-positive": (
        "error",
        "{file} is about the positive class {found!r}, and these cases about {positive!r}: their difference means nothing",
    ),
    "baseline-direction": ("warning", "in {file} {direction} scores mean positive, and here it is the other way round"),
    "baseline-rescaled": ("warning", "the scores of {file} are {scores}, and these are not"),
    "baseline-other-cases": ("warning", "{file} is about other cases: {there}, and here {here}"),
    "baseline-same-cases": (
        "warning",
        "{file} is about the same cases, {data}, but a report cannot be paired",
    ),
    "baseline-unnamed-cases": ("warning", "{file} does not say which cases it is about"),
    "baseline-lacks-metric": (
        "error",
        "{metric} needs the cases of the baseline, and {file} is a report: give the file of its scores as <baseline>",
    ),
    "baseline-interval": (
        "error",
        "{file} is a report of the interval {found}, not {interval}: set <interval={found}>",
    ),
    "baseline-clusters": (
        "error",
        (
            "{file}: {has} clusters and {lacks} not, and cases that belong together taken as independent look surer than "
            "they are: name the <cluster> of both; a column of ids says that each case is alone"
        ),
    ),
    "baseline-max-fpr": (
        "error",
        "{file} has the partial areas up to {found:g}, not {asked:g}: set <max_fpr={found:g}>",
    ),
    "baseline-cost": ("error", "{file} has the costs {found}, not {asked}: set <cost={found}>"),
    "baseline-point": ("error", "{file} has no operating point {at!r} (found: {found})"),
    "equal-model-names": ("error", "models need different names (found: {found})"),
    "report-is-baseline": ("error", "the report is the baseline: leave out another <baseline>, and <all_pairs>"),
    "one-model": ("error", "a comparison needs two models (found: {found})<|, or --baseline with another file>"),
    "bootstrap-negative": ("error", "<bootstrap> must not be negative, not {bootstrap}"),
    "max-chi2": (
        "note",
        (
            "max_chi2 is the largest of many: by chance it passes 3.84 in a quarter of all samples and more; chi2-contours "
            "gives its p-value"
        ),
    ),
    "mixed-directions": (
        "warning",
        (
            "the scores of {low} rank opposite to those of {high}: <lower_is_positive> turns all of them, so negate one "
            "side in the file"
        ),
    ),
    "unpaired": (
        "warning",
        "models are compared as if on different cases; pairs detect smaller differences",
    ),
    "bands": (
        "note",
        "bands do not compare models: overlap implies nothing, and the table of pairs decides",
    ),
    "compared-with-itself": (
        "warning",
        ("{model} cannot be told from {baseline}: it is compared with itself, which {decides}"),
    ),
    "itself-decides-nothing": ("note", "decides nothing unless identical scores are allowed"),
    "itself-is-allowed": ("note", "is allowed here"),
    "no-variance": (
        "warning",
        "{model} against {baseline}: no test, as the variance of the difference of the AUCs is 0 or undefined",
    ),
    "bootstrap-pairs": (
        "note",
        "differences tested by bootstrap rest on {replicates} replicates (seed {seed}): no p is below {least:.2g}",
    ),
    "few-replicates": ("warning", "limits at a level of {level:g} need {least} replicates or more"),
    "no-limit": (
        "warning",
        "{model} against {baseline}: the limits of {metric} are unknown, as replicates do not vary",
    ),
    "no-band": ("warning", "{model}: no {band} band: {why}"),
    "margin-range": ("error", "a margin must be between 0 and 1, not {margin:g}"),
    "few-draws": ("error", "{drawn} replicates are too few for a level of {level:g} (at least {needed})"),
    "max-fpr-range": ("error", "<max_fpr> must be in (0, 1], not {max_fpr:g}"),
    # plan
    "plan-power": ("error", "a power must be between 0 and 1, like 0.8: no number of cases has {power:g}"),
    "plan-runs": ("error", "<runs> must be from {least:,} to {most:,}, not {runs:,}"),
    "plan-judges-nothing": (
        "note",
        "a plan judges no model: its exit status is 0 whatever the rules, and only a run on cases passes them",
    ),
    "plan-small-pilot": (
        "warning",
        "only {positives} positives to plan with: the plan takes their values as true, and they may be far off",
    ),
    "plan-in-sample": (
        "warning",
        "{rules}: chosen on the cases of the pilot, so the rates are better there than they will be",
    ),
}
