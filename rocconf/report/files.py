"""Put a file in its place whole, or leave the old one as it was."""

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
    """Give a temporary path to write to, which takes the place of `path` if all goes well.

    If not, it is removed. The temporary stands in the same directory, so that the last step is one rename,
    and ends in the same suffixes. A link is followed: what it points to is replaced.
    """
    target = writable(path)
    try:
        temporary = _reserved(target)
        try:
            yield temporary
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise RocconfError(f"{path}: cannot be written: {_why(error, target)}") from error


def writable(path: str | Path) -> Path:
    """Return what a path leads to; refuse one where no file can be, which can be told before there is anything to write."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise RocconfError(
            f"{path}: cannot be written: it is a {'directory' if target.is_dir() else 'device or a pipe'}"
        )
    if not target.parent.is_dir():
        directory = str(target.parent)
        what = f"{directory!r} is not a directory" if target.parent.exists() else f"there is no directory {directory!r}"
        raise RocconfError(f"{path}: cannot be written: {what}")
    return target


def _reserved(target: Path) -> Path:
    """Make an empty file beside the target, with the permissions that any new file gets."""
    temporary = target.with_name(f".{os.urandom(8).hex()}{''.join(target.suffixes[-2:])}")
    os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))  # less the umask
    return temporary


def _why(error: OSError, target: Path) -> str:
    if isinstance(error, PermissionError):
        return f"the directory {str(target.parent)!r} is not writable"
    return error.strerror or str(error)
