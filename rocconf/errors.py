"""Errors: whatever the user can correct is a RocconfError with a message of the catalogue."""

from __future__ import annotations

import errno
import sys
from typing import TYPE_CHECKING, Any

from rocconf.messages import Message, message
from rocconf.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.messages import Audience

SPELLED_OUT = 5
"""How many faults of a file are spelled out; the others are counted."""


TRY = "try"
"""The code of the hint that is a command."""


class RocconfError(Exception):
    """An error that the user can correct."""

    def __init__(self, code: str, /, **values: Any) -> None:
        self.message = message(code, **values)
        super().__init__(code)

    @property
    def code(self) -> str:
        """The code of the message."""
        return self.message.code

    def text(self, audience: Audience = "library") -> str:
        """Return the message as worded for an audience."""
        return self.message.text(audience)

    def __str__(self) -> str:
        return self.text()


class UsageError(RocconfError):
    """An option, or a combination of options, that has no meaning."""


class UndefinedError(RocconfError):
    """A number that does not exist for these counts."""


class InputError(RocconfError):
    """An invalid input: its name, its faults and hints on how to correct them."""

    def __init__(
        self, where: str, faults: Sequence[Message], *, total: int | None = None, hints: Sequence[Message] = ()
    ) -> None:
        self.where, self.faults, self.hints = where, tuple(faults[:SPELLED_OUT]), tuple(hints)
        self.total = len(faults) if total is None else total
        self.likely_positive: str | None = None
        """The label that is likely to be the positive one, of an input with more labels than two."""
        self.message = self.faults[0]
        Exception.__init__(self, where, faults)

    def text(self, audience: Audience = "library") -> str:
        """Return the faults, one per line if there are several, and the hints."""
        faults = [fault.text(audience) for fault in self.faults]
        where = visible(self.where)
        if self.total == 1:
            lines = [f"{where}: {faults[0]}"]
        else:
            lines = [f"{where}: {self.total} faults", *(f"  {fault}" for fault in faults)]
        if self.total > len(faults):
            lines.append(f"  and {self.total - len(faults)} more")
        hints = "; ".join(hint.text(audience) for hint in self.hints if hint.code != TRY)
        commands = [f"  {hint.text(audience)}" for hint in self.hints if hint.code == TRY]  # to be pasted
        return "\n".join([*lines, *([f"  ({hints})"] if hints else []), *commands])


class TooFewCasesError(InputError):
    """Valid rows that are too few to analyse: no row, or rows of one class only."""


def is_closed_pipe(error: OSError) -> bool:
    """Whether a failure to write means that nobody reads; Windows says that the argument is invalid."""
    return isinstance(error, BrokenPipeError) or (sys.platform == "win32" and error.errno == errno.EINVAL)
