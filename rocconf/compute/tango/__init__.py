"""The confident segment (`rocconf tango`): where false negatives and false positives do not differ in number."""

from rocconf.compute.tango.confident_segment import RUN_COLUMNS, ConfidentSegment, tango
from rocconf.compute.tango.segment import (
    MEASURES,
    Region,
    Restated,
    confident_region,
    require_margin,
    require_prevalence,
    segment_columns,
)
from rocconf.compute.tango.segment_bootstrap import SegmentGauge, window

__all__ = [
    "MEASURES",
    "RUN_COLUMNS",
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
