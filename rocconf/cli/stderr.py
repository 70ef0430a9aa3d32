"""Lines on standard error."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

STDERR = 2
"""The file descriptor to which libraries in other languages write."""


@contextmanager
def without_panics() -> Iterator[None]:
    """Show what Python writes on standard error only: polars writes several lines of a panic before it raises it."""
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


def say(text: str) -> None:
    """Write one line; control characters become blanks, so that a name from a file cannot forge a line."""
    sys.stderr.write(f"rocconf: {''.join(letter if letter.isprintable() else ' ' for letter in text)}\n")
