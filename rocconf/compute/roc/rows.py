"""Thresholds and operating points as rows of a table: the columns that all analyses have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.compute.roc.metrics import NOTHING_POSITIVE
from rocconf.compute.roc.summary import MODEL
from rocconf.dataclass import dataclass
from rocconf.table import Column, repeated

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.roc.operating import OperatingPoint
    from rocconf.compute.stats.confusion import Confusion
    from rocconf.table import Rows, Values

THRESHOLD = Column("threshold", "score", NOTHING_POSITIVE)
NOTHING_TIED = "among the tied thresholds is that of the row in which nothing is predicted positive"
POINT_COLUMNS = (
    *(MODEL, Column("rule", "text"), THRESHOLD, Column("in_sample", "flag")),
    Column("tied", "list", NOTHING_TIED),
)


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
    return {
        "model": model,
        "rule": point.rule.text,
        "threshold": point.threshold,
        "in_sample": point.in_sample,
        "tied": list(point.tied),
    }
