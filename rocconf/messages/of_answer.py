"""The answers in sentences, as the terminal and the summaries of CI begin with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocconf.messages import MessageKind

OF_ANSWER: dict[str, tuple[MessageKind, str]] = {
    "answer-auc": ("answer", "{model}: AUC {auc} {interval} ({kind}, {level}){more}; {cases}"),
    "answer-counted": ("answer", "{model}: {cases} at {scores}{groups}, of {files}"),
    "answer-cost": (
        "answer",
        "{model}: at costs {costs} the cheapest threshold is {threshold}, {cost} per case; {range} it costs at most 5% more ({thresholds} thresholds)",
    ),
    "answer-cost-sharp": (
        "answer",
        "{model}: at costs {costs} the cheapest threshold is {threshold}, {cost} per case; those next to it cost over 5% more",
    ),
    "answer-cost-nothing": (
        "answer",
        "{model}: at costs {costs} nothing predicted positive is cheapest, {cost} per case",
    ),
    "answer-calibrated": (
        "answer",
        "{model}: no evidence against its calibration ({p}): Brier score {brier} {interval} = miscalibration {mcb} - discrimination {dsc} + uncertainty {unc}",
    ),
    "answer-miscalibrated": (
        "answer",
        "{model} is not calibrated ({p}): Brier score {brier} {interval} = miscalibration {mcb} - discrimination {dsc} + uncertainty {unc}",
    ),
    "answer-calibration": (
        "answer",
        "{model}: Brier score {brier} {interval} = miscalibration {mcb} - discrimination {dsc} + uncertainty {unc}",
    ),
    "answer-no-probabilities": ("answer", "{model}: scores outside [0, 1] are not probabilities: no Brier score"),
    "answer-pairs": (
        "answer",
        "{kind} intervals at {level}, paired; p adjusted for {count} comparisons; {cases}",
    ),
    "answer-pairs-unpaired": (
        "answer",
        "{kind} intervals at {level}, unpaired; p adjusted for {count} comparisons",
    ),
    "answer-cases": ("answer", "{cases}"),
    "answer-folds": (
        "answer",
        "{model}: mean AUC of {folds} folds ({column}) {auc}{interval}, from {least} to {most}",
    ),
    "answer-slices": (
        "answer",
        "by {by}: {metric} from {lowest} ({lowest_name}) to {highest} ({highest_name}) in {decided} of {of} slices; {differing}",
    ),
    "answer-no-slices": ("answer", "by {by}: none of {of} slices has enough cases of both classes"),
    "answer-slice-pairs": (
        "answer",
        "by {by}: {metric} of {model} less {baseline} from {lowest} ({lowest_name}) to {highest} ({highest_name}) in the {decided} of {of} slices with enough cases; {differing}",
    ),
    "slices-differ": ("answer", "differing from the rest: {names}"),
    "slice-pairs-worse": ("answer", "worse in {names}"),
    "slice-pairs-better": ("answer", "better in {names}"),
    "slices-do-not-differ": ("answer", "no slice differs from the rest by more than chance"),
    "slice-pairs-do-not-differ": ("answer", "no difference is more than chance"),
    "answer-classes": (
        "answer",
        "{model}: macro AUC {macro}, Hand and Till's M {till} over {classes} classes ({kind}, {level}); {cases} cases",
    ),
    # tango
    "answer-segment": (
        "answer",
        "{model}: misses and false alarms do not differ beyond chance at thresholds {low} to {high} ({confident} of {thresholds})",
    ),
    "answer-segment-from-nothing": (
        "answer",
        "{model}: misses and false alarms do not differ beyond chance from threshold {low} up ({confident} of {thresholds})",
    ),
    "answer-segment-to-nothing": (
        "answer",
        "{model}: misses and false alarms do not differ beyond chance up to threshold {high} ({confident} of {thresholds})",
    ),
    "answer-no-segment": (
        "answer",
        "{model}: misses and false alarms differ beyond chance at each of the {thresholds} thresholds",
    ),
    "answer-restated": (
        "answer",
        "{model}, at a prevalence of {prevalence:g}: at thresholds {thresholds}, tpr {tpr}",
    ),
    "answer-restated-none": ("answer", "{model}, at a prevalence of {prevalence:g}: at no threshold"),
    # chi2-contours
    "answer-beats-chance": (
        "answer",
        "{model} does better than chance: largest chi2 {chi2} at threshold {threshold} ({p} over all thresholds)",
    ),
    "answer-like-chance": (
        "answer",
        "{model} cannot be told from chance: largest chi2 {chi2} at threshold {threshold} ({p} over all thresholds)",
    ),
    "answer-chance-unknown": ("answer", "{model}: largest chi2 {chi2} at threshold {threshold}"),
    "answer-contours": ("answer", "contours for {positives:,} positives and {negatives:,} negatives: {levels}"),
    # sensibility
    "answer-drift": ("answer", "{model}: the data have changed since the reference ({p}): {conclusion}"),
    "answer-no-drift": ("answer", "{model}: no evidence that the data have changed since the reference ({p})"),
    "answer-drift-in-part": (
        "answer",
        "{model}: the test of the whole finds no change ({p}), but single tests do: {parts}",
    ),
    "answer-scores-moved": (
        "answer",
        (
            "{model}: the scores have moved since the reference (KS {ks}, {ks_p}; PSI {psi}, {psi_p}); only the scores were "
            "seen, no labels: a change of the classes' ranking cannot show"
        ),
    ),
    "answer-scores-not-moved": (
        "answer",
        (
            "{model}: no evidence that the scores moved (KS {ks}, {ks_p}; PSI {psi}, {psi_p}); only the scores were seen, no "
            "labels: a change of the classes' ranking cannot show"
        ),
    ),
    "answer-alarm": ("answer", "{model}: alarm: {told} (martingale at {limit} or more)"),
    "answer-no-alarm": (
        "answer",
        "{model}: no alarm in {windows} windows: the largest martingale is {told}, and {limit} is an alarm",
    ),
    "answer-alarm-unknown": (
        "answer",
        "{model}: too few cases to say whether there is no alarm: the largest martingale is {told}, and {limit} is an alarm",
    ),
    "answer-sensible": (
        "answer",
        "{model}: {sensible:,} of {n:,} cases are on their class's side of the midpoint {midpoint} ({struggle})",
    ),
    "answer-midpoint-outside": (
        "answer",
        (
            "{model}: the struggle ratio is not interpretable here, as the midpoint {midpoint:.3g} lies outside the scores "
            "({lower:.3g} to {upper:.3g}): {remedy}"
        ),
    ),
    "struggle-told": ("answer", "struggle ratio {ratio} {interval}, {level}"),
    "struggle-infinite": ("answer", "infinite struggle ratio"),
    # compare
    "answer-better": ("answer", "{model} ranks better than {baseline}: {what} {difference} ({how}){margin}"),
    "answer-worse": ("answer", "{model} ranks worse than {baseline}: {what} {difference} ({how}){margin}"),
    "answer-maybe-better": ("answer", "{model} may rank better than {baseline}: {what} {difference} ({how}){margin}"),
    "answer-maybe-worse": ("answer", "{model} may rank worse than {baseline}: {what} {difference} ({how}){margin}"),
    "answer-no-difference": (
        "answer",
        "{model} and {baseline} cannot be told apart: {what} {difference} ({how}){margin}",
    ),
    "answer-itself": ("answer", "{model} and {baseline} have the same scores: nothing is compared"),
    "pair-differs": ("answer", "the interval excludes 0"),
    "pair-may-differ": ("answer", "the interval includes 0: may be better or worse"),
    "not-worse-by": ("answer", "; not worse by {margin:g} or more"),
    "maybe-worse-by": ("answer", "; may be worse by {margin:g}"),
    # plan
    "plan-passes": ("answer", "{rule} takes {size} to pass with {power} power, if {truth} ({kind}, {level})"),
    "plan-fails": (
        "answer",
        "{rule} passes with no number of cases, if {truth}: it takes {size} to fail with {power} power ({kind}, {level})",
    ),
    "plan-narrow": ("answer", "{rule} takes {size} with a probability of {power}, if {truth} ({kind}, {level})"),
    "plan-at-limit": (
        "answer",
        "{rule} is decided by no number of cases, if {truth}: that is the limit, at which at most about {error} of samples pass",
    ),
    "plan-too-many": ("answer", "{rule} takes {most}, if {truth} ({kind}, {level})"),
    "plan-at-size": ("answer", "{size}: {rule} passes with a probability of {passes}{fails}"),
    "plan-simulated": (
        "answer",
        "simulated, {runs:,} samples of each size: shares have a standard error of {error}{of_size}{classical}",
    ),
    "plan-size-error": ("answer", ", the cases one of {error}"),
    "plan-enumerated": ("answer", "exact, summed over all samples that can occur{classical}"),
    "plan-classical": ("answer", "; the classical formula says {sizes}"),
    "plan-by-formula": (
        "answer",
        "by formula: the interval at hand, as it is with more cases like these",
    ),
}
