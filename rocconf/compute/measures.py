"""Numbers that a rule can be about: a closed list, each with its interval at any level.

Hits among trials have Wilson's interval, the AUC DeLong's, and tpr - fpr the square-and-add interval of two Wilson
intervals [1]_. What has no formula (f1, mcc, lift, average precision, partial AUC) has the percentile interval of a
stratified bootstrap at a fixed seed. Counts and thresholds are what they are. The keys of an analysis's own summary
are taken from it, with the interval it gives them.

References
----------
.. [1] R. G. Newcombe (1998), Statistics in Medicine 17, 873-890, method 10.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.auc import auc, average_precision, mcclish, partial_auc
from rocconf.compute.curve import Curve, curve
from rocconf.compute.intervals import wilson
from rocconf.compute.metrics import METRICS, PROPORTIONS, Confusion
from rocconf.compute.operating import operating_point
from rocconf.compute.rates import COUNTED
from rocconf.compute.resample import batches
from rocconf.errors import UsageError
from rocconf.records import Interval

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocconf.answer import Result
    from rocconf.compute.operating import OperatingPoint, Rule
    from rocconf.records import Floats, ScoreCounts

REPLICATES = 2000
SEED = 1

COUNTS = ("n", "positives", "negatives")
WHOLE = (*COUNTS, "prevalence", "auc")
"""Numbers of any model."""

AT_A_POINT = (*COUNTED, "threshold", *METRICS)
"""Numbers of any model at an operating point."""

AREAS = ("average_precision", "partial_auc", "partial_auc_standardized")
"""Areas of a sweep, whose interval is bootstrapped when a rule asks for it."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number, its interval if it has one, and the cases it rests on; without a value, a reason."""

    value: float | None
    interval: Interval | None = None
    n: int = 0
    positives: int = 0
    is_count: bool = False
    reason: str = ""


def measure(result: Result, name: str, *, level: float, point: OperatingPoint | None = None) -> Measure:
    """Take one of the numbers of a model's result."""
    counts = counts_of(result)
    value, interval, reason = _taken(result, counts, name, level, point)
    is_count = name in COUNTS or name in COUNTED or isinstance(value, int)
    if value is None or isnan(value):
        return Measure(None, None, counts.n, counts.p, is_count, reason)
    return Measure(value, interval, counts.n, counts.p, is_count)


def counts_of(result: Result) -> ScoreCounts:
    """Return the counts that a result of one model rests on."""
    counts: ScoreCounts = result.counts  # type: ignore[attr-defined]  # every result of one model has them
    return counts


def _taken(
    result: Result, counts: ScoreCounts, name: str, level: float, point: OperatingPoint | None
) -> tuple[float | None, Interval | None, str]:
    if point is not None:
        return _at_point(counts, name, level, point)
    if name in COUNTS:
        return {"n": counts.n, "positives": counts.p, "negatives": counts.q}[name], None, ""
    if name == "prevalence":
        return counts.p / counts.n, wilson(counts.p, counts.n, level=level), ""
    if name == "auc":
        area = auc(curve(counts), level=level)
        return area.value, area.interval, ""
    if name in AREAS:
        return _area(result, counts, name, level)
    return _own(result, name, level)


def _at_point(
    counts: ScoreCounts, name: str, level: float, point: OperatingPoint
) -> tuple[float | None, Interval | None, str]:
    matrix = Confusion(np.array([point.tp]), np.array([point.fp]), counts.p, counts.q)
    if name == "threshold":
        return point.threshold, None, "nothing is predicted positive"
    if name in COUNTED:
        return int(getattr(matrix, name)[0]), None, ""
    column, function = METRICS[name]
    value = float(function(matrix)[0])
    if isnan(value):
        return None, None, column.undefined
    if name in PROPORTIONS:
        hits, trials = PROPORTIONS[name](matrix)
        return value, wilson(int(hits[0]), int(np.asarray(trials).flat[0]), level=level), ""
    if name in ("youden_j", "balanced_accuracy"):
        found, taken = wilson(point.tp, counts.p, level=level), wilson(point.fp, counts.q, level=level)
        difference = square_and_add(point.tp / counts.p, found, point.fp / counts.q, taken)
        if name == "youden_j":
            return value, difference, ""
        return value, Interval((1 + difference.lower) / 2, (1 + difference.upper) / 2), ""
    return value, _resampled_at(function, matrix, level), ""


def square_and_add(first: float, its: Interval, second: float, others: Interval) -> Interval:
    """Return Newcombe's interval for the difference of two independent proportions."""
    difference = first - second
    below = sqrt((first - its.lower) ** 2 + (others.upper - second) ** 2)
    above = sqrt((its.upper - first) ** 2 + (second - others.lower) ** 2)
    return Interval(difference - below, difference + above)


def _resampled_at(function: Callable[[Confusion], Floats], matrix: Confusion, level: float) -> Interval | None:
    """Draw tp and fp again, each class by itself; the threshold stays."""
    random = np.random.default_rng(SEED)
    tp = random.binomial(matrix.p, matrix.tp[0] / matrix.p, REPLICATES)
    fp = random.binomial(matrix.q, matrix.fp[0] / matrix.q, REPLICATES)
    return _percentiles(function(Confusion(tp, fp, matrix.p, matrix.q)), level)


def _area(
    result: Result, counts: ScoreCounts, name: str, level: float
) -> tuple[float | None, Interval | None, str]:
    max_fpr: float | None = result.max_fpr  # type: ignore[attr-defined]  # areas are of a sweep
    if name != "average_precision" and max_fpr is None:
        return None, None, "no largest false positive rate (--max-fpr) was given"

    def of(roc: Curve) -> float:
        if name == "average_precision":
            return average_precision(roc)
        partial = partial_auc(roc, max_fpr or 1.0)
        return partial if name == "partial_auc" else mcclish(partial, max_fpr or 1.0)

    full, random = curve(counts), np.random.default_rng(SEED)
    drawn = [
        of(Curve(full.thresholds, tp, fp, full.p, full.q))
        for replicates in batches(full, slice(None), REPLICATES, random)
        for tp, fp in zip(replicates.tp, replicates.fp, strict=True)
    ]
    return of(full), _percentiles(np.array(drawn), level), ""


def _own(result: Result, name: str, level: float) -> tuple[float | None, Interval | None, str]:
    summary = result.summary()
    value = summary[name]
    if value is None:
        (reason,) = [column.undefined for column in result.table("models").columns if column.name == name]
        return None, None, reason
    lower, upper = summary.get(f"{name}_lower"), summary.get(f"{name}_upper")
    if lower is None or upper is None:
        return value, None, ""
    if level != summary["level"]:
        raise UsageError(f"the interval of {name} is that of the run: give the level with --level, not with the rule")
    return value, Interval(lower, upper), ""


def _percentiles(drawn: Floats, level: float) -> Interval | None:
    drawn = drawn[~np.isnan(drawn)]
    if not len(drawn):
        return None
    lower, upper = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(lower), float(upper))
