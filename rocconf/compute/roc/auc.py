r"""The area under the ROC curve from counts, with DeLong's standard error.

The area is Mann-Whitney's statistic, ties counting half: with :math:`x_s, y_s` positives and negatives at score s,

.. math:: A = \frac{1}{PQ}\sum_s x_s\left(Y_{<s} + \tfrac12 y_s\right)

DeLong's variance is :math:`S_{10}/P + S_{01}/Q`, the sample variances of the placements of the positives among the
negatives and of the negatives among the positives [1]_. Both are functions of the score, so counts are enough and
one pass over the distinct scores computes it [2]_.

The interval is that of `rocconf.compute.stats.auc_intervals`.

References
----------
.. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), Biometrics 44, 837-845.
.. [2] X. Sun, W. Xu (2014), IEEE Signal Processing Letters 21, 1389-1393.
.. [3] D. K. McClish (1989), Medical Decision Making 9, 190-195.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.stats.auc_intervals import auc_of
from rocconf.compute.stats.exact import twice_area
from rocconf.compute.stats.placements import placements_of, placements_of_sums, require_sums, variance_of
from rocconf.dataclass import dataclass
from rocconf.errors import UsageError
from rocconf.metric import Metric
from rocconf.records import ROBUST, UNKNOWN, Interval, slices
from rocconf.table import Column
from rocconf.threads import mapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.stats.auc_intervals import Auc, DelongVariance
    from rocconf.compute.stats.confusion import Confusion
    from rocconf.metric import IntervalMethod
    from rocconf.records import Counts, Floats, IntervalKind

AUC = Metric("auc", aliases=("roc_auc",), has_difference=True, interval_method="formula")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Area(Metric):
    """An area whose interval is bootstrapped, unless it has influences and the kind is `robust`."""

    interval_method: IntervalMethod = "bootstrap"
    has_influences: bool = False
    """Whether it has a robust interval (see `rocconf.compute.roc.area_spread`)."""
    of: Callable[[Curve, float | None], float | None] = field(kw_only=True)
    """The area of a curve, up to a false positive rate if there is one."""
    drawn: Callable[[Confusion, float | None], Floats] = field(kw_only=True)
    """The area of each replicate of a curve."""


def auc(roc: Curve, *, level: float = 0.95, interval: IntervalKind = ROBUST) -> Auc:
    """Return the area under a curve of all distinct scores, with its standard error and interval."""
    if roc.wide is not None and roc.sums is not None:
        parts = placements_of_sums(roc.tp, roc.fp, roc.wide, roc.sums)
        return auc_of(parts[0].sums[0] / (2 * roc.p * roc.q), variance_of(*parts), level=level, kind=interval)
    if roc.wide is not None:
        from rocconf.compute.roc.binned import auc_in_bins

        return auc_in_bins(roc.tp, roc.fp, roc.wide, delong_variance(roc), level=level, kind=interval)
    if roc.clusters is not None:
        return auc_of(area_under(roc), delong_variance(roc), level=level, kind=interval)
    positives, negatives = placements_of(roc.tp, roc.fp)
    if roc.sums is not None:
        require_sums(positives, negatives, roc.sums)
    area = positives.sums[0] / (2 * roc.p * roc.q)
    return auc_of(area, variance_of(positives, negatives), level=level, kind=interval)


def area_under(roc: Curve) -> float:
    """Return Mann-Whitney's share of pairs in the right order, from whole numbers."""
    return twice_area(roc.tp, roc.fp) / (2 * roc.p * roc.q)


def delong_variance(roc: Curve) -> DelongVariance:
    """Return DeLong's variance, exactly 0 for equal placements; of clustered cases that of Obuchowski."""
    if roc.clusters is not None:
        from rocconf.compute.roc.clustered import clustered_variance

        return clustered_variance(roc, roc.clusters)
    return variance_of(*placements_of(roc.tp, roc.fp))


def average_precision(roc: Curve) -> float:
    """Return the mean of the precision over the positives, each at its own score's threshold."""
    return sum(mapped(lambda piece: float(precision_total(*piece)), _pieces(roc))) / roc.p


def average_precisions(drawn: Confusion) -> Floats:
    """Return the average precision of each replicate."""
    return precision_total(drawn.tp, drawn.fp) / drawn.tp[:, -1]


def partial_auc(roc: Curve, max_fpr: float) -> float:
    """Return the area under the curve left of a false positive rate, the curve cut on its straight line."""
    require_max_fpr(max_fpr)
    left = slice(int(np.searchsorted(roc.fp, max_fpr * roc.q, side="right")) + 1)
    return float(area_left_of(roc.fp[left] / roc.q, roc.tp[left] / roc.p, max_fpr))


def require_max_fpr(max_fpr: float) -> None:
    """Reject a largest false positive rate outside (0, 1]."""
    if not 0 < max_fpr <= 1:
        raise UsageError("max-fpr-range", max_fpr=max_fpr)


def partial_aucs(drawn: Confusion, max_fpr: float) -> Floats:
    """Return the area left of a false positive rate of each replicate."""
    return area_left_of(drawn.fp / drawn.fp[:, -1:], drawn.tp / drawn.tp[:, -1:], max_fpr)


def mcclish(partial: Any, max_fpr: float) -> Any:
    """Stretch a partial area so that no skill is 0.5 and perfection 1 [3]_."""
    least = max_fpr**2 / 2
    return 0.5 * (1 + (partial - least) / (max_fpr - least))


NO_LIMIT = "no largest false positive rate was given"

AREAS: dict[str, Area] = {
    area.name: area
    for area in (
        Area(
            "partial_auc",
            undefined=NO_LIMIT,
            needs="max_fpr",
            has_difference=True,
            has_influences=True,
            of=lambda roc, limit: partial_auc(roc, limit) if limit is not None else None,
            drawn=lambda drawn, limit: partial_aucs(drawn, limit or 1),
        ),
        Area(
            "partial_auc_standardized",
            undefined=NO_LIMIT,
            needs="max_fpr",
            has_influences=True,
            of=lambda roc, limit: mcclish(partial_auc(roc, limit), limit) if limit is not None else None,
            drawn=lambda drawn, limit: mcclish(partial_aucs(drawn, limit or 1), limit or 1),
        ),
        Area(
            "average_precision",
            unreached=(0.0,),
            aliases=("ap", "pr_auc"),
            has_difference=True,
            has_influences=True,
            of=lambda roc, _: average_precision(roc),
            drawn=lambda drawn, _: average_precisions(drawn),
        ),
    )
}
"""The areas of a curve besides the AUC."""


def up_to(metric: Metric, max_fpr: float) -> Metric:
    """Return a metric with the range that it has up to a false positive rate."""
    if metric.name == "partial_auc":
        return replace(metric, most=max_fpr)
    if metric.name == "partial_auc_standardized":
        return replace(metric, least=mcclish(0.0, max_fpr))
    return replace(metric, least=-max_fpr, most=max_fpr) if metric.name == "delta_partial_auc" else metric


AREA_COLUMNS = (
    *(area.column for area in AREAS.values() if not area.undefined),
    Column("max_fpr", "share", NO_LIMIT),
    *(area.column for area in AREAS.values() if area.undefined),
)


def area_values(roc: Curve, max_fpr: float | None) -> dict[str, float | None]:
    """Return all areas of a curve of all distinct scores."""
    return {name: area.of(roc, max_fpr) for name, area in AREAS.items()}


def area_interval(
    area: Area, roc: Curve, max_fpr: float | None, *, level: float, kind: IntervalKind = ROBUST
) -> Interval:
    """Return the interval of an area of a curve of all distinct scores, by a bootstrap for `delong`."""
    if kind == ROBUST and area.has_influences:
        from rocconf.compute.roc.area_spread import area_spread

        limit = max_fpr if area.undefined else None
        found = area_spread(roc, limit).limits(1 - level)
        if found != UNKNOWN and limit is not None:
            ends = (end * limit for end in (found.lower, found.upper))
            found = Interval(*(mcclish(end, limit) if area.name.endswith("standardized") else end for end in ends))
        return found.including(area.of(roc, max_fpr) or 0.0)  # scaling may round the end of a perfect area below it
    from rocconf.compute.roc.independent import require_independent
    from rocconf.compute.stats.bootstrap import REPLICATES, require_replicates
    from rocconf.compute.stats.resampling import Draws, resampled
    from rocconf.compute.stats.seeds import SEED, generator

    require_replicates(level)
    require_independent(roc, "clusters-bootstrap")
    drawn = [area.drawn(m, max_fpr) for m in resampled(roc.confusion(slice(None)), REPLICATES, generator(SEED))]
    limits = Draws.of(np.concatenate(drawn), fewest=min(roc.p, roc.q)).interval(level)
    return limits.including(area.of(roc, max_fpr) or 0.0)


def precision_total(tp: Counts, fp: Counts) -> Floats:
    """Add up the precision of the positives at their rows, along the last axis."""
    # a resampled curve may begin with rows without a case: without a positive they add nothing
    gained = np.diff(tp, axis=-1) * (tp[..., 1:] / np.maximum(tp[..., 1:] + fp[..., 1:], 1))
    return np.asarray(gained.sum(axis=-1))


def area_left_of(fpr: Floats, tpr: Floats, max_fpr: float) -> Floats:
    """Return the area under curves, along the last axis, each cut on a straight line."""
    width, rise = np.diff(fpr, axis=-1), np.diff(tpr, axis=-1)
    kept = np.clip(max_fpr - fpr[..., :-1], 0, width)
    height = tpr[..., :-1] + rise * np.divide(kept, 2 * width, out=np.zeros_like(kept), where=width > 0)
    return np.asarray((kept * height).sum(axis=-1))


def _pieces(roc: Curve) -> Iterator[tuple[Counts, Counts]]:
    """Cut the curve into pieces that fit the cache, each starting where the one before ends."""
    for part in slices(len(roc) - 1):
        yield roc.tp[part.start : part.stop + 1], roc.fp[part.start : part.stop + 1]
