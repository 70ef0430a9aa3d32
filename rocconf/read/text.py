"""Read delimited text with care: every row is looked at, and every fault has its line.

This is the reader that says what is wrong. `rocconf.read.plain` and `rocconf.read.quick` read clean files faster and
leave anything they are not sure of to this one, so a file means the same to all.
"""

from __future__ import annotations

import csv
import re
from contextlib import contextmanager
from io import TextIOWrapper
from itertools import accumulate, compress, islice
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from rocconf.errors import InputError
from rocconf.read.source import DAMAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rocconf.read.source import Input

PIECE = 1 << 14
"""How many rows are held as text at a time."""

SAMPLE = 1000
"""How many rows decide which columns hold numbers."""

LONGEST_CELL = 1 << 24
"""More characters than any cell has: a quote was opened by mistake."""

LINE_END = re.compile(r"\r\n|\r|\n")
OTHER_FORMS = ((b"\x1f\x8b", ".gz"), (b"\x28\xb5\x2f\xfd", ".zst"), (b"PAR1", ".parquet"))

_csv_settings = Lock()


class Fault(NamedTuple):
    """What keeps a file from being read on, and the line it stands on."""

    line: int
    fault: str


@contextmanager
def _reading(source: Input, delimiter: str) -> Iterator[_Rows]:
    with source.open() as stream, TextIOWrapper(stream, encoding="utf-8-sig", newline="") as text:
        yield _Rows(text, delimiter)


def head_of(source: Input, delimiter: str) -> tuple[list[str], list[list[str]]]:
    """Return the header, and enough rows to see what the columns hold."""
    with _reading(source, delimiter) as rows:
        header = rows.header()
        if rows.fault and not header:
            raise InputError(source.name, [f"line {rows.fault.line}: {rows.fault.fault}"])
        if not header:
            raise InputError(source.name, ["the file is empty (wanted: a header line that names the columns)"])
        if "\0" in "".join(header):
            raise InputError(source.name, ["the header holds zero bytes, as UTF-16 does; save the file as UTF-8"])
        return header, rows.next_piece(SAMPLE)[1]


def pieces_of(
    source: Input, delimiter: str, note: Callable[[int, str], None]
) -> Iterator[tuple[Sequence[int], list[list[str]]]]:
    """Give the rows below the header, some thousand at a time, with their lines; blank lines are passed over.

    What keeps the rest of the file from being read is noted with its line.
    """
    with _reading(source, delimiter) as rows:
        rows.header()
        while not rows.at_end:
            yield rows.next_piece(PIECE)
        if rows.fault:
            note(*rows.fault)


def ragged_row(row: list[str], width: int) -> str:
    """Say that a row has another number of cells than the header."""
    return f"{len(row)} cell{'s' if len(row) > 1 else ''}, where the header has {width}"


class _Rows:
    """The rows of a text file, and on which lines they stand."""

    def __init__(self, text: TextIOWrapper, delimiter: str) -> None:
        self._reader = csv.reader(text, delimiter=delimiter, strict=True)
        self.at_end = False
        self.fault: Fault | None = None

    def header(self) -> list[str]:
        """Return the first row, an empty one if there is none."""
        while not self.at_end:
            rows = self.next_piece(1)[1]
            if rows:
                return rows[0]
        return []

    def next_piece(self, size: int) -> tuple[Sequence[int], list[list[str]]]:
        """Return the next rows and the line where each begins; the last ones if reading has to stop at a fault."""
        before = self._reader.line_num
        rows: list[list[str]] = []
        try:
            with _long_cells():
                rows.extend(islice(self._reader, size))
        except UnicodeDecodeError as error:
            self.fault = _not_text(error, self._reader.line_num)
        except csv.Error as error:
            self.fault = _misquoted(str(error), _lines(before, rows)[-1], self._reader.line_num)
        except DAMAGE as error:
            self.fault = Fault(self._reader.line_num + 1, f"from here on the file is damaged ({error})")
        self.at_end = len(rows) < size
        simple = self._reader.line_num == before + len(rows)
        lines = range(before + 1, before + 1 + len(rows)) if simple else _lines(before, rows)[:-1]
        if [] in rows:
            return list(compress(lines, rows)), list(filter(None, rows))
        return lines, rows


@contextmanager
def _long_cells() -> Iterator[None]:
    """Let the csv module read long cells; its limit is one for all threads."""
    with _csv_settings:
        limit = csv.field_size_limit(LONGEST_CELL)
        try:
            yield
        finally:
            csv.field_size_limit(limit)


def _lines(before: int, rows: list[list[str]]) -> list[int]:
    """Return the line on which each row begins, and the one below them all."""
    lengths = (1 + sum(len(LINE_END.findall(cell)) for cell in row) for row in rows)
    return list(accumulate(lengths, initial=before + 1))


def _not_text(error: UnicodeDecodeError, lines_read: int) -> Fault:
    """Say which byte is no text; the bytes that were decoded together begin on the line after those read."""
    if not lines_read:
        for magic, suffix in OTHER_FORMS:
            if error.object.startswith(magic):
                return Fault(1, f"this is no text but a {suffix[1:]} file, whose name must end in {suffix}")
    line = lines_read + 1 + len(LINE_END.findall(error.object[: error.start].decode()))
    return Fault(line, f"byte {error.object[error.start]:#04x} is not UTF-8 text; save the file as UTF-8")


def _misquoted(error: str, row_begins: int, reached: int) -> Fault:
    if "field larger" in error or "unexpected end" in error:
        return Fault(row_begins, "a quote is opened in the row that begins here, and never closed")
    if "expected after" in error:
        return Fault(reached, "text follows a closing quote")
    return Fault(reached, error)
