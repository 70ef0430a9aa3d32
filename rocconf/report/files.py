"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rocconf.errors import RocconfError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path to write to, which replaces `path` on success and is removed on failure.

    The temporary is in the same directory, so that the last step is one rename, and has the same suffixes. A link is
    followed: what it points to is replaced.
    """
    target = writable(path)
    try:
        temporary = _reserved(target)
        try:
            yield temporary
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
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


def _reserved(target: Path) -> Path:
    """Return an empty new file beside the target, with the permissions of any new file."""
    temporary = target.with_name(f".{os.urandom(8).hex()}{''.join(target.suffixes[-2:])}")
    os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))  # less the umask
    return temporary
