"""What is known of a model: an estimate for every metric that a rule can be about, for the gate."""

from rocconf.compute.evidence.of_results import evidence_of
from rocconf.compute.evidence.protocol import (
    DRIFT,
    DRIFT_P,
    At,
    Entry,
    Evidence,
    Fixed,
    Measure,
    SliceOfEvidence,
    Unavailable,
    Unit,
    about_drift,
    metrics_at,
    metrics_of,
    require_baseline,
)

__all__ = [
    "DRIFT",
    "DRIFT_P",
    "At",
    "Entry",
    "Evidence",
    "Fixed",
    "Measure",
    "SliceOfEvidence",
    "Unavailable",
    "Unit",
    "about_drift",
    "evidence_of",
    "metrics_at",
    "metrics_of",
    "require_baseline",
]
