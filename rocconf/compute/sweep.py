"""Sweep a model's thresholds: the confusion matrix and every rate at each, the area, and operating points.

The construction is that of Hamel's chapter on ROC model assessment, with intervals.

References
----------
.. [1] L. Hamel (2009), Model assessment with ROC curves, in Encyclopedia of Data Warehousing and Mining, 1316-1323.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocconf.answer import Result
from rocconf.compute.roc.auc import AREA_COLUMNS, AREAS, area_values, auc
from rocconf.compute.roc.counts import require_counts
from rocconf.compute.roc.curve import Curve, curve
from rocconf.compute.roc.hull import hull_rows
from rocconf.compute.roc.metrics import NOTHING_POSITIVE
from rocconf.compute.roc.operating import OperatingPoint, PointRule, choice_caveats, operating_point, parse_point_rules
from rocconf.compute.roc.rates import Rates
from rocconf.compute.roc.summary import MODEL, SUMMARY, model_caveats, summary_of
from rocconf.metric import Metric, count_metric
from rocconf.records import Caveat
from rocconf.table import Block, Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from rocconf.compute.stats.auc_intervals import Auc
    from rocconf.records import ScoreCounts, Source
    from rocconf.table import Rows, Values

THRESHOLD = Column("threshold", "score", NOTHING_POSITIVE)
NOTHING_TIED = "among the tied thresholds is that of the row in which nothing is predicted positive"


@dataclass(frozen=True, slots=True, repr=False)
class Sweep(Result):
    """All thresholds of one model."""

    command: ClassVar[str] = "sweep"
    table_names: ClassVar[tuple[str, ...]] = ("rows", "models", "operating_points", "hull")
    shown: ClassVar[tuple[str, ...]] = ("operating_points",)
    metrics: ClassVar[tuple[Metric, ...]] = (count_metric("thresholds"), *AREAS.values())
    may_choose_on: ClassVar[bool] = True

    counts: ScoreCounts
    curve: Curve
    auc: Auc
    areas: Mapping[str, float | None]
    """The bootstrapped areas by name, None without a largest false positive rate to go to."""
    points: tuple[OperatingPoint, ...]
    rates: Rates
    thresholds: str = "distinct"
    max_fpr: float | None = None
    chosen_on: tuple[Source, ...] = ()

    @property
    def average_precision(self) -> float:
        """The mean of the precision over the positives."""
        return self.areas["average_precision"] or 0.0

    @property
    def partial_auc(self) -> float | None:
        """The area left of the largest false positive rate, if there is one."""
        return self.areas["partial_auc"]

    @property
    def options(self) -> dict[str, Any]:
        """What the analysis was asked to do."""
        return {
            "level": self.rates.level,
            "thresholds": self.thresholds,
            "at": [point.rule.text for point in self.points],
            "intervals": self.rates.intervals,
            "prevalence": self.rates.prevalence,
            "max_fpr": self.max_fpr,
            "lower_is_positive": self.counts.lower_is_positive,
        }

    @property
    def sources(self) -> tuple[Source, ...]:
        """Where the cases came from, and those on which the thresholds were chosen."""
        return self.counts.sources + self.chosen_on

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What weakens the answer."""
        found = model_caveats(self.counts, self.auc)
        found += choice_caveats(self.points)
        if self.rates.prevalence is not None:
            restated = f"precision and npv are restated for a prevalence of {self.rates.prevalence:g}"
            found.append(Caveat("prevalence", restated))
        return tuple(found)

    def table(self, name: str = "rows") -> Table:
        """Return the rows, the summary (`models`), the operating points or the hull."""
        tables = {
            "rows": self._rows,
            "models": self._models,
            "operating_points": self._operating_points,
            "hull": self._hull,
        }
        return tables[name]()

    def _rows(self) -> Table:
        block = Block(len(self.curve), self._values(self.curve), self._rows_to_keep())
        return Table("rows", (MODEL, THRESHOLD, *self.rates.columns), (block,))

    def _hull(self) -> Table:
        full = curve(self.counts)
        corners, values = hull_rows(full), self._values(full)
        block = Block(len(corners), lambda key, rows: values(key, corners[rows]))
        return Table("hull", (MODEL, THRESHOLD, *self.rates.columns), (block,))

    def _operating_points(self) -> Table:
        columns = (Column("rule", "text"), THRESHOLD, Column("in_sample", "flag"), Column("tied", "list", NOTHING_TIED))
        records = [
            {
                "model": self.counts.model,
                "rule": point.rule.text,
                "threshold": point.threshold,
                "in_sample": point.in_sample,
                "tied": list(point.tied),
                **self.rates.record(point.tp, point.fp, self.counts.p, self.counts.q),
            }
            for point in self.points
        ]
        return Table.of("operating_points", (MODEL, *columns, *self.rates.columns), records)

    def _models(self) -> Table:
        record = {
            **summary_of(self.counts, self.auc),
            "thresholds": len(self.curve),
            "max_fpr": self.max_fpr,
            **self.areas,
        }
        return Table.of("models", (*SUMMARY, Column("thresholds", "count"), *AREA_COLUMNS), [record])

    def _values(self, at: Curve) -> Callable[[str, Rows], Values]:
        """Give any column at any rows of a curve."""

        def values(key: str, rows: Rows) -> Values:
            if key == "threshold":
                return at.shown_thresholds(rows)
            matrix = at.confusion(rows)
            if key == "model":
                return np.full(len(matrix.tp), self.counts.model, dtype=object)
            return self.rates.values(key, matrix)

        return values

    def _rows_to_keep(self) -> NDArray[np.intp]:
        """Return the rows that show the operating points, where the thresholds asked for hold them."""
        chosen = np.array(
            sorted({point.threshold for point in self.points if point.threshold is not None}), dtype=float
        )
        ranked = self.curve.thresholds[1:] if self.counts.lower_is_positive else self.curve.thresholds[:0:-1]
        held = chosen[np.searchsorted(ranked, chosen, "right") > np.searchsorted(ranked, chosen, "left")]
        rows = 1 + np.searchsorted(ranked, held)
        return rows if self.counts.lower_is_positive else len(self.curve) - rows[::-1]


def sweep(
    counts: ScoreCounts,
    *,
    thresholds: str = "distinct",
    level: float = 0.95,
    at: str | PointRule | Sequence[str | PointRule] = ("closest",),
    choose_on: ScoreCounts | None = None,
    intervals: bool = False,
    prevalence: float | None = None,
    max_fpr: float | None = None,
) -> Sweep:
    """Sweep the thresholds of one model.

    Parameters
    ----------
    counts
        The model's positives and negatives at each distinct score.
    thresholds
        `distinct`, `grid:STEP`, `quantiles:K` or a list like `0.5,0.9`; it governs the rows only.
    level
        The level of every interval.
    at
        A rule for an operating point, or several (see `rocconf.compute.roc.operating`).
    choose_on
        Other cases on which the rules choose their thresholds, to be judged on `counts`.
    intervals
        Whether the rates have Wilson's interval.
    prevalence
        The prevalence for which precision and npv are restated.
    max_fpr
        The false positive rate up to which the partial area is taken.
    """
    require_counts(counts)
    full, rules = curve(counts), parse_point_rules(at)
    return Sweep(
        counts=counts,
        curve=curve(counts, thresholds),
        auc=auc(full, level=level),
        areas=area_values(full, max_fpr),
        points=tuple(operating_point(counts, rule, choose_on=choose_on) for rule in rules),
        rates=Rates(intervals=intervals, prevalence=prevalence, level=level),
        thresholds=thresholds,
        max_fpr=max_fpr,
        chosen_on=() if choose_on is None else choose_on.sources,
    )
