"""Numbers that a rule can be about: a closed list, each with its interval at any level.

Hits among trials have Wilson's interval (lift is precision times a constant), the AUC DeLong's, the error difference
Tango's, and tpr - fpr the square-and-add interval of two Wilson intervals [1]_. f1 and mcc are drawn from Jeffreys'
posterior of the two classes' rates, and average precision and partial AUC from a stratified bootstrap, at a fixed seed.
Counts and thresholds are what they are. The keys of an analysis's own summary are taken from it, with the interval it
gives them. An interval that is not known, as of replicates that cannot vary, reaches to infinity, so that no rule is
decided by it.

References
----------
.. [1] R. G. Newcombe (1998), Statistics in Medicine 17, 873-890, method 10.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isnan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.compute.roc.auc import AREAS, auc, average_precision, mcclish, partial_auc
from rocconf.compute.roc.curve import Curve, curve
from rocconf.compute.roc.metrics import METRICS, NOTHING_POSITIVE, PROPORTIONS
from rocconf.compute.roc.rates import COUNTED
from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.proportion import wilson
from rocconf.compute.tango import MEASURES
from rocconf.errors import UsageError
from rocconf.records import Interval

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rocconf.answer import Result
    from rocconf.compute.compare import Comparison
    from rocconf.compute.roc.operating import OperatingPoint
    from rocconf.records import Floats, ScoreCounts

REPLICATES = 2000
SEED = 1
UNKNOWN = Interval(-inf, inf)

COUNTS = ("n", "positives", "negatives")
WHOLE = (*COUNTS, "prevalence", "auc")
"""Numbers of any model."""

AT_A_POINT = (*COUNTED, "threshold", "diff", *METRICS)
"""Numbers of any model at an operating point."""


SHARES = (
    *("prevalence", "auc", *AREAS, "null_point", "max_chi2_p", "drift_p", "drift_within_p"),
    *(name for name, (column, _) in METRICS.items() if column.kind == "share"),
)
SIGNED = ("diff", "mcc", "youden_j")


def range_of(name: str) -> tuple[float, float]:
    """Return the least and the most that a number can be, whatever the cases."""
    if name in SHARES:
        return 0, 1
    if name in SIGNED or name.startswith("delta_"):
        return -1, 1
    return (0, inf) if name in (*COUNTS, *COUNTED, "lift") else (-inf, inf)


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
    """Take one of the numbers of a model's result, at an operating point or of the whole curve."""
    counts = counts_of(result)
    if name.startswith("delta_"):
        return _delta(result, counts, name, level, point)
    if point is not None:
        matrix = Confusion(np.array([point.tp]), np.array([point.fp]), counts.p, counts.q)
        return at_point(matrix, name, level, point.threshold)
    return _whole(result, counts, name, level)


def _whole(result: Result, counts: ScoreCounts, name: str, level: float) -> Measure:
    """Take a number of the whole curve."""
    if name in COUNTS:
        value = {"n": counts.n, "positives": counts.p, "negatives": counts.q}[name]
        return Measure(value, None, counts.n, counts.p, is_count=True)
    if name == "prevalence":
        return Measure(counts.p / counts.n, wilson(counts.p, counts.n, level=level), counts.n, counts.p)
    if name == "auc":
        area = auc(curve(counts), level=level)
        return Measure(area.value, area.interval, counts.n, counts.p)
    if name in AREAS:
        return _area(result, counts, name, level)
    return of_summary(result.summary(), name, level, _reasons(result).get(name, ""))


def _delta(result: Result, counts: ScoreCounts, name: str, level: float, point: OperatingPoint | None) -> Measure:
    """Take the difference of a model and its baseline."""
    comparison: Comparison = result  # type: ignore[assignment]  # only a comparison has differences
    rule = None if point is None else point.rule
    difference = comparison.delta(name, at=rule, level=level).difference
    if difference is None:
        return Measure(None, None, counts.n, counts.p, reason="the measure does not exist for one of the models")
    return Measure(difference.value, difference.interval, counts.n, counts.p)


def counts_of(result: Result) -> ScoreCounts:
    """Return the counts that a result of one model rests on."""
    counts: ScoreCounts = result.counts  # type: ignore[attr-defined]  # every result of one model has them
    return counts


def at_point(matrix: Confusion, name: str, level: float, threshold: float | None) -> Measure:
    """Take a number of one confusion matrix."""
    n, p = matrix.n, matrix.p
    if name == "threshold":
        return Measure(threshold, None, n, p, reason=NOTHING_POSITIVE)
    if name in COUNTED:
        return Measure(int(getattr(matrix, name)[0]), None, n, p, is_count=True)
    if name == "diff":
        from rocconf.compute.stats.tango_interval import tango_interval

        limits = tango_interval(matrix.fn, matrix.fp, n, level)
        return Measure(
            int(matrix.fn[0] - matrix.fp[0]) / n, Interval(float(limits.lower[0]), float(limits.upper[0])), n, p
        )
    column, function = METRICS[name]
    value = float(function(matrix)[0])
    if isnan(value):
        return Measure(None, None, n, p, reason=column.undefined)
    return Measure(value, _interval_of(matrix, name, value, level), n, p)


def _interval_of(matrix: Confusion, name: str, value: float, level: float) -> Interval:
    if name == "lift":  # precision times a constant
        precise, times = _interval_of(matrix, "precision", value, level), matrix.n / matrix.p
        return Interval(precise.lower * times, precise.upper * times)
    if name in PROPORTIONS:
        hits, trials = PROPORTIONS[name](matrix)
        return wilson(int(hits[0]), int(np.asarray(trials).flat[0]), level=level)
    if name not in ("youden_j", "balanced_accuracy"):
        return _drawn_at(METRICS[name][1], matrix, value, level)
    tp, fp = int(matrix.tp[0]), int(matrix.fp[0])
    found, taken = wilson(tp, matrix.p, level=level), wilson(fp, matrix.q, level=level)
    difference = square_and_add(tp / matrix.p, found, fp / matrix.q, taken)
    if name == "youden_j":
        return difference
    return Interval((1 + difference.lower) / 2, (1 + difference.upper) / 2)


def of_summary(summary: Mapping[str, Any], name: str, level: float, reason: str) -> Measure:
    """Take a number of an analysis's own summary, with the interval that stands beside it."""
    value, n, positives = summary[name], summary["n"], summary["positives"]
    if value is None:
        return Measure(None, None, n, positives, reason=reason)
    if f"{name}_lower" not in summary:
        return Measure(value, None, n, positives, is_count=isinstance(value, int))
    if level != summary["level"]:
        raise UsageError(f"the interval of {name} is that of the run: give the level with --level, not with the rule")
    # a limit without a value lies anywhere
    lower, upper = summary[f"{name}_lower"], summary[f"{name}_upper"]
    interval = Interval(-inf if lower is None else lower, inf if upper is None else upper)
    if name in MEASURES:
        interval = known(interval, fewest=min(positives, n - positives))
    return Measure(value, interval, n, positives)


def known(drawn: Interval, *, fewest: int) -> Interval:
    """Return what is known from replicates: nothing where they cannot vary as samples do.

    They cannot with a single case of a class (`fewest`), which is drawn every time, nor where all of them are alike.
    """
    return drawn if fewest > 1 and drawn.lower < drawn.upper else UNKNOWN


def _reasons(result: Result) -> dict[str, str]:
    return {column.name: column.undefined for column in result.table("models").columns}


def square_and_add(first: float, its: Interval, second: float, others: Interval) -> Interval:
    """Return Newcombe's interval for the difference of two independent proportions."""
    difference = first - second
    below = sqrt((first - its.lower) ** 2 + (others.upper - second) ** 2)
    above = sqrt((its.upper - first) ** 2 + (second - others.lower) ** 2)
    return Interval(difference - below, difference + above)


def _drawn_at(function: Callable[[Confusion], Floats], matrix: Confusion, value: float, level: float) -> Interval:
    """Draw the two classes' rates anew, given what was found of them; the threshold stays.

    Jeffreys' posterior has a width also where a rate is 0 or 1, and resampled cases would not vary.
    """
    random, tp, fp = np.random.default_rng(SEED), int(matrix.tp[0]), int(matrix.fp[0])
    found = random.beta(tp + 0.5, matrix.p - tp + 0.5, REPLICATES) * matrix.p
    taken = random.beta(fp + 0.5, matrix.q - fp + 0.5, REPLICATES) * matrix.q
    drawn = function(Confusion(found, taken, matrix.p, matrix.q))  # type: ignore[arg-type]  # shares of cases
    if level > 1 - 2 / REPLICATES:
        raise UsageError(f"{REPLICATES} replicates reach a level of {1 - 2 / REPLICATES:g} at most, not {level}")
    lower, upper = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return _with(value, Interval(float(lower), float(upper)))


def _with(value: float, drawn: Interval) -> Interval:
    """Stretch drawn limits to the value: cases drawn twice are ties, which can move all replicates to one side."""
    return Interval(min(drawn.lower, value), max(drawn.upper, value))


def _area(result: Result, counts: ScoreCounts, name: str, level: float) -> Measure:
    max_fpr: float | None = result.max_fpr  # type: ignore[attr-defined]  # areas are of a sweep
    if name != "average_precision" and max_fpr is None:
        return Measure(None, None, counts.n, counts.p, reason=_reasons(result)[name])

    from rocconf.compute.roc.resample import batches

    def of(roc: Curve) -> float:
        if name == "average_precision":
            return average_precision(roc)
        partial = partial_auc(roc, max_fpr or 1.0)
        return partial if name == "partial_auc" else mcclish(partial, max_fpr or 1.0)

    full, random = curve(counts), np.random.default_rng(SEED)
    drawn = [
        of(Curve(full.thresholds, tp, fp, full.p, full.q))
        for replicates in batches(full, np.arange(len(full)), REPLICATES, random)
        for tp, fp in zip(replicates.tp, replicates.fp, strict=True)
    ]
    value, limits = of(full), known(_percentiles(np.array(drawn), level), fewest=min(full.p, full.q))
    return Measure(value, _with(value, limits), counts.n, counts.p)


def _percentiles(drawn: Floats, level: float) -> Interval:
    """Return the limits of replicates; one without a value may lie on either side."""
    undefined = np.isnan(drawn)
    below, above = np.sort(np.where(undefined, -inf, drawn)), np.sort(np.where(undefined, inf, drawn))
    outside = int(len(drawn) * (1 - level) / 2 + 1e-9)  # of 1000 at 90%, 50
    if outside == 0:
        raise UsageError(f"{len(drawn)} replicates reach a level of {1 - 2 / len(drawn):g} at most, not {level}")
    return Interval(float(below[outside]), float(above[len(drawn) - 1 - outside]))
