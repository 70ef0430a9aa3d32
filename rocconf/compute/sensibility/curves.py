"""Sensibility, capability and the struggle ratio: what the ROC curve cannot see, since it forgets the scores.

At a threshold, sensibility is the accuracy on the cases whose score is on the side of the midpoint where their class
belongs, capability the accuracy on the others, and the struggle ratio is how many others there are to each such case
(see `rocconf.compute.sensibility.midpoint`). With a reference, whether the domain has changed is decided by a test (see
`rocconf.compute.sensibility.drift_decision`).

References
----------
.. [1] W. Klement, P. Flach, N. Japkowicz, S. Matwin (2009), on classification sensibility and concept drift.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocconf.answer import Result
from rocconf.compute.roc.auc import auc
from rocconf.compute.roc.counts import require_counts, rescaled, score_range
from rocconf.compute.roc.curve import Curve, curve, rows_at
from rocconf.compute.roc.metrics import NOTHING_POSITIVE, accuracy
from rocconf.compute.roc.summary import MODEL, SUMMARY, model_caveats, summary_of
from rocconf.compute.sensibility.drift_decision import Drift, drift
from rocconf.compute.sensibility.drift_statistics import drift_table
from rocconf.compute.sensibility.midpoint import Midpoint, Split, parse_midpoint, split
from rocconf.compute.sensibility.struggle import is_wilson, struggle_interval
from rocconf.compute.stats.seeds import SEED
from rocconf.metric import Metric, count_metric, score_metric
from rocconf.records import Caveat
from rocconf.table import Block, Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rocconf.compute.stats.auc_intervals import Auc
    from rocconf.records import Interval, ScoreCounts, Source
    from rocconf.table import Rows, Values

ROWS = (
    MODEL,
    Column("threshold", "score", NOTHING_POSITIVE),
    Column("sensibility", "share", "no case is sensible"),
    Column("capability", "share", "no case is non-sensible"),
    Column("accuracy", "share"),
)
INFINITE = "no case may be sensible: the ratio is infinite"
STRUGGLE_RATIO = Metric("struggle_ratio", "number", INFINITE, most=inf, lower_is_better=True)
NO_REFERENCE = "no reference (--reference) was given"
MODELS = (
    *SUMMARY,
    Column("thresholds", "count"),
    Column("midpoint", "score"),
    Column("midpoint_method", "text"),
    Column("sensible", "count"),
    Column("non_sensible", "count"),
    Column("struggle_ratio", "number", INFINITE),
    Column("struggle_ratio_lower", "number", INFINITE),
    Column("struggle_ratio_upper", "number", INFINITE),
    Column("drift_p", "p", NO_REFERENCE),
    Column("drift_within_p", "p", NO_REFERENCE),
    Column("drift_statistic", "number", NO_REFERENCE),
    Column("drift_conclusion", "text", NO_REFERENCE),
)


@dataclass(frozen=True, slots=True, repr=False)
class Sensibility(Result):
    """Sensibility and capability of one model at all thresholds, and what changed since a reference."""

    command: ClassVar[str] = "sensibility"
    table_names: ClassVar[tuple[str, ...]] = ("rows", "models", "drift")
    metrics: ClassVar[tuple[Metric, ...]] = (
        *(score_metric("midpoint"), count_metric("sensible"), count_metric("non_sensible"), STRUGGLE_RATIO),
        *(Metric("drift_p", "p"), Metric("drift_within_p", "p")),
    )
    shown: ClassVar[tuple[str, ...]] = ("drift",)

    counts: ScoreCounts
    curve: Curve
    auc: Auc
    midpoint: Midpoint
    split: Split
    struggle_interval: Interval
    thresholds: str = "distinct"
    bootstrap: int = 1000
    seed: int = SEED
    permutations: int = 999
    stretched_from: Interval | None = None
    reference: Sensibility | None = None
    drift: Drift | None = None

    @property
    def options(self) -> dict[str, Any]:
        """What the analysis was asked to do."""
        return {
            "level": self.auc.level,
            "thresholds": self.thresholds,
            "midpoint": self.midpoint.text,
            "rescale": self.stretched_from is not None,
            "bootstrap": self.bootstrap,
            "seed": self.seed,
            "permutations": self.permutations if self.reference else None,
            "lower_is_positive": self.counts.lower_is_positive,
        }

    @property
    def sources(self) -> tuple[Source, ...]:
        """Where the cases came from."""
        return self.counts.sources + (self.reference.sources if self.reference else ())

    @property
    def interpretable(self) -> bool:
        """Whether the midpoint lies among the scores."""
        lowest, highest = sorted(self.counts.scores[[0, -1]])
        return bool(lowest <= self.split.midpoint <= highest)

    @property
    def interval_method(self) -> str:
        """How the interval of the struggle ratio was found: bootstrap or Wilson."""
        return "Wilson" if is_wilson(self.split, self.bootstrap) else "bootstrap"

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What weakens the answer."""
        found = [
            *model_caveats(self.counts, self.auc),
            *_of_the_scale(self),
            *_of_the_split(self, self.counts.model),
        ]
        if self.reference:
            found += _of_the_split(self.reference, f"{self.counts.model} in the reference")
        if self.drift:
            found += self.drift.caveats
        return tuple(found)

    def table(self, name: str = "rows") -> Table:
        """Return the rows, the summary (`models`) or the statistics of the drift, none without a reference."""
        return {"rows": self._rows, "models": self._models, "drift": self._drift}[name]()

    def _rows(self) -> Table:
        row = rows_at(self.counts, np.array([self.split.midpoint]))
        at_midpoint = np.flatnonzero(np.isin(self.curve.thresholds, self.counts.thresholds[row]))
        return Table("rows", ROWS, (Block(len(self.curve), self._values, at_midpoint),))

    def _values(self, key: str, rows: Rows) -> Values:
        if key == "threshold":
            return self.curve.shown_thresholds(rows)
        matrix = self.curve.confusion(rows)
        if key == "model":
            return np.full(len(matrix.tp), self.counts.model, dtype=object)
        if key == "accuracy":
            return accuracy(matrix)
        curve_of = {"sensibility": self.split.sensibility, "capability": self.split.capability}[key]
        return curve_of(matrix.tp, matrix.fp)

    def _models(self) -> Table:
        record = {
            **summary_of(self.counts, self.auc),
            "thresholds": len(self.curve),
            "midpoint": self.split.midpoint,
            "midpoint_method": self.midpoint.method,
            "sensible": self.split.sensible,
            "non_sensible": self.split.non_sensible,
            "struggle_ratio": _finite(self.split.struggle_ratio),
            "struggle_ratio_lower": _finite(self.struggle_interval.lower),
            "struggle_ratio_upper": _finite(self.struggle_interval.upper),
        }
        if self.drift:
            record |= {
                "drift_p": self.drift.joint.p,
                "drift_within_p": self.drift.within.p,
                "drift_statistic": self.drift.joint.value,
                "drift_conclusion": self.drift.conclusion,
            }
        return Table.of("models", MODELS, [dict.fromkeys(column.name for column in MODELS) | record])

    def _drift(self) -> Table:
        return drift_table(self.counts.model, self.drift.statistics if self.drift else ())


def sensibility(
    counts: ScoreCounts,
    *,
    thresholds: str = "distinct",
    level: float = 0.95,
    midpoint: str | float | Midpoint = "half",
    rescale: bool = False,
    bootstrap: int = 1000,
    seed: int = SEED,
    reference: ScoreCounts | None = None,
    permutations: int = 999,
    progress: Callable[[int], None] | None = None,
) -> Sensibility:
    """Analyse the sensibility of one model, and test whether the domain has changed since a reference.

    Parameters
    ----------
    counts
        The model's positives and negatives at each distinct score; the scores are probabilities.
    thresholds
        `distinct`, `grid:STEP`, `quantiles:K` or a list like `0.5,0.9`; it governs the rows only.
    level
        The level of every interval; a test of drift rejects at p <= 1 - level.
    midpoint
        `half`, `fixed`, `class-mean`, `overall-mean` or a number (see `rocconf.compute.sensibility.midpoint`).
    rescale
        Whether to stretch the scores to [0, 1] first, those of the reference alike.
    bootstrap
        How many resamples the interval of the struggle ratio takes; with 0 it is Wilson's, the midpoint being known.
    seed
        The seed of the bootstrap and of the permutations.
    reference
        The model's counts on held-out cases from before; never those it was trained on.
    permutations
        How many relabellings the test of drift takes.
    progress
        Told how many more relabellings are done.
    """
    sets = [counts] if reference is None else [counts, reference]
    for each in sets:
        require_counts(each)
    over = score_range(*sets) if rescale else None
    if over:
        sets = [rescaled(each, over) for each in sets]
    way = parse_midpoint(midpoint)

    def alone(of: ScoreCounts) -> Sensibility:
        at = split(of, way)
        return Sensibility(
            counts=of,
            curve=curve(of, thresholds),
            auc=auc(curve(of), level=level),
            midpoint=way,
            split=at,
            struggle_interval=struggle_interval(of, way, at, replicates=bootstrap, seed=seed, level=level),
            thresholds=thresholds,
            bootstrap=bootstrap,
            seed=seed,
            permutations=permutations,
            stretched_from=over,
        )

    new, *old = [alone(each) for each in sets]
    if not old:
        return new
    decision = drift(*sets, midpoint=midpoint, level=level, permutations=permutations, seed=seed, progress=progress)
    return replace(new, reference=old[0], drift=decision)


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def _of_the_scale(result: Sensibility) -> Iterator[Caveat]:
    model = result.counts.model
    if result.stretched_from:
        lower, upper = result.stretched_from.lower, result.stretched_from.upper
        yield Caveat(
            "rescaled",
            f"{model}: scores from {lower:g} to {upper:g} were stretched to [0, 1]; thresholds and the midpoint are on "
            "the new scale, and stretched scores are not probabilities",
        )
    if result.counts.lower_is_positive:
        yield Caveat(
            "probability-of-negative",
            f"{model}: lower scores are positive, so a score is read as the probability of being negative and 1 - "
            "score takes its place in the means; midpoint and thresholds are on the scale of the scores",
        )
    if result.midpoint.method == "half":
        yield Caveat(
            "midpoint-half",
            f"{model}: the midpoint is half, T/(2P): a reconstruction, since the equation is lost in the paper's text; "
            "--midpoint has others",
        )


def _of_the_split(result: Sensibility, who: str) -> Iterator[Caveat]:
    at, lowest, highest = result.split, *sorted(result.counts.scores[[0, -1]])
    if not result.interpretable:
        other = "give a number among the scores" if result.midpoint.method == "number" else "try --midpoint fixed"
        yield Caveat(
            "midpoint-outside",
            f"{who}: the midpoint {at.midpoint:.4g} lies outside the scores ({lowest:.4g} to {highest:.4g}), so the "
            f"struggle ratio is not interpretable here; {other}",
        )
    if at.non_sensible == 0:
        yield Caveat("all-sensible", f"{who}: every case is sensible, so capability has no value anywhere")
    if at.sensible == 0:
        yield Caveat(
            "none-sensible",
            f"{who}: no case is sensible, so sensibility has no value anywhere and the struggle ratio is infinite",
        )
    if result.interval_method == "Wilson":
        yield Caveat(
            "struggle-wilson",
            f"{who}: the interval of the struggle ratio is Wilson's for the share of errors, in odds; it takes the "
            "midpoint as known",
        )
