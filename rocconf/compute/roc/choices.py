"""The rows of a curve that a rule for an operating point chooses.

Of tied rows, the one with the smallest fp, then the largest tp, comes first. Whether rows tie is decided in whole
numbers: floats make a short list within 1e-9 of the best, Python integers choose from it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.confusion import Confusion, ratio
from rocconf.dataclass import dataclass
from rocconf.errors import UndefinedError
from rocconf.records import slices
from rocconf.threads import mapped

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from numpy.typing import NDArray

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.roc.operating import PointRule
    from rocconf.records import Counts, Floats

SHORT_LIST = 1e-9
"""The distance in floats from the best objective within which objectives are compared exactly."""

MAXIMIZED = ("closest", "youden", "accuracy", "fbeta", "mcc", "chi2", "cost")
"""The rules that maximize an objective, which rises with the true and falls with the false positives."""


def best_rows(roc: Curve, rule: PointRule, model: str) -> list[int]:
    """Return the best rows for a rule without assurance, the chosen one first."""
    if rule.name == "fpr":
        return [_within_fpr(roc, float(rule.numbers[0]))]
    if rule.name == "tpr":
        return [_reaching_tpr(roc, float(rule.numbers[0]))]
    if rule.name == "precision":
        return [_reaching_precision(roc, float(rule.numbers[0]), model)]
    if rule.name.startswith("alerts"):
        return [_flagging(roc, rule)]
    objective = objective_of(roc.p, roc.q, rule)
    rows = _short_list(roc, objective.rough)
    matrices = list(zip(roc.tp[rows].tolist(), roc.fp[rows].tolist(), strict=True))
    values = [objective.exact(tp, fp) for tp, fp in matrices]
    best = max(values)
    ties = [(fp, -tp, row) for row, (tp, fp), value in zip(rows, matrices, values, strict=True) if value == best]
    return [int(row) for _, _, row in sorted(ties)]


def _short_list(roc: Curve, rough: Callable[[Counts, Counts], Floats]) -> NDArray[np.intp]:
    """Return the rows near the best, a chunk that fits the cache at a time."""
    seen = -np.inf

    def near_best(part: slice) -> tuple[NDArray[np.intp], Floats]:
        nonlocal seen
        found = rough(roc.tp[part], roc.fp[part])
        seen = best = max(seen, float(found.max()))  # of the parts so far: a thread may not see that of another yet
        near = np.flatnonzero(found >= best - SHORT_LIST)
        return near + part.start, found[near]

    rows, values = map(np.concatenate, zip(*mapped(near_best, slices(len(roc))), strict=True))
    found: NDArray[np.intp] = rows[values >= values.max() - SHORT_LIST]
    return found


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Objective:
    """What a rule maximizes: in floats for many confusion matrices, scaled to about 1, and exactly for one."""

    rough: Callable[[Counts, Counts], Floats]
    exact: Callable[[int, int], Fraction | int]


def objective_of(p: int, q: int, rule: PointRule) -> Objective:
    """Return what a rule of `MAXIMIZED` maximizes."""
    if rule.name == "closest":
        return Objective(
            lambda tp, fp: -((fp / q) ** 2) - ((p - tp) / p) ** 2,
            lambda tp, fp: -((fp * p) ** 2) - ((p - tp) * q) ** 2,
        )
    if rule.name == "youden":
        return Objective(lambda tp, fp: tp / p - fp / q, lambda tp, fp: tp * q - fp * p)
    if rule.name == "accuracy":
        return Objective(lambda tp, fp: (tp - fp) / (p + q), lambda tp, fp: tp - fp)
    if rule.name in ("chi2", "mcc"):  # chi2 = n mcc^2, and no best mcc is below the 0 of the corners
        return _chi2_objective(p, q)
    if rule.name == "fbeta":
        of_recall = rule.numbers[0] ** 2  # F = (1 + b^2) tp / (b^2 P + tp + fp), and 1 + b^2 changes no order
        weight = float(of_recall)
        return Objective(
            lambda tp, fp: (1 + weight) * tp / (weight * p + tp + fp),
            lambda tp, fp: tp / (of_recall * p + tp + fp),
        )
    gain, loss = rule.costs.whole_weights(p, q)
    scale = max(gain * p, loss * q)
    return Objective(
        lambda tp, fp: gain / scale * tp - loss / scale * fp,
        lambda tp, fp: gain * tp - loss * fp,
    )


def _chi2_objective(p: int, q: int) -> Objective:
    """Return chi-square over n, -1 below the diagonal, which the rule excludes."""
    from fractions import Fraction

    def rough(tp: Counts, fp: Counts) -> Floats:
        m = Confusion(tp, fp, p, q)
        above, spread = m.association, m.predicted_positive * m.predicted_negative.astype(np.float64)
        with np.errstate(invalid="ignore"):  # 0/0 in the corners
            phi2 = above * above / (spread * (float(p) * q))
        return np.where(above < 0, -1.0, np.nan_to_num(phi2))

    def exact(tp: int, fp: int) -> Fraction | int:
        flagged, above = tp + fp, tp * q - fp * p  # of rows on the short list never below 0
        return Fraction(above * above, flagged * (p + q - flagged)) if above else 0

    return Objective(rough, exact)


def _within_fpr(roc: Curve, limit: float) -> int:
    """Return the row of the largest tpr with fp/Q <= limit, at the smallest such fp.

    Rates are compared as floats, as they are shown: .29 of 100 negatives is 29.
    """
    allowed = bisect_right(roc.fp, limit, key=lambda fp: fp / roc.q) - 1
    return int(np.searchsorted(roc.tp, roc.tp[allowed], side="left"))


def _reaching_tpr(roc: Curve, limit: float) -> int:
    """Return the row of the smallest fpr with tp/P >= limit, at the largest such tp."""
    reached = bisect_left(roc.tp, limit, key=lambda tp: tp / roc.p)
    return int(np.searchsorted(roc.fp, roc.fp[reached], side="right")) - 1


def _reaching_precision(roc: Curve, limit: float, model: str) -> int:
    """Return the row of the largest tpr with a precision of the limit or more, at the smallest such fp."""
    best = 0.0
    for part in reversed(list(slices(len(roc)))):
        precision = ratio(roc.tp[part], roc.tp[part] + roc.fp[part])
        reaching = np.flatnonzero(precision >= limit)
        if len(reaching):
            return int(np.searchsorted(roc.tp, roc.tp[part][reaching[-1]], side="left"))
        best = float(np.fmax.reduce(precision, initial=best))  # NaN is no precision
    raise UndefinedError("precision-unreached", model=model, limit=limit, best=best)


def _flagging(roc: Curve, rule: PointRule) -> int:
    """Return the last row within a number of cases flagged, or a share of the cases in percent."""
    (limit,) = rule.numbers
    most = int(limit) if rule.name == "alerts" else int(limit * roc.n / 100)
    return bisect_right(range(len(roc)), most, key=lambda row: int(roc.tp[row] + roc.fp[row])) - 1
