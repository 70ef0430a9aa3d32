"""What `compute` and the records have to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocconf.messages import MessageKind

OF_COMPUTE: dict[str, tuple[MessageKind, str]] = {
    "interval-reversed": ("error", "lower limit {lower:g} > upper limit {upper:g}"),
    "no-scores-given": ("error", "predictions need at least one column of scores"),
    "different-lengths": ("error", "columns of different lengths: {sizes}"),
    "labels-not-bool": ("error", "labels must be True or False, not {found}"),
    "scores-not-float64": ("error", "the scores of {name} must be float64, not {found}"),
    "score-nan": ("error", "a score of {name} is NaN, which has no rank"),
    "counts-lengths": ("error", "thresholds, tp and fp must have one length, the nothing-positive row first"),
    "counts-first-row": ("error", "the first row of counts must be the one with nothing predicted positive"),
    "counts-order": ("error", "the scores of counts must be distinct and sorted, the most positive first"),
    "counts-negative": ("error", "counts cannot be negative"),
    "counts-empty-score": ("error", "counts must not list a score without cases"),
    "counts-directions": ("error", "counts of opposite directions cannot be added"),
    "not-whole": ("error", "{name} must be whole numbers of cases"),
    "condition-form": ("error", "{option} takes COLUMN=VALUE, not {found!r}"),
    # counts and curves
    "which-model": ("error", "several models, of which one must be named (found: {found})"),
    "predictions-not-counts": ("error", "an analysis takes counts: rocconf.count(predictions)"),
    "several-not-counts": (
        "error",
        "an analysis takes the counts of one model: each of rocconf.count_each(predictions)",
    ),
    "not-counts": ("error", "an analysis takes counts (rocconf.count, rocconf.read_counts), not {found}"),
    "rescale-range": ("error", "scores from {lower:g} to {upper:g} cannot be rescaled to [0, 1]"),
    "rescale-ties": (
        "error",
        "{model}: rescaled to [0, 1], {lost} of {scores} distinct scores would become equal to a neighbour (they lie from "
        "{lower:g} to {upper:g}); quantiles:K or a list of thresholds needs no rescaling",
    ),
    "curve-one-class": (
        "error",
        "{model}: a ROC curve needs both classes (found {positives} positives and {negatives} negatives)",
    ),
    "grid-not-probabilities": (
        "error",
        "{model}: a grid of thresholds needs scores in [0, 1] (found {lower:g} to {upper:g})<|; --rescale stretches them "
        "to it>",
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
    "infinite-scores": ("note", "{model}: some scores are infinite; they rank first or last"),
    "few-scores": (
        "warning",
        "{model}: the number of distinct scores is {scores}: these look like labels, not scores, and the curve has few "
        "points",
    ),
    "auc-interval": (
        "note",
        "{model}: DeLong's variance of the AUC is 0 or undefined here; the interval is Newcombe's (2006, method 5)",
    ),
    "auc-below-half": (
        "warning",
        "{model}: the AUC is {auc:.3f}, below 0.5: the scores rank worse than chance; {remedy}",
    ),
    "set-lower-is-positive": ("note", "if lower scores mean positive, set <lower_is_positive=True>"),
    "unset-lower-is-positive": ("note", "if higher scores mean positive, leave out <lower_is_positive=True>"),
    # operating points
    "unknown-point-rule": ("error", "no rule {rule!r} for an operating point (a rule is {known})"),
    "point-rule-form": ("error", "rule {rule!r}: cost takes FP:FN or FP:FN:PREVALENCE, the others one number"),
    "point-rule-number": ("error", "rule {rule!r}: {found!r} is not a finite number"),
    "point-rule-rate": ("error", "rule {rule!r}: a rate must be in [0, 1]"),
    "point-rule-costs": ("error", "rule {rule!r}: costs must not be negative, nor both 0"),
    "point-rule-prevalence": ("error", "rule {rule!r}: a prevalence must be between 0 and 1"),
    "choose-on-direction": ("error", "the cases to choose on and the cases to judge have opposite directions"),
    "in-sample": (
        "warning",
        "the threshold of {rules} was chosen on the cases it is shown for, which flatters it; choose on other cases with "
        "<choose_on|--choose-on FILE>",
    ),
    "prevalence": ("note", "precision and npv are restated for a prevalence of {prevalence:g}"),
    # statistics
    "level-range": ("error", "a level must be between 0 and 1, not {level:g}"),
    "significance-range": ("error", "a significance must be between 0 and 1, not {significance:g}"),
    "seed-range": ("error", "a seed is a whole number of at least 0, not {seed}"),
    "not-a-proportion": ("error", "{hits} hits in {trials} trials are not a proportion"),
    "unknown-test": ("error", "no test {test!r} (a test is {known})"),
    "tango-counts": ("error", "{name} must be counts, not {dtype}"),
    "tango-whole": ("error", "{name} must be whole numbers from 0 to 2^53 (found {value})"),
    "tango-no-pair": ("error", "Tango's interval needs at least one pair (found n = 0)"),
    "tango-too-many": ("error", "b + c cannot exceed n (found b = {b:.0f}, c = {c:.0f}, n = {n:.0f})"),
    "permutations-range": ("error", "a permutation test needs at least one permutation, not {permutations}"),
    "bootstrap-replicates": ("error", "a bootstrap needs at least one replicate, not {replicates}"),
    "level-of-run": ("error", "the interval of {metric} is that of the run: set <level>, not the level of the rule"),
    "no-baseline": ("error", "{command} has no baseline to take {metric} from: compare has"),
    "difference-all-pairs": ("error", "{metric} is a model less its baseline, and <all_pairs> has none"),
    "difference-of-baseline": ("error", "{metric} is a model less its baseline, and {model} is the baseline"),
    "no-struggle-ratio": (
        "note",
        "{model}: no struggle_ratio, as scores outside [0, 1] are not probabilities",
    ),
    "struggle-midpoint-outside": (
        "note",
        "{model}: the midpoint {midpoint:.4g} of struggle_ratio lies outside the scores, so it cannot be interpreted; "
        "sensibility has other midpoints",
    ),
    "all-pairs-with-baseline": (
        "error",
        "<all_pairs=True> compares every model with every other: leave out <baseline>",
    ),
    "unknown-baseline": ("error", "no model {baseline!r} to be the baseline (found: {found})"),
    "baseline-level": ("error", "{file} is a report at a level of {found:g}, not {level:g}: set <level={found:g}>"),
    "baseline-point": ("error", "{file} has no operating point {at!r} (found: {found})"),
    "equal-model-names": ("error", "models need different names (found: {found})"),
    "report-is-baseline": ("error", "the report is the baseline: leave out another <baseline>, and <all_pairs>"),
    "one-model": ("error", "a comparison needs two models (found: {found})<|, or --baseline with another file>"),
    "bootstrap-negative": ("error", "<bootstrap> must not be negative, not {bootstrap}"),
    "max-chi2": (
        "note",
        "max_chi2 is the largest of many: by chance it passes 3.84 in a quarter of all samples and more; chi2-contours "
        "gives its p-value",
    ),
    "unpaired": (
        "warning",
        "models are compared as on different cases: on the same cases, paired, smaller differences can be detected",
    ),
    "bands": (
        "note",
        "bands illustrate: overlapping bands imply nothing, and what decides between models is the table of pairs",
    ),
    "same-model": ("warning", "{model} has the scores of {baseline}: it is compared with itself"),
    "no-variance": (
        "warning",
        "{model} against {baseline}: the variance of the difference of the AUCs is 0 or undefined, so there is no test, "
        "and its limits are the square-and-add of those of the two AUCs",
    ),
    "bootstrap-pairs": (
        "note",
        "differences tested by bootstrap rest on {replicates} replicates (seed {seed}): no p is below {least:.2g}",
    ),
    "few-replicates": ("warning", "limits at a level of {level:g} need {least} replicates or more"),
    "no-limit": (
        "warning",
        "{model} against {baseline}: the limits of {metric} are unknown: replicates lack a value, or cannot vary as "
        "samples do (one case of a class, a perfect or a tied model)",
    ),
    "no-band": ("warning", "{model}: no {band} band: {why}"),
    "margin-range": ("error", "a margin must be between 0 and 1, not {margin:g}"),
    "few-draws": ("error", "{drawn} replicates are too few for a level of {level:g} (at least {needed})"),
    "level-beyond-replicates": ("error", "{replicates} replicates reach a level of {most:g} at most, not {level:g}"),
    "max-fpr-range": ("error", "<max_fpr> must be in (0, 1], not {max_fpr:g}"),
    "tables-differ": ("error", "tables named {name} have different columns and cannot be stacked"),
}
