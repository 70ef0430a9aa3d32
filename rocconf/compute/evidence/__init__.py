"""What is known of a model: every metric that a rule can be about, with its interval, for the gate."""

from rocconf.compute.evidence.of_results import evidence_of
from rocconf.compute.evidence.protocol import (
    DRIFT,
    DRIFT_P,
    At,
    Evidence,
    Measure,
    Point,
    SliceOfEvidence,
    Unavailable,
    about_drift,
    find_pair,
    metrics_at,
    metrics_of,
    require_baseline,
)

__all__ = [
    "DRIFT",
    "DRIFT_P",
    "At",
    "Evidence",
    "Measure",
    "Point",
    "SliceOfEvidence",
    "Unavailable",
    "about_drift",
    "evidence_of",
    "find_pair",
    "metrics_at",
    "metrics_of",
    "require_baseline",
]
