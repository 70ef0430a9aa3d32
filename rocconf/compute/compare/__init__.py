"""Several models side by side, and the differences of pairs of them with their tests (`rocconf compare`)."""

from rocconf.compute.compare.auc_comparison import AucComparison, compare_aucs
from rocconf.compute.compare.bands import KINDS as BAND_KINDS
from rocconf.compute.compare.bands import Band
from rocconf.compute.compare.compare_models import compare, require_options
from rocconf.compute.compare.comparison import Comparison
from rocconf.compute.compare.model import ComparedModel
from rocconf.compute.compare.pairs import (
    DIFFERENCES,
    TEST_NAMES,
    Pair,
    PairedResult,
    PairOptions,
    adjusted,
    excludes_zero,
    pairs_of,
    pairs_table,
    slice_pairs_answers,
    slice_pairs_table,
)
from rocconf.compute.compare.placed_cases import numbers_of_pile
from rocconf.compute.compare.shared_cases import pair

__all__ = [
    "BAND_KINDS",
    "DIFFERENCES",
    "TEST_NAMES",
    "AucComparison",
    "Band",
    "ComparedModel",
    "Comparison",
    "Pair",
    "PairOptions",
    "PairedResult",
    "adjusted",
    "compare",
    "compare_aucs",
    "excludes_zero",
    "numbers_of_pile",
    "pair",
    "pairs_of",
    "pairs_table",
    "require_options",
    "slice_pairs_answers",
    "slice_pairs_table",
]
