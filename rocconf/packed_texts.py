"""Texts as one: ids of many cases, which are compared all at once and made strings only where one is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Words = list[NDArray[np.uint64]]

LONGEST = 64
"""The bytes of the longest text that is compared in words."""

WORD = 8
"""The bytes of a word."""

CHUNK = 1 << 16
"""The number of texts of different lengths that are padded at a time."""

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""An odd number that spreads the bits of words."""


@dataclass(frozen=True, slots=True, eq=False)
class PackedTexts:
    """Texts, each behind the other in UTF-8, and where each ends."""

    text: bytes
    ends: NDArray[np.int64]

    def __post_init__(self) -> None:
        self.ends.setflags(write=False)

    @classmethod
    def of(cls, texts: NDArray[Any]) -> PackedTexts | None:
        """Return texts packed, None if one is no text."""
        cells = texts.tolist()
        try:
            together = "".join(cells)
        except TypeError:
            return None
        sizes = map(len, cells) if together.isascii() else (len(cell.encode(errors="surrogatepass")) for cell in cells)
        ends = np.cumsum(np.fromiter(sizes, dtype=np.int64, count=len(cells)))
        return cls(together.encode(errors="surrogatepass"), ends)

    def __len__(self) -> int:
        return len(self.ends)

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, int | np.integer):
            return np.asarray(self)[key]
        start, end = (0, *self.ends[max(key - 1, 0) : key + 1].tolist())[-2:]
        return self.text[start:end].decode(errors="surrogatepass")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001  # as numpy has it
        return np.array(self.tolist(), dtype=dtype or object)

    def tolist(self) -> list[str]:
        """Return the texts."""
        ends = self.ends.tolist()
        return [
            self.text[start:end].decode(errors="surrogatepass") for start, end in zip([0, *ends], ends, strict=False)
        ]

    def rows_of(self, other: PackedTexts) -> NDArray[np.intp] | None:
        """Return the row of the other at which each text is; None unless both have the same texts, each of them once.

        Texts are found by hashes and then compared, so that the rows are right; very rarely two hashes are equal and the
        texts are not, and then this is None, too.
        """
        words, others = self._words(), other._words()
        if words is None or others is None or len(self) != len(other) or len(words) != len(others):
            return None
        order, other_order = _order(_hashes(words)), _order(_hashes(others))
        if order is None or other_order is None:
            return None
        rows = np.empty(len(self), dtype=np.intp)
        rows[order] = other_order
        return rows if all((word == there[rows]).all() for word, there in zip(words, others, strict=True)) else None

    def _words(self) -> Words | None:
        """Return the first word of every text, the second and so on, and the lengths; None if a text is too long."""
        sizes = np.diff(self.ends, prepend=0)
        width = int(sizes.max(initial=0))
        if width > LONGEST:
            return None
        text = np.frombuffer(self.text, dtype=np.uint8)
        padded = np.zeros((len(self), -(-width // WORD) * WORD), dtype=np.uint8)
        if len(self) and int(sizes.min()) == width:
            padded[:, :width] = text.reshape(len(self), width)
        else:
            places = np.arange(padded.shape[1])
            for start in range(0, len(self), CHUNK):
                stop = min(start + CHUNK, len(self))
                first = int(self.ends[start] - sizes[start])
                padded[start:stop][places < sizes[start:stop, None]] = text[first : self.ends[stop - 1]]
        columns = padded.view(np.uint64)
        return [*columns.T, sizes.astype(np.uint64)]


def _hashes(words: Words) -> NDArray[np.uint64]:
    """Return a number for each text."""
    hashes = np.zeros_like(words[0])
    for word in words:
        hashes ^= word
        hashes *= MULTIPLIER
        hashes ^= hashes >> np.uint64(29)
    return hashes


def _order(hashes: NDArray[np.uint64]) -> NDArray[np.intp] | None:
    """Return the order of numbers, None if two are equal.

    Sorting their leading bits with the row in the others takes a fourth of the time; among many rows two leading bits are
    equal.
    """
    size = np.uint64(len(hashes).bit_length())
    mask = (np.uint64(1) << size) - np.uint64(1)
    packed = (hashes & ~mask) | np.arange(len(hashes), dtype=np.uint64)
    packed.sort()
    if not ((packed[1:] ^ packed[:-1]) > mask).all():
        order = np.argsort(hashes)
        found = hashes[order]
        return order if (found[1:] != found[:-1]).all() else None
    return (packed & mask).astype(np.intp)
