"""Progress on standard error for work that takes longer than a second; rich is imported only then."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

from rocconf.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE = 1.0
"""Seconds before anything is shown."""

LONGEST_STOP = 1.0
"""Seconds to wait for a spinner to end and show the cursor again."""


def is_wanted(*, quiet: bool, no_progress: bool) -> bool:
    """Whether to show progress: only on a terminal, and one that moves its cursor and may be sent escapes."""
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") in ("dumb", "unknown")
    return not (quiet or no_progress or is_plain) and sys.stderr.isatty()


@contextmanager
def waiting(task: str, *, wanted: bool) -> Iterator[None]:
    """Show a spinner while work of unknown length goes on."""
    if not wanted:
        yield
        return
    from rocconf.report import surely

    done = Event()

    def spin() -> None:
        if done.wait(PATIENCE):
            return
        from rich.console import Console
        from rich.markup import escape

        with Console(stderr=True).status(escape(visible(task))):
            done.wait()

    def stop() -> None:
        done.set()
        thread.join(LONGEST_STOP)  # at a signal it may wait for an import that is interrupted, and so for ever

    thread = Thread(target=spin, daemon=True)
    thread.start()
    with surely(stop):
        yield


@contextmanager
def counting(task: str, total: int, *, wanted: bool) -> Iterator[Callable[[int], None]]:
    """Show a bar for work in `total` steps; yield a function to call with the number of steps just done."""
    if not wanted:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    from rocconf.report import surely

    bar = Progress(console=Console(stderr=True), transient=True)
    bar_task, begun, visible = bar.add_task(task, total=total), monotonic(), False

    def advance(steps: int) -> None:
        nonlocal visible
        bar.advance(bar_task, steps)
        if not visible and monotonic() - begun > PATIENCE:
            bar.start()
            visible = True

    def stop() -> None:
        if visible:
            bar.stop()

    with surely(stop):
        yield advance
