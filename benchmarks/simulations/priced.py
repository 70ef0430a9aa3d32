"""The errors of rules on a cost per case, and on a difference of two costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
from scipy.special import betaincinv
from scipy.stats import binom

from rocconf.compute.stats.proportion import wilson_limits
from rocconf.compute.stats.score_tests import tango_interval
from simulations.errors import DELONG, NOISE, ROBUST, Error, exact_error
from simulations.many_samples import exact_limits, tango_corrected

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from simulations.errors import Floats
    from simulations.many_samples import Limits

    Weights = tuple[float, float]

SEED = 20261118
RUNS = 4000
TAIL, UNLIKELY = 0.025, 1e-7

SIZES = ((5, 50), (5, 500), (10, 100), (10, 500), (15, 300), (20, 200), (30, 30), (50, 500), (100, 100), (300, 900))
MISSED, ALARMED = (0.02, 0.1, 0.3, 0.5, 0.8), (0.001, 0.01, 0.05, 0.2, 0.5)
OF_A_MISS = (0.02, 0.1, 0.5, 1, 2, 10, 50, 200)
"""The costs of a miss, in those of a false alarm."""


@dataclass(frozen=True)
class OneCost:
    """A cell of the rules about a cost: misses and false alarms of a random sample, or of given numbers of both classes."""

    p: int
    q: int
    fnr: float
    fpr: float
    of_miss: float
    is_known: bool
    """Whether the prevalence is given."""

    def errors(self) -> Iterator[Error]:
        """Yield the exact errors."""
        n = self.p + self.q
        of_all = (n, n, self.fnr * self.p / n, self.fpr * self.q / n)
        m, k, missed, alarmed = (self.p, self.q, self.fnr, self.fpr) if self.is_known else of_all
        of_miss, of_alarm = (self.of_miss * self.p / n, self.q / n) if self.is_known else (self.of_miss, 1.0)
        fn, fp = (np.ravel(each) for each in np.meshgrid(_likely(m, missed), _likely(k, alarmed)))
        possible = self.is_known | (fn + fp <= n)
        fn, fp = fn[possible], fp[possible]
        rest = (k, alarmed) if self.is_known else (k - fn, alarmed / (1 - missed))
        probability = binom.pmf(fn, m, missed) * binom.pmf(fp, *rest)
        for kind in (ROBUST, DELONG):
            limits = cost_limits(fn, m, fp, k, (of_miss, of_alarm), of_all=not self.is_known, kind=kind)
            rule = "cost at a given prevalence" if self.is_known else "cost"
            cell = f"{self.p} + {self.q} cases, fnr {self.fnr:g}, fpr {self.fpr:g}, a miss costs {self.of_miss:g} false alarms"
            truth = of_miss * missed + of_alarm * alarmed
            yield exact_error(f"{rule}, {kind}", cell, self.p, limits, truth=truth, probability=probability)


def _likely(n: int, rate: float) -> Any:
    return np.arange(min(int(binom.isf(UNLIKELY, n, rate)) + 1, n) + 1)


@cache
def _of_proportion(n: int, kind: str) -> Limits:
    hits = np.arange(n + 1)
    return exact_limits(hits, n) if kind == ROBUST else wilson_limits(hits, n)


def cost_limits(fn: Any, m: int, fp: Any, k: int, weights: Weights, *, of_all: bool, kind: str) -> Limits:
    """Return the intervals of costs: of misses of m cases and false alarms of k, or both of the same cases."""
    of_miss, of_alarm = weights
    (low, high), (low_alarmed, high_alarmed) = _of_proportion(m, kind), _of_proportion(k, kind)
    missed, alarmed = fn / m, fp / k
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = -np.sqrt(missed * alarmed / ((1 - missed) * (1 - alarmed))) if of_all else 0.0
        correlation = np.nan_to_num(correlation, posinf=0.0, neginf=0.0)
    cost = of_miss * missed + of_alarm * alarmed
    lower = cost - _root(of_miss * (missed - low[fn]), of_alarm * (alarmed - low_alarmed[fp]), correlation)
    upper = cost + _root(of_miss * (high[fn] - missed), of_alarm * (high_alarmed[fp] - alarmed), correlation)
    if kind == ROBUST:
        lower = np.minimum(lower, _as_equal(fn, m, fp, k, (of_miss / m, of_alarm / k), of_all=of_all))
    return lower, upper


def _root(one: Floats, other: Floats, correlation: Floats) -> Floats:
    return np.sqrt(np.maximum(one**2 + other**2 + 2 * correlation * one * other, 0.0))


def _as_equal(fn: Any, m: int, fp: Any, k: int, weights: Weights, *, of_all: bool) -> Floats:
    """Return the lower limits of so many equal errors."""
    of_miss, of_alarm = weights
    total, squares = of_miss * fn + of_alarm * fp, of_miss**2 * fn + of_alarm**2 * fp
    with np.errstate(invalid="ignore", divide="ignore"):
        of_one, n = squares / total, total**2 / ((of_miss * fn) ** 2 / m + (of_alarm * fp) ** 2 / k)
        n = np.full(len(total), float(m)) if of_all else n
        hits = np.minimum(total / of_one, n)
        found = of_one * n * betaincinv(hits, n - hits + 1, TAIL)
    return np.where(total > 0, found, 0.0)


@dataclass(frozen=True)
class CostDifference:
    """A cell of the rules about a difference of costs: shares that only the new or only the old model has wrong."""

    p: int
    q: int
    missed: tuple[float, float]
    alarmed: tuple[float, float]
    of_miss: float

    def __str__(self) -> str:
        shares = ", ".join(f"{new:g} and {old:g}" for new, old in (self.missed, self.alarmed))
        return (
            f"{self.p} + {self.q} cases, missed and alarmed by one model only {shares}, a miss costs {self.of_miss:g}"
        )

    def errors(self, runs: int = RUNS) -> Iterator[Error]:
        """Yield the errors of the intervals of random samples."""
        n, rng = self.p + self.q, np.random.default_rng([SEED, crc32(str(self).encode())])
        shares = [*(share * self.p / n for share in self.missed), *(share * self.q / n for share in self.alarmed)]
        drawn = rng.multinomial(n, [*shares, 1 - sum(shares)], size=runs).T[:4]
        truth = self.of_miss * (shares[0] - shares[1]) + shares[2] - shares[3]
        for kind in (ROBUST, DELONG):
            limits = difference_limits(drawn, n, (self.of_miss, 1.0), kind=kind)
            below, above = (np.count_nonzero(limits[0] > truth + NOISE), np.count_nonzero(limits[1] < truth - NOISE))
            yield Error(f"delta_cost, paired, {kind}", str(self), self.p, below / runs, above / runs, runs)


def difference_limits(drawn: Sequence[Any], n: int, weights: Weights, *, kind: str) -> Limits:
    """Return the intervals of differences of costs on the same n cases.

    `drawn` are the numbers of misses of the new and of the old model alone, and of their false alarms.
    """
    (only_new, only_old, new_alarmed, old_alarmed), (of_miss, of_alarm) = drawn, weights
    missed, alarmed = (only_new - only_old) / n, (new_alarmed - old_alarmed) / n
    spreads = ((only_new + only_old) / n - missed**2) * ((new_alarmed + old_alarmed) / n - alarmed**2)
    correlation = np.where(spreads > 0, -missed * alarmed / np.sqrt(np.where(spreads > 0, spreads, 1)), 0.0).clip(-1, 1)
    (low, high), (low_alarmed, high_alarmed) = (
        _paired(*each, n, kind) for each in ((only_new, only_old), (new_alarmed, old_alarmed))
    )
    value = of_miss * missed + of_alarm * alarmed
    below = _root(of_miss * (missed - low), of_alarm * (alarmed - low_alarmed), correlation)
    return value - below, value + _root(of_miss * (high - missed), of_alarm * (high_alarmed - alarmed), correlation)


def _paired(b: Any, c: Any, n: int, kind: str) -> Limits:
    """Return the intervals of differences on the same cases, each pair of counts once."""
    once, which = np.unique(b * (n + 1) + c, return_inverse=True)
    first, second = np.divmod(once, n + 1)
    limits = tango_corrected(first, second, n) if kind == ROBUST else tango_interval(first, second, n)
    return limits[0][which], limits[1][which]


def priced_cells() -> Iterator[OneCost | CostDifference]:
    """Yield every cell of the grid."""
    for (p, q), fnr, fpr, of_miss, is_known in product(SIZES, MISSED, ALARMED, OF_A_MISS, (False, True)):
        yield OneCost(p, q, fnr, fpr, of_miss, is_known)
    missed = ((0, 0.02), (0.05, 0), (0.2, 0.02), (0.02, 0.2), (0.1, 0.1), (0.4, 0))
    alarmed = ((0, 0.002), (0.01, 0), (0.05, 0.02), (0.1, 0.1))
    sizes = ((5, 500), (10, 500), (20, 200), (30, 30), (50, 500), (300, 900))
    for (p, q), of_new, of_alarm, of_miss in product(sizes, missed, alarmed, (1, 10, 50)):
        yield CostDifference(p, q, of_new, of_alarm, of_miss)
