"""Where bytes come from: a file, a pipe or standard input, compressed or not. Nothing else opens an input."""

from __future__ import annotations

import sys
import zlib
from dataclasses import field
from functools import partial
from glob import iglob
from io import BufferedReader, BytesIO, RawIOBase
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from weakref import finalize

from rocconf.dataclass import dataclass
from rocconf.errors import InputError
from rocconf.messages import did_you_mean, message
from rocconf.naming import COMPRESSIONS, SUFFIXES
from rocconf.read.bounds import Bounded, most_unpacked, shown_size

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import BufferedIOBase

    from rocconf.messages import Message

STDIN = "-"
STORES = ("s3://", "gs://", "az://", "abfs://", "abfss://")
"""How the names of objects in a store begin."""

PIECE = 1 << 20
BUFFER = 1 << 17
PATTERN = frozenset("*?[")
"""The characters of a pattern of names."""

MOST_NAMES = 10_000
"""How many names of a folder are compared with that of a missing file."""


class DamagedError(Exception):
    """A file that contradicts itself; the text is the reason."""


DAMAGE = (EOFError, OSError, zlib.error, DamagedError)
"""The exceptions of reading a damaged file."""


class Watch:
    """Passes on how many bytes of an input were read, each once, though some may be read several times."""

    def __init__(self, size: int, progress: Callable[[int], object]) -> None:
        self._size, self._progress, self._reached = size, progress, 0

    def reach(self, share: float) -> None:
        """Note that this share of the input was read."""
        place = int(self._size * min(share, 1.0))
        if place > self._reached:
            self._progress(place - self._reached)
            self._reached = place


class _Watched(RawIOBase):
    """A file of which is noted how far it was read."""

    def __init__(self, path: Path, watch: Watch, size: int) -> None:
        self._raw, self._watch, self._size = path.open("rb", buffering=0), watch, size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        n = self._raw.readinto(buffer)
        self._watch.reach(self._raw.tell() / max(self._size, 1))
        return n

    def close(self) -> None:
        self._raw.close()
        super().close()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Input:
    """One input: its name, and its bytes or the path to them."""

    name: str
    path: Path | None
    data: bytes | None = field(default=None, repr=False)
    watch: Watch | None = None
    """Notes how far it was read."""

    @property
    def suffixes(self) -> tuple[str, str]:
        """The suffix of the format and that of the compression, each perhaps empty."""
        stem, last = _split(self.name)
        return (_split(stem)[1], last) if last in COMPRESSIONS else (last, "")

    @property
    def size(self) -> int:
        """The number of bytes as they are stored."""
        return len(self.data) if self.data is not None else self._path.stat().st_size

    def unpacked(self) -> bytes | Path:
        """Return the input of an engine that opens files itself: the path, or the uncompressed bytes if it is compressed."""
        if not self.suffixes[1]:
            return self._raw
        unpacked = BytesIO()
        with self.open() as stream:
            while piece := stream.read(PIECE):
                unpacked.write(piece)
        return unpacked.getvalue()

    def open(self) -> BufferedIOBase:
        """Return a stream of the bytes, uncompressed."""
        try:
            stream, size = self._stored(), self.size
        except OSError as error:
            raise _unreadable(self.name, error) from None
        if not self.suffixes[1]:
            return stream
        most = most_unpacked(size)
        return BufferedReader(Bounded(stream, most, partial(_too_large, self.name, most)), BUFFER)

    def _stored(self) -> BufferedIOBase:
        """Return a stream that decompresses if need be."""
        if self.suffixes[1] == ".gz":
            import gzip

            return gzip.GzipFile(self._path) if self.data is None else gzip.GzipFile(fileobj=BytesIO(self.data))
        if self.watch and self.data is None and not self.suffixes[1]:
            return BufferedReader(_Watched(self._path, self.watch, self.size), PIECE)
        stream: BufferedIOBase = self._path.open("rb") if self.data is None else BytesIO(self.data)
        if self.suffixes[1] == ".zst":
            from rocconf.read.zst import Unpacked

            return BufferedReader(Unpacked(stream))
        return stream

    @property
    def share(self) -> int:
        """What it counts in a bar of bytes."""
        return self.size

    def digest(self) -> Callable[[], str] | None:
        """Return a function that computes the SHA-256 of the stored bytes, if they are at hand."""
        return partial(_sha256, self._raw)

    @property
    def _raw(self) -> bytes | Path:
        return self.data if self.data is not None else self._path

    @property
    def _path(self) -> Path:
        return self.path or Path(self.name)


def find_input(name: str) -> Input:
    """Return the input of a name; a pipe or standard input, which cannot be read twice, is read now."""
    if name.startswith(STORES):
        from rocconf.read.objects import StoredObject

        return StoredObject(name, None)
    path = Path(name)
    try:
        if name == STDIN:
            return Input(name, None, _standard_input())
        if path.is_dir():
            raise InputError(name, [message("is-folder")])
        if not path.exists():
            raise InputError(name, [_no_file(path)])
        if not path.is_file():
            return Input(name, None, path.read_bytes())
        with path.open("rb"):
            return Input(name, path)
    except OSError as error:
        raise _unreadable(name, error) from None


def find_files(name: str) -> list[str]:
    """Return the files that a name stands for: itself, all tables in a folder and those below it, or a pattern's, in order.

    Names that begin with a dot or an underscore are those of marks, like _SUCCESS.
    """
    if name.startswith(STORES):
        from rocconf.read.objects import find_objects

        return find_objects(name)
    path = Path(name)
    if path.is_dir():
        below = [each for each in path.rglob("*") if not _is_hidden(each.relative_to(path))]
        found = sorted(str(each) for each in below if each.is_file() and _is_table(each))
    elif PATTERN.isdisjoint(name) or path.exists():
        return [name]
    else:
        found = sorted(each for each in iglob(name, recursive=True) if Path(each).is_file())  # noqa: PTH207  # may be absolute
    if not found:
        raise InputError(name, [message("no-files")])
    return found


def _is_hidden(path: Path) -> bool:
    return any(part.startswith((".", "_")) for part in path.parts)


def _is_table(path: Path) -> bool:
    stem, last = _split(path.name)
    return (_split(stem)[1] if last in COMPRESSIONS else last) in SUFFIXES


def open_unpacked(text: bytes | Path) -> IO[bytes]:
    """Return a stream of what `Input.unpacked` returned."""
    return BytesIO(text) if isinstance(text, bytes) else text.open("rb")


class StoredBytes:
    """The bytes of a file, of which slices are read: pages of a mapped file would count as memory of the process."""

    def __init__(self, path: Path) -> None:
        stream = path.open("rb", buffering=0)
        self._stream, self._size = stream, path.stat().st_size
        finalize(self, stream.close)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice) -> bytes:
        start, end, _ = part.indices(self._size)
        self._stream.seek(start)
        return self._stream.read(max(end - start, 0))


def _unreadable(name: str, error: OSError) -> InputError:
    return InputError(name, [message("cannot-read", reason=error.strerror or str(error))])


def _too_large(name: str, most: int) -> InputError:
    return InputError(name, [message("unpacks-too-large", most=shown_size(most))])


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise InputError(STDIN, [message("stdin-closed")])
    return sys.stdin.buffer.read()


def _split(name: str) -> tuple[str, str]:
    """Return a name without its last suffix, and the suffix in lower case."""
    path = Path(name)
    return (name[: -len(path.suffix)], path.suffix.lower()) if path.suffix else (name, "")


def _no_file(path: Path) -> Message:
    try:
        beside = [entry.name for entry in islice(path.parent.iterdir(), MOST_NAMES)]
    except OSError:
        return message("no-folder", folder=str(path.parent))
    return message("no-file", meant=did_you_mean(path.name, sorted(beside)))


def _sha256(raw: bytes | Path) -> str:
    import hashlib

    if isinstance(raw, bytes):
        return hashlib.sha256(raw).hexdigest()
    with raw.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
