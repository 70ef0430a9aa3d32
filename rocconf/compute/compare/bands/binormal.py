r"""The binormal ROC curve, fitted to the order of the scores alone, and Working and Hotelling's band around it.

The model: some increasing function of the score is normal in either class, so that :math:`\Phi^{-1}(tpr) = a + b\,
\Phi^{-1}(fpr)`. The scores are put into ordered groups, and a, b and the cuts between groups are the maximum likelihood
estimates [1]_, by Fisher's scoring. With the covariance V of a and b, the whole curve lies, with the probability of the
level, within [2]_

.. math:: \Phi\left(a + bx \pm \sqrt{\chi^2_2(\text{level})\,(V_{aa} + 2xV_{ab} + x^2V_{bb})}\right),
   \quad x = \Phi^{-1}(fpr)

References
----------
.. [1] D. D. Dorfman, E. Alf (1969), Journal of Mathematical Psychology 6, 487-496.
.. [2] G. Ma, W. J. Hall (1993), Medical Decision Making 13, 191-197.
"""

from __future__ import annotations

from math import exp, fsum, log, pi, sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocconf.dataclass import dataclass
from rocconf.errors import UndefinedError

if TYPE_CHECKING:
    from rocconf.compute.roc.curve import Curve
    from rocconf.records import Floats

GROUPS = 20
"""The number of groups of scores; more would add cuts to estimate and little precision."""
STEPS = 200
"""The most steps of the scoring."""
SETTLED = 1e-8
"""The improvement, in squared standard errors, below which a step is the last."""
LEAST_SHARE = 1e-9
"""The least share of a step to try."""


@dataclass(frozen=True, slots=True, eq=False)
class Binormal:
    """The intercept and slope of the line of normal deviates, and their covariance matrix."""

    a: float
    b: float
    covariance: Floats


def working_hotelling(roc: Curve, fpr: Floats, *, level: float) -> tuple[Floats, Floats]:
    """Return the limits of the true positive rate at false positive rates."""
    from scipy.special import ndtr, ndtri

    fit = fit_binormal(roc)
    x = ndtri(np.clip(fpr, 1e-12, 1 - 1e-12))
    (aa, ab), (_, bb) = fit.covariance
    reach = sqrt(-2 * log(1 - level)) * np.sqrt(np.maximum(aa + 2 * x * ab + x * x * bb, 0))
    lower, upper = ndtr(fit.a + fit.b * x - reach), ndtr(fit.a + fit.b * x + reach)
    return np.where(fpr <= 0, 0.0, lower), np.where(fpr >= 1, 1.0, upper)


def fit_binormal(roc: Curve) -> Binormal:
    """Return the binormal curve fitted to groups of the scores of a curve."""
    ends = _group_ends(roc)
    negatives, positives = (np.diff(of[ends], prepend=0).astype(np.float64) for of in (roc.fp, roc.tp))
    if len(ends) < 3:
        raise UndefinedError("no-binormal-fit")
    at = _start(negatives, positives)
    for _ in range(STEPS):
        gradient, information = _slopes(at, negatives, positives)
        step = _solved(information, gradient[:, None])[:, 0]
        if fsum(gradient * step) < SETTLED:
            break
        at = _step(at, step, negatives, positives)
    else:
        raise UndefinedError("no-binormal-fit")
    _, information = _slopes(at, negatives, positives)
    if np.linalg.cond(information) > 1e12:
        raise UndefinedError("no-binormal-fit")
    return Binormal(float(at[0]), float(at[1]), _solved(information, np.eye(len(at))[:, :2])[:2])


def _solved(matrix: Floats, right: Floats) -> Floats:
    """Return the solution of linear equations, in one order of sums: the last digits of BLAS depend on the processor."""
    rows = np.concatenate([matrix, right], axis=1)
    size = len(matrix)
    for at in range(size):
        pivot = at + int(np.abs(rows[at:, at]).argmax())
        if rows[pivot, at] == 0:
            raise UndefinedError("no-binormal-fit")
        rows[[at, pivot]] = rows[[pivot, at]]
        rows[at] /= rows[at, at]
        others = np.arange(size) != at
        rows[others] -= rows[others, at][:, None] * rows[at]
    return rows[:, size:]


def _group_ends(roc: Curve) -> Floats:
    """Return the last rows of groups, spaced evenly along the curve, so that they divide both classes."""
    along = (roc.tpr + roc.fpr)[1:]
    wanted = np.arange(1, GROUPS + 1) * 2 / GROUPS
    return np.unique(np.searchsorted(along, wanted - 1e-9).clip(max=len(along) - 1)) + 1


def _start(negatives: Floats, positives: Floats) -> Floats:
    """Return starting values: the cuts of the negatives, and the line through the deviates of both rates."""
    from scipy.special import ndtri

    x, y = (ndtri((np.cumsum(of)[:-1] + 0.5) / (of.sum() + 1)) for of in (negatives, positives))
    x += np.arange(len(x)) * 1e-3  # cuts must increase, also where a group has no negatives
    middle, height = fsum(x) / len(x), fsum(y) / len(y)
    slope = max(fsum((x - middle) * (y - height)) / fsum((x - middle) ** 2), 0.2)
    return np.concatenate([[height - slope * middle, slope], x])


def _cells(at: Floats) -> tuple[Floats, Floats]:
    """Return the probabilities of the groups for a negative and for a positive."""
    from scipy.special import ndtr

    a, b, cuts = at[0], at[1], at[2:]
    edges = np.concatenate([[-np.inf], cuts, [np.inf]])
    return np.diff(ndtr(edges)), np.diff(ndtr(a + b * edges))


def _likelihood(at: Floats, negatives: Floats, positives: Floats) -> float:
    if at[1] <= 0 or (np.diff(at[2:]) <= 0).any():
        return -np.inf
    cells = _cells(at)
    if min(map(np.min, cells)) <= 0:
        return -np.inf
    found, expected = np.concatenate([negatives, positives]), np.concatenate(cells)
    return fsum(n * log(cell) for n, cell in zip(found, expected, strict=True))


def _step(at: Floats, step: Floats, negatives: Floats, positives: Floats) -> Floats:
    """Return the best point along the step, halved again and again, as the expected information overshoots."""
    best, reached, share = at, _likelihood(at, negatives, positives), 1.0
    while share > LEAST_SHARE:
        there = at + share * step
        likelihood = _likelihood(there, negatives, positives)
        if likelihood > reached:
            best, reached = there, likelihood
        elif best is not at:
            break
        share /= 2
    return best


def _slopes(at: Floats, negatives: Floats, positives: Floats) -> tuple[Floats, Floats]:
    """Return the gradient of the likelihood and the expected information."""
    a, b, cuts = at[0], at[1], at[2:]
    of_negative, of_positive = _cells(at)
    density, none = _density(a + b * cuts), np.zeros_like(cuts)
    to_negative = np.column_stack([none, none, np.diag(_density(cuts))])
    to_positive = np.column_stack([density, density * cuts, np.diag(b * density)])
    gradient, information = np.zeros(len(at)), np.zeros((len(at), len(at)))
    for found, expected, to in ((negatives, of_negative, to_negative), (positives, of_positive, to_positive)):
        slopes = np.diff(np.pad(to, ((1, 1), (0, 0))), axis=0)
        gradient += (slopes * (found / expected)[:, None]).sum(axis=0)  # by rows, in order
        information += found.sum() * (slopes[:, :, None] / expected[:, None, None] * slopes[:, None, :]).sum(axis=0)
    return gradient, information


def _density(x: Floats) -> Floats:
    return np.array([exp(-each * each / 2) for each in x]) / sqrt(2 * pi)
