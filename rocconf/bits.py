"""Flags as bits, 64 in a word, the first as the lowest: combined many at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bits = NDArray[np.uint64]


def bits_of(flags: NDArray[np.bool_]) -> Bits:
    """Return flags as bits, filled up with zeros."""
    octets = np.packbits(flags, bitorder="little")
    return np.append(octets, np.zeros(-len(octets) % 8, dtype=np.uint8)).view("<u8").astype(np.uint64, copy=False)


def flags_of(bits: Bits, n: int) -> NDArray[np.bool_]:
    """Return the first n bits as flags."""
    return np.unpackbits(bits.astype("<u8", copy=False).view(np.uint8), count=n, bitorder="little").view(np.bool_)


def odd_so_far(bits: Bits) -> Bits:
    """Return bits of which each tells whether the number of bits set up to it is odd."""
    found = bits.copy()
    for shift in (1, 2, 4, 8, 16, 32):
        found ^= found << np.uint64(shift)
    set_up_to = np.cumsum(np.bitwise_count(bits), dtype=np.uint64)
    is_odd = np.append(np.uint64(0), set_up_to)[:-1] & np.uint64(1)  # before each word
    return found ^ (is_odd * np.uint64(2**64 - 1))
