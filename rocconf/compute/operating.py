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
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.curve import curve, rows_at
from rocconf.errors import UndefinedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from rocconf.compute.curve import Curve
    from rocconf.records import Floats, ScoreCounts

    Exact = Fraction | int

SHORT_LIST = 1e-9
SIMPLE = ("closest", "youden", "accuracy", "chi2")
FORMS = "closest, youden, accuracy, chi2, cost=FP:FN[:PREVALENCE], fpr<=X, tpr>=X or threshold=X"


@dataclass(frozen=True, slots=True)
class Rule:
    """A way to choose a threshold; `text` is what its reader wrote."""

    text: str
    name: str
    numbers: tuple[Fraction, ...] = ()

    @property
    def chooses(self) -> bool:
        """Whether the threshold depends on the data, so that choosing and judging on one file flatters."""
        return self.name != "threshold"


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """A threshold that a rule chose, what it gives on the cases judged, and the thresholds that tie with it.

    A threshold of None predicts nothing positive.
    """

    rule: Rule
    threshold: float | None
    tp: int
    fp: int
    in_sample: bool
    tied: tuple[float | None, ...] = ()


def parse_rule(text: str) -> Rule:
    """Read a rule."""
    squeezed = text.replace(" ", "")
    if squeezed in SIMPLE:
        return Rule(text, squeezed)
    if squeezed == "cost":
        return Rule(text, "cost", (_number("1", text), _number("1", text)))
    found = re.fullmatch(r"(cost=|threshold=|fpr<=|tpr>=)(.+)", squeezed)
    if not found:
        raise UsageError(f"no rule {text!r} for an operating point (a rule is {FORMS})")
    name, numbers = found[1].rstrip("=<>"), tuple(_number(part, text) for part in found[2].split(":"))
    wanted = (2, 3) if name == "cost" else (1,)
    if len(numbers) not in wanted:
        raise UsageError(f"rule {text!r}: cost takes FP:FN or FP:FN:PREVALENCE, the others one number")
    if name in ("fpr", "tpr") and not 0 <= numbers[0] <= 1:
        raise UsageError(f"rule {text!r}: a rate must be in [0, 1]")
    if name == "cost" and (min(numbers) < 0 or sum(numbers[:2]) == 0 or (len(numbers) == 3 and numbers[2] > 1)):
        raise UsageError(f"rule {text!r}: costs must not be negative, nor both 0, and a prevalence is in [0, 1]")
    return Rule(text, name, numbers)


def operating_point(counts: ScoreCounts, rule: Rule, *, choose_on: ScoreCounts | None = None) -> OperatingPoint:
    """Apply a rule: choose a threshold on some cases, and judge it on these."""
    chosen_on = choose_on or counts
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


def _chosen(counts: ScoreCounts, rule: Rule) -> list[float | None]:
    """Return the thresholds that are best by the rule, the one to take first."""
    if not rule.chooses:
        return [float(rule.numbers[0])]
    return [float(counts.thresholds[row]) if row else None for row in _best_rows(curve(counts), rule)]


def _best_rows(roc: Curve, rule: Rule) -> list[int]:
    """Return the rows that are best by the rule, the one to take first."""
    if rule.name == "fpr":
        return [_within_fpr(roc, rule.numbers[0])]
    if rule.name == "tpr":
        return [_reaching_tpr(roc, rule.numbers[0])]
    rough, exact = _objective(roc, rule)
    short = np.flatnonzero(rough >= rough.max() - SHORT_LIST)
    values = [exact(int(roc.tp[row]), int(roc.fp[row])) for row in short]
    best = max(values)
    rows = [int(row) for row, value in zip(short, values, strict=True) if value == best]
    return sorted(rows, key=lambda row: (roc.fp[row], -roc.tp[row]))


def _objective(roc: Curve, rule: Rule) -> tuple[Floats, Callable[[int, int], Exact]]:
    """Return what the rule makes large: roughly for every row, scaled to about 1, and exactly for one."""
    p, q = roc.p, roc.q
    if rule.name == "closest":
        return (
            -(roc.fpr**2 + (1 - roc.tpr) ** 2),
            lambda tp, fp: -((fp * p) ** 2) - ((p - tp) * q) ** 2,
        )
    if rule.name == "youden":
        return roc.tpr - roc.fpr, lambda tp, fp: tp * q - fp * p
    if rule.name == "accuracy":
        return (roc.tp - roc.fp) / roc.n, lambda tp, fp: tp - fp
    if rule.name == "chi2":
        return _chi2_objective(roc)
    return _cost_objective(roc, rule)


def _cost_objective(roc: Curve, rule: Rule) -> tuple[Floats, Callable[[int, int], Exact]]:
    from fractions import Fraction

    p, q = roc.p, roc.q
    of_alarm, of_miss, *target = rule.numbers
    prevalence = target[0] if target else Fraction(p, p + q)
    # expected cost = prevalence * (1 - tpr) * FN + (1 - prevalence) * fpr * FP; only the weights' ratio matters
    gain, loss = prevalence * of_miss / p, (1 - prevalence) * of_alarm / q
    scale = float(max(gain * p, loss * q)) or 1.0
    return (
        (float(gain) * roc.tp - float(loss) * roc.fp) / scale,
        lambda tp, fp: gain * tp - loss * fp,
    )


def _chi2_objective(roc: Curve) -> tuple[Floats, Callable[[int, int], Exact]]:
    from fractions import Fraction

    p, q, n = roc.p, roc.q, roc.n
    flagged = (roc.tp + roc.fp).astype(np.float64)
    spread = flagged * (n - flagged)
    difference = roc.tpr - roc.fpr
    with np.errstate(invalid="ignore", divide="ignore"):
        rough = np.where((spread > 0) & (difference >= 0), p * float(q) * difference**2 / spread, 0.0)

    def exact(tp: int, fp: int) -> Exact:
        r, over = tp + fp, tp * q - fp * p
        return Fraction(over * over, r * (n - r)) if 0 < r < n and over > 0 else 0

    return rough, exact


def _within_fpr(roc: Curve, limit: Fraction) -> int:
    """Return the largest tpr with fp/Q <= limit, at the smallest such fp.

    The limit is compared as the float the user meant: .29 of 100 negatives is 29.
    """
    allowed = int(np.searchsorted(roc.fpr, float(limit), side="right")) - 1
    return int(np.searchsorted(roc.tp, roc.tp[allowed], side="left"))


def _reaching_tpr(roc: Curve, limit: Fraction) -> int:
    """Return the smallest fpr with tp/P >= limit, at the largest such tp."""
    reached = int(np.searchsorted(roc.tpr, float(limit), side="left"))
    return int(np.searchsorted(roc.fp, roc.fp[reached], side="right")) - 1


def _number(text: str, rule: str) -> Fraction:
    from fractions import Fraction

    try:
        return Fraction(text)
    except ZeroDivisionError:
        pass
    except ValueError:
        if text in ("inf", "-inf"):
            raise UndefinedError(f"rule {rule!r}: a threshold must be finite") from None
    raise UsageError(f"rule {rule!r}: {text!r} is not a number")
