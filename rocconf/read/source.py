"""Where bytes come from: a file, a pipe or standard input, compressed or not. Nothing else opens an input."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from rocconf.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

STDIN = "-"
COMPRESSIONS = (".gz", ".zst")
TABS = (".tsv", ".tab")
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
    def raw(self) -> bytes | Path:
        """What an engine reads that opens its inputs itself."""
        return self.data if self.data is not None else self._path

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
        stream: IO[bytes] = BytesIO(self.data) if self.data is not None else self._path.open("rb")
        if self.suffixes[1] == ".gz":
            import gzip

            return cast("IO[bytes]", gzip.GzipFile(fileobj=stream))
        if self.suffixes[1] == ".zst":
            import zstandard

            return zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True, closefd=True)
        return stream

    def digest(self) -> Callable[[], str]:
        """Give the SHA-256 of the stored bytes, when somebody wants it."""
        return partial(_sha256, self.raw)

    @property
    def _path(self) -> Path:
        return self.path or Path(self.name)


def find_input(name: str) -> Input:
    """Find an input; what cannot be read twice is read now."""
    if name == STDIN:
        return Input(name, None, sys.stdin.buffer.read())
    path = Path(name)
    try:
        if path.is_dir():
            raise InputError(name, ["is a folder, where a file is wanted"])
        if not path.exists():
            raise InputError(name, [f"no such file{_similar(path)}"])
        if not path.is_file():
            return Input(name, None, path.read_bytes())
        with path.open("rb"):
            return Input(name, path)
    except OSError as error:
        raise InputError(name, [f"cannot be read ({error.strerror or error})"]) from None


def _split(name: str) -> tuple[str, str]:
    """Split off the last suffix."""
    path = Path(name)
    return (name[: -len(path.suffix)], path.suffix.lower()) if path.suffix else (name, "")


def _similar(path: Path) -> str:
    from difflib import get_close_matches

    try:
        beside = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return f" (there is no folder {str(path.parent)!r})"
    close = get_close_matches(path.name, beside, n=1)
    return f"; did you mean {str(path.parent / close[0])!r}?" if close else ""


def _sha256(raw: bytes | Path) -> str:
    import hashlib

    if isinstance(raw, bytes):
        return hashlib.sha256(raw).hexdigest()
    with raw.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
