r"""How often the interval of an area, or of a difference of two, meets a rule: samples of a size, and their intervals.

Up to `WHOLE` scores samples are drawn whole. In larger ones the placements of a class are drawn as they are among all
cases of the other class, and a class of more than `DRAWN` cases enters by the moments of its placements. What the
sample's own other class adds is small: with the variance of a pair, :math:`\sigma^2`, and those of the placements in
either class, the rest :math:`\tau = \sigma^2 - \sigma_{10}^2 - \sigma_{01}^2` adds :math:`\tau/PQ` to the variance of the
value and twice as much to DeLong's estimate of it, half in either class [1]_. `tests/compute/plan` compares the shares
with those of the gate on generated cases.

References
----------
.. [1] W. Hoeffding (1948), Annals of Mathematical Statistics 19, 293-325.
"""

from __future__ import annotations

from math import hypot, sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.plan.populations import Part, class_part, samples_of
from rocconf.compute.stats.design import pseudo_of_areas
from rocconf.compute.stats.estimate import newcombe_limits
from rocconf.compute.stats.normal import normal_quantile
from rocconf.compute.stats.seeds import generator
from rocconf.dataclass import dataclass
from rocconf.records import DELONG, ROBUST

if TYPE_CHECKING:
    from rocconf.compute.plan.populations import Population
    from rocconf.records import Floats, IntervalKind

WHOLE = 1200
"""The scores, of all models, up to which samples are drawn whole."""

DRAWN = 500
"""The cases of a class up to which each is drawn."""

NO_VARIANCE = 1e-28
"""The variance of equal placements in floats, whose variance is 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """The values of many samples, and the limits of their intervals."""

    values: Floats
    lower: Floats
    upper: Floats


def samples(
    population: Population, p: int, q: int, *, runs: int, seed: int, level: float, kind: IntervalKind
) -> Samples:
    """Return the intervals of samples of a size; those of another size are drawn independently of them."""
    rng = generator(hash_of(seed, p, q))
    if (p + q) * len(population.areas) <= WHOLE:
        positives, negatives = samples_of(population, rng, runs, p, q)
        values = positives.mean
    else:
        found = []
        for size, positive, moments in zip((p, q), (True, False), population.moments, strict=True):
            if size <= DRAWN:
                found.append(class_part(population, rng, runs, size, positive=positive))
            else:
                found.append(moments.part(rng, runs, size))
        pairs = rest_of_pairs(population) / (p * q)
        positives, negatives = (Part(each.mean, each.variance + pairs, each.third) for each in found)
        values = positives.mean + negatives.mean - population.moments[0].mean + sqrt(pairs) * rng.standard_normal(runs)
    paired = len(population.areas) > 1
    limits = difference_limits if paired else area_limits
    values = np.clip(values, -1.0 if paired else 0.0, 1.0)
    return Samples(values, *limits(values, positives, negatives, p, q, level=level, kind=kind))


def rest_of_pairs(population: Population) -> float:
    """Return the variance of a pair that the placements of its two cases do not explain."""
    positives, negatives = population.moments
    return max(population.pair_variance - positives.second - negatives.second, 0.0)


def hash_of(seed: int, p: int, q: int) -> int:
    """Return a seed of its own for samples of each size."""
    return ((seed << 42) + p) << 42 | q


def difference_limits(
    values: Floats, positives: Part, negatives: Part, p: int, q: int, *, level: float, kind: IntervalKind
) -> tuple[Floats, Floats]:
    """Return the limits of differences of areas on the same cases, as estimates have them one by one."""
    variance = _known(positives.variance + negatives.variance)
    if kind == DELONG:
        reach = normal_quantile(level) * np.sqrt(variance)
        lower, upper = values - reach, values + reach
        for at in np.flatnonzero(variance == 0):  # two perfect models, of which the intervals are added
            around = newcombe_limits(1.0, p, q, normal_quantile(level))
            apart = hypot(1 - around.lower, around.upper - 1)
            lower[at], upper[at] = values[at] - apart, values[at] + apart
        return np.maximum(lower, -1.0), np.minimum(upper, 1.0)
    square = _t_of(positives, negatives, variance, p, q, level) ** 2
    v = variance + pseudo_of_areas(p, q)
    skewed = (positives.third + negatives.third) / v
    down, up = square / 2 * np.maximum(-skewed, 0), square / 2 * np.maximum(skewed, 0)
    lower = values - down - np.sqrt(down**2 + square * v)
    return np.maximum(lower, -1.0), np.minimum(values + up + np.sqrt(up**2 + square * v), 1.0)


def area_limits(
    values: Floats, positives: Part, negatives: Part, p: int, q: int, *, level: float, kind: IntervalKind
) -> tuple[Floats, Floats]:
    """Return the limits of areas, as estimates have them one by one."""
    variance, m = _known(positives.variance + negatives.variance), min(p, q)
    if kind == ROBUST:
        share = values * (1 - values)
        square = _t_of(positives, negatives, variance, p, q, level) ** 2
        k = square * (variance + 0.25 / m**2) / (share + 0.25 / m)
        reach = np.sqrt(k * share + k * k / 4)
        return (values + k / 2 - reach) / (1 + k), (values + k / 2 + reach) / (1 + k)
    from scipy.special import expit, logit

    usual = (variance > 0) & (values > 0) & (values < 1)
    inside, spread = np.where(usual, values, 0.5), np.where(usual, variance, 0.0)
    reach = normal_quantile(level) * np.sqrt(spread) / (inside * (1 - inside))
    lower, upper = expit(logit(inside) - reach), expit(logit(inside) + reach)
    others = {float(area) for area in values[~usual]}
    for area in others:
        found = newcombe_limits(area, p, q, normal_quantile(level))
        same = ~usual & (values == area)
        lower[same], upper[same] = found.lower, found.upper
    return lower, upper


def _known(variance: Floats) -> Floats:
    return np.where(variance > NO_VARIANCE, variance, 0.0)


def _t_of(positives: Part, negatives: Part, variance: Floats, p: int, q: int, level: float) -> Floats:  # noqa: PLR0917  # as above
    """Return Student's quantile at the Satterthwaite degrees of freedom."""
    from scipy.special import stdtrit

    has_any = variance > 0
    total = np.where(has_any, variance, 1.0)
    shares = positives.variance / total, negatives.variance / total
    with np.errstate(divide="ignore"):
        df = np.where(has_any, 1 / (shares[0] ** 2 / (p - 1) + shares[1] ** 2 / (q - 1)), min(p, q) - 1)
    return np.asarray(stdtrit(df, (1 + level) / 2))


def expected_spread(population: Population, p: int, q: int) -> float:
    """Return the standard deviation of the value in large samples of a size."""
    positives, negatives = population.moments
    return sqrt(positives.second / p + negatives.second / q)
