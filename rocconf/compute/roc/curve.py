"""The confusion matrix at every threshold, from which all analyses of a model start.

A case is predicted positive if its score is at least the threshold (at most, where lower scores are positive). The
first row predicts nothing positive; its threshold is infinite.

`thresholds` is `distinct` (every distinct score), `grid:STEP` (1, 1-STEP, 1-2*STEP ... down to 0, the loop of
Hamel's chapter), `quantiles:K` (the scores at which k/K of the cases are predicted positive), or a list of numbers.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np

from rocconf.bins import uppers
from rocconf.compute.stats.confusion import Confusion
from rocconf.dataclass import dataclass
from rocconf.errors import UndefinedError, UsageError
from rocconf.messages import message

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from rocconf.records import ClusteredCases, Counts, Floats, ScoreCounts
    from rocconf.table import Rows

    Listed = Callable[[ScoreCounts], Floats]
    """Returns the thresholds of a list for some scores, distinct and ascending."""

PROBABILITY_SLACK = 1e-9
"""The rounding error by which a probability may lie outside [0, 1]."""
MOST_STEPS = 10_000_000
"""The most steps of a grid, and the most quantiles."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """True and false positives at a list of thresholds, the most severe first."""

    thresholds: Floats
    tp: Counts
    fp: Counts
    p: int
    q: int
    clusters: ClusteredCases | None = None
    """The cases with their clusters, whose rows are those of all distinct scores."""

    def __len__(self) -> int:
        return len(self.thresholds)

    def __repr__(self) -> str:
        return f"Curve(p={self.p}, q={self.q}, thresholds={len(self)})"

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.p + self.q

    @property
    def tpr(self) -> Floats:
        """The true positive rate at every threshold."""
        return self.tp / self.p

    @property
    def fpr(self) -> Floats:
        """The false positive rate at every threshold."""
        return self.fp / self.q

    def at(self, rows: Rows) -> Curve:
        """Return the curve at some of the thresholds, of which the first predicts nothing positive."""
        return replace(self, thresholds=self.thresholds[rows], tp=self.tp[rows], fp=self.fp[rows])

    def confusion(self, rows: Rows) -> Confusion:
        """Return the confusion matrices at some of the thresholds."""
        return Confusion(self.tp[rows], self.fp[rows], self.p, self.q)

    def shown_thresholds(self, rows: Rows) -> Floats:
        """Return thresholds, NaN for the row that predicts nothing positive."""
        shown = self.thresholds[rows].copy()
        first = range(len(self))[rows][:1] == range(1) if isinstance(rows, slice) else rows == 0
        shown[np.flatnonzero(first)] = np.nan
        return shown


def curve(counts: ScoreCounts, thresholds: str = "distinct") -> Curve:
    """Return the true and false positives at every threshold of a list."""
    if counts.p == 0 or counts.q == 0:
        raise UndefinedError("curve-one-class", model=counts.model, positives=counts.p, negatives=counts.q)
    if counts.wide is None and counts.sums is not None:
        from rocconf.compute.roc.checked_numbers import require_sums_of

        require_sums_of(counts)
    listed = parse_thresholds(thresholds)
    if listed is None:
        return Curve(counts.thresholds, counts.tp, counts.fp, counts.p, counts.q, counts.clusters)
    wanted = listed(counts)
    require_edges(counts, wanted)
    order = wanted if counts.lower_is_positive else wanted[::-1]
    rows = np.concatenate([[0], rows_at(counts, order)])
    values = np.concatenate([counts.thresholds[:1], order])
    return Curve(values, counts.tp[rows], counts.fp[rows], counts.p, counts.q, counts.clusters)


def rows_at(counts: ScoreCounts, thresholds: Floats) -> Counts:
    """Return the row of each threshold: how many distinct scores it predicts positive."""
    if counts.lower_is_positive:
        return np.searchsorted(counts.scores, thresholds, side="right")
    return len(counts) - np.searchsorted(counts.scores[::-1], thresholds, side="left")


def row_at(counts: ScoreCounts, threshold: float | None) -> int:
    """Return the row of a threshold; None predicts nothing positive."""
    return 0 if threshold is None else int(rows_at(counts, np.array([threshold]))[0])


def require_edges(counts: ScoreCounts, thresholds: Floats) -> None:
    """Reject a threshold that divides a bin: how many of its cases are predicted positive is not known."""
    if counts.wide is None:
        return
    ends = counts.ends
    at = np.searchsorted(ends.least, thresholds, side="right") - 1
    least, most = ends.least[at], ends.most[at]
    divides = (at >= 0) & (thresholds <= most) & (thresholds != (most if counts.lower_is_positive else least))
    for place in np.flatnonzero(divides)[:1]:
        below, above = least[place], uppers(ends)[at[place]]
        if counts.lower_is_positive:
            below, above = np.nextafter(below, -np.inf), most[place]
        around = {"below": float(below), "above": float(above)}
        raise UsageError("threshold-in-bin", model=counts.model, threshold=float(thresholds[place]), **around)


def parse_thresholds(text: str) -> Listed | None:
    """Return the function of a list of thresholds, None for all distinct scores."""
    kind, _, number = text.partition(":")
    if text == "distinct":
        return None
    if kind == "grid":
        return partial(_grid, step=_step(number, text))
    if kind == "quantiles":
        return partial(_quantiles, parts=_parts(number))
    values = parse_edges(text)
    return lambda _: values


def parse_edges(text: str) -> Floats:
    """Return numbers in ascending order, each once."""
    return np.unique(np.array([_number(part, text) for part in text.split(",")]) + 0.0)  # -0.0 is 0.0


def _grid(counts: ScoreCounts, step: Fraction) -> Floats:
    require_probabilities(counts, "grid-not-probabilities")
    # each threshold is one division of whole numbers, so k/100 is exact: a running sum of .01 drifts and drops ties
    part, whole = step.numerator, step.denominator
    return np.array([(whole - k * part) / whole for k in range(int(1 / step), -1, -1)])


def require_probabilities(counts: ScoreCounts, code: str) -> None:
    """Reject scores outside [0, 1], with the error of this code."""
    lower, upper = float(counts.scores.min()), float(counts.scores.max())
    if lower < -PROBABILITY_SLACK or upper > 1 + PROBABILITY_SLACK:
        raise UndefinedError(code, model=counts.model, lower=lower, upper=upper)


def _quantiles(counts: ScoreCounts, parts: int) -> Floats:
    parts = min(parts, counts.n)
    cases = (counts.tp + counts.fp)[1:]
    # the first score at which k/K of the cases are predicted positive: ceil(k * n / K) of them
    wanted = np.array([-(-k * counts.n // parts) for k in range(1, parts + 1)])
    return np.unique(counts.scores[np.searchsorted(cases, wanted)])


def _parts(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < float(text) <= MOST_STEPS):
        raise UsageError("quantiles-form", most=MOST_STEPS, found=text)
    return int(text)


def _number(text: str, thresholds: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = nan
    if isnan(value):
        raise UsageError("thresholds-form", found=thresholds)
    float_number(text)
    return value


def float_number(text: str) -> Fraction | None:
    """Return an exact number, but reject a whole one in digits that no float equals: a threshold would be another one."""
    number = exact_number(text)
    if number is not None and number.denominator == 1 and "e" not in text.lower() and float(number) != number:
        raise UsageError("number-not-float", found=text.strip())
    return number


def _step(text: str, thresholds: str) -> Fraction:
    step = exact_number(text)
    if step is None:
        raise UsageError("grid-form", thresholds=thresholds, found=text)
    if not 0 < step <= 1:
        raise UsageError("grid-step", step=float(step))
    if int(1 / step) > MOST_STEPS:
        raise UsageError("grid-too-fine", step=float(step), most=MOST_STEPS)
    return step


def exact_number(text: str) -> Fraction | None:
    """Return a decimal number or a ratio of two exactly, None if it is not a number within the range of floats."""
    from fractions import Fraction

    if re.search(r"e[+-]?\d{4}", text, re.IGNORECASE):  # 10**999999999 would be worked out in full
        return None
    try:
        number = Fraction(text)
        float(number)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return number


def require_scores(counts: ScoreCounts, what: str) -> None:
    """Reject scores in bins; `what` is the code of the words for what needs the scores themselves."""
    if counts.wide is not None:
        raise UsageError("bins-cannot", model=counts.model, what=message(what))
