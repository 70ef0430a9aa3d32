"""Metrics: the numbers that a rule can be about, each declared once, beside the function that computes it."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from rocconf.dataclass import dataclass
from rocconf.table import Column

if TYPE_CHECKING:
    from rocconf.table import ColumnKind

DELTA = "delta_"
"""The prefix of a metric that is a model's value less its baseline's."""


UNKNOWN_LIMIT = "the replicates leave the limit unknown"
NO_DIFFERENCE = "the measure does not exist for one of the models"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Metric:
    """A metric: its kind, its range, whether lower is better, and its aliases."""

    name: str
    kind: ColumnKind = "share"
    undefined: str = ""
    """Why it can lack a value."""
    least: float = 0.0
    most: float = 1.0
    unreached: tuple[float, ...] = ()
    """The ends of the range that no value reaches."""
    lower_is_better: bool = False
    is_quality: bool = True
    """Whether a better model has a better value, so that a difference tells which of two is better."""
    aliases: tuple[str, ...] = ()
    depends_on_level: bool = False
    """Whether the value itself, not only its interval, is of the level of the run."""
    has_difference: bool = False
    """Whether `compare` has the difference of two models."""
    is_drawn: bool = False
    """Whether its interval is that of replicates."""
    has_interval: bool = False
    """Whether it is judged on an interval."""
    needs: str = ""
    """The option without which no model has a value."""
    base: Any = None
    """The metric of each of two models, of a difference."""

    @property
    def column(self) -> Column:
        """The column that shows it."""
        return Column(self.name, self.kind, self.undefined)

    @property
    def limit_columns(self) -> tuple[Column, Column]:
        """The columns of a bootstrap interval, an end of which may be unknown."""
        why = f"{self.undefined}, or {UNKNOWN_LIMIT}" if self.undefined else UNKNOWN_LIMIT
        return Column(f"{self.name}_lower", self.kind, why), Column(f"{self.name}_upper", self.kind, why)

    @property
    def difference(self) -> Metric:
        """The metric of a model's value minus its baseline's."""
        reach = self.most - self.least
        return Metric(
            f"{DELTA}{self.name}",
            "number",
            least=-reach,
            most=reach,
            lower_is_better=self.lower_is_better,
            is_quality=self.is_quality,
            is_drawn=self.is_drawn,
            has_interval=True,
            needs=self.needs,
            base=self,
        )


def count_metric(name: str, *, least: int = 0, depends_on_level: bool = False, needs: str = "") -> Metric:
    """Return the metric of a number of cases or thresholds."""
    return Metric(name, "count", least=least, most=inf, depends_on_level=depends_on_level, needs=needs)


def p_metric(name: str, *, lower_is_better: bool = False, needs: str = "") -> Metric:
    """Return the metric of a p-value, which is never 0."""
    return Metric(name, "p", unreached=(0.0,), lower_is_better=lower_is_better, needs=needs)


def score_metric(name: str, undefined: str = "", *, depends_on_level: bool = False, needs: str = "") -> Metric:
    """Return the metric of a threshold, which can be any number."""
    return Metric(name, "score", undefined, least=-inf, most=inf, depends_on_level=depends_on_level, needs=needs)


def decided(op: str, lower: Any, upper: Any, limit: float) -> tuple[Any, Any]:
    """Return whether all of an interval meets a rule, and whether no part of it does; of numbers or arrays."""
    outcomes: dict[str, tuple[Any, Any]] = {
        ">=": (lower >= limit, upper < limit),
        ">": (lower > limit, upper <= limit),
        "<=": (upper <= limit, lower > limit),
        "<": (upper < limit, lower >= limit),
        "==": (lower == limit, lower != limit),
    }
    return outcomes[op]
