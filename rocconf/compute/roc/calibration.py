r"""Whether scores are probabilities: the Brier score in three parts, and the logarithmic loss.

The Brier score is the mean of :math:`(s-y)^2`, the logarithmic loss that of :math:`-\log s` of the positives and
:math:`-\log(1-s)` of the negatives. The best probabilities that rank the cases as the scores do are those of the pool
adjacent violators, which are the shares of positives between the corners of the convex hull [1]_. With them the Brier
score has three parts [2]_,

.. math:: Brier = MCB - DSC + UNC

the miscalibration, by which recalibration lowers it; the discrimination, by which recalibrated scores are better than
the prevalence alone; and the uncertainty :math:`\pi(1-\pi)` of the cases.

A score is the probability of being positive or, where lower scores are positive, of being negative. Scores are taken as
they are, distinct however close.

Miscalibration and discrimination of a sample are both too large, as the recalibration is fitted to its cases. Their
upper limit is that of the mean over the cases of what it gains (`rocconf.compute.stats.estimate.Skewed`): no other
monotone recalibration gains more on these cases, also not the best one of the population. Their lower limit is that of
a mean whose expectation is not above the truth: each case is recalibrated by a fit to the cases of other folds [3]_, of
which a cluster has one.

References
----------
.. [1] T. Fawcett, A. Niculescu-Mizil (2007), Machine Learning 68, 97-106.
.. [2] T. Dimitriadis, T. Gneiting, A. I. Jordan (2021), PNAS 118, e2016191118.
.. [3] M. Stone (1974), J. Roy. Statist. Soc. B 36, 111-147.
"""

from __future__ import annotations

from dataclasses import field, replace
from math import fsum, inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocconf import wording
from rocconf.compute.roc.curve import Curve, curve, require_scores
from rocconf.compute.roc.hull import hull_rows
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.roc.influence import BRIER, LOG_LOSS, MEAN, NOT_PROBABILITIES, Statistic, mean_loss
from rocconf.compute.roc.observed import probabilities
from rocconf.compute.stats.design import APART
from rocconf.compute.stats.estimate import Between, Skewed, measured
from rocconf.compute.stats.resampling import percentile_limits
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.records import UNKNOWN
from rocconf.table import Column

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rocconf.compute.roc.influence import Influence
    from rocconf.compute.roc.observed import Observed
    from rocconf.compute.stats.design import Design, Shared
    from rocconf.compute.stats.estimate import Estimate, Measured, Sums
    from rocconf.compute.stats.resampling import Indices
    from rocconf.messages import Message
    from rocconf.records import Counts, Floats, ScoreCounts

    Losses = tuple[Floats, Floats]
    """The losses of a positive and of a negative at each distinct score."""

ROUNDING = 1e-12
"""1 - level is rarely exact."""

REPLICATES = 500
"""The labels drawn for a test."""

FOLDS = 10
"""The parts of the cases, each of which is recalibrated by a fit to the others."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Recalibration(Statistic):
    """A part of the Brier score: the mean of what recalibration gains, with the influences of a fit to the same cases."""

    crossed: Callable[[Observed], Influence | None] = field(kw_only=True)
    """Returns the influences with fits to other cases."""

    def estimate(self, of: Observed) -> Estimate | None:
        """Return the part of one model; None where scores are no probabilities."""
        low, high = self.crossed(of), of.influence(self)
        if low is None or high is None:
            return None
        ends = [(end.value, of.sums(end, together=True, skewed=True)) for end in (low, high)]
        return self._between(max(high.value, 0.0), ends, of.design, self.least, self.most)

    def paired(self, pair: Any) -> Estimate | None:
        """Return the difference of two models on the same cases; None where one has no value."""
        (low, high), (of_other, best_of_other) = ((self.crossed(of), of.influence(self)) for of in pair.models)
        if low is None or high is None or of_other is None or best_of_other is None:
            return None
        ends, most = [pair.mean(low, best_of_other), pair.mean(high, of_other)], self.most - self.least
        return self._between(high.value - best_of_other.value, ends, pair.design, -most, most)

    def unpaired(self, first: Estimate | None, second: Estimate | None, shared: Shared = APART) -> Estimate | None:
        """Return the difference of two models on different cases, which is not tested; None where one has no value."""
        found: Any = super().unpaired(first, second, shared)
        return None if found is None else replace(found, is_tested=False)

    def _between(
        self, value: float, ends: list[tuple[float, Sums]], design: Design, least: float, most: float
    ) -> Between:
        def skewed(mean: float, sums: Sums) -> Skewed:
            pseudo = design.pseudo_of_mean((1.0, 1.0), (0.0, 0.0), sums) if min(design.cases) > 1 else inf
            return Skewed(mean, sums, pseudo, -inf, inf)

        (low, of_low), (high, of_high) = ends
        # by chance the part may lie beyond the means, which may be beyond its range
        return Between(value, skewed(min(low, value), of_low), skewed(max(high, value), of_high), least, most)


def _recalibration(name: str, unfitted: Callable[[Observed], Losses], **declared: Any) -> Recalibration:
    """Declare a part of the Brier score by the losses that those of recalibrated scores are subtracted from."""

    def gained(of: Observed, fitted: Callable[[], Losses]) -> Influence | None:
        if of.probabilities is None:
            return None
        of_positive, of_negative = (loss - rest for loss, rest in zip(unfitted(of), fitted(), strict=True))
        return mean_loss(of.ranks, of_positive, of_negative, largest=1.0)

    return Recalibration(
        name,
        undefined=NOT_PROBABILITIES,
        influence=lambda of: gained(of, lambda: _squared(recalibrated(curve(of.counts)))),
        crossed=lambda of: gained(of, lambda: _crossed(of.counts)),
        **declared,
        **MEAN,
    )


def _squared(probability: Any) -> Losses:
    """Return the squared losses of a positive and of a negative, from the probability of being positive."""
    return (1 - probability) ** 2, probability**2


MCB = _recalibration(
    "mcb",
    lambda of: _squared(of.probabilities[0]),  # type: ignore[index]  # of those that have some
    lower_is_better=True,
    aliases=("miscalibration",),
)
DSC = _recalibration(
    "dsc", lambda of: _squared(of.counts.p / of.counts.n), most=0.25, aliases=("discrimination", "resolution")
)
CALIBRATION: dict[str, Any] = {metric.name: metric for metric in (BRIER, LOG_LOSS, MCB, DSC)}
"""The measures of probabilities."""

CALIBRATION_COLUMNS = (
    *(column for metric in CALIBRATION.values() for column in (metric.column, *metric.limit_columns)),
    Column("unc", "number", NOT_PROBABILITIES),
    Column("mcb_p", "p", f"{NOT_PROBABILITIES}, or cases are clustered, and the test takes each as independent"),
)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a Brier score."""

    mcb: float
    dsc: float
    unc: float


def parts_of(counts: ScoreCounts) -> Parts | None:
    """Return the parts of the Brier score, None where scores are not probabilities."""
    found = probabilities(counts)
    return None if found is None else parts_of_curve(curve(counts), found[0])


def parts_of_curve(roc: Curve, of_positive: Floats) -> Parts:
    """Return the parts of the Brier score of a curve, from the probability of being positive at each score."""
    positives, negatives = np.diff(roc.tp), np.diff(roc.fp)
    brier = float((positives * (1 - of_positive) ** 2 + negatives * of_positive**2).sum()) / roc.n
    corners = hull_rows(roc)
    within_p, within_q = np.diff(roc.tp[corners]).astype(float), np.diff(roc.fp[corners]).astype(float)
    recalibrated = fsum((within_p * (within_q / (within_p + within_q))).tolist()) / roc.n
    unc = roc.p / roc.n * (roc.q / roc.n)
    return Parts(max(brier - recalibrated, 0.0), max(unc - recalibrated, 0.0), unc)


@dataclass(frozen=True, slots=True)
class Calibration:
    """The measures of the probabilities of one model, with their intervals, and the test of calibration."""

    measures: Mapping[str, Measured | None]
    """Each by its name, None without a value."""
    unc: float | None
    mcb_p: float | None

    def record(self) -> dict[str, float | None]:
        """Return the part of a summary."""
        found: dict[str, float | None] = {}
        for name, of in self.measures.items():
            found[name] = None if of is None else of.value
            found[f"{name}_lower"], found[f"{name}_upper"] = (of.interval if of else UNKNOWN).ends
        return {**found, "unc": self.unc, "mcb_p": self.mcb_p}

    def conclusion(self, model: str, level: float) -> Message:
        """Whether the scores are probabilities, in a sentence."""
        brier, mcb, dsc = (self.measures[name] for name in ("brier", "mcb", "dsc"))
        if brier is None or mcb is None or dsc is None:
            return message("answer-no-probabilities", model=model)
        code = "answer-calibration"
        if self.mcb_p is not None:
            code = "answer-miscalibrated" if self.mcb_p <= 1 - level + ROUNDING else "answer-calibrated"
        values = {"brier": brier.value, "mcb": mcb.value, "dsc": dsc.value, "unc": self.unc}
        found = {name: wording.rate(value, 4) for name, value in values.items()}
        found |= {} if self.mcb_p is None else {"p": wording.p_value(self.mcb_p)}
        return message(code, model=model, interval=wording.interval(*brier.interval.ends, digits=4), **found)


def calibration(of: Observed, *, level: float) -> Calibration:
    """Return the measures of the probabilities of a model."""
    require_scores(of.counts, "bins-calibration")
    found = {name: metric.estimate(of) for name, metric in CALIBRATION.items()}
    parts = parts_of(of.counts)
    return Calibration(
        {name: measured(each, level) for name, each in found.items()},
        unc=None if parts is None else parts.unc,
        mcb_p=calibration_p(of.counts) if of.counts.clusters is None else None,
    )


def _crossed(counts: ScoreCounts) -> Losses:
    """Return the mean squared losses of the cases at each score, each with the fit to the cases of other folds."""
    cases, losses = (counts.positives, counts.negatives), (np.zeros(len(counts)), np.zeros(len(counts)))
    for held_out in _divided(counts):
        fit = _fit(*(of_class - held for of_class, held in zip(cases, held_out, strict=True)))
        for loss, held, each in zip(losses, held_out, _squared(fit), strict=True):
            loss += held * each  # noqa: PLW2901  # in place
    of_positives, of_negatives = (loss / np.maximum(of_class, 1) for loss, of_class in zip(losses, cases, strict=True))
    return of_positives, of_negatives


def _divided(counts: ScoreCounts) -> Iterator[list[Counts]]:
    """Yield the positives and the negatives at each score that are in each fold, a cluster in one."""
    cases = counts.clusters
    if cases is None:
        yield from (np.split(held_out, 2) for held_out in _folds(np.concatenate([counts.positives, counts.negatives])))
        return
    items = np.where(cases.positive, cases.row, cases.row + len(counts)) - 1
    order, sizes = _alike(cases.cluster, items, len(cases))
    of_groups = np.stack(list(_folds(sizes)), axis=1)
    fold = np.empty(len(cases), dtype=np.int64)
    fold[order] = np.repeat(np.tile(np.arange(FOLDS), len(sizes)), of_groups.ravel())
    for at in range(FOLDS):
        held_out = np.bincount(items[fold[cases.cluster] == at], minlength=2 * len(counts))
        yield np.split(held_out, 2)


def _folds(sizes: Counts) -> Iterator[Counts]:
    """Yield how many of each group of equal units are in each fold."""
    left, rng = sizes, generator(SEED)
    for fold in range(FOLDS):
        held_out = rng.binomial(left, 1 / (FOLDS - fold))
        left = left - held_out
        yield held_out


def _alike(cluster: Counts, items: Counts, clusters: int) -> tuple[Indices, Counts]:
    """Return the clusters ordered by their cases, and the sizes of the groups with the same cases.

    The folds then depend on neither the names of the clusters nor the order of the cases.
    """
    first = np.full(clusters, items.max())
    np.minimum.at(first, cluster, items)
    marks = generator(SEED).integers(2**64, size=items.max() + 1, dtype=np.uint64)
    total = np.zeros(clusters, dtype=np.uint64)
    np.add.at(total, cluster, marks[items])
    order = np.lexsort((total, first))
    is_new = (np.diff(first[order]) != 0) | (np.diff(total[order]) != 0)
    return order, np.diff(np.concatenate([[0], np.flatnonzero(is_new) + 1, [clusters]]))


def _fit(positives: Counts, negatives: Counts) -> Floats:
    """Return the recalibration of some of the cases at every score; one without cases has that of the score above."""
    some = positives + negatives > 0
    if not some.any():
        return np.full(len(some), 0.5)
    tp, fp = (np.concatenate([[0], np.cumsum(each[some])]) for each in (positives, negatives))
    fit = recalibrated(Curve(np.arange(len(tp), 0.0, -1.0), tp, fp, int(tp[-1]), int(fp[-1])))
    found: Floats = fit[np.maximum(np.cumsum(some) - 1, 0)]
    return found


def redrawn(counts: ScoreCounts, replicates: int | None = None) -> Iterator[Curve]:
    """Yield curves of the same scores with labels drawn from them, as calibrated scores have them."""
    require_independent(counts, "clusters-calibration")
    found = probabilities(counts)
    if found is None:
        return
    cases, rng, likely = counts.positives + counts.negatives, generator(SEED), np.clip(found[0], 0, 1)
    for _ in range(replicates or REPLICATES):
        positives = rng.binomial(cases, likely)
        tp, fp = (np.concatenate([[0], np.cumsum(each)]) for each in (positives, cases - positives))
        yield Curve(counts.thresholds, tp, fp, int(tp[-1]), int(fp[-1]))


def calibration_p(counts: ScoreCounts) -> float | None:
    """Return the share of labels drawn from the scores that look as miscalibrated as those of the cases."""
    found, parts = probabilities(counts), parts_of(counts)
    if found is None or parts is None:
        return None
    beyond = [parts_of_curve(each, found[0]).mcb >= parts.mcb for each in redrawn(counts)]
    return (1 + sum(beyond)) / (1 + len(beyond))


class ConsistencyBand(NamedTuple):
    """Where the recalibrated probabilities of calibrated scores lie, at some of the scores, each at the level."""

    lower: Floats
    upper: Floats


def consistency_band(counts: ScoreCounts, rows: Indices, *, level: float) -> ConsistencyBand | None:
    """Return the band at some of the distinct scores, None where scores are not probabilities."""
    drawn = [recalibrated(each)[rows] for each in redrawn(counts)]
    return ConsistencyBand(*percentile_limits(np.array(drawn), level)) if drawn else None


def recalibrated(roc: Curve) -> Floats:
    """Return the best probability of being positive at each distinct score, the share of its part of the hull."""
    corners = hull_rows(roc)
    positives, negatives = np.diff(roc.tp[corners]), np.diff(roc.fp[corners])
    return np.repeat(positives / (positives + negatives), np.diff(corners))
