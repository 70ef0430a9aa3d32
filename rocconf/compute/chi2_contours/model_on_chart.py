"""A model on Bradley's chart: chi-square and its p-value at every threshold, and the largest chi-square.

The maximum of many chi-squares does not have the distribution of one: scores without any skill exceed 3.84 in a quarter
to nearly half of all samples [1]_. Its p-value comes from permuting the labels among the scores (see
`rocconf.compute.stats.permutation`). Only thresholds with tpr >= fpr take part, in the observed maximum and in the
permuted ones.

References
----------
.. [1] R. Miller, D. Siegmund (1982), Maximally selected chi square statistics, Biometrics 38, 1011-1016.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf import wording
from rocconf.compute.roc.costs import COST_COLUMNS
from rocconf.compute.roc.operating import point_caveats
from rocconf.compute.roc.rates import COST_KEYS, POINT_COLUMNS, THRESHOLD, CurveRows, matrix_values, point_record
from rocconf.compute.roc.summary import MODEL, model_caveats, summary_of
from rocconf.compute.stats.chi2 import chi2, p_methods, p_values
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.permutation import MOST_CASES, Pool, draw, permuted, rejection_at, require_permutations
from rocconf.compute.stats.permutation import p_values as permutation_p
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.table import Block, Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.roc.least_cost import LeastCost
    from rocconf.compute.roc.operating import OperatingPoint
    from rocconf.compute.stats.estimate import Measured
    from rocconf.messages import Message
    from rocconf.records import Counts, Floats, ScoreCounts, Source
    from rocconf.table import Values

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
POINT = (*POINT_COLUMNS, *MATRIX)


@dataclass(frozen=True, slots=True)
class ModelOnChart:
    """A model with these class totals: its curve and AUC, its operating points, and its largest chi-square."""

    counts: ScoreCounts
    curve: Curve
    auc: Measured
    points: tuple[OperatingPoint, ...]
    largest: OperatingPoint
    """That of the largest chi-square of all distinct scores."""
    max_chi2_p: float | None
    thresholds: str
    permutations: int
    seed: int
    chosen_on: tuple[Source, ...] = ()
    least_cost: LeastCost | None = None
    """The least cost, if costs were given."""

    @property
    def max_chi2(self) -> float:
        """The largest chi-square."""
        return float(self._at(self.largest, "chi2"))

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of the cases, and of those on which the thresholds were chosen."""
        return self.counts.sources + tuple(replace(source, role="choose_on") for source in self.chosen_on)

    @property
    def options(self) -> dict[str, Any]:
        """The options of the analysis of the model."""
        return {
            "level": self.auc.level,
            "interval": self.auc.kind,
            "thresholds": self.thresholds,
            "at": [point.rule.text for point in self.points],
            "cost": self.least_cost and self.least_cost.costs.text,
            "permutations": self.permutations,
            "seed": self.seed,
            "lower_is_positive": self.counts.lower_is_positive,
        }

    @property
    def caveats(self) -> list[Message]:
        """The warnings and notes of the model."""
        found = [caveat for source in self.chosen_on for caveat in source.caveats]
        found += [*model_caveats(self.counts, self.auc), *point_caveats(self.counts, self.points)]
        p, corrected = self._at(self.largest, "p"), self.max_chi2_p
        told = {"model": self.counts.model, "chi2": self.max_chi2, "thresholds": len(self.counts)}
        told |= {"p": f"{p:.3g}" if p > 0 else "below 1e-307"}
        told |= {"corrected": "" if corrected is None else message("use-max-chi2-p", p=corrected)}
        return [*found, message("largest-of-many", **told)]

    @property
    def conclusion(self) -> Message:
        """Whether any threshold does better than chance, in a sentence."""
        p = self.max_chi2_p
        found = {
            "model": self.counts.model,
            "chi2": f"{self.max_chi2:,.4g}" if self.max_chi2 < 1000 else f"{self.max_chi2:,.0f}",
            "threshold": wording.score(self.largest.threshold),
        }
        if p is None:
            return message("answer-chance-unknown", **found)
        code = "answer-beats-chance" if p <= rejection_at(self.auc.level) else "answer-like-chance"
        return message(code, **found, p=wording.p_value(p))

    def summary(self) -> dict[str, Any]:
        """Return the part of the summary that needs scores."""
        largest = {"max_chi2": self.max_chi2, "max_chi2_threshold": self.largest.threshold}
        found = {"thresholds": len(self.curve), **largest, "max_chi2_p": self.max_chi2_p}
        of_cost = self.least_cost.record() if self.least_cost else {}
        return summary_of(self.counts, self.auc) | found | of_cost

    def rows(self) -> Table:
        """Return a row for every threshold."""
        values = CurveRows(self.counts.model, self.curve, self._of_matrix).values
        return Table("rows", (MODEL, THRESHOLD, *self._of_point), (Block(len(self.curve), values),))

    def operating_points(self) -> Table:
        """Return a row for every rule."""
        columns = self._of_point
        records = [
            point_record(self.counts.model, point) | {column.name: self._at(point, column.name) for column in columns}
            for point in self.points
        ]
        return Table.of("operating_points", (*POINT_COLUMNS, *columns), records)

    @property
    def _of_point(self) -> tuple[Column, ...]:
        """The columns that follow from a confusion matrix."""
        return (*MATRIX, *(COST_COLUMNS if self.least_cost else ()))

    def _of_matrix(self, key: str, matrix: Confusion) -> Values:
        if self.least_cost is not None and key in COST_KEYS:
            return self.least_cost.costs.values(key, matrix, level=self.auc.level)
        if key == "p":
            return p_values(matrix, of=len(self.counts))
        of_chi2 = {"chi2": chi2, "p_method": p_methods}
        return of_chi2[key](matrix) if key in of_chi2 else matrix_values(key, matrix)

    def _at(self, point: OperatingPoint, key: str) -> Any:
        """Return a column at an operating point."""
        matrix = Confusion(np.array([point.tp]), np.array([point.fp]), self.counts.p, self.counts.q)
        return self._of_matrix(key, matrix).tolist()[0]


def max_chi2_p(
    counts: ScoreCounts, *, permutations: int = 999, seed: int = SEED, progress: Callable[[int], None] | None = None
) -> float | None:
    """Return the p-value of the largest chi-square of a model; None if there are too many cases to permute."""
    require_permutations(permutations)
    rng = generator(seed)
    if counts.n >= MOST_CASES:
        return None
    pool = Pool.of(counts.positives + counts.negatives, counts.positives).in_cells()
    sizes = np.full(permutations, counts.p)
    drawn = permuted(lambda sizes: _largest_chi2(draw(pool.cases, sizes, rng), pool.cases), sizes, progress)
    return float(permutation_p(_largest_chi2(pool.sample, pool.cases), drawn))


def _largest_chi2(positives: Counts, cells: Counts) -> Floats:
    """Return the largest chi-square with tpr >= fpr, 0 without one, from the positives of each cell of cases."""
    tp, cases = np.cumsum(positives, axis=-1), np.cumsum(cells)
    p, n = int(positives.sum(axis=-1).flat[0]), int(cases[-1])
    m = Confusion(tp, cases - tp, p, n - p)
    return np.asarray(np.where(m.association > 0, chi2(m), 0.0).max(axis=-1))
