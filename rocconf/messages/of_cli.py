"""The messages of `cli`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocconf.messages import MessageKind

OF_CLI: dict[str, tuple[MessageKind, str]] = {
    "rule-beyond-intervals": (
        "warning",
        "rule {rule!r} never passes: no interval reaches the end of the range; {metric}.point judges the value alone",
    ),
    "rule-passes-worse": (
        "warning",
        "rule {rule!r}: the worse the model, the surer it passes; a rule against worse models bounds {metric} on the other side",
    ),
    "carried-rules-judged": (
        "warning",
        "{report}: the configuration has no rule for {command}, so the rules that the report carries are judged",
    ),
    "carried-rules-replaced": (
        "warning",
        "{report}: other rules are judged than those it carries, of which these did not pass: {names}",
    ),
    "from-gate": ("note", "{places} in {path}"),
    "no-rule-for-command": ("warning", "nothing is judged: the configuration has no rule for {command}"),
    "undefined-passes": (
        "warning",
        "rule {rule!r} passes although its metric has no value, as on_undefined says",
    ),
    "low-level": (
        "warning",
        "rule {rule!r} passes at a level of {level:g}, at which {missed:.4g} of all intervals miss the true value",
    ),
    "judged-on-point": ("warning", "rule {rule!r} judges the value alone, whatever its interval"),
    "only-warnings": ("warning", "every rule has severity warn: the exit status is 0 whatever the evidence"),
    "exit-zero": ("warning", "the verdict is {verdict}; the exit status is 0 because of --exit-zero"),
    "inconclusive-passes": (
        "warning",
        "the verdict is {verdict}; the exit status is 0 because of --inconclusive pass",
    ),
    "config-empty": ("error", "--config names no file; --isolated uses no configuration"),
    "working-directory-removed": (
        "error",
        "the working directory was removed, so no configuration can be looked for: change to another, or set --isolated",
    ),
    "isolated-with-config": ("error", "--isolated and --config contradict each other"),
    "inconclusive-word": ("error", "--inconclusive takes fail or pass, not {found!r}"),
    "check-no-config": ("error", "nothing to check: no rocconf.toml or [tool.rocconf] here or in a folder above"),
    "check-no-rule": ("note", "no rules: the configuration has defaults only"),
    "check-no-rule-of-line": ("error", "nothing would be judged: neither a configuration nor --require has a rule"),
    "check-no-run": ("error", "{line}: runs no analysis, so there is nothing to check"),
    "check-of-check": ("error", "check takes another command after --"),
    "check-config-place": ("error", "--config belongs to the command after --"),
    # commands
    "unknown-command": ("error", "no command {command!r}{meant} (rocconf --help lists the commands)"),
    "unknown-shell": ("error", "{option} takes {known}, not {found!r}"),
    "shell-not-found": ("error", "which shell this is cannot be found out; name it: rocconf {option} bash"),
    "completion-not-installed": ("error", "{option}: {path} cannot be written ({reason})"),
    "unknown-code": ("error", "no message and no word is called {code!r}{meant} (rocconf explain lists them)"),
    "more-warnings": ("note", "{count} more: rocconf explain {codes}"),
    # inputs
    "models-read": ("note", "models: {models}"),
    "counts-not-paired": (
        "error",
        "is a counts file, which has no cases to pair; --unpaired compares counts, and rocconf count --exact adds the numbers that pairs need",
    ),
    "scores-rescaled": (
        "warning",
        "{model}: scores from {lower:g} to {upper:g} were rescaled to [0, 1], and thresholds with them",
    ),
    "models-missing": ("error", "{option} {file}: no scores of {missing} (found: {found})"),
    "models-of-files": (
        "error",
        (
            "{option} {file}: no column {missing} (found: {found}); it needs a column of scores for each FILE, called like "
            "the model of that file"
        ),
    ),
    "from-config": ("note", "{keys} of [data] in {path}"),
    "configured": ("error", "{error} ({keys} of [data] in {path})"),
    "bins-two-options": ("error", "{options}: take one of them"),
    "bins-edges": ("error", "<thresholds> takes finite numbers here, not {found!r}"),
    "choose-on-judged-cases": (
        "error",
        "--choose-on {file}: these are the cases that are judged; split them and choose on one part",
    ),
    "choose-on-unnamed": (
        "error",
        (
            "--choose-on {file}: the counts do not name all files that were counted, so whether these are the cases that are "
            "judged is not known: count fewer files, and choose on counts of others"
        ),
    ),
    "cluster-twice": (
        "error",
        "--cluster is given twice: cases belong together by one column; join two in the file and name that one: --cluster pair",
    ),
    "choose-on-same-clusters": (
        "error",
        (
            "--choose-on {file}: {shared} of its clusters of {column} are judged too ({some}), so its cases are no others: put "
            "every cluster into one of the files"
        ),
    ),
    "choose-on-same-cases": (
        "error",
        (
            "--choose-on {file}: these are the cases that are judged, in another order or another file; split them and "
            "choose on one part"
        ),
    ),
    "choose-on-shared-cases": (
        "error",
        (
            "--choose-on {file}: all cases of the smaller set are in the other one, too; split the cases and choose on one "
            "part"
        ),
    ),
    "choose-on-other-class": (
        "error",
        "--choose-on {file}: its positive class is {found}, that of the judged cases {expected}; count both alike",
    ),
    "choice-below-half": (
        "warning",
        (
            "{model}: the AUC on the cases of --choose-on is {auc:.3f}, below 0.5, so that a threshold chosen there means "
            "little: are the classes swapped?"
        ),
    ),
    "rescale-and-choose-on": (
        "error",
        "--rescale and --choose-on contradict each other: each file would be rescaled by its own scores",
    ),
    # output
    "wrote": ("note", "wrote {files}"),
    "band-unseen": (
        "warning",
        "--band {band} is in no output: --plot roc:FILE.png draws it, -o bands:FILE.csv writes it",
    ),
    "option-of-other-command": ("error", "{command} has no option {option}; {others}"),
    "unknown-format": ("error", "--format takes {known}, not {format!r}"),
    "written-twice": ("error", "{path}: would be written twice"),
    "overwrites-input": (
        "error",
        "{path}: would overwrite {input}, which this run reads; name another file",
    ),
    "stdout-failed": ("error", "standard output: {reason}"),
    "option-of-figure": ("error", "{option} is for a figure that --plot does not request"),
    "min-cases-without-slices": ("error", "--min-cases is about slices: name their column with --by"),
    "fold-with": (
        "error",
        "--fold cannot be combined with {option}: a fold is its cases one by one, as they are",
    ),
    "needs-option": ("error", "{asked} needs {option}"),
    # count --print-sql
    "count-by-with": ("error", "--by divides counts of files, and does not go with {option}: leave out one of them"),
    "sql-option-alone": ("error", "{option} is for --print-sql, which prints the SQL of a count"),
    "sql-no-dialect": ("error", "--print-sql needs the dialect of the engine: --dialect {known}"),
    "sql-no-table": (
        "error",
        (
            "--print-sql counts one table, not {n}: rocconf count --print-sql --dialect {dialect} scores --label label "
            "--score score"
        ),
    ),
    "sql-no-columns": (
        "error",
        "--print-sql reads no table, so its columns must be named: --label COLUMN --score COLUMN (missing: {missing})",
    ),
    "sql-pair": ("error", "--paired takes the columns of a model and of its baseline, like new,old, not {found!r}"),
    "sql-with": ("error", "--print-sql cannot be combined with {option}: {reason}"),
    # chi2-contours
    "list-of-numbers": ("error", "{option} takes numbers like 0.5,0.9, not {found!r}"),
    "no-file-or-totals": ("error", "give a FILE, or the class totals alone: --positives N --negatives N"),
    "file-or-totals": ("error", "give either a FILE or --positives and --negatives"),
    "classes-without-option": (
        "error",
        "{option} is about two classes, and --one-vs-rest about several: --rest with --positive CLASS takes one of them",
    ),
    "classes-of-files": ("error", "sweep --one-vs-rest takes one file, not {files}: compare takes several"),
    "classes-of-one-model": (
        "error",
        "compare --one-vs-rest needs two models, each with a column for every class (found: {model}): sweep takes one",
    ),
    "classes-without-baseline": (
        "error",
        "rule {rule!r}: differences from a baseline are judged by compare --one-vs-rest",
    ),
    "numbers-beside-cases": (
        "error",
        "--exact computes whole numbers of the cases: leave out {file}, or --exact",
    ),
    "numbers-alone-counted": (
        "error",
        "{file} has whole numbers, and no file has counts: rocconf compare reads those of pairs without counts",
    ),
    "exact-unwritten": (
        "error",
        "--exact adds whole numbers to a parquet file: -o counts.parquet, or -o numbers:FILE.csv and -o pairs:FILE.csv",
    ),
    "class-without-classes": ("error", "--class names the columns of --one-vs-rest: add it"),
    "unlabelled-without-option": (
        "error",
        "{option} has no meaning with --unlabelled, which compares the scores alone: leave out one of them",
    ),
    "unlabelled-needs-reference": (
        "error",
        "--unlabelled needs --reference FILE: earlier cases, to whose scores those of the file are compared",
    ),
    "unlabelled-files": ("error", "--unlabelled takes one file, not {files}: run it once for each"),
    "unlabelled-rules": (
        "error",
        (
            "rule {rule!r}: --unlabelled sees no labels, so no verdict may rest on it; drop the rule, or judge the month when its "
            "labels are there (--isolated ignores the configuration)"
        ),
    ),
    "option-needs-scores": ("error", "{option} needs scores: give a FILE"),
    "rules-need-scores": ("error", "rules need scores: give a FILE (--isolated ignores the configuration)"),
    # compare
    "all-pairs-and-baseline": ("error", "--all-pairs compares every model with every other: leave out --baseline"),
    "by-row-and-unpaired": ("error", "--by-row and --unpaired contradict each other: leave out one of them"),
    "by-row-and-report": ("error", "--by-row pairs cases, and a report has none: leave it out"),
    "baseline-is-input": (
        "error",
        "--baseline {file}: this file is compared already; name its model: --baseline {model}",
    ),
    "baseline-ambiguous": ("error", "--baseline {baseline} is both a model and a file; ./{baseline} is the file"),
    "baseline-of-several-models": (
        "error",
        "--baseline {file} has several models ({models}); --score names the one to compare with",
    ),
    "baseline-unknown": (
        "error",
        "--baseline {baseline} is neither a model (found: {models}) nor a file{did_you_mean}",
    ),
}
