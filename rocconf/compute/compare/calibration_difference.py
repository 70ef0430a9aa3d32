"""Differences of two models as probabilities: of their losses, and of the parts of the Brier score.

On the same cases a difference of mean losses is the mean of the cases' differences, with the interval of a mean
(`rocconf.compute.stats.mean_interval`). Those of miscalibration and discrimination are bootstrapped, both models on the
same draws; the limits are the wider of the basic and of the percentile bootstrap, as the bias of either model is not
that of the other, and are approximate. On different cases they have the intervals of a difference of two estimates
(`rocconf.compute.stats.weighted_sum`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.compare.area_difference import first_rows
from rocconf.compute.roc.calibration import (
    CALIBRATION,
    PARTS,
    REPLICATES,
    basic_interval,
    calibration_interval,
    largest_loss,
    losses_of_cases,
    mean_loss,
    parts_of,
    parts_of_curve,
    probabilities,
    values_of,
)
from rocconf.compute.roc.curve import Curve, curve
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.stats.bootstrap import percentile_interval, percentile_p
from rocconf.compute.stats.difference import Difference
from rocconf.compute.stats.mean_interval import MeanLoss
from rocconf.compute.stats.seeds import SEED, generator
from rocconf.compute.stats.weighted_sum import MOVER, Part, difference_of, sum_interval
from rocconf.records import UNKNOWN, Interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocconf.compute.roc.calibration import CalibrationMetric
    from rocconf.compute.roc.resample import Indices
    from rocconf.records import Floats, IntervalKind, Predictions, ScoreCounts

TWO_BOOTSTRAPS = "basic-and-percentile"
"""The test of a difference of parts of the Brier score."""


def paired_calibration(
    predictions: Predictions, first: ScoreCounts, second: ScoreCounts, *, level: float, kind: IntervalKind
) -> Iterator[tuple[str, Difference | None]]:
    """Yield the difference of two models in every measure of probabilities, on the same cases."""
    require_independent(predictions, "clusters-calibration")
    for name, metric in CALIBRATION.items():
        if metric.loss is not None:
            yield name, _paired_loss(predictions, first, second, metric, level=level, kind=kind)
    one, other = parts_of(first), parts_of(second)
    if one is None or other is None:
        yield from ((name, None) for name in PARTS)
        return
    drawn = _drawn(predictions, (first, second)) if min(first.p, first.q) > 1 else {}
    for name in PARTS:
        yield name, _wider(getattr(one, name) - getattr(other, name), drawn.get(name), level)


def _wider(value: float, drawn: Floats | None, level: float) -> Difference:
    """Return a difference within the wider limits of two bootstraps."""
    if drawn is None:
        return Difference(value, UNKNOWN, None, TWO_BOOTSTRAPS)
    basic, percentile = basic_interval(value, drawn, level), percentile_interval(drawn, level)
    if UNKNOWN in (basic, percentile):
        return Difference(value, UNKNOWN, None, TWO_BOOTSTRAPS)
    interval = Interval(min(basic.lower, percentile.lower), max(basic.upper, percentile.upper))
    p = max(percentile_p(drawn), percentile_p(2 * value - drawn))
    return Difference(value, interval, p, TWO_BOOTSTRAPS)


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
            yield name, Difference(one - other, _between((one, other), around), None, MOVER)


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
    one, other = mean_loss(first, metric), mean_loss(second, metric)
    if one is None or other is None:
        return None
    values = one.value, other.value

    def interval_at(level: float) -> Interval:
        return _between(values, [each.interval(level, kind) for each in (one, other)])

    if interval_at(level) == UNKNOWN:
        return Difference(values[0] - values[1], UNKNOWN, None, MOVER, kind)
    return difference_of(values[0] - values[1], interval_at, level=level, kind=kind)


def _between(values: tuple[float, float], around: Sequence[Interval]) -> Interval:
    """Return the interval of a difference of two estimates, unknown if a limit of theirs is."""
    if any(None in each.ends for each in around):
        return UNKNOWN
    return sum_interval(Part(1.0, values[0], around[0]), Part(-1.0, values[1], around[1]))


def _drawn(predictions: Predictions, models: tuple[ScoreCounts, ScoreCounts]) -> dict[str, Floats]:
    """Return the differences of the parts in replicates of the cases, drawn within the classes."""
    labels, turned, rng = predictions.labels, predictions.lower_is_positive, generator(SEED)
    columns = [predictions.scores[counts.model] for counts in models]
    # in an order that does not depend on that of the rows: cases that are equal in both columns are interchangeable
    order = np.lexsort([*reversed([-column for column in columns] if turned else columns), labels])
    classes = order[labels[order]], order[~labels[order]]
    curves = [curve(counts) for counts in models]
    rows = [first_rows(roc.thresholds, column, turned=turned) for roc, column in zip(curves, columns, strict=True)]
    scores = [found[0] for counts in models if (found := probabilities(counts)) is not None]
    drawn: dict[str, list[float]] = {name: [] for name in PARTS}
    for _ in range(REPLICATES):
        positives, negatives = (of[rng.integers(len(of), size=len(of))] for of in classes)
        one, other = (
            parts_of_curve(_curve_of(roc, at[positives], at[negatives]), of_positive)
            for roc, at, of_positive in zip(curves, rows, scores, strict=True)
        )
        for name in PARTS:
            drawn[name].append(getattr(one, name) - getattr(other, name))
    return {name: np.array(values) for name, values in drawn.items()}


def _curve_of(roc: Curve, positives: Indices, negatives: Indices) -> Curve:
    """Return the curve of cases that are predicted positive from these rows on."""
    tp, fp = (np.cumsum(np.bincount(rows, minlength=len(roc))) for rows in (positives, negatives))
    return Curve(roc.thresholds, tp, fp, roc.p, roc.q)
