"""The folds of a cross-validation: the AUC of each, their mean with LeDell's interval [1]_, and their spread.

With :math:`V` the placement of a case among those of the other class in its fold and :math:`A_f` the AUC of the fold,
the influence of a positive is :math:`(n/P)(V - A_f)`, of a negative :math:`(n/Q)(V - A_f)`, where n, P and Q count all
folds. The variance of the mean AUC is 1/n times the mean over the folds of the mean square of these. Ties count half.

References
----------
.. [1] E. LeDell, M. Petersen and M. van der Laan (2015), Electronic Journal of Statistics 9, 1583-1607.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf import wording
from rocconf.compute.roc.auc import auc
from rocconf.compute.roc.curve import curve
from rocconf.compute.stats.normal import normal_quantile
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.stats.estimate import Measured
    from rocconf.messages import Message
    from rocconf.records import IntervalKind, ScoreCounts

ONE_CLASS = "the fold has cases of one class only"
NO_MEAN = "a fold has cases of one class only, and so no AUC"
NO_SPREAD = "every fold ranks perfectly, or puts all negatives first, so the variance cannot be estimated"
FOLD_COLUMNS = (
    *(Column("model", "text"), Column("fold", "text")),
    *(Column(name, "count") for name in ("n", "positives", "negatives")),
    Column("prevalence", "share"),
    *(Column(name, "share", ONE_CLASS) for name in ("auc", "auc_lower", "auc_upper")),
)
MEAN_COLUMNS = (
    Column("folds", "count"),
    *(Column(name, "share", NO_MEAN) for name in ("cv_auc", "cv_auc_sd")),
    *(Column(name, "share", f"{NO_MEAN}, or {NO_SPREAD}") for name in ("cv_auc_se", "cv_auc_lower", "cv_auc_upper")),
)


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """The cases of one fold."""

    name: str
    positives: int
    negatives: int
    auc: Measured | None
    squares: float
    """The mean square of the influences, for n, P and Q of all folds."""

    def record(self, model: str) -> dict[str, Any]:
        """Return the row of the fold."""
        n, found = self.positives + self.negatives, self.auc
        return {
            "model": model,
            "fold": self.name,
            "n": n,
            "positives": self.positives,
            "negatives": self.negatives,
            "prevalence": self.positives / n,
            "auc": found and found.value,
            "auc_lower": found and found.interval.lower,
            "auc_upper": found and found.interval.upper,
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Folds:
    """The folds of a column, in order, and the mean of their AUCs."""

    column: str
    folds: tuple[Fold, ...]
    level: float

    @classmethod
    def of(cls, column: str, parts: Sequence[tuple[str, ScoreCounts]], *, level: float, kind: IntervalKind) -> Folds:
        """Return the folds of a column, given the counts of each, which may lack a class."""
        p, q = (sum(getattr(counts, of_class) for _, counts in parts) for of_class in ("p", "q"))

        def fold(name: str, counts: ScoreCounts) -> Fold:
            if not (counts.p and counts.q):
                return Fold(name, counts.p, counts.q, None, 0.0)
            roc = curve(counts)
            found = auc(roc, level=level, interval=kind)
            n, (of_positives, of_negatives) = p + q, _squares(roc, found.value)
            squares = ((n / p) ** 2 * of_positives + (n / q) ** 2 * of_negatives) / counts.n
            return Fold(name, counts.p, counts.q, found, squares)

        return cls(column, tuple(fold(name, counts) for name, counts in parts), level)

    @property
    def n(self) -> int:
        """The number of cases."""
        return sum(fold.positives + fold.negatives for fold in self.folds)

    @property
    def without_auc(self) -> tuple[Fold, ...]:
        """The folds that lack a class."""
        return tuple(fold for fold in self.folds if fold.auc is None)

    @property
    def mean(self) -> float | None:
        """The mean of the AUCs of the folds."""
        areas = [fold.auc.value for fold in self.folds if fold.auc is not None]
        return float(np.mean(areas)) if len(areas) == len(self.folds) else None

    @property
    def se(self) -> float | None:
        """The standard error of the mean, None where it cannot be estimated."""
        if self.mean is None:
            return None
        return sqrt(float(np.mean([fold.squares for fold in self.folds])) / self.n) or None

    def record(self) -> dict[str, Any]:
        """Return what the summary has of the folds."""
        mean, se = self.mean, self.se
        areas = [fold.auc.value for fold in self.folds if fold.auc is not None]
        reach = None if se is None else normal_quantile(self.level) * se
        has_limits = mean is not None and reach is not None
        return {
            "folds": len(self.folds),
            "cv_auc": mean,
            "cv_auc_sd": None if mean is None else float(np.std(areas, ddof=1)),
            "cv_auc_se": se,
            "cv_auc_lower": max(mean - reach, 0.0) if has_limits else None,  # type: ignore[operator]  # both are known
            "cv_auc_upper": min(mean + reach, 1.0) if has_limits else None,  # type: ignore[operator]
        }

    def conclusion(self, model: str) -> Message | None:
        """Return the answer in a sentence, None where there is no mean."""
        found = self.record()
        if found["cv_auc"] is None:
            return None
        areas = [fold.auc.value for fold in self.folds if fold.auc is not None]
        interval = ""
        if found["cv_auc_lower"] is not None:
            limits = wording.interval(found["cv_auc_lower"], found["cv_auc_upper"])
            interval = f" {limits} (LeDell, {wording.level(self.level)})"
        return message(
            "answer-folds",
            model=model,
            column=self.column,
            folds=len(self.folds),
            auc=wording.rate(found["cv_auc"]),
            interval=interval,
            least=wording.rate(min(areas)),
            most=wording.rate(max(areas)),
        )

    def caveats(self, model: str) -> tuple[Message, ...]:
        """Return the warning about folds of one class."""
        if not self.without_auc:
            return ()
        names = ", ".join(
            f"{fold.name} ({fold.positives:,} positive and {fold.negatives:,} negative)" for fold in self.without_auc
        )
        p, q = (sum(getattr(fold, of_class) for fold in self.folds) for of_class in ("positives", "negatives"))
        return (message("folds-of-one-class", model=model, names=names, most=min(p, q)),)


def folds_table(folds: Folds | None, model: str) -> Table:
    """Return the table of the folds, empty without any."""
    return Table.of("folds", FOLD_COLUMNS, [fold.record(model) for fold in folds.folds] if folds else [])


def _squares(roc: Curve, area: float) -> tuple[float, float]:
    """Return the sums of the squared differences of the placements of the positives, and of the negatives, from the AUC."""
    below = 1 - (roc.fp[1:] + roc.fp[:-1]) / (2 * roc.q)
    above = (roc.tp[1:] + roc.tp[:-1]) / (2 * roc.p)
    of_positives = np.diff(roc.tp) @ (below - area) ** 2
    of_negatives = np.diff(roc.fp) @ (above - area) ** 2
    return float(of_positives), float(of_negatives)
