"""The messages of `read`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocconf.messages import MessageKind

OF_READ: dict[str, tuple[MessageKind, str]] = {
    # options
    "na-choice": ("error", "<na> takes error or drop, not {found!r}"),
    "score-twice": ("error", "score column {name!r} is named twice"),
    "positive-blank": ("error", "<positive> takes the name of a class"),
    "cluster-blank": ("error", "<cluster> takes the name of a column<|: --cluster patient>"),
    "delimiter-form": (
        "error",
        "<delimiter> takes one character (or tab, comma, semicolon, pipe, space), not {found!r}",
    ),
    "rest-without-positive": (
        "error",
        "<rest> makes all classes negative but one, which needs a name: <positive=NAME>",
    ),
    "class-form": (
        "error",
        "<classes takes|--class takes NAME=COLUMN,> the name of a class and the column of its scores, not {found!r}",
    ),
    "classes-too-few": ("error", "two classes or more need a column of scores each (found: {found})"),
    "class-columns-uneven": ("error", "every class needs a column of scores for each model (found: {found})"),
    "label-is-score": ("error", "column {name!r} cannot be both the label and a score"),
    "model-and-scores": ("error", "<model={model}> takes one score column, and its models are the values of {model!r}"),
    "time-and-model": ("error", "<time> takes a file with one row for each case: leave out <model>"),
    "time-is-other": ("error", "column {name!r} cannot be the times and have another use too"),
    "long-groups": ("error", "the cases are not known one by one, and so not their groups: give the file of cases"),
    "groups-and-model": (
        "error",
        "the groups of {column!r} need a file with one row for each case, and a column for each model: leave out <model>",
    ),
    "group-is-other": ("error", "column {column!r} cannot be groups of cases and the label or a score too"),
    "clusters-rounded": (
        "error",
        (
            "the values of {column} are floats so large that different clusters may have become one: write them as whole "
            "numbers or text"
        ),
    ),
    "one-cluster": (
        "error",
        (
            "all {n} cases are of one cluster ({column} {cluster}): how far another would differ cannot be known, and no "
            "interval can be given. <cluster> names a column of two values or more"
        ),
    ),
    "no-bucket": ("error", "there is no such bucket or container"),
    "no-object": ("error", "there is no such object"),
    "object-not-allowed": (
        "error",
        (
            "the store refuses to give it: the credentials are missing or wrong, or may not read it. They are taken from the "
            "environment, like AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AZURE_STORAGE_ACCOUNT_NAME, or "
            "GOOGLE_APPLICATION_CREDENTIALS"
        ),
    ),
    "object-store": ("error", "the store could not be read: {reason}"),
    "object-not-copied": ("error", "its text could not be copied to a temporary file (TMPDIR): {reason}"),
    "partition-differs": (
        "error",
        "column {column!r} has {found}, but the path says {path}: rename the column, or correct the path",
    ),
    "groups-of-counts": ("error", "a counts file has no column {column!r} of its cases: give the file of cases"),
    "groups-not-counted": (
        "error",
        (
            "these counts are not divided by {column!r} (columns: {found}): give the file of cases, or count it with "
            "<by={column}>"
        ),
    ),
    "group-of-counts": (
        "error",
        "column {column!r} of the cases cannot divide counts, which have a column of that name",
    ),
    "groups-combined": (
        "error",
        "columns {columns} divide the cases into more than {most} groups: name fewer columns, or those of fewer values",
    ),
    "groups-added-up": (
        "note",
        "{file}: its groups are added up over {columns}; <by=COLUMN> keeps those of a column",
    ),
    "group-twice": ("error", "column {column!r} is named twice"),
    "groups-too-many": (
        "error",
        (
            "column {column!r} has more than {most} values ({some}, ...): it names cases rather than groups of them. "
            "Name another column, or make one of fewer values, as of ranges"
        ),
    ),
    "scores-of-models": ("error", "one model's scores are needed (found: {models})"),
    "time-of-counts": ("error", "a counts file has no times: give the file of cases"),
    "model-is-other": ("error", "column {name!r} cannot be the models and have another use too"),
    # files
    "no-file": ("error", "no such file{meant}"),
    "no-folder": ("error", "no such file (there is no folder {folder!r})"),
    "no-files": ("error", "there is no table: of files whose names do not begin with a dot or an underscore"),
    "count-other-models": ("error", "the scores are {found}, but {expected} in {file}"),
    "count-other-positive": (
        "error",
        "the positive class is {found}, but {expected} in {file}: count all files with the same <positive>",
    ),
    "query-other-labels": (
        "error",
        (
            "{model}: {n:,} cases have a label of a third class: make the SQL again with <positive>, and with <rest> if there "
            "are more than two classes"
        ),
    ),
    "query-missing": (
        "error",
        "{model}: {labels:,} cases have no label and {scores:,} others no score; <na=drop> drops and counts them",
    ),
    "is-folder": ("error", "is a folder, not a file"),
    "cannot-read": ("error", "cannot be read ({reason})"),
    "stdin-closed": ("error", "standard input is closed"),
    "not-parquet": ("error", "is not a parquet file ({reason})"),
    "not-arrow": ("error", "is neither an Arrow (Feather) file nor an Arrow stream ({reason})"),
    "no-objects": ("error", "the file is empty; each line must be a JSON object"),
    "json-list": (
        "error",
        (
            "is a JSON list, but each line must be an object, as <to_json(orient='records', lines=True) of pandas|"
            "jq -c '.[]' {file}> writes it"
        ),
    ),
    "report-as-cases": ("error", "is a report of rocconf, which has no cases; rocconf gate {file} judges it"),
    "file-damaged": ("error", "the file is damaged ({reason})"),
    "columns-too-large": (
        "error",
        "the columns that are read take {size} of memory, and at most {most} are read of a file of this size",
    ),
    "unpacks-too-large": (
        "error",
        "unpacks to more than {most}, the most for a compressed file of its size: if that is right, unpack it first",
    ),
    # headers
    "header-too-long": (
        "error",
        "the header does not end within the first {most}; the first line must name the columns",
    ),
    "columns-too-many": (
        "error",
        "{n} columns, and at most {most} are read: keep the label, the scores, the id and what <where> needs",
    ),
    "name-too-long": ("error", "the name of column {place} has {n} characters, and at most {most} are read"),
    "file-empty": ("error", "the file is empty; its first line must name the columns"),
    "header-zero-bytes": ("error", "the header has zero bytes, as in UTF-16; save the file as UTF-8"),
    "no-column": ("error", "no column {name!r} (found: {found}){meant}"),
    "no-counts-column": ("error", "no column {missing} (found: {found}; a counts file has {wanted})"),
    "column-nested": ("error", "column {name!r} is nested: lists and structs are not supported"),
    "columns-of-one-name": ("error", "{n} columns are called {name!r}"),
    "header-joined": ("note", "the header looks separated by {delimiter!r}: set <delimiter={delimiter!r}>"),
    "header-is-data": ("note", "the first line looks like data, but must name the columns"),
    # columns that nobody named
    "frame-lazy": ("error", "a lazy frame has not been read yet: pass frame.collect()"),
    "not-a-frame": (
        "error",
        "a data frame of pandas or polars, or a table of pyarrow, is needed, not {found}; rocconf.read_predictions reads files",
    ),
    "which-delimiter": ("error", "which character separates the cells"),
    "which-label": ("error", "which column is the label"),
    "which-positive": ("error", "which value of {label} is the positive class"),
    "which-score": ("error", "which column is the score"),
    "which-scores": ("error", "which columns are the scores"),
    "cells-separated": ("note", "the header looks separated by {delimiter!r}"),
    "commas-in": (
        "note",
        (
            "decimal commas in {columns}: write numbers with points<; pandas.read_csv(..., decimal=',') reads them for "
            "read_frame|>"
        ),
    ),
    "columns-found": ("note", "found: {found}"),
    "scores-named-differently": (
        "note",
        "no option names a different column in each file: call the scores of each file score",
    ),
    "which-other-model": ("error", "which model is compared with {found}"),
    "which-ids": ("error", "which column has the ids that pair the cases of the files"),
    "ids-could-be": (
        "note",
        "ids could be in: {choices}; <by_row=True> pairs rows by their order; <unpaired> compares different cases",
    ),
    "other-scores-could-be": ("note", "other scores could be: {choices}"),
    "which-class-model": ("error", "which model, of several that have a column for each class"),
    "class-model-unknown": ("error", "no model {name!r} has a column for each class (found: {found})"),
    "classes-too-many": (
        "error",
        "{name} has more than {most} values, and one class against the rest takes at most {most}",
    ),
    "classes-one": ("error", "{name} has one class ({found}), and two or more are needed"),
    "class-lacks-column": ("error", "class {lacking} has no column of scores: {column} is missing (found: {found})"),
    "no-class-columns": (
        "error",
        (
            "the classes {classes} have no columns of scores: no column is called like a class, after a prefix that all "
            "share (found: {found})"
        ),
    ),
    "name-the-columns": ("note", "<classes|--class NAME=COLUMN>, for each class, names its column"),
    "which-baseline": ("error", "which model is the baseline"),
    "models-are": ("note", "models: {choices}"),
    "labels-could-be": ("note", "labels could be: {choices}"),
    "no-label-candidate": ("note", "no column has two values, as a label has (found: {found}); <label=NAME> names it"),
    "positive-could-be": ("note", "it could be: {choices}"),
    "scores-could-be": ("note", "scores could be: {choices}"),
    "scores-by-name": ("note", "scores could be, but only with <score=NAME>: {choices}"),
    "no-score-candidate": ("note", "no column holds numbers (found: {found})"),
    "never-a-guess": ("note", "a rule never rests on a guess"),
    "try": ("note", "try: {what}"),
    "try-config": ("note", "or in rocconf.toml, under [data]: {lines}"),
    # rows
    "ragged-row": ("error", "{where}: {cells}, but the header has {width}"),
    "line-too-long": ("error", "{where}: the line has more than {most}"),
    "quote-open": ("error", "{where}: the quote opened in the row that begins here is never closed"),
    "text-after-quote": ("error", "{where}: text follows a closing quote"),
    "csv-error": ("error", "{where}: {reason}"),
    "damaged-from-here": ("error", "{where}: from here on the file is damaged ({reason})"),
    "other-format": ("error", "{where}: this is not text but a {form} file, whose name must end in .{form}"),
    "not-utf-8": ("error", "{where}: byte {byte:#04x} is not UTF-8 text; save the file as UTF-8"),
    "not-an-object": ("error", "{where}: not a JSON object ({reason})"),
    # long tables
    "where-of-counts": (
        "error",
        "a counts file has no rows of cases to choose, so {where} means nothing: count the cases that are meant",
    ),
    "positive-of-counts": (
        "error",
        "a counts file has positives and negatives, and no label {positive!r}: leave out <positive>",
    ),
    "metadata-invalid": (
        "error",
        "its metadata under the key rocconf are not those of rocconf count ({reason}): count the cases again, or write the counts to csv",
    ),
    "metadata-schema": (
        "error",
        "its metadata have the schema {schema}, but this rocconf reads versions up to {newest}: update rocconf",
    ),
    "counts-no-model": ("error", "a counts file without model {model} (found: {found})"),
    "label-of-counts": ("error", "is a counts file, which has no labels: leave out <label>"),
    "model-of-counts": ("error", "is a counts file, which names its models in its column model: leave out <model>"),
    "long-without-ids": (
        "error",
        "{models} models ({names}) are compared case by case, and no column names the case: <id=NAME>",
    ),
    "pair-twice": ("error", "{where}: id {id} of model {model} is already on {first}"),
    "pair-missing": ("error", "id {id} has no row of model {model}"),
    "pairs-needed": (
        "note",
        "every case needs a row of each model<|; compare --unpaired takes models on different cases>",
    ),
    "case-labels-differ": ("error", "{where}: id {id} is {found} here, but {other} on {first}"),
    "dropped-without-id": ("error", "a row without a value has no id either, so that its case is unknown"),
    # cells
    "cell-nested": ("error", "{where}: {column} holds a list or an object"),
    "not-a-number": ("error", "{where}: {column} {cell} is not a number"),
    "decimal-comma": ("error", "{where}: {column} {cell} is not a number; write numbers with a point"),
    "percentage": ("error", "{where}: {column} {cell} is a percentage; write a number"),
    "decimal-commas": (
        "note",
        "where no comma delimits cells, <str.replace(',', '.')|sed 's/,/./g' on a copy> writes numbers with points",
    ),
    "percentages": ("note", "<str.rstrip('%')|sed 's/%//g' on a copy> writes numbers: scores need not be fractions"),
    "number-too-large": ("error", "{where}: {column} {cell} is too large for a 64-bit float"),
    "number-inexact": (
        "error",
        (
            "{where}: {column} {cell} is a whole number that a 64-bit float cannot hold, and others would become equal "
            "to it: subtract a constant, or replace the numbers by their ranks"
        ),
    ),
    "ids-rounded": (
        "error",
        ("the ids are floats so large that different ids may have become one: write them as whole numbers or text"),
    ),
    "not-a-fraction": ("error", "{where}: {column} {value:.17g} lies outside [0, 1]"),
    "taken-for-fractions": (
        "note",
        "the column was taken for a score because its first 1,000 rows hold fractions; <score=NAME> takes it as it is",
    ),
    "time-form": ("error", "{where}: {column} {cell} is not a time"),
    "time-impossible": ("error", "{where}: {column} {cell} is not a day or time that exists"),
    "time-mixed": ("error", "{where}: {column} {cell} is {found}, but {first} before it is {others}"),
    "time-forms": (
        "note",
        "a column of times has one form: 2024-01-31, 2024-01-31T09:30, 2024-01-31T09:30:00+01:00, or numbers",
    ),
    "no-value": ("error", "{where}: {column} has no value"),
    "bins-without-upper": (
        "error",
        "its metadata say that scores are in bins, but it has no column upper, the upper edge of each: keep all columns",
    ),
    "bins-of-scores": (
        "error",
        "its metadata say that scores are in bins, but upper is score in every row of {model}: count the cases again",
    ),
    "rows-of-others": (
        "error",
        (
            "{model}: its rows count {found} cases (positives+negatives), its metadata {expected}: rows were changed after the "
            "count: count the cases again"
        ),
    ),
    "bins-of-labels": (
        "error",
        "{model} has its scores in bins, and a comparison of scores alone needs the scores: give the file of cases",
    ),
    "bins-divided": (
        "error",
        (
            "the scores of some cases are in bins, which the bins of the other files or those asked for divide: give the files "
            "of cases, or <thresholds> that all bins share"
        ),
    ),
    "bins-coarser": (
        "warning",
        "{model}: the bins of a counts file have resolution {found}, so all were counted in such bins, not in those of {asked}",
    ),
    "scores-over-budget": (
        "warning",
        (
            "{model}: more than {most:,} distinct scores (those of both classes count twice): all were counted in dyadic bins of "
            "resolution {resolution}; <max_scores> sets how many are counted exactly"
        ),
    ),
    "bin-reversed": ("error", "{where}: upper {upper!r} is below score {score!r}"),
    "not-a-count": ("error", "{where}: {column} {value} is not a whole number of cases up to 2^53"),
    "label-unknown": ("error", "{where}: label {cell} is neither {one} nor {other}"),
    "label-of-no-class": ("error", "{where}: label {cell} is none of the classes {classes}"),
    "id-twice": ("error", "{where}: id {id} is already on {first}"),
    "id-dropped": ("error", "{where}: id {id} also has a row without a value"),
    "name-the-positive": ("note", "if these are the names of the classes, <positive=NAME> says which one is positive"),
    "third-label": (
        "note",
        (
            "with more than two classes, <rest> takes that of <positive=NAME> as positive and all others as negative<|, and "
            "--one-vs-rest, of sweep and compare, each class by a column of its own>"
        ),
    ),
    "name-the-class": ("note", "<classes|--class NAME=COLUMN> adds a class, <where> leaves its rows out"),
    "drop-missing": ("note", "<na=drop> leaves out the rows without a value, and counts them"),
    "ids-differ": (
        "note",
        (
            "every case must have a different id: cases are assumed to be independent; <model=COLUMN> reads a row for "
            "each case and model"
        ),
    ),
    # cases and counts
    "no-positive-label": ("error", "no label equals <positive={positive}> (found: {found})"),
    "spill-failed": (
        "error",
        "cannot keep cases in temporary files in {folder}: {reason}; TMPDIR names another folder",
    ),
    "spill-room": (
        "error",
        "no room for temporary files in {folder}: {size} are needed, {free} are free; TMPDIR names another folder",
    ),
    "numbers-dropped": (
        "note",
        "{file}: its whole numbers are left out, as they do not add up with other files; <exact> computes them of the cases",
    ),
    "exact-needs-cases": (
        "error",
        "a counts file has no cases to compute whole numbers of<|; --exact needs the files that were counted>",
    ),
    "numbers-left-out": (
        "error",
        "the query left out {rows} rows ({name}); <na=drop> takes the others where labels or scores are missing",
    ),
    "numbers-beside-pairs": ("error", "the whole numbers of {model} contradict those of its pairs with other models"),
    "numbers-row": ("error", "{where}: {fault}"),
    "numbers-rounded": (
        "error",
        "{name} is a column of floats, which lose digits of such numbers: write it as text or DECIMAL(38, 0)",
    ),
    "numbers-twice": ("error", "a model has two rows of whole numbers"),
    "numbers-of-one": ("error", "no pair of two models is left of {model}"),
    "no-rows": ("error", "no rows below the header"),
    "slice-empty": ("error", "no row with {wanted} (found {found})"),
    "all-missing": ("error", "all {dropped} rows have missing values"),
    "one-class": (
        "error",
        "only one class: {positives} of {n} cases are positive (label {label}), and both classes are needed",
    ),
    "one-class-counts": (
        "error",
        "only one class: {model} has {positives} positives and {negatives} negatives, and both classes are needed",
    ),
    "dropped": ("warning", "{file}: {rows} left out, {kept} are left"),
    "models-in-one": (
        "warning",
        "{file}: the column model has {models} values; if they are classifiers, <model=model> takes each by itself",
    ),
    "counted-clusters": (
        "warning",
        "{file}: several cases have the same {column}; counts forget which, and intervals of them take all as independent",
    ),
    "clusters-alike": (
        "warning",
        (
            "{file}: clusters of {column} differ in blanks, capitals or the form of a number only ({some}), {several} such "
            "in all: they count as different ones"
        ),
    ),
    "clusters-of-one": (
        "warning",
        "{file}: every case has a value of {column} of its own, so <cluster={column}> changes nothing: cases are independent",
    ),
    "clusters-suspected": (
        "warning",
        (
            "{file}: several cases have the same {column}; if these belong together, intervals are too narrow, and "
            "<cluster={column}> allows for it"
        ),
    ),
    # reports
    "not-json": ("error", "not valid JSON ({reason})"),
    "report-not-in-page": ("error", "the page holds {found} reports, not one: write it again with <out|-o> FILE.html"),
    "not-a-report": ("error", "not a rocconf report (no schema)"),
    "report-version": ("error", "written by another version: run rocconf {command} again"),
    "report-changed": ("error", "changed since it was written: run rocconf {command} again"),
    "report-other-key": ("error", "is not sealed with this key: another key sealed it, or its seal is made up"),
    "report-without-key": (
        "error",
        "is not sealed with a key, but a key is set: run its command with <key=FILE> or ROCCONF_KEY",
    ),
    "key-empty": ("error", "{where} holds no key: it is empty, like a secret that is not set"),
    "key-short": (
        "error",
        "{where} holds a key of fewer than {least} characters, or of few different ones, which can be guessed: take a long random one",
    ),
    "key-unreadable": ("error", "{path}: the key cannot be read ({reason})"),
    "sealed-with-key": ("note", "{report}: sealed with a key"),
    "sealed-without-key": ("note", "{report}: sealed without a key: whoever can write the file can write a seal"),
    "sealed-unchecked": ("note", "{report}: sealed with a key, which was not checked, as no key is set here"),
    "report-command": ("error", "is a report of rocconf {command}, which has no numbers (needed: one of {commands})"),
    "report-of-several": ("error", "reports {n} models ({models}), but a baseline is one model"),
    "field-not-object": ("error", "{where} must be an object, not {found}"),
    "field-missing": ("error", "{where}: no field {key!r}"),
    "field-type": ("error", "{where}: {key} must be {wanted}, not {found}"),
}
