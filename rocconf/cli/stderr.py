"""Lines on standard error."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rocconf.visible import visible, visible_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

STDERR = 2
"""The file descriptor to which libraries in other languages write."""


@contextmanager
def without_panics() -> Iterator[None]:
    """Hide what native code writes on standard error: polars prints a panic before it raises it."""
    python = sys.stderr
    try:
        is_shared = python.fileno() == STDERR
    except (OSError, ValueError, AttributeError):
        is_shared = False
    if not is_shared:
        yield
        return
    python.flush()
    kept = os.dup(STDERR)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        with open(kept, "w", encoding=python.encoding, errors=python.errors, buffering=1, closefd=False) as sys.stderr:
            os.dup2(nowhere, STDERR)
            yield
    finally:
        sys.stderr = python
        os.dup2(kept, STDERR)
        os.close(kept)
        os.close(nowhere)


said: list[str] = []
"""What was written."""


def say(text: str) -> None:
    """Write one line."""
    line = visible(f"rocconf: {text}")
    put(line)
    said.append(line)


def put(text: str) -> None:
    """Write visible lines."""
    sys.stderr.write(f"{visible_lines(text)}\n")


def lines_on_screen(width: int) -> int:
    """Return how many screen lines the messages took; 0 if standard error is not a terminal."""
    return sum(lines_of(line, width) for line in said) if sys.stderr.isatty() else 0


def lines_of(line: str, width: int) -> int:
    """Return how many lines of a terminal a text takes."""
    return max(-(-len(line) // width), 1)
