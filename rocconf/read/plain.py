"""Read text that holds nothing but numbers with numpy, which is at hand and reads them as fast as any engine.

This reader never says that a file is wrong. Where a file is not plain it gives None, and another reader decides. It is
plain if, below a header on the first line, there are digits, signs, points, exponents, delimiters and ends of lines
only, and every cell is a number. The careful reader takes such a file for the same: neither knows another spelling of
these numbers, numpy refuses cells that are empty and rows that are ragged, and both pass over blank lines.
"""

from __future__ import annotations

import warnings
from contextlib import suppress
from functools import cached_property
from io import BytesIO, TextIOWrapper
from typing import TYPE_CHECKING, Any

import numpy as np

from rocconf.errors import InputError
from rocconf.read.cases import Cases
from rocconf.read.cells import EXACT_DIGITS
from rocconf.read.columns import FIRST, text_of
from rocconf.read.source import DAMAGE, opened, whole_lines

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from rocconf.read.columns import Codes, Note
    from rocconf.read.header import Layout, Wanted
    from rocconf.read.source import Input
    from rocconf.records import Flags, Floats, Predictions

TO_BYTES = 1 << 25
"""Where importing an engine that reads with all cores begins to pay."""

PACKED_TO_BYTES = TO_BYTES // 4

LARGE = 1 << 20
"""Where it pays that numpy opens a file itself, for which it loads what it could unpack files with."""

UTF8_MARK = b"\xef\xbb\xbf"
NUMERIC = b"0123456789.+-eE"
UNPACKED_BY_NUMPY = (".bz2", ".gz", ".xz")


def is_worth_it(source: Input) -> bool:
    """Whether a file is so small that this reader is the fastest one."""
    return source.size < (PACKED_TO_BYTES if source.suffixes[1] else TO_BYTES)


def read_plainly(source: Input, delimiter: str, layout: Layout, wanted: Wanted) -> Predictions | None:
    """Return the cases of a plain file without faults, None of any other."""
    if layout.id is not None:  # which is text, however it is spelled
        return None
    table = _table(source, delimiter, layout)
    if table is None:
        return None
    columns = {at: NumberColumn(np.ascontiguousarray(table[f"f{at}"])) for at in layout.used}
    named = (layout.label, *(at for at, _ in layout.where))
    if not all(columns[at].is_finite for at in layout.scores) or any(columns[at].has_many_digits for at in named):
        return None
    cases = Cases(source.name, layout, wanted)
    cases.add(range(len(table)), columns)
    with suppress(InputError):
        return cases.finish(source.digest())
    return None


def _table(source: Input, delimiter: str, layout: Layout) -> Any:
    """Return all numbers below the header, labels as small integers if they are."""
    try:
        text = source.unpacked()
        if not _is_plain(text, delimiter):
            return None
    except DAMAGE:
        return None
    kinds: tuple[type, ...] = (np.int8, np.float64)
    for label in kinds:
        columns = [(f"f{at}", label if at == layout.label else np.float64) for at in range(len(layout.header))]
        with suppress(ValueError, DeprecationWarning), warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)  # all that numpy 2.0 says of half a label
            return np.loadtxt(
                _as_numpy_opens(text), np.dtype(columns), None, delimiter, skiprows=1, ndmin=1, encoding="utf-8"
            )
    return None


def _is_plain(text: bytes | Path, delimiter: str) -> bool:
    """Whether there is one line of header, and below it nothing but what numbers are made of."""
    if not delimiter.isascii() or delimiter.encode() in NUMERIC:
        return False
    allowed, has_rows = NUMERIC + b"\r\n" + delimiter.encode(), False
    with opened(text) as stream:
        header = stream.readline().removesuffix(b"\n").removesuffix(b"\r")
        if not header.removeprefix(UTF8_MARK) or b"\r" in header:
            return False
        for piece in whole_lines(stream):
            if piece.translate(None, allowed) or (b"\r" in piece and piece.count(b"\r") != piece.count(b"\r\n")):
                return False
            has_rows |= not piece.isspace()
    return has_rows


def _as_numpy_opens(text: bytes | Path) -> Any:
    """Give a large file's path, which numpy reads faster than a stream, unless numpy would take it for a packed one."""
    if not isinstance(text, bytes):
        if text.stat().st_size > LARGE and text.suffix not in UNPACKED_BY_NUMPY:
            return text.absolute()
        text = text.read_bytes()
    return TextIOWrapper(BytesIO(text), encoding="utf-8", newline="")


class NumberColumn:
    """A column of numbers whose spelling does not matter."""

    def __init__(self, values: NDArray[Any]) -> None:
        self._numbers = values

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def is_finite(self) -> bool:
        """Whether no number is too large for a float."""
        return bool(np.isfinite(self._numbers).all())

    @property
    def has_many_digits(self) -> bool:
        """Whether a number is large enough that cells might differ whose floats do not."""
        return bool((self._numbers >= 10**EXACT_DIGITS).any())

    @cached_property
    def _values(self) -> list[float]:
        """The distinct numbers, as they first occur: mostly the first rows have them all."""
        first = list(dict.fromkeys(self._numbers[:FIRST].tolist()))
        if len(first) < FIRST and np.isin(self._numbers, first).all():
            return first
        return list(dict.fromkeys(self._numbers.tolist()))

    def distinct(self) -> list[str]:
        """Return the distinct numbers as text, as they first occur."""
        return list(map(text_of, self._values))

    def coded(self, codes: Mapping[str, int]) -> Codes:
        """Return the code of every number: one pass for each code but the one to start from."""
        codes_of = {value: codes[text_of(value)] for value in self._values}
        start = next(iter(codes_of.values()), 0)
        coded = np.full(len(self), start, dtype=np.int8)
        for code in set(codes_of.values()) - {start}:
            coded[np.isin(self._numbers, [value for value, its in codes_of.items() if its == code])] = code
        return coded

    def numbers(self, note: Note) -> Floats:  # noqa: ARG002  # there is nothing to note
        """Return every number."""
        return self._numbers

    def texts(self) -> list[str]:
        """Return every number as text."""
        return list(map(text_of, self._numbers.tolist()))

    def surely_differ(self) -> bool:
        """Leave it to whoever has the texts."""
        return False

    def where(self, keep: Flags) -> NumberColumn:
        """Return the column of some of the rows."""
        return NumberColumn(self._numbers[keep])
