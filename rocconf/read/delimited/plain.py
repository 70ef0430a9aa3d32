"""Read text that holds nothing but numbers with numpy, which is loaded already and as fast as any engine.

This reader finds no faults. If a file is not plain it returns None, and another reader decides. A file is plain if,
below a header on the first line, there are digits, signs, points, exponents, delimiters and line ends only, and every
cell is a number. The careful reader agrees about such a file: neither knows another spelling of these numbers, numpy
refuses cells that are empty and rows that are ragged, and both skip blank lines.
"""

from __future__ import annotations

import warnings
from contextlib import suppress
from functools import cached_property
from io import BytesIO, TextIOWrapper
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.read.bounds import LONGEST_LINE
from rocconf.read.cells import EXACT_DIGITS, are_exact
from rocconf.read.columns import FIRST, Cells, as_text
from rocconf.read.source import DAMAGE, open_unpacked, whole_lines

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from rocconf.read.columns import CellKind, Codes, Note
    from rocconf.read.source import Input
    from rocconf.records import Flags, Floats

LARGE = 1 << 20
"""The size from which numpy opens a file faster itself, although it then imports the decompressors."""

UTF8_MARK = b"\xef\xbb\xbf"
NUMERIC = b"0123456789.+-eE"
UNPACKED_BY_NUMPY = (".bz2", ".gz", ".xz")


def columns_of(
    source: Input, delimiter: str, kinds: Mapping[int, CellKind], width: int
) -> dict[int, NumberCells] | None:
    """Return some columns of a plain file, None of any other; no column may be of the kind text."""
    table = _parsed(source, delimiter, kinds, width)
    if table is None:
        return None
    columns = {at: NumberCells(np.ascontiguousarray(table[f"f{at}"])) for at in kinds}
    exact = all(
        cells.are_exact if kinds[at] == "number" else not cells.has_many_digits for at, cells in columns.items()
    )
    return columns if exact else None


def _parsed(source: Input, delimiter: str, kinds: Mapping[int, CellKind], width: int) -> Any:
    """Return all numbers below the header, labels as small integers if they are."""
    try:
        text = source.unpacked()
        if not _is_plain(text, delimiter):
            return None
    except DAMAGE:
        return None
    types: tuple[type, ...] = (np.int8, np.float64) if "label" in kinds.values() else (np.float64,)
    for label in types:
        columns = [(f"f{at}", label if kinds.get(at) == "label" else np.float64) for at in range(width)]
        with suppress(ValueError, DeprecationWarning), warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)  # numpy 2.0 only warns of half a label
            return np.loadtxt(
                _as_numpy_opens(text), np.dtype(columns), None, delimiter, skiprows=1, ndmin=1, encoding="utf-8"
            )
    return None


def _is_plain(text: bytes | Path, delimiter: str) -> bool:
    """Whether the header is one line, with only characters of numbers below it."""
    if not delimiter.isascii() or delimiter.encode() in NUMERIC:
        return False
    allowed, has_rows = NUMERIC + b"\r\n" + delimiter.encode(), False
    with open_unpacked(text) as stream:
        header = stream.readline(LONGEST_LINE).removesuffix(b"\n").removesuffix(b"\r")
        if not header.removeprefix(UTF8_MARK) or b"\r" in header:
            return False
        for piece in whole_lines(stream):
            if len(piece) > LONGEST_LINE or piece.translate(None, allowed):
                return False
            if b"\r" in piece and piece.count(b"\r") != piece.count(b"\r\n"):
                return False
            has_rows |= not piece.isspace()
    return has_rows


def _as_numpy_opens(text: bytes | Path) -> Any:
    """Return the path of a large file, which numpy reads faster than a stream, unless numpy would decompress it."""
    if not isinstance(text, bytes):
        if text.stat().st_size > LARGE and text.suffix not in UNPACKED_BY_NUMPY:
            return text.absolute()
        text = text.read_bytes()
    return TextIOWrapper(BytesIO(text), encoding="utf-8", newline="")


class NumberCells(Cells):
    """Numbers whose spelling does not matter."""

    def __init__(self, values: NDArray[Any]) -> None:
        self._numbers = values

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def are_exact(self) -> bool:
        """Whether no number is too large for a float, or may have been another one in digits."""
        return are_exact(self._numbers)

    @property
    def has_many_digits(self) -> bool:
        """Whether there is a number so large that different cells may have the same float."""
        return bool((self._numbers >= 10**EXACT_DIGITS).any())

    @cached_property
    def _values(self) -> list[float]:
        """The distinct numbers in the order in which they first occur."""
        first = list(dict.fromkeys(self._numbers[:FIRST].tolist()))
        if len(first) < FIRST and np.isin(self._numbers, first).all():
            return first
        return list(dict.fromkeys(self._numbers.tolist()))

    def distinct(self) -> list[str]:
        """Return the distinct numbers as text in the order in which they first occur."""
        return list(map(as_text, self._values))

    def coded(self, codes: Mapping[str, int]) -> Codes:
        """Return the code of every number: one pass for each code but the first."""
        codes_of = {value: codes[as_text(value)] for value in self._values}
        start = next(iter(codes_of.values()), 0)
        coded = np.full(len(self), start, dtype=np.int8)
        for code in set(codes_of.values()) - {start}:
            coded[np.isin(self._numbers, [value for value, own in codes_of.items() if own == code])] = code
        return coded

    def numbers(self, note: Note) -> Floats:  # noqa: ARG002  # every cell is a number
        """Return every number."""
        return self._numbers

    def texts(self) -> list[str]:
        """Return every number as text."""
        return list(map(as_text, self._numbers.tolist()))

    def where(self, keep: Flags) -> NumberCells:
        """Return some of the numbers."""
        return NumberCells(self._numbers[keep])
