"""Say how sure one can be of a ROC curve, and whether a model may go out.

    scores.csv -read-> Predictions -count-> ScoreCounts -> sweep -------> Sweep
    counts.csv -read----------------------> ScoreCounts -> tango -------> ConfidentSegment
                                            ScoreCounts -> chi2_contours -> Chi2Contours (ClassTotals are enough)
                                            ScoreCounts -> sensibility -> Sensibility (with a reference: Drift)
    several files -pair-> Predictions -------------------> compare -----> Comparison

Every result has its rows (`.table()`, `.to_frame()`), its summary (`.summary()`), everything (`.to_dict()`) and what
weakens it (`.caveats`).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocconf.compute import count, count_each
    from rocconf.compute.chi2_contours import Chi2Contours, chi2_contours
    from rocconf.compute.compare import compare
    from rocconf.compute.comparison import Comparison
    from rocconf.compute.contours import ClassTotals
    from rocconf.compute.drift import Drift, drift
    from rocconf.compute.pairing import pair
    from rocconf.compute.sensibility import Sensibility, sensibility
    from rocconf.compute.sweep import Sweep, sweep
    from rocconf.compute.tango import ConfidentSegment, tango
    from rocconf.compute.tango_interval import tango_interval
    from rocconf.errors import InputError, RocconfError, UndefinedError, UsageError
    from rocconf.read import read_counts, read_frame, read_predictions
    from rocconf.records import Predictions, ScoreCounts

__version__ = "0.1.0"

__all__ = [
    "Chi2Contours",
    "ClassTotals",
    "Comparison",
    "ConfidentSegment",
    "Drift",
    "InputError",
    "Predictions",
    "RocconfError",
    "ScoreCounts",
    "Sensibility",
    "Sweep",
    "UndefinedError",
    "UsageError",
    "chi2_contours",
    "compare",
    "count",
    "count_each",
    "drift",
    "pair",
    "read_counts",
    "read_frame",
    "read_predictions",
    "sensibility",
    "sweep",
    "tango",
    "tango_interval",
]

_HOMES = ("errors", "records", "read", "compute")


def __getattr__(name: str) -> Any:
    """Load a public name where it is used: `import rocconf` alone costs nothing."""
    if name in __all__:
        for home in _HOMES:
            module = import_module(f"rocconf.{home}")
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module 'rocconf' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
