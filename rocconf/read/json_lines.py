"""Read JSON lines: an object on each line, whose keys are the columns.

The columns are those of all lines, because a line may leave out a key: its cell is empty then, as if it were null.
Cells are the texts that stand in the file, also those of numbers, so that they mean what they mean in csv.
"""

from __future__ import annotations

import json
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from rocconf.errors import InputError
from rocconf.messages import message
from rocconf.read.candidates import SAMPLE
from rocconf.read.columns import TextCells, as_text
from rocconf.read.faults import Fault, Faults
from rocconf.read.formats import Piece
from rocconf.read.source import DAMAGE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rocconf.messages import Message
    from rocconf.read.columns import CellKind, Cells
    from rocconf.read.formats import OpenTable
    from rocconf.read.source import Input

NESTED = frozenset({list, dict})
"""The types of values that hold others."""

PIECE = 1 << 14
"""How many rows are held at a time."""

LONGEST_LINE = 1 << 26
"""More bytes than any line has; a small compressed file may unpack to a line that fills the memory."""

UTF8_MARK = b"\xef\xbb\xbf"


class Row(NamedTuple):
    """A line of a file: its object, or what is wrong with it."""

    line: int
    cells: dict[str, Any]
    fault: Message | None = None


class JsonLinesTable:
    """A file of JSON lines, which are numbered from 1."""

    unit = "line"

    def __init__(self, source: Input) -> None:
        self._source, self.name, self.digest = source, source.name, source.digest()
        names: dict[str, None] = {}
        faults = Faults(self.name, self.unit)
        for row in _rows_of(source):
            if row.fault:
                faults.add(row.line, row.fault)
            elif row.cells.keys() != names.keys():
                names.update(dict.fromkeys(row.cells))
        self.header = list(names)
        if faults.total:
            self._refuse_other_json()
        if not names:
            faults.raise_if_any()
            raise InputError(self.name, [message("no-objects")])

    @cached_property
    def _sample(self) -> list[dict[str, Any]]:
        """The objects of the first rows."""
        found = []
        for row in _rows_of(self._source):
            if not row.fault:
                found.append(row.cells)
            if len(found) == SAMPLE:
                break
        return found

    def head(self, positions: Sequence[int]) -> dict[int, Cells]:
        """Return the cells of some columns in the first rows."""
        return {at: TextCells([as_text(cells.get(self.header[at])) for cells in self._sample]) for at in positions}

    def is_nested(self, at: int) -> bool:
        """Whether the first rows have a list or an object in a column."""
        return any(type(cells.get(self.header[at])) in NESTED for cells in self._sample)

    def readings(self, kinds: Mapping[int, CellKind]) -> Iterator[Iterable[Piece]]:
        """Read some columns."""
        yield self._pieces({at: self.header[at] for at in kinds})

    batches = readings

    def _pieces(self, names: Mapping[int, str]) -> Iterator[Piece]:
        """Yield the rows, some thousand at a time."""
        lines: list[int] = []
        cells: list[list[Any]] = []
        faults: list[Fault] = []
        for row in _rows_of(self._source):
            values = list(map(row.cells.get, names.values()))
            if row.fault:
                faults.append(Fault(row.line, row.fault))
            elif not NESTED.isdisjoint(map(type, values)):
                nested = next(name for name in names.values() if type(row.cells.get(name)) in NESTED)
                faults.append(Fault(row.line, message("cell-nested", column=nested)))
            else:
                lines.append(row.line)
                cells.append(values)
            if len(lines) + len(faults) == PIECE:
                yield _piece(names, lines, cells, faults)
                lines, cells, faults = [], [], []
        yield _piece(names, lines, cells, faults)

    def _refuse_other_json(self) -> None:
        """Refuse a list and a report, which are JSON but no lines."""
        with self._source.open() as stream:
            beginning = stream.read(PIECE).removeprefix(UTF8_MARK).lstrip()
        if beginning.startswith(b"["):
            raise InputError(self.name, [message("json-list", file=self.name)])
        if b'"rocconf/' in beginning:
            raise InputError(self.name, [message("report-as-cases", file=self.name)])


def open_table(source: Input, delimiter: str | None) -> OpenTable:  # noqa: ARG001  # JSON has no delimiter
    """Open a file of JSON lines."""
    return JsonLinesTable(source)


def _piece(names: Mapping[int, str], lines: list[int], cells: list[list[Any]], faults: list[Fault]) -> Piece:
    columns = list(zip(*cells, strict=True)) or [()] * len(names)
    texts = (TextCells([cell if type(cell) is str else as_text(cell) for cell in column]) for column in columns)
    return Piece(lines, dict(zip(names, texts, strict=True)), faults)


def _rows_of(source: Input) -> Iterator[Row]:
    """Yield the lines that are not blank; reading stops where the file is damaged."""
    line = 0
    try:
        with source.open() as stream:
            lines = iter(partial(stream.readline, LONGEST_LINE), b"")
            for line, text in enumerate(lines, 1):  # the last line is told where the file is damaged
                if len(text) == LONGEST_LINE:
                    yield Row(line, {}, message("not-an-object", reason=f"longer than {LONGEST_LINE} bytes"))
                    return
                if not text.isspace():
                    yield _row(line, text.removeprefix(UTF8_MARK) if line == 1 else text)
    except DAMAGE as error:
        yield Row(line + 1, {}, message("damaged-from-here", reason=str(error)))


def _row(line: int, text: bytes) -> Row:
    try:
        cells = _DECODE(text.decode())
        if b"\\u" in text:
            json.dumps(cells, ensure_ascii=False).encode()  # an escape like \ud800 is half a character
    except UnicodeDecodeError as error:
        return Row(line, {}, message("not-utf-8", byte=error.object[error.start]))
    except (ValueError, RecursionError) as error:
        reason = getattr(error, "msg", None) or str(error)
        return Row(line, {}, message("not-an-object", reason=reason))
    if not isinstance(cells, dict):
        return Row(line, {}, message("not-an-object", reason=f"found a {_kind(cells)}"))
    return Row(line, cells)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, of which every key stands there once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands there twice")
    return found


def _kind(value: object) -> str:
    return {list: "list", str: "text or number", bool: "truth value", type(None): "null"}.get(type(value), "value")


_DECODE = json.JSONDecoder(object_pairs_hook=_object, parse_float=str, parse_int=str, parse_constant=str).decode
