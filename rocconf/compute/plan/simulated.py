r"""The intervals of an area, or of a difference of two, in simulated samples of a size.

A sample enters by what DeLong's variance has of either class: the mean of its placements, its variance and its third
cumulant. Up to `WHOLE` scores samples are drawn whole. In larger ones the placements of a class are drawn as they are
among all cases of the other class, and a class of more than `DRAWN` cases enters by the moments of its placements. What
the sample's own other class adds is small: with the variance of a pair, :math:`\sigma^2`, and those of the placements in
either class, the rest :math:`\tau = \sigma^2 - \sigma_{10}^2 - \sigma_{01}^2` adds :math:`\tau/PQ` to the variance of the
value and twice as much to DeLong's estimate of it, half in either class [1]_. `tests/compute/plan` compares the shares
with those of the gate on generated cases.

References
----------
.. [1] W. Hoeffding (1948), Annals of Mathematical Statistics 19, 293-325.
"""

from __future__ import annotations

from math import hypot, inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.plan.populations import difference, placements_in_samples
from rocconf.compute.stats.beta import student_quantiles
from rocconf.compute.stats.design import pseudo_of_areas
from rocconf.compute.stats.estimate import (
    logit_limits,
    newcombe_limits,
    satterthwaite,
    skewed_limits,
    wilson_limits,
)
from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.stats.score_tests import Limits
from rocconf.compute.stats.seeds import generator
from rocconf.dataclass import dataclass
from rocconf.records import ROBUST

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.random import Generator

    from rocconf.compute.plan.populations import Moments, Population
    from rocconf.records import Floats, IntervalKind

WHOLE = 1200
"""The scores, of all models, up to which samples are drawn whole."""

DRAWN = 500
"""The cases of a class up to which each is drawn."""

CHUNK = 1 << 18
"""The scores that are drawn at a time."""

NO_VARIANCE = 1e-28
"""The variance of equal placements in floats, whose variance is 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Of one class in many samples: the mean of its placements, the variance of the mean, and its third cumulant."""

    mean: Floats
    variance: Floats
    third: Floats

    @classmethod
    def of(cls, placements: Floats) -> Part:
        """Return that of placements, a row a sample."""
        size = placements.shape[1]
        mean = placements.mean(axis=1)
        away = placements - mean[:, None]
        square = away * away
        return cls(mean, square.sum(axis=1) / ((size - 1) * size), (square * away).mean(axis=1) / size**2)

    @classmethod
    def expected(cls, moments: Moments, size: int) -> Part:
        """Return that of a single sample which is like all cases."""
        numbers = moments.mean, moments.second / size, moments.third / size**2
        return cls(*(np.array([number]) for number in numbers))

    @classmethod
    def drawn(cls, moments: Moments, rng: Generator, runs: int, size: int) -> Part:
        """Return that of large samples: mean and variance are jointly normal, the third moment is that of all."""
        first, other = rng.standard_normal((2, runs))
        spread = sqrt(moments.second)
        skewed = moments.third / spread if spread else 0.0
        rest = sqrt(max(moments.fourth - moments.second**2 - skewed**2, 0.0))
        variance = moments.second + (skewed * first + rest * other) / sqrt(size)
        return cls(
            moments.mean + spread * first / sqrt(size),
            np.maximum(variance, 0.0) / size,
            np.full(runs, moments.third / size**2),
        )


def samples(
    population: Population, p: int, q: int, *, runs: int, seed: int, level: float, kind: IntervalKind
) -> Limits:
    """Return the intervals of samples of a size; those of another size are drawn independently of them."""
    if min(p, q) < 2:  # the variance is unknown
        return Limits(np.full(runs, -inf), np.full(runs, inf))
    values, parts = draw(population, p, q, runs=runs, seed=seed)
    return limits_of(values, parts, (p, q), is_paired=len(population.areas) > 1, level=level, kind=kind)


def expected(population: Population, p: int, q: int, *, level: float, kind: IntervalKind) -> Limits:
    """Return the interval of a sample that is like all cases."""
    parts = [Part.expected(moments, size) for moments, size in zip(population.moments, (p, q), strict=True)]
    return limits_of(parts[0].mean, parts, (p, q), is_paired=len(population.areas) > 1, level=level, kind=kind)


def expected_spread(population: Population, p: int, q: int) -> float:
    """Return the standard deviation of the value in large samples of a size."""
    positives, negatives = population.moments
    return sqrt(positives.second / p + negatives.second / q)


def draw(population: Population, p: int, q: int, *, runs: int, seed: int) -> tuple[Floats, list[Part]]:
    """Return the values of samples of a size, and what their variances follow from."""
    rng = generator(((seed << 42) + p) << 42 | q)
    if (p + q) * len(population.areas) <= WHOLE:

        def whole(some: int) -> tuple[Part, ...]:
            placed = [placements_in_samples(scores, p) for scores in population.scores(rng, some, p, q)]
            return tuple(Part.of(difference(of_class)) for of_class in zip(*placed, strict=True))

        parts = _in_chunks(runs, p + q, whole)
        return parts[0].mean, parts
    positives, negatives = population.moments
    rest = max(population.pair_variance - positives.second - negatives.second, 0.0) / (p * q)
    parts = []
    for size, positive, moments in zip((p, q), (True, False), population.moments, strict=True):
        part = _of_class(population, moments, rng, runs, size, positive=positive)
        parts.append(Part(part.mean, part.variance + rest, part.third))
    values = parts[0].mean + parts[1].mean - positives.mean
    return values + sqrt(rest) * rng.standard_normal(runs), parts


def _of_class(
    population: Population, moments: Moments, rng: Generator, runs: int, size: int, *, positive: bool
) -> Part:
    if size > DRAWN:
        return Part.drawn(moments, rng, runs, size)

    def drawn(some: int) -> tuple[Part]:
        return (Part.of(population.placements(rng, some, size, positive=positive)),)

    return _in_chunks(runs, size, drawn)[0]


def _in_chunks(runs: int, size: int, drawn: Callable[[int], tuple[Part, ...]]) -> list[Part]:
    """Return the parts of all samples, drawn a chunk at a time."""
    step = max(CHUNK // size, 1)
    chunks = [drawn(min(step, runs - start)) for start in range(0, runs, step)]
    return [
        Part(*(np.concatenate([getattr(part, name) for part in parts]) for name in Part.__slots__))
        for parts in zip(*chunks, strict=True)
    ]


def limits_of(
    values: Floats, parts: list[Part], sizes: tuple[int, int], *, is_paired: bool, level: float, kind: IntervalKind
) -> Limits:
    """Return the intervals of areas, or of differences on the same cases, by the formulas of estimates."""
    least = -1.0 if is_paired else 0.0
    values, variances = np.clip(values, least, 1.0), [part.variance for part in parts]
    total = np.where(sum(variances) > NO_VARIANCE, sum(variances), 0.0)
    if kind != ROBUST:
        lower, upper = _classical_limits(values, total, sizes, normal_quantile(level), is_paired=is_paired)
    else:
        t = student_quantiles(1 - level, satterthwaite([v * (total > 0) for v in variances], [n - 1 for n in sizes]))
        if is_paired:
            third = parts[0].third + parts[1].third
            lower, upper = skewed_limits(values, total + pseudo_of_areas(*sizes), third, t)
        else:
            lower, upper = wilson_limits(values, total, min(sizes), t)
    return Limits(np.maximum(lower, least), np.minimum(upper, 1.0))


def _classical_limits(
    values: Floats, variance: Floats, sizes: tuple[int, int], z: float, *, is_paired: bool
) -> tuple[Floats, Floats]:
    """Return the limits of `delong`; without a variance those of Newcombe's method, of two perfect models in squares."""
    se = np.sqrt(variance)
    if is_paired:
        around = newcombe_limits(1.0, *sizes, z)
        reach = np.where(se > 0, z * se, hypot(1 - around.lower, around.upper - 1))
        return values - reach, values + reach
    is_usual = (se > 0) & (values > 0) & (values < 1)
    lower, upper = logit_limits(np.where(is_usual, values, 0.5), se, z)
    for area in np.unique(values[~is_usual]).tolist():
        around, same = newcombe_limits(area, *sizes, z), ~is_usual & (values == area)
        lower[same], upper[same] = around.lower, around.upper
    return lower, upper
