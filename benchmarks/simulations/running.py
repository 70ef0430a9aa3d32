"""Run simulations in batches on all cores; the results depend on the seed and the number of runs only."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import ProcessPoolExecutor

    from numpy.random import Generator

SEED = 20261118
BATCH = 50
"""The number of runs drawn together."""

Tally = Counter[str]
"""Counts of outcomes, and sums of shares."""


@dataclass(frozen=True)
class Share:
    """The share of runs with an outcome, with its Monte Carlo standard error."""

    hits: float
    runs: int

    @property
    def value(self) -> float:
        """The share."""
        return self.hits / self.runs

    @property
    def se(self) -> float:
        """The Monte Carlo standard error."""
        return sqrt(self.value * (1 - self.value) / self.runs)

    def __str__(self) -> str:
        if self.hits in (0, self.runs):  # the standard error is 0 here, and says nothing
            return f"{self.value:.0f} of {self.runs:,}" if self.hits == 0 else "all"
        return f"{self.value:.4f} ± {self.se:.4f}"


@dataclass(frozen=True)
class Promise:
    """The limits of a share, which it may exceed by `slack` standard errors."""

    text: str
    share: Share
    least: float = 0.0
    most: float = 1.0
    slack: int = 3

    @property
    def is_kept(self) -> bool:
        """Whether the share is within its limits."""
        return self.is_within(self.slack)

    def is_within(self, slack: int) -> bool:
        """Whether the share is within its limits, give or take some standard errors."""
        room = slack * self.share.se
        return self.least - room <= self.share.value <= self.most + room


@dataclass(frozen=True)
class Simulation:
    """A simulation of several settings, and the table and promises made from its counts."""

    key: str
    title: str
    about: str
    runs: int
    settings: Sequence[Any]
    simulate: Callable[[Any, Generator, int], Tally]
    headings: tuple[str, ...]
    rows: Callable[[Any, Tally, int], list[tuple[str, ...]]]
    promises: Callable[[Any, Tally, int], list[Promise]]


@dataclass(frozen=True)
class Simulated:
    """The counts of a simulation in each of its settings."""

    simulation: Simulation
    runs: int
    tallies: Sequence[Tally]

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The rows of the table."""
        return [row for setting, tally in self._tallied() for row in self.simulation.rows(setting, tally, self.runs)]

    @property
    def promises(self) -> list[Promise]:
        """The promises."""
        return [
            promise
            for setting, tally in self._tallied()
            for promise in self.simulation.promises(setting, tally, self.runs)
        ]

    def _tallied(self) -> Iterator[tuple[Any, Tally]]:
        return zip(self.simulation.settings, self.tallies, strict=True)


def run(simulation: Simulation, pool: ProcessPoolExecutor, *, runs: int | None = None) -> Simulated:
    """Return the counts of all settings; `runs` replaces the simulation's own number of runs."""
    runs = runs or simulation.runs
    sizes = [min(BATCH, runs - start) for start in range(0, runs, BATCH)]
    futures = [
        [
            pool.submit(_simulated, simulation.simulate, setting, _seed(simulation, setting, batch), size)
            for batch, size in enumerate(sizes)
        ]
        for setting in simulation.settings
    ]
    tallies = [sum((batch.result() for batch in batches), Counter()) for batches in futures]
    return Simulated(simulation, runs, tallies)


def _seed(simulation: Simulation, setting: Any, batch: int) -> list[int]:
    return [SEED, crc32(f"{simulation.key} {setting!r}".encode()), batch]


def _simulated(simulate: Callable[[Any, Generator, int], Tally], setting: Any, seed: list[int], size: int) -> Tally:
    """Simulate a batch; its own seed makes it independent of the process that runs it."""
    return simulate(setting, np.random.default_rng(seed), size)
