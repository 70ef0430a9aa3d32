"""The errors of rules on probabilities: Brier score, log loss, miscalibration, discrimination, and their differences."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from scipy.special import expit, logit

from rocconf import Predictions, count_each
from rocconf.compute.roc.calibration import CALIBRATION
from rocconf.compute.roc.observed import Observed, OnSameCases
from rocconf.records import UNKNOWN
from simulations.errors import ROBUST, Error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator

    from simulations.errors import Floats

SEED = 20261118
RUNS = 200
MANY = 400_000
"""The cases of the sample that stands for the population."""
TRUE_SAMPLES = 3
SHARPNESS = {"calibrated": 1.0, "overconfident": 1.8, "underconfident": 0.5}
MISSING, SURE = 0.012, 0.999
"""The share of a slice of negatives that are nearly sure to be positive, and their score."""


@dataclass(frozen=True)
class OfProbabilities:
    """A cell: the distribution of the true probabilities, and how each of two models distorts them."""

    alpha: float
    beta: float
    new: str
    old: str
    n: int

    def __str__(self) -> str:
        return f"{self.n:,} cases, probabilities Beta({self.alpha:g}, {self.beta:g}), {self.new} against {self.old}"

    def draw(self, rng: Generator, n: int) -> Predictions:
        """Draw cases of both classes as they come."""
        true = np.clip(rng.beta(self.alpha, self.beta, n), 1e-6, 1 - 1e-6)
        labels = rng.random(n) < true
        if self.new == "a slice unseen":
            sliced = rng.random(n) < MISSING
            labels &= ~sliced
        scores = {"new": self._distorted(self.new, true, rng), "old": self._distorted(self.old, true, rng)}
        if self.new == "a slice unseen":
            scores["new"] = np.where(sliced, SURE, scores["new"])
        if labels.sum() < 2 or (~labels).sum() < 2:  # the rules stay open
            return self.draw(rng, n)
        return Predictions(labels, scores)

    def _distorted(self, kind: str, true: Floats, rng: Generator) -> Floats:
        if kind == "constant":
            return np.full(len(true), self.alpha / (self.alpha + self.beta))
        if kind == "rounded":
            return np.clip(np.round(true, 1), 0.01, 0.99)
        noise = rng.standard_normal(len(true)) if kind == "noisy" else 0.0
        shift = 1.0 if kind == "too high" else 0.0
        found: Floats = expit(SHARPNESS.get(kind, 1.0) * logit(true) + shift + noise)
        return found

    def errors(self, runs: int = RUNS) -> Iterator[Error]:
        """Yield the errors of all rules."""
        truth, rng = truth_of(replace(self, n=0)), np.random.default_rng([SEED, crc32(str(self).encode())])
        below: Counter[str] = Counter()
        above: Counter[str] = Counter()
        for _ in range(runs):
            cases = self.draw(rng, self.n)
            both = OnSameCases(cases, tuple(map(Observed, count_each(cases))))
            estimates = {name: metric.estimate(both.models[0]) for name, metric in CALIBRATION.items()}
            estimates |= {f"delta_{name}": metric.paired(both.pair(0, 1)) for name, metric in CALIBRATION.items()}
            found = {name: UNKNOWN if each is None else each.interval(0.95) for name, each in estimates.items()}
            for name, interval in found.items():
                noise = 4 * truth[name][1]  # of the sample that stands for the population
                below[name] += interval.lower > truth[name][0] + noise
                above[name] += interval.upper < truth[name][0] - noise
        positives = round(self.n * self.alpha / (self.alpha + self.beta))
        for name in truth:
            rule = f"{name}, paired, {ROBUST}" if name.startswith("delta_") else f"{name}, {ROBUST}"
            yield Error(rule, str(self), positives, below[name] / runs, above[name] / runs, runs)


@cache
def truth_of(cell: OfProbabilities) -> dict[str, tuple[float, float]]:
    """Return the true measures and their differences, with their standard errors."""
    rng, samples = np.random.default_rng([SEED, crc32(str(cell).encode())]), []
    for _ in range(TRUE_SAMPLES):
        new, old = (_values(Observed(counts)) for counts in count_each(cell.draw(rng, MANY)))
        values = {name: value for name, value in new.items() if value is not None}
        samples.append(
            values | {f"delta_{name}": values[name] - other for name, other in old.items() if other is not None}
        )
    found = {name: np.array([each[name] for each in samples]) for name in samples[0]}
    return {name: (float(each.mean()), float(each.std(ddof=1) / TRUE_SAMPLES**0.5)) for name, each in found.items()}


def _values(of: Observed) -> dict[str, float | None]:
    estimates = {name: metric.estimate(of) for name, metric in CALIBRATION.items()}
    return {name: None if each is None else each.value for name, each in estimates.items()}


def calibrated_cells() -> Iterator[OfProbabilities]:
    """Yield every cell of the grid."""
    pairs = (
        *(("calibrated", "overconfident"), ("calibrated", "noisy"), ("rounded", "too high")),
        *(("underconfident", "overconfident"), ("constant", "calibrated"), ("a slice unseen", "calibrated")),
    )
    for (alpha, beta), (new, old), n in product(((1, 1), (0.5, 4.5), (2, 38)), pairs, (60, 200, 1000)):
        yield OfProbabilities(alpha, beta, new, old, n)
