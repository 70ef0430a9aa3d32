"""Simulate how often the robust intervals of the averages over classes miss: python benchmarks/class_averages.py [RUNS].

Every area of a class against another is known, so the true averages are. Each line has a cell, and for every average
the shares of samples in which the interval lies above the true value, and below it.
"""

from __future__ import annotations

import sys
from itertools import product
from math import exp, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from rocconf import ClassPredictions, one_vs_rest

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIZES = (
    *((5, 5, 5), (5, 20, 100), (10, 10, 10), (20, 20, 20), (10, 50, 200), (50, 50, 50), (2, 30, 30)),
    *((10,) * 6, (3, 10, 10, 40, 100)),
)
AREAS = (0.8, 0.95, 0.99)
FAMILIES = {"normal": 1.0, "exponential": 1.0, "hard tenth": 0.94, "ties": 0.97}
"""The families of scores, each with the area that it does not reach."""

CUTS = np.array([-1.0, 0.0, 1.0, 2.0])
normal_cdf = NormalDist().cdf


def area_of(shift: float, family: str) -> float:
    """Return the area of two classes whose scores differ by a shift."""
    if family == "exponential":
        return 1 - exp(-shift) / 2
    if family == "hard tenth":
        return 0.9 * normal_cdf(shift / sqrt(2)) + 0.05
    if family == "normal":
        return normal_cdf(shift / sqrt(2))
    own, other = (np.diff([0, *(normal_cdf(cut - at) for cut in CUTS), 1]) for at in (shift, 0.0))
    return float(sum(own[at] * (other[:at].sum() + other[at] / 2) for at in range(len(own))))


def shift_of(area: float, family: str) -> float:
    """Return the shift that gives an area."""
    low, high = 0.0, 8.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if area_of(middle, family) < area else (low, middle)
    return low


def scores_of(
    random: np.random.Generator, labels: NDArray[np.int64], k: int, shift: float, family: str
) -> NDArray[np.float64]:
    """Return scores for each class: those of a class are higher in its own column."""
    own = np.eye(k)[labels]
    if family == "exponential":
        return shift * own - random.exponential(size=own.shape)
    if family == "hard tenth":
        own = own * (random.random(len(labels)) > 0.1)[:, None]
    noise = random.normal(size=own.shape)
    if family == "ties":
        common = random.normal(size=(len(labels), 1))
        return np.digitize((noise + common) / sqrt(2) + shift * own, CUTS).astype(np.float64)
    return (noise - noise.mean(axis=1, keepdims=True)) / sqrt(1 - 1 / k) + shift * own


def missed(sizes: tuple[int, ...], area: float, family: str, runs: int, seed: int) -> dict[str, tuple[float, float]]:
    """Return for each average the shares of samples whose interval lies above and below the true value."""
    random, k = np.random.default_rng(seed), len(sizes)
    labels, shift = np.repeat(np.arange(k), sizes), shift_of(area, family)
    true = area_of(shift, family)
    sides: dict[str, list[tuple[bool, bool]]] = {}
    for _ in range(runs):
        cases = ClassPredictions(tuple(map(str, range(k))), labels, {"m": scores_of(random, labels, k, shift, family)})
        for name, found in one_vs_rest(cases).models[0].averages.items():
            if found is not None:
                sides.setdefault(name, []).append((found.interval.lower > true, found.interval.upper < true))
    return {name: tuple(np.mean(found, axis=0).tolist()) for name, found in sides.items()}


def main(runs: int) -> None:
    """Simulate every cell."""
    cells = [cell for cell in product(SIZES, AREAS, FAMILIES) if cell[1] <= FAMILIES[cell[2]]]
    for seed, (sizes, area, family) in enumerate(cells, 1):
        found = missed(sizes, area, family, runs, seed)
        shares = "  ".join(f"{name} {above:.4f} {below:.4f}" for name, (above, below) in found.items())
        sys.stdout.write(f"{sizes} {area} {family}: {shares}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1500)
