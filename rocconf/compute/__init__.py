"""Numbers in, frozen results out: the one door to everything rocconf computes."""

from rocconf.compute.counts import count, count_each, rescaled
from rocconf.compute.curve import Curve, curve
from rocconf.compute.drift import Drift, drift
from rocconf.compute.intervals import wilson
from rocconf.compute.midpoint import parse_midpoint
from rocconf.compute.operating import Rule, parse_rule
from rocconf.compute.sensibility import Sensibility, sensibility
from rocconf.compute.sweep import Sweep, sweep
from rocconf.compute.tango import ConfidentSegment, tango
from rocconf.compute.tango_interval import tango_interval

__all__ = [
    "ConfidentSegment",
    "Curve",
    "Drift",
    "Rule",
    "Sensibility",
    "Sweep",
    "count",
    "count_each",
    "curve",
    "drift",
    "parse_midpoint",
    "parse_rule",
    "rescaled",
    "sensibility",
    "sweep",
    "tango",
    "tango_interval",
    "wilson",
]
