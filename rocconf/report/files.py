"""Files that are written whole or not at all, one or several together."""

from __future__ import annotations

import atexit
import errno
import os
import shutil
import stat
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from rocconf.dataclass import dataclass
from rocconf.errors import RocconfError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


LONGEST_NAME = 40
"""How much of its file's name the name of a temporary has: file systems allow 255 bytes, and few of them less."""

CANNOT_SYNC = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)
"""The errors of file systems that cannot tell when content is on disk; any other is a failure to write."""


@dataclass(slots=True)
class Batch:
    """Files that are put in place together."""

    written: list[tuple[str | Path, Path, Path]] = field(default_factory=list)
    """The paths as they were asked for, the temporaries, and what these replace."""
    appended: list[tuple[Path, int]] = field(default_factory=list)
    """The files that were appended to, and how long they were."""
    replaced: list[tuple[Path | None, Path]] = field(default_factory=list)
    """For each file that may be in place what was there before, under another name; None where nothing was."""
    kept: list[Path] = field(default_factory=list)
    """The other names of what was there before."""
    is_done: bool = False

    def put_in_place(self) -> None:
        """Rename all temporaries."""
        is_alone = len(self.written) + len(self.appended) == 1
        for path, temporary, target in self.written:
            with _naming(path):
                if not is_alone:
                    self._keep(target)
                _put_in_place(temporary, target)
        self.is_done = True

    def _keep(self, target: Path) -> None:
        """Keep a file that is to be replaced under another name, from which it can be put back."""
        if not target.exists():
            self.replaced.append((None, target))
            return
        older = temporary_of(target)
        self.kept.append(older)
        try:
            older.hardlink_to(target)
        except OSError:  # a file system without links
            shutil.copy2(target, older)
        self.replaced.append((older, target))

    def settle(self) -> None:
        """Take back what was done unless all of it was, and leave no other file behind; a signal may end with this.

        What cannot be put back stays under its other name.
        """
        for older, target in () if self.is_done else self.replaced:
            try:
                target.unlink(missing_ok=True) if older is None else older.replace(target)
            except OSError:
                self.kept = [other for other in self.kept if other != older]
        for path, length in () if self.is_done else self.appended:
            with suppress(OSError):
                os.truncate(path, length)
        for left in (*self.kept, *(temporary for _, temporary, _ in self.written)):
            with suppress(OSError):
                left.unlink(missing_ok=True)


_batch: ContextVar[Batch | None] = ContextVar("batch", default=None)


@contextmanager
def together() -> Iterator[Batch]:
    """Put the files that the block writes in place at its end; if anything fails, every file is as it was before."""
    batch = Batch()
    before = _batch.set(batch)
    with surely(batch.settle):
        try:
            yield batch
        finally:
            _batch.reset(before)
        batch.put_in_place()


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path to write to, which replaces `path` on success, with all that is written `together`.

    The temporary is in the same directory, and on disk before the last step, which is one rename. A link is followed:
    what it points to is replaced, and keeps its permissions.
    """
    target, batch = writable(path), _batch.get()
    with nullcontext(batch) if batch else together() as files, _naming(path):
        temporary = temporary_of(target)
        files.written.append((path, temporary, target))
        _reserve(temporary, of=target)
        yield temporary
        _to_disk(temporary)


def append(path: Path, content: bytes) -> None:
    """Append to a file, which gets its former length again if the files written `together` cannot be in place."""
    batch = _batch.get()
    with nullcontext(batch) if batch else together() as files, path.open("ab") as stream:
        files.appended.append((path, stream.tell()))
        stream.write(content)


@contextmanager
def _naming(path: str | Path) -> Iterator[None]:
    """Name the file that cannot be written."""
    try:
        yield
    except PermissionError as error:
        raise RocconfError("directory-not-writable", path=path, directory=str(writable(path).parent)) from error
    except OSError as error:
        raise RocconfError("file-not-written", path=path, reason=error.strerror or str(error)) from error


def _put_in_place(temporary: Path, target: Path) -> None:
    """Rename the temporary; Windows refuses to replace a file that another program has open."""
    try:
        temporary.replace(target)
    except PermissionError as error:
        raise RocconfError("file-in-use", path=target) from error


def temporary_of(target: Path) -> Path:
    """Return a new name beside a file, `.NAME.rocconf-XXXXXXXX.tmp`: what is left of a killed run can be recognised."""
    return target.with_name(f".{target.name[:LONGEST_NAME]}.rocconf-{os.urandom(4).hex()}.tmp")


def writable(path: str | Path) -> Path:
    """Return the file a path leads to; refuse one that cannot be a file, before there is anything to write."""
    try:
        target = Path(os.path.realpath(path))
        _require_file(path, target)
    except OSError as error:  # a name that is too long, a working directory that was removed
        raise RocconfError("file-not-written", path=path, reason=error.strerror or str(error)) from error
    return target


def _require_file(path: str | Path, target: Path) -> None:
    """Refuse a target that is not a file, or cannot be one."""
    if target.is_dir():
        raise RocconfError("file-is-directory", path=path)
    if target.exists() and not target.is_file():
        raise RocconfError("file-is-device", path=path)
    if not target.parent.is_dir():
        code = "parent-not-directory" if target.parent.exists() else "no-parent-directory"
        raise RocconfError(code, path=path, directory=str(target.parent))


@contextmanager
def surely(clean_up: Callable[[], object]) -> Iterator[None]:
    """Clean up after the block, also if a signal ends the process in it."""
    atexit.register(clean_up)
    try:
        yield
    finally:
        clean_up()
        atexit.unregister(clean_up)


def _to_disk(path: Path) -> None:
    """Wait until the content is on disk: after a power failure a name may otherwise lead to an empty or torn file.

    The name itself is not waited for: until it is on disk, the older file stays.
    """
    file = os.open(path, os.O_WRONLY)
    try:
        os.fsync(file)
    except OSError as error:
        if error.errno not in CANNOT_SYNC:
            raise
    finally:
        os.close(file)


def _reserve(path: Path, *, of: Path) -> None:
    """Create an empty file, with the permissions of the file that it is to replace, or else of any new file."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))  # less the umask
    if of.exists():
        path.chmod(stat.S_IMODE(of.stat().st_mode) | stat.S_IWUSR)
