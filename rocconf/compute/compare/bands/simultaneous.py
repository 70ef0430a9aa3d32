r"""A band that contains the whole curve with the probability of its level.

A point (f, t) is plausible if it is near the curve. The distance is the deviance of a threshold with x = fp/Q and
y = tp/P if (f, t) were its true rates: with Kullback and Leibler's divergence D of two shares,

.. math:: 2P\,D(y, t) + 2Q\,D(x, f), \quad D(y, t) = y\ln\frac yt + (1-y)\ln\frac{1-y}{1-t}

The band contains all points whose least deviance along the curve is at most c. It is the square of a sup-t distance far from
the edges of ROC space, and unlike that it is meaningful where a rate is 0 or 1 and the sample does not determine its
standard error: there a sup-t band with bootstrapped standard errors has no width, and misses the curve in most samples
of a hundred cases.

c is the quantile, at the level, over bootstrapped curves of the largest of these deviances along the curve they are drawn
from. That curve is a smooth one near the curve of the sample, with half a case added on either side of every threshold:
curves drawn from the sample itself could never leave the edges that it touches.

References
----------
.. [1] R. H. Berk, D. H. Jones (1979), Zeitschrift für Wahrscheinlichkeitstheorie und verwandte Gebiete 47, 47-59
   (the largest deviance of a distribution function).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.resampling import upper_percentile

if TYPE_CHECKING:
    from numpy.random import Generator

    from rocconf.compute.roc.curve import Curve
    from rocconf.records import Floats

KNOTS = 16
"""The number of points of the smoothed curve that the curve drawn from goes through, without its steps."""
NODES = 400
"""The number of thresholds at which curves are drawn; they are straight in between."""
POINTS = 128
"""The number of points of the true curve around which bootstrapped ones are compared."""
REACH = 65
"""The number of points of the curve around a rate that are searched for its limits."""
BATCH = 64
"""The number of curves drawn at a time."""
HALVINGS = 45
"""The number of bisections for a limit."""
PIECES = 4
"""The parts of a straight piece at whose ends the least deviance is searched, around which it is flat."""
SHORTEST = 1e-300
EPSILON = 2.0**-53


def simultaneous_limits(
    roc: Curve, grid: Floats, *, level: float, replicates: int, rng: Generator
) -> tuple[Floats, Floats]:
    """Return the lowest and the highest plausible true positive rate at false positive rates."""
    largest = critical_deviance(roc, level=level, replicates=replicates, rng=rng)
    f = grid[:, None]
    near = np.sqrt(largest * f * (1 - f) / roc.q) * np.linspace(-1, 1, REACH)
    x = np.clip(f + near, 0, 1)
    left = np.maximum(largest - _deviance(x, f, roc.q), 0)  # below 0 by rounding alone
    top = np.interp(x, roc.fpr, roc.tpr)  # where the curve is vertical, its highest point
    bottom = 1 - np.interp(1 - x, 1 - roc.fpr[::-1], 1 - roc.tpr[::-1])
    lower, upper = _limit(bottom, left, roc.p, outside=0.0), _limit(top, left, roc.p, outside=1.0)
    return lower.min(axis=1), upper.max(axis=1)


def critical_deviance(roc: Curve, *, level: float, replicates: int, rng: Generator) -> float:
    """Return the deviance up to which a point is plausible."""
    fpr, tpr = _smoothed(roc)
    along = fpr + tpr
    at = np.linspace(along[1], along[-2], POINTS)
    f, t = (np.interp(at, along, rates) for rates in (fpr, tpr))
    found = []
    for start in range(0, replicates, BATCH):
        size = min(BATCH, replicates - start)
        x, y = (_drawn(total, rates, size, rng) for total, rates in ((roc.q, fpr), (roc.p, tpr)))
        found.append(_largest_deviances(x, y, f, t, roc))
    return upper_percentile(np.concatenate(found), level)


def _smoothed(roc: Curve) -> tuple[Floats, Floats]:
    """Return the rates of a piecewise linear curve with half a case more on either side of a threshold."""
    ends = ((roc.fp, roc.q), (roc.tp, roc.p))
    fpr, tpr = (np.concatenate([[0], (counted + 0.5) / (size + 1), [1]]) for counted, size in ends)
    along = fpr + tpr
    knots = np.concatenate([[0], np.linspace(along[1], along[-2], KNOTS), [2]])
    nodes = np.unique(np.concatenate([knots, np.linspace(0, 2, NODES)]))
    smooth_fpr, smooth_tpr = (np.interp(nodes, knots, np.interp(knots, along, rates)) for rates in (fpr, tpr))
    return smooth_fpr, smooth_tpr


def _drawn(size: int, rates: Floats, replicates: int, rng: Generator) -> Floats:
    """Return resampled rates of a class at thresholds with these true rates."""
    cumulated = np.cumsum(rng.multinomial(size, np.diff(rates), size=replicates), axis=1)
    return np.pad(cumulated / size, ((0, 0), (1, 0)))


def _largest_deviances(x: Floats, y: Floats, f: Floats, t: Floats, roc: Curve) -> Floats:
    """Return how far the farthest of some points is from each bootstrapped curve, one a line."""
    at, nodes = np.arange(PIECES * (x.shape[1] - 1) + 1) / PIECES, np.arange(x.shape[1])
    x, y = (np.array([np.interp(at, nodes, line) for line in rates]) for rates in (x, y))
    information = 2 * (roc.q * _negative_entropy(x) + roc.p * _negative_entropy(y))
    largest, deviance, part = np.zeros(len(x)), np.empty_like(x), np.empty_like(x)
    slopes = (2 * size * np.subtract(*_logs(rates)) for size, rates in ((roc.q, f), (roc.p, t)))
    rest = 2 * (roc.q * _logs(f)[1] + roc.p * _logs(t)[1])
    for of_x, of_y, constant in zip(*slopes, rest, strict=True):
        np.subtract(information, np.multiply(x, of_x, out=part), out=deviance)
        np.subtract(deviance, np.multiply(y, of_y, out=part), out=deviance)
        np.maximum(largest, deviance.min(axis=1) - constant, out=largest)
    return largest


def _logs(share: Floats | float) -> tuple[Floats, Floats]:
    """Return ln share and ln(1 - share); the last digit of numpy's own logarithms depends on the processor."""
    from scipy.special import xlog1py, xlogy

    inside = np.clip(share, SHORTEST, 1 - EPSILON)
    return np.asarray(xlogy(1.0, inside)), np.asarray(xlog1py(1.0, -inside))


def _negative_entropy(share: Floats) -> Floats:
    """Return share ln share + (1 - share) ln(1 - share), 0 at both ends."""
    of_share, of_rest = _logs(share)
    return np.asarray(share * of_share + (1 - share) * of_rest)


def _deviance(share: Floats, expected: Floats | float, size: int) -> Floats:
    """Return 2n D(share, expected), 0 where they are equal."""
    of_expected, of_rest = _logs(expected)
    return np.asarray(2 * size * (_negative_entropy(share) - share * of_expected - (1 - share) * of_rest))


def _limit(share: Floats, deviance: Floats, size: int, *, outside: float) -> Floats:
    """Return the share towards `outside` at which a deviance is reached."""
    inside, beyond = share.copy(), np.full_like(share, outside)
    for _ in range(HALVINGS):
        middle = (inside + beyond) / 2
        near = _deviance(share, middle, size) <= deviance
        inside, beyond = np.where(near, middle, inside), np.where(near, beyond, middle)
    return inside
