"""Numbers in, frozen results out: the one door to everything rocconf computes.

Behind it a name is loaded when it is used: a sweep need not wait for what only a comparison needs.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocconf.compute.chi2_contours import Chi2Contours, chi2_contours, contour_levels, parse_costs
    from rocconf.compute.compare import compare
    from rocconf.compute.comparison import Comparison
    from rocconf.compute.contours import ClassTotals, accuracies, shared_totals
    from rocconf.compute.counts import count, count_each, rescaled
    from rocconf.compute.curve import Curve, curve
    from rocconf.compute.drift import Drift, drift
    from rocconf.compute.intervals import wilson
    from rocconf.compute.midpoint import parse_midpoint
    from rocconf.compute.operating import Rule, parse_rule
    from rocconf.compute.pairing import pair
    from rocconf.compute.sensibility import Sensibility, sensibility
    from rocconf.compute.sweep import Sweep, sweep
    from rocconf.compute.tango import ConfidentSegment, tango
    from rocconf.compute.tango_interval import tango_interval

_HOMES = {
    "Chi2Contours": "chi2_contours",
    "ClassTotals": "contours",
    "Comparison": "comparison",
    "ConfidentSegment": "tango",
    "Curve": "curve",
    "Drift": "drift",
    "Rule": "operating",
    "Sensibility": "sensibility",
    "Sweep": "sweep",
    "accuracies": "contours",
    "chi2_contours": "chi2_contours",
    "compare": "compare",
    "contour_levels": "chi2_contours",
    "count": "counts",
    "count_each": "counts",
    "curve": "curve",
    "drift": "drift",
    "pair": "pairing",
    "parse_costs": "chi2_contours",
    "parse_midpoint": "midpoint",
    "parse_rule": "operating",
    "rescaled": "counts",
    "sensibility": "sensibility",
    "shared_totals": "contours",
    "sweep": "sweep",
    "tango": "tango",
    "tango_interval": "tango_interval",
    "wilson": "intervals",
}

__all__ = [
    "Chi2Contours",
    "ClassTotals",
    "Comparison",
    "ConfidentSegment",
    "Curve",
    "Drift",
    "Rule",
    "Sensibility",
    "Sweep",
    "accuracies",
    "chi2_contours",
    "compare",
    "contour_levels",
    "count",
    "count_each",
    "curve",
    "drift",
    "pair",
    "parse_costs",
    "parse_midpoint",
    "parse_rule",
    "rescaled",
    "sensibility",
    "shared_totals",
    "sweep",
    "tango",
    "tango_interval",
    "wilson",
]


class _Door(ModuleType):
    """A module in which an analysis stands before the module of its name, whichever was loaded first."""

    def __getattr__(self, name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Python sets a submodule here once it is loaded."""
        super().__setattr__(name, getattr(value, name) if name in _HOMES and isinstance(value, ModuleType) else value)


sys.modules[__name__].__class__ = _Door
