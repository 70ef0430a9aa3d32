"""How often a rule passes a model that lies exactly at its limit: the error of one side of its interval.

A rule `>= v` errs where the lower limit is above the true value, a rule `<= v` where the upper limit is below it, each
meant in at most 2.5% of samples. A cell is a family of cases and a size, or the true rates and sizes; it breaks the
promise where the lower 99% confidence limit of an error is above 3%. Rules on counts of cases at a fixed threshold are
not simulated: their errors are sums of probabilities over all outcomes, exact to the last digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from scipy.special import expit
from scipy.stats import binom

from rocconf import Predictions, count
from rocconf.compute.sensibility.drift_decision import drift
from rocconf.compute.stats.proportion import wilson_limits
from rocconf.compute.stats.score_tests import tango_interval
from simulations.calibrated import RUNS as CALIBRATION_RUNS
from simulations.calibrated import OfProbabilities, calibrated_cells
from simulations.errors import ALLOWED, BROKEN, CONFIDENCE, DELONG, ROBUST, Error, exact_error
from simulations.families import FAMILIES, Family
from simulations.many_samples import (
    Ranked,
    delong_areas,
    delong_differences,
    exact_limits,
    miettinen_nurminen_corrected,
    placed,
    precise,
    robust_areas,
    robust_differences,
    square_and_add,
    tango_corrected,
)
from simulations.many_samples import partial as partial_area
from simulations.priced import RUNS as COST_RUNS
from simulations.priced import CostDifference, OneCost, priced_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import ProcessPoolExecutor

    from numpy.random import Generator

    from rocconf.records import Counts, ScoreCounts
    from simulations.many_samples import Limits, Placed

    Misses = dict[str, tuple[int, int]]

SEED = 20261118
RUNS, MORE_RUNS = 1000, 10_000

SIZES = (
    *((5, 5), (5, 95), (10, 190), (15, 15), (15, 285), (30, 30), (30, 570)),
    *((50, 50), (50, 950), (100, 900), (300, 300)),
)
SETTINGS = (
    *(Family("binormal", auc, r) for auc, r in product((0.85, 0.99), (0.0, 0.8, 0.95))),
    *(Family(name, auc) for auc, name in product((0.95, 0.7), list(FAMILIES)[1:])),
)
MAX_FPR = 0.1
"""The false positive rate up to which partial areas are taken."""
NO_DRIFT = (Family("binormal", 0.85), Family("ties of 10 levels", 0.95))
DRIFT_SIZES = ((15, 285), (50, 50), (50, 950), (300, 300))
DRIFT_RUNS, PERMUTATIONS = 400, 199


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
    scores = cell.family.draw(rng, runs, cell.p, cell.q)
    new, old = (placed(of_model, cell.p) for of_model in scores)
    found: Misses = {}
    _robust(found, "auc", new, old, cell.family.areas)
    found[f"auc, {DELONG}"] = _count(delong_areas(new), cell.family.areas[0])
    of_pair = cell.family.areas[0] - cell.family.areas[1]
    found[f"delta_auc, paired, {DELONG}"] = _count(delong_differences(new - old), of_pair)
    ranked = [Ranked.of(of_model, cell.p) for of_model in scores]
    new, old = (precise(of_model, cell.p, cell.q) for of_model in ranked)
    _robust(found, "average_precision", new, old, cell.family.average_precisions(cell.p, cell.q))
    new, old = (partial_area(of_model, cell.p, cell.q, MAX_FPR) for of_model in ranked)
    _robust(found, "partial_auc", new, old, cell.family.partial_areas(MAX_FPR))
    return found


def _robust(found: Misses, metric: str, new: Placed, old: Placed, truth: tuple[float, float]) -> None:
    """Add the misses of the robust intervals of an area and of its differences."""
    around, after = (robust_areas(new), robust_areas(old)), np.roll(np.arange(len(new.area)), -1)
    found[f"{metric}, {ROBUST}"] = _count(around[0], truth[0])
    found[f"delta_{metric}, paired, {ROBUST}"] = _count(robust_differences(new - old), truth[0] - truth[1])
    # the old model of the next sample is on other cases
    apart = square_and_add(new.area, around[0], old.area[after], (around[1][0][after], around[1][1][after]))
    found[f"delta_{metric}, unpaired, {ROBUST}"] = _count(apart, truth[0] - truth[1])


def _count(limits: Limits, truth: float) -> tuple[int, int]:
    return int(np.count_nonzero(limits[0] > truth)), int(np.count_nonzero(limits[1] < truth))


RATE_SIZES = (5, 10, 15, 30, 50, 100, 300)
RATE_PAIRS = (*((n, n) for n in RATE_SIZES), (10, 100), (30, 300))
TRUE_RATES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98)


@dataclass(frozen=True)
class OneRate:
    """A cell of a rate: tpr among the positives, and likewise specificity, precision and accuracy."""

    n: int
    rate: float

    def errors(self) -> Iterator[Error]:
        """Yield the exact errors."""
        hits = np.arange(self.n + 1)
        probability, cell = binom.pmf(hits, self.n, self.rate), f"{self.rate:g} of {self.n}"
        for kind, limits in ((ROBUST, exact_limits(hits, self.n)), (DELONG, wilson_limits(hits, self.n))):
            yield exact_error(f"a rate, {kind}", cell, self.n, limits, truth=self.rate, probability=probability)


@dataclass(frozen=True)
class F1:
    """A cell of f1, of which the numbers of both classes are fixed."""

    p: int
    q: int
    tpr: float
    fpr: float

    def errors(self) -> Iterator[Error]:
        """Yield the exact error."""
        tp, fp = np.divmod(np.arange((self.p + 1) * (self.q + 1)), self.q + 1)
        probability = binom.pmf(tp, self.p, self.tpr) * binom.pmf(fp, self.q, self.fpr)
        of_share = exact_limits(tp, self.p + fp)
        limits = (2 * of_share[0] / (1 + of_share[0]), 2 * of_share[1] / (1 + of_share[1]))
        truth = 2 * self.p * self.tpr / (self.p + self.p * self.tpr + self.q * self.fpr)
        cell = f"{self.p} + {self.q} cases, tpr {self.tpr:g}, fpr {self.fpr:g}"
        yield exact_error(f"f1, {ROBUST}", cell, self.p, limits, truth=truth, probability=probability)


@dataclass(frozen=True)
class PairedRates:
    """A cell of a difference of rates on the same cases: the shares that only one model has right."""

    n: int
    only_new: float
    only_old: float

    def errors(self) -> Iterator[Error]:
        """Yield the exact errors, from all pairs of counts."""
        b, c, of_kinds = _paired_limits(self.n)
        probability = binom.pmf(b, self.n, self.only_new) * binom.pmf(
            c, self.n - b, self.only_old / (1 - self.only_new)
        )
        cell = f"{self.n} cases, only the new model right in {self.only_new:g}, only the old in {self.only_old:g}"
        for kind, limits in of_kinds.items():
            rule = f"delta of a rate, paired, {kind}"
            yield exact_error(rule, cell, self.n, limits, truth=self.only_new - self.only_old, probability=probability)


@cache
def _paired_limits(n: int) -> tuple[Counts, Counts, dict[str, Limits]]:
    """Return all pairs of discordant counts, with the intervals of each kind."""
    b, c = np.divmod(np.arange((n + 1) ** 2), n + 1)
    b, c = b[b + c <= n], c[b + c <= n]
    return b, c, {ROBUST: tango_corrected(b, c, n), DELONG: tango_interval(b, c, n)}


@dataclass(frozen=True)
class UnpairedRates:
    """A cell of a difference of rates on different cases."""

    n: int
    m: int
    new: float
    old: float

    def errors(self) -> Iterator[Error]:
        """Yield the exact errors, from all pairs of counts."""
        hits, others, of_kinds = _unpaired_limits(self.n, self.m)
        probability = binom.pmf(hits, self.n, self.new) * binom.pmf(others, self.m, self.old)
        cell = f"{self.n} + {self.m} cases, rates {self.new:g} and {self.old:g}"
        for kind, limits in of_kinds.items():
            rule = f"delta of a rate, unpaired, {kind}"
            yield exact_error(rule, cell, self.n, limits, truth=self.new - self.old, probability=probability)


@cache
def _unpaired_limits(n: int, m: int) -> tuple[Counts, Counts, dict[str, Limits]]:
    """Return all pairs of counts, with the intervals of each kind."""
    hits, others = np.divmod(np.arange((n + 1) * (m + 1)), m + 1)
    first, second = wilson_limits(hits, n), wilson_limits(others, m)
    newcombe = square_and_add(hits / n, first, others / m, second)
    return hits, others, {ROBUST: miettinen_nurminen_corrected(hits, n, others, m), DELONG: newcombe}


@dataclass(frozen=True)
class NoDrift:
    """A cell of the test for drift: two sets of cases from one distribution, of so many cases on average."""

    family: Family
    p: int
    q: int

    def __str__(self) -> str:
        return f"{self.p} + {self.q} cases in either set, {self.family}"

    def errors(self, runs: int = DRIFT_RUNS) -> Iterator[Error]:
        """Yield the share of p-values of at most 0.025, in which `drift_p >= 0.025` is not met."""
        rng = np.random.default_rng([SEED, crc32(str(self).encode())])
        found = 0
        for _ in range(runs):
            tested = drift(self._set(rng), self._set(rng), permutations=PERMUTATIONS)
            found += tested.joint.p <= ALLOWED
        yield Error("drift_p", str(self), self.p, found / runs, 0.0, runs)

    def _set(self, rng: Generator) -> ScoreCounts:
        """Draw cases as they come: the number of positives varies, too."""
        n = self.p + self.q
        p = int(np.clip(rng.binomial(n, self.p / n), 1, n - 1))
        scores, _ = self.family.draw(rng, 1, p, n - p)
        return count(Predictions(np.arange(n) < p, {"model": expit(scores[0])}))


Cell = Sampled | OneRate | F1 | PairedRates | UnpairedRates | OneCost | CostDifference | OfProbabilities | NoDrift


def cells() -> Iterator[Cell]:
    """Yield every cell of the grid."""
    yield from (OneRate(n, rate) for n, rate in product(RATE_SIZES, TRUE_RATES))
    yield from (
        F1(p, q, tpr, fpr) for (p, q), tpr, fpr in product(SIZES, (0.1, 0.3, 0.5, 0.8, 0.95), (0.005, 0.05, 0.2))
    )
    discordant = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2)
    yield from (PairedRates(n, new, old) for n, new, old in product(RATE_SIZES, discordant, discordant) if new + old)
    yield from (UnpairedRates(n, m, new, old) for (n, m), new, old in product(RATE_PAIRS, TRUE_RATES, TRUE_RATES))
    yield from priced_cells()
    yield from calibrated_cells()
    yield from (NoDrift(family, p, q) for family in NO_DRIFT for p, q in DRIFT_SIZES)
    yield from (Sampled(family, p, q) for family in SETTINGS for p, q in SIZES)


def errors_of(cell: Cell, runs: int | None = None) -> list[Error]:
    """Return the errors of the rules of a cell; with `runs`, of so many samples and not more."""
    if runs and isinstance(cell, Sampled):
        return cell.errors(runs, more_runs=runs)
    has_runs = isinstance(cell, CostDifference | OfProbabilities | NoDrift)
    return list(cell.errors(runs) if runs and has_runs else cell.errors())


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
benchmarks/simulations/many_samples.py, which a test compares with the library. Partial areas are taken up to {MAX_FPR}.
Rules about tpr, specificity, precision and accuracy (a rate), f1 and differences of rates at a fixed threshold: the sums
of the probabilities of all outcomes, without noise. Costs likewise, of misses and false alarms in samples of which the
prevalence varies too, and at a given prevalence in samples with these numbers of either class; a miss costs .02 to 200
false alarms. Their differences: {COST_RUNS:,} samples. Brier score, log loss, miscalibration and discrimination:
{CALIBRATION_RUNS} samples. drift_p: the share of p-values of at most {ALLOWED:.1%} in {DRIFT_RUNS} pairs of
sets without drift, {PERMUTATIONS} relabellings each. `delong` is the classical kind: DeLong's, Wilson's, Tango's and Newcombe's.
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
        worst_at = worst_by_size(errors, rule)
        lines.append(_row(rule, *(f"{worst_at[size]:.3f}" if size in worst_at else "–" for size in sizes)))
    lines += ["", "Every broken cell of the default, `--interval robust`:", ""]
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
