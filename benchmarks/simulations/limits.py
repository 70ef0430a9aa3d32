"""How often a rule passes a model that lies exactly at its limit: the error of one side of its interval.

A rule `>= v` errs where the lower limit is above the true value, a rule `<= v` where the upper limit is below it, each
meant in at most 2.5% of samples. A cell is a family of cases and a size, or the true rates and sizes; it breaks the
promise where the lower 99% confidence limit of an error is above 3%. Rules on counts of cases at a fixed threshold are
not simulated: their errors are sums of probabilities over all outcomes, exact to the last digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from scipy.special import betaincinv
from scipy.stats import binom

from rocconf.compute.stats.proportion import wilson_limits
from rocconf.compute.stats.tango_interval import tango_interval
from simulations.families import FAMILIES, Family
from simulations.many_samples import (
    delong_areas,
    delong_differences,
    placed,
    robust_areas,
    robust_differences,
    square_and_add,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import ProcessPoolExecutor

    from numpy.random import Generator
    from numpy.typing import NDArray

    from simulations.many_samples import Limits

    Floats = NDArray[np.float64]
    Misses = dict[str, tuple[int, int]]

SEED = 20261118
ALLOWED, BROKEN, CONFIDENCE = 0.025, 0.03, 0.99
RUNS, MORE_RUNS = 1000, 10_000

SIZES = (
    *((5, 5), (5, 95), (10, 190), (15, 15), (15, 285), (30, 30), (30, 570)),
    *((50, 50), (50, 950), (100, 900), (300, 300)),
)
SETTINGS = (
    *(Family("binormal", auc, r) for auc, r in product((0.85, 0.99), (0.0, 0.8, 0.95))),
    *(Family(name, auc) for auc, name in product((0.95, 0.7), list(FAMILIES)[1:])),
)
ROBUST, DELONG = "robust", "delong"


@dataclass(frozen=True)
class Error:
    """How often each side of the interval of a rule misses the truth, in a cell."""

    rule: str
    cell: str
    positives: int
    below: float
    """The share of samples whose lower limit is above the truth: a rule `>=` passes a model at its limit."""
    above: float
    runs: int | None = None
    """The number of samples; None of an exact share."""

    @property
    def worst(self) -> float:
        """The error of the worse side."""
        return max(self.below, self.above)

    @property
    def surely(self) -> float:
        """The lower confidence limit of the worst error, by Clopper and Pearson."""
        if self.runs is None or not self.worst:
            return self.worst
        hits = round(self.worst * self.runs)
        return float(betaincinv(hits, self.runs - hits + 1, 1 - CONFIDENCE))

    @property
    def is_broken(self) -> bool:
        """Whether the error is surely too large."""
        return self.surely > BROKEN


@dataclass(frozen=True)
class Sampled:
    """A cell of the rules about areas: a family and a size."""

    family: Family
    p: int
    q: int

    def __str__(self) -> str:
        return f"{self.p} + {self.q} cases, {self.family}"

    def errors(self, runs: int = RUNS, more_runs: int = MORE_RUNS) -> list[Error]:
        """Return the error of each rule, from more runs where that of a robust interval looks too large."""
        rng = np.random.default_rng([SEED, crc32(str(self).encode())])
        misses = _misses(self, rng, runs)
        looks_broken = {
            rule for rule, sides in misses.items() if max(sides) > BROKEN * runs and not rule.endswith(DELONG)
        }
        done = dict.fromkeys(misses, runs)
        while looks_broken and max(done.values()) < more_runs:
            for rule, sides in _misses(self, rng, runs).items():
                if rule in looks_broken:
                    misses[rule] = (misses[rule][0] + sides[0], misses[rule][1] + sides[1])
                    done[rule] += runs
        return [
            Error(rule, str(self), self.p, *(side / done[rule] for side in sides), done[rule])
            for rule, sides in misses.items()
        ]


def _misses(cell: Sampled, rng: Generator, runs: int) -> Misses:
    """Return for each rule how many samples miss the truth on either side."""
    new, old = (placed(scores, cell.p) for scores in cell.family.draw(rng, runs, cell.p, cell.q))
    of_new, of_old = cell.family.areas
    paired, found = new - old, {}
    for kind, areas, differences in (
        (ROBUST, robust_areas, robust_differences),
        (DELONG, delong_areas, delong_differences),
    ):
        around = areas(new), areas(old)
        found[f"auc, {kind}"] = _count(around[0], of_new)
        found[f"delta_auc, paired, {kind}"] = _count(differences(paired), of_new - of_old)
        if kind == ROBUST:  # the old model of the next sample is on other cases
            after = np.roll(np.arange(runs), -1)
            apart = square_and_add(new.area, around[0], old.area[after], (around[1][0][after], around[1][1][after]))
            found[f"delta_auc, unpaired, {kind}"] = _count(apart, of_new - of_old)
    return found


def _count(limits: Limits, truth: float) -> tuple[int, int]:
    return int(np.count_nonzero(limits[0] > truth)), int(np.count_nonzero(limits[1] < truth))


RATE_SIZES = (5, 10, 15, 30, 50, 100, 300)
TRUE_RATES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98)


@dataclass(frozen=True)
class OneRate:
    """A cell of a rate by Wilson: tpr among the positives, and likewise specificity, precision and accuracy."""

    n: int
    rate: float

    def errors(self) -> list[Error]:
        """Return the exact error."""
        hits = np.arange(self.n + 1)
        lower, upper = wilson_limits(hits, self.n)
        return [
            _exact(
                "a rate (Wilson)",
                f"{self.rate:g} of {self.n}",
                self.n,
                (lower, upper),
                self.rate,
                binom.pmf(hits, self.n, self.rate),
            )
        ]


@dataclass(frozen=True)
class PairedRates:
    """A cell of a difference of rates on the same cases by Tango: the shares that only one model has right."""

    n: int
    only_new: float
    only_old: float

    def errors(self) -> list[Error]:
        """Return the exact error, from all pairs of counts."""
        b, c = np.divmod(np.arange((self.n + 1) ** 2), self.n + 1)
        b, c = b[b + c <= self.n], c[b + c <= self.n]
        probability = binom.pmf(b, self.n, self.only_new) * binom.pmf(
            c, self.n - b, self.only_old / (1 - self.only_new)
        )
        cell = f"{self.n} cases, only the new model right in {self.only_new:g}, only the old in {self.only_old:g}"
        limits = tango_interval(b, c, self.n)
        return [
            _exact(
                "a difference of rates, paired (Tango)",
                cell,
                self.n,
                limits,
                self.only_new - self.only_old,
                probability,
            )
        ]


@dataclass(frozen=True)
class UnpairedRates:
    """A cell of a difference of rates on different cases by Newcombe."""

    n: int
    new: float
    old: float

    def errors(self) -> list[Error]:
        """Return the exact error, from all pairs of counts."""
        hits = np.arange(self.n + 1)
        lower, upper = wilson_limits(hits, self.n)
        one, other = np.divmod(np.arange((self.n + 1) ** 2), self.n + 1)
        probability = binom.pmf(one, self.n, self.new) * binom.pmf(other, self.n, self.old)
        around = ((lower[of], upper[of]) for of in (one, other))
        limits = square_and_add(one / self.n, next(around), other / self.n, next(around))
        cell = f"{self.n} + {self.n} cases, rates {self.new:g} and {self.old:g}"
        return [
            _exact("a difference of rates, unpaired (Newcombe)", cell, self.n, limits, self.new - self.old, probability)
        ]


def _exact(  # noqa: PLR0917  # the parts of an error, in its order
    rule: str, cell: str, n: int, limits: Limits, truth: float, probability: Floats
) -> Error:
    noise = 1e-12
    below, above = probability[limits[0] > truth + noise].sum(), probability[limits[1] < truth - noise].sum()
    return Error(rule, cell, n, float(below), float(above))


Cell = Sampled | OneRate | PairedRates | UnpairedRates


def cells() -> Iterator[Cell]:
    """Yield every cell of the grid."""
    yield from (OneRate(n, rate) for n, rate in product(RATE_SIZES, TRUE_RATES))
    discordant = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2)
    yield from (PairedRates(n, new, old) for n, new, old in product(RATE_SIZES, discordant, discordant) if new + old)
    yield from (UnpairedRates(n, new, old) for n, new, old in product(RATE_SIZES, TRUE_RATES, TRUE_RATES) if new <= old)
    yield from (Sampled(family, p, q) for family in SETTINGS for p, q in SIZES)


def errors_of(cell: Cell, runs: int | None = None) -> list[Error]:
    """Return the errors of the rules of a cell; with `runs`, of so many samples and not more."""
    return cell.errors(runs, runs) if runs and isinstance(cell, Sampled) else cell.errors()


def simulate(pool: ProcessPoolExecutor, runs: int | None = None) -> list[Error]:
    """Return the errors of all cells."""
    of_cells = pool.map(
        partial(errors_of, runs=runs), cells(), chunksize=len(SIZES)
    )  # a family has its true areas once
    return [error for errors in of_cells for error in errors]


ABOUT = f"""\
A model lies exactly at the limit of a rule, and the table counts how often the rule passes it all the same: the error of
the worse side of its interval, meant to be at most {ALLOWED:.1%}. A cell is broken where the lower {CONFIDENCE:.0%} confidence limit of
its error is above {BROKEN:.0%}. Rules about areas: {len(SETTINGS)} families (areas 0.7 to 0.99, correlations 0 to 0.95) at {len(SIZES)} sizes,
{RUNS:,} samples a cell, {MORE_RUNS:,} where a robust interval looked worse than {BROKEN:.0%}. The intervals are computed by
benchmarks/simulations/many_samples.py, which a test compares with the library. Rules about rates: the sums of the
probabilities of all outcomes, without noise. Not simulated: partial_auc, average_precision, f1 and drift_p.
"""


def section(errors: Sequence[Error]) -> list[str]:
    """Return the section of the page: the errors by rule, by the number of positives, and every broken cell."""
    rules = list(dict.fromkeys(error.rule for error in errors))
    lines = ["", "## Rules at their limit", "", ABOUT]
    lines += ["| rule | cells | worst error | in the cell | broken |", "| --- | ---: | ---: | --- | ---: |"]
    for rule in rules:
        of_rule = [error for error in errors if error.rule == rule]
        worst, broken = max(of_rule, key=lambda error: error.worst), sum(error.is_broken for error in of_rule)
        share = f"{broken} ({broken / len(of_rule):.1%})"
        lines.append(f"| {rule} | {len(of_rule)} | {worst.worst:.4f} | {worst.cell} | {share} |")
    sizes = sorted({error.positives for error in errors})
    lines += ["", "The worst error by the number of positives, or of cases that a rate is about:", ""]
    lines += [_row("rule", *map(str, sizes)), _row("---", *["---:"] * len(sizes))]
    for rule in rules:
        lines.append(_row(rule, *(f"{worst:.3f}" for worst in worst_by_size(errors, rule).values())))
    lines += ["", "Every broken cell but DeLong's:", ""]
    lines += ["| rule | cell | passes `>=` | passes `<=` |", "| --- | --- | ---: | ---: |"]
    for error in errors:
        if error.is_broken and not error.rule.endswith(DELONG):
            lines.append(f"| {error.rule} | {error.cell} | {error.below:.4f} | {error.above:.4f} |")
    return lines


def worst_by_size(errors: Sequence[Error], rule: str) -> dict[int, float]:
    """Return the worst error of a rule at each number of positives."""
    worst: dict[int, float] = {}
    for error in errors:
        if error.rule == rule:
            worst[error.positives] = max(worst.get(error.positives, 0.0), error.worst)
    return dict(sorted(worst.items()))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
