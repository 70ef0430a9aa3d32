"""Sensibility, capability, the struggle ratio, and drift since a reference (`rocconf sensibility`)."""

from rocconf.compute.sensibility.curves import Sensibility, sensibility
from rocconf.compute.sensibility.drift_decision import Drift, drift
from rocconf.compute.sensibility.midpoint import Split, parse_midpoint, split

__all__ = ["Drift", "Sensibility", "Split", "drift", "parse_midpoint", "sensibility", "split"]
