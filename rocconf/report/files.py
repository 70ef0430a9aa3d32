"""Put a file in its place whole or not at all."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rocconf.errors import RocconfError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a new file beside a path, and rename it over the path once it is whole.

    The temporary file has the path's suffix, since engines and matplotlib go by it. A device or a pipe is written to
    as it is.
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        if target.is_dir():
            raise RocconfError(f"{path}: is a folder, where a file is to be written")
        yield target
        return
    target = target.resolve()  # a link keeps pointing to the file it points to
    temporary = target.with_name(f".{target.name}.{os.getpid()}{target.suffix}")
    try:
        temporary.open("xb").close()
        yield temporary
        temporary.replace(target)
    except OSError as error:
        raise RocconfError(f"{path}: cannot be written ({error.strerror or error})") from error
    finally:
        temporary.unlink(missing_ok=True)
