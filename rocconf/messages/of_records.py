"""The messages of records, tables and names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocconf.messages import MessageKind

OF_RECORDS: dict[str, tuple[MessageKind, str]] = {
    "interval-reversed": ("error", "lower limit {lower:g} > upper limit {upper:g}"),
    "no-scores-given": ("error", "predictions need at least one column of scores"),
    "array-model-name": ("error", "the name of a model is a text that is not blank, not {found}"),
    "array-not-a-column": ("error", "{name} is not a column of values: {reason}"),
    "array-order": (
        "error",
        (
            "{first} and {other} have different indexes, so their rows may not be of the same cases: take both columns of "
            "one data frame, or pass .to_numpy() of both if the order is the same"
        ),
    ),
    "array-shape": (
        "error",
        (
            "{name} has the shape {shape}, and a column of values is needed: of probabilities of two classes take that of "
            "the positive one, like proba[:, 1]"
        ),
    ),
    "different-lengths": ("error", "columns of different lengths: {sizes}"),
    "labels-not-bool": ("error", "labels must be True or False, not {found}"),
    "scores-not-float64": ("error", "the scores of {name} must be float64, not {found}"),
    "score-nan": ("error", "a score of {name} is NaN, which has no rank"),
    "classes-not-distinct": ("error", "there must be two classes or more of different names, not {found}"),
    "classes-not-places": ("error", "the labels must be whole numbers, the places of {classes} classes, from 0 on"),
    "groups-not-distinct": ("error", "the groups of {column} must have different names"),
    "groups-not-places": (
        "error",
        "the groups of {column} must be whole numbers, the places of {groups} values, from 0 on",
    ),
    "class-scores-shape": (
        "error",
        "the scores of {name} must have a row for each case and a column for each class: {wanted}",
    ),
    "counts-lengths": ("error", "thresholds, tp and fp must have one length, the nothing-positive row first"),
    "counts-first-row": ("error", "the first row of counts must be the one with nothing predicted positive"),
    "counts-order": ("error", "the scores of counts must be distinct and sorted, the most positive first"),
    "numbers-impossible": ("error", "{name} of the whole numbers must be {wanted}"),
    "numbers-not-whole": (
        "error",
        "{name} must be a whole number in digits, not {found}: write sums as text or DECIMAL(38, 0), floats lose digits",
    ),
    "numbers-not-flag": ("error", "{name} must be true or false, not {found}"),
    "numbers-unnamed": ("error", "{name} must be the name of a model"),
    "counts-negative": ("error", "counts cannot be negative"),
    "counts-empty-score": ("error", "counts must not list a score without cases"),
    "counts-directions": ("error", "counts of opposite directions cannot be added"),
    "counts-clusters": ("error", "counts of clustered cases cannot be added: their clusters may be the same ones"),
    "bins-overlap": (
        "error",
        "the scores of {model} are in bins that overlap, and neither holds the other: count all with the same bins",
    ),
    "counts-too-large": ("error", "{model} has more than 2^53 cases of a class"),
    "not-whole": ("error", "{name} must be whole numbers of cases"),
    "score-inexact": (
        "error",
        (
            "a 64-bit float cannot hold the score {score}, and other scores would become equal to it: subtract a constant, "
            "or replace the scores by their ranks"
        ),
    ),
    "condition-form": ("error", "{option} takes COLUMN=VALUE (or !=, and <, <=, >, >= for numbers), not {found!r}"),
    "condition-column": (
        "error",
        "{condition!r}: the column of a condition cannot contain =, < or >, or end with ! (found {column!r}): rename it",
    ),
    "condition-equals": ("error", "{condition!r}: write COLUMN=VALUE with one ="),
    "condition-number": ("error", "{condition!r} compares numbers, and {value!r} is not one"),
    "condition-value": (
        "error",
        "the value of {column!r} must be a text, a whole number or true or false, not {found!r}: write it in quotes",
    ),
    "tables-differ": ("error", "tables named {name} have different columns and cannot be stacked"),
    "file-twice": ("error", "{files}: given twice"),
    "file-copied": ("error", "{one} and {other} have the same content: is one of them another file than was meant?"),
    "counted-twice": ("error", "the cases of {file} are in {one} and in {other}, and would count twice: leave out one"),
    "cells-alike": (
        "error",
        (
            "two values of {column} would be written as {cell}, and be one when the counts are read: parquet keeps them apart<|"
            " (-o FILE.parquet), and --no-escape-formulas those that = + - @ begin>"
        ),
    ),
    "models-of-one-name": ("error", "two models are called {models}: give the files different names"),
}
