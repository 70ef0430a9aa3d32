r"""Fisher's exact test of many confusion matrices at once.

With both margins fixed, the count of one cell is hypergeometric. The two-sided p-value adds the probabilities
of all tables that are no more probable than the observed one, up to a relative 1e-7 that lets equal
probabilities be equal (the rule of R's ``fisher.test``).

From one table to the next, with one more true positive, the probability changes by the factor

.. math:: \frac{\Pr(tp+1)}{\Pr(tp)} = \frac{fn\,fp}{(tp+1)(tn+1)}

All probabilities are relative to the observed one, computed outwards from it on both sides, for all matrices in
step. No logarithm of a factorial is taken, so a p-value of 1e-300 has as many digits as one of 0.3.

References
----------
.. [1] R. A. Fisher (1935), J. Roy. Statist. Soc. 98, 39-82.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from rocconf.compute.stats.confusion import Confusion
    from rocconf.records import Floats

AS_PROBABLE = 1 + 1e-7
NEGLIGIBLE = 1e-25
"""The relative probability below which the rest of a tail adds nothing."""


def fisher(m: Confusion) -> Floats:
    """Return the two-sided p-value of every confusion matrix."""
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
