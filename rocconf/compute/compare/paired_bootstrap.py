"""Differences that have no formula for their variance: the stratified bootstrap, all models on the same drawn cases.

A replicate draws as many positives and as many negatives as there are, with replacement, and every model is measured
on the same draw; models on different cases have a draw each. Intervals and p-values are those
of `rocconf.compute.stats.resampling`. Models that put the cases in the same order have the same value in every sample:
their difference is 0, and so is that of every replicate.
"""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.compare.area_difference import compared_areas
from rocconf.compute.roc.curve import curve
from rocconf.compute.roc.independent import require_independent
from rocconf.compute.roc.ordering import same_order
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.difference import Difference
from rocconf.compute.stats.resampling import Draws, resampled, resampled_together
from rocconf.compute.stats.seeds import generator
from rocconf.compute.tango import MEASURES, SegmentGauge, window
from rocconf.dataclass import dataclass
from rocconf.records import ROBUST, Interval, Predictions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from rocconf.compute.compare.model import ComparedModel
    from rocconf.compute.roc.auc import Area
    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.stats.resampling import Indices, Progress
    from rocconf.records import Floats, ScoreCounts

BOOTSTRAP = "bootstrap"

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
            draws = Draws.of(column, fewest=self.fewest, value=value)
            lower, upper = draws.limits(self.level)
            if name in alike:
                yield name, Difference(value, Interval(lower, upper), 1.0, BOOTSTRAP)
            else:
                p = draws.p if lower < upper else None
                yield name, Difference(value, draws.interval(self.level), p, BOOTSTRAP)

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
    gauges, rng = [Gauge.of(model) for model in models], generator(seed)
    if isinstance(cases, Predictions):
        turned, scores = cases.lower_is_positive, cases.scores.values()
        columns = [gauge.columns(of, lower_is_positive=turned) for gauge, of in zip(gauges, scores, strict=True)]
        widths = [gauge.rows.stop - gauge.rows.start for gauge in gauges]
        batches = resampled_together(cases.labels, columns, widths, replicates, rng=rng, progress=progress)
        parts = zip(*([gauge(m) for gauge, m in zip(gauges, each, strict=True)] for each in batches), strict=True)
        drawn = [np.concatenate(of_model) for of_model in parts]
    else:
        curves = [resampled(gauge.roc.confusion(gauge.rows), replicates, rng) for gauge in gauges]
        drawn = [np.concatenate(list(map(gauge, of_curve))) for gauge, of_curve in zip(gauges, curves, strict=True)]
        if progress:
            progress(replicates)
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
    """Measures replicates of one model at some rows of a curve: those around its segment, for areas those of all scores."""

    roc: Curve
    rows: slice
    near: Indices | slice
    """Those of the rows that the segment is looked for in."""
    max_fpr: float | None
    segment: SegmentGauge
    areas: Sequence[Area]
    """The areas that are compared, but those that have robust intervals."""

    @classmethod
    def of(cls, model: ComparedModel) -> Gauge:
        """Return the gauge of a model."""
        found, max_fpr = model.segment, model.sweep.max_fpr
        segment = SegmentGauge(found.test, found.level, fixed_thresholds=found.thresholds != "distinct")
        is_robust, around = model.sweep.auc.kind == ROBUST, window(found.curve, found.level)
        areas = [area for area in compared_areas(max_fpr) if not (is_robust and area.has_influences)]
        if not areas:
            return cls(found.curve, around, slice(None), max_fpr, segment, areas)
        full = curve(model.counts)
        near = np.searchsorted(full.tp + full.fp, (found.curve.tp + found.curve.fp)[around])
        return cls(full, slice(0, len(full)), near, max_fpr, segment, areas)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that are compared."""
        return (*(area.name for area in self.areas), *SEGMENT)

    def __call__(self, drawn: Confusion) -> Floats:
        """Return the measures of replicates, a row for each."""
        areas = [area.drawn(drawn, self.max_fpr) for area in self.areas]
        near = Confusion(drawn.tp[:, self.near], drawn.fp[:, self.near], drawn.p, drawn.q)
        return np.column_stack([*areas, self.segment(near)[:, COMPARED]])

    def columns(self, scores: Floats, *, lower_is_positive: bool) -> Indices:
        """Return the first of the rows at which each case is predicted positive, their number if it is at none."""
        sign = 1 if lower_is_positive else -1
        first = max(self.rows.start, 1)  # not even an infinite score reaches the row that predicts nothing positive
        reached = np.searchsorted(sign * self.roc.thresholds[first : self.rows.stop], sign * scores, side="left")
        return np.asarray(reached + (first - self.rows.start))
