"""Read delimited text with care: every row is parsed, and every fault has its line."""

from __future__ import annotations

import csv
import re
from contextlib import contextmanager
from io import BufferedReader, TextIOWrapper
from itertools import accumulate, compress, islice
from threading import Lock
from typing import TYPE_CHECKING

from rocconf.errors import InputError
from rocconf.messages import message
from rocconf.read.bounds import LONGEST_HEADER, LONGEST_LINE, Bounded, LineTooLongError, ShortLines, shown_size
from rocconf.read.candidates import SAMPLE
from rocconf.read.columns import TextCells
from rocconf.read.faults import Fault, completed
from rocconf.read.formats import Piece
from rocconf.read.source import BUFFER, DAMAGE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rocconf.messages import Message
    from rocconf.read.source import Input

PIECE = 1 << 14
"""How many rows are held as text at a time."""

MOST_CELLS = 1 << 20
"""How many cells are, where rows are wide."""

LONGEST_CELL = 1 << 24
"""More characters than any cell has: a quote was opened by mistake."""

LINE_END = re.compile(r"\r\n|\r|\n")
OTHER_FORMS = {b"\x1f\x8b": "gz", b"\x28\xb5\x2f\xfd": "zst", b"PAR1": "parquet", b"ARROW1": "feather"}
"""How files begin that are not text."""

_csv_settings = Lock()


def read_header(source: Input, delimiter: str) -> list[str]:
    """Return the names of the columns."""

    def too_long() -> InputError:
        return InputError(source.name, [message("header-too-long", most=shown_size(LONGEST_HEADER))])

    with source.open() as stream, _rows(BufferedReader(Bounded(stream, LONGEST_HEADER, too_long)), delimiter) as rows:
        header = rows.header()
        if "\0" in "".join(header):
            raise InputError(source.name, [message("header-zero-bytes")])
        if rows.fault:
            raise InputError(source.name, [completed(rows.fault.message, where=f"line {rows.fault.place}")])
        if not header:
            raise InputError(source.name, [message("file-empty")])
        return header


def read_sample(source: Input, delimiter: str) -> list[list[str]]:
    """Return the first rows, without blank lines."""
    with _rows_of(source, delimiter) as rows:
        rows.header()
        sample: list[list[str]] = []
        while len(sample) < SAMPLE and not rows.at_end:
            sample += rows.next_piece(SAMPLE)[1]
        return sample[:SAMPLE]


def pieces_of(source: Input, delimiter: str, used: Iterable[int], width: int) -> Iterator[Piece]:
    """Yield the rows below the header, some thousand at a time; blank lines are skipped."""
    size = max(1, min(PIECE, MOST_CELLS // width))
    with _rows_of(source, delimiter) as rows:
        rows.header()
        while not rows.at_end:
            lines, cells = rows.next_piece(size)
            faults = []
            ragged = [len(row) != width for row in cells]
            if any(ragged):
                odd = compress(zip(lines, cells, strict=True), ragged)
                faults = [Fault(line, _ragged(row, width)) for line, row in odd]
                whole = [not is_ragged for is_ragged in ragged]
                lines, cells = list(compress(lines, whole)), list(compress(cells, whole))
            if rows.fault:
                faults.append(rows.fault)
            columns = list(zip(*cells, strict=True)) or [()] * width
            yield Piece(lines, {at: TextCells(columns[at]) for at in used}, faults)


@contextmanager
def _rows_of(source: Input, delimiter: str) -> Iterator[_Rows]:
    with source.open() as stream, _rows(BufferedReader(ShortLines(stream), BUFFER), delimiter) as rows:
        yield rows


@contextmanager
def _rows(stream: BufferedReader, delimiter: str) -> Iterator[_Rows]:
    with TextIOWrapper(stream, encoding="utf-8-sig", newline="") as text:
        yield _Rows(text, delimiter)


def _ragged(row: list[str], width: int) -> Message:
    return message("ragged-row", cells=f"{len(row)} cell{'s' if len(row) > 1 else ''}", width=width)


class _Rows:
    """The rows of a text file and their lines."""

    def __init__(self, text: TextIOWrapper, delimiter: str) -> None:
        self._reader = csv.reader(text, delimiter=delimiter, strict=True)
        self.at_end = False
        self.fault: Fault | None = None

    def header(self) -> list[str]:
        """Return the first row that is not blank, an empty one if there is none."""
        rows: list[list[str]] = []
        with self._noting_faults(rows):
            for row in self._reader:
                rows.append(row)
                if row:
                    return row
        self.at_end = True
        return []

    def next_piece(self, size: int) -> tuple[Sequence[int], list[list[str]]]:
        """Return the next rows and the line where each begins; they are the last ones if a fault stops reading."""
        before = self._reader.line_num
        rows: list[list[str]] = []
        with self._noting_faults(rows):
            rows.extend(islice(self._reader, size))
        self.at_end = len(rows) < size
        simple = self._reader.line_num == before + len(rows)
        lines = range(before + 1, before + 1 + len(rows)) if simple else _lines(before, rows)[:-1]
        if [] in rows:
            return list(compress(lines, rows)), list(filter(None, rows))
        return lines, rows

    @contextmanager
    def _noting_faults(self, rows: list[list[str]]) -> Iterator[None]:
        """Keep what stops the reader, which appends to `rows`."""
        before = self._reader.line_num
        try:
            with _long_cells():
                yield
        except UnicodeDecodeError as error:
            self.fault = _not_text(error, self._reader.line_num)
        except csv.Error as error:
            self.fault = _misquoted(str(error), _lines(before, rows)[-1], self._reader.line_num)
        except LineTooLongError:
            self.fault = Fault(self._reader.line_num + 1, message("line-too-long", most=shown_size(LONGEST_LINE)))
        except DAMAGE as error:
            self.fault = Fault(self._reader.line_num + 1, message("damaged-from-here", reason=str(error)))


@contextmanager
def _long_cells() -> Iterator[None]:
    """Raise the csv module's limit on the length of cells, which is one for all threads."""
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
    """Return the fault of a byte that is not text; the bytes decoded together begin on the line after those read."""
    if not lines_read:
        for magic, form in OTHER_FORMS.items():
            if error.object.startswith(magic):
                return Fault(1, message("other-format", form=form))
    line = lines_read + 1 + len(LINE_END.findall(error.object[: error.start].decode()))
    return Fault(line, message("not-utf-8", byte=error.object[error.start]))


def _misquoted(error: str, first_line: int, last_line: int) -> Fault:
    if "field larger" in error or "unexpected end" in error:
        return Fault(first_line, message("quote-open"))
    if "expected after" in error:
        return Fault(last_line, message("text-after-quote"))
    return Fault(last_line, message("csv-error", reason=error))
