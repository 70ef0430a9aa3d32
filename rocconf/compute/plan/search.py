"""The least number of cases with a power: of shares that are known, and of shares that were simulated."""

from __future__ import annotations

from math import ceil, log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.stats.normal import normal_deviate
from rocconf.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

MOST = 10_000_000
"""The most cases of a class that are looked for."""

AROUND = (0.8, 1.0, 1.25)
"""The sizes that are simulated around one that may be the answer, as multiples of it."""

NEAR = 1.7
"""The ratio of sizes from which they say nothing about each other: the probit of the share is not a line so far."""

ROUNDS, STEADY = 4, 0.04
"""The most rounds of simulation, and the logarithm of the last step, which is small enough."""

FEW = 30
"""The size up to which every one is simulated."""


@dataclass(frozen=True, slots=True)
class Found:
    """A size, and the relative standard error of a simulated one."""

    size: int
    error: float | None = None


def least_size(share_of: Callable[[int], float], power: float, *, quiet: int = 0) -> int | None:
    """Return the size from which on the share is at least the power; None if no size has it.

    The share of a sum over samples goes up and down with the size, a little: `quiet` sizes in a row must have the power.
    """
    enough = 1
    while share_of(enough) < power:
        if enough >= MOST:
            return None
        enough *= 2
    few = enough // 2
    while enough - few > 1:
        middle = (few + enough) // 2
        few, enough = (few, middle) if share_of(middle) >= power else (middle, enough)
    size = enough
    while size < enough + quiet:
        if share_of(size) < power:
            enough = size + 1
        size += 1
    return enough if enough <= MOST else None


def simulated_size(share_of: Callable[[int], float], power: float, *, start: int, runs: int) -> Found:
    """Return the size at which simulated shares have the power: a probit line through those of sizes around it."""
    shares: dict[int, float] = {}
    center, error = float(max(start, 2)), None
    for _ in range(ROUNDS):
        if center < FEW:
            return _among_few(share_of, power, runs)
        for factor in AROUND:
            size = round(center * factor)
            if size not in shares:
                shares[size] = share_of(size)
        near = {size: share for size, share in shares.items() if center / NEAR <= size <= center * NEAR}
        root, error = _probit_root(near, power, runs)
        before, center = center, min(max(root, center / 2), center * 2)
        if abs(log(center / before)) < STEADY:
            break
    return Found(ceil(center), error)


def _among_few(share_of: Callable[[int], float], power: float, runs: int) -> Found:
    """Return the first size with the power, from the least that an interval can be computed of."""
    size = 2
    while share_of(size) < power and size < FEW * 2:
        size += 1
    gained = max(share_of(size + 1) - share_of(size - 1), 1 / runs) / 2 if size > 2 else 1.0
    return Found(size, sqrt(power * (1 - power) / runs) / gained / size)


def _probit_root(shares: dict[int, float], power: float, runs: int) -> tuple[float, float]:
    """Return where a line through the probits of shares over the root of the size has the power, and its error."""
    x = np.sqrt(np.array(list(shares), dtype=np.float64))
    share = np.clip(np.array(list(shares.values())), 0.5 / runs, 1 - 0.5 / runs)
    y = np.array([normal_deviate(float(each)) for each in share])
    density = np.exp(-y * y / 2) / sqrt(2 * np.pi)
    weight = runs * density**2 / (share * (1 - share))
    middle, level = np.average(x, weights=weight), np.average(y, weights=weight)
    spread = float((weight * (x - middle) ** 2).sum())
    slope = float((weight * (x - middle) * (y - level)).sum()) / spread
    if slope <= 0:  # all shares are 0, or 1
        return float(x.mean() ** 2) * (2 if level < normal_deviate(power) else 0.5), float("inf")
    root = middle + (normal_deviate(power) - level) / slope
    error = sqrt(1 / weight.sum() + (root - middle) ** 2 / spread) / slope
    return max(float(root), 1.0) ** 2, 2 * error / max(float(root), 1.0)
