"""Differences of two models as probabilities: of their losses, and of the parts of the Brier score.

On the same cases a difference of mean losses is the mean of the cases' differences, with the interval of a mean
(`rocconf.compute.stats.mean_interval`). So are those of miscalibration and discrimination, between two means: whichever
model is recalibrated by its own cases gains too much, and by a fit to other cases too little. On different cases they
have the intervals of a difference of two estimates (`rocconf.compute.stats.weighted_sum`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.compare.area_difference import first_rows
from rocconf.compute.roc.calibration import (
    CALIBRATION,
    DSC,
    MCB,
    PARTS,
    calibration_interval,
    largest_loss,
    losses_of_cases,
    mean_loss,
    parts_of,
    squared_losses,
    values_of,
    within,
)
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.stats.difference import Difference
from rocconf.compute.stats.mean_interval import Between, MeanLoss
from rocconf.compute.stats.weighted_sum import MOVER, Part, difference_of, sum_interval
from rocconf.dataclass import dataclass
from rocconf.records import UNKNOWN, Interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocconf.compute.roc.calibration import CalibrationMetric, SquaredLosses
    from rocconf.records import Floats, IntervalKind, Predictions, ScoreCounts

CROSS_FITTED = "cross-fitted"
"""The test of a difference of parts of the Brier score."""


def paired_calibration(
    predictions: Predictions, first: ScoreCounts, second: ScoreCounts, *, level: float, kind: IntervalKind
) -> Iterator[tuple[str, Difference | None]]:
    """Yield the difference of two models in every measure of probabilities, on the same cases."""
    require_independent(predictions, "clusters-calibration")
    for name, metric in CALIBRATION.items():
        if metric.loss is not None:
            yield name, _paired_loss(predictions, first, second, metric, level=level, kind=kind)
    yield from _paired_parts(predictions, first, second, level=level, kind=kind)


def _paired_parts(
    predictions: Predictions, first: ScoreCounts, second: ScoreCounts, *, level: float, kind: IntervalKind
) -> Iterator[tuple[str, Difference | None]]:
    parts, losses = [parts_of(counts) for counts in (first, second)], []
    for counts in (first, second):
        of_model = squared_losses(counts)
        if of_model is None or None in parts:
            yield from ((name, None) for name in PARTS)
            return
        losses.append(_of_cases(of_model, predictions, counts))
    one, other = losses
    gains = {
        MCB.name: (
            (one.of_scores - one.crossed) - (other.of_scores - other.fitted),
            (one.of_scores - one.fitted) - (other.of_scores - other.crossed),
        ),
        DSC.name: (other.fitted - one.crossed, other.crossed - one.fitted),
    }
    for name, means in gains.items():
        value = getattr(parts[0], name) - getattr(parts[1], name)
        if min(first.p, first.q) < 2:
            yield name, Difference(value, UNKNOWN, None, CROSS_FITTED, kind)
        else:
            low, high = (MeanLoss.of(each, reach=1.0) for each in means)
            yield name, Between(value, low, high).difference(level=level, kind=kind, test=CROSS_FITTED)


@dataclass(frozen=True, slots=True, eq=False)
class _OfCases:
    """The squared loss of each case."""

    of_scores: Floats
    fitted: Floats
    crossed: Floats


def _of_cases(of_model: SquaredLosses, predictions: Predictions, counts: ScoreCounts) -> _OfCases:
    scores, turned = predictions.scores[counts.model], predictions.lower_is_positive
    at = first_rows(counts.thresholds, scores, turned=turned) - 1
    return _OfCases(
        *(
            np.where(predictions.labels, of_positive[at], of_negative[at])
            for of_positive, of_negative in (of_model.of_scores, of_model.fitted, of_model.crossed)
        )
    )


def unpaired_calibration(
    first: ScoreCounts, second: ScoreCounts, *, level: float, kind: IntervalKind
) -> Iterator[tuple[str, Difference | None]]:
    """Yield the difference of two models in every measure of probabilities, on different cases."""
    values = [values_of(counts) for counts in (first, second)]
    for name, metric in CALIBRATION.items():
        one, other = (each[name] for each in values)
        if one is None or other is None:
            yield name, None
        elif metric.loss is not None:
            yield name, _unpaired_loss(first, second, metric, level=level, kind=kind)
        else:
            around = [calibration_interval(counts, name, level=level, kind=kind) for counts in (first, second)]
            yield name, Difference(one - other, _between((one, other), around), None, MOVER, kind)


def _paired_loss(
    predictions: Predictions,
    first: ScoreCounts,
    second: ScoreCounts,
    metric: CalibrationMetric,
    *,
    level: float,
    kind: IntervalKind,
) -> Difference | None:
    turned = predictions.lower_is_positive
    one, other = (
        losses_of_cases(predictions.labels, predictions.scores[counts.model], metric, lower_is_positive=turned)
        for counts in (first, second)
    )
    if one is None or other is None:
        return None
    found = MeanLoss.of(one - other, reach=max(largest_loss(counts, metric) for counts in (first, second)))
    return found.difference(level=level, kind=kind)


def _unpaired_loss(
    first: ScoreCounts, second: ScoreCounts, metric: CalibrationMetric, *, level: float, kind: IntervalKind
) -> Difference | None:
    one, other = (mean_loss(counts, metric) for counts in (first, second))
    if one is None or other is None:
        return None
    values = one.value, other.value

    def interval_at(level: float) -> Interval:
        return _between(values, [within(metric, each.interval(level, kind)) for each in (one, other)])

    if interval_at(level) == UNKNOWN:
        return Difference(values[0] - values[1], UNKNOWN, None, MOVER, kind)
    return difference_of(values[0] - values[1], interval_at, level=level, kind=kind)


def _between(values: tuple[float, float], around: Sequence[Interval]) -> Interval:
    """Return the interval of a difference of two estimates, unknown if a limit of theirs is."""
    if any(None in each.ends for each in around):
        return UNKNOWN
    return sum_interval(Part(1.0, values[0], around[0]), Part(-1.0, values[1], around[1]))
