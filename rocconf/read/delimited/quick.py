"""Read text with numpy, many lines at a time, the next ones beside the use of the last.

It proves that the text means the same to the careful reader, or leaves it to that one:

- the first line is the header, and every other one has as many cells; blank lines at the end are skipped, as by both;
- every quote opens or closes a whole cell on one line, or stands doubled within one;
- no carriage return stands alone, no byte is zero, and all text is UTF-8.

Then every row is a line, and the faults of its cells are found here, too.
"""

from __future__ import annotations

import csv
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rocconf.bits import bits_of, flags_of, odd_so_far
from rocconf.read.bounds import LONGEST_LINE
from rocconf.read.delimited.decimals import MARGIN
from rocconf.read.delimited.fields import Fields
from rocconf.read.formats import OtherReadingError, Piece
from rocconf.read.source import DAMAGE
from rocconf.threads import ahead

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from io import BufferedIOBase

    from numpy.typing import NDArray

    from rocconf.read.columns import CellKind
    from rocconf.read.source import Input
    from rocconf.records import Flags

    Octets = NDArray[np.uint8]
    Places = NDArray[np.int64]

CHUNK = 1 << 21
"""The bytes that are read at a time."""

UTF8_MARK = b"\xef\xbb\xbf"
QUOTE, NEW_LINE, RETURN = b'"\n\r'


def pieces_of(source: Input, delimiter: str, kinds: Mapping[int, CellKind], header: Sequence[str]) -> Iterator[Piece]:
    """Yield some columns, many lines at a time, or raise OtherReadingError."""
    if not delimiter.isascii():
        raise OtherReadingError
    line = 2
    try:
        with source.open() as stream:
            _require_header(stream.readline(LONGEST_LINE), delimiter, header)
            cut = partial(_cut, delimiter=ord(delimiter), width=len(header), kinds=kinds)
            for columns in ahead(partial(cut, text) for text in _texts(stream)):
                rows = len(next(iter(columns.values())))
                yield Piece(range(line, line + rows), columns)
                line += rows
    except DAMAGE:
        raise OtherReadingError from None


def _require_header(line: bytes, delimiter: str, header: Sequence[str]) -> None:
    """Refuse a header that is not the first line."""
    try:
        text = line.removeprefix(UTF8_MARK).removesuffix(b"\n").removesuffix(b"\r").decode()
        is_first = "\r" not in text and list(csv.reader([text], delimiter=delimiter, strict=True)) == [list(header)]
    except (UnicodeDecodeError, csv.Error):
        is_first = False
    if not is_first:
        raise OtherReadingError


def _texts(stream: BufferedIOBase) -> Iterator[bytearray]:
    """Yield whole lines, the last one with its end, between MARGIN zero bytes; blank lines at the end are left out."""
    rest = b""
    while True:
        text = bytearray(MARGIN + CHUNK + MARGIN)
        begin = end = MARGIN + len(rest)
        text[MARGIN:begin] = rest
        with memoryview(text) as view:
            while end < MARGIN + CHUNK and (read := stream.readinto(view[end : MARGIN + CHUNK])):
                end += read
        if end < MARGIN + CHUNK:
            break
        after = text.rfind(b"\n", begin, end) + 1
        if not after:
            raise OtherReadingError
        rest = bytes(text[after:end])
        text[after:] = bytes(MARGIN)
        yield text
    lines = bytes(text[MARGIN:end]).rstrip(b"\r\n")
    if lines:
        yield bytearray(MARGIN) + lines + b"\n" + bytes(MARGIN)


def _cut(raw: bytearray, *, delimiter: int, width: int, kinds: Mapping[int, CellKind]) -> dict[int, Fields]:
    """Return the cells of some columns of whole lines.

    Ids, which take few long calls, and half of the columns of numbers are read here, beside the use of the lines before.
    """
    _require_characters(raw)
    text = np.frombuffer(raw, dtype=np.uint8)
    inner = text[MARGIN:-MARGIN]
    is_end = inner == NEW_LINE
    is_edge = is_end | (inner == delimiter)
    has_quotes, has_returns = QUOTE in raw, RETURN in raw
    is_doubled = has_quotes and _pair_quotes(inner, delimiter, is_end, is_edge)
    if has_returns and not (inner[np.flatnonzero(inner == RETURN) + 1] == NEW_LINE).all():
        raise OtherReadingError
    edges = np.flatnonzero(is_edge)
    edges += MARGIN
    lines = np.count_nonzero(is_end)
    if lines * width != len(edges):
        raise OtherReadingError
    table = edges.reshape(lines, width)
    if not (text[table[:, -1]] == NEW_LINE).all():
        raise OtherReadingError
    columns = {}
    for at in kinds:
        starts, ends = _begins(table, at), table[:, at].copy()
        if has_returns and at == width - 1:
            ends -= text[ends - 1] == RETURN
        if width == 1 and (starts == ends).any():  # a blank line, which is no row
            raise OtherReadingError
        if has_quotes:
            is_quoted = text[starts] == QUOTE
            starts += is_quoted
            ends -= is_quoted
        columns[at] = Fields(text, starts, ends, is_doubled=is_doubled)
    numbers = [at for at, kind in kinds.items() if kind == "number"]
    for at in (*(at for at, kind in kinds.items() if kind == "id"), *numbers[1::2]):
        columns[at].prepare(kinds[at])
    return columns


def _require_characters(raw: bytearray) -> None:
    """Refuse bytes that are zero, and those that are not text."""
    if raw.find(0, MARGIN, -MARGIN) >= 0:
        raise OtherReadingError
    if not raw.isascii():
        try:
            raw.decode()
        except UnicodeDecodeError:
            raise OtherReadingError from None


def _begins(table: Places, at: int) -> Places:
    """Return where each cell of a column begins."""
    if at:
        return table[:, at - 1] + 1
    starts = np.empty(len(table), dtype=np.int64)
    starts[0], starts[1:] = MARGIN, table[:-1, -1] + 1
    return starts


def _pair_quotes(inner: Octets, delimiter: int, is_end: Flags, is_edge: Flags) -> bool:
    """Leave the edges in quotes out, and return whether quotes are doubled within cells.

    Quotes open and close whole cells in turn; one that closes just before one that opens is a quote of the cell.
    """
    is_quote = inner == QUOTE
    quotes = np.flatnonzero(is_quote)
    if len(quotes) % 2:
        raise OtherReadingError
    before, after = (
        inner[quotes[::2] - 1],
        inner[quotes[1::2] + 1],
    )  # before the first character is the last one, an end
    of_both = (delimiter, NEW_LINE, QUOTE)
    for found, expected in ((before, of_both), (after, (*of_both, RETURN))):
        if not np.logical_or.reduce([found == character for character in expected]).all():
            raise OtherReadingError
    is_inside = flags_of(odd_so_far(bits_of(is_quote)), len(inner))
    if (is_end & is_inside).any():
        raise OtherReadingError
    is_edge &= ~is_inside
    return bool((after == QUOTE).any())
