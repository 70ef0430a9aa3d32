"""Several models side by side, and the differences of pairs of them with their tests (`rocconf compare`)."""

from rocconf.compute.compare.bands import Band
from rocconf.compute.compare.compare_models import compare, require_asked
from rocconf.compute.compare.comparison import Comparison
from rocconf.compute.compare.model import ComparedModel
from rocconf.compute.compare.pairs import Pair
from rocconf.compute.compare.shared_cases import pair

__all__ = ["Band", "ComparedModel", "Comparison", "Pair", "compare", "pair", "require_asked"]
