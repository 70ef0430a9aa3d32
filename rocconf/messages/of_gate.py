"""The messages of `gate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocconf.messages import MessageKind

OF_GATE: dict[str, tuple[MessageKind, str]] = {
    "rule": ("error", "rule {rule!r}: {why}"),
    "rule-form": ("error", "rule {rule!r} is not METRIC OP VALUE, like 'auc >= 0.85' or 'tpr@fpr<=0.01 >= 0.8'"),
    "rule-limit": ("error", "rule {rule!r}: {limit!r} is not a number{meant}"),
    "rule-limit-infinite": ("error", "rule {rule!r}: the limit must be finite"),
    "rule-level": ("error", "rule {rule!r}: a level must be between 0 and 1, not {level:g}"),
    "rule-point-place": ("error", "rule {rule!r}: write .point before the model: {name}.point[{model}]"),
    "rule-metric-form": (
        "error",
        "rule {rule!r}: {metric!r} is not NAME, NAME[MODEL] or NAME[MODEL]@OPERATING-POINT",
    ),
    "rule-metric-suffix": ("error", "rule {rule!r}: {metric!r} is not a metric (only .point may follow one)"),
    "rule-no-point": ("error", "rule {rule!r}: no operating point after @"),
    "rule-out-of-range": ("error", "rule {rule!r}: {range}{meant}"),
    "rule-always-met": ("error", "rule {rule!r}: every model meets it, as {range}{meant}"),
    "rule-never-met": ("error", "rule {rule!r}: no model meets it, as {range}{meant}"),
    "rule-needs-max-fpr": ("error", "{metric} needs <max_fpr>"),
    "rule-needs-cost": ("error", "{metric} needs <cost>, like <cost=1:50>"),
    "rule-needs-calibration": ("error", "{metric} needs <calibrated=True|--calibration>"),
    "rule-needs-margin": ("error", "{metric} needs <margin>"),
    "rule-needs-reference": ("error", "{metric} needs <reference>"),
    "rule-needs-time": ("error", "{metric} needs <time>"),
    "rule-needs-fold": ("error", "{metric} needs <fold=COLUMN>"),
    "rule-equality": ("error", "rule {rule!r}: == is for counts"),
    "rule-unknown-model": ("error", "rule {rule!r}: no model {model!r} (found: {found})"),
    "rule-other-unit": ("error", "rule {rule!r}: {metric} is not a number of {model}, but of {others}"),
    "rule-without-points": (
        "error",
        "rule {rule!r}: {command} has no operating points<|; --rest with --positive CLASS judges one class at one>",
    ),
    "rule-needs-classes": (
        "error",
        (
            "rule {rule!r}: {command} has no metric {metric!r}, which is about several classes: "
            "<one_vs_rest has it|--one-vs-rest, and in a configuration command one-vs-rest>"
        ),
    ),
    "numbers-rule": (
        "error",
        (
            "rule {rule!r} needs the cases: whole numbers have the AUC alone (known: {known})<|; rocconf compare of the files "
            "that were counted has it>"
        ),
    ),
    "classes-without-points": ("error", "several classes have no operating point, as {at} would be"),
    "plan-by": (
        "error",
        "rule {rule!r}: a plan is about one set of cases; plan for the smallest slice, at <level> 1 - (1 - level)/slices",
    ),
    "rule-by-blank": ("error", "rule {rule!r}: no column after by"),
    "rule-by-point": ("error", "rule {rule!r}: the operating point stands before by, as in 'tpr@{at} by {by} >= 0.8'"),
    "rule-by-and-where": (
        "error",
        "rule {rule!r}: a rule is about one slice (where) or about every slice (by), not both",
    ),
    "rule-by-undefined": (
        "error",
        "rule {rule!r}: a slice without a value leaves the rule open, so on_undefined cannot be 'pass' beside by",
    ),
    "rule-by-command": (
        "error",
        "rule {rule!r}: {command} has no slices; rules about every slice are for sweep and compare",
    ),
    "rule-by-metric": (
        "error",
        "rule {rule!r}: {metric} has no interval at the level of a single slice; judge auc, an area, a rate or a cost by slices",
    ),
    "rule-by-unknown": (
        "error",
        "rule {rule!r}: the cases are not divided by {by}: <use sweep_slices or compare_slices|--by {by}>",
    ),
    "config-by-twice": ("error", "the column of slices is given in both metric and by"),
    "rule-where": ("error", "rule {rule!r} is about a slice: analyse the slice, and judge its result"),
    "rule-word": ("error", "rule {rule!r}: {key} is {found!r} (one of {known})"),
    "choose-on-of-comparison": ("error", "a comparison chooses its thresholds in compare: pass choose_on there"),
    "rule-in-sample": (
        "error",
        (
            "rule {rule!r} would choose its threshold on the cases it judges, which flatters it: choose on other cases with "
            "<choose_on=counts|--choose-on FILE>, name @threshold=X, or set <allow_in_sample=True>"
        ),
    ),
    "rule-in-sample-only": (
        "error",
        (
            "rule {rule!r} would choose its threshold on the cases it judges, which flatters it: name @threshold=X, or set "
            "<allow_in_sample=True>"
        ),
    ),
    "rule-beyond-promise": (
        "error",
        (
            "rule {rule!r} goes beyond what {at} promises on the cases that choose its threshold: the promised rate at a "
            "limit that is no stricter, with an assurance of (1 + level)/2 or more (0.975 at a level of 0.95), and of fpr "
            "and tpr also the rate of the other class; for anything else choose on other cases with "
            "<choose_on=counts|--choose-on FILE>, or set <allow_in_sample=True>"
        ),
    ),
    "rule-guessed-score": (
        "error",
        (
            "rule {rule!r} would rest on a guess: {columns} in {file}, taken for scores by their values; name them with "
            "<score=NAME> where the file is read"
        ),
    ),
    "rule-two-prevalences": (
        "error",
        (
            "rule {rule!r}: the models are compared on different cases, and fewer positives alone lower a cost: give the "
            "prevalence at which both are to be judged, like <cost={costs}:0.05>"
        ),
    ),
    "rule-repeated-cases": (
        "error",
        (
            "rule {rule!r} cannot be judged on copies; {said}: give one row for each case (<id=COLUMN> finds copies), or "
            "name what belongs together (<cluster=COLUMN>)"
        ),
    ),
    "rule-guessed-baseline": (
        "error",
        (
            "rule {rule!r} would rest on a guess: the baseline is {baseline}, the first model, as <baseline> named none where "
            "the models were compared"
        ),
    ),
    "rule-restated": ("error", "<prevalence> restates the metric, which then has no interval"),
    "rule-other-test": ("error", "the error difference is judged on Tango's interval, and <test> is {test}"),
    "rule-below-least-p": (
        "error",
        (
            "the least p of {permutations} permutations is 1/{least}, so the rule has the same verdict on all data; set more "
            "<permutations>"
        ),
    ),
    "metric-of-point": ("error", "rule {rule!r}: {metric} needs an operating point: {metric}@RULE"),
    "metric-of-curve": ("error", "rule {rule!r}: {metric} is a metric of the whole curve, not of an operating point"),
    "metric-needs-compare": (
        "error",
        "rule {rule!r}: {command} has no metric {metric!r}: differences from a baseline are judged by compare",
    ),
    "unknown-metric": ("error", "rule {rule!r}: {command} has no metric {metric!r}{meant}"),
    "config-missing": ("error", "{path}: no such file"),
    "config-unreadable": ("error", "{path}: cannot be read ({why})"),
    "config-not-toml": ("error", "{path}: cannot be read as a configuration ({why})"),
    "config-no-section": ("error", "{path}: no section [tool.rocconf]"),
    "config-twice": ("error", "{path}: {other} has rules too, which would be ignored: keep one of them"),
    "config-hides-rules": (
        "error",
        "{path} has no rules, and those of {other} would be ignored: repeat them, or write root = true in {path}",
    ),
    "config-case": ("error", "{path}: {found!r} is not {meant!r}: the case of letters counts"),
    "config-outside-tool": ("error", "{path}: [rocconf] is not [tool.rocconf]"),
    "config-one-gate": ("error", "{path}: write [[gate]], in two brackets, as there may be several"),
    "config-where-twice": ("error", "{place}: where: no row has two values of {column}"),
    "config-not-table": ("error", "{path}: {place} is not a table of keys"),
    "config-unknown": ("error", "{path}: {place}unknown {what} {found!r}{meant}"),
    "config-type": ("error", "{path}: {place}{key} must be {wanted}, not {found!r}"),
    "config-word": ("error", "{path}: {place}: {key} must be one of {known}, not {found!r}"),
    "config-lacks-key": ("error", "{path}: {place}: no key {key!r}"),
    "config-scores": ("error", "{path}: [data] score must be names of columns, not {found!r}"),
    "config-rule": ("error", "{path}: {place}: {error}"),
    "config-point-twice": ("error", "the operating point is given in both metric and at"),
    "config-where": ("error", "{place}: where: {error}"),
    "report-lacks": ("error", "rule {rule!r}: the report does not hold it: {why}"),
    "report-in-sample": (
        "error",
        (
            "rule {rule!r}: its threshold was chosen on the cases it is judged on, which flatters it: run rocconf {command} "
            "with a threshold chosen elsewhere, or set <allow_in_sample=True>"
        ),
    ),
    "report-no-data": (
        "error",
        (
            "no data among the inputs, so that nothing shows on which cases thresholds were chosen: run rocconf {command} on "
            "a file, or judge the result in Python by rocconf.judge"
        ),
    ),
    "reports-alike": (
        "error",
        "{first} and {report} hold the same evidence: one of them was meant to be another report",
    ),
    "reports-positive": (
        "error",
        "{report} is about the positive class {positive!r}, and {first} about {other!r}: judge them one by one",
    ),
    "reports-direction": (
        "warning",
        "low scores mean positive in one of {first} and {report}, and high ones in the other",
    ),
    "reports-rescaled": ("warning", "the scores were rescaled in one of {first} and {report} only"),
    "reports-other-cases": ("note", "{first} and {report} are about different cases"),
    "report-no-scores": ("error", "rules need scores, and the report has class totals only"),
    "rule-given-point": ("error", "rule {rule!r}: only chi2-contours has points given by their rates"),
    "rule-given-metric": (
        "error",
        "rule {rule!r}: a point given by its rates has no {metric} that can be judged (known: {known})",
    ),
    "metric-of-given-point": (
        "error",
        "rule {rule!r}: {metric} is judged at a point given by its rates only, like {metric}@point=0.1,0.8",
    ),
    "rule-given-and-scores": (
        "error",
        (
            "a point given by its rates says nothing of a model: judge class totals alone <|(--positives, --negatives) >or a "
            "threshold of the model"
        ),
    ),
    "rule-point-not-given": (
        "error",
        "no such point was given (found: {found}); give it with <points|--point FPR,TPR>",
    ),
    "rule-given-where": ("error", "class totals have no slices"),
    "report-no-slices": ("error", "its cases are not divided by {by}: run {run}"),
    "report-no-slice": (
        "error",
        "it has no verdict on the rows with {where}: put this rule into the configuration and run {run}",
    ),
    "report-no-point": ("error", "it has no operating point {at!r} (found: {found}); run {run}"),
    "report-no-metric": ("error", "it has no {metric}: run {run}"),
    "report-other-level": ("error", "its {metric} is at a level of {found}: run {run}"),
    "no-rule": (
        "warning",
        "{report}: no rule was judged: neither <require> nor a configuration nor the report has one for {command}",
    ),
    # plans for rules
    "plan-no-question": (
        "error",
        "what is to be shown? give <a rule, limit, margin or half_width|--require RULE, --limit, --margin or --half-width, like rocconf plan --limit 0.8 --auc 0.85 --prevalence 0.1>",
    ),
    "plan-lacks": (
        "error",
        "to plan for {rule}, give <{names}|{options}>, or a pilot<| FILE, like {line}>",
    ),
    "plan-metric": (
        "error",
        "{rule} cannot be planned from numbers (known: {known}); a pilot <pilot|FILE> or a report can",
    ),
    "plan-point": (
        "error",
        "{rule} is judged without an interval, so no number of cases is too small for it: leave out .point",
    ),
    "plan-share": ("error", "<{name}|--{option}> {value:g} is not in {opening}0, 1{closing}"),
    "plan-correlation": ("error", "a <correlation> must be between -1 and 1, not {correlation:g}"),
    "plan-disagree-form": ("error", "<disagree> {found!r} is not NEW:OLD, two shares like 0.04:0.05"),
    "plan-disagree-range": ("error", "<disagree> {found!r}: two shares of the same cases, which add up to at most 1"),
    "plan-half-width": ("error", "a half-width must be between 0 and 1, not {half_width:g}"),
    "plan-half-width-of-rate": ("error", "<half_width> is planned for areas: for a rate give a rule"),
    "plan-size": ("error", "<{name}|--{name}> must be at least 1, not {value}"),
    "plan-runs-of-power": (
        "error",
        "a power of {power:g} is too near to 0 or 1 for {runs:,} simulated samples: it takes {least:,}<|, --runs {least}>",
    ),
    "plan-of-itself": (
        "error",
        "{rule}: the two models of the pilot have the same scores, and that is nothing to plan with",
    ),
    "plan-unused": ("error", "no rule rests on <{names}|{options}>: leave it out, or add a rule about it"),
    "plan-size-by-formula": (
        "error",
        "{rule} is planned by formula, which knows no power of a size: leave out <positives>, <negatives> and <cases>",
    ),
    "plan-size-of-other-class": (
        "error",
        "the power of {rule} depends on the {name}: give <{name}|--{name}>, or the <prevalence>",
    ),
    "plan-cases-and-classes": ("error", "give <cases> or the <positives> and <negatives>"),
    "plan-cases-without-prevalence": ("error", "<cases> needs the <prevalence>"),
    "plan-pilot-and-numbers": ("error", "a pilot has its own numbers: leave out the file or {options}"),
    "plan-pilot-of-one": (
        "error",
        "a pilot needs at least 2 cases of each class, of which a spread can be seen (found {positives} positives and {negatives} negatives); without one give <auc> and <prevalence>",
    ),
    "plan-two-models": (
        "error",
        "a pilot has one model, or a model and its baseline: name two of them (found: {models})",
    ),
    "plan-without-interval": ("error", "{rule} has no interval there, so nothing to plan with"),
    "plan-option-of-pilot": ("error", "{option} applies to a pilot, and no FILE is given"),
    "plan-one-pilot": ("error", "a plan has one pilot, in which each model is a column: {files}"),
    "plan-report-and-option": (
        "error",
        "a saved report has its own numbers, level and intervals: leave out {option}, or plan from numbers",
    ),
    "plan-left-out": ("note", "{count} rules of the configuration cannot be planned from numbers, and are left out"),
}
