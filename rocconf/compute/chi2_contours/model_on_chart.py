"""A model on Bradley's chart: chi-square and its p-value at every threshold, and the largest chi-square."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf import wording
from rocconf.compute.roc.costs import COST_COLUMNS
from rocconf.compute.roc.operating import point_caveats
from rocconf.compute.roc.rates import COST_KEYS, matrix_values
from rocconf.compute.roc.rows import POINT_COLUMNS, THRESHOLD, CurveRows, point_record
from rocconf.compute.roc.summary import MODEL, model_caveats, summary_of
from rocconf.compute.stats.chi2 import chi2, p_methods, p_values
from rocconf.compute.stats.confusion import Confusion
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.table import Block, Column, Table

if TYPE_CHECKING:
    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.roc.least_cost import LeastCost
    from rocconf.compute.roc.operating import OperatingPoint
    from rocconf.compute.stats.estimate import Measured
    from rocconf.messages import Message
    from rocconf.records import ScoreCounts, Source
    from rocconf.table import Values

ROUNDING = 1e-12
"""1 - level is rarely exact."""

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
        found += model_caveats(self.counts, self.auc)
        return [*found, *point_caveats(self.counts, self.points), self._largest_of_many()]

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
        code = "answer-beats-chance" if p <= 1 - self.auc.level + ROUNDING else "answer-like-chance"
        return message(code, **found, p=wording.p_value(p))

    def summary(self) -> dict[str, Any]:
        """Return the part of the summary that needs scores."""
        return {
            **summary_of(self.counts, self.auc),
            "thresholds": len(self.curve),
            "max_chi2": self.max_chi2,
            "max_chi2_threshold": self.largest.threshold,
            "max_chi2_p": self.max_chi2_p,
            **(self.least_cost.record() if self.least_cost else {}),
        }

    def rows(self) -> Table:
        """Return a row for every threshold."""
        columns = CurveRows(self.counts.model, self.curve, self._of_matrix)
        return Table("rows", (MODEL, THRESHOLD, *self._of_point), (Block(len(self.curve), columns.values),))

    def operating_points(self) -> Table:
        """Return a row for every rule."""
        model, columns = self.counts.model, self._of_point
        records = [
            point_record(model, point) | {column.name: self._at(point, column.name) for column in columns}
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

    def _largest_of_many(self) -> Message:
        p, corrected = self._at(self.largest, "p"), self.max_chi2_p
        return message(
            "largest-of-many",
            model=self.counts.model,
            chi2=self.max_chi2,
            thresholds=len(self.counts),
            p=f"{p:.3g}" if p > 0 else "below 1e-307",
            corrected="" if corrected is None else message("use-max-chi2-p", p=corrected),
        )
