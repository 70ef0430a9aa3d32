"""The bounds of inputs: a small file cannot fill the memory, nor one line, one header or one cell.

docs/reliability.md lists them.
"""

from __future__ import annotations

from io import RawIOBase
from typing import TYPE_CHECKING

from rocconf.errors import InputError
from rocconf.messages import message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from io import BufferedIOBase

    from _typeshed import WriteableBuffer

MOST_UNPACKED = 1 << 29
"""The bytes to which any compressed file may unpack."""

MOST_RATIO = 100
"""How many times its size a larger one may unpack to; tables of numbers have ratios of 2 to 10."""

LONGEST_HEADER = 1 << 20
"""The bytes of a text file within which its header ends."""

LONGEST_LINE = 1 << 24
"""The most bytes of a line: 200 MB without a line end are not a table."""

LONGEST_NAME = 1000
"""The characters of the name of a column."""

MOST_COLUMNS = 10_000

LONGEST_SHOWN = 100
"""The characters of a name or a cell that a message shows."""


class LineTooLongError(OSError):
    """A line of more bytes than any line has."""


class Bounded(RawIOBase):
    """A stream that raises an error where it goes on behind so many bytes."""

    def __init__(self, stream: BufferedIOBase, most: int, error: Callable[[], Exception]) -> None:
        self._stream, self._left, self._error = stream, most, error

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Fill a buffer and return how many bytes it got."""
        piece = self._stream.read1(len(memoryview(buffer)))
        self._left -= len(piece)
        if self._left < 0:
            raise self._error()
        memoryview(buffer)[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        """Close the stream too."""
        self._stream.close()
        super().close()


class ShortLines(RawIOBase):
    """A stream that raises LineTooLongError in a line that does not end."""

    def __init__(self, stream: BufferedIOBase) -> None:
        self._stream, self._length = stream, 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Fill a buffer and return how many bytes it got."""
        piece = self._stream.read1(len(memoryview(buffer)))
        end = max(piece.rfind(b"\n"), piece.rfind(b"\r"))
        self._length = self._length + len(piece) if end < 0 else len(piece) - end - 1
        if self._length > LONGEST_LINE:
            raise LineTooLongError
        memoryview(buffer)[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        """Close the stream too."""
        self._stream.close()
        super().close()


def require_header(file: str, header: Sequence[str]) -> None:
    """Refuse a header with too many columns, or with a name too long to be shown."""
    if len(header) > MOST_COLUMNS:
        raise InputError(file, [message("columns-too-many", n=len(header), most=MOST_COLUMNS)])
    for place, name in enumerate(header, 1):
        if len(name) > LONGEST_NAME:
            raise InputError(file, [message("name-too-long", place=place, n=len(name), most=LONGEST_NAME)])


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


def shortened(text: str) -> str:
    """Return a name or a cell as a message shows it, cut short if it is long."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."
