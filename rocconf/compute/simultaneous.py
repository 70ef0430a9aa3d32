r"""A band that holds the whole curve with the level's probability.

A point (f, t) is plausible if it lies near the curve, and near is measured by how well it explains a threshold: with
x = fp/Q and y = tp/P there, and Kullback and Leibler's divergence D of two shares, the deviance is

.. math:: 2P\,D(y, t) + 2Q\,D(x, f), \quad D(y, t) = y\ln\frac yt + (1-y)\ln\frac{1-y}{1-t}

The band holds all points whose least deviance along the curve is at most c. It is the square of a sup-t distance far
from the edges of ROC space, and unlike that it keeps its meaning where a rate is 0 or 1 and its standard error is no
longer told by the sample: a sup-t band on bootstrapped standard errors has no width there and misses the curve in
most samples of a hundred cases.

c is the level's quantile, over bootstrapped curves, of the largest of these deviances along the curve they are drawn
from. That is a smooth one near the sample's, with half a case added to either side of every threshold: curves drawn
from the sample itself could never leave the edges that the sample touches.

References
----------
.. [1] R. H. Berk, D. H. Jones (1979), Zeitschrift für Wahrscheinlichkeitstheorie und verwandte Gebiete 47, 47-59
   (the largest deviance of a distribution function).
"""

from __future__ import annotations

from math import log, log1p
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.vertical import GRID

if TYPE_CHECKING:
    from numpy.random import Generator

    from rocconf.compute.curve import Curve
    from rocconf.records import Floats

KNOTS = 16
"""Through how many points of the smoothed curve the curve goes that is drawn from: a step is no feature of the truth."""
NODES = 400
"""At how many thresholds curves are drawn; they are straight in between."""
LOOKED_AT = 128
"""Around how many points of the true curve the bootstrapped ones are looked at."""
REACH = 65
"""At how many points of the curve around a rate its limits are looked for."""
BATCH = 64
HALVINGS = 45
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
    looked_at = np.linspace(along[1], along[-2], LOOKED_AT)
    points = list(zip(*(np.interp(looked_at, along, rates).tolist() for rates in (fpr, tpr)), strict=True))
    found = []
    for start in range(0, replicates, BATCH):
        size = min(BATCH, replicates - start)
        curves = _Curves(_drawn(roc.q, fpr, size, rng), _drawn(roc.p, tpr, size, rng), roc.q, roc.p)
        found.append(np.max([curves.least_deviance(*point) for point in points], axis=0))
    return float(np.quantile(np.concatenate(found), level))


def _smoothed(roc: Curve) -> tuple[Floats, Floats]:
    """Return both rates of a broken line through the curve that has half a case more on either side of a threshold."""
    ends = ((roc.fp, roc.q), (roc.tp, roc.p))
    fpr, tpr = (np.concatenate([[0], (counted + 0.5) / (size + 1), [1]]) for counted, size in ends)
    along = fpr + tpr
    knots = np.concatenate([[0], np.linspace(along[1], along[-2], KNOTS), [2]])
    nodes = np.unique(np.concatenate([knots, np.linspace(0, 2, NODES)]))
    smooth_fpr, smooth_tpr = (np.interp(nodes, knots, np.interp(knots, along, rates)) for rates in (fpr, tpr))
    return smooth_fpr, smooth_tpr


def _drawn(size: int, rates: Floats, replicates: int, rng: Generator) -> Floats:
    """Draw a class anew: its rates at the thresholds that have these rates in truth."""
    cumulated = np.cumsum(rng.multinomial(size, np.diff(rates), size=replicates), axis=1)
    return np.pad(cumulated / size, ((0, 0), (1, 0)))


class _Curves:
    """Bootstrapped curves, one a line, and all that the deviance of any point from them needs."""

    def __init__(self, x: Floats, y: Floats, q: int, p: int) -> None:
        self.x, self.y, self.q, self.p = x, y, q, p
        self.across, self.up = np.diff(x), np.diff(y)
        self.information = 2 * (q * _negative_entropy(x) + p * _negative_entropy(y))

    def least_deviance(self, f: float, t: float) -> Floats:
        """Return the least deviance of a point along each curve: at a corner, or where a straight piece is near."""
        of_f, of_t = (log(rate) - log1p(-rate) for rate in (f, t))
        at_corners = self.information - 2 * self.q * of_f * self.x
        at_corners -= 2 * self.p * of_t * self.y
        least: Floats = at_corners.min(axis=1) - 2 * (self.q * log1p(-f) + self.p * log1p(-t))
        x, y = self._nearest(f, t)
        return np.minimum(least, _deviance(x, f, self.q) + _deviance(y, t, self.p))

    def _nearest(self, f: float, t: float) -> tuple[Floats, Floats]:
        """Return the point of each curve's straight pieces that is nearest, in standard errors of (f, t)."""
        a, b = (size / (rate * (1 - rate)) for size, rate in ((self.q, f), (self.p, t)))
        from_x, from_y = f - self.x[:, :-1], t - self.y[:, :-1]
        length = a * self.across**2 + b * self.up**2
        along = a * self.across * from_x + b * self.up * from_y
        along /= np.maximum(length, SHORTEST)
        np.clip(along, 0, 1, out=along)
        from_x -= along * self.across
        from_y -= along * self.up
        best = (a * from_x**2 + b * from_y**2).argmin(axis=1)
        line = np.arange(len(best))
        return f - from_x[line, best], t - from_y[line, best]


def _negative_entropy(share: Floats) -> Floats:
    """Return share ln share + (1 - share) ln(1 - share), 0 at both ends."""
    inside = np.clip(share, SHORTEST, 1 - EPSILON)
    found: Floats = share * np.log(inside) + (1 - share) * np.log1p(-inside)
    return found


def _deviance(share: Floats, expected: Floats | float, size: int) -> Floats:
    """Return 2n D(share, expected), 0 where they are equal."""
    kept = np.clip(expected, SHORTEST, 1 - EPSILON)
    found: Floats = 2 * size * (_negative_entropy(share) - share * np.log(kept) - (1 - share) * np.log1p(-kept))
    return found


def _limit(share: Floats, deviance: Floats, size: int, *, outside: float) -> Floats:
    """Return how far from a share towards `outside` a deviance reaches."""
    inside, beyond = share.copy(), np.full_like(share, outside)
    for _ in range(HALVINGS):
        middle = (inside + beyond) / 2
        near = _deviance(share, middle, size) <= deviance
        inside, beyond = np.where(near, middle, inside), np.where(near, beyond, middle)
    return inside


def _top(roc: Curve, fpr: Floats) -> Floats:
    """Return the curve's true positive rate, at the top where it rises straight up."""
    return np.interp(fpr, roc.fpr, roc.tpr)


def _bottom(roc: Curve, fpr: Floats) -> Floats:
    """Return the curve's true positive rate, at the bottom where it rises straight up."""
    return 1 - np.interp(1 - fpr, 1 - roc.fpr[::-1], 1 - roc.tpr[::-1])
