"""One model among those compared: its sweep, its confident segment, its struggle ratio and its largest chi-square."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.operating import operating_point, parse_rule
from rocconf.compute.roc.summary import MODEL, SUMMARY
from rocconf.compute.sensibility import parse_midpoint, split
from rocconf.compute.stats.chi2 import chi2
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.sweep import NO_LIMIT, sweep
from rocconf.compute.tango import NO_CONFIDENT, NO_FINITE_END, tango
from rocconf.errors import UndefinedError
from rocconf.records import Caveat
from rocconf.table import Column

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocconf.compute.roc.operating import Rule
    from rocconf.compute.sensibility import Split
    from rocconf.compute.sweep import Sweep
    from rocconf.compute.tango import ConfidentSegment
    from rocconf.records import ScoreCounts

NO_STRUGGLE = "scores outside [0, 1] are no probabilities, or no case is sensible and the ratio is infinite"

SEGMENT = (
    Column("cauc", "number"),
    Column("cauc_tp", "number"),
    Column("cauc_fp", "number"),
    Column("cauc_roc", "number"),
    Column("aved", "number", NO_CONFIDENT),
    Column("aved_abs", "number", NO_CONFIDENT),
    Column("confident_points", "count"),
    Column("threshold_low", "score", NO_FINITE_END),
    Column("threshold_high", "score", NO_FINITE_END),
    Column("struggle_ratio", "number", NO_STRUGGLE),
    Column("max_chi2", "number"),
)
ROWS = (
    MODEL,
    Column("n", "count"),
    Column("positives", "count"),
    Column("auc", "share"),
    Column("auc_lower", "share"),
    Column("auc_upper", "share"),
    *SEGMENT,
)
BOOTSTRAPPED = ("cauc", "cauc_tp", "cauc_fp", "cauc_roc", "aved", "aved_abs")
BEFORE = (
    *SUMMARY,
    Column("thresholds", "count"),
    Column("average_precision", "share"),
    Column("max_fpr", "share", NO_LIMIT),
    Column("partial_auc", "share", NO_LIMIT),
    Column("partial_auc_standardized", "share", NO_LIMIT),
)


@dataclass(frozen=True, slots=True)
class ComparedModel:
    """What the analyses say of one model."""

    sweep: Sweep
    segment: ConfidentSegment
    struggle: Split | None
    max_chi2: float

    @property
    def counts(self) -> ScoreCounts:
        """The model's positives and negatives at each distinct score."""
        return self.sweep.counts

    @property
    def name(self) -> str:
        """The model's name."""
        return self.counts.model

    @property
    def measures(self) -> dict[str, float]:
        """What a bootstrap can compare, NaN where it does not exist."""
        found = {
            "partial_auc": self.sweep.partial_auc,
            "average_precision": self.sweep.average_precision,
            **{name: getattr(self.segment.segment, name) for name in BOOTSTRAPPED},
        }
        return {name: np.nan if value is None else value for name, value in found.items()}

    def record(self) -> dict[str, Any]:
        """Return all that stands in the tables, of which each takes its columns."""
        segment = self.segment.segment
        low, high = self.segment.ends(self.segment.confident)
        ratio = self.struggle.struggle_ratio if self.struggle else np.inf
        return {
            **self.sweep.summary(),
            "thresholds": len(self.segment.curve),
            **{name: getattr(segment, name) for name in BOOTSTRAPPED},
            **self._limits(),
            "confident_points": len(segment),
            "threshold_low": low,
            "threshold_high": high,
            "struggle_ratio": ratio if np.isfinite(ratio) else None,
            "max_chi2": self.max_chi2,
        }

    def caveats(self) -> Iterator[Caveat]:
        """Say what weakens the answer about this model."""
        yield from self.sweep.caveats
        yield from self.segment.caveats
        yield from self._of_the_struggle()

    def _limits(self) -> dict[str, float | None]:
        intervals = self.segment.bootstrap.intervals if self.segment.bootstrap else {}
        ends: dict[str, float | None] = {}
        for name, interval in intervals.items():
            ends[f"{name}_lower"] = interval.lower if interval else None
            ends[f"{name}_upper"] = interval.upper if interval else None
        return ends

    def _of_the_struggle(self) -> Iterator[Caveat]:
        if self.struggle is None:
            yield Caveat(
                "no-struggle-ratio", f"{self.name}: no struggle_ratio: scores outside [0, 1] are no probabilities"
            )
            return
        lowest, highest = sorted(self.counts.scores[[0, -1]].tolist())
        if not lowest <= self.struggle.midpoint <= highest:
            yield Caveat(
                "midpoint-outside",
                f"{self.name}: the midpoint {self.struggle.midpoint:.4g} of struggle_ratio lies outside the scores, so it "
                "is not interpretable here; rocconf sensibility has other midpoints",
            )


def models_columns(*, bootstrap: bool) -> tuple[Column, ...]:
    """Return the columns of the summary, those of the segment with their limits where they were drawn."""
    columns: list[Column] = []
    for column in SEGMENT:
        columns.append(column)
        if bootstrap and column.name in BOOTSTRAPPED:
            columns += [Column(f"{column.name}_{end}", column.kind, column.undefined) for end in ("lower", "upper")]
    return (*BEFORE, *columns)


def compared(
    counts: ScoreCounts,
    *,
    at: Sequence[str | Rule],
    choose_on: ScoreCounts | None,
    level: float,
    thresholds: str,
    max_fpr: float | None,
    bootstrap: int,
    seed: int,
) -> ComparedModel:
    """Analyse one model."""
    return ComparedModel(
        sweep=sweep(counts, at=at, choose_on=choose_on, level=level, max_fpr=max_fpr),
        segment=tango(counts, level=level, thresholds=thresholds, bootstrap=bootstrap, seed=seed),
        struggle=_struggle(counts),
        max_chi2=_max_chi2(counts),
    )


def _struggle(counts: ScoreCounts) -> Split | None:
    """Split the cases at the default midpoint; None where the scores are no probabilities."""
    try:
        return split(counts, parse_midpoint("half"))
    except UndefinedError:
        return None


def _max_chi2(counts: ScoreCounts) -> float:
    """Return the largest chi-square of label and prediction, among thresholds with tpr >= fpr."""
    best = operating_point(counts, parse_rule("chi2"))
    return float(chi2(Confusion(np.array([best.tp]), np.array([best.fp]), counts.p, counts.q))[0])
