"""Check a parquet file before an engine reads it: what it says of itself must be possible.

An engine that believes a damaged number may allocate 2^61 bytes, which ends the process, or leave out rows. So the footer
must name row groups, columns and sizes that add up and lie within the file, and the pages of the columns that are read
must hold exactly the rows of the footer. Only the headers are parsed, in Thrift's compact protocol; the values are not.

References
----------
.. [1] Apache Parquet format 2.11, parquet.thrift.
.. [2] Apache Thrift, doc/specs/thrift-compact-protocol.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rocconf.dataclass import dataclass
from rocconf.read.cells import quoted
from rocconf.read.source import DamagedError, StoredBytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

MAGIC, ENCRYPTED = b"PAR1", b"PARE"
TAIL = 8
"""The bytes after the footer: its length and the magic."""

LARGEST_FOOTER = 1 << 24
LARGEST_PAGE_HEADER = 1 << 20
USUAL_PAGE_HEADER = 1 << 8
DEEPEST = 16
"""How deep the records of a footer may be nested; those of the format are 7 deep."""

LARGEST_PAGE = 1 << 30
TRUE, FALSE, INT8, INT16, INT32, INT64, DOUBLE, BINARY, LIST, STRUCT = 1, 2, 3, 4, 5, 6, 7, 8, 9, 12
DATA_PAGE, INDEX_PAGE, DICTIONARY_PAGE, DATA_PAGE_V2 = range(4)
REPEATED = 2
WIDEST_VALUE = 8
"""The bytes that a value takes at least once it is decoded, for the number of values that few bytes may stand for."""


class Chunk(NamedTuple):
    """The values of a column in a row group: where its pages begin and end, and how many values they hold."""

    start: int
    end: int
    values: int


@dataclass(frozen=True, slots=True)
class Footer:
    """What a footer says of the columns that are not nested: the chunks of each."""

    content: bytes | StoredBytes
    rows: int
    chunks: Mapping[str, Sequence[Chunk]]
    metadata: Mapping[bytes, bytes]
    """What the writer of the file says of it."""

    def decoded_size(self, column: str) -> int:
        """Return the bytes that a column takes when it is decoded, after a check of all its pages."""
        if column not in self.chunks:
            raise DamagedError(f"its schemas differ about column {quoted(column)}")
        return sum(map(self._size, self.chunks[column]))

    def _size(self, chunk: Chunk) -> int:
        at, values, size = chunk.start, 0, 0
        while at < chunk.end:
            header, start = _page_header(self.content, at, chunk.end)
            packed, unpacked = (_count(header, field, "the size of a page") for field in (3, 2))
            at = start + packed
            if at > chunk.end or unpacked > LARGEST_PAGE:
                raise DamagedError("a page is larger than its column")
            values += _values_of(header, unpacked)
            size += unpacked
        if values != chunk.values:
            raise DamagedError(f"the pages of a column hold {values} values, but the footer says {chunk.values}")
        return max(size, WIDEST_VALUE * values)


def read_footer(content: bytes | Path) -> Footer:
    """Return the footer of a file or of its bytes, of which slices are read."""
    data = content if isinstance(content, bytes) else StoredBytes(content)
    if len(data) < len(MAGIC) + TAIL:
        raise DamagedError("it is too short")
    if ENCRYPTED in (data[:4], data[-4:]):
        raise DamagedError("it is encrypted")
    if data[:4] != MAGIC or data[-4:] != MAGIC:
        raise DamagedError("it does not begin and end with PAR1")
    size = int.from_bytes(data[-TAIL:-4], "little")
    start = len(data) - TAIL - size
    if start < len(MAGIC):
        raise DamagedError("its footer is longer than the file")
    if size > LARGEST_FOOTER:
        raise DamagedError(f"its footer has {size} bytes, and at most {LARGEST_FOOTER} are read")
    record, _ = _parsed(data[start:-TAIL])
    return Footer(data, _count(record, 3, "its rows"), _chunks(record, start), _metadata(record))


def _metadata(record: Mapping[int, Any]) -> dict[bytes, bytes]:
    """Return the pairs of a key and a value beside the schema; one without a value says nothing."""
    pairs = _items(record, 5, "its metadata") if 5 in record else []
    found = ((pair.get(1), pair.get(2)) for pair in pairs)
    return {key: value for key, value in found if isinstance(key, bytes) and isinstance(value, bytes)}


def _chunks(record: Mapping[int, Any], end: int) -> dict[str, list[Chunk]]:
    """Return the chunks of every column that is not nested."""
    columns = list(_columns(_items(record, 2, "columns")))
    chunks: dict[str, list[Chunk]] = {name: [] for name in columns if name is not None}
    rows = 0
    for group in _items(record, 4, "row groups"):
        n = _count(group, 3, "the rows of a row group")
        rows += n
        of_group = _items(group, 1, "the columns of a row group")
        if len(of_group) != len(columns):
            raise DamagedError("a row group does not have the columns of the file")
        for name, chunk in zip(columns, of_group, strict=True):
            found = _chunk(chunk, end)
            if name is not None:
                if found.values != n:
                    raise DamagedError(f"column {quoted(name)} has {found.values} values in a row group of {n} rows")
                chunks[name].append(found)
    if rows != record[3]:
        raise DamagedError(f"its row groups have {rows} rows, but the file says {record[3]}")
    return chunks


def _columns(schema: Sequence[Mapping[int, Any]]) -> Iterator[str | None]:
    """Yield for every column that holds values its name, None if it is nested."""
    if not schema:
        raise DamagedError("it has no columns")
    left = [_count(schema[0], 5, "its columns")]
    for element in schema[1:]:
        while left and not left[-1]:
            left.pop()
        if not left:
            break
        left[-1] -= 1
        children = _count(element, 5, "the fields of a column", default=0)
        if children:
            left.append(children)
            if len(left) > len(schema):
                break
        elif len(left) > 1 or element.get(3) == REPEATED:
            yield None
        else:
            yield _text(element, 4)
    if any(left):
        raise DamagedError("it lacks columns")


def _chunk(record: Mapping[int, Any], end: int) -> Chunk:
    inner = record.get(3)
    if 1 in record or not isinstance(inner, dict):
        raise DamagedError("a column is in another file, or encrypted")
    size, start = _count(inner, 7, "the size of a column"), _count(inner, 9, "the place of a column")
    if 11 in inner:
        start = min(start, _count(inner, 11, "the place of a dictionary") or start)
    if start < len(MAGIC) or start + size > end:
        raise DamagedError("a column lies outside the file")
    return Chunk(start, start + size, _count(inner, 5, "the values of a column"))


def _page_header(content: bytes | StoredBytes, at: int, end: int) -> tuple[dict[int, Any], int]:
    """Return the header of a page, and where the page begins."""
    for size in (USUAL_PAGE_HEADER, LARGEST_PAGE_HEADER):
        try:
            record, length = _parsed(content[at : min(at + size, end)])
        except EndedError:
            continue
        return record, at + length
    raise DamagedError("the header of a page does not end")


def _values_of(header: Mapping[int, Any], size: int) -> int:
    """Return how many values a data page has; those of a dictionary take its bytes, and are no rows."""
    kind = header.get(1)
    place = {DATA_PAGE: 5, DICTIONARY_PAGE: 7, DATA_PAGE_V2: 8}.get(kind if isinstance(kind, int) else -1)
    if place is None:
        if kind == INDEX_PAGE:
            return 0
        raise DamagedError("a page is of an unknown kind")
    inner = header.get(place)
    if not isinstance(inner, dict):
        raise DamagedError("a page lacks its header")
    values = _count(inner, 1, "the values of a page")
    if place == 7:
        if values > 8 * size + 8:
            raise DamagedError("a dictionary has more values than bits")
        return 0
    if place == 8:
        levels = sum(_count(inner, field, "the levels of a page") for field in (5, 6))
        if levels > size or _count(inner, 2, "the missing values of a page") > values:
            raise DamagedError("the levels of a page are longer than the page")
        if _count(inner, 3, "the rows of a page") != values:
            raise DamagedError("a page has not as many values as rows")
    return values


def _items(record: Mapping[int, Any], field: int, what: str) -> list[dict[int, Any]]:
    found = record.get(field)
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise DamagedError(f"it lacks {what}")
    return found


def _count(record: Mapping[int, Any], field: int, what: str, *, default: int | None = None) -> int:
    value = record.get(field, default)
    if not isinstance(value, int) or value < 0:
        raise DamagedError(f"{what}: {'missing' if value is None else value!r}")
    return value


def _text(record: Mapping[int, Any], field: int) -> str:
    try:
        return str(record.get(field, b""), "utf-8")
    except (TypeError, UnicodeDecodeError):
        raise DamagedError("the name of a column is not text") from None


class EndedError(DamagedError):
    """A record that goes on where the bytes end."""


def _parsed(content: bytes) -> tuple[dict[int, Any], int]:
    """Return a record by the numbers of its fields, and its length."""
    try:
        return _record(content, 0, 0)
    except IndexError:
        raise EndedError("a record does not end") from None


def _record(content: bytes, at: int, depth: int) -> tuple[dict[int, Any], int]:
    """Return the fields of a record in Thrift's compact protocol, and where it ends; where the bytes end is an IndexError.

    A file of ten million rows has tens of thousands of fields: whole numbers, which most of them are, are read here.
    """
    if depth > DEEPEST:
        raise DamagedError("its records are nested too deep")
    record: dict[int, Any] = {}
    number = 0
    while byte := content[at]:
        kind = byte & 15
        at += 1
        if byte > 15:
            number += byte >> 4
        else:
            number, at = _whole(content, at)
        if INT16 <= kind <= INT64:
            value = content[at]
            at += 1
            if value > 127:
                value, at = _varint(content, at - 1)
            record[number] = value >> 1 ^ -(value & 1)
        elif kind in (TRUE, FALSE):
            record[number] = kind == TRUE
        else:
            record[number], at = _value(content, at, kind, depth)
    return record, at + 1


def _value(content: bytes, at: int, kind: int, depth: int) -> tuple[Any, int]:
    """Return a value of a type, and where it ends."""
    if kind == BINARY:
        size, at = _varint(content, at)
        return _bytes(content, at, size)
    if kind == STRUCT:
        return _record(content, at, depth + 1)
    if kind == LIST:
        return _list(content, at, depth)
    if kind in (INT16, INT32, INT64):
        return _whole(content, at)
    if kind in (TRUE, FALSE, INT8):
        return _bytes(content, at, 1)
    if kind == DOUBLE:
        return _bytes(content, at, 8)
    raise DamagedError(f"a field has the unknown type {kind}")


def _list(content: bytes, at: int, depth: int) -> tuple[list[Any], int]:
    if depth > DEEPEST:
        raise DamagedError("its records are nested too deep")
    byte = content[at]
    size, at = (byte >> 4, at + 1) if byte >> 4 != 15 else _varint(content, at + 1)
    if size > len(content) - at:  # every item takes a byte
        raise EndedError("a list is longer than the footer")
    items = []
    for _ in range(size):
        item, at = _value(content, at, byte & 15, depth + 1)
        items.append(item)
    return items, at


def _bytes(content: bytes, at: int, size: int) -> tuple[bytes, int]:
    end = at + size
    if end > len(content):
        raise IndexError
    return content[at:end], end


def _varint(content: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while (byte := content[at]) > 127:
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if shift > 63:
            raise DamagedError("a number has more than 64 bits")
    return value | byte << shift, at + 1


def _whole(content: bytes, at: int) -> tuple[int, int]:
    value, at = _varint(content, at)
    return value >> 1 ^ -(value & 1), at
