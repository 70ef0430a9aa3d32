"""Which files a run reads and writes: it never replaces what it reads, and never writes a file twice."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rocconf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    Identity = tuple[int, int]

STDIN = "-"
STREAMS = ("standard output", "standard error")


class Claimed:
    """The files that a run writes: those of its options, and those that its output is redirected to."""

    def __init__(self) -> None:
        self._by_path: dict[tuple[Identity | str, str], str | Path] = {}
        self._existing: dict[Identity, str | Path] = {}
        self._inputs: dict[Identity, str | Path] = {}
        for name, stream in zip(STREAMS, (sys.stdout, sys.stderr), strict=True):
            if identity := _of_stream(stream):
                self._existing[identity] = name

    def add(self, path: Path, target: Path) -> None:
        """Add a file and what its path leads to; refuse one that is written already, under whatever name."""
        name = target.name.casefold() if ignores_case(target.parent) else target.name
        key, identity = (_of_place(target.parent) or str(target.parent), name), _of_file(target)
        if key in self._by_path or identity in self._existing:
            raise UsageError("written-twice", path=path)
        if identity in self._inputs:
            raise UsageError("overwrites-input", path=path, input=self._inputs[identity])
        self._by_path[key] = path
        if identity:
            self._existing[identity] = path

    def refuse_inputs(self, names: Iterable[str | Path | None]) -> None:
        """Refuse to write any of these files, under whatever name; None is no file, and - is standard input."""
        for name in names:
            identity = None if name is None else _of_stream(sys.stdin) if name == STDIN else _of_file(name)
            if identity in self._existing:
                raise UsageError("overwrites-input", path=self._existing[identity], input=name)
            if identity and name is not None:
                self._inputs[identity] = name


def ignores_case(folder: Path) -> bool:
    """Whether a folder takes A and a for one name, as far as the names of the folders above it tell."""
    for place in (folder, *folder.parents):
        swapped = place.with_name(place.name.swapcase()) if place.name else place
        if swapped != place:
            return _of_place(swapped) is not None and _of_place(swapped) == _of_place(place)
    return False


def _of_file(path: str | Path) -> Identity | None:
    """Return what identifies a file, whatever links lead to it; nothing that is not a file can be replaced."""
    try:
        status = os.stat(path)  # noqa: PTH116  # a name may be any text
    except (OSError, ValueError):
        return None
    return _identity(status)


def _of_stream(stream: object) -> Identity | None:
    """Return what identifies the file that a stream is redirected to."""
    try:
        return _identity(os.fstat(stream.fileno()))  # type: ignore[attr-defined]  # None if it is closed
    except (AttributeError, OSError, ValueError):
        return None


def _identity(status: os.stat_result) -> Identity | None:
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def _of_place(folder: Path) -> Identity | None:
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
