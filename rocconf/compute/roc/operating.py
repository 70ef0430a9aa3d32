"""Operating points: the rules by which a threshold is chosen, on all distinct scores.

========================= ===============================================================================
``closest``               the least distance to (0, 1), Hamel's ranking of classifiers
``youden``                the largest tpr - fpr
``accuracy``              the largest share of right predictions
``chi2``                  the largest chi-square of label and prediction, where tpr >= fpr (Bradley)
``cost=FP:FN``            the least expected cost of a false alarm FP and a miss FN, at the data's own
                          prevalence or at another one: ``cost=FP:FN:PREVALENCE``
``fpr<=X``, ``tpr>=X``    Neyman and Pearson's: the largest tpr within a false positive rate, the smallest
                          fpr that reaches a true positive rate
``threshold=X``           this very threshold, chosen elsewhere
========================= ===============================================================================

Points that tie are decided by the smallest fp, then the largest tp, and all of them are listed. Whether points tie
is decided in whole numbers: floats make a short list within 1e-9 of the best, Python's integers choose from it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.counts import require_counts
from rocconf.compute.roc.curve import curve, exact_number, rows_at
from rocconf.errors import UsageError
from rocconf.records import Caveat, slices

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from rocconf.compute.roc.curve import Curve
    from rocconf.records import Counts, Floats, ScoreCounts

SHORT_LIST = 1e-9
SIMPLE = ("closest", "youden", "accuracy", "chi2")
FORMS = "closest, youden, accuracy, chi2, cost=FP:FN[:PREVALENCE], fpr<=X, tpr>=X or threshold=X"


@dataclass(frozen=True, slots=True)
class PointRule:
    """A way to choose a threshold; `text` is what its reader wrote."""

    text: str
    name: str
    numbers: tuple[Fraction, ...] = ()

    @property
    def chooses(self) -> bool:
        """Whether the threshold depends on the data, so that choosing and judging on one file flatters."""
        return self.name != "threshold"

    @property
    def meaning(self) -> tuple[str, tuple[Fraction, ...]]:
        """What the rule asks for, however it was written."""
        return self.name, self.numbers


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """A threshold that a rule chose, what it gives on the cases judged, and the thresholds that tie with it.

    A threshold of None predicts nothing positive.
    """

    rule: PointRule
    threshold: float | None
    tp: int
    fp: int
    in_sample: bool
    tied: tuple[float | None, ...] = ()


def parse_point_rules(at: str | PointRule | Iterable[str | PointRule]) -> list[PointRule]:
    """Read rules; a single one needs no brackets."""
    asked = [at] if isinstance(at, str | PointRule) else at
    return [rule if isinstance(rule, PointRule) else parse_point_rule(rule) for rule in asked]


def parse_point_rule(text: str) -> PointRule:
    """Read a rule."""
    squeezed = text.replace(" ", "")
    if squeezed in SIMPLE:
        return PointRule(text, squeezed)
    if squeezed == "cost":
        return PointRule(text, "cost", (_number("1", text), _number("1", text)))
    found = re.fullmatch(r"(cost=|threshold=|fpr<=|tpr>=)(.+)", squeezed)
    if not found:
        raise UsageError(f"no rule {text!r} for an operating point (a rule is {FORMS})")
    name, numbers = found[1].rstrip("=<>"), tuple(_number(part, text) for part in found[2].split(":"))
    wanted = (2, 3) if name == "cost" else (1,)
    if len(numbers) not in wanted:
        raise UsageError(f"rule {text!r}: cost takes FP:FN or FP:FN:PREVALENCE, the others one number")
    if name in ("fpr", "tpr") and not 0 <= numbers[0] <= 1:
        raise UsageError(f"rule {text!r}: a rate must be in [0, 1]")
    if name == "cost" and (min(numbers[:2]) < 0 or sum(numbers[:2]) == 0):
        raise UsageError(f"rule {text!r}: costs must not be negative, nor both 0")
    if name == "cost" and not all(0 < prevalence < 1 for prevalence in numbers[2:]):
        raise UsageError(f"rule {text!r}: a prevalence must be between 0 and 1")
    return PointRule(text, name, numbers)


def operating_point(counts: ScoreCounts, rule: PointRule, *, choose_on: ScoreCounts | None = None) -> OperatingPoint:
    """Apply a rule: choose a threshold on some cases, and judge it on these."""
    chosen_on = counts if choose_on is None else choose_on
    require_counts(chosen_on)
    if chosen_on.lower_is_positive != counts.lower_is_positive:
        raise UsageError("the cases to choose on and the cases to judge have opposite directions")
    threshold, *tied = _chosen(chosen_on, rule)
    row = 0 if threshold is None else int(rows_at(counts, np.array([threshold]))[0])
    return OperatingPoint(
        rule,
        threshold,
        int(counts.tp[row]),
        int(counts.fp[row]),
        in_sample=choose_on is None and rule.chooses,
        tied=tuple(tied),
    )


def choice_caveats(points: Sequence[OperatingPoint]) -> list[Caveat]:
    """Say which thresholds were chosen on the cases they are shown for."""
    flattered = [point.rule.text for point in points if point.in_sample]
    if not flattered:
        return []
    message = (
        f"the threshold of {', '.join(flattered)} was chosen on the cases it is shown for, which flatters it; choose on "
        "other cases with --choose-on FILE"
    )
    return [Caveat("in-sample", message)]


def _chosen(counts: ScoreCounts, rule: PointRule) -> list[float | None]:
    """Return the thresholds that are best by the rule, the one to take first."""
    if not rule.chooses:
        return [float(rule.numbers[0])]
    return [float(counts.thresholds[row]) if row else None for row in _best_rows(curve(counts), rule)]


def _best_rows(roc: Curve, rule: PointRule) -> list[int]:
    """Return the rows that are best by the rule, the one to take first."""
    if rule.name == "fpr":
        return [_within_fpr(roc, float(rule.numbers[0]))]
    if rule.name == "tpr":
        return [_reaching_tpr(roc, float(rule.numbers[0]))]
    objective = _objective(roc.p, roc.q, rule)
    rows = _short_list(roc, objective.rough)
    matrices = list(zip(roc.tp[rows].tolist(), roc.fp[rows].tolist(), strict=True))
    values = [objective.exact(tp, fp) for tp, fp in matrices]
    best = max(values)
    ties = [(fp, -tp, row) for row, (tp, fp), value in zip(rows, matrices, values, strict=True) if value == best]
    return [int(row) for _, _, row in sorted(ties)]


def _short_list(roc: Curve, rough: Callable[[Counts, Counts], Floats]) -> NDArray[np.intp]:
    """Return the rows within 1e-9 of the best, found a cacheful at a time."""
    best = -np.inf
    rows, values = [], []
    for part in slices(len(roc)):
        found = rough(roc.tp[part], roc.fp[part])
        best = max(best, float(found.max()))
        near = np.flatnonzero(found >= best - SHORT_LIST)
        rows.append(near + part.start)
        values.append(found[near])
    return np.concatenate(rows)[np.concatenate(values) >= best - SHORT_LIST]


@dataclass(frozen=True, slots=True)
class _Objective:
    """What a rule makes large: roughly for many confusion matrices, scaled to about 1, and exactly for one."""

    rough: Callable[[Counts, Counts], Floats]
    exact: Callable[[int, int], Fraction | int]


def _objective(p: int, q: int, rule: PointRule) -> _Objective:
    if rule.name == "closest":
        return _Objective(
            lambda tp, fp: -((fp / q) ** 2) - ((p - tp) / p) ** 2,
            lambda tp, fp: -((fp * p) ** 2) - ((p - tp) * q) ** 2,
        )
    if rule.name == "youden":
        return _Objective(lambda tp, fp: tp / p - fp / q, lambda tp, fp: tp * q - fp * p)
    if rule.name == "accuracy":
        return _Objective(lambda tp, fp: (tp - fp) / (p + q), lambda tp, fp: tp - fp)
    if rule.name == "chi2":
        return _chi2_objective(p, q)
    return _cost_objective(p, q, rule)


def _cost_objective(p: int, q: int, rule: PointRule) -> _Objective:
    from fractions import Fraction

    of_alarm, of_miss, *target = rule.numbers
    prevalence = target[0] if target else Fraction(p, p + q)
    # expected cost = prevalence * (1 - tpr) * FN + (1 - prevalence) * fpr * FP; only the weights' ratio matters
    ratio = (prevalence * of_miss / p, (1 - prevalence) * of_alarm / q)
    gain, loss = (weight.numerator * other.denominator for weight, other in (ratio, ratio[::-1]))
    scale = max(gain * p, loss * q)
    return _Objective(
        lambda tp, fp: gain / scale * tp - loss / scale * fp,
        lambda tp, fp: gain * tp - loss * fp,
    )


def _chi2_objective(p: int, q: int) -> _Objective:
    """Chi-square over n; below the diagonal, where the rule does not look, it is -1."""
    from fractions import Fraction

    def rough(tp: Counts, fp: Counts) -> Floats:
        flagged, above = (tp + fp).astype(np.float64), tp / p - fp / q
        with np.errstate(invalid="ignore"):  # 0/0 in the corners
            phi2 = above * above * (float(p) * q) / (flagged * (p + q - flagged))
        return np.where(above < 0, -1.0, np.nan_to_num(phi2))

    def exact(tp: int, fp: int) -> Fraction | int:
        flagged, above = tp + fp, tp * q - fp * p
        if above <= 0:
            return -1 if above < 0 else 0
        return Fraction(above * above, flagged * (p + q - flagged))

    return _Objective(rough, exact)


def _within_fpr(roc: Curve, limit: float) -> int:
    """Return the largest tpr with fp/Q <= limit, at the smallest such fp.

    The rates are compared as floats, the way they are shown: .29 of 100 negatives is 29.
    """
    allowed = bisect_right(roc.fp, limit, key=lambda fp: fp / roc.q) - 1
    return int(np.searchsorted(roc.tp, roc.tp[allowed], side="left"))


def _reaching_tpr(roc: Curve, limit: float) -> int:
    """Return the smallest fpr with tp/P >= limit, at the largest such tp."""
    reached = bisect_left(roc.tp, limit, key=lambda tp: tp / roc.p)
    return int(np.searchsorted(roc.fp, roc.fp[reached], side="right")) - 1


def _number(text: str, rule: str) -> Fraction:
    number = exact_number(text)
    if number is None:
        raise UsageError(f"rule {rule!r}: {text!r} is not a finite number")
    return number
