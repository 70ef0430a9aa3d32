"""Slices and folds: an analysis of all cases, and the same of the cases with each value of a column."""

from rocconf.compute.slices.folded import sweep_folds
from rocconf.compute.slices.sliced import CasesOfSlice, cases_of_slices, compare_slices, sweep_slices

__all__ = ["CasesOfSlice", "cases_of_slices", "compare_slices", "sweep_folds", "sweep_slices"]
