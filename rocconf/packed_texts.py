"""Texts in words of eight bytes: ids of many cases, compared all at once and made strings only where one is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.dataclass import dataclass
from rocconf.threads import mapped, sort

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Words = NDArray[np.uint64]
    Hashes = NDArray[np.uint64]

WORD = 8
"""The bytes of a word."""

LONGEST = 64
"""The bytes of the longest text that is packed: all texts take as much memory as the longest."""

CHUNK = 1 << 16
"""The number of texts of different lengths that are padded at a time."""

RANGE = 1 << 17
"""The hashes of a range, which are sorted within the cache."""

MULTIPLIER, MULTIPLIER_OF_WORDS = np.uint64(0x9E3779B97F4A7C15), 0xBF58476D1CE4E5B9
"""Odd numbers that spread the bits of words."""


@dataclass(frozen=True, slots=True, eq=False)
class PackedTexts:
    """The first eight bytes of every text in UTF-8, the next eight and so on, filled up with zeros, and their lengths."""

    words: tuple[Words, ...]
    sizes: Words

    def __post_init__(self) -> None:
        for column in (*self.words, self.sizes):
            column.setflags(write=False)

    @classmethod
    def of(cls, texts: NDArray[Any]) -> PackedTexts | None:
        """Return texts packed, None if one is no text or too long."""
        cells = texts.tolist()
        try:
            together = "".join(cells)
        except TypeError:
            return None
        sizes = map(len, cells) if together.isascii() else (len(cell.encode(errors="surrogatepass")) for cell in cells)
        found = np.fromiter(sizes, dtype=np.int64, count=len(cells))
        return cls.of_text(together.encode(errors="surrogatepass"), found)

    @classmethod
    def of_text(cls, text: bytes, sizes: NDArray[np.int64]) -> PackedTexts | None:
        """Return texts that are given one behind the other, None if one is too long."""
        longest = int(sizes.max(initial=0))
        if longest > LONGEST:
            return None
        octets = np.frombuffer(text, dtype=np.uint8)
        padded = np.zeros((len(sizes), -(-longest // WORD) * WORD), dtype=np.uint8)
        if len(sizes) and int(sizes.min()) == longest:
            padded[:, :longest] = octets.reshape(len(sizes), longest)
        else:
            places, ends = np.arange(padded.shape[1]), np.cumsum(sizes)
            for start in range(0, len(sizes), CHUNK):
                some = slice(start, min(start + CHUNK, len(sizes)))
                first = int(ends[start] - sizes[start])
                padded[some][places < sizes[some, None]] = octets[first : ends[some.stop - 1]]
        words = padded.view("<u8").astype(np.uint64, copy=False)
        return cls(tuple(map(np.ascontiguousarray, words.T)), sizes.astype(np.uint64))

    @classmethod
    def joined(cls, parts: Sequence[PackedTexts]) -> PackedTexts:
        """Return the texts of several parts."""
        most = max(len(part.words) for part in parts)
        columns = zip(*(part.filled_up(most) for part in parts), strict=True)
        return cls(tuple(map(np.concatenate, columns)), np.concatenate([part.sizes for part in parts]))

    def filled_up(self, words: int) -> tuple[Words, ...]:
        """Return so many words of every text."""
        return self.words + (np.zeros(len(self), dtype=np.uint64),) * (words - len(self.words))

    def __len__(self) -> int:
        return len(self.sizes)

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, int | np.integer):
            return np.asarray(self)[key]
        octets = b"".join(int(word[key]).to_bytes(WORD, "little") for word in self.words)
        return octets[: int(self.sizes[key])].decode(errors="surrogatepass")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001  # as numpy has it
        return np.array(self.tolist(), dtype=dtype or object)

    def tolist(self) -> list[str]:
        """Return the texts."""
        if not self.words:
            return [""] * len(self)
        width = WORD * len(self.words)
        text = np.column_stack(self.words).astype("<u8", copy=False).tobytes()
        ends = (np.arange(len(self)) * width + self.sizes.astype(np.int64)).tolist()
        starts = range(0, width * len(self), width)
        return [text[start:end].decode(errors="surrogatepass") for start, end in zip(starts, ends, strict=True)]

    def hashes(self) -> Hashes:
        """Return a number for each text; texts that are equal have the same one, whatever else is packed with them."""
        hashes = self.sizes * MULTIPLIER
        for place, word in enumerate(self.words, 1):
            mixed = word * np.uint64(MULTIPLIER_OF_WORDS * (2 * place + 1) % 2**64)
            mixed ^= mixed >> np.uint64(32)
            mixed *= MULTIPLIER
            hashes ^= mixed  # words that are filled up change nothing
        return hashes

    def surely_differ(self) -> bool:
        """Whether no text is empty and all have different hashes."""
        return bool(self.sizes.all()) and all_differ([np.sort(self.hashes())])

    def rows_of(self, other: PackedTexts) -> NDArray[np.intp] | None:
        """Return the row of the other at which each text is; None unless both have the same texts, each of them once.

        Texts are found by hashes and then compared, so that the rows are right; very rarely two hashes are equal and the
        texts are not, and then this is None, too.
        """
        if len(self) != len(other) or len(self.words) != len(other.words):
            return None
        order, other_order = _order(self.hashes()), _order(other.hashes())
        if order is None or other_order is None:
            return None
        rows = np.empty(len(self), dtype=np.intp)
        rows[order] = other_order
        pairs = zip((*self.words, self.sizes), (*other.words, other.sizes), strict=True)
        return rows if all((own == there[rows]).all() for own, there in pairs) else None


def all_differ(parts: Sequence[Hashes]) -> bool:
    """Whether no two hashes are equal, given in sorted parts; a range of them that fits the cache is looked at at a time."""
    ranges = max(1, sum(map(len, parts)) // RANGE)
    edges = np.array([at * 2**64 // ranges for at in range(1, ranges)], dtype=np.uint64)
    cuts = [[0, *np.searchsorted(part, edges).tolist(), len(part)] for part in parts]

    def differ(at: int) -> bool:
        hashes = np.concatenate([part[cut[at] : cut[at + 1]] for part, cut in zip(parts, cuts, strict=True)])
        hashes.sort()
        return bool((hashes[1:] != hashes[:-1]).all())

    return not parts or all(mapped(differ, range(ranges)))


def _order(hashes: Hashes) -> NDArray[np.intp] | None:
    """Return the order of numbers, None if two are equal.

    Sorting their leading bits with the row in the others takes a fourth of the time; among many rows two leading bits are
    equal.
    """
    size = np.uint64(len(hashes).bit_length())
    mask = (np.uint64(1) << size) - np.uint64(1)
    packed = (hashes & ~mask) | np.arange(len(hashes), dtype=np.uint64)
    sort(packed)
    if not ((packed[1:] ^ packed[:-1]) > mask).all():
        order = np.argsort(hashes)
        found = hashes[order]
        return order if (found[1:] != found[:-1]).all() else None
    return (packed & mask).astype(np.intp)
