"""Check an Arrow file or stream before an engine reads it: what it says of itself must be possible.

An engine that believes a damaged number may allocate 2^61 bytes, which ends the process, or leave out rows. So every
message must lie within the file, the footer must name all record batches, the columns of a batch must have its rows, and
their buffers must lie within it. Only the headers are parsed, which are flatbuffers; of the values, compressed buffers are
asked for their sizes.

References
----------
.. [1] Apache Arrow columnar format 1.5, "Serialization and interprocess communication"; Message.fbs, Schema.fbs, File.fbs.
.. [2] FlatBuffers, "FlatBuffers internals".
"""

from __future__ import annotations

from itertools import islice
from struct import Struct, calcsize
from struct import error as StructError  # noqa: N812  # an exception
from typing import TYPE_CHECKING, Any, NamedTuple

from rocconf.dataclass import dataclass
from rocconf.read.cells import quoted
from rocconf.read.source import DamagedError, StoredBytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

FILE = b"ARROW1"
"""How a file begins and ends; a stream begins otherwise."""

TAIL = len(FILE) + 4
FIRST_MESSAGE = 8
CONTINUED = b"\xff\xff\xff\xff"
SCHEMA, DICTIONARY, BATCH = 1, 2, 3
DEEPEST = 16
"""How deep columns may be nested."""

NULL, LISTS, STRUCT, FIXED_LIST, VIEWS = 1, (12, 17, 21), 13, 16, (23, 24)
BUFFERS = {
    **dict.fromkeys((2, 3, 6, 7, 8, 9, 10, 11, 15, 18, *VIEWS, *LISTS), 2),
    NULL: 0,
    STRUCT: 1,
    FIXED_LIST: 1,
    **dict.fromkeys((4, 5, 19, 20, 25, 26), 3),
}
"""How many buffers a column of each type has; views have more, as many as the batch says."""

WIDEST_VALUE = 8
"""The least number of bytes that a decoded value takes."""


class Column(NamedTuple):
    """A column: its type, its child columns, and the dictionary that its cells point to."""

    name: str
    kind: int
    children: Sequence[Column]
    dictionary: int | None


class Message(NamedTuple):
    """A message: its kind, its header, and where it and its body lie."""

    kind: int
    header: Table
    start: int
    body: int
    end: int


class Part(NamedTuple):
    """A column of a batch: its rows and buffers."""

    length: int
    nulls: int
    buffers: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Headers:
    """The content of the headers."""

    content: bytes | StoredBytes
    columns: Sequence[Column]
    batches: Sequence[Message]
    dictionaries: Sequence[Message]

    @property
    def metadata(self) -> Mapping[bytes, bytes]:
        """What the writer says of the file, which nothing needs."""
        return {}

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return sum(batch.header.whole(0, "the rows of a batch") for batch in self.batches)

    def decoded_size(self, name: str) -> int:
        """Return the bytes that a column takes when it is decoded, after a check of all its buffers."""
        places = [at for at, column in enumerate(self.columns) if column.name == name]
        dictionaries = {column.dictionary for column in _within([self.columns[at] for at in places])} - {None}
        size = sum(self._size(batch.header, batch, self.columns, places) for batch in self.batches)
        for dictionary in self.dictionaries:
            if dictionary.header.number(0, "q") in dictionaries:
                values = Column("", _values_of(self.columns, dictionary.header.number(0, "q")), (), None)
                size += self._size(dictionary.header.table(1, "its values"), dictionary, [values], [0])
        return size

    def _size(self, header: Table, message: Message, columns: Sequence[Column], places: Sequence[int]) -> int:
        """Return the decoded bytes of some columns of a batch."""
        n = header.whole(0, "the rows of a batch")
        is_packed = header.has(3)
        size = 0
        for at, parts in enumerate(_parts(header, columns)):
            if parts[0].length != n:
                raise DamagedError(
                    f"column {quoted(columns[at].name)} has {parts[0].length} values in a batch of {n} rows"
                )
            for part in parts:
                if not 0 <= part.nulls <= part.length:
                    raise DamagedError(f"{part.nulls} of {part.length} values are missing")
                for start, length in part.buffers:
                    if start < 0 or length < 0 or start + length > message.end - message.body:
                        raise DamagedError("a buffer lies outside its batch")
                if at in places:
                    stored = sum(
                        self._unpacked(message.body + start, length, is_packed) for start, length in part.buffers
                    )
                    size += max(stored, WIDEST_VALUE * part.length)
        return size

    def _unpacked(self, start: int, length: int, is_packed: bool) -> int:  # noqa: FBT001  # whether the batch is
        if not is_packed or not length:
            return length
        size = int.from_bytes(self.content[start : start + 8], "little", signed=True)
        if length < 8 or size < -1:
            raise DamagedError(f"the size of a buffer: {size}")
        return length if size == -1 else size


def read_headers(content: bytes | Path) -> Headers:
    """Return the headers of a file, or of its bytes."""
    data = content if isinstance(content, bytes) else StoredBytes(content)
    return _of_file(data) if data[: len(FILE)] == FILE else _of_stream(data)


def _of_file(data: bytes | StoredBytes) -> Headers:
    """Return the headers that the footer names, which are all that there are."""
    if len(data) < FIRST_MESSAGE + TAIL or data[-len(FILE) :] != FILE:
        raise DamagedError("it does not begin and end with ARROW1")
    size = int.from_bytes(data[-TAIL : -len(FILE)], "little")
    end = len(data) - TAIL - size
    if end < FIRST_MESSAGE:
        raise DamagedError("its footer is longer than the file")
    footer = root_of(data[end:-TAIL])
    of_dictionaries, of_batches = (footer.structs(field, "qi4xq") for field in (2, 3))
    if sum(abs(header) + abs(body) for _, header, body in (*of_dictionaries, *of_batches)) > end:
        raise DamagedError("the batches of its footer are longer than the file")
    dictionaries = [_message_of(block, data, end, DICTIONARY) for block in of_dictionaries]
    batches = [_message_of(block, data, end, BATCH) for block in of_batches]
    known = sorted(message.start for message in (*dictionaries, *batches))
    has_schema = data[FIRST_MESSAGE : FIRST_MESSAGE + 4] == CONTINUED  # polars writes it without this mark
    first = FIRST_MESSAGE if has_schema else min(known, default=end)
    if known != [each.start for each in _messages(data, first, end) if each.kind in (DICTIONARY, BATCH)]:
        raise DamagedError("its footer does not name every batch of rows once")
    return Headers(data, _columns(footer.table(1, "its schema")), batches, dictionaries)


def _message_of(block: Sequence[int], data: bytes | StoredBytes, end: int, kind: int) -> Message:
    """Return the message of a block of the footer."""
    start, header, body = block
    message = next(_messages(data, start, end), None) if FIRST_MESSAGE <= start < end else None
    if message is None or message.kind != kind or (message.body - start, message.end - message.body) != (header, body):
        raise DamagedError("its footer and a batch of rows differ")
    return message


def _of_stream(data: bytes | StoredBytes) -> Headers:
    """Return the headers of a stream, the first of which is its schema."""
    messages = list(_messages(data, 0, len(data)))
    if not messages or messages[0].kind != SCHEMA:
        raise DamagedError("it does not begin with its columns")
    end = messages[-1].end
    mark = data[end : end + 8]
    if mark[:8] != CONTINUED + bytes(4) and mark[:4] != bytes(4):
        raise DamagedError("the stream does not end: rows may be missing")
    if any(data[end + 8 :]):
        raise DamagedError("the stream goes on behind its end")
    batches, dictionaries = ([each for each in messages if each.kind == kind] for kind in (BATCH, DICTIONARY))
    return Headers(data, _columns(messages[0].header), batches, dictionaries)


def _messages(data: bytes | StoredBytes, at: int, end: int) -> Iterator[Message]:
    """Yield the messages from a place on, until the end of the stream."""
    while at + 4 <= end:
        prefix = 8 if data[at : at + 4] == CONTINUED else 4
        size = int.from_bytes(data[at + prefix - 4 : at + prefix], "little")
        if not size:
            return
        body = at + prefix + size
        message = root_of(data[at + prefix : body])
        length = message.whole(3, "the size of a batch")
        if body + length > end:
            raise DamagedError("a batch of rows lies outside the file")
        yield Message(message.number(1, "B"), message.table(2, "its header"), at, body, body + length)
        at = body + length


def _columns(schema: Table) -> list[Column]:
    """Return the columns of a schema, and refuse more columns than its bytes can hold."""
    left = iter(schema.content)

    def within(parent: Table, field: int, depth: int) -> list[Column]:
        if depth > DEEPEST:
            raise DamagedError("its columns are nested too deep")
        return [column_of(each, depth) for each in parent.tables(field)]

    def column_of(record: Table, depth: int) -> Column:
        if next(left, None) is None:
            raise DamagedError("it has more columns than bytes")
        dictionary = record.table(4, "").number(0, "q") if record.has(4) else None
        return Column(record.text(0), record.number(2, "B"), within(record, 5, depth + 1), dictionary)

    return within(schema, 1, 1)


def _within(columns: Sequence[Column]) -> Iterator[Column]:
    """Yield columns and those within them."""
    for column in columns:
        yield column
        yield from _within(column.children)


def _values_of(columns: Sequence[Column], dictionary: int) -> int:
    """Return the type of the values of a dictionary."""
    return next(column.kind for column in _within(columns) if column.dictionary == dictionary)


def _parts(batch: Table, columns: Sequence[Column]) -> Iterator[list[Part]]:
    """Yield for every column its own part of a batch and those of the columns within it."""
    nodes, buffers, views = (iter(batch.structs(*each)) for each in ((1, "qq"), (2, "qq"), (4, "q")))

    def parts_of(column: Column) -> Iterator[Part]:
        n = _n_buffers(column, views)
        length, nulls = next(nodes)
        found = list(islice(buffers, min(max(n, 0), len(batch.content))))
        if len(found) != n:
            raise DamagedError("a batch lacks buffers")
        yield Part(length, nulls, found)
        if column.dictionary is None:
            for child in column.children:
                yield from parts_of(child)

    try:
        for column in columns:
            yield list(parts_of(column))
    except RuntimeError:  # StopIteration in a generator
        raise DamagedError("a batch lacks columns") from None
    if next(nodes, None) or next(buffers, None):
        raise DamagedError("a batch has more columns than the file")


def _n_buffers(column: Column, views: Iterator[tuple[int]]) -> int:
    """Return how many buffers a column has in a batch, which says how many those of views are."""
    if column.dictionary is not None:
        return 2
    if column.kind not in BUFFERS:
        raise DamagedError(f"column {quoted(column.name)} has the type {column.kind}, which is not read")
    return BUFFERS[column.kind] + (next(views)[0] if column.kind in VIEWS else 0)


class Table(NamedTuple):
    """A table of a flatbuffer: the bytes, and where it lies in them."""

    content: bytes
    at: int

    def has(self, field: int) -> bool:
        """Whether a field is there."""
        return bool(self.place(field))

    def number(self, field: int, form: str) -> int:
        """Return a number, 0 if it is not there."""
        place = self.place(field)
        return int(_unpack(form, self.content, place)[0]) if place else 0

    def whole(self, field: int, what: str) -> int:
        """Return a number that is not negative."""
        if (value := self.number(field, "q")) < 0:
            raise DamagedError(f"{what}: {value}")
        return value

    def table(self, field: int, what: str) -> Table:
        """Return the table in a field."""
        place = self.place(field)
        if not place:
            raise DamagedError(f"it lacks {what}")
        return Table(self.content, _target(self.content, place))

    def tables(self, field: int) -> list[Table]:
        """Return the tables in a field."""
        start, n = self._vector(field, 4)
        return [Table(self.content, _target(self.content, start + 4 * at)) for at in range(n)]

    def structs(self, field: int, form: str) -> list[tuple[Any, ...]]:
        """Return the records in a field, which all have the same size."""
        size = calcsize("<" + form)
        start, n = self._vector(field, size)
        return list(Struct("<" + form).iter_unpack(self.content[start : start + n * size]))

    def text(self, field: int) -> str:
        """Return a text, an empty one if it is not there."""
        start, n = self._vector(field, 1)
        try:
            return str(self.content[start : start + n], "utf-8")
        except UnicodeDecodeError:
            raise DamagedError("the name of a column is not text") from None

    def _vector(self, field: int, size: int) -> tuple[int, int]:
        """Return where the items of a field begin, and how many there are."""
        place = self.place(field)
        if not place:
            return 0, 0
        start = _target(self.content, place)
        n = _unpack("I", self.content, start)[0]
        if start + 4 + n * size > len(self.content):
            raise DamagedError("a list is longer than its record")
        return start + 4, n

    def place(self, field: int) -> int:
        """Return where a field lies, 0 if it is not there."""
        fields = self.at - _unpack("i", self.content, self.at)[0]
        slot = 4 + 2 * field
        offset = _unpack("H", self.content, fields + slot)[0] if slot < _unpack("H", self.content, fields)[0] else 0
        return self.at + offset if offset else 0


def root_of(content: bytes) -> Table:
    """Return the table of a flatbuffer."""
    return Table(content, _target(content, 0))


def _target(content: bytes, place: int) -> int:
    """Return where the offset at a place leads to."""
    return place + int(_unpack("I", content, place)[0])


def _unpack(form: str, content: bytes, at: int) -> tuple[Any, ...]:
    try:
        return FORMS[form].unpack_from(content, at if at >= 0 else len(content))
    except StructError:
        raise DamagedError("a record does not end") from None


FORMS = {form: Struct("<" + form) for form in "iIHBq"}
