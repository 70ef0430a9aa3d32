"""What a rule can be about where there are several classes: a class of a model, or all classes of a model together.

A class is called by its name or, where several models are compared, MODEL:CLASS; all classes together by the model's.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from rocconf.compute.classes.class_pairs import NO_CASES
from rocconf.compute.roc.influence import AUC
from rocconf.compute.roc.summary import MODEL, SUMMARY, summary_of
from rocconf.dataclass import dataclass
from rocconf.saved import SCORES
from rocconf.table import Column

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocconf.compute.stats.estimate import Measured
    from rocconf.records import Floats, ScoreCounts

OF_ALL = "an average over all classes"
NO_SE = f"{NO_CASES}, or the variance is 0 or undefined"
NO_DF = f"{NO_CASES}, or a single one"
NO_LIMITS = f"{NO_CASES}, or a single one, which leaves the limit unknown"

MODELS = (
    MODEL,
    Column(SCORES, "text"),
    Column("class", "text"),
    *(
        replace(column, undefined=column.undefined or NO_CASES) if column.name.startswith("auc") else column
        for column in SUMMARY[1:]
    ),
)
"""The columns of the summary of a class."""

ROWS = (
    MODEL,
    Column(SCORES, "text"),
    Column("class", "text", OF_ALL),
    Column("metric", "text"),
    Column("value", "share", NO_CASES),
    Column("lower", "share", NO_LIMITS),
    Column("upper", "share", NO_LIMITS),
    Column("se", "number", NO_SE),
    Column("df", "number", NO_DF, spare=True),
    Column("n", "count"),
    Column("positives", "count"),
    Column("level", "share"),
    Column("interval", "text"),
)
"""The columns of the rows: the AUC of each class, and the averages."""

CLASS_PAIRS = (
    MODEL,
    Column("class", "text"),
    Column("other", "text"),
    *(Column(name, "share", NO_CASES) for name in ("auc_of_class", "auc_of_other", "auc")),
)
"""The columns of the pairs of classes: each against the other by its own score, and the mean of the two."""


def unit_names(models: Sequence[str], classes: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the names of the classes of each model."""
    if len(models) == 1 and models[0] not in classes:
        return {models[0]: tuple(classes)}
    return {model: tuple(f"{model}:{each}" for each in classes) for model in models}


@dataclass(frozen=True, slots=True)
class ClassArea:
    """A class of a model against the rest: its counts and its area, None if it has no cases."""

    name: str
    scores: str
    of: str
    """The class."""
    n: int
    counts: ScoreCounts | None
    area: Measured | None

    def summary(self, level: float, kind: str) -> dict[str, Any]:
        """Return the row of the class among the models."""
        who: dict[str, Any] = {"model": self.name, SCORES: self.scores, "class": self.of}
        if self.counts is None or self.area is None:
            sizes: dict[str, Any] = {"n": self.n, "positives": 0, "negatives": self.n, "prevalence": 0.0}
            return dict.fromkeys(column.name for column in MODELS) | sizes | {"level": level, "interval": kind} | who
        return summary_of(self.counts, self.area) | who

    def row(self, level: float, kind: str) -> dict[str, Any]:
        """Return the row of the class."""
        positives = 0 if self.counts is None else self.counts.p
        who = {"model": self.name, SCORES: self.scores, "class": self.of, "n": self.n, "positives": positives}
        return who | {"metric": AUC.name, "level": level, "interval": kind} | _values(self.area)


@dataclass(frozen=True, slots=True, eq=False)
class ModelClasses:
    """A model with all its classes."""

    name: str
    n: int
    smallest: int
    """The number of cases of the smallest class."""
    classes: tuple[ClassArea, ...]
    areas: Floats
    """The area of each class (row) against each other one (column); NaN of itself, and for a class without cases."""
    averages: dict[str, Measured | None]

    def rows(self, level: float, kind: str) -> list[dict[str, Any]]:
        """Return the rows of the averages."""
        who = {"model": self.name, SCORES: self.name, "class": None, "n": self.n, "positives": self.smallest}
        fixed = who | {"level": level, "interval": kind}
        return [fixed | {"metric": name} | _values(found) for name, found in self.averages.items()]

    def pairs(self, classes: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield the rows of the pairs of classes."""
        for (own, one), (other, another) in combinations(enumerate(classes), 2):
            areas = self.areas[own, other], self.areas[other, own]
            who = {"model": self.name, "class": one, "other": another}
            yield who | {"auc_of_class": areas[0], "auc_of_other": areas[1], "auc": (areas[0] + areas[1]) / 2}


def _values(found: Measured | None) -> dict[str, Any]:
    if found is None:
        return dict.fromkeys(("value", "lower", "upper", "se", "df"))
    lower, upper = found.interval.ends
    return {"value": found.value, "lower": lower, "upper": upper, "se": found.se, "df": found.df}
