"""Flags as bits, 64 in a word, the first as the lowest: counted and combined many at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bits = NDArray[np.uint64]
    Places = NDArray[np.int64]

WORD = 64


def bits_of(flags: NDArray[np.bool_]) -> Bits:
    """Return flags as bits, filled up with zeros."""
    octets = np.packbits(flags, bitorder="little")
    return np.append(octets, np.zeros(-len(octets) % 8, dtype=np.uint8)).view("<u8").astype(np.uint64, copy=False)


def flags_of(bits: Bits, n: int) -> NDArray[np.bool_]:
    """Return the first n bits as flags."""
    return np.unpackbits(bits.astype("<u8", copy=False).view(np.uint8), count=n, bitorder="little").view(np.bool_)


def set_before_words(bits: Bits) -> Places:
    """Return how many bits are set before each word, and in all."""
    before = np.zeros(len(bits) + 1, dtype=np.int64)
    np.cumsum(np.bitwise_count(bits), out=before[1:])
    return before


def set_before(places: Places, bits: Bits, before: Places) -> Places:
    """Return how many bits are set before some places, given how many are before each word."""
    below = (np.uint64(1) << (places & WORD - 1).astype(np.uint64)) - np.uint64(1)
    found: Places = before[places >> 6] + np.bitwise_count(bits[places >> 6] & below)
    return found


def are_set(places: Places, bits: Bits) -> NDArray[np.bool_]:
    """Return whether the bits at some places are set."""
    found: NDArray[np.bool_] = bits[places >> 6] >> (places & WORD - 1).astype(np.uint64) & np.uint64(1) > 0
    return found


def odd_so_far(bits: Bits) -> Bits:
    """Return bits of which each tells whether the number of bits set up to it is odd."""
    found = bits.copy()
    for shift in (1, 2, 4, 8, 16, 32):
        found ^= found << np.uint64(shift)
    is_odd = (set_before_words(bits)[:-1] & 1).astype(np.uint64)
    return found ^ (is_odd * np.uint64(2**64 - 1))
