r"""Thresholds whose rate holds of the population, not only of the cases at hand, in a share D of all samples.

``fpr<=x`` takes the Neyman-Pearson umbrella algorithm [1]_: of the Q negatives, ordered upwards, the first one, the
k-th, with :math:`P(Bin(Q, 1-x) \ge k) \le 1-D`; what is above it is predicted positive. ``tpr>=x`` is its mirror among
the positives. Both look at the scores of one class only.

``precision>=x`` tests numbers g of cases flagged, in a grid that is fixed before any label is looked at: the first g
with :math:`x^g \le (1-D)/5`, then each a tenth larger, and last all cases. Given the (g+1)-th largest score, the
positives among the cases above it are binomial; the test of a precision of x or less is exact, at (1-D)/5. From five
places of the grid tests walk upwards, each to its first failure, and the largest g that passed is taken. That the
promise holds is proved where the precision falls with the threshold, and measured elsewhere (SIMULATIONS.md). The cases
must have been sampled as they come, not by class.

References
----------
.. [1] X. Tong, Y. Feng, J. J. Li (2018), Science Advances 4, eaao1659.
"""

from __future__ import annotations

from math import inf, nextafter
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.independent import require_independent
from rocconf.compute.stats.binomial import is_tail_within, least_trials, least_within
from rocconf.errors import UndefinedError

if TYPE_CHECKING:
    from fractions import Fraction

    from rocconf.compute.roc.operating import PointRule
    from rocconf.records import Counts, ScoreCounts

STARTS = 5
"""The places of the grid from which tests of a precision walk."""


def assured_threshold(counts: ScoreCounts, rule: PointRule, assurance: Fraction) -> float | None:
    """Return the threshold of a rule that promises a rate; None predicts nothing positive."""
    require_independent(counts, "clusters-assurance")
    (limit,) = rule.numbers
    if rule.name == "fpr":
        order = _order(counts, rule, "negatives", 1 - limit, 1 - assurance)
        return _above(counts, int(np.searchsorted(counts.fp, counts.q - order + 1, side="left")))
    if rule.name == "tpr":
        order = _order(counts, rule, "positives", limit, 1 - assurance)
        return float(counts.thresholds[np.searchsorted(counts.tp, order, side="left")])
    return _above_case(counts, limit, (1 - assurance) / STARTS, rule)


def _order(counts: ScoreCounts, rule: PointRule, what: str, share: Fraction, error: Fraction) -> int:
    """Return which case of a class has a score that a share of the population is below, but for an error."""
    n = counts.q if what == "negatives" else counts.p
    order = least_within(n, share, error)
    if order is None:
        raise _refusal(counts, rule, what, n, least_trials(share, error))
    return order


def _above_case(counts: ScoreCounts, limit: Fraction, error: Fraction, rule: PointRule) -> float | None:
    first = least_trials(limit, error)
    if first is None or first > counts.n:
        raise _refusal(counts, rule, "cases", counts.n, first)
    cases, grid = counts.tp + counts.fp, _grid(first, counts.n)
    rows = np.searchsorted(cases, [flagged + 1 for flagged in grid], side="left") - 1
    passed = _largest_passed(counts.tp[rows], cases[rows], limit, error)
    if passed is None:
        found = {"positives": int(counts.tp[rows[0]]), "flagged": int(cases[rows[0]])}
        raise UndefinedError("assured-precision-unshown", model=counts.model, rule=rule.text, needed=first, **found)
    if grid[passed] == counts.n:
        return inf if counts.lower_is_positive else -inf
    return _above(counts, int(rows[passed]) + 1)


def _grid(first: int, n: int) -> list[int]:
    """Return the numbers of cases flagged to test: each a tenth larger than the one before, and last all cases."""
    grid = []
    while first < n:
        grid.append(first)
        first = max(first + 1, -(-11 * first // 10))
    return [*grid, n]


def _largest_passed(tp: Counts, flagged: Counts, limit: Fraction, error: Fraction) -> int | None:
    """Return the last place of the grid that any walk reaches without a failure."""
    largest = None
    for start in range(STARTS):
        place = start * len(tp) // STARTS
        while place < len(tp) and is_tail_within(int(tp[place]), int(flagged[place]), limit, error):
            largest = place if largest is None else max(largest, place)
            place += 1
    return largest


def _above(counts: ScoreCounts, row: int) -> float | None:
    """Return the threshold next to that of a row, which leaves its score out; nothing is above an infinite one."""
    end = -inf if counts.lower_is_positive else inf
    score = float(counts.thresholds[row])
    return None if score == end else nextafter(score, end)


def _refusal(counts: ScoreCounts, rule: PointRule, what: str, found: int, needed: int | None) -> UndefinedError:
    """Return the error of too few cases for a promise, which no number of cases keeps if it allows no error at all."""
    if needed is None:
        return UndefinedError("assured-never", rule=rule.text)
    return UndefinedError("assured-too-few", model=counts.model, rule=rule.text, what=what, found=found, needed=needed)
