"""Files that are written whole or not at all."""

from __future__ import annotations

import atexit
import os
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rocconf.errors import RocconfError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path to write to, which replaces `path` on success and is removed on failure.

    The temporary is in the same directory, so that the last step is one rename, and has the same suffixes. A link is
    followed: what it points to is replaced.
    """
    target = writable(path)
    try:
        temporary = target.with_name(f".{os.urandom(8).hex()}{''.join(target.suffixes[-2:])}")
        with surely(partial(temporary.unlink, missing_ok=True)):
            _reserve(temporary)
            yield temporary
            temporary.replace(target)
    except PermissionError as error:
        raise RocconfError("directory-not-writable", path=path, directory=str(target.parent)) from error
    except OSError as error:
        raise RocconfError("file-not-written", path=path, reason=error.strerror or str(error)) from error


def writable(path: str | Path) -> Path:
    """Return the file a path leads to; refuse one that cannot be a file, before there is anything to write."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise RocconfError("file-is-directory", path=path)
    if target.exists() and not target.is_file():
        raise RocconfError("file-is-device", path=path)
    if not target.parent.is_dir():
        code = "parent-not-directory" if target.parent.exists() else "no-parent-directory"
        raise RocconfError(code, path=path, directory=str(target.parent))
    return target


@contextmanager
def surely(clean_up: Callable[[], object]) -> Iterator[None]:
    """Clean up after the block, also if a signal ends the process in it."""
    atexit.register(clean_up)
    try:
        yield
    finally:
        clean_up()
        atexit.unregister(clean_up)


def _reserve(path: Path) -> None:
    """Create an empty file, with the permissions of any new file."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))  # less the umask
