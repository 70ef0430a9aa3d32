"""The intervals of rocconf for many samples at a time; a test compares them with those of the library, one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import betaincinv, expit, logit, ndtri, stdtrit
from scipy.stats import rankdata

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from simulations.families import Scores

    Limits = tuple[Scores, Scores]


FLOOR = (3 / 14) ** 0.5
"""The least reach of a pseudo-case."""
NOISE = 1e-30
"""The variance of equal influences in floats, which is exactly 0."""


@dataclass(frozen=True)
class Placed:
    """Areas, and the influence of each positive and each negative on them, a row a sample."""

    area: Scores
    positives: NDArray[np.float64]
    negatives: NDArray[np.float64]
    factor: float = 1.0
    """What the negatives count, as a multiple."""
    pessimistic: Scores | None = None
    """The areas with one more negative, ranked first."""
    reach: tuple[Scores | float, Scores | float] = (FLOOR, FLOOR)
    """How far a pseudo-case of the positives, and of the negatives, moves the areas."""
    together: bool = False
    """Whether all cases are one stratum."""

    def __sub__(self, other: Placed) -> Placed:
        moved = self.positives - other.positives, self.negatives - other.negatives
        reach = tuple(np.maximum(*each) for each in zip(self.reach, other.reach, strict=True))
        return Placed(self.area - other.area, *moved, self.factor, reach=reach, together=self.together)  # type: ignore[arg-type]

    @property
    def sizes(self) -> tuple[int, int]:
        """The positives and the negatives."""
        return self.positives.shape[1], self.negatives.shape[1]

    @property
    def strata(self) -> list[NDArray[np.float64]]:
        """What each case contributes, in each stratum."""
        parts = [self.positives, self.negatives]
        parts = [np.concatenate(parts, axis=1)] if self.together else parts
        return [(part - part.mean(axis=1, keepdims=True)) / part.shape[1] for part in parts]

    @property
    def spread(self) -> tuple[Scores, Scores]:
        """The variances and their degrees of freedom."""
        sizes = [part.shape[1] for part in self.strata]
        squares = [(part**2).sum(axis=1) * n / (n - 1) for part, n in zip(self.strata, sizes, strict=True)]
        squares = [np.where(square > NOISE, square, 0.0) for square in squares]
        v = sum(squares)
        with np.errstate(invalid="ignore", divide="ignore"):
            if self.together:
                (n,), (part,) = sizes, self.strata
                kurtosis = n * (part**4).sum(axis=1) / (part**2).sum(axis=1) ** 2
                df = 2 * n / np.maximum(np.where(v > 0, kurtosis, 1.0) - 1 + 2 / (n - 1), 2 / n)
                return v, np.clip(df, 1, n - 1)
            df = v**2 / sum(square**2 / (n - 1) for square, n in zip(squares, sizes, strict=True))
        return v, np.where(v > 0, df, min(self.sizes) - 1)


def placed(scores: Scores, p: int) -> Placed:
    """Return the placements of samples whose positives come first; ties count half."""
    q = scores.shape[1] - p
    ranks = rankdata(scores, axis=1)
    within = rankdata(scores[:, :p], axis=1), rankdata(scores[:, p:], axis=1)
    positives = (ranks[:, :p] - within[0]) / q
    return Placed(positives.mean(axis=1), positives, 1 - (ranks[:, p:] - within[1]) / p)


def _apart(values: Scores, p: int) -> Scores:
    """Return how far the means over the positives and over the negatives are apart."""
    return np.abs(values[:, :p].mean(axis=1) - values[:, p:].mean(axis=1))


@dataclass(frozen=True)
class Ranked:
    """For each case, how many positives and negatives have at least its score (tp, fp), and how many a greater one."""

    tp: Scores
    fp: Scores
    tp_above: Scores
    fp_above: Scores
    order: NDArray[np.intp]
    """The positives from the least score to the greatest."""

    @classmethod
    def of(cls, scores: Scores, p: int) -> Ranked:
        """Rank samples whose positives come first."""
        up_to, above = (_counts(scores, p, method) for method in ("max", "min"))
        above = tuple(each - 1 for each in above)
        return cls(*_by_class(up_to, p), *_by_class(above, p), np.argsort(scores[:, :p], axis=1))


def _counts(scores: Scores, p: int, method: str) -> tuple[Scores, ...]:
    return tuple(rankdata(-each, axis=1, method=method) for each in (scores, scores[:, :p], scores[:, p:]))


def _by_class(counted: tuple[Scores, ...], p: int) -> tuple[Scores, Scores]:
    """Return positives and negatives at all cases, from the ranks among all and within the classes."""
    every, positives, negatives = counted
    own = np.concatenate([positives, negatives], axis=1)
    other = every - own
    is_positive = np.arange(every.shape[1]) < p
    return np.where(is_positive, own, other), np.where(is_positive, other, own)


def precise(ranked: Ranked, p: int, q: int) -> Placed:
    """Return average precisions with the influences of the cases."""
    tp, fp = ranked.tp[:, :p], ranked.fp[:, :p]
    flagged = tp + fp
    start = np.zeros((len(tp), 1))
    below = (p - ranked.tp_above).astype(int)  # the positives of at most the score
    more_tp, more_fp = (
        np.take_along_axis(
            np.concatenate([start, np.cumsum(np.take_along_axis(part / flagged**2, ranked.order, 1), axis=1)], axis=1),
            below,
            1,
        )
        for part in (fp, tp)
    )
    area = (tp / flagged).mean(axis=1)
    of_positive, of_negative = ranked.tp / (ranked.tp + ranked.fp) + more_tp, -more_fp
    positives, negatives = (p + q) / p * (of_positive[:, :p] - area[:, None]), (p + q) / p * of_negative[:, p:]
    reach = _apart(of_positive, p), q / p * _apart(of_negative, p)
    return Placed(area, positives, negatives, 1.0, (tp / (flagged + 1)).mean(axis=1), reach, together=True)


def partial(ranked: Ranked, p: int, q: int, max_fpr: float) -> Placed:
    """Return areas up to a false positive rate, over it, with the influences of the cases."""
    height, share = _heights(ranked.fp_above / q, ranked.fp / q, max_fpr)
    cut = share[:, :p].mean(axis=1, keepdims=True)
    tpr, rise = ranked.tp_above / p, (ranked.tp - ranked.tp_above) / p
    of_negative = -(share * (cut - tpr - rise * share / 2)) / max_fpr
    pessimistic, _ = _heights(
        (ranked.fp_above / q + 1 / q) / (1 + 1 / q), (ranked.fp / q + 1 / q) / (1 + 1 / q), max_fpr
    )
    areas = height[:, :p].mean(axis=1), pessimistic[:, :p].mean(axis=1)
    reach = np.maximum(FLOOR, _apart(height, p)), np.maximum(FLOOR / max_fpr, _apart(of_negative, p))
    return Placed(areas[0], height[:, :p], of_negative[:, p:], 1 / max_fpr, areas[1], reach)


def _heights(left: Scores, right: Scores, max_fpr: float) -> tuple[Scores, Scores]:
    width = right - left
    inside = np.clip(max_fpr - left, 0, width)
    share = np.divide(inside, width, out=(left < max_fpr).astype(float), where=width > 0)
    return share * np.maximum(max_fpr - left - inside / 2, 0) / max_fpr, share


def _square_of_t(df: Scores, level: float) -> Scores:
    return np.asarray(stdtrit(df, (1 + level) / 2)) ** 2


def robust_areas(of: Placed, level: float = 0.95) -> Limits:
    """Return the robust intervals of areas."""
    (p, q), (v, df) = of.sizes, of.spread
    limits, m = [], min(p, q / of.factor)
    for side in (-1, 1):
        each = []
        for area in (of.area, *([of.pessimistic] if side < 0 and of.pessimistic is not None else [])):
            spread = area * (1 - area)
            k = _square_of_t(df, level) * (v + 0.25 / m**2) / (spread + 0.25 / m)
            each.append((area + k / 2 + side * np.sqrt(k * spread + k * k / 4)) / (1 + k))
        limits.append(np.min(each, axis=0))
    return limits[0], limits[1]


def delong_areas(of: Placed, level: float = 0.95) -> Limits:
    """Return the classical intervals of areas, NaN where there is no variance."""
    area, z = of.area, float(ndtri((1 + level) / 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        reach = z * np.sqrt(of.spread[0]) / (area * (1 - area))
        return expit(logit(area) - reach), expit(logit(area) + reach)


def robust_differences(of: Placed, level: float = 0.95) -> Limits:
    """Return the robust intervals of differences on the same cases, from the differences of influences."""
    (v, df), d = of.spread, of.area
    wide = v + 3.5 * sum((h / n) ** 2 for h, n in zip(of.reach, of.sizes, strict=True))
    if of.together:
        with np.errstate(divide="ignore", over="ignore"):
            df = np.where(v > 0, np.minimum(df * (wide / v) ** 2, 1e15), 1e15)
    t2, skew = _square_of_t(df, level), sum((part**3).sum(axis=1) for part in of.strata) / wide
    down, up = t2 / 2 * np.maximum(-skew, 0), t2 / 2 * np.maximum(skew, 0)
    return d - down - np.sqrt(down**2 + t2 * wide), d + up + np.sqrt(up**2 + t2 * wide)


def delong_differences(of: Placed, level: float = 0.95) -> Limits:
    """Return the classical intervals of differences on the same cases."""
    reach = float(ndtri((1 + level) / 2)) * np.sqrt(of.spread[0])
    return of.area - reach, of.area + reach


def square_and_add(first: Scores, around: Limits, second: Scores, around_second: Limits) -> Limits:
    """Return the intervals of differences of independent estimates."""
    d = first - second
    down = np.hypot(first - around[0], around_second[1] - second)
    return d - down, d + np.hypot(around[1] - first, second - around_second[0])


def exact_limits(hits: Scores, trials: Scores | int, level: float = 0.95) -> Limits:
    """Return the intervals of Clopper and Pearson for proportions."""
    tail = (1 - level) / 2
    lower = betaincinv(np.maximum(hits, 1), trials - hits + 1, tail)
    upper = betaincinv(hits + 1, np.maximum(trials - hits, 1), 1 - tail)
    return np.where(hits == 0, 0.0, lower), np.where(hits == trials, 1.0, upper)


def tango_corrected(b: Scores, c: Scores, n: int, level: float = 0.95) -> Limits:
    """Return Tango's intervals with Edwards' correction."""
    s, t, m = b + c, b - c, n - b - c
    a = 4 * n * m + t * t
    middle, tilt = (np.divide(part, a, out=np.zeros(len(b)), where=a > 0) for part in (t * (n + m), 16 * n * m * b * c))

    def error(difference: Scores) -> Scores:
        twice = s + t * difference + np.sqrt(a * (difference - middle) ** 2 + tilt)
        discordant = np.where(a > 0, twice / 2, s)
        return np.sqrt(np.maximum(discordant - n * difference**2, 0))

    z = float(ndtri((1 + level) / 2))
    return _inverted(t / n, lambda difference: np.abs(t - n * difference) - 1 - z * error(difference))


def miettinen_nurminen_corrected(hits: Scores, n: int, others: Scores, m: int, level: float = 0.95) -> Limits:
    """Return Miettinen and Nurminen's intervals with a continuity correction."""
    value, correction, more = hits / n - others / m, (1 / n + 1 / m) / 2, (n + m) / (n + m - 1)
    z = float(ndtri((1 + level) / 2))

    def error(difference: Scores) -> Scores:
        rate = _likeliest(hits, n, others, m, difference)
        first = np.clip(rate + difference, 0, 1)
        return np.sqrt(more * (first * (1 - first) / n + rate * (1 - rate) / m))

    return _inverted(value, lambda difference: np.abs(value - difference) - correction - z * error(difference))


def _likeliest(hits: Scores, n: int, others: Scores, m: int, difference: Scores) -> Scores:
    """Return the likeliest second rates, by the roots of Farrington and Manning's cubic."""
    total, both = n + m, hits + others
    square = (n + 2 * m) * difference - total - both
    slope = (m * difference - total - 2 * others) * difference + both
    third = square / (3 * total)
    q = third**3 - slope * square / (6 * total**2) + others * difference * (1 - difference) / (2 * total)
    p = np.where(q < 0, -1.0, 1.0) * np.sqrt(np.maximum(third**2 - slope / (3 * total), 0))
    ratio = np.clip(np.divide(q, p**3, out=np.zeros(len(q)), where=p != 0), -1, 1)
    return np.clip(2 * p * np.cos((np.pi + np.arccos(ratio)) / 3) - third, 0, 1)


def _inverted(value: Scores, excess: Callable[[Scores], Scores]) -> Limits:
    """Return where the excess changes its sign on either side of the values."""
    limits = []
    for end in (-1.0, 1.0):
        inside, outside = value.copy(), np.full(len(value), end)
        for _ in range(45):
            middle = (inside + outside) / 2
            is_inside = excess(middle) <= 0
            inside, outside = np.where(is_inside, middle, inside), np.where(is_inside, outside, middle)
        limits.append(outside)
    return limits[0], limits[1]
