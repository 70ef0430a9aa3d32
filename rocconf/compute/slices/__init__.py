"""Slices and folds: an analysis of all cases, and the same of the cases with each value of a column."""

from rocconf.compute.slices.sliced import (
    compare_cases,
    compare_slices,
    counts_of,
    one_vs_rest_slices,
    sweep_folds,
    sweep_slices,
    sweep_with,
)

__all__ = [
    "compare_cases",
    "compare_slices",
    "counts_of",
    "one_vs_rest_slices",
    "sweep_folds",
    "sweep_slices",
    "sweep_with",
]
