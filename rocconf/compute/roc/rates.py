"""The columns of thresholds and of operating points: the counts and rates of their confusion matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.costs import COST_COLUMNS
from rocconf.compute.roc.metrics import AT_A_POINT, NOTHING_POSITIVE, RATES, npv_at, precision_at
from rocconf.compute.roc.summary import MODEL
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.proportion import wilson_limit
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.table import Column, record_of, repeated

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.compute.roc.clustered import RowSizes
    from rocconf.compute.roc.costs import Costs
    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.roc.operating import OperatingPoint
    from rocconf.table import Rows, Values

THRESHOLD = Column("threshold", "score", NOTHING_POSITIVE)
NOTHING_TIED = "among the tied thresholds is that of the row in which nothing is predicted positive"
POINT_COLUMNS = (
    *(MODEL, Column("rule", "text"), THRESHOLD, Column("in_sample", "flag")),
    Column("tied", "list", NOTHING_TIED),
)

COUNTED = ("tp", "fp", "fn", "tn")
"""The cells of a confusion matrix."""
RESTATED = {"precision": precision_at, "npv": npv_at}
COST_KEYS = tuple(column.name for column in COST_COLUMNS)
NO_PROPORTION = "restated for another prevalence, it is not a proportion of these cases"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rates:
    """The columns of a sweep, and how to compute them."""

    intervals: bool = False
    prevalence: float | None = None
    level: float = 0.95
    costs: Costs | None = None
    sizes: RowSizes | None = None
    """The effective sizes of clustered cases, None of independent ones."""

    def __post_init__(self) -> None:
        if self.prevalence is not None and not 0 < self.prevalence < 1:
            raise UsageError("prevalence-range", prevalence=self.prevalence)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The counts, and the rates each followed by its interval."""
        columns = [Column(name, "count") for name in COUNTED]
        for name, rate in RATES.items():
            columns.append(rate.column)
            if self.intervals and rate.hits:
                why = NO_PROPORTION if self._is_restated(name) else rate.undefined
                columns += [Column(f"{name}_lower", "share", why), Column(f"{name}_upper", "share", why)]
        return (*columns, *(COST_COLUMNS if self.costs else ()))

    def values(self, key: str, matrix: Confusion) -> Values:
        """Return one column."""
        if self.costs is not None and key in COST_KEYS:
            return self.costs.values(key, matrix, level=self.level, sizes=self.sizes)
        name, _, limit = key.rpartition("_")
        if limit in ("lower", "upper"):
            rate = RATES[name]
            if rate.hits is None or self._is_restated(name):
                return np.full(len(matrix.tp), np.nan)
            found = rate.counted(matrix) if self.sizes is None else self.sizes.of_share(rate, matrix)
            return wilson_limit(*found, upper=limit == "upper", level=self.level)
        if self.prevalence is not None and key in RESTATED:
            return RESTATED[key](matrix, self.prevalence)
        return matrix_values(key, matrix)

    def record(self, tp: int, fp: int, p: int, q: int) -> dict[str, float]:
        """Return all columns of one confusion matrix."""
        matrix = Confusion(np.array([tp]), np.array([fp]), p, q)
        return {column.name: self.values(column.name, matrix)[0].item() for column in self.columns}

    def _is_restated(self, name: str) -> bool:
        return self.prevalence is not None and name in RESTATED


def matrix_values(key: str, matrix: Confusion) -> Values:
    """Return a cell, a rate or the error difference of confusion matrices."""
    return np.asarray(getattr(matrix, key)) if key in COUNTED else AT_A_POINT[key].of(matrix)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CurveRows:
    """The thresholds of one model as rows, whose columns are computed for the requested rows only."""

    model: str
    curve: Curve
    of_matrix: Callable[[str, Confusion], Values]
    """Computes any other column from the confusion matrices of the rows."""

    def values(self, key: str, rows: Rows) -> Values:
        """Return a column at some rows."""
        if key == THRESHOLD.name:
            return self.curve.shown_thresholds(rows)
        matrix = self.curve.confusion(rows)
        if key == MODEL.name:
            return repeated(self.model, len(matrix.tp))
        return self.of_matrix(key, matrix)


def point_record(model: str, point: OperatingPoint) -> dict[str, Any]:
    """Return the columns of an operating point but those of its confusion matrix."""
    return record_of(POINT_COLUMNS, (model, point.rule.text, point.threshold, point.in_sample, list(point.tied)))
