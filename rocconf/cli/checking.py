"""Stops a command once its options, configuration and rules are checked, before anything is read, for `rocconf check`."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocconf.cli.judging import Judge

_checking = False


class LineCheckedError(Exception):
    """Ends a command that is only checked; if it is not caught, it is reported as an internal error."""

    def __init__(self, judge: Judge) -> None:
        super().__init__("the command was only checked")
        self.judge = judge


@contextmanager
def only_checking() -> Iterator[None]:
    """Let commands stop before they read anything."""
    global _checking  # noqa: PLW0603  # a process checks, or runs, one command
    _checking = True
    try:
        yield
    finally:
        _checking = False


def stop_if_checking(judge: Judge) -> None:
    """Stop a command that is only checked, after every check that needs no data."""
    if _checking:
        raise LineCheckedError(judge)
