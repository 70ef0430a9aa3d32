"""The errors of rules on a cost per case, and on a difference of two costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
from scipy.stats import binom

from rocconf.compute.roc.cells import PairedCells
from rocconf.compute.roc.operating import parse_costs
from simulations.errors import NOISE, ROBUST, Error, exact_error
from simulations.many_samples import exact_limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocconf.compute.roc.metrics import Rate
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
        limits = cost_limits(fn, m, fp, k, (of_miss, of_alarm), of_all=not self.is_known)
        rule = "cost at a given prevalence" if self.is_known else "cost"
        cell = (
            f"{self.p} + {self.q} cases, fnr {self.fnr:g}, fpr {self.fpr:g}, a miss costs {self.of_miss:g} false alarms"
        )
        truth = of_miss * missed + of_alarm * alarmed
        yield exact_error(f"{rule}, {ROBUST}", cell, self.p, limits, truth=truth, probability=probability)


def _likely(n: int, rate: float) -> Any:
    return np.arange(min(int(binom.isf(UNLIKELY, n, rate)) + 1, n) + 1)


@cache
def _of_proportion(n: int) -> Limits:
    return exact_limits(np.arange(n + 1), n)


def cost_limits(fn: Any, m: int, fp: Any, k: int, weights: Weights, *, of_all: bool) -> Limits:
    """Return the intervals of costs: of misses of m cases and false alarms of k, or both of the same cases."""
    of_miss, of_alarm = weights
    (low, high), (low_alarmed, high_alarmed) = _of_proportion(m), _of_proportion(k)
    missed, alarmed = fn / m, fp / k
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = -np.sqrt(missed * alarmed / ((1 - missed) * (1 - alarmed))) if of_all else 0.0
        correlation = np.nan_to_num(correlation, posinf=0.0, neginf=0.0)
    correlation *= TAIL ** (1 / m)  # which narrows, and which cases may not follow that the sample did not show
    cost = of_miss * missed + of_alarm * alarmed
    lower = cost - _root(of_miss * (missed - low[fn]), of_alarm * (alarmed - low_alarmed[fp]), correlation)
    upper = cost + _root(of_miss * (high[fn] - missed), of_alarm * (high_alarmed[fp] - alarmed), correlation)
    return lower, upper


def _root(one: Floats, other: Floats, correlation: Floats) -> Floats:
    return np.sqrt(np.maximum(one**2 + other**2 + 2 * correlation * one * other, 0.0))


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
        limits = difference_limits(drawn, (self.p, self.q), self.of_miss)
        below, above = (np.count_nonzero(limits[0] > truth + NOISE), np.count_nonzero(limits[1] < truth - NOISE))
        yield Error(f"delta_cost, paired, {ROBUST}", str(self), self.p, below / runs, above / runs, runs)


def difference_limits(drawn: Any, sizes: tuple[int, int], of_miss: float) -> Limits:
    """Return the intervals of differences of costs on the same cases, each distinct sample once.

    `drawn` are the numbers of misses of the new and of the old model alone, and of their false alarms; the class of a
    case that neither model, or both, has wrong does not matter to the difference.
    """
    once, which = np.unique(np.transpose(drawn), axis=0, return_inverse=True)
    rate = parse_costs(f"1:{of_miss:g}").rate
    limits = np.array([_limits(rate, counts, *sizes) for counts in once.tolist()])
    return limits[which.ravel(), 0], limits[which.ravel(), 1]


def _limits(rate: Rate, counts: list[int], p: int, q: int) -> tuple[float, float]:
    only_new, only_old, new_alarmed, old_alarmed = counts
    n = p + q
    right_positives = max(p - only_new - only_old, 0)
    rest = max(n - sum(counts) - right_positives, 0)
    cells = PairedCells.counted([rest, old_alarmed, new_alarmed, 0, 0, only_new, only_old, right_positives])
    found = rate.paired(cells)
    around = None if found is None else found.interval(1 - 2 * TAIL)
    return (-np.inf, np.inf) if around is None else (around.lower, around.upper)


def priced_cells() -> Iterator[OneCost | CostDifference]:
    """Yield every cell of the grid."""
    for (p, q), fnr, fpr, of_miss, is_known in product(SIZES, MISSED, ALARMED, OF_A_MISS, (False, True)):
        yield OneCost(p, q, fnr, fpr, of_miss, is_known)
    missed = ((0, 0.02), (0.05, 0), (0.2, 0.02), (0.02, 0.2), (0.1, 0.1), (0.4, 0))
    alarmed = ((0, 0.002), (0.01, 0), (0.05, 0.02), (0.1, 0.1))
    sizes = ((5, 500), (10, 500), (20, 200), (30, 30), (50, 500), (300, 900))
    for (p, q), of_new, of_alarm, of_miss in product(sizes, missed, alarmed, (1, 10, 50)):
        yield CostDifference(p, q, of_new, of_alarm, of_miss)
