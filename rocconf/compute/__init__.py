"""Numbers in, frozen results out: the one door to everything rocconf computes."""

from rocconf.compute.counts import count, count_each, rescaled
from rocconf.compute.curve import Curve, curve
from rocconf.compute.intervals import wilson
from rocconf.compute.operating import Rule, parse_rule
from rocconf.compute.sweep import Sweep, sweep
from rocconf.compute.tango import ConfidentSegment, tango
from rocconf.compute.tango_interval import tango_interval

__all__ = [
    "ConfidentSegment",
    "Curve",
    "Rule",
    "Sweep",
    "count",
    "count_each",
    "curve",
    "parse_rule",
    "rescaled",
    "sweep",
    "tango",
    "tango_interval",
    "wilson",
]
