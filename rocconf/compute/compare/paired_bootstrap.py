"""Differences that have no formula for their variance: the stratified bootstrap, all models on the same drawn cases.

A replicate draws as many positives and as many negatives as there are, with replacement, and every model is measured
on the same draw; models on different cases have a draw each. Intervals and p-values are those
of `rocconf.compute.stats.resampling`. Models that put the cases in the same order have the same value in every sample:
their difference is 0, and so is that of every replicate.
"""

from __future__ import annotations

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
    from collections.abc import Iterator, Sequence

    from rocconf.compute.compare.model import ComparedModel
    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.stats.resampling import Indices, Progress
    from rocconf.records import Floats, ScoreCounts

BOOTSTRAP = "bootstrap"

SEGMENT = tuple(name for name, metric in MEASURES.items() if metric.has_difference)
COMPARED = [list(MEASURES).index(name) for name in SEGMENT]
"""The measures of a confident segment that are compared, and their places."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Replicates of all models."""

    models: Sequence[ComparedModel]
    replicates: Sequence[Floats]
    """For each model a row for each replicate and a column for each measure."""
    columns: Sequence[Floats] = ()
    """The scores of all models, on the same cases."""

    def differences(self, first: int, second: int) -> Iterator[tuple[str, Draws | None]]:
        """Yield the difference of two models in every measure."""
        is_certain = self._are_alike(first, second)
        fewest = min(min(model.counts.p, model.counts.q) for model in self.models)
        for name, drawn in zip(SEGMENT, (self.replicates[first] - self.replicates[second]).T, strict=True):
            one, other = (getattr(self.models[at].segment.segment, name) for at in (first, second))
            is_known = one is not None and other is not None
            yield name, Draws.of(drawn, fewest=fewest, value=one - other, is_certain=is_certain) if is_known else None

    def _are_alike(self, first: int, second: int) -> bool:
        """Whether all measures are equal in every sample, as both models put the cases in the same order.

        At listed thresholds the order does not determine which cases are predicted positive: the scores must be equal.
        """
        if not self.columns:
            return False
        one, other = self.columns[first], self.columns[second]
        are_listed = any(model.segment.thresholds != "distinct" for model in self.models)
        return np.array_equal(one, other) if are_listed else same_order(one, other)


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
    found, rng = [model.segment for model in models], generator(seed)
    gauges = [SegmentGauge(each.test, each.level, fixed_thresholds=each.thresholds != "distinct") for each in found]
    curves = [(each.curve, window(each.curve, each.level)) for each in found]  # with the rows around the segment
    if not isinstance(cases, Predictions):
        drawn = [
            np.concatenate([gauge(m) for m in resampled(roc.confusion(rows), replicates, rng)])[:, COMPARED]
            for gauge, (roc, rows) in zip(gauges, curves, strict=True)
        ]
        if progress:
            progress(replicates)
        return Drawn(models, drawn)
    scores = tuple(cases.scores.values())
    sign = 1 if cases.lower_is_positive else -1
    columns = [_first_rows(*curve, sign * of, sign) for curve, of in zip(curves, scores, strict=True)]
    widths = [rows.stop - rows.start for _, rows in curves]
    batches = resampled_together(cases.labels, columns, widths, replicates, rng=rng, progress=progress)
    measured = zip(*([gauge(m) for gauge, m in zip(gauges, each, strict=True)] for each in batches), strict=True)
    return Drawn(models, [np.concatenate(of_model)[:, COMPARED] for of_model in measured], scores)


def _first_rows(roc: Curve, rows: slice, scores: Floats, sign: int) -> Indices:
    """Return the first of the rows at which each case is predicted positive, their number if it is at none."""
    first = max(rows.start, 1)  # not even an infinite score reaches the row that predicts nothing positive
    reached = np.searchsorted(sign * roc.thresholds[first : rows.stop], scores, side="left")
    return np.asarray(reached + (first - rows.start))
