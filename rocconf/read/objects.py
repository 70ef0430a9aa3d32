"""Objects in a store: s3://, gs://, az:// and abfs://. The library of the engine reads them, with credentials from the environment.

Parquet is read in place, only the columns that are needed; text is copied to a temporary file first. The bytes
themselves are not seen, so an object has no digest.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from dataclasses import field
from functools import cached_property, partial
from math import inf
from pathlib import Path, PurePosixPath
from tempfile import mkstemp
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn
from warnings import catch_warnings
from weakref import finalize

from rocconf.dataclass import dataclass
from rocconf.errors import InputError
from rocconf.messages import message
from rocconf.naming import COMPRESSIONS, SUFFIXES
from rocconf.read.formats import first_line
from rocconf.read.parquet import BATCH, ParquetTable
from rocconf.read.source import PATTERN, DamagedError, Input

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import polars as pl

    from rocconf.messages import Message
    from rocconf.read.columns import CellKind
    from rocconf.read.formats import Piece

OPTIONS: dict[str, Any] = {"max_retries": 2}
"""A store that does not answer is an error after some seconds."""

SHARE = 1 << 20
"""What an object counts in a bar of bytes: its size is not asked for."""

STATUS = re.compile(r"status code: (\d{3}( [A-Z][A-Za-z ]+)?)")
"""What of an answer may be shown: neither addresses nor texts, which may hold tokens."""

CREDENTIALS = (
    "credential",
    "/latest/api/token",
    "InvalidAccessKeyId",
    "SignatureDoesNotMatch",
    "status code: 403",
    "status code: 401",
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StoredObject(Input):
    """An object in a store."""

    copies: list[_Copy] = field(default_factory=list, init=False)
    """The copy of its text, once it was read."""

    @property
    def suffixes(self) -> tuple[str, str]:
        """The suffix of the format: text is unpacked as it is copied."""
        return _suffix(self.name), ""

    @property
    def share(self) -> int:
        """What it counts in a bar of bytes."""
        return SHARE

    def digest(self) -> None:
        """Return nothing: its bytes are not seen."""

    @property
    def _path(self) -> Path:
        if not self.copies:
            self.copies.append(_copied(self.name))
        return self.copies[0].path


class _Copy:
    """A temporary file, which is removed with this object."""

    def __init__(self) -> None:
        number, name = mkstemp(prefix="rocconf-")
        os.close(number)
        self.path = Path(name)
        finalize(self, self.path.unlink, missing_ok=True)


def _copied(name: str) -> _Copy:
    """Return a temporary file with the lines of a text."""
    import polars as pl

    with writing(name):
        copy = _Copy()
    with store_errors(name, "file-damaged"):
        lines = pl.scan_lines(name, glob=False, storage_options=OPTIONS)
        for batch in lines.collect_batches(chunk_size=BATCH, maintain_order=True):
            with writing(name), copy.path.open("ab") as stream:
                stream.writelines(f"{line}\n".encode() for line in batch.to_series())
    return copy


@contextmanager
def writing(name: str) -> Iterator[None]:
    """Raise an error of the disk as what it is, not as one of the store."""
    try:
        yield
    except OSError as error:
        raise InputError(name, [message("object-not-copied", reason=error.strerror or str(error))]) from None


def find_objects(name: str) -> list[str]:
    """Return the objects that a name stands for: itself, all tables below a prefix that ends in a slash, or a pattern's."""
    import polars as pl

    if not name.endswith("/") and PATTERN.isdisjoint(name):
        return [name]
    pattern = f"{name}**/*" if name.endswith("/") else name
    with store_errors(name, "object-store"):
        plan = pl.scan_lines(pattern, storage_options=OPTIONS)._ldf.visit().view_current_node()  # noqa: SLF001  # the only list there is
    found: list[str] = getattr(plan, "paths", [])  # without a match there is nothing to read
    start = len(name) if name.endswith("/") else min(name.index(each) for each in PATTERN if each in name)
    found = [each for each in found if not _is_hidden(each[name.rfind("/", 0, start) + 1 :])]
    if name.endswith("/"):
        found = [each for each in found if _suffix(each) in SUFFIXES]
    if not found:
        raise InputError(name, [message("no-files")])
    return sorted(found)


def _suffix(name: str) -> str:
    path = PurePosixPath(name)
    return PurePosixPath(path.stem).suffix.lower() if path.suffix.lower() in COMPRESSIONS else path.suffix.lower()


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "_")) for part in name.split("/"))


@contextmanager
def store_errors(name: str, code: str) -> Iterator[None]:
    """Raise errors of a store as what they are, and all others of the engine as this one."""
    import polars as pl

    try:
        with catch_warnings(action="ignore", category=UserWarning):  # that the region of a bucket is asked for
            yield
    except (OSError, DamagedError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise InputError(name, [fault_of(error, code)]) from None


def fault_of(error: BaseException, code: str) -> Message:
    """Return what was wrong with an object, without the address that was asked, which may hold a token."""
    text = str(error)
    if "expanded paths were empty" in text:
        return message("no-files")
    if not isinstance(error, OSError) and "object-store error" not in text:
        return message(code, reason=first_line(error))
    if isinstance(error, PermissionError) or any(word in text for word in CREDENTIALS):
        return message("object-not-allowed")
    if "NoSuchBucket" in text or "ContainerNotFound" in text:
        return message("no-bucket")
    if isinstance(error, FileNotFoundError):
        return message("no-object")
    answered = STATUS.search(text)
    return message("object-store", reason=f"it answered {answered[1]}" if answered else _reason(text))


def _reason(text: str) -> str:
    """Return why a store did not answer, as the last line says it."""
    last = text.strip().splitlines()[-1].strip().lstrip("0123456789: ")
    return "it does not answer" if "://" in last or not last else last[:80]


class _Description(NamedTuple):
    rows: int
    metadata: Mapping[bytes, bytes]

    def decoded_size(self, name: str, /) -> int:  # noqa: ARG002  # it is not known before it is read
        """Return nothing, as all there is of the columns is read in batches."""
        return 0


class ObjectTable(ParquetTable):
    """A parquet object, of which the columns that are needed are read."""

    def __init__(self, source: Input) -> None:
        self._source, self.name, self.digest = source, source.name, None
        self._most = inf
        self._sizes = {}
        self._check()
        schema = self._schema()
        self.header, self._nested = list(schema), list(schema.values())

    @cached_property
    def _content(self) -> Any:
        return self.name

    def _describe(self) -> _Description:
        import polars as pl

        with store_errors(self.name, self.not_this_form):
            metadata = pl.read_parquet_metadata(self.name, storage_options=OPTIONS)
            rows = self._scan().select(pl.len()).collect().item()
        return _Description(rows, {key.encode(): value.encode() for key, value in metadata.items()})

    def _scan(self, names: list[str] | None = None, *, most: int | None = None) -> pl.LazyFrame:  # noqa: ARG002  # of arrow
        import polars as pl

        return pl.scan_parquet(self.name, n_rows=most, glob=False, hive_partitioning=False, storage_options=OPTIONS)

    def _batches(self, kinds: Mapping[int, CellKind]) -> Iterator[Callable[[], list[Piece]]]:
        """Yield batches of one pass: to begin again at each would fetch large groups of rows several times."""
        names, read = [self.header[at] for at in sorted(kinds)], 0
        with self._failures_as_damage():
            batches = iter(self._scan().select(names).collect_batches(chunk_size=BATCH, maintain_order=True))
        while True:
            with self._failures_as_damage():
                frame = next(batches, None)
                if frame is None:
                    self._require_rows(read, self._description.rows)
                    return
            yield partial(self._pieces_of, frame, kinds, read)
            read += len(frame)

    def _refuse(self, code: str, error: BaseException) -> NoReturn:
        raise InputError(self.name, [fault_of(error, code)]) from None
