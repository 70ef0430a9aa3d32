"""Files that are written whole or not at all."""

from __future__ import annotations

import atexit
import errno
import os
import stat
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rocconf.errors import RocconfError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


LONGEST_NAME = 40
"""How much of its file's name the name of a temporary has: file systems allow 255 bytes, and few of them less."""

CANNOT_SYNC = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)
"""The errors of file systems that cannot tell when content is on disk; any other is a failure to write."""


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path to write to, which replaces `path` on success and is removed on failure.

    The temporary is in the same directory, and on disk before the last step, which is one rename. A link is followed:
    what it points to is replaced, and keeps its permissions.
    """
    target = writable(path)
    try:
        temporary = temporary_of(target)
        with surely(partial(temporary.unlink, missing_ok=True)):
            _reserve(temporary, of=target)
            yield temporary
            _to_disk(temporary)
            _put_in_place(temporary, target)
    except PermissionError as error:
        raise RocconfError("directory-not-writable", path=path, directory=str(target.parent)) from error
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
