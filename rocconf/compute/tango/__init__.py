"""The confident segment (`rocconf tango`): where false negatives and false positives do not differ in number."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rocconf.compute.tango.confident_segment import NO_FINITE_END, ConfidentSegment, tango
from rocconf.compute.tango.equivalence import require_margin
from rocconf.compute.tango.restated import Restated, require_prevalence
from rocconf.compute.tango.segment import MEASURES, segment_columns

if TYPE_CHECKING:
    from rocconf.compute.tango.region import Region, confident_region
    from rocconf.compute.tango.segment_bootstrap import SegmentGauge, window

__all__ = [
    "MEASURES",
    "NO_FINITE_END",
    "ConfidentSegment",
    "Region",
    "Restated",
    "SegmentGauge",
    "confident_region",
    "require_margin",
    "require_prevalence",
    "segment_columns",
    "tango",
    "window",
]

_LATE = {
    **dict.fromkeys(("Region", "confident_region"), "region"),
    **dict.fromkeys(("SegmentGauge", "window"), "segment_bootstrap"),
}
"""What only figures and comparisons use, loaded where it is used."""


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
