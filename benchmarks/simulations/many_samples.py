"""The intervals of rocconf for many samples at a time; a test compares them with those of the library, one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, logit, ndtri, stdtrit
from scipy.stats import rankdata

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from simulations.families import Scores

    Limits = tuple[Scores, Scores]


@dataclass(frozen=True)
class Placed:
    """The placements of the positives and of the negatives, a row a sample; ties count half."""

    positives: NDArray[np.float64]
    negatives: NDArray[np.float64]

    @property
    def area(self) -> Scores:
        """The areas."""
        return np.asarray(self.positives.mean(axis=1))

    def __sub__(self, other: Placed) -> Placed:
        return Placed(self.positives - other.positives, self.negatives - other.negatives)

    @property
    def parts(self) -> tuple[Scores, Scores]:
        """The parts of the classes in DeLong's variance."""
        positives, negatives = (part.var(axis=1, ddof=1) / part.shape[1] for part in (self.positives, self.negatives))
        noise = 1e-30  # equal placements in floats, whose variance is exactly 0
        return np.where(positives > noise, positives, 0.0), np.where(negatives > noise, negatives, 0.0)


def placed(scores: Scores, p: int) -> Placed:
    """Return the placements of samples whose positives come first."""
    q = scores.shape[1] - p
    ranks = rankdata(scores, axis=1)
    within = rankdata(scores[:, :p], axis=1), rankdata(scores[:, p:], axis=1)
    return Placed((ranks[:, :p] - within[0]) / q, 1 - (ranks[:, p:] - within[1]) / p)


def _t(parts: tuple[Scores, Scores], p: int, q: int, level: float) -> Scores:
    w1, w0 = parts
    v = w1 + w0
    with np.errstate(invalid="ignore", divide="ignore"):
        df = v**2 / (w1**2 / (p - 1) + w0**2 / (q - 1))
    return np.asarray(stdtrit(np.where(v > 0, df, min(p, q) - 1), (1 + level) / 2))


def robust_areas(of: Placed, level: float = 0.95) -> Limits:
    """Return the robust intervals of areas."""
    p, q, area, parts = of.positives.shape[1], of.negatives.shape[1], of.area, of.parts
    m, spread = min(p, q), area * (1 - area)
    k = _t(parts, p, q, level) ** 2 * (sum(parts) + 0.25 / m**2) / (spread + 0.25 / m)
    reach = np.sqrt(k * spread + k * k / 4)
    return (area + k / 2 - reach) / (1 + k), (area + k / 2 + reach) / (1 + k)


def delong_areas(of: Placed, level: float = 0.95) -> Limits:
    """Return the classical intervals of areas, NaN where there is no variance."""
    area, z = of.area, float(ndtri((1 + level) / 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        reach = z * np.sqrt(sum(of.parts)) / (area * (1 - area))
        return expit(logit(area) - reach), expit(logit(area) + reach)


def robust_differences(of: Placed, level: float = 0.95) -> Limits:
    """Return the robust intervals of differences on the same cases, from the placements' differences."""
    p, q, d, parts = of.positives.shape[1], of.negatives.shape[1], of.area, of.parts
    t2 = _t(parts, p, q, level) ** 2
    v = sum(parts) + 0.75 * (1 / p**2 + 1 / q**2)
    cubes = [((part - part.mean(axis=1, keepdims=True)) ** 3).mean(axis=1) for part in (of.positives, of.negatives)]
    skew = (cubes[0] / p**2 + cubes[1] / q**2) / v
    down, up = t2 / 2 * np.maximum(-skew, 0), t2 / 2 * np.maximum(skew, 0)
    return d - down - np.sqrt(down**2 + t2 * v), d + up + np.sqrt(up**2 + t2 * v)


def delong_differences(of: Placed, level: float = 0.95) -> Limits:
    """Return the classical intervals of differences on the same cases."""
    reach = float(ndtri((1 + level) / 2)) * np.sqrt(sum(of.parts))
    return of.area - reach, of.area + reach


def square_and_add(first: Scores, around: Limits, second: Scores, around_second: Limits) -> Limits:
    """Return the intervals of differences of independent estimates."""
    d = first - second
    down = np.hypot(first - around[0], around_second[1] - second)
    return d - down, d + np.hypot(around[1] - first, second - around_second[0])
