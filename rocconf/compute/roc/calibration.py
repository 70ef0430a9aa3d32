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
upper limit is that of the mean over the cases of what it gains (`rocconf.compute.stats.mean_interval`): no other
monotone recalibration gains more on these cases, also not the best one of the population. Their lower limit is that of
a mean whose expectation is not above the truth: each case is recalibrated by a fit to the cases of other folds [3]_.

References
----------
.. [1] T. Fawcett, A. Niculescu-Mizil (2007), Machine Learning 68, 97-106.
.. [2] T. Dimitriadis, T. Gneiting, A. I. Jordan (2021), PNAS 118, e2016191118.
.. [3] M. Stone (1974), J. Roy. Statist. Soc. B 36, 111-147.
"""

from __future__ import annotations

from dataclasses import field
from math import fsum, inf
from typing import TYPE_CHECKING

import numpy as np

from rocconf import wording
from rocconf.compute.roc.binned import require_scores
from rocconf.compute.roc.curve import PROBABILITY_SLACK, Curve, curve
from rocconf.compute.roc.hull import hull_rows
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.stats.mean_interval import Between, MeanLoss
from rocconf.compute.stats.resampling import percentile_limits
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.dataclass import dataclass
from rocconf.messages import message
from rocconf.metric import Metric
from rocconf.records import UNKNOWN, Interval
from rocconf.table import Column

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rocconf.compute.stats.resampling import Indices
    from rocconf.messages import Message
    from rocconf.metric import IntervalMethod
    from rocconf.records import Counts, Flags, Floats, IntervalKind, ScoreCounts

    Losses = tuple[Floats, Floats]
    """The losses of a positive and of a negative at each distinct score."""

NOT_PROBABILITIES = "scores outside [0, 1] are not probabilities"
INFINITE_LOSS = f"{NOT_PROBABILITIES}, or a case has the probability 0 and its loss is infinite"

ROUNDING = 1e-12
"""1 - level is rarely exact."""

PARTS = ("mcb", "dsc")
"""The parts of a Brier score that depend on the scores."""

REPLICATES = 500
"""The labels drawn for a test."""

FOLDS = 10
"""The parts of the cases, each of which is recalibrated by a fit to the others."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CalibrationMetric(Metric):
    """A measure of probabilities."""

    kind: str = "number"  # type: ignore[assignment]  # one of those of columns
    undefined: str = NOT_PROBABILITIES
    has_difference: bool = True
    interval_method: IntervalMethod = "formula"
    needs: str = "calibration"
    loss: Callable[[Floats, Floats], tuple[Floats, Floats]] | None = field(default=None, kw_only=True)
    """The losses of a positive and of a negative, from their probabilities; None of a part of the Brier score."""


def _squared(of_positive: Floats, of_negative: Floats) -> tuple[Floats, Floats]:
    return of_negative**2, of_positive**2


def _logarithmic(of_positive: Floats, of_negative: Floats) -> tuple[Floats, Floats]:
    with np.errstate(divide="ignore", invalid="ignore"):
        return -_log(of_positive, of_negative), -_log(of_negative, of_positive)


def _log(of_one: Floats, of_other: Floats) -> Floats:
    """Return the logarithm of a probability; near 1 from that of the other class, which has more digits."""
    return np.where(of_one > 0, np.where(of_other < 0.5, np.log1p(-of_other), np.log(of_one)), -inf)


BRIER = CalibrationMetric("brier", lower_is_better=True, aliases=("brier_score",), loss=_squared)
LOG_LOSS = CalibrationMetric(
    "log_loss",
    undefined=INFINITE_LOSS,
    most=inf,
    lower_is_better=True,
    aliases=("logloss", "cross_entropy"),
    loss=_logarithmic,
)
MCB = CalibrationMetric("mcb", lower_is_better=True, aliases=("miscalibration",))
DSC = CalibrationMetric("dsc", most=0.25, aliases=("discrimination", "resolution"))
CALIBRATION: dict[str, CalibrationMetric] = {metric.name: metric for metric in (BRIER, LOG_LOSS, MCB, DSC)}
"""The measures of probabilities; those with a loss are means of it."""

CALIBRATION_COLUMNS = (
    *(column for metric in CALIBRATION.values() for column in (metric.column, *metric.limit_columns)),
    Column("unc", "number", NOT_PROBABILITIES),
    Column("mcb_p", "p", NOT_PROBABILITIES),
)


def probabilities(counts: ScoreCounts) -> tuple[Floats, Floats] | None:
    """Return the probability of either class at each distinct score, or None if scores are not probabilities."""
    scores = counts.scores
    if not (scores.min() >= -PROBABILITY_SLACK and scores.max() <= 1 + PROBABILITY_SLACK):
        return None
    return (1 - scores, scores) if counts.lower_is_positive else (scores, 1 - scores)


def mean_loss(counts: ScoreCounts, metric: CalibrationMetric) -> MeanLoss | None:
    """Return the mean of a loss, None where it has no value."""
    found = probabilities(counts)
    if found is None or metric.loss is None:
        return None
    losses = metric.loss(*found)
    of_cases = [each[some > 0] for each, some in zip(losses, (counts.positives, counts.negatives), strict=True)]
    if not all(np.isfinite(each).all() for each in of_cases):
        return None
    return _mean_of(counts, losses, reach=largest_loss(counts, metric))


def _mean_of(counts: ScoreCounts, losses: Losses, *, reach: float = 1.0) -> MeanLoss:
    """Return the mean of losses at each distinct score, where there are cases."""
    weights = np.concatenate([counts.positives, counts.negatives])
    some = weights > 0
    return MeanLoss.of(np.concatenate(losses)[some], weights[some], reach=reach)


def largest_loss(counts: ScoreCounts, metric: CalibrationMetric) -> float:
    """Return the largest loss that the scores could have cost with any labels."""
    found = probabilities(counts)
    if metric is BRIER or metric.loss is None or found is None:
        return 1.0
    return max(1.0, *(float(each.max()) for each in metric.loss(*found)))


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a Brier score."""

    mcb: float
    dsc: float
    unc: float


def parts_of(counts: ScoreCounts) -> Parts | None:
    """Return the parts of the Brier score, None where scores are not probabilities."""
    found = probabilities(counts)
    if found is None:
        return None
    return parts_of_curve(curve(counts), found[0])


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

    values: Mapping[str, float | None]
    intervals: Mapping[str, Interval]
    unc: float | None
    mcb_p: float | None

    def record(self) -> dict[str, float | None]:
        """Return the part of a summary."""
        found: dict[str, float | None] = {}
        for name, value in self.values.items():
            found[name] = value
            found[f"{name}_lower"], found[f"{name}_upper"] = self.intervals[name].ends
        return {**found, "unc": self.unc, "mcb_p": self.mcb_p}

    def conclusion(self, model: str, level: float) -> Message:
        """Whether the scores are probabilities, in a sentence."""
        brier, mcb, p = self.values["brier"], self.values["mcb"], self.mcb_p
        if brier is None or mcb is None or p is None:
            return message("answer-no-probabilities", model=model)
        return message(
            "answer-miscalibrated" if p <= 1 - level + ROUNDING else "answer-calibrated",
            model=model,
            brier=_shown(brier),
            interval=wording.interval(*self.intervals["brier"].ends, digits=4),
            mcb=_shown(mcb),
            dsc=_shown(self.values["dsc"]),
            unc=_shown(self.unc),
            p=wording.p_value(p),
        )


def _shown(value: float | None) -> str:
    return wording.rate(value, 4)


def calibration(counts: ScoreCounts, *, level: float, kind: IntervalKind) -> Calibration:
    """Return the measures of the probabilities of a model."""
    require_scores(counts, "bins-calibration")
    require_independent(counts, "clusters-calibration")
    values = values_of(counts)
    intervals = {
        name: UNKNOWN if values[name] is None else calibration_interval(counts, name, level=level, kind=kind)
        for name in CALIBRATION
    }
    parts = parts_of(counts)
    return Calibration(
        values,
        intervals,
        unc=None if parts is None else parts.unc,
        mcb_p=calibration_p(counts),
    )


def values_of(counts: ScoreCounts) -> dict[str, float | None]:
    """Return all measures by name, None without a value."""
    parts = parts_of(counts)
    losses = {name: mean_loss(counts, metric) for name, metric in CALIBRATION.items() if metric.loss is not None}
    of_losses = {name: None if found is None else found.value for name, found in losses.items()}
    return of_losses | {name: None if parts is None else getattr(parts, name) for name in PARTS}


def calibration_interval(counts: ScoreCounts, name: str, *, level: float, kind: IntervalKind) -> Interval:
    """Return the interval of a measure that has a value."""
    require_scores(counts, "bins-calibration")
    require_independent(counts, "clusters-calibration")
    metric = CALIBRATION[name]
    if metric.loss is not None:
        found = mean_loss(counts, metric)
        return within(metric, UNKNOWN if found is None else found.interval(level, kind))
    parts, losses = parts_of(counts), squared_losses(counts)
    if parts is None or losses is None or min(counts.p, counts.q) < 2:
        return UNKNOWN
    share = np.full(len(counts), counts.p / counts.n)
    unfitted = losses.of_scores if metric is MCB else _squared(share, 1 - share)
    low, high = (
        _mean_of(counts, (unfitted[0] - fitted[0], unfitted[1] - fitted[1]))
        for fitted in (losses.crossed, losses.fitted)
    )
    return within(metric, Between(getattr(parts, name), low, high).interval(level, kind))


def within(metric: Metric, interval: Interval) -> Interval:
    """Return an interval cut at the ends of the range of its metric, beyond which no value lies."""
    if interval == UNKNOWN:
        return interval
    cut = (min(max(end, metric.least), metric.most) for end in (interval.lower, interval.upper))
    return Interval(*cut)


@dataclass(frozen=True, slots=True, eq=False)
class SquaredLosses:
    """The squared losses of a positive and of a negative at each distinct score."""

    of_scores: Losses
    """Of the scores as they are."""
    fitted: Losses
    """Of the recalibration of all cases."""
    crossed: Losses
    """Of a recalibration of other cases, on average over the cases of the class at the score."""


def squared_losses(counts: ScoreCounts) -> SquaredLosses | None:
    """Return the losses with and without recalibration, None where scores are not probabilities."""
    found = probabilities(counts)
    if found is None:
        return None
    fit = recalibrated(curve(counts))
    return SquaredLosses(_squared(*found), _squared(fit, 1 - fit), _crossed(counts))


def _crossed(counts: ScoreCounts) -> Losses:
    cases, rng = (counts.positives, counts.negatives), generator(SEED)
    left, of_positives, of_negatives = list(cases), np.zeros(len(counts)), np.zeros(len(counts))
    for fold in range(FOLDS):
        held_out = [rng.binomial(of_class, 1 / (FOLDS - fold)) for of_class in left]
        left = [of_class - held for of_class, held in zip(left, held_out, strict=True)]
        fit = _fit(*(of_class - held for of_class, held in zip(cases, held_out, strict=True)))
        of_positives += held_out[0] * (1 - fit) ** 2
        of_negatives += held_out[1] * fit**2
    return of_positives / np.maximum(counts.positives, 1), of_negatives / np.maximum(counts.negatives, 1)


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


@dataclass(frozen=True, slots=True, eq=False)
class ConsistencyBand:
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


def losses_of_cases(
    labels: Flags, scores: Floats, metric: CalibrationMetric, *, lower_is_positive: bool
) -> Floats | None:
    """Return the loss of each case, None where one is infinite or scores are not probabilities."""
    if metric.loss is None or not (scores.min() >= -PROBABILITY_SLACK and scores.max() <= 1 + PROBABILITY_SLACK):
        return None
    of_positive, of_negative = metric.loss(*((1 - scores, scores) if lower_is_positive else (scores, 1 - scores)))
    losses = np.where(labels, of_positive, of_negative)
    return losses if np.isfinite(losses).all() else None
