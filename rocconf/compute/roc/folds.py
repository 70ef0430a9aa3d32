r"""The folds of a cross-validation: the AUC of each, their mean with its interval, and their spread.

With F folds, :math:`V` the placement of a case among those of the other class in its fold, and :math:`\bar A` the mean of
the fold AUCs, the influence of a positive on that mean is

.. math:: (V - \bar A) \frac{P}{F P_f}

where :math:`P_f` of all P positives are in its fold; of a negative it is the same with their numbers. `delong` is LeDell's
interval [1]_: with influences :math:`(n/P)(V - A_f)` and :math:`(n/Q)(V - A_f)` the variance is 1/n times the mean over
the folds of their mean square. Ties count half.

References
----------
.. [1] E. LeDell, M. Petersen and M. van der Laan (2015), Electronic Journal of Statistics 9, 1583-1607.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf import wording
from rocconf.compute.roc.auc import auc
from rocconf.compute.roc.counts import part_of
from rocconf.compute.roc.influence import Influence, statistic
from rocconf.compute.roc.ordering import placements
from rocconf.compute.stats.estimate import Measured, Normal
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.records import DELONG
from rocconf.table import Column, Table, record_of

if TYPE_CHECKING:
    from rocconf.compute.roc.observed import Observed
    from rocconf.messages import Message
    from rocconf.records import ClusteredCases, Floats

ONE_CLASS = "the fold has cases of one class only"
NO_FOLDS = "the cases have no folds, or a fold has cases of one class only"
NO_MEAN = "a fold has cases of one class only, and so no AUC"
NO_SPREAD = "every fold ranks perfectly, or puts all negatives first, so the variance cannot be estimated"
LEDELL = "ledell"
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


def _within_folds(cases: ClusteredCases) -> tuple[Floats, Floats] | None:
    """Return the placement of each case in its fold, and the AUC of each fold; None where a fold lacks a class."""
    positive, found, areas = cases.positive, np.empty(len(cases.row)), np.empty(len(cases))
    for place in range(len(cases)):
        own = np.flatnonzero(cases.cluster == place)
        labels = positive[own]
        if labels.all() or not labels.any():
            return None
        others = np.bincount(~labels, minlength=2)[labels.view(np.int8)]
        found[own] = placements(labels, -cases.row[own].astype(np.float64)) * (0.5 / others)
        areas[place] = found[own][labels].mean()
    return found, areas


def _ledell(of: Observed) -> Normal | None:
    """Return the mean with LeDell's variance; None of clustered cases, and where the variance is 0."""
    cases = of.counts.folds if of.kind == DELONG and of.counts.clusters is None else None
    found = None if cases is None else _within_folds(cases)
    if cases is None or found is None:
        return None
    each, areas = found
    scale = of.counts.n / np.array([of.counts.q, of.counts.p])[cases.positive.view(np.int8)]
    squares = np.bincount(cases.cluster, (scale * (each - areas[cases.cluster])) ** 2) / np.bincount(cases.cluster)
    variance = float(squares.mean()) / of.counts.n
    return Normal(float(areas.mean()), variance, test=LEDELL, least=0.0) if variance else None


@statistic("cv_auc", undefined=NO_FOLDS, needs="fold", has_difference=True, is_of_folds=True, instead=_ledell)
def CV_AUC(of: Any) -> Influence | None:  # noqa: N802  # the metric
    """Return the influences on the mean of the fold AUCs."""
    cases: ClusteredCases | None = of.counts.folds
    found = None if cases is None else _within_folds(cases)
    if cases is None or found is None:
        return None
    (each, areas), of_class_and_fold = found, cases.positive * len(cases) + cases.cluster
    sizes, mean = np.bincount(of_class_and_fold).reshape(2, -1), float(areas.mean())
    scale = sizes.sum(axis=1, keepdims=True) / (len(cases) * sizes)
    return Influence(mean, None, None, each=(each - mean) * scale.ravel()[of_class_and_fold])


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """The cases of one fold."""

    name: str
    positives: int
    negatives: int
    auc: Measured | None

    def record(self, model: str) -> dict[str, Any]:
        """Return the row of the fold."""
        n, found = self.positives + self.negatives, self.auc
        area = (None,) * 3 if found is None else (found.value, *found.interval.ends)
        return record_of(FOLD_COLUMNS, (model, self.name, n, self.positives, self.negatives, self.positives / n, *area))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Folds:
    """The folds of a column, in order, and the mean of their AUCs."""

    column: str
    folds: tuple[Fold, ...]
    mean: Measured | None

    @classmethod
    def of(cls, observed: Observed, *, level: float) -> Folds | None:
        """Return the folds of the cases of a model; None of cases without folds, which may lack a class."""
        cases = observed.counts.folds
        if cases is None:
            return None

        def fold(place: int) -> Fold:
            counts = part_of(observed.counts, cases.cluster == place)
            found = auc(counts, level=level, interval=observed.kind) if counts.p and counts.q else None
            return Fold(cases.names[place] or "(empty)", counts.p, counts.q, found)

        mean = CV_AUC.estimate(observed)
        return cls(cases.column, tuple(map(fold, range(len(cases)))), None if mean is None else Measured(mean, level))

    @property
    def _areas(self) -> list[float]:
        return [fold.auc.value for fold in self.folds if fold.auc is not None]

    def record(self) -> dict[str, Any]:
        """Return what the summary has of the folds."""
        n, mean = len(self.folds), self.mean
        if mean is None:
            return record_of(MEAN_COLUMNS, (n, *(None,) * 5))
        return record_of(
            MEAN_COLUMNS, (n, mean.value, np.std(self._areas, ddof=1).item(), mean.se, *mean.interval.ends)
        )

    def conclusion(self, model: str) -> Message | None:
        """Return the answer in a sentence, None where there is no mean."""
        if self.mean is None:
            return None
        how = "LeDell" if self.mean.kind == DELONG and self.mean.test == LEDELL else self.mean.kind
        limits = wording.interval(*self.mean.interval.ends)
        return message(
            "answer-folds",
            model=model,
            column=self.column,
            folds=len(self.folds),
            auc=wording.rate(self.mean.value),
            interval=f" {limits} ({how}, {wording.level(self.mean.level)})",
            least=wording.rate(min(self._areas)),
            most=wording.rate(max(self._areas)),
        )

    def caveats(self, model: str) -> tuple[Message, ...]:
        """Return the warning about folds of one class."""
        of_one = [fold for fold in self.folds if fold.auc is None]
        if not of_one:
            return ()
        names = ", ".join(
            f"{fold.name} ({fold.positives:,} positive and {fold.negatives:,} negative)" for fold in of_one
        )
        most = min(sum(fold.positives for fold in self.folds), sum(fold.negatives for fold in self.folds))
        return (message("folds-of-one-class", model=model, names=names, most=most),)


def folds_table(folds: Folds | None, model: str) -> Table:
    """Return the table of the folds, empty without any."""
    return Table.of("folds", FOLD_COLUMNS, [fold.record(model) for fold in folds.folds] if folds else [])
