"""One model among those compared: its sweep, its confident segment, its struggle ratio and its largest chi-square."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.counts import score_range
from rocconf.compute.roc.operating import operating_point, parse_point_rule
from rocconf.compute.roc.summary import SUMMARY, summary_columns
from rocconf.compute.sensibility import parse_midpoint, split
from rocconf.compute.stats.chi2 import chi2
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.tango import RUN_COLUMNS, segment_columns
from rocconf.dataclass import dataclass
from rocconf.errors import UndefinedError
from rocconf.messages import message
from rocconf.table import Column

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocconf.compute.sensibility import Split
    from rocconf.compute.sweep import Sweep
    from rocconf.compute.tango import ConfidentSegment
    from rocconf.messages import Message
    from rocconf.records import ScoreCounts

NO_STRUGGLE = "scores outside [0, 1] are not probabilities, or no case is sensible and the ratio is infinite"

OF_SEGMENT = (
    *RUN_COLUMNS,
    Column("struggle_ratio", "number", NO_STRUGGLE),
    Column("max_chi2", "number"),
)
AREA_ROWS = tuple(
    column for column in SUMMARY if column.name not in ("negatives", "prevalence", "auc_se", "auc_df", "level")
)
ROWS = (*AREA_ROWS, *segment_columns(with_limits=False), *OF_SEGMENT)


@dataclass(frozen=True, eq=False)
class ComparedModel:
    """The analyses of one model."""

    sweep: Sweep
    segment: ConfidentSegment

    @cached_property
    def struggle(self) -> Split | None:
        """The split at the default midpoint; None where the scores are not probabilities."""
        try:
            return split(self.counts, parse_midpoint("half"))
        except UndefinedError:
            return None

    @cached_property
    def max_chi2(self) -> float:
        """The largest chi-square of label and prediction, among thresholds with tpr >= fpr."""
        best = operating_point(self.counts, parse_point_rule("chi2"))
        return float(chi2(Confusion(np.array([best.tp]), np.array([best.fp]), self.counts.p, self.counts.q))[0])

    @property
    def counts(self) -> ScoreCounts:
        """The model's positives and negatives at each distinct score."""
        return self.sweep.counts

    @property
    def name(self) -> str:
        """The model's name."""
        return self.counts.model

    def record(self) -> dict[str, Any]:
        """Return a row with the columns of all tables of models."""
        ratio = self.struggle.struggle_ratio if self.struggle else np.inf
        own = {"struggle_ratio": ratio if np.isfinite(ratio) else None, "max_chi2": self.max_chi2}
        return self.sweep.summary() | self.segment.summary() | own

    def caveats(self) -> Iterator[Message]:
        """Yield the warnings and notes on this model."""
        yield from self.sweep.caveats
        yield from self.segment.caveats
        if self.struggle is None:
            yield message("no-struggle-ratio", model=self.name)
            return
        scores = score_range(self.counts)
        if not scores.lower <= self.struggle.midpoint <= scores.upper:
            yield message("struggle-midpoint-outside", model=self.name, midpoint=self.struggle.midpoint)


def models_columns(models: Sequence[ComparedModel]) -> tuple[Column, ...]:
    """Return the columns of the summary, those of the segment with their limits where they were drawn."""
    first = models[0]
    columns = first.sweep.table("models").columns
    return (
        *summary_columns(*(model.counts for model in models)),
        *columns[len(summary_columns(first.counts)) :],
        *segment_columns(with_limits=first.segment.bootstrap is not None),
        *OF_SEGMENT,
    )
