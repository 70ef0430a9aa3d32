"""Sensibility, capability, the struggle ratio, and drift since a reference (`rocconf sensibility`)."""

from rocconf.compute.sensibility.curves import Sensibility, sensibility
from rocconf.compute.sensibility.drift_decision import Drift, drift
from rocconf.compute.sensibility.midpoint import Midpoint, Split, parse_midpoint, split
from rocconf.compute.sensibility.stream import STREAMS, Martingale, Stream
from rocconf.compute.sensibility.unlabelled_scores import Unlabelled, unlabelled
from rocconf.compute.sensibility.windows import parse_every, time_text

__all__ = [
    "STREAMS",
    "Drift",
    "Martingale",
    "Midpoint",
    "Sensibility",
    "Split",
    "Stream",
    "Unlabelled",
    "drift",
    "parse_every",
    "parse_midpoint",
    "sensibility",
    "split",
    "time_text",
    "unlabelled",
]
