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

from rocconf.compute.compare.bands.vertical import GRID
from rocconf.compute.stats.bootstrap import upper_percentile

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from rocconf.compute.roc.curve import Curve
    from rocconf.records import Flags, Floats

    RatePair = tuple[Floats, Floats]
    """A false and a true positive rate, or arrays of them."""

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
PIECE_HALVINGS = 8
"""The number of bisections of a straight piece for its nearest point, around which the deviance is flat."""
SHORTEST = 1e-300
EPSILON = 2.0**-53


def simultaneous_limits(roc: Curve, *, level: float, replicates: int, rng: Generator) -> tuple[Floats, Floats]:
    """Return the lowest and the highest plausible true positive rate at each rate of `GRID`."""
    largest = critical_deviance(roc, level=level, replicates=replicates, rng=rng)
    f = GRID[:, None]
    near = np.sqrt(largest * f * (1 - f) / roc.q) * np.linspace(-1, 1, REACH)
    x = np.clip(f + near, 0, 1)
    left = np.maximum(largest - _deviance(x, f, roc.q), 0)  # below 0 by rounding alone
    lower = _limit(_bottom(roc, x), left, roc.p, outside=0.0).min(axis=1)
    upper = _limit(_top(roc, x), left, roc.p, outside=1.0).max(axis=1)
    return lower, upper


def critical_deviance(roc: Curve, *, level: float, replicates: int, rng: Generator) -> float:
    """Return the deviance up to which a point is plausible."""
    fpr, tpr = _smoothed(roc)
    along = fpr + tpr
    at = np.linspace(along[1], along[-2], POINTS)
    f, t = (np.interp(at, along, rates) for rates in (fpr, tpr))
    found = []
    for start in range(0, replicates, BATCH):
        size = min(BATCH, replicates - start)
        curves = _Curves(_drawn(roc.q, fpr, size, rng), _drawn(roc.p, tpr, size, rng), roc.q, roc.p)
        found.append(curves.least_deviances(f, t).max(axis=0))
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


class _Curves:
    """Bootstrapped curves, one a line, with the precomputed terms of the deviance of a point."""

    def __init__(self, x: Floats, y: Floats, q: int, p: int) -> None:
        self.x, self.y, self.q, self.p = x, y, q, p
        self.before, self.after = _neighbours((np.diff(x) > 0) | (np.diff(y) > 0))
        self.information = 2 * (q * _negative_entropy(x) + p * _negative_entropy(y))

    def least_deviances(self, f: Floats, t: Floats) -> Floats:
        """Return the least deviance of points along each curve, one point a line.

        It is searched on the two straight pieces that meet at the best corner.
        """
        corners = self._best_corners(f, t)
        line = np.arange(len(self.x))
        from_x, from_y = self.x[line, corners], self.y[line, corners]
        least = np.full(corners.shape, np.inf)
        for other in (self.before[line, corners], self.after[line, corners]):
            way = self.x[line, other] - from_x, self.y[line, other] - from_y
            np.minimum(least, self._least_on((from_x, from_y), way, (f[:, None], t[:, None])), out=least)
        return least

    def _best_corners(self, f: Floats, t: Floats) -> NDArray[np.intp]:
        """Return the index of the corner of least deviance of each curve, one point a line."""
        best = np.empty((len(f), len(self.x)), dtype=np.intp)
        deviance, part = np.empty_like(self.x), np.empty_like(self.x)
        slopes = (2 * size * _logit(rates) for size, rates in ((self.q, f), (self.p, t)))
        for place, (of_x, of_y) in enumerate(zip(*slopes, strict=True)):
            np.subtract(self.information, np.multiply(self.x, of_x, out=part), out=deviance)
            np.subtract(deviance, np.multiply(self.y, of_y, out=part), out=deviance)
            deviance.argmin(axis=1, out=best[place])
        return best

    def _least_on(self, start: RatePair, way: RatePair, point: RatePair) -> Floats:
        """Return the least deviance of a point on a straight piece, along which the deviance is convex."""
        (x, y), (to_x, to_y), (f, t) = start, way, point
        of_f, of_t = _logit(f), _logit(t)
        near, far = np.zeros_like(x + f), np.ones_like(x + f)
        for _ in range(PIECE_HALVINGS):
            middle = (near + far) / 2
            slope = self.q * to_x * (_logit(x + middle * to_x) - of_f)
            slope += self.p * to_y * (_logit(y + middle * to_y) - of_t)
            near, far = np.where(slope > 0, near, middle), np.where(slope > 0, middle, far)
        return _deviance(x + near * to_x, f, self.q) + _deviance(y + near * to_y, t, self.p)


def _neighbours(moves: Flags) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the indices of the nearest different corners on either side, as some corners are repeated."""
    last = moves.shape[1]
    places = np.arange(last)
    before = np.maximum.accumulate(np.where(moves, places, 0), axis=1)
    after = np.minimum.accumulate(np.where(moves, places + 1, last)[:, ::-1], axis=1)[:, ::-1]
    edge = ((0, 0), (1, 0)), ((0, 0), (0, 1))
    return np.pad(before, edge[0]), np.pad(after, edge[1], constant_values=last)


def _logs(share: Floats | float) -> tuple[Floats, Floats]:
    """Return ln share and ln(1 - share); the last digit of numpy's own logarithms depends on the processor."""
    from scipy.special import xlog1py, xlogy

    inside = np.clip(share, SHORTEST, 1 - EPSILON)
    return np.asarray(xlogy(1.0, inside)), np.asarray(xlog1py(1.0, -inside))


def _logit(share: Floats) -> Floats:
    of_share, of_rest = _logs(share)
    return of_share - of_rest


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


def _top(roc: Curve, fpr: Floats) -> Floats:
    """Return the true positive rate of the curve, the highest where it is vertical."""
    return np.interp(fpr, roc.fpr, roc.tpr)


def _bottom(roc: Curve, fpr: Floats) -> Floats:
    """Return the true positive rate of the curve, the lowest where it is vertical."""
    return 1 - np.interp(1 - fpr, 1 - roc.fpr[::-1], 1 - roc.tpr[::-1])
