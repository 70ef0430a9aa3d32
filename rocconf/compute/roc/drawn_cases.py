r"""The stratified bootstrap of cases: how often each is drawn, for any number of models that rank the same cases.

Drawing n of n cases with replacement gives each case a weight; together the weights are multinomial. They are drawn as
independent Poisson weights with a mean a little below 1, redrawn if they sum to more than n, and the missing draws are
thrown at random: given their sum, Poisson weights are multinomial, and so are the sums of both [1]_. A weight is found
by one random byte. Where a byte does not decide between two weights, which is the case for one in forty, a random
fraction is appended to it, so the distribution is exact.

The weights above each rank are cumulated eight at a time, in the bytes of a 64-bit word: times 0x0101010101010101 each
byte is the sum of those up to it.

References
----------
.. [1] L. Devroye (1986), Non-Uniform Random Variate Generation, Springer, section XI.1.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, isqrt
from typing import TYPE_CHECKING

import numpy as np

from rocconf.compute.roc.resample import Replicates
from rocconf.dataclass import dataclass

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from rocconf.compute.roc.curve import Curve
    from rocconf.compute.roc.resample import Indices
    from rocconf.records import Counts, Floats

    Weights = NDArray[np.uint8]

WORD = 8
FEW_CASES = 256
"""The number of cases from which on a byte for each is faster than counting drawn cases."""

MOST_SPREADS = 4
"""How many standard deviations the mean of the sum lies below n: it exceeds n in one of 30,000 draws."""

HEAVIEST = 31
"""Eight weights of at most this sum to a byte. No case is drawn more often in any run that somebody will see."""

UNDECIDED = 255


MOST_WEIGHTS = 1 << 23
"""The weights drawn at a time, over several replicates: a byte each."""


def draw_weights(n: int, count: int, rng: Generator) -> Weights:
    """Return how often each of n cases is drawn, one replicate a line, with zeros up to a multiple of eight."""
    words = -(-n // WORD)
    drawn = np.zeros((count, words * WORD), dtype=np.uint8)
    if n < FEW_CASES:
        places = rng.integers(n, size=(count, n)) + np.arange(count)[:, None] * n
        drawn[:, :n] = np.bincount(places.ravel(), minlength=count * n).reshape(count, n)
        return drawn
    for line in drawn:
        while not _draw_line(line, n, rng):
            pass
    return drawn


def _draw_line(weights: Weights, n: int, rng: Generator) -> bool:
    """Draw the weights of one replicate; if they cannot be kept, return False."""
    cumulated, table = poisson_bytes(n)
    drawn = rng.integers(0, 1 << 64, size=len(weights) // WORD, dtype=np.uint64).astype("<u8").view(np.uint8)
    weights[:] = np.frombuffer(drawn.tobytes().translate(table), dtype=np.uint8)
    weights[n:] = 0
    undecided = np.flatnonzero(weights == UNDECIDED)
    exact = (drawn[undecided] + rng.random(len(undecided))) / 256
    weights[undecided] = np.searchsorted(cumulated, exact, side="right")
    missing = n - int(_sums(weights)[1].sum())
    if missing < 0:
        return False
    thrown = rng.integers(n, size=missing)
    np.add.at(weights, thrown, np.uint8(1))
    return missing == 0 or int(weights[thrown].max()) <= HEAVIEST


def _sums(weights: Weights) -> tuple[Weights, Counts]:
    """Return the sum of the weights of each word up to each case, and the sum of each word."""
    sums = weights.view("<u8") * np.uint64(0x0101010101010101)
    return sums.view(np.uint8), (sums >> np.uint64(56)).view(np.int64)


@lru_cache(maxsize=8)
def poisson_bytes(n: int) -> tuple[Floats, bytes]:
    """Return the distribution of the weights of n cases, and the weight of each byte."""
    mean = 1 - MOST_SPREADS / isqrt(n)
    terms = [exp(-mean)]
    while len(terms) <= HEAVIEST:
        terms.append(terms[-1] * mean / len(terms))
    cumulated = np.cumsum(terms)
    least, most = (np.searchsorted(cumulated, np.arange(at, at + 256) / 256, side="right") for at in (0, 1))
    # at its upper end a byte is not reached, so the weight there is that of the next byte unless both are equal
    decided = (least == most) | (np.searchsorted(cumulated, np.arange(1, 257) / 256, side="left") == least)
    return cumulated, np.where(decided, least, UNDECIDED).astype(np.uint8).tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class Cumulated:
    """The weights of the first cases of a class in some order, one replicate a line."""

    before: Counts
    """The weights before each word, and of all."""
    within: Weights
    """The weights in the word of each case up to it."""

    @classmethod
    def of(cls, weights: Weights) -> Cumulated:
        """Cumulate weights along each line."""
        within, totals = _sums(weights)
        before = np.zeros((len(totals), totals.shape[1] + 1), dtype=np.int64)
        np.cumsum(totals, axis=1, out=before[:, 1:])
        return cls(before, within)

    def upto(self, lines: Indices, cases: Counts) -> Counts:
        """Return the weight of the first so many cases, in some lines."""
        words, rest = np.divmod(cases, WORD)
        found = self.before[lines, words]
        found += np.where(rest > 0, self.within[lines, np.maximum(cases - 1, 0)], 0)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class DrawnCases:
    """Replicates of a curve whose counts are looked up where they are needed."""

    roc: Curve
    positives: Cumulated
    negatives: Cumulated

    @property
    def width(self) -> int:
        """The number of rows of the curve."""
        return len(self.roc)

    def __len__(self) -> int:
        return len(self.positives.before)

    def at(self, lines: Indices, columns: Indices) -> tuple[Counts, Counts]:
        """Return the true and the false positives of some replicates, each at a row."""
        return (
            self.positives.upto(lines, self.roc.tp[columns]),
            self.negatives.upto(lines, self.roc.fp[columns]),
        )

    def whole(self) -> Replicates:
        """Return the counts at all rows."""
        lines = np.arange(len(self))[:, None]
        return Replicates(*self.at(lines, np.arange(self.width)[None, :]))
