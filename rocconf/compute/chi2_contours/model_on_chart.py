"""A model on Bradley's chart: chi-square and its p-value at every threshold, and the largest of them all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.chi2_contours.max_chi2 import permutation_p
from rocconf.compute.roc.auc import auc
from rocconf.compute.roc.curve import Curve, curve
from rocconf.compute.roc.metrics import NOTHING_POSITIVE, accuracy, fpr, tpr
from rocconf.compute.roc.operating import OperatingPoint, choice_caveats, operating_point, parse_point_rule
from rocconf.compute.roc.summary import MODEL, model_caveats, summary_of
from rocconf.compute.stats.chi2 import chi2, p_methods, p_values
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.seeds import SEED
from rocconf.records import Caveat
from rocconf.table import Block, Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocconf.compute.roc.operating import PointRule
    from rocconf.compute.stats.auc_intervals import Auc
    from rocconf.records import ScoreCounts, Source
    from rocconf.table import Rows, Values

THRESHOLD = Column("threshold", "score", NOTHING_POSITIVE)
MATRIX = (
    Column("tp", "count"),
    Column("fp", "count"),
    Column("fn", "count", spare=True),
    Column("tn", "count", spare=True),
    Column("tpr", "share"),
    Column("fpr", "share"),
    Column("chi2", "number"),
    Column("p", "p"),
    Column("p_method", "text"),
    Column("accuracy", "share"),
)
ROW = (MODEL, THRESHOLD, *MATRIX)
POINT = (
    MODEL,
    Column("rule", "text"),
    THRESHOLD,
    Column("in_sample", "flag"),
    Column("tied", "list"),
    *MATRIX,
)

COMPUTED: dict[str, Callable[[Confusion], Values]] = {
    "tpr": tpr,
    "fpr": fpr,
    "chi2": chi2,
    "p_method": p_methods,
    "accuracy": accuracy,
}


@dataclass(frozen=True, slots=True)
class ModelOnChart:
    """What scores add to class totals: a curve, its area, operating points, and its largest chi-square."""

    counts: ScoreCounts
    curve: Curve
    auc: Auc
    points: tuple[OperatingPoint, ...]
    largest: OperatingPoint
    max_chi2: float
    max_chi2_p: float | None
    thresholds: str
    permutations: int
    seed: int
    chosen_on: tuple[Source, ...] = ()

    @property
    def sources(self) -> tuple[Source, ...]:
        """Where the cases came from, and those on which the thresholds were chosen."""
        return self.counts.sources + self.chosen_on

    @property
    def options(self) -> dict[str, Any]:
        """What the analysis was asked to do."""
        return {
            "level": self.auc.level,
            "thresholds": self.thresholds,
            "at": [point.rule.text for point in self.points],
            "permutations": self.permutations,
            "seed": self.seed,
            "lower_is_positive": self.counts.lower_is_positive,
        }

    @property
    def caveats(self) -> list[Caveat]:
        """What weakens the answer."""
        found = model_caveats(self.counts, self.auc)
        return [*found, *choice_caveats(self.points), self._the_largest_of_many()]

    def summary(self) -> dict[str, Any]:
        """Return the model's part of the summary."""
        return {
            **summary_of(self.counts, self.auc),
            "thresholds": len(self.curve),
            "max_chi2": self.max_chi2,
            "max_chi2_threshold": self.largest.threshold,
            "max_chi2_p": self.max_chi2_p,
        }

    def rows(self) -> Table:
        """Return a row for every threshold."""
        chosen = [point.threshold for point in self.points if point.threshold is not None]
        keep = np.flatnonzero(np.isin(self.curve.thresholds, chosen))
        return Table("rows", ROW, (Block(len(self.curve), self._values, keep),))

    def operating_points(self) -> Table:
        """Return a row for every rule."""
        return Table.of("operating_points", POINT, [self._record(point) for point in self.points])

    def _values(self, key: str, rows: Rows) -> Values:
        if key == "threshold":
            return self.curve.shown_thresholds(rows)
        matrix = self.curve.confusion(rows)
        if key == "model":
            return np.full(len(matrix.tp), self.counts.model, dtype=object)
        return self._of(key, matrix)

    def _of(self, key: str, matrix: Confusion) -> Values:
        if key == "p":
            return p_values(matrix, of=len(self.counts))
        return COMPUTED[key](matrix) if key in COMPUTED else np.asarray(getattr(matrix, key))

    def _record(self, point: OperatingPoint) -> dict[str, Any]:
        matrix = _at(self.counts, point)
        return {
            "model": self.counts.model,
            "rule": point.rule.text,
            "threshold": point.threshold,
            "in_sample": point.in_sample,
            "tied": list(point.tied),
            **{column.name: self._of(column.name, matrix).tolist()[0] for column in MATRIX},
        }

    def _the_largest_of_many(self) -> Caveat:
        p = float(self._of("p", _at(self.counts, self.largest))[0])
        alone = f"{p:.3g}" if p > 0 else "below 1e-307"
        corrected = "" if self.max_chi2_p is None else f"; the p that counts is max_chi2_p, {self.max_chi2_p:.3g}"
        return Caveat(
            "largest-of-many",
            f"{self.counts.model}: the largest chi2, {self.max_chi2:.4g}, is the best of {len(self.counts)} "
            f"thresholds. Its own p, {alone}, is no test of it, nor is 3.84 its limit, which chance passes "
            f"somewhere in a quarter to nearly half of all samples{corrected}",
        )


def on_chart(
    counts: ScoreCounts,
    rules: Sequence[PointRule],
    *,
    choose_on: ScoreCounts | None = None,
    thresholds: str = "distinct",
    level: float = 0.95,
    permutations: int = 999,
    seed: int = SEED,
    progress: Callable[[int], None] | None = None,
) -> ModelOnChart:
    """Put a model on the chart; the largest chi-square is taken over all distinct scores."""
    full = curve(counts)
    largest = operating_point(counts, parse_point_rule("chi2"))
    max_chi2 = float(chi2(_at(counts, largest))[0])
    return ModelOnChart(
        counts=counts,
        curve=curve(counts, thresholds),
        auc=auc(full, level=level),
        points=tuple(operating_point(counts, rule, choose_on=choose_on) for rule in rules),
        largest=largest,
        max_chi2=max_chi2,
        max_chi2_p=permutation_p(full, max_chi2, permutations=permutations, seed=seed, progress=progress),
        thresholds=thresholds,
        permutations=permutations,
        seed=seed,
        chosen_on=() if choose_on is None else choose_on.sources,
    )


def _at(counts: ScoreCounts, point: OperatingPoint) -> Confusion:
    return Confusion(np.array([point.tp]), np.array([point.fp]), counts.p, counts.q)
