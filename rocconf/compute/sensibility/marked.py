r"""Parts of a class of many cases, a bit for each case.

A part is drawn as bits and counted at the distinct scores that end about each 64 cases. Whether a bridge (see
`rocconf.compute.sensibility.relabel`) reaches a distance is mostly decided there, because between two of these scores it
rises by no more than the marked cases there and falls by no more than the others. Only where these bounds allow it to
reach the distance is it looked at score by score. So each decision is that of all scores.
"""

from __future__ import annotations

from math import ldexp
from typing import TYPE_CHECKING

import numpy as np

from rocconf.bits import WORD, are_set, bits_of, set_before, set_before_words
from rocconf.dataclass import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocconf.bits import Bits, Places
    from rocconf.records import Floats

PLANES = 40
"""The binary digits of probabilities: their mean errs by less than a midpoint is rounded to a score for."""

SHARE_BITS = 8
"""The binary digits of the probability with which cases are marked at first."""

CACHED = 1 << 11
"""The words of each digit that are looked at together: they fit the cache."""

ROUNDING = 1e-9
"""The most by which floats err in a distance, which is at most about 1."""


@dataclass(frozen=True, slots=True, eq=False)
class BitClass:
    """The cases of one class of both sets in the order of their scores."""

    cumulated: Places
    """The cases that the first scores have."""
    rows: Places
    """Numbers of scores that end about each 64 cases, from none to all."""
    cases: Places
    """The cases up to there."""
    widest: int
    """The most cases between two of them."""
    planes: Bits
    """The binary digits of the probability of each case, that of 1 first."""
    probability_sum: float

    @classmethod
    def of(cls, cumulated: Floats, probabilities: Floats) -> BitClass:
        """Return the class whose first scores have these numbers of cases, from none on."""
        ends = cumulated.astype(np.int64)
        rows = np.searchsorted(ends, np.arange(0, ends[-1], WORD), side="right") - 1
        rows = np.unique(np.append(rows, len(ends) - 1))
        digits = np.rint(np.ldexp(np.repeat(probabilities, np.diff(ends)), PLANES)).astype(np.int64)
        planes = np.array([bits_of(digits >> place & 1 > 0) for place in reversed(range(PLANES + 1))])
        return cls(ends, rows, ends[rows], int(np.diff(ends[rows]).max()), planes, ldexp(int(digits.sum()), -PLANES))

    @property
    def n(self) -> int:
        """The number of cases."""
        return int(self.cumulated[-1])

    def draw(self, size: int, rng: np.random.Generator) -> MarkedPart:
        """Return a part of this size, drawn without replacement."""
        return self.part(marked(self.n, size, rng))

    def part(self, words: Bits) -> MarkedPart:
        """Return the part of the cases that are marked."""
        before = set_before_words(words)
        words = np.append(words, np.uint64(0))
        return MarkedPart(self, words, before, set_before(self.cases, words, before))


@dataclass(frozen=True, slots=True, eq=False)
class MarkedPart:
    """The cases of one class in the first set, which are marked; the second set has the rest."""

    whole: BitClass
    words: Bits
    before: Places
    """The cases that are marked before each word."""
    found: Places
    """The cases that are marked up to each of the rows of the class."""

    @property
    def sizes(self) -> Floats:
        """The numbers of cases of the two sets."""
        return np.array([self.before[-1], self.whole.n - self.before[-1]], dtype=np.float64)

    @property
    def probability_sums(self) -> Floats:
        """The sums of the probabilities of the two sets."""
        words, counts = self.words[:-1], np.zeros(PLANES + 1, dtype=np.int64)
        for start in range(0, len(words), CACHED):
            piece = slice(start, start + CACHED)
            counts += np.bitwise_count(self.whole.planes[:, piece] & words[piece]).sum(axis=1, dtype=np.uint32)
        first = float(np.ldexp(counts.astype(np.float64), -np.arange(PLANES + 1)).sum())
        return np.array([first, self.whole.probability_sum - first])

    def above(self, ends: NDArray[np.intp]) -> Floats:
        """Return the cases of each set above the midpoint of the set, given the index at which it cuts the class."""
        first, second = self._at(ends)[1]
        return np.array([first, self.whole.cumulated[ends[1]] - second], dtype=np.float64)

    def reaches(self, least: float, weights: Floats, less: float = 0.0, run: slice = slice(None)) -> bool:
        """Whether some |w_A x - w_B (c - x) - less| of a run is at least a distance."""
        start, stop, _ = run.indices(len(self.whole.cumulated))
        bridge, ends = _Bridge(weights, less), np.array([start, stop - 1])
        inner = slice(*np.searchsorted(self.whole.rows, [start + 1, stop - 1]))
        values, at_ends = bridge.of(self.whole.cases[inner], self.found[inner]), bridge.of(*self._at(ends))
        most, lowest = values.max(initial=at_ends.max()), values.min(initial=at_ends.min())
        if bridge.reaches(most, lowest, least):
            return True
        nearly, widest = least - ROUNDING * max(1, abs(less)), self.whole.widest
        if not bridge.reaches(most + widest, lowest - widest, nearly):
            return False
        rows = np.concatenate([ends[:1], self.whole.rows[inner], ends[1:]])
        cases, found = self._at(rows)
        rises, falls = np.diff(found), np.diff(cases - found)
        share, values = float(weights[1] / weights.sum()), bridge.of(cases, found)[:-1]
        for at in np.flatnonzero(bridge.reaches(values + rises * (1 - share), values - falls * share, nearly)):
            between = bridge.of(*self._at(np.arange(rows[at], rows[at + 1])))
            if bridge.reaches(between, between, least).any():
                return True
        return False

    def _at(self, rows: Places) -> tuple[Places, Places]:
        """Return the cases up to some numbers of scores, and those of them that are marked."""
        cases = self.whole.cumulated[rows]
        return cases, set_before(cases, self.words, self.before)


@dataclass(frozen=True, slots=True, eq=False)
class _Bridge:
    """What is looked at for its extremes."""

    weights: Floats
    less: float

    def of(self, cases: Places, found: Places) -> Floats:
        """Return the bridge where there are so many cases, and so many of them are in the first set."""
        values: Floats = np.multiply(cases, -float(self.weights[1]) / float(self.weights.sum()), dtype=np.float64)
        values += found
        return values

    def reaches(self, most: Floats, lowest: Floats, distance: float) -> NDArray[np.bool_]:
        """Return whether values between two bounds can be as far as a distance."""
        scale = float(self.weights.sum())
        return (most >= (distance + self.less) / scale) | (lowest <= (self.less - distance) / scale)


def marked(n: int, size: int, rng: np.random.Generator) -> Bits:
    """Return n bits of which `size` are set, all choices equally likely.

    Each bit is set with a fixed probability, and then bits are set or cleared at random until there are `size`. No step
    prefers a case, so the choice is fair.
    """
    words = _with_share(-(-n // WORD), round((1 << SHARE_BITS) * size / n), rng)
    if n % WORD:
        words[-1] &= np.uint64((1 << n % WORD) - 1)
    surplus = int(np.bitwise_count(words).sum()) - size
    while surplus:
        is_set, left = surplus > 0, abs(surplus)
        share = (size + surplus if is_set else n - size - surplus) / n
        cases = rng.integers(0, n, int(1.1 * left / share) + WORD)
        cases = cases[are_set(cases, words) == is_set]
        _, first = np.unique(cases, return_index=True)
        changed = cases[np.sort(first)[:left]]
        np.bitwise_xor.at(words, changed >> 6, np.uint64(1) << (changed & 63).astype(np.uint64))
        surplus += -len(changed) if is_set else len(changed)
    return words


def _with_share(words: int, share: int, rng: np.random.Generator) -> Bits:
    """Return random words whose bits are set with a probability of share / 2^SHARE_BITS, a binary digit at a time."""
    if share == 1 << SHARE_BITS:
        return np.full(words, np.iinfo(np.uint64).max, dtype=np.uint64)
    found = np.zeros(words, dtype=np.uint64)
    for digit in range(SHARE_BITS):
        if share & ((2 << digit) - 1):  # below the last digit that is 1 all are 0
            random = rng.integers(0, 1 << WORD, words, dtype=np.uint64)
            found = found | random if share >> digit & 1 else found & random
    return found
