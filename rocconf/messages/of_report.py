"""The messages of `report`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocconf.messages import MessageKind

OF_REPORT: dict[str, tuple[MessageKind, str]] = {
    # files and formats
    "unknown-table": (
        "error",
        "<out|-o> {text}: no table is called {name!r}{hint} (known: {known}; for a file of that name: ./{text})",
    ),
    "unknown-file-format": (
        "error",
        "<out|-o> {text}: unknown format of {name!r} (known: {known}; the first four also with .gz)",
    ),
    "not-one-table": ("error", "<out|-o> {text}: {suffix} holds the whole answer, not one table"),
    "file-is-directory": ("error", "{path}: cannot be written: it is a directory"),
    "file-is-device": ("error", "{path}: cannot be written: it is a device or a pipe"),
    "no-parent-directory": ("error", "{path}: cannot be written: there is no directory {directory!r}"),
    "parent-not-directory": ("error", "{path}: cannot be written: {directory!r} is not a directory"),
    "directory-not-writable": ("error", "{path}: cannot be written: the directory {directory!r} is not writable"),
    "file-in-use": (
        "error",
        "{path}: another program has the file open, or it must not be replaced: close it there, or give another name",
    ),
    "file-not-written": ("error", "{path}: cannot be written: {reason}"),
    "step-summary-not-written": ("error", "{path}: the step summary cannot be written ({reason})"),
    # what is shown
    "not-all-shown": ("note", "{parts} shown; for all of them: <to_frame({table!r})|-o {file}>"),
    # the screen
    "more-rows": ("answer", "{shown} of {rows} {what}: <to_frame()|--all or -o rows.csv>{more}"),
    "all-rows": ("answer", "all {rows} thresholds; every column: <to_frame()|--all or -o rows.csv>{more}"),
    "more-all": ("answer", "everything: <to_dict()|--all or -o report.json>{more}"),
    "also-sweep": ("answer", "<|; also: --at, --choose-on, --max-fpr, --plot roc.png>"),
    "also-tango": ("answer", "<|; also: --margin, --bootstrap, --plot segment.png>"),
    "also-chi2-contours": ("answer", "<|; also: --at, --levels, --plot contours.png>"),
    "also-sensibility": ("answer", "<|; also: --reference, --time, --plot>"),
    "also-one-vs-rest": ("answer", "<|; also: --plot roc.png, --plot forest:forest.png>"),
    "also-compare": ("answer", "<|; also: --at, --margin, --plot roc:roc.png>"),
    "also-gate": ("answer", "<|; also: -o result.junit.xml, --github>"),
    "also-plan": ("answer", "<|; also: --power, --plot power.png>"),
    "also-any": ("answer", ""),
    "more-lines": ("answer", "{more} more lines: <conclusions|--all>"),
    "mark-default": (
        "answer",
        "{rules}, where <at> names no other: {meaning}, chosen on these cases, so better here than on new ones",
    ),
    "mark-default-honest": (
        "answer",
        ("{rule}, where <at> names no other: {meaning}, chosen on these cases: honest tpr {tpr} {interval}, fpr {fpr}"),
    ),
    "mark-elsewhere": ("answer", "{rules}: chosen on other cases"),
    "mark-closest": ("answer", "nearest to tpr 1 and fpr 0"),
    "mark-chi2": ("answer", "of the largest chi2"),
    "low-flagged": ("answer", "a case is flagged if its score is at most the threshold"),
    "screen-slices": (
        "answer",
        "lowest AUC first; difference: AUC less that of the rest, p adjusted for all slices (Holm), intervals not",
    ),
    "screen-slice-pairs": (
        "answer",
        "lowest first; p adjusted for all slices and pairs (Holm), intervals not",
    ),
    "restated": ("answer", "precision and npv at a prevalence of {prevalence:g}, so without intervals"),
    "mark-in-sample": (
        "answer",
        "{rules}: chosen on these cases, so better here than on new ones<|; see --choose-on>",
    ),
    "mark-honest": (
        "answer",
        "{rule}, chosen on these cases: honest tpr {tpr} {interval}, fpr {fpr}",
    ),
    "mark-assured": ("answer", "{rule}: the threshold in full is {threshold}"),
    # verdicts
    "verdict-pass": ("answer", "verdict: passed (status {status}): the evidence meets every rule"),
    "verdict-pass-with-warnings": (
        "answer",
        "verdict: passed (status {status}): the evidence meets every rule but those that only warn",
    ),
    "verdict-fail": (
        "answer",
        "verdict: failed (status {status}): the evidence is against a rule, do not release on it",
    ),
    "verdict-inconclusive": (
        "answer",
        "verdict: not enough evidence (status {status}) to pass or fail: do not release on it",
    ),
    "reason-pass": ("answer", "Every rule passes"),
    "reason-pass-but": ("answer", "Every rule passes but those that only warn: {rules}"),
    "reason-not-passed": ("answer", "Do not release: {rules}{passed}{warns}"),
    "reason-no-rule": ("answer", "Do not release: no rule was judged"),
    "reason-fails": ("answer", "fails"),
    "reason-open": ("answer", "is not decided"),
    "reason-rest-passes": ("answer", "; all else passes"),
    "reason-warns": ("answer", "; only warnings: {rules}"),
    "reason-more-rules": ("answer", "{count} more do not pass"),
    "slice-remedy": (
        "answer",
        "; it takes {least} of each class: collect more cases, merge slices, or lower <min_cases>",
    ),
    "more-verdicts": ("answer", "more rules: {more}; <gates|--all>"),
    "no-rule-judged": ("warning", "no rule was judged"),
    "more-rules-not-passed": ("warning", "{count} more rules did not pass"),
    # the page
    "page-no-calibration": (
        "answer",
        "Calibration was not measured, so these scores may not be probabilities; <calibration=True> measures how far they are",
    ),
    "page-no-probabilities": (
        "answer",
        "Calibration was not measured, and scores outside [0, 1] are not probabilities; for others, <calibration=True> measures it",
    ),
    "page-cost-difference": (
        "answer",
        "against {baseline}, each at its own threshold: {difference} {interval} per case, {told}",
    ),
    "page-cost-not-compared": ("answer", "whether that differs from {baseline} was not tested"),
    "page-cheaper": ("answer", "{model} is cheaper"),
    "page-rule-intervals": (
        "answer",
        "The intervals of the rules above are {wider} than those of this table, which are at {level} for each slice alone: a rule about every slice allows for the {slices} that are decided, so that its intervals are at {each} each, and all together at {whole}",
    ),
    "page-zero": ("answer", "The dashed line is 0, no difference: an interval that crosses it tells neither way"),
    # figures
}
