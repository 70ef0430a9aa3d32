"""What can go wrong: every error that a reader can put right is a RocconfError with a message of the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.messages import Message, message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocconf.messages import Audience

SPELLED_OUT = 5
"""How many faults of a file are spelled out; the others are counted."""


class RocconfError(Exception):
    """Something the reader of the message can put right."""

    def __init__(self, code: str, /, **values: Any) -> None:
        self.message = message(code, **values)
        super().__init__(code)

    @property
    def code(self) -> str:
        """The code of the message."""
        return self.message.code

    def text(self, audience: Audience = "library") -> str:
        """Return the message as it is said to an audience."""
        return self.message.text(audience)

    def __str__(self) -> str:
        return self.text()


class UsageError(RocconfError):
    """An option, or a combination of options, that has no meaning."""


class UndefinedError(RocconfError):
    """A number that does not exist for these counts."""


class InputError(RocconfError):
    """A file that does not say what it should: where, what was found and what was looked for."""

    def __init__(
        self, where: str, faults: Sequence[Message], *, total: int | None = None, hints: Sequence[Message] = ()
    ) -> None:
        self.where, self.faults, self.hints = where, tuple(faults[:SPELLED_OUT]), tuple(hints)
        self.total = len(faults) if total is None else total
        self.message = self.faults[0]
        Exception.__init__(self, where, faults)

    def text(self, audience: Audience = "library") -> str:
        """Return all faults, a line each if there are several, and how they are mended."""
        faults = [fault.text(audience) for fault in self.faults]
        if self.total == 1:
            lines = [f"{self.where}: {faults[0]}"]
        else:
            lines = [f"{self.where}: {self.total} faults", *(f"  {fault}" for fault in faults)]
        if self.total > len(faults):
            lines.append(f"  and {self.total - len(faults)} more")
        hints = "; ".join(hint.text(audience) for hint in self.hints)
        return "\n".join([*lines, *([f"  ({hints})"] if hints else [])])


class TooFewCasesError(InputError):
    """Rows of a file that are as they should be, but too few to say anything: none, or of one class only."""
