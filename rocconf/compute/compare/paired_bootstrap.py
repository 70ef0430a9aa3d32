"""Differences that have no formula for their variance: the stratified bootstrap, all models on the same drawn cases.

A replicate draws as many positives and as many negatives as there are, with replacement, and every model is measured
on the same draw; models on different cases have a draw each. Intervals and p-values are those
of `rocconf.compute.stats.bootstrap`. Models that put the cases in the same order have the same value in every sample:
their difference is 0, and so is that of every replicate.
"""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.compare.area_difference import compared_areas
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.drawn_cases import MOST_WEIGHTS, WORD, Cumulated, DrawnCases, draw_weights
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.roc.ordering import same_order
from rocconf.compute.roc.resample import Replicates, batches
from rocconf.compute.stats.bootstrap import percentile_limits, percentile_p, varies
from rocconf.compute.stats.seeds import generator
from rocconf.compute.tango import MEASURES, MeasuredCurve, SegmentGauge, draw_segments
from rocconf.dataclass import dataclass
from rocconf.records import ROBUST, UNKNOWN, Interval, Predictions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from numpy.random import Generator

    from rocconf.compute.compare.model import ComparedModel
    from rocconf.compute.roc.auc import Area
    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.roc.drawn_cases import Weights
    from rocconf.compute.roc.resample import Indices, Progress
    from rocconf.records import Floats, ScoreCounts

BOOTSTRAP = "bootstrap"
ROW_OF_AREA = 32
"""The bytes of a row of a curve that an area is computed of."""

SEGMENT = tuple(name for name, metric in MEASURES.items() if metric.has_difference)
COMPARED = [list(MEASURES).index(name) for name in SEGMENT]
"""The measures of a confident segment that are compared, and their places."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Replicates of all models: a row for each replicate and a column for each measure."""

    measures: tuple[str, ...]
    observed: Sequence[Mapping[str, float]]
    replicates: Sequence[Floats]
    level: float
    fewest: int
    """The number of cases of the smallest class."""
    columns: Sequence[Floats] = ()
    """The scores of all models, on the same cases."""
    fixed_thresholds: bool = False
    """Whether the thresholds of the segment were listed, rather than each model's distinct scores."""

    def differences(self, first: int, second: int) -> Iterator[tuple[str, Difference | None]]:
        """Yield the difference of two models in every measure."""
        drawn = self.replicates[first] - self.replicates[second]
        alike = self._alike(first, second)
        for name, column in zip(self.measures, drawn.T, strict=True):
            value = self.observed[first][name] - self.observed[second][name]
            if isnan(value):
                yield name, None
                continue
            lower, upper = percentile_limits(column, self.level)
            if name not in alike and (self.fewest < 2 or not varies(column) or not lower < upper):
                yield name, Difference(value, UNKNOWN, None, BOOTSTRAP)
            else:
                interval = Interval(float(lower), float(upper))
                yield name, Difference(value, interval, percentile_p(column), BOOTSTRAP)

    def _alike(self, first: int, second: int) -> Collection[str]:
        """Return the measures that are equal in every sample, as both models put the cases in the same order.

        At listed thresholds the order does not determine which cases are predicted positive: the scores must be equal.
        """
        if not self.columns or not same_order(self.columns[first], self.columns[second]):
            return ()
        if self.fixed_thresholds and not np.array_equal(self.columns[first], self.columns[second]):
            return [name for name in self.measures if name not in SEGMENT]
        return self.measures


def draw_replicates(
    cases: Predictions | Sequence[ScoreCounts],
    models: Sequence[ComparedModel],
    *,
    replicates: int,
    seed: int,
    progress: Progress | None = None,
) -> Drawn:
    """Return replicates of all models: of the same cases or, for models on different cases, of each separately."""
    require_independent(models[0].counts, "clusters-bootstrap")
    gauges = [Gauge.of(model) for model in models]
    if isinstance(cases, Predictions):
        drawn = _on_same_cases(cases, gauges, replicates, generator(seed), progress)
    else:
        drawn = _on_other_cases(gauges, replicates, generator(seed), progress)
    return Drawn(
        gauges[0].measures,
        [model.measures for model in models],
        drawn,
        models[0].segment.level,
        fewest=min(min(model.counts.p, model.counts.q) for model in models),
        columns=tuple(cases.scores.values()) if isinstance(cases, Predictions) else (),
        fixed_thresholds=any(gauge.segment.fixed_thresholds for gauge in gauges),
    )


@dataclass(frozen=True, slots=True)
class Gauge:
    """Measures replicates of one model: the curve of all scores, and the curve at the thresholds of the segment."""

    full: Curve
    listed: Curve
    max_fpr: float | None
    segment: SegmentGauge
    is_robust: bool

    @classmethod
    def of(cls, model: ComparedModel) -> Gauge:
        """Return the gauge of a model."""
        found = model.segment
        fixed = found.thresholds != "distinct"
        segment = SegmentGauge(found.test, model.counts.p, model.counts.q, found.level, fixed_thresholds=fixed)
        is_robust = model.sweep.auc.kind == ROBUST
        return cls(curve(model.counts), found.curve, model.sweep.max_fpr, segment, is_robust)

    @property
    def areas(self) -> list[Area]:
        """The areas that are compared, but those that have robust intervals."""
        return [area for area in compared_areas(self.max_fpr) if not (self.is_robust and area.has_influences)]

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that are compared."""
        return (*(area.name for area in self.areas), *SEGMENT)

    def __call__(self, full: Replicates, listed: Replicates | DrawnCases) -> Floats:
        """Return the measures of both curves, a row for each replicate."""
        areas = [area.drawn(full, self.max_fpr) for area in self.areas]
        return np.column_stack([*areas, self.segment(listed)[:, COMPARED]])


def _on_same_cases(
    predictions: Predictions, gauges: Sequence[Gauge], replicates: int, rng: Generator, progress: Progress | None
) -> list[Floats]:
    columns, turned = list(predictions.scores.values()), predictions.lower_is_positive
    ranked = [-column for column in columns] if turned else columns
    if not gauges[0].areas:
        curves = [MeasuredCurve(gauge.segment, gauge.listed, of) for gauge, of in zip(gauges, ranked, strict=True)]
        found = draw_segments(curves, replicates, rng, labels=predictions.labels, progress=progress)
        return [measures[:, COMPARED] for measures in found]
    # in an order that depends neither on that of the rows (cases that are equal in all columns are interchangeable) nor
    # on which end of the scores is positive
    order = np.lexsort([*reversed(ranked), predictions.labels])
    positives, negatives = order[predictions.labels[order]], order[~predictions.labels[order]]
    models = [_Cases.of(gauge, column, positives, negatives) for gauge, column in zip(gauges, ranked, strict=True)]
    rows = max(len(gauge.full) for gauge in gauges)
    at_once = max(1, MOST_WEIGHTS // (len(predictions) + rows * ROW_OF_AREA))
    parts: list[list[Floats]] = [[] for _ in models]
    for done in range(0, replicates, at_once):
        size = min(at_once, replicates - done)
        drawn = [draw_weights(len(of), size, rng) for of in (positives, negatives)]
        for own, model in zip(parts, models, strict=True):
            own.append(model.measured(*drawn))
        if progress:
            progress(size)
    return [np.concatenate(own) for own in parts]


def _on_other_cases(
    gauges: Sequence[Gauge], replicates: int, rng: Generator, progress: Progress | None
) -> list[Floats]:
    found = []
    for gauge, stream in zip(gauges, rng.spawn(len(gauges)), strict=True):
        if not gauge.areas:
            (measures,) = draw_segments([MeasuredCurve(gauge.segment, gauge.listed)], replicates, stream)
            found.append(measures[:, COMPARED])
            continue
        rows = np.searchsorted(gauge.full.tp + gauge.full.fp, gauge.listed.tp + gauge.listed.fp)
        drawn = batches(gauge.full, slice(None), replicates, stream)
        parts = [gauge(each.whole(), Replicates(each.tp[:, rows], each.fp[:, rows])) for each in drawn]
        found.append(np.concatenate(parts))
    if progress:
        progress(replicates)
    return found


@dataclass(frozen=True, slots=True)
class _Cases:
    """The order in which a model ranks the cases of each class, the most positive first."""

    gauge: Gauge
    positives: Indices
    negatives: Indices

    @classmethod
    def of(cls, gauge: Gauge, ranked: Floats, positives: Indices, negatives: Indices) -> _Cases:
        return cls(gauge, *(_padded(np.argsort(-ranked[of], kind="stable")) for of in (positives, negatives)))

    def measured(self, positives: Weights, negatives: Weights) -> Floats:
        """Return the measures of replicates, the weights of whose cases are a line each."""
        ordered = (
            Cumulated.of(np.take(drawn, order, axis=1))
            for drawn, order in ((positives, self.positives), (negatives, self.negatives))
        )
        full = DrawnCases(self.gauge.full, *ordered)
        return self.gauge(full.whole(), replace(full, roc=self.gauge.listed))


def _padded(order: Indices) -> Indices:
    """Return an order of cases with the zeros that follow their weights."""
    return np.concatenate([order, np.arange(len(order), -(-len(order) // WORD) * WORD)])
