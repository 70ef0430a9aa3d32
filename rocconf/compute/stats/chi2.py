r"""Whether label and prediction are independent: Pearson's chi-square of a confusion matrix, and Fisher's exact test.

With R cases predicted positive, of P positives and Q negatives, n cases in all,

.. math:: \chi^2 = \frac{n\,(tp\,Q - fp\,P)^2}{P\,Q\,R\,(n-R)} = \frac{P Q n\,(tpr - fpr)^2}{R\,(n-R)}

which is n times the square of Matthews' correlation, and 0 where all cases have one prediction [1]_. Its p-value
is that of chi-square with one degree of freedom where every expected count is at least 5, and Fisher's exact
one [2]_ otherwise.

With both margins fixed, the count of one cell is hypergeometric. The exact two-sided p-value adds the probabilities
of all tables that are no more probable than the observed one, up to a relative 1e-7 that lets equal probabilities be
equal (the rule of R's ``fisher.test``). With one more true positive the probability changes by the factor

.. math:: \frac{\Pr(tp+1)}{\Pr(tp)} = \frac{fn\,fp}{(tp+1)(tn+1)}

All probabilities are relative to the observed one, computed outwards from it on both sides. No logarithm of a factorial
is taken, so a p-value of 1e-300 has as many digits as one of 0.3.

References
----------
.. [1] A. P. Bradley (1996), ROC curves and the chi-square test, Pattern Recognition Letters 17, 287-294.
.. [2] R. A. Fisher (1935), J. Roy. Statist. Soc. 98, 39-82.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.confusion import Confusion
from rocconf.compute.stats.normal import normal_quantile_of_tails, two_sided_ps
from rocconf.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocconf.records import Flags, Floats

LEAST_EXPECTED = 5
"""The expected count below which the chi-square approximation is poor."""

AS_PROBABLE = 1 + 1e-7
NEGLIGIBLE = 1e-25
"""The relative probability below which the rest of a tail adds nothing."""


def chi2(m: Confusion) -> Floats:
    """Return Pearson's chi-square, without continuity correction."""
    over = m.association
    spread = m.predicted_positive * m.predicted_negative.astype(np.float64)
    # where all cases have one prediction, over and spread are 0; otherwise spread is at least n - 1
    # brackets: one division of whole numbers, so that equal values are equal floats, and none exceeds n
    return np.asarray(m.n * (over * over / ((float(m.p) * m.q) * np.maximum(spread, 1.0))))


def p_values(m: Confusion, *, of: int | None = None) -> Floats:
    """Return the p-value of each matrix alone; `of` is the total number of matrices, where these are a part."""
    p = two_sided_ps(np.sqrt(chi2(m)), of=of)
    small = np.flatnonzero(expects_few(m))
    p[small] = fisher(Confusion(m.tp[small], m.fp[small], m.p, m.q))
    return p


def p_methods(m: Confusion) -> NDArray[np.object_]:
    """Return the test of each p-value, chi2 or fisher."""
    return np.where(expects_few(m), "fisher", "chi2").astype(object)


def expects_few(m: Confusion) -> Flags:
    """Return whether an expected count is below 5: the least is that of the smaller class on the smaller side."""
    # side * min(P, Q) / n < 5, in whole numbers
    enough = -(-LEAST_EXPECTED * m.n // min(m.p, m.q))
    return np.asarray(np.minimum(m.predicted_positive, m.predicted_negative) < enough)


def fisher(m: Confusion) -> Floats:
    """Return the two-sided p-value of Fisher's test of every confusion matrix."""
    tp, fp, fn, tn = (cell.astype(np.float64) for cell in (m.tp, m.fp, m.fn, m.tn))
    # the probabilities with more and with fewer true positives, of the tables no more probable, and of all
    more, fewer, tail, total = np.ones((4, len(tp)))
    step = 0.0
    with np.errstate(over="ignore"):
        while max(more.max(initial=0), fewer.max(initial=0)) > NEGLIGIBLE:
            more *= (fn - step) * (fp - step) / ((tp + step + 1) * (tn + step + 1))
            fewer *= (tp - step) * (tn - step) / ((fn + step + 1) * (fp + step + 1))
            for side in (more, fewer):
                total += side
                tail += np.where(side <= AS_PROBABLE, side, 0.0)
                side[np.isinf(side)] = 0.0  # the total is infinite now, and the p-value below 1e-308
            step += 1
    return np.asarray(tail / total)


def critical_value(significance: float) -> float:
    """Return the chi-square that a threshold chosen in advance exceeds by chance with this probability."""
    if not 0 < significance < 1:
        raise UsageError("significance-range", significance=significance)
    return normal_quantile_of_tails(significance) ** 2
