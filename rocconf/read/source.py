"""Where bytes come from: a file, a pipe or standard input, compressed or not. Nothing else opens an input."""

from __future__ import annotations

import sys
import zlib
from dataclasses import dataclass, field
from functools import partial
from io import BufferedReader, BytesIO
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from rocconf.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STDIN = "-"
COMPRESSIONS = (".gz", ".zst")
TABS = (".tsv", ".tab")
PIECE = 1 << 20
LOOKED_AT = 10_000
"""So many names of a folder are looked at for one like a missing file's."""

DAMAGE = (EOFError, OSError, zlib.error)
"""What reading a damaged file raises."""

SPOKEN_DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}


@dataclass(frozen=True, slots=True)
class Input:
    """One input: its name, its bytes or the path to them, and what the name says of its form."""

    name: str
    path: Path | None
    data: bytes | None = field(default=None, repr=False)

    @property
    def suffixes(self) -> tuple[str, str]:
        """The suffix of the form and the one of the compression, each perhaps empty."""
        stem, last = _split(self.name)
        return (_split(stem)[1], last) if last in COMPRESSIONS else (last, "")

    @property
    def is_parquet(self) -> bool:
        """Whether the name is that of a parquet file."""
        return self.suffixes[0] in (".parquet", ".pq")

    @property
    def size(self) -> int:
        """The number of bytes, as they are stored."""
        return len(self.data) if self.data is not None else self._path.stat().st_size

    @property
    def stem(self) -> str:
        """The name without folders and suffixes."""
        return "stdin" if self.name == STDIN else _split(_split(Path(self.name).name)[0])[0]

    @property
    def path_stem(self) -> str:
        """The name without suffixes, which tells apart files of one stem in several folders."""
        return _split(_split(self.name)[0])[0]

    def unpacked(self) -> bytes | Path:
        """Return what an engine reads that opens its inputs itself: the file, or the bytes if they are packed."""
        if not self.suffixes[1]:
            return self._raw
        with self.open() as stream:
            return stream.read()

    def delimiter(self, asked: str | None) -> str:
        """Return the delimiter: what was asked for, else what the suffix says."""
        if asked is None:
            return "\t" if self.suffixes[0] in TABS else ","
        delimiter = SPOKEN_DELIMITERS.get(asked, asked)
        if len(delimiter) != 1 or delimiter in '"\r\n':
            raise UsageError(f"--delimiter takes one character (or tab, comma, semicolon, pipe, space), not {asked!r}")
        return delimiter

    def open(self) -> IO[bytes]:
        """Open the bytes, unpacked."""
        try:
            if self.suffixes[1] == ".gz":
                import gzip

                return cast("IO[bytes]", gzip.open(self._path if self.data is None else BytesIO(self.data)))
            stream: IO[bytes] = self._path.open("rb") if self.data is None else BytesIO(self.data)
        except OSError as error:
            raise _unreadable(self.name, error) from None
        if self.suffixes[1] == ".zst":
            from rocconf.read.zst import Unpacked

            return BufferedReader(Unpacked(stream))
        return stream

    def digest(self) -> Callable[[], str]:
        """Give the SHA-256 of the stored bytes, when somebody wants it."""
        return partial(_sha256, self._raw)

    @property
    def _raw(self) -> bytes | Path:
        return self.data if self.data is not None else self._path

    @property
    def _path(self) -> Path:
        return self.path or Path(self.name)


def find_input(name: str) -> Input:
    """Find an input; what cannot be read twice is read now."""
    path = Path(name)
    try:
        if name == STDIN:
            return Input(name, None, _standard_input())
        if path.is_dir():
            raise InputError(name, ["is a folder, where a file is wanted"])
        if not path.exists():
            raise InputError(name, [f"no such file{_similar(path)}"])
        if not path.is_file():
            return Input(name, None, path.read_bytes())
        with path.open("rb"):
            return Input(name, path)
    except OSError as error:
        raise _unreadable(name, error) from None


def opened(text: bytes | Path) -> IO[bytes]:
    """Open bytes, or the file that holds them."""
    return BytesIO(text) if isinstance(text, bytes) else text.open("rb")


def whole_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Give lines, about a million bytes at a time: what was read is looked at before it leaves the cache."""
    while piece := stream.read(PIECE):
        yield piece + stream.readline()


def _unreadable(name: str, error: OSError) -> InputError:
    return InputError(name, [f"cannot be read ({error.strerror or error})"])


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise InputError(STDIN, ["standard input is closed"])
    return sys.stdin.buffer.read()


def _split(name: str) -> tuple[str, str]:
    """Split off the last suffix."""
    path = Path(name)
    return (name[: -len(path.suffix)], path.suffix.lower()) if path.suffix else (name, "")


def _similar(path: Path) -> str:
    from difflib import get_close_matches

    try:
        beside = [entry.name for entry in islice(path.parent.iterdir(), LOOKED_AT)]
    except OSError:
        return f" (there is no folder {str(path.parent)!r})"
    close = get_close_matches(path.name, sorted(beside), n=1)
    return f"; did you mean {str(path.parent / close[0])!r}?" if close else ""


def _sha256(raw: bytes | Path) -> str:
    import hashlib

    if isinstance(raw, bytes):
        return hashlib.sha256(raw).hexdigest()
    with raw.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
