r"""Conformal test martingales: evidence against exchangeability that may be looked at after every case [1]_.

While nothing has changed, the p-values of the cases in their order,

.. math:: p_n = \frac{\#\{a_i > a_n\} + \tau_n \#\{a_i = a_n\}}{N}

with i over the reference, the earlier cases and the case itself (N in all) and :math:`\tau_n` uniform on (0, 1), are
independent and uniform. The reference alone in place of all earlier cases would not make them so.

The Simple Jumper [1]_ bets on small p-values, on large ones, or not at all: the capitals :math:`C_\epsilon` for
:math:`\epsilon` of -1, 0 and 1 begin at 1/3; before each p-value a share J of all capital is spread evenly,
and :math:`C_\epsilon` is then multiplied by :math:`1 + \epsilon(p - 1/2)`. Their sum M is a martingale
that begins at 1, so that :math:`P(\sup M \ge c) \le 1/c` (Ville).

References
----------
.. [1] V. Vovk, I. Petej, I. Nouretdinov, E. Ahlberg, L. Carlsson, A. Gammerman (2021), Retrain or not retrain:
   conformal test martingales for change-point detection, PMLR 152, 191-210.
"""

from __future__ import annotations

from math import isqrt, log
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from rocconf.records import Counts, Floats

JUMP = 0.01
"""The share of the capital that is spread evenly before each bet."""

RUN = 256
"""After how many bets the capital is measured anew: it grows to 1.5^256 at most, far below the largest float."""


def conformal_p(values: Floats, distinct: Floats, cases: ArrayLike, tau: Floats) -> Floats:
    """Return the p-value of each value among a reference, the values before it, and itself.

    `distinct` has the values of the reference in ascending order, `cases` how many cases have each.
    """
    up_to = np.concatenate([[0], np.cumsum(cases)])
    below, at_most = (up_to[np.searchsorted(distinct, values, side=side)] for side in ("left", "right"))
    greater, equal = among_earlier(values)
    greater, equal = greater + up_to[-1] - at_most, equal + at_most - below + 1
    p: Floats = (greater + tau * equal) / (up_to[-1] + np.arange(1, len(values) + 1))
    return p


def among_earlier(values: Floats) -> tuple[Counts, Counts]:
    """Return how many of the earlier values are greater than each, and how many equal it.

    A merge sort counts them: where two sorted neighbours are merged, those of the first that come after one of the second
    are the earlier ones that are greater.
    """
    n = len(values)
    by_value = np.argsort(values, kind="stable")
    starts = np.searchsorted(values[by_value], values[by_value])
    ranks, equal = np.empty((2, n), dtype=np.int64)
    ranks[by_value], equal[by_value] = starts, np.arange(n) - starts
    width = 1 << max(n - 1, 0).bit_length()
    keys, cases = np.full(width, n), np.arange(width)  # padded with the largest rank, at the end
    keys[:n] = ranks
    greater = np.zeros(width, dtype=np.int64)
    half = 1
    while half < width:
        pairs = keys.reshape(-1, 2 * half)
        merged = np.argsort(pairs, axis=1, kind="stable")
        keys = np.take_along_axis(pairs, merged, axis=1)
        cases = np.take_along_axis(cases.reshape(pairs.shape), merged, axis=1)
        from_second = merged >= half
        # at place k the j-th of the second has k - j of the first before it, and half - (k - j) after it
        greater[cases[from_second]] += (merged - np.arange(2 * half))[from_second]
        half *= 2
    return greater[:n], equal


def simple_jumper(p: Floats, *, jump: float = JUMP) -> Floats:
    """Return the natural logarithm of the martingale after each p-value.

    A bet is a linear map of the three capitals. Runs of bets are made side by side, first from each capital alone, which
    gives the map of a whole run, and then from what the runs before left.
    """
    n, side = len(p), max(1, isqrt(len(p)))
    length = min(-(-n // side), RUN) or 1
    bets = np.append(p - 0.5, np.zeros(-n % length)).reshape(-1, length).T
    maps = np.broadcast_to(np.eye(3)[:, :, np.newaxis], (3, 3, bets.shape[1]))
    for bet in bets:
        maps = _after(maps, bet, jump)
    capital, scale = np.full(3, 1 / 3), 0.0
    begins, scales = np.empty((3, bets.shape[1])), np.empty(bets.shape[1])
    for run in range(bets.shape[1]):
        begins[:, run], scales[run] = capital, scale
        capital = maps[:, :, run] @ capital
        scale += log(capital.sum())
        capital = capital / capital.sum()
    totals, capitals = np.empty(bets.shape), begins
    for step, bet in enumerate(bets):
        capitals = _after(capitals, bet, jump)
        totals[step] = capitals.sum(axis=0)
    logarithms: Floats = (np.log(totals) + scales).T.ravel()[:n]
    return logarithms


def _after(capitals: Floats, bet: Floats, jump: float) -> Floats:
    """Return the capitals, by the first axis, after a share of all was spread evenly and a bet was made."""
    spread: Floats = (1 - jump) * capitals + capitals.sum(axis=0) * (jump / 3)
    spread[0] *= 1 - bet
    spread[2] *= 1 + bet
    return spread


def most_after(bets: int, *, jump: float = JUMP) -> float:
    """Return the natural logarithm of the largest value that the martingale can have after so many p-values."""
    return float(simple_jumper(np.zeros(min(bets, RUN)), jump=jump)[-1]) if bets else 0.0
