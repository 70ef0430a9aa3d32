"""Several models side by side, and the differences of pairs of them with their tests (`rocconf compare`)."""

from rocconf.compute.compare.against_report import ABOUT_BASELINE
from rocconf.compute.compare.auc_comparison import AucComparison, compare_aucs, whole_numbers_of
from rocconf.compute.compare.bands import KINDS as BAND_KINDS
from rocconf.compute.compare.bands import Band
from rocconf.compute.compare.calibration_difference import CROSS_FITTED
from rocconf.compute.compare.compare_models import compare, require_asked
from rocconf.compute.compare.comparison import Comparison
from rocconf.compute.compare.cost_difference import (
    paired_cost,
    paired_net_benefit,
    unpaired_cost,
    unpaired_net_benefit,
)
from rocconf.compute.compare.in_words import excludes_zero, in_words
from rocconf.compute.compare.model import ComparedModel
from rocconf.compute.compare.paired_auc import paired_aucs
from rocconf.compute.compare.paired_bootstrap import BOOTSTRAP
from rocconf.compute.compare.pairs import CLUSTERED, DIFFERENCES, Pair, adjusted, pairs_of, pairs_table
from rocconf.compute.compare.placed_cases import CountedNumbers, numbers_of_pile
from rocconf.compute.compare.rate_difference import (
    COMPARED,
    TEST_NAMES,
    Discordance,
    Hits,
    hits,
    paired_difference,
    unpaired_difference,
)
from rocconf.compute.compare.shared_cases import match_cases, pair, require_all_rows, require_labels

__all__ = [
    "ABOUT_BASELINE",
    "BAND_KINDS",
    "BOOTSTRAP",
    "CLUSTERED",
    "COMPARED",
    "CROSS_FITTED",
    "DIFFERENCES",
    "TEST_NAMES",
    "AucComparison",
    "Band",
    "ComparedModel",
    "Comparison",
    "CountedNumbers",
    "Discordance",
    "Hits",
    "Pair",
    "adjusted",
    "compare",
    "compare_aucs",
    "excludes_zero",
    "hits",
    "in_words",
    "match_cases",
    "numbers_of_pile",
    "pair",
    "paired_aucs",
    "paired_cost",
    "paired_difference",
    "paired_net_benefit",
    "pairs_of",
    "pairs_table",
    "require_all_rows",
    "require_asked",
    "require_labels",
    "unpaired_cost",
    "unpaired_difference",
    "unpaired_net_benefit",
    "whole_numbers_of",
]
