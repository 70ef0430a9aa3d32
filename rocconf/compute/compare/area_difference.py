r"""The difference of partial areas and average precisions of two models, with robust intervals.

On the same cases, each case moves the difference by its influence in one model less that in the other (see
`rocconf.compute.roc.area_spread`), and the interval is that of a robust difference of AUCs. On different cases it is the
square-and-add of the two intervals.
"""

from __future__ import annotations

from dataclasses import replace
from math import fsum, nan
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.area_spread import area_spread, influences
from rocconf.compute.roc.auc import AREAS
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.roc.ordering import same_order
from rocconf.compute.stats.auc_difference import robust_difference, unpaired_robust_difference
from rocconf.compute.stats.auc_intervals import DelongVariance
from rocconf.compute.stats.difference import Difference
from rocconf.dataclass import dataclass
from rocconf.records import ROBUST, UNKNOWN, Interval

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocconf.compute.compare.model import ComparedModel
    from rocconf.compute.roc.auc import Area
    from rocconf.compute.stats.resampling import Indices
    from rocconf.records import Floats, Predictions


def compared_areas(max_fpr: float | None) -> list[Area]:
    """Return the areas that two models are compared by, a partial one only up to a false positive rate."""
    return [area for area in AREAS.values() if area.has_difference and (max_fpr is not None or not area.undefined)]


def _robust_areas(model: ComparedModel) -> Iterator[tuple[Area, float | None]]:
    """Yield the areas with robust intervals, each with the false positive rate up to which it is taken."""
    for area in compared_areas(model.sweep.max_fpr):
        if area.has_influences:
            yield area, model.sweep.max_fpr if area.undefined else None


def paired_area_differences(
    predictions: Predictions, first: ComparedModel, second: ComparedModel, *, level: float
) -> Iterator[tuple[str, Difference]]:
    """Yield the difference of two models in every area, on the same cases."""
    require_independent(predictions, "clusters-areas")
    is_same_order = same_order(*(predictions.scores[model.name] for model in (first, second)))
    for area, limit in _robust_areas(first):
        scale = 1.0 if limit is None else limit
        if is_same_order:
            yield area.name, Difference(0.0, Interval(0.0, 0.0), 1.0, ROBUST, ROBUST)
            continue
        difference = (first.measures[area.name] - second.measures[area.name]) / scale
        of_cases = _influences(predictions, first, limit) - _influences(predictions, second, limit)
        positives, negatives = (_Moments.of(of_cases[of]) for of in (predictions.labels, ~predictions.labels))
        variance = DelongVariance(positives.variance, negatives.variance, positives.size, negatives.size)
        cumulant = positives.third_cumulant + negatives.third_cumulant
        count = None if limit is None else max(limit * negatives.size, 1.0)
        found = robust_difference(difference, variance, cumulant, level=level, negatives=count)
        yield area.name, _scaled(found, scale)


def unpaired_area_differences(
    first: ComparedModel, second: ComparedModel, *, level: float
) -> Iterator[tuple[str, Difference]]:
    """Yield the difference of two models in every area, on different cases."""
    for area, limit in _robust_areas(first):
        spreads = (area_spread(curve(model.counts), limit) for model in (first, second))
        yield area.name, _scaled(unpaired_robust_difference(*spreads, level=level), 1.0 if limit is None else limit)


def first_rows(thresholds: Floats, scores: Floats, *, turned: bool) -> Indices:
    """Return the first row of a curve at which each case is predicted positive, the number of rows if there is none."""
    sign = 1 if turned else -1
    # past the row that predicts nothing positive, whose threshold no score reaches, not even an infinite one
    return 1 + np.searchsorted(sign * thresholds[1:], sign * scores, side="left")


@dataclass(frozen=True, slots=True)
class _Moments:
    """The variance and the third cumulant of the mean of a class, whatever the order of its cases."""

    size: int
    variance: float
    third_cumulant: float

    @classmethod
    def of(cls, moved: Floats) -> _Moments:
        size = len(moved)
        about_mean = moved - fsum(moved.tolist()) / size
        squares, cubes = (fsum((about_mean**power).tolist()) for power in (2, 3))
        return cls(size, squares / (size - 1) / size if size > 1 else nan, cubes / size**3)


def _influences(predictions: Predictions, model: ComparedModel, max_fpr: float | None) -> Floats:
    """Return how much each case moves the area of a model."""
    roc = curve(model.counts)
    of_rows = influences(roc, max_fpr)
    rows = first_rows(roc.thresholds, predictions.scores[model.name], turned=predictions.lower_is_positive) - 1
    return np.where(predictions.labels, of_rows.of_positives[rows], of_rows.of_negatives[rows])


def _scaled(found: Difference, scale: float) -> Difference:
    if found.interval == UNKNOWN:
        return replace(found, value=found.value * scale)
    interval = Interval(found.interval.lower * scale, found.interval.upper * scale)
    return replace(found, value=found.value * scale, interval=interval)
