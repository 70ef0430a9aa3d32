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

from rocconf.compute.roc.independent import require_independent
from rocconf.compute.roc.ordering import same_order
from rocconf.compute.stats.resampling import Draws, resampled, resampled_together
from rocconf.compute.stats.seeds import generator
from rocconf.compute.tango import MEASURES, SegmentGauge, window
from rocconf.dataclass import dataclass
from rocconf.records import Predictions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rocconf.compute.compare.model import ComparedModel
    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.stats.confusion import Confusion
    from rocconf.compute.stats.resampling import Indices, Progress
    from rocconf.records import Floats, ScoreCounts

BOOTSTRAP = "bootstrap"

SEGMENT = tuple(name for name, metric in MEASURES.items() if metric.has_difference)
COMPARED = [list(MEASURES).index(name) for name in SEGMENT]
"""The measures of a confident segment that are compared, and their places."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Replicates of all models: a row for each replicate and a column for each measure."""

    observed: Sequence[Mapping[str, float]]
    replicates: Sequence[Floats]
    fewest: int
    """The number of cases of the smallest class."""
    columns: Sequence[Floats] = ()
    """The scores of all models, on the same cases."""
    fixed_thresholds: bool = False
    """Whether the thresholds of the segment were listed, rather than each model's distinct scores."""

    def differences(self, first: int, second: int) -> Iterator[tuple[str, Draws | None]]:
        """Yield the difference of two models in every measure."""
        drawn = self.replicates[first] - self.replicates[second]
        is_certain = self._are_alike(first, second)
        for name, column in zip(SEGMENT, drawn.T, strict=True):
            value = self.observed[first][name] - self.observed[second][name]
            yield (
                name,
                None if isnan(value) else Draws.of(column, fewest=self.fewest, value=value, is_certain=is_certain),
            )

    def _are_alike(self, first: int, second: int) -> bool:
        """Whether all measures are equal in every sample, as both models put the cases in the same order.

        At listed thresholds the order does not determine which cases are predicted positive: the scores must be equal.
        """
        if not self.columns:
            return False
        one, other = self.columns[first], self.columns[second]
        return np.array_equal(one, other) if self.fixed_thresholds else same_order(one, other)


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
        [model.measures for model in models],
        drawn,
        fewest=min(min(model.counts.p, model.counts.q) for model in models),
        columns=tuple(cases.scores.values()) if isinstance(cases, Predictions) else (),
        fixed_thresholds=any(gauge.segment.fixed_thresholds for gauge in gauges),
    )


@dataclass(frozen=True, slots=True)
class Gauge:
    """Measures the segments of replicates of one model at the rows of its curve around its segment."""

    roc: Curve
    rows: slice
    segment: SegmentGauge

    @classmethod
    def of(cls, model: ComparedModel) -> Gauge:
        """Return the gauge of a model."""
        found = model.segment
        segment = SegmentGauge(found.test, found.level, fixed_thresholds=found.thresholds != "distinct")
        return cls(found.curve, window(found.curve, found.level), segment)

    def __call__(self, drawn: Confusion) -> Floats:
        """Return the measures of replicates, a row for each."""
        return self.segment(drawn)[:, COMPARED]

    def columns(self, scores: Floats, *, lower_is_positive: bool) -> Indices:
        """Return the first of the rows at which each case is predicted positive, their number if it is at none."""
        sign = 1 if lower_is_positive else -1
        first = max(self.rows.start, 1)  # not even an infinite score reaches the row that predicts nothing positive
        reached = np.searchsorted(sign * self.roc.thresholds[first : self.rows.stop], sign * scores, side="left")
        return np.asarray(reached + (first - self.rows.start))
