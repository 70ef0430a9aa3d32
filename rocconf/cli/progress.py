"""Say on standard error what takes longer than a second; rich is imported only then."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE = 1.0
"""Seconds without a word."""


def is_wanted(*, quiet: bool, no_progress: bool) -> bool:
    """Whether somebody looks: progress is for a terminal."""
    return not (quiet or no_progress) and sys.stderr.isatty()


@contextmanager
def waiting(message: str, *, wanted: bool) -> Iterator[None]:
    """Turn a spinner beside a message while work of unknown length goes on."""
    if not wanted:
        yield
        return
    done = Event()

    def spin() -> None:
        if done.wait(PATIENCE):
            return
        from rich.console import Console

        with Console(stderr=True).status(message):
            done.wait()

    thread = Thread(target=spin, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@contextmanager
def counting(message: str, total: int, *, wanted: bool) -> Iterator[Callable[[int], None]]:
    """Draw a bar for work in `total` steps; the function it gives is told how many more are done."""
    if not wanted:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task, begun, visible = bar.add_task(message, total=total), monotonic(), False

    def advance(steps: int) -> None:
        nonlocal visible
        bar.advance(task, steps)
        if not visible and monotonic() - begun > PATIENCE:
            bar.start()
            visible = True

    try:
        yield advance
    finally:
        if visible:
            bar.stop()
