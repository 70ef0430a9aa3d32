"""The cells of a column of text that is still in bytes: where each begins and ends.

Numbers and short words are read from the bytes, all at once. A cell that is neither is made a string and means what it
means to the careful reader.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.packed_texts import LONGEST, WORD, PackedTexts
from rocconf.read.columns import Cells, PackedCells, TextCells
from rocconf.read.delimited.decimals import parse_decimals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from rocconf.packed_texts import Hashes
    from rocconf.read.columns import CellKind, Codes, Note
    from rocconf.records import Counts, Flags, Floats

    Octets = NDArray[np.uint8]
    Places = NDArray[np.int64]
    Words = Octets | NDArray[np.uint64]

FEW = 16
"""The most distinct words that are looked for one by one."""

SIZES = np.array([(1 << 8 * size) - 1 for size in range(WORD + 1)], dtype=np.uint64)
"""The bits of the first bytes of a word."""


class Fields(Cells):
    """Cells between places of a text, which has no zero bytes; `is_doubled` says whether quotes in them may be doubled."""

    def __init__(self, text: Octets, starts: Places, ends: Places, *, is_doubled: bool) -> None:
        self._text, self._starts, self._ends, self._is_doubled = text, starts, ends, is_doubled

    def __len__(self) -> int:
        return len(self._starts)

    def prepare(self, kind: CellKind) -> None:
        """Read the cells for what they are needed, on the thread that calls this."""
        _ = self.hashes() if kind == "id" else self.parsed

    @cached_property
    def parsed(self) -> tuple[Floats, Flags]:
        """Every cell as a number, and which cells may be none."""
        return parse_decimals(self._text, self._starts, self._ends)

    @property
    def _windows(self) -> NDArray[np.uint64]:
        """The eight bytes from each place of the text on."""
        return np.ndarray((len(self._text) - WORD + 1,), "<u8", self._text, strides=(1,))

    @cached_property
    def words(self) -> Words | None:
        """Every cell as one number of its bytes, None if one is too long."""
        sizes = self._ends - self._starts
        if self._is_doubled or int(sizes.max(initial=0)) > WORD:
            return None
        if (sizes == 1).all():
            return self._text[self._starts]
        found: Words = self._windows[self._starts] & SIZES[sizes]
        return found

    @cached_property
    def _distinct_words(self) -> list[int]:
        """The distinct words in the order in which they first occur."""
        words = self.words
        if words is None:
            return []
        found: list[int] = []
        rest = words
        while len(rest) and len(found) < FEW:
            found.append(int(rest[0]))
            rest = rest[rest != rest[0]]
        return [*found, *dict.fromkeys(rest.tolist())]

    def distinct(self) -> list[str]:
        """Return the distinct cells in the order in which they first occur."""
        return list(dict.fromkeys(self.texts())) if self.words is None else list(map(_spelled, self._distinct_words))

    def coded(self, codes: Mapping[str, int]) -> Codes:
        """Return the code of every cell."""
        if self.words is None or len(self._distinct_words) > FEW:
            return TextCells(self.texts()).coded(codes)
        return self._replaced([codes[_spelled(word)] for word in self._distinct_words], np.int8)

    def places(self) -> tuple[list[str], Counts]:
        """Return the distinct cells, and the place of every cell among them."""
        if self.words is None or len(self._distinct_words) > FEW:
            return TextCells(self.texts()).places()
        return self.distinct(), self._replaced(range(len(self._distinct_words)), np.int64)

    def _replaced(self, values: Sequence[int], kind: type[Any]) -> NDArray[Any]:
        """Return the value of every cell, given that of each distinct word."""
        found = np.full(len(self), next(iter(values), 0), dtype=kind)
        for word, value in zip(self._distinct_words[1:], values[1:], strict=True):
            np.putmask(found, self.words == word, value)
        return found

    def numbers(self, note: Note) -> Floats:
        """Return every cell as a number."""
        numbers, left = self.parsed
        rows = np.flatnonzero(left)
        if len(rows):
            numbers = numbers.copy()
            numbers[rows] = TextCells(self._texts(rows)).numbers(lambda at, fault: note(int(rows[at]), fault))
        return numbers

    @cached_property
    def _packed(self) -> PackedTexts | None:
        """The cells in words, None if one is too long."""
        sizes = self._ends - self._starts
        longest = int(sizes.max(initial=0))
        if self._is_doubled or longest > LONGEST:
            return None
        windows, are_even = self._windows, bool((sizes == longest).all())
        words = []
        for begin in range(0, longest, WORD):
            rest = np.intp(min(longest - begin, WORD)) if are_even else np.clip(sizes - begin, 0, WORD)
            words.append(windows[np.minimum(self._starts + begin, len(windows) - 1)] & SIZES[rest])
        return PackedTexts(tuple(words), sizes.astype(np.uint64))

    @cached_property
    def _hashes(self) -> Hashes | None:
        packed = self._packed
        return None if packed is None or not packed.sizes.all() else np.sort(packed.hashes())

    def hashes(self) -> Hashes | None:
        """Return a hash of every cell, in order; None if one is empty, or too long."""
        return self._hashes

    def texts(self) -> list[str]:
        """Return every cell."""
        return self._texts(slice(None))

    def _texts(self, rows: slice | NDArray[np.intp]) -> list[str]:
        whole = self._text.tobytes()
        places = zip(self._starts[rows].tolist(), self._ends[rows].tolist(), strict=True)
        if whole.isascii():
            text = whole.decode()
            cells = [text[start:end] for start, end in places]
        else:
            cells = [whole[start:end].decode() for start, end in places]
        return [cell.replace('""', '"') for cell in cells] if self._is_doubled else cells

    def alone(self) -> Cells:
        """Return the cells without the text around them."""
        return TextCells(self.texts()) if self._packed is None else PackedCells(self._packed)

    def where(self, keep: Flags) -> Fields:
        """Return the cells of some of the rows."""
        if keep.all():
            return self
        chosen = Fields(self._text, self._starts[keep], self._ends[keep], is_doubled=self._is_doubled)
        if "parsed" in self.__dict__:  # or they would be parsed once more
            chosen.parsed = (self.parsed[0][keep], self.parsed[1][keep])
        return chosen


def _spelled(word: int) -> str:
    return word.to_bytes(WORD, "little").rstrip(b"\0").decode()
