"""Run simulations in pieces on all cores: what is found depends on the seed and the number of runs, on nothing else."""

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
PIECE = 50
"""How many runs are drawn together."""

Tally = Counter[str]
"""How often something happened; sums of shares stand there too."""


@dataclass(frozen=True)
class Share:
    """How often something happened, with the standard error of a simulation of so many runs."""

    hits: float
    runs: int

    @property
    def value(self) -> float:
        """The share itself."""
        return self.hits / self.runs

    @property
    def se(self) -> float:
        """Its Monte Carlo standard error."""
        return sqrt(self.value * (1 - self.value) / self.runs)

    def __str__(self) -> str:
        if self.hits in (0, self.runs):  # no error is seen, and one of about 3/runs is possible
            return f"{self.value:.0f} of {self.runs:,}" if self.hits == 0 else "all"
        return f"{self.value:.4f} ± {self.se:.4f}"


@dataclass(frozen=True)
class Promise:
    """What a share is to be: between two limits, but for `slack` standard errors."""

    words: str
    share: Share
    least: float = 0.0
    most: float = 1.0
    slack: int = 3

    @property
    def is_kept(self) -> bool:
        """Whether the share is within its limits."""
        return self.is_within(self.slack)

    def is_within(self, slack: int) -> bool:
        """Whether the share is within its limits but for so many standard errors."""
        room = slack * self.share.se
        return self.least - room <= self.share.value <= self.most + room


@dataclass(frozen=True)
class Simulation:
    """Settings that are simulated alike, and what is told of them."""

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
    """A simulation and what was found in each of its settings."""

    simulation: Simulation
    runs: int
    tallies: Sequence[Tally]

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The rows of its table."""
        return [row for at, tally in self._found() for row in self.simulation.rows(at, tally, self.runs)]

    @property
    def promises(self) -> list[Promise]:
        """What was promised of it."""
        return [promise for at, tally in self._found() for promise in self.simulation.promises(at, tally, self.runs)]

    def _found(self) -> Iterator[tuple[Any, Tally]]:
        return zip(self.simulation.settings, self.tallies, strict=True)


def run(simulation: Simulation, pool: ProcessPoolExecutor, *, runs: int | None = None) -> Simulated:
    """Simulate every setting so many times, by default as often as the simulation is meant to."""
    runs = runs or simulation.runs
    sizes = [min(PIECE, runs - start) for start in range(0, runs, PIECE)]
    wanted = [
        [
            pool.submit(_piece, simulation.simulate, at, _seed(simulation, at, piece), size)
            for piece, size in enumerate(sizes)
        ]
        for at in simulation.settings
    ]
    tallies = [sum((piece.result() for piece in pieces), Counter()) for pieces in wanted]
    return Simulated(simulation, runs, tallies)


def _seed(simulation: Simulation, setting: Any, piece: int) -> list[int]:
    return [SEED, crc32(f"{simulation.key} {setting!r}".encode()), piece]


def _piece(simulate: Callable[[Any, Generator, int], Tally], setting: Any, seed: list[int], size: int) -> Tally:
    """Simulate some runs from a seed of their own, whichever process draws them."""
    return simulate(setting, np.random.default_rng(seed), size)
