"""What is known of a model: an estimate for every metric that a rule can be about, for the gate."""

from rocconf.compute.evidence.of_results import evidence_of
from rocconf.compute.evidence.protocol import (
    At,
    Entry,
    Evidence,
    Measure,
    SliceOfEvidence,
    Unavailable,
    Unit,
    metrics_at,
    metrics_of,
    require_baseline,
)
from rocconf.compute.evidence.record import entry_record, evidence_records, find_entry, points_of, unit_of, unit_record

__all__ = [
    "At",
    "Entry",
    "Evidence",
    "Measure",
    "SliceOfEvidence",
    "Unavailable",
    "Unit",
    "entry_record",
    "evidence_of",
    "evidence_records",
    "find_entry",
    "metrics_at",
    "metrics_of",
    "points_of",
    "require_baseline",
    "unit_of",
    "unit_record",
]
