"""Read delimited text with care: every row is looked at, and every fault has its line.

This is the reader that says what is wrong. `rocconf.read.quick` reads large clean files faster and hands anything it
is not sure of to this one, so a file means the same to both.
"""

from __future__ import annotations

import csv
import re
from contextlib import contextmanager
from io import TextIOWrapper
from itertools import accumulate, compress, islice
from typing import TYPE_CHECKING

from rocconf.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocconf.read.source import Input

PIECE = 1 << 14
"""How many rows are held as text at a time."""

SAMPLE = 1000
"""How many rows decide which columns hold numbers."""

LINE_END = re.compile(r"\r\n|\r|\n")


@contextmanager
def _reading(source: Input, delimiter: str) -> Iterator[_Rows]:
    with source.open() as stream, TextIOWrapper(stream, encoding="utf-8-sig", newline="") as text:
        yield _Rows(source.name, text, delimiter)


def head_of(source: Input, delimiter: str) -> tuple[list[str], list[list[str]]]:
    """Return the header, and enough rows to see what the columns hold."""
    with _reading(source, delimiter) as rows:
        return rows.header(), rows.next_piece(SAMPLE)[1]


def pieces_of(source: Input, delimiter: str) -> Iterator[tuple[Sequence[int], list[list[str]]]]:
    """Give the rows below the header, some thousand at a time, with their lines; blank lines are passed over."""
    with _reading(source, delimiter) as rows:
        rows.header()
        while not rows.at_end:
            yield rows.next_piece(PIECE)


class _Rows:
    """The rows of a text file, and on which lines they stand."""

    def __init__(self, file: str, text: TextIOWrapper, delimiter: str) -> None:
        self._file, self.at_end = file, False
        self._reader = csv.reader(text, delimiter=delimiter, strict=True)

    def header(self) -> list[str]:
        """Return the first row."""
        while not self.at_end:
            rows = self.next_piece(1)[1]
            if rows:
                return rows[0]
        raise InputError(self._file, ["the file is empty (wanted: a header line that names the columns)"])

    def next_piece(self, size: int) -> tuple[Sequence[int], list[list[str]]]:
        """Return the next rows and the line where each begins."""
        before = self._reader.line_num
        rows = self._read(size)
        self.at_end = len(rows) < size
        lines: Sequence[int] = range(before + 1, before + 1 + len(rows))
        if self._reader.line_num != before + len(rows):  # a quoted cell runs over several lines
            lengths = (1 + sum(len(LINE_END.findall(cell)) for cell in row) for row in rows)
            lines = list(accumulate(lengths, initial=before + 1))[:-1]
        if [] in rows:
            lines, rows = list(compress(lines, rows)), list(filter(None, rows))
        return lines, rows

    def _read(self, size: int) -> list[list[str]]:
        try:
            return list(islice(self._reader, size))
        except UnicodeDecodeError as error:
            found = f"byte {error.object[error.start]:#04x} is not UTF-8 text; save the file as UTF-8"
            raise InputError(self._file, [f"{self._below()}: {found}"]) from None
        except csv.Error as error:
            raise InputError(self._file, [f"line {self._reader.line_num}: {_kindly(str(error))}"]) from None
        except (EOFError, OSError, ValueError) as error:
            raise InputError(self._file, [f"{self._below()}: the file is damaged ({error})"]) from None

    def _below(self) -> str:
        return f"below line {self._reader.line_num}" if self._reader.line_num else "at the start"


def _kindly(error: str) -> str:
    if "field larger" in error or "unexpected end" in error:
        return "a quote was opened and is not closed by here"
    if "expected after" in error:
        return "text follows a closing quote"
    return error
