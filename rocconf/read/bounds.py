"""The bounds of inputs: a small file cannot fill the memory, nor one line, one header or one cell.

docs/reliability.md lists them.
"""

from __future__ import annotations

MOST_UNPACKED = 1 << 30
"""The bytes to which any compressed file may unpack."""

MOST_RATIO = 50
"""How many times its size a larger one may unpack to; tables of numbers have ratios of 2 to 10."""


def most_unpacked(stored: int) -> int:
    """Return the bytes to which a compressed file of a size may unpack, and which the columns of parquet may take."""
    return max(MOST_UNPACKED, MOST_RATIO * stored)


def shown_size(size: int) -> str:
    """Return a number of bytes for people: `1.0 GiB`."""
    amount = float(size)
    for unit in ("bytes", "KiB", "MiB"):
        if amount < 1024:
            return f"{amount:.4g} {unit}"
        amount /= 1024
    return f"{amount:.1f} GiB"
